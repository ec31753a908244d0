"""The checker as one file: `python -m cwr_certificates.bundle TARGET` writes an archive that Python runs as it is.

In it is what checking needs and nothing else: no prover, no third party. The same sources give the same bytes. It is
as trusted as the checkout it was made from: a reader may unpack it and compare.
"""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from cwr_certificates.seal import write_file

ROOT = Path(__file__).resolve().parents[2]
UNNEEDED = {"bundle.py", "explain.py", "layering.py", "lrat.py", "prover.py", "seal.py"}
JUDGES = ("__init__", "errors", "grading", "jsontext", "reading", "symmetry", "world")
START = b"#!/usr/bin/env python3\n"
EPOCH = (1980, 1, 1, 0, 0, 0)


def members(root: Path = ROOT) -> Iterator[tuple[str, Path]]:
    """(name in the archive, file in the checkout) of everything that the checker needs, sorted by name."""
    ours = root / "certificates"
    found = {"__main__.py": ours / "__main__.py", "fixtures/showcase-index.json": root / "fixtures/showcase-index.json"}
    for path in (ours / "cwr_certificates").rglob("*.py"):
        if path.name not in UNNEEDED:
            found[path.relative_to(ours).as_posix()] = path
    solvers = root / "cwr_solvers"
    for path in (*(solvers / f"{name}.py" for name in JUDGES), *_worlds(solvers / "worlds")):
        found[path.relative_to(root).as_posix()] = path
    yield from sorted(found.items())


def _worlds(folder: Path) -> Iterator[Path]:
    yield folder / "__init__.py"
    for name in ("__init__", "instance", "interpreter"):
        yield from folder.glob(f"*/{name}.py")


def build(root: Path = ROOT) -> bytes:
    """The bytes of the archive: stored, not compressed, so that no version of a compressor shows in them."""
    buffer = io.BytesIO()
    buffer.write(START)
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_STORED) as archive:
        for name, path in members(root):
            archive.writestr(zipfile.ZipInfo(name, EPOCH), path.read_bytes())
    return buffer.getvalue()


if __name__ == "__main__":
    write_file(Path(sys.argv[1]), build())
