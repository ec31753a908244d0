"""Attacks on every part of a world: what each part lets pass. See docs/attack.md; words are in cwr_audits.attacks.rows.

Four workers, one a route, attack at once; the interpreter's attacks graders and instances as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cwr_audits.attacks.answers import PART as ANSWERS
from cwr_audits.attacks.answers import compare
from cwr_audits.attacks.edits import neighbours
from cwr_audits.attacks.rows import GOOD, HOLE, OPEN, Row
from cwr_audits.out import ACCEPTED, REJECTED, UNDECIDED
from cwr_audits.routes import MEGABYTES
from cwr_audits.subject import Subject
from cwr_audits.wire import Reply, found, task
from cwr_audits.workers import Crew
from cwr_solvers.answers import Limits
from cwr_solvers.errors import Disagreement, Undecided

INTERPRETER = "interpreter"
PARTS = (ANSWERS, "graders", "vitality", "cpsat", "smt", "cnf")

# Of each family, the numbers of the random instances on which mutants are tried beside the showcase. They are chosen
# such that every rule function of every route is missed on one of them; that is what the attack then shows.
SEEDS: Mapping[str, Sequence[int]] = {
    "TW": (5, 7, 0, 6, 2),
    "TP": (25, 8, 10, 5),
    "BC": (15, 9),
    "KL": (6, 0, 1),
    "RS": (1, 0, 10),
    "PS": (0, 25, 8),
    "PA": (2, 14, 4),
    "FT": (19, 8, 22, 5),
    "CO": (10, 18, 4),
}


@dataclass(frozen=True, slots=True)
class Attack:
    """All that attacking one world came to."""

    about: Subject
    rows: tuple[Row, ...]

    @property
    def code(self) -> int:
        """The exit code: a hole weighs most, then what is open; with no row of a part the part is open."""
        words = [row.word for row in self.rows]
        if any(word in HOLE for word in words):
            return REJECTED
        covered = {row.part for row in self.rows} == set(PARTS)
        return ACCEPTED if covered and all(word in GOOD for word in words) else UNDECIDED

    def of(self, words: Sequence[str]) -> tuple[Row, ...]:
        """The rows with one of these words."""
        return tuple(row for row in self.rows if row.word in words)


def attacks(
    crew: Crew, subjects: Sequence[Subject], corpus: Path, limits: Limits, seeds: Mapping[str, Sequence[int]] = SEEDS
) -> Iterator[Attack]:
    """The attacks on the subjects, in their order. The crew has one worker a route, the interpreter's among them."""
    asked = [_ask(crew, one, corpus, limits, seeds.get(one.world.family, ())) for one in subjects]
    for one, replies in zip(subjects, asked, strict=True):
        yield Attack(one, tuple(_rows(one, replies)))


def _ask(crew: Crew, one: Subject, corpus: Path, limits: Limits, seeds: Sequence[int]) -> dict[str, Future[Reply]]:
    more: dict[str, Any] = {
        "submissions": submissions(one),
        "probes": list(one.probes),
        "seeds": [f"attack/{number}" for number in seeds],
        "corpus": str(corpus),
    }
    asked = task(one.world.family, one.source, limits, MEGABYTES, **more)
    return {route: crew.ask(route, asked) for route in crew.workers}


def submissions(one: Subject) -> list[Any]:
    """The published answers of a world."""
    return [*([] if one.witness is None else [one.witness]), *one.alternates]


def _rows(one: Subject, replies: Mapping[str, Future[Reply]]) -> Iterator[Row]:
    kinds = neighbours(one.world, one.instance, submissions(one))
    said: dict[bytes, str] | None = None
    for route, future in replies.items():
        try:
            told = found(future.result())
        except (Undecided, Disagreement) as error:
            for part in (ANSWERS, "graders", "vitality") if route == INTERPRETER else (ANSWERS, route):
                yield Row(part, route, "undecided" if isinstance(error, Undecided) else "hole", str(error))
            continue
        yield from (Row(**row) for row in told["rows"])
        if route == INTERPRETER:
            said = {text.encode("utf-8"): word for text, word in told["said"].items()}
        elif told["accepted"] is None or said is None:
            yield Row(
                ANSWERS, route, "missing" if said is not None else "undecided", "there are not two sides to compare"
            )
        else:
            yield from compare(route, kinds, said, {text.encode("utf-8") for text in told["accepted"]})


def counts(attack: Attack, part: str) -> dict[str, int]:
    """{word: number of rows} of one part."""
    words = [row.word for row in attack.rows if row.part == part]
    return {word: words.count(word) for word in (*GOOD, *HOLE, *OPEN) if word in words}
