"""Solution classes: the closure of the declared symmetry generators, written once for all worlds.

Generators: choosing names canonically (`world.normal`), and, where `world.commutes`, exchanging two adjacent moves
that commute (both orders legal, same state after), and what the world itself declares (`world.exchanges`). Two words
are in one class when a chain of such exchanges leads from one to the other. A class is written as its least word, by
canonical JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from cwr_solvers.jsontext import canonical
from cwr_solvers.world import Broken, Rules, Submission


@dataclass(frozen=True, slots=True)
class SolutionClass:
    """One class: its least word, its words (normal forms, sorted) and its size in raw submissions."""

    representative: Submission[Any]
    members: tuple[Submission[Any], ...]
    size: int


def text(world: Rules, instance: Any, submission: Submission[Any]) -> bytes:
    """The canonical JSON of a submission: what routes exchange, compare and sort by."""
    return canonical(world.write_submission(instance, submission))


def neighbours(world: Rules, instance: Any, submission: Submission[Any]) -> Iterator[Submission[Any]]:
    """The words one exchange away from a legal word."""
    yield from world.exchanges(instance, submission)
    if world.commutes:
        yield from _swapped(world, instance, submission)


def _swapped(world: Rules, instance: Any, submission: Submission[Any]) -> Iterator[Submission[Any]]:
    state = world.initial(instance)
    moves = submission.moves
    for i in range(len(moves) - 1):
        first, second = moves[i], moves[i + 1]
        if first != second and _commute(world, instance, state, first, second):
            swapped = (*moves[:i], second, first, *moves[i + 2 :])
            yield world.normal(instance, Submission(swapped, submission.choice))
        state = world.step(instance, state, first)
        if isinstance(state, Broken):
            return


def _commute(world: Rules, instance: Any, state: Any, first: Any, second: Any) -> bool:
    ends = []
    for one, two in ((first, second), (second, first)):
        middle = world.step(instance, state, one)
        end = middle if isinstance(middle, Broken) else world.step(instance, middle, two)
        if isinstance(end, Broken):
            return False
        ends.append(end)
    return bool(ends[0] == ends[1])


def class_of(world: Rules, instance: Any, submission: Submission[Any]) -> SolutionClass:
    """The class of a legal submission, found by closure from it."""
    start = world.normal(instance, submission)
    seen = {start}
    frontier = [start]
    while frontier:
        for word in neighbours(world, instance, frontier.pop()):
            if word not in seen:
                seen.add(word)
                frontier.append(word)
    return _class(world, instance, seen)


def classes(world: Rules, instance: Any, words: Iterable[Submission[Any]]) -> tuple[SolutionClass, ...]:
    """The partition of a set of words: exchanges that leave the set do not count. Sorted by representative."""
    left = set(words)
    found = []
    while left:
        seen = {left.pop()}
        frontier = list(seen)
        while frontier:
            for word in neighbours(world, instance, frontier.pop()):
                if word in left:
                    left.remove(word)
                    seen.add(word)
                    frontier.append(word)
        found.append(_class(world, instance, seen))
    return tuple(sorted(found, key=lambda one: text(world, instance, one.representative)))


def _class(world: Rules, instance: Any, members: set[Submission[Any]]) -> SolutionClass:
    ordered = tuple(sorted(members, key=lambda word: text(world, instance, word)))
    return SolutionClass(ordered[0], ordered, sum(world.namings(instance, word) for word in ordered))
