"""The classes of an instance as the explorer shows them: by cost, then by number, so that a limit keeps the cheapest.

Rows are those of cwr_audits.table; the number of a class is its place in the order of representatives, from 1, in which
a certificate lists classes too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cwr_audits.checking import Late, alarm
from cwr_audits.rows import ClassRow
from cwr_audits.subject import Subject
from cwr_audits.table import rows
from cwr_audits.tallies import columns
from cwr_solvers.errors import Undecided
from cwr_solvers.grading import read_text
from cwr_solvers.world import Submission


@dataclass(frozen=True, slots=True)
class Table:
    """All classes of an instance, of which the first `most` are shown. `named`: {column of tallies: declared name}."""

    every: tuple[ClassRow, ...]
    most: int
    motifs: tuple[str, ...]
    named: Mapping[str, str]

    @property
    def shown(self) -> tuple[ClassRow, ...]:
        return self.every[: self.most]

    @property
    def raw(self) -> int:
        return sum(row.size for row in self.every)

    @property
    def words(self) -> int:
        return sum(len(row.words) for row in self.every)


def table(about: Subject, most: int, seconds: float) -> Table:
    """The table of an instance; raises Undecided when a limit comes before the search's end, and as `rows` does."""
    try:
        with alarm(seconds):
            found = rows(about)
    except Late:
        raise Undecided("time", f"the classes were not listed in {seconds:g} seconds") from None
    named = {column: name for name, column in columns(about.world.family, about.source).items()}
    motifs = tuple(found[0].motifs) if found else ()
    return Table(tuple(sorted(found, key=lambda row: (row.cost, row.number))), most, motifs, named)


def representative(about: Subject, row: ClassRow) -> Submission[Any]:
    """The submission that stands for a class."""
    return read_text(about.world, about.instance, row.representative)
