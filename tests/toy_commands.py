"""Commands for tests of the command line: each does one thing that a command may do."""

from __future__ import annotations


def breaks(_json_out: bool) -> int:
    raise ZeroDivisionError("by zero\nand more")
