"""Guesses that do not read the cyclic order: what each chooses, what it earns, and that a leak is called one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from inline_crew import inline
from scipy.stats import binom

from cwr_audits.late import SCENE_AUDITORS
from cwr_audits.out import REJECTED
from cwr_audits.scenes.cyclic_order import sampling
from cwr_audits.scenes.cyclic_order.auditing.asking import lanes
from cwr_audits.scenes.cyclic_order.auditing.audit import Plan, audit
from cwr_audits.scenes.cyclic_order.auditing.balance import TOO_FEW, level_of
from cwr_audits.scenes.cyclic_order.auditing.baselines import (
    CARDS,
    CHANCE,
    GUESSES,
    LEAK,
    NO_MORE,
    TOKENS,
    TOLD,
    Earned,
    at_least,
    baselines,
    earned_json,
    main,
    number_judged,
)
from cwr_audits.scenes.cyclic_order.contract import LABELS, Option, Puzzle, SceneConfig
from cwr_audits.scenes.cyclic_order.judging import accepted, all_swaps
from cwr_audits.scenes.cyclic_order.sampling import instance_seed, option_id, sample, swapped

CONFIG = SceneConfig()
FOUR = SceneConfig((4,), ("colored_shape_tokens",), ("ellipse",), CONFIG.scene_variants[:1], ("fair",))


def puzzles(config: SceneConfig, number: int) -> list[Puzzle]:
    return [sample(instance_seed("baselines", index), config) for index in range(number)]


def found(these: Sequence[Puzzle], config: SceneConfig) -> dict[tuple[str, str], Earned]:
    level = level_of(config, number_judged(config))
    return {(one.guess, one.within): one for one in baselines(these, config, level)}


def puzzle_of(reference: str, broken: str, *cards: tuple[int, int], answer: tuple[int, int]) -> Puzzle:
    """A puzzle whose tokens are letters."""
    plain = sample(instance_seed("baselines", 0), SceneConfig((len(reference),)))
    options = tuple(Option(option_id(card), label, *card) for label, card in zip(LABELS, cards, strict=True))
    tokens = {"reference": tuple(reference), "broken": tuple(broken)}
    return replace(plain, **tokens, options=options, answer=option_id(answer))


def chosen(puzzle: Puzzle) -> dict[str, str]:
    return {name: "".join(sorted(guess(puzzle))) for name, (_, guess) in GUESSES.items()}


def test_what_each_guess_chooses() -> None:
    # after A: cepab reads backwards from e on; C repairs: cdeab
    puzzle = puzzle_of("abcde", "cedab", (1, 3), (4, 5), (2, 3), (1, 2), answer=(2, 3))
    assert chosen(puzzle) == {
        "always A": "A",
        "the first pair in number order": "D",
        "the positions farthest apart": "A",
        "the positions nearest to each other": "BCD",
        "as far apart as no other card": "A",
        "fewest places like the reference": "BCD",
        "most places like the reference": "A",
        "most neighbours as in the reference, in either direction": "C",
    }


def test_a_mirror_image_has_all_neighbours_too() -> None:
    # the showcase: A leads to a mirror image, C repairs
    puzzle = puzzle_of("abcde", "cedab", (1, 4), (3, 5), (2, 3), (2, 4), answer=(2, 3))
    assert swapped(puzzle.broken, (1, 4)) == tuple("aedcb")
    assert chosen(puzzle)["most neighbours as in the reference, in either direction"] == "AC"


def test_where_no_card_stands_alone_all_are_chosen() -> None:
    puzzle = puzzle_of("abcd", "bdca", (1, 2), (2, 3), (3, 4), (1, 4), answer=(2, 3))
    told = chosen(puzzle)
    assert told["as far apart as no other card"] == told["the positions farthest apart"] == "ABCD"


@pytest.mark.parametrize("index", range(10))
def test_guesses_that_see_cards_see_no_token(index: int) -> None:
    puzzle = sample(instance_seed("blind", index), CONFIG)
    other = replace(puzzle, reference=puzzle.reference[::-1], broken=puzzle.reference, answer="", rotation=0)
    for sees, guess in GUESSES.values():
        assert sees == TOKENS or guess(puzzle) == guess(other)


def test_ties_share_evenly_and_exactly() -> None:
    puzzle = puzzle_of("abcde", "cedab", (1, 3), (4, 5), (2, 3), (1, 2), answer=(2, 3))
    earned = found([puzzle] * 20, SceneConfig((5,)))
    nearest = earned["the positions nearest to each other", "5 tokens"]
    assert (nearest.right, earned_json(nearest)) == (
        Fraction(20, 3),
        {
            "guess": "the positions nearest to each other",
            "sees": CARDS,
            "within": "5 tokens",
            "puzzles": 20,
            "right": "20/3",
            "share": "0.3333",
            "p": f"{at_least({3: 20}, Fraction(20, 3)):.4f}",
            "says": NO_MORE,
        },
    )
    assert earned["the positions farthest apart", "5 tokens"].right == 0


def test_the_distribution_of_what_is_earned() -> None:
    assert at_least({1: 30}, Fraction(12)) == pytest.approx(float(binom.sf(11, 30, 0.25)))
    assert at_least({4: 9}, Fraction(9, 4)) == 1.0
    ties = (1, 1, 2, 3, 4)
    worth = Counter[Fraction]()
    for places in product(range(4), repeat=len(ties)):  # where the answer is; the guess chooses the first places
        worth[sum((Fraction(int(at < size), size) for at, size in zip(places, ties, strict=True)), Fraction(0))] += 1
    for right in worth:
        expected = sum(number for other, number in worth.items() if other >= right) / 4 ** len(ties)
        assert at_least(Counter(ties), right) == pytest.approx(expected)


def test_what_guesses_earn() -> None:
    earned = found(puzzles(CONFIG, 600), CONFIG)
    assert {within for _, within in earned} == {"all", "4 tokens", "5 tokens"}
    for (guess, within), one in earned.items():
        assert one.word == (NO_MORE if one.sees == CARDS else TOLD)
        parts = [earned[guess, f"{count} tokens"] for count in CONFIG.token_counts]
        assert within != "all" or (one.puzzles, one.right) == (600, sum(part.right for part in parts))
    for puzzle in puzzles(CONFIG, 60):  # as the docs say of two guesses that see tokens
        right = next(one.label for one in puzzle.options if one.option_id == puzzle.answer)
        mirrors = {one.label for one in puzzle.options if one.option_id in puzzle.near_misses}
        told = chosen(puzzle)
        assert right in told["fewest places like the reference"]
        assert set(told["most neighbours as in the reference, in either direction"]) == {right, *mirrors}
    neighbours = earned["most neighbours as in the reference, in either direction", "all"]
    places = earned["fewest places like the reference", "all"]
    assert neighbours.right > 300  # one in two at least, as no more than one card leads to a mirror image
    assert places.right > 600 * CHANCE * Fraction(3, 2)


def test_shares_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main("baselines", "40")
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["all", "4", "tokens", "5", "tokens", "guess"]
    earned = found(puzzles(CONFIG, 40), CONFIG)
    for line, name in zip(lines, GUESSES, strict=True):
        assert line.startswith(f"{float(earned[name, 'all'].right / 40):.3f} ")
        assert line.endswith(f" {name}")


def test_too_few_puzzles_are_not_judged() -> None:
    words = {one.sees: one.word for one in found(puzzles(FOUR, 19), FOUR).values()}
    assert words == {CARDS: TOO_FEW, TOKENS: TOLD}
    nothing = earned_json(next(iter(found([], FOUR).values())))
    assert isinstance(nothing, dict)
    assert (nothing["share"], nothing["right"]) == (None, "0")


# --- a leak


def answer_first(seed: str, config: SceneConfig) -> Puzzle:
    """The planted swap is drawn of all pairs, and then three cards that do not repair."""
    puzzle = sample(seed, config)
    turned = puzzle.reference[puzzle.rotation :] + puzzle.reference[: puzzle.rotation]
    pairs = all_swaps(len(turned))
    answer = sampling.pick(sampling.draws(seed, "answer first"), pairs)
    broken = swapped(turned, answer)
    others = sorted(set(pairs) - accepted(puzzle.reference, broken, pairs))
    cards = (answer, *sampling.some(sampling.draws(seed, "others"), others, 3))
    order = sampling.some(sampling.draws(seed, "order"), cards, 4)
    options = tuple(Option(option_id(card), label, *card) for label, card in zip(LABELS, order, strict=True))
    return replace(puzzle, broken=broken, options=options, answer=option_id(answer))


def test_an_answer_that_is_drawn_before_the_cards_is_a_leak() -> None:
    these = [answer_first(instance_seed("leak", index), FOUR) for index in range(400)]
    earned = found(these, FOUR)
    alone = earned["as far apart as no other card", "4 tokens"]
    assert alone.word == LEAK
    assert alone.right > 400 * Fraction(35, 100)
    assert earned["always A", "4 tokens"].word == NO_MORE


def first_of_all(seed: str, config: SceneConfig) -> Puzzle:
    """The pair of the answer comes first on the cards in number order."""
    puzzle = sample(seed, config)
    cards = sorted((one.first, one.second) for one in puzzle.options)
    turned = puzzle.reference[puzzle.rotation :] + puzzle.reference[: puzzle.rotation]
    return replace(puzzle, broken=swapped(turned, cards[0]), answer=option_id(cards[0]))


def test_a_leak_decides_the_outcome_of_the_audit() -> None:
    """The answer is the first pair on the cards; nothing is wrong with any single puzzle."""
    table: dict[str, Any] = {"pictures": SCENE_AUDITORS["cyclic_order"]["pictures"]}
    plan = Plan("leak", 20, 1, 60.0, 0, 0, FOUR, first_of_all)
    with inline(lanes(table, 1)) as workers:
        outcome = audit(workers, (), plan, lambda _text: None)
    assert outcome.code == REJECTED
    texts = [str(fault) for fault in outcome.faults]
    assert "guess the first pair in number order, 4 tokens: more than chance: a leak: 20 of 20" in texts
