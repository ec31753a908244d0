"""Folders that appear whole or not at all, and are never written over."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from cwr_solvers.errors import UsageError


def refuse_taken(folder: Path) -> None:
    """Raise UsageError where something has that name already, a dangling link included."""
    if os.path.lexists(folder):
        raise UsageError(f"{folder} is there already, and is never written over")


def write_new(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make a folder of these files, by their paths in it. What is written beside it takes its name at the end.

    A process that is killed meanwhile leaves a folder whose name begins with a dot, and never `folder`. Raises
    UsageError where the name is taken, OSError.
    """
    refuse_taken(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as made:
        new = Path(made, "new")
        for name, data in sorted(files.items()):
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        refuse_taken(folder)
        os.rename(new, folder)
