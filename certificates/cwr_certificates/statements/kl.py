"""Keyed logistics as clauses (kl/1). Trusted; written from the rule book in cwr_solvers/worlds/kl/__init__.py.

A place for each action the budget allows holds one action or is idle, idle places last; so a word has exactly one
assignment of the decisions "action p is this one". Where the carrier and the objects are follows from them.
"""

from __future__ import annotations

from cwr_certificates.cnf import Cnf, any_of, post, sum_at_most
from cwr_certificates.statements.kl_motifs import MOTIFS, deny
from cwr_certificates.statements.kl_words import Model, literals, model_of, namings, occurs, word
from cwr_certificates.steps import Steps, step_row, tally, within
from cwr_solvers.worlds.kl.instance import HELD, Instance

__all__ = ["MOTIFS", "NAME", "Model", "at_most", "deny", "literals", "namings", "occurs", "state", "word"]

NAME = "kl/1"


def state(cnf: Cnf, instance: Instance) -> Model:
    """Post "an accepted word of the instance". Raises Undecided("size")."""
    model = model_of(cnf, instance, r6_actions(cnf, instance))
    post(cnf, model, ("R1", r1_there), ("R2", r2_space), ("R3", r3_held), ("R4", r4_from), ("R5", r5_key))
    post(cnf, model, ("R7", r7_traversals), ("R8", r8_cost), ("G", g_goal))
    return model


def r1_there(cnf: Cnf, model: Model) -> None:
    """An object that is picked up lies where the carrier is, whichever node that is."""
    for actions, carrier, places in model.moments():
        for name in model.instance.initial:
            for node in model.instance.nodes:
                cnf.add(-actions["pickup", name], -carrier[node], places[name][node])


def r2_space(cnf: Cnf, model: Model) -> None:
    """What is held, and one more where something is picked up, is no more than the capacity.

    It is that for any action: what is held grows by pickups only, and was no more at the start (or the instance is
    malformed).
    """
    for actions, _, places in model.moments():
        pickup = any_of(cnf, [actions["pickup", name] for name in model.instance.initial])
        held = [(1, places[name][HELD]) for name in model.instance.initial]
        sum_at_most(cnf, [*held, (1, pickup)], model.instance.capacity)


def r3_held(cnf: Cnf, model: Model) -> None:
    """An object that is dropped is held."""
    for actions, _, places in model.moments():
        for name in model.instance.initial:
            cnf.add(-actions["drop", name], places[name][HELD])


def r4_from(cnf: Cnf, model: Model) -> None:
    """The carrier is where the edge that it moves along starts."""
    for actions, carrier, _ in model.moments():
        for edge in model.instance.edges:
            cnf.add(-actions["move", edge.name], carrier[edge.source])


def r5_key(cnf: Cnf, model: Model) -> None:
    """The key that the edge of a move asks for is held."""
    for actions, _, places in model.moments():
        for edge in model.instance.edges:
            if edge.key is not None:
                cnf.add(-actions["move", edge.name], places[edge.key][HELD])


def r6_actions(cnf: Cnf, instance: Instance) -> Steps:
    """There are as many places for actions as the budget allows actions."""
    return step_row(cnf, instance.most_actions, len(instance.action))


def r7_traversals(cnf: Cnf, model: Model) -> None:
    """There are no more moves than the traversal budget."""
    moves = [1 if op == "move" else 0 for op, _ in model.instance.action]
    within(cnf, tally(cnf, model.steps, 0, moves)[-1], 0, model.instance.most_traversals)


def r8_cost(cnf: Cnf, model: Model) -> None:
    """The cost is at most the cost budget; it never falls, so at the end says it all."""
    at_most(cnf, model, model.instance.most_cost)


def g_goal(cnf: Cnf, model: Model) -> None:
    """At the end the carrier, the objects and the number held are as the goal says."""
    goal, places = model.instance, model.places[-1]
    if goal.goal_carrier is not None:
        cnf.add(model.carrier[-1][goal.goal_carrier])
    for name, place in goal.goal_locations.items():
        cnf.add(places[name][place])
    if goal.most_held is not None:
        sum_at_most(cnf, [(1, places[name][HELD]) for name in goal.initial], goal.most_held)


def at_most(cnf: Cnf, model: Model, cost: int) -> None:
    """Post "the cost is at most `cost`"."""
    within(cnf, model.cost, 0, cost)
