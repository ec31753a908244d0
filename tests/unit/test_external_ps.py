"""PS against published answers: the wolf, the goat and the cabbage, and state spaces of 1-safe Petri nets.

The nets are not part of this repository. They are looked for in the folder that CWR_EXTERNAL names, by default
`../shared/external` beside the checkout; without them these tests are skipped. A net fits when no place ever holds two
tokens: then a place is a field of two values. Nets whose places hold more are no PS instances and are left to TW.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from external_readers import read_bounds, read_net, read_oracle

from cwr_solvers.catalogue import WORLDS
from cwr_solvers.search import count
from cwr_solvers.world import Broken
from cwr_solvers.worlds.ps.interpreter import State

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("CWR_EXTERNAL", ROOT.parent / "shared" / "external")) / "PS"
PS = WORLDS["PS"]
MOST_STATES = 5_000
# The folder may hold more; these are 1-safe by their oracles, the two of two-phase locking are not.
ONE_SAFE = ("LamportFastMutEx-PT-2", "Philosophers-PT-000005", "StigmergyElection-PT-02a")

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="published instances are absent: set CWR_EXTERNAL")

Marking = tuple[int, ...]


def literal(field: str, value: Any) -> dict[str, Any]:
    return {"field": field, "is": value}


def crossing() -> dict[str, Any]:
    """The farmer rows alone or with one passenger; wolf and goat, goat and cabbage are never alone together."""
    banks = ("left", "right")
    passengers = ("wolf", "goat", "cabbage")
    operations = [
        {
            "name": f"{passenger}-from-{here}",
            "when": [literal(who, here) for who in dict.fromkeys(("farmer", passenger))],
            "then": dict.fromkeys(("farmer", passenger), there),
        }
        for here, there in (banks, banks[::-1])
        for passenger in ("farmer", *passengers)
    ]
    invariants = [
        [{"field": one, "not": bank}, {"field": other, "not": bank}, literal("farmer", bank)]
        for one, other in (("wolf", "goat"), ("goat", "cabbage"))
        for bank in banks
    ]
    return {
        "family": "PS",
        "code": "river",
        "fields": [{"name": name, "values": list(banks), "initial": "left"} for name in ("farmer", *passengers)],
        "operations": operations,
        "invariants": invariants,
        "goal": [literal(name, "right") for name in ("farmer", *passengers)],
        "budget": {"actions": 7, "cost": 7},
    }


def protocol(net: dict[str, Any]) -> dict[str, Any]:
    """A 1-safe net, read as a workshop, as a protocol: a place is a bit, a transition an operation on bits."""
    return {
        "family": "PS",
        "code": net["code"],
        "fields": [{"name": name, "values": [0, 1], "initial": net["initial"].get(name, 0)} for name in net["places"]],
        "operations": [
            {
                "name": recipe["name"],
                "when": [literal(name, 1) for name in recipe["consume"]],
                "then": {**dict.fromkeys(recipe["consume"], 0), **dict.fromkeys(recipe["produce"], 1)},
            }
            for recipe in net["recipes"]
        ],
        "invariants": [],
        "goal": [],
        "budget": {"actions": 1, "cost": 1},
    }


def explore(instance: Any) -> dict[Marking, dict[str, Marking]]:
    """Every reachable vector of values with its successors by operation. Steps and cost are set back in each."""
    found: dict[Marking, dict[str, Marking]] = {}
    waiting: list[Marking] = [instance.initial]
    while waiting:
        values = waiting.pop()
        if values not in found:
            assert len(found) < MOST_STATES
            after = {action: PS.step(instance, State(values, 0, 0), action) for action in instance.operation}
            found[values] = {action: state.values for action, state in after.items() if not isinstance(state, Broken)}
            waiting += found[values].values()
    return found


def test_wolf_goat_and_cabbage() -> None:
    published = json.loads((FOLDER / "wolf_goat_cabbage.json").read_text("ascii"))["published"]
    instance = PS.read_instance(crossing())
    found = count(PS, instance)
    assert found.optimum == published["min_crossings"] == 7
    assert found.raw == {7: published["optimal_solutions"]}
    assert len(explore(instance)) == published["safe_states"] == 10


@pytest.mark.parametrize("name", ONE_SAFE)
def test_state_space_of_a_published_net(name: str) -> None:
    oracle = read_oracle(FOLDER / name / "oracle.txt")
    net = read_net(FOLDER / name / "model.pnml", False)
    instance = PS.read_instance(protocol(net))
    found = explore(instance)
    fired = {action for after in found.values() for action in after}
    said = {
        "STATES": len(found),
        "TRANSITIONS": sum(map(len, found.values())),
        "MAX_TOKEN_PER_MARKING": max(map(sum, found)),
        "ReachabilityDeadlock": not all(found.values()),
        "QuasiLiveness": len(fired) == len(instance.operations),
        "StableMarking": any(len(set(column)) == 1 for column in zip(*found, strict=True)),
    }
    assert {what: str(value).upper() for what, value in said.items()} == {what: oracle[what] for what in said}
    bounds = read_bounds(FOLDER / name / "UpperBounds.xml")
    assert len(bounds) == 16
    places = net["places"]
    for formula, summed in bounds.items():
        assert max(sum(values[places.index(place)] for place in summed) for values in found) == int(oracle[formula])


@pytest.mark.parametrize("name", ONE_SAFE)
def test_the_nets_are_1_safe_as_their_oracles_say(name: str) -> None:
    """No transition ever puts a token where one is: else a bit would hide what the net does."""
    net = read_net(FOLDER / name / "model.pnml", False)
    assert read_oracle(FOLDER / name / "oracle.txt")["OneSafe"] == "TRUE"
    assert all(
        weight == 1 for recipe in net["recipes"] for part in ("consume", "produce") for weight in recipe[part].values()
    )
    made = {recipe["name"]: set(recipe["produce"]) - set(recipe["consume"]) for recipe in net["recipes"]}
    for values, after in explore(PS.read_instance(protocol(net))).items():
        marked = {place for place, value in zip(net["places"], values, strict=True) if value}
        assert not any(made[action] & marked for action in after)
