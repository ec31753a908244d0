"""What the routes say of a puzzle, held against each other and against what was planted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from cwr_audits.agreement import FEWEST_ROUTES, Difference, as_error, compare
from cwr_audits.ledger import record
from cwr_audits.routes import Answers, collect
from cwr_audits.scenes.cyclic_order.auditing.asking import Sides
from cwr_audits.scenes.cyclic_order.auditing.outcome import DISAGREE, REJECTED, UNDECIDED, Fault
from cwr_audits.scenes.cyclic_order.certifying import OPEN, VISIBLE
from cwr_audits.wire import Reply
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.worlds.co.world import WORLD

INTERPRETER = "interpreter"


@dataclass(frozen=True, slots=True)
class Compared:
    """A puzzle by every route.

    sole      the routes by which the planted option is the only submission that is accepted
    agreed    whether all routes answered on both instances, and all said the same
    repairs   how many swaps of all pairs repair it, where the routes agree
    """

    sole: frozenset[str]
    agreed: bool
    repairs: int | None
    faults: tuple[Fault, ...]


def compared(index: int, instances: Mapping[str, Json], label: str, told: Mapping[str, Sides]) -> Compared:
    """Compare the routes on both instances of the puzzle whose planted option has this label."""
    answers = {side: collect({route: _done(sides, side) for route, sides in told.items()}) for side in instances}
    faults = [fault for side, found in answers.items() for fault in _faults(index, side, instances[side], found)]
    agreed = not faults
    words = {route: frozenset(finding.answer.words) for route, finding in answers[VISIBLE].findings.items()}
    due = frozenset({canonical({"cards": [label]})})
    sole = frozenset(route for route, found in words.items() if found == due)
    for route in sorted(set(words) - sole):
        accepted = ", ".join(sorted(word.decode("utf-8") for word in words[route])) or "nothing"
        text = f"not just the planted option {label} repairs: {route} accepts {accepted}"
        faults.append(Fault(REJECTED, index, text))
    whole = answers[OPEN].findings.get(INTERPRETER)
    repairs = len(whole.answer.words) if agreed and whole is not None else None
    return Compared(sole, agreed, repairs, tuple(faults))


def _done(sides: Any, side: str) -> Future[Reply]:
    """The reply on one side; one to a whole chunk is the same for both."""
    future: Future[Reply] = Future()
    future.set_result(sides.get(side, sides))
    return future


def _faults(index: int, side: str, instance: Json, found: Answers) -> Iterator[Fault]:
    for route, why in found.undecided.items():
        yield Fault(UNDECIDED, index, f"{side} instance, {route}: {why}")
    yield from (_differing(index, side, instance, one) for one in found.contradictions)
    if len(found.findings) < FEWEST_ROUTES:
        return
    differences = compare(WORLD, WORLD.read_instance(instance), found.findings).differences
    yield from (_differing(index, side, instance, one) for one in differences)


def _differing(index: int, side: str, instance: Json, difference: Difference) -> Fault:
    return Fault(DISAGREE, index, f"{side} instance: {as_error(difference)}", record(instance, difference))
