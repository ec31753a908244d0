"""The SMT encoding of PS against answers worked out by hand, and against a player of the rule book written here."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cwr_encodings.ps import smt
from cwr_encodings.smt_catalogue import SMT
from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.backends.smt import solve
from cwr_solvers.errors import Undecided
from cwr_solvers.worlds.ps.instance import read_instance

FIXTURES = Path(__file__).parents[2] / "fixtures" / "showcase-index.json"
JsonObject = dict[str, Any]


def literal(text: str) -> JsonObject:
    """`a=1` or `a!1`; a value of digits is a number unless it is quoted, as in `a='1'`."""
    sign = "=" if "=" in text else "!"
    field, _, value = text.partition(sign)
    return {"field": field, "is" if sign == "=" else "not": read_value(value)}


def read_value(text: str) -> int | str:
    return int(text) if text.isdigit() else text.strip("'")


def protocol(
    fields: JsonObject, operations: JsonObject, invariants: tuple[str, ...] = (), goal: str = "", **budget: int
) -> JsonObject:
    """A protocol. Fields: name → values, the first one initial. Operations: name → "literals > assignments"."""
    return {
        "family": "PS",
        "code": "T",
        "fields": [{"name": name, "values": values, "initial": values[0]} for name, values in fields.items()],
        "operations": [
            {
                "name": name,
                "when": [literal(one) for one in text.partition(">")[0].split()],
                "then": {
                    field: read_value(value)
                    for field, _, value in (one.partition("=") for one in text.partition(">")[2].split())
                },
            }
            for name, text in operations.items()
        ],
        "invariants": [[literal(one) for one in clause.split()] for clause in invariants],
        "goal": [literal(one) for one in goal.split()],
        "budget": {"actions": budget.get("actions", 2), "cost": budget.get("cost", 2)},
    }


def ask(data: JsonObject, most_cost: int | None = None, words: int = 5000, seconds: float = 60) -> Answer:
    instance = read_instance(data)
    return solve(lambda model: SMT["PS"](model, instance, Claim(most_cost)), Limits(seconds, words))


def listed(answer: Answer) -> dict[str, int]:
    """The words with their actions joined by blanks."""
    return {" ".join(json.loads(word)["actions"]): cost for word, cost in answer.words.items()}


def true(state: JsonObject, one: JsonObject) -> bool:
    found = state[one["field"]]
    wanted = one.get("is", one.get("not"))
    same = type(found) is type(wanted) and found == wanted
    return same if "is" in one else not same


def play(data: JsonObject, state: JsonObject, done: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every accepted submission that begins with `done`, which led to `state`."""
    if all(true(state, one) for one in data["goal"]):
        yield done
    if len(done) >= min(data["budget"].values()):
        return
    for operation in data["operations"]:
        if all(true(state, one) for one in operation["when"]):
            after = {**state, **operation["then"]}
            if all(any(true(after, one) for one in clause) for clause in data["invariants"]):
                yield from play(data, after, (*done, operation["name"]))


def played(data: JsonObject) -> dict[str, int]:
    start = {field["name"]: field["initial"] for field in data["fields"]}
    return {" ".join(word): len(word) for word in play(data, start)}


def drawn(seed: int) -> JsonObject:
    """A random protocol whose initial state keeps the invariants."""
    draw = random.Random(f"ps {seed}")
    fields = {name: draw.sample([0, 1, "0", "1", "x"], draw.randint(1, 4)) for name in "abc"[: draw.randint(1, 3)]}

    def literals(most: int, chance: float) -> list[JsonObject]:
        names = [draw.choice(sorted(fields)) for _ in range(most) if draw.random() < chance]
        return [{"field": name, draw.choice(("is", "not")): draw.choice(fields[name])} for name in names]

    data = protocol(fields, {}, actions=draw.randint(2, 5), cost=draw.randint(2, 5))
    start = {name: values[0] for name, values in fields.items()}
    data["operations"] = [
        {
            "name": f"o{number}",
            "when": literals(2, 0.4),
            "then": {name: draw.choice(values) for name, values in fields.items() if draw.random() < 0.5},
        }
        for number in range(draw.randint(0, 5))
    ]
    clauses = [literals(3, 0.7) for _ in range(draw.randint(0, 3))]
    data["invariants"] = [clause for clause in clauses if any(true(start, one) for one in clause)]
    data["goal"] = literals(2, 0.4)
    return data


BIT = {"a": [0, 1]}
STEPS = {"up": "a=0 > a=1", "down": "a=1 > a=0"}

# name: (protocol, the words by hand)
BY_HAND: dict[str, tuple[JsonObject, dict[str, int]]] = {
    "nothing to do": (protocol({}, {}), {"": 0}),
    "nothing helps": (protocol(BIT, {}, goal="a=1"), {}),
    "when": (protocol(BIT, STEPS, goal="a=1"), {"up": 1}),
    "no fields": (protocol({}, {"x": ">"}, actions=1), {"": 0, "x": 1}),
    "two literals": (
        protocol({"a": [0, 1], "b": [0, 1]}, {"x": "a=0 b!0 >", "y": "> b=1"}),
        {"": 0, **dict.fromkeys(("y x", "y y"), 2), "y": 1},
    ),
    "never": (protocol(BIT, {"x": "a=0 a=1 >"}), {"": 0}),
    # All effects come at once: the two fields never meet.
    "exchange": (
        protocol({"a": [0, 1], "b": [1, 0]}, {"x": "> a=1 b=0"}, ("a=0 b=0", "a=1 b=1"), actions=1),
        {"": 0, "x": 1},
    ),
    "invariant": (protocol(BIT, {"x": "> a=1"}, ("a=0",)), {"": 0}),
    # After `x y` all would be well again, but after `x` the invariant is broken.
    "on the way": (protocol(BIT, {"x": "> a=1", "y": "> a=0"}, ("a!1",), goal="a=0"), {"": 0, "y": 1, "y y": 2}),
    "clause": (
        protocol({"a": [0, 1], "b": [0, 1]}, {"x": "> a=1", "y": "> b=1"}, ("a=0 b=0",), actions=2),
        {"": 0, "x": 1, "y": 1, "x x": 2, "y y": 2},
    ),
    "few actions": (protocol(BIT, {"x": "> a=1"}, actions=1, cost=3), {"": 0, "x": 1}),
    "small cost": (protocol(BIT, {"x": "> a=1"}, actions=3, cost=1), {"": 0, "x": 1}),
    "no budget": (protocol(BIT, {"x": "> a=1"}, actions=0, cost=3), {"": 0}),
    "goal": (protocol(BIT, {"x": "> a=1"}, goal="a=1", actions=1), {"x": 1}),
    "goal left and reached again": (protocol(BIT, STEPS, goal="a=0"), {"": 0, "up down": 2}),
    # 1 and "1" are different values of one field.
    "text and number": (
        protocol({"a": [0, 1, "1"]}, {"x": "a=0 > a='1'", "y": "a=1 >", "z": "a='1' > a=1"}, goal="a=1"),
        {"x z": 2},
    ),
    # Three values in two bits: the fourth pattern never shows.
    "three values": (
        protocol({"a": ["p", "q", "r"]}, {"x": "a!q > a=q", "y": "a!p > a=r"}, goal="a!p a!q"),
        {"x y": 2},
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    data, words = BY_HAND[name]
    answer = ask(data)
    assert listed(answer) == words
    assert answer.optimum == min(words.values(), default=None)


# rule: (an instance that gains words when that rule alone is not posted, these words)
BITES = {
    "R1": ("when", {"up up": 2, "down up": 2}),
    "R2": ("on the way", {"x y": 2}),
    "R3": ("few actions", {"x x": 2}),  # the table has one place more than the lesser budget
    "R4": ("small cost", {"x x": 2}),
    "G": ("goal", {"": 0}),
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
def test_random_protocols(seed: int) -> None:
    data = drawn(seed)
    expected = played(data)
    answer = ask(data)
    assert listed(answer) == expected
    assert answer.optimum == min(expected.values(), default=None)


def test_random_protocols_are_not_all_alike() -> None:
    sizes = [len(played(data)) for data in map(drawn, range(30))]
    assert sum(size == 0 for size in sizes) >= 4
    assert sum(size > 10 for size in sizes) >= 4


@pytest.mark.parametrize(("most", "words"), [(0, 1), (1, 2), (2, 3), (9, 3), (-1, 0)])
def test_a_claim_bounds_the_cost(most: int, words: int) -> None:
    assert len(ask(protocol(BIT, {"x": "> a=1"}), most).words) == words


def test_too_many_words_are_no_answer() -> None:
    data = protocol(BIT, {"x": "> a=1"})
    with pytest.raises(Undecided) as caught:
        ask(data, words=2)
    assert caught.value.reason == "words"


def test_a_long_table_heeds_the_clock() -> None:
    with pytest.raises(Undecided) as caught:
        ask(protocol(BIT, STEPS, actions=10_000, cost=10_000), seconds=0.2)
    assert caught.value.reason == "time"


def test_the_showcase_has_one_word() -> None:
    """The lock has to be taken to stage and left to flush; then all else follows, and no action is left over."""
    (data,) = (one["instance"] for one in json.loads(FIXTURES.read_bytes())["worlds"] if one["code"] == "PS-001")
    answer = ask(data)
    assert listed(answer) == {"acquire stage release flush acknowledge commit": 6}
    assert answer.optimum == 6
