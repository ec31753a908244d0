"""VERIFICATION.md: worked out from the artefacts and nothing else, and loud about what does not fit."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from cwr_audits import readiness
from cwr_audits.certify import PROVING
from cwr_audits.cli import run
from cwr_audits.commands import certify as certify_command
from cwr_audits.commands import report as report_command
from cwr_audits.files import checkout
from cwr_audits.judges import scene_digest
from cwr_audits.late import PROVER, ROUTES
from cwr_audits.report import LIMITS, UNMEASURED, verification
from cwr_audits.subject import subjects
from cwr_audits.trust import CHECKER, NOT_MEASURED, trusted

DEMANDS = readiness.DEMANDS
Printed = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def issued(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of its own with the artefacts of all showcases; sources and fixtures are links to the real ones."""
    root = tmp_path_factory.mktemp("checkout")
    real = checkout()
    (root / "certificates").mkdir()
    (root / "audits").mkdir()
    for name in ("cwr_solvers", "fixtures", CHECKER, "certificates/cwr_certificates"):
        (root / name).symlink_to(real / name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(certify_command, "checkout", lambda: root)
        assert certify_command.certify_by({**ROUTES, PROVING: PROVER}, (), None, 60.0, True) == 0
    for one in subjects(()):  # of the same certificates, as issuing twice gives the same bytes
        name = f"audits/issued/{one.code}.motifs.json"
        shutil.copy(real / name, root / name)
    return root


@pytest.fixture
def root(issued: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy that a test may spoil, and which `cwr report` takes for the checkout."""
    made = shutil.copytree(issued, tmp_path / "checkout", symlinks=True)
    monkeypatch.setattr(readiness, "DEMANDS", ())  # has tests of its own, and takes its time
    monkeypatch.setattr(report_command, "checkout", lambda: made)
    return made


def text(root: Path) -> str:
    made = verification(subjects(()), root)
    assert made.faults == ()
    return made.text


def row(page: str, *starts: str) -> list[str]:
    """The cells of the one row of a table that starts with these cells."""
    found = [line for line in page.splitlines() if line.startswith(f"| {' | '.join(starts)} |")]
    assert len(found) == 1, (starts, found)
    return [cell.strip() for cell in found[0].strip("|").split("|")]


def test_the_results_are_told_and_rest_on_digests(root: Path) -> None:
    page = text(root)
    for one in subjects(()):
        told = json.loads((root / "audits" / "issued" / f"{one.code}.json").read_bytes())
        cells = row(page, one.code, one.world.title)
        assert cells[2:7] == [
            str(told[name]) for name in ("optimum", "optimum_raw", "accepted_raw", "classes", "reachable_states")
        ]
        assert cells[-1] == told["certificate_sha256"][:12]
        assert told["certificate_sha256"] in page
        assert one.digest in page
        assert {tuple(row(page, one.code, route)[2:5]) for route in ROUTES} == {
            (str(told["optimum"]), str(told["accepted_raw"]), str(told["classes"]))
        }
        for probe in one.probes:
            assert isinstance(probe, dict)
            kind = [line for line in page.splitlines() if line.startswith(f"| {one.code} | {probe['name']} |")]
            assert kind  # a probe may be called as the witness is
            assert all("| yes |" in line for line in kind)
    assert all(limit in page for limit in LIMITS)
    assert all(f"- {what}: {NOT_MEASURED}" in page for what in UNMEASURED)
    assert "Frontier model runs: 0" in page


def test_the_same_text_in_another_process_with_another_hash_seed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "DEMANDS", DEMANDS)
    program = (
        "import sys; from pathlib import Path; from cwr_audits.report import verification;"
        "from cwr_audits.subject import subjects;"
        "sys.stdout.buffer.write(verification(subjects(()), Path(sys.argv[1])).text.encode())"
    )
    made = [
        subprocess.run(
            [sys.executable, "-c", program, str(root)],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert made[0] == made[1] == text(root).encode()


def test_nothing_of_this_machine_is_in_it(root: Path) -> None:
    page = text(root)
    for word in (str(root), str(checkout()), sys.version.split()[0], os.uname().nodename):
        assert word not in page


def test_what_is_not_there_is_not_measured(root: Path) -> None:
    (root / "audits" / "issued" / "RS-001.json").unlink()
    shutil.rmtree(root / "certificates" / "issued" / "TW-001")
    made = verification(subjects(()), root)
    assert NOT_MEASURED in row(made.text, "RS-001", "Scheduling with resources and precedences")
    assert row(made.text, "RS-001", NOT_MEASURED)[2:] == [NOT_MEASURED] * 5
    assert made.text.count(f"| TW-001 | {' | '.join([NOT_MEASURED] * 6)} |") == 3  # no route, no claim, no motif
    assert made.faults == ("TW-001: there is an audit on disk and no certificate",)
    (root / "audits" / "issued" / "TW-001.json").unlink()
    assert verification(subjects(()), root).faults == ()


def edited(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_bytes()), **changes}))


def test_an_audit_of_another_instance_is_a_fault_and_not_used(root: Path) -> None:
    edited(root / "audits" / "issued" / "TP-001.json", instance_sha256="0" * 64, optimum=1)
    made = verification(subjects(()), root)
    assert made.faults == ("TP-001: the audit on disk is of another instance",)
    assert row(made.text, "TP-001", "Finite typed pipeline")[2] == NOT_MEASURED


@pytest.mark.parametrize(
    "change",
    [
        lambda _told: b"[]",
        lambda _told: b"not JSON",
        lambda _told: b"",
        lambda _told: b"\xff",
        lambda _told: b'{"routes":1}',
        lambda told: json.dumps({**told, "routes": 1}).encode(),
        lambda told: json.dumps({**told, "routes": {"smt": 1}}).encode(),
        lambda told: json.dumps({**told, "routes": {"smt": {}}}).encode(),
        lambda told: json.dumps({**told, "unique": []}).encode(),
        lambda told: json.dumps({**told, "unique": {}}).encode(),
        lambda told: json.dumps({**told, "absent_motifs": [1]}).encode(),
        lambda told: json.dumps({**told, "instance_sha256": 1}).encode(),
        lambda told: json.dumps({name: told[name] for name in told if name != "optimum"}).encode(),
    ],
)
def test_a_spoiled_audit_is_a_fault_that_names_its_file(root: Path, capfd: Printed, change: Any) -> None:
    path = root / "audits" / "issued" / "TP-001.json"
    path.write_bytes(change(json.loads(path.read_bytes())))
    assert run(["report", "--check"]) == 1
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("cwr: TP-001: audits/issued/TP-001.json is malformed (")


def test_motifs_are_told_with_label_survival_and_base_rate(root: Path) -> None:
    page = text(root)
    assert row(page, "RS-001", "strict")[2:6] == ["witness-only", "5 of 9", "5 of 9", "1 of 1"]
    assert row(page, "RS-001", "overlap")[6:8] == ["witness-only"] * 2
    assert row(page, "TW-001", "main")[6:8] == ["survives"] * 2
    for one in subjects(()):
        data = (root / "audits" / "issued" / f"{one.code}.motifs.json").read_bytes()
        digest = sha256(data).hexdigest()
        assert digest in page
        for told in json.loads(data)["readings"]:
            cells = row(page, one.code, told["motif"])
            rate = told["base_rate"]
            assert (cells[2], cells[-1]) == (told["label"], digest[:12])
            assert cells[8] == f"{rate['classes_with']} of {rate['classes']} {rate['says']}"


def test_a_motif_that_always_holds_is_warned_of(root: Path) -> None:
    path = root / "audits" / "issued" / "PS-001.motifs.json"
    told = json.loads(path.read_bytes())
    told["readings"][0]["base_rate"].update(classes_with=3, classes=3, says="always")
    path.write_text(json.dumps(told))
    assert "- PS-001 main: it holds of every solution found at random, so it certifies nothing" in text(root)


def test_motifs_that_are_not_there_are_not_measured(root: Path) -> None:
    (root / "audits" / "issued" / "PS-001.motifs.json").unlink()
    assert row(text(root), "PS-001", NOT_MEASURED)[2:10] == [NOT_MEASURED] * 8


def relabel(told: dict[str, Any], motif: str, label: str) -> dict[str, Any]:
    readings = [{**one, "label": label} if one["motif"] == motif else one for one in told["readings"]]
    return {**told, "readings": readings}


def rerate(told: dict[str, Any], **changes: Any) -> dict[str, Any]:
    first, *others = told["readings"]
    return {**told, "readings": [{**first, "base_rate": {**first["base_rate"], **changes}}, *others]}


@pytest.mark.parametrize(
    ("change", "at"),
    [
        (lambda _told: [], ""),
        (lambda told: {**told, "schema": "cwr-motifs/0"}, "/schema"),
        (lambda told: {**told, "instance_sha256": "0" * 64}, "/instance_sha256"),
        (lambda told: {**told, "certificate_sha256": "0" * 64}, "/certificate_sha256"),
        (lambda told: relabel(told, "strict", "necessary"), "/readings"),
        (lambda told: relabel(told, "overlap", "undecided"), "/readings"),
        (lambda told: {**told, "readings": told["readings"][1:]}, "/readings"),
        (lambda told: {**told, "readings": [{"motif": "strict"}]}, "/readings/0"),
        (lambda told: {**told, "readings": [{**told["readings"][0], "survives": [1]}]}, "/readings/0/survives/0"),
        (lambda told: {**told, "readings": [{**told["readings"][0], "routes": {"smt": 1}}]}, "/readings/0/routes/smt"),
        (lambda told: rerate(told, instances="40"), "/readings/0/base_rate/instances"),
        (lambda told: rerate(told, says="often"), "/readings/0/base_rate/says"),
    ],
)
def test_spoiled_motifs_are_a_fault_and_not_used(root: Path, change: Any, at: str) -> None:
    """Among them a label that the certificate does not claim."""
    path = root / "audits" / "issued" / "RS-001.motifs.json"
    path.write_text(json.dumps(change(json.loads(path.read_bytes()))))
    made = verification(subjects(()), root)
    (fault,) = made.faults
    assert fault.startswith("RS-001: audits/issued/RS-001.motifs.json is malformed (")
    assert at in fault
    assert row(made.text, "RS-001", NOT_MEASURED)[2:10] == [NOT_MEASURED] * 8


def test_a_spoiled_certificate_is_a_fault(root: Path) -> None:
    proof = root / "certificates" / "issued" / "TW-001" / "optimum.lrat"
    proof.write_text("1 0 0\n")
    made = verification(subjects(()), root)
    assert len(made.faults) == 1
    assert made.faults[0].startswith("TW-001: the certificate on disk is rejected")
    assert "rejected" in row(made.text, "TW-001", "optimum")


def test_a_probe_that_is_judged_otherwise_is_a_fault(root: Path) -> None:
    first, *others = subjects(())
    wrong: list[Any] = []
    for probe in first.probes:
        assert isinstance(probe, dict)
        if probe["kind"] == "sequence" and probe["verdict"] == "illegal" and not wrong:
            wrong.append({**probe, "step": 99})
        elif probe["kind"] == "step" and len(wrong) == 1:
            wrong.append({**probe, "legal": not probe["legal"]})
    made = verification([replace(first, probes=tuple(wrong)), *others], root)
    assert len(made.faults) == 2
    assert all(str(probe["name"]) in fault for probe, fault in zip(wrong, made.faults, strict=True))
    assert all("- " + fault in made.text for fault in made.faults)
    witnessless = replace(first, witness={"actions": []})
    assert "TW-001: witness is rejected (G)" in verification([witnessless], root).faults[0]


def test_report_writes_checks_and_shows_what_differs(root: Path, capfd: Printed) -> None:
    page = root / "VERIFICATION.md"
    assert run(["report", "--check"]) == 1
    assert not page.exists()
    assert run(["report"]) == 0
    assert page.read_text() == text(root)
    assert run(["report", "--check"]) == 0
    page.write_text(page.read_text().replace("Frontier model runs: 0", "Frontier model runs: 8"))
    capfd.readouterr()
    assert run(["report", "--check"]) == 1
    out = capfd.readouterr().out
    assert "-- Frontier model runs: 8" in out
    assert "+- Frontier model runs: 0" in out
    assert run(["report", "--check", "--json"]) == 1
    assert json.loads(capfd.readouterr().out)["current"] is False
    assert "runs: 8" in page.read_text()


def test_report_ends_with_1_when_it_lists_a_fault(root: Path, capfd: Printed) -> None:
    edited(root / "audits" / "issued" / "TP-001.json", instance_sha256="0" * 64)
    assert run(["report"]) == 1
    assert "TP-001: the audit on disk is of another instance" in capfd.readouterr().err
    assert run(["report", "--check"]) == 1


# --- scenes

SCENE = "cyclic_order"


SCENE_PICTURES: dict[str, Any] = {
    "drawn": 9,
    "boxes": 90,
    "with_a_box_outside": 0,
    "with_overlaps": 0,
    "seen": 4,
    "combinations": 1,
    "examined": {"answer": 8},
    "seen_otherwise": 0,
}
SCENE_BALANCE: dict[str, Any] = {
    "level": "0.01",
    "tests": [
        {
            "axis": "palette",
            "within": "all",
            "counts": [4, 4],
            "degrees_of_freedom": 1,
            "statistic": "0.000",
            "p": "1.0000",
            "says": "balanced within sampling error",
        }
    ],
}
SCENE_BASELINES: dict[str, Any] = {
    "chance": "1/4",
    "guesses": [
        {
            "guess": "always A",
            "sees": "cards",
            "within": "all",
            "puzzles": 8,
            "right": "5/2",
            "share": "0.3125",
            "p": "0.5000",
            "says": "no more than chance within sampling error",
        }
    ],
}


def kept_scene(root: Path, **changes: Any) -> Path:
    """An audit of the scene, kept in a checkout."""
    told = {
        "schema": "cwr-scene-audit/1",
        "scene": SCENE,
        "seed": "a",
        "number": 8,
        "config": {},
        "outcome": "passed",
        "code_sha256": scene_digest(SCENE, root),
        "routes": {"smt": 7},
        "arrangements": 3,
        "agreed": 6,
        "repairs": {"4": {"1": 5, "2": 3}},
        "again": {"items": 2, "processes": 3, "same": True},
        "faults": {},
        "told": [],
        "pictures": SCENE_PICTURES,
        "balance": SCENE_BALANCE,
        "baselines": SCENE_BASELINES,
        **changes,
    }
    path = root / "audits" / "issued" / "scenes" / f"{SCENE}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(told))
    return path


def test_a_scene_is_told_and_rests_on_a_digest(root: Path) -> None:
    assert f"{SCENE}: {NOT_MEASURED}; there is no kept audit." in text(root)
    digest = sha256(kept_scene(root).read_bytes()).hexdigest()
    page = text(root)
    assert row(page, SCENE, "just the planted option repairs, by Z3")[2:] == ["7 of 8", digest[:12]]
    assert row(page, SCENE, "swaps of all pairs that repair, 4 tokens")[2] == "1 in 5 puzzles, 2 in 3 puzzles"
    assert row(page, SCENE, "palette")[2:-1] == ["all", "4 4", "0.000", "1", "1.0000", "balanced within sampling error"]
    assert row(page, SCENE, "always A")[2:6] == ["cards", "all", "5/2 of 8", "0.3125"]
    assert "p is at least 0.01 / 2 (Bonferroni)" in page
    assert row(page, f"audits/issued/scenes/{SCENE}.json")[1] == digest


def test_a_scene_audited_with_other_code_is_not_measured(root: Path) -> None:
    kept_scene(root, code_sha256="0" * 64)
    assert f"{SCENE}: {NOT_MEASURED}; the kept audit is of other code." in text(root)


def test_what_an_audit_of_a_scene_found_is_a_fault(root: Path) -> None:
    kept_scene(root, outcome="disagree", told=[{"word": "disagree", "index": 1, "text": "routes disagree"}])
    (fault,) = verification(subjects(()), root).faults
    assert fault == f"{SCENE}: the kept audit says disagree: routes disagree"


@pytest.mark.parametrize(
    "change", [{"pictures": 1}, {"balance": {}}, {"baselines": {}}, {"routes": None}, {"told": 1, "outcome": "x"}]
)
def test_a_spoiled_audit_of_a_scene_is_a_fault(root: Path, change: dict[str, Any]) -> None:
    kept_scene(root, **change)
    (fault,) = verification(subjects(()), root).faults
    assert fault == f"{SCENE}: audits/issued/scenes/{SCENE}.json cannot be read"


# --- the trust table


def test_every_trusted_file_is_listed_with_what_checks_it() -> None:
    rows = {one.path: one for one in trusted(checkout())}
    assert NOT_MEASURED not in {one.checked_by for one in rows.values()}
    assert {"certificates/cwr_certificates/kernel.py", "cwr_solvers/jsontext.py", CHECKER} <= set(rows)
    assert not any("prover" in path or "lrat" in path or "backends" in path for path in rows)
    kernel = rows["certificates/cwr_certificates/kernel.py"]
    assert kernel.lines == len((checkout() / kernel.path).read_text().splitlines())


def test_the_list_is_what_the_checker_loads() -> None:
    program = (
        "import runpy, sys; sys.argv = ['certificates', '--help']\n"
        "try: runpy.run_path(sys.argv.pop(0), run_name='__main__')\n"
        "except SystemExit: pass\n"
        "for module in list(sys.modules.values()):\n"
        "    print(getattr(module, '__file__', None) or '')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, check=True, cwd=checkout(), text=True
    )
    loaded = {Path(line) for line in ended.stdout.splitlines() if line}
    ours = {str(path.relative_to(checkout())) for path in loaded if checkout() in path.parents}
    assert ours - {CHECKER} == {one.path for one in trusted(checkout())} - {CHECKER}
    assert ours


def test_a_new_trusted_file_shows_as_not_measured(root: Path) -> None:
    for name in ("certificates/cwr_certificates", CHECKER):
        (root / name).unlink()
    shutil.copytree(checkout() / "certificates" / "cwr_certificates", root / "certificates" / "cwr_certificates")
    source = (checkout() / CHECKER).read_text()
    (root / CHECKER).write_text("from cwr_certificates import oracle\n" + source)
    (root / "certificates" / "cwr_certificates" / "oracle.py").write_text("import cwr_solvers.search\n")
    rows = {one.path: one for one in trusted(root)}
    assert rows["certificates/cwr_certificates/oracle.py"].checked_by == NOT_MEASURED
    assert "cwr_solvers/search.py" in rows


# --- what is committed


def test_the_committed_report_is_current() -> None:
    """To bring it up to date: make certify."""
    made = verification(subjects(()), checkout())
    assert made.faults == ()
    assert (checkout() / "VERIFICATION.md").read_text(encoding="utf-8") == made.text


def test_the_committed_report_measured_every_showcase() -> None:
    page = (checkout() / "VERIFICATION.md").read_text(encoding="utf-8")
    for one in subjects(()):
        assert NOT_MEASURED not in row(page, one.code, one.world.title)
