"""Token workshop (TW) for CP-SAT, by positions: at each position at most one recipe, and the counts before and after.

The rules are those of the rule book, `cwr_solvers.worlds.tw`. A word is a sequence of recipes; positions after its end
are idle. There is one position more than the tighter budget allows, so that the budget rules have something to forbid.
Counts are integer variables that may fall below zero: only R1 keeps them from it.

`RULES` lists the functions that post the rules; `build` posts them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr, LinearExprT

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.cpsat import Encoding, afford, whole
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.tw.instance import Instance, Range, Recipe, write_actions


@dataclass(frozen=True, slots=True)
class Plan:
    """The variables. `applied` is position × recipe; `counts` is (position + 1) × place, before and after each."""

    applied: tuple[tuple[IntVar, ...], ...]
    counts: tuple[tuple[IntVar, ...], ...]
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


def r1_tokens(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R1: before an action every place holds at least what the recipe consumes and reads together."""
    for place in range(len(instance.places)):
        needs = [recipe.consume[place] + recipe.read[place] for recipe in instance.recipes]
        if any(needs):
            for position, literals in enumerate(plan.applied):
                model.add(plan.counts[position][place] >= LinearExpr.weighted_sum(literals, needs))


def r2_maximum(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R2: after an action no place is above its `throughout` maximum."""
    for after in plan.counts[1:]:
        for count, allowed in zip(after, instance.throughout.places, strict=True):
            _at_most(model, count, allowed)


def r3_minimum(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R3: after an action no place is below its `throughout` minimum."""
    for after in plan.counts[1:]:
        for count, allowed in zip(after, instance.throughout.places, strict=True):
            _at_least(model, count, allowed)


def r4_total(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R4: after an action the total of all tokens is within its `throughout` bounds."""
    for after in plan.counts[1:]:
        _within(model, LinearExpr.sum(after), instance.throughout.total)


def r5_actions(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R5: there are at most as many actions as the action budget."""
    model.add(plan.length <= instance.most_actions)


def r6_cost(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R6: the cost, one an action, is at most the cost budget."""
    model.add(plan.length <= instance.most_cost)


def g_goal(model: CpModel, instance: Instance, plan: Plan) -> None:
    """G: after the last action every place and the total are within the goal's bounds."""
    last = plan.counts[-1]
    for count, allowed in zip(last, instance.goal.places, strict=True):
        _within(model, count, allowed)
    _within(model, LinearExpr.sum(last), instance.goal.total)


RULES: Mapping[str, Callable[[CpModel, Instance, Plan], None]] = {
    "R1": r1_tokens,
    "R2": r2_maximum,
    "R3": r3_minimum,
    "R4": r4_total,
    "R5": r5_actions,
    "R6": r6_cost,
    "G": g_goal,
}


def _plan(model: CpModel, instance: Instance, claim: Claim) -> Plan:
    """Variables, and what is no rule: at most one recipe a position, no action after an idle position, the effects."""
    positions = _positions(instance, claim)
    afford(positions * len(instance.places) * len(instance.recipes), f"a word of {positions} actions")
    applied: list[tuple[IntVar, ...]] = []
    idle_before: IntVar | None = None
    for position in range(positions):
        literals = tuple(model.new_bool_var(f"{recipe.name}@{position}") for recipe in instance.recipes)
        idle = model.new_bool_var(f"idle@{position}")
        model.add_exactly_one(*literals, idle)
        if idle_before is not None:
            model.add_implication(idle_before, idle)
        applied.append(literals)
        idle_before = idle
    length = LinearExpr.sum([literal for literals in applied for literal in literals])
    return Plan(tuple(applied), _counts(model, instance, applied), length)


def _positions(instance: Instance, claim: Claim) -> int:
    most = min(instance.most_actions, instance.most_cost)
    return 1 + (most if claim.most_cost is None else max(0, min(most, claim.most_cost)))


def _counts(model: CpModel, instance: Instance, applied: list[tuple[IntVar, ...]]) -> tuple[tuple[IntVar, ...], ...]:
    """Counts before the first position and after each; a place that no recipe changes keeps one constant."""
    before = tuple(model.new_constant(amount) for amount in instance.initial)
    counts = [before]
    for position, literals in enumerate(applied, 1):
        after = []
        for place, name in enumerate(instance.places):
            gains = [_gain(recipe, place) for recipe in instance.recipes]
            if not any(gains):
                after.append(before[place])
                continue
            low = instance.initial[place] + position * min(0, *gains)
            high = instance.initial[place] + position * max(0, *gains)
            count = whole(model, low, high, f"{name}@{position}")
            model.add(count == before[place] + LinearExpr.weighted_sum(literals, gains))
            after.append(count)
        before = tuple(after)
        counts.append(before)
    return tuple(counts)


def _gain(recipe: Recipe, place: int) -> int:
    return recipe.produce[place] - recipe.consume[place]


def _within(model: CpModel, amount: LinearExprT, allowed: Range) -> None:
    _at_least(model, amount, allowed)
    _at_most(model, amount, allowed)


def _at_least(model: CpModel, amount: LinearExprT, allowed: Range) -> None:
    model.add(amount >= allowed.least)


def _at_most(model: CpModel, amount: LinearExprT, allowed: Range) -> None:
    if allowed.most is not None:
        model.add(amount <= allowed.most)


def _decode(instance: Instance, plan: Plan, value_of: Callable[[IntVar], int]) -> Json:
    actions: list[str] = []
    for literals in plan.applied:
        actions += [
            recipe.name for recipe, literal in zip(instance.recipes, literals, strict=True) if value_of(literal)
        ]
    return write_actions(tuple(actions))
