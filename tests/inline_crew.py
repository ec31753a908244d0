"""A crew without processes: each task is answered at once, in this process, by the engine that a worker would load.

Tasks and replies still travel as lines of JSON. What would end a worker ends as "crashed".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from cwr_audits.late import resolve
from cwr_audits.wire import Reply, pack, run, unpack


class Inline:
    """As `cwr_audits.workers.Crew`."""

    def __init__(self, engines: Mapping[str, str]) -> None:
        self._engines = {name: resolve(engine) for name, engine in engines.items()}

    def ask(self, worker: str, task: dict[str, Any]) -> Future[Reply]:
        """The reply, there already."""
        future: Future[Reply] = Future()
        try:
            reply = unpack(pack(run(self._engines[worker], unpack(pack(task)))))
        except Exception as error:  # noqa: BLE001 - whatever would end a worker
            reply = {"undecided": ["crashed", str(error)]}
        future.set_result(reply)
        return future


@contextmanager
def inline(engines: Mapping[str, str]) -> Iterator[Inline]:
    """As `cwr_audits.workers.crew`."""
    yield Inline(engines)
