"""Finite typed pipeline: its data and their strict reading. No rules live here beyond "the start keeps the live
limit"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

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

FAMILY = "TP"
MOST_STEPS = 10_000

Value = tuple[int, ...]
Typed = tuple[str, Value]  # type name, value


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation. `table` maps a tuple of input values to the tuple of output values; it may be partial."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    table: Mapping[tuple[Value, ...], tuple[Value, ...]]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a submission: operation name, argument ids, output ids."""

    op: str
    args: tuple[str, ...]
    out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Instance:
    """A pipeline. `types` maps a type to its alphabet, each value to its place in it; `initial` maps initial
    ids to typed values; both are sorted by name, so that the order of JSON keys means nothing;
    `ids` are the fresh ids; `known` is every id; `goal` is sorted; `operation` finds an operation by name."""

    code: str
    types: Mapping[str, Mapping[Value, int]]
    operations: tuple[Operation, ...]
    initial: Mapping[str, Typed]
    ids: tuple[str, ...]
    goal: tuple[Typed, ...]
    leftovers_allowed: bool
    most_live: int
    most_steps: int
    most_cost: int
    operation: Mapping[str, Operation]
    known: frozenset[str]


def read_instance(value: Json) -> Instance:
    """The instance that a JSON value is; raises MalformedInput.

    {"family":"TP","code":…,"types":{type:[VALUE,…]},"operations":[{"name":…,"inputs":[type,…],"outputs":[type,…],
     "table":[{"in":[VALUE,…],"out":[VALUE,…]},…]}],"initial":{id:{"type":…,"value":VALUE}},"ids":[…],
     "goal":{"values":[{"type":…,"value":VALUE}],"leftovers":"forbidden"|"allowed"},
     "budget":{"live":n,"steps":n,"cost":n}} with VALUE a list of integers.
    """
    names = ("family", "code", "types", "operations", "initial", "ids", "goal", "budget")
    fields = as_object(value, "", names)
    as_name(fields["family"], "/family", (FAMILY,), "family")
    types = _types(fields["types"])
    operations = as_items(fields["operations"], "/operations", lambda item, at: _operation(item, at, types))
    distinct((operation.name for operation in operations), "/operations", "operation name")
    initial = {
        as_new_name(name, pointer("/initial", name)): read_typed(types, item, pointer("/initial", name))
        for name, item in sorted(as_map(fields["initial"], "/initial").items(), key=_first)
    }
    ids = as_items(fields["ids"], "/ids", lambda item, at: as_new_name(as_text(item, at), at))
    distinct([*initial, *ids], "/ids", "id")
    goal, leftovers = _goal(fields["goal"], types)
    budget = as_object(fields["budget"], "/budget", ("live", "steps", "cost"))
    return Instance(
        code=as_new_name(as_text(fields["code"], "/code"), "/code"),
        types=types,
        operations=operations,
        initial=initial,
        ids=ids,
        goal=goal,
        leftovers_allowed=leftovers,
        most_live=as_int(budget["live"], "/budget/live", len(initial), LARGEST),
        most_steps=as_int(budget["steps"], "/budget/steps", 0, MOST_STEPS),
        most_cost=as_int(budget["cost"], "/budget/cost", 0, MOST_STEPS),
        operation={operation.name: operation for operation in operations},
        known=frozenset([*initial, *ids]),
    )


def write_instance(instance: Instance) -> Json:
    """The JSON of an instance."""
    return {
        "family": FAMILY,
        "code": instance.code,
        "types": {name: [list(value) for value in alphabet] for name, alphabet in instance.types.items()},
        "operations": [_write_operation(operation) for operation in instance.operations],
        "initial": {name: write_typed(typed) for name, typed in instance.initial.items()},
        "ids": list(instance.ids),
        "goal": {
            "values": [write_typed(typed) for typed in instance.goal],
            "leftovers": "allowed" if instance.leftovers_allowed else "forbidden",
        },
        "budget": {"live": instance.most_live, "steps": instance.most_steps, "cost": instance.most_cost},
    }


def read_steps(instance: Instance, value: Json) -> tuple[Step, ...]:
    """The steps of a submission {"steps":[…]}; raises MalformedInput.

    Where one has a fault, all are read again to say which.
    """
    items = as_list(as_object(value, "", ("steps",))["steps"], "/steps")
    found = [_faultless(instance, item) for item in items]
    steps = tuple([step for step in found if step is not None])
    if len(steps) == len(items):
        return steps
    return as_items(items, "/steps", lambda item, at: read_step(instance, item, at))


def _faultless(instance: Instance, value: Json) -> Step | None:
    """The step in which there is nothing to complain of, without the pointers that a complaint would need."""
    if not isinstance(value, dict) or len(value) != 3:
        return None
    op, args, out = value.get("op"), value.get("args"), value.get("out")
    if not isinstance(op, str) or op not in instance.operation:
        return None
    if not isinstance(args, list) or not isinstance(out, list):
        return None
    names = [name for name in args + out if isinstance(name, str) and name in instance.known]
    count = len(args)
    return Step(op, tuple(names[:count]), tuple(names[count:])) if len(names) == count + len(out) else None


def read_step(instance: Instance, value: Json, at: str) -> Step:
    """One step {"op":…,"args":[…],"out":[…]}; raises MalformedInput."""
    fields = as_object(value, at, ("op", "args", "out"))
    op = as_name(fields["op"], pointer(at, "op"), instance.operation, "operation")
    args, out = (as_items(fields[part], pointer(at, part), partial(_id, instance)) for part in ("args", "out"))
    return Step(op, args, out)


def write_steps(steps: tuple[Step, ...]) -> Json:
    """The JSON of a submission."""
    return {"steps": [write_step(step) for step in steps]}


def write_step(step: Step) -> Json:
    """The JSON of one step."""
    return {"op": step.op, "args": list(step.args), "out": list(step.out)}


def read_typed(types: Mapping[str, Mapping[Value, int]], value: Json, at: str) -> Typed:
    """A typed value {"type":…,"value":[…]} whose value is in the type's alphabet; raises MalformedInput."""
    fields = as_object(value, at, ("type", "value"))
    name = as_name(fields["type"], pointer(at, "type"), types, "type")
    return name, _member(fields["value"], pointer(at, "value"), name, types)


def write_typed(typed: Typed) -> Json:
    """The JSON of a typed value."""
    return {"type": typed[0], "value": list(typed[1])}


def _id(instance: Instance, value: Json, at: str) -> str:
    return as_name(value, at, instance.known, "value id")


def _first(item: tuple[str, Json]) -> str:
    return item[0]


def _value(value: Json, at: str) -> Value:
    return as_items(value, at, lambda item, where: as_int(item, where, -LARGEST, LARGEST))


def _member(value: Json, at: str, name: str, types: Mapping[str, Mapping[Value, int]]) -> Value:
    found = _value(value, at)
    if found not in types[name]:
        refuse("domain", at, f"a value of type {name}", describe(str(list(found))))
    return found


def _types(value: Json) -> dict[str, Mapping[Value, int]]:
    types: dict[str, Mapping[Value, int]] = {}
    for name, alphabet in sorted(as_map(value, "/types").items(), key=_first):
        at = pointer("/types", name)
        values = as_items(alphabet, at, _value)
        if len(set(values)) != len(values):
            refuse("contradiction", at, "each value once", "a value twice")
        types[as_new_name(name, at)] = {found: index for index, found in enumerate(values)}
    return types


def _operation(value: Json, at: str, types: Mapping[str, Mapping[Value, int]]) -> Operation:
    fields = as_object(value, at, ("name", "inputs", "outputs", "table"))
    where = pointer(at, "name")
    name = as_new_name(as_text(fields["name"], where), where)
    inputs, outputs = (
        as_items(fields[part], pointer(at, part), lambda item, here: as_name(item, here, types, "type"))
        for part in ("inputs", "outputs")
    )
    table: dict[tuple[Value, ...], tuple[Value, ...]] = {}
    for index, row in enumerate(as_list(fields["table"], pointer(at, "table"))):
        here = pointer(pointer(at, "table"), index)
        columns = as_object(row, here, ("in", "out"))
        given = _row(columns["in"], pointer(here, "in"), inputs, types)
        if given in table:
            refuse("contradiction", here, "each tuple of input values once", "one twice")
        table[given] = _row(columns["out"], pointer(here, "out"), outputs, types)
    return Operation(name, inputs, outputs, table)


def _row(value: Json, at: str, names: tuple[str, ...], types: Mapping[str, Mapping[Value, int]]) -> tuple[Value, ...]:
    items = as_list(value, at)
    if len(items) != len(names):
        refuse("out-of-range", at, f"{len(names)} values", f"{len(items)}")
    pairs = enumerate(zip(items, names, strict=True))
    return tuple(_member(item, pointer(at, index), name, types) for index, (item, name) in pairs)


def _goal(value: Json, types: Mapping[str, Mapping[Value, int]]) -> tuple[tuple[Typed, ...], bool]:
    fields = as_object(value, "/goal", ("values", "leftovers"))
    values = as_items(fields["values"], "/goal/values", lambda item, at: read_typed(types, item, at))
    word = as_name(fields["leftovers"], "/goal/leftovers", ("allowed", "forbidden"), "policy")
    return tuple(sorted(values)), word == "allowed"


def _write_operation(operation: Operation) -> Json:
    rows: list[Json] = [
        {"in": [list(value) for value in given], "out": [list(value) for value in made]}
        for given, made in operation.table.items()
    ]
    types: dict[str, Json] = {"inputs": list(operation.inputs), "outputs": list(operation.outputs)}
    return {"name": operation.name, **types, "table": rows}
