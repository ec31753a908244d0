"""Finished chunks, kept in a folder, so that an audit that was interrupted or killed goes on.

FOLDER/KEY.chunk   the digest of the second line, and on that the reply of a worker to one chunk

KEY is a digest of the task, of the engine that was asked, of all code of cwr, and of the versions of everything that is
installed: what other code said is never found. A chunk is kept just where each part of it was answered, so what is
undecided is asked again. A file that is not as it was written is none. That guards against accidents; who can write to
the folder can put anything into it.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path

import cwr_audits
import cwr_certificates
import cwr_encodings
import cwr_solvers
from cwr_audits.scenes.cyclic_order.auditing.asking import Asked
from cwr_audits.staging import ready
from cwr_audits.wire import Reply, Task, pack, unpack
from cwr_certificates.seal import write_file

PACKAGES = (cwr_audits, cwr_certificates, cwr_encodings, cwr_solvers)
SOURCES = (".py", ".json")
SUFFIX = ".chunk"
FOUND = "found"


class Keeping:
    """A crew that is asked just what is not in the folder yet. `there` counts what was. Raises UsageError where the
    folder cannot be written to."""

    def __init__(self, crew: Asked, engines: Mapping[str, str], folder: Path) -> None:
        ready(folder)
        self._crew, self._engines, self._folder = crew, engines, folder
        self._code = code_digest()
        self.there = 0

    def ask(self, name: str, task: Task) -> Future[Reply]:
        """The reply of a worker, or the one it gave before."""
        asked = {"code": self._code, "engine": self._engines[name], "task": task}
        path = self._folder / f"{sha256(pack(asked)).hexdigest()}{SUFFIX}"
        reply = kept(path)
        if reply is None:
            future = self._crew.ask(name, task)
            future.add_done_callback(partial(_keep, path))
            return future
        self.there += 1
        done: Future[Reply] = Future()
        done.set_result(reply)
        return done


def kept(path: Path) -> Reply | None:
    """The reply in a file; None where there is none, or not the one that was written."""
    try:
        digest, _, line = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    return unpack(line) if sha256(line).hexdigest().encode("ascii") == digest else None


def answered(reply: Reply) -> bool:
    """Whether every part of a chunk was answered: of a picture the reply, of a puzzle that on each side."""
    if FOUND not in reply:
        return False
    return all(FOUND in part for one in reply[FOUND] for part in ([one] if FOUND in one else one.values()))


def code_digest() -> str:
    """The digest of all that a reply may depend on beside its task."""
    told = sha256(platform.python_version().encode())
    told.update("\n".join(installed()).encode())
    for package in PACKAGES:
        place = Path(str(package.__file__)).parent
        for path in sorted(path for path in place.rglob("*") if path.suffix in SOURCES):
            told.update(f"{place.name}/{path.relative_to(place)} {sha256(path.read_bytes()).hexdigest()}\n".encode())
    return told.hexdigest()


def installed() -> list[str]:
    """The names and versions of what is installed, as its folders of metadata are called."""
    return sorted(found.name for place in set(sys.path) for found in Path(place or ".").glob("*.dist-info"))


def _keep(path: Path, future: Future[Reply]) -> None:
    """Write a reply; where that fails, the chunk is asked again another time, and nothing else is lost."""
    if future.cancelled() or future.exception() is not None or not answered(future.result()):
        return
    line = pack(future.result())
    with suppress(OSError):
        write_file(path, sha256(line).hexdigest().encode("ascii") + b"\n" + line)
