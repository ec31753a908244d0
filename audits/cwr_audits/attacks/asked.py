"""What an attack's task says: a world, its instances and the neighbours; and what a worker replies.

task   {"family", "instance", …, "submissions": [witness, alternate, …], "probes": […], "seeds": […], "corpus": folder}
reply  {"rows": [ROW, …], "accepted": [neighbour, …]}, and of the interpreter "said": {neighbour: verdict} instead
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from types import ModuleType
from typing import Any

from cwr_audits.attacks.answers import listed, normal_forms
from cwr_audits.attacks.edits import neighbours
from cwr_audits.attacks.encodings import Solve, attack
from cwr_audits.attacks.rows import Row, row_json
from cwr_audits.wire import Reply, Task, limits_of
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.world import World


def asked(task: Task) -> tuple[World, list[Any], dict[bytes, str]]:
    """The world, the showcase followed by the random instances, and {neighbour: kind of edit}."""
    world = WORLDS[task["family"]]
    sources = [task["instance"], *(world.generate(seed) for seed in task["seeds"])]
    instances = [world.read_instance(source) for source in sources]
    return world, instances, neighbours(world, instances[0], task["submissions"])


def reply(rows: Iterable[Row], accepted: Collection[bytes]) -> Reply:
    """The reply of a route."""
    return {"rows": [row_json(row) for row in rows], "accepted": [one.decode("utf-8") for one in sorted(accepted)]}


def missing(route: str, family: str) -> Reply:
    """The reply of a route that does not know the family."""
    return {"rows": [row_json(Row(route, "all rules", "missing", f"{family} is not in its table"))], "accepted": None}


def by_list(route: str, module: ModuleType, solve: Solve, task: Task) -> Reply:
    """The reply of a route that lists words: the neighbours in its list, and its mutants. Raises Undecided."""
    world, instances, found = asked(task)
    forms = normal_forms(world, instances[0], found)
    words = solve(module, instances[0], limits_of(task)).words
    return reply(attack(route, world, module, solve, instances), listed(forms, words))
