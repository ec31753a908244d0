"""Boolean circuit: its data and their strict reading. No rules live here."""

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
    distinct,
    refuse,
)

FAMILY = "BC"
MOST_PINS = 8
MOST_GATES = 64

Vector = tuple[int, ...]  # one bit a row


@dataclass(frozen=True, slots=True)
class Operator:
    """A two-input gate. `table` has the values for inputs 00, 01, 10, 11."""

    name: str
    table: tuple[int, int, int, int]
    cost: int

    @property
    def symmetric(self) -> bool:
        return self.table[1] == self.table[2]


class Gate(NamedTuple):
    """One gate of a submission."""

    id: str
    op: str
    inputs: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Instance:
    """A circuit task. `ids` are the gate ids g0…; `goal` maps output names (sorted) to vectors, one entry named
    "output" where the instance asks for a single one (`single`); `motif` names four operators or none. `place` numbers
    the signals: pins in stated order, then gates."""

    code: str
    pins: tuple[str, ...]
    operators: tuple[Operator, ...]
    goal: Mapping[str, Vector]
    single: bool
    motif: tuple[str, ...]
    most_gates: int
    most_cost: int
    operator: Mapping[str, Operator]
    ids: tuple[str, ...]
    signals: frozenset[str]
    place: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Circuit:
    """A submission: gates in order, and for each output name of the goal (in its order) the chosen signal."""

    gates: tuple[Gate, ...]
    outputs: tuple[str, ...]


def read_instance(value: Json) -> Instance:
    """The instance that a JSON value is; raises MalformedInput.

    {"family":"BC","code":…,"pins":[…],"operators":[{"name":…,"table":[b,b,b,b],"cost":n}],
     "goal":{"output":VECTOR} or {"outputs":{name:VECTOR}},"motif":[op,op,op,op],"budget":{"gates":n,"cost":n}};
    `cost` (1) and `motif` (none) may be left out.
    """
    fields = as_object(value, "", ("family", "code", "pins", "operators", "goal", "budget"), ("motif",))
    as_name(fields["family"], "/family", (FAMILY,), "family")
    names = as_items(fields["pins"], "/pins", lambda item, at: as_new_name(as_text(item, at), at))
    pins = distinct(names, "/pins", "pin")
    if not 1 <= len(pins) <= MOST_PINS:
        refuse("out-of-range", "/pins", f"1 to {MOST_PINS} pins", str(len(pins)))
    operators = as_items(fields["operators"], "/operators", _operator)
    known = distinct((operator.name for operator in operators), "/operators", "operator name")
    budget = as_object(fields["budget"], "/budget", ("gates", "cost"))
    most_gates = as_int(budget["gates"], "/budget/gates", 0, MOST_GATES)
    ids = tuple(f"g{number}" for number in range(most_gates))
    distinct([*pins, *ids], "/pins", "signal name")
    goal, single = _goal(fields["goal"], 2 ** len(pins))
    return Instance(
        code=as_new_name(as_text(fields["code"], "/code"), "/code"),
        pins=pins,
        operators=operators,
        goal=goal,
        single=single,
        motif=_motif(fields.get("motif", []), known),
        most_gates=most_gates,
        most_cost=as_int(budget["cost"], "/budget/cost", 0, LARGEST),
        operator={operator.name: operator for operator in operators},
        ids=ids,
        signals=frozenset([*pins, *ids]),
        place={name: number for number, name in enumerate((*pins, *ids))},
    )


def write_instance(instance: Instance) -> Json:
    """The JSON of an instance."""
    vectors: dict[str, Json] = {name: list(vector) for name, vector in instance.goal.items()}
    return {
        "family": FAMILY,
        "code": instance.code,
        "pins": list(instance.pins),
        "operators": [{"name": op.name, "table": list(op.table), "cost": op.cost} for op in instance.operators],
        "goal": vectors if instance.single else {"outputs": vectors},
        "motif": list(instance.motif),
        "budget": {"gates": instance.most_gates, "cost": instance.most_cost},
    }


def read_circuit(instance: Instance, value: Json) -> Circuit:
    """The circuit of a submission; raises MalformedInput."""
    key = "output" if instance.single else "outputs"
    fields = as_object(value, "", ("gates", key))
    gates = _read_gates(instance, fields["gates"])
    there = {gate.id for gate in gates}.union(instance.pins)
    if instance.single:
        return Circuit(gates, (_read_output(instance, fields["output"], "/output", there),))
    chosen = as_object(fields["outputs"], "/outputs", tuple(instance.goal))
    return Circuit(
        gates, tuple(_read_output(instance, chosen[name], pointer("/outputs", name), there) for name in instance.goal)
    )


def _read_output(instance: Instance, value: Json, at: str, there: set[str]) -> str:
    if isinstance(value, str) and value in there:
        return value
    known = [name for name in instance.place if name in there]
    return as_name(value, at, known, "pin or gate of this circuit")


def _read_gates(instance: Instance, value: Json) -> tuple[Gate, ...]:
    """The gates of a submission; where one has a fault, read again to say which."""
    found = [_faultless(instance, item) for item in as_list(value, "/gates")]
    gates = tuple(gate for gate in found if gate is not None)
    return (
        gates if len(gates) == len(found) else as_items(value, "/gates", lambda one, at: read_gate(instance, one, at))
    )


def _faultless(instance: Instance, value: Json) -> Gate | None:
    """The gate in which there is nothing to complain of, without the pointers that a complaint would need."""
    if not isinstance(value, dict) or len(value) != 3:
        return None
    name, op, inputs = value.get("id"), value.get("op"), value.get("inputs")
    if not isinstance(name, str) or not isinstance(op, str) or not isinstance(inputs, list) or len(inputs) != 2:
        return None
    first, second = inputs
    if not isinstance(first, str) or not isinstance(second, str):
        return None
    place = instance.place
    known = op in instance.operator and first in place and second in place
    return Gate(name, op, (first, second)) if known and place.get(name, -1) >= len(instance.pins) else None


def read_gate(instance: Instance, value: Json, at: str) -> Gate:
    """One gate; raises MalformedInput."""
    fields = as_object(value, at, ("id", "op", "inputs"))
    name = as_name(fields["id"], pointer(at, "id"), instance.ids, "gate id")
    op = as_name(fields["op"], pointer(at, "op"), instance.operator, "operator")
    where = pointer(at, "inputs")
    inputs = as_list(fields["inputs"], where)
    if len(inputs) != 2:
        refuse("out-of-range", where, "exactly two inputs", str(len(inputs)))
    first, second = (
        as_name(item, pointer(where, i), instance.signals, "pin or gate id") for i, item in enumerate(inputs)
    )
    return Gate(name, op, (first, second))


def write_circuit(instance: Instance, circuit: Circuit) -> Json:
    """The JSON of a submission."""
    gates: list[Json] = [write_gate(gate) for gate in circuit.gates]
    if instance.single:
        return {"gates": gates, "output": circuit.outputs[0]}
    return {"gates": gates, "outputs": dict(zip(instance.goal, circuit.outputs, strict=True))}


def write_gate(gate: Gate) -> Json:
    """The JSON of one gate."""
    return {"id": gate.id, "op": gate.op, "inputs": list(gate.inputs)}


def _operator(value: Json, at: str) -> Operator:
    fields = as_object(value, at, ("name", "table"), ("cost",))
    where = pointer(at, "name")
    table = _vector(fields["table"], pointer(at, "table"), 4)
    return Operator(
        name=as_new_name(as_text(fields["name"], where), where),
        table=(table[0], table[1], table[2], table[3]),
        cost=as_int(fields.get("cost", 1), pointer(at, "cost"), 0, 1_000_000),
    )


def _vector(value: Json, at: str, rows: int) -> Vector:
    vector = as_items(value, at, lambda item, where: as_int(item, where, 0, 1))
    if len(vector) != rows:
        refuse("out-of-range", at, f"{rows} bits", str(len(vector)))
    return vector


def _goal(value: Json, rows: int) -> tuple[dict[str, Vector], bool]:
    fields = as_object(value, "/goal", (), ("output", "outputs"))
    if len(fields) != 1:
        refuse("contradiction", "/goal", "either output or outputs", f"{len(fields)} of them")
    if "output" in fields:
        return {"output": _vector(fields["output"], "/goal/output", rows)}, True
    goal: dict[str, Vector] = {}
    for name, item in sorted(as_map(fields["outputs"], "/goal/outputs").items(), key=lambda pair: pair[0]):
        at = pointer("/goal/outputs", name)
        goal[as_new_name(name, at)] = _vector(item, at, rows)
    if not goal:
        refuse("out-of-range", "/goal/outputs", "at least one output", "none")
    return goal, False


def _motif(value: Json, known: tuple[str, ...]) -> tuple[str, ...]:
    names = as_items(value, "/motif", lambda item, at: as_name(item, at, known, "operator"))
    if len(names) not in (0, 4):
        refuse("out-of-range", "/motif", "the operators of X, Y, E and the output, or none", str(len(names)))
    return names
