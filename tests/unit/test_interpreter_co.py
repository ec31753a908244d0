"""Cyclic order, by hand and by listing: every rule, when it is judged, states, edges, equality up to rotation, counts.

What is expected is worked out without the interpreter: two loops are equal when every token is followed by the same
one, which needs no rotation; accepted submissions are listed as sequences of different cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations, permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from cwr_solvers.catalogue import WORLDS, showcase
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import answer_e, answer_p, grade, run
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.search import count, words
from cwr_solvers.symmetry import classes
from cwr_solvers.world import Broken, Edge, Submission

CO = WORLDS["CO"]
SHOW = CO.read_instance(showcase("CO-001").instance)
REFERENCE = ("amber", "jade", "coral", "slate", "pearl")
BROKEN = ("coral", "pearl", "slate", "amber", "jade")
SWAPS = {"A": (1, 4), "B": (3, 5), "C": (2, 3), "D": (2, 4)}

Loop = tuple[str, ...]

# Six tokens of which three lie wrong; the cards on positions 1 to 3 need one another, X touches others.
SMALL: dict[str, Any] = {
    "family": "CO",
    "code": "small",
    "reference": list("abcdef"),
    "broken": list("cabdef"),
    "cards": [
        {"label": "U", "swap": [1, 2]},
        {"label": "V", "swap": [2, 3]},
        {"label": "T", "swap": [1, 3]},
        {"label": "X", "swap": [3, 6]},
    ],
    "budget": {"cards": 3},
}


def small(**changes: Any) -> Any:
    return CO.read_instance({**SMALL, **changes})


def instance_of(reference: Sequence[str], broken: Sequence[str], budget: int = 1) -> Any:
    """An instance with a card for every pair of positions, labelled with them."""
    pairs = combinations(range(1, len(reference) + 1), 2)
    cards: list[Json] = [{"label": f"{first}-{second}", "swap": [first, second]} for first, second in pairs]
    source = {**SMALL, "reference": list(reference), "broken": list(broken), "cards": cards}
    return CO.read_instance({**source, "budget": {"cards": budget}})


def state(instance: Any, loop: Sequence[str], played: str = "") -> Any:
    number = len(played)
    return CO.read_state(instance, {"loop": list(loop), "played": list(played), "steps": number, "cost": number})


def followers(loop: Sequence[str]) -> dict[str, str]:
    """Which token each token is followed by."""
    return dict(zip(loop, [*loop[1:], loop[0]], strict=True))


def swapped(loop: Sequence[str], first: int, second: int) -> Loop:
    """The loop with the tokens of two positions exchanged, position by position."""
    other = {first: second, second: first}
    return tuple(loop[other.get(position, position) - 1] for position in range(1, len(loop) + 1))


def met(instance: Any, loop: Sequence[str]) -> bool:
    return CO.unmet(instance, state(instance, loop), None) == ()


@pytest.mark.parametrize(
    ("label", "loop"),
    [
        ("A", ("amber", "pearl", "slate", "coral", "jade")),
        ("B", ("coral", "pearl", "jade", "amber", "slate")),
        ("C", ("coral", "slate", "pearl", "amber", "jade")),
        ("D", ("coral", "amber", "slate", "pearl", "jade")),
    ],
)
def test_a_card_exchanges_two_tokens_and_keeps_all_others(label: str, loop: Loop) -> None:
    assert CO.step(SHOW, CO.initial(SHOW), label) == (loop, {label}, 1, 1)
    assert swapped(BROKEN, *SWAPS[label]) == loop


@pytest.mark.parametrize(
    ("played", "label", "rules"),
    [
        ("", "U", None),
        ("U", "V", None),
        ("TU", "V", None),
        ("U", "U", ("R1",)),
        ("TU", "U", ("R1",)),
        ("TUV", "X", ("R2",)),
        ("TUV", "T", ("R1",)),  # beyond the budget too, which is not judged then
        ("TUVX", "X", ("R1",)),
    ],
)
def test_rules_of_a_step(played: str, label: str, rules: tuple[str, ...] | None) -> None:
    after = CO.step(small(), state(small(), "abcdef", played), label)
    assert (after.rules if isinstance(after, Broken) else None) == rules
    if rules is None:
        assert after == (
            swapped("abcdef", *{"U": (1, 2), "V": (2, 3)}[label]),
            {*played, label},
            *[len(played) + 1] * 2,
        )


@pytest.mark.parametrize(
    ("budget", "played", "legal"), [(0, "", False), (1, "", True), (1, "U", False), (4, "UVT", True)]
)
def test_the_budget_counts_cards(budget: int, played: str, legal: bool) -> None:
    instance = small(budget={"cards": budget})
    assert isinstance(CO.step(instance, state(instance, "abcdef", played), "X"), Broken) == (not legal)


def test_faults_say_what_was_found_and_what_was_needed() -> None:
    instance = small()

    def said(played: str, label: str) -> list[tuple[str, str]]:
        return [
            (fault.found, fault.needed) for fault in CO.step(instance, state(instance, "abcdef", played), label).faults
        ]

    assert said("TVU", "V") == [("V among the cards played so far (U, V, T)", "V not played before")]
    assert said("TVU", "X") == [("card number 4", "at most 3 cards")]
    assert [
        (fault.rule, fault.found, fault.needed) for fault in CO.unmet(instance, state(instance, "cabdef"), None)
    ] == [("G", "a b d e f c in reading direction", "a b c d e f in reading direction, from any position on")]


@pytest.mark.parametrize(
    ("loop", "equal"),
    [
        (REFERENCE, True),
        (("pearl", "amber", "jade", "coral", "slate"), True),
        (("coral", "slate", "pearl", "amber", "jade"), True),
        (("pearl", "slate", "coral", "jade", "amber"), False),  # read backwards
        (("amber", "pearl", "slate", "coral", "jade"), False),  # read backwards, from its first token on
        (BROKEN, False),
        (("jade", "amber", "coral", "slate", "pearl"), False),
    ],
)
def test_goal(loop: Loop, equal: bool) -> None:
    assert met(SHOW, loop) == equal
    assert (followers(loop) == followers(REFERENCE)) == equal


@pytest.mark.parametrize("number", [3, 4, 5, 6])
def test_the_goal_holds_of_as_many_arrangements_as_there_are_positions(number: int) -> None:
    reference = "abcdef"[:number]
    instance = instance_of(reference, reference)
    good = [loop for loop in permutations(reference) if met(instance, loop)]
    assert good == [loop for loop in permutations(reference) if followers(loop) == followers(reference)]
    assert len(good) == number


@some.composite
def two_loops(draw: some.DrawFn) -> tuple[list[str], list[str]]:
    """A reference and an arrangement of its tokens: any, or a rotation, a mirror image, or either with one swap."""
    reference = draw(some.lists(some.text("abcxyz09", min_size=1, max_size=3), min_size=3, max_size=24, unique=True))
    if draw(some.integers(0, 4)) == 0:
        return reference, draw(some.permutations(reference))
    start = draw(some.integers(0, len(reference) - 1))
    loop = (reference[start:] + reference[:start])[:: draw(some.sampled_from((1, 1, -1)))]
    if draw(some.booleans()):
        first, second = draw(some.sampled_from(list(combinations(range(1, len(loop) + 1), 2))))
        loop = list(swapped(loop, first, second))
    return reference, loop


@given(two_loops())
def test_loops_are_equal_when_every_token_is_followed_by_the_same_one(loops: tuple[list[str], list[str]]) -> None:
    reference, loop = loops
    assert met(instance_of(reference, loop), loop) == (followers(loop) == followers(reference))


@given(two_loops(), some.integers(0, 23))
def test_turning_both_loops_changes_no_verdict(loops: tuple[list[str], list[str]], by: int) -> None:
    reference, loop = loops
    turned = [*loop[by % len(loop) :], *loop[: by % len(loop)]]
    assert met(instance_of(reference, loop), loop) == met(instance_of(reference, turned), turned)
    assert met(instance_of(reference, loop), loop) == met(instance_of(loop, reference), reference)


@given(two_loops(), some.data())
def test_a_run_ends_where_its_swaps_lead(loops: tuple[list[str], list[str]], data: some.DataObject) -> None:
    """Whatever different cards are played within the budget, in whatever order."""
    reference, broken = loops
    instance = instance_of(reference, broken, budget=6)
    labels = data.draw(some.lists(some.sampled_from(list(instance.card)), max_size=6, unique=True))
    loop: Loop = tuple(broken)
    for label in labels:
        loop = swapped(loop, *map(int, label.split("-")))
    trace = run(CO, instance, Submission(tuple(labels)))
    assert trace.state == (loop, set(labels), len(labels), len(labels))
    assert (trace.status == "accepted") == (followers(loop) == followers(reference))


def test_the_goal_is_judged_at_the_end_only() -> None:
    good = []
    for labels in ("", "U", "V", "T", "UV", "VU", "VT", "TV", "TU", "UT", "UVX", "VUX"):
        verdict = grade(CO, small(), canonical({"cards": list(labels)}))
        assert verdict.status in ("accepted", "rejected")
        good += [labels] if verdict.status == "accepted" else []
    assert good == ["UV", "VT", "TU"]


def test_every_submission_of_the_showcase() -> None:
    """All lists of up to three labels: nothing, one card, or two, of which the second is one too many or the first."""
    for labels in [labels for number in range(4) for labels in product(SWAPS, repeat=number)]:
        verdict = grade(CO, SHOW, canonical({"cards": list(labels)}))
        if len(labels) > 1:
            rule = "R1" if labels[0] == labels[1] else "R2"
            assert (verdict.status, verdict.step, verdict.codes, verdict.cost) == ("illegal", 2, (rule,), None)
        else:
            assert verdict.status == ("accepted" if labels == ("C",) else "rejected")
            assert (verdict.step, verdict.cost) == (None, len(labels))


@pytest.mark.parametrize(
    ("budget", "cards"), [(0, "UVT"), (1, "UVTX"), (2, "UVTX"), (3, "UVTX"), (4, "UVTX"), (9, "UVT")]
)
def test_all_accepted_submissions_by_listing(budget: int, cards: str) -> None:
    rows = {row["label"]: row for row in SMALL["cards"]}
    for reference in ("abcdef", "cabdef", "bcafde"):
        instance = small(reference=list(reference), cards=[rows[label] for label in cards], budget={"cards": budget})
        found = []
        for number in range(min(budget, len(cards)) + 1):
            for labels in permutations(cards, number):
                loop: Loop = tuple(SMALL["broken"])
                for label in labels:
                    loop = swapped(loop, *rows[label]["swap"])
                found += [labels] if followers(loop) == followers(reference) else []
        assert sorted(word.moves for word in words(CO, instance)) == sorted(found)
        costs = Counter(map(len, found))
        assert (count(CO, instance).raw, count(CO, instance).optimum) == (costs, min(costs, default=None))


def test_order_is_no_symmetry() -> None:
    """Two swaps that share no position lead to the same state in both orders, and are two classes all the same."""
    instance = small(broken=list("bacfed"), cards=[{"label": "P", "swap": [1, 2]}, {"label": "Q", "swap": [4, 6]}])
    found = list(words(CO, instance))
    assert sorted(word.moves for word in found) == [("P", "Q"), ("Q", "P")]
    assert len({run(CO, instance, word).state for word in found}) == 1
    assert [one.size for one in classes(CO, instance, found)] == [1, 1]
    assert [CO.namings(instance, word) for word in found] == [1, 1]
    assert count(CO, instance).reachable_states == 4  # nothing, P, Q, both


def test_counts_of_the_showcase() -> None:
    found = count(CO, SHOW)
    assert (found.optimum, found.raw, found.reachable_states) == (1, {1: 1}, 1 + 4)
    assert [word.moves for word in words(CO, SHOW)] == [("C",)]


def reads_as(loop: Sequence[str], mirrored: bool, reference: Sequence[str]) -> bool:
    """Equal up to rotation and, where mirrored, also up to reflection."""
    return followers(loop) == followers(reference) or (mirrored and followers(loop[::-1]) == followers(reference))


def repairs(number: int, mirrored: bool) -> dict[tuple[int, int], set[int]]:
    """{first swap: how many swaps repair what it did}, over all rotations of the reference that it may have spoilt."""
    reference = "abcdefgh"[:number]
    pairs = list(combinations(range(1, number + 1), 2))
    found: dict[tuple[int, int], set[int]] = {pair: set() for pair in pairs}
    for pair, start in product(pairs, range(number)):
        broken = swapped(reference[start:] + reference[:start], *pair)
        good = [other for other in pairs if reads_as(swapped(broken, *other), mirrored, reference)]
        assert pair in good
        found[pair].add(len(good))
        if not mirrored:
            labels = {word.moves for word in words(CO, instance_of(reference, broken)) if word.moves}
            assert labels == {(f"{first}-{second}",) for first, second in good}
    return found


@pytest.mark.parametrize("number", [3, 4, 5, 6, 7, 8])
def test_two_swaps_repair_with_opposite_positions_of_four_tokens_only_and_always_with_three(number: int) -> None:
    opposite = {(1, 3), (2, 4)}
    for pair, numbers in repairs(number, mirrored=False).items():
        assert numbers == ({3} if number == 3 else {2} if number == 4 and pair in opposite else {1})
    if number == 4:
        for pair in opposite:
            found = words(CO, instance_of("abcd", swapped("abcd", *pair)))
            assert {word.moves for word in found} == {("1-3",), ("2-4",)}


@pytest.mark.parametrize("number", [4, 5])
def test_were_mirror_images_equal_two_swaps_would_repair_every_loop_of_four_or_five_tokens(number: int) -> None:
    assert set(map(frozenset, repairs(number, mirrored=True).values())) == {frozenset({2})}


def test_were_mirror_images_equal_some_loops_of_six_tokens_would_have_one_repair() -> None:
    assert {min(numbers) for numbers in repairs(6, mirrored=True).values()} == {1, 2}


def test_answers() -> None:
    """P and E: the played cards of a state are written in the order of the instance."""
    final: Json = {"loop": list("abcdef"), "played": ["V", "T"], "steps": 2, "cost": 2}
    assert answer_e(CO, small(), Submission(("V", "T"))) == {
        "first_illegal_step": None,
        "final_state": final,
        "goal": True,
    }
    illegal = {"first_illegal_step": 3, "final_state": None, "goal": None}
    assert answer_e(CO, small(), Submission(("V", "T", "V"))) == illegal
    before = CO.read_state(small(), {**final, "played": ["T", "V"]})
    assert answer_p(CO, small(), before, "X") == {
        "legal": True,
        "next_state": {"loop": list("abfdec"), "played": ["V", "T", "X"], "steps": 3, "cost": 3},
    }
    assert answer_p(CO, small(), before, "T") == {"legal": False, "next_state": None}


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"loop": list("abcdeg")}, "unknown-name", "/loop/5"),
        ({"loop": list("abcdea")}, "contradiction", "/loop"),
        ({"loop": list("abcde")}, "contradiction", "/loop"),
        ({"loop": list("abcdefa")}, "contradiction", "/loop"),
        ({"loop": "abcdef"}, "wrong-type", "/loop"),
        ({"loop": [*"abcde", 6]}, "wrong-type", "/loop/5"),
        ({"played": ["T", "W"]}, "unknown-name", "/played/1"),
        ({"played": ["T", "T"]}, "contradiction", "/played"),
        ({"played": [1, "T"]}, "wrong-type", "/played/0"),
        ({"played": {"T": 1}}, "wrong-type", "/played"),
        ({"steps": 1}, "contradiction", "/steps"),
        ({"cost": 3}, "contradiction", "/cost"),
        ({"steps": -1}, "out-of-range", "/steps"),
        ({"steps": True}, "wrong-type", "/steps"),
        ({"cost": "2"}, "wrong-type", "/cost"),
        ({"budget": 1}, "unknown-key", "/budget"),
    ],
)
def test_malformed_states(change: dict[str, Any], code: str, pointer: str) -> None:
    good: dict[str, Any] = {"loop": list("fbadce"), "played": ["T", "V"], "steps": 2, "cost": 2}
    assert CO.read_state(small(), good) == (tuple("fbadce"), {"V", "T"}, 2, 2)
    with pytest.raises(MalformedInput) as caught:
        CO.read_state(small(), {**good, **change})
    assert (caught.value.code, caught.value.pointer) == (code, pointer)
    for key in good:
        with pytest.raises(MalformedInput, match=f"missing-key.*/{key}"):
            CO.read_state(small(), {name: value for name, value in good.items() if name != key})


def test_a_state_may_have_more_cards_played_than_the_budget_allows() -> None:
    before = state(small(), "abcdef", "UVTX")
    assert (before.steps, before.cost) == (4, 4)
    assert CO.unmet(small(), before, None) == ()


def card(label: str, *swap: Json) -> dict[str, Json]:
    return {"label": label, "swap": list(swap)}


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"family": "TW"}, "unknown-name", "/family"),
        ({"code": "a b"}, "domain", "/code"),
        ({"reference": ["a", "b"], "broken": ["a", "b"], "cards": []}, "out-of-range", "/reference"),
        ({"reference": [f"t{number}" for number in range(25)]}, "out-of-range", "/reference"),
        ({"reference": list("abcdea")}, "contradiction", "/reference"),
        ({"reference": [*"abcde", ""]}, "domain", "/reference/5"),
        ({"broken": list("abcdeg")}, "unknown-name", "/broken/5"),
        ({"broken": list("abcdee")}, "contradiction", "/broken"),
        ({"broken": list("abcde")}, "contradiction", "/broken"),
        ({"cards": [card("U", 1, 7)]}, "out-of-range", "/cards/0/swap/1"),
        ({"cards": [card("U", 0, 1)]}, "out-of-range", "/cards/0/swap/0"),
        ({"cards": [card("U", 2, 1)]}, "contradiction", "/cards/0/swap"),
        ({"cards": [card("U", 2, 2)]}, "contradiction", "/cards/0/swap"),
        ({"cards": [card("U", 1, 2, 3)]}, "out-of-range", "/cards/0/swap"),
        ({"cards": [card("U", 1)]}, "out-of-range", "/cards/0/swap"),
        ({"cards": [card("U", 1, True)]}, "wrong-type", "/cards/0/swap/1"),
        ({"cards": [card("U", 1, 2), card("U", 2, 3)]}, "contradiction", "/cards"),
        ({"cards": [card("U", 1, 2), card("V", 1, 2)]}, "contradiction", "/cards"),
        ({"cards": [card("U V", 1, 2)]}, "domain", "/cards/0/label"),
        ({"budget": {}}, "missing-key", "/budget/cards"),
        ({"budget": {"cards": -1}}, "out-of-range", "/budget/cards"),
        ({"budget": {"cards": 277}}, "out-of-range", "/budget/cards"),
    ],
)
def test_malformed_instances(change: dict[str, Any], code: str, pointer: str) -> None:
    with pytest.raises(MalformedInput) as caught:
        small(**change)
    assert (caught.value.code, caught.value.pointer) == (code, pointer)


@pytest.mark.parametrize(
    ("value", "code", "pointer"),
    [
        ({"cards": ["U", "W"]}, "unknown-name", "/cards/1"),
        ({"cards": ["U", "U", "a"]}, "unknown-name", "/cards/2"),  # a token is no card, and R1 is not judged
        ({"cards": [["U"]]}, "wrong-type", "/cards/0"),
        ({"cards": [{"label": "U"}]}, "wrong-type", "/cards/0"),
        ({"cards": [True]}, "wrong-type", "/cards/0"),
        ({"cards": "U"}, "wrong-type", "/cards"),
        ({"cards": [], "budget": 3}, "unknown-key", "/budget"),
        ({}, "missing-key", "/cards"),
        ([], "wrong-type", ""),
    ],
)
def test_outside_the_vocabulary_is_malformed_and_not_illegal(value: Json, code: str, pointer: str) -> None:
    verdict = grade(CO, small(), canonical(value))
    assert (verdict.status, verdict.step, verdict.codes) == ("malformed", None, (code,))
    assert verdict.error is not None
    assert verdict.error.pointer == pointer


def test_edges_lead_from_the_last_card_that_touched_a_position() -> None:
    assert CO.edges(small(), Submission(("U", "X", "T", "V"))) == (
        Edge(-1, 0, "1"),
        Edge(-1, 0, "2"),
        Edge(-1, 1, "3"),
        Edge(-1, 1, "6"),
        Edge(0, 2, "1"),
        Edge(0, 3, "2"),
        Edge(1, 2, "3"),
        Edge(2, 3, "3"),
    )
    assert CO.edges(small(), Submission(())) == ()


def kinds(seeds: Collection[str]) -> Counter[str]:
    """What kinds of random instances there are among some seeds."""
    found: Counter[str] = Counter()
    for instance in map(CO.read_instance, map(CO.generate, seeds)):
        loop, reference = instance.broken, instance.reference
        found[f"{len(reference)} tokens"] += 1
        found[f"{len(instance.cards)} cards"] += 1
        found[f"budget {instance.most_cards}"] += 1
        found["repaired"] += followers(loop) == followers(reference)
        found["mirrored"] += followers(loop[::-1]) == followers(reference)
        found["rotated"] += followers(loop) == followers(reference) and loop != reference
        found["namesakes"] += not instance.card.keys().isdisjoint(reference)
        found["beyond repair"] += count(CO, instance).optimum is None
    return found


def test_random_instances_are_of_every_kind() -> None:
    found = kinds([f"kinds/{number}" for number in range(200)])
    tokens, cards = [f"{number} tokens" for number in range(3, 7)], [f"{number} cards" for number in range(7)]
    budgets = [f"budget {number}" for number in range(4)]
    others = ["repaired", "mirrored", "rotated", "namesakes", "beyond repair"]
    assert set(found) <= {*tokens, *cards, *budgets, *others}
    assert [kind for kind in (*tokens, *budgets, *others) if found[kind] < 10] == []
    assert [kind for kind in cards if found[kind] < 5] == []
