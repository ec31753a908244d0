"""All that the audit of the scene came to, and its JSON, which audits/issued keeps for the report.

outcome    "passed" where there is no fault; else the worst word among the faults
Counts are numbers of puzzles or pictures; figures of tests are decimal texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from cwr_audits import out
from cwr_solvers.jsontext import Json

SCHEMA = "cwr-scene-audit/1"
DISAGREE, REJECTED, UNDECIDED, PASSED = "disagree", "rejected", "undecided", "passed"
CODES: Mapping[str, int] = {
    DISAGREE: out.DISAGREE,
    REJECTED: out.REJECTED,
    UNDECIDED: out.UNDECIDED,
    PASSED: out.ACCEPTED,
}
KEPT = 50  # faults that are told one by one


@dataclass(frozen=True, slots=True)
class Fault:
    """A thing that is not as it should be; `index` is that of a puzzle, None where it is about more or others.
    `entry` is what the ledger of disagreements must not forget of it, None where that is nothing."""

    word: str
    index: int | None
    text: str
    entry: Json = None

    def __str__(self) -> str:
        return self.text if self.index is None else f"puzzle {self.index}: {self.text}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """`told` is the JSON of what was examined, without the faults."""

    told: Mapping[str, Json]
    faults: tuple[Fault, ...]

    @property
    def word(self) -> str:
        """What it came to."""
        words = {fault.word for fault in self.faults} or {PASSED}
        return min(words, key=lambda word: out.WORST.index(CODES[word]))

    @property
    def code(self) -> int:
        """The exit code."""
        return CODES[self.word]

    def json(self) -> dict[str, Json]:
        """As it is kept; of many faults the first are told."""
        counted: dict[str, Json] = dict(Counter(fault.word for fault in self.faults))
        shown: list[Json] = [{"word": one.word, "index": one.index, "text": one.text} for one in self.faults[:KEPT]]
        return {"schema": SCHEMA, **self.told, "outcome": self.word, "faults": counted, "told": shown}
