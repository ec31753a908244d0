"""Workshop: the motif `main`, by trying every assignment of consumed tokens to tokens.

Tokens that one action put into one place have one depth and one history, so an assignment need not tell them apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any, NamedTuple

from cwr_audits.motifs.replay import legal
from cwr_solvers.world import Submission, World
from cwr_solvers.worlds.tw.instance import Instance, Recipe


class Token(NamedTuple):
    """One token: its depth (0 is initial) and the actions that it descends from."""

    depth: int
    history: frozenset[int]


INITIAL = Token(0, frozenset())


def main(world: World, instance: Instance, submission: Submission[Any]) -> bool:
    """Under every assignment an action joins branches of unequal depth; catalysts are fewer than their uses."""
    legal(world, instance, submission)
    recipes = [instance.recipe[action] for action in submission.moves]
    start = tuple((INITIAL,) * held for held in instance.initial)
    return _reused(instance, recipes) and _always_joins(recipes, 0, start)


def _reused(instance: Instance, recipes: list[Recipe]) -> bool:
    """Whether some place sees fewer tokens than actions that read it."""
    return any(
        held + sum(recipe.produce[place] for recipe in recipes) < sum(recipe.read[place] > 0 for recipe in recipes)
        for place, held in enumerate(instance.initial)
    )


_Marking = tuple[tuple[Token, ...], ...]


def _always_joins(recipes: list[Recipe], number: int, marking: _Marking) -> bool:
    """Whether every way to go on from the marking has a join at or after action `number`."""
    if number == len(recipes):
        return False
    return all(
        _joins(taken) or _always_joins(recipes, number + 1, _after(recipes[number], number, taken, left))
        for taken, left in _choices(recipes[number], marking)
    )


def _choices(recipe: Recipe, marking: _Marking) -> Iterator[tuple[tuple[Token, ...], _Marking]]:
    """The ways to take what a recipe consumes: the tokens taken, and what is left of each place."""
    ways = [
        sorted(set(combinations(sorted(held, key=_order), used)), key=lambda taken: list(map(_order, taken)))
        for held, used in zip(marking, recipe.consume, strict=True)
    ]
    for chosen in product(*ways):
        left = tuple(
            tuple((Counter(held) - Counter(taken)).elements()) for held, taken in zip(marking, chosen, strict=True)
        )
        yield tuple(token for taken in chosen for token in taken), left


def _order(token: Token) -> tuple[int, list[int]]:
    return token.depth, sorted(token.history)


def _joins(taken: tuple[Token, ...]) -> bool:
    """Whether two produced tokens of disjoint histories and unequal depth are consumed together."""
    return any(
        one.depth and other.depth and one.depth != other.depth and not one.history & other.history
        for one, other in combinations(taken, 2)
    )


def _after(recipe: Recipe, number: int, taken: tuple[Token, ...], left: _Marking) -> _Marking:
    depth = 1 + max((token.depth for token in taken), default=0)
    made = Token(depth, frozenset({number}).union(*(token.history for token in taken)))
    return tuple((*held, *(made,) * amount) for held, amount in zip(left, recipe.produce, strict=True))
