"""What is asked of a route and what a route answers; the same words for interpreter, CP-SAT, SMT and CNF."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """What an encoding is to describe: the accepted submissions of the instance, of cost at most `most_cost`.

    None stands for the instance's own bound.
    """

    most_cost: int | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """When to give up: wall seconds for a whole question, and how many words to list. Both raise Undecided."""

    seconds: float
    words: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A route's whole answer on one instance.

    optimum   the least cost, found by minimising (not by looking through the words); None: proved that none exists
    words     {canonical JSON of an accepted word (see cwr_solvers.world): its cost}, complete within the bound
    """

    optimum: int | None
    words: Mapping[bytes, int]
