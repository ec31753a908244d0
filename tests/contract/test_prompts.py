"""Prompts say everything that a solver needs, in every wording, and nothing that only evaluators know."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from cwr_audits.packs.families import PACKED
from cwr_audits.packs.prompts import (
    PARTS,
    WORDINGS,
    grammar,
    question_e,
    question_p,
    question_r,
    question_s,
    setting,
)
from cwr_audits.packs.replicas import KEPT, renaming
from cwr_audits.renaming import vocabulary
from cwr_audits.subject import Subject, from_json, subjects
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.jsontext import Json, canonical

FAMILIES = pytest.mark.parametrize("family", PACKED)
BOTH = pytest.mark.parametrize("wording", WORDINGS)
UNSHOWN = {"code", "kind", "component.port"}  # kinds of names that no setting speaks of, or whose parts it does


@cache
def instances(family: str) -> tuple[Subject, ...]:
    known = [one for one in subjects(()) if one.world.family == family]
    made = [from_json(WORLDS[family].generate(f"prompt {number}")) for number in range(6)]
    return tuple(from_json(renaming(family, one.source, (), one.code).source) for one in (*known, *made))


def says(text: str, name: Json) -> bool:
    spelt = name if isinstance(name, str) else canonical(name).decode()
    return re.search(rf"(?<![\w]){re.escape(spelt)}(?![\w])", text) is not None


@FAMILIES
@BOTH
def test_every_name_is_told(family: str, wording: int) -> None:
    for about in instances(family):
        text = setting(family, about.source, wording)
        for kind, names in vocabulary(family, about.source).items():
            if kind not in UNSHOWN:
                assert [name for name in names if not says(text, name)] == []


def numbers(value: Any, keys: tuple[str, ...]) -> list[int]:
    """The integers below one of the keys."""
    if isinstance(value, dict):
        found = [number for key, item in value.items() if key in keys for number in whole(item)]
        return found + [number for key, item in value.items() if key not in keys for number in numbers(item, keys)]
    return [number for item in value for number in numbers(item, keys)] if isinstance(value, list) else []


def whole(value: Any) -> list[int]:
    if isinstance(value, dict | list):
        return [number for item in (value.values() if isinstance(value, dict) else value) for number in whole(item)]
    return [value] if isinstance(value, int) else []


@FAMILIES
@BOTH
def test_every_limit_is_told(family: str, wording: int) -> None:
    keys = ("budget", "deadline", "capacity", "costs", "resources", "duration", "demand", "throughout", "initial")
    for about in instances(family):
        text = setting(family, about.source, wording)
        wanted = {number for number in numbers(about.source, keys) if number}
        assert wanted
        assert [number for number in wanted if not says(text, str(number))] == []


@FAMILIES
@BOTH
def test_settings_tell_two_instances_apart(family: str, wording: int) -> None:
    texts = [setting(family, about.source, wording) for about in instances(family)]
    assert len(set(texts)) == len(texts)


@FAMILIES
@BOTH
def test_nothing_that_evaluators_know_is_told(family: str, wording: int) -> None:
    hidden: dict[str, Json] = {"code": "zzcode"}
    for about in instances(family):
        bare = {key: value for key, value in dict(about.source).items() if key not in HIDDEN}  # type: ignore[call-overload]
        assert setting(family, {**bare, **hidden}, wording) == setting(family, about.source, wording)
        assert about.code not in setting(family, about.source, wording)


HIDDEN = ("code", "motif", "roles", "resource", "twins", "alike")


@FAMILIES
@BOTH
def test_questions_show_what_they_ask_about(family: str, wording: int) -> None:
    about = instances(family)[0]
    world, source = about.world, about.source
    state = world.write_state(about.instance, world.initial(about.instance))
    move = world.write_move(
        about.instance, next(iter(world.normal_moves(about.instance, world.initial(about.instance))))
    )
    answer: Json = {"legal": False, "next_state": None}
    entries = [{"artifact_id": f"H{number}", "submission": [number]} for number in range(3)]
    demonstration = {"state": state, "move": move, "answer": answer}
    asked = {
        question_p(family, source, wording, state, move): (state, move),
        question_e(family, source, wording, [move], state): ([move], state),
        question_r(family, source, wording, entries): ("H0", "H2", [1]),
        question_s(family, source, wording, instances(family)[1].source, [7], [demonstration]): ([7], answer, move),
    }
    assert len(asked) == 4
    for text, shown in asked.items():
        assert setting(family, source, wording) in text
        assert [one for one in shown if (one if isinstance(one, str) else canonical(one).decode()) not in text] == []
        assert [mark for mark in ("{{", "{%", "None") if mark in text] == []


@FAMILIES
def test_wordings_differ_and_grammars_do_not_depend_on_them(family: str) -> None:
    about = instances(family)[0]
    assert len({setting(family, about.source, wording) for wording in WORDINGS}) == len(WORDINGS) >= 2
    assert all(grammar(family, about.source, part) for part in PARTS)


def test_names_that_stand_for_themselves_are_kept() -> None:
    assert set(KEPT) <= set(WORLDS)
