"""Safety protocol: what its operations do and how they are judged. The rule book is the package docstring.

A move is an operation name. In states, values are value numbers and follow the instance's fields.
Standard library only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cwr_solvers.jsontext import LARGEST, Json, pointer
from cwr_solvers.reading import as_int, as_name, as_object
from cwr_solvers.world import Broken, Choice, Edge, Fault, Submission, no_exchanges
from cwr_solvers.worlds.ps.instance import (
    Instance,
    Literal,
    Operation,
    read_actions,
    read_value,
    write_actions,
)

_Values = tuple[int, ...]


class State(NamedTuple):
    """The value number of each field, how many actions led here, and what they cost."""

    values: _Values
    steps: int
    cost: int


commutes = True
exchanges = no_exchanges


def initial(instance: Instance) -> State:
    """The state before any action."""
    return State(instance.initial, 0, 0)


def step(instance: Instance, state: State, action: str) -> State | Broken:
    """The state after one action, or all rules that it breaks."""
    operation = instance.operation[action]
    fault = r1_when(instance, state, operation)
    if fault is not None:
        return Broken((fault,))
    after = apply(state, operation)
    faults = [fault for judge in _AFTER if (fault := judge(instance, after)) is not None]
    return Broken(tuple(faults)) if faults else after


def apply(state: State, operation: Operation) -> State:
    """The effect of an operation whose preconditions hold: all its fields get their new values at once."""
    values = list(state.values)
    for field, value in operation.then:
        values[field] = value
    return State(tuple(values), state.steps + 1, state.cost + 1)


def r1_when(instance: Instance, state: State, operation: Operation) -> Fault | None:
    """R1: every precondition literal holds."""
    wrong = _false(operation.when, state.values)
    if not wrong:
        return None
    return Fault("R1", _found(instance, wrong, state.values), f"{_all(instance, wrong)} for {operation.name}")


def r2_invariant(instance: Instance, after: State) -> Fault | None:
    """R2: of every invariant at least one literal holds."""
    wrong = _broken(instance.invariants, after.values)
    if not wrong:
        return None
    needed = " and ".join(_any(instance, clause) for clause in wrong)
    return Fault("R2", _found(instance, [literal for clause in wrong for literal in clause], after.values), needed)


def r3_actions(instance: Instance, after: State) -> Fault | None:
    """R3: the number of actions is within its budget."""
    if after.steps <= instance.most_actions:
        return None
    return Fault("R3", f"action number {after.steps}", f"at most {instance.most_actions} actions")


def r4_cost(instance: Instance, after: State) -> Fault | None:
    """R4: the cost is within its budget."""
    if after.cost <= instance.most_cost:
        return None
    return Fault("R4", f"cost {after.cost}", f"cost of at most {instance.most_cost}")


_AFTER = (r2_invariant, r3_actions, r4_cost)


def g_goal(instance: Instance, state: State) -> Fault | None:
    """G: every literal of the goal holds."""
    wrong = _false(instance.goal, state.values)
    return Fault("G", _found(instance, wrong, state.values), _all(instance, wrong)) if wrong else None


def _false(literals: Sequence[Literal], values: _Values) -> list[Literal]:
    return [literal for literal in literals if (values[literal.field] == literal.value) != literal.positive]


def _broken(clauses: Sequence[Sequence[Literal]], values: _Values) -> list[Sequence[Literal]]:
    """The clauses of which no literal holds; most are done with after their first."""
    broken = []
    for clause in clauses:
        for field, value, positive in clause:
            if (values[field] == value) == positive:
                break
        else:
            broken.append(clause)
    return broken


def _found(instance: Instance, literals: Sequence[Literal], values: _Values) -> str:
    """What the fields of some literals are, each field once."""
    fields = dict.fromkeys(literal.field for literal in literals)
    return ", ".join(f"{instance.fields[field].name} {_value(instance, field, values[field])}" for field in fields)


def _all(instance: Instance, literals: Sequence[Literal]) -> str:
    return ", ".join(_literal(instance, literal) for literal in literals)


def _any(instance: Instance, clause: Sequence[Literal]) -> str:
    return " or ".join(_literal(instance, literal) for literal in clause)


def _literal(instance: Instance, literal: Literal) -> str:
    word = "is" if literal.positive else "not"
    return f"{instance.fields[literal.field].name} {word} {_value(instance, literal.field, literal.value)}"


def _value(instance: Instance, field: int, value: int) -> str:
    """A value as JSON, which tells 1 from "1"."""
    return json.dumps(instance.fields[field].values[value], ensure_ascii=False)


def terminal(_instance: Instance, state: State) -> State:
    """The state itself: nothing happens after the last action."""
    return state


def unmet(instance: Instance, state: State, _choice: Choice) -> tuple[Fault, ...]:
    """The fault of the goal, if any."""
    fault = g_goal(instance, state)
    return () if fault is None else (fault,)


def moves(instance: Instance, _state: State) -> Iterable[str]:
    """Every operation."""
    return instance.operation


def choices(_instance: Instance, _state: State) -> tuple[Choice, ...]:
    """A protocol has no final choice."""
    return (None,)


def key(_instance: Instance, state: State) -> State:
    """The state itself: an action chooses no names."""
    return state


normal_moves = moves


def normal(_instance: Instance, submission: Submission[str]) -> Submission[str]:
    """The submission itself: an action chooses no names."""
    return submission


def namings(_instance: Instance, _submission: Submission[str]) -> int:
    """1: an action chooses no names."""
    return 1


def read_submission(instance: Instance, value: Json) -> Submission[str]:
    """The submission {"actions":[…]}; raises MalformedInput."""
    return Submission(read_actions(instance, value))


def write_submission(_instance: Instance, submission: Submission[str]) -> Json:
    """The JSON of a submission."""
    return write_actions(submission.moves)


def read_move(instance: Instance, value: Json) -> str:
    """An action, written as the operation's name; raises MalformedInput."""
    return as_name(value, "", instance.operation, "operation")


def write_move(_instance: Instance, action: str) -> Json:
    """The JSON of an action."""
    return action


def read_state(instance: Instance, value: Json) -> State:
    """The state {field:VALUE,…,"steps":n,"cost":n} with every field; raises MalformedInput."""
    given = as_object(value, "", (*(field.name for field in instance.fields), "steps", "cost"))
    return State(
        tuple(read_value(field, given[field.name], pointer("", field.name)) for field in instance.fields),
        as_int(given["steps"], "/steps", 0, LARGEST),
        as_int(given["cost"], "/cost", 0, LARGEST),
    )


def write_state(instance: Instance, state: State) -> Json:
    """The JSON of a state."""
    pairs = zip(instance.fields, state.values, strict=True)
    values: dict[str, Json] = {field.name: field.values[value] for field, value in pairs}
    return {**values, "steps": state.steps, "cost": state.cost}


def edges(instance: Instance, submission: Submission[str]) -> tuple[Edge, ...]:
    """Who gave the fields that the actions of a submission ask for their values, sorted.

    For every field in the preconditions of `target`: an edge from the last action before it that changed the field's
    value, labelled "FIELD OLD NEW"; where later actions assigned the field the value it had, one more from the last of
    them, labelled "FIELD NEW NEW". Where no action changed the field, -1 is the source and the label "FIELD NEW".
    Values are written as JSON. So the change that made a literal true stands beside the last assignment that left it
    so, and the first tells what the value was before. Meant for legal submissions; the rules are not looked at.
    """
    values = list(instance.initial)
    changed: dict[int, Edge] = {}
    assigned: dict[int, Edge] = {}
    found: list[Edge] = []
    for number, action in enumerate(submission.moves):
        operation = instance.operation[action]
        for field in sorted({literal.field for literal in operation.when}):
            start = Edge(-1, number, _label(instance, field, (values[field],)))
            found.append(changed.get(field, start)._replace(target=number))
            found += [assigned[field]._replace(target=number)] if field in assigned else []
        for field, value in operation.then:
            made = Edge(number, number, _label(instance, field, (values[field], value)))
            if values[field] == value:
                assigned[field] = made
            else:
                changed[field] = made
                assigned.pop(field, None)
            values[field] = value
    return tuple(sorted(found))


def _label(instance: Instance, field: int, values: Sequence[int]) -> str:
    return " ".join([instance.fields[field].name, *(_value(instance, field, value) for value in values)])
