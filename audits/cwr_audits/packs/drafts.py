"""Drafts: items before they have ids, and the setting that they are drawn in.

target  a showcase for which items are made; `taken` are the invented words that its replicas have used up
draft   an item: its replica's instance, prompt, key, how it was made, and the submissions whose status the key rests on
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from cwr_audits.packs.model import Condition
from cwr_audits.packs.replicas import Replica, renaming
from cwr_audits.subject import Subject
from cwr_solvers.jsontext import Json
from cwr_solvers.sampling import stream
from cwr_solvers.world import Submission, World


@dataclass(frozen=True, slots=True)
class Target:
    """A showcase and the pack's seed, from which every draw follows."""

    about: Subject
    seed: str
    taken: set[str] = field(default_factory=set)

    @property
    def family(self) -> str:
        return self.about.world.family

    def draws(self, *words: str) -> Random:
        """The stream of draws that the words name."""
        return stream("pack", self.seed, self.about.code, *words)

    def replica(self, source: Json, *words: str) -> Replica:
        """A fresh renaming of an instance (JSON in normal form), sharing no invented word with the ones before."""
        made = renaming(self.family, source, self.taken, "pack", self.seed, self.about.code, *words)
        self.taken.update(made.words)
        return made


@dataclass(frozen=True, slots=True)
class Draft:
    """An item without ids. `rests_on` is judged a second time by the clauses of the family."""

    condition: Condition
    kind: str  # of replica: renaming or sibling
    replica: Replica
    wording: int
    prompt: str
    key: Json
    made: Mapping[str, Json]
    rests_on: tuple[Submission[Any], ...]

    @property
    def world(self) -> World:
        return self.replica.world

    @property
    def instance(self) -> Any:
        return self.replica.instance
