"""Numbers in documents: JSON here has whole numbers only, so shares are text.

exact     a fraction "p/q" (or a whole number), for what is exact
decimal   six places, for what is rounded or came out of floating point
"""

from __future__ import annotations

import re
from fractions import Fraction

from cwr_solvers.jsontext import Json
from cwr_solvers.reading import as_text, refuse

PLACES = 6
DECIMAL = re.compile(r"-?(0|[1-9][0-9]{0,5})(\.[0-9]{1,12})?")


def exact(value: Fraction | None) -> Json:
    """The fraction as text."""
    return None if value is None else str(value)


def decimal(value: Fraction | float | None, places: int = PLACES) -> Json:
    """The value rounded to so many places, half to even; the exact value is rounded, not a neighbour of it."""
    return None if value is None else decimal_of(value, places)


def decimal_of(value: Fraction | float, places: int = PLACES) -> str:
    """As `decimal`, of a value that is there."""
    whole = round(Fraction(value) * 10**places)
    digits = str(abs(whole)).zfill(places + 1)
    return f"{'-' if whole < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def read_decimal(value: Json, at: str, low: Fraction | int, high: Fraction | int) -> Fraction:
    """A number written as a decimal in a string, from low to high; raises MalformedInput."""
    text = as_text(value, at)
    if not DECIMAL.fullmatch(text):
        refuse("domain", at, 'a decimal in a string, as "0.25"', repr(text[:40]))
    found = Fraction(text)
    if not low <= found <= high:
        refuse("out-of-range", at, f"a number from {low} to {high}", text)
    return found
