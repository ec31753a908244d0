"""BC by truth tables: the vector of a signal is one bit-vector, and what a gate reads is picked by a bit as well.

position   one of the places of the list where a gate may stand; there is one more than the budgets allow, so that the
           rules bind and not the size of the table
signal     a pin, in stated order, or the gate at a position, whether one stands there or not
vector     of a signal: a bit-vector with one bit a row, row 0 lowest; all 0 where no gate stands
pick       of an input or output: a bit-vector with one bit a signal, the first pin lowest, of which exactly one is set
A gate whose operator does not distinguish its inputs has the lesser pick first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import permutations, product
from operator import or_
from typing import TypeAlias

import z3

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.smt import Encoding, Model, ValueOf, all_of, any_of, post_requests
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.bc.instance import Circuit, Gate, Instance, Operator, read_gate, write_circuit

Bits: TypeAlias = z3.BitVecRef


@dataclass(frozen=True, slots=True)
class Net:
    """The terms of one question: P positions, S signals.

    asked    the instance
    ids      [P] the number in the id of the gate at each position, the position where none stands
    ops      [P] the number of its operator, or the number of operators for "no gate"
    inputs   [P][2] its picks, empty where no gate stands
    outputs  the pick of each output, in the goal's order
    vectors  [S] the vector of each signal
    cost     what all gates cost
    pins     how many pins there are
    idle     the number for "no gate"
    """

    asked: Instance
    ids: tuple[Bits, ...]
    ops: tuple[Bits, ...]
    inputs: tuple[tuple[Bits, Bits], ...]
    outputs: tuple[Bits, ...]
    vectors: tuple[Bits, ...]
    cost: Bits
    pins: int
    idle: int

    def rests(self, position: int) -> z3.BoolRef:
        return self.ops[position] == self.idle


def build(model: Model, instance: Instance, claim: Claim) -> Encoding:
    """Post the accepted submissions of `instance`, inputs sorted, within the claim's bound."""
    refuse_unsupported(claim, MOTIFS, MOTIFS, moves=True)
    net = _net(model, instance, claim)
    word_shape(model, net)
    word_inputs(model, net)
    effects(model, net)
    for rule in RULES.values():
        rule(model, net)
    claim_bound(model, claim, net)
    claim_requests(model, claim, net)
    gates = [z3.Concat(*row) for row in zip(net.ids, net.ops, *zip(*net.inputs, strict=True), strict=True)]

    def decode(value_of: ValueOf) -> Json:
        return _decode(net, value_of)

    # From the outputs backwards, because what a late gate may read is settled by the early ones.
    return Encoding((*net.outputs, *reversed(gates)), net.cost, decode, "QF_BV")


def word_shape(model: Model, net: Net) -> None:
    """Gates stand at the first positions, each with an operator, an id and two inputs; an output is a pin or a gate."""
    for position, (op, number, picks) in enumerate(zip(net.ops, net.ids, net.inputs, strict=True)):
        rests = net.rests(position)
        model.post(
            "word", z3.ULE(op, net.idle), z3.ULE(number, len(net.ids) - 1), z3.Implies(rests, number == position)
        )
        model.post("word", *(z3.If(rests, pick == 0, _one(pick)) for pick in picks))
        if position:
            model.post("word", z3.Implies(net.rests(position - 1), rests))
        model.post("word", *(z3.Implies(rests, z3.Not(_has(pick, net.pins + position))) for pick in net.outputs))
    model.post("word", *(_one(pick) for pick in net.outputs))


def word_inputs(model: Model, net: Net) -> None:
    """The inputs of a gate with a symmetric operator are sorted."""
    for op, (first, second) in zip(net.ops, net.inputs, strict=True):
        for number, operator in enumerate(net.asked.operators):
            if operator.symmetric:
                model.post("word", z3.Implies(op == number, z3.ULE(first, second)))


def effects(model: Model, net: Net) -> None:
    """The vector of a gate is its operator's table at the vectors of its inputs, row by row."""
    for position, (op, picks) in enumerate(zip(net.ops, net.inputs, strict=True)):
        vector = net.vectors[net.pins + position]
        first, second = (_picked(pick, net.vectors) for pick in picks)
        for number, operator in enumerate(net.asked.operators):
            model.post("effect", z3.Implies(op == number, vector == _output(operator, first, second)))
        model.post("effect", z3.Implies(net.rests(position), vector == 0))


def r1_order(model: Model, net: Net) -> None:
    """R1: the id of a gate is the next one."""
    for position, number in enumerate(net.ids):
        model.post("R1", z3.Or(net.rests(position), number == position))


def r2_inputs(model: Model, net: Net) -> None:
    """R2: both inputs are pins or gates before this one."""
    for position, picks in enumerate(net.inputs):
        later = range(net.pins + position, len(net.vectors))
        model.post("R2", *(z3.Not(_has(pick, signal)) for pick in picks for signal in later))


def r3_gates(model: Model, net: Net) -> None:
    """R3: at most as many gates as the gate budget."""
    model.post("R3", *(net.rests(position) for position in range(net.asked.most_gates, len(net.ops))))


def r4_cost(model: Model, net: Net) -> None:
    """R4: the cost is within the cost budget; it never falls, so it is judged at the end."""
    model.post("R4", _at_most(net.cost, net.asked.most_cost))


def g_goal(model: Model, net: Net) -> None:
    """G: every output has the vector that the instance asks for."""
    for pick, vector in zip(net.outputs, net.asked.goal.values(), strict=True):
        model.post("G", _picked(pick, net.vectors) == _number(vector))


RULES: dict[str, Callable[[Model, Net], None]] = {
    "R1": r1_order,
    "R2": r2_inputs,
    "R3": r3_gates,
    "R4": r4_cost,
    "G": g_goal,
}


def claim_bound(model: Model, claim: Claim, net: Net) -> None:
    """The claim's own bound of the cost."""
    if claim.most_cost is not None:
        model.post("claim", _at_most(net.cost, claim.most_cost))


def claim_requests(model: Model, claim: Claim, net: Net) -> None:
    """The motifs and moves that the claim wants to be there, or not."""
    post_requests(model, claim, lambda name: MOTIFS[name](model, net), lambda move: _occurs(model, net, move))


def motif_shape(model: Model, net: Net) -> z3.BoolRef:
    """shape: o reads X and E; E reads a pin and Y, and Y reads the same two other pins as X."""
    return _joined(model, net, lambda x, e: _shaped(model, net, x, e))


def motif_typed(model: Model, net: Net) -> z3.BoolRef:
    """typed: shape, with the operators that the instance names for X, Y, E and o."""
    if not net.asked.motif:
        return any_of(model, ())
    names = [operator.name for operator in net.asked.operators]
    of_x, of_y, of_e, of_o = (names.index(name) for name in net.asked.motif)
    ops = _by_signal(net, net.ops)
    is_o = _picked(net.outputs[0], ops) == of_o

    def fits(x: int, e: int) -> z3.BoolRef:
        is_y = _picked(_gates(net, _read(net, e)), ops) == of_y
        return all_of(model, [_shaped(model, net, x, e), net.ops[x] == of_x, is_y, net.ops[e] == of_e])

    return z3.And(is_o, _joined(model, net, fits))


def motif_mid(model: Model, net: Net) -> z3.BoolRef:
    """mid: o reads X and E, which share no gate; E reads a pin and Y; X and Y share a pin, but do not need that one."""
    cones = _cones(model, net)

    def fits(x: int, e: int) -> z3.BoolRef:
        read = _read(net, e)
        of_x, of_y, of_e = cones[net.pins + x], _picked(_gates(net, read), cones), cones[net.pins + e]
        apart = _gates(net, of_x & of_e) == 0
        return z3.And(_reads_both(net, e), apart, _pins(net, of_x & of_y) != 0, _pins(net, read & (of_x | of_y)) == 0)

    return _joined(model, net, fits)


def motif_weak(model: Model, net: Net) -> z3.BoolRef:
    """weak: the two inputs of o depend on a common pin or gate."""
    if not net.asked.single:
        return any_of(model, ())
    cones = _cones(model, net)
    first, second = (_picked(net.outputs[0], _by_signal(net, picks)) for picks in zip(*net.inputs, strict=True))
    # Where o is a pin, it has no inputs; both are empty then, and so is what they depend on.
    return _picked(first, cones) & _picked(second, cones) != 0


MOTIFS: dict[str, Callable[[Model, Net], z3.BoolRef]] = {
    "shape": motif_shape,
    "typed": motif_typed,
    "mid": motif_mid,
    "weak": motif_weak,
}


def _joined(model: Model, net: Net, fits: Callable[[int, int], z3.BoolRef]) -> z3.BoolRef:
    """Whether the only output is a gate that reads the gates at two positions, X and E, which fit."""
    if not net.asked.single:
        return any_of(model, ())
    read = _picked(net.outputs[0], _by_signal(net, [_read(net, position) for position in range(len(net.ops))]))
    found = []
    for x, e in permutations(range(len(net.ops)), 2):
        model.look_at_clock()
        found.append(z3.And(read == (1 << net.pins + x | 1 << net.pins + e), fits(x, e)))
    return any_of(model, found)


def _shaped(model: Model, net: Net, x: int, e: int) -> z3.BoolRef:
    """Whether X reads two pins, E a third pin and a gate Y, which is not X and reads the same pins as X."""
    reads = _by_signal(net, [_read(net, position) for position in range(len(net.ops))])
    read_x, read_e = reads[net.pins + x], reads[net.pins + e]
    two_pins = z3.And(_gates(net, read_x) == 0, net.inputs[x][0] != net.inputs[x][1])
    same = _picked(_gates(net, read_e), reads) == read_x
    third = read_e & read_x == 0
    other = z3.Not(_has(read_e, net.pins + x))
    return all_of(model, [two_pins, _reads_both(net, e), same, third, other])


def _reads_both(net: Net, position: int) -> z3.BoolRef:
    """Whether the gate at a position reads a pin and a gate."""
    read = _read(net, position)
    return z3.And(_gates(net, read) != 0, _pins(net, read) != 0)


def _cones(model: Model, net: Net) -> list[Bits]:
    """The set of what each signal depends on, itself included."""
    size = len(net.vectors)
    cones = [z3.BitVecVal(1 << signal, size, model.context) for signal in range(net.pins)]
    for first, second in net.inputs:
        model.look_at_clock()
        own = z3.BitVecVal(1 << len(cones), size, model.context)
        cones.append(own | _picked(first, cones) | _picked(second, cones))  # under R2 nothing later is picked
    return cones


def _read(net: Net, position: int) -> Bits:
    """The set of the signals that the gate at a position reads."""
    first, second = net.inputs[position]
    return first | second


def _by_signal(net: Net, terms: Sequence[Bits]) -> list[Bits]:
    """Terms of the gates as terms of all signals, 0 for pins."""
    return [*(z3.BitVecVal(0, terms[0].size(), terms[0].ctx) for _ in range(net.pins)), *terms]


def _pins(net: Net, signals: Bits) -> Bits:
    """The pins in a set of signals."""
    return signals & ((1 << net.pins) - 1)


def _gates(net: Net, signals: Bits) -> Bits:
    """The gates in a set of signals."""
    return signals & ~z3.BitVecVal((1 << net.pins) - 1, signals.size(), signals.ctx)


def _occurs(model: Model, net: Net, move: Json) -> z3.BoolRef:
    """Whether a gate stands at some position; raises MalformedInput for what is none."""
    gate = read_gate(net.asked, move, "")
    number = net.asked.ids.index(gate.id)
    op = [operator.name for operator in net.asked.operators].index(gate.op)
    first, second = (net.asked.place[name] for name in gate.inputs)
    if max(first, second) >= len(net.vectors):
        return any_of(model, ())
    stands = zip(net.ids, net.ops, net.inputs, strict=True)
    return any_of(
        model,
        (z3.And(name == number, code == op, _has(one, first), _has(two, second)) for name, code, (one, two) in stands),
    )


def _decode(net: Net, value_of: ValueOf) -> Json:
    """The word; a gate is called by its id wherever it is read."""
    ids = [f"g{value_of(number)}" for number in net.ids]
    signals = [*net.asked.pins, *ids]
    gates = []
    for position, op in enumerate(net.ops):
        if value_of(op) < net.idle:
            first, second = (signals[value_of(pick).bit_length() - 1] for pick in net.inputs[position])
            gates.append(Gate(ids[position], net.asked.operators[value_of(op)].name, (first, second)))
    outputs = tuple(signals[value_of(pick).bit_length() - 1] for pick in net.outputs)
    return write_circuit(net.asked, Circuit(tuple(gates), outputs))


def _net(model: Model, instance: Instance, claim: Claim) -> Net:
    size = _positions(instance, claim)
    pins, idle = len(instance.pins), len(instance.operators)
    signals, rows = pins + size, 2 ** len(instance.pins)
    ops = _terms(model, "op", range(size), _bits(idle))
    firsts, seconds = (_terms(model, name, range(size), signals) for name in ("first", "second"))
    columns = [_number([row >> pins - 1 - pin & 1 for row in range(rows)]) for pin in range(pins)]
    given = (z3.BitVecVal(column, rows, model.context) for column in columns)
    return Net(
        asked=instance,
        ids=_terms(model, "id", range(size), _bits(size - 1)),
        ops=ops,
        inputs=tuple(zip(firsts, seconds, strict=True)),
        outputs=_terms(model, "output", range(len(instance.goal)), signals),
        vectors=(*given, *_terms(model, "vector", range(size), rows)),
        cost=_cost(model, ops, instance.operators),
        pins=pins,
        idle=idle,
    )


def _positions(instance: Instance, claim: Claim) -> int:
    """One more than the budgets allow."""
    cheapest = min((operator.cost for operator in instance.operators), default=0)
    most_cost = instance.most_cost if claim.most_cost is None else min(instance.most_cost, max(0, claim.most_cost))
    return 1 + (min(instance.most_gates, most_cost // cheapest) if cheapest else instance.most_gates)


def _terms(model: Model, name: str, keys: range, bits: int) -> tuple[Bits, ...]:
    model.look_at_clock()
    return tuple(z3.BitVec(f"{name} {key}", bits, model.context) for key in keys)


def _cost(model: Model, ops: Sequence[Bits], operators: Sequence[Operator]) -> Bits:
    costs = [operator.cost for operator in operators]
    bits = _bits(len(ops) * max(costs, default=0))
    total = none = z3.BitVecVal(0, bits, model.context)
    for op in ops:
        spent = none
        for number, cost in enumerate(costs):
            spent = z3.If(op == number, z3.BitVecVal(cost, bits, model.context), spent)
        total = total + spent
    return total


def _picked(pick: Bits, vectors: Sequence[Bits]) -> Bits:
    """The vector of the signal that is picked, all 0 where none is."""
    nothing = z3.BitVecVal(0, vectors[0].size(), pick.ctx)
    return reduce(or_, (z3.If(_has(pick, number), vector, nothing) for number, vector in enumerate(vectors)))


def _output(operator: Operator, first: Bits, second: Bits) -> Bits:
    """The vector of a gate: the rows where its inputs read a line of the table that gives 1."""
    sides = product((~first, first), (~second, second))
    lines = [one & two for bit, (one, two) in zip(operator.table, sides, strict=True) if bit]
    return reduce(or_, lines, z3.BitVecVal(0, first.size(), first.ctx))


def _one(pick: Bits) -> z3.BoolRef:
    """Exactly one bit is set."""
    return z3.And(pick != 0, pick & (pick - 1) == 0)


def _has(pick: Bits, signal: int) -> z3.BoolRef:
    return z3.Extract(signal, signal, pick) == 1


def _number(vector: Sequence[int]) -> int:
    """The number whose bits these are, the first lowest."""
    return sum(bit << row for row, bit in enumerate(vector))


def _bits(most: int) -> int:
    """Enough bits for 0..most."""
    return max(1, most.bit_length())


def _at_most(number: Bits, bound: int) -> z3.BoolRef | bool:
    """number ≤ bound; a bound beyond the bits of `number` always holds, one below 0 never."""
    if bound < 0:
        return False
    return True if bound >= 2 ** number.size() else z3.ULE(number, bound)
