"""cwr audit motifs: what it says, and that each planted fault is seen, by exit code and by name."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from inline_crew import inline
from lying_readers import relabelled

from cwr_audits.cli import run
from cwr_audits.commands import audit
from cwr_audits.commands.audit import motifs_by
from cwr_audits.files import checkout
from cwr_audits.late import READERS
from cwr_audits.readings import audit as readings
from cwr_audits.subject import subject
from cwr_certificates.seal import sealed
from cwr_solvers.jsontext import canonical

Printed = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are started in one test only, which runs commands of its own; their lives are tested elsewhere."""
    monkeypatch.setattr(audit, "crew", inline)


KEYS = {
    "code",
    "motif",
    "label",
    "classes",
    "classes_with",
    "raw",
    "raw_with",
    "counterexample",
    "certificate_sha256",
}


def audited(capfd: Printed, codes: list[str], random: int = 2, **readers: str) -> tuple[int, list[Any], str]:
    """The exit code, the objects printed, standard error; `readers` replaces workers."""
    table = {**READERS, **{name: f"lying_readers:{lie}" for name, lie in readers.items()}}
    code = motifs_by(table, tuple(codes), 60.0, random, False, True)
    printed = capfd.readouterr()
    return code, [json.loads(line) for line in printed.out.splitlines()], printed.err


def instance_file(folder: Path, **changes: Any) -> str:
    """The instance of TW-001 with other fields, under another code."""
    source = {**json.loads(canonical(subject("TW-001").source)), "code": "TW-X", **changes}
    path = folder / "instance.json"
    path.write_text(json.dumps(source))
    return str(path)


def test_one_object_for_each_world_and_reading(capfd: Printed) -> None:
    code, told, errors = audited(capfd, ["TW-001", "RS-001"])
    assert (code, errors) == (0, "")
    assert [(one["code"], one["motif"]) for one in told] == [
        ("TW-001", "main"),
        *(("RS-001", motif) for motif in ("overlap", "crossed", "strict", "full")),
    ]
    for one in told:
        assert set(one) >= KEYS
    labels = [one["label"] for one in told]
    assert labels == ["necessary", "necessary", "necessary", "witness-only", "witness-only"]
    assert [(one["classes_with"], one["classes"], one["raw_with"], one["raw"]) for one in told] == [
        (1, 1, 2, 2),
        (9, 9, 9, 9),
        (9, 9, 9, 9),
        (5, 9, 5, 9),
        (3, 9, 3, 9),
    ]
    assert [one["counterexample"] is None for one in told] == [True, True, True, False, False]
    digests = {one["certificate_sha256"] for one in told}
    assert len(digests) == 2
    assert None not in digests


def test_survival_is_decided_apart(capfd: Printed) -> None:
    _, told, _ = audited(capfd, ["RS-001"], random=0)
    later = {one["motif"]: [(found["label"], found["survives"]) for found in one["survives"]] for one in told}
    assert later["overlap"] == [("witness-only", False)] * 2
    assert later["strict"] == [("witness-only", True)] * 2
    for one in told:
        assert [found["by"] for found in one["survives"]] == [1, 2]
        assert all(found["counterexample"] is not None for found in one["survives"])


def test_a_label_that_survives_is_refuted_anew(capfd: Printed) -> None:
    _, (one,), _ = audited(capfd, ["TW-001"], random=0)
    for found in one["survives"]:
        assert (found["label"], found["survives"], found["counterexample"]) == ("necessary", True, None)
        assert found["refutation"]["steps"] > 0
    assert len({found["refutation"]["formula_sha256"] for found in one["survives"]}) == 2


def test_the_table_is_for_people(capfd: Printed) -> None:
    assert run(["audit", "motifs", "RS-001", "--random", "0"]) == 0
    printed = capfd.readouterr().out
    assert "witness-only" in printed
    assert "5 of 9" in printed
    assert 'RS-001 strict: without it, and accepted: {"starts":' in printed
    assert "no random instance was listed that has a solution" in printed


def test_the_same_bytes_under_another_hash_seed() -> None:
    made = []
    for seed in ("1", "2"):
        command = [sys.executable, "-m", "cwr_audits.cli", "audit", "motifs", "--json", "--random", "4", "RS-001"]
        ended = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "PYTHONHASHSEED": seed})
        assert (ended.returncode, ended.stderr) == (0, b"")
        made.append(ended.stdout)
    assert made[0] == made[1]


# worker, what it is replaced with, exit code, what standard error says
LIES = [
    ("graph", "drops_a_verdict", 4, "motif main"),
    ("graph", "drops_a_verdict", 4, "the label of motif main"),
    ("graph", "drops_a_verdict", 4, "motif main on one class"),
    ("rates", "mixes_random_classes", 4, "(random instance 'base rate/"),
    ("clauses", "clauses_drop_a_word", 0, ""),  # no word of the showcase lacks the motif
    ("cpsat", "cpsat_says_one_more", 4, "words lacking it (standing apart: cpsat)"),
    ("cpsat", "cpsat_says_one_more", 4, '{"actions":["rivet"]}'),
    ("smt", "smt_contradicts_itself", 4, "the optimum"),
    ("smt", "smt_refuses", 4, "/budget"),
    ("smt", "smt_is_late", 3, ""),
    ("smt", "smt_crashes", 3, ""),
    ("smt", "smt_knows_none", 0, ""),
    ("graph", "never_lists", 3, ""),
    ("rates", "never_draws", 0, ""),
    ("clauses", "clauses_never_end", 0, ""),
]


@pytest.mark.parametrize(("worker", "lie", "code", "says"), LIES)
def test_a_planted_fault_is_seen(capfd: Printed, worker: str, lie: str, code: int, says: str) -> None:
    ended, told, errors = audited(capfd, ["TW-001"], 12 if worker == "rates" else 0, **{worker: lie})
    assert ended == code
    assert says in errors
    assert len(told) == 1
    assert (told[0]["differences"] != []) == (code == 4)


def test_clauses_that_drop_a_word_are_seen_where_some_lack_the_motif(capfd: Printed) -> None:
    code, told, errors = audited(capfd, ["RS-001"], 0, clauses="clauses_drop_a_word")
    assert code == 4
    assert "motif strict: words lacking it (standing apart: clauses)" in errors
    assert [one["routes"]["clauses"]["lacking"] for one in told] == ["agrees", "agrees", "differs", "differs"]


@pytest.mark.parametrize("lie", ["judges_wrongly", "finds_illegal_models"])
def test_a_model_under_a_raised_bound_is_judged_once_more(capfd: Printed, lie: str) -> None:
    code, told, errors = audited(capfd, ["RS-001"], 0, graph=lie)
    assert code == 4
    assert "motif overlap under a bound raised by 1" in errors
    assert told[0]["survives"][0]["survives"] is None


def test_what_lacks_a_motif_lacks_it_under_a_larger_bound(capfd: Printed) -> None:
    code, _, errors = audited(capfd, ["RS-001"], 0, clauses="clauses_refute_all")
    assert code == 4
    assert "motif strict under a bound raised by 2" in errors
    assert "motif overlap" not in errors


def test_what_was_not_measured_does_not_agree(capfd: Printed) -> None:
    _, (one,), _ = audited(capfd, ["TW-001"], 0, smt="smt_knows_none")
    assert one["routes"]["smt"] == {"having": "not measured", "lacking": "not measured"}
    _, (late,), _ = audited(capfd, ["TW-001"], 0, smt="smt_is_late")
    assert late["routes"]["smt"] == {"having": "undecided (time)", "lacking": "undecided (time)"}


def test_undecided_is_a_value_of_its_own(capfd: Printed) -> None:
    _, (late,), _ = audited(capfd, ["TW-001"], 3, clauses="clauses_never_end")
    assert late["label"] == "necessary"
    assert [(found["label"], found["survives"]) for found in late["survives"]] == [("undecided", None)] * 2
    _, (unlisted,), _ = audited(capfd, ["TW-001"], 0, graph="never_lists")
    assert unlisted["label"] == "necessary"  # the certificate stands
    assert [unlisted[name] for name in ("classes", "classes_with", "raw", "raw_with")] == [None] * 4
    _, (drawn,), _ = audited(capfd, ["TW-001"], 3, rates="never_draws")
    assert drawn["base_rate"]["undecided"] == 3
    assert drawn["base_rate"]["says"] == "nothing examined"


def at(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of its own with copies of the issued certificates; gives the folder of the audits."""
    shutil.copytree(checkout() / "certificates" / "issued", root / "certificates" / "issued")
    monkeypatch.setattr(audit, "checkout", lambda: root)
    return root / "audits"


def test_a_wrong_label_on_disk_is_refused(capfd: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The label was changed, and the seal made good."""
    at(tmp_path, monkeypatch)
    path = tmp_path / "certificates" / "issued" / "RS-001" / "certificate.json"
    document = json.loads(path.read_bytes())
    document["claims"] = [relabelled(claim) for claim in document["claims"]]
    path.write_bytes(sealed(document))
    code, told, errors = audited(capfd, ["RS-001"], 0)
    assert code == 1
    assert "RS-001: the certificate is rejected: motif" in errors
    assert {one["label"] for one in told} == {"undecided"}
    assert {one["certificate_sha256"] for one in told} == {None}


def test_a_certificate_of_another_instance_is_refused(
    capfd: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(tmp_path, monkeypatch)
    issued = tmp_path / "certificates" / "issued"
    shutil.rmtree(issued / "RS-001")
    shutil.copytree(issued / "TW-001", issued / "RS-001")
    code, told, errors = audited(capfd, ["RS-001"], 0)
    assert code == 1
    assert "it is of another instance" in errors
    assert {one["label"] for one in told} == {"undecided"}


def test_an_instance_file_gets_a_certificate_of_its_own(capfd: Printed, tmp_path: Path) -> None:
    """Two catalysts more: the witness lacks the motif, as nothing is scarce."""
    plenty = instance_file(tmp_path, initial={"ore": 2, "flux": 1, "catalyst": 5}, throughout={}, goal={})
    code, (one,), errors = audited(capfd, [plenty], 0)
    assert (code, errors) == (0, "")
    assert (one["label"], one["certificate"]) == ("absent", "made for this audit")
    assert one["classes_with"] == 0
    assert one["counterexample"] == {"actions": []}
    assert [found["survives"] for found in one["survives"]] == [True, True]
    assert len(one["certificate_sha256"]) == 64


def mixed(folder: Path) -> str:
    """An instance of which some solutions have the motif, among them the least; some lack it."""
    source = json.loads(canonical(subject("TW-001").source))
    polish = {"name": "polish", "consume": {"blank": 1}, "produce": {"blank": 1}}
    budget = {"actions": 5, "cost": 5}
    return instance_file(folder, recipes=[*source["recipes"], polish], budget=budget)


def test_a_prover_that_calls_all_necessary_is_caught(capfd: Printed, tmp_path: Path) -> None:
    code, (one,), errors = audited(capfd, [mixed(tmp_path)], 0)
    assert (code, one["label"], errors) == (0, "witness-only", "")
    assert 0 < one["classes_with"] < one["classes"]
    code, (one,), errors = audited(capfd, [mixed(tmp_path)], 0, prover="proves_all_necessary")
    assert code == 1
    assert one["label"] == "undecided"
    assert "the certificate is rejected: motif" in errors


def test_a_motif_that_the_prover_left_undecided_is_undecided(capfd: Printed, tmp_path: Path) -> None:
    code, (one,), _ = audited(capfd, [mixed(tmp_path)], 0, prover="leaves_motifs_undecided")
    assert code == 3
    assert (one["label"], one["reason"]) == ("undecided", "undecided (size): planted")
    assert one["survives"] == []


def test_an_instance_without_solution_has_no_label(capfd: Printed, tmp_path: Path) -> None:
    code, (one,), _ = audited(capfd, [instance_file(tmp_path, budget={"actions": 3, "cost": 3})], 0)
    assert code == 0
    assert (one["label"], one["classes"], one["counterexample"]) == ("no solution", 0, None)


def test_a_family_without_motifs_was_not_examined(capfd: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings, "MOTIFS", {})
    code, (one,), errors = audited(capfd, ["TW-001"], 0)
    assert code == 3
    assert (one["motif"], one["label"]) == (None, None)
    assert "nothing was examined" in errors


def test_a_file_that_is_no_instance_does_not_touch_the_others(capfd: Printed, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"family":"TW"}')
    code, told, errors = audited(capfd, [str(bad), "TW-001"], 0)
    assert code == 2
    assert [one["label"] for one in told] == ["necessary", None]
    assert len(errors.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments", [["--time-limit", "0"], ["--time-limit", "nan"], ["--random", "-1"], ["no such world"]]
)
def test_a_wrong_call_is_one_line(capfd: Printed, arguments: list[str]) -> None:
    assert run(["audit", "motifs", *arguments]) == 2
    printed = capfd.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1


def test_results_are_kept_when_asked(capfd: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    audits = at(tmp_path, monkeypatch)
    assert motifs_by(READERS, ("TW-001",), 60.0, 1, False, True) == 0
    assert not audits.exists()
    assert motifs_by(READERS, ("TW-001", mixed(tmp_path)), 60.0, 1, True, True) == 0
    told = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [path.name for path in (audits / "issued").iterdir()] == ["TW-001.motifs.json"]
    kept = json.loads((audits / "issued" / "TW-001.motifs.json").read_bytes())
    assert kept["readings"] == [one for one in told if one["code"] == "TW-001"][:1]
    assert kept["certificate_sha256"] == kept["readings"][0]["certificate_sha256"]


def test_a_difference_is_kept_in_the_ledger_and_nothing_else_is(
    capfd: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audits = at(tmp_path, monkeypatch)
    table = {**READERS, "cpsat": "lying_readers:cpsat_says_one_more"}
    assert motifs_by(table, ("TW-001",), 60.0, 0, True, True) == 4
    capfd.readouterr()
    assert [path.name for path in audits.iterdir()] == ["disagreements.jsonl"]
    first = json.loads((audits / "disagreements.jsonl").read_text().splitlines()[0])
    assert first["entry"]["instance"]["code"] == "TW-001"
    assert first["entry"]["odd"] == ["cpsat"]
