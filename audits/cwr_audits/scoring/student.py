"""Quantiles and tails of Student's t and of the normal distribution (scipy.special)."""

from __future__ import annotations

from statistics import NormalDist

from scipy.special import stdtr, stdtrit

NORMAL = NormalDist()


def t_quantile(df: float, share: float) -> float:
    """The value that a t with so many degrees of freedom is below with this probability."""
    return float(stdtrit(df, share))


def t_two_sided(df: float, t: float) -> float:
    """The probability that such a t is at least as far from 0."""
    return float(2 * stdtr(df, -abs(t)))
