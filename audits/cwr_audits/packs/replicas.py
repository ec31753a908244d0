"""Fresh replicas: the same latent base under names that mean nothing anywhere, in orders that mean nothing.

A renaming has the canonical form of what it was made of (held here, not assumed). Kept are names that stand for
themselves: values of pipelines (TP) and operators of circuits (BC), whose tables every prompt states. Names are
invented of syllables, by a named stream of draws, and no replica has a word of another: `taken` says what is used up.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from cwr_audits.canonical import base
from cwr_audits.renaming import LISTS, NAMES, Spelling, excluded, rename, shuffled, vocabulary
from cwr_audits.subject import from_json
from cwr_solvers.errors import Disagreement
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json, canonical, parse
from cwr_solvers.sampling import pick, stream
from cwr_solvers.world import World

KEPT: Mapping[str, tuple[str, ...]] = {"TP": ("value",), "BC": ("operator",)}
ONSETS = (
    "b",
    "d",
    "f",
    "g",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "t",
    "v",
    "z",
    "br",
    "dr",
    "fl",
    "gl",
    "kr",
    "st",
    "tr",
)
NUCLEI = ("a", "e", "i", "o", "u", "ai", "eo", "ou")
CODAS = ("", "", "k", "l", "m", "n", "r", "s", "x")
SYLLABLES = 2


@dataclass(frozen=True, slots=True)
class Replica:
    """A renamed instance, JSON in normal form and as read, with the new spelling of every old name."""

    family: str
    world: World
    source: Json
    instance: Any
    base: str
    names: Mapping[str, Spelling]

    def carried(self, part: str, document: Json) -> Json:
        """A submission, move or state of the old instance, in the names of this one."""
        return rename(self.family, part, self.names, document)

    @property
    def words(self) -> frozenset[str]:
        """The invented words."""
        made = [spelling for kind, spelling in self.names.items() if kind not in KEPT.get(self.family, ())]
        return frozenset(str(name) for spelling in made for name in spelling.values())


def renaming(family: str, instance: Json, taken: Collection[str], *words: str) -> Replica:
    """The renaming that the words name, of an instance's JSON in normal form; it shares no invented word with `taken`.

    Raises Disagreement where the renamed instance has another canonical form: that is a fault of cwr.
    """
    draws = stream("replica", *words)
    names = _names(family, instance, set(taken), draws)
    about = from_json(shuffled(rename(family, "instance", names, instance), LISTS[family], draws))
    known, found = _base(family, canonical(instance)), base(family, about.source)
    if known != found:
        raise Disagreement("the latent base of a renaming", {"before": known, "after": found})
    return Replica(family, about.world, about.source, about.instance, found, names)


@cache
def _base(family: str, instance: bytes) -> str:
    """As `base`, of canonical JSON: what is renamed is renamed many times."""
    return base(family, parse(instance, INSTANCE_BYTES, INSTANCE_DEPTH))


def _names(family: str, instance: Json, taken: set[str], draws: Random) -> dict[str, Spelling]:
    found: dict[str, Spelling] = {}
    for kind, old in vocabulary(family, instance).items():
        never = NAMES[family][kind].never if kind in NAMES[family] else ""
        kept = kind in KEPT.get(family, ())
        found[kind] = {canonical(name): name if kept else _invented(never, taken, draws) for name in old}
    return found


def _invented(never: str, taken: set[str], draws: Random) -> str:
    """A word that is not taken, which it is from now on."""
    while True:
        word = "".join(pick(draws, ONSETS) + pick(draws, NUCLEI) for _ in range(SYLLABLES)) + pick(draws, CODAS)
        if word not in taken and not excluded(never, word):
            taken.add(word)
            return word
