"""Safety protocol: its data and their strict reading. The only rule here: the initial state keeps the invariants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from cwr_solvers.jsontext import LARGEST, Json, pointer
from cwr_solvers.reading import (
    as_int,
    as_items,
    as_list,
    as_map,
    as_name,
    as_new_name,
    as_object,
    as_text,
    describe,
    distinct,
    refuse,
)

FAMILY = "PS"
MOST_STEPS = 10_000

Value = str | int


@dataclass(frozen=True, slots=True)
class Field:
    """A field with its values in stated order; states hold the place of a value in this order."""

    name: str
    values: tuple[Value, ...]
    initial: int


class Literal(NamedTuple):
    """Field number `field` has (`positive`) or has not value number `value`."""

    field: int
    value: int
    positive: bool

    def holds(self, values: tuple[int, ...]) -> bool:
        return (values[self.field] == self.value) == self.positive


@dataclass(frozen=True, slots=True)
class Operation:
    """`when`: all must hold; `then`: (field number, value number) pairs, each field once."""

    name: str
    when: tuple[Literal, ...]
    then: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Resource:
    """The declared resource: a field number and the value numbers that mean free and held."""

    field: int
    free: int
    held: int


@dataclass(frozen=True, slots=True)
class Instance:
    """A protocol. States are tuples of value numbers in the order of `fields`."""

    code: str
    fields: tuple[Field, ...]
    operations: tuple[Operation, ...]
    invariants: tuple[tuple[Literal, ...], ...]
    goal: tuple[Literal, ...]
    resource: Resource | None
    most_actions: int
    most_cost: int
    operation: Mapping[str, Operation]

    @property
    def initial(self) -> tuple[int, ...]:
        return tuple(field.initial for field in self.fields)


def read_instance(value: Json) -> Instance:
    """The instance that a JSON value is; raises MalformedInput.

    {"family":"PS","code":…,"fields":[{"name":…,"values":[…],"initial":VALUE}],
     "operations":[{"name":…,"when":[LITERAL,…],"then":{field:VALUE}}],"invariants":[[LITERAL,…],…],"goal":[LITERAL,…],
     "resource":{"field":…,"free":VALUE,"held":VALUE},"budget":{"actions":n,"cost":n}}
    with LITERAL {"field":…,"is":VALUE} or {"field":…,"not":VALUE}; `resource` may be left out.
    """
    names = ("family", "code", "fields", "operations", "invariants", "goal", "budget")
    given = as_object(value, "", names, ("resource",))
    as_name(given["family"], "/family", (FAMILY,), "family")
    fields = as_items(given["fields"], "/fields", _field)
    distinct((field.name for field in fields), "/fields", "field name")
    operations = as_items(given["operations"], "/operations", lambda item, at: _operation(item, at, fields))
    distinct((operation.name for operation in operations), "/operations", "operation name")
    invariants = as_items(given["invariants"], "/invariants", lambda item, at: _literals(item, at, fields))
    _refuse_bad_start(tuple(field.initial for field in fields), invariants)
    budget = as_object(given["budget"], "/budget", ("actions", "cost"))
    return Instance(
        code=as_new_name(as_text(given["code"], "/code"), "/code"),
        fields=fields,
        operations=operations,
        invariants=invariants,
        goal=_literals(given["goal"], "/goal", fields),
        resource=_resource(given["resource"], fields) if "resource" in given else None,
        most_actions=as_int(budget["actions"], "/budget/actions", 0, MOST_STEPS),
        most_cost=as_int(budget["cost"], "/budget/cost", 0, MOST_STEPS),
        operation={operation.name: operation for operation in operations},
    )


def write_instance(instance: Instance) -> Json:
    """The JSON of an instance."""
    fields = instance.fields
    operations: list[Json] = [
        {
            "name": operation.name,
            "when": [_write_literal(fields, literal) for literal in operation.when],
            "then": {fields[field].name: fields[field].values[value] for field, value in operation.then},
        }
        for operation in instance.operations
    ]
    written: dict[str, Json] = {
        "family": FAMILY,
        "code": instance.code,
        "fields": [
            {"name": field.name, "values": list(field.values), "initial": field.values[field.initial]}
            for field in fields
        ],
        "operations": operations,
        "invariants": [[_write_literal(fields, literal) for literal in clause] for clause in instance.invariants],
        "goal": [_write_literal(fields, literal) for literal in instance.goal],
        "budget": {"actions": instance.most_actions, "cost": instance.most_cost},
    }
    if instance.resource is not None:
        field = fields[instance.resource.field]
        free, held = field.values[instance.resource.free], field.values[instance.resource.held]
        written["resource"] = {"field": field.name, "free": free, "held": held}
    return written


def read_actions(instance: Instance, value: Json) -> tuple[str, ...]:
    """The operation names of a submission {"actions":[…]}; raises MalformedInput."""
    actions = as_list(as_object(value, "", ("actions",))["actions"], "/actions")
    known, what = instance.operation, "operation"
    return tuple(
        [
            item if isinstance(item, str) and item in known else as_name(item, pointer("/actions", index), known, what)
            for index, item in enumerate(actions)
        ]
    )


def write_actions(actions: tuple[str, ...]) -> Json:
    """The JSON of a submission."""
    return {"actions": list(actions)}


def read_value(field: Field, value: Json, at: str) -> int:
    """The number of a value of a field; 1 and "1" are different values. Raises MalformedInput."""
    if isinstance(value, bool) or value not in field.values:
        allowed = ", ".join(describe(known) for known in field.values)
        refuse("unknown-name", at, f"a value of {field.name}: {allowed}", describe(value))
    return field.values.index(value)


def _field(value: Json, at: str) -> Field:
    parts = as_object(value, at, ("name", "values", "initial"))
    name = as_new_name(as_text(parts["name"], pointer(at, "name")), pointer(at, "name"))
    if name in ("steps", "cost"):
        refuse("domain", pointer(at, "name"), "a field not called steps or cost", describe(name))
    where = pointer(at, "values")
    values: list[Value] = []
    for index, item in enumerate(as_list(parts["values"], where)):
        here = pointer(where, index)
        found = as_new_name(item, here) if isinstance(item, str) else as_int(item, here, -LARGEST, LARGEST)
        if found in values:
            refuse("contradiction", here, "each value once", f"{describe(found)} twice")
        values.append(found)
    bare = Field(name, tuple(values), 0)
    return Field(name, bare.values, read_value(bare, parts["initial"], pointer(at, "initial")))


def _find(fields: tuple[Field, ...], value: Json, at: str) -> int:
    names = [field.name for field in fields]
    return names.index(as_name(value, at, names, "field"))


def _literal(value: Json, at: str, fields: tuple[Field, ...]) -> Literal:
    parts = as_object(value, at, ("field",), ("is", "not"))
    if len(parts) != 2:
        refuse("contradiction", at, "either is or not", "both" if len(parts) > 2 else "neither")
    field = _find(fields, parts["field"], pointer(at, "field"))
    word = "is" if "is" in parts else "not"
    return Literal(field, read_value(fields[field], parts[word], pointer(at, word)), word == "is")


def _literals(value: Json, at: str, fields: tuple[Field, ...]) -> tuple[Literal, ...]:
    return as_items(value, at, lambda item, where: _literal(item, where, fields))


def _operation(value: Json, at: str, fields: tuple[Field, ...]) -> Operation:
    parts = as_object(value, at, ("name", "when", "then"))
    name = as_new_name(as_text(parts["name"], pointer(at, "name")), pointer(at, "name"))
    then: list[tuple[int, int]] = []
    for key, item in as_map(parts["then"], pointer(at, "then")).items():
        where = pointer(pointer(at, "then"), key)
        field = _find(fields, key, where)
        then.append((field, read_value(fields[field], item, where)))
    return Operation(name, _literals(parts["when"], pointer(at, "when"), fields), tuple(sorted(then)))


def _refuse_bad_start(initial: tuple[int, ...], invariants: tuple[tuple[Literal, ...], ...]) -> None:
    for index, clause in enumerate(invariants):
        if not any(literal.holds(initial) for literal in clause):
            refuse(
                "contradiction",
                pointer("/invariants", index),
                "an invariant that the initial state keeps",
                "a broken one",
            )


def _resource(value: Json, fields: tuple[Field, ...]) -> Resource:
    parts = as_object(value, "/resource", ("field", "free", "held"))
    field = _find(fields, parts["field"], "/resource/field")
    free = read_value(fields[field], parts["free"], "/resource/free")
    held = read_value(fields[field], parts["held"], "/resource/held")
    if free == held:
        refuse("contradiction", "/resource", "different values for free and held", "one value")
    return Resource(field, free, held)


def _write_literal(fields: tuple[Field, ...], literal: Literal) -> Json:
    field = fields[literal.field]
    return {"field": field.name, "is" if literal.positive else "not": field.values[literal.value]}
