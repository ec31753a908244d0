"""A process that makes a part of a pack again: `python -m cwr_audits.packs.audits.rebuild PART REQUEST`.

PART is items or certificates, REQUEST {"seed","worlds"}. It writes {path: SHA-256} of the files that it made, from
nothing but the checkout. Certificates are made in this very process, without workers and with one route.
"""

from __future__ import annotations

import sys
import tempfile
from concurrent.futures import Future
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from cwr_audits.certify import PROVING, Result, certify
from cwr_audits.late import PROVER, ROUTES, resolve
from cwr_audits.packs.build import build
from cwr_audits.packs.families import targets
from cwr_audits.packs.model import CERTIFICATES, files
from cwr_audits.packs.sources import Source, sources
from cwr_audits.routes import limits
from cwr_audits.subject import Subject, from_json
from cwr_audits.wire import Reply, Task, pack, run, unpack
from cwr_audits.workers import Crew
from cwr_solvers.errors import Undecided
from cwr_solvers.jsontext import Json, canonical, parse
from cwr_solvers.reading import as_items, as_name, as_object, as_text

ROUTE = "interpreter"
SECONDS = 600.0
PARTS = ("items", "certificates")
BYTES, DEPTH = 1 << 20, 4


@dataclass(frozen=True, slots=True)
class Alone:
    """A crew without workers: tasks and replies travel as they would, and are answered here."""

    def ask(self, worker: str, task: Task) -> Future[Reply]:
        """The reply, there already."""
        future: Future[Reply] = Future()
        engine = resolve({ROUTE: ROUTES[ROUTE], PROVING: PROVER}[worker])
        future.set_result(unpack(pack(run(engine, unpack(pack(task))))))
        return future


def rebuilt(part: str, seed: str, worlds: tuple[str, ...]) -> dict[str, bytes]:
    """The files of a part of the pack, by their paths. Raises Undecided and Disagreement."""
    about = targets(worlds)
    known = tuple(one for one in sources() if one.target in worlds)
    if part == "items":
        return files(build(about, known, {}, seed, _quiet))
    return certificates((*about, *map(as_subject, known)))


def certificates(about: tuple[Subject, ...]) -> dict[str, bytes]:
    """The files of the certificates of these instances."""
    with tempfile.TemporaryDirectory() as folder:
        for one in certify(cast(Crew, Alone()), (ROUTE,), about, limits(SECONDS), Path(folder), _quiet):
            if not isinstance(one, Result):
                raise Undecided("unknown", f"an instance was not certified: {one}")
        found = sorted(path for path in Path(folder).rglob("*") if path.is_file())
        return {f"{CERTIFICATES}/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in found}


def as_subject(source: Source) -> Subject:
    """A source as something to certify, its shown solution as witness."""
    return replace(from_json(source.source), witness=source.shown)


def _quiet(_text: str) -> None:
    """Nobody is told."""


def main(arguments: list[str]) -> bytes:
    """The answer to a request."""
    part = as_name(arguments[0], "", PARTS, "part")
    fields: Any = as_object(parse(arguments[1].encode("utf-8"), BYTES, DEPTH), "", ("seed", "worlds"))
    worlds = as_items(fields["worlds"], "/worlds", as_text)
    made = rebuilt(part, as_text(fields["seed"], "/seed"), worlds)
    digests: dict[str, Json] = {name: sha256(data).hexdigest() for name, data in made.items()}
    return canonical(digests)


if __name__ == "__main__":
    sys.stdout.buffer.write(main(sys.argv[1:]))
