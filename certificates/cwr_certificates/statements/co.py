"""Cyclic order as clauses (co/1). Trusted; written from the rule book in cwr_solvers/worlds/co/__init__.py.

A place for each card the budget allows plays one card or is idle, idle places last; so a word has exactly one
assignment of the decisions "step p plays card k". Where the tokens are follows from them.
"""

from __future__ import annotations

from cwr_certificates.cnf import TRUE, Cnf, any_of, exactly_one, post
from cwr_certificates.statements.co_words import Model, literals, model_of, namings, occurs, word
from cwr_certificates.steps import Steps, length_at_most, step_row
from cwr_solvers.worlds.co.instance import Instance

__all__ = ["MOTIFS", "NAME", "Model", "at_most", "deny", "literals", "namings", "occurs", "state", "word"]

NAME = "co/1"
MOTIFS = ("main",)


def state(cnf: Cnf, instance: Instance) -> Model:
    """Post "an accepted word of the instance". Raises Undecided("size")."""
    model = model_of(cnf, instance, r2_budget(cnf, instance))
    post(cnf, model, ("R1", r1_once), ("G", g_goal))
    return model


def r1_once(cnf: Cnf, model: Model) -> None:
    """A card that is played has not been played before."""
    for turns in zip(*model.steps.chosen, strict=True):
        before = -TRUE
        for played in turns:
            cnf.add(-played, -before)
            before = any_of(cnf, [before, played])


def r2_budget(cnf: Cnf, instance: Instance) -> Steps:
    """There are as many places for cards as the budget allows cards."""
    cnf.room(instance.most_cards * (len(instance.cards) + 1) ** 2)
    return step_row(cnf, instance.most_cards, len(instance.cards))


def g_goal(cnf: Cnf, model: Model) -> None:
    """There is one distance at which every token, at the end, is from its position to its place in the reference."""
    length = len(model.loop)
    distance = [cnf.new() for _ in range(length)]
    exactly_one(cnf, distance)
    for position, tokens in enumerate(model.loop):
        for token, there in tokens.items():
            cnf.add(-there, distance[(token - position) % length])


def at_most(cnf: Cnf, model: Model, cost: int) -> None:
    """Post "the cost, which counts cards, is at most `cost`"."""
    length_at_most(cnf, model.steps, cost)


def deny(cnf: Cnf, model: Model, motif: str) -> None:
    """Post "the motif, one of MOTIFS, does not hold"."""
    {"main": deny_main}[motif](cnf, model)


def deny_main(cnf: Cnf, model: Model) -> None:
    """Post "no played card swaps neighbours", which are positions i and i + 1, and the first and the last one."""
    for kinds in model.steps.chosen:
        for card, played in zip(model.instance.cards, kinds, strict=True):
            if card.second - card.first in (1, len(model.loop) - 1):
                cnf.add(-played)
