"""PA, motif `main`: the showcase has it; each of its conditions, taken away, loses it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from cwr_audits.motifs import pa
from cwr_audits.subject import from_json, subject
from cwr_solvers.jsontext import Json, canonical

DIAMOND = (("J.p1", "L.p"), ("J.p2", "U.p"), ("L.s", "M.s1"), ("M.s", "K.s"), ("S.p", "J.p"), ("U.s", "M.s2"))


def judged(change: Callable[[dict[str, Any]], object], connections: tuple[tuple[str, str], ...] = DIAMOND) -> bool:
    made = copy.deepcopy(json.loads(canonical(subject("PA-001").source)))
    change(made)
    one = from_json(made)
    value: Json = {"connections": [{"from": source, "to": target} for source, target in connections]}
    return pa.main(one.world, one.instance, one.world.read_submission(one.instance, value))


def nothing(_made: dict[str, Any]) -> None:
    """The showcase as it is."""


def one_kind(made: dict[str, Any]) -> None:
    made["components"][2]["kind"] = made["components"][3]["kind"] = "lamp"


def no_fit(made: dict[str, Any]) -> None:
    made["components"][6].update(inputs={"p": "heat"}, outputs={"s": "heat"})


def fits_itself_only(made: dict[str, Any]) -> None:
    made["components"][6].update(inputs={"p": "heat"}, outputs={"p2": "heat"})


def test_the_showcase_has_it() -> None:
    assert judged(nothing) is True


@pytest.mark.parametrize("role", ["splitters", "sink", "spares"])
def test_a_role_that_is_not_named(role: str) -> None:
    assert judged(lambda made: made["roles"].pop(role)) is False


@pytest.mark.parametrize("change", [one_kind, no_fit, fits_itself_only])
def test_a_branch_or_spare_that_will_not_do(change: Callable[[dict[str, Any]], None]) -> None:
    assert judged(change) is False


def test_a_spare_in_use() -> None:
    assert judged(lambda made: made["roles"].update(spares=["L"])) is False


def test_branches_that_do_not_meet_or_whose_meeting_leads_elsewhere() -> None:
    assert judged(nothing, tuple(wire for wire in DIAMOND if wire != ("U.s", "M.s2"))) is False
    assert judged(nothing, tuple(wire for wire in DIAMOND if wire != ("M.s", "K.s"))) is False


def test_the_meeting_may_be_the_goal_component() -> None:
    assert judged(lambda made: made["roles"].update(sink="M")) is True


def test_paths_that_share_their_last_component_do_not_meet() -> None:
    """M joins both branches and then feeds K alone: with two wires from M to K no two paths reach K."""

    def doubled(made: dict[str, Any]) -> None:
        made["components"][4]["outputs"]["t"] = made["components"][5]["inputs"]["t"] = "signal"
        made["components"][2]["outputs"] = {"s": "signal"}
        made["components"][4]["inputs"] = {"s1": "signal"}
        made["components"][3]["inputs"]["b"] = "signal"
        made["twins"] = []
        made["goal"] = {"connected": [], "paths": []}

    wires = (("J.p1", "L.p"), ("J.p2", "U.p"), ("L.s", "U.b"), ("U.s", "M.s1"), ("M.s", "K.s"), ("M.t", "K.t"))
    assert judged(doubled, wires) is False
