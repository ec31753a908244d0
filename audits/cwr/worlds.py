"""Worlds: what there is to look at, grade and ask."""

from __future__ import annotations

from dataclasses import dataclass, field

from cwr.questions import Solutions, Spaces, as_text, at_least
from cwr.shown import Picture, Table
from cwr_audits.pictures import picture
from cwr_audits.subject import Subject, from_json, subject, subjects
from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.grading import grade, read_text
from cwr_solvers.jsontext import Json, canonical


@dataclass(frozen=True, slots=True)
class Verdict:
    """The word on a submission; `rules` are the stable names of what it breaks, `faults` say found and needed."""

    verdict: str
    cost: int | None
    step: int | None
    rules: tuple[str, ...]
    faults: tuple[tuple[str, str, str], ...]
    error: str | None

    def table(self) -> Table:
        """Every broken rule with what was found and what was needed."""
        where = "" if self.step is None else f" at step {self.step}"
        cost = "" if self.cost is None else f", cost {self.cost}"
        told = f"{self.verdict}{where}{cost}" + ("" if self.error is None else f": {self.error}")
        return Table(("rule", "found", "needed"), self.faults, (told,))

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


@dataclass(frozen=True, slots=True)
class World:
    """A world: one instance of a family, with its witness where it has one. It shows as the table of its rules."""

    about: Subject = field(repr=False)
    spaces: Spaces = field(default_factory=dict, repr=False, compare=False)  # opened for questions, a cache

    @property
    def code(self) -> str:
        return self.about.code

    @property
    def family(self) -> str:
        return self.about.world.family

    @property
    def title(self) -> str:
        return self.about.world.title

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON of the instance."""
        return self.about.digest

    @property
    def instance(self) -> Json:
        """The instance as JSON, a copy of one's own."""
        return self.about.world.write_instance(self.about.instance)

    def rules(self) -> Table:
        """The rules, by their stable names."""
        return Table(("rule", "says"), tuple(self.about.world.rules.items()))

    def grade(self, submission: Json | bytes) -> Verdict:
        """The verdict on a submission: a text (str or bytes) as it was handed in, or a JSON value."""
        try:
            data = as_text(submission)
        except MalformedInput as flaw:
            return Verdict("malformed", None, None, (flaw.code,), (), str(flaw))
        told = grade(self.about.world, self.about.instance, data)
        faults = tuple((fault.rule, fault.found, fault.needed) for fault in told.faults)
        error = None if told.error is None else str(told.error)
        return Verdict(told.status, told.cost, told.step, told.codes, faults, error)

    def picture(self, submission: Json | bytes = None, step: int | None = None) -> Picture:
        """The picture of a submission (of the witness, where none is named), or of its first steps.

        Raises MalformedInput where the submission is none, UsageError where there is no witness.
        """
        if submission is None and self.about.witness is None:
            raise UsageError(f"{self.code} has no witness to draw: name a submission")
        if step is not None:
            at_least(0, step)
        data = canonical(self.about.witness) if submission is None else as_text(submission)
        read = read_text(self.about.world, self.about.instance, data)
        return Picture(picture(self.family, self.about.instance, read, step))

    def solutions(self, *, store: str | None = None, seconds: float = 60.0) -> Solutions:
        """All solutions, to be narrowed and ordered. `store` is the folder of stored spaces, as with --store."""
        return Solutions(self.about, place=store, seconds=seconds, spaces=self.spaces)

    def __repr__(self) -> str:
        return f"<world {self.code}: {self.title}>"

    def _repr_html_(self) -> str:
        table = self.rules()
        return Table(table.headings, table.rows, (f"{self.code}: {self.title}", self.digest))._repr_html_()


def world(source: str | dict[str, Json]) -> World:
    """The showcase of that code, the instance in the file of that name, or the instance that a JSON value is."""
    if not isinstance(source, str | dict):
        raise UsageError(f"a world is a code, the name of a file, or an instance as a dict, not {source!r:.40}")
    return World(subject(source) if isinstance(source, str) else from_json(dict(source)))


def worlds() -> tuple[World, ...]:
    """All showcases."""
    return tuple(World(one) for one in subjects(()))
