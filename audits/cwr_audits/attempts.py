"""Attempts: work whose failure, whatever it is, must not end what goes on around it.

The one place of the product that catches every exception. Each use says what becomes of it: the command line turns it
into a line and an exit code, `certify` into the failure of one world. A failure is never an answer.
"""

from __future__ import annotations

import errno
import os
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from cwr_audits.out import INTERNAL, MALFORMED, UNDECIDED, UNREAD, code_of, write_error
from cwr_solvers.errors import CwrError

T = TypeVar("T")

TRACEBACK = "CWR_TRACEBACK"  # an environment variable: when it is set, internal errors show where they arose


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """The value of work that ended as it should."""

    value: T


@dataclass(frozen=True, slots=True)
class Failed:
    """Work that ended by an exception: what to say of it in one line, and the exit code that it stands for."""

    error: Exception
    text: str
    code: int


def attempt(work: Callable[[], T]) -> Done[T] | Failed:
    """Do the work. Only what asks the whole process to end (an interrupt, SystemExit) is let through."""
    try:
        return Done(work())
    except Exception as error:  # noqa: BLE001 - the one place, see above
        return failed(error)


def failed(error: Exception) -> Failed:
    """What an exception amounts to. One that no person can cause by input is a fault of cwr, and says so."""
    if isinstance(error, CwrError):
        return Failed(error, str(error), code_of(error))
    if isinstance(error, OSError):
        code = UNREAD if error.errno == errno.EPIPE else MALFORMED
        return Failed(error, f"{_name(error.filename)}: {error.strerror or error}", code)
    if isinstance(error, MemoryError):
        return Failed(error, "undecided (memory): there is not enough memory", UNDECIDED)
    if os.environ.get(TRACEBACK):
        write_error("".join(traceback.format_exception(error)))
    text = f"internal error: {type(error).__name__}: {error}; please report it ({TRACEBACK}=1 shows where it arose)"
    return Failed(error, text, INTERNAL)


def _name(name: object) -> str:
    return os.fsdecode(name) if isinstance(name, str | bytes) and name else "input or output"
