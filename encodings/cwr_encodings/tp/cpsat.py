"""Finite typed pipeline (TP) for CP-SAT: references, elements and tables; created values have no names here.

The rules are those of the rule book, `cwr_solvers.worlds.tp`. Steps have positions; those after the end of the word are
idle. There is one position more than the tighter budget allows, so that the budget rules have something to forbid.

  node   something an argument can refer to: 0 is nothing, then the initial ids, then every output slot of every
         position, in that order
  code   a typed value as one integer from 1 on; 0 is no value
  row    one row of one operation's table as one integer from 1 on; 0 is the row of an idle position

A word says of each position its operation, the number of its args, the nodes they refer to, and the number of its
outs; that is what the decisions hold. Reading back gives the created values the listed ids in order of creation.
The code of a node says what is in it: the row's output when the step created it, else nothing.

`RULES` lists the functions that post the rules; `build` posts them all. Each posts its own condition only, also where
the conditions of others would make it follow. `MOTIFS` lists the functions that give the literal of a motif; they rely
on R2: an arg refers to a node of an earlier position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr, LinearExprT

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.cpsat import Encoding, afford, all_of, any_of, at_least, equal, meet
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.tp.instance import Instance, Operation, Step, Typed, Value, read_step, write_steps


@dataclass(frozen=True, slots=True)
class Row:
    """One row of an operation's table; `op` counts operations from 1."""

    op: int
    operation: Operation
    given: tuple[Value, ...]
    made: tuple[Typed, ...]


@dataclass(frozen=True, slots=True)
class Arg:
    """One place for an argument: whether it is used, the node it refers to, and the code in that node."""

    used: IntVar
    node: IntVar
    code: IntVar


@dataclass(frozen=True, slots=True)
class Position:
    """One position: idle or not, operation, row, one literal a row, args and outs, and the codes it creates."""

    idle: IntVar
    op: IntVar
    row: IntVar
    is_row: tuple[IntVar, ...]
    taken: IntVar
    args: tuple[Arg, ...]
    outs: IntVar
    created: tuple[IntVar, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The variables and the vocabulary. `codes` maps typed values to codes; `rows` omits row 0."""

    codes: Mapping[Typed, int]
    rows: tuple[Row, ...]
    positions: tuple[Position, ...]
    length: LinearExprT


def build(model: CpModel, instance: Instance, claim: Claim) -> Encoding:
    """Post "an accepted word of the claim"; decisions are op, taken, nodes and outs of each position."""
    refuse_unsupported(claim, MOTIFS, MOTIFS, moves=True)
    plan = _plan(model, instance, claim)
    for post in RULES.values():
        post(model, instance, plan)
    if claim.most_cost is not None:
        model.add(plan.length <= claim.most_cost)
    meet(
        model,
        claim,
        lambda motif: MOTIFS[motif](model, instance, plan),
        lambda move: occurs(model, instance, plan, move),
    )
    decisions: list[IntVar] = []
    for position in plan.positions:
        decisions += [position.op, position.taken, position.outs, *(arg.node for arg in position.args)]
    return Encoding(tuple(decisions), plan.length, lambda value_of: _decode(instance, plan, value_of))


def r1_arity(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R1: a step has as many args as its operation has input types."""
    arity = [(0, 0), *((op, len(operation.inputs)) for op, operation in enumerate(instance.operations, 1))]
    for position in plan.positions:
        model.add_allowed_assignments([position.op, position.taken], arity)


def r2_live(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R2: every arg is live: a node of an earlier position that was created there and that no earlier step consumed."""
    slots = _slots(instance)
    earlier: list[Arg] = []
    for number, position in enumerate(plan.positions):
        for arg in position.args:
            model.add(arg.node <= len(instance.initial) + number * slots)
            model.add(arg.code >= 1).only_enforce_if(arg.used)
            for other in earlier:
                model.add(arg.node != other.node).only_enforce_if(arg.used)
        earlier += position.args


def r3_distinct(model: CpModel, _instance: Instance, plan: Plan) -> None:
    """R3: no step refers to one node twice."""
    for position in plan.positions:
        for index, arg in enumerate(position.args):
            for other in position.args[:index]:
                model.add(arg.node != other.node).only_enforce_if(arg.used)


def r4_types(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R4: the value that an arg refers to has the type of the arg's place."""
    for place in range(_places(instance)):
        allowed = [(0, code) for code in _every(plan.codes)]
        for op, operation in enumerate(instance.operations, 1):
            fits = _typed(plan.codes, operation.inputs[place]) if place < len(operation.inputs) else _every(plan.codes)
            allowed += [(op, code) for code in fits]
        for position in plan.positions:
            model.add_allowed_assignments([position.op, position.args[place].code], allowed)


def r5_outputs(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R5: a step has as many outs as its operation has output types."""
    outputs = [(0, 0), *((op, len(operation.outputs)) for op, operation in enumerate(instance.operations, 1))]
    for position in plan.positions:
        model.add_allowed_assignments([position.op, position.outs], outputs)


def r6_fresh(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R6: every out is a fresh id of its own; nameless values ask only that the listed ids do not run out."""
    model.add(LinearExpr.sum([position.outs for position in plan.positions]) <= len(instance.ids))


def r7_table(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R7: the row that a step applies is the one for the values of its args, whatever their types."""
    for place in range(_places(instance)):
        allowed = [(0, code) for code in _every(plan.codes)]
        for number, row in enumerate(plan.rows, 1):
            fits = _valued(plan.codes, row.given[place]) if place < len(row.given) else _every(plan.codes)
            allowed += [(number, code) for code in fits]
        for position in plan.positions:
            model.add_allowed_assignments([position.row, position.args[place].code], allowed)


def r8_live(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R8: after a step at most the live limit of values is live: initial ones and outs so far, less args so far."""
    for number in range(1, len(plan.positions) + 1):
        gains = [position.outs - position.taken for position in plan.positions[:number]]
        model.add(LinearExpr.sum(gains) <= instance.most_live - len(instance.initial))


def r9_steps(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R9: there are at most as many steps as the step budget."""
    model.add(plan.length <= instance.most_steps)


def r10_cost(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R10: the cost, one a step, is at most the cost budget."""
    model.add(plan.length <= instance.most_cost)


def g_goal(model: CpModel, instance: Instance, plan: Plan) -> None:
    """G: of every typed value as many are live at the end as the goal has, or at least as many (leftovers allowed).

    Live at the end are the initial values and what the applied rows make, less what they consume.
    """
    at_start = list(instance.initial.values())
    for typed in plan.codes:
        gains = [row.made.count(typed) - _given(row).count(typed) for row in plan.rows]
        applied = [LinearExpr.weighted_sum(position.is_row, gains) for position in plan.positions]
        live = at_start.count(typed) + LinearExpr.sum(applied)
        wanted = instance.goal.count(typed)
        model.add(live >= wanted)
        if not instance.leftovers_allowed:
            model.add(live <= wanted)


RULES: Mapping[str, Callable[[CpModel, Instance, Plan], None]] = {
    "R1": r1_arity,
    "R2": r2_live,
    "R3": r3_distinct,
    "R4": r4_types,
    "R5": r5_outputs,
    "R6": r6_fresh,
    "R7": r7_table,
    "R8": r8_live,
    "R9": r9_steps,
    "R10": r10_cost,
    "G": g_goal,
}


def occurs(model: CpModel, instance: Instance, plan: Plan, move: Json) -> IntVar:
    """Whether a step is there with the names that the word gives to created values. Raises MalformedInput."""
    step = read_step(instance, move, "")
    if len(step.args) > _places(instance) or not _in_order(instance, step.out):
        return any_of(model, [])  # no word has such a step
    return any_of(model, [_is_step(model, instance, plan, number, step) for number in range(len(plan.positions))])


def motif_main(model: CpModel, instance: Instance, plan: Plan) -> IntVar:
    """A step makes two values, of which one is changed on a path to the step that consumes it together with the other;
    exactly one step depends on that one."""
    number, slots = len(plan.positions), _slots(instance)
    nodes = number * slots
    afford(nodes**2 * (nodes + 2) + nodes * number * (4 * slots + _places(instance)), f"a motif of {number} steps")
    takes = _takes(model, instance, plan)
    changed = _changed(model, instance, plan)
    last_but_one = [_last_but_one(model, instance, takes, number, joining) for joining in range(number)]
    shown: list[IntVar] = []
    for maker in range(number):
        for x in _made_by(instance, maker):
            arrives = _arrivals(model, instance, plan, takes, changed, maker, x)
            shown += [
                all_of(model, [arrival, takes[joining, y], last_but_one[joining]])
                for joining, arrival in arrives.items()
                for y in _made_by(instance, maker)
                if y != x
            ]
    return any_of(model, shown)


MOTIFS: Mapping[str, Callable[[CpModel, Instance, Plan], IntVar]] = {"main": motif_main}

Pairs = Mapping[tuple[int, int], IntVar]


def _made_by(instance: Instance, position: int) -> range:
    """The nodes of a position."""
    first = 1 + len(instance.initial) + position * _slots(instance)
    return range(first, first + _slots(instance))


def _takes(model: CpModel, instance: Instance, plan: Plan) -> Pairs:
    """By position and earlier created node: whether the step there consumes what is in the node."""
    return {
        (number, node): any_of(model, [equal(model, arg.node, node) for arg in position.args])
        for number, position in enumerate(plan.positions)
        for earlier in range(number)
        for node in _made_by(instance, earlier)
    }


def _changed(model: CpModel, instance: Instance, plan: Plan) -> Pairs:
    """By two created nodes, the earlier one first: whether their values differ, whatever their types."""
    numbers = {value: number for number, value in enumerate(dict.fromkeys(value for _, value in plan.codes), 1)}
    table = [0, *(numbers[value] for _, value in plan.codes)]
    held: dict[int, IntVar] = {}
    for number, position in enumerate(plan.positions):
        for node, code in zip(_made_by(instance, number), position.created, strict=True):
            held[node] = model.new_int_var(0, len(numbers), "value")
            model.add_element(code, table, held[node])
    return {(a, b): any_of(model, [equal(model, held[a], held[b]).negated()]) for a, b in combinations(held, 2)}


def _arrivals(
    model: CpModel, instance: Instance, plan: Plan, takes: Pairs, changed: Pairs, maker: int, start: int
) -> Mapping[int, IntVar]:
    """By later position: whether the step there consumes the last value of a path from the node `start` on which some
    step changed the value."""
    on: dict[int, IntVar] = {start: all_of(model, [])}  # a path from `start` leads to this node
    new: dict[int, IntVar] = {start: any_of(model, [])}  # and the value was changed on it
    found: dict[int, IntVar] = {}
    for number in range(maker + 1, len(plan.positions)):
        moved = {node: all_of(model, [takes[number, node], literal]) for node, literal in on.items()}
        found[number] = any_of(model, [all_of(model, [takes[number, node], literal]) for node, literal in new.items()])
        reached = any_of(model, moved.values())
        made: dict[int, IntVar] = {}
        for node, code in zip(_made_by(instance, number), plan.positions[number].created, strict=True):
            there = at_least(model, code, 1)
            on[node] = all_of(model, [there, reached])
            changes = [all_of(model, [literal, changed[before, node]]) for before, literal in moved.items()]
            made[node] = all_of(model, [there, any_of(model, [found[number], *changes])])
        new |= made
    return found


def _last_but_one(model: CpModel, instance: Instance, takes: Pairs, number: int, step: int) -> IntVar:
    """Whether exactly one step consumes what a step made, and nothing consumes what that one made."""
    uses = {
        (later, earlier): any_of(model, [takes[later, node] for node in _made_by(instance, earlier)])
        for earlier, later in combinations(range(step, number), 2)
    }
    ways: list[IntVar] = []
    for last in range(step + 1, number):
        others = [uses[one, step].negated() for one in range(step + 1, number) if one != last]
        after = [uses[one, last].negated() for one in range(last + 1, number)]
        ways.append(all_of(model, [uses[last, step], *others, *after]))
    return any_of(model, ways)


def _in_order(instance: Instance, out: tuple[str, ...]) -> bool:
    """Whether these are successive ids of the list: those of one step are, in a word."""
    known = [instance.ids.index(name) for name in out if name in instance.ids]
    return len(known) == len(out) <= _slots(instance) and known == [known[0] + slot for slot in range(len(known))]


def _is_step(model: CpModel, instance: Instance, plan: Plan, number: int, step: Step) -> IntVar:
    """Whether this is the step at a position; the nth value that is created gets the nth listed id."""
    position, op = plan.positions[number], list(instance.operation).index(step.op) + 1
    literals = [equal(model, position.op, op), equal(model, position.taken, len(step.args))]
    literals.append(equal(model, position.outs, len(step.out)))
    for name in step.out[:1]:
        literals.append(equal(model, _before(plan, number), instance.ids.index(name)))
    for arg, name in zip(position.args, step.args, strict=False):
        if name in instance.initial:
            literals.append(equal(model, arg.node, 1 + list(instance.initial).index(name)))
        else:
            literals.append(any_of(model, _nodes_named(model, instance, plan, number, arg, name)))
    return all_of(model, literals)


def _nodes_named(model: CpModel, instance: Instance, plan: Plan, number: int, arg: Arg, name: str) -> list[IntVar]:
    """Of each created node before a position: whether the arg refers to it and it has the name."""
    place = instance.ids.index(name)
    return [
        all_of(model, [equal(model, arg.node, node), equal(model, _before(plan, earlier), place - slot)])
        for earlier in range(number)
        for slot, node in enumerate(_made_by(instance, earlier))
    ]


def _before(plan: Plan, number: int) -> LinearExprT:
    """How many values are created before a position."""
    return LinearExpr.sum([position.outs for position in plan.positions[:number]])


def _plan(model: CpModel, instance: Instance, claim: Claim) -> Plan:
    """Variables, and what is no rule: idle positions come last, and what nodes hold follows from rows and outs."""
    codes = _codes(instance)
    rows = _rows(instance)
    numbers = range(_positions(instance, claim))
    _afford(instance, len(numbers), len(rows))
    created = [
        tuple(model.new_int_var(0, len(codes), f"code@{number}.{slot}") for slot in range(_slots(instance)))
        for number in numbers
    ]
    held: list[LinearExprT] = [0, *(codes[typed] for typed in instance.initial.values())]
    held += [code for slots in created for code in slots]
    positions: list[Position] = []
    for number in numbers:
        position = _position(model, instance, rows, held, created[number], len(codes))
        _effect(model, position, rows, codes)
        if positions:
            model.add_implication(positions[-1].idle, position.idle)
        positions.append(position)
    busy = LinearExpr.sum([position.idle.negated() for position in positions])
    return Plan(codes, rows, tuple(positions), busy)


def _afford(instance: Instance, positions: int, rows: int) -> None:
    """Args are told apart in pairs (R2), look a node up among all nodes, and are held against every row (R7)."""
    args, nodes = positions * _places(instance), len(instance.initial) + positions * _slots(instance)
    values = sum(map(len, instance.types.values()))
    afford(args * (args + nodes + rows) + positions * (positions + rows * values), f"a word of {positions} steps")


def _position(
    model: CpModel,
    instance: Instance,
    rows: tuple[Row, ...],
    held: list[LinearExprT],
    created: tuple[IntVar, ...],
    codes: int,
) -> Position:
    """The variables of one position: exactly one row or idle, which tells the operation."""
    idle = model.new_bool_var("idle")
    is_row = tuple(model.new_bool_var("row") for _ in rows)
    model.add_exactly_one(idle, *is_row)
    op = model.new_int_var(0, len(instance.operations), "op")
    model.add(op == LinearExpr.weighted_sum(is_row, [row.op for row in rows]))
    row = model.new_int_var(0, len(rows), "row")
    model.add(row == LinearExpr.weighted_sum(is_row, range(1, len(rows) + 1)))
    taken = model.new_int_var(0, _places(instance), "taken")
    model.add(taken == 0).only_enforce_if(idle)
    args = tuple(_arg(model, place, taken, held, codes) for place in range(_places(instance)))
    outs = model.new_int_var(0, _slots(instance), "outs")
    return Position(idle, op, row, is_row, taken, args, outs, created)


def _arg(model: CpModel, place: int, taken: IntVar, held: list[LinearExprT], codes: int) -> Arg:
    """One place for an argument: used when more than `place` args are taken, and it refers to a node exactly then."""
    used = model.new_bool_var("used")
    node = model.new_int_var(0, len(held) - 1, "node")
    code = model.new_int_var(0, codes, "code")
    for variable, least in ((taken, place + 1), (node, 1)):
        model.add(variable >= least).only_enforce_if(used)
        model.add(variable < least).only_enforce_if(used.negated())
    model.add_element(node, held, code)
    return Arg(used, node, code)


def _effect(model: CpModel, position: Position, rows: tuple[Row, ...], codes: Mapping[Typed, int]) -> None:
    """Every out creates what the row says for it, other slots create nothing; an idle position has no outs."""
    slots = len(position.created)
    effects = [[0, 0, *[0] * slots]]
    for number, row in enumerate(rows, 1):
        made = [codes[typed] for typed in row.made]
        for outs in range(slots + 1):
            filled = made[:outs]
            effects.append([number, outs, *filled, *[0] * (slots - len(filled))])
    model.add_allowed_assignments([position.row, position.outs, *position.created], effects)


def _positions(instance: Instance, claim: Claim) -> int:
    most = min(instance.most_steps, instance.most_cost)
    return 1 + (most if claim.most_cost is None else max(0, min(most, claim.most_cost)))


def _places(instance: Instance) -> int:
    return max((len(operation.inputs) for operation in instance.operations), default=0)


def _slots(instance: Instance) -> int:
    return max((len(operation.outputs) for operation in instance.operations), default=0)


def _codes(instance: Instance) -> dict[Typed, int]:
    typed = [(name, value) for name, alphabet in instance.types.items() for value in alphabet]
    return {one: code for code, one in enumerate(typed, 1)}


def _rows(instance: Instance) -> tuple[Row, ...]:
    return tuple(
        Row(op, operation, given, tuple(zip(operation.outputs, made, strict=True)))
        for op, operation in enumerate(instance.operations, 1)
        for given, made in operation.table.items()
    )


def _given(row: Row) -> list[Typed]:
    return list(zip(row.operation.inputs, row.given, strict=True))


def _every(codes: Mapping[Typed, int]) -> list[int]:
    return [0, *codes.values()]


def _typed(codes: Mapping[Typed, int], name: str) -> list[int]:
    """Nothing, whose type no rule judges, and every value of the type."""
    return [0, *(code for (other, _), code in codes.items() if other == name)]


def _valued(codes: Mapping[Typed, int], value: Value) -> list[int]:
    """Nothing, and the value in every type that has it."""
    return [0, *(code for (_, other), code in codes.items() if other == value)]


def _decode(instance: Instance, plan: Plan, value_of: Callable[[IntVar], int]) -> Json:
    """Created values get the listed ids in order of creation."""
    names = dict(enumerate(instance.initial, 1))
    slots = _slots(instance)
    fresh = iter(instance.ids)
    for number, position in enumerate(plan.positions):
        first = 1 + len(instance.initial) + number * slots
        names |= {first + slot: next(fresh) for slot in range(value_of(position.outs))}
    steps: list[Step] = []
    for number, position in enumerate(plan.positions):
        if value_of(position.op):
            first = 1 + len(instance.initial) + number * slots
            out = tuple(names[first + slot] for slot in range(value_of(position.outs)))
            args = tuple(names[value_of(arg.node)] for arg in position.args[: value_of(position.taken)])
            steps.append(Step(instance.operations[value_of(position.op) - 1].name, args, out))
    return write_steps(tuple(steps))
