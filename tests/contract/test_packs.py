"""Packs of all showcases: what the items ask, that their keys are right, and that nothing is given away."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cwr_audits.cli import run as command
from cwr_audits.packs import build as building
from cwr_audits.packs import confirm as confirming
from cwr_audits.packs.answers import grade_answer
from cwr_audits.packs.build import build
from cwr_audits.packs.confirm import confirm
from cwr_audits.packs.drafts import Target
from cwr_audits.packs.families import targets
from cwr_audits.packs.model import ARMS, EvaluatorRow, Pack, files, read_pack
from cwr_audits.packs.sources import sources
from cwr_audits.subject import subjects
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import Disagreement
from cwr_solvers.grading import grade, run
from cwr_solvers.jsontext import canonical
from cwr_solvers.search import words

CODES = tuple(one.code for one in targets(()))
EVERY = pytest.mark.parametrize("code", CODES)


def quiet(_text: str) -> None:
    """Progress that nobody sees."""


@cache
def pack_of(code: str, seed: str = "tests") -> Pack:
    return build(subjects((code,)), sources(), {}, seed, quiet)


def rows(code: str, *conditions: str) -> list[EvaluatorRow]:
    found = [row for row in pack_of(code).evaluator if row.condition in conditions]
    assert found
    return found


def judged(row: EvaluatorRow, answer: Any) -> str:
    world = WORLDS[row.family]
    data = canonical(answer)
    return grade_answer(row.condition, world, world.read_instance(row.instance), row.key, data).status


@EVERY
def test_keys_answer_their_items_and_constants_do_not(code: str) -> None:
    found = rows(code, "P", "R", "E")
    assert [row.item for row in found if judged(row, row.key) != "accepted"] == []
    for answer in {canonical(row.key): row.key for row in found}.values():
        right = Counter(row.condition for row in found if judged(row, answer) == "accepted")
        pairs = Counter(row.made["pair"] for row in found if row.condition == "P" and judged(row, answer) == "accepted")
        assert 2 * right["P"] <= len(rows(code, "P"))
        assert 3 * right["R"] <= len(rows(code, "R"))
        assert 2 * right["E"] <= len(rows(code, "E"))
        assert set(pairs.values()) <= {1}  # no pair is won


@EVERY
def test_pairs_are_of_one_kind_of_step_and_of_both_answers(code: str) -> None:
    pairs: dict[Any, list[EvaluatorRow]] = {}
    for row in rows(code, "P"):
        pairs.setdefault(row.made["pair"], []).append(row)
    assert {tuple(sorted(json.dumps(row.key)[:14] for row in pair)) for pair in pairs.values()} == {
        ('{"legal": fals', '{"legal": true')
    }


@EVERY
def test_handbooks_are_balanced_and_one_entry_fits(code: str) -> None:
    found = rows(code, "R")
    places, names = Counter[int](), Counter[str]()
    for row in found:
        world = WORLDS[row.family]
        instance = world.read_instance(row.instance)
        artifacts: Any = row.made["artifacts"]
        said = [grade(world, instance, canonical(one["submission"])).status for one in artifacts]
        assert said.count("accepted") == 1
        assert "illegal" in said
        valid = said.index("accepted")
        assert {"artifact_id": artifacts[valid]["artifact_id"]} == row.key
        assert [one["role"] for one in artifacts][valid] == "valid"
        places[valid] += 1
        names[artifacts[valid]["artifact_id"]] += 1
    assert set(places.values()) == set(names.values()) == {2}
    assert len(places) == len(names) == 3
    assert len({canonical(row.instance) for row in found}) == len(found)


@EVERY
def test_candidates_fail_at_every_step(code: str) -> None:
    (about,) = subjects((code,))
    steps = len(about.world.read_submission(about.instance, about.witness).moves)
    keys: list[Any] = [row.key for row in rows(code, "E")]
    assert {key["first_illegal_step"] for key in keys} == {None, *range(1, steps + 1)}
    goals = {key["goal"] for key in keys if key["first_illegal_step"] is None}
    assert goals == ({True} if about.world.family == "RS" else {True, False})
    for row in rows(code, "E"):
        assert (row.replica == "sibling") == (row.key["goal"] is True)  # type: ignore[index, call-overload]


@EVERY
def test_no_solution_of_the_target_is_shown_outside_r(code: str) -> None:
    for row in rows(code, "P", "E", *(ARMS if sources_of(code) else ())):
        if row.replica == "sibling":
            continue
        world = WORLDS[row.family]
        instance = world.read_instance(row.instance)
        (prompt,) = [one.prompt for one in pack_of(code).model if one.item == row.item]
        shown = [world.write_submission(instance, word) for word in words(world, instance)]
        assert shown
        assert [one for one in shown if canonical(one).decode() in prompt] == []


def sources_of(code: str) -> list[str]:
    return [one.arm for one in sources() if one.target == code]


@EVERY
def test_arms_differ_in_their_source_only(code: str) -> None:
    if not sources_of(code):
        assert pack_of(code).unsourced == (code,)
        return
    made = {arm: rows(code, arm) for arm in ARMS}
    for one, other in zip(made["F"], made["C"], strict=True):
        assert one.base == other.base
        assert canonical(one.instance) != canonical(other.instance)
        assert len(one.made["demonstrations"]) == len(other.made["demonstrations"])  # type: ignore[arg-type]
    names = [row.instance for arm in ARMS for row in made[arm]]
    assert len({canonical(one) for one in names}) == len(names)
    for row in (*made["F"], *made["C"]):
        example: Any = row.made["example"]
        world = WORLDS[row.family]
        instance = world.read_instance(example["instance"])
        assert run(world, instance, world.read_submission(instance, example["submission"])).status == "accepted"


def test_the_same_seed_gives_the_same_bytes_and_another_gives_others() -> None:
    again = build(subjects(("TW-001",)), sources(), {}, "tests", quiet)
    assert files(again) == files(pack_of("TW-001"))
    other = pack_of("TW-001", "other")
    assert {row.item for row in other.model}.isdisjoint(row.item for row in again.model)
    assert {row.prompt for row in other.model}.isdisjoint(row.prompt for row in again.model)


@EVERY
def test_what_a_model_sees_names_nothing(code: str) -> None:
    made = pack_of(code)
    text = files(made)["model/items.jsonl"].decode()
    telling = [
        code,
        made.salt,
        *(row.base for row in made.evaluator),
        "renaming",
        "sibling",
        "accepted",
        "changed-goal",
    ]
    assert [word for word in telling if word in text] == []
    assert len({row.prompt for row in made.model}) == len(made.model)


def test_a_key_that_the_clauses_do_not_confirm_makes_no_pack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirming, "judge", lambda _world, _instance: lambda _submission: "accepted")
    with pytest.raises(Disagreement, match="the key of an item"):
        pack_of.__wrapped__("TW-001")


def test_two_items_with_one_prompt_make_no_pack(monkeypatch: pytest.MonkeyPatch) -> None:
    drafts = building.r_drafts(Target(subjects(("TW-001",))[0], "x"))
    monkeypatch.setattr(building, "r_drafts", lambda _target: [drafts[0], drafts[0]])
    with pytest.raises(Disagreement, match="prompts"):
        pack_of.__wrapped__("TW-001")


@EVERY
def test_clauses_tell_accepted_rejected_and_illegal_apart(code: str) -> None:
    (about,) = subjects((code,))
    probes: list[Any] = [one for one in about.probes if isinstance(one, dict) and one["kind"] == "sequence"]
    found = [about.world.read_submission(about.instance, one["submission"]) for one in probes]
    confirm(about.world, about.instance, [*found, about.world.read_submission(about.instance, about.witness)])
    assert len(found) > 2
    broken = replace(about.world, step=lambda _i, state, _m: state)
    with pytest.raises(Disagreement):
        confirm(broken, about.instance, found)


def test_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "pack"
    call = ["pack", "TW-001", "KL-001", "--seed", "s", "--out", str(out), "--json"]
    assert command(call) == 0
    told = json.loads(capfd.readouterr().out)
    made = read_pack(out)
    assert told["items"]["TW-001"]["R"] == 6
    assert told["unsourced"] == list(made.unsourced)
    assert made.worlds == ("TW-001", "KL-001")
    assert {name.split("/")[0] for name in made.certificates} >= {"TW-001", "KL-001", "TW-001-F", "TW-001-C"}
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert command(call) == 2
    assert before == {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert command(["pack", "XX", "--seed", "s", "--out", str(tmp_path / "none")]) == 2
    assert command(["pack", "TW-001", "CO-001", "--seed", "s", "--out", str(tmp_path / "none")]) == 2
    assert "packs are made of the families TW, " in capfd.readouterr().err
    file = tmp_path / "pack" / "evaluator" / "pack.json"
    assert command(["pack", str(file), "--seed", "s", "--out", str(tmp_path / "none")]) == 2
    assert "packs are made of showcases, and" in capfd.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pack"]
