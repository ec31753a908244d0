"""What many simulations say together. Sums are taken in the order of their numbers, so nothing depends on who ran them.

power      share of simulations that reject; where the test was undecided it did not, and `undecided` says how often
coverage   share of intervals that hold the truth, of those that there are
bias       mean of estimate less truth
sign       share of rejections whose estimate has the wrong sign (type S), where the truth is not 0
exaggeration   mean size of the estimates that rejected, as a multiple of the truth's (type M)
A Monte Carlo error is the standard error that comes of having drawn only so many simulations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from cwr_audits.scoring.numbers import decimal
from cwr_audits.scoring.simulated import Result
from cwr_solvers.jsontext import Json


@dataclass(frozen=True, slots=True)
class Measured:
    """A value and its Monte Carlo error."""

    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Summary:
    """See the top of this file; None where nothing was there to measure."""

    simulations: int
    undecided: int
    intervals: int
    rejections: int
    truth: float
    power: Measured
    coverage: Measured | None
    width: Measured | None
    bias: Measured | None
    sign: Measured | None
    exaggeration: Measured | None


def summary(found: Sequence[Result]) -> Summary:
    """The summary of at least one simulation."""
    rejecting = [one for one in found if one.rejected is True]
    between = [(one.low, one.high, one.truth) for one in found if one.low is not None and one.high is not None]
    truth = fsum(one.truth for one in found) / len(found)
    errors = [one.estimate - one.truth for one in found if one.estimate is not None]
    telling = [(one.estimate, one.truth) for one in rejecting if one.estimate is not None and one.truth != 0]
    return Summary(
        simulations=len(found),
        undecided=sum(1 for one in found if one.rejected is None),
        intervals=len(between),
        rejections=len(rejecting),
        truth=truth,
        power=_required_share(len(rejecting), len(found)),
        coverage=_share(sum(1 for low, high, true in between if low <= true <= high), len(between)),
        width=_mean([high - low for low, high, _ in between]),
        bias=_mean(errors),
        sign=_share(sum(1 for estimate, true in telling if estimate * true < 0), len(telling)),
        exaggeration=_mean([abs(estimate / true) for estimate, true in telling]),
    )


def _required_share(part: int, whole: int) -> Measured:
    value = part / whole
    return Measured(value, sqrt(value * (1 - value) / whole))


def _share(part: int, whole: int) -> Measured | None:
    return _required_share(part, whole) if whole else None


def _mean(values: Sequence[float]) -> Measured | None:
    if not values:
        return None
    middle = fsum(values) / len(values)
    if len(values) == 1:
        return Measured(middle, float("inf"))
    variance = fsum((value - middle) ** 2 for value in values) / (len(values) - 1)
    return Measured(middle, sqrt(variance / len(values)))


def summary_json(one: Summary) -> dict[str, Json]:
    """The JSON of a summary."""
    counts: dict[str, Json] = {
        name: getattr(one, name) for name in ("simulations", "undecided", "intervals", "rejections")
    }
    measured = {
        name: measured_json(getattr(one, name))
        for name in ("power", "coverage", "width", "bias", "sign", "exaggeration")
    }
    return {**counts, "truth": decimal(one.truth), **measured}


def measured_json(one: Measured | None) -> Json:
    """A value and its error; an error that one draw alone cannot tell is null."""
    if one is None:
        return None
    return {"value": decimal(one.value), "error": None if one.error == float("inf") else decimal(one.error)}
