"""Boolean circuit: counting by vectors instead of by gates. Tests hold each function here equal to moves and steps.

What can follow a state depends on the vectors that are there and on the cost, not on the order of the gates nor on
which of two equal signals is read. A table is read here as a polynomial over GF(2) in the bits x and y of its inputs,
c0 + c1·x + c2·y + c3·x·y, so that all pairs of signals are evaluated at once.
Standard library only.
"""

from __future__ import annotations

from collections import Counter
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
    """The vector of the operator on each ordered pair of signals."""
    one = (1 << rows) - 1
    t00, t01, t10, t11 = operator.table
    c0, c1, c2, c3 = (one * bit for bit in (t00, t00 ^ t10, t00 ^ t01, t00 ^ t01 ^ t10 ^ t11))
    return [c0 ^ (c1 ^ c3 & y) & x ^ c2 & y for x in vectors for y in vectors]


def accepting(instance: Instance, state: State) -> int:
    """In how many ways outputs can be chosen in a state so that the goal is met."""
    return _choices(_wanted(tuple(instance.goal.values())), state.vectors)


def finish(instance: Instance, state: State) -> dict[int, int] | None:
    """None where a second gate may follow the next one; else {cost: accepted raw submissions that end by the next}.

    Where the chosen outputs may be any of k signals with the wanted vector each, all choices count.
    """
    least = min((operator.cost for operator in instance.operators), default=0)
    if state.steps + 1 < instance.most_gates and state.cost + 2 * least <= instance.most_cost and instance.operators:
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


def _choices(wanted: Vectors, vectors: Vectors) -> int:
    """In how many ways outputs can be chosen that have the wanted vectors."""
    return prod(map(vectors.count, wanted))


@lru_cache(maxsize=64)
def _wanted(goal: tuple[Vector, ...]) -> Vectors:
    return tuple(map(packed, goal))


def states(instance: Instance, most: int) -> int:
    """The number of distinct states after legal prefixes. Raises Undecided("states") beyond `most` sets of vectors.

    A state is the list of its vectors with a cost. Lists that are orders of one multiset are counted together; but
    the costs with which a list can be had may differ from order to order, so they are counted by sets of costs.
    """
    start = initial(instance)
    layer: dict[Vectors, Counter[Costs]] = {(): Counter({frozenset([0]): 1})}
    found, seen = 1, 1
    for gate in range(instance.most_gates):
        following: dict[Vectors, Counter[Costs]] = {}
        for gates, lists in layer.items():
            steps = _steps(instance, start.vectors + gates, start.rows)
            for costs, number in lists.items():
                for added, vectors in steps.items():
                    after = frozenset(one + two for one in costs for two in added if one + two <= instance.most_cost)
                    found += number * len(after) * len(vectors)
                    if after and gate + 1 < instance.most_gates:
                        for vector in vectors:
                            following.setdefault(tuple(sorted((*gates, vector))), Counter())[after] += number
        layer = following
        seen += len(layer)
        if seen > most:
            raise Undecided("states", f"more than {most} multisets of vectors")
    return found


def _steps(instance: Instance, vectors: Vectors, rows: int) -> dict[Costs, list[int]]:
    """The vectors that a next gate can have, by the set of costs for which it can."""
    costs: dict[int, set[int]] = {}
    for operator in instance.operators:
        costs.setdefault(operator.cost, set()).update(_results(operator, vectors, rows))
    if len(costs) == 1:
        return {frozenset(costs): list(*costs.values())}
    steps: dict[Costs, list[int]] = {}
    for vector in set().union(*costs.values()):
        steps.setdefault(frozenset(cost for cost in costs if vector in costs[cost]), []).append(vector)
    return steps
