"""The SMT encoding of KL against answers worked out by hand, and against a player of the rule book written here.

Actions are written `+object`, `-object` and `edge`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from cwr_encodings.kl import smt
from cwr_encodings.smt_catalogue import SMT
from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.backends.smt import solve
from cwr_solvers.errors import Undecided
from cwr_solvers.worlds.kl.instance import read_instance

FIXTURES = Path(__file__).parents[2] / "fixtures" / "showcase-index.json"
JsonObject = dict[str, Any]
SIGNS = {"pickup": "+", "drop": "-", "move": ""}


def edge(text: str) -> JsonObject:
    """`name:from-to`, then as it likes `key=k`, `use=keep`, `cost=2`."""
    name, _, rest = text.partition(":")
    ends, *more = rest.split()
    source, _, target = ends.partition("-")
    parts: JsonObject = dict(one.split("=") for one in more)
    if "cost" in parts:
        parts["cost"] = int(parts["cost"])
    return {"name": name, "from": source, "to": target, **parts}


def delivery(objects: str, edges: tuple[str, ...] = (), goal: JsonObject | None = None, **rest: Any) -> JsonObject:
    """A task on the nodes P, Q, R from P on; objects as `name@location`. In `rest`: capacity, costs and the budgets."""
    return {
        "family": "KL",
        "code": "T",
        "nodes": ["P", "Q", "R"],
        "carrier": "P",
        "objects": [dict(zip(("name", "at"), one.split("@"), strict=True)) for one in objects.split()],
        "edges": [edge(text) for text in edges],
        "capacity": rest.get("capacity", 9),
        "costs": rest.get("costs", {}),
        "goal": goal or {},
        "budget": {name: rest.get(name, 9 if name != "actions" else 2) for name in ("actions", "traversals", "cost")},
    }


def ask(data: JsonObject, most_cost: int | None = None, words: int = 5000, seconds: float = 60) -> Answer:
    instance = read_instance(data)
    return solve(lambda model: SMT["KL"](model, instance, Claim(most_cost)), Limits(seconds, words))


def listed(answer: Answer) -> dict[str, int]:
    """The words with their actions joined by blanks."""
    words = {word: json.loads(word)["actions"] for word in answer.words}
    return {
        " ".join(SIGNS[action["op"]] + action["arg"] for action in words[word]): cost
        for word, cost in answer.words.items()
    }


@dataclass(frozen=True)
class Trip:
    """A state of the player below."""

    at: str
    where: dict[str, str]
    word: tuple[str, ...] = ()
    moves: int = 0
    cost: int = 0


def steps(data: JsonObject, trip: Trip) -> Iterator[Trip]:
    """The trip after each action whose preconditions hold."""
    held = [name for name, place in trip.where.items() if place == "held"]
    for name, place in trip.where.items():
        if place == trip.at and len(held) < data["capacity"]:
            yield done(trip, f"+{name}", data["costs"].get("pickup", 0), {name: "held"})
        if place == "held":
            yield done(trip, f"-{name}", data["costs"].get("drop", 0), {name: trip.at})
    for one in data["edges"]:
        key = one.get("key")
        if trip.at == one["from"] and (key is None or key in held):
            lost = {key: "consumed"} if key and one.get("use", "consume") == "consume" else {}
            moved = done(trip, one["name"], one.get("cost", 1), lost)
            yield replace(moved, at=one["to"], moves=trip.moves + 1)


def done(trip: Trip, word: str, cost: int, changed: dict[str, str]) -> Trip:
    return replace(trip, where={**trip.where, **changed}, word=(*trip.word, word), cost=trip.cost + cost)


def accepted(data: JsonObject, trip: Trip) -> bool:
    goal = data["goal"]
    held = sum(place == "held" for place in trip.where.values())
    return (
        goal.get("carrier", trip.at) == trip.at
        and all(trip.where[name] == place for name, place in goal.get("locations", {}).items())
        and held <= goal.get("most_held", held)
    )


def play(data: JsonObject, trip: Trip) -> Iterator[Trip]:
    """Every accepted submission that begins with this trip."""
    if accepted(data, trip):
        yield trip
    budget = data["budget"]
    for after in steps(data, trip):
        if (
            len(after.word) <= budget["actions"]
            and after.moves <= budget["traversals"]
            and after.cost <= budget["cost"]
        ):
            yield from play(data, after)


def played(data: JsonObject) -> dict[str, int]:
    start = Trip(data["carrier"], {one["name"]: one["at"] for one in data["objects"]})
    return {" ".join(trip.word): trip.cost for trip in play(data, start)}


def drawn(seed: int) -> JsonObject:
    """A random task with up to three objects and up to four edges; budgets are set apart."""
    draw = random.Random(f"kl {seed}")
    places = ["P", "P", "P", "Q", "held", "consumed"]
    names = "xyz"[: draw.randint(0, 3)]
    objects = {name: draw.choice(places) for name in names}
    edges = []
    for number in range(draw.randint(2, 4)):
        parts = [f"e{number}:{draw.choice('PPQR')}-{draw.choice('PQR')}", f"cost={draw.randint(0, 2)}"]
        parts += [f"key={draw.choice(names)}"] if names and draw.random() < 0.45 else []
        edges.append(" ".join([*parts, draw.choice(("use=keep", "use=consume"))]))
    goal: JsonObject = {"locations": {name: draw.choice(places) for name in names if draw.random() < 0.2}}
    goal |= {"carrier": draw.choice("PQR")} if draw.random() < 0.3 else {}
    goal |= {"most_held": draw.randint(0, 1)} if draw.random() < 0.3 else {}
    held = sum(place == "held" for place in objects.values())
    return delivery(
        " ".join(f"{name}@{place}" for name, place in objects.items()),
        tuple(edges),
        goal,
        capacity=held + draw.choice((0, 1, 1, 2)),
        costs={"pickup": draw.randint(0, 1), "drop": draw.randint(0, 1)},
        actions=draw.randint(3, 5),
        traversals=draw.randint(1, 5),
        cost=draw.randint(2, 8),
    )


THERE = ("go:P-Q",)
BACK = ("go:P-Q", "back:Q-P")
LOCKED = ("go:P-Q key=k",)
KEPT = ("go:P-Q key=k use=keep", "back:Q-P key=k use=keep")
AT_Q = {"carrier": "Q"}

# name: (task, the words by hand)
BY_HAND: dict[str, tuple[JsonObject, dict[str, int]]] = {
    "nothing to do": (delivery(""), {"": 0}),
    "no way": (delivery("", (), AT_Q), {}),
    "no actions": (delivery("x@P", THERE, actions=0), {"": 0}),
    "up and down": (delivery("x@P"), {"": 0, "+x": 0, "+x -x": 0}),
    "elsewhere": (delivery("x@Q", actions=1), {"": 0}),
    "consumed for good": (delivery("x@consumed"), {"": 0}),
    "held from the start": (delivery("x@held", actions=1), {"": 0, "-x": 0}),
    "no hands": (delivery("x@P", capacity=0, actions=1), {"": 0}),
    "one hand": (
        delivery("x@P y@P", (), {"locations": {"y": "held"}}, capacity=1, actions=3),
        {"+y": 0, "+y -y +y": 0, "+x -x +y": 0},
    ),
    "free edge": (delivery("", THERE, AT_Q), {"go": 1}),
    "there and back": (delivery("", BACK, {"carrier": "P"}), {"": 0, "go back": 2}),
    "carried": (delivery("x@P", THERE, {"locations": {"x": "Q"}}, actions=3), {"+x go -x": 1}),
    "locked": (delivery("k@P", LOCKED, AT_Q), {"+k go": 1}),
    "key elsewhere": (delivery("k@R", LOCKED, AT_Q), {}),
    "used up": (
        delivery("k@held", ("go:P-Q key=k", "on:Q-R key=k"), {"locations": {"k": "consumed"}}),
        {"go": 1},
    ),
    "kept": (delivery("k@held", KEPT, {"carrier": "P"}), {"": 0, "-k": 0, "go back": 2, "-k +k": 0}),
    "a loop uses its key up": (delivery("k@held", ("in:P-P key=k",), {"locations": {"k": "consumed"}}), {"in": 1}),
    "parallel edges": (delivery("", ("a:P-Q", "b:P-Q cost=3"), AT_Q), {"a": 1, "b": 3}),
    "few actions": (delivery("", BACK, actions=1), {"": 0, "go": 1}),
    "few traversals": (delivery("x@Q", BACK, actions=2, traversals=1), {"": 0, "go": 1, "go +x": 1}),
    "small cost": (
        delivery("", ("in:P-P cost=2", "free:P-P cost=0"), cost=3),
        {"": 0, "in": 2, "free": 0, "in free": 2, "free in": 2, "free free": 0},
    ),
    "hands cost": (delivery("x@P", costs={"pickup": 2, "drop": 3}), {"": 0, "+x": 2, "+x -x": 5}),
    "nothing in hand": (delivery("x@held", (), {"most_held": 0}), {"-x": 0}),
    "one in hand": (delivery("x@held y@held", (), {"most_held": 1}, actions=1), {"-x": 0, "-y": 0}),
    "huge": (delivery("", ("go:P-Q cost=1000000",), AT_Q, cost=2**53, traversals=10_000), {"go": 1_000_000}),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    data, words = BY_HAND[name]
    answer = ask(data)
    assert listed(answer) == words
    assert answer.optimum == min(words.values(), default=None)


# rule: (an instance that gains words when that rule alone is not posted, these words)
BITES = {
    "R1": ("elsewhere", {"+x": 0}),
    "R2": ("no hands", {"+x": 0}),
    "R3": ("up and down", {"-x": 0, "-x +x": 0, "-x -x": 0, "+x -x": 0}),
    "R4": ("free edge", {"go go": 2}),
    "R5": ("key elsewhere", {"go": 1}),
    "R6": ("few actions", {"go back": 2}),  # the table has one place more than the budget
    "R7": ("few traversals", {"go back": 2}),
    "R8": ("small cost", {"in in": 4}),
    "G": ("nothing in hand", {"": 0, "-x +x": 0}),
}


@pytest.mark.parametrize("rule", BITES)
def test_no_rule_is_idle(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, more = BITES[rule]
    data, words = BY_HAND[name]
    monkeypatch.setitem(smt.RULES, rule, lambda *_: None)
    assert listed(ask(data)) == words | more


def test_every_rule_has_its_name() -> None:
    assert set(BITES) == set(smt.RULES)
    assert all(rule.lower() == post.__name__.partition("_")[0] for rule, post in smt.RULES.items())


@pytest.mark.parametrize("seed", range(30))
def test_random_deliveries(seed: int) -> None:
    data = drawn(seed)
    expected = played(data)
    answer = ask(data)
    assert listed(answer) == expected
    assert answer.optimum == min(expected.values(), default=None)


def test_random_deliveries_are_not_all_alike() -> None:
    found = [played(data) for data in map(drawn, range(30))]
    assert sum(not words for words in found) >= 4
    assert sum(len(words) > 10 for words in found) >= 4
    assert len({cost for words in found for cost in words.values()}) >= 5


@pytest.mark.parametrize(("most", "words"), [(-1, 0), (0, 1), (1, 1), (2, 2), (5, 3), (99, 3)])
def test_a_claim_bounds_the_cost(most: int, words: int) -> None:
    assert len(ask(BY_HAND["hands cost"][0], most).words) == words


def test_too_many_words_are_no_answer() -> None:
    with pytest.raises(Undecided) as caught:
        ask(BY_HAND["up and down"][0], words=2)
    assert caught.value.reason == "words"


def test_a_long_table_heeds_the_clock() -> None:
    with pytest.raises(Undecided) as caught:
        ask(delivery("x@P", BACK, actions=10_000), seconds=0.2)
    assert caught.value.reason == "time"


def test_the_showcase_has_two_words() -> None:
    """Parcel and first key are picked up in either order; with two hands, nothing else can change places."""
    (data,) = (one["instance"] for one in json.loads(FIXTURES.read_bytes())["worlds"] if one["code"] == "KL-001")
    answer = ask(data)
    rest = "D-H +k2 H-V -parcel"
    assert listed(answer) == {f"+parcel +k1 {rest}": 2, f"+k1 +parcel {rest}": 2}
    assert answer.optimum == 2
