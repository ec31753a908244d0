"""Replicas: other words, the same base, and the same answers to everything that is asked of them."""

from __future__ import annotations

import pytest

from cwr_audits.canonical import base
from cwr_audits.packs import replicas
from cwr_audits.packs.replicas import renaming
from cwr_audits.subject import Subject, subjects
from cwr_solvers.errors import Disagreement
from cwr_solvers.grading import answer_e, run
from cwr_solvers.search import count

SHOWCASES = pytest.mark.parametrize("about", subjects(()), ids=lambda one: one.code)


@SHOWCASES
def test_a_renaming_is_the_same_base_in_other_words(about: Subject) -> None:
    family = about.world.family
    one = renaming(family, about.source, (), about.code, "1")
    other = renaming(family, about.source, one.words, about.code, "2")
    assert one.base == other.base == base(family, about.source)
    assert len(one.words) > 2
    assert not one.words & other.words
    assert renaming(family, about.source, (), about.code, "1") == one


@SHOWCASES
def test_what_is_carried_over_is_judged_alike(about: Subject) -> None:
    one = renaming(about.world.family, about.source, (), about.code)
    for submission in (about.witness, *about.alternates):
        before = about.world.read_submission(about.instance, submission)
        after = one.world.read_submission(one.instance, one.carried("submission", submission))
        assert run(one.world, one.instance, after).status == run(about.world, about.instance, before).status
        told, expected = (
            answer_e(one.world, one.instance, after),
            one.carried("state", answer_e(about.world, about.instance, before)["final_state"]),  # type: ignore[call-overload, index]
        )
        read = one.world.read_state
        assert read(one.instance, told["final_state"]) == read(one.instance, expected)  # type: ignore[call-overload, index]
    assert count(one.world, one.instance) == count(about.world, about.instance)


def test_a_renaming_that_changes_the_base_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    (about,) = subjects(("TW-001",))
    monkeypatch.setattr(replicas, "base", lambda _family, source: str(source["code"]))
    with pytest.raises(Disagreement):
        renaming("TW", about.source, ())
