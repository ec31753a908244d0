"""In a worker: what Z3 finds of several puzzles."""

from __future__ import annotations

from cwr_audits.engines.smt import answer as one
from cwr_audits.scenes.cyclic_order.auditing.asking import Sides, each
from cwr_audits.wire import Task


def answer(task: Task) -> list[Sides]:
    """The findings on both instances of every puzzle."""
    return each(one, task)
