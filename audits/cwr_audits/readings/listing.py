"""Listings: classes, words and what the graph predicates say of them, as a worker replies and as the audit reads it.

Words are canonical JSON as text. Sizes travel as hexadecimal text, as raw counts do (cwr_audits.wire).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cwr_audits.subject import Subject
from cwr_audits.wire import Reply
from cwr_solvers.symmetry import text


@dataclass(frozen=True, slots=True)
class Kind:
    """One class: its words, sorted, its size in raw submissions, its cost."""

    words: tuple[str, ...]
    size: int
    cost: int


@dataclass(frozen=True, slots=True)
class Listing:
    """The classes of an instance, and {motif: the words that have it}."""

    kinds: tuple[Kind, ...]
    having: Mapping[str, frozenset[str]]

    @property
    def words(self) -> frozenset[str]:
        return frozenset(word for kind in self.kinds for word in kind.words)

    @property
    def cheapest(self) -> tuple[Kind, ...]:
        """The classes of least cost."""
        least = min((kind.cost for kind in self.kinds), default=0)
        return tuple(kind for kind in self.kinds if kind.cost == least)

    def lacking(self, motif: str) -> frozenset[str]:
        """The words that lack a motif."""
        return self.words - self.having[motif]

    def has(self, motif: str, kind: Kind) -> bool:
        """Whether all words of a class have a motif; where only some have it, `mixed` tells."""
        return self.having[motif].issuperset(kind.words)

    def mixed(self, motif: str) -> tuple[Kind, ...]:
        """The classes of which some words have a motif and some lack it; a sound definition leaves none."""
        having = self.having[motif]
        return tuple(kind for kind in self.kinds if 0 < len(having.intersection(kind.words)) < len(kind.words))


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of classes and of raw submissions, all and those with the motif."""

    classes: int
    classes_with: int
    raw: int
    raw_with: int


def counted(listing: Listing, motif: str, kinds: Iterable[Kind]) -> Counts:
    """How many of these classes have a motif."""
    every = tuple(kinds)
    found = [kind for kind in every if listing.has(motif, kind)]
    return Counts(len(every), len(found), sum(kind.size for kind in every), sum(kind.size for kind in found))


def write_listing(listing: Listing) -> Reply:
    """The JSON of a listing."""
    kinds = [{"words": list(kind.words), "size": hex(kind.size), "cost": kind.cost} for kind in listing.kinds]
    return {"classes": kinds, "having": {motif: sorted(words) for motif, words in listing.having.items()}}


def read_listing(found: Reply) -> Listing:
    """The listing that a worker replied."""
    kinds = tuple(Kind(tuple(one["words"]), int(one["size"], 16), one["cost"]) for one in found["classes"])
    return Listing(kinds, {motif: frozenset(words) for motif, words in found["having"].items()})


def witness(one: Subject, listing: Listing) -> str | None:
    """The witness of a subject in normal form; where it has none, the first word of least cost; None without a word."""
    if one.witness is None:
        return min((word for kind in listing.cheapest for word in kind.words), default=None)
    read = one.world.read_submission(one.instance, one.witness)
    return text(one.world, one.instance, one.world.normal(one.instance, read)).decode("utf-8")
