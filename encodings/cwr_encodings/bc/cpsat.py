"""Boolean circuit (BC) for CP-SAT: numbered slots, each with an operator, two inputs and a bit a row.

The rules are those of the rule book, `cwr_solvers.worlds.bc`. Slot k is for the gate with the id gk; a word uses some
slots and lists their gates in this order. There is one slot more than the budgets allow, so that the budget rules have
something to forbid; its id is beyond the listed ones.

  signal   the pins in stated order, then the slots; also inputs and outputs may name any of them
  free     a slot that is not used: it has no operator and no inputs, and all its bits are 0

The inputs of a gate whose operator is symmetric are in order of signals; this is how words are written, and no rule.

`RULES` lists the functions that post the rules; `build` posts them all. `MOTIFS` lists the functions that give the
literal of a motif; they rely on R2: a gate reads earlier slots only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations, product

from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr, LinearExprT, LiteralT

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.cpsat import Encoding, afford, all_of, any_of, meet
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.bc.instance import Circuit, Gate, Instance, read_gate, write_circuit

Bits = tuple[IntVar, ...]  # one a row


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot: used or free, one literal an operator, for each input one literal a signal, and the value."""

    used: IntVar
    ops: tuple[IntVar, ...]
    inputs: tuple[tuple[IntVar, ...], tuple[IntVar, ...]]
    value: Bits


@dataclass(frozen=True, slots=True)
class Plan:
    """The variables. `values` is by signal; `outputs` has for each output name one literal a signal."""

    slots: tuple[Slot, ...]
    values: tuple[Bits, ...]
    outputs: tuple[tuple[IntVar, ...], ...]
    gates: LinearExprT
    cost: LinearExprT


def build(model: CpModel, instance: Instance, claim: Claim) -> Encoding:
    """Post "an accepted word of the claim"; decisions are the operators and inputs of each slot, and the outputs."""
    refuse_unsupported(claim, MOTIFS, MOTIFS, moves=True)
    plan = _plan(model, instance, claim)
    for post in RULES.values():
        post(model, instance, plan)
    if claim.most_cost is not None:
        model.add(plan.cost <= claim.most_cost)
    meet(
        model,
        claim,
        lambda motif: MOTIFS[motif](model, instance, plan),
        lambda move: occurs(model, instance, plan, move),
    )
    decisions: list[IntVar] = []
    for slot in plan.slots:
        decisions += [*slot.ops, *slot.inputs[0], *slot.inputs[1]]
    decisions += [literal for chosen in plan.outputs for literal in chosen]
    return Encoding(tuple(decisions), plan.cost, lambda value_of: _decode(instance, plan, value_of))


def r1_order(model: CpModel, _instance: Instance, plan: Plan) -> None:
    """R1: gates come as g0, g1, …: a slot is used only when the one before it is."""
    for before, slot in zip(plan.slots, plan.slots[1:], strict=False):
        model.add_implication(slot.used, before.used)


def r2_inputs(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R2: an input that is no pin is a used slot before the gate's own."""
    for number, slot in enumerate(plan.slots):
        for literals in slot.inputs:
            for other, literal in enumerate(literals[len(instance.pins) :]):
                if other < number:
                    model.add_implication(literal, plan.slots[other].used)
                else:
                    model.add(literal == 0)


def r3_gates(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R3: there are at most as many gates as the gate budget."""
    model.add(plan.gates <= instance.most_gates)


def r4_cost(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R4: the costs of the operators used come to at most the cost budget."""
    model.add(plan.cost <= instance.most_cost)


def g_goal(model: CpModel, instance: Instance, plan: Plan) -> None:
    """G: the signal chosen for an output has the wanted bit on every row."""
    for chosen, wanted in zip(plan.outputs, instance.goal.values(), strict=True):
        for literal, value in zip(chosen, plan.values, strict=True):
            for bit, want in zip(value, wanted, strict=True):
                model.add_implication(literal, _is(bit, want))


RULES: Mapping[str, Callable[[CpModel, Instance, Plan], None]] = {
    "R1": r1_order,
    "R2": r2_inputs,
    "R3": r3_gates,
    "R4": r4_cost,
    "G": g_goal,
}


def occurs(model: CpModel, instance: Instance, plan: Plan, move: Json) -> IntVar:
    """Whether a gate is there as it is written. One that no word has never is: with the inputs of a symmetric operator
    out of order. Raises MalformedInput."""
    gate = read_gate(instance, move, "")
    number, signals = instance.ids.index(gate.id), [instance.place[signal] for signal in gate.inputs]
    if max(number, *(signal - len(instance.pins) for signal in signals)) >= len(plan.slots):
        return any_of(model, [])  # the budgets leave no such slot
    slot = plan.slots[number]
    op = [literal for literal, one in zip(slot.ops, instance.operators, strict=True) if one.name == gate.op]
    return all_of(model, [*op, *(literals[signal] for literals, signal in zip(slot.inputs, signals, strict=True))])


def motif_shape(model: CpModel, instance: Instance, plan: Plan) -> IntVar:
    """X and Y read the same two pins, E reads Y and another pin, the output reads X and E."""
    return _shape(model, instance, plan, ())


def motif_typed(model: CpModel, instance: Instance, plan: Plan) -> IntVar:
    """The shape with the operators that the instance names; false where it names none."""
    return _shape(model, instance, plan, instance.motif) if instance.motif else any_of(model, [])


def motif_mid(model: CpModel, instance: Instance, plan: Plan) -> IntVar:
    """The output reads X and E, whose cones are disjoint; E reads Y and a pin on which neither X nor Y depends; X and Y
    depend on a common pin."""
    if not instance.single:
        return any_of(model, [])
    pins, gates = _signals(instance, plan)
    afford(len(gates) ** 3 * (5 * len(pins) + 20), f"a motif of {len(gates)} gates")
    reads, needs = _reads(model, instance, plan), _needs(model, instance, plan)
    shared = {pair: _common(model, needs, pins, *pair) for pair in product(gates, gates)}
    ways: list[IntVar] = []
    for x, e in permutations(gates, 2):
        tails = [
            all_of(model, [reads[e, z, y], shared[x, y], needs[x, z].negated(), needs[y, z].negated()])
            for y, z in product(range(len(pins), e), pins)
        ]
        apart = _common(model, needs, gates, x, e).negated()
        ways.append(all_of(model, [_joined(model, instance, plan, reads, x, e), apart, any_of(model, tails)]))
    return any_of(model, ways)


def motif_weak(model: CpModel, instance: Instance, plan: Plan) -> IntVar:
    """The two inputs of the output gate depend on a common pin or gate; a signal depends on itself."""
    if not instance.single:
        return any_of(model, [])
    pins, gates = _signals(instance, plan)
    signals = (*pins, *gates)
    afford(len(signals) ** 3 * 8, f"a motif of {len(gates)} gates")
    reads, needs = _reads(model, instance, plan), _needs(model, instance, plan)
    pairs = combinations_with_replacement(signals, 2)
    return any_of(
        model,
        [
            all_of(model, [_joined(model, instance, plan, reads, *pair), _common(model, needs, signals, *pair)])
            for pair in pairs
        ],
    )


MOTIFS: Mapping[str, Callable[[CpModel, Instance, Plan], IntVar]] = {
    "shape": motif_shape,
    "typed": motif_typed,
    "mid": motif_mid,
    "weak": motif_weak,
}

Reads = Mapping[tuple[int, int, int], IntVar]  # by gate and two signals before it, the lower one first
Needs = Mapping[tuple[int, int], IntVar]  # by two signals


def _signals(instance: Instance, plan: Plan) -> tuple[range, range]:
    """The numbers of the pins and of the gates."""
    pins = len(instance.pins)
    return range(pins), range(pins, pins + len(plan.slots))


def _reads(model: CpModel, instance: Instance, plan: Plan) -> Reads:
    """Of each gate and every two signals before it, whether it reads these two, in either order."""
    found: dict[tuple[int, int, int], IntVar] = {}
    for gate, slot in zip(_signals(instance, plan)[1], plan.slots, strict=True):
        first, second = slot.inputs
        for a, b in combinations_with_replacement(range(gate), 2):
            orders = [all_of(model, [first[s], second[t]]) for s, t in ((a, b), (b, a))]
            found[gate, a, b] = any_of(model, orders)
    return found


def _needs(model: CpModel, instance: Instance, plan: Plan) -> Needs:
    """Of every two signals, whether the first is the second or depends on it."""
    pins, gates = _signals(instance, plan)
    signals = (*pins, *gates)
    found = {(a, b): all_of(model, []) if a == b else any_of(model, []) for a, b in product(signals, signals)}
    for gate, slot in zip(gates, plan.slots, strict=True):
        inputs = [any_of(model, pair) for pair in zip(*slot.inputs, strict=True)]
        for signal in range(gate):
            by = [all_of(model, [inputs[one], found[one, signal]]) for one in range(gate)]
            found[gate, signal] = any_of(model, by)
    return found


def _common(model: CpModel, needs: Needs, among: Iterable[int], one: int, other: int) -> IntVar:
    """Whether two signals are, or depend on, a common one of these."""
    return any_of(model, [all_of(model, [needs[one, signal], needs[other, signal]]) for signal in among])


def _joined(
    model: CpModel, instance: Instance, plan: Plan, reads: Reads, x: int, e: int, operators: tuple[str, ...] = ()
) -> IntVar:
    """Whether the output is a gate that reads two signals, with the last of the operators where these are given."""
    gates = [gate for gate in _signals(instance, plan)[1] if gate > max(x, e)]
    ways = [
        [plan.outputs[0][gate], reads[gate, min(x, e), max(x, e)], *_operator(instance, plan, gate, operators[3:])]
        for gate in gates
    ]
    return any_of(model, [all_of(model, way) for way in ways])


def _operator(instance: Instance, plan: Plan, gate: int, operators: tuple[str, ...]) -> list[IntVar]:
    """That a gate has the first of the operators, where there is one."""
    literals = plan.slots[gate - len(instance.pins)].ops
    named = zip(instance.operators, literals, strict=True)
    return [literal for operator, literal in named if operators and operator.name == operators[0]]


def _shape(model: CpModel, instance: Instance, plan: Plan, operators: tuple[str, ...]) -> IntVar:
    """The shape; with these operators of X, Y, E and the output, where they are given."""
    if not instance.single:
        return any_of(model, [])
    pins, gates = _signals(instance, plan)
    pairs = list(combinations(pins, 2))
    afford(len(gates) ** 2 * len(pairs) * (2 * len(pins) + 6 * len(gates)), f"a motif of {len(gates)} gates")
    reads = _reads(model, instance, plan)
    tails = {
        (y, e, pair): any_of(model, [reads[e, z, y] for z in pins if z not in pair])
        for (y, e), pair in product(combinations(gates, 2), pairs)
    }
    ways: list[IntVar] = []
    for x, e in permutations(gates, 2):
        own = [*_operator(instance, plan, x, operators), *_operator(instance, plan, e, operators[2:])]
        heads = [
            [reads[x, *pair], reads[y, *pair], tails[y, e, pair], *_operator(instance, plan, y, operators[1:])]
            for y, pair in product(range(len(pins), e), pairs)
            if y != x
        ]
        head = any_of(model, [all_of(model, one) for one in heads])
        ways.append(all_of(model, [_joined(model, instance, plan, reads, x, e, operators), head, *own]))
    return any_of(model, ways)


def _plan(model: CpModel, instance: Instance, claim: Claim) -> Plan:
    """Variables, and what is no rule: what gates compute, how words are written, outputs in use."""
    number = _slots(instance, claim)
    signals = len(instance.pins) + number
    _afford(instance, number, signals)
    slots = tuple(_slot(model, instance, signals) for _ in range(number))
    values = (*_pins(model, instance), *(slot.value for slot in slots))
    for slot in slots:
        _compute(model, instance, slot, values)
        _sort(model, instance, slot)
    outputs = tuple(_output(model, instance, slots) for _ in instance.goal)
    gates = LinearExpr.sum([slot.used for slot in slots])
    literals = [literal for slot in slots for literal in slot.ops]
    costs = [operator.cost for _ in slots for operator in instance.operators]
    return Plan(slots, values, outputs, gates, LinearExpr.weighted_sum(literals, costs))


def _slots(instance: Instance, claim: Claim) -> int:
    """One more than the most gates that the budgets and the claim allow."""
    most, cost = instance.most_gates, instance.most_cost
    if claim.most_cost is not None:
        cost = max(0, min(cost, claim.most_cost))
    cheapest = min((operator.cost for operator in instance.operators), default=0)
    return 1 + (min(most, cost // cheapest) if cheapest else most)


def _afford(instance: Instance, slots: int, signals: int) -> None:
    """Each input is told apart from every signal on every row (twice three literals), and from the other input."""
    rows = 2 ** len(instance.pins)
    inputs = 2 * slots * signals * (6 * rows + signals)
    tables = 16 * slots * rows * len(instance.operators)
    afford(inputs + tables + len(instance.goal) * signals * rows, f"a circuit of {slots} gates")


def _slot(model: CpModel, instance: Instance, signals: int) -> Slot:
    """A slot has one operator and two inputs when it is used, else nothing."""
    used = model.new_bool_var("used")
    ops = tuple(model.new_bool_var(operator.name) for operator in instance.operators)
    first, second = (tuple(model.new_bool_var("input") for _ in range(signals)) for _ in range(2))
    for literals in (ops, first, second):
        model.add_exactly_one(used.negated(), *literals)
    return Slot(used, ops, (first, second), _bits(model, instance))


def _bits(model: CpModel, instance: Instance) -> Bits:
    return tuple(model.new_bool_var("bit") for _ in range(2 ** len(instance.pins)))


def _pins(model: CpModel, instance: Instance) -> tuple[Bits, ...]:
    """Row by row from 0; the first pin is the most significant bit of the row."""
    constants = tuple(model.new_constant(bit) for bit in (0, 1))
    rows = product((0, 1), repeat=len(instance.pins))
    return tuple(tuple(constants[bit] for bit in column) for column in zip(*rows, strict=True))


def _compute(model: CpModel, instance: Instance, slot: Slot, values: tuple[Bits, ...]) -> None:
    """The value of a slot on each row, by the operator's table for the values of its inputs."""
    given = tuple(_read(model, instance, slot, literals, values) for literals in slot.inputs)
    for literal, operator in zip(slot.ops, instance.operators, strict=True):
        for (first, second), made in zip(product((0, 1), repeat=2), operator.table, strict=True):
            for a, b, bit in zip(*given, slot.value, strict=True):
                model.add_bool_or(literal.negated(), _is(a, 1 - first), _is(b, 1 - second), _is(bit, made))
    for bit in slot.value:
        model.add_implication(slot.used.negated(), bit.negated())


def _read(
    model: CpModel, instance: Instance, slot: Slot, literals: tuple[IntVar, ...], values: tuple[Bits, ...]
) -> Bits:
    """The bits of the signal that an input names; 0 in a free slot."""
    read = _bits(model, instance)
    for literal, value in zip(literals, values, strict=True):
        for bit, source in zip(read, value, strict=True):
            model.add_bool_or(literal.negated(), bit.negated(), source)
            model.add_bool_or(literal.negated(), bit, source.negated())
    for bit in read:
        model.add_implication(slot.used.negated(), bit.negated())
    return read


def _sort(model: CpModel, instance: Instance, slot: Slot) -> None:
    """The first input comes after the second only where the operator tells them apart."""
    ordered = [
        literal for literal, operator in zip(slot.ops, instance.operators, strict=True) if not operator.symmetric
    ]
    first, second = slot.inputs
    for index, literal in enumerate(first):
        for earlier in second[:index]:
            model.add_bool_or(literal.negated(), earlier.negated(), *ordered)


def _output(model: CpModel, instance: Instance, slots: tuple[Slot, ...]) -> tuple[IntVar, ...]:
    """One signal, a pin or the gate of a used slot."""
    pins, gates = (tuple(model.new_bool_var("output") for _ in signals) for signals in (instance.pins, slots))
    model.add_exactly_one(*pins, *gates)
    for literal, slot in zip(gates, slots, strict=True):
        model.add_implication(literal, slot.used)
    return (*pins, *gates)


def _is(bit: IntVar, value: int) -> LiteralT:
    return bit if value else bit.negated()


def _decode(instance: Instance, plan: Plan, value_of: Callable[[IntVar], int]) -> Json:
    names = (*instance.pins, *(f"g{number}" for number in range(len(plan.slots))))
    operators = tuple(operator.name for operator in instance.operators)
    gates: list[Gate] = []
    for number, slot in enumerate(plan.slots):
        for op in _chosen(operators, slot.ops, value_of):
            ((first,), (second,)) = (_chosen(names, literals, value_of) for literals in slot.inputs)
            gates.append(Gate(f"g{number}", op, (first, second)))
    outputs = tuple(name for literals in plan.outputs for name in _chosen(names, literals, value_of))
    return write_circuit(instance, Circuit(tuple(gates), outputs))


def _chosen(names: tuple[str, ...], literals: tuple[IntVar, ...], value_of: Callable[[IntVar], int]) -> list[str]:
    return [name for name, literal in zip(names, literals, strict=True) if value_of(literal)]
