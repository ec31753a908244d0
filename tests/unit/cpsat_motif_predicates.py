"""The motifs of the rule books told of one word by looking at everything: what the literals of CP-SAT are held against.

Each predicate takes an instance and the JSON of an accepted word, and tries every choice that the rule book's sentence
leaves open. PREDICATES is the table (family, motif) → predicate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, permutations, product
from typing import Any

from cwr_solvers.world import Broken
from cwr_solvers.worlds.tw import interpreter

Predicate = Callable[[Any, Any], bool]


# RS


def rs_overlap(instance: Any, word: Any) -> bool:
    roles = rs_roles(instance)
    if roles is None:
        return False
    first, second, sink = roles
    ends = {job.name: word["starts"][job.name] + job.duration for job in instance.jobs}
    alone = all(end <= word["starts"][sink.name] for name, end in ends.items() if name != sink.name)
    return alone and rs_meet(word, first, second)


def rs_crossed(instance: Any, word: Any) -> bool:
    if not rs_overlap(instance, word):
        return False
    first, second, sink = rs_roles(instance)
    numbers = [rs_waits(job, first, second) for job in instance.jobs if job.name != sink.name]
    full = any(need and need == most for need, most in zip(sink.demand, instance.capacity, strict=True))
    return full and 2 in numbers and 1 in numbers


def rs_strict(instance: Any, word: Any) -> bool:
    return rs_crossed(instance, word) and all(word["starts"][job.name] == 0 for job in rs_roles(instance)[:2])


def rs_full(instance: Any, word: Any) -> bool:
    if not rs_strict(instance, word):
        return False
    first, second, sink = rs_roles(instance)
    middle = [job for job in instance.jobs if job not in (first, second, sink)]
    pairs = [(a, b) for a, b in permutations(middle, 2) if rs_meet(word, a, b)]
    return any(rs_waits(a, first, second) == 2 and rs_waits(b, first, second) == 1 for a, b in pairs)


def rs_roles(instance: Any) -> Any:
    sources = [job for job in instance.jobs if not job.after]
    sinks = [job for job in instance.jobs if not any(job.name in other.after for other in instance.jobs)]
    jobs = (*sources, *sinks)
    return jobs if (len(sources), len(sinks), len({job.name for job in jobs})) == (2, 1, 3) else None


def rs_waits(job: Any, first: Any, second: Any) -> int:
    return (first.name in job.after) + (second.name in job.after)


def rs_meet(word: Any, a: Any, b: Any) -> bool:
    instants = [set(range(word["starts"][job.name], word["starts"][job.name] + job.duration)) for job in (a, b)]
    return bool(instants[0] & instants[1])


# PS


def ps_main(instance: Any, word: Any) -> bool:
    resource = instance.resource
    if resource is None:
        return False
    operations = [instance.operation[name] for name in word["actions"]]
    states = [instance.initial]
    for operation in operations:
        states.append(tuple(dict(operation.then).get(field, value) for field, value in enumerate(states[-1])))
    values = [state[resource.field] for state in states]
    runs = ps_runs(values)
    for before, held, free in zip(runs, runs[1:], runs[2:], strict=False):
        if [values[run[0]] for run in (before, held, free)] != [resource.free, resource.held, resource.free]:
            continue
        inside = [at for at in held[:-1] if ps_asks(instance, operations[at], resource.held)]
        after = [at for at in free[:-1] if ps_asks(instance, operations[at], resource.free)]
        for u, (p, q) in product(inside, permutations(after, 2)):
            moves = any(field != resource.field for field, _ in operations[q].then)
            if moves and any(ps_causes(instance, operations, u, need) for need in operations[p].when):
                return True
    return False


def ps_runs(values: Sequence[int]) -> list[list[int]]:
    """The numbers of the states of each longest run of one value."""
    runs: list[list[int]] = []
    for at, value in enumerate(values):
        if runs and values[at - 1] == value:
            runs[-1].append(at)
        else:
            runs.append([at])
    return runs


def ps_asks(instance: Any, operation: Any, value: int) -> bool:
    field = instance.resource.field
    every = range(len(instance.fields[field].values))
    return any(
        {v for v in every if (v == need.value) is need.positive} == {value}
        for need in operation.when
        if need.field == field
    )


def ps_causes(instance: Any, operations: Any, u: int, need: Any) -> bool:
    if need.field == instance.resource.field or need.holds(instance.initial):
        return False
    makers = [
        at
        for at, operation in enumerate(operations)
        for field, value in operation.then
        if field == need.field and (value == need.value) is need.positive
    ]
    return makers == [u]


# KL


def kl_main(instance: Any, word: Any) -> bool:
    actions = [(action["op"], action["arg"]) for action in word["actions"]]
    carrier, at = [instance.carrier], [dict(instance.initial)]
    for op, arg in actions:
        now, here = dict(at[-1]), carrier[-1]
        if op == "move":
            edge = instance.edge[arg]
            here = edge.target
            if edge.key is not None and edge.consumes:
                now[edge.key] = "consumed"
        else:
            now[arg] = "held" if op == "pickup" else here
        carrier.append(here)
        at.append(now)
    keyed = [
        number
        for number, (op, arg) in enumerate(actions)
        if op == "move" and instance.edge[arg].key and instance.edge[arg].source != instance.edge[arg].target
    ]
    if len(keyed) < 2:
        return False
    cargo = [name for name, place in instance.goal_locations.items() if place in instance.nodes]
    during = at[keyed[0] : keyed[-1] + 2]
    if not any(all(moment[name] == "held" for moment in during) for name in cargo):
        return False
    for before, move in pairwise(keyed):
        key = instance.edge[actions[move][1]].key
        pickups = [number for number, action in enumerate(actions) if action == ("pickup", key)]
        between = bool(pickups) and before < pickups[0] < move
        if (
            between
            and instance.edge[actions[before][1]].consumes
            and carrier[pickups[0]] not in (carrier[0], carrier[-1])
        ):
            return True
    return False


# PA


def pa_main(instance: Any, word: Any) -> bool:
    part = {name: port.component for name, port in instance.port.items()}
    arrows = {(part[one["from"]], part[one["to"]]) for one in word["connections"]}
    used = {name for pair in arrows for name in pair}
    if instance.sink is None or not any(pa_fits(instance, name) for name in set(instance.spares) - used):
        return False
    for splitter, b1, b2, m in product(instance.splitters, used, used, used):
        kinds = {instance.component[name].kind for name in (b1, b2)}
        if not {(splitter, b1), (splitter, b2)} <= arrows or len(kinds) < 2:
            continue
        if m != instance.sink and not list(pa_paths(arrows, m, instance.sink)):
            continue
        for one, two in product(pa_paths(arrows, b1, None), pa_paths(arrows, b2, None)):
            whole = {*one, *two}
            apart = len(whole) == len(one) + len(two) and not whole & {splitter, m}
            if apart and {(one[-1], m), (two[-1], m)} <= arrows:
                return True
    return False


def pa_paths(arrows: set[tuple[str, str]], start: str, end: str | None) -> Iterator[tuple[str, ...]]:
    """The directed paths from a component to another, or to any."""
    todo: list[tuple[str, ...]] = [(start,)]
    while todo:
        path = todo.pop()
        if end in (None, path[-1]):
            yield path
        todo += [(*path, b) for a, b in arrows if a == path[-1] and b not in path]


def pa_fits(instance: Any, name: str) -> bool:
    ports = instance.component[name].ports
    return any(
        (own.type, own.output) == (port.type, not port.output) and port.component != name
        for own, port in product(ports, instance.port.values())
    )


# FT


def ft_main(instance: Any, word: Any) -> bool:
    if instance.motif is None or len(instance.motif.orientations) != len(word["placements"]):
        return False
    pieces = []
    for one in word["placements"]:
        shape = instance.piece[one["piece"]].variants[one.get("flip", 0), one.get("turn", 0)]
        pieces.append({(one["x"] + x, one["y"] + y) for (x, y), _ in shape.cells})
    nodes = [ft_orientation(cells) for cells in pieces]
    contacts = set()
    for (a, ours), (b, theirs) in permutations(enumerate(pieces), 2):
        contacts |= {(min(a, b), max(a, b), "horizontal") for x, y in ours if (x + 1, y) in theirs}
        contacts |= {(min(a, b), max(a, b), "vertical") for x, y in ours if (x, y + 1) in theirs}
    for names in permutations(range(len(nodes))):
        wanted = {(*sorted((names[a], names[b])), along) for a, b, along in instance.motif.contacts}
        if wanted == contacts and all(
            nodes[names[number]] == orientation for number, orientation in enumerate(instance.motif.orientations)
        ):
            return True
    return False


def ft_orientation(cells: set[tuple[int, int]]) -> str:
    wide, high = (len({cell[axis] for cell in cells}) for axis in (0, 1))
    return "horizontal" if high == 1 and wide > 1 else "vertical" if wide == 1 and high > 1 else "other"


# BC


def bc_gates(instance: Any, word: Any) -> dict[str, tuple[str, tuple[str, str]]]:
    """{gate: (operator, inputs)}; none where the output is no gate or there are several."""
    gates = {gate["id"]: (gate["op"], tuple(gate["inputs"])) for gate in word["gates"]}
    return gates if word.get("output") in gates else {}


def bc_shapes(instance: Any, word: Any) -> Iterator[tuple[str, ...]]:
    """The operators of X, Y, E and the output wherever there is the shape."""
    gates = bc_gates(instance, word)
    for x, y, e in permutations(gates, 3):
        o = word["output"]
        if o in (x, y, e):
            continue
        for p, q, z in product(instance.pins, repeat=3):
            if len({p, q, z}) == 3 and all(
                sorted(gates[gate][1]) == sorted(pair)
                for gate, pair in ((x, (p, q)), (y, (p, q)), (e, (y, z)), (o, (x, e)))
            ):
                yield tuple(gates[gate][0] for gate in (x, y, e, o))


def bc_shape(instance: Any, word: Any) -> bool:
    return any(True for _ in bc_shapes(instance, word))


def bc_typed(instance: Any, word: Any) -> bool:
    return instance.motif in set(bc_shapes(instance, word)) if instance.motif else False


def bc_cone(gates: Mapping[str, Any], signal: str) -> set[str]:
    """A signal and all signals that it depends on."""
    inputs = gates[signal][1] if signal in gates else ()
    return {signal}.union(*(bc_cone(gates, one) for one in inputs))


def bc_mid(instance: Any, word: Any) -> bool:
    gates, pins = bc_gates(instance, word), set(instance.pins)
    for x, e, y in product(gates, repeat=3):
        cones = {gate: bc_cone(gates, gate) for gate in (x, e, y)}
        for z in pins:
            if (
                sorted(gates[word["output"]][1]) == sorted((x, e))
                and not cones[x] & cones[e] & set(gates)
                and sorted(gates[e][1]) == sorted((y, z))
                and cones[x] & cones[y] & pins
                and z not in cones[x] | cones[y]
            ):
                return True
    return False


def bc_weak(instance: Any, word: Any) -> bool:
    gates = bc_gates(instance, word)
    if not gates:
        return False
    one, other = gates[word["output"]][1]
    return bool(bc_cone(gates, one) & bc_cone(gates, other))


# TP


def tp_main(instance: Any, word: Any) -> bool:
    steps = word["steps"]
    maker = {name: at for at, step in enumerate(steps) for name in step["out"]}
    user = {name: at for at, step in enumerate(steps) for name in step["args"]}
    value = {name: typed[1] for name, typed in instance.initial.items()}
    for step in steps:
        given = tuple(value[name] for name in step["args"])
        value |= dict(zip(step["out"], instance.operation[step["op"]].table[given], strict=True))

    def follow(name: str, changed: bool, length: int) -> Iterator[tuple[str, bool]]:
        """The last values of paths of at least one step, and whether the value was changed on them."""
        if length:
            yield name, changed
        for after in steps[user[name]]["out"] if name in user else ():
            yield from follow(after, changed or value[after] != value[name], length + 1)

    for x, y in permutations(maker, 2):
        for last, changed in follow(x, False, 0) if maker[x] == maker[y] else ():
            join = user.get(last)
            if changed and join is not None and join == user.get(y):
                users = {user[name] for name in steps[join]["out"] if name in user}
                if len(users) == 1 and not any(name in user for at in users for name in steps[at]["out"]):
                    return True
    return False


# TW


def tw_main(instance: Any, word: Any) -> bool:
    recipes = [instance.recipe[name] for name in word["actions"]]
    places = range(len(instance.places))
    orders = {order for order in permutations(word["actions"]) if tw_legal(instance, order)}
    assert tuple(word["actions"]) in orders
    scarce = any(
        instance.initial[place] + sum(one.produce[place] for one in recipes)
        < sum(one.read[place] > 0 for one in recipes)
        for place in places
    )
    rows = [[instance.recipe[name] for name in order] for order in sorted(orders)]
    return scarce and all(tw_joins(flow) for row in rows for flow in tw_assignments(instance, row))


def tw_legal(instance: Any, order: Sequence[str]) -> bool:
    state = interpreter.initial(instance)
    for name in order:
        state = interpreter.step(instance, state, name)
        if isinstance(state, Broken):
            return False
    return True


def tw_assignments(instance: Any, recipes: Sequence[Any]) -> Iterator[list[tuple[int, ...]]]:
    """For each action the producers (-1: initial) of the single tokens that it consumes, in every possible way."""

    def go(at: int, there: list[Counter[int]], done: list[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
        if at == len(recipes):
            yield done
            return
        ways = [tw_picks(there[place], amount) for place, amount in enumerate(recipes[at].consume)]
        for picked in product(*ways):
            left = [have - Counter(taken) for have, taken in zip(there, picked, strict=True)]
            for place, amount in enumerate(recipes[at].produce):
                left[place] += Counter({at: amount})
            yield from go(at + 1, left, [*done, tuple(one for taken in picked for one in taken)])

    yield from go(0, [Counter({-1: amount}) for amount in instance.initial], [])


def tw_picks(there: Counter[int], amount: int) -> list[tuple[int, ...]]:
    return sorted(set(combinations(sorted(there.elements()), amount)))


def tw_joins(flow: Sequence[tuple[int, ...]]) -> bool:
    depth, history = {-1: 0}, {-1: set[int]()}
    for at, sources in enumerate(flow):
        depth[at] = 1 + max((depth[one] for one in sources), default=0)
        history[at] = {at}.union(*(history[one] for one in sources))
    return any(
        -1 not in pair and depth[pair[0]] != depth[pair[1]] and not history[pair[0]] & history[pair[1]]
        for sources in flow
        for pair in combinations(sources, 2)
    )


# CO


def co_main(instance: Any, word: Any) -> bool:
    """Positions are neighbours where walking one step from one of them leads to the other."""
    number = len(instance.broken)
    swaps = [(card.first, card.second) for card in instance.cards if card.label in word["cards"]]
    return any((first % number) + 1 == second or (second % number) + 1 == first for first, second in swaps)


PREDICATES: Mapping[tuple[str, str], Predicate] = {
    ("TW", "main"): tw_main,
    ("TP", "main"): tp_main,
    ("BC", "shape"): bc_shape,
    ("BC", "typed"): bc_typed,
    ("BC", "mid"): bc_mid,
    ("BC", "weak"): bc_weak,
    ("KL", "main"): kl_main,
    ("RS", "overlap"): rs_overlap,
    ("RS", "crossed"): rs_crossed,
    ("RS", "strict"): rs_strict,
    ("RS", "full"): rs_full,
    ("PS", "main"): ps_main,
    ("PA", "main"): pa_main,
    ("FT", "main"): ft_main,
    ("CO", "main"): co_main,
}
