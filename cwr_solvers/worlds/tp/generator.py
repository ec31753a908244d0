"""Finite typed pipeline: random small instances in which every rule can bite.

Two to four types of one to three values, two to four operations with partial tables and up to three outputs (or none),
one to three initial values (some alike). A random walk gives the rest: budgets, a live limit and a number of fresh ids
that lie close around it (at times too few), and a goal that is what it leaves alive, or a part of that where leftovers
are allowed. In about a quarter of the cases a value of the goal is changed, and it may be out of reach.
Instances with too many words or states are rejected and drawn again (see cwr_solvers.sampling.first_small).
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

from cwr_solvers.jsontext import Json
from cwr_solvers.sampling import between, chance, digest, first_small, longest_walk, pick, some
from cwr_solvers.worlds.tp import interpreter
from cwr_solvers.worlds.tp.instance import FAMILY, Instance, Typed, Value, read_instance, write_typed
from cwr_solvers.worlds.tp.interpreter import State

TYPES = ("Clay", "Brick", "Arch", "Dome")
OPERATIONS = ("mould", "stack", "split", "turn")
STARTS = ("raw", "ore", "in")
IDS = ("w", "b", "k", "a", "z", "f", "c")
VALUES: tuple[Value, ...] = ((0,), (1,), (2,), (0, 0), (0, 1), (1, 0), (-1, 7))
MOST_STEPS = 4

Types = dict[str, list[Value]]


def generate(seed: str) -> Json:
    """The JSON of the instance of a seed."""
    return first_small(seed, FAMILY, lambda draws: _draw(draws, digest(seed)[:8]), interpreter)


def _draw(draws: Random, code: str) -> tuple[Json, Instance]:
    types = {name: some(draws, VALUES, between(draws, 1, 3)) for name in some(draws, TYPES, between(draws, 2, 4))}
    start = _start(draws, types)
    ids = some(draws, IDS, len(IDS))
    made: dict[str, Any] = {
        "family": FAMILY,
        "code": f"TP-{code}",
        "types": {name: [list(value) for value in alphabet] for name, alphabet in types.items()},
        "operations": _operations(draws, types, start),
        "initial": {name: write_typed(typed) for name, typed in start.items()},
        "ids": list(ids),
        "goal": {"values": [], "leftovers": "allowed"},
        "budget": {"live": len(start) + 3, "steps": MOST_STEPS, "cost": MOST_STEPS},
    }
    states = longest_walk(interpreter, read_instance(made), draws, between(draws, 1, MOST_STEPS), 5)
    made["goal"] = _goal(draws, _values(states[0]), _values(states[0 if chance(draws, 5) else -1]), types)
    used = len(states[-1].allocated) - len(start)
    made["ids"] = ids[: max(1, used + pick(draws, (-1, 0, 0, 1, 1, 2)))]
    made["budget"] = _budget(draws, len(states) - 1, max(len(state.live) for state in states))
    return made, read_instance(made)


def _values(state: State) -> list[Typed]:
    return [typed for _, typed in state.live]


def _start(draws: Random, types: Types) -> dict[str, Typed]:
    """One to three initial values; in two fifths of the cases all are alike."""
    names = some(draws, STARTS, between(draws, 1, 3))
    first = _typed(draws, types)
    alike = chance(draws, 40)
    return {name: first if not index or alike else _typed(draws, types) for index, name in enumerate(names)}


def _typed(draws: Random, types: Types) -> Typed:
    name = pick(draws, list(types))
    return name, pick(draws, types[name])


def _operations(draws: Random, types: Types, start: dict[str, Typed]) -> list[Json]:
    """Two to four operations, mostly on values of the start or of earlier rows; a third of the rows is missing."""
    there = list(start.values())
    made: list[Json] = []
    for name in some(draws, OPERATIONS, between(draws, 2, 4)):
        likely = some(draws, there, pick(draws, (0, 1, 1, 1, 1, 1, 2, 2, 2, 2)))
        inputs = [type_ if chance(draws, 90) else pick(draws, list(types)) for type_, _ in likely]
        outputs = [pick(draws, list(types)) for _ in range(pick(draws, (0, 1, 1, 1, 1, 2, 2, 3)))]
        table: list[Json] = []
        for given in product(*(types[type_] for type_ in inputs)):
            if given == tuple(value for _, value in likely) or chance(draws, 62):
                row = [pick(draws, types[type_]) for type_ in outputs]
                there += zip(outputs, row, strict=True)
                table.append({"in": [list(value) for value in given], "out": [list(value) for value in row]})
        columns: dict[str, Json] = {"inputs": list(inputs), "outputs": list(outputs)}
        made.append({"name": name, **columns, "table": table})
    return made


def _goal(draws: Random, start: list[Typed], live: list[Typed], types: Types) -> Json:
    """What lives at the end, or a part of it, preferably one that is new."""
    allowed = chance(draws, 50)
    new = [typed for typed in live if typed not in start]
    wanted = some(draws, new or live, between(draws, 1, len(live))) if allowed and live else list(live)
    if chance(draws, 25):
        wanted = [*wanted[1:], _typed(draws, types)]
    values: list[Json] = [write_typed(typed) for typed in wanted]
    return {"values": values, "leftovers": "allowed" if allowed else "forbidden"}


def _budget(draws: Random, length: int, live: int) -> Json:
    """Budgets around the length of a walk, of 1 to 5, half the time apart and at times too small."""
    least = length - 1 if chance(draws, 10) else length
    tight = min(MOST_STEPS, max(1, least + pick(draws, (0, 0, 1, 2))))
    loose = tight + (1 if chance(draws, 50) else 0)
    steps, cost = (tight, loose) if chance(draws, 50) else (loose, tight)
    return {"live": live + pick(draws, (0, 0, 0, 1)), "steps": steps, "cost": cost}
