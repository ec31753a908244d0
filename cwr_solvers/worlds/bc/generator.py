"""Boolean circuit: random small instances in which every rule can bite.

Two or three pins (at times one), one to three operators with random tables, symmetric ones twice as often as they would
fall, of cost 0 to 3, or all alike. A random walk gives the rest: budgets that lie close around it (at times one is too
small), and a goal, which is its last gate, and in a quarter of the cases another signal as a second output. In three of
ten cases a bit of the goal is changed, and it may be out of reach; in one of twenty the goal is a pin.
Instances with too many words or states are rejected and drawn again (see cwr_solvers.sampling.first_small).
"""

from __future__ import annotations

from random import Random
from typing import Any

from cwr_solvers.jsontext import Json
from cwr_solvers.sampling import between, chance, digest, first_small, pick, some, walk
from cwr_solvers.worlds.bc import interpreter
from cwr_solvers.worlds.bc.instance import FAMILY, Instance, read_instance
from cwr_solvers.worlds.bc.interpreter import State

PINS = ("x", "p", "m", "k")
OPERATORS = ("TIE", "FAR", "KIN", "NOD", "OFF")
OUTPUTS = ("sum", "carry", "flag")
TABLES = tuple((a, b, c, d) for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 1))
MOST_GATES = 4


def generate(seed: str) -> Json:
    """The JSON of the instance of a seed."""
    return first_small(seed, FAMILY, lambda draws: _draw(draws, digest(seed)[:8]), interpreter)


def _draw(draws: Random, code: str) -> tuple[Json, Instance]:
    operators = _operators(draws)
    made: dict[str, Any] = {
        "family": FAMILY,
        "code": f"BC-{code}",
        "pins": list(some(draws, PINS, pick(draws, (1, 2, 2, 3, 3, 3, 3)))),
        "operators": operators,
        "goal": {"output": []},
        "budget": {"gates": MOST_GATES, "cost": 99},
    }
    if chance(draws, 50):
        made["motif"] = [pick(draws, operators)["name"] for _ in range(4)]
    made["goal"]["output"] = [0] * 2 ** len(made["pins"])
    instance = read_instance(made)
    states = walk(interpreter, instance, draws, between(draws, 1, MOST_GATES))
    made["goal"] = _goal(draws, instance, states[-1])
    made["budget"] = _budget(draws, states)
    return made, read_instance(made)


def _operators(draws: Random) -> list[dict[str, Any]]:
    """One to three operators; in half of the cases all cost 1."""
    alike = chance(draws, 50)
    made: list[dict[str, Any]] = []
    for name in some(draws, OPERATORS, pick(draws, (1, 2, 2, 3))):
        tables = [table for table in TABLES if table[1] == table[2]] if chance(draws, 33) else TABLES
        made.append({"name": name, "table": list(pick(draws, tables))})
        if not alike:
            made[-1]["cost"] = pick(draws, (0, 1, 1, 2, 3))
    return made


def _goal(draws: Random, instance: Instance, end: State) -> Json:
    """The vector of the last gate, in a quarter of the cases with that of another signal; at times a bit is changed."""
    written: Any = interpreter.write_state(instance, end)
    vectors = [list(vector) for vector in written["signals"].values()]
    wanted = [list(vectors[0] if chance(draws, 5) else vectors[-1])]
    if chance(draws, 25):
        wanted.append(list(pick(draws, vectors)))
    if chance(draws, 30):
        changed = pick(draws, wanted)
        row = int(draws.random() * len(changed))
        changed[row] = 1 - changed[row]
    if len(wanted) == 1 and chance(draws, 90):
        return {"output": [*wanted[0]]}
    names = some(draws, OUTPUTS, len(wanted))
    return {"outputs": {name: [*vector] for name, vector in zip(names, wanted, strict=True)}}


def _budget(draws: Random, states: list[State]) -> Json:
    """Budgets around the length and the cost of a walk, at times apart and at times too small."""
    gates = max(1, len(states) - 1 + pick(draws, (0, 0, 0, 1, 1, -1)))
    return {"gates": min(MOST_GATES, gates), "cost": max(0, states[-1].cost + pick(draws, (0, 0, 0, 1, 2, -1)))}
