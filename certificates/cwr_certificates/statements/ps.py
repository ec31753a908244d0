"""Safety protocol as clauses (ps/1). Trusted; written from the rule book in cwr_solvers/worlds/ps/__init__.py.

A place for each action the budget allows holds one operation or is idle, idle places last; so a word has exactly one
assignment of the decisions "action p is operation o". The states follow from them.
"""

from __future__ import annotations

from cwr_certificates.cnf import Cnf, post
from cwr_certificates.statements.ps_motifs import MOTIFS, deny
from cwr_certificates.statements.ps_words import Model, holds, literals, model_of, namings, occurs, word
from cwr_certificates.steps import Steps, length_at_most, step_row
from cwr_solvers.worlds.ps.instance import Instance

__all__ = ["MOTIFS", "NAME", "Model", "at_most", "deny", "literals", "namings", "occurs", "state", "word"]

NAME = "ps/1"


def state(cnf: Cnf, instance: Instance) -> Model:
    """Post "an accepted word of the instance". Raises Undecided("size")."""
    model = model_of(cnf, instance, r3_actions(cnf, instance))
    post(cnf, model, ("R1", r1_when), ("R2", r2_invariant), ("R4", r4_cost), ("G", g_goal))
    return model


def r1_when(cnf: Cnf, model: Model) -> None:
    """Before each action every precondition literal of its operation holds."""
    for kinds, now in zip(model.steps.chosen, model.states, strict=False):
        for operation, chosen in zip(model.instance.operations, kinds, strict=True):
            for literal in operation.when:
                cnf.add(-chosen, holds(now, literal))


def r2_invariant(cnf: Cnf, model: Model) -> None:
    """After each action every invariant has a literal that holds."""
    for now in model.states[1:]:
        for clause in model.instance.invariants:
            cnf.add(*(holds(now, literal) for literal in clause))


def r3_actions(cnf: Cnf, instance: Instance) -> Steps:
    """There are as many places for actions as the budget allows actions."""
    return step_row(cnf, instance.most_actions, len(instance.operations))


def r4_cost(cnf: Cnf, model: Model) -> None:
    """The cost, which counts actions, is at most the cost budget."""
    at_most(cnf, model, model.instance.most_cost)


def g_goal(cnf: Cnf, model: Model) -> None:
    """At the end every literal of the goal holds."""
    for literal in model.instance.goal:
        cnf.add(holds(model.states[-1], literal))


def at_most(cnf: Cnf, model: Model, cost: int) -> None:
    """Post "the cost is at most `cost`"."""
    length_at_most(cnf, model.steps, cost)
