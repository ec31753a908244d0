"""Instances as large as pictures must bear, each with a legal submission: made here, so that no file holds them."""

from __future__ import annotations

from random import Random
from typing import Any

from cwr_solvers.catalogue import WORLDS
from cwr_solvers.grading import run
from cwr_solvers.world import Broken, Submission

Case = tuple[str, Any, Submission[Any]]


def assembly(components: int) -> Case:
    """PA: every component may feed two later ones; a random legal walk wires them."""
    kinds = ["power", "signal", "water"]
    draws = Random(components)
    parts = [
        {
            "name": f"unit{number}",
            "inputs": {f"i{port}": draws.choice(kinds) for port in range(2)},
            "outputs": {f"o{port}": draws.choice(kinds) for port in range(2)},
        }
        for number in range(components)
    ]
    goal = {"connected": [], "paths": []}
    source = {"family": "PA", "code": "PA-L", "components": parts, "forbidden": ["unit3"], "twins": [], "goal": goal}
    budget = {"connections": 2 * components, "cost": 2 * components}
    roles = {"splitters": ["unit0"], "sink": "unit1", "spares": ["unit3"]}
    return walked("PA", {**source, "roles": roles, "budget": budget}, 2 * components)


def workshop(actions: int) -> Case:
    """TW: a cycle of three places and long names."""
    places = ["ore", "a-very-long-name-of-a-place-in-a-workshop", "blank"]
    recipes = [
        {"name": f"recipe-from-{a}"[:30], "consume": {a: 1}, "read": {}, "produce": {b: 1}}
        for a, b in zip(places, [*places[1:], places[0]], strict=True)
    ]
    source = {"family": "TW", "code": "TW-L", "places": places, "initial": {"ore": 12}, "recipes": recipes}
    bounds: dict[str, Any] = {"places": {}, "total": {}}
    rest = {"throughout": bounds, "goal": bounds, "budget": {"actions": actions, "cost": actions}}
    return walked("TW", {**source, **rest}, actions)


def project(jobs: int) -> Case:
    """RS: jobs in chains on three resources, each started as soon as the one before it has ended."""
    draws = Random(jobs)
    names = [f"job-{number}" for number in range(jobs)]
    listed, starts = [], {}
    for number, name in enumerate(names):
        duration = draws.randint(0, 6)
        after = [names[number - 1]] if number % 5 else []
        demand = {resource: draws.randint(0, 1) for resource in ("crew", "machine", "bay")}
        listed.append({"name": name, "duration": duration, "demand": demand, "after": after})
        starts[name] = starts[names[number - 1]] + listed[number - 1]["duration"] if after else 0
    resources = dict.fromkeys(("crew", "machine", "bay"), 12)
    source = {"family": "RS", "code": "RS-L", "resources": resources, "jobs": listed, "deadline": 400}
    instance = WORLDS["RS"].read_instance(source)
    return "RS", instance, WORLDS["RS"].read_submission(instance, {"starts": starts})


def circuit(gates: int) -> Case:
    """BC: a random circuit of four pins."""
    draws = Random(gates)
    operators = [
        {"name": name, "table": table, "cost": 1}
        for name, table in (
            ("AND", [0, 0, 0, 1]),
            ("NOR", [1, 0, 0, 0]),
            ("LESS", [0, 1, 0, 0]),
            ("XNOR", [1, 0, 0, 1]),
        )
    ]
    goal = {"outputs": {"carry": [0, 1] * 8, "sum": [0] * 16}}
    source = {"family": "BC", "code": "BC-L", "pins": ["a", "b", "c", "d"], "operators": operators, "goal": goal}
    instance = WORLDS["BC"].read_instance({**source, "budget": {"gates": gates, "cost": gates}})
    signals, made = ["a", "b", "c", "d"], []
    for number in range(gates):
        inputs = [draws.choice(signals), draws.choice(signals[-6:])]
        made.append({"id": f"g{number}", "op": draws.choice(operators)["name"], "inputs": inputs})
        signals.append(f"g{number}")
    text = {"gates": made, "outputs": {"carry": signals[-1], "sum": signals[5]}}
    return "BC", instance, WORLDS["BC"].read_submission(instance, text)


def delivery(nodes: int) -> Case:
    """KL: a ring of nodes with chords, keys and a random walk."""
    names = [f"place{number}" for number in range(nodes)]
    pairs = [(number, (number + step) % nodes) for number in range(nodes) for step in (1, 4)]
    edges = [
        {"name": f"e{a}-{b}", "from": names[a], "to": names[b], "cost": 1 + a % 2, **({} if a % 3 else lock(a))}
        for a, b in pairs
    ]
    objects = [{"name": f"key{number}", "at": names[number % nodes]} for number in range(0, nodes, 3)]
    source = {"family": "KL", "code": "KL-L", "nodes": names, "carrier": names[0], "objects": objects, "edges": edges}
    goal = {"carrier": names[-1], "locations": {"key0": names[1]}}
    budget = {"actions": 24, "traversals": 24, "cost": 99}
    return walked("KL", {**source, "capacity": 3, "goal": goal, "budget": budget}, 24)


def loop(tokens: int) -> Case:
    """CO: a large loop with long names, the mirror image of the reference, and two in five of all cards."""
    names = [f"token-of-many-letters-{number}" for number in range(tokens)]
    pairs = [(first, second) for first in range(1, tokens) for second in range(first + 1, tokens + 1)]
    cards = [{"label": f"card{n}", "swap": list(pair)} for n, pair in enumerate(pairs) if n % 5 < 2]
    source = {"family": "CO", "code": "CO-L", "reference": names, "broken": names[::-1], "cards": cards}
    return walked("CO", {**source, "budget": {"cards": 12}}, 12)


def lock(number: int) -> dict[str, str]:
    return {"key": f"key{number}", "use": "keep"}


def walked(family: str, source: Any, most: int) -> Case:
    """A random legal walk of at most so many moves."""
    world, draws = WORLDS[family], Random(most)
    instance = world.read_instance(source)
    state, made = world.initial(instance), []
    for _ in range(most):
        options = list(world.moves(instance, state))
        draws.shuffle(options)
        after = next((one for one in options if not isinstance(world.step(instance, state, one), Broken)), None)
        if after is None:
            break
        state = world.step(instance, state, after)
        made.append(after)
    return family, instance, Submission(tuple(made))


def cases() -> list[Case]:
    """All large instances, each with a submission whose steps are all legal."""
    found = [assembly(20), workshop(24), project(50), circuit(24), delivery(9), loop(24)]
    assert all(run(WORLDS[family], instance, one).first_illegal_step is None for family, instance, one in found)
    return found
