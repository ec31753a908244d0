"""Exhaustive search, written once for all worlds: breadth-first over states, with the number of paths to each.

Raw solutions are counted along the way and not listed, so a count costs one visit a state. Two states with one
`world.key` differ only in names that a submission chooses freely; they have equally many continuations, so one of
them stands for both. Goal states are expanded too: a longer submission may pass through one. The last layer is the
largest; where a world can say how a state ends (`world.finish`), its next states are not made.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cwr_solvers.errors import Undecided
from cwr_solvers.world import Broken, Choice, Submission, World

MOST_STATES = 5_000_000


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
class Node:
    """A state, the number of paths to it, and how many accepted submissions end in it, by cost.

    `last` says that the world knew how submissions end in the state; those that end one move on are then counted in.
    `after` are the keys of the next states, in the next layer; none of a last node, nor before that layer is asked for.
    """

    state: Any
    paths: int
    ends: Mapping[int, int]
    last: bool
    after: frozenset[Hashable] = frozenset()


Layer = dict[Hashable, Node]


def successors(world: World, instance: Any, state: Any) -> dict[Any, int]:
    """{next state: number of legal moves that lead there}."""
    found: dict[Any, int] = {}
    for move in world.moves(instance, state):
        after = world.step(instance, state, move)
        if not isinstance(after, Broken):
            found[after] = found.get(after, 0) + 1
    return found


def _expand(world: World, instance: Any, node: Node) -> Mapping[Any, int]:
    """The next states of a node, none of a last one."""
    if node.last:
        return {}
    return successors(world, instance, node.state) if world.expand is None else world.expand(instance, node.state)


def _node(world: World, instance: Any, state: Any, paths: int) -> Node:
    ends = _finish(world, instance, state)
    return Node(state, paths, _ends(world, instance, state) if ends is None else ends, ends is not None)


def _finish(world: World, instance: Any, state: Any) -> Mapping[int, int] | None:
    return None if world.finish is None else world.finish(instance, state)


def _ends(world: World, instance: Any, state: Any) -> dict[int, int]:
    """{cost: number of accepted submissions that end in a state}."""
    ways = len(goal_choices(world, instance, state))
    return {world.terminal(instance, state).cost: ways} if ways else {}


def layers(world: World, instance: Any, most_states: int = MOST_STATES) -> Iterator[Layer]:
    """The states after 0, 1, 2, … legal moves, but for those that follow a state whose ends are known.

    Raises Undecided("states") beyond `most_states` in all.
    """
    start = world.initial(instance)
    layer: Layer = {world.key(instance, start): _node(world, instance, start, 1)}
    seen = 0
    while layer:
        seen += len(layer)
        if seen > most_states:
            raise Undecided("states", f"more than {most_states} states")
        yield layer
        layer = _next(world, instance, layer)


def _next(world: World, instance: Any, layer: Layer) -> Layer:
    """The layer after a layer."""
    following: Layer = {}
    for node in layer.values():
        after = []
        for state, ways in _expand(world, instance, node).items():
            key = world.key(instance, state)
            after.append(key)
            known = following.get(key)
            if known is None:
                following[key] = _node(world, instance, state, node.paths * ways)
            else:
                known.paths += node.paths * ways
        node.after = frozenset(after)
    return following


def goal_choices(world: World, instance: Any, state: Any) -> list[Choice]:
    """The final choices with which a submission that ends in `state` is accepted."""
    end = world.terminal(instance, state)
    return [choice for choice in world.choices(instance, end) if not world.unmet(instance, end, choice)]


def count(world: World, instance: Any, most_states: int = MOST_STATES) -> Count:
    """Count states and accepted raw submissions of every cost within the instance's budgets."""
    return tally(world, instance, layers(world, instance, most_states), most_states)


def tally(world: World, instance: Any, found: Iterable[Layer], most_states: int = MOST_STATES) -> Count:
    """The count that layers come to; layers that are made one by one need not be kept."""
    raw: dict[int, int] = {}
    seen = 0
    for layer in found:
        seen += len(layer)
        for node in layer.values():
            for cost, ways in node.ends.items():
                raw[cost] = raw.get(cost, 0) + ways * node.paths
    states = seen if world.states is None else world.states(instance, most_states)
    return Count(min(raw, default=None), dict(sorted(raw.items())), states)


def words(world: World, instance: Any, most_states: int = MOST_STATES) -> Iterator[Submission[Any]]:
    """Every accepted submission in normal form, each once."""
    yield from listing(world, instance, tuple(layers(world, instance, most_states)))


def listing(world: World, instance: Any, found: Sequence[Layer]) -> Iterator[Submission[Any]]:
    """Every accepted submission in normal form, each once, of all layers; dead branches are never entered."""
    live = _live(found)
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


def _onward(world: World, instance: Any, state: Any, live: Sequence[set[Hashable]]) -> list[tuple[Any, Any]]:
    """The moves out of a state, each with the next state, that some accepted submission makes there."""
    last = _finish(world, instance, state) is not None
    found = []
    for move in world.normal_moves(instance, state):
        after = world.step(instance, state, move)
        if not isinstance(after, Broken):
            leads = _finish(world, instance, after) if last else world.key(instance, after) in live[after.steps]
            if leads:
                found.append((move, after))
    return found


def _live(found: Sequence[Layer]) -> list[set[Hashable]]:
    """Of each layer, the keys of nodes on some path to an accepted end, but for next states that are not made."""
    live: list[set[Hashable]] = [set()]
    for layer in reversed(found):
        onward = live[-1]
        live.append({key for key, node in layer.items() if node.ends or not onward.isdisjoint(node.after)})
    return live[::-1]
