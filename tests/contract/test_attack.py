"""No world has a hole: what `cwr attack` runs, over every showcase; and a planted hole is found by the same demand."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cwr_audits.attack import PARTS, SEEDS, Attack, attacks
from cwr_audits.attacks.rows import GOOD, Row
from cwr_audits.files import checkout
from cwr_audits.late import ATTACKS
from cwr_audits.out import ACCEPTED, REJECTED
from cwr_audits.routes import limits
from cwr_audits.subject import Subject, subject, subjects
from cwr_audits.workers import Crew, crew
from cwr_solvers.catalogue import WORLDS

CORPUS = checkout() / "tests" / "corpus"
SECONDS = 300.0
SHOWCASES = subjects(())
TW = subject("TW-001")


@pytest.fixture(scope="module")
def workers() -> Iterator[Crew]:
    with crew(ATTACKS) as started:
        yield started


def attacked(workers: Crew, one: Subject, corpus: Path = CORPUS, seeds: Mapping[str, Sequence[int]] = SEEDS) -> Attack:
    (found,) = attacks(workers, [one], corpus, limits(SECONDS), seeds)
    return found


def weak(found: Attack) -> list[str]:
    """The rows that are no good word, and the parts that were not examined."""
    missing = [f"{part}: no row" for part in PARTS if not any(row.part == part for row in found.rows)]
    return missing + [
        f"{row.part}: {row.subject}: {row.word}: {row.text}" for row in found.rows if row.word not in GOOD
    ]


def test_every_family_has_a_showcase_and_random_instances() -> None:
    assert {one.world.family for one in SHOWCASES} == set(SEEDS) == set(WORLDS)
    assert all(SEEDS.values())


@pytest.mark.parametrize("one", SHOWCASES, ids=lambda one: one.code)
def test_no_world_has_a_hole(workers: Crew, one: Subject) -> None:
    found = attacked(workers, one)
    assert weak(found) == []
    assert found.code == ACCEPTED


def test_a_case_taken_away_from_the_corpus_is_a_hole(workers: Crew, tmp_path: Path) -> None:
    shutil.copytree(CORPUS / "tw", tmp_path / "tw")
    (tmp_path / "tw" / "rejected" / "leaves-the-goal.json").unlink()
    found = attacked(workers, TW, tmp_path)
    (told,) = weak(found)
    assert told.startswith("graders: g_goal ")
    assert ": hole: no trial tells it, but the end of " in told
    assert found.code == REJECTED


def test_a_mutant_of_an_encoding_that_no_instance_tells_is_a_hole(workers: Crew) -> None:
    # TW-001 alone never has two widgets, so none of the three routes misses R2 there
    found = attacked(workers, TW, seeds={})
    told = {one.partition(": hole")[0] for one in weak(found)}
    assert told >= {"cpsat: R2", "smt: R2", "cnf: R2"}
    assert found.code == REJECTED


def test_a_part_without_rows_and_an_open_row_are_not_let_pass() -> None:
    full = Attack(TW, tuple(Row(part, "planted", "killed", "") for part in PARTS))
    assert weak(full) == []
    assert weak(replace(full, rows=full.rows[1:])) == [f"{PARTS[0]}: no row"]
    open_ = Row(PARTS[0], "planted", "undecided", "")
    assert weak(replace(full, rows=(*full.rows, open_))) == [f"{PARTS[0]}: planted: undecided: "]
