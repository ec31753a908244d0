"""Measures questions to a stored space; printed, not asserted.

cold    single runs of `cwr alternatives` on a stored space, start of the process included, wall and CPU seconds
        (goal: below 0.4 s), beside the peer `python -c "import duckdb"` and a bare start of Python
warm    a question to a space that is open in this process, milliseconds (goal: below 20 ms)
listing a space that is not stored yet, its worker's start included
large   a space of random words, so that figures are not those of tiny ones: reading it, and a question
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import timeit
from functools import partial
from pathlib import Path

from bench_grade import children

from cwr_audits import query, store
from cwr_audits.request import Request
from cwr_audits.rows import ClassRow, WordRow
from cwr_audits.subject import Subject, subject, subjects
from cwr_audits.table import rows

RUNS = 7
TIMES = 20
CODE = "BC-001"
CLASSES = 5_000
WORDS = 10  # of each class
QUESTIONS = {
    "all words": Request(limit=None),
    "classes without a motif": Request(lacking=("shape",), classes=True),
    "condition": Request(where=("n_AND = 2 AND distance > 1",), classes=True),
    "nearest": Request(order="nearest"),
    "four diverse": Request(diverse=4),
}


def main() -> int:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for one in subjects(()):
            store.keep(place, one, rows(one))
        cold("bare start of Python", [sys.executable, "-c", "pass"], place)
        cold("peer: import duckdb", [sys.executable, "-c", "import duckdb"], place)
        command = [sys.executable, "-m", "cwr_audits.cli", "alternatives", CODE]
        cold(f"cwr alternatives {CODE} --classes", [*command, "--classes"], place)
        cold(f"cwr alternatives {CODE} --where … --json", [*command, "--where", "has_shape", "--json"], place)
        warm(subject(CODE), place)
        with tempfile.TemporaryDirectory() as empty:
            cold(f"listing: {CODE}, nothing stored", [*command, "--json"], Path(empty), runs=1)
        large(subject(CODE), place)
    return 0


def cold(name: str, command: list[str], place: Path, runs: int = RUNS) -> None:
    """Least wall and least CPU seconds of single runs."""
    figures = []
    for _ in range(runs):
        start, spent = time.perf_counter(), children()
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, store.VARIABLE: str(place)})
        figures.append((time.perf_counter() - start, children() - spent))
    wall, cpu = (min(seconds) for seconds in zip(*figures, strict=True))
    print(f"{name}: best of {runs}: wall {wall:.3f} s, CPU {cpu:.3f} s")


def warm(about: Subject, place: Path) -> None:
    """Milliseconds a question, in an open space."""
    folder = store.stored(place, about)
    if folder is None:
        raise SystemExit("the space that was just stored is not found")
    with query.opened(folder, about) as space:
        for name, request in QUESTIONS.items():
            best = min(timeit.repeat(partial(query.asked, space, about, request), repeat=5, number=TIMES)) / TIMES
            print(f"warm, {about.code}, {name}: {best * 1000:.1f} ms (goal: below 20 ms)")


def large(about: Subject, place: Path) -> None:
    """A made-up table of many classes; its words are those of the instance, said again and again."""
    (one, *_) = rows(about)
    word = WordRow(one.representative, 16, 3)
    many = [
        ClassRow(number, (word,) * WORDS, 16 * WORDS, one.cost, 3, one.motifs, one.tallies)
        for number in range(1, CLASSES + 1)
    ]
    start = time.perf_counter()
    folder = store.keep(place / "large", about, many)
    kept = time.perf_counter() - start
    size = sum(file.stat().st_size for file in folder.iterdir())
    print(f"large: {CLASSES * WORDS:,} words in {CLASSES:,} classes, {size:,} bytes: kept in {kept:.2f} s")
    start = time.perf_counter()
    with query.opened(folder, about) as space:
        read = time.perf_counter() - start
        answer = query.asked(space, about, Request(where=("n_AND = 2",)))
        asked = time.perf_counter() - start - read
    print(f"large: read in {read:.2f} s, asked in {asked:.3f} s ({answer.matching:,} words match)")


if __name__ == "__main__":
    sys.exit(main())
