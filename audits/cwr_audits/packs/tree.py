"""The bytes of a folder, read once: what is judged afterwards is what was read, whatever happens to the folder.

A pack's folder holds plain files under plain names and nothing else. Anything else is a flaw, one line each:
  a link, a device, a pipe    it is not bytes of this folder
  an empty folder             no file, so no digest, tells of it
  an odd name                 other than letters, digits, '.', '_' and '-', the first a letter or digit
  names that differ in case   elsewhere they are one file
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cwr_audits.packs.model import FILE_BYTES
from cwr_solvers.errors import UsageError

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
MOST_FILES = 100_000
MOST_DEPTH = 8
PLAIN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK  # a pipe that took a file's place must not keep us waiting


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of a folder by their paths in it, and what it holds that no pack does."""

    files: Mapping[str, bytes]
    flaws: tuple[str, ...]


def read_tree(folder: Path) -> Tree:
    """All that a folder holds. Raises UsageError where it cannot be read, or is too large to be a pack."""
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}")
    files, flaws = dict[str, bytes](), list[str]()
    try:
        for name, entry in _walk(folder, "", 1):
            if entry is None:
                flaws.append(f"{name or 'the folder'}: is an empty folder")
            elif not entry.is_file(follow_symlinks=False):
                flaws.append(f"{name}: is no plain file")
            else:
                files[name] = _plain(entry.path)
    except OSError as error:
        raise UsageError(f"cannot read {error.filename}: {error.strerror}") from None
    return Tree(files, (*flaws, *_named(files)))


def _walk(folder: Path | str, inside: str, depth: int) -> Iterator[tuple[str, os.DirEntry[str] | None]]:
    """Whatever is no folder by its path, and None for each folder with nothing in it."""
    with os.scandir(folder) as listing:
        entries = sorted(listing, key=lambda entry: entry.name)
    if depth > MOST_DEPTH or len(entries) > MOST_FILES:
        raise UsageError(f"{folder} is too deep or has too many files for a pack")
    if not entries:
        yield inside.rstrip("/"), None
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path, f"{inside}{entry.name}/", depth + 1)
        else:
            yield f"{inside}{entry.name}", entry


def _plain(path: str) -> bytes:
    """The bytes of a plain file that is no link, also if one takes its place just now."""
    with open(os.open(path, PLAIN), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_size > FILE_BYTES:
            raise UsageError(f"{path} is no plain file of at most {FILE_BYTES} bytes")
        data = file.read(FILE_BYTES + 1)
    if len(data) != found.st_size:
        raise UsageError(f"{path} changes while it is read")
    return data


def _named(files: Mapping[str, bytes]) -> Iterator[str]:
    """Flaws of names; of folders, too, as each has a file in it."""
    paths = {"/".join(name.split("/")[:end]) for name in files for end in range(1, name.count("/") + 2)}
    known: dict[str, str] = {}
    for path in sorted(paths):
        if NAME.fullmatch(path.rpartition("/")[2]) is None:
            yield f"{path}: is an odd name"
        twin = known.setdefault(path.lower(), path)
        if twin != path:
            yield f"{path}: differs from {twin} in case only"
