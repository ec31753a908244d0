"""Route `interpreter`: the rules played out, by exhaustive search.

Raw submissions are counted and words are listed apart, but from the same layers of states.
"""

from __future__ import annotations

from cwr_audits.wire import ANY, Finding, Reply, Task, limits_of, write_finding
from cwr_solvers.answers import Answer
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import Undecided
from cwr_solvers.grading import run
from cwr_solvers.search import layers, listing, tally
from cwr_solvers.symmetry import text
from cwr_solvers.world import World


def answer(task: Task) -> Reply:
    """The finding on the task's instance; raises Undecided beyond the task's number of words."""
    world = WORLDS[task["family"]]
    instance, most = world.read_instance(task["instance"]), limits_of(task).words
    return write_finding(search(world, instance, most, counting=task.get("space") == ANY))


def search(world: World, instance: object, most_words: int, *, counting: bool = False) -> Finding:
    """Count and list. The optimum is the count's; each word's cost is that of its own end state.

    Beyond `most_words` it raises Undecided, or, with `counting`, says what was counted and no words.
    """
    found = tuple(layers(world, instance))
    counted = tally(world, instance, found)
    listed: dict[bytes, int] = {}
    for word in listing(world, instance, found):
        listed[text(world, instance, word)] = run(world, instance, word).state.cost
        if len(listed) > most_words and counting:
            return Finding(Answer(counted.optimum, {}), counted.raw, counted.reachable_states, listed=False)
        if len(listed) > most_words:
            raise Undecided("words", f"more than {most_words} words")
    return Finding(Answer(counted.optimum, listed), counted.raw, counted.reachable_states)
