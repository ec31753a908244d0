"""The states that a submission runs through, for predicates that look at what really happened."""

from __future__ import annotations

from typing import Any

from cwr_solvers.grading import Trace, run
from cwr_solvers.world import Submission, World


def legal(world: World, instance: Any, submission: Submission[Any]) -> Trace:
    """The trace of a legal submission; raises ValueError when a step is illegal, which no motif speaks of."""
    trace = run(world, instance, submission)
    if trace.first_illegal_step is not None:
        raise ValueError(f"a motif of an illegal submission was asked for (step {trace.first_illegal_step})")
    return trace
