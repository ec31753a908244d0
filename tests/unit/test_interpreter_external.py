"""TW against published answers: state spaces of Petri nets, and winning sequences of a peg puzzle.

The files are not part of this repository. They are looked for in the folder that CWR_EXTERNAL names, by default
`../shared/external` beside the checkout; without them these tests are skipped.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from external_readers import read_bounds, read_net, read_oracle, read_peg_counts, read_pegs

from cwr_solvers.catalogue import WORLDS
from cwr_solvers.search import count
from cwr_solvers.world import Broken
from cwr_solvers.worlds.tw.interpreter import State

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("CWR_EXTERNAL", ROOT.parent / "shared" / "external"))
TW = WORLDS["TW"]
MOST_STATES = 20_000
NETS = sorted(path.parent for folder in ("TW", "PS") for path in (FOLDER / folder).glob("*/model.pnml"))

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="published instances are absent: set CWR_EXTERNAL")

Marking = tuple[int, ...]


def explore(instance: Any) -> dict[Marking, dict[str, Marking]]:
    """Every reachable marking with its successors by transition. Steps and cost are set back to 0 in each."""
    start = TW.initial(instance).counts
    found: dict[Marking, dict[str, Marking]] = {}
    waiting = [start]
    while waiting:
        marking = waiting.pop()
        if marking not in found:
            assert len(found) < MOST_STATES
            after = {action: TW.step(instance, State(marking, 0, 0), action) for action in instance.recipe}
            found[marking] = {action: state.counts for action, state in after.items() if not isinstance(state, Broken)}
            waiting += found[marking].values()
    return found


def said(found: dict[Marking, dict[str, Marking]], recipes: int) -> dict[str, str]:
    """What the exploration says, in the words of the oracle."""
    fired = {action for after in found.values() for action in after}
    columns = list(zip(*found, strict=True))
    most = max(map(max, found))
    words = {
        "STATES": len(found),
        "TRANSITIONS": sum(map(len, found.values())),
        "MAX_TOKEN_IN_PLACE": most,
        "MAX_TOKEN_PER_MARKING": max(map(sum, found)),
        "ReachabilityDeadlock": not all(found.values()),
        "QuasiLiveness": len(fired) == recipes,
        "OneSafe": most <= 1,
        "StableMarking": any(len(set(column)) == 1 for column in columns),
    }
    return {name: str(value).upper() for name, value in words.items()}


@pytest.mark.parametrize("reads", [False, True], ids=["loops", "reads"])
@pytest.mark.parametrize("folder", NETS, ids=lambda path: path.name)
def test_state_space_of_a_published_net(folder: Path, reads: bool) -> None:
    oracle = read_oracle(folder / "oracle.txt")
    if int(oracle["STATES"]) > MOST_STATES:
        pytest.skip(f"{oracle['STATES']} states")
    instance = TW.read_instance(read_net(folder / "model.pnml", reads))
    found = explore(instance)
    answers = said(found, len(instance.recipes))
    compared = {name for name in answers if name in oracle}
    assert compared >= {"STATES", "MAX_TOKEN_IN_PLACE", "MAX_TOKEN_PER_MARKING", "ReachabilityDeadlock"}
    assert {name: answers[name] for name in compared} == {name: oracle[name] for name in compared}
    bounds = read_bounds(folder / "UpperBounds.xml") if (folder / "UpperBounds.xml").exists() else {}
    for name, places in bounds.items():
        indices = [instance.places.index(place) for place in places]
        assert max(sum(marking[index] for index in indices) for marking in found) == int(oracle[name])


def test_there_are_nets_with_read_arcs_and_with_weights() -> None:
    """Both readings are of use: some nets differ in them, and some arcs weigh more than 1."""
    assert len(NETS) >= 5
    loops, reads = (
        [TW.read_instance(read_net(folder / "model.pnml", kept)) for folder in NETS] for kept in (False, True)
    )
    assert not any(any(recipe.read) for net in loops for recipe in net.recipes)
    assert any(any(recipe.read) for net in reads for recipe in net.recipes)
    assert any(weight > 1 for net in loops for recipe in net.recipes for weight in recipe.consume + recipe.produce)


@pytest.mark.parametrize("hole", [1, 2])
def test_winning_sequences_of_peg_solitaire(hole: int) -> None:
    path = FOLDER / "TW" / "peg15.json"
    instance = TW.read_instance(read_pegs(path, hole))
    assert count(TW, instance).raw == {13: read_peg_counts(path)[hole]}
