"""The digest of everything that judges a family: who keeps it beside a result sees when the result is of other code."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

PLACES = (
    "cwr_solvers/worlds/{}/*.py",
    "encodings/cwr_encodings/{}/*.py",
    "certificates/cwr_certificates/statements/{}.py",
    "certificates/cwr_certificates/statements/{}_*.py",
    "tests/corpus/{}/*/*.json",
)
SHARED = (
    "cwr_solvers/*.py",
    "cwr_solvers/backends/*.py",
    "certificates/cwr_certificates/*.py",
    "audits/cwr_audits/attack.py",
    "audits/cwr_audits/attacks/*.py",
)


def attack_name(code: str) -> str:
    """The file in audits/issued that keeps the attack on a world."""
    return f"{code}.attack.json"


def code_digest(family: str, root: Path) -> str:
    """The digest of the files of a checkout that judge a family, names and bytes."""
    hashed = sha256()
    for path in _files(family, root):
        data = path.read_bytes()
        hashed.update(f"{path.relative_to(root).as_posix()} {len(data)}\n".encode() + data)
    return hashed.hexdigest()


def _files(family: str, root: Path) -> Iterator[Path]:
    for pattern in (*(place.format(family.lower()) for place in PLACES), *SHARED):
        yield from sorted(path for path in root.glob(pattern) if path.is_file())
