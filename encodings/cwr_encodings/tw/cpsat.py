"""Token workshop (TW) for CP-SAT, by positions: at each position at most one recipe, and the counts before and after.

The rules are those of the rule book, `cwr_solvers.worlds.tw`. A word is a sequence of recipes; positions after its end
are idle. There is one position more than the tighter budget allows, so that the budget rules have something to forbid.
Counts are integer variables that may fall below zero: only R1 keeps them from it.

`RULES` lists the functions that post the rules; `build` posts them all. `MOTIFS` lists the functions that give the
literal of a motif. A motif that every assignment of tokens in every order of the actions must show is a claim about all
of them, and the literal is about the order and the assignment that the solver chooses: it may deny the motif and never
posts it.

  order    a second plan of the same actions, which keeps all rules
  source   where a consumed token comes from: 0 is the initial tokens, p + 1 the action at position p. Tokens of one
           source are alike in all that the motif asks of them, so it is counted how many come from where.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr, LinearExprT

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.cpsat import Encoding, afford, all_of, any_of, at_least, equal, meet, whole
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import as_name
from cwr_solvers.worlds.tw.instance import Instance, Range, Recipe, write_actions


@dataclass(frozen=True, slots=True)
class Plan:
    """The variables. `applied` is position × recipe; `counts` is (position + 1) × place, before and after each."""

    applied: tuple[tuple[IntVar, ...], ...]
    counts: tuple[tuple[IntVar, ...], ...]
    length: LinearExprT


def build(model: CpModel, instance: Instance, claim: Claim) -> Encoding:
    """Post "an accepted word of the claim"; decisions are `Plan.applied`, position by position."""
    refuse_unsupported(claim, (), MOTIFS, moves=True)
    plan = _row(model, instance, _positions(instance, claim))
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
    free = bool(claim.lacking)  # the order and the assignment
    return Encoding(decisions, plan.length, lambda value_of: _decode(instance, plan, value_of), free)


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


def occurs(model: CpModel, instance: Instance, plan: Plan, move: Json) -> IntVar:
    """Whether a recipe is applied somewhere; raises MalformedInput."""
    number = list(instance.recipe).index(as_name(move, "", instance.recipe, "recipe"))
    return any_of(model, [literals[number] for literals in plan.applied])


def motif_main(model: CpModel, instance: Instance, plan: Plan) -> IntVar:
    """Tokens for reading are scarce, and the chosen assignment has a join of two branches of unequal depth.

    Where they are not scarce no order and no assignment is looked for, so that it does not matter which.
    """
    number, places = len(plan.applied), len(instance.places)
    afford(number**2 * (6 * places + 8 * number), f"a motif of {number} actions")
    scarce = any_of(model, [_scarce(model, instance, plan, place) for place in range(places)])
    fed = _fed(model, instance, _order(model, instance, plan, scarce), scarce)
    depths = _depths(model, fed, number)
    uneven = [
        all_of(
            model,
            [fed[action, a + 1], fed[action, b + 1], related.negated(), equal(model, depths[a], depths[b]).negated()],
        )
        for (a, b), related in _related(model, fed, number).items()
        for action in range(b + 1, number)
    ]
    return all_of(model, [scarce, any_of(model, uneven)])


MOTIFS: Mapping[str, Callable[[CpModel, Instance, Plan], IntVar]] = {"main": motif_main}

Fed = Mapping[tuple[int, int], IntVar]  # by action and source: whether it consumes a token of the source


def _scarce(model: CpModel, instance: Instance, plan: Plan, place: int) -> IntVar:
    """Whether fewer tokens ever exist at a place than there are actions that read it."""
    reading = [min(1, recipe.read[place]) for recipe in instance.recipes]
    made = [recipe.produce[place] for recipe in instance.recipes]
    readers = LinearExpr.sum([LinearExpr.weighted_sum(literals, reading) for literals in plan.applied])
    tokens = LinearExpr.sum([LinearExpr.weighted_sum(literals, made) for literals in plan.applied])
    return at_least(model, readers, tokens + (instance.initial[place] + 1))


def _order(model: CpModel, instance: Instance, plan: Plan, wanted: IntVar) -> Plan:
    """The actions of a plan in any order that keeps the rules; in the very same one unless another is wanted."""
    order = _row(model, instance, len(plan.applied))
    for post in RULES.values():
        post(model, instance, order)
    for number in range(len(instance.recipes)):
        given = [literals[number] for literals in plan.applied]
        taken = [literals[number] for literals in order.applied]
        model.add(LinearExpr.sum(given) == LinearExpr.sum(taken))
        for one, other in zip(given, taken, strict=True):
            model.add(one == other).only_enforce_if(wanted.negated())
    return order


def _fed(model: CpModel, instance: Instance, plan: Plan, wanted: IntVar) -> Fed:
    """Where each action gets its tokens from; from nowhere unless that is wanted.

    What an action consumes at a place comes from the initial tokens or from earlier actions, and no source gives more
    there than it has.
    """
    acting = range(len(plan.applied))  # every pair is there, also where no place is
    flows: dict[tuple[int, int], list[IntVar]] = {
        (action, source): [] for action in acting for source in range(action + 1)
    }
    for place in range(len(instance.places)):
        most = max((recipe.consume[place] for recipe in instance.recipes), default=0)
        made = [recipe.produce[place] for recipe in instance.recipes]
        given: list[list[IntVar]] = [[] for _ in range(len(plan.applied) + 1)]
        for action, literals in enumerate(plan.applied):
            needs = [recipe.consume[place] for recipe in instance.recipes]
            taken = [whole(model, 0, most, "taken") for _ in range(action + 1)]
            model.add(LinearExpr.sum(taken) == LinearExpr.weighted_sum(literals, needs)).only_enforce_if(wanted)
            model.add(LinearExpr.sum(taken) == 0).only_enforce_if(wanted.negated())
            for source, amount in enumerate(taken):
                given[source].append(amount)
                flows[action, source].append(amount)
        model.add(LinearExpr.sum(given[0]) <= instance.initial[place])
        for literals, amounts in zip(plan.applied, given[1:], strict=True):
            model.add(LinearExpr.sum(amounts) <= LinearExpr.weighted_sum(literals, made))
    return {pair: any_of(model, [at_least(model, one, 1) for one in amounts]) for pair, amounts in flows.items()}


def _depths(model: CpModel, fed: Fed, number: int) -> list[IntVar]:
    """Of each action the depth of what it produces: one more than the deepest that it consumes, initial tokens at 0."""
    depths: list[IntVar] = []
    for action in range(number):
        consumed = []
        for earlier, depth in enumerate(depths):
            amount = model.new_int_var(0, action, "depth of a token")
            model.add(amount == depth).only_enforce_if(fed[action, earlier + 1])
            model.add(amount == 0).only_enforce_if(fed[action, earlier + 1].negated())
            consumed.append(amount)
        deepest = model.new_int_var(0, action, "deepest")
        model.add_max_equality(deepest, [0, *consumed])
        depth = model.new_int_var(1, action + 1, "depth")
        model.add(depth == deepest + 1)
        depths.append(depth)
    return depths


def _related(model: CpModel, fed: Fed, number: int) -> Mapping[tuple[int, int], IntVar]:
    """Of every two actions, the earlier one first, whether the histories of what they produce meet."""
    history: dict[tuple[int, int], IntVar] = {}  # the second action is in the history of what the first produces
    for action in range(number):
        history[action, action] = all_of(model, [])
        for old in range(action):
            through = [all_of(model, [fed[action, by + 1], history[by, old]]) for by in range(old, action)]
            history[action, old] = any_of(model, through)
    return {
        (a, b): any_of(model, [all_of(model, [history[a, old], history[b, old]]) for old in range(a + 1)])
        for a, b in combinations(range(number), 2)
    }


def _row(model: CpModel, instance: Instance, positions: int) -> Plan:
    """Variables, and what is no rule: at most one recipe a position, no action after an idle position, the effects."""
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
