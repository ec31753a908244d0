"""The SMT encoding of CO against answers worked out by hand, a lister of the rule book written here, and the search."""

from __future__ import annotations

import json
import random
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest

from cwr_encodings.co import smt
from cwr_encodings.smt_catalogue import SMT
from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.backends.smt import solve
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import Undecided
from cwr_solvers.jsontext import canonical
from cwr_solvers.search import words as searched
from cwr_solvers.worlds.co.instance import read_instance

FIXTURES = Path(__file__).parents[2] / "fixtures" / "showcase-index.json"
JsonObject = dict[str, Any]


def repair(reference: str, broken: str, cards: str, most: int = 1) -> JsonObject:
    """A task with tokens of one letter; cards as in "A1-4 B3-5"."""
    listed = [(one[0], [int(number) for number in one[1:].split("-")]) for one in cards.split()]
    return {
        "family": "CO",
        "code": "T",
        "reference": list(reference),
        "broken": list(broken),
        "cards": [{"label": label, "swap": swap} for label, swap in listed],
        "budget": {"cards": most},
    }


def ask(data: JsonObject, most_cost: int | None = None, words: int = 5000, seconds: float = 60) -> Answer:
    instance = read_instance(data)
    return solve(lambda model: SMT["CO"](model, instance, Claim(most_cost)), Limits(seconds, words))


def listed(answer: Answer) -> dict[str, int]:
    """The words with their labels joined by blanks."""
    return {" ".join(json.loads(word)["cards"]): cost for word, cost in answer.words.items()}


def arranged(data: JsonObject, played: tuple[JsonObject, ...]) -> list[str]:
    """The loop after some cards, token by token."""
    loop = list(data["broken"])
    for card in played:
        i, j = card["swap"]
        loop[i - 1], loop[j - 1] = loop[j - 1], loop[i - 1]
    return loop


def played(data: JsonObject) -> dict[str, int]:
    """Every accepted submission: all orders of all sets of cards within the budget, each end turned until it fits."""
    found = {}
    for length in range(min(data["budget"]["cards"], len(data["cards"])) + 1):
        for order in permutations(data["cards"], length):
            loop = arranged(data, order)
            turned = [loop[turn:] + loop[:turn] for turn in range(len(loop))]
            if data["reference"] in turned:
                found[" ".join(card["label"] for card in order)] = length
    return found


def drawn(seed: int) -> JsonObject:
    """A random task; most broken loops lie some of the cards away from a turned reference, some are any loop."""
    draw = random.Random(f"co {seed}")
    tokens = [f"t{number}" for number in range(draw.choice((3, 3, 4, 4, 5, 5, 6, 7, 8, 9)))]
    every = list(combinations(range(1, len(tokens) + 1), 2))
    pairs = draw.sample(every, min(len(every), draw.randint(0, 3) + draw.randint(0, 2)))
    cards = [{"label": f"c{number}", "swap": list(pair)} for number, pair in enumerate(pairs)]
    turn = draw.randrange(len(tokens))
    data = repair("", "", "", draw.randint(0, 5))
    data |= {"reference": draw.sample(tokens, len(tokens)), "cards": cards}
    data["broken"] = data["reference"][turn:] + data["reference"][:turn]
    data["broken"] = arranged(data, tuple(draw.sample(cards, draw.randint(0, min(3, len(cards))))))
    if draw.random() < 0.2:
        draw.shuffle(data["broken"])
    return data


def labels_of_all(count: int) -> list[JsonObject]:
    """A card for every pair of positions."""
    return [{"label": f"s{i}-{j}", "swap": [i, j]} for i, j in combinations(range(1, count + 1), 2)]


# name: (task, the words by hand)
BY_HAND: dict[str, tuple[JsonObject, dict[str, int]]] = {
    "well already": (repair("abcd", "abcd", ""), {"": 0}),
    "turned": (repair("abcd", "cdab", "A1-2"), {"": 0}),
    "mirror image": (repair("abcd", "dcba", ""), {}),
    # With three tokens there are two loops, and every swap leads from one to the other.
    "three tokens": (repair("abc", "acb", "A1-2 B2-3 C1-3"), {"A": 1, "B": 1, "C": 1}),
    "one swap": (repair("abcde", "acbde", "A2-3 B2-4"), {"A": 1}),
    "first and last": (repair("abcde", "ebcda", "A1-5 B1-2"), {"A": 1}),
    "opposite": (repair("abcd", "cbad", "A1-3 B2-4"), {"A": 1, "B": 1}),
    "no budget": (repair("abcd", "bacd", "A1-2", 0), {}),
    "no cards": (repair("abcd", "bacd", "", 3), {}),
    "not twice": (repair("abcd", "abcd", "A1-2 B3-4", 2), {"": 0}),
    "in order": (repair("abcde", "bcade", "A1-2 B2-3", 2), {"B A": 2}),
    "either order": (repair("abcdef", "bacedf", "A1-2 B4-5", 2), {"A B": 2, "B A": 2}),
    "few cards": (repair("abcdef", "bacedf", "A1-2 B4-5", 1), {}),
    "more budget than cards": (repair("abcd", "bacd", "A1-2", 276), {"A": 1}),
    # The goal is judged at the end only: A repairs and C spoils.
    "spoilt": (repair("abcde", "bacde", "A1-2 C2-3", 2), {"A": 1}),
    # Left by the one card and reached by the other, a turn further on.
    "reached again": (repair("abc", "abc", "A1-2 B1-3", 2), {"": 0, "A B": 2, "B A": 2}),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    data, words = BY_HAND[name]
    answer = ask(data)
    assert listed(answer) == words == played(data)
    assert answer.optimum == min(words.values(), default=None)


# rule: (an instance that gains words when that rule alone is not posted, these words)
BITES = {
    "R1": ("not twice", {"A A": 2, "B B": 2}),
    "R2": ("few cards", {"A B": 2, "B A": 2}),  # the table has one time more than the budget
    "G": ("one swap", {"": 0, "B": 1}),
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


@pytest.mark.parametrize("part", range(10))
def test_random_tasks(part: int) -> None:
    for seed in range(30 * part, 30 * part + 30):
        data = drawn(seed)
        expected = played(data)
        answer = ask(data)
        assert listed(answer) == expected, seed
        assert answer.optimum == min(expected.values(), default=None)


def test_random_tasks_are_not_all_alike() -> None:
    found = [played(data) for data in map(drawn, range(300))]
    assert sum(not words for words in found) >= 30
    assert sum(len(words) >= 4 for words in found) >= 30
    assert {cost for words in found for cost in words.values()} == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("part", range(10))
def test_generated_tasks_have_the_words_of_the_search(part: int) -> None:
    for seed in range(20 * part, 20 * part + 20):
        world = WORLDS["CO"]
        data = world.generate(f"smt {seed}")
        instance = world.read_instance(data)
        found = {canonical(world.write_submission(instance, one)) for one in searched(world, instance)}
        assert set(ask(data).words) == found, seed


@pytest.mark.parametrize(("most", "words"), [(-1, 0), (0, 1), (1, 1), (2, 3), (9, 3)])
def test_a_claim_bounds_the_cost(most: int, words: int) -> None:
    assert len(ask(BY_HAND["reached again"][0], most).words) == words


def test_too_many_words_are_no_answer() -> None:
    with pytest.raises(Undecided) as caught:
        ask(BY_HAND["reached again"][0], words=2)
    assert caught.value.reason == "words"


def test_a_long_table_heeds_the_clock() -> None:
    tokens = [f"t{number}" for number in range(24)]
    data = repair("", "", "", 276) | {"reference": tokens, "broken": tokens, "cards": labels_of_all(24)}
    with pytest.raises(Undecided) as caught:
        ask(data, seconds=0.2)
    assert caught.value.reason == "time"


@pytest.mark.parametrize("turn", [0, 1, 23])
@pytest.mark.parametrize("swap", [(1, 2), (1, 24), (12, 24), (5, 17)])
def test_the_largest_loop_with_every_card(turn: int, swap: tuple[int, int]) -> None:
    """Of all 276 swaps one repairs, also between opposite positions: those matter with four tokens only."""
    tokens = [f"t{number}" for number in range(24)]
    data = repair("", "", "") | {"reference": tokens, "cards": labels_of_all(24)}
    data["broken"] = tokens[turn:] + tokens[:turn]
    data["broken"] = arranged(data, ({"swap": swap},))
    assert listed(ask(data)) == {f"s{swap[0]}-{swap[1]}": 1} == played(data)


def test_the_showcase_has_one_word() -> None:
    """C leads to slate, pearl, amber, jade, coral, read from amber on the wanted loop; A to its mirror image."""
    (data,) = (one["instance"] for one in json.loads(FIXTURES.read_bytes())["worlds"] if one["code"] == "CO-001")
    answer = ask(data)
    assert listed(answer) == {"C": 1}
    assert answer.optimum == 1
