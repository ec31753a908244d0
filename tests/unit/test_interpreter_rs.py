"""Scheduling, by hand: every rule, when each is judged, the order of events, states, and the seed's probes."""

from __future__ import annotations

import copy
from itertools import pairwise, product
from random import Random
from time import process_time
from typing import Any

import pytest

from cwr_solvers.catalogue import WORLDS, showcase
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import answer_e, answer_p, grade, run
from cwr_solvers.jsontext import SUBMISSION_BYTES, canonical
from cwr_solvers.search import count, words
from cwr_solvers.symmetry import text
from cwr_solvers.world import Broken, Edge
from cwr_solvers.worlds.rs.interpreter import UNSTARTED, Progress, Start, State, event_order

RS = WORLDS["RS"]
SHOW = RS.read_instance(showcase("RS-001").instance)

# Jobs in an order that is not alphabetical; m is a milestone after k, and b comes after m.
SMALL: dict[str, Any] = {
    "family": "RS",
    "code": "small",
    "resources": {"crew": 2, "axle": 1},
    "jobs": [
        {"name": "k", "duration": 2, "demand": {"crew": 1}},
        {"name": "m", "duration": 0, "demand": {"crew": 5, "axle": 1}, "after": ["k"]},
        {"name": "b", "duration": 1, "demand": {"crew": 2, "axle": 1}, "after": ["m"]},
        {"name": "a", "duration": 3, "demand": {"axle": 1}},
    ],
    "deadline": 6,
}


def small(**changes: Any) -> Any:
    return RS.read_instance({**SMALL, **changes})


def after(*moves: tuple[str, int], instance: Any = None) -> Any:
    """The state after moves, or the rules that the first illegal one breaks."""
    instance = instance or small()
    state = RS.initial(instance)
    for job, start in moves:
        state = RS.step(instance, state, Start(job, start))
        if isinstance(state, Broken):
            return state.rules
    return state


def ran(start: int, end: int, status: Any = "complete") -> Progress:
    return Progress(status, start, end)


def test_the_clock_moves_then_completions_happen_then_the_start_is_judged() -> None:
    assert RS.initial(small()) == State(0, (UNSTARTED,) * 4, (1, 2), 0, 0, ())  # free: axle, crew
    one = after(("k", 1))
    assert one == State(1, (ran(1, 3, "running"), UNSTARTED, UNSTARTED, UNSTARTED), (1, 1), 1, 3, ((3, 0),))
    two = after(("k", 1), ("a", 3))
    assert two == State(3, (ran(1, 3), UNSTARTED, UNSTARTED, ran(3, 6, "running")), (0, 2), 2, 6, ((6, 3),))


def test_a_job_of_no_length_is_complete_at_once_and_holds_nothing() -> None:
    """m demands more crew than there is, and the axle that a holds."""
    state = after(("k", 0), ("a", 0), ("m", 2))
    assert state.jobs == (ran(0, 2), ran(2, 2), UNSTARTED, ran(0, 3, "running"))
    assert (state.free, state.cost) == ((0, 2), 3)
    assert after(("k", 0), ("a", 0), ("m", 2), ("b", 3)).jobs[2] == ran(3, 4, "running")


@pytest.mark.parametrize(
    ("moves", "rules"),
    [
        ([("k", 3), ("a", 2)], ("R1",)),
        ([("k", 3), ("k", 3)], ("R2",)),
        ([("k", 3), ("k", 5)], ("R2",)),  # R5 would be broken too, and is not judged
        ([("k", 3), ("k", 2)], ("R1", "R2")),
        ([("k", 3), ("b", 2)], ("R1",)),  # R3 is not judged before the clock
        ([("m", 0)], ("R3",)),
        ([("k", 0), ("m", 1)], ("R3",)),
        ([("k", 0), ("b", 2)], ("R3",)),  # m was not started; the crew is free again at 2
        ([("k", 0), ("b", 1)], ("R3", "R4")),
        ([("a", 0), ("b", 6)], ("R3",)),  # R5 is judged only when R1 to R4 hold
        ([("k", 0), ("m", 2), ("a", 2), ("b", 4)], ("R4",)),
        ([("k", 0), ("m", 2), ("a", 2), ("b", 5)], State),
        ([("a", 3)], State),
        ([("a", 4)], ("R5",)),
        ([("k", 0), ("m", 2), ("b", 6)], ("R5",)),
        ([("k", 0), ("m", 6)], State),
    ],
)
def test_rules(moves: list[tuple[str, int]], rules: Any) -> None:
    found = after(*moves)
    assert isinstance(found, State) if rules is State else found == rules


def test_faults_say_what_was_found_and_what_was_needed() -> None:
    instance = small()
    state = after(("k", 1))
    said = [RS.step(instance, state, move).faults for move in (Start("k", 0), Start("b", 2), Start("a", 5))]
    assert said == [
        (("R1", "k at 0", "a start at the clock, 1, or later"), ("R2", "k started at 1", "a job that was not started")),
        (("R3", "m unstarted", "complete before b"), ("R4", "crew 1 free", "crew 2 for b")),
        (("R5", "a ends at 8", "by 6"),),
    ]


def test_equal_time_return_and_start() -> None:
    """[0, 3) and [3, 4) share the axle."""
    assert isinstance(after(("k", 0), ("a", 0), ("m", 2), ("b", 3)), State)


def test_goal_is_every_job_complete() -> None:
    instance = small()
    state = after(("k", 0), ("m", 2), ("b", 2))
    faults = RS.unmet(instance, RS.terminal(instance, state), None)
    assert [(fault.rule, fault.found) for fault in faults] == [("G", "a unstarted")]
    done = after(("k", 0), ("m", 2), ("b", 2), ("a", 3))
    end = RS.terminal(instance, done)
    assert (end.clock, end.free, end.cost) == (6, (1, 2), 6)
    assert RS.unmet(instance, end, None) == ()


def test_the_terminal_state_is_at_the_makespan() -> None:
    starts = {"A": 0, "B": 0, "C": 2, "D": 2, "E": 3}
    answer: Any = answer_e(RS, SHOW, RS.read_submission(SHOW, {"starts": starts}))
    assert answer["goal"] is True
    assert answer["final_state"] == {
        "clock": 4,
        "jobs": {
            name: {"status": "complete", "start": start, "end": end}
            for (name, start), end in zip(starts.items(), (2, 2, 3, 3, 4), strict=True)
        },
        "free": {"crew": 2, "machine": 1},
        "steps": 5,
        "cost": 4,
    }


@pytest.mark.parametrize(
    ("starts", "step", "rules"),
    [
        ({"A": 0, "B": 0, "C": 1, "D": 2, "E": 3}, 3, ("R3", "R4")),
        ({"A": 0, "B": 0, "C": 2, "D": 2, "E": 2}, 5, ("R3", "R4")),
        ({"A": 0, "B": 0, "C": 2, "D": 2, "E": 5}, 5, ("R5",)),
        ({"A": 0, "B": 0, "C": 2, "D": 0, "E": 3}, 3, ("R3", "R4")),
        ({"A": 4, "B": 0, "C": 5, "D": 5, "E": 5}, 2, ("R5",)),
    ],
)
def test_sequences_of_the_seed(starts: dict[str, int], step: int, rules: tuple[str, ...]) -> None:
    verdict = grade(RS, SHOW, canonical({"starts": starts}))
    assert (verdict.status, verdict.step, verdict.codes) == ("illegal", step, rules)


@pytest.mark.parametrize(
    ("starts", "code", "pointer"),
    [
        ({"A": 0, "B": 0, "C": 2, "D": 2}, "missing-key", "/starts"),
        ({"A": 0, "B": 0, "C": 2, "D": 2, "E": 3, "F": 0}, "unknown-key", "/starts/F"),
        ({"A": 0, "B": 0, "C": 2, "D": 2, "E": 6}, "out-of-range", "/starts/E"),
        ({"A": -1, "B": 0, "C": 2, "D": 2, "E": 3}, "out-of-range", "/starts/A"),
        ({"A": False, "B": 0, "C": 2, "D": 2, "E": 3}, "wrong-type", "/starts/A"),
    ],
)
def test_malformed_submissions(starts: dict[str, Any], code: str, pointer: str) -> None:
    error = grade(RS, SHOW, canonical({"starts": starts})).error
    assert error is not None
    assert (error.code, error.pointer[: len(pointer)]) == (code, pointer)


def chain(**after_of: list[str]) -> Any:
    """Jobs named by one letter, those in upper case of no length."""
    jobs = [{"name": name, "duration": int(name.islower()), "after": after} for name, after in after_of.items()]
    return RS.read_instance({"family": "RS", "code": "chain", "resources": {}, "jobs": jobs, "deadline": 3})


@pytest.mark.parametrize(
    ("jobs", "order"),
    [
        ({"c": [], "b": [], "a": []}, "abc"),
        ({"a": [], "B": [], "Z": []}, "BZa"),  # code points: upper case first
        ({"a": ["Z"], "b": [], "Z": []}, "Zab"),
        ({"A": ["Z"], "B": [], "Z": []}, "BZA"),  # the least ready first, then what became ready
        ({"A": ["Y"], "Y": ["Z"], "Z": []}, "ZYA"),  # a chain of no length, against the alphabet
        ({"a": ["b"], "b": []}, "ab"),  # a predecessor with a length does not come first: a breaks R3
        ({"A": ["b"], "b": ["C"], "C": []}, "ACb"),
    ],
)
def test_order_of_events_at_one_time(jobs: dict[str, list[str]], order: str) -> None:
    instance = chain(**jobs)
    assert "".join(event_order(instance, sorted(jobs, reverse=True))) == order
    submission = RS.read_submission(instance, {"starts": dict.fromkeys(jobs, 1)})
    assert "".join(move.job for move in submission.moves) == order


def test_a_predecessor_of_no_length_at_another_time_does_not_matter() -> None:
    submission = RS.read_submission(chain(a=["Z"], b=[], Z=[]), {"starts": {"a": 1, "b": 1, "Z": 0}})
    assert [move.job for move in submission.moves] == ["Z", "a", "b"]
    late = RS.read_submission(chain(a=["Z"], b=[], Z=[]), {"starts": {"a": 1, "b": 1, "Z": 2}})
    assert [move.job for move in late.moves] == ["a", "b", "Z"]


@pytest.mark.parametrize(
    "instance",
    [
        chain(A=["Z"], b=["A"], Z=[]),
        chain(A=["Y"], Y=["Z"], Z=[], b=[]),
        chain(B=["Z"], A=[], Z=["A"], a=["Z"]),
        small(deadline=5),
        SHOW,
    ],
    ids=lambda one: one.code,
)
def test_words_are_the_accepted_maps_each_once(instance: Any) -> None:
    """Search over events finds exactly the maps that grading accepts, in the order in which grading runs them."""
    names = [job.name for job in instance.jobs]
    maps = (
        {"starts": dict(zip(names, times, strict=True))}
        for times in product(range(instance.deadline + 1), repeat=len(names))
    )
    due = sorted(canonical(one) for one in maps if grade(RS, instance, canonical(one)).status == "accepted")
    found = list(words(RS, instance))
    assert sorted(text(RS, instance, word) for word in found) == due
    assert all(RS.read_submission(instance, RS.write_submission(instance, word)) == word for word in found)
    assert count(RS, instance).accepted_raw == len(due) > 0


def test_moves_are_starts_from_the_clock_on_in_the_order_of_events() -> None:
    """At the clock only what comes after the jobs already started there: not a after b, but Z before a may follow."""
    instance = chain(b=[], a=[], c=["Z"], Z=[])
    state = RS.step(instance, RS.initial(instance), Start("b", 2))
    assert list(RS.moves(instance, state)) == [("a", 3), ("c", 2), ("c", 3), ("Z", 3)]
    first = RS.step(instance, RS.initial(instance), Start("Z", 2))
    assert [move for move in RS.moves(instance, first) if move.start == 2] == [("b", 2), ("a", 2), ("c", 2)]


def test_counts_of_the_showcase() -> None:
    """One schedule of length 4, eight of length 5 (as above), and the states that legal prefixes of all maps reach."""
    found = count(RS, SHOW)
    assert (found.optimum, found.raw) == (4, {4: 1, 5: 8})
    maps = ({"starts": dict(zip("ABCDE", times, strict=True))} for times in product(range(6), repeat=5))
    reached = {state for one in maps for state in run(RS, SHOW, RS.read_submission(SHOW, one)).states}
    assert found.reachable_states == len(reached) == 109


def test_no_jobs_is_done_at_once() -> None:
    empty = RS.read_instance({"family": "RS", "code": "none", "resources": {}, "jobs": [], "deadline": 0})
    verdict = grade(RS, empty, b'{"starts":{}}')
    assert (verdict.status, verdict.cost) == ("accepted", 0)
    assert count(RS, empty).raw == {0: 1}


GOOD: dict[str, Any] = {
    "clock": 2,
    "jobs": {
        "k": {"status": "complete", "start": 0, "end": 2},
        "m": {"status": "unstarted", "start": None, "end": None},
        "b": {"status": "running", "start": 2, "end": 3},
        "a": {"status": "unstarted", "start": None, "end": None},
    },
    "free": {"crew": 0, "axle": 0},
    "steps": 2,
    "cost": 3,
}


def changed(path: tuple[str, ...], value: Any) -> Any:
    """GOOD with one value replaced, or left out where the value is ...."""
    made = copy.deepcopy(GOOD)
    inner: Any = made
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    if value is ...:
        del inner[path[-1]]
    return made


@pytest.mark.parametrize(
    ("path", "value", "code", "pointer"),
    [
        (("clock",), 7, "out-of-range", "/clock"),
        (("clock",), -1, "out-of-range", "/clock"),
        (("clock",), 1, "contradiction", "/jobs/k/status"),
        (("clock",), 3, "contradiction", "/jobs/b/status"),
        (("jobs", "k"), ..., "missing-key", "/jobs"),
        (("jobs", "z"), {}, "unknown-key", "/jobs/z"),
        (("jobs", "k", "status"), "done", "unknown-name", "/jobs/k/status"),
        (("jobs", "k", "status"), "running", "contradiction", "/jobs/k/status"),
        (("jobs", "b", "status"), "complete", "contradiction", "/jobs/b/status"),
        (("jobs", "k", "status"), "unstarted", "contradiction", "/jobs/k/start"),
        (("jobs", "m", "start"), 0, "contradiction", "/jobs/m/start"),
        (("jobs", "m", "end"), 0, "contradiction", "/jobs/m/end"),
        (("jobs", "m", "status"), "running", "wrong-type", "/jobs/m/start"),
        (("jobs", "k", "start"), 1, "contradiction", "/jobs/k/end"),
        (("jobs", "k", "end"), 3, "contradiction", "/jobs/k/end"),
        (("jobs", "k", "end"), None, "wrong-type", "/jobs/k/end"),
        (("jobs", "k", "start"), 7, "out-of-range", "/jobs/k/start"),
        (("jobs", "b"), {"status": "running", "start": 3, "end": 4}, "contradiction", "/jobs/b/start"),
        (("jobs", "a"), {"status": "running", "start": 0, "end": 3}, "contradiction", "/jobs"),  # the axle twice
        (("jobs", "m"), {"status": "running", "start": 2, "end": 2}, "contradiction", "/jobs/m/status"),
        (("free", "crew"), 1, "contradiction", "/free/crew"),
        (("free", "crew"), 3, "out-of-range", "/free/crew"),
        (("free", "axle"), ..., "missing-key", "/free"),
        (("steps",), 3, "contradiction", "/steps"),
        (("cost",), 2, "contradiction", "/cost"),
        (("cost",), True, "wrong-type", "/cost"),
    ],
)
def test_malformed_states(path: tuple[str, ...], value: Any, code: str, pointer: str) -> None:
    with pytest.raises(MalformedInput) as caught:
        RS.read_state(small(), changed(path, value))
    assert caught.value.code == code
    assert caught.value.pointer.startswith(pointer)


def test_a_state_may_be_one_that_no_schedule_reaches() -> None:
    """b runs although m was not started; a state may also hold an end beyond the deadline."""
    state = RS.read_state(small(), GOOD)
    assert state == State(2, (ran(0, 2), UNSTARTED, ran(2, 3, "running"), UNSTARTED), (0, 0), 2, 3, ((3, 2),))
    assert RS.write_state(small(), state) == GOOD
    late = changed(("jobs", "b"), {"status": "unstarted", "start": None, "end": None})
    late["jobs"]["a"] = {"status": "running", "start": 2, "end": 5}
    tight = small(deadline=4)
    late.update({"free": {"crew": 2, "axle": 0}, "cost": 5})
    assert RS.read_state(tight, late).cost == 5


def test_p_answers() -> None:
    state = RS.read_state(small(), GOOD)
    answer: Any = answer_p(RS, small(), state, RS.read_move(small(), {"job": "a", "start": 3}))
    assert answer["legal"]
    assert answer["next_state"]["jobs"]["b"] == {"status": "complete", "start": 2, "end": 3}
    assert answer["next_state"]["free"] == {"crew": 2, "axle": 0}
    early = RS.read_move(small(), {"job": "a", "start": 1})
    assert answer_p(RS, small(), state, early) == {"legal": False, "next_state": None}
    with pytest.raises(MalformedInput):
        RS.read_move(small(), {"job": "a", "start": 7})


def test_edges_are_predecessors_and_units_that_changed_hands() -> None:
    """Crew 2: k and n take one unit each, so p waits for the one that is free first. q takes what is left and p's."""
    jobs = [
        {"name": "k", "duration": 1, "demand": {"crew": 1}},
        {"name": "n", "duration": 2, "demand": {"crew": 1}},
        {"name": "p", "duration": 1, "demand": {"crew": 1}},
        {"name": "q", "duration": 1, "demand": {"crew": 2}, "after": ["n"]},
        {"name": "z", "duration": 0, "demand": {"crew": 2}, "after": ["q"]},
    ]
    instance = RS.read_instance({"family": "RS", "code": "e", "resources": {"crew": 2}, "jobs": jobs, "deadline": 9})
    submission = RS.read_submission(instance, {"starts": {"k": 0, "n": 0, "p": 1, "q": 2, "z": 3}})
    assert RS.edges(instance, submission) == (
        Edge(0, 2, "resource:crew"),
        Edge(1, 3, "precedes"),
        Edge(1, 3, "resource:crew"),
        Edge(2, 3, "resource:crew"),
        Edge(3, 4, "precedes"),
    )
    clash = RS.read_submission(instance, {"starts": {"k": 0, "n": 0, "p": 0, "q": 2, "z": 3}})
    with pytest.raises(ValueError, match="not legal"):
        RS.edges(instance, clash)


def test_the_unit_that_is_free_first_is_taken_first() -> None:
    """k is the first event and the last to return; p takes what n returned long before."""
    jobs = [{"name": name, "duration": time, "demand": {"crew": 1}} for name, time in (("k", 3), ("n", 1), ("p", 1))]
    instance = RS.read_instance({"family": "RS", "code": "e", "resources": {"crew": 2}, "jobs": jobs, "deadline": 9})
    submission = RS.read_submission(instance, {"starts": {"k": 0, "n": 0, "p": 3}})
    assert RS.edges(instance, submission) == (Edge(1, 2, "resource:crew"),)


def order_by_the_book(instance: Any, names: list[str]) -> list[str]:
    """Again and again the least name that waits for no job of length 0 still to come."""
    coming, order = sorted(names), list[str]()
    while coming:
        instant = {name for name in coming if not instance.job[name].duration}
        order.append(next(name for name in coming if instant.isdisjoint(instance.job[name].after)))
        coming.remove(order[-1])
    return order


def test_the_order_of_events_is_that_of_the_book_on_random_projects() -> None:
    draws = Random(11)
    for _ in range(300):
        names = [f"{draws.randrange(1000)}-{number}" for number in range(draws.randrange(1, 9))]
        jobs = [
            {"name": name, "duration": draws.randrange(2), "after": draws.sample(names[:place], min(place, 2))}
            for place, name in enumerate(names)
        ]
        instance = small(jobs=jobs)
        some = [name for name in names if draws.random() < 0.8]
        assert list(event_order(instance, some)) == order_by_the_book(instance, some)


NAMES = ["".join(letters) for letters in product("abcdefghijklmnopqrst", repeat=3)]
# name -> jobs and starts, each as long as 64 KiB allow
LARGEST_SCHEDULES: dict[str, tuple[list[dict[str, Any]], dict[str, int]]] = {
    "a chain of no length": (
        [{"name": name, "duration": 0, "after": [later]} for name, later in pairwise([*NAMES, ""]) if later]
        + [{"name": NAMES[-1], "duration": 0}],
        dict.fromkeys(NAMES, 0),
    ),
    "one after the other": (
        [{"name": name, "duration": 1, "demand": {"crew": 1}} for name in NAMES[:5900]],
        {name: number for number, name in enumerate(NAMES[:5900])},
    ),
    "all at one time": (
        [{"name": name, "duration": 9000, "demand": {"crew": 1}} for name in NAMES[:5900]],
        {name: number for number, name in enumerate(NAMES[:5900])},
    ),
}


@pytest.mark.parametrize("name", LARGEST_SCHEDULES)
def test_the_largest_schedules_are_graded_in_seconds(name: str) -> None:
    jobs, starts = LARGEST_SCHEDULES[name]
    instance = small(jobs=jobs, resources={"crew": 10_000}, deadline=20_000)
    data = canonical({"starts": starts})
    assert 0.9 * SUBMISSION_BYTES < len(data) <= SUBMISSION_BYTES
    started = process_time()
    assert grade(RS, instance, data).status == "accepted"
    assert process_time() - started < 6  # about 1 where nothing else runs; minutes where it is cubic
