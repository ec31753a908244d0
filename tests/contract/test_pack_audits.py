"""Audits of packs: a good pack passes, and every planted fault is caught by the audit that it is for."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from made_packs import pack_of

from cwr_audits.packs.audits import AUDITS
from cwr_audits.packs.audits.record import Why, worst
from cwr_audits.packs.model import EvaluatorRow, Pack
from cwr_audits.packs.verdicts import Audit, audit_bytes
from cwr_solvers.jsontext import canonical, parse

CODE = "TW-001"
Plant = Callable[[Pack], Pack]


def audited(name: str, pack: Pack) -> Audit:
    found = AUDITS[name](pack)
    assert found.audit == name
    assert found.evidence or found.reasons
    return found


def codes(found: Audit) -> set[str]:
    return {why.code for why in found.reasons}


def rows_changed(pack: Pack, condition: str, change: Callable[[EvaluatorRow], EvaluatorRow]) -> Pack:
    """The pack with its first row of a condition changed."""
    rows = list(pack.evaluator)
    place = next(number for number, row in enumerate(rows) if row.condition == condition)
    rows[place] = change(rows[place])
    return replace(pack, evaluator=tuple(rows))


def source_changed(pack: Pack, name: str, change: Callable[[Any], Any]) -> Pack:
    found: Any = pack.sources[name]
    return replace(pack, sources={**pack.sources, name: change(json.loads(json.dumps(found)))})


def certificate_changed(pack: Pack, code: str, change: Callable[[Any], Any]) -> Pack:
    name = f"{code}/certificate.json"
    document: Any = parse(pack.certificates[name], 1 << 26, 24)
    return replace(pack, certificates={**pack.certificates, name: canonical(change(document))})


@pytest.mark.parametrize("name", AUDITS)
@pytest.mark.parametrize("code", ["TW-001", "RS-001", "KL-001", "PS-001"])
def test_a_good_pack_passes(name: str, code: str) -> None:
    found = audited(name, pack_of(code))
    assert [(why.code, why.text) for why in found.reasons] == []
    assert found.verdict == "passed"
    assert json.loads(audit_bytes(found))["audit"] == name
    assert isinstance(found.evidence, dict)
    assert found.evidence["examined"]


@pytest.mark.parametrize("name", AUDITS)
def test_an_audit_of_nothing_has_failed(name: str) -> None:
    nothing = Pack("seed", "00", (), (), (), (), {}, {})
    found = audited(name, nothing)
    assert found.verdict == "failed"


# --- plants: the audits that catch each


def key_turned(pack: Pack) -> Pack:
    def change(row: EvaluatorRow) -> EvaluatorRow:
        key: Any = row.key
        return replace(row, key={"legal": not key["legal"], "next_state": None})

    return rows_changed(pack, "P", change)


def r_id_changed(pack: Pack) -> Pack:
    def change(row: EvaluatorRow) -> EvaluatorRow:
        made: Any = json.loads(json.dumps(row.made))
        first, second = made["artifacts"][:2]
        first["artifact_id"], second["artifact_id"] = second["artifact_id"], first["artifact_id"]
        valid = next(one["artifact_id"] for one in made["artifacts"] if one["role"] == "valid")
        return replace(row, made=made, key={"artifact_id": valid})

    return rows_changed(pack, "R", change)


def without_certificate(pack: Pack) -> Pack:
    kept = {name: data for name, data in pack.certificates.items() if not name.startswith("TW-001-F/")}
    return replace(pack, certificates=kept)


def without_proof(pack: Pack) -> Pack:
    return replace(pack, certificates={k: v for k, v in pack.certificates.items() if not k.endswith("complete.lrat")})


def claimed(document: Any, kind: str) -> Any:
    return next(one for one in document["claims"] if one["kind"] == kind)


def optimum_changed(pack: Pack) -> Pack:
    def change(document: Any) -> Any:
        claimed(document, "optimum")["value"] = 3
        return document

    return certificate_changed(pack, CODE, change)


def swapped_arms(pack: Pack) -> Pack:
    """F is C's source and C is F's."""
    one, other = (json.loads(json.dumps(pack.sources[f"{CODE}-{arm}.json"])) for arm in "FC")
    for source, arm in ((one, "C"), (other, "F")):
        source["arm"] = arm
        source["instance"]["code"] = f"{CODE}-{arm}"
    return replace(pack, sources={f"{CODE}-C.json": one, f"{CODE}-F.json": other})


def labelled(pack: Pack) -> Pack:
    """The certificate of another world, whose motifs are not all necessary, says that they are."""

    def change(document: Any) -> Any:
        for one in document["claims"]:
            if one["kind"] == "motif":
                one["label"] = "necessary"
        return document

    return certificate_changed(pack, "RS-001", change)


def shown_unsolved(pack: Pack) -> Pack:
    return source_changed(pack, f"{CODE}-F.json", lambda one: {**one, "shown": {"actions": ["draw"]}})


PLANTS: dict[str, tuple[str, Plant, dict[str, set[str]]]] = {
    "the key of a P item": (CODE, key_turned, {"balance": {"p-labels"}}),
    "unbalanced R ids": (CODE, r_id_changed, {"balance": {"r-ids"}}),
    "no certificate of F": (
        CODE,
        without_certificate,
        {"space": {"no-certificate"}, "witness": {"not-in-certificate"}},
    ),
    "no proof": (CODE, without_proof, {"space": {"not-verified"}}),
    "another optimum": (CODE, optimum_changed, {"space": {"count-differs", "not-verified"}}),
    "a motif claimed necessary that is not": (
        "RS-001",
        labelled,
        {"space": {"not-verified"}, "motif": {"not-necessary"}},
    ),
    "the shown solution is none": (CODE, shown_unsolved, {"witness": {"malformed"}}),
}


@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_fault_is_caught(plant: str) -> None:
    code, make, catching = PLANTS[plant]
    pack = make(pack_of(code))
    for name, wanted in catching.items():
        found = audited(name, pack)
        assert found.verdict == "failed"
        assert codes(found) >= wanted


def test_the_arms_exchanged() -> None:
    found = audited("motif", swapped_arms(pack_of(CODE)))
    assert codes(found) == {"f-lacks", "c-has"}


def test_the_worst_verdict_decides() -> None:
    assert worst([]) == "passed"
    assert worst(["passed", "undecided"]) == "undecided"
    assert worst(["undecided", "failed", "passed"]) == "failed"
    assert Why("x", "y", "z").verdict == "failed"
