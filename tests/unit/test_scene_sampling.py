"""Sampling of the cyclic-order scene: what a seed gives, that exactly one option repairs, that nothing is skewed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from scipy.stats import chisquare

from cwr_audits.scenes.cyclic_order import sampling
from cwr_audits.scenes.cyclic_order.contract import LABELS, MOST_TOKENS, STYLE_USES, Puzzle, SceneConfig
from cwr_audits.scenes.cyclic_order.judging import accepted, all_swaps, mirrored
from cwr_audits.scenes.cyclic_order.looks import PALETTES, SHAPES, SYMBOLS
from cwr_audits.scenes.cyclic_order.sampling import (
    config_digest,
    instance_seed,
    read_config,
    sample,
    swapped,
    to_world,
    write_config,
)
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import grade
from cwr_solvers.jsontext import canonical
from cwr_solvers.sampling import pick
from cwr_solvers.worlds.co.world import WORLD

CONFIG = SceneConfig()
SEEDS = 2000
LEAST_P = 0.001  # a fixed seed draws once and for all, so this is a statement and no gamble


def puzzles(config: SceneConfig, number: int, seed: str = "balance") -> list[Puzzle]:
    return [sample(instance_seed(seed, index), config) for index in range(number)]


@pytest.fixture(scope="module")
def drawn() -> list[Puzzle]:
    return puzzles(CONFIG, SEEDS)


def swap_of(puzzle: Puzzle) -> tuple[int, int]:
    """The swap of the option that is the answer."""
    return next((one.first, one.second) for one in puzzle.options if one.option_id == puzzle.answer)


# --- what a puzzle is


def test_exactly_one_option_is_accepted_by_the_interpreter(drawn: list[Puzzle]) -> None:
    for puzzle in drawn:
        instance = WORLD.read_instance(to_world(puzzle))
        verdicts = {one.label: grade(WORLD, instance, canonical({"cards": [one.label]})) for one in puzzle.options}
        answer = [one.label for one in puzzle.options if one.option_id == puzzle.answer]
        assert [label for label, verdict in verdicts.items() if verdict.status == "accepted"] == answer
        assert {verdict.status for verdict in verdicts.values()} == {"accepted", "rejected"}


def test_a_puzzle_is_what_the_contract_says(drawn: list[Puzzle]) -> None:
    for puzzle in drawn:
        count = puzzle.axes.token_count
        assert tuple(one.label for one in puzzle.options) == LABELS
        assert len({one.option_id for one in puzzle.options}) == 4
        assert all(1 <= one.first < one.second <= count for one in puzzle.options)
        turned = puzzle.reference[puzzle.rotation :] + puzzle.reference[: puzzle.rotation]
        assert puzzle.broken == swapped(turned, swap_of(puzzle))
        assert puzzle.broken != puzzle.reference or puzzle.rotation
        assert puzzle.reference == tuple(look.name for look in puzzle.looks)
        assert len(set(puzzle.reference)) == count


def test_tokens_differ_by_all_that_the_style_uses(drawn: list[Puzzle]) -> None:
    for puzzle in drawn:
        uses, count = STYLE_USES[puzzle.axes.token_style], puzzle.axes.token_count
        shapes, colours = ([getattr(look, part) for look in puzzle.looks] for part in ("shape", "colour"))
        known = SYMBOLS if "symbol" in uses else SHAPES
        assert (len(set(shapes)) == count) == ("shape" in uses or "symbol" in uses)
        assert (len(set(colours)) == count) == ("colour" in uses)
        assert all(shape is None or shape in known for shape in shapes)
        assert all(colour is None or colour in PALETTES[puzzle.axes.palette] for colour in colours)


def test_a_card_that_repairs_what_another_repairs_is_redrawn_and_told(drawn: list[Puzzle]) -> None:
    told = [puzzle for puzzle in drawn if puzzle.redraws]
    assert len(told) > 100
    for puzzle in told:
        (redraw,) = puzzle.redraws
        assert (puzzle.axes.token_count, redraw.second - redraw.first) == (4, 2)  # opposite positions of four
        cards = [(one.first, one.second) for one in puzzle.options]
        assert (redraw.first, redraw.second) not in cards
        turned = puzzle.reference[puzzle.rotation :] + puzzle.reference[: puzzle.rotation]
        alike = [
            card
            for card in cards
            if accepted(puzzle.reference, swapped(turned, card), ((redraw.first, redraw.second),))
        ]
        assert len(alike) == 1


def test_no_two_cards_repair_alike(drawn: list[Puzzle]) -> None:
    for puzzle in drawn:
        opposite = [one for one in puzzle.options if one.second - one.first == 2]
        assert puzzle.axes.token_count > 4 or len(opposite) <= 1


def test_near_misses_are_the_options_that_lead_to_a_mirror_image(drawn: list[Puzzle]) -> None:
    assert {len(puzzle.near_misses) for puzzle in drawn} == {0, 1}
    for puzzle in drawn:
        for one in puzzle.options:
            after = swapped(puzzle.broken, (one.first, one.second))
            start = after.index(puzzle.reference[0])
            backwards = (after[start:] + after[:start])[1:] == puzzle.reference[:0:-1]
            assert (one.option_id in puzzle.near_misses) == backwards


def test_if_mirror_images_were_equal_two_swaps_would_repair(drawn: list[Puzzle]) -> None:
    for puzzle in drawn[:200]:
        swaps = all_swaps(puzzle.axes.token_count)
        repairs, mirrors = (asked(puzzle.reference, puzzle.broken, swaps) for asked in (accepted, mirrored))
        assert not repairs & mirrors
        assert len(repairs | mirrors) == 2


@pytest.mark.parametrize("count", range(4, MOST_TOKENS + 1))
def test_larger_loops(count: int) -> None:
    for puzzle in puzzles(replace(CONFIG, token_counts=(count,)), 40):
        pairs = all_swaps(count)
        assert len(accepted(puzzle.reference, puzzle.broken, pairs)) == (2 if count == 4 and gap(puzzle) == 2 else 1)


def gap(puzzle: Puzzle) -> int:
    first, second = swap_of(puzzle)
    return second - first


# --- nothing is skewed


def fit(found: Iterable[Hashable], among: Iterable[Hashable]) -> tuple[float, float, int]:
    """Chi-squared, its p, and the degrees of freedom of an even distribution over `among`; nothing else may occur."""
    counted, values = Counter(found), list(among)
    assert set(counted) <= set(values)
    done = chisquare([counted[value] for value in values])
    return float(done.statistic), float(done.pvalue), len(values) - 1


def answer_label(puzzle: Puzzle) -> str:
    return next(one.label for one in puzzle.options if one.option_id == puzzle.answer)


EVEN: list[tuple[str, Callable[[Puzzle], Hashable], tuple[Hashable, ...]]] = [
    ("answer label", answer_label, LABELS),
    ("token count", lambda puzzle: puzzle.axes.token_count, CONFIG.token_counts),
    ("token style", lambda puzzle: puzzle.axes.token_style, CONFIG.token_styles),
    ("loop path", lambda puzzle: puzzle.axes.loop_path, CONFIG.loop_paths),
    ("scene variant", lambda puzzle: puzzle.axes.scene_variant, CONFIG.scene_variants),
    ("palette", lambda puzzle: puzzle.axes.palette, CONFIG.palettes),
]


@pytest.mark.parametrize(("axis", "value", "among"), EVEN, ids=[axis for axis, _, _ in EVEN])
def test_every_value_of_an_axis_is_as_likely(
    drawn: list[Puzzle], axis: str, value: Callable[[Puzzle], Hashable], among: tuple[Hashable, ...]
) -> None:
    statistic, p, freedom = fit(map(value, drawn), among)
    print(f"{axis}: chi-squared {statistic:.2f}, {freedom} degrees of freedom, p {p:.3f}")
    assert p > LEAST_P
    assert {value(puzzle) for puzzle in drawn} == set(among)


@pytest.mark.parametrize("count", CONFIG.token_counts)
def test_every_rotation_is_as_likely_and_every_swap_where_none_repair_alike(drawn: list[Puzzle], count: int) -> None:
    these = [puzzle for puzzle in drawn if puzzle.axes.token_count == count]
    rows: list[tuple[str, Iterable[Hashable], Iterable[Hashable]]] = [
        ("rotation", [puzzle.rotation for puzzle in these], tuple(range(1, count)))
    ]
    if count > 4:
        rows.append(("planted", map(swap_of, these), all_swaps(count)))
    for what, found, among in rows:
        statistic, p, freedom = fit(found, among)
        print(f"{what}, {count} tokens: chi-squared {statistic:.2f}, {freedom} degrees of freedom, p {p:.3f}")
        assert p > LEAST_P


def blind(puzzles: Iterable[Puzzle]) -> dict[str, Counter[bool]]:
    """What guesses earn that see the pairs on the cards and no token: by guess, how often it is right and wrong."""
    earned: dict[str, Counter[bool]] = {"opposite": Counter(), "neighbours": Counter(), "first": Counter()}
    for puzzle in puzzles:
        cards = sorted((one.first, one.second) for one in puzzle.options)
        opposite = [card for card in cards if card[1] - card[0] == 2]
        near = [card for card in cards if card not in opposite]
        for name, guess in (
            ("opposite", opposite[0] if len(opposite) == 1 else near[0]),
            ("neighbours", near[0]),
            ("first", cards[0]),
        ):
            earned[name][guess == swap_of(puzzle)] += 1
    return earned


THREE_VARIANTS = replace(CONFIG, scene_variants=CONFIG.scene_variants[:3])  # so that cards alone are four


def first_of_cards(draws: Random, items: Sequence[Any]) -> Any:
    """The first card is the answer; everything else is picked as ever."""
    return items[0] if len(items) == 4 else pick(draws, items)


def test_the_pairs_on_the_cards_tell_nothing_of_the_answer() -> None:
    """Four tokens, where opposite positions repair alike: every guess that sees no token earns a quarter."""
    for name, counted in blind(puzzles(replace(CONFIG, token_counts=(4,)), SEEDS)).items():
        found = [counted[True], counted[False]]
        p = float(chisquare(found, [SEEDS / 4, SEEDS * 3 / 4]).pvalue)
        print(f"{name}: right {found[0]} of {SEEDS}, p {p:.3f}")
        assert p > LEAST_P


def test_an_answer_that_is_drawn_before_the_cards_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted swap drawn of all pairs, and cards that are not to repair too: what the guess "opposite" lives on."""

    def first(seed: str, reference: tuple[str, ...], turned: tuple[str, ...]) -> Any:
        pairs = all_swaps(len(reference))
        answer = sampling.pick(sampling.draws(seed, "answer"), pairs)
        others = [pair for pair in pairs if not accepted(reference, swapped(turned, answer), (pair,))]
        return (answer, *sampling.some(sampling.draws(seed, "cards"), others, 3)), ()

    monkeypatch.setattr(sampling, "_cards", first)
    monkeypatch.setattr(sampling, "pick", first_of_cards)
    counted = blind(puzzles(replace(THREE_VARIANTS, token_counts=(4,)), 400))
    assert counted["opposite"][True] > 400 * 0.35


def test_a_redraw_does_not_skew_the_mix(drawn: list[Puzzle]) -> None:
    """The distractors of five tokens are even over the nine others, and the answer's label is where it was redrawn."""
    redrawn = [puzzle for puzzle in drawn if puzzle.redraws]
    assert fit(map(answer_label, redrawn), LABELS)[1] > LEAST_P
    others = Counter[tuple[int, int]]()
    for puzzle in drawn:
        if puzzle.axes.token_count == 5:
            others.update((one.first, one.second) for one in puzzle.options if one.option_id != puzzle.answer)
    assert set(others) == set(all_swaps(5))
    assert float(chisquare(list(others.values())).pvalue) > LEAST_P


def test_a_skewed_sampler_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The label of the answer tied to its place in the list of options: what a forgotten permutation looks like."""
    monkeypatch.setattr(sampling, "some", lambda _draws, items, number: list(items)[:number])
    monkeypatch.setattr(sampling, "pick", first_of_cards)
    skewed = puzzles(THREE_VARIANTS, 200)
    assert fit(map(answer_label, skewed), LABELS)[1] < LEAST_P


def test_zero_rotation_occurs_just_where_it_is_allowed(drawn: list[Puzzle]) -> None:
    assert min(puzzle.rotation for puzzle in drawn) == 1
    allowed = puzzles(replace(CONFIG, zero_rotation="allowed"), 400)
    for count in CONFIG.token_counts:
        these = [puzzle.rotation for puzzle in allowed if puzzle.axes.token_count == count]
        assert fit(these, range(count))[1] > LEAST_P


# --- seeds, streams and configurations


def test_seeds_give_the_same_under_every_hash_seed() -> None:
    script = (
        "from hashlib import sha256\n"
        "from cwr_audits.scenes.cyclic_order.contract import SceneConfig\n"
        "from cwr_audits.scenes.cyclic_order.sampling import instance_seed, sample\n"
        "made = [sample(instance_seed('same', index), SceneConfig()) for index in range(60)]\n"
        "print(sha256(repr(made).encode()).hexdigest())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            timeout=120,
        ).stdout
        for seed in ("0", "1", "20261201")
    }
    assert len(said) == 1


def test_instance_seeds_differ() -> None:
    seeds = {instance_seed(seed, index) for seed in ("", "1", "11") for index in range(120)}
    assert len(seeds) == 360


def test_an_axis_does_not_move_the_others() -> None:
    fewer = replace(
        CONFIG, token_styles=("shape_tokens",), palettes=("harbour",), scene_variants=CONFIG.scene_variants[:1]
    )
    for index in range(50):
        one, other = (sample(instance_seed("axes", index), config) for config in (CONFIG, fewer))
        assert (one.rotation, one.options, one.answer, one.axes.loop_path, one.axes.token_count) == (
            other.rotation,
            other.options,
            other.answer,
            other.axes.loop_path,
            other.axes.token_count,
        )


def test_the_instance_of_co_has_a_code_of_its_own(drawn: list[Puzzle]) -> None:
    codes = {str(to_world(puzzle)["code"]) for puzzle in drawn[:300]}
    assert len(codes) == 300
    read = WORLD.read_instance(to_world(drawn[0]))
    assert WORLD.write_instance(read) == to_world(drawn[0])


def test_a_configuration_is_read_as_it_is_written() -> None:
    assert read_config({}) == CONFIG
    assert read_config(write_config(CONFIG)) == CONFIG
    one = read_config({"token_counts": [8, 6], "loop_paths": ["wavy_loop", "ellipse"], "zero_rotation": "allowed"})
    assert one.token_counts == (6, 8)
    assert one.loop_paths == ("ellipse", "wavy_loop")
    assert read_config(json.loads(json.dumps(write_config(one)))) == one
    assert config_digest(one) != config_digest(CONFIG)


@pytest.mark.parametrize(
    ("value", "code", "at"),
    [
        ([], "wrong-type", ""),
        (None, "wrong-type", ""),
        ({"token_counts": []}, "out-of-range", "/token_counts"),
        ({"token_counts": [3]}, "out-of-range", "/token_counts/0"),
        ({"token_counts": [4, 11]}, "out-of-range", "/token_counts/1"),
        ({"token_counts": [4, 4]}, "contradiction", "/token_counts"),
        ({"token_counts": [True]}, "wrong-type", "/token_counts/0"),
        ({"token_counts": ["4"]}, "wrong-type", "/token_counts/0"),
        ({"token_counts": 4}, "wrong-type", "/token_counts"),
        ({"token_styles": []}, "out-of-range", "/token_styles"),
        ({"token_styles": ["beads"]}, "unknown-name", "/token_styles/0"),
        ({"token_styles": ["shape_tokens", "shape_tokens"]}, "contradiction", "/token_styles"),
        ({"token_styles": "shape_tokens"}, "wrong-type", "/token_styles"),
        ({"loop_paths": ["ellipse", 1]}, "wrong-type", "/loop_paths/1"),
        ({"scene_variants": ["x"]}, "unknown-name", "/scene_variants/0"),
        ({"palettes": [None]}, "wrong-type", "/palettes/0"),
        ({"palettes": {}}, "wrong-type", "/palettes"),
        ({"zero_rotation": "maybe"}, "unknown-name", "/zero_rotation"),
        ({"zero_rotation": False}, "wrong-type", "/zero_rotation"),
        ({"rotation": "excluded"}, "unknown-key", "/rotation"),
    ],
)
def test_a_bad_configuration_is_refused(value: Any, code: str, at: str) -> None:
    with pytest.raises(MalformedInput) as refused:
        read_config(value)
    assert (refused.value.code, refused.value.pointer) == (code, at)
