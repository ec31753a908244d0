"""Finite typed pipeline, by hand: every rule, when each is judged, names, counting modulo names, the seed's probes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from cwr_solvers.catalogue import WORLDS, showcase
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import answer_e, answer_p, grade, run
from cwr_solvers.jsontext import canonical
from cwr_solvers.search import count, successors, words
from cwr_solvers.symmetry import classes
from cwr_solvers.world import Broken, Edge, Submission
from cwr_solvers.worlds.tp.instance import Step
from cwr_solvers.worlds.tp.interpreter import Key, State, fresh

TP = WORLDS["TP"]
SHOW = TP.read_instance(showcase("TP-001").instance)

# Listed ids in an order that is not alphabetical; `join` has no row for (1, 1); `drop` has no output, `found` no input.
SMALL: dict[str, Any] = {
    "family": "TP",
    "code": "small",
    "types": {"A": [[0], [1]], "B": [[0, 0]]},
    "operations": [
        {
            "name": "flip",
            "inputs": ["A"],
            "outputs": ["A"],
            "table": [{"in": [[0]], "out": [[1]]}, {"in": [[1]], "out": [[0]]}],
        },
        {
            "name": "join",
            "inputs": ["A", "A"],
            "outputs": ["B"],
            "table": [{"in": [[0], [0]], "out": [[0, 0]]}, {"in": [[0], [1]], "out": [[0, 0]]}],
        },
        {"name": "split", "inputs": ["B"], "outputs": ["A", "A"], "table": [{"in": [[0, 0]], "out": [[0], [1]]}]},
        {"name": "drop", "inputs": ["A"], "outputs": [], "table": [{"in": [[0]], "out": []}]},
        {"name": "found", "inputs": [], "outputs": ["B"], "table": [{"in": [], "out": [[0, 0]]}]},
    ],
    "initial": {"x": {"type": "A", "value": [0]}, "b": {"type": "A", "value": [0]}},
    "ids": ["w", "a", "k"],
    "goal": {"values": [{"type": "B", "value": [0, 0]}], "leftovers": "forbidden"},
    "budget": {"live": 3, "steps": 3, "cost": 2},
}
A0, A1, B0 = ("A", (0,)), ("A", (1,)), ("B", (0, 0))


def small(**changes: Any) -> Any:
    return TP.read_instance({**SMALL, **changes})


def state(live: dict[str, tuple[str, tuple[int, ...]]], *gone: str, steps: int = 0, cost: int = 0) -> State:
    return State(tuple(sorted(live.items())), tuple(sorted([*live, *gone])), steps, cost)


def judged(before: State, op: str, args: str, out: str, instance: Any = None) -> tuple[str, ...] | State:
    """Broken rules or the next state; args and out are one letter each."""
    after = TP.step(instance or small(), before, Step(op, tuple(args), tuple(out)))
    if isinstance(after, Broken):
        return after.rules
    assert isinstance(after, State)
    return after


START = state({"x": A0, "b": A0})


def test_legal_steps() -> None:
    assert TP.initial(small()) == START
    assert judged(START, "flip", "x", "k") == state({"b": A0, "k": A1}, "x", steps=1, cost=1)
    assert judged(START, "join", "bx", "a") == state({"a": B0}, "x", "b", steps=1, cost=1)
    assert judged(START, "drop", "b", "") == state({"x": A0}, "b", steps=1, cost=1)
    assert judged(START, "found", "", "w") == state({"x": A0, "b": A0, "w": B0}, steps=1, cost=1)
    split = judged(state({"w": B0}, "x", "b"), "split", "w", "ka")
    assert split == state({"k": A0, "a": A1}, "x", "b", "w", steps=1, cost=1)


@pytest.mark.parametrize(
    ("before", "op", "args", "out", "broken"),
    [
        (START, "flip", "xb", "w", ("R1",)),
        (START, "join", "x", "w", ("R1",)),
        (START, "flip", "", "w", ("R1",)),
        (START, "split", "xb", "wa", ("R1",)),  # types are not judged when the arity is wrong
        (state({"b": A0}, "x"), "flip", "x", "w", ("R2",)),  # consumed: its type is not judged
        (START, "flip", "w", "a", ("R2",)),  # not created yet
        (START, "split", "a", "wk", ("R2",)),
        (state({"b": A0, "w": B0}, "x"), "join", "xw", "a", ("R2", "R4")),  # of the live one it is
        (START, "join", "xx", "w", ("R3",)),
        (state({"x": A1}, "b"), "join", "xx", "w", ("R3",)),  # no row for (1, 1), not judged
        (state({"b": A0}, "x"), "join", "xx", "w", ("R2", "R3")),
        (START, "split", "x", "wa", ("R4",)),
        (state({"w": B0}, "x", "b"), "join", "ww", "a", ("R3", "R4")),
        (START, "flip", "x", "", ("R5",)),
        (START, "flip", "x", "wa", ("R5",)),
        (START, "drop", "x", "w", ("R5",)),
        (START, "flip", "x", "x", ("R6",)),  # its own arg
        (START, "flip", "x", "b", ("R6",)),
        (state({"x": A0}), "flip", "x", "b", ("R6",)),  # an initial id is never fresh
        (state({"w": B0}, "x", "b", "a"), "split", "w", "ak", ("R6",)),
        (state({"w": B0}, "x", "b"), "split", "w", "aa", ("R6",)),
        (state({"x": A1, "b": A1}), "join", "xb", "w", ("R7",)),
        (state({"x": A1, "b": A0}), "join", "xb", "w", ("R7",)),  # the order of args matters
        (state({"x": A1, "b": A0}), "join", "bx", "w", state({"w": B0}, "x", "b", steps=1, cost=1)),
        (state({"x": A1}, "b"), "drop", "x", "", ("R7",)),
        (state({"x": A1}, "b"), "drop", "x", "w", ("R5", "R7")),  # judged beside R5 and R6
        (state({"x": A1, "b": A1}), "join", "xb", "x", ("R6", "R7")),
        (state({"x": A1}, "b", "w"), "join", "xxx", "ww", ("R1", "R3", "R5", "R6")),
    ],
)
def test_preconditions(before: State, op: str, args: str, out: str, broken: tuple[str, ...] | State) -> None:
    assert judged(before, op, args, out) == broken


@pytest.mark.parametrize(
    ("before", "op", "args", "out", "broken"),
    [
        (state({"x": A0, "b": A0, "w": B0}), "found", "", "a", ("R8",)),
        (state({"x": A0, "b": A0, "w": B0}), "split", "w", "ak", ("R8",)),
        (
            state({"x": A0, "w": B0}, "b"),
            "split",
            "w",
            "ak",
            state({"x": A0, "a": A0, "k": A1}, "b", "w", steps=1, cost=1),
        ),
        (state({"x": A0}, "b", steps=3), "flip", "x", "w", ("R9",)),
        (state({"x": A0}, "b", cost=2), "flip", "x", "w", ("R10",)),
        (state({"x": A0, "b": A0, "w": B0}, steps=3, cost=2), "found", "", "a", ("R10", "R8", "R9")),
        (state({"x": A0, "b": A0, "w": B0}, steps=3, cost=2), "found", "", "w", ("R6",)),  # only after R1 to R7
        (state({"x": A1, "b": A1}, steps=3, cost=2), "join", "xb", "w", ("R7",)),
    ],
)
def test_rules_after_the_step(before: State, op: str, args: str, out: str, broken: tuple[str, ...] | State) -> None:
    assert judged(before, op, args, out) == broken


def test_faults_say_what_was_found_and_what_was_needed() -> None:
    before = state({"b": A0, "w": B0}, "x")
    first = TP.step(small(), before, Step("join", ("x", "w"), ("w",))).faults
    assert first == (
        ("R2", "x consumed", "live args: b, w"),
        ("R4", "w of type B", "type A for w"),
        ("R6", "w allocated before", "different ids out of a, k"),
    )
    second = TP.step(small(), state({"x": A1, "b": A1}), Step("join", ("x", "b"), ())).faults
    assert second == (
        ("R5", "0 out ids", "1 for join"),
        ("R7", "join of ([1], [1])", "a row of its table: ([0], [0]), ([0], [1])"),
    )


@pytest.mark.parametrize(
    ("live", "forbidden", "allowed"),
    [
        ({"w": B0}, True, True),
        ({}, False, False),
        ({"w": B0, "x": A0}, False, True),
        ({"w": B0, "a": B0}, False, True),
        ({"x": A0}, False, False),
    ],
)
def test_goal(live: dict[str, Any], forbidden: bool, allowed: bool) -> None:
    loose = small(goal={**SMALL["goal"], "leftovers": "allowed"})
    for instance, met in ((small(), forbidden), (loose, allowed)):
        faults = TP.unmet(instance, state(live), None)
        assert [fault.rule for fault in faults] == ([] if met else ["G"])


def test_the_goal_is_a_multiset() -> None:
    twice = small(goal={"values": [{"type": "B", "value": [0, 0]}] * 2, "leftovers": "allowed"})
    assert TP.unmet(twice, state({"w": B0, "x": A0}), None)
    assert not TP.unmet(twice, state({"w": B0, "a": B0, "x": A0}), None)


def steps(*lines: str) -> dict[str, Any]:
    """Steps of "op args > outs" as submission JSON."""
    made = []
    for line in lines:
        (op, *args), _, out = line.partition(">")[0].split(), None, line.partition(">")[2].split()
        made.append({"op": op, "args": args, "out": out})
    return {"steps": made}


def test_legal_but_wrong_as_the_seed_says() -> None:
    submission = steps("decode input > v0 v1", "tag v0 > v2", "pack v2 v1 > v3", "seal v3 > v4")
    verdict = grade(TP, SHOW, canonical(submission))
    assert (verdict.status, verdict.cost, verdict.codes) == ("rejected", 4, ("G",))
    answer: Any = answer_e(TP, SHOW, TP.read_submission(SHOW, submission))
    assert answer["final_state"] == {
        "live": {"v4": {"type": "Seal", "value": [0, 1]}},
        "allocated": ["input", "v0", "v1", "v2", "v3", "v4"],
        "steps": 4,
        "cost": 4,
    }


@pytest.mark.parametrize(
    ("lines", "step", "rules"),
    [
        (("seal input > v0",), 1, ("R4",)),
        (("decode input > v0",), 1, ("R5",)),
        (("decode input > v0 v1 v2",), 1, ("R5",)),
        (("decode input > input v0",), 1, ("R6",)),
        (("decode input > v0 v0",), 1, ("R6",)),
        (("decode input > v0 v1", "decode input > v2 v3"), 2, ("R2",)),
        (("decode input > v0 v1", "invert v1 > v2"), 2, ("R4",)),
        (("decode input > v0 v1", "invert v0 > v0"), 2, ("R6",)),
        (("decode input > v0 v1", "tag v0 v1 > v2"), 2, ("R1",)),
        (("decode input > v0 v1", "pack v0 v1 > v2"), 2, ("R4",)),
        (("decode input > v0 v1", "tag v0 > v2", "pack v2 v0 > v3"), 3, ("R2",)),
        (("decode input > v5 v1", "tag v5 > v0", "pack v0 v1 > v2", "seal v2 > v5"), 4, ("R6",)),
    ],
)
def test_probes_of_the_seed(lines: tuple[str, ...], step: int, rules: tuple[str, ...]) -> None:
    verdict = grade(TP, SHOW, canonical(steps(*lines)))
    assert (verdict.status, verdict.step, verdict.codes) == ("illegal", step, rules)


def test_permuted_fresh_ids_are_accepted_and_are_one_word() -> None:
    witness = TP.read_submission(SHOW, showcase("TP-001").witness)
    other = TP.read_submission(
        SHOW, steps("decode input > v5 v2", "invert v5 > v0", "tag v0 > v4", "pack v4 v2 > v1", "seal v1 > v3")
    )
    assert run(TP, SHOW, other).status == "accepted"
    assert TP.normal(SHOW, other) == witness
    assert TP.normal(SHOW, witness) == witness
    assert TP.namings(SHOW, witness) == 720


def test_names_follow_the_listed_order() -> None:
    """w, a, k is the order of the instance; initial ids keep their names; ids never made follow."""
    made = Submission((Step("flip", ("x",), ("k",)), Step("flip", ("k",), ("a",))))
    assert TP.normal(small(), made).moves == (Step("flip", ("x",), ("w",)), Step("flip", ("w",), ("a",)))
    assert TP.namings(small(), made) == 6
    early = Submission((Step("flip", ("a",), ("k",)),))  # a is never created
    assert TP.normal(small(), early).moves == (Step("flip", ("k",), ("w",)),)
    assert TP.namings(small(), Submission((Step("drop", ("x",), ()),))) == 1


def test_moves_and_expand_count_alike_by_hand() -> None:
    """From two alike A[0] and three ids: 6 flips, 6 joins, 2 drops, 3 founds; ways add up modulo names."""
    instance = small()
    assert Counter(move.op for move in TP.moves(instance, START)) == {"flip": 6, "join": 6, "drop": 2, "found": 3}
    assert [move.out for move in TP.normal_moves(instance, START)] == [("w",), ("w",), ("w",), ("w",), (), (), ("w",)]
    assert TP.expand is not None
    expected = {
        Key((A0, A1), 3, 1, 1): 6,
        Key((B0,), 3, 1, 1): 6,
        Key((A0,), 2, 1, 1): 2,
        Key((A0, A0, B0), 3, 1, 1): 3,
    }
    for found in (TP.expand(instance, START), successors(TP, instance, START)):
        ways: Counter[Key] = Counter()
        for after, number in found.items():
            ways[TP.key(instance, after)] += number
        assert ways == expected


def test_ids_run_out() -> None:
    """Where fewer ids are left than an operation makes, nobody can name its outputs."""
    tight = state({"w": B0}, "x", "b", "a")
    assert fresh(small(), tight) == ("k",)
    assert [move.op for move in TP.moves(small(), tight)] == ["found"]
    assert [move.op for move in TP.normal_moves(small(), tight)] == ["found"]
    assert TP.expand is not None
    assert list(TP.expand(small(), tight).values()) == [1]


def test_words_and_classes_by_hand() -> None:
    """B alone: join x and b in either order, or flip one to 1 and join it as second. drop, drop, found would cost 3."""
    instance = small()
    assert sorted([(move.op, move.args) for move in word.moves] for word in words(TP, instance)) == [
        [("flip", ("b",)), ("join", ("x", "w"))],
        [("flip", ("x",)), ("join", ("b", "w"))],
        [("join", ("b", "x"))],
        [("join", ("x", "b"))],
    ]
    assert count(TP, instance).raw == {1: 2 * 3, 2: 2 * 3 * 2}
    dearer = small(budget={"live": 3, "steps": 3, "cost": 3})
    counted = count(TP, dearer)
    assert counted.optimum == 1
    # drop x, drop b, found: 6 orders are one class, each with 3 names
    three = [word for word in words(TP, dearer) if {move.op for move in word.moves} == {"drop", "found"}]
    assert len(three) == 6
    assert [one.size for one in classes(TP, dearer, three)] == [18]


def test_counts_of_the_showcase() -> None:
    """One word, 6·5·4·3·2·1 names. States by depth (L left, T tagged, P packed, S sealed, with the left bit):
    raw; L0; L1 T0; L0 T1 P0; L1 T0 P1 S0; L0 T1 P0 S1."""
    found = count(TP, SHOW)
    assert (found.optimum, found.raw, found.reachable_states) == (5, {5: 720}, 1 + 1 + 2 + 3 + 4 + 4)
    assert len(list(words(TP, SHOW))) == 1


GOOD: dict[str, Any] = {
    "live": {"b": {"type": "A", "value": [1]}},
    "allocated": ["w", "b"],
    "steps": 0,
    "cost": 9,
}


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"live": {"x": {"type": "A", "value": [1]}}}, "contradiction", "/live/x"),
        ({"live": {"q": {"type": "A", "value": [1]}}}, "unknown-name", "/live/q"),
        ({"live": {"b": {"type": "C", "value": [1]}}}, "unknown-name", "/live/b/type"),
        ({"live": {"b": {"type": "A", "value": [2]}}}, "domain", "/live/b/value"),
        ({"live": {"b": {"type": "A", "value": 1}}}, "wrong-type", "/live/b/value"),
        ({"live": {"b": {"type": "A", "value": [True]}}}, "wrong-type", "/live/b/value/0"),
        ({"live": {"b": {"type": "A"}}}, "missing-key", "/live/b"),
        ({"live": []}, "wrong-type", "/live"),
        ({"allocated": ["b", "b"]}, "contradiction", "/allocated"),
        ({"allocated": ["b", "q"]}, "unknown-name", "/allocated/1"),
        ({"allocated": []}, "contradiction", "/live/b"),
        ({"steps": -1}, "out-of-range", "/steps"),
        ({"cost": "0"}, "wrong-type", "/cost"),
        ({"free": {}}, "unknown-key", "/free"),
    ],
)
def test_malformed_states(change: dict[str, Any], code: str, pointer: str) -> None:
    assert TP.read_state(small(), GOOD) == state({"b": A1}, "w", cost=9)
    with pytest.raises(MalformedInput) as caught:
        TP.read_state(small(), {**GOOD, **change})
    assert caught.value.code == code
    assert caught.value.pointer.startswith(pointer)


def test_p_answers_sort_what_is_a_set() -> None:
    move = TP.read_move(small(), {"op": "flip", "args": ["b"], "out": ["a"]})
    free = small(budget={"live": 3, "steps": 9, "cost": 19})
    answer: Any = answer_p(TP, free, TP.read_state(free, GOOD), move)
    assert answer["next_state"] == {
        "live": {"a": {"type": "A", "value": [0]}},
        "allocated": ["a", "b", "w"],
        "steps": 1,
        "cost": 10,
    }


def test_edges_are_values_with_type_and_positions() -> None:
    made = Submission(
        (
            Step("join", ("x", "b"), ("w",)),
            Step("split", ("w",), ("a", "k")),
            Step("join", ("a", "k"), ("z",)),
        )
    )
    assert TP.edges(small(), made) == (
        Edge(-1, 0, "A:1:0"),
        Edge(-1, 0, "A:0:1"),
        Edge(0, 1, "B:0:0"),
        Edge(1, 2, "A:0:0"),
        Edge(1, 2, "A:1:1"),
    )
