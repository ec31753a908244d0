"""What audits of packs look at: of every world its target, its sources, its items, and all accepted submissions.

The target is the showcase of that code as the checkout has it. Sources are read from the pack, as strictly as those
of the checkout are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from cwr_audits.packs.model import ARMS, Condition, EvaluatorRow, ModelRow, Pack
from cwr_audits.packs.sources import SCHEMA, Source, read_sources
from cwr_audits.subject import Subject, subjects
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import run
from cwr_solvers.jsontext import Json, canonical, parse
from cwr_solvers.reading import refuse
from cwr_solvers.search import Count, Layer, layers, listing, tally
from cwr_solvers.world import Submission, World

BYTES, DEPTH = 1 << 24, 40
MOST_STATES = 400_000


@dataclass(frozen=True, slots=True)
class Case:
    """A world of a pack. `arms` is empty where the pack has no sources of it."""

    about: Subject
    arms: Mapping[str, Source]
    rows: tuple[EvaluatorRow, ...]
    prompts: Mapping[str, str]

    @property
    def world(self) -> World:
        return self.about.world

    def of(self, *conditions: Condition) -> tuple[EvaluatorRow, ...]:
        """The rows of these conditions."""
        return tuple(row for row in self.rows if row.condition in conditions)


def case(pack: Pack, code: str) -> Case:
    """The case of a world of the pack. Raises MalformedInput, UsageError."""
    (about,) = subjects((code,))
    arms = {one.arm: one for one in pack_sources(pack) if one.target == code}
    rows = tuple(row for row in pack.evaluator if row.world == code)
    prompts = prompts_of(pack.model)
    unasked = [row.item for row in rows if row.item not in prompts]
    if unasked:
        refuse("contradiction", f"/{code}", "a prompt of every item", f"none of {unasked[0]}")
    return Case(about, arms if set(arms) == set(ARMS) else {}, rows, {row.item: prompts[row.item] for row in rows})


def pack_sources(pack: Pack) -> tuple[Source, ...]:
    """The sources of a pack, read; raises MalformedInput."""
    fields = ("arm", "code", "design", "instance", "shown")
    listed: list[Any] = [pack.sources[name] for name in sorted(pack.sources)]
    kept: list[Json] = [{key: one[key] for key in fields if key in one} for one in listed]
    kept.sort(key=lambda one: (str(one.get("code")), str(one.get("arm"))) if isinstance(one, dict) else ("", ""))
    return _sources(canonical({"schema": SCHEMA, "sources": kept}))


@lru_cache(maxsize=8)
def _sources(data: bytes) -> tuple[Source, ...]:
    return read_sources(parse(data, BYTES, DEPTH))


@lru_cache(maxsize=4)
def prompts_of(rows: tuple[ModelRow, ...]) -> Mapping[str, str]:
    """{item: prompt}."""
    return {row.item: row.prompt for row in rows}


# --- accepted submissions


def solutions(world: World, source: Json) -> tuple[Submission[Any], ...]:
    """Every accepted submission in normal form; raises Undecided where there are too many states."""
    return _solutions(world.family, canonical(source))


def counted(world: World, source: Json) -> Count:
    """Optimum, accepted raw submissions and states, by the interpreter; raises Undecided."""
    return _counted(world.family, canonical(source))


def status(world: World, source: Json, submission: Json) -> str:
    """How a submission ends: accepted, rejected, illegal or malformed."""
    instance = read(world, source)
    try:
        return run(world, instance, world.read_submission(instance, submission)).status
    except MalformedInput:
        return "malformed"


def read(world: World, source: Json) -> Any:
    """The instance that a JSON is; raises MalformedInput."""
    return _read(world.family, canonical(source))


@lru_cache(maxsize=512)
def _solutions(family: str, data: bytes) -> tuple[Submission[Any], ...]:
    return tuple(listing(WORLDS[family], _read(family, data), _layers(family, data)))


@lru_cache(maxsize=128)
def _counted(family: str, data: bytes) -> Count:
    return tally(WORLDS[family], _read(family, data), _layers(family, data), MOST_STATES)


@lru_cache(maxsize=4)
def _layers(family: str, data: bytes) -> tuple[Layer, ...]:
    return tuple(layers(WORLDS[family], _read(family, data), MOST_STATES))


@lru_cache(maxsize=1024)
def _read(family: str, data: bytes) -> Any:
    return WORLDS[family].read_instance(parse(data, BYTES, DEPTH))
