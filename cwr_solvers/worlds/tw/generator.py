"""Token workshop: random small instances in which every rule can bite.

Three to five places, two to four recipes with weights up to 3, read arcs (also of consumed places). A random walk in
the unbounded workshop gives the rest: caps, minima, bounds of the total and budgets that lie close around it (the two
budgets need not agree), and a goal that is its end, loosened at random. In about a third of the cases the goal is
moved, in a tenth a budget is cut; those may be infeasible.
Instances with too many words or states are rejected and drawn again (see cwr_solvers.sampling.first_small).
"""

from __future__ import annotations

from random import Random
from typing import Any

from cwr_solvers.jsontext import Json
from cwr_solvers.sampling import between, chance, digest, first_small, longest_walk, pick, some
from cwr_solvers.worlds.tw import interpreter
from cwr_solvers.worlds.tw.instance import FAMILY, Instance, read_instance

PLACES = ("tin", "ash", "oil", "rod", "cog")
RECIPES = ("press", "bake", "weld", "glaze")
MOST_ACTIONS = 5

Counts = dict[str, int]


def generate(seed: str) -> Json:
    """The JSON of the instance of a seed."""
    return first_small(seed, FAMILY, lambda draws: _draw(draws, digest(seed)[:8]), interpreter)


def _draw(draws: Random, code: str) -> tuple[Json, Instance]:
    places = some(draws, PLACES, between(draws, 3, 5))
    start = {place: pick(draws, (0, 0, 1, 2, 2, 3, 4)) for place in places}
    made: dict[str, Any] = {
        "family": FAMILY,
        "code": f"TW-{code}",
        "places": places,
        "initial": {place: number for place, number in start.items() if number},
        "recipes": [],
        "throughout": {},
        "goal": {},
        "budget": {"actions": MOST_ACTIONS, "cost": MOST_ACTIONS},
    }
    for _ in range(3):  # most recipes that do not run at all are drawn again
        made["recipes"] = _recipes(draws, places, start)
        states = longest_walk(interpreter, read_instance(made), draws, between(draws, 1, MOST_ACTIONS), 5)
        if len(states) > 1:
            break
    path = [dict(zip(places, state.counts, strict=True)) for state in states]
    made["throughout"] = _throughout(draws, path)
    made["goal"] = _goal(draws, path[0], path[0 if chance(draws, 12) else -1])
    made["budget"] = _budget(draws, len(path) - 1)
    return made, read_instance(made)


def _recipes(draws: Random, places: list[str], start: Counts) -> list[Json]:
    """Two to four recipes, each more often than not on tokens of the start or of an earlier recipe."""
    there = dict(start)
    made: list[Json] = []
    for name in some(draws, RECIPES, between(draws, 2, 4)):
        likely = [place for place in places if there[place]] if chance(draws, 85) else places
        consumed = some(draws, likely, pick(draws, (0, 1, 1, 1, 1, 2, 2)))
        read = some(draws, consumed if chance(draws, 40) else likely, pick(draws, (0, 0, 1, 1, 2)))
        produced = some(draws, places, pick(draws, (0, 1, 1, 1, 2, 2)))
        consume = {place: min(pick(draws, (1, 1, 2, 2, 3)), there[place] or 3) for place in consumed}
        produce = {place: pick(draws, (1, 1, 2, 2, 3)) for place in produced}
        there.update({place: there[place] + weight for place, weight in produce.items()})
        parts = {"consume": consume, "read": {place: pick(draws, (1, 1, 2)) for place in read}, "produce": produce}
        made.append(
            {"name": name, **{part: dict(found) for part, found in parts.items() if found or chance(draws, 50)}}
        )
    return made


def _throughout(draws: Random, path: list[Counts]) -> Json:
    """Bounds that a walk keeps, often with nothing to spare."""
    made: dict[str, Json] = {}
    places = {place: _range(draws, [counts[place] for counts in path], 40, 45) for place in path[0]}
    if ranges := {place: found for place, found in places.items() if found}:
        made["places"] = dict(ranges)
    if found := _range(draws, [sum(counts.values()) for counts in path], 45, 40):
        made["total"] = found
    return made


def _range(draws: Random, numbers: list[int], caps: int, minima: int) -> dict[str, Json]:
    made: dict[str, Json] = {}
    if chance(draws, minima):
        made["min"] = max(0, min(numbers) - pick(draws, (0, 0, 1)))
    if chance(draws, caps):
        made["max"] = max(numbers) + pick(draws, (0, 0, 1, 2))
    return made


def _goal(draws: Random, start: Counts, end: Counts) -> Json:
    """Exact or loosened counts of some places (one that changed among them), and sometimes of the total."""
    exact = chance(draws, 25)
    moved = between(draws, 1, 2) if chance(draws, 35) else 0
    changed = [place for place in end if end[place] != start[place]]
    target = dict(end)
    target[pick(draws, list(end))] += moved
    named = list(end) if exact else some(draws, list(end), between(draws, 0, len(end) - 1))
    places: dict[str, Json] = {place: _about(draws, target[place], exact) for place in named}
    for place in some(draws, changed, 1):
        places[place] = {"min": target[place], "max": target[place]}
    made: dict[str, Json] = {"places": places}
    if chance(draws, 25):
        made["total"] = _about(draws, sum(end.values()) + (moved if chance(draws, 50) else 0), exact)
    return made


def _about(draws: Random, number: int, exact: bool) -> Json:
    if exact or chance(draws, 20):
        return {"min": number, "max": number}
    if chance(draws, 50):
        return {"min": number}
    return {"min": max(0, number - 1), "max": number + between(draws, 0, 1)}


def _budget(draws: Random, length: int) -> Json:
    """Budgets around the length of a walk, of 2 to 5, half the time apart and at times too small."""
    least = length - 1 if chance(draws, 10) else length
    tight = min(MOST_ACTIONS, max(2, least + pick(draws, (0, 0, 1, 2))))
    loose = min(MOST_ACTIONS, tight + (between(draws, 1, 2) if chance(draws, 50) else 0))
    actions, cost = (tight, loose) if chance(draws, 50) else (loose, tight)
    return {"actions": actions, "cost": cost}
