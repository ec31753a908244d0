"""The statement of RS against the rule book, played out here event by event."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from typing import Any

import pytest
from clause_models import SHOWCASES, completes, digest, formula, projections, raw_words, without, words

from cwr_certificates.cnf import Cnf
from cwr_certificates.statements import rs
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.worlds.rs.instance import Instance, read_instance

SHOWCASE = read_instance(SHOWCASES["RS"]["instance"])
Starts = dict[str, int]


def make(capacity: dict[str, int], jobs: dict[str, tuple[int, dict[str, int], str]], deadline: int) -> Instance:
    """An instance from {job: (duration, demand, predecessors as one letter each)}."""
    fields: list[Json] = [
        {"name": name, "duration": duration, "demand": dict(demand), "after": list(after)}
        for name, (duration, demand, after) in jobs.items()
    ]
    resources: dict[str, Json] = dict(capacity)
    return read_instance(
        {"family": "RS", "code": "t", "resources": resources, "jobs": fields, "deadline": deadline},
    )


def order(instance: Instance, starts: Starts) -> list[str]:
    """The jobs in the order of their events."""
    left, found = set(starts), []
    while left:
        now = min(starts[job] for job in left)
        ready = [
            job
            for job in left
            if starts[job] == now
            and not any(
                other in left and starts[other] == now and instance.job[other].duration == 0
                for other in instance.job[job].after
            )
        ]
        found.append(min(ready))
        left.remove(min(ready))
    return found


def faults(instance: Instance, starts: Starts) -> set[str]:
    """The rules that the first bad event breaks; empty when accepted, as then every job is complete at the end."""
    ends: dict[str, int] = {}
    for name in order(instance, starts):
        job, start = instance.job[name], starts[name]
        running = [instance.job[other] for other, end in ends.items() if end > start]
        free = [most - sum(one.demand[r] for one in running) for r, most in enumerate(instance.capacity)]
        broken = set()
        if any(before not in ends or ends[before] > start for before in job.after):
            broken.add("R3")
        if job.duration and any(need > have for need, have in zip(job.demand, free, strict=True)):
            broken.add("R4")
        if not broken and start + job.duration > instance.deadline:
            broken.add("R5")
        if broken:
            return broken
        ends[name] = start + job.duration
    return set()


def cost(instance: Instance, starts: Starts) -> int:
    return max((start + instance.job[job].duration for job, start in starts.items()), default=0)


def text(starts: Starts) -> bytes:
    return canonical({"starts": dict(starts)})


def all_starts(instance: Instance) -> list[Starts]:
    times = product(range(instance.deadline + 1), repeat=len(instance.jobs))
    return [dict(zip(instance.job, one, strict=True)) for one in times]


def accepted(instance: Instance) -> dict[bytes, Starts]:
    return {text(starts): starts for starts in all_starts(instance) if not faults(instance, starts)}


def holds(instance: Instance, starts: Starts) -> set[str]:
    """The motifs that a legal word shows."""
    jobs = instance.job
    sources = [job for job in jobs if not jobs[job].after]
    sinks = [job for job in jobs if all(job not in other.after for other in jobs.values())]
    if len(sources) != 2 or len(sinks) != 1 or len({*sources, *sinks}) != 3:
        return set()
    (a, b), (t,) = sources, sinks
    spans = {job: range(starts[job], starts[job] + jobs[job].duration) for job in jobs}
    overlap = {(x, y) for x in jobs for y in jobs if set(spans[x]) & set(spans[y])}
    found = set()
    if (a, b) in overlap and all(spans[job].stop <= starts[t] for job in jobs if job != t):
        found.add("overlap")
    both = [job for job in jobs if job != t and {a, b} <= set(jobs[job].after)]
    one = [job for job in jobs if job != t and len({a, b} & set(jobs[job].after)) == 1]
    whole = any(need == most >= 1 for need, most in zip(jobs[t].demand, instance.capacity, strict=True))
    if found and both and one and whole:
        found.add("crossed")
        if starts[a] == starts[b] == 0:
            found.add("strict")
            if any((x, y) in overlap for x in both for y in one):
                found.add("full")
    return found


CREW = {"crew": 1}
# Two sources, a job after both, two jobs after one of them, a sink that needs all.
CROSSED = {"s": (1, CREW, ""), "u": (2, CREW, ""), "m": (1, CREW, "su"), "n": (1, {}, "u"), "t": (1, {"crew": 2}, "mn")}
PLAIN = {"s": (1, CREW, ""), "u": (1, CREW, ""), "t": (1, CREW, "su")}

SMALL = {
    "crossed": make({"crew": 2}, CROSSED, 4),
    "crossed, late": make({"crew": 2}, CROSSED, 5),
    "short sources": make({"crew": 2}, CROSSED | {"u": (1, CREW, "")}, 4),
    "other names": make(
        {"x": 3, "y": 1},
        {
            "a": (1, {"x": 1, "y": 1}, "bc"),
            "b": (1, {"x": 2}, "zy"),
            "c": (1, {}, "z"),
            "z": (1, {}, ""),
            "y": (1, {}, ""),
        },
        4,
    ),
    "two middles": make({"crew": 3}, CROSSED | {"o": (1, CREW, "s"), "t": (1, {"crew": 3}, "mno")}, 4),
    "no crossing": make({"crew": 2}, PLAIN, 3),
    "sink not whole": make({"crew": 3}, CROSSED, 4),
    "sink of nothing": make({"crew": 2, "none": 0}, CROSSED | {"t": (1, {}, "mn")}, 4),
    "milestones": make({"crew": 1}, {"a": (0, {"crew": 5}, ""), "b": (2, CREW, "c"), "c": (0, {}, "a")}, 3),
    "milestone source": make({"crew": 2}, CROSSED | {"s": (0, {}, "")}, 4),
    "milestone middle": make({"crew": 2}, CROSSED | {"n": (0, {}, "u")}, 4),
    "reversed names": make({"crew": 2}, {"b": (0, CREW, ""), "a": (1, CREW, "b"), "c": (2, CREW, "")}, 3),
    "alone": make({}, {"a": (1, {}, "")}, 2),
    "source is sink": make({}, {"a": (1, {}, ""), "b": (1, {}, ""), "c": (1, {}, "b")}, 2),
    "three sources": make({}, {"a": (1, {}, ""), "b": (1, {}, ""), "c": (1, {}, ""), "d": (0, {}, "abc")}, 2),
    "two resources": make(
        {"x": 3, "y": 2}, {"a": (2, {"x": 2}, ""), "b": (1, {"x": 2, "y": 2}, ""), "c": (1, {"y": 1}, "")}, 3
    ),
    "too much": make({"crew": 1}, {"a": (1, {"crew": 2}, "")}, 3),
    "too long": make({}, {"a": (4, {}, "")}, 3),
    "no time": make({}, {"a": (0, {}, ""), "b": (0, {}, "a")}, 0),
    "no job": make({"crew": 1}, {}, 2),
}


def drawn(seed: int) -> Instance:
    """A random instance of up to five jobs on two resources; some have the shape of the motifs."""
    draw = random.Random(f"rs {seed}")
    names = "abcde"[: draw.randint(2, 5)]
    jobs = {}
    for number, name in enumerate(names):
        after = "".join(one for one in names[:number] if number >= 2 and draw.random() < 0.6)
        demand = {one: draw.randint(1, 2) for one in ("x", "y") if draw.random() < 0.5}
        jobs[name] = (draw.choice([0, 1, 1, 1, 2]), demand, after)
    deadline = 4 if len(names) < 5 else 3
    return make({"x": draw.randint(1, 3), "y": draw.randint(1, 3)}, jobs, deadline)


INSTANCES = {"showcase": SHOWCASE, **SMALL, **{f"drawn {seed}": drawn(seed) for seed in range(24)}}
EACH = pytest.mark.parametrize("name", INSTANCES)


@cache
def known(name: str) -> dict[bytes, tuple[int, set[str]]]:
    """{accepted word: its cost and motifs} of one of the instances."""
    one = INSTANCES[name]
    return {word: (cost(one, starts), holds(one, starts)) for word, starts in accepted(one).items()}


@EACH
def test_models_are_the_accepted_words(name: str) -> None:
    assert words(rs, INSTANCES[name]) == set(known(name))


@EACH
def test_at_most_bounds_the_makespan(name: str) -> None:
    for most in range(-1, INSTANCES[name].deadline + 2):
        meant = {word for word, (spent, _) in known(name).items() if spent <= most}
        assert set(raw_words(rs, INSTANCES[name], most)) == meant


@EACH
@pytest.mark.parametrize("motif", rs.MOTIFS)
def test_denied_motif_leaves_the_words_without_it(name: str, motif: str) -> None:
    meant = sorted(word for word, (_, shown) in known(name).items() if motif not in shown)
    cnf, model = formula(rs, INSTANCES[name], motif=motif)
    found = projections(cnf.clauses, model.decisions)
    assert sorted(canonical(rs.word(model, {one for one in literals if one > 0})) for literals in found) == meant
    assert all(completes(cnf.clauses, literals) for literals in found[:20])


def test_the_instances_show_each_motif_and_its_absence() -> None:
    shown = {name: [motifs for _, motifs in known(name).values()] for name in INSTANCES}
    for motif in rs.MOTIFS:
        assert sum({motif in found for found in verdicts} == {True, False} for verdicts in shown.values()) >= 3, motif
    assert not any(set().union(*shown[name]) for name in ("source is sink", "three sources", "milestone source"))
    assert set().union(*shown["no crossing"]) == {"overlap"}
    assert set().union(*shown["sink not whole"]) == set().union(*shown["sink of nothing"]) == {"overlap"}
    assert set().union(*shown["milestone middle"]) == {"overlap", "crossed", "strict"}


def test_the_motifs_of_the_showcase() -> None:
    left = {motif: len(raw_words(rs, SHOWCASE, motif=motif)) for motif in rs.MOTIFS}
    assert len(raw_words(rs, SHOWCASE)) == 9
    assert left == {"overlap": 0, "crossed": 0, "strict": 4, "full": 6}


def test_another_motif_is_no_motif() -> None:
    cnf, model = formula(rs, SHOWCASE)
    with pytest.raises(ValueError, match="not in tuple"):
        rs.deny(cnf, model, "main")


VITAL = {
    "r3_predecessors": make({}, {"a": (1, {}, ""), "b": (1, {}, "a")}, 2),
    "r4_resources": make({"crew": 1}, {"a": (1, CREW, ""), "b": (1, CREW, "")}, 2),
    "r5_deadline": make({}, {"a": (2, {}, "")}, 2),
}


@pytest.mark.parametrize("rule", VITAL)
def test_a_rule_left_out_lets_in_words_that_break_it_alone(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = VITAL[rule]
    loose, normal = without(monkeypatch, rs, rule, instance), words(rs, instance)
    number = rule.partition("_")[0].upper()
    alone = {text(starts) for starts in all_starts(instance) if faults(instance, starts) == {number}}
    assert normal < loose
    assert loose - normal <= alone


def test_without_one_start_a_job_a_word_has_several_models(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = make({}, {"a": (0, {}, "")}, 3)
    assert len(raw_words(rs, instance)) == 4
    monkeypatch.setattr(rs, "r2_unstarted", lambda *_: None)
    assert len(raw_words(rs, instance)) == 8


@pytest.mark.parametrize("rule", ["r1_clock", "g_goal"])
def test_two_rules_hold_by_construction(rule: str) -> None:
    """They post nothing; that no word breaks them is what the comparison of words shows."""
    cnf, model = formula(rs, SHOWCASE)
    before = list(cnf.clauses)
    getattr(rs, rule)(cnf, model)
    assert cnf.clauses == before


def word(**change: Any) -> Json:
    return {"starts": {"A": 0, "B": 0, "C": 2, "D": 2, "E": 3} | change}


@pytest.mark.parametrize(
    ("given", "code", "pointer"),
    [
        ([], "wrong-type", ""),
        ({}, "missing-key", "/starts"),
        ({"starts": {"A": 0}}, "missing-key", "/starts/B"),
        (word(F=1), "unknown-key", "/starts/F"),
        (word(A=6), "out-of-range", "/starts/A"),
        (word(A=-1), "out-of-range", "/starts/A"),
        (word(A=True), "wrong-type", "/starts/A"),
        (word(A=None), "wrong-type", "/starts/A"),
    ],
)
def test_what_is_no_word_is_refused(given: Json, code: str, pointer: str) -> None:
    with pytest.raises(MalformedInput) as error:
        rs.literals(formula(rs, SHOWCASE)[1], given)
    assert (error.value.code, error.value.pointer) == (code, pointer)
    with pytest.raises(MalformedInput):
        rs.namings(SHOWCASE, given)


def test_every_word_has_literals_of_its_own_and_illegal_ones_fail() -> None:
    instance = SMALL["no crossing"]
    cnf, model = formula(rs, instance)
    told = {rs.literals(model, {"starts": dict(starts)}): starts for starts in all_starts(instance)}
    assert len(told) == 64
    for literals, starts in told.items():
        assert completes(cnf.clauses, literals) == (not faults(instance, starts))


def test_a_word_stands_for_itself() -> None:
    assert rs.namings(SHOWCASE, word()) == 1


def test_too_large_a_formula_is_refused() -> None:
    with pytest.raises(Undecided) as error:
        rs.state(Cnf(), make({}, {"a": (1, {}, ""), "b": (1, {}, "a")}, 1_000_000))
    assert error.value.reason == "size"


def test_the_name_stands_for_these_clauses() -> None:
    assert rs.NAME == "rs/1"
    assert digest(rs, SHOWCASE) == "c8bfb2e25af4d29a"
    assert digest(rs, SHOWCASE, "full") == "81397316ebf0c4b7"
    assert digest(rs, SMALL["two resources"]) == "698e05abf0fafcad"
