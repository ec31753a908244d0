"""Do the routes agree? Compared are the optimum, the words, their costs, the raw counts and the classes.

Of a space too large to list the routes say the optimum, and who counts the raw counts; these are compared alone.

Each route is also held against itself: its optimum, found by minimising, against its own words; its raw count, where
it counts, against the sum of namings over its own words. A difference is never averaged away: it names the routes that
stand apart from the largest group of routes of one mind (all routes when no group is largest), and shows what each
side says, with examples and what the interpreter makes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from cwr_audits.spaces import Space, space
from cwr_audits.wire import Finding
from cwr_solvers.errors import Disagreement, MalformedInput
from cwr_solvers.grading import grade
from cwr_solvers.jsontext import decimal_text
from cwr_solvers.world import World

EXAMPLES = 2
RAW = "raw counts by cost"
FEWEST_ROUTES = 2


@dataclass(frozen=True, slots=True)
class Side:
    """What one route said, and the space that its words make up.

    None when they are no words of the instance, of which `flaw` tells, or too many to list.
    """

    finding: Finding
    space: Space | None
    flaw: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One subject on which routes differ: who stands apart, and what each side says."""

    subject: str
    odd: tuple[str, ...]
    sides: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Agreement:
    """The comparison of all routes on one instance. They agree when there are no differences."""

    sides: Mapping[str, Side]
    differences: tuple[Difference, ...]


def compare(world: World, instance: Any, findings: Mapping[str, Finding]) -> Agreement:
    """Compare the findings of at least two routes; raises Disagreement when there are fewer to compare."""
    if len(findings) < FEWEST_ROUTES:
        raise Disagreement("the number of routes", {"agreement": f"{len(findings)} answered, which compares nothing"})
    sides = _sides(world, instance, findings)
    within = [found for route, side in sides.items() for found in _within(route, side)]
    between = [_between(world, instance, sides, subject) for subject in SUBJECTS]
    return Agreement(sides, (*within, *(found for found in between if found is not None)))


def as_error(difference: Difference) -> Disagreement:
    """The error that a difference is."""
    odd = ", ".join(difference.odd)
    return Disagreement(f"{difference.subject} (standing apart: {odd})", dict(difference.sides))


def _sides(world: World, instance: Any, findings: Mapping[str, Finding]) -> dict[str, Side]:
    """The space of each route's own words; routes that said the same words share the computation."""
    known: dict[frozenset[tuple[bytes, int]], tuple[Space | None, str]] = {}
    sides = {}
    for route, finding in findings.items():
        if not finding.listed:
            sides[route] = Side(finding, None, "")
            continue
        said = frozenset(finding.answer.words.items())
        if said not in known:
            known[said] = _space(world, instance, finding)
        sides[route] = Side(finding, *known[said])
    return sides


def _space(world: World, instance: Any, finding: Finding) -> tuple[Space | None, str]:
    try:
        return space(world, instance, finding.answer.words), ""
    except MalformedInput as error:
        return None, str(error)


def _within(route: str, side: Side) -> list[Difference]:
    """What a route says against itself."""
    found: list[Difference] = []
    if not side.finding.listed:
        return found if side.finding.raw is None else _counted_optimum(route, side.finding.raw, side)
    least = min(side.finding.answer.words.values(), default=None)
    if side.finding.answer.optimum != least:
        said = {route: f"optimum {side.finding.answer.optimum}", f"{route}'s own words": f"least cost {least}"}
        found.append(Difference("optimum and words", (route,), said))
    if side.space is None:
        said = {route: "lists it as a word", "the reader of submissions": side.flaw}
        found.append(Difference("words", (route,), said))
        return found
    if side.finding.raw is not None and dict(side.finding.raw) != side.space.raw:
        counted, stand = _counts(side.finding.raw), _counts(side.space.raw)
        said = {route: f"counted {counted}", f"{route}'s own words": f"stand for {stand}"}
        found.append(Difference("raw counts and words", (route,), said))
    return found


def _counted_optimum(route: str, raw: Mapping[int, int], side: Side) -> list[Difference]:
    """A route that counts and does not list: its optimum against the least cost that it counted."""
    least = min(raw, default=None)
    if side.finding.answer.optimum == least:
        return []
    said = {route: f"optimum {side.finding.answer.optimum}", f"{route}'s own counts": f"least cost {least}"}
    return [Difference("optimum and raw counts", (route,), said)]


def _counts(raw: Mapping[int, int]) -> str:
    """Raw counts by cost, of any number of digits."""
    return ", ".join(f"{decimal_text(number)} of cost {cost}" for cost, number in sorted(raw.items())) or "none"


def _optimum(side: Side) -> Hashable:
    return side.finding.answer.optimum


def _words(side: Side) -> Hashable:
    return frozenset(side.finding.answer.words)


def _costs(side: Side) -> Hashable:
    return frozenset(side.finding.answer.words.items())


def _raw(side: Side) -> Hashable:
    raw = side.finding.raw if side.space is None or side.finding.raw is not None else side.space.raw
    return None if raw is None else tuple(sorted(raw.items()))


def _classes(side: Side) -> Hashable:
    return None if side.space is None else tuple((one.representative, one.size) for one in side.space.classes)


SUBJECTS: Mapping[str, Callable[[Side], Hashable]] = {
    "optimum": _optimum,
    "words": _words,
    "costs of words": _costs,
    RAW: _raw,
    "classes": _classes,
}


def _between(world: World, instance: Any, sides: Mapping[str, Side], subject: str) -> Difference | None:
    """The difference between routes on a subject; None when all say the same."""
    groups: dict[Hashable, list[str]] = {}
    for route, side in sides.items():
        if _speaks(side, subject):
            groups.setdefault(SUBJECTS[subject](side), []).append(route)
    if len(groups) <= 1:
        return None
    ordered = sorted(groups.values(), key=lambda routes: (-len(routes), routes))
    majority = len(ordered[0]) > len(ordered[1])
    odd = tuple(route for group in ordered[majority:] for route in group)
    said = {" and ".join(group): _say(world, instance, sides, subject, group, ordered) for group in ordered}
    return Difference(subject, odd, said)


def _speaks(side: Side, subject: str) -> bool:
    """Whether a route said anything on the subject; one that lists says something on each."""
    return side.finding.listed or subject == "optimum" or (subject == RAW and side.finding.raw is not None)


def _say(
    world: World, instance: Any, sides: Mapping[str, Side], subject: str, group: list[str], groups: list[list[str]]
) -> str:
    """What a group of routes says; for sets, what it has and some other group has not."""
    side = sides[group[0]]
    if subject == "optimum":
        return str(side.finding.answer.optimum)
    if subject == RAW:
        raw: Any = _raw(side)
        return "none: a word is no word" if raw is None else _counts(dict(raw))
    if subject == "classes":
        return "none: a word is no word" if side.space is None else f"{len(side.space.classes)} classes"
    own = side.finding.answer.words
    others = [sides[other[0]].finding.answer.words for other in groups if other is not group]
    more = [word for word in sorted(own) if any(other.get(word) != own[word] for other in others)]
    shown = "; ".join(_example(world, instance, word, own[word]) for word in more[:EXAMPLES])
    return f"{len(own)} words, {len(more)} of them not said by another" + (f", for example {shown}" if more else "")


def _example(world: World, instance: Any, word: bytes, cost: int) -> str:
    verdict = grade(world, instance, word)
    rules = f" {'+'.join(verdict.codes)}" if verdict.codes else ""
    return f"{word.decode('utf-8', 'replace')} at cost {cost} (the interpreter: {verdict.status}{rules})"
