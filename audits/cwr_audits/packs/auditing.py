"""Running the audits: here one after the other, or in workers of their own, as many as there are cores.

started   from a pack and a time limit for each audit, {audit: its result, to be waited for}
A worker gets the pack as files and their digest, reads them, and sends back the file of the audit (cwr_audits.wire). It
has limits of time and memory that no solver can overrun; whatever ends it leaves the audit without a verdict.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias

from cwr_audits.checking import alarm
from cwr_audits.late import AUDITOR
from cwr_audits.packs.audits import AUDITS
from cwr_audits.packs.model import Pack, files, from_files
from cwr_audits.packs.tree import read_tree
from cwr_audits.packs.verdicts import Audit, Auditor, audit_bytes, read_audit
from cwr_audits.routes import MEGABYTES
from cwr_audits.staging import put_new_folder
from cwr_audits.wire import Reply, Task, found
from cwr_audits.workers import Crew, crew
from cwr_solvers.errors import Undecided

Start: TypeAlias = Callable[[Pack, float], Mapping[str, Callable[[], Audit]]]

LONG = ("determinism", "vitality", "space")  # begun first, so that the last to end is a short one
MOST_WORKERS = 8


def in_process(audits: Mapping[str, Auditor]) -> Start:
    """Run these audits here, each when it is waited for."""

    def start(pack: Pack, seconds: float) -> Mapping[str, Callable[[], Audit]]:
        return {name: _timed(auditor, pack, seconds) for name, auditor in audits.items()}

    return start


def _timed(auditor: Auditor, pack: Pack, seconds: float) -> Callable[[], Audit]:
    def work() -> Audit:
        with alarm(seconds):
            return auditor(pack)

    return work


@contextmanager
def by_workers(engine: str = AUDITOR, audits: tuple[str, ...] = tuple(AUDITS)) -> Iterator[Start]:
    """Run the audits of these names in workers of an engine, which is `answer` but in tests."""
    number = max(1, min(len(os.sched_getaffinity(0)), MOST_WORKERS, len(audits)))
    with ExitStack() as stack:
        workers = stack.enter_context(crew({f"auditor-{place}": engine for place in range(number)}))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()), "pack")
        threads = ThreadPoolExecutor(number)
        stack.callback(threads.shutdown, wait=False, cancel_futures=True)

        def start(pack: Pack, seconds: float) -> Mapping[str, Callable[[], Audit]]:
            written = files(pack)
            put_new_folder(folder, written)
            asked: Task = {"digest": _digest(written), "folder": str(folder)}
            asked |= {"megabytes": MEGABYTES, "seconds": seconds}
            return _asked(workers, threads, {name: {**asked, "audit": name} for name in audits})

        yield start


def _asked(workers: Crew, threads: ThreadPoolExecutor, tasks: Mapping[str, Task]) -> Mapping[str, Callable[[], Audit]]:
    """Ask, each time a worker is idle, the next audit of it."""
    idle = SimpleQueue[str]()
    for worker in workers.workers:
        idle.put(worker)

    def ask(task: Task) -> Reply:
        worker = idle.get()
        try:
            return workers.ask(worker, task).result()
        finally:
            idle.put(worker)

    order = sorted(tasks, key=lambda name: LONG.index(name) if name in LONG else len(LONG))
    futures = {name: threads.submit(ask, tasks[name]) for name in order}
    return {name: _awaited(futures[name]) for name in tasks}


def _awaited(future: Future[Reply]) -> Callable[[], Audit]:
    return lambda: read_audit(str(found(future.result())["file"]).encode("utf-8"))


def answer(task: Task) -> Reply:
    """What a worker does. Raises as the audit does, and Undecided where the files are not those that are meant."""
    tree = read_tree(Path(task["folder"]))
    if tree.flaws or _digest(tree.files) != task["digest"]:
        raise Undecided("unknown", "the files for the workers were changed meanwhile")
    return {"file": audit_bytes(AUDITS[task["audit"]](from_files(tree.files))).decode("utf-8")}


def _digest(written: Mapping[str, bytes]) -> str:
    said = sha256()
    for name, data in sorted(written.items()):
        said.update(f"{name} {sha256(data).hexdigest()}\n".encode())
    return said.hexdigest()
