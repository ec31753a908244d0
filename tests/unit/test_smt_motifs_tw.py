"""The motif of TW in the SMT encoding, against a predicate written here from the rule book.

To deny the motif the encoding has variables for an order and an assignment; to post it, a quantifier over them.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest
import z3
from smt_motif_checks import changed, check_lacking, check_moves, check_partition, expected, showcase, words

from cwr_encodings.tw import smt
from cwr_solvers.backends.smt import Model
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.worlds.tw.instance import Instance

Tokens = tuple[tuple[int, int], ...]  # (place, number of the producing action, -1 for initial), one entry a token


def predicate(instance: Instance, word: Any) -> dict[str, bool]:
    """main, by taking every token in every order; it depends on the actions alone."""
    actions = sorted(word["actions"])
    start = tuple((place, -1) for place, number in enumerate(instance.initial) for _ in range(number))
    flows = flow(instance, Counter(actions), start, (), ())
    return {"main": scarce(instance, actions) and all(meet(origins) for origins in flows)}


def scarce(instance: Instance, actions: list[str]) -> bool:
    """(b) of the rule book."""
    recipes = [instance.recipe[name] for name in actions]
    return any(
        instance.initial[place] + sum(one.produce[place] for one in recipes)
        < sum(one.read[place] > 0 for one in recipes)
        for place in range(len(instance.places))
    )


def flow(
    instance: Instance, left: Counter[str], tokens: Tokens, origins: tuple[frozenset[int], ...], done: tuple[str, ...]
) -> Iterator[tuple[frozenset[int], ...]]:
    """For every order and assignment, of each action those that made what it consumes, -1 left out."""
    if not +left:
        yield origins
        return
    held = Counter(place for place, _ in tokens)
    for name in sorted(+left):
        one = instance.recipe[name]
        if any(held[place] < one.consume[place] + one.read[place] for place in range(len(instance.places))):
            continue
        per_place = [
            sorted(set(combinations(sorted(token for token in tokens if token[0] == place), weight)))
            for place, weight in enumerate(one.consume)
            if weight
        ]
        for chosen in product(*per_place):
            taken = [token for part in chosen for token in part]
            made = [(place, len(origins)) for place, weight in enumerate(one.produce) for _ in range(weight)]
            after = tuple(sorted([*(Counter(tokens) - Counter(taken)).elements(), *made]))
            if within(instance, after):
                makers = frozenset(maker for _, maker in taken if maker >= 0)
                yield from flow(instance, left - Counter([name]), after, (*origins, makers), (*done, name))


def within(instance: Instance, tokens: Tokens) -> bool:
    held = Counter(place for place, _ in tokens)
    places = all(allowed.holds(held[place]) for place, allowed in enumerate(instance.throughout.places))
    return places and instance.throughout.total.holds(len(tokens))


def meet(origins: tuple[frozenset[int], ...]) -> bool:
    """(a) of the rule book."""
    depths: list[int] = []
    pasts: list[set[int]] = []
    for number, makers in enumerate(origins):
        depths.append(1 + max((depths[maker] for maker in makers), default=0))
        pasts.append({number}.union(*(pasts[maker] for maker in makers)))
    return any(
        depths[one] != depths[two] and not pasts[one] & pasts[two]
        for makers in origins
        for one, two in combinations(makers, 2)
    )


def workshop(initial: str, recipes: str, most: int, **more: Any) -> dict[str, Any]:
    """Places a, b, c, d and the catalyst k; recipes "name=consumed/read>produced", a letter for each token."""
    found = []
    for one in recipes.split():
        name, rest = one.split("=")
        given, made = rest.split(">")
        consumed, _, read = given.partition("/")
        found.append({"name": name, "consume": Counter(consumed), "read": Counter(read), "produce": Counter(made)})
    return {
        "family": "TW",
        "code": "T",
        "places": list("abcdk"),
        "initial": Counter(initial),
        "recipes": found,
        "throughout": {},
        "goal": {"places": {"d": {"min": 1}}},
        "budget": {"actions": most, "cost": most},
        **more,
    }


# x makes b of a, y makes c of b and w joins b and c to d; all read the catalyst.
PLAIN = "x=a/k>b y=b/k>c w=bc/k>d"

# name: (instance, the words of the most actions that have the motif, those that lack it)
BY_HAND = {
    "unequal branches": (workshop("aak", PLAIN, 4), {"x x y w", "x y x w"}, set()),
    "catalysts enough": (workshop("aakkkk", PLAIN, 4), set(), {"x x y w", "x y x w"}),
    "catalysts made": (workshop("aak", "x=a/k>bk y=b/k>c w=bc/k>d", 4), {"x x y w", "x y x w"}, set()),
    "nothing reads": (workshop("aa", "x=a>b y=b>c w=bc>d", 4), set(), {"x x y w", "x y x w"}),
    # One action makes both branches.
    "a common history": (workshop("ak", "x=a/k>bb y=b/k>c w=bc/k>d", 3), set(), {"x y w"}),
    "equal depth": (workshop("aak", "x=a/k>b y=a/k>c w=bc/k>d", 3), set(), {"x y w", "y x w"}),
    "an initial token": (workshop("abk", "x=a/k>b y=b/k>c w=bc/k>d", 3), set(), {"x y w", "y x w"}),
    # y takes any two of the tokens of x, and w only what y made.
    "one branch": (workshop("aak", "x=a/k>b y=bb/k>c w=c/k>d", 4), set(), {"x x y w"}),
    # w may take the initial c, if v does not; so two branches need not meet in any of these orders.
    "an assignment to choose": (
        workshop("aack", "x=a/k>b y=b/k>c v=c/k> w=bc/k>d", 5),
        set(),
        {
            *("x x y v w", "x x v y w", "x v x y w", "v x x y w", "x y x v w", "x y v x w", "x v y x w", "v x y x w"),
            *("x x y w v", "x y x w v", "x x w y v", "x w x y v"),
        },
    ),
    # In the first order y takes what u made, and the branches are unequal; in the other one both are two deep.
    "another order": (
        workshop("aak", f"{PLAIN} u=b/k>b", 5, throughout={"places": {"b": {"max": 1}}}),
        set(),
        {"x u y x w", "x y x u w"},
    ),
}


def listed(found: dict[bytes, int], most: int) -> set[str]:
    actions = [json.loads(word)["actions"] for word in found]
    return {" ".join(one) for one in actions if len(one) == most}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    instance, having, lacking = BY_HAND[name]
    most = instance["budget"]["actions"]
    assert listed(words("TW", instance, having=("main",)), most) == having
    assert listed(words("TW", instance, lacking=("main",)), most) == lacking


def loose() -> Any:
    return changed("TW", goal={"places": {"widget": {"min": 1}}}, budget={"actions": 5, "cost": 5})


@pytest.mark.parametrize("instance", [showcase("TW"), loose()], ids=["showcase", "loose"])
def test_words_with_and_without(instance: Any) -> None:
    check_partition("TW", instance, predicate)


@pytest.mark.parametrize("seed", range(20))
def test_random_workshops(seed: int) -> None:
    check_partition("TW", WORLDS["TW"].generate(f"smt {seed}"), predicate)


def near(seed: int) -> Any:
    """Recipes near those of the motif, tokens to choose from, and bounds that forbid some orders."""
    stream = random.Random(f"near {seed}")
    extra = stream.sample(["u=b/k>b", "v=c/k>b", "z=a/k>c", "s=aa/k>bb", "t=b>", "r=bb/k>d", "q=b/k>bc"], 2)
    initial = "aak" + stream.choice(("", "a", "b", "c", "k"))
    bounds = stream.choice(({}, {}, {"total": {"max": 4}}, {"places": {"b": {"max": 1}}}))
    return workshop(initial, " ".join(["x=a/k>b", "y=b/k>c", "w=bc/k>d", *extra]), 4, throughout=bounds)


@pytest.mark.parametrize("seed", range(12))
def test_workshops_near_the_motif(seed: int) -> None:
    check_lacking("TW", near(seed), predicate)


@pytest.mark.parametrize("seed", [2, 6, 11])
def test_workshops_near_the_motif_that_have_it(seed: int) -> None:
    check_partition("TW", near(seed), predicate)


def test_workshops_near_the_motif_have_it_and_lack_it() -> None:
    mixed = [{motifs["main"] for motifs in expected("TW", near(seed), predicate).values()} for seed in range(12)]
    assert mixed.count({True, False}) >= 3


@pytest.mark.parametrize("seed", range(4))
def test_requested_moves(seed: int) -> None:
    check_moves("TW", near(seed), f"moves {seed}")


# a part of the motif: what it says instead, and an instance whose words change their motif by it
PARTS = {
    "_is_scarce": ("nothing reads", lambda model, *_: z3.BoolVal(True, model.context)),
    "_branches_meet": ("equal depth", lambda model, *_: z3.BoolVal(True, model.context)),
    "_stream_limits": ("unequal branches", lambda *_: None),
}


@pytest.mark.parametrize("part", PARTS)
def test_no_part_is_idle(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, mutant = PARTS[part]
    instance, _, _ = BY_HAND[name]
    right = words("TW", instance, lacking=("main",))
    monkeypatch.setattr(smt, part, mutant)
    assert words("TW", instance, lacking=("main",)) != right


@pytest.mark.parametrize("mutant", ["dropped", "never", "negated"])
def test_mutants(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A motif that always shows, never shows, or shows where it should not."""
    instance = BY_HAND["equal depth" if mutant == "dropped" else "unequal branches"][0]
    right = words("TW", instance, lacking=("main",))
    motif = smt.motif_main

    def other(model: Model, *terms: Any) -> smt.Reading:
        found = motif(model, *terms)
        true = z3.BoolVal(True, model.context)
        shows = {"dropped": true, "never": z3.Not(true), "negated": z3.Not(found.shows)}[mutant]
        return replace(found, always=true, shows=shows)

    monkeypatch.setitem(smt.MOTIFS, "main", other)
    assert words("TW", instance, lacking=("main",)) != right
