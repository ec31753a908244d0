"""Instances whose accepted submissions are counted by hand, because they are too many to list."""

from __future__ import annotations

from typing import Any

from cwr_solvers.jsontext import Json


def idle_workshop(actions: int, recipes: int = 2) -> Json:
    """TW: recipes that change nothing and any end will do, so every row of at most `actions` actions is accepted."""
    made: list[Json] = [{"name": f"r{number}", "read": {"a": 1}} for number in range(recipes)]
    budget: Json = {"actions": actions, "cost": actions}
    rest: dict[str, Json] = {"places": ["a"], "initial": {"a": 1}, "throughout": {}, "goal": {}}
    return {"family": "TW", "code": "TW-IDLE", "recipes": made, "budget": budget, **rest}


def workshop(actions: int) -> Json:
    """TW: three widgets out of six ores, with ways back, so that states come again and many ends are dead."""
    recipes: list[Json] = [
        {"name": "smelt", "consume": {"ore": 1}, "produce": {"blank": 1}},
        {"name": "coat", "consume": {"blank": 1}, "read": {"flux": 1}, "produce": {"plate": 1}},
        {"name": "rivet", "consume": {"plate": 1, "blank": 1}, "produce": {"widget": 1}},
        {"name": "recast", "consume": {"blank": 1}, "produce": {"ore": 1}},
        {"name": "strip", "consume": {"plate": 1}, "produce": {"blank": 1}},
    ]
    return {
        "family": "TW",
        "code": "TW-LARGE",
        "places": ["ore", "flux", "blank", "plate", "widget"],
        "initial": {"ore": 6, "flux": 1},
        "recipes": recipes,
        "throughout": {"places": {"blank": {"max": 2}, "plate": {"max": 2}}, "total": {"max": 10}},
        "goal": {"places": {"widget": {"min": 3}}},
        "budget": {"actions": actions, "cost": actions},
    }


def assembly(types: int, each: int, parts: int = 6) -> Json:
    """PA: of each type so many output ports and as many input ports, all output ports to be connected.

    No cycle is possible, so (each!) ** types sets of connections are accepted, each in (types * each)! orders.
    There are 2 * parts components.
    """
    sources: list[dict[str, Any]] = [{"name": f"s{n}", "outputs": {}} for n in range(parts)]
    sinks: list[dict[str, Any]] = [{"name": f"t{n}", "inputs": {}} for n in range(parts)]
    goal: list[Json] = []
    for number in range(types * each):
        kind, place = divmod(number, each)
        sources[number % parts]["outputs"][f"p{kind}{place}"] = f"w{kind}"
        sinks[(number + place) % parts]["inputs"][f"p{kind}{place}"] = f"w{kind}"
        goal.append(f"s{number % parts}.p{kind}{place}")
    budget: Json = {"connections": types * each, "cost": types * each}
    wanted: Json = {"connected": goal, "paths": []}
    return {"family": "PA", "code": "PA-LARGE", "components": [*sources, *sinks], "goal": wanted, "budget": budget}
