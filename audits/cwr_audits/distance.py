"""How far two submissions are from each other: the least number of moves to insert, delete or replace.

In most families the order of moves counts, and the distance is Levenshtein's over moves. In the families of BAGS a word
is an unordered set of moves (connections, placements, starts of jobs), and it is the number of moves that differ: the
larger of what one has and the other lacks, either way. Another final choice (a circuit's output) counts one more.

The distance between a class and a word is that of the class's nearest word. So it is 0 exactly for the class of the
word, and not changed by exchanges that the symmetries declare equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cwr_solvers.jsontext import canonical
from cwr_solvers.world import Choice, Submission, World

BAGS = frozenset({"PA", "FT", "RS"})

# said wherever a distance is shown
MEANING = "moves to insert, delete or replace (of a class: of its nearest word)"


@dataclass(frozen=True, slots=True)
class Spelled:
    """A submission as distances see it: its moves as canonical JSON, its choice, and whether their order counts."""

    moves: tuple[bytes, ...]
    choice: Choice
    ordered: bool


def spelled(world: World, instance: Any, submission: Submission[Any]) -> Spelled:
    """The submission in normal form, spelled move by move; it need not be legal."""
    normal = world.normal(instance, submission)
    moves = tuple(canonical(world.write_move(instance, move)) for move in normal.moves)
    return Spelled(moves, normal.choice, world.family not in BAGS)


def distance(one: Spelled, other: Spelled) -> int:
    """The distance of two submissions of one instance."""
    moved = edits(one.moves, other.moves) if one.ordered else differing(one.moves, other.moves)
    return moved + (one.choice != other.choice)


def edits(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """Levenshtein's distance: insertions, deletions and replacements."""
    row = list(range(len(other) + 1))
    for number, move in enumerate(one, 1):
        above, row[0] = row[0], number
        for column, against in enumerate(other, 1):
            above, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, above + (move != against))
    return row[-1]


def differing(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """The larger of the two differences of multisets."""
    left, right = Counter(one), Counter(other)
    return max((left - right).total(), (right - left).total())
