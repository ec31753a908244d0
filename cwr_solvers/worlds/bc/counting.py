"""Boolean circuit: counting by vectors instead of by gates. Tests hold each function here equal to moves and steps.

What can follow a state depends on the vectors that are there and on the cost, not on the order of the gates nor on
which of two equal signals is read. A table is read here as a polynomial over GF(2) in the bits x and y of its inputs,
c0 + c1·x + c2·y + c3·x·y, so that all rows, and all pairs of signals, are evaluated at once.
Standard library only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from cwr_solvers.errors import Undecided
from cwr_solvers.worlds.bc.instance import Instance, Operator, Vector
from cwr_solvers.worlds.bc.interpreter import State, initial, packed

Vectors = tuple[int, ...]
Costs = frozenset[int]


def expand(instance: Instance, state: State) -> dict[State, int]:
    """{next state: number of legal gates that lead there}: one for every vector and cost that a next gate can have."""
    found: dict[State, int] = {}
    for operator in _affordable(instance, state):
        cost = state.cost + operator.cost
        for vector, ways in Counter(_results(operator, state.vectors, state.rows)).items():
            after = State((*state.vectors, vector), state.rows, state.steps + 1, cost)
            found[after] = found.get(after, 0) + ways
    return found


def _affordable(instance: Instance, state: State) -> list[Operator]:
    """The operators that a next gate may have: none where no id is left."""
    if state.steps >= instance.most_gates:
        return []
    return [operator for operator in instance.operators if state.cost + operator.cost <= instance.most_cost]


def _results(operator: Operator, vectors: Vectors, rows: int) -> list[int]:
    """The vector of the operator on each ordered pair of signals: a + b·y, where a and b are what x makes of it."""
    c0, c1, c2, c3 = _polynomial(operator.table, rows)
    of_x = [(c0 ^ c1 & x, c2 ^ c3 & x) for x in vectors]
    return [a ^ b & y for a, b in of_x for y in vectors]


@lru_cache(maxsize=1024)
def _polynomial(table: tuple[int, int, int, int], rows: int) -> Vectors:
    """c0 to c3, each on every row."""
    t00, t01, t10, t11 = table
    one = (1 << rows) - 1
    return one * t00, one * (t00 ^ t10), one * (t00 ^ t01), one * (t00 ^ t01 ^ t10 ^ t11)


def accepting(instance: Instance, state: State) -> int:
    """In how many ways outputs can be chosen in a state so that the goal is met."""
    return _choices(_wanted(tuple(instance.goal.values())), state.vectors)


def finish(instance: Instance, state: State) -> dict[int, int] | None:
    """None where a second gate may follow the next one; else {cost: accepted raw submissions that end by the next}.

    Where the chosen outputs may be any of k signals with the wanted vector each, all choices count.
    """
    if state.steps + 1 < instance.most_gates and state.cost + 2 * _least(instance) <= instance.most_cost:
        return None
    wanted = _wanted(tuple(instance.goal.values()))
    now = _choices(wanted, state.vectors)
    found = {state.cost: now} if now else {}
    missing = set(wanted).difference(state.vectors)
    for operator in _affordable(instance, state) if len(missing) <= 1 else ():
        results = _results(operator, state.vectors, state.rows)
        ways = len(results) * now
        for vector in missing or set(wanted):
            # The choices that the new gate adds, each time that it has this vector.
            ways += results.count(vector) * (_choices(wanted, (*state.vectors, vector)) - now)
        if ways:
            cost = state.cost + operator.cost
            found[cost] = found.get(cost, 0) + ways
    return found


def _least(instance: Instance) -> int:
    """What a gate costs at least; without operators, more than a state can spend."""
    return min((operator.cost for operator in instance.operators), default=instance.most_cost + 1)


def _choices(wanted: Vectors, vectors: Vectors) -> int:
    """In how many ways outputs can be chosen that have the wanted vectors."""
    return prod(map(vectors.count, wanted))


@lru_cache(maxsize=64)
def _wanted(goal: tuple[Vector, ...]) -> Vectors:
    return tuple(map(packed, goal))


@dataclass(frozen=True, slots=True)
class _Lists:
    """The lists of vectors of gates that are orders of one multiset.

    number  {the costs with which a list can be had: number of such lists}
    made    {cost of a gate: the vectors that a next gate of that cost can have}
    """

    number: Counter[Costs]
    made: Mapping[int, frozenset[int]]


def states(instance: Instance, most: int) -> int:
    """The number of distinct states after legal prefixes. Raises Undecided("states") beyond `most` sets of vectors.

    A state is the list of its vectors with a cost. Lists that are orders of one multiset are counted together; but
    the costs with which a list can be had may differ from order to order, so they are counted by sets of costs.
    """
    start = initial(instance)
    made: Mapping[int, frozenset[int]] = {operator.cost: frozenset() for operator in instance.operators}
    for pin in range(len(start.vectors)):
        made = _grown(instance, made, start.vectors[: pin + 1], start.rows)
    layer: dict[Vectors, _Lists] = {(): _Lists(Counter({frozenset([0]): 1}), made)}
    found, seen = 1, 1
    for gate in range(instance.most_gates):
        following: dict[Vectors, _Lists] = {}
        for gates, lists in layer.items():
            for vectors, number in _longer(instance, lists):
                found += len(vectors) * sum(len(costs) * ways for costs, ways in number.items())
                for vector in vectors if gate + 1 < instance.most_gates else ():
                    multiset = tuple(sorted((*gates, vector)))
                    known = following.get(multiset)
                    if known is None:
                        more = _grown(instance, lists.made, (*start.vectors, *gates, vector), start.rows)
                        known = following[multiset] = _Lists(Counter(), more)
                    for costs, ways in number.items():
                        known.number[costs] += ways
        layer = following
        seen += len(layer)
        if seen > most:
            raise Undecided("states", f"more than {most} multisets of vectors")
    return found


def _longer(instance: Instance, lists: _Lists) -> Iterator[tuple[list[int], Counter[Costs]]]:
    """The vectors that a next gate can have, those of equal costs together, and how many lists each of them makes."""
    for added, vectors in _by_costs(lists.made).items():
        number: Counter[Costs] = Counter()
        for costs, ways in lists.number.items():
            after = frozenset(one + two for one in costs for two in added if one + two <= instance.most_cost)
            if after:
                number[after] += ways
        if number:
            yield vectors, number


def _by_costs(made: Mapping[int, frozenset[int]]) -> dict[Costs, list[int]]:
    """Vectors by the set of costs for which a next gate can have them."""
    if len(made) == 1:
        return {frozenset(made): list(*made.values())}
    found: dict[Costs, list[int]] = {}
    for vector in frozenset().union(*made.values()):
        found.setdefault(frozenset(cost for cost in made if vector in made[cost]), []).append(vector)
    return found


def _grown(
    instance: Instance, made: Mapping[int, frozenset[int]], vectors: Vectors, rows: int
) -> dict[int, frozenset[int]]:
    """What a next gate can have when the last of the vectors is new: also what reads that one, on either side."""
    new: dict[int, list[int]] = {cost: [] for cost in made}
    last = vectors[-1]
    for operator in instance.operators:
        c0, c1, c2, c3 = _polynomial(operator.table, rows)
        a, b = c0 ^ c1 & last, c2 ^ c3 & last
        new[operator.cost] += [a ^ b & y for y in vectors]
        if not operator.symmetric:
            a, b = c0 ^ c2 & last, c1 ^ c3 & last
            new[operator.cost] += [a ^ b & x for x in vectors]
    return {cost: made[cost].union(more) for cost, more in new.items()}
