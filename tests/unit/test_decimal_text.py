"""decimal_text: the digits of integers of any size, whatever limit the interpreter was started with."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

from cwr_solvers.jsontext import DIGITS, decimal_text


@pytest.mark.parametrize("digits", [1, 2, DIGITS - 1, DIGITS, DIGITS + 1, 2 * DIGITS, 4299])
def test_it_is_what_str_gives(digits: int) -> None:
    for count in (10**digits - 1, 10**digits, 10**digits + 7, Random(digits).randrange(10**digits)):
        assert decimal_text(count) == str(count)
        assert decimal_text(-count) == str(-count)


def test_it_has_no_limit() -> None:
    assert decimal_text(10**20_000) == "1" + "0" * 20_000
    assert decimal_text(10**20_000 - 1) == "9" * 20_000


def test_the_lowest_limit_that_python_allows_is_no_limit() -> None:
    program = "from cwr_solvers.jsontext import decimal_text; print(decimal_text(10**5000 + 3))"
    command = [sys.executable, "-X", "int_max_str_digits=640", "-c", program]
    ended = subprocess.run(command, capture_output=True, check=True, text=True)
    assert ended.stdout == "1" + "0" * 4999 + "3\n"
