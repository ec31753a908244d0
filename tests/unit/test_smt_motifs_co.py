"""The motif of CO in the SMT encoding, against a predicate written here from the rule book."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
import z3
from smt_motif_checks import (
    changed,
    check_labels,
    check_moves,
    check_mutants,
    check_partition,
    expected,
    labels,
    showcase,
    words,
)

from cwr_encodings.co import smt
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.worlds.co.instance import Instance


def predicate(instance: Instance, word: Any) -> dict[str, bool]:
    """main, by the list of all pairs of neighbours."""
    last = len(instance.broken)
    neighbours = {(i, i + 1) for i in range(1, last)} | {(1, last)}
    return {
        "main": any((instance.card[label].first, instance.card[label].second) in neighbours for label in word["cards"])
    }


def loop(tokens: int, pairs: list[tuple[int, int]], swapped: list[tuple[int, int]], turn: int, most: int) -> Any:
    """A task with a card for each pair, broken from the turned reference by some swaps."""
    reference = [f"t{number}" for number in range(tokens)]
    broken = reference[turn:] + reference[:turn]
    for i, j in swapped:
        broken[i - 1], broken[j - 1] = broken[j - 1], broken[i - 1]
    cards = [{"label": f"s{i}-{j}", "swap": [i, j]} for i, j in pairs]
    return {
        "family": "CO",
        "code": "T",
        "reference": reference,
        "broken": broken,
        "cards": cards,
        "budget": {"cards": most},
    }


def every(tokens: int) -> list[tuple[int, int]]:
    return list(combinations(range(1, tokens + 1), 2))


# Broken by tokens that changed places without being neighbours: one card or three repair, with neighbours or without.
FIVE = loop(5, every(5), [(1, 3)], 1, 3)
# One word, whose only card swaps these positions, and whether they are neighbours.
SINGLE = {(1, 2): True, (2, 3): True, (4, 5): True, (1, 5): True, (1, 3): False, (2, 5): False, (1, 4): False}


@pytest.mark.parametrize("swap", SINGLE, ids=str)
def test_neighbours_by_hand(swap: tuple[int, int]) -> None:
    instance = loop(5, every(5), [swap], 2, 1)
    assert bool(words("CO", instance, having=("main",))) == SINGLE[swap]
    assert bool(words("CO", instance, lacking=("main",))) != SINGLE[swap]


@pytest.mark.parametrize(("tokens", "last"), [(8, 8), (9, 9), (16, 16), (17, 17), (24, 24)])
def test_the_ends_are_neighbours_whatever_the_bits(tokens: int, last: int) -> None:
    assert words("CO", loop(tokens, every(tokens), [(1, last)], 0, 1), having=("main",))
    assert words("CO", loop(tokens, every(tokens), [(1, last - 1)], 0, 1), lacking=("main",))
    assert words("CO", loop(tokens, every(tokens), [(last - 1, last)], 0, 1), having=("main",))


def test_without_cards_there_is_no_motif() -> None:
    instance = loop(4, every(4), [], 0, 0)
    assert words("CO", instance, having=("main",)) == {}
    assert len(words("CO", instance, lacking=("main",))) == 1


@pytest.mark.parametrize(
    "instance", [showcase("CO"), changed("CO", budget={"cards": 4}), FIVE], ids=["showcase", "loose", "five"]
)
def test_words_with_and_without(instance: Any) -> None:
    check_partition("CO", instance, predicate)


@pytest.mark.parametrize("seed", range(40))
def test_generated_tasks(seed: int) -> None:
    check_labels("CO", smt, WORLDS["CO"].generate(f"motif {seed}"), predicate)


def near(seed: int) -> Any:
    """A task with several words, some with neighbours and some without."""
    stream = random.Random(f"near {seed}")
    tokens = stream.choice((4, 5, 5, 6))
    pairs = every(tokens)
    swapped = stream.sample(pairs, stream.randint(1, 2))
    cards = list(dict.fromkeys([*swapped, *stream.sample(pairs, 5)]))
    return loop(tokens, cards, swapped, stream.randrange(tokens), 3)


@pytest.mark.parametrize("seed", range(12))
def test_tasks_near_the_motif(seed: int) -> None:
    check_labels("CO", smt, near(seed), predicate)


def test_tasks_near_the_motif_have_it_and_lack_it() -> None:
    mixed = [{motifs["main"] for motifs in expected("CO", near(seed), predicate).values()} for seed in range(12)]
    assert mixed.count({True, False}) >= 4


@pytest.mark.parametrize("seed", range(6))
def test_requested_moves(seed: int) -> None:
    check_moves("CO", near(seed), f"moves {seed}")


def test_mutants() -> None:
    check_mutants("CO", smt, "main", FIVE, predicate)


NEIGHBOURS = smt._swaps_neighbours
# the test of a swap with a part left out: an instance with a word whose motif is another one then
PARTS = {
    "any swap": (FIVE, lambda _, swap: swap != smt.REST),
    "rest too": (FIVE, lambda run, swap: z3.Or(swap == smt.REST, NEIGHBOURS(run, swap))),
    "ends left out": (
        loop(5, every(5), [(1, 5)], 0, 1),
        lambda _, swap: z3.Extract(2, 0, swap) == z3.Extract(5, 3, swap) + 1,
    ),
}


@pytest.mark.parametrize("part", PARTS)
def test_no_part_is_idle(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance, mutant = PARTS[part]
    right = expected("CO", instance, predicate)
    monkeypatch.setattr(smt, "_swaps_neighbours", mutant)
    assert labels("CO", smt, instance) != right
