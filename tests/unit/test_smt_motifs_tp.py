"""The motif of TP in the SMT encoding, against a predicate written here from the rule book."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
import z3
from smt_motif_checks import (
    check_labels,
    check_moves,
    check_mutants,
    check_partition,
    expected,
    labels,
    showcase,
    words,
)

from cwr_encodings.tp import smt
from cwr_solvers.backends.smt import Model
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.worlds.tp.instance import Instance

Steps = list[dict[str, Any]]


def predicate(instance: Instance, word: Any) -> dict[str, bool]:
    """main, by following every value from its step on."""
    steps = word["steps"]
    content = {name: value for name, (_, value) in instance.initial.items()}
    for step in steps:
        made = instance.operation[step["op"]].table[tuple(content[name] for name in step["args"])]
        content.update(zip(step["out"], made, strict=True))
    found = False
    for step in steps:
        for x in step["out"]:
            for end, altered in ends(steps, content, x):
                j = taker(steps, end)
                waiting = set(steps[j]["args"]) & (set(step["out"]) - {x}) if j is not None else set()
                found |= altered and bool(waiting) and j is not None and followed(steps, j)
    return {"main": found}


def taker(steps: Steps, value: str) -> int | None:
    return next((number for number, step in enumerate(steps) if value in step["args"]), None)


def ends(steps: Steps, content: dict[str, Any], value: str, altered: bool = False) -> list[tuple[str, bool]]:
    """Where paths of at least one step from a value end, and whether they changed it."""
    step = taker(steps, value)
    found = []
    for after in [] if step is None else steps[step]["out"]:
        now = altered or content[after] != content[value]
        found += [(after, now), *ends(steps, content, after, now)]
    return found


def followed(steps: Steps, j: int) -> bool:
    """(d) of the rule book."""
    after = {number for value in steps[j]["out"] if (number := taker(steps, value)) is not None}
    return len(after) == 1 and all(taker(steps, value) is None for number in after for value in steps[number]["out"])


# Every value is 0 or 1, all of one type; what each operation makes of what it takes.
WAYS: dict[str, Callable[..., tuple[int, ...]]] = {
    "split": lambda a: (a, a),
    "keep": lambda a: (a,),
    "turn": lambda a: (1 - a,),
    "join": lambda a, b: (a & b,),
    "pair": lambda a, b: (a, b),
    "seal": lambda a: (a,),
    "gone": lambda _: (),
}
TAKES = {"join": 2, "pair": 2}


def pipeline(operations: str, most: int, *, initial: str = "i", live: int = 4, goal: bool = False) -> dict[str, Any]:
    """Some of the operations above, values that are there at first, and any goal."""
    rows = {1: [(0,), (1,)], 2: [(0, 0), (0, 1), (1, 0), (1, 1)]}
    return {
        "family": "TP",
        "code": "T",
        "types": {"bit": [[0], [1]]},
        "operations": [
            {
                "name": name,
                "inputs": ["bit"] * TAKES.get(name, 1),
                "outputs": ["bit"] * len(WAYS[name](*rows[TAKES.get(name, 1)][0])),
                "table": [
                    {"in": [[bit] for bit in row], "out": [[bit] for bit in WAYS[name](*row)]}
                    for row in rows[TAKES.get(name, 1)]
                ],
            }
            for name in operations.split()
        ],
        "initial": {name: {"type": "bit", "value": [1]} for name in initial},
        "ids": [f"v{number}" for number in range(2 * most)],
        "goal": {
            "values": [{"type": "bit", "value": [0]}] if goal else [],
            "leftovers": "forbidden" if goal else "allowed",
        },
        "budget": {"live": live, "steps": most, "cost": most},
    }


# name: (steps as "operation arguments > outputs", how many values are there at first, whether the motif holds)
BY_HAND = {
    "changed and joined": ("split i > v0 v1, turn v0 > v2, join v1 v2 > v3, seal v3 > v4", "i", True),
    "joined the other way": ("split i > v0 v1, turn v1 > v2, join v2 v0 > v3, seal v3 > v4", "i", True),
    "not changed": ("split i > v0 v1, keep v0 > v2, join v1 v2 > v3, seal v3 > v4", "i", False),
    "changed, then kept": ("split i > v0 v1, turn v0 > v2, keep v2 > v3, join v1 v3 > v4, seal v4 > v5", "i", True),
    "changed and back": ("split i > v0 v1, turn v0 > v2, turn v2 > v3, join v1 v3 > v4, seal v4 > v5", "i", True),
    "no path": ("split i > v0 v1, join v0 v1 > v2, seal v2 > v3", "i", False),
    "both went on": ("split i > v0 v1, turn v0 > v2, turn v1 > v3, join v2 v3 > v4, seal v4 > v5", "i", False),
    "nothing follows": ("split i > v0 v1, turn v0 > v2, join v1 v2 > v3", "i", False),
    "two follow": ("split i > v0 v1, turn v0 > v2, join v1 v2 > v3, keep v3 > v4, seal v4 > v5", "i", False),
    "two follow side by side": (
        "split i > v0 v1, turn v0 > v2, pair v1 v2 > v3 v4, keep v3 > v5, seal v4 > v6",
        "i",
        False,
    ),
    "one takes both": ("split i > v0 v1, turn v0 > v2, pair v1 v2 > v3 v4, join v3 v4 > v5", "i", True),
    "what follows makes nothing": ("split i > v0 v1, turn v0 > v2, join v1 v2 > v3, gone v3 >", "i", True),
    "no split": ("turn i > v0, join v0 k > v1, seal v1 > v2", "ik", False),
    # The path changes the value within a step that takes a second one.
    "by way of a join": ("split i > v0 v1, turn k > v2, join v0 v2 > v3, join v1 v3 > v4, seal v4 > v5", "ik", True),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    text, initial, holds = BY_HAND[name]
    steps = []
    for one in text.split(", "):
        op, *rest = one.split()
        steps.append({"op": op, "args": rest[: rest.index(">")], "out": rest[rest.index(">") + 1 :]})
    operations = " ".join(sorted({step["op"] for step in steps}))
    instance = pipeline(operations, len(steps), initial=initial)
    asked = {"required": tuple(steps)}
    assert [json.loads(word) for word in words("TP", instance, **asked)] == [{"steps": steps}]
    assert len(words("TP", instance, having=("main",), **asked)) == holds
    assert len(words("TP", instance, lacking=("main",), **asked)) == 1 - holds


SMALL = pipeline("split turn join", 4, live=2)


@pytest.mark.parametrize("instance", [showcase("TP"), SMALL], ids=["showcase", "small"])
def test_words_with_and_without(instance: Any) -> None:
    check_partition("TP", instance, predicate)


@pytest.mark.parametrize("seed", range(16))
def test_random_pipelines(seed: int) -> None:
    check_labels("TP", smt, WORLDS["TP"].generate(f"smt {seed}"), predicate)


def near(seed: int) -> Any:
    """Few operations and values, so that a split, a change and a join are a large share of the words."""
    stream = random.Random(f"near {seed}")
    operations = [
        "split",
        stream.choice(("join", "pair")),
        "turn",
        *stream.sample(["keep", "gone"], stream.randint(0, 1)),
    ]
    stream.shuffle(operations)
    return pipeline(" ".join(operations), 4, live=2, goal=stream.random() < 0.3)


@pytest.mark.parametrize("seed", range(6))
def test_pipelines_near_the_motif(seed: int) -> None:
    check_labels("TP", smt, near(seed), predicate)


def test_small_has_it_and_lacks_it() -> None:
    assert {motifs["main"] for motifs in expected("TP", SMALL, predicate).values()} == {True, False}


@pytest.mark.parametrize("seed", range(2))
def test_requested_moves(seed: int) -> None:
    check_moves("TP", pipeline("split turn join", 3, live=2), f"moves {seed}")


def test_steps_that_no_word_has() -> None:
    """Names that a word would give to other values, lists of other lengths, and ids beyond what any word names."""
    instance = pipeline("split turn", 1)
    step = {"op": "split", "args": ["i"], "out": ["v0", "v1"]}
    assert len(words("TP", instance, required=(step,))) == 1
    for other in ({"out": ["v1", "v0"]}, {"out": ["v0"]}, {"args": ["i", "i", "i"]}, {"out": ["v0", "v1", "v0"]}):
        assert words("TP", instance, required=({**step, **other},)) == {}
        assert len(words("TP", instance, forbidden=({**step, **other},))) == 3
    more = {**pipeline("turn", 1), "ids": ["v0", "v1", "v2"]}
    assert words("TP", more, required=({"op": "turn", "args": ["v1"], "out": ["v2"]},)) == {}


def test_mutants() -> None:
    check_mutants("TP", smt, "main", SMALL, predicate)


def everything(model: Model, flow: Any, *_: Any) -> list[z3.BitVecRef]:
    return [z3.BitVecVal(-1, len(flow.ids), model.context)] * len(flow.ids)


# a part of the motif: what it says instead
PARTS: dict[str, Callable[..., Any]] = {
    "_one_follows": lambda model, *_: z3.BoolVal(True, model.context),
    "_changed": everything,
}


@pytest.mark.parametrize("part", PARTS)
def test_no_part_is_idle(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = expected("TP", SMALL, predicate)
    monkeypatch.setattr(smt, part, PARTS[part])
    assert labels("TP", smt, SMALL) != right
