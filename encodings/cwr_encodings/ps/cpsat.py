"""Safety protocol (PS) for CP-SAT, by positions: at each position at most one operation; the fields in between.

The rules are those of the rule book, `cwr_solvers.worlds.ps`. A word is a sequence of operations; positions after its
end are idle. There is one position more than the tighter budget allows, so that the budget rules have something to
forbid. A state has one literal for every value of every field; the effects of an operation ask for nothing, so that
only R1 keeps it from happening where it must not.

`RULES` lists the functions that post the rules; `build` posts them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr, LinearExprT, LiteralT

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.cpsat import Encoding, afford
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.ps.instance import Instance, Literal, write_actions

State = tuple[tuple[IntVar, ...], ...]  # by field, then by value


@dataclass(frozen=True, slots=True)
class Plan:
    """The variables. `applied` is position × operation; `states` are before the first position and after each."""

    applied: tuple[tuple[IntVar, ...], ...]
    states: tuple[State, ...]
    length: LinearExprT


def build(model: CpModel, instance: Instance, claim: Claim) -> Encoding:
    """Post "an accepted word of the claim"; decisions are `Plan.applied`, position by position."""
    refuse_unsupported(claim, (), (), moves=False)
    plan = _plan(model, instance, claim)
    for post in RULES.values():
        post(model, instance, plan)
    if claim.most_cost is not None:
        model.add(plan.length <= claim.most_cost)
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
