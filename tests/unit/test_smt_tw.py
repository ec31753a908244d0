"""The SMT encoding of TW against answers worked out by hand, and against a player of the rule book written here."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from cwr_encodings.tw import smt
from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.backends.smt import solve
from cwr_solvers.errors import Undecided
from cwr_solvers.worlds.tw.instance import Bounds, Instance, read_instance

RULES = ("r1_tokens", "r2_maximum", "r3_minimum", "r4_total", "r5_actions", "r6_cost", "g_goal")


def workshop(places: str, initial: dict[str, int], recipes: list[dict[str, Any]], **rest: Any) -> Instance:
    """A workshop with places of one letter each; `actions` and `cost` are the budgets."""
    return read_instance(
        {
            "family": "TW",
            "code": "T",
            "places": list(places),
            "initial": initial,
            "recipes": recipes,
            "throughout": rest.get("throughout", {}),
            "goal": rest.get("goal", {}),
            "budget": {"actions": rest.get("actions", 2), "cost": rest.get("cost", 2)},
        }
    )


def ask(instance: Instance, most_cost: int | None = None, words: int = 5000) -> Answer:
    return solve(lambda model: smt.build(model, instance, Claim(most_cost)), Limits(60, words))


def listed(answer: Answer) -> dict[str, int]:
    """The words with their actions joined by blanks."""
    return {" ".join(json.loads(word)["actions"]): cost for word, cost in answer.words.items()}


def within(marking: tuple[int, ...], bounds: Bounds) -> bool:
    places = all(allowed.holds(held) for held, allowed in zip(marking, bounds.places, strict=True))
    return places and bounds.total.holds(sum(marking))


def play(instance: Instance, marking: tuple[int, ...], done: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every accepted submission that begins with `done`, which led to `marking`."""
    if within(marking, instance.goal):
        yield done
    if len(done) >= min(instance.most_actions, instance.most_cost):
        return
    for one in instance.recipes:
        if all(held >= one.consume[place] + one.read[place] for place, held in enumerate(marking)):
            after = tuple(held - one.consume[place] + one.produce[place] for place, held in enumerate(marking))
            if within(after, instance.throughout):
                yield from play(instance, after, (*done, one.name))


def some(stream: random.Random, places: str, chance: float, most: int) -> dict[str, int]:
    return {place: stream.randint(1, most) for place in places if stream.random() < chance}


def bound(stream: random.Random, low: int, high: int) -> dict[str, int]:
    ends = sorted((stream.randint(low, high), stream.randint(low, high)))
    return dict(zip(("min", "max"), ends, strict=True))


def random_workshop(seed: int) -> Instance:
    """A random workshop whose initial marking keeps `throughout`."""
    stream = random.Random(f"tw {seed}")
    places = "abcd"[: stream.randint(1, 4)]
    initial = some(stream, places, 0.8, 3)
    recipes: list[dict[str, Any]] = [
        {
            "name": f"r{number}",
            "consume": some(stream, places, 0.4, 2),
            "read": some(stream, places, 0.2, 2),
            "produce": some(stream, places, 0.5, 2),
        }
        for number in range(stream.randint(0, 4))
    ]
    caps: dict[str, Any] = {
        place: {"min": stream.randint(0, initial.get(place, 0)), "max": initial.get(place, 0) + stream.randint(0, 4)}
        for place in places
        if stream.random() < 0.3
    }
    total = sum(initial.values())
    limits = {"min": max(0, total - stream.randint(0, 3)), "max": total + stream.randint(0, 3)}
    goal = {"places": {place: bound(stream, 0, 5) for place in places if stream.random() < 0.3}}
    budgets = {"actions": stream.randint(1, 5), "cost": stream.randint(2, 5)}
    throughout = {"places": caps, "total": limits if stream.random() < 0.5 else {}}
    return workshop(places, initial, recipes, throughout=throughout, goal=goal, **budgets)


MAKE = {"name": "make", "produce": {"a": 1}}
DROP = {"name": "drop", "consume": {"a": 1}}
TRADE = {"name": "trade", "consume": {"a": 2}, "read": {"b": 1}, "produce": {"b": 1}}
KEEP = {"name": "keep", "consume": {"a": 1}, "read": {"a": 1}, "produce": {"a": 1}}
ANY = {"total": {"min": 0}}

# name: (instance, the words by hand)
BY_HAND = {
    "nothing to do": (workshop("a", {}, [], goal=ANY), {"": 0}),
    "nothing helps": (workshop("a", {}, [], goal={"places": {"a": {"min": 1}}}), {}),
    "no budget": (workshop("a", {}, [MAKE], goal=ANY, actions=0, cost=5), {"": 0}),
    "no places": (workshop("", {}, [{"name": "x"}], goal=ANY, actions=1), {"": 0, "x": 1}),
    "tokens": (workshop("a", {"a": 1}, [DROP], goal=ANY), {"": 0, "drop": 1}),
    # Consumed and read tokens add up: with one token `keep` has nothing to read.
    "consumed and read": (workshop("a", {"a": 1}, [KEEP], goal=ANY), {"": 0}),
    "both are there": (workshop("a", {"a": 2}, [KEEP], goal=ANY, actions=1), {"": 0, "keep": 1}),
    # Of 2+2 tokens the first trade takes two of a, the second the other two; b must be there to read.
    "weights": (workshop("ab", {"a": 4, "b": 1}, [TRADE], goal={"places": {"b": {"min": 3}}}), {"trade trade": 2}),
    "no catalyst": (workshop("ab", {"a": 4}, [TRADE], goal={"places": {"b": {"min": 1}}}), {}),
    "maximum": (workshop("a", {}, [MAKE], throughout={"places": {"a": {"max": 1}}}), {"": 0, "make": 1}),
    # After `drop make` all would be well again, but after `drop` the minimum is broken.
    "minimum": (
        workshop("a", {"a": 1}, [DROP, MAKE], throughout={"places": {"a": {"min": 1}}}),
        {"": 0, "make": 1, "make drop": 2, "make make": 2},
    ),
    "total above": (workshop("ab", {"b": 1}, [MAKE], throughout={"total": {"max": 2}}), {"": 0, "make": 1}),
    "total below": (workshop("ab", {"a": 2}, [DROP], throughout={"total": {"min": 1}}), {"": 0, "drop": 1}),
    "few actions": (workshop("a", {}, [MAKE], actions=1, cost=3), {"": 0, "make": 1}),
    "small cost": (workshop("a", {}, [MAKE], actions=3, cost=1), {"": 0, "make": 1}),
    "goal total": (workshop("a", {}, [MAKE], goal={"total": {"min": 1, "max": 1}}), {"make": 1}),
    # A place that had the goal may leave it and come back.
    "through the goal": (
        workshop("a", {"a": 1}, [DROP, MAKE], goal={"places": {"a": {"min": 1, "max": 1}}}),
        {"": 0, "drop make": 2, "make drop": 2},
    ),
    # Numbers at the edge of what an instance may state.
    "huge": (
        workshop(
            "a",
            {"a": 2**53 - 1},
            [MAKE, {"name": "all", "consume": {"a": 2**53}}, {"name": "twice", "produce": {"a": 2**53}}],
            goal={"places": {"a": {"max": 2**53}}},
        ),
        {"": 0, "make": 1, "make all": 2},  # "twice" would leave more than a place may hold
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    instance, words = BY_HAND[name]
    answer = ask(instance)
    assert listed(answer) == words
    assert answer.optimum == min(words.values(), default=None)


# rule: an instance that loses or gains words when that rule alone is not posted
BITES = {
    "r1_tokens": "tokens",
    "r2_maximum": "maximum",
    "r3_minimum": "minimum",
    "r4_total": "total above",
    "r5_actions": "few actions",
    "r6_cost": "small cost",
    "g_goal": "goal total",
}


@pytest.mark.parametrize("rule", RULES)
def test_no_rule_is_idle(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance, words = BY_HAND[BITES[rule]]
    monkeypatch.setattr(smt, rule, lambda *_: None)
    assert listed(ask(instance)) != words


def test_the_table_of_bites_has_every_rule() -> None:
    written = {name for name in vars(smt) if re.match(r"r[0-9]+_|g_", name)}
    assert written == set(RULES) == set(BITES)


@pytest.mark.parametrize("seed", range(40))
def test_random_workshops(seed: int) -> None:
    instance = random_workshop(seed)
    expected = {" ".join(word): len(word) for word in play(instance, instance.initial, ())}
    answer = ask(instance)
    assert listed(answer) == expected
    assert answer.optimum == min(expected.values(), default=None)


def test_random_workshops_are_not_all_alike() -> None:
    sizes = [len(list(play(one, one.initial, ()))) for one in map(random_workshop, range(40))]
    assert sum(size == 0 for size in sizes) >= 4
    assert sum(size > 10 for size in sizes) >= 4


@pytest.mark.parametrize(("most", "words"), [(0, 1), (1, 2), (2, 3), (9, 3), (-1, 0)])
def test_a_claim_bounds_the_cost(most: int, words: int) -> None:
    instance = workshop("a", {}, [MAKE])
    assert len(ask(instance, most).words) == words


def test_too_many_words_are_no_answer() -> None:
    instance = workshop("a", {}, [MAKE])
    with pytest.raises(Undecided) as caught:
        ask(instance, words=2)
    assert caught.value.reason == "words"


def test_a_long_table_heeds_the_clock() -> None:
    instance = workshop("a", {}, [MAKE], actions=10_000, cost=10_000)
    with pytest.raises(Undecided) as caught:
        solve(lambda model: smt.build(model, instance, Claim()), Limits(0.2, 10))
    assert caught.value.reason == "time"
