"""Rows judged one by one. An outcome is one of three words that never merge, and says at which stage it fell:

accepted    nothing is wrong
rejected    stage malformed (no text of the grammar), illegal (a step breaks a rule), goal (legal, but the goal is not
            met), key (P, R, E: well formed, but not the exact answer)
undecided   stage no-submission (none was obtained), or grading (no verdict was reached); never counted as either
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from cwr_audits.packs.answers import grade_answer
from cwr_audits.packs.model import ARMS, EvaluatorRow
from cwr_audits.scoring.runs import Run, Table
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import MalformedInput, Undecided, UsageError
from cwr_solvers.grading import Verdict
from cwr_solvers.world import World

Outcome = Literal["accepted", "rejected", "undecided"]


@dataclass(frozen=True, slots=True)
class Judged:
    """The outcome of one row. `step` is the first illegal one."""

    item: EvaluatorRow
    outcome: Outcome
    stage: str | None
    codes: tuple[str, ...] = ()
    step: int | None = None


def judge(run: Run, table: Table, tell: Callable[[str], None]) -> tuple[Judged, ...]:
    """The outcomes of a run's rows, sorted by item. Raises UsageError where an item itself is at fault."""
    found = []
    for number, row in enumerate(sorted(run.rows, key=lambda one: one.item), 1):
        tell(f"{run.name}: {number} of {len(run.rows)} rows")
        found.append(judged(table.items[row.item], row.submission))
    return tuple(found)


def judged(item: EvaluatorRow, submission: str | None) -> Judged:
    """The outcome of one submission to one item."""
    if submission is None:
        return Judged(item, "undecided", "no-submission")
    try:
        world = _world(item.family)
        instance = world.read_instance(item.instance)
        verdict = grade_answer(item.condition, world, instance, item.key, submission.encode("utf-8"))
    except Undecided as error:
        return Judged(item, "undecided", "grading", (error.reason,))
    except MalformedInput as error:
        raise UsageError(f"the pack's item {item.item}: {error}") from None
    return _outcome(item, verdict)


def _world(family: str) -> World:
    if family not in WORLDS:
        raise MalformedInput("unknown-name", "/family", "a family of the catalogue", family[:40])
    return WORLDS[family]


def _outcome(item: EvaluatorRow, verdict: Verdict) -> Judged:
    if verdict.status == "accepted":
        return Judged(item, "accepted", None)
    if verdict.status == "undecided":
        return Judged(item, "undecided", "grading")
    missed = "goal" if item.condition in ARMS else "key"
    stage = {"malformed": "malformed", "illegal": "illegal", "rejected": missed}[verdict.status]
    return Judged(item, "rejected", stage, verdict.codes, verdict.step)
