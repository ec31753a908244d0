"""The asking side of the routes' workers: start them early, ask them in parallel, get an answer or the reason for none.

A worker is a process group of its own (see cwr_audits.server). Each has one thread here that writes a task and waits
for its reply, so all workers run at once and every worker answers in order. Closing a crew ends its workers.

However this process ends, its workers end too, whatever they are doing: a worker's group is registered for SIGIO, which
ends every process in it, on a pipe whose other end only this process has. That is Linux; elsewhere a server sees that
its input has ended, once it reads it.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import IO

from cwr_audits.server import write_all
from cwr_audits.wire import Reply, Task, pack, unpack

GRACE = 30.0  # seconds beyond a task's own limit: a worker may still be loading its engine
CHUNK = 1 << 16
# a fork carries over the calling thread only, so libraries must not start threads of their own while loading
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


@dataclass(frozen=True, slots=True)
class Worker:
    """One started worker: its process, the file that takes what it prints, and the thread that talks to it.

    `life` is the descriptor that the worker lives as long as; only this process has it.
    """

    name: str
    process: subprocess.Popen[bytes]
    printed: IO[bytes]
    thread: ThreadPoolExecutor
    life: int


@dataclass(frozen=True, slots=True)
class Crew:
    """Workers by name. `ask` gives the future of the raw reply (see cwr_audits.wire)."""

    workers: Mapping[str, Worker]

    def ask(self, name: str, task: Task) -> Future[Reply]:
        worker = self.workers[name]
        return worker.thread.submit(_ask, worker, task)


@contextmanager
def crew(engines: Mapping[str, str]) -> Iterator[Crew]:
    """Start one worker for each name -> "module:function"; end them all at the end, whatever happens."""
    with ExitStack() as stack:
        started = {}
        for name, engine in engines.items():
            started[name] = _start(name, engine, stack.enter_context(tempfile.TemporaryFile()))
            stack.callback(_end, started[name])
        yield Crew(started)


def _start(name: str, engine: str, printed: IO[bytes]) -> Worker:
    paths = os.pathsep.join(path for path in sys.path if path)
    watched, life = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "cwr_audits.server", engine],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=printed,
        bufsize=0,
        start_new_session=True,
        pass_fds=(watched,),
        env={**os.environ, "PYTHONPATH": paths, **ONE_THREAD},
    )
    _bind(process.pid, watched)
    os.close(watched)
    return Worker(name, process, printed, ThreadPoolExecutor(1, f"route-{name}"), life)


def _bind(group: int, watched: int) -> None:
    """Have the kernel end the group with SIGIO when the other end of the pipe is closed; the group holds this one."""
    if sys.platform == "linux":
        fcntl.fcntl(watched, fcntl.F_SETOWN, -group)
        fcntl.fcntl(watched, fcntl.F_SETFL, fcntl.fcntl(watched, fcntl.F_GETFL) | fcntl.FASYNC)


def _end(worker: Worker) -> None:
    worker.thread.shutdown(wait=False, cancel_futures=True)
    _kill(worker)
    worker.thread.shutdown()
    for stream in (worker.process.stdin, worker.process.stdout):
        if stream is not None:
            stream.close()
    os.close(worker.life)


def _kill(worker: Worker) -> None:
    """End the whole group, also where its leader is gone: until it is waited for, its number belongs to nobody else."""
    if worker.process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):  # ended and waited for meanwhile, or (macOS) all zombies
            os.killpg(worker.process.pid, signal.SIGKILL)
        worker.process.wait()


def _ask(worker: Worker, task: Task) -> Reply:
    line = _exchange(worker, pack(task), time.monotonic() + task["seconds"] + GRACE)
    if line is None:
        _kill(worker)
        return {"undecided": ["killed", f"the worker of route {worker.name} is gone{_last_words(worker)}"]}
    try:
        reply: Reply = unpack(line)
    except ValueError as error:
        return {"undecided": ["crashed", f"the worker of route {worker.name} replied with what is no JSON: {error}"]}
    if reply.get("undecided", ("",))[0] in ("crashed", "killed"):
        reason, detail = reply["undecided"]
        return {"undecided": [reason, detail + _last_words(worker)]}
    return reply


def _exchange(worker: Worker, data: bytes, until: float) -> bytes | None:
    """The worker's next line after sending it a line; None when it ends or says nothing in time."""
    sending, reading = worker.process.stdin, worker.process.stdout
    if sending is None or reading is None:
        return None
    try:
        write_all(sending.fileno(), data)
    except BrokenPipeError:
        return None
    parts = []
    while True:
        ready, _, _ = select.select([reading], [], [], max(until - time.monotonic(), 0))
        part = os.read(reading.fileno(), CHUNK) if ready else b""
        if not part:
            return None
        parts.append(part)
        if part.endswith(b"\n"):
            return b"".join(parts)


def _last_words(worker: Worker) -> str:
    """The last line that the worker printed, for a message."""
    descriptor = worker.printed.fileno()
    tail = os.pread(descriptor, 2000, max(os.fstat(descriptor).st_size - 2000, 0))
    lines = tail.decode("utf-8", "replace").strip().splitlines()
    return f": {lines[-1][:200]}" if lines else ""
