"""CO for CP-SAT: instances whose words are derived by hand, each rule missed when it is gone, and a second opinion.

The second opinion plays all sequences of cards by the rule book; it is written here and shares nothing with the
product. Tokens are letters, a loop is a string of them; a card is labelled by its two positions, such as `14`, so that
a word is written as the labels of its cards.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

import pytest

from cwr_encodings.co import cpsat as encoding
from cwr_encodings.cpsat_catalogue import CPSAT
from cwr_solvers import search
from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.backends import cpsat
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.worlds.co.instance import read_instance

FIXTURES = Path(__file__).parents[2] / "fixtures" / "showcase-index.json"
PLENTY = Limits(seconds=60, words=20_000)
JsonObject = dict[str, Any]


def task(reference: str, broken: str, cards: str, budget: int) -> JsonObject:
    """An instance; cards are their labels, each two digits."""
    return {
        "family": "CO",
        "code": "CO-T",
        "reference": list(reference),
        "broken": list(broken),
        "cards": [{"label": label, "swap": [int(label[0]), int(label[1])]} for label in cards.split()],
        "budget": {"cards": budget},
    }


def solve(data: JsonObject, claim: Claim | None = None) -> Answer:
    instance = read_instance(data)
    return cpsat.solve(lambda model: CPSAT["CO"](model, instance, claim or Claim()), PLENTY)


def answer(words: Iterable[str]) -> Answer:
    """The answer whose words are these."""
    lists = [word.split() for word in words]
    coded = {json.dumps({"cards": labels}, separators=(",", ":")).encode(): len(labels) for labels in lists}
    return Answer(min(coded.values(), default=None), coded)


# name: (instance, its words by hand, the rule that makes it bite, its words without that rule by hand)
CASES: dict[str, tuple[JsonObject, list[str], str, list[str]]] = {
    "a card and the same card again": (task("ABC", "ABC", "12", 2), [""], "R1", ["", "12 12"]),
    "a card around another one": (
        task("ABCDE", "CBADE", "12 23", 3),
        [],
        "R1",
        ["12 23 12", "23 12 23"],
    ),
    "no budget at all": (task("ABC", "ACB", "12", 0), [], "R2", ["12"]),
    "one card, two needed": (task("ABCDE", "BADCE", "12 34", 1), [], "R2", ["12 34", "34 12"]),
    "one card does, and none may": (task("ABCDE", "BACDE", "12", 0), [], "R2", ["12"]),
    "a loop that is in order already": (task("ABCD", "ABCD", "12", 1), [""], "G", ["", "12"]),
    "a rotated loop is in order": (task("ABCD", "CDAB", "12", 1), [""], "G", ["", "12"]),
    "a loop read backwards is not": (task("ABCD", "DCBA", "12", 1), [], "G", ["", "12"]),
    "a card that repairs up to rotation": (
        task("ABCDE", "CEDAB", "14 35 23 24", 1),
        ["23"],
        "G",
        ["", "14", "35", "23", "24"],
    ),
    "opposite cards of four": (task("ABCD", "CBAD", "13 24", 1), ["13", "24"], "G", ["", "13", "24"]),
}


@pytest.mark.parametrize("name", CASES)
def test_words_by_hand(name: str) -> None:
    data, words, _, _ = CASES[name]
    assert solve(data) == answer(words)


@pytest.mark.parametrize("name", CASES)
def test_without_the_rule_the_answer_is_another(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data, words, rule, otherwise = CASES[name]
    monkeypatch.setitem(encoding.RULES, rule, lambda *_: None)
    assert solve(data) == answer(otherwise)
    assert answer(otherwise) != answer(words)


def test_every_rule_bites_in_a_case() -> None:
    assert {rule for _, _, rule, _ in CASES.values()} == set(encoding.RULES)
    assert all(rule.lower() == post.__name__.partition("_")[0] for rule, post in encoding.RULES.items())


def test_the_showcase_has_its_word() -> None:
    """By hand: C gives coral, slate, pearl, amber, jade, which is the reference from coral on."""
    (data,) = (world["instance"] for world in json.loads(FIXTURES.read_bytes())["worlds"] if world["code"] == "CO-001")
    assert solve(data) == answer(["C"])
    data["budget"]["cards"] = 0
    assert solve(data) == answer([])


def test_a_mirrored_showcase_is_another_loop() -> None:
    """By hand: against the reference read backwards, A alone repairs."""
    data = task("EDCBA", "CEDAB", "14 35 23 24", 1)
    assert solve(data) == answer(["14"])


def test_without_cards_and_without_budget() -> None:
    for cards, budget in (("", 0), ("", 5), ("12", 0)):
        assert solve(task("ABC", "BCA", cards, budget)) == answer([""])
        assert solve(task("ABC", "BAC", cards, budget)) == answer([])


def test_a_budget_beyond_the_cards_is_of_no_use() -> None:
    """By hand: of three tokens every swap turns a loop into its mirror image, so one card or three repair."""
    words = ["12", "23", "13", *map(" ".join, permutations(("12", "23", "13")))]
    for budget in (3, 4, 276):
        assert solve(task("ABC", "BAC", "12 23 13", budget)) == answer(words)


def test_a_claim_only_narrows() -> None:
    data = task("ABC", "BAC", "12 23 13", 3)
    every = ["12", "23", "13", *map(" ".join, permutations(("12", "23", "13")))]
    assert solve(data, Claim(9)) == solve(data, Claim(3)) == answer(every)
    assert solve(data, Claim(2)) == solve(data, Claim(1)) == answer(every[:3])
    assert solve(data, Claim(0)) == solve(data, Claim(-1)) == answer([])


def largest(broken: list[int], budget: int) -> JsonObject:
    """24 tokens and a card for each of the 276 pairs of positions; tokens are numbers."""
    cards = [{"label": f"{i}.{j}", "swap": [i, j]} for i, j in combinations(range(1, 25), 2)]
    names = [f"t{number}" for number in range(24)]
    loops = {"reference": names, "broken": [names[number] for number in broken]}
    return task("", "", "", budget) | loops | {"cards": cards}


def test_all_swaps_of_the_largest_loop() -> None:
    """One swap and a rotation by seven away there is one repair, and two swaps away none."""
    once = [*range(7, 24), *range(7)]
    once[3], once[17] = once[17], once[3]
    twice = [once[1], once[0], *once[2:]]
    data = largest(once, 1)
    assert len(data["cards"]) == 276
    assert solve(data) == solve(data, Claim(lacking=("main",))) == answer(["4.18"])
    assert solve(data, Claim(having=("main",))) == answer([])
    assert solve(largest(twice, 1)) == answer([])


def test_a_word_of_too_many_terms_is_undecided() -> None:
    with pytest.raises(Undecided, match="memory"):
        solve(largest([*range(24)], 276))


def test_a_large_instance_and_a_moment_is_undecided() -> None:
    cards = " ".join(f"{i}{j}" for i, j in combinations(range(1, 10), 2))
    instance = read_instance(task("ABCDEFGHI", "GBIDFACHE", cards, 20))
    for ask in (cpsat.solve, cpsat.optimum):
        with pytest.raises(Undecided) as raised:
            ask(lambda model: encoding.build(model, instance, Claim()), Limits(0.05, 10))
        assert raised.value.reason == "time"


def drawn(seed: int) -> JsonObject:
    """A random small task: the broken loop is some swaps away, rotated, now and then mirrored or shuffled."""
    draw = random.Random(seed)
    length = draw.choice((3, 4, 4, 5, 5, 6))
    reference = "ABCDEF"[:length]
    pairs = [f"{i}{j}" for i, j in combinations(range(1, length + 1), 2)]
    cards = draw.sample(pairs, draw.randint(0, min(4, len(pairs))))
    loop = list(reference)
    for label in draw.sample(cards or pairs, min(len(cards or pairs), draw.randint(0, 3))):
        loop = swapped(loop, label)
    turn = draw.randrange(length) if draw.random() < 0.3 else 0
    loop = loop[turn:] + loop[:turn]
    if draw.random() < 0.1:
        loop.reverse()
    if draw.random() < 0.1:
        draw.shuffle(loop)
    return task(reference, "".join(loop), " ".join(cards), draw.randint(0, 4))


def swapped(loop: list[str], label: str) -> list[str]:
    after, (i, j) = list(loop), map(int, label)
    after[i - 1], after[j - 1] = loop[j - 1], loop[i - 1]
    return after


def played(data: JsonObject, budget: int | None = None, *, again: bool = False, any_end: bool = False) -> list[str]:
    """Every accepted sequence of cards by the rule book; on request with other rules."""
    labels = [card["label"] for card in data["cards"]]
    reference = "".join(data["reference"])
    most = data["budget"]["cards"] if budget is None else budget
    found = []
    for word in (word for size in range(most + 1) for word in product(labels, repeat=size)):
        loop = list(data["broken"])
        for label in word:
            loop = swapped(loop, label)
        repaired = any("".join(loop) == reference[turn:] + reference[:turn] for turn in range(len(reference)))
        if (again or len(set(word)) == len(word)) and (any_end or repaired):
            found.append(" ".join(word))
    return found


def local(data: JsonObject, word: str) -> bool:
    """The motif, by the rule book."""
    ring = [{at, at % len(data["reference"]) + 1} for at in range(1, len(data["reference"]) + 1)]
    return any(set(map(int, label)) in ring for label in word.split())


def test_random_tasks_have_the_words_of_the_rule_book() -> None:
    sizes = []
    for seed in range(400):
        data = drawn(seed)
        expected = answer(played(data))
        assert solve(data) == expected, seed
        sizes.append(len(expected.words))
    # The comparison is worth something only when both kinds of instance are there.
    assert sum(size == 0 for size in sizes) >= 40
    assert sum(size >= 3 for size in sizes) >= 40


def without(rule: str, data: JsonObject) -> list[str]:
    """The words of the rule book without a rule, as far as there are steps for them: one more than the budget, or than
    there are cards where these are fewer."""
    most, cards = data["budget"]["cards"], len(data["cards"])
    if rule == "R1":
        return played(data, min(most, cards + 1), again=True)
    return played(data, most + 1) if rule == "R2" else played(data, any_end=True)


@pytest.mark.parametrize("rule", encoding.RULES)
def test_random_tasks_without_a_rule(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(encoding.RULES, rule, lambda *_: None)
    others = 0
    for seed in range(150):
        data = drawn(seed)
        left = without(rule, data)
        assert solve(data) == answer(left), seed
        others += left != played(data)
    assert others >= 20


def test_random_tasks_and_what_claims_ask_of_them() -> None:
    """Motif and moves part the words, and all requests hold together."""
    seen: set[tuple[bool, bool]] = set()
    for seed in range(150):
        data = drawn(seed)
        words = played(data)
        for having, holds in ((True, ("main",)), (False, ())):
            claim = Claim(having=holds) if having else Claim(lacking=("main",))
            assert solve(data, claim) == answer(word for word in words if local(data, word) is having), seed
        for label in [card["label"] for card in data["cards"]][:2]:
            within = [word for word in words if label in word.split()]
            assert solve(data, Claim(required=(label,))) == answer(within), seed
            assert solve(data, Claim(forbidden=(label,))) == answer(set(words) - set(within)), seed
            both = Claim(2, ("main",), (), (label,))
            assert solve(data, both) == answer(one for one in within if local(data, one) and len(one.split()) <= 2)
            seen.add((bool(within), len(within) < len(words)))
    assert seen == set(product((True, False), repeat=2))


@pytest.mark.parametrize("move", ["", "99", None, 12, ["12"], {"label": "12"}])
def test_a_move_that_is_no_card_is_malformed(move: Any) -> None:
    with pytest.raises(MalformedInput):
        solve(task("ABC", "ABC", "12", 1), Claim(required=(move,)))


def test_the_interpreter_finds_the_same_words() -> None:
    """Generated instances and drawn ones, listed by exhaustive search."""
    world, sizes = WORLDS["CO"], []
    for number in range(200):
        data = world.generate(f"cpsat/{number}") if number % 2 else drawn(1000 + number)
        instance = world.read_instance(data)
        found = [world.write_submission(instance, word) for word in search.words(world, instance)]
        expected = answer(" ".join(word["cards"]) for word in found)  # type: ignore[call-overload, index]
        assert solve(data) == expected, number  # type: ignore[arg-type]
        sizes.append(len(expected.words))
    assert {0, 1, 2} <= set(sizes)
