"""The motif of keyed logistics on the showcase's witness, and on neighbours that lack one part of it."""

from __future__ import annotations

import copy
import json
from typing import Any

from cwr_audits.motifs import MOTIFS
from cwr_audits.subject import from_json, subject
from cwr_solvers.jsontext import canonical

WITNESS = ("+parcel", "+k1", "D-H", "+k2", "H-V", "-parcel")


def _source(**changes: Any) -> Any:
    source = copy.deepcopy(json.loads(canonical(subject("KL-001").source)))
    source["budget"] = {"actions": 12, "traversals": 12, "cost": 12}
    return {**source, **changes}


def _holds(source: Any, actions: tuple[str, ...]) -> bool:
    one = from_json(source)
    words = {"+": "pickup", "-": "drop"}
    made = [{"op": words.get(a[0], "move"), "arg": a[1:] if a[0] in words else a} for a in actions]
    submission = one.world.read_submission(one.instance, {"actions": made})
    return MOTIFS["KL"]["main"](one.world, one.instance, submission)


def test_the_witness_has_it() -> None:
    assert _holds(_source(), WITNESS)


def test_cargo_put_down_on_the_way_is_not_held_throughout() -> None:
    assert not _holds(_source(), ("+parcel", "+k1", "D-H", "-parcel", "+parcel", "+k2", "H-V", "-parcel"))


def test_an_object_that_the_goal_wants_held_is_no_cargo() -> None:
    assert not _holds(_source(goal={"carrier": "V", "locations": {"parcel": "held"}}), WITNESS[:-1])


def test_one_keyed_move_is_not_enough() -> None:
    assert not _holds(_source(), WITNESS[:4])


def test_a_key_that_is_kept_was_not_used_up() -> None:
    source = _source(capacity=3)
    source["edges"][0]["use"] = "keep"
    assert not _holds(source, WITNESS)


def test_only_the_first_pickup_of_the_key_counts() -> None:
    source = _source(capacity=3)
    source["objects"][2]["at"] = "D"
    actions = ("+parcel", "+k1", "+k2", "D-H", "-k2", "+k2", "H-V", "-parcel")
    assert not _holds(source, actions)


def test_a_key_from_the_last_node_does_not_count() -> None:
    source = _source()
    source["edges"].append({"name": "V-H", "from": "V", "to": "H"})
    assert not _holds(source, (*WITNESS[:5], "V-H", "-parcel"))


def test_a_loop_is_no_keyed_move() -> None:
    source = _source()
    source["edges"][1]["to"] = "H"
    assert not _holds(source, WITNESS)
