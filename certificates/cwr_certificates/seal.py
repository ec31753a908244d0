"""Sealing a certificate and putting it on disk. Untrusted: the checker works the seal out itself."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from cwr_certificates.check import seal
from cwr_solvers.jsontext import Json, canonical

DOCUMENT = "certificate.json"


def sealed(document: Mapping[str, Json]) -> bytes:
    """The canonical text of a document, with its seal (made anew)."""
    return canonical({**document, "seal": seal(document)})


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
