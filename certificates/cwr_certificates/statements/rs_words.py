"""Words of scheduling and their decisions (rs/1). Trusted; from the rule book of RS."""

from __future__ import annotations

from dataclasses import dataclass

from cwr_certificates.cnf import TRUE, Cnf, all_of, signed
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import as_int, as_name, as_object
from cwr_solvers.worlds.rs.instance import Instance, read_starts, write_starts


@dataclass(frozen=True, slots=True)
class Model:
    """`late[job][t - 1]`: the job starts at t or later, t from 1 to the deadline; these are the decisions."""

    instance: Instance
    late: dict[str, tuple[int, ...]]
    decisions: tuple[int, ...]


def model_of(cnf: Cnf, instance: Instance) -> Model:
    """The decisions of an instance; no clause."""
    late = {job: tuple(cnf.new() for _ in range(instance.deadline)) for job in instance.job}
    return Model(instance, late, tuple(variable for row in late.values() for variable in row))


def starts_from(model: Model, job: str, t: int) -> int:
    """The literal "the job starts at t or later", for any integer t."""
    row = model.late[job]
    return TRUE if t <= 0 else -TRUE if t > len(row) else row[t - 1]


def literals(model: Model, word: Json) -> tuple[int, ...]:
    """The decisions of a word; raises MalformedInput."""
    starts = read_starts(model.instance, word)
    return signed(model.decisions, {variable for job, row in model.late.items() for variable in row[: starts[job]]})


def occurs(cnf: Cnf, model: Model, move: Json) -> list[int]:
    """Literals, one of which holds just when the move is in the word; raises MalformedInput."""
    fields = as_object(move, "", ("job", "start"))
    job = as_name(fields["job"], "/job", model.instance.job, "job")
    start = as_int(fields["start"], "/start", 0, model.instance.deadline)
    return [all_of(cnf, [starts_from(model, job, start), -starts_from(model, job, start + 1)])]


def word(model: Model, true: set[int]) -> Json:
    """The word whose decisions are among the true variables: a job's start is the number of its true ones."""
    return write_starts({job: len(true.intersection(row)) for job, row in model.late.items()})


def namings(instance: Instance, word: Json) -> int:
    """A word stands for itself; raises MalformedInput."""
    read_starts(instance, word)
    return 1
