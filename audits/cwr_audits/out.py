"""What the commands print: JSON to standard output, people's tables elsewhere, and one line on standard error.

Exit codes, the same for every command:
  0    accepted or verified
  1    rejected, also illegal
  2    wrong usage or malformed input
  3    undecided
  4    routes disagree
  130  interrupted
  141  the reader of the output went away
"""

from __future__ import annotations

import json
import sys

from cwr_solvers.errors import CwrError, Disagreement, Undecided
from cwr_solvers.jsontext import LARGEST, Json, canonical

ACCEPTED = 0
REJECTED = 1
MALFORMED = 2
UNDECIDED = 3
DISAGREE = 4
INTERRUPTED = 130
UNREAD = 141


def code_of(error: CwrError) -> int:
    """The exit code that an error stands for."""
    if isinstance(error, Disagreement):
        return DISAGREE
    return UNDECIDED if isinstance(error, Undecided) else MALFORMED


def say_error(message: str) -> None:
    """One line on standard error; what is not printable in the message is escaped."""
    sys.stderr.write(f"cwr: {plain(message)}\n")


def plain(message: str) -> str:
    """The message on one line, without control characters."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "backslashreplace").decode("ascii")
        for char in message
    )


def say_json(value: Json) -> None:
    """One line of canonical JSON on standard output."""
    sys.stdout.buffer.write(canonical(value) + b"\n")


def say_pretty(value: Json) -> None:
    """JSON for people, on standard output."""
    sys.stdout.buffer.write(json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8") + b"\n")


def say(line: str) -> None:
    """A line for people, on standard output."""
    sys.stdout.buffer.write(plain(line).encode("utf-8") + b"\n")


def number(value: int) -> Json:
    """An integer, as a decimal string where JSON readers would round it."""
    return value if -LARGEST <= value <= LARGEST else str(value)
