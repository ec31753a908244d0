"""The motifs of given words by their graph predicates, worked out in a worker: some take long on long words.

The task has the words as `texts`; the answer is a list of {motif: whether the word has it}, in their order.
"""

from __future__ import annotations

from cwr_audits.motifs import MOTIFS
from cwr_audits.wire import Task
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.grading import read_text


def answer(task: Task) -> list[dict[str, bool]]:
    """Raises MalformedInput where a text is no submission."""
    world = WORLDS[task["family"]]
    instance = world.read_instance(task["instance"])
    words = [read_text(world, instance, text.encode("utf-8")) for text in task["texts"]]
    named = MOTIFS[task["family"]].items()
    return [{name: holds(world, instance, word) for name, holds in named} for word in words]
