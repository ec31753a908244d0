"""What is asked around a design: its summary with the effect and without, the smallest number of bases for a power, and
power by replicas.

smallest   numbers of bases are tried as multiples of the families, doubled until one reaches the target, then halved in
           between. That takes power to rise with bases; every number that was tried is shown with its Monte Carlo
           error, and `settled` says whether the two numbers at the edge are two errors away from the target
plateau    the least number of replicas whose power is within the tolerance of that of the largest tried; where that is
           the largest itself, no plateau was seen
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cwr_audits.scoring.designs import Asked
from cwr_audits.scoring.experiments import Ask, Journal, Point, results
from cwr_audits.scoring.summaries import Measured, Summary, summary


@dataclass(frozen=True, slots=True)
class Smallest:
    """The smallest number of bases that reaches the target; None: none up to the limit did."""

    bases: int | None
    tried: Mapping[int, Measured]
    settled: bool


@dataclass(frozen=True, slots=True)
class Plateau:
    """Power by replicas; `replicas` None: it still rose at the largest number."""

    replicas: int | None
    tried: Mapping[int, Measured]


@dataclass(frozen=True, slots=True)
class Findings:
    """All that is found about a design."""

    effect: Summary
    null: Summary
    smallest: Smallest
    plateau: Plateau


def findings(asked: Asked, ask: Ask, journal: Journal, tell: Callable[[str], None]) -> Findings:
    """The findings about what is asked."""

    def summed(bases: int, replicas: int, *, null: bool = False) -> Summary:
        return summary(results(asked, Point(bases, replicas, null), ask, journal, tell))

    design = asked.design
    return Findings(
        effect=summed(design.bases, design.replicas),
        null=summed(design.bases, design.replicas, null=True),
        smallest=smallest(asked, lambda bases: summed(bases, design.replicas).power),
        plateau=plateau(asked, lambda replicas: summed(design.bases, replicas).power),
    )


def smallest(asked: Asked, power: Callable[[int], Measured]) -> Smallest:
    """The search for a number of bases."""
    families, target = asked.design.families, float(asked.target)
    tried: dict[int, Measured] = {}

    def reaches(times: int) -> bool:
        bases = families * times
        tried[bases] = power(bases)
        return tried[bases].value >= target

    most = asked.most_bases // families
    below, above = 0, 1
    while above <= most and not reaches(above):
        below, above = above, above * 2 if above == most or above * 2 <= most else most
    if above > most:
        return Smallest(None, dict(sorted(tried.items())), _settled(tried.get(families * below), target))
    while above - below > 1:
        middle = (above + below) // 2
        below, above = (below, middle) if reaches(middle) else (middle, above)
    edges = (tried.get(families * below), tried[families * above])
    settled = all(_settled(one, target) for one in edges)
    return Smallest(families * above, dict(sorted(tried.items())), settled)


def _settled(one: Measured | None, target: float) -> bool:
    return one is None or abs(one.value - target) > 2 * one.error


def plateau(asked: Asked, power: Callable[[int], Measured]) -> Plateau:
    """Power at every number of replicas of the ladder."""
    tried = {replicas: power(replicas) for replicas in asked.ladder}
    last = asked.ladder[-1]
    enough = tried[last].value - float(asked.tolerance)
    first = next(replicas for replicas in asked.ladder if tried[replicas].value >= enough)
    return Plateau(None if first == last else first, tried)
