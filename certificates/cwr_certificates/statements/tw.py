"""Token workshop as clauses (tw/3). Trusted; written from the rule book in cwr_solvers/worlds/tw/__init__.py.

A place for each action the budget allows holds one recipe or is idle, idle places last; so a word has exactly one
assignment of the decisions "action p is recipe r". Counts are running sums of what recipes produce less consume.
"""

from __future__ import annotations

from cwr_certificates.cnf import Cnf, post
from cwr_certificates.statements import tw_motifs
from cwr_certificates.statements.tw_words import Model, literals, model_of, namings, occurs, word
from cwr_certificates.steps import Steps, length_at_most, reaches, step_row, within
from cwr_solvers.worlds.tw.instance import Instance

__all__ = ["MOTIFS", "NAME", "Model", "at_most", "deny", "literals", "namings", "occurs", "state", "word"]

NAME = "tw/3"
MOTIFS = ("main",)


def state(cnf: Cnf, instance: Instance) -> Model:
    """Post "an accepted word of the instance". Raises Undecided("size")."""
    model = model_of(cnf, instance, r5_actions(cnf, instance))
    post(cnf, model, ("R1", r1_tokens), ("R2", r2_maximum), ("R3", r3_minimum), ("R4", r4_total))
    post(cnf, model, ("R6", r6_cost), ("G", g_goal))
    return model


def r1_tokens(cnf: Cnf, model: Model) -> None:
    """Before each action every place holds what its recipe consumes and reads there together."""
    for p, kinds in enumerate(model.steps.chosen):
        for recipe, chosen in zip(model.instance.recipes, kinds, strict=True):
            for q, levels in enumerate(model.counts):
                cnf.add(-chosen, reaches(levels[p], recipe.consume[q] + recipe.read[q]))


def r2_maximum(cnf: Cnf, model: Model) -> None:
    """After each action no place is above its maximum."""
    for allowed, levels in zip(model.instance.throughout.places, model.counts, strict=True):
        for level in levels[1:]:
            within(cnf, level, 0, allowed.most)


def r3_minimum(cnf: Cnf, model: Model) -> None:
    """After each action no place is below its minimum."""
    for allowed, levels in zip(model.instance.throughout.places, model.counts, strict=True):
        for level in levels[1:]:
            within(cnf, level, allowed.least, None)


def r4_total(cnf: Cnf, model: Model) -> None:
    """After each action the total is within its bounds."""
    for level in model.total[1:]:
        within(cnf, level, model.instance.throughout.total.least, model.instance.throughout.total.most)


def r5_actions(cnf: Cnf, instance: Instance) -> Steps:
    """There are as many places for actions as the budget allows actions."""
    return step_row(cnf, instance.most_actions, len(instance.recipes))


def r6_cost(cnf: Cnf, model: Model) -> None:
    """The cost is at most the cost budget."""
    length_at_most(cnf, model.steps, model.instance.most_cost)


def g_goal(cnf: Cnf, model: Model) -> None:
    """At the end every place and the total are within the goal's bounds."""
    goal = model.instance.goal
    for allowed, levels in zip((*goal.places, goal.total), (*model.counts, model.total), strict=True):
        within(cnf, levels[-1], allowed.least, allowed.most)


def at_most(cnf: Cnf, model: Model, cost: int) -> None:
    """Post "the cost is at most `cost`"."""
    length_at_most(cnf, model.steps, cost)


def deny(cnf: Cnf, model: Model, motif: str) -> None:
    """Post "the motif, one of MOTIFS, does not hold"."""
    {"main": tw_motifs.deny_main}[motif](cnf, model.instance, model.steps, state(cnf, model.instance).steps)
