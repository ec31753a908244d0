"""Typed-port assembly: its data and their strict reading. No rules live here beyond the symmetry of the goal."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NoReturn

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

FAMILY = "PA"
MOST_COMPONENTS = 256  # the matrices of paths have a bit for each pair

Connection = tuple[str, str]  # (from port, to port)


@dataclass(frozen=True, slots=True)
class Port:
    """A port. `name` is COMPONENT.PORT."""

    name: str
    component: str
    type: str
    output: bool


@dataclass(frozen=True, slots=True)
class Component:
    """A component and its ports, in stated order: inputs, then outputs; JSON keys sorted."""

    name: str
    kind: str
    ports: tuple[Port, ...]


@dataclass(frozen=True, slots=True)
class Instance:
    """An assembly task. `twins` are groups of interchangeable port names, `alike` of component names; `splitters`,
    `sink` (the goal component) and `spares` are the roles of the motif; `port` finds a port by name, `place` the index
    of a component by its own name or by that of one of its ports (only these have a dot).

    `column` and `diagonal` are square bit matrices, one row and one column a component: bit (row × components +
    column) is set in the first column, or on the diagonal.
    """

    code: str
    components: tuple[Component, ...]
    forbidden: tuple[str, ...]
    twins: tuple[tuple[str, ...], ...]
    alike: tuple[tuple[str, ...], ...]
    goal_ports: tuple[str, ...]
    goal_paths: tuple[tuple[str, str], ...]
    splitters: tuple[str, ...]
    sink: str | None
    spares: tuple[str, ...]
    most_connections: int
    most_cost: int
    component: Mapping[str, Component]
    port: Mapping[str, Port]
    place: Mapping[str, int]
    column: int
    diagonal: int


def read_instance(value: Json) -> Instance:
    """The instance that a JSON value is; raises MalformedInput.

    {"family":"PA","code":…,"components":[{"name":…,"kind":…,"inputs":{port:type},"outputs":{port:type}}],
     "forbidden":[component],"twins":[[COMPONENT.PORT,…]],"alike":[[component,…]],
     "goal":{"connected":[COMPONENT.PORT],"paths":[{"from":component,"to":component}]},
     "roles":{"splitters":[component],"sink":component,"spares":[component]},"budget":{"connections":n,"cost":n}}.
    May be left out: `kind`, `inputs`, `outputs` of a component; `forbidden`, `twins`, `alike`, `roles` and its parts.
    """
    required = ("family", "code", "components", "goal", "budget")
    fields = as_object(value, "", required, ("forbidden", "twins", "alike", "roles"))
    as_name(fields["family"], "/family", (FAMILY,), "family")
    components = _components(fields["components"])
    names = distinct((component.name for component in components), "/components", "component name")
    port = {each.name: each for part in components for each in part.ports}
    goal = as_object(fields["goal"], "/goal", ("connected", "paths"))
    roles = as_object(fields.get("roles", {}), "/roles", (), ("splitters", "sink", "spares"))
    budget = as_object(fields["budget"], "/budget", ("connections", "cost"))
    instance = Instance(
        code=as_new_name(as_text(fields["code"], "/code"), "/code"),
        components=components,
        forbidden=_names(fields.get("forbidden", []), "/forbidden", names, "component"),
        twins=_groups(fields.get("twins", []), "/twins", port, "port"),
        alike=_groups(fields.get("alike", []), "/alike", names, "component"),
        goal_ports=_names(goal["connected"], "/goal/connected", port, "port"),
        goal_paths=as_items(goal["paths"], "/goal/paths", lambda item, at: _path(item, at, names)),
        splitters=_names(roles.get("splitters", []), "/roles/splitters", names, "component"),
        sink=as_name(roles["sink"], "/roles/sink", names, "component") if "sink" in roles else None,
        spares=_names(roles.get("spares", []), "/roles/spares", names, "component"),
        most_connections=as_int(budget["connections"], "/budget/connections", 0, LARGEST),
        most_cost=as_int(budget["cost"], "/budget/cost", 0, LARGEST),
        component={part.name: part for part in components},
        port=port,
        place=_places(components),
        column=_every(len(names), len(names)),
        diagonal=_every(len(names) + 1, len(names)),
    )
    return _consistent(instance)


def write_instance(instance: Instance) -> Json:
    """The JSON of an instance."""
    roles: dict[str, Json] = {"splitters": list(instance.splitters), "spares": list(instance.spares)}
    if instance.sink is not None:
        roles["sink"] = instance.sink
    paths: list[Json] = [{"from": source, "to": target} for source, target in instance.goal_paths]
    return {
        "family": FAMILY,
        "code": instance.code,
        "components": [_write_component(component) for component in instance.components],
        "forbidden": list(instance.forbidden),
        "twins": [list(group) for group in instance.twins],
        "alike": [list(group) for group in instance.alike],
        "goal": {"connected": list(instance.goal_ports), "paths": paths},
        "roles": roles,
        "budget": {"connections": instance.most_connections, "cost": instance.most_cost},
    }


def exchanges(instance: Instance) -> tuple[Mapping[str, str], ...]:
    """The declared symmetry generators: port renamings that exchange two neighbours of a group of twins or alikes."""
    found: list[Mapping[str, str]] = []
    for group in instance.twins:
        found.extend({a: b, b: a} for a, b in pairwise(group))
    for group in instance.alike:
        for a, b in pairwise(group):
            ours, theirs = ([port.name for port in instance.component[name].ports] for name in (a, b))
            found.append({**dict(zip(ours, theirs, strict=True)), **dict(zip(theirs, ours, strict=True))})
    return tuple(found)


def read_connections(instance: Instance, value: Json) -> tuple[Connection, ...]:
    """The connections of a submission {"connections":[…]}; raises MalformedInput."""
    items = as_list(as_object(value, "", ("connections",))["connections"], "/connections")
    known = instance.port
    found: list[Connection] = []
    for index, item in enumerate(items):
        if isinstance(item, dict) and len(item) == 2:
            source, target = item.get("from"), item.get("to")
            if isinstance(source, str) and source in known and isinstance(target, str) and target in known:
                found.append((source, target))
                continue
        found.append(read_connection(instance, item, pointer("/connections", index)))
    return tuple(found)


def read_connection(instance: Instance, value: Json, at: str) -> Connection:
    """One connection {"from":…,"to":…}; raises MalformedInput."""
    fields = as_object(value, at, ("from", "to"))
    source, target = (as_name(fields[end], pointer(at, end), instance.port, "port") for end in ("from", "to"))
    return source, target


def write_connections(connections: tuple[Connection, ...]) -> Json:
    """The JSON of a submission."""
    return {"connections": [write_connection(connection) for connection in connections]}


def write_connection(connection: Connection) -> Json:
    """The JSON of one connection."""
    return {"from": connection[0], "to": connection[1]}


def _component(value: Json, at: str) -> Component:
    fields = as_object(value, at, ("name",), ("kind", "inputs", "outputs"))
    name = as_new_name(as_text(fields["name"], pointer(at, "name")), pointer(at, "name"))
    kind = as_new_name(as_text(fields.get("kind", name), pointer(at, "kind")), pointer(at, "kind"))
    if "." in name:
        refuse("domain", pointer(at, "name"), "a component name without a dot", describe(name))
    ports: list[Port] = []
    for part in ("inputs", "outputs"):
        where = pointer(at, part)
        for key, item in sorted(as_map(fields.get(part, {}), where).items(), key=lambda pair: pair[0]):
            here = pointer(where, key)
            typed = as_new_name(as_text(item, here), here)
            ports.append(Port(f"{name}.{as_new_name(key, here)}", name, typed, part == "outputs"))
    distinct((port.name for port in ports), at, "port name")
    return Component(name, kind, tuple(ports))


def _places(components: tuple[Component, ...]) -> dict[str, int]:
    """The index of each component, by its name and by those of its ports."""
    parts = {part.name: index for index, part in enumerate(components)}
    return parts | {port.name: index for index, part in enumerate(components) for port in part.ports}


def _every(step: int, times: int) -> int:
    """So many bits, from bit 0 on, each `step` above the one before."""
    return sum(1 << step * number for number in range(times))


def _consistent(instance: Instance) -> Instance:
    _refuse_false_twins(instance)
    _refuse_uneven_goal(instance)
    return instance


def _components(value: Json) -> tuple[Component, ...]:
    if len(as_list(value, "/components")) > MOST_COMPONENTS:
        refuse("out-of-range", "/components", f"at most {MOST_COMPONENTS} components", "more")
    return as_items(value, "/components", _component)


def _names(value: Json, at: str, known: Collection[str], what: str) -> tuple[str, ...]:
    return distinct(as_items(value, at, lambda item, where: as_name(item, where, known, what)), at, what)


def _groups(value: Json, at: str, known: Collection[str], what: str) -> tuple[tuple[str, ...], ...]:
    groups = tuple(_names(item, pointer(at, index), known, what) for index, item in enumerate(as_list(value, at)))
    distinct((name for group in groups for name in group), at, what)
    return groups


def _path(value: Json, at: str, names: tuple[str, ...]) -> tuple[str, str]:
    fields = as_object(value, at, ("from", "to"))
    source, target = (as_name(fields[end], pointer(at, end), names, "component") for end in ("from", "to"))
    return source, target


def _refuse_false_twins(instance: Instance) -> None:
    for index, group in enumerate(instance.twins):
        if (
            len(
                {
                    (instance.port[name].component, instance.port[name].type, instance.port[name].output)
                    for name in group
                }
            )
            > 1
        ):
            refuse("contradiction", pointer("/twins", index), "ports of one component, direction and type", "others")
    for index, group in enumerate(instance.alike):
        if len({_shape(instance.component[name]) for name in group}) > 1:
            refuse("contradiction", pointer("/alike", index), "components of one kind with equal ports", "others")


def _shape(component: Component) -> tuple[object, ...]:
    return component.kind, tuple((port.name.split(".", 1)[1], port.type, port.output) for port in component.ports)


def _refuse_uneven_goal(instance: Instance) -> None:
    """The goal, the forbidden components and the roles must look the same after every exchange."""
    for exchange in exchanges(instance):
        parts = {instance.port[a].component: instance.port[b].component for a, b in exchange.items()}
        ports = {exchange.get(name, name) for name in instance.goal_ports}
        paths = {(parts.get(a, a), parts.get(b, b)) for a, b in instance.goal_paths}
        if ports != set(instance.goal_ports) or paths != set(instance.goal_paths):
            _refuse_uneven("/goal", "a goal")
        sink = () if instance.sink is None else (instance.sink,)
        for names, at, what in (
            (instance.forbidden, "/forbidden", "forbidden components"),
            (instance.splitters, "/roles/splitters", "splitters"),
            (sink, "/roles/sink", "a goal component"),
            (instance.spares, "/roles/spares", "spares"),
        ):
            if {parts.get(name, name) for name in names} != set(names):
                _refuse_uneven(at, what)


def _refuse_uneven(at: str, what: str) -> NoReturn:
    refuse("contradiction", at, f"{what} that twins and alike components leave unchanged", "a change")


def _write_component(component: Component) -> Json:
    sides: dict[str, dict[str, Json]] = {"inputs": {}, "outputs": {}}
    for port in component.ports:
        sides["outputs" if port.output else "inputs"][port.name.split(".", 1)[1]] = port.type
    return {"name": component.name, "kind": component.kind, "inputs": sides["inputs"], "outputs": sides["outputs"]}
