"""Vitality: alone, move, inert and not found are told apart, and what is exhausted is all there is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cwr_audits.attacks import vitality as vital
from cwr_audits.attacks import vocabulary
from cwr_audits.attacks.reach import reach, rules_of
from cwr_audits.attacks.vitality import vitality
from cwr_audits.attacks.vocabulary import VOCABULARIES
from cwr_audits.subject import Subject, subject, subjects
from cwr_solvers.grading import grade
from cwr_solvers.search import count, layers

TW, RS, BC = subject("TW-001"), subject("RS-001"), subject("BC-001")
# the rules that no submission breaks alone, by hand: see each rule book, and the budgets and bounds of the showcase
NEVER_ALONE = {
    "TW-001": {"R2", "R3", "R4", "R5", "R6"},  # ore for two blanks only, so one widget; both budgets are 4
    "RS-001": {"R1", "R2", "R4", "G"},  # a map of starts has no order and no second start; all jobs end
}


def words(one: Subject, probes: Any = None, most: int = 400_000) -> dict[str, str]:
    found = vitality(one.world, one.instance, one.probes if probes is None else probes, most)
    return {row.subject: row.word for row in found}


@pytest.mark.parametrize("one", subjects(()), ids=lambda one: one.code)
def test_every_rule_of_every_showcase_is_settled(one: Subject) -> None:
    rows = list(vitality(one.world, one.instance, one.probes))
    assert [row.subject for row in rows] == list(one.world.rules)
    assert {row.word for row in rows} <= {"alone", "move", "inert"}
    for row in rows:
        if row.word == "alone":
            status, _, value = row.text.partition(" ")
            verdict = grade(one.world, one.instance, value.encode("utf-8"))
            assert (verdict.status, verdict.codes) == (status, (row.subject,))
        else:
            assert "no submission: " in row.text
    if one.code in NEVER_ALONE:
        assert {row.subject for row in rows if row.word != "alone"} == NEVER_ALONE[one.code]


def test_without_probes_a_rule_that_no_submission_breaks_alone_is_inert() -> None:
    assert words(TW)["R5"] == "move"
    assert words(TW, ())["R5"] == "inert"
    assert words(TW, ())["R1"] == "alone"


def test_a_search_that_was_cut_proves_nothing() -> None:
    cut = words(TW, (), 3)
    assert cut["R1"] == "alone"  # found before the cut
    assert {cut[rule] for rule in ("R2", "R3", "R4", "R5", "R6")} == {"not found"}
    rows = {row.subject: row for row in vitality(TW.world, TW.instance, TW.probes, 3)}
    assert rows["R5"].word == "move"
    assert "not found in submissions (only 3 moves were tried)" in rows["R5"].text
    assert rows["R3"].word == "not found"


def test_too_many_submissions_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert words(RS, ())["G"] == "inert"
    monkeypatch.setattr(vocabulary, "MOST_WHOLE", 7775)
    assert set(words(RS, ()).values()) == {"not found"}


def test_rules_that_break_together_only_are_named_with_each_other() -> None:
    row = next(row for row in vitality(BC.world, BC.instance, ()) if row.subject == "R3")
    assert row.word == "inert"
    assert row.text.endswith("with others: R1+R3")


def test_a_submission_that_is_graded_otherwise_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    found = vital.search(TW.world, TW.instance, 1000)
    swapped = replace(found, first={("R2",): found.first["R1",]})
    monkeypatch.setattr(vital, "search", lambda *_: swapped)
    with pytest.raises(ValueError, match="found alone for R2, graded illegal"):
        list(vitality(TW.world, TW.instance, ()))


# BC counts states of which none is made, and PA takes long
COUNTED = [one for one in subjects(()) if one.world.family not in ("BC", "PA")]


@pytest.mark.parametrize("one", COUNTED, ids=lambda one: one.code)
def test_as_many_states_are_reached_as_the_interpreter_counts(one: Subject) -> None:
    reached = reach(one.world, one.instance, 400_000)
    assert reached.complete
    assert len(reached.visits) == count(one.world, one.instance).reachable_states


def test_states_of_one_sight_break_the_same_rules() -> None:
    world, instance, sight = BC.world, BC.instance, VOCABULARIES["BC"].sight
    assert sight is not None
    moves = [world.read_move(instance, move) for move in VOCABULARIES["BC"].moves(instance)][::7]
    seen: dict[Any, list[Any]] = {}
    for layer in layers(replace(world, finish=None), instance, 10_000):
        for node in list(layer.values())[:40]:
            broken = [rules_of(world.step(instance, node.state, move)) for move in moves]
            assert seen.setdefault(sight(instance, node.state), broken) == broken
        if len(seen) == 4:
            break
    assert len(seen) == 4
