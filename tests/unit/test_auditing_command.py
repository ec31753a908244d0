"""Command audit pack: one line for each audit, and the exit code of the worst."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_packs import pack_of

from cwr_audits.cli import run as command
from cwr_audits.commands.auditing import audit_by
from cwr_audits.packs.auditing import in_process
from cwr_audits.packs.audits import AUDITS
from cwr_audits.packs.model import Pack, files
from cwr_audits.packs.verdicts import Audit

QUICK = {name: AUDITS[name] for name in ("balance", "policies", "matching")}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, data in files(pack_of("TW-001")).items():
        path = tmp_path / "pack" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return tmp_path / "pack"


def test_verdicts_and_what_policies_earn_are_printed(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert audit_by(in_process(QUICK), str(folder), 60.0, json_out=False) == 0
    told = capfd.readouterr()
    said = told.out + told.err
    assert [name for name in QUICK if name not in said] == []
    assert "7/14" in said
    assert "0/4" in said


def test_a_fault_is_said_and_decides(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = folder / "evaluator" / "items.jsonl"
    path.write_text(path.read_text("utf-8").replace('"artifact_id":"H1"', '"artifact_id":"H0"'), "utf-8")
    assert audit_by(in_process(QUICK), str(folder), 60.0, json_out=True) == 1
    lines = {one["audit"]: one for one in map(json.loads, capfd.readouterr().out.splitlines())}
    assert lines.keys() == QUICK.keys()
    assert lines["balance"]["verdict"] == "failed"
    assert {why["code"] for why in lines["balance"]["reasons"]} >= {"r-ids"}
    assert lines["matching"]["verdict"] == "passed"


def test_an_audit_that_raises_takes_no_other_with_it(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def crashes(_pack: Pack) -> Audit:
        raise KeyError("ZZ")

    audits = {"crashes": crashes, **QUICK}
    assert audit_by(in_process(audits), str(folder), 60.0, json_out=True) == 3
    verdicts = {one["audit"]: one["verdict"] for one in map(json.loads, capfd.readouterr().out.splitlines())}
    assert verdicts == {"crashes": "undecided", **dict.fromkeys(QUICK, "passed")}


def test_wrong_usage(tmp_path: Path, folder: Path) -> None:
    assert command(["audit", "pack", str(tmp_path / "none")]) == 2
    assert command(["audit", "pack", str(folder), "--time-limit", "0"]) == 2
