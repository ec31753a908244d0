"""Keyed logistics: its data and their strict reading. No rules live here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from cwr_solvers.jsontext import LARGEST, Json, pointer
from cwr_solvers.reading import (
    as_int,
    as_items,
    as_list,
    as_map,
    as_name,
    as_new_name,
    as_object,
    as_text,
    describe,
    distinct,
    refuse,
)

FAMILY = "KL"
HELD = "held"
CONSUMED = "consumed"
OPERATIONS = ("pickup", "drop", "move")
MOST_STEPS = 10_000


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed edge. `key` is None where it asks for none; `consumes` says whether a traversal uses the key up."""

    name: str
    source: str
    target: str
    key: str | None
    consumes: bool
    cost: int


@dataclass(frozen=True, slots=True)
class Action:
    """One action: `op` is pickup, drop or move; `arg` an object or an edge name."""

    op: str
    arg: str


@dataclass(frozen=True, slots=True)
class Instance:
    """A delivery task. `initial` maps every object to its location (a node, "held" or "consumed"), in stated order.
    `goal_carrier` and `most_held` are None where the goal says nothing of them.

    For quick reading: `edge` finds an edge by name, `index` an object's place in `initial`, `action` any action by
    operation and argument, in the order pickups, drops, moves.
    """

    code: str
    nodes: tuple[str, ...]
    carrier: str
    initial: Mapping[str, str]
    edges: tuple[Edge, ...]
    capacity: int
    pickup_cost: int
    drop_cost: int
    goal_carrier: str | None
    goal_locations: Mapping[str, str]
    most_held: int | None
    most_actions: int
    most_traversals: int
    most_cost: int
    edge: Mapping[str, Edge]
    index: Mapping[str, int]
    action: Mapping[tuple[str, str], Action]


def read_instance(value: Json) -> Instance:
    """The instance that a JSON value is; raises MalformedInput.

    {"family":"KL","code":…,"nodes":[…],"carrier":node,"objects":[{"name":…,"at":LOCATION}],
     "edges":[{"name":…,"from":node,"to":node,"key":object,"use":"consume"|"keep","cost":n}],"capacity":n,
     "costs":{"pickup":n,"drop":n},"goal":{"carrier":node,"locations":{object:LOCATION},"most_held":n},
     "budget":{"actions":n,"traversals":n,"cost":n}} with LOCATION a node, "held" or "consumed".
    May be left out: `key`, `use` ("consume") and `cost` (1) of an edge; `costs` (0) and its parts; parts of the goal.
    """
    names = ("family", "code", "nodes", "carrier", "objects", "edges", "capacity", "goal", "budget")
    fields = as_object(value, "", names, ("costs",))
    as_name(fields["family"], "/family", (FAMILY,), "family")
    nodes = _nodes(fields["nodes"])
    capacity = as_int(fields["capacity"], "/capacity", 0, LARGEST)
    known = frozenset(nodes)
    objects = _objects(fields["objects"], known | {HELD, CONSUMED}, capacity)
    edges = as_items(fields["edges"], "/edges", lambda item, at: _edge(item, at, known, objects))
    distinct([*objects, *(edge.name for edge in edges)], "/edges", "name of an object or edge")
    costs = as_object(fields.get("costs", {}), "/costs", (), ("pickup", "drop"))
    goal_carrier, goal_locations, most_held = _goal(fields["goal"], nodes, objects)
    budget = as_object(fields["budget"], "/budget", ("actions", "traversals", "cost"))
    return Instance(
        code=as_new_name(as_text(fields["code"], "/code"), "/code"),
        nodes=nodes,
        carrier=as_name(fields["carrier"], "/carrier", nodes, "node"),
        initial=objects,
        edges=edges,
        capacity=capacity,
        pickup_cost=as_int(costs.get("pickup", 0), "/costs/pickup", 0, 1_000_000),
        drop_cost=as_int(costs.get("drop", 0), "/costs/drop", 0, 1_000_000),
        goal_carrier=goal_carrier,
        goal_locations=goal_locations,
        most_held=most_held,
        most_actions=as_int(budget["actions"], "/budget/actions", 0, MOST_STEPS),
        most_traversals=as_int(budget["traversals"], "/budget/traversals", 0, MOST_STEPS),
        most_cost=as_int(budget["cost"], "/budget/cost", 0, LARGEST),
        edge={edge.name: edge for edge in edges},
        index={name: index for index, name in enumerate(objects)},
        action=_vocabulary(objects, edges),
    )


def write_instance(instance: Instance) -> Json:
    """The JSON of an instance."""
    goal: dict[str, Json] = {"locations": dict(instance.goal_locations)}
    if instance.goal_carrier is not None:
        goal["carrier"] = instance.goal_carrier
    if instance.most_held is not None:
        goal["most_held"] = instance.most_held
    return {
        "family": FAMILY,
        "code": instance.code,
        "nodes": list(instance.nodes),
        "carrier": instance.carrier,
        "objects": [{"name": name, "at": place} for name, place in instance.initial.items()],
        "edges": [_write_edge(edge) for edge in instance.edges],
        "capacity": instance.capacity,
        "costs": {"pickup": instance.pickup_cost, "drop": instance.drop_cost},
        "goal": goal,
        "budget": {
            "actions": instance.most_actions,
            "traversals": instance.most_traversals,
            "cost": instance.most_cost,
        },
    }


def read_actions(instance: Instance, value: Json) -> tuple[Action, ...]:
    """The actions of a submission {"actions":[…]}; raises MalformedInput."""
    actions = as_list(as_object(value, "", ("actions",))["actions"], "/actions")
    return tuple(
        [
            _known(instance, item) or read_action(instance, item, pointer("/actions", index))
            for index, item in enumerate(actions)
        ]
    )


def _known(instance: Instance, value: Json) -> Action | None:
    """The action, found quickly; None where `read_action` has to say what is wrong with it."""
    if not isinstance(value, dict) or len(value) != 2:
        return None
    op, arg = value.get("op"), value.get("arg")
    return instance.action.get((op, arg)) if isinstance(op, str) and isinstance(arg, str) else None


def read_action(instance: Instance, value: Json, at: str) -> Action:
    """One action {"op":…,"arg":…} whose argument is in the operation's domain; raises MalformedInput."""
    fields = as_object(value, at, ("op", "arg"))
    op = as_name(fields["op"], pointer(at, "op"), OPERATIONS, "operation")
    arg = as_text(fields["arg"], pointer(at, "arg"))
    names: tuple[Mapping[str, object], Mapping[str, object]] = (instance.edge, instance.initial)
    mine, others = names if op == "move" else names[::-1]
    what = "edge" if op == "move" else "object"
    if arg in others:
        refuse("domain", pointer(at, "arg"), f"an {what}, as {op} takes", describe(arg))
    return Action(op, as_name(arg, pointer(at, "arg"), mine, what))


def write_actions(actions: tuple[Action, ...]) -> Json:
    """The JSON of a submission."""
    return {"actions": [write_action(action) for action in actions]}


def write_action(action: Action) -> Json:
    """The JSON of one action."""
    return {"op": action.op, "arg": action.arg}


def _vocabulary(objects: Mapping[str, str], edges: tuple[Edge, ...]) -> dict[tuple[str, str], Action]:
    pairs = [(op, name) for op in ("pickup", "drop") for name in objects]
    pairs += [("move", edge.name) for edge in edges]
    return {pair: Action(*pair) for pair in pairs}


def _nodes(value: Json) -> tuple[str, ...]:
    names = as_items(value, "/nodes", lambda item, at: as_new_name(as_text(item, at), at))
    nodes = distinct(names, "/nodes", "node")
    if HELD in nodes or CONSUMED in nodes:
        refuse("domain", "/nodes", f"nodes not called {HELD} or {CONSUMED}", "such a node")
    return nodes


def _objects(value: Json, places: Collection[str], capacity: int) -> dict[str, str]:
    """Every object with its location, in stated order."""
    pairs = as_items(value, "/objects", lambda item, at: _object(item, at, places))
    distinct((name for name, _ in pairs), "/objects", "object")
    if sum(place == HELD for _, place in pairs) > capacity:
        refuse("contradiction", "/objects", "no more held objects than the capacity", "more")
    return dict(pairs)


def _object(value: Json, at: str, places: Collection[str]) -> tuple[str, str]:
    fields = as_object(value, at, ("name", "at"))
    name = as_new_name(as_text(fields["name"], pointer(at, "name")), pointer(at, "name"))
    return name, as_name(fields["at"], pointer(at, "at"), places, "location")


def _edge(value: Json, at: str, nodes: Collection[str], objects: Mapping[str, str]) -> Edge:
    fields = as_object(value, at, ("name", "from", "to"), ("key", "use", "cost"))
    use = as_name(fields.get("use", "consume"), pointer(at, "use"), ("consume", "keep"), "use of a key")
    return Edge(
        name=as_new_name(as_text(fields["name"], pointer(at, "name")), pointer(at, "name")),
        source=as_name(fields["from"], pointer(at, "from"), nodes, "node"),
        target=as_name(fields["to"], pointer(at, "to"), nodes, "node"),
        key=as_name(fields["key"], pointer(at, "key"), objects, "object") if "key" in fields else None,
        consumes=use == "consume",
        cost=as_int(fields.get("cost", 1), pointer(at, "cost"), 0, 1_000_000),
    )


def _goal(
    value: Json, nodes: tuple[str, ...], objects: Mapping[str, str]
) -> tuple[str | None, dict[str, str], int | None]:
    """Where the carrier and the objects are to be, and how many may be held; None where nothing is said."""
    goal = as_object(value, "/goal", (), ("carrier", "locations", "most_held"))
    carrier = as_name(goal["carrier"], "/goal/carrier", nodes, "node") if "carrier" in goal else None
    most_held = as_int(goal["most_held"], "/goal/most_held", 0, LARGEST) if "most_held" in goal else None
    return carrier, _locations(goal.get("locations", {}), objects, frozenset((*nodes, HELD, CONSUMED))), most_held


def _locations(value: Json, objects: Mapping[str, str], places: Collection[str]) -> dict[str, str]:
    """What the goal says of objects, sorted by name."""
    found: dict[str, str] = {}
    for name, item in sorted(as_map(value, "/goal/locations").items()):
        where = pointer("/goal/locations", name)
        found[as_name(name, where, objects, "object")] = as_name(item, where, places, "location")
    return found


def _write_edge(edge: Edge) -> Json:
    ends: dict[str, Json] = {"name": edge.name, "from": edge.source, "to": edge.target, "cost": edge.cost}
    if edge.key is None:
        return ends
    return {**ends, "key": edge.key, "use": "consume" if edge.consumes else "keep"}
