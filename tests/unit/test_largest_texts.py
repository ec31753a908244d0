"""The largest submissions are graded, and wide instances read, in about a second: nothing grows with the square.

Processor time is measured, and the bounds are several times what is needed, so that a busy machine fails no test; what
is quadratic or worse took minutes here.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise
from time import process_time
from typing import Any, TypeAlias

import pytest

from cwr_solvers.catalogue import WORLDS, showcase
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import grade
from cwr_solvers.jsontext import SUBMISSION_BYTES, Json, canonical

MOST_SECONDS = 6


def tw() -> tuple[Json, Json]:
    value = {
        "family": "TW",
        "code": "X",
        "places": ["a", "b"],
        "initial": {"a": 1},
        "recipes": [{"name": "r", "consume": {"a": 1}, "produce": {"a": 1}}],
        "throughout": {},
        "goal": {},
        "budget": {"actions": 10_000, "cost": 10_000},
    }
    return value, {"actions": ["r"] * 10_000}


def ps() -> tuple[Json, Json]:
    one: Any = showcase("PS-001").instance
    operation = {"name": "r", "when": [], "then": {"ack": 0}}
    value = {**one, "code": "X", "operations": [operation], "goal": [], "budget": {"actions": 10_000, "cost": 10_000}}
    value.pop("resource", None)
    return value, {"actions": ["r"] * 10_000}


def kl() -> tuple[Json, Json]:
    value = {
        "family": "KL",
        "code": "X",
        "nodes": ["N"],
        "carrier": "N",
        "objects": [{"name": f"o{number}", "at": "N"} for number in range(1000)],
        "edges": [{"name": "e", "from": "N", "to": "N"}],
        "capacity": 1,
        "goal": {},
        "budget": {"actions": 10_000, "traversals": 10_000, "cost": 10_000},
    }
    actions = [{"op": op, "arg": f"o{number % 1000}"} for number in range(880) for op in ("pickup", "drop")]
    return value, {"actions": actions}


def tp() -> tuple[Json, Json]:
    """One step that makes thousands of values, beside thousands that are there."""
    many = 7500
    names = [f"v{number}" for number in range(many)]
    boom = {"name": "b", "inputs": [], "outputs": ["T"] * many, "table": [{"in": [], "out": [[0]] * many}]}
    value = {
        "family": "TP",
        "code": "X",
        "types": {"T": [[0]]},
        "operations": [boom],
        "initial": {f"i{number}": {"type": "T", "value": [0]} for number in range(20_000)},
        "ids": names,
        "goal": {"values": [], "leftovers": "allowed"},
        "budget": {"live": 30_000, "steps": 1, "cost": 1},
    }
    return value, {"steps": [{"op": "b", "args": [], "out": names}]}


def pa() -> tuple[Json, Json]:
    """A chain of all components that an instance may have, many times side by side."""
    names = [f"{number:x}" for number in range(256)]
    ports = {f"{number}": "t" for number in range(8)}
    value = {
        "family": "PA",
        "code": "X",
        "components": [
            {
                "name": name,
                "inputs": {f"i{port}": "t" for port in ports},
                "outputs": {f"o{port}": "t" for port in ports},
            }
            for name in names
        ],
        "goal": {"connected": [], "paths": []},
        "budget": {"connections": 10_000, "cost": 10_000},
    }
    pairs = [(a, b, port) for port in ports for a, b in pairwise(names)]
    connections = [{"from": f"{a}.o{port}", "to": f"{b}.i{port}"} for a, b, port in pairs]
    return value, {"connections": connections[:1800]}


def ft() -> tuple[Json, Json]:
    value = {
        "family": "FT",
        "code": "X",
        "board": {"width": 60, "height": 60, "holes": []},
        "pieces": [{"name": "A", "count": 3600, "cells": [{"x": 0, "y": 0}]}],
        "goal": {"pieces": "any"},
        "budget": {"placements": 10_000, "cost": 10_000},
    }
    return value, {"placements": [{"piece": "A", "x": number % 60, "y": number // 60} for number in range(2200)]}


def co() -> tuple[Json, Json]:
    pairs = list(combinations(range(1, 25), 2))[:250]
    names = [f"{'😀' * 60}{number:04d}" for number in range(len(pairs))]
    tokens = [f"t{number}" for number in range(24)]
    value: Json = {
        "family": "CO",
        "code": "X",
        "reference": [*tokens],
        "broken": [*tokens],
        "cards": [{"label": name, "swap": [*pair]} for name, pair in zip(names, pairs, strict=True)],
        "budget": {"cards": len(pairs)},
    }
    return value, {"cards": [*names]}


Made: TypeAlias = Callable[[], tuple[Json, Json]]
LARGEST: dict[str, Made] = {"TW": tw, "PS": ps, "KL": kl, "TP": tp, "PA": pa, "FT": ft, "CO": co}


@pytest.mark.parametrize("family", LARGEST)
def test_the_largest_submissions_are_graded_in_seconds(family: str) -> None:
    value, submission = LARGEST[family]()
    world = WORLDS[family]
    instance = world.read_instance(value)
    data = canonical(submission)
    assert SUBMISSION_BYTES // 2 < len(data) <= SUBMISSION_BYTES
    started = process_time()
    verdict = grade(world, instance, data)
    assert process_time() - started < MOST_SECONDS
    assert verdict.status in ("accepted", "rejected"), verdict


def test_names_that_are_not_fresh_are_found_in_seconds() -> None:
    """A step with thousands of names, half of which are allocated: what is fresh is listed."""
    value, _ = tp()
    instance = WORLDS["TP"].read_instance(value)
    names: list[Json] = [*(f"v{number}" for number in range(3750)), *(f"i{number}" for number in range(3750))]
    data = canonical({"steps": [{"op": "b", "args": [], "out": names}]})
    started = process_time()
    assert grade(WORLDS["TP"], instance, data).codes == ("R6",)
    assert process_time() - started < MOST_SECONDS


def wide_tw() -> Json:
    names = [f"p{number}" for number in range(30_000)]
    all_of_them: Json = dict.fromkeys(names, 1)
    bounds: Json = {"places": {name: {"min": 0, "max": 9} for name in names}}
    value, _ = tw()
    assert isinstance(value, dict)
    return {**value, "places": list(names), "initial": all_of_them, "recipes": [], "throughout": bounds, "goal": bounds}


def wide_kl() -> Json:
    nodes: list[Json] = [f"n{number}" for number in range(30_000)]
    edges: list[Json] = [{"name": f"e{node}", "from": node, "to": nodes[-1]} for node in nodes]
    value, _ = kl()
    assert isinstance(value, dict)
    return {**value, "nodes": nodes, "carrier": "n0", "objects": [], "edges": edges}


def wide_pa() -> Json:
    value, _ = pa()
    assert isinstance(value, dict)
    outputs: Json = {f"o{number}": "t" for number in range(30_000)}
    listed: list[Json] = [f"A.o{number}" for number in range(30_000)]
    return {**value, "components": [{"name": "A", "outputs": outputs}], "goal": {"connected": listed, "paths": []}}


WIDE: dict[str, Callable[[], Json]] = {"TW": wide_tw, "KL": wide_kl, "PA": wide_pa}


@pytest.mark.parametrize("family", WIDE)
def test_wide_instances_are_read_in_seconds(family: str) -> None:
    value = WIDE[family]()
    started = process_time()
    WORLDS[family].read_instance(value)
    assert process_time() - started < MOST_SECONDS


def test_an_assembly_of_too_many_components_is_malformed() -> None:
    value, _ = pa()
    assert isinstance(value, dict)
    value["components"] = [{"name": f"c{number}"} for number in range(257)]
    with pytest.raises(MalformedInput, match="at most 256 components"):
        WORLDS["PA"].read_instance(value)
