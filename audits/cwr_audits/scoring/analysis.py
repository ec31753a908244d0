"""The analysis: from cells to differences, their macro average, an interval and a test. `cwr score` and `cwr power`
call this one function; docs/scoring.md has the formulas and their sources.

difference   of a base: the F cell's rate of accepted among decided rows, less the C cell's; exact
family mean  the mean of its bases' differences, each base the same weight
macro        the mean of family means, each family the same weight
fixed        the families are those there are: bases are drawn anew within each. Variance within families (stratified);
             where a family has one base, all families are taken as one stratum (collapsed), which errs to the wide side
random       the families are drawn too: the unit is the family
An interval or a test that cannot be had is None, with the reason; it is no rejection and no acceptance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Literal

from cwr_audits.scoring.cells import Cell
from cwr_audits.scoring.signflip import SignFlip, sign_flip
from cwr_audits.scoring.student import t_quantile, t_two_sided

Families = Literal["fixed", "random"]
Test = Literal["sign-flip", "t"]
Missing = Literal["drop", "bounds"]
Method = Literal["stratified", "collapsed", "family means"]
Decision = Literal["rejected", "not rejected", "undecided"]

KINDS: tuple[Families, ...] = ("fixed", "random")
TESTS: tuple[Test, ...] = ("sign-flip", "t")
POLICIES: tuple[Missing, ...] = ("drop", "bounds")
FIRST, SECOND = "F", "C"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be decided before a run is seen."""

    alpha: Fraction
    families: Families
    test: Test
    missing: Missing


@dataclass(frozen=True, slots=True)
class Pair:
    """The difference of one base."""

    family: str
    base: str
    difference: Fraction


@dataclass(frozen=True, slots=True)
class Dropped:
    """A base without a difference, and why."""

    family: str
    base: str
    reason: str


@dataclass(frozen=True, slots=True)
class Spread:
    """The variance of the macro difference, exact, and its degrees of freedom."""

    method: Method
    variance: Fraction
    df: Fraction


@dataclass(frozen=True, slots=True)
class Interval:
    """A t interval at confidence 1 - alpha. `p` is that of the t test."""

    method: Method
    low: float
    high: float
    se: float
    df: float
    p: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """What cells say under a plan. `macro`, `interval` and `flips` are None where there is nothing to tell them by;
    `reason` says why there is no interval."""

    pairs: tuple[Pair, ...]
    dropped: tuple[Dropped, ...]
    means: Mapping[str, Fraction]
    macro: Fraction | None
    interval: Interval | None
    reason: str | None
    flips: SignFlip | None
    decision: Decision


def analyse(cells: Sequence[Cell], plan: Plan) -> Analysis:
    """The analysis of the cells of a run."""
    pairs, dropped = paired(cells)
    if not pairs:
        return Analysis((), dropped, {}, None, None, "no base has a decided row in both arms", None, "undecided")
    means = family_means(pairs)
    macro = mean(list(means.values()))
    found = spread(pairs, means, plan.families)
    interval = _interval(macro, found, plan.alpha) if isinstance(found, Spread) else None
    flips = sign_flip(units(pairs, means, plan.families))
    p = flips.p if plan.test == "sign-flip" else None if interval is None else Fraction(interval.p)
    reason = found if isinstance(found, str) else None
    return Analysis(pairs, dropped, means, macro, interval, reason, flips, _decision(p, plan.alpha))


def _decision(p: Fraction | None, alpha: Fraction) -> Decision:
    if p is None:
        return "undecided"
    return "rejected" if p <= alpha else "not rejected"


def paired(cells: Sequence[Cell]) -> tuple[tuple[Pair, ...], tuple[Dropped, ...]]:
    """The bases that have a rate in both arms, and those that have not."""
    by_base: dict[tuple[str, str], dict[str, Cell]] = {}
    for cell in cells:
        by_base.setdefault((cell.family, cell.base), {})[cell.arm] = cell
    pairs, dropped = [], []
    for (family, base), arms in sorted(by_base.items()):
        rates = {arm: arms[arm].rate if arm in arms else None for arm in (FIRST, SECOND)}
        first, second = rates[FIRST], rates[SECOND]
        if first is None or second is None:
            lacking = " and ".join(arm for arm in (FIRST, SECOND) if rates[arm] is None)
            dropped.append(Dropped(family, base, f"no decided row of {lacking}"))
        else:
            pairs.append(Pair(family, base, first - second))
    return tuple(pairs), tuple(dropped)


def family_means(pairs: Sequence[Pair]) -> dict[str, Fraction]:
    """The mean difference of each family."""
    return {family: mean(found) for family, found in _by_family(pairs).items()}


def _by_family(pairs: Sequence[Pair]) -> dict[str, list[Fraction]]:
    found: dict[str, list[Fraction]] = {}
    for pair in pairs:
        found.setdefault(pair.family, []).append(pair.difference)
    return found


def mean(values: Sequence[Fraction]) -> Fraction:
    """The mean of at least one value."""
    return sum(values, Fraction(0)) / len(values)


def _variance(values: Sequence[Fraction]) -> Fraction:
    """Of at least two values; the divisor is their number less one."""
    middle = mean(values)
    return sum(((value - middle) ** 2 for value in values), Fraction(0)) / (len(values) - 1)


def units(pairs: Sequence[Pair], means: Mapping[str, Fraction], families: Families) -> list[Fraction]:
    """What may have its sign flipped; the units add up to the macro difference."""
    if families == "random":
        return [one / len(means) for one in means.values()]
    sizes = {family: len(found) for family, found in _by_family(pairs).items()}
    return [pair.difference / (len(sizes) * sizes[pair.family]) for pair in pairs]


# --- intervals


def spread(pairs: Sequence[Pair], means: Mapping[str, Fraction], families: Families) -> Spread | str:
    """The variance of the macro difference; why there is none, otherwise."""
    found = _families(means) if families == "random" else _bases(pairs, means)
    if found is None:
        return "one family" if families == "random" else "one base"
    return found if found.variance else "no spread"


def _families(means: Mapping[str, Fraction]) -> Spread | None:
    number = len(means)
    if number < 2:
        return None
    return Spread("family means", _variance(list(means.values())) / number, Fraction(number - 1))


def _bases(pairs: Sequence[Pair], means: Mapping[str, Fraction]) -> Spread | None:
    groups = list(_by_family(pairs).values())
    if all(len(group) > 1 for group in groups):
        return _stratified(groups)
    return _collapsed(pairs, means)


def _stratified(groups: Sequence[Sequence[Fraction]]) -> Spread:
    """Variances within families; degrees of freedom by Welch and Satterthwaite."""
    parts = [(_variance(group) / len(group), len(group) - 1) for group in groups]
    total = sum((part for part, _ in parts), Fraction(0))
    below = sum((part**2 / df for part, df in parts), Fraction(0))
    df = total**2 / below if below else Fraction(sum(df for _, df in parts))
    return Spread("stratified", total / len(groups) ** 2, df)


def _collapsed(pairs: Sequence[Pair], means: Mapping[str, Fraction]) -> Spread | None:
    """All bases one stratum, clusters of their rows, with the weights of the macro average."""
    number = len(pairs)
    if number < 2:
        return None
    sizes = {family: len(found) for family, found in _by_family(pairs).items()}
    middle = mean(list(means.values()))
    squares = [((one.difference - middle) / (len(means) * sizes[one.family])) ** 2 for one in pairs]
    return Spread("collapsed", sum(squares, Fraction(0)) * number / (number - 1), Fraction(number - 1))


def _interval(macro: Fraction, found: Spread, alpha: Fraction) -> Interval:
    se, df = sqrt(found.variance), float(found.df)
    half = t_quantile(df, 1 - float(alpha) / 2) * se
    middle = float(macro)
    return Interval(found.method, middle - half, middle + half, se, df, t_two_sided(df, middle / se))
