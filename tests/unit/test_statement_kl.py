"""The statement of KL against the rule book, played out here in the plainest way."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise, product
from typing import Any, NamedTuple

import pytest
from clause_models import SHOWCASES, completes, digest, formula, projections, raw_words, without, words

from cwr_certificates import cnf
from cwr_certificates.cnf import TRUE
from cwr_certificates.statements import kl, kl_motifs
from cwr_certificates.steps import step_row
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.worlds.kl.instance import Instance, read_instance

SHOWCASE = read_instance(SHOWCASES["KL"]["instance"])
Action = tuple[str, str]
Actions = tuple[Action, ...]


def make(carrier: str, objects: str, edges: str, most: int, **more: Any) -> Instance:
    """An instance from words: objects as `box@A`; edges as `A-B`, `A-B:key`, `A-B:key:keep`, each with `*3` for a cost.

    Nodes are A to D. Edges are named by their place: e0, e1, …
    """
    fields: list[Json] = []
    for number, one in enumerate(edges.split()):
        route, _, cost = one.partition("*")
        ends, *key = route.split(":")
        edge: dict[str, Json] = {"name": f"e{number}", "from": ends[0], "to": ends[2], "cost": int(cost or 1)}
        fields.append({**edge, **dict(zip(("key", "use"), key, strict=False))})
    document: dict[str, Any] = {
        "family": "KL",
        "code": "t",
        "nodes": list("ABCD"),
        "carrier": carrier,
        "objects": [dict(zip(("name", "at"), one.split("@"), strict=True)) for one in objects.split()],
        "edges": fields,
        "capacity": more.get("capacity", 2),
        "costs": more.get("costs", {}),
        "goal": more.get("goal", {}),
        "budget": {"actions": most, "traversals": more.get("traversals", most), "cost": more.get("cost", 100)},
    }
    return read_instance(document)


class State(NamedTuple):
    carrier: str
    places: dict[str, str]
    moves: int
    cost: int

    def held(self) -> list[str]:
        return [name for name, place in self.places.items() if place == "held"]


def initial(instance: Instance) -> State:
    return State(instance.carrier, dict(instance.initial), 0, 0)


def broken(instance: Instance, state: State, action: Action) -> set[str]:
    """The preconditions that the action breaks."""
    op, arg = action
    if op == "pickup":
        full = len(state.held()) >= instance.capacity
        return ({"R1"} if state.places[arg] != state.carrier else set()) | ({"R2"} if full else set())
    if op == "drop":
        return set() if arg in state.held() else {"R3"}
    edge = instance.edge[arg]
    locked = edge.key is not None and edge.key not in state.held()
    return ({"R4"} if state.carrier != edge.source else set()) | ({"R5"} if locked else set())


def after(instance: Instance, state: State, action: Action) -> State:
    op, arg = action
    if op == "pickup":
        return state._replace(places={**state.places, arg: "held"}, cost=state.cost + instance.pickup_cost)
    if op == "drop":
        return state._replace(places={**state.places, arg: state.carrier}, cost=state.cost + instance.drop_cost)
    edge = instance.edge[arg]
    used = {edge.key: "consumed"} if edge.key is not None and edge.consumes else {}
    return State(edge.target, {**state.places, **used}, state.moves + 1, state.cost + edge.cost)


def states(instance: Instance, actions: Actions) -> list[State]:
    found = [initial(instance)]
    for action in actions:
        found.append(after(instance, found[-1], action))
    return found


def beyond(instance: Instance, steps: int, state: State) -> set[str]:
    """The budgets that are exceeded after so many steps."""
    over = {
        "R6": steps > instance.most_actions,
        "R7": state.moves > instance.most_traversals,
        "R8": state.cost > instance.most_cost,
    }
    return {rule for rule, value in over.items() if value}


def unmet(instance: Instance, state: State) -> set[str]:
    met = [state.places[name] == place for name, place in instance.goal_locations.items()]
    met += [instance.goal_carrier in (None, state.carrier)]
    met += [instance.most_held is None or len(state.held()) <= instance.most_held]
    return set() if all(met) else {"G"}


def faults(instance: Instance, actions: Actions) -> set[str]:
    """The rules that the first bad action breaks, or the goal; empty when accepted."""
    state = initial(instance)
    for number, action in enumerate(actions, 1):
        wrong = broken(instance, state, action)
        if wrong:
            return wrong
        state = after(instance, state, action)
        if beyond(instance, number, state):
            return beyond(instance, number, state)
    return unmet(instance, state)


def legal(instance: Instance, actions: Actions, state: State) -> Iterator[tuple[Actions, State]]:
    """All legal rows that go on from a state, each with its last state."""
    yield actions, state
    for action in instance.action:
        if not broken(instance, state, action):
            then = after(instance, state, action)
            if not beyond(instance, len(actions) + 1, then):
                yield from legal(instance, (*actions, action), then)


def json(actions: Actions) -> Json:
    return {"actions": [{"op": op, "arg": arg} for op, arg in actions]}


def text(actions: Actions) -> bytes:
    return canonical(json(actions))


def main(instance: Instance, actions: Actions) -> bool:
    """The motif of a legal row."""
    known = states(instance, actions)
    keyed = [p for p, (op, arg) in enumerate(actions) if op == "move" and turns(instance, arg)]
    if len(keyed) < 2:
        return False
    span = known[keyed[0] : keyed[-1] + 2]
    goal = [name for name, place in instance.goal_locations.items() if place in instance.nodes]
    if not any(all(state.places[name] == "held" for state in span) for name in goal):
        return False
    for before, m in pairwise(keyed):
        pick = ("pickup", instance.edge[actions[m][1]].key)
        place = actions.index(pick) if pick in actions else -1
        ends = {known[0].carrier, known[-1].carrier}
        if instance.edge[actions[before][1]].consumes and before < place < m and known[place].carrier not in ends:
            return True
    return False


def turns(instance: Instance, name: str) -> bool:
    edge = instance.edge[name]
    return edge.key is not None and edge.source != edge.target


BOX = {"locations": {"box": "C"}}
CHAIN = "A-B:k B-C:l"
WAY = "box@A k@A l@B"
LINE, END = "A-B:k B-C:l C-D:m", {"locations": {"box": "D"}}

SMALL = {
    "chain": make("A", WAY, CHAIN, 7, goal=BOX),
    "two ways": make("A", "box@A k@A l@B m@A", "A-B:k B-C:l B-C:m", 7, goal=BOX, capacity=3),
    "kept keys": make("A", WAY, "A-B:k:keep B-C:l:keep B-A", 7, goal=BOX, capacity=3),
    "one kept": make(
        "A", WAY, "A-B:k B-C:l:keep C-B:l", 8, goal={"carrier": "C", "locations": {"box": "C"}}, traversals=3
    ),
    "key at an end": make("A", "box@A k@A l@C", "A-B:k B-C:l B-C C-B", 9, goal=BOX, traversals=5),
    "back at last": make("A", WAY, "A-B:k B-C:l C-B", 8, goal=BOX, traversals=3),
    "loop": make("A", "box@A k@A l@B", "A-B:k B-B:l B-C", 7, goal=BOX),
    "loop between": make("A", "box@A k@A l@B m@B", "A-B:k B-B:m B-C:l", 8, goal=BOX, capacity=3, traversals=3),
    "cargo is a key": make("A", "k@A l@B m@A", "A-B:m B-C:l C-D:k:keep", 7, goal={"locations": {"k": "D"}}),
    "two cargos": make("A", "box@A can@A k@A l@B", CHAIN, 8, goal={"locations": {"box": "C", "can": "A"}}, capacity=3),
    "three in a row": make("A", "box@A k@A l@B m@C", LINE, 8, goal=END),
    "picked up again": make("A", "box@A k@A l@A", CHAIN, 8, goal=BOX, capacity=3, traversals=2),
    "cargo to hold": make("A", WAY, CHAIN, 5, goal={"carrier": "C", "locations": {"box": "held"}}),
    "key at the start": make("A", "box@A k@A l@A", "A-B:k B-A A-C:l", 7, goal=BOX),
    "picked up too early": make("A", "box@A k@A l@A m@B", LINE, 8, goal=END, capacity=3, traversals=3),
    "kept between": make(
        "A", "box@A k@A l@A m@C", LINE.replace(":l", ":l:keep"), 8, goal=END, capacity=3, traversals=3
    ),
    "costs": make("A", "box@A", "A-B*3 B-A*0 A-A*2", 4, costs={"pickup": 2, "drop": 1}, cost=5, goal={"most_held": 0}),
    "held at first": make("A", "box@held k@held l@consumed", "A-B:k B-A:l", 3, goal={"most_held": 1}),
    "nothing fits": make("A", "box@A", "A-B", 3, capacity=0),
    "no object": make("B", "", "A-B B-A", 3, goal={"carrier": "A"}),
    "no edge": make("B", "box@B", "", 3, goal={"locations": {"box": "held"}}),
    "no action": make("A", WAY, CHAIN, 0),
    "infeasible": make("A", "box@A k@consumed l@B", CHAIN, 4, goal=BOX),
    "used up": make("A", "k@A", "A-A:k A-B", 4, goal={"locations": {"k": "consumed"}}),
}


def drawn(seed: int) -> Instance:
    """A random instance of four nodes, up to three objects and three edges, with budgets and a goal that may bind."""
    draw = random.Random(f"kl {seed}")
    names = ["x", "y", "z"][: draw.randint(1, 3)]
    objects = " ".join(f"{name}@{draw.choice(['A', 'A', 'B', 'held', 'consumed'])}" for name in names)
    edges = []
    for ends in draw.sample(["A-B", "B-A", "B-C", "A-C", "C-A", "A-A", "A-B"], 3):
        key = draw.choice(["", "", f":{draw.choice(names)}", f":{draw.choice(names)}:keep"])
        edges.append(f"{ends}{key}*{draw.choice([0, 1, 1, 2, 5])}")
    places = [*"ABC", "held", "consumed"]
    goal: dict[str, Json] = {"locations": {one: draw.choice(places) for one in names if draw.random() < 0.3}}
    if draw.random() < 0.4:
        goal["carrier"] = draw.choice("ABC")
    if draw.random() < 0.4:
        goal["most_held"] = draw.randint(0, 1)
    more = {"cost": draw.randint(3, 8), "traversals": draw.randint(2, 4), "goal": goal}
    costs = {"pickup": draw.randint(0, 1), "drop": draw.randint(0, 2)}
    capacity = objects.count("@held") + draw.randint(0, 1)
    return make("A", objects, " ".join(edges), draw.randint(3, 4), capacity=capacity, costs=costs, **more)


def drawn_locks(seed: int) -> Instance:
    """A random instance in which a box is carried along locked edges."""
    draw = random.Random(f"kl locks {seed}")
    objects = f"box@A k@A l@{draw.choice('BBBA')}"
    edges = [f"A-B:k{draw.choice(['', '', ':keep'])}", f"B-C:l{draw.choice(['', ':keep'])}"]
    edges += draw.sample(["B-A", "B-A:k", "C-B", "B-B:l", "A-C:l", "C-A:l", "B-C", "A-B", "C-B:l"], draw.randint(1, 2))
    goal: dict[str, Json] = {"locations": {"box": draw.choice("CCB")}}
    return make("A", objects, " ".join(edges), 8, goal=goal, traversals=draw.randint(2, 4))


INSTANCES = {"showcase": SHOWCASE, **SMALL, **{f"drawn {seed}": drawn(seed) for seed in range(24)}}
LOCKS = {f"locks {seed}": drawn_locks(seed) for seed in range(16)}
MOTIF = {**SMALL, **LOCKS, "showcase": SHOWCASE}
EACH = pytest.mark.parametrize("name", INSTANCES)


@cache
def known(name: str) -> dict[bytes, tuple[int, bool]]:
    """{accepted word: its cost, and whether it has the motif} of one of the instances."""
    one = {**INSTANCES, **LOCKS}[name]
    rows = legal(one, (), initial(one))
    return {text(row): (state.cost, main(one, row)) for row, state in rows if not unmet(one, state)}


@EACH
def test_models_are_the_accepted_words(name: str) -> None:
    assert words(kl, INSTANCES[name]) == set(known(name))


@EACH
def test_at_most_bounds_the_cost(name: str) -> None:
    for cost in range(-1, 4):
        meant = {word for word, (spent, _) in known(name).items() if spent <= cost}
        assert set(raw_words(kl, INSTANCES[name], cost)) == meant


def lacking(name: str) -> list[bytes]:
    return sorted(word for word, (_, shown) in known(name).items() if not shown)


@pytest.mark.parametrize("name", MOTIF)
def test_denied_motif_leaves_the_words_without_it(name: str) -> None:
    posted, model = formula(kl, MOTIF[name], motif="main")
    found = projections(posted.clauses, model.decisions)
    left = sorted(canonical(kl.word(model, {one for one in literals if one > 0})) for literals in found)
    assert left == lacking(name)
    assert all(completes(posted.clauses, literals) for literals in found[:: 1 + len(found) // 5])


def test_the_instances_show_the_motif_and_its_absence() -> None:
    shown = {name: [verdict for _, verdict in known(name).values()] for name in MOTIF}
    assert shown["showcase"] == [True] * 2
    for name in ("kept keys", "loop", "cargo to hold", "key at the start", "picked up too early", "kept between"):
        assert shown[name], name
        assert not any(shown[name]), name
    mixed = {name for name, verdicts in shown.items() if set(verdicts) == {True, False}}
    assert {"two ways", "one kept", "key at an end", "back at last", "loop between", "two cargos"} <= mixed
    assert len(mixed & set(LOCKS)) >= 6


def test_the_motif_of_the_showcase_is_necessary() -> None:
    assert raw_words(kl, SHOWCASE, motif="main") == []


def test_another_motif_is_no_motif() -> None:
    posted, model = formula(kl, SHOWCASE)
    with pytest.raises(KeyError):
        kl.deny(posted, model, "shape")


@pytest.mark.parametrize(
    ("part", "replacement"),
    [
        ("carried", lambda *_: TRUE),
        ("key_on_the_way", lambda *_: TRUE),
        ("away_from_ends", lambda _cnf, model: [TRUE] * len(model.actions)),
        ("first_pickups", lambda _cnf, model, key: [actions["pickup", key] for actions in model.actions]),
        ("fresh", lambda _cnf, keyed, _consuming, _acquired: [TRUE] * len(keyed)),
        ("along", lambda _cnf, actions, edges: cnf.any_of(_cnf, [actions["move", edge.name] for edge in edges[:1]])),
    ],
)
def test_each_part_of_the_denial_matters(
    part: str, replacement: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kl_motifs, part, replacement)
    assert any(raw_words(kl, MOTIF[name], motif="main") != lacking(name) for name in MOTIF)


VITAL = {
    "r1_there": make("A", "x@A y@B z@consumed", "A-B", 2, goal={"carrier": "A"}),
    "r2_space": make("A", "x@A y@A z@held", "A-B", 2),
    "r3_held": make("A", "x@B y@consumed", "A-B", 2),
    "r4_from": make("A", "", "A-B B-C", 2),
    "r5_key": make("A", "k@B", "A-A:k A-B:k:keep", 2),
    "r7_traversals": make("A", "x@A", "A-A", 3, traversals=1),
    "r8_cost": make("A", "x@A", "A-A*2", 3, costs={"pickup": 1, "drop": 3}, cost=3),
    "g_goal": make("A", "x@A y@held", "A-B", 2, goal={"carrier": "B", "locations": {"x": "held"}, "most_held": 1}),
}


def rows(instance: Instance, most: int) -> list[Actions]:
    return [row for n in range(most + 1) for row in product(instance.action, repeat=n)]


@pytest.mark.parametrize("rule", VITAL)
def test_a_rule_left_out_lets_in_words_that_break_it_alone(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = VITAL[rule]
    loose, normal = without(monkeypatch, kl, rule, instance), words(kl, instance)
    number = rule.partition("_")[0].upper()
    assert normal < loose
    assert loose - normal == {
        text(row) for row in rows(instance, instance.most_actions) if breaks_only(instance, row, number)
    }


def breaks_only(instance: Instance, actions: Actions, rule: str) -> bool:
    """Whether the rule is broken, and no other is when actions that break it have their effects all the same."""
    known, found = states(instance, actions), set[str]()
    for number, action in enumerate(actions):
        found |= broken(instance, known[number], action) | beyond(instance, number + 1, known[number + 1])
    return found | unmet(instance, known[-1]) == {rule}


@pytest.mark.parametrize("goal", [{"carrier": "B"}, {"locations": {"x": "held"}}, {"most_held": 0}])
def test_each_part_of_the_goal_binds(goal: dict[str, Json], monkeypatch: pytest.MonkeyPatch) -> None:
    instance = make("A", "x@A y@held", "A-B", 2, goal=goal)
    assert words(kl, instance) < without(monkeypatch, kl, "g_goal", instance)


def test_one_place_more_lets_in_words_beyond_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = make("A", "", "A-A", 2, traversals=3)
    loose = without(monkeypatch, kl, "r6_actions", instance, lambda cnf, one: step_row(cnf, one.most_actions + 1, 1))
    row = (("move", "e0"),) * 3
    assert loose - words(kl, instance) == {text(row)}
    assert faults(instance, row) == {"R6"}


def test_without_rules_every_row_is_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """The definitions of where all is forbid nothing."""
    for rule in VITAL:
        monkeypatch.setattr(kl, rule, lambda *_: None)
    for instance in (VITAL["r1_there"], VITAL["r5_key"]):
        assert raw_words(kl, instance) == sorted(map(text, rows(instance, 2)))


@pytest.mark.parametrize(
    ("word", "code", "pointer"),
    [
        ([], "wrong-type", ""),
        ({}, "missing-key", "/actions"),
        ({"actions": [], "x": 1}, "unknown-key", "/x"),
        ({"actions": [{"op": "pickup"}]}, "missing-key", "/actions/0/arg"),
        ({"actions": [{"op": "lift", "arg": "k1"}]}, "unknown-name", "/actions/0/op"),
        ({"actions": [{"op": "pickup", "arg": "k3"}]}, "unknown-name", "/actions/0/arg"),
        ({"actions": [{"op": "pickup", "arg": "D-H"}]}, "domain", "/actions/0/arg"),
        ({"actions": [{"op": "move", "arg": True}]}, "wrong-type", "/actions/0/arg"),
        (json((("drop", "k1"),) * 7), "out-of-range", "/actions"),
    ],
)
def test_what_is_no_word_is_refused(word: Json, code: str, pointer: str) -> None:
    with pytest.raises(MalformedInput) as error:
        kl.literals(formula(kl, SHOWCASE)[1], word)
    assert (error.value.code, error.value.pointer) == (code, pointer)


def test_every_word_has_literals_of_its_own_and_illegal_ones_fail() -> None:
    instance = VITAL["g_goal"]
    posted, model = formula(kl, instance)
    told = {kl.literals(model, json(row)): row for row in rows(instance, 2)}
    assert len(told) == 31
    for literals, row in told.items():
        assert completes(posted.clauses, literals) == (not faults(instance, row))


def test_namings() -> None:
    assert kl.namings(SHOWCASE, json((("pickup", "k1"),))) == 1
    with pytest.raises(MalformedInput):
        kl.namings(SHOWCASE, json((("pickup", "k3"),)))


def test_too_large_a_formula_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cnf, "MOST", 10_000)
    with pytest.raises(Undecided) as error:
        formula(kl, make("A", WAY, CHAIN, 10_000))
    assert error.value.reason == "size"


def test_the_name_stands_for_these_clauses() -> None:
    assert kl.NAME == "kl/1"
    assert digest(kl, SHOWCASE) == "2e0447b6befe84c1"
    assert digest(kl, SHOWCASE, "main") == "3521e40c4b8e6bc9"
    assert digest(kl, SMALL["one kept"], "main") == "0cf08c4ea3217344"
