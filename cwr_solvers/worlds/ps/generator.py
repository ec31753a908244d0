"""Safety protocol: random small instances in which every rule can bite.

Two to four fields of two or three values, three to six operations with positive and negative preconditions. A random
walk without invariants gives the rest: invariants that it keeps, budgets that lie close around it (the two need not
agree, at times one is too small), and a goal that is a part of its end. In three of five cases the goal is changed,
and it may be out of reach.
In a third of the cases the first operations are a protocol around a resource: acquire, use, release and two steps of
progress that ask for the free resource, and that protocol stands for the random walk. Else one in two declares a
resource that may be none.
Instances with too many words or states are rejected and drawn again (see cwr_solvers.sampling.first_small).
"""

from __future__ import annotations

from random import Random
from typing import Any

from cwr_solvers.jsontext import Json
from cwr_solvers.sampling import between, chance, digest, first_small, pick, some, walk
from cwr_solvers.world import Broken
from cwr_solvers.worlds.ps import interpreter
from cwr_solvers.worlds.ps.instance import FAMILY, Instance, Value, read_instance
from cwr_solvers.worlds.ps.interpreter import State

FIELDS = ("door", "lamp", "seal", "pump")
VALUES: tuple[tuple[Value, ...], ...] = ((0, 1), (0, 1), ("shut", "open"), (1, "1"), ("low", "mid", "high"), (2, 0, 1))
OPERATIONS = ("prime", "vent", "latch", "drain", "reset", "probe")
PROTOCOL = 5  # operations of the protocol around a resource
MOST_ACTIONS = 6

Fields = dict[str, tuple[Value, ...]]
Now = dict[str, Value]


def generate(seed: str) -> Json:
    """The JSON of the instance of a seed."""
    return first_small(seed, FAMILY, lambda draws: _draw(draws, digest(seed)[:8]), interpreter)


def _draw(draws: Random, code: str) -> tuple[Json, Instance]:
    guarded = chance(draws, 33)
    fields: Fields = {name: pick(draws, VALUES) for name in some(draws, FIELDS, between(draws, 2, 4))}
    start: Now = {name: pick(draws, values) for name, values in fields.items()}
    first = _protocol(draws, fields, start) if guarded else []
    names = some(draws, OPERATIONS, between(draws, 5, 6) if guarded else between(draws, 3, 5))
    bodies = first + _operations(draws, fields, start, len(names) - len(first))
    rows: list[Json] = [{"name": name, **body} for name, body in zip(names, bodies, strict=True)]
    made: dict[str, Any] = {
        "family": FAMILY,
        "code": f"PS-{code}",
        "fields": [{"name": name, "values": list(values), "initial": start[name]} for name, values in fields.items()],
        "operations": some(draws, rows, len(rows)),
        "invariants": [],
        "goal": [],
        "budget": {"actions": 99, "cost": 99},
    }
    wide = read_instance(made)
    path = _path(draws, wide, names[:PROTOCOL] if guarded else [])
    made["invariants"] = _invariants(draws, fields, wide, path)
    made["goal"] = _goal(draws, fields, start, _now(fields, path[0 if chance(draws, 5) else -1]))
    made["budget"] = _budget(draws, len(path) - 1)
    if guarded or chance(draws, 50):
        made["resource"] = _resource(draws, fields, start, guarded)
    return made, read_instance(made)


def _now(fields: Fields, state: State) -> Now:
    return {name: fields[name][value] for name, value in zip(fields, state.values, strict=True)}


def _other(draws: Random, values: tuple[Value, ...], value: Value) -> Value:
    """A value of a field that is not the given one; 1 and "1" are different."""
    return pick(draws, [other for other in values if other != value])


def _literal(draws: Random, fields: Fields, name: str, now: Now) -> Json:
    """A literal that holds in a state; one in five says what a field is not."""
    if chance(draws, 20):
        return {"field": name, "not": _other(draws, fields[name], now[name])}
    return {"field": name, "is": now[name]}


def _operations(draws: Random, fields: Fields, start: Now, number: int) -> list[dict[str, Json]]:
    """Operations that mostly can follow each other from the start on."""
    now = dict(start)
    made: list[dict[str, Json]] = []
    for _ in range(number):
        asked = now if chance(draws, 80) else {name: pick(draws, values) for name, values in fields.items()}
        when = [
            _literal(draws, fields, name, asked) for name in some(draws, list(fields), pick(draws, (0, 1, 1, 2, 2)))
        ]
        named = some(draws, list(fields), pick(draws, (1, 1, 1, 2)))
        then = {name: pick(draws, fields[name]) for name in named}
        then[named[0]] = _other(draws, fields[named[0]], now[named[0]])
        now |= then
        made.append({"when": list(when), "then": dict(then)})
    return made


def _protocol(draws: Random, fields: Fields, start: Now) -> list[dict[str, Json]]:
    """Acquire, use, release, progress, progress again; the resource is the first field, free at the start."""
    lock, *others = fields
    now = dict(start)
    free: Json = {"field": lock, "is": start[lock]}
    now[lock] = _other(draws, fields[lock], start[lock])
    held: Json = {"field": lock, "is": now[lock]}
    made: list[dict[str, Json]] = [{"when": [free], "then": {lock: now[lock]}}]
    used = pick(draws, others)
    for guard in (held, free, free):
        extra = [_literal(draws, fields, used, now)] if guard is free or chance(draws, 50) else []
        used = pick(draws, others)
        now[used] = _other(draws, fields[used], now[used])
        made.append({"when": [guard, *extra], "then": {used: now[used]}})
    made.insert(2, {"when": [held], "then": {lock: start[lock]}})
    return made


def _path(draws: Random, instance: Instance, protocol: list[str]) -> list[State]:
    """The states along a protocol, where there is one, else along the random walk that changes most."""
    if not protocol:
        most = between(draws, 1, MOST_ACTIONS)
        return max((walk(interpreter, instance, draws, most) for _ in range(5)), key=_liveliness)
    states = [interpreter.initial(instance)]
    for action in protocol:
        after = interpreter.step(instance, states[-1], action)
        if isinstance(after, Broken):
            raise ValueError(f"the protocol is not legal: {after.faults}")
        states.append(after)
    return states


def _liveliness(path: list[State]) -> int:
    """Fields that differ at the end."""
    return sum(then != now for then, now in zip(path[0].values, path[-1].values, strict=True))


def _invariants(draws: Random, fields: Fields, wide: Instance, path: list[State]) -> Json:
    """Up to three clauses that a path keeps, those first that one action off the path breaks."""
    kept = [_now(fields, state) for state in path]
    tried = [interpreter.step(wide, state, action) for state in path for action in wide.operation]
    near = [_now(fields, state) for state in tried if not isinstance(state, Broken)]
    clauses = [_clause(draws, fields) for _ in range(16)]
    sound = [clause for clause in clauses if all(_holds(clause, now) for now in kept)]
    biting = [clause for clause in sound if not all(_holds(clause, now) for now in near)]
    idle = [clause for clause in sound if clause not in biting]
    chosen = (biting + idle)[: pick(draws, (0, 1, 2, 2, 3))]
    return [[{**literal} for literal in clause] for clause in chosen]


def _clause(draws: Random, fields: Fields) -> list[dict[str, Value]]:
    """One to three literals on different fields, half of them positive."""
    named = some(draws, list(fields), pick(draws, (1, 2, 2, 2, 3)))
    return [{"field": name, pick(draws, ("is", "not")): pick(draws, fields[name])} for name in named]


def _holds(clause: list[dict[str, Value]], now: Now) -> bool:
    return any(
        now[str(literal["field"])] == literal["is"] if "is" in literal else now[str(literal["field"])] != literal["not"]
        for literal in clause
    )


def _goal(draws: Random, fields: Fields, start: Now, end: Now) -> Json:
    """Literals that hold at the end, on something that changed; in three of five cases one field is not as there."""
    changed = [name for name in fields if end[name] != start[name]]
    same = [name for name in fields if end[name] == start[name]]
    wanted = some(draws, changed, between(draws, 1, 3)) + some(draws, same, pick(draws, (0, 0, 1)))
    target = dict(end)
    if chance(draws, 60 if changed else 90):
        name = pick(draws, same or changed)
        target[name] = _other(draws, fields[name], end[name])
        wanted = [*(other for other in wanted if other != name), name]
    return [_literal(draws, fields, name, target) for name in wanted]


def _budget(draws: Random, length: int) -> Json:
    """Budgets around the length of a path, at times apart and at times too small."""
    least = length - 1 if chance(draws, 15) else length
    actions, cost = (max(0, least + pick(draws, (0, 0, 0, 1))) for _ in range(2))
    return {"actions": actions, "cost": cost if chance(draws, 60) else actions}


def _resource(draws: Random, fields: Fields, start: Now, guarded: bool) -> Json:
    """The first field, where a protocol guards it; else any field, with any two of its values."""
    name = next(iter(fields)) if guarded else pick(draws, list(fields))
    free = start[name] if guarded else pick(draws, fields[name])
    return {"field": name, "free": free, "held": _other(draws, fields[name], free)}
