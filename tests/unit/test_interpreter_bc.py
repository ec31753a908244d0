"""Boolean circuit, by hand: every rule, when it is judged, tables on every row, counting by vectors, seed probes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from json_mutants import broken as broken_json

from cwr_solvers.catalogue import WORLDS, showcase
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.grading import answer_e, answer_p, grade
from cwr_solvers.jsontext import canonical
from cwr_solvers.search import count, goal_choices, successors, words
from cwr_solvers.symmetry import classes
from cwr_solvers.world import Broken, Edge, Submission
from cwr_solvers.worlds.bc.instance import Gate
from cwr_solvers.worlds.bc.interpreter import State

BC = WORLDS["BC"]
SHOW = BC.read_instance(showcase("BC-001").instance)

# LT is "not first and second", so its inputs are not to be exchanged; NOT reads its first input only, for nothing.
SMALL: dict[str, Any] = {
    "family": "BC",
    "code": "small",
    "pins": ["q", "p"],
    "operators": [
        {"name": "AND", "table": [0, 0, 0, 1]},
        {"name": "LT", "table": [0, 1, 0, 0], "cost": 2},
        {"name": "NOT", "table": [1, 1, 0, 0], "cost": 0},
    ],
    "goal": {"outputs": {"sum": [0, 1, 1, 0], "carry": [0, 0, 0, 1]}},
    "budget": {"gates": 3, "cost": 4},
}
Q, P = 0b0011, 0b0101


def small(**changes: Any) -> Any:
    return BC.read_instance({**SMALL, **changes})


def state(*gates: int, cost: int = 0, rows: int = 4, pins: tuple[int, int] = (Q, P)) -> State:
    return State((*pins, *gates), rows, len(gates), cost)


def gate(words: str) -> Gate:
    """A gate written as "g0 AND p q"."""
    name, op, first, second = words.split()
    return Gate(name, op, (first, second))


def circuit(*lines: str) -> tuple[Gate, ...]:
    return tuple(map(gate, lines))


def judged(before: State, words: str, instance: Any = None) -> tuple[str, ...] | State:
    """Broken rules or the next state."""
    after = BC.step(instance or small(), before, gate(words))
    if isinstance(after, Broken):
        return after.rules
    assert isinstance(after, State)
    return after


def test_the_first_pin_has_the_most_significant_bit_of_a_row() -> None:
    assert BC.initial(small()) == state()
    assert BC.write_state(SHOW, BC.initial(SHOW)) == {
        "signals": {"a": [0, 0, 0, 0, 1, 1, 1, 1], "b": [0, 0, 1, 1, 0, 0, 1, 1], "c": [0, 1, 0, 1, 0, 1, 0, 1]},
        "steps": 0,
        "cost": 0,
    }


@pytest.mark.parametrize("number", range(1, 9))
def test_row_and_pin(number: int) -> None:
    """For each number of pins: the bits of all pins on row r, first pin first, are r in binary."""
    names = [f"p{pin}" for pin in range(number)]
    instance = BC.read_instance({**SMALL, "pins": names, "goal": {"output": [0] * 2**number}})
    written: Any = BC.write_state(instance, BC.initial(instance))
    assert list(written["signals"]) == names
    for row, bits in enumerate(zip(*written["signals"].values(), strict=True)):
        assert "".join(map(str, bits)) == f"{row:0{number}b}"


@pytest.mark.parametrize(
    ("words", "after"),
    [
        ("g0 AND q p", state(0b0001, cost=1)),
        ("g0 AND p q", state(0b0001, cost=1)),
        ("g0 AND p p", state(0b0101, cost=1)),
        ("g0 LT q p", state(0b0100, cost=2)),
        ("g0 LT p q", state(0b0010, cost=2)),
        ("g0 LT p p", state(0b0000, cost=2)),
        ("g0 NOT q p", state(0b1100)),
        ("g0 NOT p q", state(0b1010)),
    ],
)
def test_legal_gates(words: str, after: State) -> None:
    assert judged(state(), words) == after


@pytest.mark.parametrize("table", list(product((0, 1), repeat=4)))
def test_every_table_on_every_row(table: tuple[int, ...]) -> None:
    """The rows of (first, second) = (q, p) are 00, 01, 10, 11, so the vector of the gate is the table itself."""
    instance = small(operators=[{"name": "F", "table": list(table)}])
    t00, t01, t10, t11 = table
    for made, bits in (("g0 F q p", table), ("g0 F p q", (t00, t10, t01, t11)), ("g0 F q q", (t00, t00, t11, t11))):
        after = judged(state(), made, instance)
        assert isinstance(after, State)
        written: Any = BC.write_state(instance, after)
        assert written["signals"]["g0"] == list(bits)


@pytest.mark.parametrize(("first", "second"), list(product((0, 1), repeat=2)))
def test_one_row(first: int, second: int) -> None:
    """A truth-row probe: the gate on the bits of one row."""
    before = state(rows=1, pins=(first, second))
    assert judged(before, "g0 AND q p") == state(first & second, rows=1, pins=(first, second), cost=1)
    assert judged(before, "g0 NOT q p") == state(1 - first, rows=1, pins=(first, second))
    assert judged(before, "g0 LT q p") == state(int((first, second) == (0, 1)), rows=1, pins=(first, second), cost=2)


FULL = state(Q, P, Q)


@pytest.mark.parametrize(
    ("before", "words", "broken"),
    [
        (state(), "g1 AND q p", ("R1",)),
        (state(), "g2 AND q q", ("R1",)),
        (state(Q), "g0 AND q p", ("R1",)),
        (state(Q), "g2 AND q p", ("R1",)),
        (state(Q), "g1 AND g0 g0", state(Q, Q, cost=1)),
        (state(), "g0 AND g0 p", ("R2",)),  # it reads itself
        (state(), "g0 AND p g1", ("R2",)),
        (state(Q), "g1 AND g2 g2", ("R2",)),
        (state(), "g1 AND g0 p", ("R1", "R2")),
        (state(Q), "g2 AND g1 g0", ("R1", "R2")),
        (FULL, "g0 AND q p", ("R1", "R3")),  # no id is left
        (FULL, "g2 AND g2 g1", ("R1", "R3")),
        (state(cost=4), "g0 AND q p", ("R4",)),
        (state(cost=3), "g0 AND q p", state(0b0001, cost=4)),
        (state(cost=3), "g0 LT q p", ("R4",)),
        (state(cost=4), "g0 NOT q p", state(0b1100, cost=4)),
        (state(cost=9), "g0 NOT q p", ("R4",)),  # a gate that costs nothing does not excuse the cost so far
        (state(cost=4), "g1 AND q p", ("R1",)),  # R4 only when all others hold
        (state(cost=4), "g0 AND q g0", ("R2",)),
        (FULL._replace(cost=4), "g1 AND q p", ("R1", "R3")),
    ],
)
def test_rules_of_a_step(before: State, words: str, broken: tuple[str, ...] | State) -> None:
    assert judged(before, words) == broken


def test_faults_say_what_was_found_and_what_was_needed() -> None:
    first = BC.step(small(), state(Q), gate("g2 AND g1 g2")).faults
    assert first == (("R1", "gate g2", "g1"), ("R2", "input g1, g2", "inputs out of q, p, g0"))
    assert BC.step(small(), FULL, gate("g0 AND q p")).faults == (
        ("R1", "gate g0", "no further gate: all ids are used"),
        ("R3", "gate number 4", "at most 3 gates"),
    )
    assert BC.step(small(), state(cost=4), gate("g0 AND q p")).faults == (("R4", "cost 5", "cost of at most 4"),)


@pytest.mark.parametrize(
    ("choice", "wrong"),
    [
        (("g1", "g0"), []),  # carry and sum: outputs are in the order of their names
        (("g0", "g1"), ["carry", "sum"]),
        (("g1", "g1"), ["sum"]),
        (("p", "g0"), ["carry"]),
        (("g1", "g2"), ["sum"]),  # not there
        (None, ["carry"]),
    ],
)
def test_goal(choice: tuple[str, ...] | None, wrong: list[str]) -> None:
    assert list(small().goal) == ["carry", "sum"]
    faults = BC.unmet(small(), state(0b0110, 0b0001), choice)
    assert {fault.rule for fault in faults} == ({"G"} if wrong else set())
    assert [name for name in ("carry", "sum") if any(name in fault.needed for fault in faults)] == (
        ["carry", "sum"] if choice is None else wrong
    )


def test_a_goal_says_which_vector_was_chosen() -> None:
    assert BC.unmet(SHOW, BC.initial(SHOW), ("b",)) == (("G", "output: b is 00110011", "output: 00010111"),)
    long = BC.read_instance({**SMALL, "pins": list("abcdef"), "goal": {"output": [0] * 63 + [1]}})
    assert BC.unmet(long, BC.initial(long), ("f",)) == (
        ("G", "output: f is 0x5555555555555555", "output: 0x0000000000000001"),
    )


def test_one_row_meets_no_goal() -> None:
    """The bits of one row may be the number of the wanted vector; they are not the vector."""
    instance = BC.read_instance({**SMALL, "pins": ["p"], "goal": {"output": [0, 1]}})
    assert not BC.unmet(instance, State((1,), 2, 0, 0), ("p",))
    assert BC.unmet(instance, State((1,), 1, 0, 0), ("p",))


def submission(*lines: str, output: str) -> dict[str, Any]:
    gates = [{"id": made.id, "op": made.op, "inputs": list(made.inputs)} for made in circuit(*lines)]
    return {"gates": gates, "output": output}


WITNESS = ("g0 AND a b", "g1 XOR a b", "g2 AND g1 c", "g3 OR g0 g2")


def test_legal_but_wrong_as_the_seed_says() -> None:
    wrong = submission(*WITNESS, output="g2")
    verdict = grade(BC, SHOW, canonical(wrong))
    assert (verdict.status, verdict.cost, verdict.codes) == ("rejected", 4, ("G",))
    answer: Any = answer_e(BC, SHOW, BC.read_submission(SHOW, wrong))
    assert answer["first_illegal_step"] is None
    assert answer["goal"] is False
    assert answer["final_state"] == {
        "signals": {
            "a": [0, 0, 0, 0, 1, 1, 1, 1],
            "b": [0, 0, 1, 1, 0, 0, 1, 1],
            "c": [0, 1, 0, 1, 0, 1, 0, 1],
            "g0": [0, 0, 0, 0, 0, 0, 1, 1],
            "g1": [0, 0, 1, 1, 1, 1, 0, 0],
            "g2": [0, 0, 0, 1, 0, 1, 0, 0],
            "g3": [0, 0, 0, 1, 0, 1, 1, 1],
        },
        "steps": 4,
        "cost": 4,
    }


@pytest.mark.parametrize(
    ("lines", "step", "rules"),
    [
        (("g0 AND g1 b", "g1 XOR a b"), 1, ("R2",)),  # g0 reads g1
        (("g0 AND g0 b",), 1, ("R2",)),
        (("g1 AND a b", "g0 XOR a b"), 1, ("R1",)),
        (("g0 AND a b", "g0 XOR a b"), 2, ("R1",)),
        (("g0 AND a b", "g2 XOR a b", "g1 OR a b"), 2, ("R1",)),
        (("g0 AND a b", "g1 XOR g2 b", "g2 OR a b"), 2, ("R2",)),
        (("g0 AND a b", "g3 XOR g1 b", "g1 OR a b"), 2, ("R1", "R2")),
        ((*WITNESS, "g0 AND a b"), 5, ("R1", "R3")),
    ],
)
def test_illegal_circuits(lines: tuple[str, ...], step: int, rules: tuple[str, ...]) -> None:
    verdict = grade(BC, SHOW, canonical(submission(*lines, output="a")))
    assert (verdict.status, verdict.step, verdict.codes) == ("illegal", step, rules)


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"output": "g1"}, "unknown-name", "/output"),  # the instance has it, this circuit does not
        ({"output": "d"}, "unknown-name", "/output"),
        ({"output": 0}, "wrong-type", "/output"),
        ({"gates": [{"id": "g4", "op": "AND", "inputs": ["a", "b"]}]}, "unknown-name", "/gates/0/id"),
        ({"gates": [{"id": "a", "op": "AND", "inputs": ["a", "b"]}]}, "unknown-name", "/gates/0/id"),
        ({"gates": [{"id": "g0", "op": "NOT", "inputs": ["a", "b"]}]}, "unknown-name", "/gates/0/op"),
        ({"gates": [{"id": "g0", "op": "AND", "inputs": ["a", "g4"]}]}, "unknown-name", "/gates/0/inputs/1"),
        ({"gates": [{"id": "g0", "op": "AND", "inputs": ["a"]}]}, "out-of-range", "/gates/0/inputs"),
        ({"gates": [{"id": "g0", "op": "AND", "inputs": ["a", "b", "c"]}]}, "out-of-range", "/gates/0/inputs"),
        ({"outputs": {"output": "a"}}, "unknown-key", "/outputs"),
    ],
)
def test_malformed_circuits(change: dict[str, Any], code: str, pointer: str) -> None:
    verdict = grade(BC, SHOW, canonical({"gates": [], "output": "a", **change}))
    assert verdict.status == "malformed"
    assert verdict.error is not None
    assert (verdict.error.code, verdict.error.pointer) == (code, pointer)


def read(reader: Callable[[Any, Any], Any], value: Any) -> Any:
    """What a reader makes of a value: what it read, or code and pointer of its refusal."""
    try:
        return reader(SHOW, value)
    except MalformedInput as error:
        return error.code, error.pointer


def test_the_quick_reader_of_gates_reads_what_the_one_with_pointers_reads() -> None:
    """A circuit of one gate is read exactly when the gate alone is, and else refused at the same place."""
    legal = 0
    for name, op, one, two in product(("g0", "g3", "a"), ("AND", "or"), ("a", "g1", "g4"), ("c", "b")):
        first = {"id": name, "op": op, "inputs": [one, two]}
        for value in [first, *broken_json({"id": name, "op": op, "inputs": [one]})]:
            alone = read(BC.read_move, value)
            circuit_of_it = read(BC.read_submission, {"gates": [value], "output": "a"})
            if isinstance(alone, Gate):
                assert circuit_of_it.moves == (alone,)
                legal += 1
            else:
                assert circuit_of_it == (alone[0], f"/gates/0{alone[1]}")
    assert legal == 2 * 1 * 2 * 2


def test_several_outputs_are_named() -> None:
    """A half adder. The choice has the outputs in the order of their names, the text in any."""
    good: dict[str, Any] = {
        "gates": [
            {"id": "g0", "op": "AND", "inputs": ["q", "p"]},
            {"id": "g1", "op": "XOR", "inputs": ["q", "p"]},
        ],
        "outputs": {"sum": "g1", "carry": "g0"},
    }
    half = small(operators=[*SMALL["operators"], {"name": "XOR", "table": [0, 1, 1, 0]}])
    assert grade(BC, half, canonical(good)).status == "accepted"
    assert grade(BC, half, canonical({**good, "outputs": {"sum": "g0", "carry": "g1"}})).status == "rejected"
    for outputs in ({"sum": "g1"}, {"sum": "g1", "carry": "g0", "x": "g0"}, ["g1", "g0"], {"sum": "g1", "carry": "g2"}):
        assert grade(BC, half, canonical({**good, "outputs": outputs})).status == "malformed"
    word = BC.read_submission(half, good)
    assert word.choice == ("g0", "g1")
    assert BC.write_submission(half, word) == good


def test_words_have_the_inputs_of_symmetric_operators_sorted() -> None:
    """Pins in stated order (q before p), then gates by number; LT and NOT keep theirs."""
    made = Submission(circuit("g0 AND p q", "g1 LT p q", "g2 AND g1 g0"), ("g2", "q"))
    assert BC.normal(small(), made).moves == circuit("g0 AND q p", "g1 LT p q", "g2 AND g0 g1")
    assert BC.normal(small(), made).choice == ("g2", "q")
    many = BC.read_instance({**SMALL, "budget": {"gates": 12, "cost": 9}})
    assert BC.normal(many, Submission(circuit("g0 AND g10 g9"), ("q", "q"))).moves == circuit("g0 AND g9 g10")


@pytest.mark.parametrize(
    ("lines", "number"),
    [((), 1), (("g0 AND q p",), 2), (("g0 AND q q",), 1), (("g0 LT q p",), 1), (("g0 AND q p", "g1 AND q g0"), 4)],
)
def test_namings(lines: tuple[str, ...], number: int) -> None:
    assert BC.namings(small(), Submission(circuit(*lines), ("q", "q"))) == number


def test_exchanges_renumber() -> None:
    made = Submission(circuit("g0 AND q p", "g1 LT p q", "g2 AND g0 g1"), ("g0", "g2"))
    assert list(BC.exchanges(small(), made)) == [
        Submission(circuit("g0 LT p q", "g1 AND q p", "g2 AND g0 g1"), ("g1", "g2"))
    ]
    chain = Submission(circuit("g0 AND q p", "g1 NOT g0 q", "g2 AND q g1"), ("g0", "g2"))
    assert list(BC.exchanges(small(), chain)) == []
    apart = Submission(circuit("g0 AND q p", "g1 LT g0 p", "g2 LT q g0"), ("g2", "g1"))
    assert list(BC.exchanges(small(), apart)) == [
        Submission(circuit("g0 AND q p", "g1 LT q g0", "g2 LT g0 p"), ("g1", "g2"))
    ]


# One operator, and the goal a pair of pins has at once.
TINY: dict[str, Any] = {
    **SMALL,
    "operators": [{"name": "AND", "table": [0, 0, 0, 1]}],
    "goal": {"output": [0, 0, 0, 1]},
    "budget": {"gates": 2, "cost": 2},
}


def test_counts_words_and_classes_by_hand() -> None:
    """Of one gate: AND(q, p) in 2 orders. Of two gates, with the ways to order inputs:

    g0 = AND(q, q) is q again; then g1 = AND(q, p) or AND(p, g0): 1·(2 + 2); with p for q as many.
    g0 = AND(q, p): as output, g1 is anything: 2·9; else g1 = AND(q, p), AND(q, g0), AND(p, g0), AND(g0, g0): 2·7.
    """
    instance = BC.read_instance(TINY)
    found = count(BC, instance)
    assert found.raw == {1: 2, 2: 4 + 4 + 18 + 14}
    assert found.reachable_states == 1 + 3 + 9  # q, p or q and p; whatever is there, a gate makes one of these
    listed = list(words(BC, instance))
    assert len(listed) == 1 + 2 + 2 + 6 + 4
    # AND(q, p) beside a copy of a pin comes in two orders, and twice AND(q, p) has two gates for the output
    assert sorted(one.size for one in classes(BC, instance, listed)) == sorted([2, 4, 4, 2, 2, 8, 4, 4, 2, 4, 4, 2])


def test_states_are_counted_with_every_cost_that_they_can_have() -> None:
    """A second AND that costs 2: a list of one vector costs 1 or 2, a list of two costs 2 or 3, and 4 is too much."""
    twice = [{"name": "AND", "table": [0, 0, 0, 1]}, {"name": "ALSO", "table": [0, 0, 0, 1], "cost": 2}]
    instance = BC.read_instance({**TINY, "operators": twice, "budget": {"gates": 2, "cost": 3}})
    found = count(BC, instance)
    assert found.raw == {1: 2, 2: 2 + 40, 3: 2 * 40}
    assert found.reachable_states == 1 + 3 * 2 + 9 * 2


RANDOM = [BC.read_instance(BC.generate(f"counting-{number}")) for number in range(24)]


def enumerated(instance: Any) -> tuple[int, Counter[int]]:
    """States, and accepted submissions by cost, of every list of vectors there is, by moves and steps alone."""
    layer = Counter({BC.initial(instance): 1})
    states, raw = 0, Counter[int]()
    while layer:
        states += len(layer)
        following: Counter[Any] = Counter()
        for before, paths in layer.items():
            raw[before.cost] += paths * len(goal_choices(BC, instance, before))
            for after, ways in successors(BC, instance, before).items():
                following[after] += paths * ways
        layer = following
    return states, +raw


def test_counting_by_vectors_is_counting_by_moves() -> None:
    """States and submissions of all costs, with and without the shortcut for the last layer; some costs differ."""
    compared = Counter[str]()
    for instance in RANDOM:
        if instance.most_gates <= 3 and len(instance.pins) * len(instance.operators) <= 6:
            found = count(BC, instance)
            assert (found.reachable_states, found.raw) == enumerated(instance)
            compared["apart" if len({operator.cost for operator in instance.operators}) > 1 else "alike"] += 1
            plain = replace(BC, finish=None, expand=None)
            assert count(plain, instance) == found
            assert set(words(plain, instance)) == set(words(BC, instance))
    assert min(compared.values()) >= 3
    assert len(compared) == 2


@pytest.mark.parametrize("instance", [SHOW, *RANDOM[:6]], ids=lambda instance: instance.code)
def test_a_wrong_shortcut_is_noticed(instance: Any) -> None:
    """`finish` matters where it answers: a world that forgets one accepted submission there counts one less."""
    assert BC.finish is not None

    def forgetful(given: Any, before: Any) -> Any:
        ends = BC.finish(given, before) if BC.finish is not None else None
        return ends and {cost: ways - 1 for cost, ways in ends.items()}

    truth = count(BC, instance)
    wrong = count(replace(BC, finish=forgetful), instance)
    assert (truth.raw == wrong.raw) == (truth.optimum is None)


def test_finish_says_none_exactly_where_two_gates_may_follow() -> None:
    assert BC.finish is not None
    for instance in RANDOM[:20]:
        layer = {BC.initial(instance)}
        while layer:
            after = {before: set(successors(BC, instance, before)) for before in layer}
            for before, following in after.items():
                two = any(successors(BC, instance, one) for one in following)
                assert (BC.finish(instance, before) is None) == two
            layer = set().union(*after.values()) if len(layer) < 60 else set()


def test_where_no_id_is_left_nothing_follows() -> None:
    """The goal is met in a full state: that is one submission, and a further gate none."""
    assert BC.expand is not None
    assert BC.finish is not None
    full = state(0b0110, 0b0001, 0b0110, cost=1)
    assert BC.expand(small(), full) == {}
    assert list(BC.moves(small(), full)) == list(BC.normal_moves(small(), full)) == []
    assert BC.finish(small(), full) == {1: 2}  # the sum is g0 or g2


def test_moves_by_hand() -> None:
    """Three operators on two signals: 4 ordered pairs each, and of AND, which is symmetric, 3 unordered ones."""
    assert Counter(move.op for move in BC.moves(small(), state())) == {"AND": 4, "LT": 4, "NOT": 4}
    normal = Counter(move.op for move in BC.normal_moves(small(), state()))
    assert normal == {"AND": 3, "LT": 4, "NOT": 4}
    assert gate("g0 AND q p") in set(BC.normal_moves(small(), state()))
    assert gate("g0 AND p q") not in set(BC.normal_moves(small(), state()))


def test_the_key_forgets_the_order_of_gates_and_nothing_else() -> None:
    key = BC.key(small(), state(1, 2, 2, cost=3))
    assert key == BC.key(small(), state(2, 1, 2, cost=3))
    others = [state(1, 1, 2, cost=3), state(1, 2, cost=3), state(1, 2, 2), state(1, 2, 2, cost=3, pins=(P, Q))]
    assert all(BC.key(small(), other) != key for other in others)


def test_counts_of_the_showcase() -> None:
    """Confirmed once by a program in C that makes all 10,497,600 circuits of four gates. No fewer gates will do."""
    found = count(BC, SHOW)
    assert (found.optimum, found.raw, found.reachable_states) == (4, {4: 672}, 1 + 13 + 214 + 4405 + 112318)
    listed = list(words(BC, SHOW))
    assert sorted(Counter(one.size for one in classes(BC, SHOW, listed)).items()) == [(32, 3), (48, 12)]
    assert len(listed) == 42


def test_a_limit_on_states_is_undecided() -> None:
    assert BC.states is not None
    with pytest.raises(Undecided):
        BC.states(SHOW, 100)
    with pytest.raises(Undecided):
        count(BC, SHOW, 100)


GOOD: dict[str, Any] = {"signals": {"q": [1, 1, 0, 0], "p": [0, 0, 0, 0], "g0": [0, 1, 1, 0]}, "steps": 1, "cost": 7}


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"signals": {"q": [1, 1, 0, 0], "g0": [0, 1, 1, 0]}}, "contradiction", "/signals"),
        ({"signals": {"q": [1, 1, 0, 0]}}, "contradiction", "/signals"),
        ({"signals": {}}, "contradiction", "/signals"),
        ({"signals": {**GOOD["signals"], "g2": [0, 0, 0, 0]}}, "contradiction", "/signals"),
        ({"signals": {**GOOD["signals"], "g3": [0, 0, 0, 0]}}, "unknown-name", "/signals/g3"),
        ({"signals": {**GOOD["signals"], "x": [0, 0, 0, 0]}}, "unknown-name", "/signals/x"),
        ({"signals": {**GOOD["signals"], "p": [0, 0, 0]}}, "contradiction", "/signals/p"),
        ({"signals": {**GOOD["signals"], "p": [0]}}, "contradiction", "/signals/p"),
        ({"signals": {**GOOD["signals"], "q": [0]}}, "contradiction", "/signals/p"),
        ({"signals": {**GOOD["signals"], "p": []}}, "contradiction", "/signals/p"),
        ({"signals": {name: [0, 1] for name in ("q", "p", "g0")}}, "contradiction", "/signals/q"),
        ({"signals": {name: [] for name in ("q", "p", "g0")}}, "contradiction", "/signals/q"),
        ({"signals": {**GOOD["signals"], "p": [0, 0, 0, 2]}}, "out-of-range", "/signals/p/3"),
        ({"signals": {**GOOD["signals"], "p": [0, 0, 0, True]}}, "wrong-type", "/signals/p/3"),
        ({"signals": {**GOOD["signals"], "p": "0000"}}, "wrong-type", "/signals/p"),
        ({"signals": []}, "wrong-type", "/signals"),
        ({"steps": 0}, "contradiction", "/steps"),
        ({"steps": 2}, "contradiction", "/steps"),
        ({"cost": -1}, "out-of-range", "/cost"),
        ({"output": "q"}, "unknown-key", "/output"),
    ],
)
def test_malformed_states(change: dict[str, Any], code: str, pointer: str) -> None:
    assert BC.read_state(small(), GOOD) == state(0b0110, cost=7, pins=(0b1100, 0))
    with pytest.raises(MalformedInput) as caught:
        BC.read_state(small(), {**GOOD, **change})
    assert (caught.value.code, caught.value.pointer) == (code, pointer)


def test_p_answers_on_one_row_and_on_all() -> None:
    free = small(budget={"gates": 3, "cost": 99})
    move = BC.read_move(free, {"id": "g1", "op": "LT", "inputs": ["q", "g0"]})
    answer: Any = answer_p(BC, free, BC.read_state(free, GOOD), move)
    assert answer["next_state"]["signals"] == {**GOOD["signals"], "g1": [0, 0, 1, 0]}
    assert (answer["next_state"]["steps"], answer["next_state"]["cost"]) == (2, 9)
    row = {"signals": {"q": [0], "p": [1], "g0": [1]}, "steps": 1, "cost": 0}
    assert answer_p(BC, free, BC.read_state(free, row), move) == {
        "legal": True,
        "next_state": {"signals": {"q": [0], "p": [1], "g0": [1], "g1": [1]}, "steps": 2, "cost": 2},
    }


def test_edges_are_what_each_gate_reads() -> None:
    made = Submission(circuit("g0 AND q p", "g1 LT g0 g0", "g2 AND p g1"), ("g2", "q"))
    assert BC.edges(small(), made) == (
        Edge(-1, 0, "0:q"),
        Edge(-1, 0, "1:p"),
        Edge(0, 1, "0:g0"),
        Edge(0, 1, "1:g0"),
        Edge(-1, 2, "0:p"),
        Edge(1, 2, "1:g1"),
    )
    with pytest.raises(KeyError):
        BC.edges(small(), Submission(circuit("g0 AND q g1"), ("q", "q")))
