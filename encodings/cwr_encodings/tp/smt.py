"""TP by the lives of values: each value has a type, a content, an instant of birth and an instant of death.

value      a number: the initial ids in sorted order first, then as many listed ids as any word can name, in order
content    the list of integers, as a number among all lists of all alphabets; kept apart from the type
position   one of the places of the run where a step may stand; there is one more than the budgets allow, so that the
           rules bind and not the size of the table
born, gone whether a value was created, was consumed, before a position; both only ever rise; live means born, not gone
A step is what values have in common: the operation at a position, the values that meet there as its arguments (a value
for each slot, or none) and the values that begin there as its outputs. All terms are Booleans and bit-vectors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import or_
from typing import TypeAlias

import z3

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.smt import Encoding, Model, ValueOf, all_of, any_of, post_requests
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.tp.instance import Instance, Operation, Step, Typed, Value, read_step, write_steps

Bits: TypeAlias = z3.BitVecRef
Flags: TypeAlias = tuple[z3.BoolRef, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing out of a list, or nothing: its number, and for each number whether it is that; the last is nothing."""

    code: Bits
    flags: Flags

    @property
    def nothing(self) -> z3.BoolRef:
        return self.flags[-1]


@dataclass(frozen=True, slots=True)
class Codes:
    """The numbers of types and contents; beyond the last is the number that means "no such thing"."""

    types: dict[str, int]
    contents: dict[Value, int]


@dataclass(frozen=True, slots=True)
class Traits:
    """Types and contents, as numbers by `Codes`, of a list of values (which may be "no value")."""

    types: tuple[Bits, ...]
    contents: tuple[Bits, ...]


@dataclass(frozen=True, slots=True)
class Flow:
    """The terms of one question: V values, P positions, A and O the most arguments and outputs of an operation.

    ids       [V] the id of each value; the first `initial` of them are initial
    values    the traits of each value
    ops       [P] the operation at each position
    args      [P][A] the value in each argument slot
    outs      [P][O] the value in each output slot
    given     [P] the traits of the arguments, slot by slot
    made      [P] the traits of the outputs, slot by slot
    rows      [P][operation][row of its table] whether the contents of the arguments are those of the row
    born      [P + 1][V] whether the value was created before the position
    live      [P + 1][V] whether it was created and not consumed before the position (P: at the end)
    """

    ids: tuple[str, ...]
    initial: int
    codes: Codes
    values: Traits
    ops: tuple[Choice, ...]
    args: tuple[tuple[Choice, ...], ...]
    outs: tuple[tuple[Choice, ...], ...]
    given: tuple[Traits, ...]
    made: tuple[Traits, ...]
    rows: tuple[tuple[Flags, ...], ...]
    born: tuple[Flags, ...]
    live: tuple[Flags, ...]


def build(model: Model, instance: Instance, claim: Claim) -> Encoding:
    """Post the accepted submissions of `instance`, created values named in order, within the claim's bound."""
    refuse_unsupported(claim, MOTIFS, MOTIFS, moves=True)
    flow = _flow(model, instance, claim)
    word_shape(model, flow)
    word_names(model, flow)
    effects(model, instance, flow)
    r1_arity(model, instance, flow)
    r2_live(model, flow)
    r3_distinct(model, flow)
    r4_types(model, instance, flow)
    r5_outputs(model, instance, flow)
    r6_fresh(model, flow)
    r7_table(model, flow)
    r8_live(model, instance, flow)
    r9_steps(model, instance, flow)
    r10_cost(model, instance, flow)
    g_goal(model, instance, flow)
    claim_bound(model, claim, flow)
    claim_requests(model, claim, instance, flow)

    def decode(value_of: ValueOf) -> Json:
        return _decode(instance, flow, [value_of(decision) for decision in decisions])

    # Backwards, because what follows the last step is alike for all words of one length.
    decisions = tuple(_step_code(flow, position) for position in reversed(range(len(flow.ops))))
    return Encoding(decisions, _length(model, flow), decode, "QF_BV")


def word_shape(model: Model, flow: Flow) -> None:
    """After the last step nothing stands anywhere; slots are filled from the first on; codes are in range."""
    for position, op in enumerate(flow.ops):
        model.post("word", _in_range(op))
        if position:
            model.post("word", z3.Implies(flow.ops[position - 1].nothing, op.nothing))
        for slots in (flow.args[position], flow.outs[position]):
            for number, slot in enumerate(slots):
                before = slots[number - 1].nothing if number else op.nothing
                model.post("word", _in_range(slot), z3.Implies(before, slot.nothing))
            model.post("word", *(z3.Implies(op.nothing, slot.nothing) for slot in slots))


def word_names(model: Model, flow: Flow) -> None:
    """Created values are numbered in order of creation: before a value comes the one with the number below."""
    for position, outs in enumerate(flow.outs):
        for slot, out in enumerate(outs):
            for value in range(flow.initial + 1, len(flow.ids)):
                earlier = [outs[before].flags[value - 1] for before in range(slot)]
                model.post("word", z3.Implies(out.flags[value], z3.Or(flow.born[position][value - 1], *earlier)))


def effects(model: Model, instance: Instance, flow: Flow) -> None:
    """What a step creates has the types of its operation, and the contents that the table gives for its arguments."""
    for op, outs, made, rows in zip(flow.ops, flow.outs, flow.made, flow.rows, strict=True):
        for chosen, operation, matches in zip(op.flags, instance.operations, rows, strict=False):
            for out, kind, name in zip(outs, made.types, operation.outputs, strict=False):
                model.post("effect", z3.Implies(chosen, z3.Or(out.nothing, kind == flow.codes.types[name])))
            for match, values in zip(matches, operation.table.values(), strict=True):
                for out, content, value in zip(outs, made.contents, values, strict=False):
                    right = z3.Or(out.nothing, content == flow.codes.contents[value])
                    model.post("effect", z3.Implies(z3.And(chosen, match), right))


def r1_arity(model: Model, instance: Instance, flow: Flow) -> None:
    """R1: as many args as input types."""
    _fill(model, "R1", flow.ops, flow.args, [len(operation.inputs) for operation in instance.operations])


def r2_live(model: Model, flow: Flow) -> None:
    """R2: every arg was created before the step and not consumed before it."""
    for args, live in zip(flow.args, flow.live, strict=False):
        for arg in args:
            model.post("R2", *(z3.Implies(named, alive) for named, alive in zip(arg.flags, live, strict=False)))


def r3_distinct(model: Model, flow: Flow) -> None:
    """R3: no id is given twice as an arg."""
    for args in flow.args:
        model.post("R3", *_differ(args))


def r4_types(model: Model, instance: Instance, flow: Flow) -> None:
    """R4: each arg has the type of its position."""
    for op, given in zip(flow.ops, flow.given, strict=True):
        for chosen, operation in zip(op.flags, instance.operations, strict=False):
            for kind, name in zip(given.types, operation.inputs, strict=False):
                model.post("R4", z3.Implies(chosen, kind == flow.codes.types[name]))


def r5_outputs(model: Model, instance: Instance, flow: Flow) -> None:
    """R5: as many out ids as output types."""
    _fill(model, "R5", flow.ops, flow.outs, [len(operation.outputs) for operation in instance.operations])


def r6_fresh(model: Model, flow: Flow) -> None:
    """R6: no out id was allocated before (initial ids are so from the start), and none is given twice as an out."""
    for outs, born in zip(flow.outs, flow.born, strict=False):
        for out in outs:
            pairs = zip(out.flags, born, strict=False)
            model.post("R6", *(z3.Implies(named, z3.Not(allocated)) for named, allocated in pairs))
        model.post("R6", *_differ(outs))


def r7_table(model: Model, flow: Flow) -> None:
    """R7: the table has a row for the contents of the args."""
    for op, rows in zip(flow.ops, flow.rows, strict=True):
        for chosen, matches in zip(op.flags, rows, strict=False):
            model.post("R7", z3.Or(z3.Not(chosen), *matches))


def r8_live(model: Model, instance: Instance, flow: Flow) -> None:
    """R8: after every step at most as many values are live as the limit says."""
    if instance.most_live < len(flow.ids):
        for live in flow.live[1:]:
            model.post("R8", z3.PbLe([(alive, 1) for alive in live], instance.most_live))


def r9_steps(model: Model, instance: Instance, flow: Flow) -> None:
    """R9: at most as many steps as the step budget."""
    model.post("R9", *(op.nothing for op in flow.ops[instance.most_steps :]))


def r10_cost(model: Model, instance: Instance, flow: Flow) -> None:
    """R10: the cost, one a step, is within the cost budget."""
    model.post("R10", *(op.nothing for op in flow.ops[instance.most_cost :]))


def g_goal(model: Model, instance: Instance, flow: Flow) -> None:
    """G: at the end the live values contain the goal; where leftovers are forbidden, nothing else is live."""
    wanted = Counter(instance.goal)
    fits = {typed: _live_as(flow, typed) for typed in sorted(wanted)}
    for typed, flags in fits.items():
        if wanted[typed] > len(flags):
            model.post("G", False)
        elif instance.leftovers_allowed:
            model.post("G", z3.PbGe([(flag, 1) for flag in flags], wanted[typed]))
        else:
            model.post("G", z3.PbEq([(flag, 1) for flag in flags], wanted[typed]))
    if not instance.leftovers_allowed:
        for value, alive in enumerate(flow.live[-1]):
            model.post("G", z3.Or(z3.Not(alive), *(flags[value] for flags in fits.values())))


def claim_bound(model: Model, claim: Claim, flow: Flow) -> None:
    """The claim's own bound of the cost."""
    if claim.most_cost is not None:
        model.post("claim", claim.most_cost >= 0, *(op.nothing for op in flow.ops[max(0, claim.most_cost) :]))


def claim_requests(model: Model, claim: Claim, instance: Instance, flow: Flow) -> None:
    """The motifs and moves that the claim wants to be there, or not."""
    post_requests(
        model, claim, lambda name: MOTIFS[name](model, flow), lambda move: _occurs(model, instance, flow, move)
    )


def motif_main(model: Model, flow: Flow) -> z3.BoolRef:
    """main: a step joins what became of one value, changed on the way, with one born with it, and one step follows.

    Sets of values are bit-vectors with a bit a value, the first lowest.
    """
    if not flow.ids:
        return any_of(model, ())
    used, made = ([_set_of(model, flow, slots) for slots in table] for table in (flow.args, flow.outs))
    changed = _changed(model, flow, used, made)
    siblings = []
    for value in range(len(flow.ids)):
        together = reduce(or_, (_where(model, _has(out, value), out) for out in made))
        siblings.append(together & ~_single(model, flow, value))
    joins = []
    for position, args in enumerate(used):
        model.look_at_clock()
        ends = reduce(or_, (_where(model, _has(args, value), changed[value]) for value in range(len(flow.ids))))
        waited = reduce(or_, (_where(model, _has(args, value), siblings[value]) for value in range(len(flow.ids))))
        joins.append(z3.And(ends & waited != 0, _one_follows(model, used, made, position)))
    return any_of(model, joins)


MOTIFS: dict[str, Callable[[Model, Flow], z3.BoolRef]] = {"main": motif_main}


def _changed(model: Model, flow: Flow, used: Sequence[Bits], made: Sequence[Bits]) -> list[Bits]:
    """For each value the set of those from which a path leads to it that changes the content on the way.

    A path goes to values of higher numbers only: it does not begin at an initial value, as no step creates these.
    """
    size = len(flow.ids)
    none = z3.BitVecVal(0, size, model.context)
    before, changed = [none] * size, [none] * size  # before: from which any path leads
    for value in range(flow.initial, size):
        makers = [(args, _has(out, value)) for args, out in zip(used, made, strict=True)]
        for earlier in range(flow.initial, value):
            model.look_at_clock()
            leads = any_of(model, (z3.And(_has(args, earlier), makes) for args, makes in makers))
            reached = before[earlier] | _single(model, flow, earlier)
            differs = flow.values.contents[earlier] != flow.values.contents[value]
            before[value] = before[value] | _where(model, leads, reached)
            changed[value] = changed[value] | _where(model, leads, changed[earlier] | _where(model, differs, reached))
    return changed


def _one_follows(model: Model, used: Sequence[Bits], made: Sequence[Bits], position: int) -> z3.BoolRef:
    """Whether exactly one step depends on the one at a position."""
    takers = [args & made[position] != 0 for args in used]
    ends = [all_of(model, (args & out == 0 for args in used)) for out in made]
    if not takers:
        return any_of(model, ())
    return z3.And(
        z3.PbEq([(taker, 1) for taker in takers], 1),
        *(z3.Implies(taker, end) for taker, end in zip(takers, ends, strict=True)),
    )


def _set_of(model: Model, flow: Flow, slots: Sequence[Choice]) -> Bits:
    """The set of the values in some slots."""
    none = z3.BitVecVal(0, len(flow.ids), model.context)
    cases = [
        _where(model, slot.flags[value], _single(model, flow, value))
        for slot in slots
        for value in range(len(flow.ids))
    ]
    return reduce(or_, cases, none)


def _single(model: Model, flow: Flow, value: int) -> Bits:
    return z3.BitVecVal(1 << value, len(flow.ids), model.context)


def _where(model: Model, flag: z3.BoolRef, values: Bits) -> Bits:
    """The set where the flag holds, else the empty one."""
    return z3.If(flag, values, z3.BitVecVal(0, values.size(), model.context))


def _has(values: Bits, value: int) -> z3.BoolRef:
    return z3.Extract(value, value, values) == 1


def _occurs(model: Model, instance: Instance, flow: Flow, move: Json) -> z3.BoolRef:
    """Whether a step stands at some position, with these names; raises MalformedInput for what is none."""
    step = read_step(instance, move, "")
    number = [operation.name for operation in instance.operations].index(step.op)
    cases = []
    for op, args, outs in zip(flow.ops, flow.args, flow.outs, strict=True):
        same = [_filled(model, flow, slots, ids) for slots, ids in ((args, step.args), (outs, step.out))]
        cases.append(z3.And(op.flags[number], *same))
    return any_of(model, cases)


def _filled(model: Model, flow: Flow, slots: Sequence[Choice], ids: Sequence[str]) -> z3.BoolRef:
    """Whether the slots hold these values, one after the other, and nothing more."""
    if len(ids) > len(slots) or not set(ids).issubset(flow.ids):
        return any_of(model, ())
    wanted = [*(flow.ids.index(name) for name in ids), *(len(flow.ids) for _ in range(len(slots) - len(ids)))]
    return all_of(model, (slot.flags[value] for slot, value in zip(slots, wanted, strict=True)))


def _step_code(flow: Flow, position: int) -> Bits:
    """All that stands at a position as one bit-vector: the operation, its arguments, its outputs."""
    slots = [slot.code for slot in (*flow.args[position], *flow.outs[position])]
    return z3.Concat(flow.ops[position].code, *slots) if slots else flow.ops[position].code


def _decode(instance: Instance, flow: Flow, codes: Sequence[int]) -> Json:
    """The word, from the step codes of all positions, the last position first."""
    arity, width = len(flow.args[0]), len(flow.outs[0])
    bits = _bits(len(flow.ids))
    steps = []
    for code in reversed(codes):
        number = code >> bits * (arity + width)
        if number < len(instance.operations):
            slots = [code >> bits * place & (1 << bits) - 1 for place in reversed(range(arity + width))]
            args, out = (
                tuple(flow.ids[value] for value in half if value < len(flow.ids))
                for half in (slots[:arity], slots[arity:])
            )
            steps.append(Step(instance.operations[number].name, args, out))
    return write_steps(tuple(steps))


def _in_range(choice: Choice) -> z3.BoolRef:
    return z3.ULE(choice.code, len(choice.flags) - 1)


def _fill(
    model: Model, rule: str, ops: Sequence[Choice], slots: Sequence[Sequence[Choice]], lengths: Sequence[int]
) -> None:
    """At every position the first slots are filled, as many as the operation there has, and no others."""
    for op, row in zip(ops, slots, strict=True):
        for place, slot in enumerate(row):
            longer = [chosen for chosen, length in zip(op.flags, lengths, strict=False) if length > place]
            model.post(rule, slot.nothing == z3.Not(z3.Or(longer)))  # a slot is there because some length asks for it


def _differ(slots: Sequence[Choice]) -> Iterator[z3.BoolRef]:
    """No two slots that are filled hold the same value."""
    for one, two in combinations(slots, 2):
        yield z3.Or(one.nothing, one.code != two.code)


def _live_as(flow: Flow, typed: Typed) -> Flags:
    """For each value whether it is live at the end and is this typed value."""
    kind, content = flow.codes.types[typed[0]], flow.codes.contents[typed[1]]
    lives = zip(flow.live[-1], flow.values.types, flow.values.contents, strict=True)
    return tuple(z3.And(alive, its_kind == kind, its_content == content) for alive, its_kind, its_content in lives)


def _length(model: Model, flow: Flow) -> Bits:
    """The number of steps: the first position where nothing stands."""
    size = len(flow.ops)
    length = _number(model, size, size)
    for position in reversed(range(size)):
        length = z3.If(flow.ops[position].nothing, _number(model, position, size), length)
    return length


def _flow(model: Model, instance: Instance, claim: Claim) -> Flow:
    bounds = [instance.most_steps, instance.most_cost]
    size = 1 + min(bounds if claim.most_cost is None else [*bounds, max(0, claim.most_cost)])
    arity = max((len(operation.inputs) for operation in instance.operations), default=0)
    width = max((len(operation.outputs) for operation in instance.operations), default=0)
    initial = len(instance.initial)
    ids = (*instance.initial, *instance.ids[: size * width])
    lists = sorted({value for alphabet in instance.types.values() for value in alphabet})
    codes = Codes(
        {name: code for code, name in enumerate(instance.types)}, {value: code for code, value in enumerate(lists)}
    )
    values = _values(model, codes, tuple(instance.initial.values()), len(ids))
    ops = tuple(_choice(model, f"op {position}", len(instance.operations)) for position in range(size))
    args = tuple(_choices(model, f"arg {position}", arity, len(ids)) for position in range(size))
    outs = tuple(_choices(model, f"out {position}", width, len(ids)) for position in range(size))
    given = tuple(_met(model, codes, slots, values) for slots in args)
    born = _risen(model, outs, [True] * initial + [False] * (len(ids) - initial))
    gone = _risen(model, args, [False] * len(ids))
    return Flow(
        ids=ids,
        initial=initial,
        codes=codes,
        values=values,
        ops=ops,
        args=args,
        outs=outs,
        given=given,
        made=tuple(_met(model, codes, slots, values) for slots in outs),
        rows=tuple(_rows(model, instance.operations, codes, traits.contents) for traits in given),
        born=born,
        live=tuple(
            tuple(z3.And(began, z3.Not(ended)) for began, ended in zip(*rows, strict=True))
            for rows in zip(born, gone, strict=True)
        ),
    )


def _bits(most: int) -> int:
    """Enough bits for 0..most."""
    return max(1, most.bit_length())


def _number(model: Model, number: int, most: int) -> Bits:
    return z3.BitVecVal(number, _bits(most), model.context)


def _choice(model: Model, name: str, nothing: int) -> Choice:
    model.look_at_clock()
    code = z3.BitVec(name, _bits(nothing), model.context)
    return Choice(code, tuple(code == number for number in range(nothing + 1)))


def _choices(model: Model, name: str, slots: int, nothing: int) -> tuple[Choice, ...]:
    return tuple(_choice(model, f"{name} {slot}", nothing) for slot in range(slots))


def _values(model: Model, codes: Codes, initial: Sequence[Typed], size: int) -> Traits:
    """The traits of the values: given for the initial ones, terms for those that may be created."""
    kinds = [codes.types[kind] for kind, _ in initial]
    lists = [codes.contents[content] for _, content in initial]
    return Traits(
        _traits(model, "type", kinds, size, len(codes.types)),
        _traits(model, "content", lists, size, len(codes.contents)),
    )


def _traits(model: Model, name: str, known: Sequence[int], size: int, missing: int) -> tuple[Bits, ...]:
    unknown = (z3.BitVec(f"{name} {value}", _bits(missing), model.context) for value in range(len(known), size))
    return (*(_number(model, number, missing) for number in known), *unknown)


def _met(model: Model, codes: Codes, slots: Sequence[Choice], values: Traits) -> Traits:
    """The traits of the values in some slots."""
    return Traits(
        tuple(_pick(model, slot, values.types, len(codes.types)) for slot in slots),
        tuple(_pick(model, slot, values.contents, len(codes.contents)) for slot in slots),
    )


def _pick(model: Model, slot: Choice, traits: Sequence[Bits], missing: int) -> Bits:
    """The trait of the value in a slot, `missing` where the slot is empty."""
    model.look_at_clock()
    found = _number(model, missing, missing)
    for named, trait in zip(slot.flags, traits, strict=False):
        found = z3.If(named, trait, found)
    return found


def _rows(model: Model, operations: Sequence[Operation], codes: Codes, given: Sequence[Bits]) -> tuple[Flags, ...]:
    """For each operation and row of its table, whether these contents are those that the row asks for."""
    model.look_at_clock()
    same = [{value: content == code for value, code in codes.contents.items()} for content in given]
    true = z3.BoolVal(True, model.context)
    return tuple(
        tuple(z3.And(true, *(flags[value] for flags, value in zip(same, row, strict=False))) for row in operation.table)
        for operation in operations
    )


def _risen(model: Model, slots: Sequence[Sequence[Choice]], start: Sequence[bool]) -> tuple[Flags, ...]:
    """For each position and the end, whether each value stood in some slot before; at first as in `start`."""
    rows = [tuple(z3.BoolVal(risen, model.context) for risen in start)]
    for row in slots:
        model.look_at_clock()
        rows.append(tuple(z3.Or(risen, *(slot.flags[value] for slot in row)) for value, risen in enumerate(rows[-1])))
    return tuple(rows)
