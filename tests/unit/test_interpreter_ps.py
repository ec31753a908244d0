"""Safety protocol, by hand: every rule, when each is judged, states, edges, and the seed's probes."""

from __future__ import annotations

import time
from typing import Any

import pytest

from cwr_solvers.catalogue import WORLDS, showcase
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import answer_e, answer_p, grade
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.search import count, words
from cwr_solvers.symmetry import classes
from cwr_solvers.world import Broken, Edge, Submission

PS = WORLDS["PS"]
BITS = ("draft", "durable", "ack", "done")
WITNESS = ("acquire", "stage", "release", "flush", "acknowledge", "commit")


def literals(text: str) -> list[Json]:
    """ "lock free, draft !1" as JSON: values are strings where they are no digits, ! says not."""
    found: list[Json] = []
    for pair in text.split(", ") if text else []:
        field, value = pair.split()
        word = value.removeprefix("!")
        found.append({"field": field, "is" if word == value else "not": int(word) if word.isdigit() else word})
    return found


def operation(name: str, when: str, **then: Json) -> dict[str, Json]:
    return {"name": name, "when": literals(when), "then": then}


# The seed's instance, as the seed has it.
SEED: dict[str, Any] = {
    "family": "PS",
    "code": "PS-001",
    "fields": [
        {"name": "lock", "values": ["free", "held"], "initial": "free"},
        *({"name": bit, "values": [0, 1], "initial": 0} for bit in BITS),
    ],
    "operations": [
        operation("acquire", "lock free, draft 0, durable 0", lock="held"),
        operation("stage", "lock held, draft 0, durable 0", draft=1),
        operation("release", "lock held", lock="free"),
        operation("flush", "lock free, draft 1, durable 0", draft=0, durable=1),
        operation("acknowledge", "lock free, durable 1, ack 0", ack=1),
        operation("commit", "lock free, durable 1, ack 1, done 0", done=1),
    ],
    "invariants": [literals("ack 0, durable 1"), literals("done 0, ack 1"), literals("draft 0, durable 0")],
    "goal": literals("done 1, lock free, draft 0"),
    "resource": {"field": "lock", "free": "free", "held": "held"},
    "budget": {"actions": 6, "cost": 6},
}
SHOW = PS.read_instance(SEED)

# Three values, and a number beside its spelling; `turn` assigns two fields at once, `keep` what is there already.
SMALL: dict[str, Any] = {
    "family": "PS",
    "code": "small",
    "fields": [
        {"name": "w", "values": ["low", "mid", "high"], "initial": "mid"},
        {"name": "a", "values": [7, "7", "x"], "initial": 7},
    ],
    "operations": [
        operation("turn", "w !high", w="high", a="x"),
        operation("keep", "w mid", w="mid"),
        {"name": "spell", "when": [{"field": "a", "is": 7}], "then": {"a": "7"}},
        {"name": "read", "when": [{"field": "a", "is": "7"}, {"field": "w", "not": "low"}], "then": {"a": 7}},
        operation("sink", "", w="low"),
    ],
    "invariants": [literals("w !low, a x"), [*literals("a !x"), *literals("w high, w low")]],
    "goal": literals("w !mid, a x"),
    "budget": {"actions": 3, "cost": 2},
}


def small(**changes: Any) -> Any:
    return PS.read_instance({**SMALL, **changes})


def state(instance: Any, *values: str | int, steps: int = 0, cost: int = 0) -> Any:
    names = [field.name for field in instance.fields]
    return PS.read_state(instance, {**dict(zip(names, values, strict=True)), "steps": steps, "cost": cost})


def after(instance: Any, before: Any, action: str) -> Any:
    """The values after an action, or the rules that it breaks."""
    found = PS.step(instance, before, action)
    if isinstance(found, Broken):
        return found.rules
    assert (found.steps, found.cost) == (before.steps + 1, before.cost + 1)
    return tuple(field.values[value] for field, value in zip(instance.fields, found.values, strict=True))


@pytest.mark.parametrize(
    ("values", "action", "reached"),
    [
        (("free", 0, 0, 0, 0), "acquire", ("held", 0, 0, 0, 0)),
        (("held", 0, 0, 0, 0), "stage", ("held", 1, 0, 0, 0)),
        (("held", 1, 0, 0, 0), "release", ("free", 1, 0, 0, 0)),
        (("held", 0, 1, 1, 1), "release", ("free", 0, 1, 1, 1)),
        (("free", 1, 0, 0, 0), "flush", ("free", 0, 1, 0, 0)),
        (("free", 0, 1, 0, 0), "acknowledge", ("free", 0, 1, 1, 0)),
        (("free", 0, 1, 1, 0), "commit", ("free", 0, 1, 1, 1)),
        (("free", 1, 0, 1, 0), "flush", ("free", 0, 1, 1, 0)),  # an acknowledgement without durable: mended
    ],
)
def test_effects_of_the_seed(values: tuple[str | int, ...], action: str, reached: tuple[str | int, ...]) -> None:
    assert after(SHOW, state(SHOW, *values), action) == reached


NEEDED = {
    "acquire": ("free", 0, 0, None, None),
    "stage": ("held", 0, 0, None, None),
    "release": ("held", None, None, None, None),
    "flush": ("free", 1, 0, None, None),
    "acknowledge": ("free", None, 1, 0, None),
    "commit": ("free", None, 1, 1, 0),
}


@pytest.mark.parametrize("action", WITNESS)
def test_every_precondition_of_the_seed_is_needed(action: str) -> None:
    """From a state that fits, each field is changed alone: R1 breaks where the field is asked for, and only there."""
    other: dict[str | int, str | int] = {"free": "held", "held": "free", 0: 1, 1: 0}
    fits = ["free", 0, 0, 0, 0]
    fits = [value if needed is None else needed for value, needed in zip(fits, NEEDED[action], strict=True)]
    assert PS.step(SHOW, state(SHOW, *fits), action).steps == 1
    for place, needed in enumerate(NEEDED[action]):
        changed = [*fits[:place], other[fits[place]], *fits[place + 1 :]]
        broken = after(SHOW, state(SHOW, *changed), action)
        assert (broken == ("R1",)) == (needed is not None)


@pytest.mark.parametrize(
    ("values", "action", "steps", "cost", "broken"),
    [
        (("free", 0, 0, 1, 0), "acquire", 0, 0, ("R2",)),  # acknowledged, not durable
        (("free", 0, 0, 0, 1), "acquire", 0, 0, ("R2",)),  # done, not acknowledged
        (("held", 1, 1, 0, 0), "release", 0, 0, ("R2",)),  # draft and durable
        (("free", 0, 0, 0, 0), "acquire", 6, 0, ("R3",)),
        (("free", 0, 0, 0, 0), "acquire", 0, 6, ("R4",)),
        (("free", 0, 0, 0, 0), "acquire", 5, 5, ("held", 0, 0, 0, 0)),
        (("held", 1, 1, 0, 0), "release", 6, 6, ("R2", "R3", "R4")),
        (("free", 1, 1, 0, 0), "release", 6, 6, ("R1",)),  # the rest waits for preconditions
    ],
)
def test_rules_after_the_step(values: tuple[str | int, ...], action: str, steps: int, cost: int, broken: Any) -> None:
    assert after(SHOW, state(SHOW, *values, steps=steps, cost=cost), action) == broken


@pytest.mark.parametrize(
    ("values", "action", "reached"),
    [
        (("mid", 7), "turn", ("high", "x")),  # high with 7 would do, mid with x would not: both at once
        (("low", "x"), "turn", ("high", "x")),
        (("high", 7), "turn", ("R1",)),
        (("mid", 7), "keep", ("mid", 7)),
        (("low", "x"), "keep", ("R1",)),
        (("mid", 7), "spell", ("mid", "7")),
        (("mid", "7"), "spell", ("R1",)),  # "7" is not 7
        (("mid", 7), "read", ("R1",)),  # 7 is not "7"
        (("mid", "7"), "read", ("mid", 7)),
        (("low", "7"), "read", ("R1",)),
        (("high", "x"), "sink", ("low", "x")),
        (("mid", 7), "sink", ("R2",)),
        (("mid", "x"), "sink", ("low", "x")),  # the state before the step may break an invariant
        (("mid", "x"), "keep", ("R2",)),
    ],
)
def test_values_negation_and_atomic_effects(values: Any, action: str, reached: Any) -> None:
    assert after(small(), state(small(), *values), action) == reached


def test_faults_say_what_was_found_and_what_was_needed() -> None:
    def faults(instance: Any, before: Any, action: str) -> list[tuple[str, str]]:
        return [(fault.found, fault.needed) for fault in PS.step(instance, before, action).faults]

    assert faults(small(), state(small(), "low", 7), "read") == [
        ('a 7, w "low"', 'a is "7", w not "low" for read'),
    ]
    both = [literals("w !low"), literals("a x")]
    assert faults(small(invariants=both[:1]), state(small(), "mid", 7, steps=3, cost=2), "sink") == [
        ('w "low"', 'w not "low"'),
        ("action number 4", "at most 3 actions"),
        ("cost 3", "cost of at most 2"),
    ]
    instance = small(invariants=[[*literals("w !low, a x")], literals("w mid")])
    assert faults(instance, state(instance, "mid", 7), "sink") == [
        ('w "low", a 7', 'w not "low" or a is "x" and w is "mid"'),
    ]


@pytest.mark.parametrize(
    ("values", "found"),
    [(("high", "x"), None), (("low", "x"), None), (("mid", "x"), 'w "mid"'), (("mid", "7"), 'w "mid", a "7"')],
)
def test_goal(values: Any, found: str | None) -> None:
    faults = PS.unmet(small(), state(small(), *values), None)
    assert [fault.found for fault in faults] == ([] if found is None else [found])
    assert all(fault.rule == "G" for fault in faults)


def test_the_goal_is_judged_at_the_end_only() -> None:
    instance = small(goal=literals("w high"), budget={"actions": 9, "cost": 9})
    said = [
        grade(PS, instance, canonical({"actions": list(found)})).status
        for found in [(), ("turn",), ("turn", "sink"), ("turn", "sink", "turn"), ("turn", "turn")]
    ]
    assert said == ["rejected", "accepted", "rejected", "accepted", "illegal"]


@pytest.mark.parametrize(
    ("actions", "step", "rules"),
    [
        (("acquire", "stage", "flush"), 3, ("R1",)),  # the seed's own
        (("acquire", "stage", "release", "flush", "commit"), 5, ("R1",)),
        (("stage",), 1, ("R1",)),
        (("acquire", "release", *WITNESS), 7, ("R3", "R4")),
        ((*WITNESS, "commit"), 7, ("R1",)),
    ],
)
def test_sequences_of_the_seed(actions: tuple[str, ...], step: int, rules: tuple[str, ...]) -> None:
    verdict = grade(PS, SHOW, canonical({"actions": list(actions)}))
    assert (verdict.status, verdict.step, verdict.codes, verdict.cost) == ("illegal", step, rules, None)
    answer = answer_e(PS, SHOW, Submission(actions))
    assert answer == {"first_illegal_step": step, "final_state": None, "goal": None}


def test_the_witness_ends_as_the_seed_says() -> None:
    final = {"lock": "free", "draft": 0, "durable": 1, "ack": 1, "done": 1, "steps": 6, "cost": 6}
    answer = answer_e(PS, SHOW, Submission(WITNESS))
    assert answer == {"first_illegal_step": None, "final_state": final, "goal": True}


def test_p_answers() -> None:
    """A state may break an invariant and its counters need not agree."""
    before: dict[str, Json] = {"lock": "held", "draft": 0, "durable": 0, "ack": 0, "done": 0, "steps": 4, "cost": 0}
    read = PS.read_state(SHOW, before)
    assert answer_p(PS, SHOW, read, "acquire") == {"legal": False, "next_state": None}
    assert answer_p(PS, SHOW, read, "stage") == {
        "legal": True,
        "next_state": {"lock": "held", "draft": 1, "durable": 0, "ack": 0, "done": 0, "steps": 5, "cost": 1},
    }
    odd = PS.read_state(SHOW, {**before, "ack": 1})
    assert answer_p(PS, SHOW, odd, "stage") == {"legal": False, "next_state": None}


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"w": "top"}, "unknown-name", "/w"),
        ({"a": "seven"}, "unknown-name", "/a"),
        ({"a": 8}, "unknown-name", "/a"),
        ({"a": True}, "unknown-name", "/a"),
        ({"a": None}, "unknown-name", "/a"),
        ({"b": 0}, "unknown-key", "/b"),
        ({"steps": -1}, "out-of-range", "/steps"),
        ({"steps": False}, "wrong-type", "/steps"),
        ({"cost": "1"}, "wrong-type", "/cost"),
    ],
)
def test_malformed_states(change: dict[str, Any], code: str, pointer: str) -> None:
    good: dict[str, Any] = {"w": "low", "a": "7", "steps": 5, "cost": 2**53}
    assert PS.read_state(small(), good) == state(small(), "low", "7", steps=5, cost=2**53)
    with pytest.raises(MalformedInput) as caught:
        PS.read_state(small(), {**good, **change})
    assert (caught.value.code, caught.value.pointer) == (code, pointer)
    for key in good:
        with pytest.raises(MalformedInput, match=f"missing-key.*/{key}"):
            PS.read_state(small(), {name: value for name, value in good.items() if name != key})


def test_a_bit_is_no_truth_value() -> None:
    """true equals 1 in Python and is no value of a bit."""
    with pytest.raises(MalformedInput, match=r"unknown-name.*/draft"):
        state(SHOW, "free", True, 0, 0, 0)


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"fields": [{"name": "steps", "values": [0], "initial": 0}]}, "domain", "/fields/0/name"),
        ({"fields": [{"name": "w", "values": [0, 0], "initial": 0}]}, "contradiction", "/fields/0/values/1"),
        ({"fields": [{"name": "w", "values": [0], "initial": "0"}]}, "unknown-name", "/fields/0/initial"),
        ({"fields": [{"name": "w", "values": [], "initial": 0}]}, "unknown-name", "/fields/0/initial"),
        ({"fields": [{"name": "w", "values": [True], "initial": 1}]}, "wrong-type", "/fields/0/values/0"),
        ({"fields": SMALL["fields"] * 2}, "contradiction", "/fields"),
        ({"operations": [operation("o", "v 1")]}, "unknown-name", "/operations/0/when/0/field"),
        ({"operations": [operation("o", "a 8")]}, "unknown-name", "/operations/0/when/0/is"),
        ({"operations": [operation("o", "", a=8)]}, "unknown-name", "/operations/0/then/a"),
        ({"operations": [operation("o", "", v=8)]}, "unknown-name", "/operations/0/then/v"),
        ({"operations": [operation("o", ""), operation("o", "")]}, "contradiction", "/operations"),
        ({"goal": [{"field": "a"}]}, "contradiction", "/goal/0"),
        ({"goal": [{"field": "a", "is": 7, "not": "7"}]}, "contradiction", "/goal/0"),
        ({"invariants": [literals("w mid"), literals("w low")]}, "contradiction", "/invariants/1"),
        ({"invariants": [[]]}, "contradiction", "/invariants/0"),
        ({"resource": {"field": "w", "free": "low", "held": "low"}}, "contradiction", "/resource"),
        ({"resource": {"field": "w", "free": "low", "held": 7}}, "unknown-name", "/resource/held"),
        ({"budget": {"actions": 1}}, "missing-key", "/budget/cost"),
    ],
)
def test_malformed_instances(change: dict[str, Any], code: str, pointer: str) -> None:
    with pytest.raises(MalformedInput) as caught:
        small(**change)
    assert (caught.value.code, caught.value.pointer) == (code, pointer)


def test_outside_the_vocabulary_is_malformed_and_not_illegal() -> None:
    verdict = grade(PS, SHOW, b'{"actions":["commit","abort"]}')
    assert (verdict.status, verdict.step, verdict.codes) == ("malformed", None, ("unknown-name",))
    assert verdict.error is not None
    assert verdict.error.pointer == "/actions/1"


def test_edges_of_the_witness() -> None:
    """The release gives the lock to all that follows; the draft that flush asks for comes from stage."""
    assert PS.edges(SHOW, Submission(WITNESS)) == (
        Edge(-1, 0, "draft 0"),
        Edge(-1, 0, "durable 0"),
        Edge(-1, 0, 'lock "free"'),
        Edge(-1, 1, "draft 0"),
        Edge(-1, 1, "durable 0"),
        Edge(-1, 3, "durable 0"),
        Edge(-1, 4, "ack 0"),
        Edge(-1, 5, "done 0"),
        Edge(0, 1, 'lock "free" "held"'),
        Edge(0, 2, 'lock "free" "held"'),
        Edge(1, 3, "draft 0 1"),
        Edge(2, 3, 'lock "held" "free"'),
        Edge(2, 4, 'lock "held" "free"'),
        Edge(2, 5, 'lock "held" "free"'),
        Edge(3, 4, "durable 0 1"),
        Edge(3, 5, "durable 0 1"),
        Edge(4, 5, "ack 0 1"),
    )


def test_edges_tell_a_change_from_an_assignment_without_one() -> None:
    """`keep` assigns mid to mid: it stands beside the start or the change that made it so, until the next change."""
    budget = {"actions": 9, "cost": 9}
    instance = small(
        budget=budget, invariants=[], operations=[*SMALL["operations"], operation("lift", "w low", w="mid")]
    )
    assert PS.edges(instance, Submission(("keep", "keep", "sink", "lift", "keep", "turn"))) == (
        Edge(-1, 0, 'w "mid"'),
        Edge(-1, 1, 'w "mid"'),
        Edge(0, 1, 'w "mid" "mid"'),
        Edge(2, 3, 'w "mid" "low"'),
        Edge(3, 4, 'w "low" "mid"'),
        Edge(3, 5, 'w "low" "mid"'),
        Edge(4, 5, 'w "mid" "mid"'),
    )
    spelt = PS.edges(instance, Submission(("spell", "read")))
    assert spelt == (Edge(-1, 0, "a 7"), Edge(-1, 1, 'w "mid"'), Edge(0, 1, 'a 7 "7"'))


def test_the_showcase_is_the_seeds_instance() -> None:
    assert PS.read_instance(showcase("PS-001").instance) == SHOW


def test_counts_of_the_showcase() -> None:
    """All six actions are needed, each for the next.

    States, by hand, written as lock, draft, durable, ack, done: after no action f0000; after 1 h0000; after 2 f0000 and
    h1000; after 3 h0000 and f1000; after 4 f0000, h1000 and f0100; after 5 h0000, f1000 and f0110; after 6 f0000,
    h1000, f0100 and f0111.
    """
    found = count(PS, SHOW)
    assert (found.optimum, found.raw, found.reachable_states) == (6, {6: 1}, 1 + 1 + 2 + 2 + 3 + 3 + 4)
    listed = list(words(PS, SHOW))
    assert [word.moves for word in listed] == [WITNESS]
    assert [one.size for one in classes(PS, SHOW, listed)] == [1]


def test_what_commutes_by_hand() -> None:
    """Three assignments to different fields commute in every order; two to the same field do not."""
    fields = [{"name": name, "values": [0, 1], "initial": 0} for name in "xyz"]
    source = {**SMALL, "fields": fields, "invariants": [], "goal": literals("x 1, y 1, z 1")}
    source |= {
        "budget": {"actions": 3, "cost": 3},
        "operations": [operation(name, f"{name} 0", **{name: 1}) for name in "xyz"],
    }
    free = PS.read_instance(source)
    assert [one.size for one in classes(PS, free, words(PS, free))] == [6]
    bound = PS.read_instance({**source, "invariants": [literals("x 0, y 1")]})  # y before x
    assert [one.size for one in classes(PS, bound, words(PS, bound))] == [3]


def test_grading_is_fast() -> None:
    """Above 30,000 a second is the aim (see tests/bench); here a fifth of it, since other work shares the machine."""
    data = canonical({"actions": list(WITNESS)})
    best = 0.0
    for _ in range(5):
        start = time.process_time()
        for _ in range(500):
            assert grade(PS, SHOW, data).status == "accepted"
        best = max(best, 500 / (time.process_time() - start))
    assert best > 6_000
