"""Reading worker `graph`: the interpreter's exhaustive search, and the predicates on the graphs of what it finds.

task   {"family", "instance", …, "ask": "list"}                        reply: a listing
       {"family", …, "ask": "draw", "seed": text}                      reply: a listing of the random instance
       {"family", "instance", …, "ask": "judge", "submissions": […]}   reply: [{"verdict", "has": {motif: yes or no}}]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cwr_audits.engines.interpreter import search
from cwr_audits.motifs import MOTIFS
from cwr_audits.readings.listing import Kind, Listing, write_listing
from cwr_audits.spaces import cost_of, space
from cwr_audits.wire import Task, limits_of
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.grading import grade
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.symmetry import text
from cwr_solvers.world import Submission, World


def answer(task: Task) -> Any:
    """See above; raises Undecided where there are too many words or states."""
    return ASKED[task["ask"]](WORLDS[task["family"]], task)


def listed(world: World, instance: Any, most_words: int) -> Listing:
    """All classes, and what the predicates say of every word."""
    found = space(world, instance, search(world, instance, most_words).answer.words)
    kinds = tuple(
        Kind(
            tuple(_text(world, instance, word) for word in one.members), one.size, cost_of(world, instance, found, one)
        )
        for one in found.classes
    )
    every = [word for one in found.classes for word in one.members]
    having = {
        motif: frozenset(_text(world, instance, word) for word in every if holds(world, instance, word))
        for motif, holds in MOTIFS[world.family].items()
    }
    return Listing(kinds, having)


def _text(world: World, instance: Any, word: Submission[Any]) -> str:
    return text(world, instance, word).decode("utf-8")


def _list(world: World, task: Task) -> Any:
    return write_listing(listed(world, world.read_instance(task["instance"]), limits_of(task).words))


def _draw(world: World, task: Task) -> Any:
    return write_listing(listed(world, world.read_instance(world.generate(task["seed"])), limits_of(task).words))


def _judge(world: World, task: Task) -> Any:
    instance = world.read_instance(task["instance"])
    return [judged(world, instance, submission) for submission in task["submissions"]]


def judged(world: World, instance: Any, submission: Json) -> dict[str, Any]:
    """The interpreter's verdict on a submission, and of an accepted one which motifs it has."""
    verdict = grade(world, instance, canonical(submission)).status
    if verdict != "accepted":
        return {"verdict": verdict, "has": {}}
    read = world.read_submission(instance, submission)
    return {
        "verdict": verdict,
        "has": {name: holds(world, instance, read) for name, holds in MOTIFS[world.family].items()},
    }


ASKED: Mapping[str, Callable[[World, Task], Any]] = {"list": _list, "draw": _draw, "judge": _judge}
