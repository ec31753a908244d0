"""Batches: a folder of items made from a seed, whole or not at all, the same bytes whoever makes it.

folder.py says what is in it. While it is being made, all lies in a folder beside it, NAME.unfinished: run.json says of
what, journal.jsonl which chunks are there, made/ becomes the folder at the end. A run that was interrupted or killed
goes on from the chunks whose files are all there, byte for byte; one that asks for something else is refused. A lock
keeps two runs apart.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from cwr_audits.late import SCENE_WORKERS, scene_maker
from cwr_audits.scenes.folder import ITEMS, LOG, MANIFEST, RECORDS, SCHEMA, manifest_of
from cwr_audits.scenes.parts import Export, Made
from cwr_audits.staging import locked
from cwr_audits.turns import appended, in_turn, whole_lines
from cwr_audits.wire import Task, pack, unpack
from cwr_certificates.seal import write_file
from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.reading import as_map

RUN, JOURNAL, MADE = "run.json", "journal.jsonl", "made"
UNFINISHED = ".unfinished"
CHUNK = 20
SECONDS = 86_400.0  # for a chunk
MEGABYTES = 4096

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Run:
    """What a batch follows from."""

    scene: str
    seed: str
    number: int
    config: Mapping[str, Json]
    export: Export

    @property
    def stated(self) -> dict[str, Json]:
        """As the manifest has it."""
        return {
            "scene": self.scene,
            "seed": self.seed,
            "number": self.number,
            "config": dict(self.config),
            "export": asdict(self.export),
            "versions": dict(scene_maker(self.scene).versions()),
        }


def generate(run: Run, out: Path, workers: int, tell: Tell, note: Tell) -> dict[str, Json]:
    """Make a batch in a folder that is not there, or see that it is there already; gives its manifest.

    `tell` is told how far it is, which is soon out of date; `note` what is to stay: that an earlier run goes on.

    Raises UsageError where the folder holds something else, or where another run is at work; OSError.
    """
    stated, unfinished = run.stated, out.parent / (out.name + UNFINISHED)
    if os.path.lexists(out):
        found = _same(out, stated)
        if _is_rest(unfinished, stated):  # left by a run that was killed after its last step
            shutil.rmtree(unfinished, ignore_errors=True)
        return found
    with _at_work(unfinished, stated):
        done = _chunks(run, unfinished, workers, tell, note)
        manifest = _finish(unfinished / MADE, stated, done)
        os.sync()
        os.rename(unfinished / MADE, out)
        shutil.rmtree(unfinished)
    return manifest


# --- a folder that is there


def _same(out: Path, stated: Mapping[str, Json]) -> dict[str, Json]:
    """The manifest of a batch that is there whole and follows from the same; raises UsageError."""
    try:
        found = manifest_of(out)
    except MalformedInput as error:
        raise UsageError(f"{out / MANIFEST}: {error}") from None
    if found["run"] != stated:
        raise UsageError(f"{out} is there already with other content, and is never written over")
    files = as_map(found["files"], "/files")
    here = {path.relative_to(out).as_posix() for path in out.rglob("*") if not path.is_dir()} - {MANIFEST}
    spoilt = sorted(here ^ set(files)) or [name for name in sorted(files) if _digest(out / name) != files[name]]
    if spoilt:
        raise UsageError(f"{out} is there already, but {spoilt[0]} is not as its manifest says")
    return found


def _digest(path: Path) -> str | None:
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else None


# --- a folder in the making


@contextmanager
def _at_work(unfinished: Path, stated: Mapping[str, Json]) -> Iterator[None]:
    """Hold the folder in the making, which is one of the same run or new; raises UsageError."""
    unfinished.mkdir(parents=True, exist_ok=True)
    try:
        with locked(unfinished):
            if not _is_rest(unfinished, stated):
                whose = "of a run that asked for something else; go on with that"
                stranger = "in the way, and no run has left it; move it elsewhere"
                raise UsageError(f"{unfinished} is {whose if (unfinished / RUN).is_file() else stranger} or remove it")
            write_file(unfinished / RUN, canonical(dict(stated)))
            (unfinished / MADE).mkdir(exist_ok=True)
            yield
    except BlockingIOError:
        raise UsageError(f"another run is at work in {unfinished}") from None


def _is_rest(unfinished: Path, stated: Mapping[str, Json]) -> bool:
    """Whether a folder is ours to fill and to remove: begun by the same run, or before it said so. A link is not."""
    if unfinished.is_symlink() or not unfinished.is_dir():
        return False
    path = unfinished / RUN
    if path.is_file():
        return path.read_bytes() == canonical(dict(stated))
    return all(found.name.startswith(f".{RUN}.") for found in unfinished.iterdir())  # write_file's, before it renames


def _chunks(run: Run, unfinished: Path, workers: int, tell: Tell, note: Tell) -> list[dict[str, Any]]:
    """What every chunk made, in order; those in the journal whose files are there are not made again."""
    journal, made = unfinished / JOURNAL, unfinished / MADE
    lines = whole_lines(journal, lambda line: _kept(line, made))
    known = {one["first"]: one["made"] for one in map(unpack, lines)}
    starts = range(0, run.number, CHUNK)
    if known:
        note(f"resumed: {sum(map(len, known.values()))} of {run.number} items were there")
    with appended(journal, lines) as add, in_turn(workers, SCENE_WORKERS[run.scene], lambda task: answer(task)) as ask:
        asked = {first: ask(_task(run, first, made)) for first in starts if first not in known}
        for first, wait in asked.items():
            tell(f"{first} of {run.number} items")
            known[first] = wait()
            add(pack({"first": first, "made": known[first]}))
    return [one for first in starts for one in known[first]]


def _kept(line: bytes, made: Path) -> bool:
    """Whether a line of the journal is whole, and all files of its chunk are as they were written."""
    try:
        one = unpack(line)
        files = {name: digest for item in one["made"] for name, digest in item["files"].items()}
        return isinstance(one["first"], int) and all(_digest(made / name) == files[name] for name in files)
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def _task(run: Run, first: int, made: Path) -> Task:
    return {
        "scene": run.scene,
        "seed": run.seed,
        "config": dict(run.config),
        "export": asdict(run.export),
        "first": first,
        "last": min(first + CHUNK, run.number),
        "folder": str(made.resolve()),
        "seconds": SECONDS,
        "megabytes": MEGABYTES,
    }


def answer(task: Task) -> list[dict[str, Any]]:
    """A worker's answer: the items of one chunk, whose files it has written."""
    make, export = scene_maker(task["scene"]).make, Export(**task["export"])
    numbers = range(task["first"], task["last"])
    return [_written(make(task["seed"], number, task["config"], export), Path(task["folder"])) for number in numbers]


def _written(made: Made, folder: Path) -> dict[str, Any]:
    for name, data in made.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    files = {name: sha256(data).hexdigest() for name, data in made.files.items()}
    return {"id": made.id, "item": made.item, "record": made.record, "log": list(made.log), "files": files}


def _finish(folder: Path, stated: Mapping[str, Json], done: list[dict[str, Any]]) -> dict[str, Json]:
    """Write the lists and the manifest, which it gives, and remove all else: a killed run may have left half a file."""
    done = sorted(done, key=lambda one: str(one["id"]))
    lists = {
        ITEMS: [one["item"] for one in done],
        RECORDS: [one["record"] for one in done],
        LOG: [entry for one in done for entry in one["log"]],
    }
    files: dict[str, Json] = {name: digest for one in done for name, digest in one["files"].items()}
    for name, rows in lists.items():
        data = b"".join(canonical(row) + b"\n" for row in rows)
        (folder / name).parent.mkdir(exist_ok=True)
        write_file(folder / name, data)
        files[name] = sha256(data).hexdigest()
    for path in [one for one in folder.rglob("*") if not one.is_dir() or one.is_symlink()]:
        if path.relative_to(folder).as_posix() not in files:
            path.unlink()
    manifest: dict[str, Json] = {"schema": SCHEMA, "run": dict(stated), "files": files}
    write_file(folder / MANIFEST, canonical(manifest) + b"\n")
    return manifest
