"""TW for CP-SAT: instances whose words are derived by hand, each rule missed when it is gone, and a second opinion.

The second opinion plays all sequences by the rule book; it is written here and shares nothing with the product.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from cwr_encodings.cpsat_catalogue import CPSAT
from cwr_encodings.tw import cpsat as encoding
from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.backends import cpsat
from cwr_solvers.errors import Undecided
from cwr_solvers.worlds.tw.instance import read_instance

PLENTY = Limits(seconds=60, words=5000)
FIXTURES = Path(__file__).parents[2] / "fixtures" / "showcase-index.json"
JsonObject = dict[str, Any]


def recipe(name: str, consume: JsonObject, produce: JsonObject, read: JsonObject | None = None) -> JsonObject:
    return {"name": name, "consume": consume, "produce": produce, "read": read or {}}


def workshop(
    initial: JsonObject,
    recipes: list[JsonObject],
    goal: JsonObject,
    throughout: JsonObject | None = None,
    budget: tuple[int, int] = (2, 2),
) -> JsonObject:
    """An instance; `initial` names every place."""
    return {
        "family": "TW",
        "code": "TW-T",
        "places": list(initial),
        "initial": initial,
        "recipes": recipes,
        "throughout": throughout or {},
        "goal": goal,
        "budget": {"actions": budget[0], "cost": budget[1]},
    }


def solve(data: JsonObject, claim: Claim | None = None) -> Answer:
    instance = read_instance(data)
    return cpsat.solve(lambda model: encoding.build(model, instance, claim or Claim()), PLENTY)


def answer(*words: str) -> Answer:
    """The answer whose words are these, each written as names with spaces between; the cost is their number."""
    texts = [word.split() for word in words]
    coded = {json.dumps({"actions": text}, separators=(",", ":")).encode(): len(text) for text in texts}
    return Answer(min(coded.values(), default=None), coded)


def one(**amounts: int) -> JsonObject:
    """Bounds that want exactly these amounts."""
    return {"places": {place: {"min": amount, "max": amount} for place, amount in amounts.items()}}


MAKE = recipe("make", {"ore": 1}, {"out": 1})
DUPLICATE = recipe("double", {"ore": 1}, {"out": 2})
AT_LEAST_ONE = {"places": {"out": {"min": 1}}}

# (instance, its words by hand, the rule that makes it bite, its words without that rule by hand)
CASES: dict[str, tuple[JsonObject, Answer, str, Answer]] = {
    "a catalyst that is not there": (
        workshop({"ore": 1, "oven": 0, "out": 0}, [MAKE | {"read": {"oven": 1}}], AT_LEAST_ONE, budget=(1, 1)),
        answer(),
        "R1",
        answer("make"),
    ),
    "one place consumed and read: both weights must be there": (
        workshop({"ore": 2, "out": 0}, [MAKE | {"read": {"ore": 2}}], AT_LEAST_ONE, budget=(1, 1)),
        answer(),
        "R1",
        answer("make"),
    ),
    "a weight above the stock, part of which comes back": (
        workshop({"ore": 1, "out": 0}, [recipe("make", {"ore": 2}, {"ore": 1, "out": 1})], AT_LEAST_ONE, budget=(1, 1)),
        answer(),
        "R1",
        answer("make"),
    ),
    "a maximum passed on the way": (
        workshop(
            {"ore": 1, "out": 0},
            [DUPLICATE, recipe("ship", {"out": 1}, {})],
            one(out=1),
            {"places": {"out": {"max": 1}}},
        ),
        answer(),
        "R2",
        answer("double ship"),
    ),
    "a minimum passed on the way": (
        workshop(
            {"ore": 1, "fuel": 1},
            [recipe("burn", {"fuel": 1}, {}), recipe("refuel", {"ore": 1}, {"fuel": 1})],
            one(ore=0, fuel=1),
            {"places": {"fuel": {"min": 1}}},
        ),
        answer("refuel burn"),
        "R3",
        answer("burn refuel", "refuel burn"),
    ),
    "a total too high on the way": (
        workshop(
            {"ore": 1, "out": 0},
            [DUPLICATE, recipe("ship", {"out": 1}, {})],
            one(out=1),
            {"total": {"max": 1}},
        ),
        answer(),
        "R4",
        answer("double ship"),
    ),
    "a total too low on the way": (
        workshop(
            {"ore": 1, "out": 0},
            [recipe("drop", {"ore": 1}, {}), recipe("find", {}, {"out": 1})],
            one(ore=0, out=1),
            {"total": {"min": 1}},
        ),
        answer("find drop"),
        "R4",
        answer("drop find", "find drop"),
    ),
    "fewer actions than cost": (
        workshop({"ore": 2, "out": 0}, [MAKE], one(out=2), budget=(1, 3)),
        answer(),
        "R5",
        answer("make make"),
    ),
    "less cost than actions": (
        workshop({"ore": 2, "out": 0}, [MAKE], one(out=2), budget=(3, 1)),
        answer(),
        "R6",
        answer("make make"),
    ),
    "a goal that forbids leftovers": (
        workshop({"ore": 2, "out": 0}, [MAKE], one(ore=1, out=1)),
        answer("make"),
        "G",
        answer("", "make", "make make"),
    ),
    "a goal on the total": (
        workshop({"ore": 2, "out": 0}, [DUPLICATE], {"total": {"min": 3, "max": 3}}),
        answer("double"),
        "G",
        answer("", "double", "double double"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_words_by_hand(name: str) -> None:
    data, expected, _, _ = CASES[name]
    assert solve(data) == expected


@pytest.mark.parametrize("name", CASES)
def test_without_the_rule_the_answer_is_another(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data, expected, rule, otherwise = CASES[name]
    monkeypatch.setitem(encoding.RULES, rule, lambda *_: None)
    found = solve(data)
    assert found == otherwise
    assert found != expected


def test_every_rule_bites_in_a_case() -> None:
    assert {rule for _, _, rule, _ in CASES.values()} == set(encoding.RULES)
    assert all(rule.lower() == post.__name__.partition("_")[0] for rule, post in encoding.RULES.items())


def test_the_empty_word_where_the_goal_is_true_at_once() -> None:
    assert solve(workshop({"ore": 1, "out": 1}, [MAKE], AT_LEAST_ONE, budget=(0, 0))) == answer("")
    assert solve(workshop({"ore": 1, "out": 1}, [MAKE], AT_LEAST_ONE, budget=(0, 4))) == answer("")
    assert solve(workshop({"ore": 1, "out": 1}, [], AT_LEAST_ONE)) == answer("")


def test_a_word_may_pass_through_the_goal_and_come_back() -> None:
    swap = [recipe("there", {"a": 1}, {"b": 1}), recipe("back", {"b": 1}, {"a": 1})]
    data = workshop({"a": 1, "b": 0}, swap, one(a=1), budget=(4, 4))
    assert solve(data) == answer("", "there back", "there back there back")


def test_a_claim_only_narrows() -> None:
    data = workshop({"a": 1, "b": 0}, [recipe("there", {"a": 1}, {"b": 1}), recipe("idle", {}, {})], one(b=1))
    every = answer("there", "there idle", "idle there")
    assert solve(data) == every
    assert solve(data, Claim(9)) == every
    assert solve(data, Claim(1)) == answer("there")
    assert solve(data, Claim(0)) == solve(data, Claim(-1)) == answer()


def test_numbers_that_64_bits_cannot_add_are_undecided_and_large_ones_are_not() -> None:
    large = recipe("make", {"ore": 2**53}, {"out": 2**53})
    data = workshop({"ore": 2**53, "out": 0}, [large], one(out=2**53), budget=(1, 1))
    assert solve(data) == answer("make")
    many = workshop({"ore": 2**53, "out": 0}, [recipe("make", {}, {"out": 2**53})], AT_LEAST_ONE, budget=(1000, 1000))
    with pytest.raises(Undecided):
        solve(many)


def test_a_word_of_too_many_terms_is_undecided() -> None:
    places = {f"p{number}": 0 for number in range(600)}
    with pytest.raises(Undecided, match="memory"):
        solve(workshop(places, [recipe("wait", {}, {})], {}, budget=(10_000, 10_000)))


def test_a_large_instance_and_a_moment_is_undecided() -> None:
    places = {f"p{number}": number % 3 for number in range(12)}
    moves = [recipe(f"{a}{b}", {a: 2}, {b: 1}) for a in places for b in places if a != b]
    instance = read_instance(workshop(places, moves, one(p0=3, p5=2), budget=(30, 30)))
    for ask in (cpsat.solve, cpsat.optimum):
        with pytest.raises(Undecided) as raised:
            ask(lambda model: encoding.build(model, instance, Claim()), Limits(0.05, 10))
        assert raised.value.reason == "time"


def test_the_showcase_has_its_two_words() -> None:
    """By hand: two smelts, one coat after the first of them, one rivet after all; four actions is the budget."""
    (data,) = (world["instance"] for world in json.loads(FIXTURES.read_bytes())["worlds"] if world["code"] == "TW-001")
    instance = read_instance(data)
    found = cpsat.solve(lambda model: CPSAT["TW"](model, instance, Claim()), PLENTY)
    assert found == answer("smelt smelt coat rivet", "smelt coat smelt rivet")


def drawn(seed: int) -> JsonObject:
    """A random small workshop with weights, read arcs, bounds on places and totals, and budgets set apart."""
    draw = random.Random(seed)
    places = "abc"[: draw.randint(2, 3)]
    initial = {place: draw.randint(0, 4) for place in places}

    def weights(chance: float) -> JsonObject:
        return {place: draw.choice((1, 1, 2)) for place in places if draw.random() < chance}

    def bounds(amounts: JsonObject, slack: int) -> JsonObject:
        ranges = {
            place: {"min": max(0, amount - draw.randint(0, slack)), "max": amount + draw.randint(0, slack)}
            for place, amount in amounts.items()
            if draw.random() < 0.5
        }
        total = sum(amounts.values())
        return {"places": ranges, "total": {"min": max(0, total - slack), "max": total + slack}}

    recipes = [recipe(f"r{number}", weights(0.4), weights(0.4), weights(0.2)) for number in range(draw.randint(1, 3))]
    target = {place: max(0, amount + draw.randint(-1, 1)) for place, amount in initial.items()}
    budget = (draw.randint(1, 4), draw.randint(1, 4))
    return workshop(initial, recipes, bounds(target, 2), bounds(initial, 4), budget)


def played(data: JsonObject) -> Iterable[list[str]]:
    """Every accepted sequence, by the rule book."""

    def holds(counts: JsonObject, bounds: JsonObject) -> bool:
        pairs = [(counts[place], allowed) for place, allowed in bounds.get("places", {}).items()]
        pairs.append((sum(counts.values()), bounds.get("total", {})))
        return all(allowed.get("min", 0) <= amount <= allowed.get("max", amount) for amount, allowed in pairs)

    def onward(counts: JsonObject, word: list[str]) -> Iterable[list[str]]:
        if holds(counts, data["goal"]):
            yield word
        if len(word) == min(data["budget"].values()):
            return
        for entry in data["recipes"]:
            takes, reads, makes = (entry[part] for part in ("consume", "read", "produce"))
            if all(counts[place] >= takes.get(place, 0) + reads.get(place, 0) for place in counts):
                after = {place: counts[place] - takes.get(place, 0) + makes.get(place, 0) for place in counts}
                if holds(after, data["throughout"]):
                    yield from onward(after, [*word, entry["name"]])

    return onward(data["initial"], [])


def test_random_workshops_have_the_words_of_the_rule_book() -> None:
    sizes = []
    for seed in range(120):
        data = drawn(seed)
        expected = answer(*(" ".join(word) for word in played(data)))
        assert solve(data) == expected, seed
        sizes.append(len(expected.words))
    # The comparison is worth something only when both kinds of instance are there.
    assert sum(size == 0 for size in sizes) >= 20
    assert sum(size >= 3 for size in sizes) >= 20
