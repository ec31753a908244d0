"""Token workshop as clauses (tw/2). Trusted; written from the rule book in cwr_solvers/worlds/tw/__init__.py.

A place for each action the budget allows holds one recipe or is idle, idle places last; so a word has exactly one
assignment of the decisions "action p is recipe r". Counts are running sums of what recipes produce less consume.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cwr_certificates.cnf import Cnf, signed
from cwr_certificates.statements import tw_motifs
from cwr_certificates.steps import Level, Steps, length_at_most, reaches, step_row, taken, tally, within
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.tw.instance import Instance, read_actions, write_actions

NAME = "tw/2"
MOTIFS = ("main",)


@dataclass(frozen=True, slots=True)
class Model:
    """`steps.chosen[p][r]`: action p is recipe r; these are the decisions."""

    instance: Instance
    steps: Steps
    decisions: tuple[int, ...]


def state(cnf: Cnf, instance: Instance) -> Model:
    """Post "an accepted word of the instance". Raises Undecided("size")."""
    steps, every = r5_actions(cnf, instance), range(len(instance.places))
    counts, total = [count(cnf, instance, steps, [q]) for q in every], count(cnf, instance, steps, every)
    r1_tokens(cnf, instance, steps, counts)
    r2_maximum(cnf, instance, counts)
    r3_minimum(cnf, instance, counts)
    r4_total(cnf, instance, total)
    r6_cost(cnf, instance, steps)
    g_goal(cnf, instance, [*counts, total])
    return Model(instance, steps, tuple(variable for kinds in steps.chosen for variable in kinds))


def count(cnf: Cnf, instance: Instance, steps: Steps, places: Sequence[int]) -> list[Level]:
    """Define the number of tokens in some places: levels[p] is it before action p, levels[-1] at the end."""
    gains = [sum(recipe.produce[q] - recipe.consume[q] for q in places) for recipe in instance.recipes]
    return tally(cnf, steps, sum(instance.initial[q] for q in places), gains)


def r1_tokens(cnf: Cnf, instance: Instance, steps: Steps, counts: list[list[Level]]) -> None:
    """Before each action every place holds what its recipe consumes and reads there together."""
    for p, kinds in enumerate(steps.chosen):
        for recipe, chosen in zip(instance.recipes, kinds, strict=True):
            for q, levels in enumerate(counts):
                cnf.add(-chosen, reaches(levels[p], recipe.consume[q] + recipe.read[q]))


def r2_maximum(cnf: Cnf, instance: Instance, counts: list[list[Level]]) -> None:
    """After each action no place is above its maximum."""
    for allowed, levels in zip(instance.throughout.places, counts, strict=True):
        for level in levels[1:]:
            within(cnf, level, 0, allowed.most)


def r3_minimum(cnf: Cnf, instance: Instance, counts: list[list[Level]]) -> None:
    """After each action no place is below its minimum."""
    for allowed, levels in zip(instance.throughout.places, counts, strict=True):
        for level in levels[1:]:
            within(cnf, level, allowed.least, None)


def r4_total(cnf: Cnf, instance: Instance, total: list[Level]) -> None:
    """After each action the total is within its bounds."""
    for level in total[1:]:
        within(cnf, level, instance.throughout.total.least, instance.throughout.total.most)


def r5_actions(cnf: Cnf, instance: Instance) -> Steps:
    """There are as many places for actions as the budget allows actions."""
    return step_row(cnf, instance.most_actions, len(instance.recipes))


def r6_cost(cnf: Cnf, instance: Instance, steps: Steps) -> None:
    """The cost is at most the cost budget."""
    length_at_most(cnf, steps, instance.most_cost)


def g_goal(cnf: Cnf, instance: Instance, sums: list[list[Level]]) -> None:
    """At the end every place and the total are within the goal's bounds."""
    for allowed, levels in zip((*instance.goal.places, instance.goal.total), sums, strict=True):
        within(cnf, levels[-1], allowed.least, allowed.most)


def at_most(cnf: Cnf, model: Model, cost: int) -> None:
    """Post "the cost is at most `cost`"."""
    length_at_most(cnf, model.steps, cost)


def deny(cnf: Cnf, model: Model, motif: str) -> None:
    """Post "the motif, one of MOTIFS, does not hold"."""
    {"main": tw_motifs.deny_main}[motif](cnf, model.instance, model.steps, state(cnf, model.instance).steps)


def literals(model: Model, word: Json) -> tuple[int, ...]:
    """The decisions of a word; raises MalformedInput."""
    place = {recipe.name: r for r, recipe in enumerate(model.instance.recipes)}
    names = read_actions(model.instance, word)
    return signed(model.decisions, taken(model.steps, [place[name] for name in names], "/actions"))


def word(model: Model, true: set[int]) -> Json:
    """The word whose decisions are among the true variables."""
    rows = (zip(model.instance.recipes, kinds, strict=True) for kinds in model.steps.chosen)
    return write_actions(tuple(recipe.name for row in rows for recipe, chosen in row if chosen in true))


def namings(instance: Instance, word: Json) -> int:
    """A word stands for itself; raises MalformedInput."""
    read_actions(instance, word)
    return 1
