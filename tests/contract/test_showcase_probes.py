"""The named probes of the showcases: whole submissions and single moves whose answers were derived by hand."""

from __future__ import annotations

from typing import Any

import pytest

from cwr_solvers.catalogue import WORLDS, showcases
from cwr_solvers.grading import answer_e, answer_p, grade, run
from cwr_solvers.jsontext import canonical
from cwr_solvers.showcases import Showcase
from cwr_solvers.world import Broken

PROBES = [(one, probe) for one in showcases() for probe in one.probes if isinstance(probe, dict)]
LEAST = 7


def ids(kind: str) -> tuple[list[tuple[Showcase, dict[str, Any]]], list[str]]:
    chosen: list[tuple[Showcase, dict[str, Any]]] = [(one, probe) for one, probe in PROBES if probe["kind"] == kind]
    return chosen, [f"{one.code}/{probe['name']}" for one, probe in chosen]


SEQUENCES, SEQUENCE_IDS = ids("sequence")
STEPS, STEP_IDS = ids("step")


@pytest.mark.parametrize(("one", "probe"), SEQUENCES, ids=SEQUENCE_IDS)
def test_sequence(one: Showcase, probe: dict[str, Any]) -> None:
    world = WORLDS[one.family]
    instance = world.read_instance(one.instance)
    verdict = grade(world, instance, canonical(probe["submission"]))
    assert (verdict.status, verdict.step, list(verdict.codes)) == (probe["verdict"], probe["step"], probe["rules"])
    answer = answer_e(world, instance, world.read_submission(instance, probe["submission"]))
    assert isinstance(answer, dict)
    assert answer["first_illegal_step"] == probe["step"]
    assert answer["goal"] == {"accepted": True, "rejected": False, "illegal": None}[probe["verdict"]]
    assert (answer["final_state"] is None) == (probe["verdict"] == "illegal")


@pytest.mark.parametrize(("one", "probe"), STEPS, ids=STEP_IDS)
def test_step(one: Showcase, probe: dict[str, Any]) -> None:
    world = WORLDS[one.family]
    instance = world.read_instance(one.instance)
    state = world.read_state(instance, probe["state"])
    move = world.read_move(instance, probe["move"])
    assert world.write_state(instance, state) == probe["state"]
    assert answer_p(world, instance, state, move) == {"legal": probe["legal"], "next_state": probe["next_state"]}
    after = world.step(instance, state, move)
    assert (sorted(after.rules) if isinstance(after, Broken) else []) == probe["rules"]


@pytest.mark.parametrize("one", showcases(), ids=lambda one: one.code)
def test_a_showcase_has_probes_of_both_kinds_and_names_each_once(one: Showcase) -> None:
    kinds = [probe["kind"] for probe in one.probes if isinstance(probe, dict)]
    names = [probe["name"] for probe in one.probes if isinstance(probe, dict)]
    assert len(kinds) == len(one.probes)
    assert kinds.count("sequence") >= LEAST
    assert kinds.count("step") >= LEAST
    assert len(set(map(str, names))) == len(names)


@pytest.mark.parametrize("one", showcases(), ids=lambda one: one.code)
def test_every_move_of_the_witness_is_legal_alone(one: Showcase) -> None:
    """P and E agree: playing the witness move by move gives the states of the whole run."""
    world = WORLDS[one.family]
    instance = world.read_instance(one.instance)
    submission = world.read_submission(instance, one.witness)
    states = run(world, instance, submission).states
    assert len(states) == len(submission.moves) + 1
    for before, move, after in zip(states, submission.moves, states[1:], strict=False):
        answer = {"legal": True, "next_state": world.write_state(instance, after)}
        assert answer_p(world, instance, before, move) == answer


@pytest.mark.parametrize("one", showcases(), ids=lambda one: one.code)
def test_every_step_rule_is_probed(one: Showcase) -> None:
    """TP-001 has full tables, so that R7 cannot break there; in FT-001 a placement beyond the budget is of a piece that
    is placed already, so that R6 and R7 are not judged."""
    shown = {rule for probe in one.probes if isinstance(probe, dict) for rule in probe["rules"]}
    steps = set(WORLDS[one.family].rules) - {"G"}
    never = {"TP-001": {"R7"}, "TW-001": {"R3"}, "FT-001": {"R6", "R7"}}.get(one.code, set())
    assert steps - shown == never
