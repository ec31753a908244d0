"""Typed-port assembly: random small instances in which every rule can bite.

Three to five components with up to two inputs and two outputs of two types; at times two of them are built alike, some
ports are twins, and one component is forbidden. The liveliest of some random walks gives the rest: budgets that lie
close around it (the two need not agree, at times one is too small), and a goal that is a part of its end. In some of
the cases a port or a pair is added to the goal, and it may be out of reach.
In three of ten cases the first components are a splitter, two components of different kinds and a join, with a spare,
and their assembly stands for the random walk.
Instances with too many words or states are rejected and drawn again (see cwr_solvers.sampling.first_small).
"""

from __future__ import annotations

from random import Random
from typing import Any

from cwr_solvers.jsontext import Json
from cwr_solvers.sampling import between, chance, digest, first_small, pick, some
from cwr_solvers.world import Broken
from cwr_solvers.worlds.pa import interpreter
from cwr_solvers.worlds.pa.instance import FAMILY, Connection, Instance, exchanges, read_instance
from cwr_solvers.worlds.pa.interpreter import State

NAMES = ("pump", "valve", "Tank", "filter", "gauge", "boiler")
TYPES = ("water", "steam")
INPUTS = ("a", "b")
OUTPUTS = ("x", "y")
MOST_CONNECTIONS = 4

Component = dict[str, Any]


def generate(seed: str) -> Json:
    """The JSON of the instance of a seed."""
    return first_small(seed, FAMILY, lambda draws: _draw(draws, digest(seed)[:8]), interpreter)


def _draw(draws: Random, code: str) -> tuple[Json, Instance]:
    planted = chance(draws, 30)
    names = some(draws, NAMES, between(draws, 5, 6) if planted else between(draws, 3, 5))
    parts = _diamond(draws, names) if planted else [_component(draws, name) for name in names]
    alike = [] if planted or chance(draws, 60) else [_pair(parts)]
    made: dict[str, Any] = {
        "family": FAMILY,
        "code": f"PA-{code}",
        "components": some(draws, parts, len(parts)),
        "twins": [twins for part in parts for twins in _twins(draws, part, alike)],
        "alike": alike,
        "goal": {"connected": [], "paths": []},
        "budget": {"connections": 99, "cost": 99},
    }
    single = [name for name in names[4 if planted else 0 :] if not any(name in group for group in alike)]
    if chance(draws, 35):
        made["forbidden"] = some(draws, single, 1)
    wide = read_instance(made)
    path = _diamond_path(wide, names) if planted else _path(draws, wide)
    made["goal"] = _goal(draws, wide, path[0 if chance(draws, 8) else -1], 5 if planted else 2)
    made["budget"] = _budget(draws, len(path) - 1)
    if planted or chance(draws, 40):
        made["roles"] = _roles(draws, names, single, planted)
    return made, read_instance(made)


def _component(draws: Random, name: str) -> Component:
    """A component with one to four ports, mostly of the first type."""
    sides = {}
    for side, ports in (("inputs", INPUTS), ("outputs", OUTPUTS)):
        number = pick(draws, (0, 1, 1, 1, 2, 2))
        sides[side] = {port: TYPES[0 if chance(draws, 70) else 1] for port in ports[:number]}
    if not sides["inputs"] and not sides["outputs"]:
        sides["outputs"] = {"x": TYPES[0]}
    return {"name": name, **{side: ports for side, ports in sides.items() if ports or chance(draws, 50)}}


def _pair(parts: list[Component]) -> list[str]:
    """Make the last two components alike."""
    first, second = parts[-2:]
    for side in ("inputs", "outputs"):
        second[side] = dict(first.get(side, {}))
    first["kind"] = second["kind"] = "cell"
    return [first["name"], second["name"]]


def _twins(draws: Random, part: Component, alike: list[list[str]]) -> list[list[str]]:
    """Groups of ports of one direction and type; alike components have the same ones by all having theirs."""
    found = []
    for side in ("inputs", "outputs"):
        ports: dict[str, str] = part.get(side, {})
        equal = len(ports) == 2 and len(set(ports.values())) == 1
        if equal and (chance(draws, 60) or any(part["name"] in group for group in alike)):
            found.append([f"{part['name']}.{port}" for port in ports])
    return found


def _diamond(draws: Random, names: list[str]) -> list[Component]:
    """A splitter, two branches of different kinds, a join, a spare that fits, and possibly one component more."""
    first, second = pick(draws, TYPES), pick(draws, TYPES)
    splitter: Component = {"name": names[0], "outputs": {"x": first, "y": first}}
    branches = [{"name": name, "inputs": {"a": first}, "outputs": {"x": second}} for name in names[1:3]]
    join = {"name": names[3], "inputs": {"a": second, "b": second}}
    spare = {"name": names[4], **pick(draws, ({"inputs": {"a": first}}, {"outputs": {"x": second}}))}
    return [splitter, *branches, join, spare, *(_component(draws, name) for name in names[5:])]


def _diamond_path(instance: Instance, names: list[str]) -> list[State]:
    """The states along the assembly of a diamond."""
    splitter, one, other, join = names[:4]
    links = [(f"{splitter}.x", f"{one}.a"), (f"{splitter}.y", f"{other}.a")]
    links += [(f"{one}.x", f"{join}.a"), (f"{other}.x", f"{join}.b")]
    states = [interpreter.initial(instance)]
    for link in links:
        after = interpreter.step(instance, states[-1], link)
        if isinstance(after, Broken):
            raise ValueError(f"the assembly is not legal: {after.faults}")
        states.append(after)
    return states


def _path(draws: Random, instance: Instance) -> list[State]:
    """The states along the longest of some random legal walks."""
    return max((_walk(draws, instance, between(draws, 1, MOST_CONNECTIONS)) for _ in range(3)), key=len)


def _walk(draws: Random, instance: Instance, most: int) -> list[State]:
    states = [interpreter.initial(instance)]
    for _ in range(most):
        legal = list(interpreter.expand(instance, states[-1]))
        if not legal:
            break
        states.append(pick(draws, legal))
    return states


def _goal(draws: Random, instance: Instance, end: State, most: int) -> Json:
    """Some ports and up to `most` paths of an end, at times one more of either, and what exchanges make of them."""
    used = [name for name in instance.port if name in end.used]
    parts = [component.name for component in instance.components]
    pairs = [(a, b) for a in parts for b in parts if interpreter.leads(instance, end, a, b)]
    ports = some(draws, used, between(draws, 0, 3))
    paths = some(draws, pairs, between(draws, 0 if ports else 1, most))
    if chance(draws, 55):
        if chance(draws, 50):
            ports.append(pick(draws, [name for name in instance.port if name not in ports] or ports))
        else:
            paths.append((pick(draws, parts), pick(draws, parts)))
    ports, paths = _closed(instance, dict.fromkeys(ports), dict.fromkeys(paths))
    written: list[Json] = [{"from": source, "to": target} for source, target in paths]
    return {"connected": list(ports), "paths": written}


def _closed(
    instance: Instance, ports: dict[str, None], pairs: dict[Connection, None]
) -> tuple[list[str], list[Connection]]:
    """Ports and pairs of components, with all that exchanges make of them."""
    for _ in instance.port:  # a group of n needs n−1 rounds
        for new in exchanges(instance):
            renamed = {instance.port[a].component: instance.port[b].component for a, b in new.items()}
            ports |= dict.fromkeys([new.get(name, name) for name in ports])
            pairs |= dict.fromkeys([(renamed.get(a, a), renamed.get(b, b)) for a, b in pairs])
    return list(ports), list(pairs)


def _budget(draws: Random, length: int) -> Json:
    """Budgets around the length of a path, in most cases apart and at times too small."""
    least = length - 1 if chance(draws, 15) else length
    tight = max(1, least + pick(draws, (0, 0, 0, 1)))
    loose = tight + pick(draws, (0, 1, 1, 2))
    connections, cost = (tight, loose) if chance(draws, 50) else (loose, tight)
    return {"connections": connections, "cost": cost}


def _roles(draws: Random, names: list[str], single: list[str], planted: bool) -> Json:
    """The roles of a diamond, or any components that are not alike to another one."""
    if planted:
        return {"splitters": [names[0]], "sink": names[3], "spares": [names[4]]}
    roles: dict[str, Json] = {}
    for role in ("splitters", "spares"):
        if chance(draws, 70):
            roles[role] = list(some(draws, single, between(draws, 0, 2)))
    if single and chance(draws, 70):
        roles["sink"] = pick(draws, single)
    return roles
