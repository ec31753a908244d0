"""Instances attacked: does each rule bite alone? For each rule of a showcase one of these is shown.

alone      a submission whose only fault is the rule; it is graded as text before it is shown
move       none was found, but a probe of the fixtures: a single move in some state, whose only fault is the rule
inert      none, and none exists: no move in any reachable state breaks only that rule; what was exhausted is said.
           Where submissions are finitely many, these are exhausted instead of moves
not found  none of these: the search was cut before it could tell

Whether submissions never break a rule alone (inert) or were only searched in vain is said of `move` as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cwr_audits.attacks.reach import Reach, codes, reach, rules_of, submission, whole
from cwr_audits.attacks.rows import Row
from cwr_audits.attacks.vocabulary import VOCABULARIES
from cwr_solvers.grading import grade
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.world import Submission, World

PART = "vitality"
MOST_TRIED = 400_000
Rules = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """For each set of rules that a submission breaks at once, the first one; whether all were seen, and which."""

    first: Mapping[Rules, Json]
    complete: bool
    words: str


def vitality(world: World, instance: Any, probes: Sequence[Any], most: int = MOST_TRIED) -> Iterator[Row]:
    """A row for each rule of the world. Raises ValueError where a submission is not graded as it was found."""
    found = search(world, instance, most)
    for rule in world.rules:
        yield _row(world, instance, rule, found, probes)


def search(world: World, instance: Any, most: int) -> Found:
    """What submissions break, by running through all of them, or all moves in all reachable states."""
    if VOCABULARIES[world.family].whole is None:
        return _through_moves(world, instance, reach(world, instance, most, VOCABULARIES[world.family].sight))
    first: dict[Rules, Json] = {}
    listed, number = whole(world, instance), 0
    for value in listed or ():
        number += 1
        first.setdefault(codes(world, instance, value)[1], value)
    return Found(
        first, listed is not None, f"{number} submissions, all there are" if number else "too many submissions"
    )


def _through_moves(world: World, instance: Any, reached: Reach) -> Found:
    first: dict[Rules, Json] = {}
    for tried in reached.tried:
        rules = rules_of(tried.after)
        if rules not in first:
            first[rules] = submission(world, instance, (*tried.visit.path, tried.move))
    for visit in reached.visits:
        end = world.terminal(instance, visit.state)
        for choice in world.choices(instance, visit.state):
            rules = tuple(sorted({fault.rule for fault in world.unmet(instance, end, choice)}))
            if rules and rules not in first:
                first[rules] = world.write_submission(instance, Submission(visit.path, choice))
    return Found(first, reached.complete, reached.words)


def _row(world: World, instance: Any, rule: str, found: Found, probes: Sequence[Any]) -> Row:
    if (rule,) in found.first:
        return Row(PART, rule, "alone", _shown(world, instance, rule, found.first[rule,]))
    beside = sorted({"+".join(rules) for rules in found.first if rule in rules})
    others = f"; with others: {', '.join(beside)}" if beside else ""
    none = f"no submission: {found.words}" if found.complete else f"not found in submissions ({found.words})"
    moves = [probe["name"] for probe in probes if probe["kind"] == "step" and probe["rules"] == [rule]]
    if moves:
        return Row(PART, rule, "move", f"probe {moves[0]}; {none}{others}")
    return Row(PART, rule, "inert" if found.complete else "not found", f"{none}{others}")


def _shown(world: World, instance: Any, rule: str, value: Json) -> str:
    """The submission, once it is graded as it should be."""
    verdict = grade(world, instance, canonical(value))
    status = "illegal" if verdict.step is not None else "rejected"
    if verdict.status != status or verdict.codes != (rule,):
        raise ValueError(f"found alone for {rule}, graded {verdict.status} {verdict.codes}")
    return f"{verdict.status} {canonical(value).decode('utf-8')}"
