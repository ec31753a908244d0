"""Raised bounds: nothing accepted is lost, something is gained where it can be, and only the bound changes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cwr_audits.engines.interpreter import search
from cwr_audits.raised import RAISE, raised
from cwr_audits.subject import Subject, from_json, subject, subjects
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.grading import grade
from cwr_solvers.jsontext import canonical

SHOWCASES = {one.world.family: one for one in subjects(())}
RANDOM = 6
MOST = 20_000


def plain(value: Any) -> Any:
    return json.loads(canonical(value))


def instances(family: str) -> list[Subject]:
    random = [from_json(WORLDS[family].generate(f"raised/{number}")) for number in range(RANDOM)]
    return [one for one in (SHOWCASES.get(family), *random) if one is not None]


def test_every_family_can_be_raised() -> None:
    assert set(RAISE) == set(WORLDS)


@pytest.mark.parametrize("family", WORLDS)
def test_raising_by_nothing_changes_nothing(family: str) -> None:
    for one in instances(family):
        assert canonical(raised(one.source, 0)) == canonical(one.source)


@pytest.mark.parametrize("family", WORLDS)
def test_by_one_twice_is_by_two(family: str) -> None:
    for one in instances(family):
        assert canonical(raised(raised(one.source, 1), 1)) == canonical(raised(one.source, 2)) != canonical(one.source)


@pytest.mark.parametrize("family", WORLDS)
@pytest.mark.parametrize("by", [1, 2])
def test_nothing_accepted_is_lost(family: str, by: int) -> None:
    held = 0
    for one in instances(family):
        higher = from_json(raised(one.source, by))
        assert canonical(higher.source) == canonical(raised(one.source, by))  # in normal form
        for word in list(search(one.world, one.instance, MOST).answer.words)[:60]:
            assert grade(higher.world, higher.instance, word).status == "accepted"
            held += 1
    assert held > 0


GAINS = [family for family in SHOWCASES if family not in ("FT", "PA", "BC")]  # full boards, and many circuits


@pytest.mark.parametrize("family", GAINS)
def test_a_raised_bound_lets_more_in_somewhere(family: str) -> None:
    gained = 0
    for one in instances(family):
        higher = from_json(raised(one.source, 1))
        fewer = search(one.world, one.instance, MOST).answer.words
        gained += len(search(higher.world, higher.instance, MOST).answer.words) > len(fewer)
    assert gained > 0


CHANGED = {
    "TW-001": {"budget": {"actions": 6, "cost": 6}},
    "TP-001": {
        "budget": {"live": 2, "steps": 7, "cost": 7},
        "ids": ["v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9"],
    },
    "RS-001": {"deadline": 7},
    "BC-001": {"budget": {"gates": 6, "cost": 6}},
    "KL-001": {"budget": {"actions": 8, "traversals": 4, "cost": 4}},
    "PS-001": {"budget": {"actions": 8, "cost": 8}},
    "PA-001": {"budget": {"connections": 8, "cost": 8}},
    "FT-001": {"budget": {"placements": 5, "cost": 5}},
    "CO-001": {"budget": {"cards": 3}},
}


@pytest.mark.parametrize("code", CHANGED)
def test_the_showcases_raised_by_two(code: str) -> None:
    source = plain(subject(code).source)
    assert plain(raised(source, 2)) == {**source, **CHANGED[code]}


def test_new_ids_are_names_that_nothing_else_has() -> None:
    source = plain(subject("TP-001").source)
    source["ids"] = ["v1", "v3"]
    source["initial"] = {"v0": source["initial"]["input"]}
    assert raised(source, 1)["ids"] == ["v1", "v3", "v2", "v4"]  # type: ignore[index, call-overload]
