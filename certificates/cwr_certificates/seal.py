"""Sealing a certificate and putting it on disk. Untrusted: the checker works the seal out itself."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from cwr_certificates.check import seal
from cwr_solvers.jsontext import Json, canonical

DOCUMENT = "certificate.json"


def sealed(document: Mapping[str, Json]) -> bytes:
    """The canonical text of a document, with its seal (made anew)."""
    return canonical({**document, "seal": seal(document)})


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make `folder` hold exactly these files: what is written beside it first takes its place at the end.

    A reader sees the old folder or the new one, or for a moment none; never a mixture. Raises OSError.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as made:
        new, old = Path(made, "new"), Path(made, "old")
        new.mkdir()
        for name, data in files.items():
            write_file(new / name, data)
        if folder.exists():
            os.replace(folder, old)
        try:
            os.replace(new, folder)
        except OSError:
            if old.exists():
                os.replace(old, folder)
            raise
        shutil.rmtree(old, ignore_errors=True)


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
