"""Files that people name on the command line: read with a bound, as bytes, with the fault named in one line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.jsontext import Json, parse

STDIN = "-"


@contextmanager
def open_bytes(name: str) -> Iterator[BinaryIO]:
    """The byte stream of a file, or standard input for "-". Raises UsageError when the file cannot be opened."""
    with ExitStack() as stack:
        if name == STDIN:
            if sys.stdin is None:
                raise UsageError("standard input is closed")
            stream: BinaryIO = sys.stdin.buffer
        else:
            try:
                stream = stack.enter_context(open(name, "rb"))
            except OSError as error:
                raise UsageError(f"cannot read {name}: {error.strerror}") from None
        yield stream


def read_bytes(name: str, most: int) -> bytes:
    """The bytes of a file, or of standard input for "-"; at most one more than `most`, so that too much is seen.

    Raises UsageError when the file cannot be read.
    """
    with open_bytes(name) as stream:
        try:
            return stream.read(most + 1)
        except OSError as error:
            raise UsageError(f"cannot read {name}: {error.strerror}") from None


def read_json(name: str, most: int, depth: int) -> Json:
    """The JSON of a file; raises UsageError and MalformedInput."""
    return parse(read_bytes(name, most), most, depth)


@contextmanager
def blaming(name: str) -> Iterator[None]:
    """Say which of several texts on a command line it is that is malformed: the file or option of this name."""
    try:
        yield
    except MalformedInput as error:
        raise UsageError(f"{name}: {error}") from None


def checkout() -> Path:
    """The checkout that this package lies in; the current folder when it is installed elsewhere."""
    root = Path(__file__).resolve().parents[2]
    return root if (root / "pyproject.toml").is_file() else Path.cwd()
