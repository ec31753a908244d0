"""Rows of steps and running sums, for the statements whose words are sequences. Trusted; standard library only."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from cwr_certificates.cnf import TRUE, Cnf, exactly_one
from cwr_solvers.reading import refuse

Level = list[tuple[int, int]]  # (value, literal "the sum is at least value"), values rising


class Steps(NamedTuple):
    """A row of steps, counted from 0: `chosen[p][k]`: step p is of kind k; `idle[p]`: there is no step p."""

    chosen: tuple[tuple[int, ...], ...]
    idle: tuple[int, ...]


def step_row(cnf: Cnf, most: int, kinds: int) -> Steps:
    """Post: `most` places for steps, each of exactly one kind or idle; after an idle place only idle ones."""
    chosen = tuple(tuple(cnf.new() for _ in range(kinds)) for _ in range(most))
    idle = tuple(cnf.new() for _ in range(most))
    for kind, none in zip(chosen, idle, strict=True):
        exactly_one(cnf, (none, *kind))
    for none, later in pairwise(idle):
        cnf.add(-none, later)
    return Steps(chosen, idle)


def length_at_most(cnf: Cnf, steps: Steps, most: int) -> None:
    """Post: there are at most `most` steps, that is, place number `most` is idle."""
    if most < 0:
        cnf.add()
    elif most < len(steps.idle):
        cnf.add(steps.idle[most])


def tally(cnf: Cnf, steps: Steps, start: int, gains: Sequence[int]) -> list[Level]:
    """The sum before the first step, and after each: `start`, and gains[k] more for each step of kind k (idle: 0).

    A level lists every value that some row of steps gives, so the sum is among them, however large the numbers are.
    Its literals equal "the sum is at least the value". A clause speaks of all kinds of one gain: it is void when a
    kind of another gain is chosen. From a sum of at least v follows one of at least v + gain, from one of at most v
    follows one of at most v + gain.
    """
    levels: list[Level] = [[(start, TRUE)]]
    for kinds, none in zip(steps.chosen, steps.idle, strict=True):
        choices = [*zip(gains, kinds, strict=True), (0, none)]
        different = sorted({gain for gain, _ in choices})
        now = levels[-1]
        cnf.room(len(now) * len(different))
        values = sorted({value + gain for value, _ in now for gain in different})
        after = [(values[0], TRUE), *((value, cnf.new()) for value in values[1:])]
        for (_, low), (_, high) in pairwise(after):
            cnf.add(-high, low)
        for gain in different:
            others = [literal for other, literal in choices if other != gain]
            for value, held in now:
                cnf.add(*others, -held, reaches(after, value + gain))
                cnf.add(*others, reaches(now, value + 1), -reaches(after, value + gain + 1))
        levels.append(after)
    return levels


def reaches(level: Level, least: int) -> int:
    """The literal "the sum is at least `least`"."""
    place = bisect_left(level, (least,))
    return level[place][1] if place < len(level) else -TRUE


def within(cnf: Cnf, level: Level, least: int, most: int | None) -> None:
    """Post: the sum is at least `least`, and at most `most` unless that is None."""
    cnf.add(reaches(level, least))
    if most is not None:
        cnf.add(-reaches(level, most + 1))


def same_kinds(cnf: Cnf, one: Steps, other: Steps) -> None:
    """Post: of each kind there are as many steps in one row as in the other."""
    for kind in range(len(one.chosen[0]) if one.chosen else 0):
        gains = [1 if kind == k else 0 for k in range(len(one.chosen[0]))]
        first, second = tally(cnf, one, 0, gains)[-1], tally(cnf, other, 0, gains)[-1]
        for value in range(1, max(len(one.idle), len(other.idle)) + 1):
            cnf.add(-reaches(first, value), reaches(second, value))
            cnf.add(-reaches(second, value), reaches(first, value))


def taken(steps: Steps, kinds: Sequence[int], at: str) -> set[int]:
    """The variables that say: step p is of kind kinds[p]. Raises MalformedInput, pointing to `at`, for too many."""
    if len(kinds) > len(steps.idle):
        refuse("out-of-range", at, f"at most {len(steps.idle)} steps", f"{len(kinds)}")
    return {row[kind] for row, kind in zip(steps.chosen, kinds, strict=False)}
