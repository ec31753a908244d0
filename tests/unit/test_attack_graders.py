"""Mutants of graders: killed, equal and hole are told apart, with planted corpora and planted mutants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from cwr_audits.attacks import graders, vocabulary
from cwr_audits.attacks.graders import Ground, Trial, attack, cases_of, ground, judge, trials
from cwr_audits.files import checkout
from cwr_audits.subject import Subject, from_json, subject
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import canonical
from cwr_solvers.world import World

CORPUS = checkout() / "tests" / "corpus"
TW, RS = subject("TW-001"), subject("RS-001")


def asked(one: Subject) -> tuple[Trial, ...]:
    return trials(one.world, one.instance, one.probes, cases_of(CORPUS, one.world.family))


def grounds(one: Subject) -> list[Callable[[], Ground]]:
    return [cache(partial(ground, one.world, one.instance))]


def words(one: Subject, known: tuple[Trial, ...]) -> dict[str, str]:
    return {row.subject: row.word for row in attack(one.world, [one.instance], known)}


def test_corpus_and_probes_kill_every_mutant_but_equal_ones() -> None:
    found = words(TW, asked(TW))
    assert set(found.values()) == {"killed", "equal"}
    assert len([word for word in found.values() if word == "equal"]) <= 2
    assert len(found) > 50


def test_without_corpus_and_probes_every_mutant_survives_and_that_is_reported() -> None:
    found = words(TW, ())
    assert found.pop("trials") == "hole"
    assert "killed" not in found.values()
    # the showcase itself tells what it can; what it cannot is no hole there
    assert {name.partition(" ")[0] for name, word in found.items() if word == "hole"} >= {
        "r1_tokens",
        "g_goal",
        "apply",
    }


def test_a_corpus_with_one_case_leaves_holes() -> None:
    (case,) = [one for one in cases_of(CORPUS, "TW") if one.case.name == "tw/accepted/witness"]
    found = words(TW, trials(TW.world, TW.instance, (), (case,)))
    assert {"killed", "hole"} <= set(found.values())
    assert next(word for name, word in found.items() if name.startswith("r1_tokens") and "dropped" in name) == "hole"


def test_an_equivalent_mutant_is_a_survivor_and_not_killed() -> None:
    def step(instance: Any, state: Any, move: Any) -> Any:
        return TW.world.step(instance, state, move)

    row = judge("planted", TW.world, replace(TW.world, step=step), asked(TW), grounds(TW))
    assert row.word == "equal"
    assert "6 reachable states × 3 moves" in row.text


@pytest.mark.parametrize("most", [0, 17])
def test_a_survivor_that_could_not_be_held_against_everything_is_undecided(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graders, "MOST_TRIED", most)
    row = judge("planted", TW.world, replace(TW.world), asked(TW), grounds(TW))
    assert row.word == "undecided"
    assert "moves were tried" in row.text
    assert judge("planted", TW.world, replace(TW.world), asked(TW), []).word == "undecided"


def test_too_many_submissions_are_undecided_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "MOST_WHOLE", 7775)
    assert judge("planted", RS.world, replace(RS.world), (), grounds(RS)).word == "undecided"


def hopeless(_instance: Any, _state: Any, _choice: Any) -> tuple[Any, ...]:
    raise KeyError("planted")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (replace(TW.world, initial=lambda instance: TW.world.initial(instance)._replace(cost=1)), "initial state"),
        (replace(TW.world, step=lambda *asked: asked[1]), "the last move"),
        (replace(TW.world, unmet=lambda *_: ()), "the end of"),
        (replace(TW.world, unmet=hopeless), "the end of"),
    ],
)
def test_a_survivor_with_a_difference_is_a_hole_and_shows_it(changed: World, told: str) -> None:
    row = judge("planted", TW.world, changed, (), grounds(TW))
    assert row.word == "hole"
    assert told in row.text


def test_a_difference_in_a_whole_submission_is_a_hole() -> None:
    job = {"duration": 1, "demand": {}, "after": []}
    jobs = [{"name": "A", **job}, {"name": "B", **job}]
    small = from_json({"family": "RS", "code": "small", "resources": {}, "jobs": jobs, "deadline": 2})
    late = canonical({"starts": {"A": 0, "B": 2}})

    def read(instance: Any, value: Any) -> Any:
        return RS.world.read_submission(instance, {"starts": {"A": 0, "B": 1}} if canonical(value) == late else value)

    row = judge("planted", RS.world, replace(RS.world, read_submission=read), (), grounds(small))
    assert row.word == "hole"
    assert late.decode() in row.text
    same = judge("planted", RS.world, replace(RS.world), (), grounds(small))
    assert same.word == "equal"
    assert "9 submissions" in same.text


def test_a_mutant_that_crashes_is_killed() -> None:
    row = judge("planted", TW.world, replace(TW.world, unmet=hopeless), asked(TW), [])
    assert row.word == "killed"
    assert "crash (KeyError)" in row.text


def test_a_corpus_that_the_grader_itself_fails_kills_nothing() -> None:
    (case,) = [one for one in cases_of(CORPUS, "TW") if one.case.name == "tw/accepted/witness"]
    wrong = replace(case, case=replace(case.case, due=replace(case.case.due, verdict="rejected")))
    dear = replace(case, cost=5)
    for one in (wrong, dear):
        (row,) = attack(TW.world, [TW.instance], trials(TW.world, TW.instance, (), (one,)))
        assert (row.subject, row.word) == ("trials", "hole")
        assert "tw/accepted/witness" in row.text


def test_probes_of_single_moves_tell_wrong_rules_and_wrong_states() -> None:
    probe = next(one for one in TW.probes if isinstance(one, dict) and one["name"] == "smelt")
    (trial,) = trials(TW.world, TW.instance, [probe], ())
    assert trial.ask(TW.world) == trial.due
    dear = replace(TW.world, step=lambda *asked: TW.world.step(*asked)._replace(cost=9))
    assert trial.ask(dear) != trial.due
    bare = replace(TW.world, step=lambda *asked: TW.world.step(*asked[:2], "rivet"))
    assert trial.ask(bare) != trial.due


def test_proofs_by_hand_are_of_mutants_that_there_are_and_that_survive(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {family for family, _, _ in graders.EQUAL} <= set(WORLDS)
    planted = {
        ("TW", "r5_actions", "finds nothing"): "wrong",
        ("TW", "r5_actions", "no such edit"): "stale",
    }
    monkeypatch.setattr(graders, "EQUAL", planted)
    rows = [row for row in attack(TW.world, [TW.instance], asked(TW)) if row.word == "hole"]
    assert [row.text.partition(":")[0] for row in rows] == [
        "EQUAL is wrong (wrong)",
        "EQUAL has a proof for a mutant that there is not",
    ]


def test_a_folder_without_the_family_has_no_cases_and_a_broken_file_is_refused(tmp_path: Path) -> None:
    assert cases_of(tmp_path, "TW") == ()
    place = tmp_path / "tw" / "accepted"
    place.mkdir(parents=True)
    (place / "broken.json").write_text('{"code":"TW-001"}')
    with pytest.raises(UsageError):
        cases_of(tmp_path, "TW")
