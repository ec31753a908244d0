"""Folders for work in progress, beside what it is to replace: removed at the end, and swept when nobody could do that.

A folder belongs to a live run as long as that run holds a lock on it, which the kernel takes away when the run ends,
however it ends. So a folder that can be locked is an orphan; a young one may be between its making and its locking.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cwr_solvers.errors import UsageError

PREFIX = ".checking."
YOUNG = 60.0  # seconds


@contextmanager
def staging(out: Path) -> Iterator[Path]:
    """A new folder in `out`, removed at the end. Raises OSError."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=PREFIX, dir=out) as folder, _locked(Path(folder)):
        yield Path(folder)


def ready(out: Path) -> None:
    """Make `out`, see that something can be put into it, and sweep it; raises UsageError when it is unfit."""
    try:
        sweep(out)
        with staging(out):
            pass
    except OSError as error:
        raise UsageError(f"cannot write into the folder {out}: {error.strerror}") from None


def sweep(out: Path) -> None:
    """Remove what runs that were killed have left in `out`."""
    for folder in sorted(out.glob(f"{PREFIX}*")):
        with suppress(OSError):  # gone meanwhile, held by a live run, or of somebody else: not ours to remove
            if folder.is_symlink() or time.time() - folder.stat().st_mtime < YOUNG:
                continue
            with _locked(folder):
                shutil.rmtree(folder)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; raises OSError when another process has it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)
