"""What a scene is to the commands: two records of functions, one of which draws and one of which only reads.

Maker   makes items from a seed: a scene draws with it, so it loads what drawing needs
Judge   grades answers and tells of records: what evaluators use, so it loads no drawing and no solver
A scene is one line for each in cwr_audits.late. Configurations and records travel as JSON, whose form is the scene's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from cwr_solvers.errors import MalformedInput
from cwr_solvers.jsontext import Json


@dataclass(frozen=True, slots=True)
class Export:
    """How pictures leave: width in pixels (None: as they are drawn), with PNG or not, with certificates or not."""

    width: int | None
    png: bool
    certify: bool


@dataclass(frozen=True, slots=True)
class Made:
    """One item. `files` by their paths in the folder; `log` has what befell on the way, an object each."""

    id: str
    files: Mapping[str, bytes]
    item: dict[str, Json]
    record: dict[str, Json]
    log: tuple[dict[str, Json], ...]


@dataclass(frozen=True, slots=True)
class Maker:
    """How a scene's items are made.

    read_config(JSON)                    the configuration in normal form; raises MalformedInput
    versions()                           what the items follow from beside seed and configuration: versions, digests
    make(seed, index, config, export)    the item of that index; raises Disagreement where it is not what it should be
    """

    read_config: Callable[[Json], dict[str, Json]]
    versions: Callable[[], dict[str, Json]]
    make: Callable[[str, int, Json, Export], Made]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What is said of one answer: a word that decides the exit code, JSON, lines for people, and what was malformed."""

    status: Literal["accepted", "rejected", "malformed"]
    told: dict[str, Json]
    lines: tuple[str, ...]
    errors: tuple[MalformedInput, ...]


@dataclass(frozen=True, slots=True)
class Judge:
    """How a scene's answers are graded.

    read_truth(record)              what is right; raises MalformedInput
    grade(truth, bytes, demanded)   the ruling; `demanded`: the annotation must be there
    explain(record, bytes, demanded)   lines for people: what the answer comes to, and what it should
    summary(record)                 a few words for a list of items, by column
    show(record)                    lines for people: what was asked, and why the answer is right
    """

    read_truth: Callable[[Json], Any]
    grade: Callable[[Any, bytes, bool], Ruling]
    explain: Callable[[Json, bytes, bool], list[str]]
    summary: Callable[[Json], Mapping[str, str]]
    show: Callable[[Json], list[str]]
