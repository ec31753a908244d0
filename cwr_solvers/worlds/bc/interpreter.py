"""Boolean circuit: what its gates do and how they are judged. The rule book is the package docstring.

A move is a `Gate`; the choice is the chosen outputs, in the order in which the goal names them.
Standard library only.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from cwr_solvers.jsontext import LARGEST, Json, pointer
from cwr_solvers.reading import as_int, as_items, as_map, as_name, as_object, describe, refuse
from cwr_solvers.world import Broken, Choice, Edge, Fault, Submission
from cwr_solvers.worlds.bc.instance import (
    Circuit,
    Gate,
    Instance,
    Operator,
    Vector,
    read_circuit,
    read_gate,
    write_circuit,
    write_gate,
)


class State(NamedTuple):
    """Vectors of the signals, pins in stated order, then g0, g1, …; number of rows; gates so far and their cost.

    A vector is an integer of so many bits as there are rows, row 0 being the most significant.
    """

    vectors: tuple[int, ...]
    rows: int
    steps: int
    cost: int


class Key(NamedTuple):
    """A state with the order of its gates forgotten: `gates` are their vectors, sorted."""

    pins: tuple[int, ...]
    gates: tuple[int, ...]
    rows: int
    cost: int


commutes = False  # gates are numbered by their order; `exchanges` forgets both


def initial(instance: Instance) -> State:
    """The state without gates: row r gives the first pin the most significant bit of r.

    So a pin's vector is blocks of equal bits, zeros first; all ones divided by 2^length + 1 are such blocks.
    """
    rows = 2 ** len(instance.pins)
    blocks = [rows >> pin for pin in range(1, len(instance.pins) + 1)]
    return State(tuple([((1 << rows) - 1) // ((1 << block) + 1) for block in blocks]), rows, 0, 0)


def packed(bits: Vector | list[int]) -> int:
    """The integer of a list of bits, row 0 first."""
    packed = 0
    for bit in bits:
        packed = packed << 1 | bit
    return packed


def _bits(vector: int, rows: int) -> list[int]:
    """The list of bits of an integer, row 0 first."""
    return [vector >> (rows - 1 - row) & 1 for row in range(rows)]


def step(instance: Instance, state: State, move: Gate) -> State | Broken:
    """The state after one gate, or all rules that it breaks."""
    faults = [fault for rule in _BEFORE if (fault := rule(instance, state, move)) is not None]
    if faults:
        return Broken(tuple(faults))
    after = apply(instance, state, move)
    fault = r4_cost(instance, after)
    return after if fault is None else Broken((fault,))


def apply(instance: Instance, state: State, move: Gate) -> State:
    """The effect of a gate that keeps R1 to R3: its vector follows the others."""
    vectors, rows, steps, cost = state
    first, second = move.inputs
    operator = instance.operator[move.op]
    made = evaluate(operator, vectors[instance.place[first]], vectors[instance.place[second]], rows)
    return State((*vectors, made), rows, steps + 1, cost + operator.cost)


def evaluate(operator: Operator, first: int, second: int, rows: int) -> int:
    """The vector of a gate: on each row the table's entry for the bits of its inputs there."""
    made = 0
    if operator.table[0]:
        made |= ~(first | second) & ((1 << rows) - 1)
    if operator.table[1]:
        made |= second & ~first
    if operator.table[2]:
        made |= first & ~second
    if operator.table[3]:
        made |= first & second
    return made


def r1_order(instance: Instance, state: State, move: Gate) -> Fault | None:
    """R1: the gate's id is the next one."""
    if instance.place[move.id] == len(state.vectors):
        return None
    left = instance.ids[state.steps : state.steps + 1]
    return Fault("R1", f"gate {move.id}", left[0] if left else "no further gate: all ids are used")


def r2_inputs(instance: Instance, state: State, move: Gate) -> Fault | None:
    """R2: both inputs are pins or gates that are there already."""
    first, second = move.inputs
    there = len(state.vectors)
    if instance.place[first] < there and instance.place[second] < there:
        return None
    missing = [name for name in dict.fromkeys(move.inputs) if instance.place[name] >= there]
    return Fault("R2", f"input {', '.join(missing)}", f"inputs out of {', '.join(signals(instance, state))}")


def r3_gates(instance: Instance, state: State, _move: Gate) -> Fault | None:
    """R3: fewer gates than the gate budget are there already."""
    if state.steps < instance.most_gates:
        return None
    return Fault("R3", f"gate number {state.steps + 1}", f"at most {instance.most_gates} gates")


_BEFORE = (r1_order, r2_inputs, r3_gates)


def r4_cost(instance: Instance, after: State) -> Fault | None:
    """R4: the cost is within its budget."""
    if after.cost <= instance.most_cost:
        return None
    return Fault("R4", f"cost {after.cost}", f"cost of at most {instance.most_cost}")


def g_goal(instance: Instance, state: State, choice: Choice) -> tuple[Fault, ...]:
    """G: every chosen output has the vector that is asked for; one fault for each that has not."""
    if choice is None:
        return (Fault("G", "no output", f"outputs {', '.join(instance.goal)}"),)
    faults = []
    for (output, bits), signal in zip(instance.goal.items(), choice, strict=True):
        place, wanted = instance.place[signal], packed(bits)
        found = state.vectors[place] if place < len(state.vectors) else None
        if found != wanted or state.rows != len(bits):
            said = "not there" if found is None else shown(found, state.rows)
            faults.append(Fault("G", f"{output}: {signal} is {said}", f"{output}: {shown(wanted, len(bits))}"))
    return tuple(sorted(faults))


def shown(vector: int, rows: int) -> str:
    """A vector for people: its bits, row 0 first, or from 64 rows on hexadecimal digits of four rows each."""
    return f"{vector:0{rows}b}" if rows <= 32 else f"0x{vector:0{rows // 4}x}"


def terminal(_instance: Instance, state: State) -> State:
    """The state itself: nothing happens after the last gate."""
    return state


def unmet(instance: Instance, state: State, choice: Choice) -> tuple[Fault, ...]:
    """The faults of the goal."""
    return g_goal(instance, state, choice)


def signals(instance: Instance, state: State) -> tuple[str, ...]:
    """The names of all signals that are there, pins first."""
    return (*instance.pins, *instance.ids[: state.steps])


def choices(instance: Instance, state: State) -> tuple[Choice, ...]:
    """Every way to choose a signal for each output."""
    return tuple(product(signals(instance, state), repeat=len(instance.goal)))


def moves(instance: Instance, state: State) -> Iterator[Gate]:
    """Every operator on every ordered pair of signals, as the next gate."""
    there = signals(instance, state)
    for name in instance.ids[state.steps : state.steps + 1]:
        for operator in instance.operators:
            for first, second in product(there, repeat=2):
                yield Gate(name, operator.name, (first, second))


def normal_moves(instance: Instance, state: State) -> Iterator[Gate]:
    """The same, with the inputs of symmetric operators sorted."""
    place = instance.place
    for gate in moves(instance, state):
        if not instance.operator[gate.op].symmetric or place[gate.inputs[0]] <= place[gate.inputs[1]]:
            yield gate


def key(instance: Instance, state: State) -> Key:
    """The state with the order of its gates forgotten: what can follow depends on the vectors that are there."""
    pins = len(instance.pins)
    return Key(state.vectors[:pins], tuple(sorted(state.vectors[pins:])), state.rows, state.cost)


def normal(instance: Instance, submission: Submission[Gate]) -> Submission[Gate]:
    """The submission with the inputs of symmetric operators sorted: pins in stated order, then gates by number."""
    return Submission(tuple(_sorted(instance, gate) for gate in submission.moves), submission.choice)


def _sorted(instance: Instance, gate: Gate) -> Gate:
    first, second = gate.inputs
    if not instance.operator[gate.op].symmetric or instance.place[first] <= instance.place[second]:
        return gate
    return Gate(gate.id, gate.op, (second, first))


def namings(instance: Instance, submission: Submission[Gate]) -> int:
    """How many raw submissions have this normal form: two for each gate whose inputs can be exchanged and differ."""
    free = [gate for gate in submission.moves if instance.operator[gate.op].symmetric]
    return 1 << sum(gate.inputs[0] != gate.inputs[1] for gate in free)


def exchanges(instance: Instance, submission: Submission[Gate]) -> Iterator[Submission[Gate]]:
    """The words made by exchanging two adjacent gates of which the second does not read the first, and renumbering."""
    gates = submission.moves
    for i in range(len(gates) - 1):
        first, second = gates[i], gates[i + 1]
        if first.id not in second.inputs:
            new = {first.id: second.id, second.id: first.id}
            swapped = (*gates[:i], second, first, *gates[i + 2 :])
            choice = submission.choice and tuple(new.get(name, name) for name in submission.choice)
            renamed = tuple(
                Gate(new.get(gate.id, gate.id), gate.op, (new.get(one, one), new.get(two, two)))
                for gate in swapped
                for one, two in [gate.inputs]
            )
            yield normal(instance, Submission(renamed, choice))


def read_submission(instance: Instance, value: Json) -> Submission[Gate]:
    """The submission {"gates":[…],"output":…} or {"gates":[…],"outputs":{…}}; raises MalformedInput."""
    circuit = read_circuit(instance, value)
    return Submission(circuit.gates, circuit.outputs)


def write_submission(instance: Instance, submission: Submission[Gate]) -> Json:
    """The JSON of a submission. Raises ValueError where no outputs are chosen."""
    if submission.choice is None:
        raise ValueError("a circuit without outputs has no JSON")
    return write_circuit(instance, Circuit(submission.moves, submission.choice))


def read_move(instance: Instance, value: Json) -> Gate:
    """The gate {"id":…,"op":…,"inputs":[…,…]}; raises MalformedInput."""
    return read_gate(instance, value, "")


def write_move(_instance: Instance, move: Gate) -> Json:
    """The JSON of a gate."""
    return write_gate(move)


def read_state(instance: Instance, value: Json) -> State:
    """The state {"signals":{signal:[bit,…],…},"steps":n,"cost":n}; raises MalformedInput.

    All vectors have 2^n bits, or all have 1.
    """
    fields = as_object(value, "", ("signals", "steps", "cost"))
    given: dict[str, list[int]] = {}
    for name, item in as_map(fields["signals"], "/signals").items():
        at = pointer("/signals", name)
        as_name(name, at, instance.signals, "pin or gate id")
        given[name] = list(as_items(item, at, lambda bit, where: as_int(bit, where, 0, 1)))
    gates = max(0, len(given) - len(instance.pins))
    wanted = (*instance.pins, *instance.ids[:gates])
    if set(given) != set(wanted):
        refuse("contradiction", "/signals", f"all pins and the first gates, {', '.join(wanted)}", ", ".join(given))
    rows = 1 if len(given[wanted[0]]) == 1 else 2 ** len(instance.pins)
    for name in wanted:
        if len(given[name]) != rows:
            at = pointer("/signals", name)
            refuse("contradiction", at, f"{rows} bits, one for each row", str(len(given[name])))
    steps = as_int(fields["steps"], "/steps", 0, LARGEST)
    if steps != gates:
        refuse("contradiction", "/steps", f"{gates}, the number of gates", describe(steps))
    cost = as_int(fields["cost"], "/cost", 0, LARGEST)
    return State(tuple(packed(given[name]) for name in wanted), rows, steps, cost)


def write_state(instance: Instance, state: State) -> Json:
    """The JSON of a state."""
    named = zip(signals(instance, state), state.vectors, strict=True)
    vectors: dict[str, Json] = {name: [*_bits(vector, state.rows)] for name, vector in named}
    return {"signals": vectors, "steps": state.steps, "cost": state.cost}


def edges(instance: Instance, submission: Submission[Gate]) -> tuple[Edge, ...]:
    """What each gate of a legal submission reads: two edges a gate, from the gate or pin (-1) that it reads.

    The label is "INPUT:SIGNAL": the place among the reader's inputs, 0 or 1, and what stands there, a pin or a gate id.
    Sorted by reader, then by INPUT. Raises KeyError where a gate reads what is not there yet.
    """
    made = dict.fromkeys(instance.pins, -1)
    found = []
    for index, gate in enumerate(submission.moves):
        found += [Edge(made[name], index, f"{place}:{name}") for place, name in enumerate(gate.inputs)]
        made[gate.id] = index
    return tuple(found)
