"""Keyed logistics: what its actions do and how they are judged. The rule book is the package docstring.

A move is an `Action`. In states, locations follow the instance's objects. Standard library only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from cwr_solvers.jsontext import LARGEST, Json, pointer
from cwr_solvers.reading import as_int, as_name, as_object
from cwr_solvers.world import Broken, Choice, Edge, Fault, Submission, no_exchanges
from cwr_solvers.worlds.kl.instance import (
    CONSUMED,
    HELD,
    Action,
    Instance,
    read_action,
    read_actions,
    write_action,
    write_actions,
)


class State(NamedTuple):
    """Where the carrier is (a node) and every object (a node, HELD or CONSUMED), and what was spent so far."""

    carrier: str
    locations: tuple[str, ...]
    traversals: int
    steps: int
    cost: int


commutes = True
exchanges = no_exchanges


def initial(instance: Instance) -> State:
    """The state before any action."""
    return State(instance.carrier, tuple(instance.initial.values()), 0, 0, 0)


def step(instance: Instance, state: State, action: Action) -> State | Broken:
    """The state after one action, or all rules that it breaks."""
    faults = [fault for rule in _BEFORE[action.op] if (fault := rule(instance, state, action.arg)) is not None]
    if faults:
        return Broken(tuple(faults))
    after = _EFFECT[action.op](instance, state, action.arg)
    faults = [fault for judge in _AFTER if (fault := judge(instance, after)) is not None]
    return Broken(tuple(faults)) if faults else after


def _pickup(instance: Instance, state: State, name: str) -> State:
    """The effect of a pickup that keeps R1 and R2: the object is held."""
    carrier, locations, traversals, steps, cost = state
    return State(carrier, _put(instance, locations, name, HELD), traversals, steps + 1, cost + instance.pickup_cost)


def _drop(instance: Instance, state: State, name: str) -> State:
    """The effect of a drop that keeps R3: the object lies where the carrier is."""
    carrier, locations, traversals, steps, cost = state
    return State(carrier, _put(instance, locations, name, carrier), traversals, steps + 1, cost + instance.drop_cost)


def _move(instance: Instance, state: State, name: str) -> State:
    """The effect of a move that keeps R4 and R5: the carrier is at the edge's end, a key that it consumes is gone."""
    edge = instance.edge[name]
    _, locations, traversals, steps, cost = state
    if edge.key is not None and edge.consumes:
        locations = _put(instance, locations, edge.key, CONSUMED)
    return State(edge.target, locations, traversals + 1, steps + 1, cost + edge.cost)


def _put(instance: Instance, locations: tuple[str, ...], name: str, place: str) -> tuple[str, ...]:
    index = instance.index[name]
    return (*locations[:index], place, *locations[index + 1 :])


def r1_there(instance: Instance, state: State, name: str) -> Fault | None:
    """R1: the object lies at the carrier's node."""
    place = state.locations[instance.index[name]]
    return None if place == state.carrier else Fault("R1", _where(name, place), f"{name} at {state.carrier}")


def r2_space(instance: Instance, state: State, name: str) -> Fault | None:
    """R2: fewer objects are held than the capacity."""
    held = state.locations.count(HELD)
    if held < instance.capacity:
        return None
    return Fault("R2", f"{held} held", f"fewer than the capacity of {instance.capacity} before {name} is picked up")


def r3_held(instance: Instance, state: State, name: str) -> Fault | None:
    """R3: the object is held."""
    place = state.locations[instance.index[name]]
    return None if place == HELD else Fault("R3", _where(name, place), f"{name} held")


def r4_from(instance: Instance, state: State, name: str) -> Fault | None:
    """R4: the carrier is where the edge starts."""
    source = instance.edge[name].source
    if state.carrier == source:
        return None
    return Fault("R4", f"the carrier at {state.carrier}", f"the carrier at {source}, where {name} starts")


def r5_key(instance: Instance, state: State, name: str) -> Fault | None:
    """R5: the key that the edge asks for is held."""
    key = instance.edge[name].key
    if key is None:
        return None
    place = state.locations[instance.index[key]]
    return None if place == HELD else Fault("R5", _where(key, place), f"{key} held, the key of {name}")


_BEFORE: Mapping[str, tuple[Callable[[Instance, State, str], Fault | None], ...]] = {
    "pickup": (r1_there, r2_space),
    "drop": (r3_held,),
    "move": (r4_from, r5_key),
}
_EFFECT: Mapping[str, Callable[[Instance, State, str], State]] = {"pickup": _pickup, "drop": _drop, "move": _move}


def r6_actions(instance: Instance, after: State) -> Fault | None:
    """R6: the number of actions is within its budget."""
    if after.steps <= instance.most_actions:
        return None
    return Fault("R6", f"action number {after.steps}", f"at most {instance.most_actions} actions")


def r7_traversals(instance: Instance, after: State) -> Fault | None:
    """R7: the number of traversals is within its budget."""
    if after.traversals <= instance.most_traversals:
        return None
    return Fault("R7", f"{after.traversals} traversals", f"at most {instance.most_traversals} traversals")


def r8_cost(instance: Instance, after: State) -> Fault | None:
    """R8: the cost is within its budget."""
    if after.cost <= instance.most_cost:
        return None
    return Fault("R8", f"cost {after.cost}", f"cost of at most {instance.most_cost}")


_AFTER = (r6_actions, r7_traversals, r8_cost)


def g_goal(instance: Instance, state: State) -> Fault | None:
    """G: carrier and objects are where the goal says, and not too many objects are held."""
    locations, index = state.locations, instance.index
    astray = [(name, goal) for name, goal in instance.goal_locations.items() if locations[index[name]] != goal]
    full = instance.most_held is not None and locations.count(HELD) > instance.most_held
    lost = instance.goal_carrier is not None and state.carrier != instance.goal_carrier
    if not (astray or full or lost):
        return None
    found = [f"the carrier at {state.carrier}"] if lost else []
    needed = [f"the carrier at {instance.goal_carrier}"] if lost else []
    found += [_where(name, locations[index[name]]) for name, _ in astray]
    needed += [_where(name, goal) for name, goal in astray]
    found += [f"{locations.count(HELD)} held"] if full else []
    needed += [f"at most {instance.most_held} held"] if full else []
    return Fault("G", ", ".join(found), ", ".join(needed))


def _where(name: str, place: str) -> str:
    return f"{name} {place}" if place in (HELD, CONSUMED) else f"{name} at {place}"


def terminal(_instance: Instance, state: State) -> State:
    """The state itself: nothing happens after the last action."""
    return state


def unmet(instance: Instance, state: State, _choice: Choice) -> tuple[Fault, ...]:
    """The fault of the goal, if any."""
    fault = g_goal(instance, state)
    return () if fault is None else (fault,)


def moves(instance: Instance, _state: State) -> Iterable[Action]:
    """Every pickup, drop and move there is."""
    return instance.action.values()


def choices(_instance: Instance, _state: State) -> tuple[Choice, ...]:
    """A delivery has no final choice."""
    return (None,)


def key(_instance: Instance, state: State) -> State:
    """The state itself: an action chooses no names."""
    return state


normal_moves = moves


def normal(_instance: Instance, submission: Submission[Action]) -> Submission[Action]:
    """The submission itself: an action chooses no names."""
    return submission


def namings(_instance: Instance, _submission: Submission[Action]) -> int:
    """1: an action chooses no names."""
    return 1


def read_submission(instance: Instance, value: Json) -> Submission[Action]:
    """The submission {"actions":[…]}; raises MalformedInput."""
    return Submission(read_actions(instance, value))


def write_submission(_instance: Instance, submission: Submission[Action]) -> Json:
    """The JSON of a submission."""
    return write_actions(submission.moves)


def read_move(instance: Instance, value: Json) -> Action:
    """The action {"op":…,"arg":…}; raises MalformedInput."""
    return read_action(instance, value, "")


def write_move(_instance: Instance, action: Action) -> Json:
    """The JSON of an action."""
    return write_action(action)


def read_state(instance: Instance, value: Json) -> State:
    """The state {"carrier":node,"locations":{object:LOCATION},"traversals":n,"steps":n,"cost":n}.

    `locations` has every object. Raises MalformedInput.
    """
    fields = as_object(value, "", ("carrier", "locations", "traversals", "steps", "cost"))
    given = as_object(fields["locations"], "/locations", instance.initial)
    places = (*instance.nodes, HELD, CONSUMED)
    return State(
        as_name(fields["carrier"], "/carrier", instance.nodes, "node"),
        tuple(as_name(given[name], pointer("/locations", name), places, "location") for name in instance.initial),
        as_int(fields["traversals"], "/traversals", 0, LARGEST),
        as_int(fields["steps"], "/steps", 0, LARGEST),
        as_int(fields["cost"], "/cost", 0, LARGEST),
    )


def write_state(instance: Instance, state: State) -> Json:
    """The JSON of a state."""
    locations: dict[str, Json] = dict(zip(instance.initial, state.locations, strict=True))
    spent: dict[str, Json] = {"traversals": state.traversals, "steps": state.steps, "cost": state.cost}
    return {"carrier": state.carrier, "locations": locations, **spent}


def edges(instance: Instance, submission: Submission[Action]) -> tuple[Edge, ...]:
    """Who brought the carrier and the objects where a legal submission needed them, sorted.

    "at:NODE"          `source` is the last move before `target`; it brought the carrier to the node of the action
    "takes:OBJECT"     the pickup `target` takes what the drop `source` put down
    "drops:OBJECT"     the drop `target` puts down what the pickup `source` took
    "consumes:OBJECT"  the move `target` uses up the key that the pickup `source` took
    "shows:OBJECT"     the move `target` asks for the key that the pickup `source` took, and keeps it
    "carries:OBJECT"   the object that the pickup `source` took is held before and after the move `target`
    `source` is -1 where nothing before did so. One holding of an object is thus one source of its edges. Free space is
    not traced: places in the hold are all alike. Raises KeyError where an object is not where an action needs it.
    """
    lying = {name: -1 for name, place in instance.initial.items() if place not in (HELD, CONSUMED)}
    holding = {name: -1 for name, place in instance.initial.items() if place == HELD}
    found: list[Edge] = []
    here, arrival = instance.carrier, -1
    for number, action in enumerate(submission.moves):
        found.append(Edge(arrival, number, f"at:{here}"))
        if action.op == "pickup":
            found.append(Edge(lying.pop(action.arg), number, f"takes:{action.arg}"))
            holding[action.arg] = number
        elif action.op == "drop":
            found.append(Edge(holding.pop(action.arg), number, f"drops:{action.arg}"))
            lying[action.arg] = number
        else:
            found += _keyed(instance, holding, number, action.arg)
            found += [Edge(source, number, f"carries:{name}") for name, source in holding.items()]
            here, arrival = instance.edge[action.arg].target, number
    return tuple(sorted(found))


def _keyed(instance: Instance, holding: dict[str, int], number: int, name: str) -> list[Edge]:
    """The edge of the key that a move asks for; a consumed one is taken out of `holding`."""
    edge = instance.edge[name]
    if edge.key is None:
        return []
    if edge.consumes:
        return [Edge(holding.pop(edge.key), number, f"consumes:{edge.key}")]
    return [Edge(holding[edge.key], number, f"shows:{edge.key}")]
