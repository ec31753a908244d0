"""The digest of everything that judges a family: who keeps it beside a result sees when the result is of other code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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

# what a scene's items are made of and judged by, beside the worlds' own files
SCENE = (
    "audits/cwr_audits/scenes/*.py",
    "audits/cwr_audits/scenes/{}/**/*.py",
    "audits/cwr_audits/scenes/{}/**/*.json",
    "audits/cwr_audits/engines/*.py",
    "audits/cwr_audits/agreement.py",
    "audits/cwr_audits/spaces.py",
)
SCENE_WORLDS = {"cyclic_order": "CO"}


def attack_name(code: str) -> str:
    """The file in audits/issued that keeps the attack on a world."""
    return f"{code}.attack.json"


def pack_name() -> str:
    """The file in audits/issued that keeps how freezing the pack of the showcases went."""
    return "pack.json"


def scene_name(scene: str) -> str:
    """The file in audits/issued that keeps the audit of a scene."""
    return f"scenes/{scene}.json"


def scene_digest(scene: str, root: Path) -> str:
    """The digest of the files that make the items of a scene, judge its world and audit both."""
    places = (*PLACES[:-1], *SHARED[:3])
    patterns = [*(place.format(SCENE_WORLDS[scene].lower()) for place in places), *(one.format(scene) for one in SCENE)]
    return _digest((path for pattern in patterns for path in sorted(root.glob(pattern)) if path.is_file()), root)


def pack_digest(root: Path) -> str:
    """The digest of what the pack of the showcases is made of and judged by."""
    patterns = ("fixtures/showcase-index.json", "fixtures/sources.json", "audits/cwr_audits/packs/**/*.*")
    return _digest((path for pattern in patterns for path in sorted(root.glob(pattern)) if path.is_file()), root)


def code_digest(family: str, root: Path) -> str:
    """The digest of the files of a checkout that judge a family, names and bytes."""
    return _digest(_files(family, root), root)


def _digest(files: Iterable[Path], root: Path) -> str:
    hashed = sha256()
    for path in files:
        if "__pycache__" in path.parts:
            continue
        data = path.read_bytes()
        hashed.update(f"{path.relative_to(root).as_posix()} {len(data)}\n".encode() + data)
    return hashed.hexdigest()


def _files(family: str, root: Path) -> Iterator[Path]:
    for pattern in (*(place.format(family.lower()) for place in PLACES), *SHARED):
        yield from sorted(path for path in root.glob(pattern) if path.is_file())
