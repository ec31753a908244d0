"""What guesses earn that do not read the cyclic order.

A guess names the labels that it would choose among; it earns the chance of an even draw among them to be right, exactly
(1/2 where the answer is one of two). What it earns is told of all puzzles and of each token count.

  cards    guesses that see the four pairs of positions and no token. The answer is drawn evenly from the cards, so
           each of them should earn CHANCE; one that earns more has found a leak, and is judged
  tokens   guesses that look at tokens and not at rotation, or not at direction. They earn more than CHANCE by the
           nature of the task and are told, not judged: what a reader must surpass who is said to read cyclic order

Judged is how likely a guess earns at least as much where the answer is drawn evenly. With ties that is no binomial
distribution but a sum of them, one for each number of labels in a tie; it is computed as such. Each test has the same
part of the level as a test of balance.py. Where fewer than LEAST right choices are expected, nothing is judged.

Started as a module with a seed and a number it prints the shares that guesses earn in so many puzzles of that seed.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from scipy.stats import binom

from cwr_audits.scenes.cyclic_order.auditing.balance import LEAST, TOO_FEW, answer_of, apart
from cwr_audits.scenes.cyclic_order.contract import LABELS, Option, Puzzle, SceneConfig
from cwr_audits.scenes.cyclic_order.judging import Loop
from cwr_audits.scenes.cyclic_order.sampling import instance_seed, sample, swapped
from cwr_solvers.jsontext import Json

CHANCE = Fraction(1, len(LABELS))
UNITS = 12  # of which a choice among one, two, three or four labels earns a whole number
CARDS, TOKENS = "cards", "tokens"
NO_MORE, LEAK = "no more than chance within sampling error", "more than chance: a leak"
TOLD = "told, not judged"

Guess: TypeAlias = Callable[[Puzzle], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Earned:
    """What a guess earns in these puzzles; `p` is None where nothing was judged."""

    guess: str
    sees: str
    within: str
    puzzles: int
    right: Fraction
    p: float | None
    word: str


def baselines(puzzles: Sequence[Puzzle], config: SceneConfig, level: float) -> tuple[Earned, ...]:
    """What all guesses earn; `level` is that of one test."""
    return tuple(
        _earned(name, sees, within, [one for one in puzzles if one.axes.token_count in counts], level)
        for name, (sees, _) in GUESSES.items()
        for within, counts in _groups(config).items()
    )


def number_judged(config: SceneConfig) -> int:
    """How many of them are judged."""
    return sum(sees == CARDS for sees, _ in GUESSES.values()) * len(_groups(config))


def earned_json(one: Earned) -> Json:
    """What a guess earns as JSON: exactly, and as decimals."""
    return {
        "guess": one.guess,
        "sees": one.sees,
        "within": one.within,
        "puzzles": one.puzzles,
        "right": str(one.right),
        "share": f"{float(one.right / one.puzzles):.4f}" if one.puzzles else None,
        "p": None if one.p is None else f"{one.p:.4f}",
        "says": one.word,
    }


def at_least(ties: Mapping[int, int], right: Fraction) -> float:
    """How likely it is to earn at least so much where the answer is drawn evenly; `ties` has the number of puzzles by
    the number of labels among which the guess chooses."""
    ones, twos, threes, fours = (ties.get(size, 0) for size in range(1, len(LABELS) + 1))
    by_twos, by_threes = np.arange(twos + 1)[:, None], np.arange(threes + 1)[None, :]
    missing = int(UNITS * right) - by_twos * (UNITS // 2) - by_threes * (UNITS // 3) - fours * (UNITS // 4)
    needed = -(-missing // UNITS)  # rounded up: so many choices of a single label must be right
    there = binom.pmf(by_twos, twos, 1 / 2) * binom.pmf(by_threes, threes, 3 / 4)
    return min(1.0, float((there * binom.sf(needed - 1, ones, 1 / 4)).sum()))


def _groups(config: SceneConfig) -> dict[str, tuple[int, ...]]:
    """Token counts by what they are called: all together, where there are several, and each."""
    each: dict[str, tuple[int, ...]] = {f"{count} tokens": (count,) for count in config.token_counts}
    return {"all": config.token_counts, **each} if len(each) > 1 else each


def _earned(name: str, sees: str, within: str, puzzles: Sequence[Puzzle], level: float) -> Earned:
    chosen = [GUESSES[name][1](puzzle) for puzzle in puzzles]
    hits = [answer_of(puzzle).label in labels for puzzle, labels in zip(puzzles, chosen, strict=True)]
    right = sum((Fraction(int(hit), len(labels)) for hit, labels in zip(hits, chosen, strict=True)), Fraction(0))
    if sees != CARDS:
        return Earned(name, sees, within, len(puzzles), right, None, TOLD)
    if len(puzzles) * CHANCE < LEAST:
        return Earned(name, sees, within, len(puzzles), right, None, TOO_FEW)
    p = at_least(Counter(map(len, chosen)), right)
    return Earned(name, sees, within, len(puzzles), right, p, NO_MORE if p >= level else LEAK)


# --- guesses


def _best(puzzle: Puzzle, worth: Callable[[Option], int]) -> frozenset[str]:
    """The labels of the cards that are worth most."""
    most = max(worth(one) for one in puzzle.options)
    return frozenset(one.label for one in puzzle.options if worth(one) == most)


def _apart(puzzle: Puzzle, option: Option) -> int:
    return apart((option.first, option.second), puzzle.axes.token_count)


def _always_a(_puzzle: Puzzle) -> frozenset[str]:
    return frozenset(LABELS[:1])


def _first_pair(puzzle: Puzzle) -> frozenset[str]:
    return frozenset({min(puzzle.options, key=lambda one: (one.first, one.second)).label})


def _farthest(puzzle: Puzzle) -> frozenset[str]:
    return _best(puzzle, lambda one: _apart(puzzle, one))


def _nearest(puzzle: Puzzle) -> frozenset[str]:
    return _best(puzzle, lambda one: -_apart(puzzle, one))


def _odd_one_out(puzzle: Puzzle) -> frozenset[str]:
    """The cards as far apart as no other card; all where there is none."""
    steps = Counter(_apart(puzzle, one) for one in puzzle.options)
    return _best(puzzle, lambda one: int(steps[_apart(puzzle, one)] == 1))


def _equal_places(puzzle: Puzzle, option: Option) -> int:
    """On how many places the loop after the swap has the token of the reference, without turning it."""
    after = swapped(puzzle.broken, (option.first, option.second))
    return sum(token == wanted for token, wanted in zip(after, puzzle.reference, strict=True))


def _fewest_places(puzzle: Puzzle) -> frozenset[str]:
    return _best(puzzle, lambda one: -_equal_places(puzzle, one))


def _most_places(puzzle: Puzzle) -> frozenset[str]:
    return _best(puzzle, lambda one: _equal_places(puzzle, one))


def _neighbours(loop: Loop) -> frozenset[frozenset[str]]:
    """The tokens that are next to each other, in either direction."""
    return frozenset(map(frozenset, zip(loop, (*loop[1:], loop[0]), strict=True)))


def _most_neighbours(puzzle: Puzzle) -> frozenset[str]:
    """A mirror image has all neighbours as well: that card is chosen as readily as the one that repairs."""
    wanted = _neighbours(puzzle.reference)
    return _best(puzzle, lambda one: len(wanted & _neighbours(swapped(puzzle.broken, (one.first, one.second)))))


GUESSES: Mapping[str, tuple[str, Guess]] = {
    "always A": (CARDS, _always_a),
    "the first pair in number order": (CARDS, _first_pair),
    "the positions farthest apart": (CARDS, _farthest),
    "the positions nearest to each other": (CARDS, _nearest),
    "as far apart as no other card": (CARDS, _odd_one_out),
    "fewest places like the reference": (TOKENS, _fewest_places),
    "most places like the reference": (TOKENS, _most_places),
    "most neighbours as in the reference, in either direction": (TOKENS, _most_neighbours),
}


def main(seed: str, number: str) -> None:
    """Print what guesses earn, a line for each: of all puzzles, and of each token count."""
    config = SceneConfig()
    puzzles = [sample(instance_seed(seed, index), config) for index in range(int(number))]
    print(*(within.ljust(8) for within in _groups(config)), "guess")
    found = baselines(puzzles, config, 0.0)
    for name in GUESSES:
        shares = [float(one.right / one.puzzles) if one.puzzles else 0.0 for one in found if one.guess == name]
        print(*(f"{share:<8.3f}" for share in shares), name)


if __name__ == "__main__":
    main(*sys.argv[1:])
