"""Typed-port assembly: what its connections do and how they are judged. The rule book is the package docstring.

A move is a pair of port names (from, to). Standard library only.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import combinations, product
from math import factorial
from typing import NamedTuple

from cwr_solvers.jsontext import LARGEST, Json, pointer
from cwr_solvers.reading import as_int, as_items, as_object, describe, refuse
from cwr_solvers.world import Broken, Choice, Edge, Fault, Submission
from cwr_solvers.worlds.pa import instance as data
from cwr_solvers.worlds.pa.instance import (
    Connection,
    Instance,
    Port,
    read_connection,
    read_connections,
    write_connection,
    write_connections,
)


class State(NamedTuple):
    """The connections made so far, and their number, twice: steps and cost.

    The same once more for quick judging: `used` are the ports at their ends; `below` is a square bit matrix in which
    bit (a × components + b) is set when a directed path leads from component a to component b (see Instance).
    """

    connections: frozenset[Connection]
    steps: int
    cost: int
    used: frozenset[str]
    below: int


commutes = False  # a word lists its connections sorted, so no order is left to be forgotten


def initial(_instance: Instance) -> State:
    """The state without connections."""
    return State(frozenset(), 0, 0, frozenset(), 0)


def step(instance: Instance, state: State, move: Connection) -> State | Broken:
    """The state after one connection, or all rules that it breaks."""
    source, target = instance.port[move[0]], instance.port[move[1]]
    faults = [fault for rule in _BEFORE if (fault := rule(instance, state, source, target)) is not None]
    if faults:
        return Broken(tuple(faults))
    after = apply(instance, state, move)
    faults = [fault for judge in _AFTER if (fault := judge(instance, after)) is not None]
    return Broken(tuple(faults)) if faults else after


def apply(instance: Instance, state: State, move: Connection) -> State:
    """The effect of a connection: it is there, and whatever leads to its first end now leads on from its second."""
    connections, steps, cost, used, below = state
    return State(connections.union((move,)), steps + 1, cost + 1, used.union(move), _lead_on(instance, below, move))


def _lead_on(instance: Instance, below: int, move: Connection) -> int:
    """The matrix of paths with one arrow more.

    `above` has the first column's bit in the row of every component that leads to the arrow's start, and of the start
    itself; `gained` is a row: the arrow's end, and what it leads to. Their product has that row in each of these rows.
    """
    size = len(instance.components)
    source, target = instance.place[move[0]], instance.place[move[1]]
    above = below >> source & instance.column | 1 << source * size
    gained = below >> target * size & (1 << size) - 1 | 1 << target
    return below | above * gained


def r1_direction(_instance: Instance, _state: State, source: Port, target: Port) -> Fault | None:
    """R1: the first end is an output port, the second an input port."""
    if source.output and not target.output:
        return None
    found = f"from the {_side(source)} {source.name} to the {_side(target)} {target.name}"
    return Fault("R1", found, "from an output to an input")


def r2_type(_instance: Instance, _state: State, source: Port, target: Port) -> Fault | None:
    """R2: both ends have one type, whatever their directions."""
    if source.type == target.type:
        return None
    return Fault("R2", f"{source.name} of type {source.type}, {target.name} of type {target.type}", "one type")


def r3_from_free(_instance: Instance, state: State, source: Port, _target: Port) -> Fault | None:
    """R3: the first end is no end of a connection yet."""
    return _taken("R3", state, source)


def r4_to_free(_instance: Instance, state: State, _source: Port, target: Port) -> Fault | None:
    """R4: the second end is no end of a connection yet."""
    return _taken("R4", state, target)


def r5_self(_instance: Instance, _state: State, source: Port, target: Port) -> Fault | None:
    """R5: the ends belong to different components."""
    if source.component != target.component:
        return None
    return Fault("R5", f"{source.name} and {target.name} of one component", "ports of two components")


def r6_forbidden(instance: Instance, _state: State, source: Port, target: Port) -> Fault | None:
    """R6: neither component is forbidden."""
    forbidden = instance.forbidden
    if source.component not in forbidden and target.component not in forbidden:
        return None
    used = sorted({source.component, target.component}.intersection(forbidden))
    return Fault("R6", f"{', '.join(used)} used", "no forbidden component")


_BEFORE = (r1_direction, r2_type, r3_from_free, r4_to_free, r5_self, r6_forbidden)


def r7_cycle(instance: Instance, after: State) -> Fault | None:
    """R7: the connections, as arrows between components, form no cycle."""
    if not after.below & instance.diagonal:
        return None
    caught = [part.name for part in instance.components if leads(instance, after, part.name, part.name)]
    return Fault("R7", f"a cycle through {', '.join(caught)}", "no cycle of components")


def r8_connections(instance: Instance, after: State) -> Fault | None:
    """R8: the number of connections is within its budget."""
    if after.steps <= instance.most_connections:
        return None
    return Fault("R8", f"connection number {after.steps}", f"at most {instance.most_connections} connections")


def r9_cost(instance: Instance, after: State) -> Fault | None:
    """R9: the cost is within its budget."""
    if after.cost <= instance.most_cost:
        return None
    return Fault("R9", f"cost {after.cost}", f"cost of at most {instance.most_cost}")


_AFTER = (r7_cycle, r8_connections, r9_cost)


def g_goal(instance: Instance, state: State) -> Fault | None:
    """G: the listed ports are connected, and a path leads from the first to the second component of each pair."""
    used = state.used
    free = [name for name in instance.goal_ports if name not in used]
    apart = [(source, target) for source, target in instance.goal_paths if not leads(instance, state, source, target)]
    if not free and not apart:
        return None
    found = [f"{name} free" for name in free] + [f"no path from {source} to {target}" for source, target in apart]
    needed = [f"{name} connected" for name in free] + [f"a path from {source} to {target}" for source, target in apart]
    return Fault("G", ", ".join(found), ", ".join(needed))


def leads(instance: Instance, state: State, source: str, target: str) -> bool:
    """Whether a directed path of at least one connection leads from one component to another."""
    place = instance.place
    return state.below >> place[source] * len(instance.components) + place[target] & 1 == 1


def _side(port: Port) -> str:
    return "output" if port.output else "input"


def _taken(rule: str, state: State, port: Port) -> Fault | None:
    name = port.name
    if name not in state.used:
        return None
    source, target = next(connection for connection in state.connections if name in connection)
    return Fault(rule, f"{name} taken by {source} to {target}", f"{name} free")


def terminal(_instance: Instance, state: State) -> State:
    """The state itself: nothing happens after the last connection."""
    return state


def unmet(instance: Instance, state: State, _choice: Choice) -> tuple[Fault, ...]:
    """The fault of the goal, if any."""
    fault = g_goal(instance, state)
    return () if fault is None else (fault,)


def choices(_instance: Instance, _state: State) -> tuple[Choice, ...]:
    """An assembly has no final choice."""
    return (None,)


def moves(instance: Instance, state: State) -> Iterator[Connection]:
    """Every pair of a port and a free input port, those from a free output port first."""
    inputs = [name for name, port in instance.port.items() if not port.output and name not in state.used]
    free = [name for name, port in instance.port.items() if port.output and name not in state.used]
    return product([*free, *(name for name in instance.port if name not in free)], inputs)


def _joinable(instance: Instance, state: State) -> Iterator[Connection]:
    """The connections that keep R1 to R6."""
    ports = instance.port.values()
    free = [port for port in ports if port.name not in state.used and port.component not in instance.forbidden]
    inputs = [port for port in free if not port.output]
    for source in free:
        if source.output:
            for target in inputs:
                if target.type == source.type and target.component != source.component:
                    yield source.name, target.name


def normal_moves(instance: Instance, state: State) -> Iterator[Connection]:
    """The connections that keep R1 to R6 and come after all that are there, by (from, to).

    So each set of connections is reached once, in the order in which a word lists it; every subset of a legal set is
    legal, so nothing is lost.
    """
    last = max(state.connections, default=("", ""))
    return (move for move in _joinable(instance, state) if move > last)


def expand(instance: Instance, state: State) -> dict[State, int]:
    """{next state: 1}: each legal connection leads to a state of its own."""
    found = (apply(instance, state, move) for move in _joinable(instance, state))
    return {after: 1 for after in found if all(judge(instance, after) is None for judge in _AFTER)}


def pending(instance: Instance, ahead: Iterable[Connection]) -> Callable[[State], Hashable]:
    """What of a state matters where only connections of `ahead` may follow: equal of two states, the same sets of these
    lead to the goal. None where a port of the goal is left out for good, so that none does.

    That is: how many connections there are; which ports of `ahead` and of the goal are used; and of the paths those
    from a component that may still be entered, or of which the goal wants a path, to one that may still be left, or to
    which the goal wants a path. A new arrow from s to t makes a path from x to y where x is s or leads to it and y is t
    or t leads to it; s may be left and t entered, so the paths that matter later follow from those that matter now.
    """
    ports = frozenset(name for connection in ahead for name in connection)
    return lambda state: _pending(instance, state, ports)


def _pending(instance: Instance, state: State, ahead: frozenset[str]) -> Hashable:
    if any(name not in state.used and name not in ahead for name in instance.goal_ports):
        return None
    place, size = instance.place, len(instance.components)
    open_ports = [instance.port[name] for name in ahead.difference(state.used)]
    first = {place[port.name] for port in open_ports if not port.output} | {place[a] for a, _ in instance.goal_paths}
    last = {place[port.name] for port in open_ports if port.output} | {place[b] for _, b in instance.goal_paths}
    columns = sum(1 << y for y in last)
    paths = tuple((x, state.below >> x * size & columns) for x in sorted(first))
    return state.steps, state.cost, state.used.intersection((*ahead, *instance.goal_ports)), columns, paths


def key(_instance: Instance, state: State) -> State:
    """The state itself: a connection chooses no names."""
    return state


def normal(_instance: Instance, submission: Submission[Connection]) -> Submission[Connection]:
    """The submission with its connections sorted by (from, to)."""
    return Submission(tuple(sorted(submission.moves)))


def namings(_instance: Instance, submission: Submission[Connection]) -> int:
    """How many raw submissions a legal submission stands for: the orders of its connections."""
    return factorial(len(submission.moves))


def exchanges(instance: Instance, submission: Submission[Connection]) -> Iterable[Submission[Connection]]:
    """The words that exchanging two twin ports, or two alike components, makes of a submission."""
    for new in data.exchanges(instance):
        renamed = tuple((new.get(source, source), new.get(target, target)) for source, target in submission.moves)
        yield normal(instance, Submission(renamed))


def read_submission(instance: Instance, value: Json) -> Submission[Connection]:
    """The submission {"connections":[…]}; raises MalformedInput."""
    return Submission(read_connections(instance, value))


def write_submission(_instance: Instance, submission: Submission[Connection]) -> Json:
    """The JSON of a submission."""
    return write_connections(submission.moves)


def read_move(instance: Instance, value: Json) -> Connection:
    """The connection {"from":…,"to":…}; raises MalformedInput."""
    return read_connection(instance, value, "")


def write_move(_instance: Instance, move: Connection) -> Json:
    """The JSON of a connection."""
    return write_connection(move)


def read_state(instance: Instance, value: Json) -> State:
    """The state {"connections":[{"from":…,"to":…},…],"steps":n,"cost":n}; raises MalformedInput.

    The connections may come in any order, each with ends of the right directions and no port used twice; `steps` and
    `cost` are their number.
    """
    fields = as_object(value, "", ("connections", "steps", "cost"))
    where = "/connections"
    connections = as_items(fields["connections"], where, lambda item, at: read_connection(instance, item, at))
    state = initial(instance)
    for index, move in enumerate(connections):
        for end, name in zip(("from", "to"), move, strict=True):
            at = pointer(pointer(where, index), end)
            if instance.port[name].output != (end == "from"):
                refuse("contradiction", at, "an output" if end == "from" else "an input", describe(name))
            if name in state.used:
                refuse("contradiction", at, "each port once", f"{describe(name)} twice")
        state = apply(instance, state, move)
    for part in ("steps", "cost"):
        number = as_int(fields[part], pointer("", part), 0, LARGEST)
        if number != len(connections):
            refuse("contradiction", pointer("", part), f"{len(connections)}, the number of connections", str(number))
    return state


def write_state(_instance: Instance, state: State) -> Json:
    """The JSON of a state, connections sorted."""
    connections: list[Json] = [write_connection(connection) for connection in sorted(state.connections)]
    return {"connections": connections, "steps": state.steps, "cost": state.cost}


def edges(instance: Instance, submission: Submission[Connection]) -> tuple[Edge, ...]:
    """How the connections of a legal submission hang together, sorted.

    From the initial state (-1) each takes two free ports: "from:PORT" and "to:PORT". Two connections that meet at a
    component C are joined by an edge from the one listed earlier to the one listed later: "splits:C" where both leave
    C, "joins:C" where both lead into it, "feeds:C" where the earlier leads into C and the later leaves it, "fed:C"
    where the earlier leaves C and the later leads into it. Order is of no meaning here: the label says which way power
    runs. Meant for legal submissions; the rules are not looked at.
    """
    found = [
        Edge(-1, index, f"{end}:{name}")
        for index, move in enumerate(submission.moves)
        for end, name in zip(("from", "to"), move, strict=True)
    ]
    parts = [(instance.port[source].component, instance.port[target].component) for source, target in submission.moves]
    for (first, one), (second, two) in combinations(enumerate(parts), 2):
        meets = {"splits": (0, 0), "joins": (1, 1), "feeds": (1, 0), "fed": (0, 1)}
        found += [Edge(first, second, f"{how}:{one[a]}") for how, (a, b) in meets.items() if one[a] == two[b]]
    return tuple(sorted(found))
