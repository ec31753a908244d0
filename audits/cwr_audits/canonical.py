"""The canonical form of an instance: what is left of it when names and orders that mean nothing are forgotten.

Two instances have the same form exactly when renaming their vocabularies, moving list items whose order means nothing
and (BC) moving pins or (CO) turning the reference makes one of the other. The digest of the form names a latent base.

Found as in programs for graph isomorphism (B. D. McKay, Practical graph isomorphism, 1981): names get colours, which
are refined by what the instance looks like from each; where names are still alike, one after the other is told apart
and the least form is kept. Names that can be exchanged without changing anything need to be tried once only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import permutations
from typing import Any, TypeAlias

from cwr_audits.renaming import LISTS, NAMES, Where, pins_ordered, places, references_turned
from cwr_solvers.errors import Undecided
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json, canonical, parse

Name: TypeAlias = tuple[str, bytes]  # its kind, and its canonical JSON
Colours: TypeAlias = Mapping[Name, int]

MORE_LISTS: Mapping[str, tuple[str, ...]] = {"TP": ("/ids",)}  # an order that only normal forms of words depend on
MOST_PINS = 6
MOST_LEAVES = 5000
MARK = -1  # a colour that no name has


@dataclass(frozen=True, slots=True)
class _Text:
    """A leaf that is no name: its canonical JSON."""

    said: bytes


@dataclass(frozen=True, slots=True)
class _Names:
    """A leaf made of one name or several."""

    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class _Items:
    """An array, or an object as an array of pairs; `free` when the order of items means nothing; the names in it."""

    free: bool
    items: tuple[_Tree, ...]
    names: frozenset[Name]


_Tree: TypeAlias = "_Text | _Names | _Items"


def base(family: str, instance: Json) -> str:
    """The digest that names the latent base of an instance (JSON in normal form). Raises as `form` does."""
    return _base(family, canonical(instance))


@lru_cache(maxsize=1024)
def _base(family: str, instance: bytes) -> str:
    return sha256(form(family, parse(instance, INSTANCE_BYTES, INSTANCE_DEPTH))).hexdigest()


def form(family: str, instance: Json) -> bytes:
    """The canonical form; raises Undecided("size") where names are alike in too many ways to be tried."""
    return min(_form(family, one) for one in _arrangements(family, instance))


def _arrangements(family: str, instance: Any) -> Iterator[Json]:
    """The instance with its pins in every order (BC), or its reference from every token on (CO); else as it is."""
    if family == "CO":
        yield from references_turned(instance)
        return
    if family != "BC":
        yield instance
        return
    if len(instance["pins"]) > MOST_PINS:
        raise Undecided("size", f"more than {MOST_PINS} pins: their orders are not all tried")
    for order in permutations(range(len(instance["pins"]))):
        yield pins_ordered(instance, order)[0]


def _form(family: str, instance: Json) -> bytes:
    lists = [tuple(path.split("/")[1:]) for path in (*LISTS[family], *MORE_LISTS.get(family, ()))]
    tree = _tree(instance, places(family, "instance"), lists)
    names = sorted(_held(tree))
    kinds = [*NAMES[family], "code"]
    start = _refined(tree, {name: kinds.index(name[0]) for name in names})
    leaves = [0]
    return canonical(family) + min(_leaves(tree, start, leaves))


# --- the instance as a tree


def _tree(value: Json, where: Where, lists: Sequence[tuple[str, ...]]) -> _Tree:
    for steps, kind, joined in where:
        if not steps:
            return _leaf(value, kind, joined)
    if isinstance(value, list):
        below = [(steps[1:], kind, joined) for steps, kind, joined in where if steps[0] == "*"]
        inner = [steps[1:] for steps in lists if steps and steps[0] == "*"]
        return _items(() in lists, [_tree(item, below, inner) for item in value])
    if isinstance(value, dict):
        return _items(True, [_pair(key, item, where, lists) for key, item in value.items()])
    return _Text(canonical(value))


def _pair(key: str, item: Json, where: Where, lists: Sequence[tuple[str, ...]]) -> _Tree:
    named = [(kind, joined) for steps, kind, joined in where if steps == ("~",)]
    below = [(steps[1:], kind, joined) for steps, kind, joined in where if _leads(steps[0], key)]
    inner = [steps[1:] for steps in lists if steps and _leads(steps[0], key)]
    shown = _leaf(key, *named[0]) if named else _Text(canonical(key))
    return _items(False, [shown, _tree(item, below, inner)])


def _items(free: bool, items: Sequence[_Tree]) -> _Items:
    return _Items(free, tuple(items), frozenset(name for item in items for name in _held(item)))


def _held(tree: _Tree) -> Collection[Name]:
    return () if isinstance(tree, _Text) else tree.names


def _leads(step: str, key: str) -> bool:
    """Whether a step of a path leads through a key; a name that looks like a step (`~`) is none."""
    return step == "*" or (step == key and step != "~")


def _leaf(value: Json, kind: str, joined: tuple[str, ...]) -> _Tree:
    if not joined:
        return _Names(((kind, canonical(value)),))
    parts = str(value).split(".", len(joined) - 1)
    return _Names(tuple((own, canonical(part)) for own, part in zip(joined, parts, strict=True)))


# --- colours


def _drawn(tree: _Tree, colours: Colours, known: dict[int, bytes], marked: Name | None = None) -> bytes:
    """What the tree looks like when of each name only its colour is seen.

    `known` keeps what the parts of the tree look like in these colours when no name is marked; with one marked, only
    the parts that it is in are drawn anew.
    """
    if isinstance(tree, _Text):
        return tree.said
    if isinstance(tree, _Names):
        return b"#" + b".".join(b"%d" % (MARK if name == marked else colours[name]) for name in tree.names)
    plain = marked is None or marked not in tree.names
    if plain and id(tree) in known:
        return known[id(tree)]
    drawn = [_drawn(item, colours, known, marked) for item in tree.items]
    made = b"(" + b" ".join(sorted(drawn) if tree.free else drawn) + b")"
    if plain:
        known[id(tree)] = made
    return made


def _refined(tree: _Tree, colours: Colours) -> Colours:
    """Colours told apart by what the tree looks like when one name is marked, until nothing is told apart any more."""
    while True:
        known: dict[int, bytes] = {}
        seen = {name: (colour, _drawn(tree, colours, known, name)) for name, colour in colours.items()}
        order = {look: number for number, look in enumerate(sorted(set(seen.values())))}
        finer = {name: order[look] for name, look in seen.items()}
        if len(order) == len(set(colours.values())):
            return finer
        colours = finer


def _leaves(tree: _Tree, colours: Colours, leaves: list[int]) -> Iterator[bytes]:
    """The forms that the ways to tell all names apart lead to."""
    alike: dict[int, list[Name]] = {}
    for name, colour in sorted(colours.items()):
        alike.setdefault(colour, []).append(name)
    several = [names for _, names in sorted(alike.items()) if len(names) > 1]
    if not several:
        leaves[0] += 1
        if leaves[0] > MOST_LEAVES:
            raise Undecided("size", "names of the instance are alike in too many ways")
        yield _drawn(tree, colours, {})
        return
    for name in _unlike(tree, several[0]):
        apart = {one: 2 * colour + (one != name) for one, colour in colours.items()}
        yield from _leaves(tree, _refined(tree, apart), leaves)


def _unlike(tree: _Tree, names: Sequence[Name]) -> list[Name]:
    """One of every set of names that can be exchanged without changing the tree."""
    apart = {name: number for number, name in enumerate(sorted(_held(tree)))}
    whole = _drawn(tree, apart, {})
    found: list[Name] = []
    for name in names:
        swaps = ({**apart, name: apart[other], other: apart[name]} for other in found)
        if not any(_drawn(tree, swapped, {}) == whole for swapped in swaps):
            found.append(name)
    return found
