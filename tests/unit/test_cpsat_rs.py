"""RS for CP-SAT: instances whose words are derived by hand, each rule missed when it is gone, and a second opinion.

The second opinion counts occupants instant by instant for every choice of starts; it shares nothing with the product.
"""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import Any

import pytest

from cwr_encodings.cpsat_catalogue import CPSAT
from cwr_encodings.rs import cpsat as encoding
from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.backends import cpsat
from cwr_solvers.errors import Disagreement, Undecided
from cwr_solvers.worlds.rs.instance import read_instance

PLENTY = Limits(seconds=60, words=20_000)
FIXTURES = Path(__file__).parents[2] / "fixtures" / "showcase-index.json"
JsonObject = dict[str, Any]


def job(name: str, duration: int, demand: JsonObject | None = None, after: str = "") -> JsonObject:
    """A job; `after` lists one-letter names."""
    return {"name": name, "duration": duration, "demand": demand or {}, "after": list(after)}


def project(deadline: int, resources: JsonObject, *jobs: JsonObject) -> JsonObject:
    return {"family": "RS", "code": "RS-T", "resources": resources, "jobs": list(jobs), "deadline": deadline}


def solve(data: JsonObject, claim: Claim | None = None) -> Answer:
    instance = read_instance(data)
    return cpsat.solve(lambda model: encoding.build(model, instance, claim or Claim()), PLENTY)


def answer(data: JsonObject, *starts: tuple[int, ...]) -> Answer:
    """The answer whose words are these starts, in the stated order of jobs; the cost is the latest end."""
    jobs = data["jobs"]
    words = {}
    for times in starts:
        chosen = {one["name"]: time for one, time in zip(jobs, times, strict=True)}
        text = json.dumps({"starts": chosen}, sort_keys=True, separators=(",", ":"))
        words[text.encode()] = max((chosen[one["name"]] + one["duration"] for one in jobs), default=0)
    return Answer(min(words.values(), default=None), words)


LONE = project(2, {}, job("A", 1))
CHAIN = project(2, {}, job("A", 1), job("B", 1, after="A"))
MOMENT = project(1, {}, job("B", 0), job("A", 0, after="B"))
CRANE = project(2, {"crane": 3}, job("A", 1, {"crane": 2}), job("B", 1, {"crane": 2}))
OVERLOAD = project(1, {"crane": 1}, job("A", 1, {"crane": 2}))
TWO_KINDS = project(2, {"crane": 2, "crew": 1}, job("A", 1, {"crane": 1, "crew": 1}), job("B", 1, {"crew": 1}))
LATE = project(1, {}, job("A", 1))

# name: (instance, the starts of its words by hand, the rule that makes it bite, the starts without that rule by hand)
Starts = list[tuple[int, ...]]
CASES: dict[str, tuple[JsonObject, Starts, str, Starts]] = {
    "no start before the clock": (LONE, [(0,), (1,)], "R1", [(-1,), (0,), (1,)]),
    "a predecessor ends first": (CHAIN, [(0, 1)], "R3", [(0, 0), (0, 1), (1, 0), (1, 1)]),
    "a predecessor of duration 0 may share the start": (
        MOMENT,
        [(0, 0), (0, 1), (1, 1)],
        "R3",
        [(0, 0), (0, 1), (1, 0), (1, 1)],
    ),
    "two demands above the capacity": (CRANE, [(0, 1), (1, 0)], "R4", [(0, 0), (0, 1), (1, 0), (1, 1)]),
    "the second resource is the scarce one": (TWO_KINDS, [(0, 1), (1, 0)], "R4", [(0, 0), (0, 1), (1, 0), (1, 1)]),
    "one demand above the capacity": (OVERLOAD, [], "R4", [(0,)]),
    "an end at the deadline and none after": (LATE, [(0,)], "R5", [(0,), (1,)]),
}


@pytest.mark.parametrize("name", CASES)
def test_words_by_hand(name: str) -> None:
    data, starts, _, _ = CASES[name]
    assert solve(data) == answer(data, *starts)


@pytest.mark.parametrize("name", CASES)
def test_without_the_rule_the_answer_is_another(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data, starts, rule, otherwise = CASES[name]
    monkeypatch.setitem(encoding.RULES, rule, lambda *_: None)
    found = solve(data)
    assert found == answer(data, *otherwise)
    assert found != answer(data, *starts)


def test_without_the_goal_the_makespan_means_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A makespan that need not be the latest end is another cost of the same starts."""
    monkeypatch.setitem(encoding.RULES, "G", lambda *_: None)
    assert cpsat.optimum(lambda model: encoding.build(model, read_instance(CHAIN), Claim()), PLENTY) == 0
    with pytest.raises(Disagreement, match="the cost of one word"):
        solve(CHAIN)


def test_a_job_started_twice_is_another_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """R2 is that a job has one start variable; with a second one there are other words."""
    honest = encoding.r2_unstarted

    def twice(*given: Any) -> dict[str, Any]:
        return {**honest(*given), "A again": honest(*given)["A"]}

    monkeypatch.setattr(encoding, "r2_unstarted", twice)
    found = solve(LATE)
    assert set(found.words) == {b'{"starts":{"A":0,"A again":%d}}' % time for time in (-1, 0, 1)}
    assert found != answer(LATE, (0,))


def test_every_rule_bites_in_a_case() -> None:
    """R2 and G have tests of their own."""
    assert {rule for _, _, rule, _ in CASES.values()} | {"G"} == set(encoding.RULES)
    posts = {**encoding.RULES, "R2": encoding.r2_unstarted}
    assert all(rule.lower() == post.__name__.partition("_")[0] for rule, post in posts.items())
    assert set(posts) == {"R1", "R2", "R3", "R4", "R5", "G"}


def test_no_job_at_all_costs_nothing() -> None:
    data = project(3, {"crane": 1})
    assert solve(data) == answer(data, ())
    assert solve(data, Claim(-1)) == answer(data)


def test_a_job_of_duration_0_holds_nothing() -> None:
    data = project(1, {"crane": 1, "none": 0}, job("A", 0, {"crane": 9, "none": 9}), job("B", 1, {"crane": 1}))
    assert solve(data) == answer(data, (0, 0), (1, 0))


def test_a_capacity_of_0_is_enough_for_no_demand_only() -> None:
    fine = project(1, {"none": 0}, job("A", 1))
    assert solve(fine) == answer(fine, (0,))
    wanting = project(1, {"none": 0}, job("A", 1, {"none": 1}))
    assert solve(wanting) == answer(wanting)


def test_a_deadline_of_0() -> None:
    data = project(0, {}, job("A", 0))
    assert solve(data) == answer(data, (0,))
    assert solve(project(0, {}, job("A", 1))).optimum is None


def test_a_claim_only_narrows() -> None:
    assert solve(CRANE, Claim(9)) == solve(CRANE, Claim(2)) == answer(CRANE, (0, 1), (1, 0))
    assert solve(CRANE, Claim(1)) == solve(CRANE, Claim(-1)) == answer(CRANE)


def test_a_large_instance_and_a_moment_is_undecided() -> None:
    draw = random.Random(5)
    jobs = [job(f"j{n}", draw.randint(1, 9), {name: draw.randint(1, 9) for name in "ab"}) for n in range(60)]
    instance = read_instance(project(sum(one["duration"] for one in jobs), {"a": 10, "b": 10}, *jobs))
    for ask in (cpsat.solve, cpsat.optimum):
        with pytest.raises(Undecided) as raised:
            ask(lambda model: encoding.build(model, instance, Claim()), Limits(0.05, 10))
        assert raised.value.reason == "time"


def test_the_showcase() -> None:
    """By hand: the optimum is 4, and a makespan of 4 leaves no job any other start."""
    (data,) = (world["instance"] for world in json.loads(FIXTURES.read_bytes())["worlds"] if world["code"] == "RS-001")
    instance = read_instance(data)
    best = answer(data, (0, 0, 2, 2, 3))
    assert cpsat.solve(lambda model: CPSAT["RS"](model, instance, Claim(4)), PLENTY) == best
    found = cpsat.solve(lambda model: CPSAT["RS"](model, instance, Claim()), PLENTY)
    assert found.optimum == 4
    assert found == answer(data, *scheduled(data))


def drawn(seed: int) -> JsonObject:
    """A random small project: one to four jobs, durations from 0, up to two resources, predecessors either way."""
    draw = random.Random(seed)
    resources = {name: draw.randint(0, 3) for name in "xy"[: draw.randint(0, 2)]}
    order = draw.sample("ABCD", draw.randint(1, 4))
    jobs = [
        job(
            name,
            draw.randint(0, 3),
            {resource: draw.randint(0, 2) for resource in resources},
            "".join(other for other in order[:index] if draw.random() < 0.4),
        )
        for index, name in enumerate(order)
    ]
    draw.shuffle(jobs)
    return project(draw.randint(0, 5), resources, *jobs)


def scheduled(data: JsonObject) -> Starts:
    """Every accepted choice of starts, by the rule book."""
    jobs, deadline = data["jobs"], data["deadline"]
    found = []
    for times in itertools.product(range(deadline + 1), repeat=len(jobs)):
        spans = {one["name"]: (time, time + one["duration"]) for one, time in zip(jobs, times, strict=True)}
        in_time = all(end <= deadline for _, end in spans.values())
        in_order = all(spans[before][1] <= spans[one["name"]][0] for one in jobs for before in one["after"])
        if in_time and in_order and all(fits(data, spans, instant) for instant in range(deadline)):
            found.append(times)
    return found


def fits(data: JsonObject, spans: dict[str, tuple[int, int]], instant: int) -> bool:
    running = [one for one in data["jobs"] if spans[one["name"]][0] <= instant < spans[one["name"]][1]]
    return all(
        sum(one["demand"].get(resource, 0) for one in running) <= capacity
        for resource, capacity in data["resources"].items()
    )


def test_random_projects_have_the_words_of_the_rule_book() -> None:
    sizes = []
    for seed in range(120):
        data = drawn(seed)
        expected = answer(data, *scheduled(data))
        assert solve(data) == expected, seed
        sizes.append(len(expected.words))
    # The comparison is worth something only when both kinds of instance are there.
    assert sum(size == 0 for size in sizes) >= 20
    assert sum(size >= 5 for size in sizes) >= 20
