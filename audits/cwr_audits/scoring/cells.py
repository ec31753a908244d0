"""Rows counted: a cell is one base under one arm, and everything that is inferred starts from cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from cwr_audits.scoring.judging import Outcome


class Counted(NamedTuple):
    """What is counted of a row; outcome None: the row is missing."""

    family: str
    base: str
    arm: str
    outcome: Outcome | None
    malformed: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """Rows of one base and arm. `malformed` are among the rejected, `missing` among nothing else."""

    family: str
    base: str
    arm: str
    accepted: int
    rejected: int
    undecided: int
    missing: int
    malformed: int

    @property
    def n(self) -> int:
        """The rows that are there."""
        return self.accepted + self.rejected + self.undecided

    @property
    def rate(self) -> Fraction | None:
        """Accepted among decided rows; None where none is decided."""
        decided = self.accepted + self.rejected
        return Fraction(self.accepted, decided) if decided else None


def cells(rows: Iterable[Counted]) -> tuple[Cell, ...]:
    """The cells of rows, sorted by family, base and arm; the order of rows does not matter."""
    counts = Counter(rows)
    numbers: dict[tuple[str, str, str], Counter[str]] = {}
    for row, number in counts.items():
        cell = numbers.setdefault((row.family, row.base, row.arm), Counter())
        cell[row.outcome or "missing"] += number
        cell["malformed"] += number if row.malformed else 0
    names = ("accepted", "rejected", "undecided", "missing", "malformed")
    return tuple(Cell(*key, *(found[name] for name in names)) for key, found in sorted(numbers.items()))


def assumed(found: Sequence[Cell], accepted: Mapping[str, bool], *, missing: bool) -> tuple[Cell, ...]:
    """The cells had all undecided rows (and, where asked for, all missing ones) of an arm been accepted or rejected."""
    return tuple(_assumed(cell, accepted=accepted[cell.arm], missing=missing) for cell in found)


def _assumed(cell: Cell, *, accepted: bool, missing: bool) -> Cell:
    moved = cell.undecided + (cell.missing if missing else 0)
    left = 0 if missing else cell.missing
    if accepted:
        return replace(cell, accepted=cell.accepted + moved, undecided=0, missing=left)
    return replace(cell, rejected=cell.rejected + moved, undecided=0, missing=left)
