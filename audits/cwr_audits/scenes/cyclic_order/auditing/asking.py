"""What workers are asked, and what came of it: a reply for each puzzle and side, or for each picture.

routes     {"puzzles": [{"visible": instance, "open": instance}]} -> [{"visible": reply, "open": reply}]
pictures   {"pictures": [{"seed", "config", "see"}]} -> [reply]
A reply is as cwr_audits.wire has it. What befalls a whole chunk is the reply of each of its puzzles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Protocol, TypeAlias

from cwr_audits.routes import MEGABYTES
from cwr_audits.wire import Engine, Reply, Task, run, task
from cwr_solvers.answers import Limits
from cwr_solvers.worlds.co.instance import FAMILY

Sides: TypeAlias = dict[str, Reply]

CHUNK = 20
MOST_WORDS = 1000  # of an instance; there are no more than 45 pairs of positions
PICTURES = "pictures"


class Asked(Protocol):
    """As cwr_audits.workers.Crew."""

    def ask(self, name: str, task: Task) -> Future[Reply]: ...


def each(engine: Engine, asked: Task) -> list[Sides]:
    """The replies of an engine that answers on one instance, on both instances of every puzzle."""
    return [
        {side: run(engine, {**asked, "instance": instance}) for side, instance in puzzle.items()}
        for puzzle in asked["puzzles"]
    ]


def lanes(table: Mapping[str, str], number: int) -> dict[str, str]:
    """Workers of every kind of a table, so many of each, by their names."""
    return {lane_name(kind, lane): engine for kind, engine in table.items() for lane in range(number)}


def lane_name(kind: str, lane: int) -> str:
    """What the worker of a kind is called that is in a lane."""
    return f"{kind} {lane}"


class Waiting:
    """The replies of the workers of one kind, in the order of what was asked; waited for when they are read."""

    def __init__(self, crew: Asked, kind: str, number: int, field: str, asked: Sequence[Any], seconds: float) -> None:
        self._chunks = [
            (
                min(CHUNK, len(asked) - first),
                crew.ask(lane_name(kind, first // CHUNK % number), _task(field, asked[first : first + CHUNK], seconds)),
            )
            for first in range(0, len(asked), CHUNK)
        ]

    def __iter__(self) -> Iterator[Any]:
        for size, future in self._chunks:
            reply = future.result()
            yield from reply["found"] if "found" in reply else [reply] * size


def _task(field: str, asked: Sequence[Any], seconds: float) -> Task:
    return task(FAMILY, None, Limits(seconds, MOST_WORDS), MEGABYTES, **{field: list(asked)})
