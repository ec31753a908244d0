"""The solution space of an instance: what a set of words amounts to in raw submissions and in classes.

A route answers with words. Here they become submissions again, are partitioned by the declared symmetries, and are
counted: a word stands for as many raw submissions as `namings` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cwr_solvers.errors import MalformedInput
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, parse
from cwr_solvers.symmetry import SolutionClass, classes, text
from cwr_solvers.world import Rules, Submission


@dataclass(frozen=True, slots=True)
class Space:
    """The accepted submissions of an instance. `costs` gives each word's cost, `raw` raw submissions by cost."""

    costs: Mapping[bytes, int]
    raw: Mapping[int, int]
    classes: tuple[SolutionClass, ...]

    @property
    def optimum(self) -> int | None:
        return min(self.costs.values(), default=None)


@dataclass(frozen=True, slots=True)
class Unique:
    """Whether there is exactly one raw solution or one class, at the optimum or within the instance's bound.

    All four are false when there is no solution.
    """

    raw_optimum: bool
    raw_bound: bool
    class_optimum: bool
    class_bound: bool


def space(world: Rules, instance: Any, words: Mapping[bytes, int]) -> Space:
    """The space that the words {canonical JSON: cost} make up.

    Raises MalformedInput when one of them is no submission of the instance, or not in normal form.
    """
    submissions = {word: read_word(world, instance, word) for word in words}
    raw: dict[int, int] = {}
    for word, submission in submissions.items():
        raw[words[word]] = raw.get(words[word], 0) + world.namings(instance, submission)
    return Space(dict(words), dict(sorted(raw.items())), classes(world, instance, submissions.values()))


def read_word(world: Rules, instance: Any, word: bytes) -> Submission[Any]:
    """The submission that a word is; raises MalformedInput when it is none or is written in another way."""
    submission = world.read_submission(instance, parse(word, SUBMISSION_BYTES, SUBMISSION_DEPTH))
    normal = text(world, instance, world.normal(instance, submission))
    if normal != word:
        raise MalformedInput("domain", "", f"the normal form {normal.decode('utf-8')}", word.decode("utf-8"))
    return submission


def cost_of(world: Rules, instance: Any, found: Space, one: SolutionClass) -> int:
    """The cost of a class, which is that of each of its words: exchanging moves changes no cost."""
    return found.costs[text(world, instance, one.representative)]


def unique(world: Rules, instance: Any, found: Space) -> Unique:
    """The four readings of "there is one solution"."""
    best = found.optimum
    optimal = [one for one in found.classes if cost_of(world, instance, found, one) == best]
    return Unique(
        raw_optimum=best is not None and found.raw[best] == 1,
        raw_bound=sum(found.raw.values()) == 1,
        class_optimum=len(optimal) == 1,
        class_bound=len(found.classes) == 1,
    )
