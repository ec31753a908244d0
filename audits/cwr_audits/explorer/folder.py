"""The site's folder on disk: written whole or not at all, and only where nothing else would be lost.

A folder is ours when its list of files (explorer.json) names every file in it, with its digest. Anything else there, or
a file that was changed, belongs to somebody, and the folder is left as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cwr_audits.staging import put_checked_folder, ready
from cwr_certificates.desk import digest
from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, canonical, parse

LIST = "explorer.json"
SCHEMA = "cwr-explorer/1"


def write_site(out: Path, files: Mapping[str, bytes]) -> None:
    """Make `out` hold exactly these files and their list. Raises UsageError, and OSError; `out` is then as before."""
    if out.name in ("", ".."):
        raise UsageError(f"cannot put the explorer at {out}: name a folder of its own")
    refuse_foreign(out)
    ready(out.parent)
    listed = canonical({"schema": SCHEMA, "files": {name: digest(data) for name, data in sorted(files.items())}})
    put_checked_folder(out, {**files, LIST: listed + b"\n"}, refuse_foreign)  # what came into it meanwhile is not ours


def refuse_foreign(out: Path) -> None:
    """Raise UsageError when a folder holds anything that this command did not write."""
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise UsageError(f"{out} is no folder; name another one with --out")
    if not out.exists() or not any(out.iterdir()):
        return
    known = _listed(out)
    if known is None:
        raise UsageError(f"the folder {out} was not written by cwr explore; name another one with --out")
    for path in sorted(out.rglob("*")):
        name = path.relative_to(out).as_posix()
        if path.is_dir() and not path.is_symlink() and any(path.iterdir()):
            continue
        if name != LIST and not _same(path, known.get(name)):
            raise UsageError(f"{path} was added or changed by somebody; name another folder with --out, or remove it")


def _same(path: Path, listed: object) -> bool:
    """Whether a path is the plain file that was written; what is not listed is not read."""
    plain = listed is not None and path.is_file() and not path.is_symlink()
    return plain and digest(path.read_bytes()) == listed


def _listed(out: Path) -> dict[str, Any] | None:
    """The digests by file that a folder's list gives; None where there is no such list."""
    path = out / LIST
    if path.is_symlink() or not path.is_file():
        return None
    try:
        told: Any = parse(path.read_bytes(), INSTANCE_BYTES, INSTANCE_DEPTH)
    except MalformedInput:
        return None
    if not isinstance(told, dict) or told.get("schema") != SCHEMA or not isinstance(told.get("files"), dict):
        return None
    return dict(told["files"])
