"""Words of the safety protocol, their decisions and states (ps/1). Trusted; from the rule book of PS.

Only definitions stand here: they forbid no word, legal or not.
"""

from __future__ import annotations

from dataclasses import dataclass

from cwr_certificates.cnf import TRUE, Cnf, exactly_one, signed
from cwr_certificates.steps import Steps, taken
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import as_name
from cwr_solvers.worlds.ps.instance import Instance, Literal, read_actions, write_actions

Values = tuple[tuple[int, ...], ...]  # of one state: values[f][v] equals "field f has value number v"


@dataclass(frozen=True, slots=True)
class Model:
    """`steps.chosen[p][o]`: action p is operation o; these are the decisions. `states[t]`: after t actions."""

    instance: Instance
    steps: Steps
    states: tuple[Values, ...]
    decisions: tuple[int, ...]


def model_of(cnf: Cnf, instance: Instance, steps: Steps) -> Model:
    """Define the states: the initial one, and the one after each action (or idle place, which changes nothing)."""
    now: Values = tuple(
        tuple(TRUE if v == field.initial else -TRUE for v in range(len(field.values))) for field in instance.fields
    )
    states = [now]
    for kinds in steps.chosen:
        now = tuple(field_after(cnf, instance, kinds, f, values) for f, values in enumerate(now))
        states.append(now)
    return Model(instance, steps, tuple(states), tuple(variable for kinds in steps.chosen for variable in kinds))


def field_after(
    cnf: Cnf, instance: Instance, kinds: tuple[int, ...], f: int, before: tuple[int, ...]
) -> tuple[int, ...]:
    """Define the values of field f after an action: the one that it assigns, else the one before."""
    chosen = zip(instance.operations, kinds, strict=True)
    assigns = [(v, one) for operation, one in chosen for field, v in operation.then if field == f]
    if not assigns:
        return before
    after = tuple(cnf.new() for _ in before)
    exactly_one(cnf, after)
    for v, one in assigns:
        cnf.add(-one, after[v])
    for old, new in zip(before, after, strict=True):
        cnf.add(*(one for _, one in assigns), -old, new)
    return after


def holds(now: Values, literal: Literal) -> int:
    """The literal that equals "the precondition, invariant or goal literal holds in this state"."""
    known = now[literal.field][literal.value]
    return known if literal.positive else -known


def literals(model: Model, word: Json) -> tuple[int, ...]:
    """The decisions of a word; raises MalformedInput."""
    place = {operation.name: o for o, operation in enumerate(model.instance.operations)}
    names = read_actions(model.instance, word)
    return signed(model.decisions, taken(model.steps, [place[name] for name in names], "/actions"))


def occurs(_cnf: Cnf, model: Model, move: Json) -> list[int]:
    """Literals, one of which holds just when the move is in the word; raises MalformedInput."""
    names = [operation.name for operation in model.instance.operations]
    place = names.index(as_name(move, "", names, "operation"))
    return [row[place] for row in model.steps.chosen]


def word(model: Model, true: set[int]) -> Json:
    """The word whose decisions are among the true variables."""
    rows = (zip(model.instance.operations, kinds, strict=True) for kinds in model.steps.chosen)
    return write_actions(tuple(operation.name for row in rows for operation, chosen in row if chosen in true))


def namings(instance: Instance, word: Json) -> int:
    """A word stands for itself; raises MalformedInput."""
    read_actions(instance, word)
    return 1
