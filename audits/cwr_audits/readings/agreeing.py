"""Do the routes say of every listed word what the graph predicates say? A difference is never averaged away.

Asked are `clauses` for the words that lack a motif, `cpsat` and `smt` for those that lack it and those that have it.
A status is one of
  agrees               the very words of the graph predicate, of all classes
  differs              other words
  not measured         the route has no constraints for this
  undecided (reason)   a limit came first
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass

from cwr_audits.agreement import Difference
from cwr_audits.readings.listing import Listing
from cwr_audits.routes import MEGABYTES
from cwr_audits.subject import Subject
from cwr_audits.wire import Reply, found, task
from cwr_audits.workers import Crew
from cwr_solvers.answers import Limits
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided
from cwr_solvers.jsontext import Json

AGREES, DIFFERS, UNMEASURED = "agrees", "differs", "not measured"
STOPPED = "undecided"
EXAMPLES = 2
LACKING, HAVING = "lacking", "having"

Asked = Mapping[tuple[str, str], Future[Reply]]  # (route, LACKING or HAVING)


@dataclass(frozen=True, slots=True)
class Agreeing:
    """What the routes say of one motif: {route: {LACKING or HAVING: status}}, and every difference."""

    routes: Mapping[str, Mapping[str, str]]
    differences: tuple[Difference, ...]


def ask(crew: Crew, one: Subject, motif: str, listing: Listing, within: Limits) -> Asked:
    """Ask every route about one motif; returns at once."""
    family, source = one.world.family, one.source
    words = sorted(listing.words)
    by_clauses = task(family, source, within, MEGABYTES, ask="words", motif=motif, listed=list(words))
    asked = {("clauses", LACKING): crew.ask("clauses", by_clauses)}
    for route in ("cpsat", "smt"):
        for sense in (LACKING, HAVING):
            named: dict[str, Json] = {LACKING: [], HAVING: [], sense: [motif]}
            asked[route, sense] = crew.ask(route, task(family, source, within, MEGABYTES, **named))
    return asked


def compare(motif: str, listing: Listing, asked: Asked) -> Agreeing:
    """Hold what the routes reply against the listing."""
    routes: dict[str, dict[str, str]] = {}
    differences: list[Difference] = []
    for (route, sense), future in asked.items():
        meant = listing.lacking(motif) if sense == LACKING else listing.having[motif]
        status, difference = _compared(f"motif {motif}: words {sense} it", route, future, meant)
        routes.setdefault(route, {})[sense] = status
        differences += [] if difference is None else [difference]
    return Agreeing(routes, tuple(differences))


def _compared(subject: str, route: str, future: Future[Reply], meant: frozenset[str]) -> tuple[str, Difference | None]:
    try:
        said = frozenset(found(future.result())["listed"])
    except Undecided as error:
        return (UNMEASURED if error.reason == "unsupported" else f"{STOPPED} ({error.reason})"), None
    except Disagreement as error:
        return DIFFERS, Difference(f"{subject}: {error.subject}", (route,), error.sides)
    except MalformedInput as error:
        return DIFFERS, Difference(subject, (route,), {route: str(error), "the reader": "no fault"})
    if said == meant:
        return AGREES, None
    return DIFFERS, Difference(subject, (route,), {route: _said(said, meant), "graph": _said(meant, said)})


def _said(own: frozenset[str], other: frozenset[str]) -> str:
    """A set of words, and what it has and the other has not."""
    more = sorted(own - other)
    shown = f", for example {'; '.join(more[:EXAMPLES])}" if more else ""
    return f"{len(own)} words, {len(more)} of them not said by the other{shown}"


def constancy(where: str, listing: Listing, motif: str) -> tuple[Difference, ...]:
    """The difference that a class with words of two minds is: the motif is no property of classes then."""
    mixed = listing.mixed(motif)
    if not mixed:
        return ()
    having = [word for word in mixed[0].words if word in listing.having[motif]]
    lacking = [word for word in mixed[0].words if word not in listing.having[motif]]
    sides = {"one word of the class": f"yes: {having[0]}", "another word of it": f"no: {lacking[0]}"}
    return (Difference(f"motif {motif} on one class{where}", ("graph",), sides),)
