"""In a worker: what the checked certificates of several puzzles say, in the form in which routes answer."""

from __future__ import annotations

from collections.abc import Iterable

from cwr_audits.scenes.cyclic_order.auditing.asking import Sides
from cwr_audits.scenes.cyclic_order.certifying import OPEN, VISIBLE, certified
from cwr_audits.wire import Finding, Reply, Task, limits_of, run, write_finding
from cwr_solvers.answers import Answer
from cwr_solvers.errors import Undecided, UsageError
from cwr_solvers.jsontext import canonical

PLAYED = 1  # cost of the submission of one card


def answer(task: Task) -> list[Sides]:
    """The findings on both instances of every puzzle."""
    return [_sides(run(_both, {**task, "instance": one[VISIBLE]})) for one in task["puzzles"]]


def _both(task: Task) -> Reply:
    """What both certificates list. A puzzle that cannot be certified is undecided here: the other routes say why."""
    try:
        found = certified(task["instance"], limits=limits_of(task))
    except UsageError as error:
        raise Undecided("unsupported", str(error)) from None
    return {VISIBLE: _finding((found.answer,)), OPEN: _finding(found.repairs)}


def _finding(labels: Iterable[str]) -> Reply:
    return write_finding(Finding(Answer(PLAYED, {canonical({"cards": [label]}): PLAYED for label in labels})))


def _sides(reply: Reply) -> Sides:
    """Whatever befell the making of both is said of either."""
    if "found" not in reply:
        return {VISIBLE: reply, OPEN: reply}
    return {side: {"found": finding} for side, finding in reply["found"].items()}
