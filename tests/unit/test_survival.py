"""Bounds that cannot be raised: the survival of a label is undecided there, and no route is blamed."""

from __future__ import annotations

from typing import Any

import pytest
from inline_crew import Inline

from cwr_audits.late import READERS
from cwr_audits.readings import survival
from cwr_audits.routes import limits
from cwr_audits.subject import from_json

LARGEST = 2**53
PIN_LIKE_A_GATE: dict[str, Any] = {
    "family": "BC",
    "code": "pins",
    "pins": ["g1", "g2"],
    "operators": [{"name": "AND", "table": [0, 0, 0, 1]}],
    "goal": {"output": [0, 0, 0, 1]},
    "budget": {"gates": 1, "cost": 1},
}
LARGEST_BOUND: dict[str, Any] = {
    "family": "PA",
    "code": "largest",
    "components": [{"name": "A", "outputs": {"o": "t"}}, {"name": "B", "inputs": {"i": "t"}}],
    "goal": {"connected": ["B.i"], "paths": []},
    "budget": {"connections": LARGEST, "cost": LARGEST},
}
ALMOST: dict[str, Any] = {**LARGEST_BOUND, "budget": {"connections": LARGEST - 1, "cost": LARGEST - 1}}


@pytest.mark.parametrize(
    ("source", "motif", "survives"),
    [
        (PIN_LIKE_A_GATE, "weak", [None, None]),
        (LARGEST_BOUND, "main", [None, None]),
        (ALMOST, "main", [True, None]),
    ],
    ids=["a pin is named like a gate", "the largest bound", "one below the largest"],
)
def test_a_bound_that_no_instance_has_is_undecided(source: dict[str, Any], motif: str, survives: list[object]) -> None:
    crew: Any = Inline(READERS)
    one, within = from_json(source), limits(60.0)
    found, differences = survival.judged(
        crew, one, motif, "witness-only", survival.ask(crew, one, motif, within), within
    )
    assert differences == ()
    assert [one.survives for one in found] == survives
    assert all("undecided (bound): no instance has it" in one.reason for one in found if one.survives is None)
