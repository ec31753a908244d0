"""What the instance readers of TW, TP and RS refuse, each with code and pointer, and that key order means nothing."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from cwr_solvers.catalogue import WORLDS, showcases
from cwr_solvers.errors import MalformedInput
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, canonical, parse

SOURCES: dict[str, Any] = {one.family: one.instance for one in showcases()}
DELETE = object()

# family, path to a part (keys and indices), what stands there instead, code, pointer
REFUSED: list[tuple[str, tuple[str | int, ...], Any, str, str]] = [
    *((family, (), [], "wrong-type", "") for family in SOURCES),
    *((family, (), None, "wrong-type", "") for family in SOURCES),
    *((family, ("note",), "", "unknown-key", "/note") for family in SOURCES),
    *((family, ("code",), DELETE, "missing-key", "/code") for family in SOURCES),
    *((family, ("code",), 1, "wrong-type", "/code") for family in SOURCES),
    *((family, ("code",), "a b", "domain", "/code") for family in SOURCES),
    *((family, ("code",), "", "domain", "/code") for family in SOURCES),
    *((family, ("family",), "XX", "unknown-name", "/family") for family in SOURCES),
    *((family, ("family",), None, "wrong-type", "/family") for family in SOURCES),
    ("TW", ("family",), "TP", "unknown-name", "/family"),
    ("TW", ("places",), {}, "wrong-type", "/places"),
    ("TW", ("places", 1), "ore", "contradiction", "/places"),
    ("TW", ("places", 0), "an ore", "domain", "/places/0"),
    ("TW", ("places", 0), 7, "wrong-type", "/places/0"),
    ("TW", ("initial", "gold"), 1, "unknown-name", "/initial/gold"),
    ("TW", ("initial", "ore"), -1, "out-of-range", "/initial/ore"),
    ("TW", ("initial", "ore"), True, "wrong-type", "/initial/ore"),
    ("TW", ("initial", "ore"), 7, "contradiction", "/initial"),
    ("TW", ("initial", "catalyst"), 0, "contradiction", "/initial/catalyst"),
    ("TW", ("initial", "widget"), 2, "contradiction", "/initial/widget"),
    ("TW", ("recipes", 1, "name"), "smelt", "contradiction", "/recipes"),
    ("TW", ("recipes", 0, "name"), DELETE, "missing-key", "/recipes/0/name"),
    ("TW", ("recipes", 0, "cost"), 1, "unknown-key", "/recipes/0/cost"),
    ("TW", ("recipes", 0, "consume", "ore"), 0, "out-of-range", "/recipes/0/consume/ore"),
    ("TW", ("recipes", 0, "produce", "gold"), 1, "unknown-name", "/recipes/0/produce/gold"),
    ("TW", ("recipes", 2, "read"), [], "wrong-type", "/recipes/2/read"),
    ("TW", ("throughout", "places", "gold"), {}, "unknown-name", "/throughout/places/gold"),
    ("TW", ("throughout", "places", "widget", "most"), 1, "unknown-key", "/throughout/places/widget/most"),
    ("TW", ("throughout", "total", "max"), 3, "contradiction", "/initial"),
    ("TW", ("throughout", "total", "min"), 7, "out-of-range", "/throughout/total/max"),
    ("TW", ("throughout", "total", "min"), -1, "out-of-range", "/throughout/total/min"),
    ("TW", ("goal", "places", "ore", "min"), 1, "out-of-range", "/goal/places/ore/max"),
    ("TW", ("goal", "steps"), 1, "unknown-key", "/goal/steps"),
    ("TW", ("budget", "actions"), DELETE, "missing-key", "/budget/actions"),
    ("TW", ("budget", "actions"), -1, "out-of-range", "/budget/actions"),
    ("TW", ("budget", "cost"), 10_001, "out-of-range", "/budget/cost"),
    ("TW", ("budget", "steps"), 1, "unknown-key", "/budget/steps"),
    ("TP", ("types", "Raw"), {}, "wrong-type", "/types/Raw"),
    ("TP", ("types", "Raw", 1), [0, 0], "contradiction", "/types/Raw"),
    ("TP", ("types", "Raw", 0), 0, "wrong-type", "/types/Raw/0"),
    ("TP", ("types", "Raw", 0, 1), "0", "wrong-type", "/types/Raw/0/1"),
    ("TP", ("types", "R w"), [], "domain", "/types/R w"),
    ("TP", ("operations", 1, "name"), "decode", "contradiction", "/operations"),
    ("TP", ("operations", 0, "inputs", 0), "Row", "unknown-name", "/operations/0/inputs/0"),
    ("TP", ("operations", 0, "outputs"), "Raw", "wrong-type", "/operations/0/outputs"),
    ("TP", ("operations", 0, "table", 1, "in"), [[0, 0]], "contradiction", "/operations/0/table/1"),
    ("TP", ("operations", 0, "table", 0, "in"), [], "out-of-range", "/operations/0/table/0/in"),
    ("TP", ("operations", 0, "table", 0, "in", 0), [0], "domain", "/operations/0/table/0/in/0"),
    ("TP", ("operations", 0, "table", 0, "out"), [[0]], "out-of-range", "/operations/0/table/0/out"),
    ("TP", ("operations", 0, "table", 0, "out", 1), [2], "domain", "/operations/0/table/0/out/1"),
    ("TP", ("operations", 0, "table", 0, "cost"), 1, "unknown-key", "/operations/0/table/0/cost"),
    ("TP", ("initial", "input", "type"), "Row", "unknown-name", "/initial/input/type"),
    ("TP", ("initial", "input", "value"), [0, 2], "domain", "/initial/input/value"),
    ("TP", ("initial", "in put"), {"type": "Raw", "value": [0, 1]}, "domain", "/initial/in put"),
    ("TP", ("ids", 0), "input", "contradiction", "/ids"),
    ("TP", ("ids", 1), "v0", "contradiction", "/ids"),
    ("TP", ("ids", 1), "", "domain", "/ids/1"),
    ("TP", ("goal", "values", 0, "value"), [1], "domain", "/goal/values/0/value"),
    ("TP", ("goal", "leftovers"), "some", "unknown-name", "/goal/leftovers"),
    ("TP", ("goal", "leftovers"), True, "wrong-type", "/goal/leftovers"),
    ("TP", ("budget", "live"), 0, "out-of-range", "/budget/live"),
    ("TP", ("budget", "steps"), 10_001, "out-of-range", "/budget/steps"),
    ("TP", ("budget", "cost"), DELETE, "missing-key", "/budget/cost"),
    ("RS", ("resources",), [], "wrong-type", "/resources"),
    ("RS", ("resources", "crew"), -1, "out-of-range", "/resources/crew"),
    ("RS", ("resources", "cr ew"), 1, "domain", "/resources/cr ew"),
    ("RS", ("jobs",), {}, "wrong-type", "/jobs"),
    ("RS", ("jobs", 1, "name"), "A", "contradiction", "/jobs"),
    ("RS", ("jobs", 0, "duration"), -1, "out-of-range", "/jobs/0/duration"),
    ("RS", ("jobs", 0, "duration"), DELETE, "missing-key", "/jobs/0/duration"),
    ("RS", ("jobs", 0, "demand", "tool"), 1, "unknown-name", "/jobs/0/demand/tool"),
    ("RS", ("jobs", 0, "demand", "crew"), 1_000_001, "out-of-range", "/jobs/0/demand/crew"),
    ("RS", ("jobs", 2, "after"), ["A", "A"], "contradiction", "/jobs/2/after"),
    ("RS", ("jobs", 2, "after"), ["A", "Z"], "unknown-name", "/jobs/2/after/1"),
    ("RS", ("jobs", 0, "after"), ["A"], "contradiction", "/jobs"),
    ("RS", ("jobs", 0, "after"), ["E"], "contradiction", "/jobs"),
    ("RS", ("jobs", 0, "start"), 0, "unknown-key", "/jobs/0/start"),
    ("RS", ("deadline",), -1, "out-of-range", "/deadline"),
    ("RS", ("deadline",), None, "wrong-type", "/deadline"),
]


def changed(source: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """A copy of a JSON value with one part replaced, added or deleted."""
    if not path:
        return value
    made = copy.deepcopy(source)
    part = made
    for key in path[:-1]:
        part = part[key]
    if value is DELETE:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return made


@pytest.mark.parametrize(("family", "path", "value", "code", "where"), REFUSED, ids=range(len(REFUSED)))
def test_refusal(family: str, path: tuple[str | int, ...], value: Any, code: str, where: str) -> None:
    with pytest.raises(MalformedInput) as caught:
        WORLDS[family].read_instance(changed(SOURCES[family], path, value))
    assert (caught.value.code, caught.value.pointer) == (code, where)
    assert "\n" not in str(caught.value)


# Unlikely instances that are instances all the same.
ACCEPTED: list[tuple[str, tuple[str | int, ...], Any]] = [
    ("TW", ("recipes",), []),
    ("TW", ("recipes", 0), {"name": "idle"}),
    ("TW", ("goal",), {}),
    ("TW", ("throughout",), {}),
    ("TW", ("budget",), {"actions": 0, "cost": 0}),
    ("TW", ("initial", "ore"), 0),
    ("TP", ("operations",), []),
    ("TP", ("operations", 0, "table"), []),
    ("TP", ("operations", 0), {"name": "make", "inputs": [], "outputs": [], "table": [{"in": [], "out": []}]}),
    ("TP", ("ids",), []),
    ("TP", ("goal", "values"), []),
    ("TP", ("budget",), {"live": 1, "steps": 0, "cost": 0}),
    ("RS", ("jobs",), []),
    ("RS", ("deadline",), 0),
    ("RS", ("resources", "crew"), 0),
    ("RS", ("jobs", 0, "duration"), 0),
    ("RS", ("jobs", 0, "demand"), {"crew": 9}),
]


@pytest.mark.parametrize(("family", "path", "value"), ACCEPTED, ids=range(len(ACCEPTED)))
def test_acceptance(family: str, path: tuple[str | int, ...], value: Any) -> None:
    world = WORLDS[family]
    written = world.write_instance(world.read_instance(changed(SOURCES[family], path, value)))
    assert canonical(world.write_instance(world.read_instance(written))) == canonical(written)


def shuffled(value: Any, draws: random.Random) -> Any:
    """The same JSON value with the keys of every object in another order."""
    if isinstance(value, dict):
        keys = list(value)
        draws.shuffle(keys)
        return {key: shuffled(value[key], draws) for key in keys}
    return [shuffled(item, draws) for item in value] if isinstance(value, list) else value


def sources(family: str) -> list[Any]:
    return [SOURCES[family], *(WORLDS[family].generate(f"keys-{number}") for number in range(4))]


@pytest.mark.parametrize("family", sorted(SOURCES))
def test_key_order_means_nothing(family: str) -> None:
    world = WORLDS[family]
    moved = 0
    for number, source in enumerate(sources(family)):
        instance = world.read_instance(source)
        for turn in range(5):
            other = shuffled(source, random.Random(number * 5 + turn))
            moved += json.dumps(other) != json.dumps(source)
            again = world.read_instance(other)
            assert again == instance
            assert json.dumps(world.write_instance(again)) == json.dumps(world.write_instance(instance))
    assert moved > 20


@pytest.mark.parametrize("family", sorted(SOURCES))
def test_writing_and_reading_are_inverse(family: str) -> None:
    world = WORLDS[family]
    for source in sources(family):
        instance = world.read_instance(source)
        text = canonical(world.write_instance(instance))
        assert world.read_instance(parse(text, INSTANCE_BYTES, INSTANCE_DEPTH)) == instance
