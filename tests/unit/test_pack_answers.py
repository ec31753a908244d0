"""Answers to P, R and E: the exact key and nothing else, for every world."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cwr_audits.packs.answers import grade_answer
from cwr_audits.packs.model import Condition
from cwr_audits.subject import Subject, subjects
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import Verdict, answer_e, run

SHOWCASES = pytest.mark.parametrize("about", subjects(()), ids=lambda one: one.code)


def judged(about: Subject, condition: Condition, key: Any, answer: Any) -> Verdict:
    data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    return grade_answer(condition, about.world, about.instance, key, data)


def state(about: Subject) -> Any:
    return about.world.write_state(about.instance, about.world.initial(about.instance))


def ended(about: Subject) -> Any:
    submission = about.world.read_submission(about.instance, about.witness)
    return about.world.write_state(about.instance, run(about.world, about.instance, submission).state)


@SHOWCASES
def test_p_answers(about: Subject) -> None:
    here, there = state(about), ended(about)
    legal, illegal = {"legal": True, "next_state": here}, {"legal": False, "next_state": None}
    assert judged(about, "P", legal, legal).status == "accepted"
    assert judged(about, "P", illegal, illegal).status == "accepted"
    assert judged(about, "P", legal, json.dumps(legal, indent=2).encode()).status == "accepted"
    for key, wrong in ((legal, illegal), (illegal, legal), (legal, {"legal": True, "next_state": there})):
        found = judged(about, "P", key, wrong)
        assert (found.status, found.codes) == ("rejected", ("K",))
    for broken in (
        {"legal": True, "next_state": None},
        {"legal": False, "next_state": here},
        {"legal": 1, "next_state": here},
        {"legal": "true", "next_state": here},
        {"legal": True},
        {**legal, "why": "x"},
        {"legal": True, "next_state": {**here, "steps": True}},
        {"legal": True, "next_state": {**here, "steps": "0"}},
        {"legal": True, "next_state": {**here, "other": 0}},
        [legal],
        json.dumps(legal).encode() + b" ok",
        b"",
        b'{"legal":true,"legal":true,"next_state":null}',
    ):
        assert judged(about, "P", legal, broken).status == "malformed"


@SHOWCASES
def test_e_answers(about: Subject) -> None:
    submission = about.world.read_submission(about.instance, about.witness)
    key: Any = answer_e(about.world, about.instance, submission)
    illegal: Any = {"first_illegal_step": 2, "final_state": None, "goal": None}
    assert judged(about, "E", key, key).status == "accepted"
    assert judged(about, "E", illegal, illegal).status == "accepted"
    wrong = ({**key, "goal": False}, {**key, "final_state": state(about)}, illegal)
    assert {judged(about, "E", key, one).status for one in wrong} == {"rejected"}
    assert judged(about, "E", illegal, {**illegal, "first_illegal_step": 3}).status == "rejected"
    for broken in (
        {**illegal, "first_illegal_step": 0},
        {**illegal, "first_illegal_step": True},
        {**illegal, "goal": False},
        {**illegal, "final_state": key["final_state"]},
        {**key, "goal": None},
        {**key, "goal": 1},
        {**key, "final_state": None},
        {**key, "first_illegal_step": 1},
    ):
        assert judged(about, "E", key, broken).status == "malformed"


@SHOWCASES
def test_r_answers(about: Subject) -> None:
    key = {"artifact_id": "H1"}
    assert judged(about, "R", key, key).status == "accepted"
    for other in ("H0", "h1", " H1", ""):
        assert judged(about, "R", key, {"artifact_id": other}).status == "rejected"
    for broken in ({"artifact_id": 1}, {"artifact_id": None}, {"artifact_id": ["H1"]}, "H1", {}):
        assert judged(about, "R", key, broken).status == "malformed"


@SHOWCASES
def test_f_and_c_answers_are_submissions(about: Subject) -> None:
    for condition in ("F", "C"):
        assert judged(about, condition, None, about.witness).status == "accepted"
        assert judged(about, condition, None, {"artifact_id": "H1"}).status == "malformed"


def test_a_key_that_is_none_is_not_the_answers_fault() -> None:
    about = subjects(())[0]
    with pytest.raises(MalformedInput):
        judged(about, "P", {"legal": True, "next_state": None}, {"legal": False, "next_state": None})


def test_an_order_that_means_nothing_does_not_matter() -> None:
    (about,) = subjects(("PA-001",))
    here = ended(about)
    turned = {**here, "connections": here["connections"][::-1]}
    key = {"legal": True, "next_state": here}
    assert turned != here
    assert judged(about, "P", key, {"legal": True, "next_state": turned}).status == "accepted"
