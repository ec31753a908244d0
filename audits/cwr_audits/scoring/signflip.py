"""The exact sign-flip test of paired differences: every pattern of signs is counted, none is drawn.

Under the null hypothesis the sign of each unit's difference is as likely plus as minus, whatever its size (arms
exchangeable within the unit). The statistic is the sum of the units; p is the share of the 2^n patterns whose sum is at
least as far from 0 as what was seen. [Fisher 1935, section 21; Pitman 1937]

With units scaled to whole numbers k the patterns are the subsets T of plus signs, their sums 2 k(T) - k(all). Their
numbers by k(T) are the coefficients of the product of (1 + x^k), held as one large integer, x being 2^(n+1): each
coefficient is at most 2^n, so none runs into the next; and the sum of an integer's digits to the base x is its
remainder by x - 1, when that sum is less than x - 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

MOST_BITS = 1 << 27  # of the product: 16 MiB


@dataclass(frozen=True, slots=True)
class SignFlip:
    """p is None where the product would be too large: then it is not known.

    smallest   the least p that so many units can attain: 2/2^n, as all signs alike have a mirror image
    given      the least p that units of these sizes can attain: a unit of 0 has no sign to flip
    """

    units: int
    p: Fraction | None
    smallest: Fraction
    given: Fraction


def sign_flip(units: Sequence[Fraction]) -> SignFlip:
    """The two-sided test of units, of which there must be one."""
    number, zeros = len(units), sum(1 for unit in units if unit == 0)
    smallest = smallest_p(number)
    given = min(Fraction(1), Fraction(2 * 2**zeros, 2**number))
    return SignFlip(number, _p(units), smallest, given)


def smallest_p(units: int) -> Fraction:
    """The least p that so many units can attain."""
    return min(Fraction(1), Fraction(2, 2**units))


def _p(units: Sequence[Fraction]) -> Fraction | None:
    scale = lcm(*(unit.denominator for unit in units))
    whole = [int(unit * scale) for unit in units]
    common = gcd(*whole)
    seen = abs(sum(whole))
    if seen == 0:
        return Fraction(1)
    sizes = sorted(abs(size) // common for size in whole)
    width = len(sizes) + 1
    if (sum(sizes) + 1) * width > MOST_BITS:
        return None
    product = 1
    for size in sizes:
        product += product << (size * width)
    least = (sum(sizes) + seen // common) // 2  # a subset this large or larger is as far from 0 as what was seen
    upper = (product >> (least * width)) % ((1 << width) - 1)
    return Fraction(2 * upper, 1 << len(sizes))
