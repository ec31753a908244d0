"""Questions to the solutions of a world, and the solutions that answer them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from cwr.shown import Picture, Table
from cwr_audits import query, store
from cwr_audits.allowed import time_limit
from cwr_audits.alternatives import alternatives
from cwr_audits.distance import Spelled
from cwr_audits.request import Alternative, Answer, Request, move, origin
from cwr_audits.showing import HEADINGS, cells, drawn, sheet
from cwr_audits.subject import Subject
from cwr_solvers.errors import MalformedInput, Undecided, UsageError
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, canonical, parse

ALL = Request(limit=None)
MOST_DRAWN = 12  # pictures on one sheet

Spaces: TypeAlias = dict[str, query.Open]  # by their keys (cwr_audits.store)


@dataclass(frozen=True, slots=True)
class Solution:
    """An accepted submission (of a class, one of its words); it shows as its picture."""

    about: Subject = field(repr=False)
    found: Alternative

    @property
    def submission(self) -> Json:
        """The submission as JSON, a copy of one's own."""
        return parse(self.found.word, SUBMISSION_BYTES, SUBMISSION_DEPTH)

    @property
    def text(self) -> str:
        """The submission as canonical JSON text."""
        return self.found.word.decode("utf-8")

    @property
    def cost(self) -> int:
        return self.found.cost

    @property
    def number(self) -> int | None:
        """The number of its class; None where the space was not listed."""
        return self.found.number

    @property
    def raw(self) -> int:
        """How many raw submissions it stands for."""
        return self.found.raw

    @property
    def words(self) -> int:
        """How many words it stands for: 1, or those of its class that match."""
        return self.found.words

    @property
    def distance(self) -> int | None:
        """From the origin of the question: the witness, or what `nearest` or `farthest` named."""
        return self.found.distance

    @property
    def apart(self) -> int | None:
        """With `diverse`: the least distance from those before it."""
        return self.found.apart

    @property
    def motifs(self) -> Mapping[str, bool] | None:
        """Which motifs it has."""
        return None if self.found.motifs is None else dict(self.found.motifs)

    def picture(self, step: int | None = None) -> Picture:
        """The picture of the whole solution, or of its first steps."""
        return Picture(drawn(self.about, self.found, None if step is None else at_least(0, step)))

    def _repr_svg_(self) -> str:
        return self.picture().svg


@dataclass(frozen=True)
class Solutions:
    """A question: which solutions are there? Each method narrows or orders it and gives a new one.

    Looking at the answer (iterating, `len`, `table`, `picture`, truth) asks it, once. Where a limit came before all was
    known, `some` and a loop give what was found, a table says below itself that it is not all, and `len`, `list` and a
    truth that would be no raise Undecided.
    """

    about: Subject = field(repr=False)
    request: Request = ALL
    place: str | None = None
    seconds: float = 60.0
    spaces: Spaces = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        time_limit(self.seconds)

    def where(self, sql: str) -> Solutions:
        """Only classes that meet a condition in SQL over the table of classes."""
        return self._but(where=(*self.request.where, sql))

    def with_(self, motif: str) -> Solutions:
        """Only those that have the motif."""
        return self._but(having=(*self.request.having, motif))

    def without(self, motif: str) -> Solutions:
        """Only those that have not the motif."""
        return self._but(lacking=(*self.request.lacking, motif))

    def require(self, step: Json) -> Solutions:
        """Only those in which the step occurs: its JSON as a value, or its plain name."""
        return self._but(required=(*self.request.required, self._move(step)))

    def forbid(self, step: Json) -> Solutions:
        """Only those in which the step does not occur."""
        return self._but(forbidden=(*self.request.forbidden, self._move(step)))

    def at_cost(self, cost: int) -> Solutions:
        """Only those of exactly this cost."""
        return self._but(cost=at_least(0, cost))

    def nearest(self, submission: Json | bytes | Solution = None) -> Solutions:
        """The nearest first: to the witness, or to a submission, which need not be accepted."""
        return self._but(order="nearest", origin=self._origin(submission))

    def farthest(self, submission: Json | bytes | Solution = None) -> Solutions:
        """The farthest first."""
        return self._but(order="farthest", origin=self._origin(submission))

    def diverse(self, number: int) -> Solutions:
        """So many, each as far as can be from those before it."""
        return self._but(diverse=at_least(1, number))

    def classes(self) -> Solutions:
        """Classes instead of words."""
        return self._but(classes=True)

    def limit(self, number: int) -> Solutions:
        """At most so many."""
        return self._but(limit=at_least(1, number))

    @cached_property
    def answer(self) -> Answer:
        """The answer: what is shown, how many match, whether that is all. Raises as `cwr alternatives` fails."""
        place = store.place(self.place)
        return alternatives(self.about, self.request, place, self.seconds, lambda _text: None, self._opening)

    def some(self) -> tuple[Solution, ...]:
        """What was found, be it all or not."""
        return tuple(Solution(self.about, one) for one in self.answer.alternatives)

    def table(self) -> Table:
        """The answer as a table."""
        answer = self.answer
        shown = tuple(cells(one) for one in answer.alternatives)
        return Table(HEADINGS, shown, (_told(answer, len(shown)), *answer.notes, *_unkept(answer)))

    def picture(self) -> Picture:
        """The first solutions on one sheet."""
        return Picture(sheet(self.about, self.answer.alternatives[:MOST_DRAWN]))

    def __iter__(self) -> Iterator[Solution]:
        return iter(self.some())

    def __getitem__(self, number: int) -> Solution:
        return self.some()[number]

    def __len__(self) -> int:
        if not self.answer.complete:
            raise Undecided("words", f"{len(self.answer.alternatives)} found, not all: {'; '.join(self.answer.notes)}")
        return len(self.answer.alternatives)

    def __bool__(self) -> bool:
        return bool(self.answer.alternatives) or len(self) > 0

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def _but(self, **changes: Any) -> Solutions:
        return replace(self, request=replace(self.request, **changes))

    def _move(self, step: Json) -> bytes:
        return move(self.about, step if isinstance(step, str) else encoded(step).decode("utf-8"))

    def _origin(self, submission: Json | bytes | Solution) -> Spelled | None:
        if submission is None:
            return None
        return origin(self.about, submission.found.word if isinstance(submission, Solution) else as_text(submission))

    def _opening(self, folder: Path, about: Subject) -> nullcontext[query.Open]:
        """The opened space, which the world of this question keeps."""
        if folder.name not in self.spaces:
            self.spaces[folder.name] = query.read(folder, about)
        return nullcontext(self.spaces[folder.name])


def _unkept(answer: Answer) -> tuple[str, ...]:
    return (f"the space is listed anew for every question: {answer.unkept}",) if answer.unkept else ()


def at_least(least: int, number: int) -> int:
    if type(number) is not int or number < least:
        raise UsageError(f"a number of at least {least} was expected, not {number!r:.40}")
    return number


def as_text(submission: Json | bytes) -> bytes:
    """The text of a submission that is given as text, as bytes, or as a JSON value."""
    if isinstance(submission, bytes):
        return submission
    if isinstance(submission, str):
        return submission.encode("utf-8", "surrogatepass")
    return encoded(submission)


def encoded(value: Json) -> bytes:
    """The canonical text of a JSON value; raises MalformedInput for what Python has and JSON has not."""
    try:
        return canonical(value)
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        found = f"a Python value that is none ({type(error).__name__})"
        raise MalformedInput("wrong-type", "", "a JSON value", found) from None


def _told(answer: Answer, shown: int) -> str:
    if not answer.complete:
        return f"{shown} shown, {answer.matching} found, not all"
    return f"{shown} of {answer.matching} shown" if answer.matching else "none: it is proved that there is none"
