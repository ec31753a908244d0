"""Are the axes even? Of every axis the values that a seed gave, held against equal shares by a chi-squared test.

All tests together, those of baselines.py included, have the level LEVEL, each of them its equal part (Bonferroni): were
every value equally likely, one seed in 1/LEVEL at most would have a table in which some axis is called unbalanced or
some guess a leak. So "balanced within sampling error" says that these puzzles give no reason to doubt it, and not that
it is so.

"Answer among the cards" is the place of the answer among the four pairs shown, sorted by how far apart their positions
are on the loop and then by number: what a reader could guess from who sees no token. "Planted pair" is not asked of
four tokens: opposite positions repair alike, so they are never shown together and are planted less often.

Where a value is expected fewer than LEAST times, the test means nothing and nothing is judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from scipy.stats import chisquare

from cwr_audits.scenes.cyclic_order.contract import FEWEST_TOKENS, LABELS, Puzzle, SceneConfig
from cwr_audits.scenes.cyclic_order.judging import all_swaps
from cwr_solvers.jsontext import Json

LEVEL = Fraction(1, 100)
LEAST = 5
BALANCED, UNBALANCED, TOO_FEW = "balanced within sampling error", "unbalanced", "too few puzzles to judge"

Axis: TypeAlias = tuple[str, str, Sequence[Hashable], Callable[[Puzzle], Hashable], int | None]


@dataclass(frozen=True, slots=True)
class Tested:
    """An axis: how often each of its values was drawn, in which puzzles, and what the test makes of it. Figures are
    None where nothing was judged."""

    axis: str
    within: str
    counts: tuple[int, ...]
    statistic: float | None
    p: float | None
    word: str

    @property
    def degrees(self) -> int:
        return len(self.counts) - 1


def level_of(config: SceneConfig, others: int) -> float:
    """The level of one test, where so many others are made beside those of the axes."""
    return float(LEVEL / (len(_axes(config)) + others))


def balances(puzzles: Sequence[Puzzle], config: SceneConfig, level: float) -> tuple[Tested, ...]:
    """All axes that have more than one value; `level` is that of one test."""
    return tuple(_tested(axis, puzzles, level) for axis in _axes(config))


def answer_of(puzzle: Puzzle) -> Any:
    """The option that was planted."""
    return next(one for one in puzzle.options if one.option_id == puzzle.answer)


def tested_json(one: Tested) -> Json:
    """An axis as JSON; figures as decimals."""
    return {
        "axis": one.axis,
        "within": one.within,
        "counts": list(one.counts),
        "degrees_of_freedom": one.degrees,
        "statistic": None if one.statistic is None else f"{one.statistic:.3f}",
        "p": None if one.p is None else f"{one.p:.4f}",
        "says": one.word,
    }


def _axes(config: SceneConfig) -> list[Axis]:
    """Name, in which puzzles, the values, of which there are several, the value of a puzzle, and the token count that
    the puzzles have."""
    everywhere: list[Axis] = [
        ("answer label", "all", LABELS, lambda puzzle: answer_of(puzzle).label, None),
        ("token count", "all", config.token_counts, lambda puzzle: puzzle.axes.token_count, None),
        ("token style", "all", config.token_styles, lambda puzzle: puzzle.axes.token_style, None),
        ("loop path", "all", config.loop_paths, lambda puzzle: puzzle.axes.loop_path, None),
        ("scene variant", "all", config.scene_variants, lambda puzzle: puzzle.axes.scene_variant, None),
        ("palette", "all", config.palettes, lambda puzzle: puzzle.axes.palette, None),
    ]
    first = 0 if config.zero_rotation == "allowed" else 1
    for count in config.token_counts:
        within, turns = f"{count} tokens", tuple(range(first, count))
        everywhere.append(("answer among the cards", within, range(1, len(LABELS) + 1), _place, count))
        if count > FEWEST_TOKENS:
            everywhere.append(("planted pair", within, all_swaps(count), _planted, count))
        everywhere.append(("rotation", within, turns, lambda puzzle: puzzle.rotation, count))
    return [one for one in everywhere if len(one[2]) > 1]


def _planted(puzzle: Puzzle) -> tuple[int, int]:
    return answer_of(puzzle).first, answer_of(puzzle).second


def _place(puzzle: Puzzle) -> int:
    """The place of the answer among the pairs that are shown, from 1."""
    count = puzzle.axes.token_count
    shown = [(one.first, one.second) for one in puzzle.options]
    return 1 + sorted(shown, key=lambda pair: (apart(pair, count), pair)).index(_planted(puzzle))


def apart(pair: tuple[int, int], count: int) -> int:
    """How many steps it takes along the loop from one position to the other, the shorter way."""
    return min(pair[1] - pair[0], count - pair[1] + pair[0])


def _tested(axis: Axis, puzzles: Sequence[Puzzle], level: float) -> Tested:
    name, within, values, value_of, tokens = axis
    drawn = Counter(value_of(one) for one in puzzles if tokens in (None, one.axes.token_count))
    counts = tuple(drawn.pop(value, 0) for value in values)
    if drawn:  # a value that the axis does not have
        return Tested(name, within, (*counts, *drawn.values()), None, None, UNBALANCED)
    if sum(counts) < LEAST * len(counts):
        return Tested(name, within, counts, None, None, TOO_FEW)
    statistic, p = (float(figure) for figure in chisquare(counts))
    return Tested(name, within, counts, statistic, p, BALANCED if p >= level else UNBALANCED)
