"""Grading, written once for all worlds: P (one primitive), E (a whole submission), and the verdict on a text.

A verdict is one of five words that never merge:
  malformed   the text is no submission of this family; there is no E answer
  illegal     some step breaks a rule; the first such step and all rules broken there are named
  rejected    every step is legal, the goal is not met
  accepted    every step is legal, the goal is met
  undecided   no answer was reached (never produced here: the interpreters always halt)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from cwr_solvers.errors import MalformedInput
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, parse
from cwr_solvers.world import Broken, Fault, Rules, Submission, World

Status = Literal["accepted", "rejected", "illegal", "malformed", "undecided"]


@dataclass(frozen=True, slots=True)
class Trace:
    """How a submission ran. `state` is the terminal state, None when a step was illegal.

    `states` holds the state before each step and after the last legal one.
    """

    states: tuple[Any, ...]
    state: Any
    first_illegal_step: int | None
    faults: tuple[Fault, ...]

    @property
    def status(self) -> Status:
        if self.first_illegal_step is not None:
            return "illegal"
        return "rejected" if self.faults else "accepted"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The word on a text. `cost` is known of legal submissions only; `error` of malformed texts only."""

    status: Status
    step: int | None
    faults: tuple[Fault, ...]
    cost: int | None
    error: MalformedInput | None

    @property
    def codes(self) -> tuple[str, ...]:
        """The stable reason codes: rule names, or the code of the malformation."""
        if self.error is not None:
            return (self.error.code,)
        return tuple(sorted({fault.rule for fault in self.faults}))


def run(world: Rules, instance: Any, submission: Submission[Any]) -> Trace:
    """Play the moves from the initial state to the first illegal one, or to the end and judge the goal there."""
    states: list[Any] = []
    return replace(_play(world, instance, submission, states.append), states=tuple(states))


def _play(world: Rules, instance: Any, submission: Submission[Any], seen: Callable[[Any], None]) -> Trace:
    """The trace without its states, each of which `seen` gets: thousands of large ones need not be kept."""
    state = world.initial(instance)
    seen(state)
    for number, move in enumerate(submission.moves, 1):
        after = world.step(instance, state, move)
        if isinstance(after, Broken):
            return Trace((), None, number, after.faults)
        state = after
        seen(state)
    end = world.terminal(instance, state)
    return Trace((), end, None, world.unmet(instance, end, submission.choice))


def _forget(_state: Any) -> None:
    """For who wants the end only."""


def read_text(world: Rules, instance: Any, data: bytes) -> Submission[Any]:
    """The submission that a text is; raises MalformedInput."""
    return world.read_submission(instance, parse(data, SUBMISSION_BYTES, SUBMISSION_DEPTH))


def grade(world: Rules, instance: Any, data: bytes) -> Verdict:
    """The verdict on the bytes of a submission; never raises for anything in the bytes."""
    try:
        submission = read_text(world, instance, data)
    except MalformedInput as error:
        return Verdict("malformed", None, (), None, error)
    trace = _play(world, instance, submission, _forget)
    cost = None if trace.state is None else trace.state.cost
    return Verdict(trace.status, trace.first_illegal_step, trace.faults, cost, None)


def answer_e(world: World, instance: Any, submission: Submission[Any]) -> Json:
    """The exact E answer of a well-formed submission."""
    trace = _play(world, instance, submission, _forget)
    if trace.first_illegal_step is not None:
        return {"first_illegal_step": trace.first_illegal_step, "final_state": None, "goal": None}
    final = world.write_state(instance, trace.state)
    return {"first_illegal_step": None, "final_state": final, "goal": trace.status == "accepted"}


def answer_p(world: World, instance: Any, state: Any, move: Any) -> Json:
    """The exact P answer to one primitive in a well-typed state."""
    after = world.step(instance, state, move)
    if isinstance(after, Broken):
        return {"legal": False, "next_state": None}
    return {"legal": True, "next_state": world.write_state(instance, after)}
