"""The rows of the table of classes, plain data: made by cwr_audits.table, kept by cwr_audits.store.

From a worker they travel as JSON; counts of raw submissions as hexadecimal text, as everywhere (see cwr_audits.wire).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# family -> its motifs, as in cwr_audits.motifs, whose predicates load a graph library
MOTIF_NAMES: Mapping[str, tuple[str, ...]] = {
    "TW": ("main",),
    "TP": ("main",),
    "RS": ("overlap", "crossed", "strict", "full"),
    "PA": ("main",),
    "FT": ("main",),
    "KL": ("main",),
    "PS": ("main",),
    "BC": ("shape", "typed", "mid", "weak"),
    "CO": ("main",),
}


@dataclass(frozen=True, slots=True)
class WordRow:
    """One word: its canonical JSON, how many raw submissions it stands for, its distance from the witness."""

    word: bytes
    raw: int
    distance: int | None


@dataclass(frozen=True, slots=True)
class ClassRow:
    """One class.

    number     from 1, in the order of representatives
    words      sorted; the first is the representative
    size       distinct raw submissions, exact
    distance   from the witness, of the nearest word (see cwr_audits.distance); None where there is no witness
    motifs     {motif: whether the class has it}
    tallies    {column: number}, of the representative (see cwr_audits.tallies)
    """

    number: int
    words: tuple[WordRow, ...]
    size: int
    cost: int
    distance: int | None
    motifs: Mapping[str, bool]
    tallies: Mapping[str, int]

    @property
    def representative(self) -> bytes:
        return self.words[0].word


def write_rows(rows: Sequence[ClassRow]) -> list[dict[str, Any]]:
    """The JSON of rows."""
    return [
        {
            "number": one.number,
            "words": [[word.word.decode("utf-8"), hex(word.raw), word.distance] for word in one.words],
            "size": hex(one.size),
            "cost": one.cost,
            "distance": one.distance,
            "motifs": dict(one.motifs),
            "tallies": dict(one.tallies),
        }
        for one in rows
    ]


def read_rows(told: Sequence[Mapping[str, Any]]) -> tuple[ClassRow, ...]:
    """The rows that a worker of ours wrote."""
    return tuple(
        ClassRow(
            **{
                **one,
                "size": int(one["size"], 16),
                "words": tuple(WordRow(word.encode("utf-8"), int(raw, 16), away) for word, raw, away in one["words"]),
            }
        )
        for one in told
    )
