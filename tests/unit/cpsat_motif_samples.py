"""What the tests of motifs and moves in CP-SAT share: instances, their words, and what is true of these."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from unit.cpsat_motif_predicates import PREDICATES

from cwr_encodings.cpsat_catalogue import CPSAT
from cwr_solvers.answers import Claim, Limits
from cwr_solvers.backends import cpsat
from cwr_solvers.catalogue import WORLDS, read_showcases
from cwr_solvers.jsontext import Json

LIMITS = Limits(120, 5000)
SHOWCASES = {
    one.family: one
    for one in read_showcases((Path(__file__).parents[2] / "fixtures" / "showcase-index.json").read_bytes())
}
FAMILIES = sorted(CPSAT)
SEEDS = [str(number) for number in range(60)]
MOTIFS = sorted(PREDICATES)
# Where a motif must be shown by every choice of something free, an encoding can deny it only.
UNIVERSAL = [("TW", "main")]


def module_of(family: str) -> ModuleType:
    return sys.modules[CPSAT[family].__module__]


@cache
def instance_of(family: str, seed: str | None) -> Any:
    """The instance of a seed; the showcase without one."""
    return WORLDS[family].read_instance(SHOWCASES[family].instance if seed is None else WORLDS[family].generate(seed))


def words(family: str, instance: Any, claim: Claim) -> dict[bytes, int]:
    return dict(cpsat.solve(lambda model: CPSAT[family](model, instance, claim), LIMITS).words)


@cache
def all_words(family: str, seed: str | None) -> Mapping[bytes, int]:
    return words(family, instance_of(family, seed), Claim())


def normal(family: str, instance: Any, submission: Json) -> Json:
    world = WORLDS[family]
    return world.write_submission(instance, world.normal(instance, world.read_submission(instance, submission)))


def moves(family: str, instance: Any, word: bytes) -> list[Json]:
    world = WORLDS[family]
    submission = world.read_submission(instance, json.loads(word))
    return [world.write_move(instance, move) for move in submission.moves]


def holding(family: str, motif: str, instance: Any, found: Mapping[bytes, int]) -> set[bytes]:
    return {word for word in found if PREDICATES[family, motif](instance, json.loads(word))}


def containing(family: str, instance: Any, found: Mapping[bytes, int], move: Json) -> set[bytes]:
    return {word for word in found if move in moves(family, instance, word)}


def motifs_of(family: str) -> list[str]:
    return [motif for other, motif in MOTIFS if other == family and (other, motif) not in UNIVERSAL]
