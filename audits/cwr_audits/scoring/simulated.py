"""Simulated experiments. Every one draws new families and new bases, and never draws again from bases that there are.

A base has a rate in each arm (see cwr_audits.scoring.designs for the scale):
  C   baseline + its family's deviation + its own        F   that + effect + the effect's deviations, likewise
A row is accepted when a standard normal variable, correlated with that of other trials and replicas of its base and
arm, falls below the quantile of the rate; so each row has exactly that rate, whatever the correlations.

null    the effect is 0, and which arm is which is tossed for each unit of the plan (a base where families are fixed, a
        family where they are random): so the arms are exchangeable and the truth is 0
truth   random families: the mean of F less C over all families and bases. Fixed: over all bases of the families drawn

The draws of a simulation follow from the seed and its number, not from who computes it or in what order. Rates and rows
have streams of their own: more replicas leave the bases as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import exp, hypot, log, sqrt
from random import Random

from numpy.polynomial.hermite_e import hermegauss

from cwr_audits.scoring.analysis import analyse
from cwr_audits.scoring.cells import Counted, cells
from cwr_audits.scoring.designs import Design, Scale
from cwr_audits.scoring.student import NORMAL
from cwr_solvers.sampling import stream

NODES = 16  # of the quadrature, in each of two directions
LARGEST_LOGIT = 700.0  # exp of more overflows


@dataclass(frozen=True, slots=True)
class Base:
    """A base of an experiment: its rates by arm."""

    family: str
    name: str
    first: float
    second: float


@dataclass(frozen=True, slots=True)
class Result:
    """What the analysis of one experiment said; None where it said nothing. `truth` is what it is held against."""

    rejected: bool | None
    estimate: float | None
    low: float | None
    high: float | None
    truth: float


def simulate(design: Design, number: int, *, null: bool) -> Result:
    """The simulation of that number."""
    design = replace(design, effect=0.0) if null else design
    bases, truth = draw(design, stream("power", design.seed, str(number), "bases"), null=null)
    found = analyse(cells(rows(design, bases, stream("power", design.seed, str(number), "rows"))), design.plan)
    rejected = None if found.decision == "undecided" else found.decision == "rejected"
    low, high = (None, None) if found.interval is None else (found.interval.low, found.interval.high)
    return Result(rejected, None if found.macro is None else float(found.macro), low, high, truth)


def normal(draws: Random) -> float:
    """A standard normal variable, by the inverse of its distribution: random() may be 0, which has none."""
    return NORMAL.inv_cdf(draws.random() or 2.0**-54)


# --- rates


@dataclass(frozen=True, slots=True)
class World:
    """What decides the rates of bases: the scale, the rates without deviation, and how bases deviate."""

    scale: Scale
    baseline: float
    effect: float
    level: float
    gain: float


def world_of(design: Design) -> World:
    """The world of a design, its families apart."""
    base = (design.baseline_spread.base, design.effect_spread.base)
    return World(design.scale, design.baseline, design.effect, *base)


def draw(design: Design, draws: Random, *, null: bool) -> tuple[tuple[Base, ...], float]:
    """New families and bases, and the truth that their experiment is about."""
    found, truths, world = list[Base](), list[float](), world_of(design)
    for place in range(design.families):
        level, gain = design.baseline_spread.family * normal(draws), design.effect_spread.family * normal(draws)
        turned = draws.random() < 0.5
        number = design.bases // design.families + (place < design.bases % design.families)
        for index in range(number):
            base = _base(world, f"f{place:04}", f"b{index:04}", level, gain, draws)
            tossed = turned if design.plan.families == "random" else draws.random() < 0.5
            found.append(_exchanged(base) if null and tossed else base)
        truths.append(0.0 if null or design.plan.families == "random" else mean_gain(world, level, gain))
    if null or design.plan.families == "fixed":
        return tuple(found), sum(truths) / len(truths)
    return tuple(found), truth_of(design)


def _base(world: World, family: str, name: str, level: float, gain: float, draws: Random) -> Base:
    own, more = level + world.level * normal(draws), gain + world.gain * normal(draws)
    return Base(family, f"{family} {name}", *rates(world, own, more))


def _exchanged(base: Base) -> Base:
    return replace(base, first=base.second, second=base.first)


def rates(world: World, level: float, gain: float) -> tuple[float, float]:
    """The rates in F and C of a base with these deviations of baseline and effect."""
    if world.scale == "probability":
        second = _cut(world.baseline + level)
        return _cut(second + world.effect + gain), second
    odds = log(world.baseline / (1 - world.baseline)) + level
    return _expit(odds + world.effect + gain), _expit(odds)


def _cut(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _expit(value: float) -> float:
    return 1 / (1 + exp(-min(max(value, -LARGEST_LOGIT), LARGEST_LOGIT)))


# --- the truth


def truth_of(design: Design) -> float:
    """The mean of F less C over all families and bases: the deviations of both add up."""
    level, gain = (hypot(one.base, one.family) for one in (design.baseline_spread, design.effect_spread))
    return mean_gain(replace(world_of(design), level=level, gain=gain), 0.0, 0.0)


@lru_cache(maxsize=1024)
def mean_gain(world: World, level: float, gain: float) -> float:
    """The mean of F less C over all bases of a family with these deviations, by Gauss and Hermite's quadrature."""
    total = 0.0
    for along, weight in _nodes(spread=world.level > 0):
        for across, other in _nodes(spread=world.gain > 0):
            first, second = rates(world, level + world.level * along, gain + world.gain * across)
            total += weight * other * (first - second)
    return total


@cache
def _nodes(*, spread: bool) -> Sequence[tuple[float, float]]:
    if not spread:
        return ((0.0, 1.0),)
    places, weights = hermegauss(NODES)
    whole = float(weights.sum())
    return tuple((float(place), float(weight) / whole) for place, weight in zip(places, weights, strict=True))


# --- rows


def rows(design: Design, bases: Sequence[Base], draws: Random) -> Iterator[Counted]:
    """What is counted of every row of the experiment."""
    for base in bases:
        for arm, rate in (("F", base.first), ("C", base.second)):
            yield from _rows(design, base, arm, rate, draws)


def _rows(design: Design, base: Base, arm: str, rate: float, draws: Random) -> Iterator[Counted]:
    most = float("-inf") if rate == 0 else float("inf") if rate == 1 else NORMAL.inv_cdf(rate)
    shared = sqrt(design.replica_correlation)
    own, rest = sqrt(design.trial_correlation - design.replica_correlation), sqrt(1 - design.trial_correlation)
    of_base = shared * normal(draws) if shared else 0.0
    for _ in range(design.replicas):
        of_replica = of_base + (own * normal(draws) if own else 0.0)
        for _ in range(design.trials):
            accepted = of_replica + rest * normal(draws) < most
            gone, open_ = draws.random() < design.attrition[arm], draws.random() < design.undecided[arm]
            outcome = None if gone else "undecided" if open_ else "accepted" if accepted else "rejected"
            yield Counted(base.family, base.name, arm, outcome)  # type: ignore[arg-type]
