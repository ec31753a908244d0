"""The motifs of Boolean circuits on circuits drawn by hand, each one step away from having them."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from cwr_audits.motifs import MOTIFS
from cwr_audits.subject import from_json, subject
from cwr_certificates.cnf import Cnf
from cwr_certificates.statements import bc
from cwr_solvers.jsontext import canonical

Wires = list[tuple[str, str, str]]

SHOWN: Wires = [("AND", "a", "b"), ("XOR", "a", "b"), ("AND", "g1", "c"), ("OR", "g0", "g2")]
SHAPE = {"shape", "mid", "weak"}
CASES: list[tuple[str, Wires, str, set[str]]] = [
    ("as shown", SHOWN, "g3", {*SHAPE, "typed"}),
    ("inputs in the other order", [*SHOWN[:2], ("AND", "c", "g1"), ("OR", "g2", "g0")], "g3", {*SHAPE, "typed"}),
    ("another operator", [*SHOWN[:3], ("XOR", "g0", "g2")], "g3", SHAPE),
    ("the output is a pin", SHOWN, "a", set()),
    ("the output is below", SHOWN, "g2", set()),
    ("the third pin is one of the two", [*SHOWN[:2], ("AND", "g1", "a"), SHOWN[3]], "g3", {"weak"}),
    ("both read one pin twice", [("AND", "a", "a"), ("XOR", "a", "a"), *SHOWN[2:]], "g3", {"mid", "weak"}),
    ("they share one pin", [SHOWN[0], ("XOR", "a", "a"), *SHOWN[2:]], "g3", {"mid", "weak"}),
    ("they share no pin", [("AND", "b", "b"), ("XOR", "a", "a"), *SHOWN[2:]], "g3", set()),
    ("X depends on z", [("AND", "a", "c"), *SHOWN[1:]], "g3", {"weak"}),
    ("the cones share a gate", [SHOWN[1], ("AND", "g0", "a"), ("AND", "g0", "c"), ("OR", "g1", "g2")], "g3", {"weak"}),
    ("E reads no pin", [*SHOWN[:2], ("AND", "g1", "g1"), SHOWN[3]], "g3", {"weak"}),
    ("one input twice", [SHOWN[0], ("OR", "g0", "g0")], "g1", {"weak"}),
]


def _found(source: Any, wires: Wires, outputs: dict[str, Any]) -> set[str]:
    one = from_json(source)
    gates = [{"id": f"g{n}", "op": op, "inputs": [s, t]} for n, (op, s, t) in enumerate(wires)]
    made = one.world.read_submission(one.instance, {"gates": gates, **outputs})
    return {name for name, holds in MOTIFS["BC"].items() if holds(one.world, one.instance, made)}


def _source() -> Any:
    return copy.deepcopy(json.loads(canonical(subject("BC-001").source)))


@pytest.mark.parametrize(("wires", "output", "wanted"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_circuits_by_hand(wires: Wires, output: str, wanted: set[str]) -> None:
    assert _found(_source(), wires, {"output": output}) == wanted


def test_typed_is_false_where_the_instance_names_no_operators() -> None:
    source = _source()
    source["motif"] = []
    assert _found(source, SHOWN, {"output": "g3"}) == SHAPE


def test_several_outputs_have_no_motif() -> None:
    source = _source()
    source["goal"] = {"outputs": {"one": source["goal"]["output"], "two": source["goal"]["output"]}}
    assert _found(source, SHOWN, {"outputs": {"one": "g3", "two": "g3"}}) == set()


def test_an_output_with_a_name_has_no_motif_either_and_the_clauses_say_the_same() -> None:
    source = _source()
    source["goal"] = {"outputs": {"one": source["goal"]["output"]}}
    assert _found(source, SHOWN, {"outputs": {"one": "g3"}}) == set()
    instance = from_json(source).instance
    for motif in bc.MOTIFS:
        cnf = Cnf()
        model = bc.state(cnf, instance)
        before = len(cnf.clauses)
        bc.deny(cnf, model, motif)
        assert len(cnf.clauses) == before  # every word lacks it, so that nothing is denied
