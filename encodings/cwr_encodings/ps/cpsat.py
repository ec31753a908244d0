"""Safety protocol (PS) for CP-SAT, by positions: at each position at most one operation; the fields in between.

The rules are those of the rule book, `cwr_solvers.worlds.ps`. A word is a sequence of operations; positions after its
end are idle. There is one position more than the tighter budget allows, so that the budget rules have something to
forbid. A state has one literal for every value of every field; the effects of an operation ask for nothing, so that
only R1 keeps it from happening where it must not.

`RULES` lists the functions that post the rules; `build` posts them all. `MOTIFS` lists the functions that give the
literal of a motif; for it states are numbered, and the action at a position lies between the state of its number and
the next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise

from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr, LinearExprT, LiteralT

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.cpsat import Encoding, afford, all_of, any_of, equal, meet
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import as_name
from cwr_solvers.worlds.ps.instance import Instance, Literal, Operation, Resource, write_actions

State = tuple[tuple[IntVar, ...], ...]  # by field, then by value


@dataclass(frozen=True, slots=True)
class Plan:
    """The variables. `applied` is position × operation; `states` are before the first position and after each."""

    applied: tuple[tuple[IntVar, ...], ...]
    states: tuple[State, ...]
    length: LinearExprT


def build(model: CpModel, instance: Instance, claim: Claim) -> Encoding:
    """Post "an accepted word of the claim"; decisions are `Plan.applied`, position by position."""
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
    decisions = tuple(literal for position in plan.applied for literal in position)
    return Encoding(decisions, plan.length, lambda value_of: _decode(instance, plan, value_of))


def r1_when(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R1: before an operation all its precondition literals hold."""
    for literals, before in zip(plan.applied, plan.states, strict=False):
        for operation, applied in zip(instance.operations, literals, strict=True):
            for needed in operation.when:
                model.add_implication(applied, _holds(before, needed))


def r2_invariant(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R2: after an action some literal of every invariant holds."""
    for after in plan.states[1:]:
        for clause in instance.invariants:
            model.add_bool_or(*(_holds(after, literal) for literal in clause))


def r3_actions(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R3: there are at most as many actions as the action budget."""
    model.add(plan.length <= instance.most_actions)


def r4_cost(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R4: the cost, one an action, is at most the cost budget."""
    model.add(plan.length <= instance.most_cost)


def g_goal(model: CpModel, instance: Instance, plan: Plan) -> None:
    """G: after the last action every literal of the goal holds."""
    for literal in instance.goal:
        model.add_bool_or(_holds(plan.states[-1], literal))


RULES: Mapping[str, Callable[[CpModel, Instance, Plan], None]] = {
    "R1": r1_when,
    "R2": r2_invariant,
    "R3": r3_actions,
    "R4": r4_cost,
    "G": g_goal,
}


def occurs(model: CpModel, instance: Instance, plan: Plan, move: Json) -> IntVar:
    """Whether an operation is applied somewhere; raises MalformedInput."""
    name = as_name(move, "", instance.operation, "operation")
    return any_of(model, [literal for literals in _by(instance, plan, {name}) for literal in literals])


def motif_main(model: CpModel, instance: Instance, plan: Plan) -> IntVar:
    """What only one holder makes true is needed in the free interval right after it, in which others go on as well."""
    resource, number = instance.resource, len(plan.applied)
    if resource is None:
        return any_of(model, [])
    needs = _needs(instance, resource)
    afford(number**2 * (2 * number + 3) * (1 + len(needs)), f"a motif of {number} actions")
    acquired = _acquired(model, plan, resource)
    released = [_released(model, plan, resource, holder) for holder in range(number)]
    movers = _any_of(model, instance, plan, [one for one in _asking(instance, resource.free) if _moves(one, resource)])
    shown: list[IntVar] = []
    for need in needs:
        alone = _alone(model, instance, plan, need)
        causes = _any_of(model, instance, plan, [one for one in _asking(instance, resource.held) if _makes(one, need)])
        users = _any_of(model, instance, plan, [one for one in _asking(instance, resource.free) if need in one.when])
        for holder, cause in enumerate(causes):
            progress = _progress(model, users, movers, released[holder])
            shown.append(all_of(model, [alone, cause, acquired[holder], released[holder].held, progress]))
    return any_of(model, shown)


MOTIFS: Mapping[str, Callable[[CpModel, Instance, Plan], IntVar]] = {"main": motif_main}


@dataclass(frozen=True, slots=True)
class Released:
    """Seen from one action: the state after it is held; `free` is of each action whether it happens in the free
    interval right after that held one."""

    held: IntVar
    free: tuple[IntVar, ...]


def _by(instance: Instance, plan: Plan, names: Collection[str]) -> list[list[IntVar]]:
    """At each position the literals of some operations."""
    wanted = [number for number, operation in enumerate(instance.operations) if operation.name in names]
    return [[literals[number] for number in wanted] for literals in plan.applied]


def _any_of(model: CpModel, instance: Instance, plan: Plan, operations: list[Operation]) -> list[IntVar]:
    """At each position, whether one of these operations is applied."""
    return [any_of(model, literals) for literals in _by(instance, plan, {one.name for one in operations})]


def _needs(instance: Instance, resource: Resource) -> list[Literal]:
    """The precondition literals that are not on the resource and false in the initial state, each once."""
    found = {literal for operation in instance.operations for literal in operation.when}
    return sorted(one for one in found if one.field != resource.field and not one.holds(instance.initial))


def _makes(operation: Operation, need: Literal) -> bool:
    """Whether an operation assigns the field of a literal a value for which it is true."""
    return any(field == need.field and (value == need.value) == need.positive for field, value in operation.then)


def _moves(operation: Operation, resource: Resource) -> bool:
    """Whether an operation assigns some field other than the resource."""
    return any(field != resource.field for field, _ in operation.then)


def _asking(instance: Instance, wanted: int) -> list[Operation]:
    """The operations with a precondition on the resource that is true for this value of it and for no other."""
    resource = instance.resource
    if resource is None:
        return []
    values = range(len(instance.fields[resource.field].values))
    fitting = [
        Literal(resource.field, value, positive)
        for value in values
        for positive in (True, False)
        if [one for one in values if (one == value) == positive] == [wanted]
    ]
    return [operation for operation in instance.operations if any(one in operation.when for one in fitting)]


def _alone(model: CpModel, instance: Instance, plan: Plan, need: Literal) -> IntVar:
    """Whether exactly one action of the word makes the literal true."""
    makers = {operation.name for operation in instance.operations if _makes(operation, need)}
    literals = [literal for position in _by(instance, plan, makers) for literal in position]
    return equal(model, LinearExpr.sum(literals), 1)


def _acquired(model: CpModel, plan: Plan, resource: Resource) -> list[IntVar]:
    """Of each state, whether it belongs to a held interval that comes right after a free one."""
    found = [any_of(model, [])]
    for before, state in pairwise(plan.states):
        after_free = any_of(model, [before[resource.field][resource.free], found[-1]])
        found.append(all_of(model, [state[resource.field][resource.held], after_free]))
    return found


def _released(model: CpModel, plan: Plan, resource: Resource, holder: int) -> Released:
    """What follows the held interval of the state after the action `holder`."""
    no, first = any_of(model, []), plan.states[holder + 1][resource.field][resource.held]
    held, free = [no] * (holder + 1) + [first], [no] * (holder + 2)
    for state in plan.states[holder + 2 :]:
        free.append(all_of(model, [state[resource.field][resource.free], any_of(model, [held[-1], free[-1]])]))
        held.append(all_of(model, [state[resource.field][resource.held], held[-1]]))
    return Released(first, tuple(all_of(model, pair) for pair in pairwise(free)))


def _progress(model: CpModel, users: list[IntVar], movers: list[IntVar], released: Released) -> IntVar:
    """Whether a user and another action, a mover, happen in the free interval."""
    used, moved = (
        [all_of(model, pair) for pair in zip(some_of, released.free, strict=True)] for some_of in (users, movers)
    )
    pairs = [all_of(model, [one, any_of(model, moved[:at] + moved[at + 1 :])]) for at, one in enumerate(used)]
    return any_of(model, pairs)


def _plan(model: CpModel, instance: Instance, claim: Claim) -> Plan:
    """Variables, and what is no rule: at most one operation a position, none after an idle position, the effects."""
    positions = _positions(instance, claim)
    _afford(instance, positions)
    states = [_start(model, instance)]
    applied: list[tuple[IntVar, ...]] = []
    idle_before: IntVar | None = None
    for position in range(positions):
        literals = tuple(model.new_bool_var(f"{operation.name}@{position}") for operation in instance.operations)
        idle = model.new_bool_var(f"idle@{position}")
        model.add_exactly_one(*literals, idle)
        if idle_before is not None:
            model.add_implication(idle_before, idle)
        states.append(_after(model, instance, states[-1], literals))
        applied.append(literals)
        idle_before = idle
    length = LinearExpr.sum([literal for literals in applied for literal in literals])
    return Plan(tuple(applied), tuple(states), length)


def _positions(instance: Instance, claim: Claim) -> int:
    most = min(instance.most_actions, instance.most_cost)
    return 1 + (most if claim.most_cost is None else max(0, min(most, claim.most_cost)))


def _afford(instance: Instance, positions: int) -> None:
    """Per position: operations with their literals and effects, values that stay unless assigned, and invariants."""
    values = sum(len(field.values) for field in instance.fields)
    parts = sum(1 + len(operation.when) + len(operation.then) for operation in instance.operations)
    stays = sum(len(instance.fields[field].values) for operation in instance.operations for field, _ in operation.then)
    clauses = sum(map(len, instance.invariants))
    afford(positions * (2 * parts + stays + 3 * values + clauses), f"a word of {positions} actions")


def _start(model: CpModel, instance: Instance) -> State:
    """The initial state, all constants."""
    no, yes = (model.new_constant(bit) for bit in (0, 1))
    return tuple(
        tuple(yes if value == field.initial else no for value in range(len(field.values))) for field in instance.fields
    )


def _after(model: CpModel, instance: Instance, before: State, literals: tuple[IntVar, ...]) -> State:
    """The state after a position: a field has what the operation assigns to it, else what it had.

    A field that no operation assigns keeps its literals.
    """
    after: list[tuple[IntVar, ...]] = []
    for number, (field, had) in enumerate(zip(instance.fields, before, strict=True)):
        effects = [dict(operation.then).get(number) for operation in instance.operations]
        assigns = [(literal, value) for literal, value in zip(literals, effects, strict=True) if value is not None]
        if not assigns:
            after.append(had)
            continue
        has = tuple(model.new_bool_var(f"{field.name}={value}") for value in field.values)
        model.add_exactly_one(*has)
        for literal, value in assigns:
            model.add_implication(literal, has[value])
        for earlier, later in zip(had, has, strict=True):
            model.add_bool_or(earlier.negated(), later, *(literal for literal, _ in assigns))
        after.append(has)
    return tuple(after)


def _holds(state: State, literal: Literal) -> LiteralT:
    has = state[literal.field][literal.value]
    return has if literal.positive else has.negated()


def _decode(instance: Instance, plan: Plan, value_of: Callable[[IntVar], int]) -> Json:
    actions: list[str] = []
    for literals in plan.applied:
        actions += [
            operation.name
            for operation, literal in zip(instance.operations, literals, strict=True)
            if value_of(literal)
        ]
    return write_actions(tuple(actions))
