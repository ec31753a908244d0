"""PS by masks: a state is one bit-vector, of which an operation keeps some bits and sets others.

position   one of the places of the run where an action may stand; there is one more than the budgets allow, so that
           the rules bind and not the size of the table
code       what stands at a position, a bit-vector: the number of an operation, or the number of operations for "idle"
slice      the bits of a field within a state, which hold the number of its value; the first field has the lowest bits
state      no variable: (the state before, less what the operation assigns) with what it assigns; idle assigns nothing
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import z3

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.smt import Encoding, Model, ValueOf, any_of, post_requests
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import as_name
from cwr_solvers.worlds.ps.instance import Field, Instance, Literal, Operation, Resource, write_actions

Bits: TypeAlias = z3.BitVecRef


@dataclass(frozen=True, slots=True)
class Slice:
    """Where a field stands in a state: its lowest bit and how many bits it has."""

    low: int
    size: int

    def of(self, state: Bits) -> Bits:
        return z3.Extract(self.low + self.size - 1, self.low, state)

    @property
    def mask(self) -> int:
        return (1 << self.size) - 1 << self.low


@dataclass(frozen=True, slots=True)
class Run:
    """The terms of one question.

    asked     the instance
    actions   the code at each position
    idle      the code for "no action"
    slices    the slice of each field
    states    the state before each position; the last: at the end
    """

    asked: Instance
    actions: tuple[Bits, ...]
    idle: int
    slices: tuple[Slice, ...]
    states: tuple[Bits, ...]

    def fires(self, position: int, operation: int) -> z3.BoolRef:
        return self.actions[position] == operation

    def rests_from(self, position: int) -> tuple[z3.BoolRef, ...]:
        """That nothing stands at this position and at any after it."""
        return tuple(action == self.idle for action in self.actions[max(0, position) :])

    def holds(self, state: Bits, literal: Literal) -> z3.BoolRef:
        found = self.slices[literal.field].of(state)
        return found == literal.value if literal.positive else found != literal.value


def build(model: Model, instance: Instance, claim: Claim) -> Encoding:
    """Post the accepted submissions of `instance` within the claim's bound."""
    refuse_unsupported(claim, MOTIFS, MOTIFS, moves=True)
    run = _run(model, instance, claim)
    word_shape(model, run)
    for rule in RULES.values():
        rule(model, run)
    claim_bound(model, claim, run)
    claim_requests(model, claim, run)
    names = [operation.name for operation in instance.operations]

    def decode(value_of: ValueOf) -> Json:
        codes = [value_of(action) for action in run.actions]
        return write_actions(tuple(names[code] for code in codes if code < run.idle))

    # Backwards, because what follows the last action is alike for all words of one length.
    return Encoding(run.actions[::-1], _length(model, run), decode, "QF_BV")


def word_shape(model: Model, run: Run) -> None:
    """A code is an operation or idle; after idle all is idle."""
    for position, action in enumerate(run.actions):
        model.post("word", z3.ULE(action, run.idle))
        if position:
            model.post("word", z3.Implies(run.actions[position - 1] == run.idle, action == run.idle))


def r1_when(model: Model, run: Run) -> None:
    """R1: every precondition literal holds."""
    for position, state in enumerate(run.states[:-1]):
        for number, operation in enumerate(run.asked.operations):
            fires = run.fires(position, number)
            model.post("R1", *(z3.Implies(fires, run.holds(state, literal)) for literal in operation.when))


def r2_invariant(model: Model, run: Run) -> None:
    """R2: after every step every invariant holds; an idle position repeats a state that was judged before."""
    for state in run.states[1:]:
        for clause in run.asked.invariants:
            # No clause is empty: the initial state would break it.
            model.post("R2", z3.Or([run.holds(state, literal) for literal in clause]))


def r3_actions(model: Model, run: Run) -> None:
    """R3: at most as many steps as the action budget."""
    model.post("R3", *run.rests_from(run.asked.most_actions))


def r4_cost(model: Model, run: Run) -> None:
    """R4: the cost, one a step, is within the cost budget."""
    model.post("R4", *run.rests_from(run.asked.most_cost))


def g_goal(model: Model, run: Run) -> None:
    """G: at the end every literal of the goal holds."""
    model.post("G", *(run.holds(run.states[-1], literal) for literal in run.asked.goal))


RULES: dict[str, Callable[[Model, Run], None]] = {
    "R1": r1_when,
    "R2": r2_invariant,
    "R3": r3_actions,
    "R4": r4_cost,
    "G": g_goal,
}


def claim_bound(model: Model, claim: Claim, run: Run) -> None:
    """The claim's own bound of the cost."""
    if claim.most_cost is not None:
        model.post("claim", claim.most_cost >= 0, *run.rests_from(claim.most_cost))


def claim_requests(model: Model, claim: Claim, run: Run) -> None:
    """The motifs and moves that the claim wants to be there, or not."""
    post_requests(model, claim, lambda name: MOTIFS[name](model, run), lambda move: _occurs(model, run, move))


def motif_main(model: Model, run: Run) -> z3.BoolRef:
    """main: within one free interval stand a p and a q, in either order, and p needs what only a held action made."""
    resource = run.asked.resource
    if resource is None:
        return any_of(model, ())
    free = [run.slices[resource.field].of(state) == resource.free for state in run.states]
    works = _works(model, run, resource)
    p_stood = q_stood = any_of(model, ())
    found = []
    for position in range(len(run.actions)):
        model.look_at_clock()
        stays = z3.And(free[position], free[position + 1])
        p = z3.And(stays, _needs(model, run, resource, position, works[position]))
        q = z3.And(stays, _progresses(model, run, resource, position))
        found += [z3.And(p, q_stood), z3.And(q, p_stood)]
        p_stood, q_stood = (z3.And(stays, z3.Or(now, before)) for now, before in ((p, p_stood), (q, q_stood)))
    return any_of(model, found)


MOTIFS: dict[str, Callable[[Model, Run], z3.BoolRef]] = {"main": motif_main}


def _works(model: Model, run: Run, resource: Resource) -> list[Bits]:
    """For each moment a set of positions: those whose action asks for the held value, in the held interval.

    It is that of the moment, or the one right before the free interval of the moment; in both cases one that comes
    right after a free interval. At every other moment the set is empty.
    """
    values = [run.slices[resource.field].of(state) for state in run.states]
    free, held = ([found == value for found in values] for value in (resource.free, resource.held))
    none = z3.BitVecVal(0, len(run.actions), model.context)
    askers = _asking(run.asked, resource, resource.held)
    works, counts = [none], any_of(model, ())  # counts: this moment is in a held interval right after a free one
    for position in range(len(run.actions)):
        model.look_at_clock()
        works_here = z3.And(held[position + 1], counts, _one_of(model, run, position, askers))
        with_this = works[-1] | z3.If(works_here, z3.BitVecVal(1 << position, none.size(), model.context), none)
        lasts = z3.Or(z3.And(held[position], held[position + 1]), free[position + 1])
        works.append(z3.If(z3.And(z3.Or(held[position], free[position]), lasts), with_this, none))
        counts = z3.And(held[position + 1], z3.Or(free[position], counts))
    return works


def _needs(model: Model, run: Run, resource: Resource, position: int, works: Bits) -> z3.BoolRef:
    """Whether the action here asks for the free value, and for something else that is so by one of `works` alone."""
    cases = []
    for number in _asking(run.asked, resource, resource.free):
        for literal in run.asked.operations[number].when:
            if literal.field != resource.field and not literal.holds(run.asked.initial):
                makers = _makers(model, run, literal)
                alone = z3.And(makers & (makers - 1) == 0, makers & works != 0)
                cases.append(z3.And(run.fires(position, number), alone))
    return any_of(model, cases)


def _makers(model: Model, run: Run, literal: Literal) -> Bits:
    """The positions whose action assigns the field of a literal a value for which it is true."""
    numbers = [
        number
        for number, operation in enumerate(run.asked.operations)
        for field, value in operation.then
        if field == literal.field and (value == literal.value) == literal.positive
    ]
    size = len(run.actions)
    found = none = z3.BitVecVal(0, size, model.context)
    for position in range(size):
        makes = _one_of(model, run, position, numbers)
        found = found | z3.If(makes, z3.BitVecVal(1 << position, size, model.context), none)
    return found


def _progresses(model: Model, run: Run, resource: Resource, position: int) -> z3.BoolRef:
    """Whether the action here asks for the free value and assigns some other field."""
    operations = run.asked.operations
    asking = _asking(run.asked, resource, resource.free)
    others = [number for number in asking if any(field != resource.field for field, _ in operations[number].then)]
    return _one_of(model, run, position, others)


def _asking(instance: Instance, resource: Resource, wanted: int) -> list[int]:
    """The operations with a precondition on the resource that is true for this value alone."""
    values = range(len(instance.fields[resource.field].values))

    def asks(literal: Literal) -> bool:
        true = [value for value in values if (value == literal.value) == literal.positive]
        return literal.field == resource.field and true == [wanted]

    return [number for number, operation in enumerate(instance.operations) if any(map(asks, operation.when))]


def _one_of(model: Model, run: Run, position: int, operations: Sequence[int]) -> z3.BoolRef:
    return any_of(model, (run.fires(position, number) for number in operations))


def _occurs(model: Model, run: Run, move: Json) -> z3.BoolRef:
    """Whether a move stands at some position; raises MalformedInput for what is none."""
    name = as_name(move, "", run.asked.operation, "operation")
    numbers = [number for number, operation in enumerate(run.asked.operations) if operation.name == name]
    return any_of(model, (_one_of(model, run, position, numbers) for position in range(len(run.actions))))


def _run(model: Model, instance: Instance, claim: Claim) -> Run:
    bounds = [instance.most_actions, instance.most_cost]
    size = 1 + min(bounds if claim.most_cost is None else [*bounds, max(0, claim.most_cost)])
    idle = len(instance.operations)
    actions = tuple(z3.BitVec(f"action {position}", _bits(idle), model.context) for position in range(size))
    slices = _slices(instance.fields)
    width = max(1, sum(part.size for part in slices))
    effects = [_effect(slices, operation) for operation in instance.operations]
    assigned, values = [mask for mask, _ in effects], [value for _, value in effects]
    initial = sum(value << part.low for value, part in zip(instance.initial, slices, strict=True))
    states = [z3.BitVecVal(initial, width, model.context)]
    for action in actions:
        model.look_at_clock()
        states.append((states[-1] & ~_pick(action, assigned, states[0])) | _pick(action, values, states[0]))
    return Run(instance, actions, idle, slices, tuple(states))


def _slices(fields: Sequence[Field]) -> tuple[Slice, ...]:
    found: list[Slice] = []
    low = 0
    for field in fields:
        found.append(Slice(low, _bits(len(field.values) - 1)))
        low += found[-1].size
    return tuple(found)


def _effect(slices: Sequence[Slice], operation: Operation) -> tuple[int, int]:
    """The bits that an operation assigns, and those of them that it sets."""
    mask = sum(slices[field].mask for field, _ in operation.then)
    return mask, sum(value << slices[field].low for field, value in operation.then)


def _pick(action: Bits, masks: Sequence[int], like: Bits) -> Bits:
    """The mask of the operation that stands there, none for idle, in as many bits as `like` has."""
    picked = z3.BitVecVal(0, like.size(), like.ctx)
    for number, mask in enumerate(masks):
        picked = z3.If(action == number, z3.BitVecVal(mask, like.size(), like.ctx), picked)
    return picked


def _bits(most: int) -> int:
    """Enough bits for 0..most."""
    return max(1, most.bit_length())


def _length(model: Model, run: Run) -> Bits:
    """The number of actions: the first position where nothing stands."""
    size = len(run.actions)
    length = z3.BitVecVal(size, _bits(size), model.context)
    for position in reversed(range(size)):
        length = z3.If(run.actions[position] == run.idle, z3.BitVecVal(position, _bits(size), model.context), length)
    return length
