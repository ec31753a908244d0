"""Keyed logistics (KL) for CP-SAT, by positions: at each position at most one action; where everything is in between.

The rules are those of the rule book, `cwr_solvers.worlds.kl`. A word is a sequence of actions; positions after its end
are idle. There is one position more than the budgets allow, so that the budget rules have something to forbid.

  moment   before the first position, then after each
  place    the nodes in stated order, then held, then consumed: where an object is
  effects  a pickup makes the object held, a drop leaves it at the carrier's node, a move takes the carrier to the
           edge's target and makes a key that it uses up consumed; all else stays. The effects ask for nothing: only
           the rules keep an action from happening where it must not.

`RULES` lists the functions that post the rules; `build` posts them all. `MOTIFS` lists the functions that give the
literal of a motif; for it moments are numbered, and the action at a position lies between the moment of its number and
the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr, LinearExprT

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.cpsat import Encoding, afford, all_of, any_of, meet
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.kl.instance import CONSUMED, HELD, Action, Edge, Instance, read_action, write_actions

Literals = Mapping[str, IntVar]


@dataclass(frozen=True, slots=True)
class Position:
    """The literals of one position: pickups and drops by object, moves by edge name."""

    pickup: Literals
    drop: Literals
    move: Literals

    @property
    def all(self) -> tuple[IntVar, ...]:
        return (*self.pickup.values(), *self.drop.values(), *self.move.values())


@dataclass(frozen=True, slots=True)
class Moment:
    """Where the carrier is (by node) and where each object is (by object, then by place)."""

    carrier: Literals
    at: Mapping[str, Literals]

    @property
    def held(self) -> LinearExprT:
        return LinearExpr.sum([places[HELD] for places in self.at.values()])


@dataclass(frozen=True, slots=True)
class Plan:
    """The variables: positions, and the moments before and after each."""

    positions: tuple[Position, ...]
    moments: tuple[Moment, ...]
    length: LinearExprT
    traversals: LinearExprT
    cost: LinearExprT


def build(model: CpModel, instance: Instance, claim: Claim) -> Encoding:
    """Post "an accepted word of the claim"; decisions are the literals of the positions, position by position."""
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
    decisions = tuple(literal for position in plan.positions for literal in position.all)
    return Encoding(decisions, plan.cost, lambda value_of: _decode(plan, value_of))


def r1_there(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R1: an object that is picked up lies at the carrier's node."""
    for position, before in zip(plan.positions, plan.moments, strict=False):
        for name, literal in position.pickup.items():
            for node in instance.nodes:
                model.add_bool_or(literal.negated(), before.carrier[node].negated(), before.at[name][node])


def r2_space(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R2: before a pickup fewer objects are held than the capacity."""
    for position, before in zip(plan.positions, plan.moments, strict=False):
        for literal in position.pickup.values():
            model.add(before.held <= instance.capacity - 1).only_enforce_if(literal)


def r3_held(model: CpModel, _instance: Instance, plan: Plan) -> None:
    """R3: an object that is dropped is held."""
    for position, before in zip(plan.positions, plan.moments, strict=False):
        for name, literal in position.drop.items():
            model.add_implication(literal, before.at[name][HELD])


def r4_from(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R4: a move starts where the carrier is."""
    for position, before in zip(plan.positions, plan.moments, strict=False):
        for edge in instance.edges:
            model.add_implication(position.move[edge.name], before.carrier[edge.source])


def r5_key(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R5: the key that an edge asks for is held before a move along it."""
    for position, before in zip(plan.positions, plan.moments, strict=False):
        for edge in instance.edges:
            if edge.key is not None:
                model.add_implication(position.move[edge.name], before.at[edge.key][HELD])


def r6_actions(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R6: there are at most as many actions as the action budget."""
    model.add(plan.length <= instance.most_actions)


def r7_traversals(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R7: there are at most as many moves as the traversal budget."""
    model.add(plan.traversals <= instance.most_traversals)


def r8_cost(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R8: the actions cost at most the cost budget."""
    model.add(plan.cost <= instance.most_cost)


def g_goal(model: CpModel, instance: Instance, plan: Plan) -> None:
    """G: at the end carrier and objects are where the goal says, and no more is held than it allows."""
    last = plan.moments[-1]
    if instance.goal_carrier is not None:
        model.add_bool_or(last.carrier[instance.goal_carrier])
    for name, place in instance.goal_locations.items():
        model.add_bool_or(last.at[name][place])
    if instance.most_held is not None:
        model.add(last.held <= instance.most_held)


RULES: Mapping[str, Callable[[CpModel, Instance, Plan], None]] = {
    "R1": r1_there,
    "R2": r2_space,
    "R3": r3_held,
    "R4": r4_from,
    "R5": r5_key,
    "R6": r6_actions,
    "R7": r7_traversals,
    "R8": r8_cost,
    "G": g_goal,
}


def occurs(model: CpModel, instance: Instance, plan: Plan, move: Json) -> IntVar:
    """Whether an action happens somewhere; raises MalformedInput."""
    action = read_action(instance, move, "")
    return any_of(model, [_named(position)[action.op][action.arg] for position in plan.positions])


def motif_main(model: CpModel, instance: Instance, plan: Plan) -> IntVar:
    """Goal cargo is held through all keyed moves, and a key is acquired on the way after the one before was used up.

    That there are at least two keyed moves follows from the second part.
    """
    number, objects = len(plan.positions), len(instance.initial)
    afford(number * (8 * (objects + 1) * (len(instance.nodes) + 8) + number * objects), f"a motif of {number} actions")
    keyed = _any_move(model, plan, _keyed(instance))
    cargo = [name for name, place in instance.goal_locations.items() if place in instance.nodes]
    during = _during(model, keyed)
    unbroken = [_unbroken(model, plan, name, during) for name in cargo]
    on_the_way = [_on_the_way(model, instance, plan, keyed, key) for key in instance.initial]
    return all_of(model, [any_of(model, unbroken), any_of(model, on_the_way)])


MOTIFS: Mapping[str, Callable[[CpModel, Instance, Plan], IntVar]] = {"main": motif_main}


def _keyed(instance: Instance) -> list[Edge]:
    """The edges along which moves are keyed: they ask for a key and lead to another node."""
    return [edge for edge in instance.edges if edge.key is not None and edge.source != edge.target]


def _any_move(model: CpModel, plan: Plan, edges: list[Edge]) -> list[IntVar]:
    """At each position, whether there is a move along one of these edges."""
    return [any_of(model, [position.move[edge.name] for edge in edges]) for position in plan.positions]


def _during(model: CpModel, keyed: Sequence[IntVar]) -> list[IntVar]:
    """Of each moment, whether it lies from before the first keyed move to after the last.

    It does when some keyed move is at its position or earlier, and some is right before it or later.
    """
    begun = list(accumulate(keyed, lambda earlier, now: any_of(model, [earlier, now])))
    to_come = list(accumulate(reversed(keyed), lambda later, now: any_of(model, [later, now])))[::-1]
    return [all_of(model, pair) for pair in zip([*begun, begun[-1]], [to_come[0], *to_come], strict=True)]


def _unbroken(model: CpModel, plan: Plan, name: str, during: list[IntVar]) -> IntVar:
    """Whether an object is held at all these moments."""
    moments = zip(during, plan.moments, strict=True)
    return all_of(model, [any_of(model, [now.negated(), moment.at[name][HELD]]) for now, moment in moments])


def _on_the_way(model: CpModel, instance: Instance, plan: Plan, keyed: list[IntVar], key: str) -> IntVar:
    """Whether a keyed move asks for a key that was first picked up, at a node on the way, since the keyed move before,
    and that one used its own key up."""
    using = _any_move(model, plan, [edge for edge in _keyed(instance) if edge.consumes])
    asking = _any_move(model, plan, [edge for edge in _keyed(instance) if edge.key == key])
    found: list[IntVar] = []
    used = acquired = any_of(model, [])  # the keyed move before used its key up; and the key was acquired since
    never = all_of(model, [])  # the key was not picked up yet
    for at, position in enumerate(plan.positions):
        found.append(all_of(model, [asking[at], acquired]))
        first = all_of(model, [position.pickup[key], never, used, _between(model, instance, plan, plan.moments[at])])
        acquired = all_of(model, [keyed[at].negated(), any_of(model, [acquired, first])])
        used = any_of(model, [using[at], all_of(model, [keyed[at].negated(), used])])
        never = all_of(model, [never, position.pickup[key].negated()])
    return any_of(model, found)


def _between(model: CpModel, instance: Instance, plan: Plan, moment: Moment) -> IntVar:
    """Whether the carrier is neither where it was in the beginning nor where it is in the end."""
    last = plan.moments[-1].carrier
    nodes = [node for node in instance.nodes if node != instance.carrier]
    return any_of(model, [all_of(model, [moment.carrier[node], last[node].negated()]) for node in nodes])


def _named(position: Position) -> Mapping[str, Literals]:
    return {"pickup": position.pickup, "drop": position.drop, "move": position.move}


def _plan(model: CpModel, instance: Instance, claim: Claim) -> Plan:
    """Variables, and what is no rule: at most one action a position, none after an idle position, the effects."""
    number = _positions(instance, claim)
    objects, places, edges = len(instance.initial), len(instance.nodes) + 2, len(instance.edges)
    terms = objects * (10 * places + objects + edges) + 8 * (len(instance.nodes) + edges)
    afford(number * terms, f"a word of {number} actions")
    moments = [_start(model, instance)]
    positions: list[Position] = []
    idle_before: IntVar | None = None
    for _ in range(number):
        position, idle = _position(model, instance), model.new_bool_var("idle")
        model.add_exactly_one(*position.all, idle)
        if idle_before is not None:
            model.add_implication(idle_before, idle)
        after = _moment(model, instance)
        _carry(model, instance, moments[-1], position, after)
        _displace(model, instance, moments[-1], position, after)
        moments.append(after)
        positions.append(position)
        idle_before = idle
    return _sums(instance, tuple(positions), tuple(moments))


def _positions(instance: Instance, claim: Claim) -> int:
    """One more than the most actions that the budgets and the claim allow."""
    most, cost = instance.most_actions, instance.most_cost
    if claim.most_cost is not None:
        cost = max(0, min(cost, claim.most_cost))
    cheapest = min(_costs(instance).values(), default=0)
    return 1 + (min(most, cost // cheapest) if cheapest else most)


def _costs(instance: Instance) -> dict[Action, int]:
    """What each action costs, in the order of `Position.all`."""
    fixed = {"pickup": instance.pickup_cost, "drop": instance.drop_cost}
    return {
        action: instance.edge[action.arg].cost if action.op == "move" else fixed[action.op]
        for action in _actions(instance)
    }


def _actions(instance: Instance) -> list[Action]:
    """Every action: pickups, drops, moves."""
    carried = [Action(op, name) for op in ("pickup", "drop") for name in instance.initial]
    return carried + [Action("move", edge.name) for edge in instance.edges]


def _sums(instance: Instance, positions: tuple[Position, ...], moments: tuple[Moment, ...]) -> Plan:
    literals = [literal for position in positions for literal in position.all]
    moves = [literal for position in positions for literal in position.move.values()]
    costs = list(_costs(instance).values()) * len(positions)
    cost = LinearExpr.weighted_sum(literals, costs)
    return Plan(positions, moments, LinearExpr.sum(literals), LinearExpr.sum(moves), cost)


def _position(model: CpModel, instance: Instance) -> Position:
    pickup, drop = (
        {name: model.new_bool_var(f"{op} {name}") for name in instance.initial} for op in ("pickup", "drop")
    )
    return Position(pickup, drop, {edge.name: model.new_bool_var(f"move {edge.name}") for edge in instance.edges})


def _start(model: CpModel, instance: Instance) -> Moment:
    """The moment before the first position, all constants."""
    no, yes = (model.new_constant(bit) for bit in (0, 1))
    carrier = {node: yes if node == instance.carrier else no for node in instance.nodes}
    at = {
        name: {place: yes if place == where else no for place in _places(instance)}
        for name, where in instance.initial.items()
    }
    return Moment(carrier, at)


def _moment(model: CpModel, instance: Instance) -> Moment:
    """A later moment: the carrier at one node, every object at one place."""
    carrier = {node: model.new_bool_var(f"carrier at {node}") for node in instance.nodes}
    at = {
        name: {place: model.new_bool_var(f"{name} at {place}") for place in _places(instance)}
        for name in instance.initial
    }
    for where in (carrier, *at.values()):
        model.add_exactly_one(*where.values())
    return Moment(carrier, at)


def _places(instance: Instance) -> tuple[str, ...]:
    return (*instance.nodes, HELD, CONSUMED)


def _carry(model: CpModel, instance: Instance, before: Moment, position: Position, after: Moment) -> None:
    """The carrier goes to the target of a move, and stays where it is without a move."""
    for edge in instance.edges:
        model.add_implication(position.move[edge.name], after.carrier[edge.target])
    for node in instance.nodes:
        model.add_bool_or(before.carrier[node].negated(), after.carrier[node], *position.move.values())


def _displace(model: CpModel, instance: Instance, before: Moment, position: Position, after: Moment) -> None:
    """What picks an object up, drops it or uses it up changes its place; without these it stays."""
    for name, places in before.at.items():
        pickup, drop = position.pickup[name], position.drop[name]
        uses = [position.move[edge.name] for edge in instance.edges if edge.consumes and edge.key == name]
        model.add_implication(pickup, after.at[name][HELD])
        for node in instance.nodes:
            model.add_bool_or(drop.negated(), before.carrier[node].negated(), after.at[name][node])
        for literal in uses:
            model.add_implication(literal, after.at[name][CONSUMED])
        for place, literal in places.items():
            model.add_bool_or(literal.negated(), after.at[name][place], pickup, drop, *uses)


def _decode(plan: Plan, value_of: Callable[[IntVar], int]) -> Json:
    actions: list[Action] = []
    for position in plan.positions:
        for op, literals in _named(position).items():
            actions += [Action(op, arg) for arg, literal in literals.items() if value_of(literal)]
    return write_actions(tuple(actions))
