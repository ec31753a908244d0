"""The motifs of RS in the SMT encoding, against a predicate written here from the rule book."""

from __future__ import annotations

import json
import random
from itertools import permutations
from typing import Any

import pytest
import z3
from smt_motif_checks import (
    changed,
    check_labels,
    check_moves,
    check_mutants,
    check_partition,
    expected,
    labels,
    showcase,
)

from cwr_encodings.rs import smt
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.worlds.rs.instance import Instance


def predicate(instance: Instance, word: Any) -> dict[str, bool]:
    """All four, by instants: two jobs overlap when some unit of time belongs to both."""
    busy = {
        job.name: set(range(word["starts"][job.name], word["starts"][job.name] + job.duration)) for job in instance.jobs
    }
    sources = {job.name for job in instance.jobs if not job.after}
    sinks = {job.name for job in instance.jobs} - {name for job in instance.jobs for name in job.after}
    names = dict.fromkeys(("overlap", "crossed", "strict", "full"), False)
    if len(sources) != 2 or len(sinks) != 1 or sources & sinks:
        return names
    (sink,) = sinks
    first, second = sorted(sources)
    others = [job for job in instance.jobs if job.name != sink]
    ends = [word["starts"][job.name] + job.duration for job in others]
    overlap = bool(busy[first] & busy[second]) and max(ends) <= word["starts"][sink]
    both = [job.name for job in others if sources <= set(job.after)]
    single = [job.name for job in others if len(sources & set(job.after)) == 1]
    whole = [n for n, most in enumerate(instance.capacity) if instance.job[sink].demand[n] == most >= 1]
    crossed = overlap and bool(both and single and whole)
    strict = crossed and word["starts"][first] == word["starts"][second] == 0
    full = strict and any(busy[one] & busy[two] for one in both for two in single)
    return {"overlap": overlap, "crossed": crossed, "strict": strict, "full": full}


def project(deadline: int, *jobs: tuple[str, int, int, str], whole: int = 2) -> dict[str, Any]:
    """Jobs (name of one letter, duration, demand, predecessors) on one resource of capacity `whole`."""
    return {
        "family": "RS",
        "code": "T",
        "resources": {"x": whole},
        "jobs": [
            {"name": name, "duration": duration, "demand": {"x": demand}, "after": list(after)}
            for name, duration, demand, after in jobs
        ],
        "deadline": deadline,
    }


A, B = ("a", 2, 1, ""), ("b", 2, 1, "")
C, D, E = ("c", 1, 1, "ab"), ("d", 1, 1, "a"), ("e", 1, 2, "cd")


# name: (instance, starts, the motifs that hold)
BY_HAND = {
    "all four": (project(4, A, B, C, D, E), "00223", "overlap crossed strict full"),
    "the middle apart": (project(5, A, B, C, D, E), "00234", "overlap crossed strict"),
    "the first late": (project(5, A, B, C, D, E), "10334", "overlap crossed"),
    "the sources apart": (project(6, A, B, C, D, E), "02445", ""),
    "one touches the other": (project(7, A, B, C, D, E), "20445", ""),
    # Nothing waits for d here, so d is a sink too.
    "two sinks": (project(4, A, B, C, D, ("e", 1, 1, "c")), "00223", ""),
    "the sink needs less": (project(4, A, B, C, D, ("e", 1, 1, "cd")), "00223", "overlap"),
    "no capacity to fill": (
        project(4, *((name, length, 0, after) for name, length, _, after in (A, B, C, D, E)), whole=0),
        "00223",
        "overlap",
    ),
    "no job after one source": (project(4, A, B, C, ("d", 1, 1, "ab"), E), "00223", "overlap"),
    "three sources": (project(4, A, B, C, ("d", 1, 0, ""), E), "00223", ""),
    "a source of no length": (project(4, A, ("b", 0, 1, ""), C, D, E), "00223", ""),
    "a middle of no length": (project(4, A, B, ("c", 0, 1, "ab"), D, E), "00223", "overlap crossed strict"),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    instance, starts, motifs = BY_HAND[name]
    found = labels("RS", smt, instance)
    word = json.dumps({"starts": dict(zip("abcde", map(int, starts), strict=True))})
    assert {motif for motif, holds in found[word].items() if holds} == set(motifs.split())


@pytest.mark.parametrize("deadline", [5, 6])
def test_words_with_and_without(deadline: int) -> None:
    check_partition("RS", changed("RS", deadline=deadline), predicate)


@pytest.mark.parametrize("seed", range(40))
def test_random_projects(seed: int) -> None:
    check_labels("RS", smt, WORLDS["RS"].generate(f"smt {seed}"), predicate)


def near(seed: int) -> Any:
    """A project like the showcase's with other lengths, demands and predecessors."""
    stream = random.Random(f"near {seed}")
    names = stream.choice(list(permutations("abcde")))
    after = {"c": stream.choice(("ab", "ab", "a")), "d": stream.choice(("a", "b", "ab", "ac")), "e": "cd"}
    jobs = [(name, stream.choice((0, 1, 1, 2)), stream.choice((0, 1, 1, 2)), after.get(name, "")) for name in names]
    return project(stream.choice((4, 5)), *jobs)


@pytest.mark.parametrize("seed", range(20))
def test_projects_near_the_motifs(seed: int) -> None:
    check_labels("RS", smt, near(seed), predicate)


def test_projects_near_the_motifs_have_them_and_lack_them() -> None:
    for motif in smt.MOTIFS:
        held = {motifs[motif] for seed in range(20) for motifs in expected("RS", near(seed), predicate).values()}
        assert held == {True, False}


@pytest.mark.parametrize("seed", range(4))
def test_requested_moves(seed: int) -> None:
    check_moves("RS", project(4 + seed, A, B, C, D, E), f"moves {seed}")


@pytest.mark.parametrize("motif", smt.MOTIFS)
def test_mutants(motif: str) -> None:
    check_mutants("RS", smt, motif, showcase("RS") | {"deadline": 6}, predicate)


def test_no_part_is_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    for part, name in (("_is_crossed", "the sink needs less"), ("_overlap", "the sources apart")):
        instance = BY_HAND[name][0]
        right = expected("RS", instance, predicate)
        with monkeypatch.context() as patch:
            patch.setattr(smt, part, PARTS[part])
            assert labels("RS", smt, instance) != right


PARTS = {"_is_crossed": lambda _: True, "_overlap": lambda model, *_: z3.BoolVal(True, model.context)}
