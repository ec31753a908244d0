"""The routes asked about instances: four workers at once, each answer a finding or the reason why there is none.

The table of routes is `cwr_audits.late.ROUTES`: a name, and the engine that its worker loads. No answer is never an
empty answer: a route that is late, killed, crashed or out of memory leaves an Undecided, and one that contradicts
itself a Disagreement. A route that refuses the instance, which was read here, contradicts the reader; but one that
finds something too large has met a limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from cwr_audits.agreement import Difference
from cwr_audits.wire import Finding, Reply, found, read_finding, task
from cwr_audits.workers import Crew
from cwr_solvers.answers import Limits
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided
from cwr_solvers.jsontext import Json

MEGABYTES = 4096
MOST_WORDS = 100_000
MOST_CERTIFIED = 20_000  # words of a complete list in a certificate; Z3 lists about a hundred a second
TOO_LARGE = "too-large"  # the code of what is well-formed and beyond a limit


@dataclass(frozen=True, slots=True)
class Answers:
    """What the routes said on one instance: each route is in exactly one of the three."""

    findings: Mapping[str, Finding]
    undecided: Mapping[str, Undecided]
    contradictions: tuple[Difference, ...]


def limits(seconds: float) -> Limits:
    """The limits of a question to a route: wall seconds, and the most words that it lists for a certificate."""
    return Limits(seconds, MOST_CERTIFIED)


def ask(
    crew: Crew, routes: Sequence[str], family: str, instance: Json, within: Limits, **more: Json
) -> dict[str, Future[Reply]]:
    """Ask every route about an instance; returns at once. `more` are further fields of the task."""
    return {route: crew.ask(route, task(family, instance, within, MEGABYTES, **more)) for route in routes}


def collect(asked: Mapping[str, Future[Reply]]) -> Answers:
    """Wait for the routes."""
    findings: dict[str, Finding] = {}
    undecided: dict[str, Undecided] = {}
    contradictions = []
    for route, future in asked.items():
        try:
            findings[route] = read_finding(route, found(future.result()))
        except Undecided as error:
            undecided[route] = error
        except Disagreement as error:
            contradictions.append(Difference(error.subject, (route,), error.sides))
        except MalformedInput as error:
            if error.code == TOO_LARGE:
                undecided[route] = Undecided("size", str(error))
            else:
                said = {route: str(error), "the reader of instances": "no fault"}
                contradictions.append(Difference("whether this is an instance", (route,), said))
    return Answers(findings, undecided, tuple(contradictions))
