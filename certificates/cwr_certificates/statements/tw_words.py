"""Words of the token workshop, their decisions and counts (tw/3). Trusted; from the rule book of TW.

Only definitions stand here: they forbid no word, legal or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cwr_certificates.cnf import Cnf, signed
from cwr_certificates.steps import Level, Steps, taken, tally
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import as_name
from cwr_solvers.worlds.tw.instance import Instance, read_actions, write_actions


@dataclass(frozen=True, slots=True)
class Model:
    """`steps.chosen[p][r]`: action p is recipe r; these are the decisions. `counts[q]` is the number of tokens of place
    q and `total` that of all: [p] before action p, [-1] at the end."""

    instance: Instance
    steps: Steps
    counts: tuple[list[Level], ...]
    total: list[Level]
    decisions: tuple[int, ...]


def model_of(cnf: Cnf, instance: Instance, steps: Steps) -> Model:
    """Define the numbers of tokens."""
    every = range(len(instance.places))
    counts = tuple(count(cnf, instance, steps, [q]) for q in every)
    total = count(cnf, instance, steps, every)
    return Model(instance, steps, counts, total, tuple(variable for kinds in steps.chosen for variable in kinds))


def count(cnf: Cnf, instance: Instance, steps: Steps, places: Sequence[int]) -> list[Level]:
    """Define the number of tokens in some places."""
    gains = [sum(recipe.produce[q] - recipe.consume[q] for q in places) for recipe in instance.recipes]
    return tally(cnf, steps, sum(instance.initial[q] for q in places), gains)


def can_run(instance: Instance, n: int) -> list[bool]:
    """For each recipe whether it may be among n actions: what it consumes is no more than may come to be there when, of
    the recipes that may be among them, the one that produces most is applied n times."""
    found, before = [False] * len(instance.recipes), None
    while found != before:
        before = found
        makers = [recipe.produce for recipe, runs in zip(instance.recipes, found, strict=True) if runs]
        ever = [start + n * max((one[q] for one in makers), default=0) for q, start in enumerate(instance.initial)]
        found = [all(w <= e for w, e in zip(recipe.consume, ever, strict=True)) for recipe in instance.recipes]
    return found


def kinds(instance: Instance, value: Json) -> list[int]:
    """The numbers of the recipes of a word; raises MalformedInput."""
    place = {recipe.name: r for r, recipe in enumerate(instance.recipes)}
    return [place[name] for name in read_actions(instance, value)]


def literals(model: Model, word: Json) -> tuple[int, ...]:
    """The decisions of a word; raises MalformedInput."""
    return signed(model.decisions, taken(model.steps, kinds(model.instance, word), "/actions"))


def occurs(_cnf: Cnf, model: Model, move: Json) -> list[int]:
    """Literals, one of which holds just when the move is in the word; raises MalformedInput."""
    name = as_name(move, "", model.instance.recipe, "recipe")
    (kind,) = kinds(model.instance, {"actions": [name]})
    return [row[kind] for row in model.steps.chosen]


def word(model: Model, true: set[int]) -> Json:
    """The word whose decisions are among the true variables."""
    rows = (zip(model.instance.recipes, chosen, strict=True) for chosen in model.steps.chosen)
    return write_actions(tuple(recipe.name for row in rows for recipe, one in row if one in true))


def namings(instance: Instance, word: Json) -> int:
    """A word stands for itself; raises MalformedInput."""
    read_actions(instance, word)
    return 1
