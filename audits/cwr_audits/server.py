"""A route's worker: `python -m cwr_audits.server module:function`, started once for each route.

Loads the engine once (loading costs most of the time of a small question), then answers each task that comes on
standard input in a fork of its own, under the task's wall and memory limits, and replies on standard output in order.
A fork that ends without an answer is reported with the reason; nothing that it leaves behind reaches the next task.
The server ends when its input ends, and takes a running fork with it.
"""

from __future__ import annotations

import gc
import os
import resource
import select
import signal
import sys
import time

from cwr_audits.late import resolve
from cwr_audits.wire import Engine, Reply, Task, pack, run, unpack

CHUNK = 1 << 16


def main(arguments: list[str]) -> int:
    """Serve until the input ends."""
    asked, replies = os.dup(0), os.dup(1)
    # an engine that prints must not write into the replies, nor read the tasks
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    engine = resolve(arguments[0])
    gc.freeze()  # or a collection in a fork would touch, and so copy, every page of what is loaded
    pending = b""
    while True:
        line, separator, pending = pending.partition(b"\n")
        if separator:
            write_all(replies, pack(_answer(engine, unpack(line), (asked, replies))))
            continue
        more = os.read(asked, CHUNK)
        if not more:
            return 0
        pending = line + more


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of the data."""
    while data:
        data = data[os.write(descriptor, data) :]


def _answer(engine: Engine, task: Task, ours: tuple[int, int]) -> Reply:
    """The reply to one task, from a fork; `ours` are the descriptors that the fork must not hold."""
    until = time.monotonic() + task["seconds"]
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _child(engine, task, writing, (*ours, reading))
    os.close(writing)
    data = _collect(reading, until, ours[0])
    os.close(reading)
    if data is None:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if data is None or time.monotonic() > until:
        return {"undecided": ["time", f"more than {task['seconds']} s"]}
    return _judge(data, os.waitstatus_to_exitcode(status), task)


def _judge(data: bytes, code: int, task: Task) -> Reply:
    if code == 0 and data.endswith(b"\n"):
        reply: Reply = unpack(data)
        return reply
    limit = f"under a memory limit of {task['megabytes']} MB"
    if code < 0:
        return {"undecided": ["killed", f"the worker was ended by signal {-code} {limit}"]}
    return {"undecided": ["crashed", f"the worker ended with code {code} and without an answer {limit}"]}


def _collect(reading: int, until: float, asked: int) -> bytes | None:
    """All that the fork writes; None when time runs out first, or when nobody waits for the reply any more."""
    poller = select.poll()
    poller.register(reading, select.POLLIN)
    poller.register(asked, 0)  # asks for nothing, and still tells when the asking side is closed
    parts: list[bytes] = []
    while True:
        ready = dict(poller.poll(max(until - time.monotonic(), 0) * 1000))
        if reading not in ready:
            return None
        part = os.read(reading, CHUNK)
        if not part:
            return b"".join(parts)
        parts.append(part)


def _child(engine: Engine, task: Task, writing: int, close: tuple[int, ...]) -> None:
    """Answer and end; never returns into the server's code."""
    code = 1
    try:
        for descriptor in close:
            os.close(descriptor)
        most = _lowest(task["megabytes"] << 20, resource.getrlimit(resource.RLIMIT_AS)[1])
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        write_all(writing, pack(run(engine, task)))
        code = 0
    finally:
        if code:
            sys.excepthook(*sys.exc_info())
        os._exit(code)


def _lowest(wanted: int, hard: int) -> int:
    """The wanted limit, or the one that is set from outside where that is lower: nobody may raise it."""
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
