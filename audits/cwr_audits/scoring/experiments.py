"""Simulations run in chunks, in this process or by workers, and kept in a journal so that an interrupted run goes on.

point    one design with its number of bases and replicas, with the effect or without (null)
chunk    simulations from one number up to another; what it gives follows from the point and these numbers alone
journal  lines {"key","first","results"}; the key is the digest of the point and of the code that simulates
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from cwr_audits.late import SIMULATED
from cwr_audits.scoring.designs import Asked, Design, read_asked
from cwr_audits.scoring.simulated import Result, simulate
from cwr_audits.turns import appended, in_turn, whole_lines
from cwr_audits.wire import Task, pack, unpack
from cwr_solvers.jsontext import Json, canonical

CHUNK = 50
SECONDS = 86_400.0  # for a chunk
MEGABYTES = 4096

JOURNAL = "simulations.jsonl"

Ask = Callable[[Task], Callable[[], list[Result]]]


@dataclass(frozen=True, slots=True)
class Point:
    """A design that differs from the one asked in these."""

    bases: int
    replicas: int
    null: bool


@dataclass(frozen=True, slots=True)
class Journal:
    """Results that are known, by key and first number, and a function that adds to them."""

    known: Mapping[tuple[str, int], list[Result]]
    keep: Callable[[str, int, list[Result]], None]


# --- chunks


def design_of(asked: Asked, point: Point) -> Design:
    """The design of a point."""
    return replace(asked.design, bases=point.bases, replicas=point.replicas)


def results(asked: Asked, point: Point, ask: Ask, journal: Journal, tell: Callable[[str], None]) -> list[Result]:
    """All simulations of a point, in order."""
    key, whole = _key(asked, point), asked.design.simulations
    starts = range(0, whole, CHUNK)
    # a journal of fewer simulations may have a shorter last chunk
    known = {first: journal.known.get((key, first), []) for first in starts}
    kept = {first: one for first, one in known.items() if len(one) == min(CHUNK, whole - first)}
    asking = {
        first: ask(_task(asked, point, first, min(first + CHUNK, whole))) for first in starts if first not in kept
    }
    for first, wait in asking.items():
        tell(f"{_said(point)}: {first} of {whole} simulations")
        kept[first] = wait()
        journal.keep(key, first, kept[first])
    return [one for first in starts for one in kept[first]]


def _said(point: Point) -> str:
    return f"{point.bases} bases, {point.replicas} replicas{', no effect' if point.null else ''}"


def _task(asked: Asked, point: Point, first: int, last: int) -> Task:
    shape = {"bases": point.bases, "replicas": point.replicas, "null": point.null}
    limits = {"seconds": SECONDS, "megabytes": MEGABYTES}
    return {"asked": dict(asked.stated), **shape, "first": first, "last": last, **limits}


def answer(task: Task) -> Any:
    """A worker's answer: the results of one chunk."""
    asked = read_asked(task["asked"])
    design = design_of(asked, Point(task["bases"], task["replicas"], task["null"]))
    return write_results([simulate(design, number, null=task["null"]) for number in range(task["first"], task["last"])])


def write_results(found: Sequence[Result]) -> list[list[Any]]:
    """Results as lists; Python writes floats so that they are read again as they were."""
    return [[one.rejected, one.estimate, one.low, one.high, one.truth] for one in found]


def read_results(value: Any) -> list[Result]:
    """The results that were written so."""
    return [Result(*one) for one in value]


def _key(asked: Asked, point: Point) -> str:
    """Neither how many simulations are asked for nor what is searched for changes what one of them gives."""
    free = ("bases", "replicas", "simulations", "target", "most_bases", "replica_ladder", "tolerance")
    stated = {name: value for name, value in asked.stated.items() if name not in free}
    named: dict[str, Json] = {
        "point": [point.bases, point.replicas, int(point.null)],
        "design": stated,
        "code": code_digest(),
    }
    return sha256(canonical(named)).hexdigest()


def code_digest() -> str:
    """The digest of this package's source: results of other code are not gone on with."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return sha256(b"".join(sha256(path.read_bytes()).digest() for path in sources)).hexdigest()


# --- who runs them


@contextmanager
def asking(workers: int) -> Iterator[Ask]:
    """A function that starts a chunk and gives what waits for it (see cwr_audits.turns)."""
    with in_turn(workers, SIMULATED, lambda task: answer(task)) as ask:
        yield lambda task: partial(_read, ask(task))


def _read(wait: Callable[[], Any]) -> list[Result]:
    return read_results(wait())


# --- the journal


@contextmanager
def journal_of(folder: Path | None) -> Iterator[Journal]:
    """The journal of a folder, which is made; one that lasts as long as the run where there is none."""
    known: dict[tuple[str, int], list[Result]] = {}
    if folder is None:
        yield Journal(known, lambda key, first, made: known.update({(key, first): made}))
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / JOURNAL
    lines = whole_lines(path, _whole)
    for one in map(unpack, lines):
        known[one["key"], one["first"]] = read_results(one["results"])
    with appended(path, lines) as add:

        def keep(key: str, first: int, made: list[Result]) -> None:
            add(pack({"key": key, "first": first, "results": write_results(made)}))
            known[key, first] = made

        yield Journal(known, keep)


def _whole(line: bytes) -> bool:
    try:
        one = unpack(line)
        read_results(one["results"])
        return isinstance(one["key"], str) and isinstance(one["first"], int)
    except (ValueError, KeyError, TypeError):
        return False
