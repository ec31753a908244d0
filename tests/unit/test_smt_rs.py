"""The SMT encoding of RS against answers worked out by hand, and against a player of the rule book written here."""

from __future__ import annotations

import json
import random
import re
from itertools import product
from typing import Any

import pytest

from cwr_encodings.rs import smt
from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.backends.smt import Model, solve
from cwr_solvers.errors import Undecided
from cwr_solvers.worlds.rs.instance import Instance, Job, read_instance

# R2 cannot be broken by a submission that names each job once, so it posts nothing.
RULES = ("r1_clock", "r2_unstarted", "r3_predecessors", "r4_resources", "r5_deadline", "g_goal")


def project(deadline: int, capacity: dict[str, int], *jobs: tuple[str, int, dict[str, int], str]) -> Instance:
    """A project of jobs (name, duration, demand, predecessors of one letter each)."""
    return read_instance(
        {
            "family": "RS",
            "code": "T",
            "resources": capacity,
            "jobs": [
                {"name": name, "duration": duration, "demand": demand, "after": list(after)}
                for name, duration, demand, after in jobs
            ],
            "deadline": deadline,
        }
    )


def ask(instance: Instance, most_cost: int | None = None, words: int = 5000) -> Answer:
    return solve(lambda model: smt.build(model, instance, Claim(most_cost)), Limits(60, words))


def listed(answer: Answer) -> dict[str, int]:
    """The words as job and start, sorted by job."""
    said = {word: json.loads(word)["starts"] for word in answer.words}
    return {" ".join(f"{job}{said[word][job]}" for job in sorted(said[word])): answer.words[word] for word in said}


def events(instance: Instance, starts: dict[str, int]) -> list[Job]:
    """The jobs in the order in which their starts are judged."""
    left = sorted(instance.jobs, key=lambda job: job.name)
    order: list[Job] = []
    while left:
        now = min(starts[job.name] for job in left)
        for job in left:
            waits = {one.name for one in left if one.duration == 0 and starts[one.name] == now}
            if starts[job.name] == now and not waits & set(job.after):
                order.append(job)
                left.remove(job)
                break
    return order


def makespan(instance: Instance, starts: dict[str, int]) -> int | None:
    """The latest end of an accepted submission, None of another: the events are played one by one."""
    ends: dict[str, int] = {}
    for job in events(instance, starts):
        now = starts[job.name]
        done = {name for name, end in ends.items() if end <= now}
        running = [instance.job[name] for name in ends if name not in done]
        if not done.issuperset(job.after) or now + job.duration > instance.deadline:
            return None
        for number, capacity in enumerate(instance.capacity):
            free = capacity - sum(one.demand[number] for one in running)
            if job.duration and job.demand[number] > free:
                return None
        ends[job.name] = now + job.duration
    return max(ends.values(), default=0)


def play(instance: Instance) -> dict[str, int]:
    found = {}
    names = sorted(instance.job)
    for times in product(range(instance.deadline + 1), repeat=len(names)):
        cost = makespan(instance, dict(zip(names, times, strict=True)))
        if cost is not None:
            found[" ".join(f"{name}{time}" for name, time in zip(names, times, strict=True))] = cost
    return found


def random_project(seed: int) -> Instance:
    stream = random.Random(f"rs {seed}")
    names = "edcba"[stream.randint(0, 4) :]  # so that names run against the order of predecessors
    capacity = {resource: stream.randint(0, 3) for resource in "xy"[: stream.randint(0, 2)]}
    jobs = []
    for number, name in enumerate(names):
        demand = {one: stream.randint(0, max(1, most)) for one, most in capacity.items() if stream.random() < 0.7}
        after = "".join(one for one in names[:number] if stream.random() < 0.3)
        jobs.append((name, stream.choice((0, 1, 1, 2, 3)), demand, after))
    return project(stream.randint(0, 5), capacity, *jobs)


FULL: dict[str, Any] = {"x": 1}

# name: (instance, the words by hand)
BY_HAND = {
    "no jobs": (project(3, {}), {"": 0}),
    "one job": (project(2, {}, ("a", 1, {}, "")), {"a0": 1, "a1": 2}),
    "no time": (project(0, {}, ("a", 1, {}, "")), {}),
    "nothing lasts": (project(1, {}, ("a", 0, {}, "")), {"a0": 0, "a1": 1}),
    "predecessor": (project(2, {}, ("a", 1, {}, ""), ("b", 1, {}, "a")), {"a0 b1": 2}),
    # b of duration 0 runs before its successor a, though a has the lesser name; after it, it would be illegal.
    "zero predecessor": (project(1, {}, ("a", 1, {}, "b"), ("b", 0, {}, "")), {"a0 b0": 1}),
    "zero after a job": (project(1, {}, ("a", 1, {}, ""), ("b", 0, {}, "a")), {"a0 b1": 1}),
    "one at a time": (project(2, {"x": 1}, ("a", 1, FULL, ""), ("b", 1, FULL, "")), {"a0 b1": 2, "a1 b0": 2}),
    "zero holds nothing": (project(0, {"x": 1}, ("a", 0, {"x": 9}, ""), ("b", 0, {"x": 9}, "")), {"a0 b0": 0}),
    "too much": (project(5, {"x": 1}, ("a", 1, {"x": 2}, "")), {}),
    "no capacity": (project(1, {"x": 0}, ("a", 1, {}, "")), {"a0": 1}),
    # Any two of the three fit, all three do not; so one of them runs apart from the other two.
    "three of two": (
        project(2, {"x": 2}, ("a", 1, FULL, ""), ("b", 1, FULL, ""), ("c", 1, FULL, "")),
        {f"a{a} b{b} c{c}": 2 for a, b, c in product((0, 1), repeat=3) if 0 < a + b + c < 3},
    ),
    # The long one holds x when the short one starts, not only when it starts itself.
    "under way": (project(3, {"x": 1}, ("a", 2, FULL, ""), ("b", 1, FULL, "")), {"a0 b2": 3, "a1 b0": 3}),
    "second resource": (
        project(1, {"x": 9, "y": 1}, ("a", 1, {"y": 1}, ""), ("b", 1, {"x": 1, "y": 1}, "")),
        {},
    ),
    "deadline": (project(3, {}, ("a", 3, {}, "")), {"a0": 3}),
    "huge": (project(999_999, {}, ("a", 999_998, {}, "")), {"a0": 999_998, "a1": 999_999}),
    "idling": (project(2, {}, ("a", 1, {}, ""), ("b", 0, {}, "a")), {"a0 b1": 1, "a0 b2": 2, "a1 b2": 2}),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    instance, words = BY_HAND[name]
    answer = ask(instance)
    assert listed(answer) == words
    assert answer.optimum == min(words.values(), default=None)


# rule: an instance that loses or gains words, or gives them other costs, when that rule alone is not posted
BITES = {
    "r3_predecessors": "predecessor",
    "r4_resources": "three of two",
    "r5_deadline": "deadline",
    "g_goal": "one at a time",
}


@pytest.mark.parametrize("rule", BITES)
def test_no_rule_is_idle(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance, words = BY_HAND[BITES[rule]]
    monkeypatch.setattr(smt, rule, lambda *_: None)
    answer = ask(instance)
    assert (listed(answer), answer.optimum) != (words, min(words.values()))


def test_an_earlier_clock_lets_starts_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any clock there would be no first instant and no end of words; so here it starts two earlier."""

    def early(model: Model, plan: smt.Plan) -> None:
        model.post("R1", *(start >= -2 for start in plan.start.values()))

    instance, words = BY_HAND["one job"]
    monkeypatch.setattr(smt, "r1_clock", early)
    answer = ask(instance)
    assert listed(answer) == {"a-2": -1, "a-1": 0, **words}
    assert answer.optimum == -1


def test_the_table_of_bites_has_every_rule() -> None:
    written = {name for name in vars(smt) if re.match(r"r[0-9]+_|g_", name)}
    assert written == set(RULES) == {*BITES, "r1_clock", "r2_unstarted"}


@pytest.mark.parametrize("seed", range(40))
def test_random_projects(seed: int) -> None:
    instance = random_project(seed)
    expected = play(instance)
    answer = ask(instance)
    assert listed(answer) == expected
    assert answer.optimum == min(expected.values(), default=None)


def test_random_projects_are_not_all_alike() -> None:
    sizes = [len(play(instance)) for instance in map(random_project, range(40))]
    assert sum(size == 0 for size in sizes) >= 4
    assert sum(size > 10 for size in sizes) >= 4


@pytest.mark.parametrize(("most", "words"), [(3, 3), (1, 1), (0, 0), (-1, 0)])
def test_a_claim_bounds_the_cost(most: int, words: int) -> None:
    instance, _ = BY_HAND["idling"]
    assert len(ask(instance, most).words) == words


def test_too_many_words_are_no_answer() -> None:
    instance, _ = BY_HAND["three of two"]
    with pytest.raises(Undecided) as caught:
        ask(instance, words=5)
    assert caught.value.reason == "words"
    assert len(ask(instance, words=6).words) == 6


def test_a_hard_project_in_no_time_is_undecided() -> None:
    """Eleven jobs of coprime lengths on three machines: hard to refute, and here there is no time for it."""
    lengths = (7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43)
    jobs = [(name, length, {"x": 1}, "") for name, length in zip("abcdefghijk", lengths, strict=True)]
    instance = project(91, {"x": 3}, *jobs)  # 271 instants of work do not fit into 3 · 90
    with pytest.raises(Undecided) as caught:
        solve(lambda model: smt.build(model, instance, Claim(90)), Limits(0.2, 10))
    assert caught.value.reason == "time"
