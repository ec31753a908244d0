"""Exhaustive search, written once for all worlds: breadth-first over states, with the number of paths to each.

Raw solutions are counted along the way and not listed, so a count costs one visit a state. Two states with one
`world.key` differ only in names that a submission chooses freely; they have equally many continuations, so one of
them stands for both. Goal states are expanded too: a longer submission may pass through one. The last layer is the
largest; where a world can say how a state ends (`world.finish`), its next states are not made.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cwr_solvers.errors import Undecided
from cwr_solvers.world import Broken, Choice, Submission, World


@dataclass(frozen=True, slots=True)
class Count:
    """What counting found. Costs in the unit of the family; `raw` counts distinct raw submissions by cost.

    optimum           the least cost of an accepted submission, None where there is none
    raw               {cost: number of accepted raw submissions of that cost}
    reachable_states  distinct states (modulo names) after legal prefixes, the initial one included
    """

    optimum: int | None
    raw: dict[int, int]
    reachable_states: int

    @property
    def accepted_raw(self) -> int:
        return sum(self.raw.values())

    @property
    def optimum_raw(self) -> int:
        return 0 if self.optimum is None else self.raw[self.optimum]


@dataclass(slots=True)
class _Node:
    """A state, the number of paths to it, and how submissions end in it or one move on, where they go no further."""

    state: Any
    paths: int
    ends: Mapping[int, int] | None


_Layer = dict[Hashable, _Node]


def successors(world: World, instance: Any, state: Any) -> dict[Any, int]:
    """{next state: number of legal moves that lead there}."""
    found: dict[Any, int] = {}
    for move in world.moves(instance, state):
        after = world.step(instance, state, move)
        if not isinstance(after, Broken):
            found[after] = found.get(after, 0) + 1
    return found


def _expand(world: World, instance: Any, node: _Node) -> Mapping[Any, int]:
    """The next states of a node, none where its ends are known."""
    if node.ends is not None:
        return {}
    return successors(world, instance, node.state) if world.expand is None else world.expand(instance, node.state)


def _finish(world: World, instance: Any, state: Any) -> Mapping[int, int] | None:
    return None if world.finish is None else world.finish(instance, state)


def layers(world: World, instance: Any, most_states: int) -> Iterator[_Layer]:
    """The states after 0, 1, 2, … legal moves, but for those that follow a state whose ends are known.

    Raises Undecided("states") beyond `most_states` in all.
    """
    start = world.initial(instance)
    layer: _Layer = {world.key(instance, start): _Node(start, 1, _finish(world, instance, start))}
    seen = 0
    while layer:
        seen += len(layer)
        if seen > most_states:
            raise Undecided("states", f"more than {most_states} states")
        yield layer
        following: _Layer = {}
        for node in layer.values():
            for state, ways in _expand(world, instance, node).items():
                key = world.key(instance, state)
                known = following.get(key)
                if known is None:
                    following[key] = _Node(state, node.paths * ways, _finish(world, instance, state))
                else:
                    known.paths += node.paths * ways
        layer = following


def goal_choices(world: World, instance: Any, state: Any) -> list[Choice]:
    """The final choices with which a submission that ends in `state` is accepted."""
    end = world.terminal(instance, state)
    return [choice for choice in world.choices(instance, end) if not world.unmet(instance, end, choice)]


def _ends(world: World, instance: Any, node: _Node) -> Mapping[int, int]:
    """{cost: number of accepted submissions that end in a node, or one move on where its next states are not made}."""
    if node.ends is not None:
        return node.ends
    ways = len(goal_choices(world, instance, node.state))
    return {world.terminal(instance, node.state).cost: ways} if ways else {}


def count(world: World, instance: Any, most_states: int = 5_000_000) -> Count:
    """Count states and accepted raw submissions of every cost within the instance's budgets."""
    raw: dict[int, int] = {}
    seen = 0
    for layer in layers(world, instance, most_states):
        seen += len(layer)
        for node in layer.values():
            for cost, ways in _ends(world, instance, node).items():
                raw[cost] = raw.get(cost, 0) + ways * node.paths
    states = seen if world.states is None else world.states(instance, most_states)
    return Count(min(raw, default=None), dict(sorted(raw.items())), states)


def words(world: World, instance: Any, most_states: int = 5_000_000) -> Iterator[Submission[Any]]:
    """Every accepted submission in normal form, each once; dead branches are never entered."""
    live = _live(world, instance, most_states)
    seen: set[Submission[Any]] = set()
    onward: dict[Any, list[tuple[Any, Any]]] = {}
    stack: list[tuple[Any, tuple[Any, ...]]] = [(world.initial(instance), ())]
    while stack:
        state, moves = stack.pop()
        for choice in goal_choices(world, instance, state):
            word = world.normal(instance, Submission(moves, choice))
            if word not in seen:
                seen.add(word)
                yield word
        if state not in onward:
            onward[state] = _onward(world, instance, state, live)
        stack += [(after, (*moves, move)) for move, after in onward[state]]


def _onward(world: World, instance: Any, state: Any, live: set[tuple[int, Hashable]]) -> list[tuple[Any, Any]]:
    """The moves out of a state, each with the next state, that some accepted submission makes there."""
    last = _finish(world, instance, state) is not None
    found = []
    for move in world.normal_moves(instance, state):
        after = world.step(instance, state, move)
        if not isinstance(after, Broken):
            leads = _finish(world, instance, after) if last else (after.steps, world.key(instance, after)) in live
            if leads:
                found.append((move, after))
    return found


def _live(world: World, instance: Any, most_states: int) -> set[tuple[int, Hashable]]:
    """Depth and key of every state on some path to an accepted end, but for next states that are not made."""
    forward = list(layers(world, instance, most_states))
    live: set[tuple[int, Hashable]] = set()
    for depth in range(len(forward) - 1, -1, -1):
        for key, node in forward[depth].items():
            after = _expand(world, instance, node)
            if any((depth + 1, world.key(instance, state)) in live for state in after) or _ends(world, instance, node):
                live.add((depth, key))
    return live
