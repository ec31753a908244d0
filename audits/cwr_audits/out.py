"""What the commands print: JSON to standard output, people's tables elsewhere, and one line on standard error.

Exit codes, the same for every command:
  0    accepted or verified
  1    rejected, also illegal
  2    wrong usage, malformed input, or a file or channel that cannot be read or written
  3    undecided
  4    routes disagree
  70   an internal error: a fault of cwr itself, which says nothing of what was asked
  129  hung up
  130  interrupted
  141  the reader of the output went away
  143  terminated
Where a command is about several things, the worst outcome decides, in the order of WORST: a disagreement or a refused
certificate stays visible whatever else happened. Streams of answers that are graded are the exception: there a line
that was malformed, so not judged by the rules, outweighs one that was rejected (2, 1, 0).

Standard error is for people. When it is closed or full, what was to be said there is lost, and nothing else changes.
One thing is out of reach: where standard input is a folder, Python itself ends with 1 before a line of ours has run.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import TextIO

from cwr_solvers.errors import CwrError, Disagreement, Undecided
from cwr_solvers.jsontext import LARGEST, Json, canonical, decimal_text

ACCEPTED = 0
REJECTED = 1
MALFORMED = 2
UNDECIDED = 3
DISAGREE = 4
INTERNAL = 70
HUNG_UP = 129
INTERRUPTED = 130
UNREAD = 141
TERMINATED = 143

WIDTH = 90  # characters of a line of JSON for people

WORST = (DISAGREE, REJECTED, INTERNAL, MALFORMED, UNDECIDED, ACCEPTED)


def code_of(error: CwrError) -> int:
    """The exit code that an error stands for."""
    if isinstance(error, Disagreement):
        return DISAGREE
    return UNDECIDED if isinstance(error, Undecided) else MALFORMED


def worst(codes: Iterable[int]) -> int:
    """The exit code of several outcomes, of which there must be one; raises ValueError when there is none."""
    return min(codes, key=WORST.index)


def say_error(message: str) -> None:
    """One line on standard error; what is not printable in the message is escaped."""
    write_error(f"cwr: {plain(message)}\n")


def write_error(said: str) -> None:
    """Text on standard error as it is, or nowhere."""
    try:
        sys.stderr.write(said)
        sys.stderr.flush()
    except (OSError, ValueError):  # full, gone, or closed
        give_up(sys.stderr)


def give_up(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere, so that writing it does not fail once more when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, stream.fileno())
    except (OSError, ValueError):  # it has no descriptor, or none any more
        return
    finally:
        os.close(nowhere)


def plain(message: str) -> str:
    """The message on one line, without control characters."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "backslashreplace").decode("ascii")
        for char in message
    )


def say_json(value: Json) -> None:
    """One line of canonical JSON on standard output; file names that are no text have their odd bytes escaped."""
    try:
        line = canonical(value)
    except UnicodeEncodeError:
        line = canonical(_escaped(value))
    sys.stdout.buffer.write(line + b"\n")


def _escaped(value: Json) -> Json:
    if isinstance(value, dict):
        return {text(key): _escaped(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_escaped(item) for item in value]
    return text(value) if isinstance(value, str) else value


def text(name: str) -> str:
    """The text with every surrogate (an odd byte of a file name) spelled as \\udcxx, so that UTF-8 can carry it."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def say_pretty(value: Json) -> None:
    """JSON for people, on standard output."""
    sys.stdout.buffer.write(pretty(_escaped(value)).encode("utf-8") + b"\n")


def pretty(value: Json, indent: int = 0) -> str:
    """JSON for people to read: what fits stands on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(line) + indent <= WIDTH:
        return line
    within = indent + 2
    if isinstance(value, dict):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {pretty(item, within)}" for key, item in value.items()]
    else:
        parts = [pretty(item, within) for item in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return f"{start}\n{' ' * within}" + f",\n{' ' * within}".join(parts) + f"\n{' ' * indent}{end}"


def say(line: str) -> None:
    """A line for people, on standard output."""
    sys.stdout.buffer.write(plain(line).encode("utf-8") + b"\n")


def counted(count: int, one: str, many: str) -> str:
    """A number of things, in words."""
    return f"{count} {one if count == 1 else many}"


def number(value: int) -> Json:
    """An integer, as a decimal string where JSON readers would round it."""
    return value if -LARGEST <= value <= LARGEST else decimal_text(value)
