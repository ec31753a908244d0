"""What the generators of random instances share: named streams of draws, legal walks, and rejection by size.

Only `Random.random` is used of a stream, because Python promises its sequence for a given seed and not that of other
methods; so a seed gives the same instance on every machine and version. Standard library only.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from hashlib import sha256
from itertools import count
from random import Random
from typing import Any, Protocol, TypeVar

from cwr_solvers.jsontext import Json
from cwr_solvers.world import Broken, Choice

T = TypeVar("T")

MOST_WORDS = 600
MOST_STATES = 1500


class Walkable(Protocol):
    """What is needed of an interpreter to walk and to count."""

    @property
    def initial(self) -> Callable[[Any], Any]: ...
    @property
    def step(self) -> Callable[[Any, Any, Any], Any]: ...
    @property
    def terminal(self) -> Callable[[Any, Any], Any]: ...
    @property
    def unmet(self) -> Callable[[Any, Any, Choice], tuple[Any, ...]]: ...
    @property
    def choices(self) -> Callable[[Any, Any], Sequence[Choice]]: ...
    @property
    def key(self) -> Callable[[Any, Any], Hashable]: ...
    @property
    def normal_moves(self) -> Callable[[Any, Any], Iterable[Any]]: ...


def digest(*words: str) -> str:
    """SHA-256 of the words as 64 hex digits; lengths go in, so that no two lists of words make one text."""
    return sha256("".join(f"{len(word)}:{word}" for word in words).encode("utf-8")).hexdigest()


def stream(*words: str) -> Random:
    """The stream of draws that is named by the words."""
    return Random(int(digest(*words), 16))


def between(draws: Random, low: int, high: int) -> int:
    """An integer from low to high, all equally likely (up to 2^-53 times their number)."""
    return low + int(draws.random() * (high - low + 1))


def chance(draws: Random, percent: int) -> bool:
    """True in so many of a hundred cases."""
    return draws.random() * 100 < percent


def pick(draws: Random, items: Sequence[T]) -> T:
    """One of the items."""
    return items[int(draws.random() * len(items))]


def some(draws: Random, items: Sequence[T], number: int) -> list[T]:
    """So many of the items (all, where there are fewer), at different places, in random order."""
    left = list(items)
    return [left.pop(int(draws.random() * len(left))) for _ in range(min(number, len(left)))]


def longest_walk(rules: Walkable, instance: Any, draws: Random, most: int, tries: int) -> list[Any]:
    """The longest of so many random legal walks of at most `most` moves (the first of them)."""
    return max((walk(rules, instance, draws, most) for _ in range(tries)), key=len)


def walk(rules: Walkable, instance: Any, draws: Random, most: int) -> list[Any]:
    """The states along a random legal walk of at most `most` moves, the initial one included."""
    states = [rules.initial(instance)]
    for _ in range(most):
        after = [rules.step(instance, states[-1], move) for move in rules.normal_moves(instance, states[-1])]
        legal = [state for state in after if not isinstance(state, Broken)]
        if not legal:
            break
        states.append(pick(draws, legal))
    return states


def small(rules: Walkable, instance: Any) -> bool:
    """Whether the instance has at most MOST_WORDS accepted words and MOST_STATES states (steps counted in)."""
    layer = {rules.key(instance, start): (start, 1) for start in [rules.initial(instance)]}
    words = states = 0
    while layer:
        states += len(layer)
        following: dict[Hashable, tuple[Any, int]] = {}
        for state, ways in layer.values():
            end = rules.terminal(instance, state)
            words += ways * sum(1 for choice in rules.choices(instance, end) if not rules.unmet(instance, end, choice))
            for move in rules.normal_moves(instance, state):
                after = rules.step(instance, state, move)
                if not isinstance(after, Broken):
                    key = rules.key(instance, after)
                    following[key] = (after, ways + (following[key][1] if key in following else 0))
            if words > MOST_WORDS or states + len(following) > MOST_STATES:
                return False
        layer = following
    return True


def first_small(seed: str, family: str, draw: Callable[[Random], tuple[Json, Any]], rules: Walkable) -> Json:
    """The first small instance that `draw` makes (as JSON and as read) of the streams derived from the seed.

    This is rejection by size: large instances are rarer here than `draw` makes them; nothing else is judged.
    """
    for attempt in count():
        made, instance = draw(stream(seed, family, str(attempt)))
        if small(rules, instance):
            return made
    raise AssertionError("count() has no end")
