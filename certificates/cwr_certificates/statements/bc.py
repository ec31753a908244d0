"""Boolean circuit as clauses (bc/1). Trusted; written from the rule book in cwr_solvers/worlds/bc/__init__.py.

A place for each gate the budget allows holds an operator or is idle, idle places last. The decisions are "gate p has
operator o", "gate p reads signals s and t, in this order" and "output j is signal s", so that a word has exactly one
assignment. The vectors follow from them.
"""

from __future__ import annotations

from cwr_certificates.cnf import Cnf, exactly_one, post
from cwr_certificates.statements.bc_motifs import MOTIFS, deny
from cwr_certificates.statements.bc_words import Model, literals, model_of, namings, occurs, word
from cwr_certificates.steps import Steps, step_row, within
from cwr_solvers.worlds.bc.instance import Instance

__all__ = ["MOTIFS", "NAME", "Model", "at_most", "deny", "literals", "namings", "occurs", "state", "word"]

NAME = "bc/1"


def state(cnf: Cnf, instance: Instance) -> Model:
    """Post "an accepted word of the instance". Raises Undecided("size")."""
    model = model_of(cnf, instance, r3_gates(cnf, instance))
    post(cnf, model, ("", r1_order), ("", r2_inputs), ("", sorted_inputs))
    post(cnf, model, ("R4", r4_cost), ("", output_signals), ("G", g_goal))
    return model


def r1_order(_cnf: Cnf, _model: Model) -> None:
    """No clause: the gates of a word are named by their places."""


def r2_inputs(cnf: Cnf, model: Model) -> None:
    """A gate reads exactly one pair of signals before it; an idle place reads none."""
    for idle, pairs in zip(model.steps.idle, model.reads, strict=True):
        exactly_one(cnf, (idle, *pairs.values()))


def sorted_inputs(cnf: Cnf, model: Model) -> None:
    """The normal form of words: a gate whose operator is symmetric reads its signals in their order."""
    for kinds, pairs in zip(model.steps.chosen, model.reads, strict=True):
        for operator, chosen in zip(model.instance.operators, kinds, strict=True):
            for (s, t), literal in pairs.items():
                if operator.symmetric and s > t:
                    cnf.add(-chosen, -literal)


def r3_gates(cnf: Cnf, instance: Instance) -> Steps:
    """There are as many places for gates as the budget allows gates."""
    return step_row(cnf, instance.most_gates, len(instance.operators))


def r4_cost(cnf: Cnf, model: Model) -> None:
    """The cost is at most the cost budget; it never falls, so at the end says it all."""
    at_most(cnf, model, model.instance.most_cost)


def output_signals(cnf: Cnf, model: Model) -> None:
    """Each output is exactly one signal: a pin, or a gate that there is."""
    for signals in model.outputs:
        exactly_one(cnf, signals)
        for literal, idle in zip(signals[len(model.instance.pins) :], model.steps.idle, strict=True):
            cnf.add(-literal, -idle)


def g_goal(cnf: Cnf, model: Model) -> None:
    """The vector of the signal that an output is, is the one wanted."""
    for wanted, signals in zip(model.instance.goal.values(), model.outputs, strict=True):
        for literal, vector in zip(signals, model.vectors, strict=True):
            for bit, one in zip(wanted, vector, strict=True):
                cnf.add(-literal, one if bit else -one)


def at_most(cnf: Cnf, model: Model, cost: int) -> None:
    """Post "the cost is at most `cost`"."""
    within(cnf, model.cost, 0, cost)
