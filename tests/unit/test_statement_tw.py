"""The statement of TW against the rule book, played out here in the plainest way."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations, product
from typing import Any, NamedTuple

import pytest
from clause_models import SHOWCASES, completes, digest, formula, projections, raw_words, without, words

from cwr_certificates.cnf import Cnf, signed
from cwr_certificates.statements import tw, tw_motifs
from cwr_certificates.steps import Steps, step_row
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json, canonical, parse
from cwr_solvers.worlds.tw.instance import Instance, Recipe, read_instance, write_instance

SHOWCASE = read_instance(SHOWCASES["TW"]["instance"])
Actions = tuple[str, ...]


def make(recipes: dict[str, tuple[dict[str, int], ...]], initial: dict[str, int], most: int, **more: Any) -> Instance:
    """An instance from {recipe: (consume, read, produce)}; the goal, bounds and cost budget are in `more`."""
    names = sorted({place for parts in recipes.values() for part in parts for place in part} | set(initial))
    fields = [{"name": name, "consume": c, "read": r, "produce": p} for name, (c, r, p) in recipes.items()]
    document: dict[str, Any] = {
        "family": "TW",
        "code": "t",
        "places": names,
        "initial": initial,
        "recipes": fields,
        "throughout": more.get("throughout", {}),
        "goal": more.get("goal", {}),
        "budget": {"actions": most, "cost": more.get("cost", most)},
    }
    return read_instance(document)


def faults(instance: Instance, actions: Actions) -> set[str]:
    """The rules that the first bad action breaks, or the goal; empty when accepted."""
    counts = list(instance.initial)
    bounds = list(zip(instance.throughout.places, range(len(counts)), strict=True))
    for number, name in enumerate(actions, 1):
        recipe = instance.recipe[name]
        if any(counts[q] < recipe.consume[q] + recipe.read[q] for q in range(len(counts))):
            return {"R1"}
        counts = [counts[q] - recipe.consume[q] + recipe.produce[q] for q in range(len(counts))]
        total = instance.throughout.total
        broken = {
            "R2": any(allowed.most is not None and counts[q] > allowed.most for allowed, q in bounds),
            "R3": any(counts[q] < allowed.least for allowed, q in bounds),
            "R4": sum(counts) < total.least or (total.most is not None and sum(counts) > total.most),
            "R5": number > instance.most_actions,
            "R6": number > instance.most_cost,
        }
        if any(broken.values()):
            return {rule for rule, value in broken.items() if value}
    met = all(allowed.holds(count) for allowed, count in zip(instance.goal.places, counts, strict=True))
    return set() if met and instance.goal.total.holds(sum(counts)) else {"G"}


def text(actions: Actions) -> bytes:
    return canonical({"actions": list(actions)})


def accepted(instance: Instance) -> dict[bytes, Actions]:
    """All accepted words, from all rows of recipes up to one longer than the budgets."""
    most = min(instance.most_actions, instance.most_cost) + 1
    rows = (row for n in range(most + 1) for row in product(instance.recipe, repeat=n))
    return {text(row): row for row in rows if not faults(instance, row)}


class Token(NamedTuple):
    number: int
    depth: int
    history: frozenset[int]


def main(instance: Instance, actions: Actions) -> bool:
    """The motif of an accepted row: it shows in every accepted row of the same actions."""
    return verdicts(canonical(write_instance(instance)))[text(actions)]


@cache
def verdicts(source: bytes) -> dict[bytes, bool]:
    """Whether each accepted word has the motif."""
    instance = read_instance(parse(source, INSTANCE_BYTES, INSTANCE_DEPTH))
    rows = accepted(instance)
    bare = {tuple(sorted(row)) for row in rows.values() if not shows(instance, row)}
    return {word: tuple(sorted(row)) not in bare for word, row in rows.items()}


def shows(instance: Instance, actions: Actions) -> bool:
    """(b), and (a) under every way to tell which tokens were consumed in this order."""
    pools = [[Token(1000 * q + n, 0, frozenset()) for n in range(count)] for q, count in enumerate(instance.initial)]
    recipes = [instance.recipe[name] for name in actions]
    scarce = any(
        count + sum(recipe.produce[q] for recipe in recipes) < sum(recipe.read[q] > 0 for recipe in recipes)
        for q, count in enumerate(instance.initial)
    )
    return scarce and all(runs(recipes, 0, pools, False))


def runs(recipes: list[Recipe], number: int, pools: list[list[Token]], joined: bool) -> Iterator[bool]:
    """Of each way to choose the tokens of the actions from `number` on: whether an unequal join occurs."""
    if number == len(recipes):
        yield joined
        return
    recipe = recipes[number]
    for choice in product(*(combinations(pool, recipe.consume[q]) for q, pool in enumerate(pools))):
        taken = [token for part in choice for token in part]
        unequal = any(
            x.history and y.history and not x.history & y.history and x.depth != y.depth
            for x, y in combinations(taken, 2)
        )
        history = frozenset([number]).union(*(token.history for token in taken))
        depth = 1 + max((token.depth for token in taken), default=0)
        after = [
            [token for token in pool if token not in taken]
            + [Token(10_000 * (number + 1) + 1000 * q + n, depth, history) for n in range(recipe.produce[q])]
            for q, pool in enumerate(pools)
        ]
        yield from runs(recipes, number + 1, after, joined or unequal)


# The tool is read by three of the recipes and there is one; parts are polished and joined.
BENCH = {
    "cut": ({"ore": 1}, {"tool": 1}, {"part": 1}),
    "polish": ({"part": 1}, {"tool": 1}, {"part": 1}),
    "join": ({"part": 2}, {"tool": 1}, {"done": 1}),
}
BATCH = {
    "cut": ({"ore": 1}, {"tool": 1}, {"part": 2}),
    "bend": ({"part": 1}, {}, {"bent": 1}),
    "join": ({"part": 1, "bent": 1}, {"tool": 1}, {"done": 1}),
    "grow": ({}, {"tool": 1}, {"bent": 1}),
}
DONE = {"places": {"done": {"min": 1}}}

AT_LEAST_TWO = {"places": {"a": {"min": 2}}}

SMALL = {
    "bench": make(BENCH, {"ore": 3, "tool": 1}, 5, goal=DONE),
    "many tools": make(BENCH, {"ore": 2, "tool": 5}, 5, goal=DONE),
    "batch": make(BATCH, {"ore": 1, "tool": 1}, 5, goal=DONE),
    "read and consumed": make({"use": ({"a": 1}, {"a": 1}, {"b": 2})}, {"a": 2}, 3, goal={"total": {"min": 3}}),
    "huge": make({"up": ({}, {}, {"a": 2**50}), "down": ({"a": 2**52}, {}, {})}, {"a": 2**53 - 1}, 3),
    "tool and jig": make(
        {n: (c, r | {"jig": 1}, p) for n, (c, r, p) in BENCH.items()}, {"ore": 2, "tool": 1, "jig": 5}, 4, goal=DONE
    ),
    "dip": make({"down": ({"a": 1}, {}, {}), "up": ({}, {}, {"a": 1})}, {"a": 2}, 3, throughout=AT_LEAST_TWO),
    "nothing": make({}, {"a": 1}, 2),
    "no action": make(BENCH, {"ore": 2, "tool": 1}, 0),
    "infeasible": make(BENCH, {"ore": 1, "tool": 1}, 4, goal=DONE),
}


def drawn(seed: int) -> Instance:
    """A random instance of three places and up to three recipes, with bounds that may bind."""
    draw = random.Random(f"tw {seed}")
    places = ["a", "b", "c"]

    def some(chance: float, most: int) -> dict[str, int]:
        return {place: draw.randint(1, most) for place in places if draw.random() < chance}

    recipes = {f"r{n}": (some(0.4, 2), some(0.2, 2), some(0.6, 2)) for n in range(3)}
    initial = {place: draw.randint(0, 2) for place in places}
    caps = {place: {"max": initial[place] + draw.randint(1, 4)} for place in places if draw.random() < 0.4}
    total = {"max": sum(initial.values()) + draw.randint(2, 6)} if draw.random() < 0.5 else {}
    goal = {"places": {place: {"min": draw.randint(0, 2)} for place in places if draw.random() < 0.4}}
    throughout = {"places": caps, "total": total}
    return make(recipes, initial, draw.randint(3, 4), throughout=throughout, goal=goal, cost=draw.randint(2, 5))


def drawn_joins(seed: int) -> Instance:
    """A random instance with a scarce tool, in which tokens are split, carried on and joined."""
    draw = random.Random(f"tw joins {seed}")
    cut = ({"ore": 1}, draw.choice([{"a": 1}, {"a": 2}, {"a": 1, "b": 1}]))
    carry = draw.choice([({"a": 1}, {"b": 1}), ({"a": 1}, {"a": 1}), ({"b": 1}, {"b": 2}), ({"b": 1}, {"a": 1})])
    other = draw.choice([({"ore": 1}, {"b": 1}), ({"a": 2}, {"a": 1}), ({"a": 1}, {"b": 1}), ({}, {"b": 1})])
    join = (draw.choice([{"a": 1, "b": 1}, {"a": 2}, {"b": 2}]), {"done": 1})
    steps = {"cut": cut, "carry": carry, "other": other, "join": join}
    recipes = {name: (taken, {"tool": 1}, made) for name, (taken, made) in steps.items()}
    return make(recipes, {"ore": draw.randint(2, 3), "a": draw.randint(0, 1), "tool": draw.randint(1, 3)}, 5, goal=DONE)


INSTANCES = {"showcase": SHOWCASE, **SMALL, **{f"drawn {seed}": drawn(seed) for seed in range(24)}}
JOINS = {f"joins {seed}": drawn_joins(seed) for seed in range(24)}
EACH = pytest.mark.parametrize("instance", INSTANCES.values(), ids=INSTANCES)


@EACH
def test_models_are_the_accepted_words(instance: Instance) -> None:
    assert words(tw, instance) == set(accepted(instance))


@EACH
def test_at_most_bounds_the_number_of_actions(instance: Instance) -> None:
    known = accepted(instance)
    for cost in range(-1, 3):
        assert set(raw_words(tw, instance, cost)) == {word for word, row in known.items() if len(row) <= cost}


def lacking(instance: Instance) -> list[bytes]:
    """The accepted words without the motif."""
    return sorted(word for word, has in verdicts(canonical(write_instance(instance))).items() if not has)


MOTIF = {name: one for name, one in {**INSTANCES, **JOINS}.items() if name != "huge"}


@pytest.mark.parametrize("instance", MOTIF.values(), ids=MOTIF)
def test_denied_motif_leaves_the_words_without_it(instance: Instance) -> None:
    assert raw_words(tw, instance, motif="main") == lacking(instance)


def test_the_instances_show_the_motif_and_its_absence() -> None:
    shown = {name: [main(one, row) for row in accepted(one).values()] for name, one in MOTIF.items()}
    assert shown["showcase"] == [True] * 2
    assert shown["many tools"] == [False] * 6
    assert shown["batch"] == [False] * 45
    assert sum(len(set(verdicts)) == 2 for verdicts in shown.values()) >= 4


def test_a_word_that_one_assignment_spares_lacks_the_motif() -> None:
    """Three parts, one of them polished: the join may take it (unequal) or not (equal)."""
    row = ("cut", "cut", "cut", "polish", "join")
    assert not main(SMALL["bench"], row)
    assert main(SMALL["bench"], ("cut", "cut", "polish", "join"))
    assert text(row) in raw_words(tw, SMALL["bench"], motif="main")


@pytest.mark.parametrize("name", ["bench", "batch", "joins 3"])
def test_the_tokens_in_the_hands_complete_the_denial(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given the decisions, the order and which token each hand takes, all else follows or may be false."""
    orders, takes = orders_seen(monkeypatch), tw_motifs.takes
    hands: list[list[int]] = []

    def seen(cnf: Cnf, shelf: tw_motifs.Shelf, acts: list[int], t: int) -> list[list[int]]:
        hands.extend(found := takes(cnf, shelf, acts, t))
        return found

    monkeypatch.setattr(tw_motifs, "takes", seen)
    cnf, model = formula(tw, MOTIF[name], motif="main")
    found = projections(cnf.clauses, [*model.decisions, *chain(*orders[0].chosen), *chain(*hands)])
    assert len({literals[: len(model.decisions)] for literals in found}) == len(lacking(MOTIF[name]))
    for literals in found[:40]:
        assert completes(cnf.clauses, literals)


def orders_seen(monkeypatch: pytest.MonkeyPatch) -> list[Steps]:
    """The rows of actions of an order, as the denials of the motif come by them."""
    orders: list[Steps] = []
    deny_main = tw_motifs.deny_main

    def seen(cnf: Cnf, instance: Instance, word: Steps, order: Steps) -> None:
        orders.append(order)
        deny_main(cnf, instance, word, order)

    monkeypatch.setattr(tw_motifs, "deny_main", seen)
    return orders


def test_no_token_need_be_chosen_where_tools_abound(monkeypatch: pytest.MonkeyPatch) -> None:
    orders = orders_seen(monkeypatch)
    cnf, model = formula(tw, SMALL["many tools"], motif="main")
    for row in accepted(SMALL["many tools"]).values():
        word = tw.literals(model, {"actions": list(row)})
        order = signed(tuple(chain(*orders[0].chosen)), {abs(one) + shift(model, orders[0]) for one in word if one > 0})
        assert completes(cnf.clauses, [*word, *order])


def shift(model: tw.Model, order: Steps) -> int:
    """How far the variables of the order lie behind those of the word."""
    return order.chosen[0][0] - model.decisions[0]


# Two blanks of different origin may lie in one place before one is coated, where `smelt` does not come last.
MIXED = {
    "smelt": ({"ore": 1}, {"tool": 1}, {"blank": 1}),
    "coat": ({"blank": 1}, {"tool": 1}, {"coated": 1}),
    "scrape": ({"coated": 1}, {"tool": 1}, {"blank": 1}),
    "rivet": ({"blank": 1, "coated": 1}, {"tool": 1}, {"done": 1}),
}
LAST = ("coat", "scrape", "coat", "smelt", "rivet")


def test_an_assignment_that_another_order_allows_denies_the_motif() -> None:
    """As written, there is one assignment, and it shows the motif."""
    instance = make(MIXED, {"ore": 1, "blank": 1, "tool": 1}, 5, goal=DONE)
    assert shows(instance, LAST)
    assert text(LAST) in raw_words(tw, instance, motif="main")


def test_an_order_that_breaks_a_rule_denies_nothing() -> None:
    """With room for one blank and one coated, the order is forced."""
    most = {"places": {"blank": {"max": 1}, "coated": {"max": 1}}}
    instance = make(MIXED, {"ore": 1, "blank": 1, "tool": 1}, 5, goal=DONE, throughout=most)
    assert text(LAST) not in raw_words(tw, instance, motif="main")
    assert raw_words(tw, instance, motif="main") == lacking(instance)


def test_the_motif_of_the_showcase_is_necessary() -> None:
    assert raw_words(tw, SHOWCASE, motif="main") == []


VITAL = {
    "r1_tokens": make({"use": ({}, {"a": 1}, {"b": 1})}, {"a": 0}, 1),
    "r2_maximum": make({"up": ({}, {}, {"a": 1})}, {}, 2, throughout={"places": {"a": {"max": 1}}}),
    "r3_minimum": make({"down": ({"a": 1}, {}, {})}, {"a": 2}, 2, throughout={"places": {"a": {"min": 1}}}),
    "r4_total": make({"up": ({}, {}, {"a": 1})}, {"b": 1}, 2, throughout={"total": {"max": 2}}),
    "r6_cost": make({"up": ({}, {}, {"a": 1})}, {}, 3, cost=2),
    "g_goal": make({"up": ({}, {}, {"a": 1})}, {}, 3, goal={"places": {"a": {"min": 2, "max": 2}}}),
}


@pytest.mark.parametrize("rule", VITAL)
def test_a_rule_left_out_lets_in_words_that_break_it_alone(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = VITAL[rule]
    loose = without(monkeypatch, tw, rule, instance)
    normal = set(accepted(instance))
    most = instance.most_actions
    rows = (row for n in range(most + 1) for row in product(instance.recipe, repeat=n))
    alone = {text(row) for row in rows if faults(instance, row) == {rule.partition("_")[0].upper()}}
    assert normal == words(tw, instance)
    assert normal < loose
    assert loose - normal <= alone


def test_a_lower_bound_of_the_total_binds(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = make({"down": ({"a": 1}, {}, {})}, {"a": 3}, 3, throughout={"total": {"min": 2}})
    assert words(tw, instance) == {text(()), text(("down",))}
    assert len(without(monkeypatch, tw, "r4_total", instance)) == 4


def test_one_place_more_lets_in_words_beyond_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = make({"up": ({}, {}, {"a": 1})}, {}, 2, cost=3)
    loose = without(monkeypatch, tw, "r5_actions", instance, lambda cnf, one: step_row(cnf, one.most_actions + 1, 1))
    assert loose - words(tw, instance) == {text(("up",) * 3)}
    assert faults(instance, ("up",) * 3) == {"R5"}


@pytest.mark.parametrize(
    ("word", "code", "pointer"),
    [
        ([], "wrong-type", ""),
        ({}, "missing-key", "/actions"),
        ({"actions": [], "x": 1}, "unknown-key", "/x"),
        ({"actions": ["melt"]}, "unknown-name", "/actions/0"),
        ({"actions": [True]}, "wrong-type", "/actions/0"),
        ({"actions": ["smelt"] * 5}, "out-of-range", "/actions"),
    ],
)
def test_what_is_no_word_is_refused(word: Json, code: str, pointer: str) -> None:
    with pytest.raises(MalformedInput) as error:
        tw.literals(formula(tw, SHOWCASE)[1], word)
    assert (error.value.code, error.value.pointer) == (code, pointer)


def test_every_word_has_literals_of_its_own_and_illegal_ones_fail() -> None:
    cnf, model = formula(tw, SHOWCASE)
    rows = [row for n in range(5) for row in product(SHOWCASE.recipe, repeat=n)]
    told = {tw.literals(model, {"actions": list(row)}): row for row in rows}
    assert len(told) == len(rows) == 121
    assert {row for literals, row in told.items() if completes(cnf.clauses, literals)} == {
        row for row in rows if not faults(SHOWCASE, row)
    }


def test_namings() -> None:
    assert tw.namings(SHOWCASE, {"actions": ["smelt", "coat"]}) == 1
    with pytest.raises(MalformedInput):
        tw.namings(SHOWCASE, {"actions": ["melt"]})


def test_too_large_a_formula_is_refused() -> None:
    instance = make(BENCH, {"ore": 2**53, "tool": 1}, 10_000, goal=DONE)
    with pytest.raises(Undecided) as error:
        formula(tw, instance)
    assert error.value.reason == "size"


def test_the_name_stands_for_these_clauses() -> None:
    assert tw.NAME == "tw/3"
    assert digest(tw, SHOWCASE) == "a282319ead96f552"
    assert digest(tw, SHOWCASE, "main") == "c9e1d722cfc0e7bf"
    assert digest(tw, SMALL["batch"], "main") == "c0b025ed0a75de09"
