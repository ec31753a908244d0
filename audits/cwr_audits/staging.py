"""Folders for work in progress, beside what it is to replace: removed at the end, and swept when nobody could do that.

A folder belongs to a live run as long as that run holds a lock on it, which the kernel takes away when the run ends,
however it ends. So a folder that can be locked is an orphan; a young one may be between its making and its locking.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from cwr_solvers.errors import UsageError

PREFIX = ".checking."
YOUNG = 60.0  # seconds


@contextmanager
def staging(out: Path) -> Iterator[Path]:
    """A new folder in `out`, removed at the end. Raises OSError."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=PREFIX, dir=out) as folder, locked(Path(folder)):
        yield Path(folder)


def put_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make `folder` hold exactly these files, by their paths in it: what is staged first takes its place at the end.

    A reader sees the old folder or the new one, or for a moment none; never a mixture. Raises OSError.
    """
    put_checked_folder(folder, files, lambda _old: None)


def put_checked_folder(folder: Path, files: Mapping[str, bytes], check: Callable[[Path], None]) -> None:
    """As `put_folder`, but what stood there, moved aside, is shown to `check` before it goes; where that raises, or
    anything else ends the exchange (an interrupt, too), it comes back."""
    with staging(folder.parent) as made:
        new, old = made / "new", made / "old"
        _fill(new, files)
        there = folder.exists()
        try:
            if there:
                os.replace(folder, old)
            check(old)
            os.replace(new, folder)
        except BaseException:
            if there and old.exists():
                with suppress(OSError):
                    os.replace(old, folder)
            raise


def put_file(name: str, write: Callable[[Path], object]) -> None:
    """Write beside the file and rename, so that it is there whole or not at all; raises UsageError.

    A link stays, and what it leads to is replaced; a device or a pipe is written to and never replaced.
    """
    out = Path(os.path.realpath(name))
    try:
        if os.path.exists(name) and not os.path.isfile(name):
            write(Path(name))  # by this name: where /dev/stdout is a pipe, what it leads to has none
            return
        if not out.parent.is_dir():  # a folder that nobody made is a slip of the pen
            raise NotADirectoryError(errno.ENOENT, "there is no such folder", name)
        with staging(out.parent) as folder:
            write(folder / "new")
            os.replace(folder / "new", out)
    except OSError as error:
        raise UsageError(f"cannot write {name}: {error.strerror or error}") from None


def put_new_folder(folder: Path, files: Mapping[str, bytes], private: Sequence[str] = ()) -> None:
    """As `put_folder`, and on disk before it appears; raises UsageError where the name is taken. The files that are
    named private are never to be read by others, not even for a moment."""
    refuse_taken(folder)
    with staging(folder.parent) as made:
        _fill(made / "new", files)
        for name in private:
            (made / "new" / name).chmod(0o600)
        refuse_taken(folder)
        os.rename(made / "new", folder)


def refuse_taken(folder: Path) -> None:
    """Raise UsageError where something has that name already, a dangling link included."""
    if os.path.lexists(folder):
        raise UsageError(f"{folder} is there already, and is never written over")


def _fill(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.mkdir()
    for name, data in sorted(files.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())


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
            with locked(folder):
                shutil.rmtree(folder)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; raises OSError when another process has it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)
