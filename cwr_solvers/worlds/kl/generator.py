"""Keyed logistics: random small instances in which every rule can bite.

Two to four nodes, one to four objects (some held or consumed from the start), two to five edges of cost 0 to 2, with
and without keys, used up or only shown. The liveliest of some random walks gives the rest: budgets of actions,
traversals and cost that lie close around it (at times one too few), and a goal that is a part of its end. In half of
the cases something in the goal is changed, and it may be out of reach.
In a quarter of the cases two edges form a chain that uses up two keys, the second of them lying half-way, and a
delivery along the chain stands for the random walk.
Instances with too many words or states are rejected and drawn again (see cwr_solvers.sampling.first_small).
"""

from __future__ import annotations

from random import Random
from typing import Any

from cwr_solvers.jsontext import Json
from cwr_solvers.sampling import between, chance, digest, first_small, pick, some, walk
from cwr_solvers.world import Broken
from cwr_solvers.worlds.kl import interpreter
from cwr_solvers.worlds.kl.instance import CONSUMED, FAMILY, HELD, Instance, read_instance
from cwr_solvers.worlds.kl.interpreter import State

NODES = ("yard", "dock", "hill", "mill")
OBJECTS = ("crate", "brass", "iron", "lamp")
EDGES = ("path", "ford", "gate", "stair", "lift")
MOST_ACTIONS = 6
# The delivery along a chain: operations, and which object or which edge.
DELIVERY = (("pickup", 0), ("pickup", 1), ("move", 0), ("pickup", 2), ("move", 1), ("drop", 0))


def generate(seed: str) -> Json:
    """The JSON of the instance of a seed."""
    return first_small(seed, FAMILY, lambda draws: _draw(draws, digest(seed)[:8]), interpreter)


def _draw(draws: Random, code: str) -> tuple[Json, Instance]:
    chain = chance(draws, 25)
    nodes = some(draws, NODES, between(draws, 3 if chain else 2, 4))
    names = some(draws, OBJECTS, between(draws, 3 if chain else 1, 4))
    places = [_place(draws, nodes) for _ in names]
    edges = [_edge(draws, name, nodes, names) for name in some(draws, EDGES, between(draws, 2, 5))]
    if chain:
        places[:3] = nodes[0], nodes[0], nodes[1]
        for index in range(2):
            edges[index] |= {"from": nodes[index], "to": nodes[index + 1], "key": names[index + 1], "use": "consume"}
    made: dict[str, Any] = {
        "family": FAMILY,
        "code": f"KL-{code}",
        "nodes": some(draws, nodes, len(nodes)),
        "carrier": nodes[0],
        "objects": [{"name": name, "at": place} for name, place in zip(names, places, strict=True)],
        "edges": some(draws, edges, len(edges)),
        "capacity": places.count(HELD) + pick(draws, (2, 2, 3) if chain else (0, 1, 1, 1, 2, 2)),
        "costs": {"pickup": pick(draws, (0, 0, 0, 1)), "drop": pick(draws, (0, 0, 0, 1))},
        "goal": {},
        "budget": {"actions": 99, "traversals": 99, "cost": 999},
    }
    path = _path(draws, read_instance(made), [names, [str(edge["name"]) for edge in edges]] if chain else [])
    made["goal"] = _goal(draws, nodes, path[0], path[0 if chance(draws, 5) else -1], names)
    made["budget"] = _budget(draws, path[-1])
    return made, read_instance(made)


def _place(draws: Random, nodes: list[str]) -> str:
    """A location of an object, in two of five cases the first node."""
    return nodes[0] if chance(draws, 40) else pick(draws, (*nodes, *nodes, *nodes, HELD, CONSUMED))


def _edge(draws: Random, name: str, nodes: list[str], names: list[str]) -> dict[str, Json]:
    """An edge that starts at the carrier's node more often than not; one in ten leads back to where it starts."""
    source = nodes[0] if chance(draws, 40) else pick(draws, nodes)
    others = [node for node in nodes if node != source or chance(draws, 10)]
    edge: dict[str, Json] = {
        "name": name,
        "from": source,
        "to": pick(draws, others),
        "cost": pick(draws, (0, 1, 1, 1, 2)),
    }
    if chance(draws, 60):
        edge |= {"key": pick(draws, names), "use": pick(draws, ("consume", "consume", "keep"))}
    return edge


def _path(draws: Random, instance: Instance, chain: list[list[str]]) -> list[State]:
    """The states along a delivery, where there is a chain of (objects, edges), else along a random walk."""
    if not chain:
        most = between(draws, 1, MOST_ACTIONS)
        return max((walk(interpreter, instance, draws, most) for _ in range(8)), key=_liveliness)
    states = [interpreter.initial(instance)]
    for op, index in DELIVERY:
        after = interpreter.step(instance, states[-1], instance.action[op, chain[op == "move"][index]])
        if isinstance(after, Broken):
            raise ValueError(f"the delivery is not legal: {after.faults}")
        states.append(after)
    return states


def _liveliness(path: list[State]) -> int:
    """Traversals, and objects that are elsewhere at the end."""
    pairs = zip(path[0].locations, path[-1].locations, strict=True)
    return path[-1].traversals + sum(then != now for then, now in pairs)


def _goal(draws: Random, nodes: list[str], start: State, end: State, names: list[str]) -> Json:
    """A part of the end, something that changed in it; in half of the cases one location is not as there."""
    target = dict(zip(names, end.locations, strict=True))
    changed = [name for name, then in zip(names, start.locations, strict=True) if target[name] != then]
    wanted = some(draws, changed, between(draws, 1, 3)) or some(draws, names, between(draws, 0, 2))
    if wanted and chance(draws, 45 if changed or end.carrier != start.carrier else 85):
        target[pick(draws, wanted)] = _place(draws, nodes[::-1])
    goal: dict[str, Json] = {}
    if not wanted or chance(draws, 80 if end.carrier != start.carrier else 20):
        goal["carrier"] = end.carrier if chance(draws, 80) else pick(draws, nodes)
    if wanted:
        goal["locations"] = {name: target[name] for name in names if name in wanted}
    if chance(draws, 35):
        goal["most_held"] = end.locations.count(HELD) + pick(draws, (0, 0, 1))
    return goal


def _budget(draws: Random, end: State) -> Json:
    """Budgets around what a path spent; in three of ten cases one of them falls short by one."""
    spare = [pick(draws, (0, 0, 1, 1, 2)), pick(draws, (0, 0, 0, 1)), pick(draws, (0, 0, 0, 1))]
    if chance(draws, 30):
        spare[between(draws, 0, 2)] = -1
    spent = (end.steps, end.traversals, end.cost)
    actions, traversals, cost = (max(0, amount + more) for amount, more in zip(spent, spare, strict=True))
    return {"actions": actions, "traversals": traversals, "cost": cost}
