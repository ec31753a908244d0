"""Neighbours: that none is missing, and that a wrong grader or route among those that judge them is caught."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from cwr_audits.attack import submissions
from cwr_audits.attacks import edits
from cwr_audits.attacks.answers import compare, listed, normal_forms, verdicts
from cwr_audits.attacks.by_cnf import satisfied
from cwr_audits.attacks.edits import KINDS, neighbours
from cwr_audits.attacks.vocabulary import VOCABULARIES
from cwr_audits.engines.interpreter import search
from cwr_audits.subject import Subject, subject, subjects
from cwr_certificates.catalogue import STATEMENTS
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import MalformedInput
from cwr_solvers.jsontext import canonical
from cwr_solvers.world import Broken, World

TW = subject("TW-001")


def actions(*names: str) -> bytes:
    return canonical({"actions": list(names)})


def test_the_neighbours_of_a_sequence_of_names_are_all_there() -> None:
    word, names = ["smelt", "smelt", "coat"], ["smelt", "coat", "rivet"]
    n = range(len(word))
    expected = {actions(*word[:i], *word[i + 1 :]) for i in n}
    expected |= {actions(*word[:i], word[i], *word[i:]) for i in n} | {actions(*word, word[i]) for i in n}
    expected |= {actions(*word[:i], name, *word[i + 1 :]) for i in n for name in names}
    expected |= {actions(*word[:i], name, *word[i:]) for i in range(len(word) + 1) for name in names}
    expected |= {actions("coat", "smelt", "smelt"), actions("smelt", "coat", "smelt"), actions(*word)}
    found = neighbours(TW.world, TW.instance, [{"actions": list(word)}])
    assert set(found) == expected
    assert [one for one, kind in found.items() if kind == "none"] == [actions(*word)]


def test_fields_inner_lists_and_free_keys_are_edited() -> None:
    tp, rs = subject("TP-001"), subject("RS-001")
    step = {"op": "pack", "args": ["v3", "v1"], "out": ["v4"]}
    found = neighbours(tp.world, tp.instance, [{"steps": [step]}])
    for kind, field, value in (
        ("swap", "args", ["v1", "v3"]),
        ("delete", "args", ["v1"]),
        ("delete", "out", []),
        ("duplicate", "out", ["v4", "v4"]),
        ("substitute", "args", ["input", "v1"]),
        ("substitute", "op", "seal"),
    ):
        assert found[canonical({"steps": [{**step, field: value}]})] == kind
    starts = {"A": 0, "B": 0, "C": 2, "D": 2, "E": 3}
    plans = neighbours(rs.world, rs.instance, [{"starts": starts}])
    assert plans[canonical({"starts": {**starts, "A": 2, "C": 0}})] == "swap"
    assert plans[canonical({"starts": {job: start for job, start in starts.items() if job != "A"}})] == "delete"
    assert plans[canonical({"starts": {**starts, "E": 5}})] == "substitute"
    assert len([kind for kind in plans.values() if kind == "substitute"]) == 5 * 5


def test_where_insertions_are_many_the_submission_lends_its_own_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edits, "MOST_INSERTED", 8)
    found = neighbours(TW.world, TW.instance, [{"actions": ["smelt", "coat"]}])
    inserted = {one for one, kind in found.items() if kind == "insert"}
    assert inserted == {actions("coat", "smelt", "coat")}
    assert actions("rivet", "smelt", "coat") not in found


# a schedule has each job once, and a witness of one card no two to exchange
WITHOUT: Mapping[str, set[str]] = {"RS": {"duplicate", "insert"}, "CO": {"swap"}}


@pytest.mark.parametrize("one", subjects(()), ids=lambda one: one.code)
def test_every_published_answer_has_neighbours_of_every_kind(one: Subject) -> None:
    found = neighbours(one.world, one.instance, submissions(one)[:1])
    kinds = set(KINDS) - WITHOUT.get(one.world.family, set())
    assert set(found.values()) == kinds
    said = verdicts(one.world, one.instance, found)
    assert {said[edited] for edited, kind in found.items() if kind == "none"} == {"accepted"}
    assert len({"illegal", "rejected", "malformed"} & set(said.values())) >= 2


@pytest.mark.parametrize("family", WORLDS)
def test_the_vocabulary_is_well_typed_and_has_every_legal_move(family: str) -> None:
    world = WORLDS[family]
    for number in range(3):
        instance = world.read_instance(world.generate(f"attack/vocabulary/{number}"))
        known = [json.dumps(move, sort_keys=True) for move in VOCABULARIES[family].moves(instance)]
        for move in known:
            world.read_move(instance, json.loads(move))
        assert len(set(known)) == len(known)
        state = world.initial(instance)
        for move in world.moves(instance, state):
            if not isinstance(world.step(instance, state, move), Broken):
                assert json.dumps(world.write_move(instance, move), sort_keys=True) in known
    tokens = VOCABULARIES[family].tokens(instance)
    assert all(tokens.values())


def test_a_vocabulary_for_every_family() -> None:
    assert set(VOCABULARIES) == set(WORLDS)


# --- planted faults


Route = Callable[[World, Any, dict[bytes, bytes]], set[bytes]]


def by_list(world: World, instance: Any, forms: dict[bytes, bytes]) -> set[bytes]:
    return listed(forms, search(world, instance, 1000).answer.words)


def by_statement(world: World, instance: Any, forms: dict[bytes, bytes]) -> set[bytes]:
    return satisfied(STATEMENTS[world.family], instance, forms)


def rows(one: Subject, grader: World, route: Route) -> list[tuple[str, str, str]]:
    kinds = neighbours(one.world, one.instance, submissions(one))
    said = verdicts(grader, one.instance, kinds)
    accepted = route(one.world, one.instance, normal_forms(one.world, one.instance, kinds))
    return [(row.subject, row.word, row.text) for row in compare("route", kinds, said, accepted)]


@pytest.mark.parametrize("route", [by_list, by_statement])
@pytest.mark.parametrize("code", ["TW-001", "KL-001", "RS-001"])
def test_right_sides_agree(code: str, route: Route) -> None:
    one = subject(code)
    found = rows(one, one.world, route)
    assert {word for _, word, _ in found} == {"agrees"}
    kinds = [kind for kind in KINDS if code != "RS-001" or kind not in ("duplicate", "insert")]
    assert [subject_ for subject_, _, _ in found] == [f"{kind}, route" for kind in kinds]
    total = sum(int(text.partition(":")[0]) for _, _, text in found)
    assert total == len(neighbours(one.world, one.instance, submissions(one)))


def lenient(world: World, rule: str) -> World:
    """A grader that lets one rule pass where it is broken alone, and plays on as if nothing had happened."""

    def step(instance: Any, state: Any, move: Any) -> Any:
        after = world.step(instance, state, move)
        return state if isinstance(after, Broken) and after.rules == (rule,) else after

    return replace(world, step=step)


@pytest.mark.parametrize("route", [by_list, by_statement])
@pytest.mark.parametrize(("code", "rule"), [("TW-001", "R1"), ("PS-001", "R1"), ("KL-001", "R3"), ("FT-001", "R5")])
def test_a_lenient_grader_is_caught_by_every_route(code: str, rule: str, route: Route) -> None:
    one = subject(code)
    found = rows(one, lenient(one.world, rule), route)
    holes = [text for _, word, text in found if word == "hole"]
    assert holes
    assert all("the interpreter says accepted, route refuses" in text for text in holes)


def test_a_strict_grader_and_a_lenient_route_are_caught() -> None:
    strict = replace(TW.world, unmet=lambda *_: TW.world.unmet(TW.instance, TW.world.initial(TW.instance), None))
    refused = [text for _, word, text in rows(TW, strict, by_statement) if word == "hole"]
    assert len(refused) == len(submissions(TW))
    assert all("the interpreter says rejected, route accepts" in text for text in refused)
    wide = rows(TW, TW.world, lambda *asked: set(asked[2]))
    assert {subject_ for subject_, word, _ in wide if word == "hole"} == {f"{kind}, route" for kind in KINDS[1:]}


def test_judging_nothing_is_no_agreement() -> None:
    assert [row.word for row in compare("route", {}, {}, set())] == ["undecided"]
    kinds = {actions("coat"): "delete"}
    said = verdicts(TW.world, TW.instance, kinds)
    assert "undecided" in [row.word for row in compare("route", kinds, said, set())]


def test_a_neighbour_that_is_no_word_is_refused_by_the_statement() -> None:
    word = canonical({"starts": {"A": 0}})
    one = subject("RS-001")
    assert satisfied(STATEMENTS["RS"], one.instance, {word: word}) == set()
    with pytest.raises(MalformedInput):
        one.world.read_submission(one.instance, {"starts": {"A": 0}})
