"""Workshop: the motif `main`, by trying every order of the actions and every assignment of consumed tokens to tokens.

Tokens that one action put into one place have one depth and one history, so an assignment need not tell them apart; nor
need an order tell apart the actions of one recipe, which are numbered as they come. Of histories it is kept what two
tokens share; so markings that differ in nothing that matters are looked at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any, NamedTuple

from cwr_audits.motifs.replay import legal
from cwr_solvers.world import Broken, Submission, World
from cwr_solvers.worlds.tw.instance import Instance, Recipe


class Token(NamedTuple):
    """One token: its depth (0 is initial) and the actions that it descends from, each (recipe, number of its use)."""

    depth: int
    history: frozenset[tuple[str, int]]


INITIAL = Token(0, frozenset())


def main(world: World, instance: Instance, submission: Submission[Any]) -> bool:
    """Every assignment in every order joins branches of unequal depth; catalysts are fewer than their uses."""
    legal(world, instance, submission)
    if not _reused(instance, [instance.recipe[action] for action in submission.moves]):
        return False
    start = tuple((INITIAL,) * held for held in instance.initial)
    ahead = tuple(sorted(Counter(submission.moves).items()))
    return not _spared(world, instance, _Point(world.initial(instance), start, ahead), {})


def _reused(instance: Instance, recipes: list[Recipe]) -> bool:
    """Whether some place sees fewer tokens than actions that read it."""
    return any(
        held + sum(recipe.produce[place] for recipe in recipes) < sum(recipe.read[place] > 0 for recipe in recipes)
        for place, held in enumerate(instance.initial)
    )


_Marking = tuple[tuple[Token, ...], ...]


class _Point(NamedTuple):
    """A moment of an order: the state, its tokens, and how often each recipe is still to be used."""

    state: Any
    marking: _Marking
    ahead: tuple[tuple[str, int], ...]


def _spared(world: World, instance: Instance, point: _Point, known: dict[_Point, bool]) -> bool:
    """Whether some legal order and assignment go on from here to the end without a join."""
    if not any(left for _, left in point.ahead):
        return True
    if point not in known:
        known[point] = any(_spared(world, instance, after, known) for after in _onward(world, instance, point))
    return known[point]


def _onward(world: World, instance: Instance, point: _Point) -> Iterator[_Point]:
    """The moments one legal action later, whichever tokens it takes, but for those that it joins unequally."""
    for action, left in point.ahead:
        state = world.step(instance, point.state, action) if left else Broken(())
        if isinstance(state, Broken):
            continue
        ahead = tuple((name, count - (name == action)) for name, count in point.ahead)
        for taken, rest in _choices(instance.recipe[action], point.marking):
            if not _joins(taken):
                yield _Point(state, _after(instance.recipe[action], (action, left), taken, rest), ahead)


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


def _order(token: Token) -> tuple[int, list[tuple[str, int]]]:
    return token.depth, sorted(token.history)


def _joins(taken: tuple[Token, ...]) -> bool:
    """Whether two produced tokens of disjoint histories and unequal depth are consumed together."""
    return any(
        one.depth and other.depth and one.depth != other.depth and not one.history & other.history
        for one, other in combinations(taken, 2)
    )


def _after(recipe: Recipe, action: tuple[str, int], taken: tuple[Token, ...], left: _Marking) -> _Marking:
    depth = 1 + max((token.depth for token in taken), default=0)
    made = Token(depth, frozenset({action}).union(*(token.history for token in taken)))
    return _shared(tuple((*held, *(made,) * amount) for held, amount in zip(left, recipe.produce, strict=True)))


def _shared(marking: _Marking) -> _Marking:
    """The marking without what only one token descends from: whether two histories meet, now or later, stays the same.

    For such an action comes back in descendants of that token only, and these share the action that consumed it.
    """
    seen = Counter(action for held in marking for token in held for action in token.history)
    return tuple(
        tuple(sorted((_only(token, seen) for token in held), key=_order)) if held else held for held in marking
    )


def _only(token: Token, seen: Counter[tuple[str, int]]) -> Token:
    return Token(token.depth, frozenset(action for action in token.history if seen[action] > 1))
