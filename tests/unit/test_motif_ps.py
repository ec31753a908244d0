"""The motif of safety protocols on the showcase's witness, and on neighbours that lack one part of it."""

from __future__ import annotations

import copy
import json
from typing import Any

from cwr_audits.motifs import MOTIFS
from cwr_audits.subject import from_json, subject
from cwr_solvers.jsontext import canonical

WITNESS = ("acquire", "stage", "release", "flush", "acknowledge", "commit")
FREE = {"field": "lock", "is": "free"}


def _source() -> Any:
    source = copy.deepcopy(json.loads(canonical(subject("PS-001").source)))
    source["budget"] = {"actions": 12, "cost": 12}
    return source


def _operation(source: Any, name: str) -> Any:
    return next(operation for operation in source["operations"] if operation["name"] == name)


def _holds(source: Any, actions: tuple[str, ...]) -> bool:
    one = from_json(source)
    submission = one.world.read_submission(one.instance, {"actions": list(actions)})
    return MOTIFS["PS"]["main"](one.world, one.instance, submission)


def test_the_witness_has_it() -> None:
    assert _holds(_source(), WITNESS)


def test_without_a_resource_there_is_none() -> None:
    source = _source()
    del source["resource"]
    assert not _holds(source, WITNESS)


def test_p_and_q_are_two_actions() -> None:
    assert _holds(_source(), WITNESS[:5])
    assert not _holds(_source(), WITNESS[:4])


def test_u_asks_for_the_held_value() -> None:
    source = _source()
    stage = _operation(source, "stage")
    stage["when"] = stage["when"][1:]
    assert not _holds(source, WITNESS)


def test_not_free_asks_for_held_only_where_there_is_no_third_value() -> None:
    source = _source()
    _operation(source, "stage")["when"][0] = {"field": "lock", "not": "free"}
    assert _holds(source, WITNESS)
    source["fields"][0]["values"].append("broken")
    assert not _holds(source, WITNESS)


def test_q_assigns_another_field() -> None:
    source = _source()
    source["operations"].append({"name": "idle", "when": [FREE], "then": {"lock": "free"}})
    assert not _holds(source, (*WITNESS[:4], "idle"))


def test_p_and_q_are_in_the_interval_right_after() -> None:
    source = _source()
    source["operations"].append({"name": "again", "when": [FREE], "then": {"lock": "held"}})
    assert not _holds(source, (*WITNESS[:3], "again", "release", *WITNESS[3:]))


def test_u_is_the_sole_cause() -> None:
    source = _source()
    source["operations"].append({"name": "redo", "when": [], "then": {"draft": 1}})
    assert not _holds(source, (*WITNESS[:3], "redo", *WITNESS[3:]))


def test_what_is_true_at_first_needs_no_cause() -> None:
    source = _source()
    _operation(source, "flush")["when"] = [FREE, {"field": "done", "is": 0}]
    assert not _holds(source, WITNESS)
