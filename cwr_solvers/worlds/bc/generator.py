"""Boolean circuit: random small instances in which every rule can bite.

Two or three pins (at times one), one to three operators with random tables, symmetric ones more often than they would
fall, of cost 0 to 3, or all alike. A random walk gives the rest: budgets that lie close around it (at times one is too
small), and a goal, which is its last gate (of several walks the one with the rarest is taken), and in a quarter of the
cases another signal as a second output. In three of ten cases a bit of the goal is changed, and it may be out of reach;
in one of twenty the goal is a pin.
Instances with too many accepted submissions or states are rejected and drawn again, with a walk of the same length, or
hardly an instance would have four gates; for the same reason the last layer of states is left out of account.
"""

from __future__ import annotations

from collections import Counter
from itertools import count
from random import Random
from typing import Any

from cwr_solvers.jsontext import Json
from cwr_solvers.sampling import chance, digest, pick, some, stream, walk
from cwr_solvers.worlds.bc import counting, interpreter
from cwr_solvers.worlds.bc.instance import FAMILY, Instance, read_instance
from cwr_solvers.worlds.bc.interpreter import State

PINS = ("x", "p", "m", "k")
OPERATORS = ("TIE", "FAR", "KIN", "NOD", "OFF")
OUTPUTS = ("sum", "carry", "flag")
TABLES = tuple((a, b, c, d) for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 1))
LENGTHS = (1, 2, 2, 3, 3, 4, 4)  # of the walk
MOST_GATES = 4
MOST_ACCEPTED = 700
MOST_STATES = 600


def generate(seed: str) -> Json:
    """The JSON of the instance of a seed."""
    length = pick(stream(seed, FAMILY, "length"), LENGTHS)
    for attempt in count():
        made, instance = _draw(stream(seed, FAMILY, str(attempt)), digest(seed)[:8], length)
        if _small(instance):
            return made
    raise AssertionError("count() has no end")


def _small(instance: Instance) -> bool:
    """Whether at most MOST_ACCEPTED submissions are accepted, and at most MOST_STATES states come before the last."""
    accepted = states = 0
    layer = [(interpreter.initial(instance), 1)]
    while layer:
        following: dict[Any, tuple[State, int]] = {}
        for state, paths in layer:
            ends = counting.finish(instance, state)
            accepted += paths * (counting.accepting(instance, state) if ends is None else sum(ends.values()))
            for after, ways in (counting.expand(instance, state) if ends is None else {}).items():
                key = interpreter.key(instance, after)
                following[key] = (after, paths * ways + (following[key][1] if key in following else 0))
        states += len(following)
        if accepted > MOST_ACCEPTED or states > MOST_STATES:
            return False
        layer = list(following.values())
    return True


def _draw(draws: Random, code: str, length: int) -> tuple[Json, Instance]:
    operators = _operators(draws, pick(draws, (1, 2) if length == MOST_GATES else (1, 2, 2, 3)))
    made: dict[str, Any] = {
        "family": FAMILY,
        "code": f"BC-{code}",
        "pins": list(some(draws, PINS, pick(draws, (1, 2, 2, 2, 3, 3, 3, 3, 3, 3)))),
        "operators": operators,
        "goal": {"output": []},
        "budget": {"gates": MOST_GATES, "cost": 99},
    }
    if chance(draws, 50):
        made["motif"] = [pick(draws, operators)["name"] for _ in range(4)]
    made["goal"]["output"] = [0] * 2 ** len(made["pins"])
    instance = read_instance(made)
    states = _rarest([walk(interpreter, instance, draws, length) for _ in range(15)])
    made["goal"] = _goal(draws, instance, states[-1])
    made["budget"] = _budget(draws, states)
    return made, read_instance(made)


def _rarest(walks: list[list[State]]) -> list[State]:
    """The walk whose last vector occurs in the fewest of them (the first of these): it likely needs all its gates."""
    seen = Counter(vector for states in walks for vector in set(states[-1].vectors))
    return min(walks, key=lambda states: seen[states[-1].vectors[-1]])


def _operators(draws: Random, number: int) -> list[dict[str, Any]]:
    """So many operators; in half of the cases all cost 1."""
    alike = chance(draws, 50)
    made: list[dict[str, Any]] = []
    for name in some(draws, OPERATORS, number):
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
