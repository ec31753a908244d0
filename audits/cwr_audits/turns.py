"""Many tasks of one kind, done in this process or by several workers in turn, and kept in a journal of lines.

A journal is appended to while the work goes on. A line that breaks off, because the process was killed while writing
it, is dropped with all that follows when the journal is opened again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from itertools import cycle, takewhile
from pathlib import Path
from typing import Any

from cwr_audits.wire import Engine, Reply, Task, found
from cwr_audits.workers import crew

Ask = Callable[[Task], Callable[[], Any]]


@contextmanager
def in_turn(workers: int, engine: str, here: Engine) -> Iterator[Ask]:
    """A function that starts a task and gives what waits for its answer: by so many workers of an engine in turn, or,
    for 1, by `here` in this process, which begins when it is waited for."""
    if workers == 1:
        yield lambda task: partial(here, task)
        return
    names = [f"worker-{number}" for number in range(workers)]
    with crew(dict.fromkeys(names, engine)) as started:
        turns = cycle(names)
        yield lambda task: partial(_found, started.ask(next(turns), task))


def _found(future: Future[Reply]) -> Any:
    return found(future.result())


def whole_lines(path: Path, good: Callable[[bytes], bool]) -> list[bytes]:
    """The lines of a journal up to the first that is none of ours."""
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    return list(takewhile(lambda line: line.endswith(b"\n") and good(line), lines))


@contextmanager
def appended(path: Path, lines: list[bytes]) -> Iterator[Callable[[bytes], None]]:
    """A function that adds a line to a journal, of which these first lines are kept."""
    with open(path, "ab") as file:
        file.truncate(sum(map(len, lines)))

        def add(line: bytes) -> None:
            file.write(line)
            file.flush()

        yield add
