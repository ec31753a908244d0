"""cwr certify: what it prints and keeps, and that nothing is kept when anything is missing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cwr_audits.certify import PROVING
from cwr_audits.cli import run
from cwr_audits.commands.certify import certify_by
from cwr_audits.files import checkout
from cwr_audits.late import PROVER, ROUTES
from cwr_audits.subject import subject, subjects
from cwr_solvers.jsontext import canonical

ENGINES = {**ROUTES, PROVING: PROVER}
CODES = [one.code for one in subjects(())]

Printed = pytest.CaptureFixture[str]


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def instance_file(folder: Path, **changes: Any) -> str:
    """The instance of TW-001 with other fields, under another code."""
    source = {**json.loads(canonical(subject("TW-001").source)), "code": "TW-X", **changes}
    path = folder / "instance.json"
    path.write_text(json.dumps(source))
    return str(path)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[list[dict[str, Any]], Path]]:
    """Two runs over all showcases, in processes of their own with other hash seeds."""
    made = []
    for seed in ("1", "2"):
        out = tmp_path_factory.mktemp("certify")
        command = [sys.executable, "-m", "cwr_audits.cli", "certify", "--json", "--out", str(out)]
        ended = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "PYTHONHASHSEED": seed})
        assert (ended.returncode, ended.stderr) == (0, b"")
        made.append((json.loads(ended.stdout), out))
    return made


def test_every_showcase_is_certified(runs: list[tuple[list[dict[str, Any]], Path]]) -> None:
    told, out = runs[0]
    assert [one["code"] for one in told] == CODES
    assert sorted(entry.name for entry in out.iterdir()) == sorted(CODES)
    for one in told:
        assert one["agreed"] is True
        assert one["checked"] is True
        assert one["instance_sha256"] == subject(one["code"]).digest
        assert set(one["routes"]) == set(ROUTES)
        for said in one["routes"].values():
            assert said == {name: one[name] for name in ("optimum", "accepted_raw", "classes")}
        assert set(one["unique"]) == {"raw_optimum", "raw_bound", "class_optimum", "class_bound"}
        assert one["reachable_states"] > 1
        assert one["refutation_steps"] > 0
        assert {claim["kind"] for claim in one["claims"]} >= {"legal", "rejected", "optimum", "complete", "unique"}
        assert {claim["verdict"] for claim in one["claims"]} == {"verified"}


def test_the_same_bytes_under_another_hash_seed(runs: list[tuple[list[dict[str, Any]], Path]]) -> None:
    (told, out), (again, other) = runs
    assert told == again
    assert tree(out) == tree(other)


def test_certificates_are_verified_by_both_doors(
    runs: list[tuple[list[dict[str, Any]], Path]], capfd: Printed, tmp_path: Path
) -> None:
    _, out = runs[0]
    names = [str(out / code) for code in CODES]
    assert run(["check", *names]) == 0
    assert run(["check", "--json", *names]) == 0
    capfd.readouterr()
    door = str(checkout() / "certificates")
    ended = subprocess.run([sys.executable, "-I", "-S", door, *names], capture_output=True, check=False, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr


def test_check_names_what_is_wrong(
    runs: list[tuple[list[dict[str, Any]], Path]], capfd: Printed, tmp_path: Path
) -> None:
    _, out = runs[0]
    for name, data in tree(out / "TW-001").items():
        (tmp_path / name).write_bytes(data)
    proof = tmp_path / "optimum.lrat"
    proof.write_bytes(proof.read_bytes()[:-1])
    assert run(["check", "--json", str(tmp_path)]) == 1
    (told,) = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [claim["kind"] for claim in told["claims"] if claim["verdict"] != "verified"] == ["optimum"]
    assert run(["check", str(tmp_path), str(tmp_path / "nowhere")]) == 1
    assert run(["check", str(out / "TW-001"), str(tmp_path / "nowhere")]) == 2
    (tmp_path / "certificate.json").write_text("{}")
    assert run(["check", str(tmp_path)]) == 2


def test_check_compares_the_instance_that_is_given(
    runs: list[tuple[list[dict[str, Any]], Path]], capfd: Printed, tmp_path: Path
) -> None:
    _, out = runs[0]
    same = tmp_path / "same.json"
    same.write_bytes(canonical(subject("TW-001").source))
    assert run(["check", str(out / "TW-001"), "--instance", str(same)]) == 0
    assert run(["check", str(out / "TW-001"), "--instance", instance_file(tmp_path)]) == 1
    assert "another instance" in capfd.readouterr().err


def certified(folder: Path, file: str, capfd: Printed, expected: int = 0) -> dict[str, Any]:
    assert run(["certify", file, "--json", "--out", str(folder / "out")]) == expected
    (told,) = json.loads(capfd.readouterr().out)
    assert isinstance(told, dict)
    return told


def test_a_changed_instance_changes_the_result(tmp_path: Path, capfd: Printed) -> None:
    """One ore and one action more, and a goal that lets a blank stay: the third smelting may come anywhere."""
    plain = certified(tmp_path, instance_file(tmp_path), capfd)
    more = {"initial": {"ore": 3, "flux": 1, "catalyst": 1}, "budget": {"actions": 5, "cost": 5}}
    goal = {"places": {"widget": {"min": 1, "max": 1}}}
    changed = certified(tmp_path, instance_file(tmp_path, goal=goal, **more), capfd)
    assert (plain["optimum"], plain["accepted_raw"]) == (4, 2)
    assert (changed["optimum"], changed["optimum_raw"]) == (4, 2)
    # of length 5: a third smelting before, between or after the four, in the orders that differ
    assert changed["accepted_raw"] > 2
    assert changed["instance_sha256"] != plain["instance_sha256"]
    assert changed["certificate_sha256"] != plain["certificate_sha256"]


def test_an_instance_without_witness_gets_the_first_optimal_word(tmp_path: Path, capfd: Printed) -> None:
    told = certified(tmp_path, instance_file(tmp_path), capfd)
    document = json.loads((tmp_path / "out" / "TW-X" / "certificate.json").read_bytes())
    assert document["claims"][0] == {
        "kind": "legal",
        "goal": True,
        "submission": {"actions": ["smelt", "coat", "smelt", "rivet"]},
    }
    assert {claim["kind"] for claim in told["claims"]} >= {"optimum", "complete", "motif"}


def test_an_infeasible_instance_gets_a_certificate_of_that(tmp_path: Path, capfd: Printed) -> None:
    told = certified(tmp_path, instance_file(tmp_path, budget={"actions": 3, "cost": 3}), capfd)
    assert (told["optimum"], told["accepted_raw"], told["classes"], told["agreed"]) == (None, 0, 0, True)
    assert set(told["unique"].values()) == {False}
    assert [claim["kind"] for claim in told["claims"]] == ["infeasible"]
    assert told["checked"] is True
    assert run(["check", str(tmp_path / "out" / "TW-X")]) == 0


@pytest.mark.parametrize("code", ["../TW-X", ".", "a/b"])
def test_a_code_that_leads_elsewhere_is_refused(tmp_path: Path, capfd: Printed, code: str) -> None:
    assert run(["certify", instance_file(tmp_path, code=code), "--out", str(tmp_path / "out")]) == 2
    assert "folder" in capfd.readouterr().err
    assert [entry.name for entry in tmp_path.iterdir()] == ["instance.json"]


def test_a_time_limit_is_undecided_and_keeps_what_was_there(tmp_path: Path, capfd: Printed) -> None:
    old = tmp_path / "TW-001" / "certificate.json"
    old.parent.mkdir()
    old.write_text("old")
    assert run(["certify", "TW-001", "RS-001", "--json", "--out", str(tmp_path), "--time-limit", "0.0001"]) == 3
    out, err = capfd.readouterr()
    for told in json.loads(out):
        assert (told["agreed"], told["checked"], told["certificate_sha256"]) == (None, None, None)
        assert set(told["undecided"]) == {*ROUTES, PROVING}
        assert told["optimum"] is told["unique"] is None
    assert "undecided (time)" in err
    assert tree(tmp_path) == {"TW-001/certificate.json": b"old"}


@pytest.mark.parametrize(
    ("route", "engine", "reason"),
    [("smt", "dies", "killed"), ("cpsat", "leaves", "crashed"), (PROVING, "dies", "killed")],
)
def test_a_worker_that_is_gone_is_undecided(
    tmp_path: Path, capfd: Printed, route: str, engine: str, reason: str
) -> None:
    table = {**ENGINES, route: f"toy_engines:{engine}"}
    assert certify_by(table, ("TW-001",), str(tmp_path), 30.0, True) == 3
    out, err = capfd.readouterr()
    (told,) = json.loads(out)
    assert list(told["undecided"]) == [route]
    assert f"undecided ({reason})" in told["undecided"][route]
    assert f"{route}: undecided ({reason})" in err
    assert tree(tmp_path) == {}


@pytest.mark.parametrize(
    ("lie", "code", "says"),
    [
        ("claims_nothing", 4, "the certificate's optimum"),
        ("drops_the_optimum", 4, "the certificate's optimum"),
        ("claims_one_solution", 4, "the certificate's unique"),
        ("spoils_a_proof", 1, "the checker refuses the certificate: optimum"),
        ("forgets_a_proof", 1, "the checker refuses the certificate: complete"),
    ],
)
def test_a_lying_prover_is_caught(tmp_path: Path, capfd: Printed, lie: str, code: int, says: str) -> None:
    table = {**ENGINES, PROVING: f"lying_provers:{lie}"}
    assert certify_by(table, ("TW-001",), str(tmp_path), 30.0, True) == code
    out, err = capfd.readouterr()
    assert says in err
    assert json.loads(out)[0]["certificate_sha256"] is None
    assert not (tmp_path / "TW-001").exists()


def test_people_get_a_table(tmp_path: Path, capfd: Printed) -> None:
    assert run(["certify", "TW-001", "--out", str(tmp_path)]) == 0
    out, err = capfd.readouterr()
    assert "TW-001" in out
    assert "4 agree" in out
    assert err == ""


def test_an_interrupt_ends_with_130_and_leaves_nothing(tmp_path: Path) -> None:
    program = (
        "import sys, cwr_audits.late as late; late.ROUTES = {**late.ROUTES, 'smt': 'toy_engines:hangs'};"
        "from cwr_audits.cli import run; print('going', flush=True); sys.exit(run(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", program, "certify", "TW-001", "--out", str(tmp_path)]
    paths = os.pathsep.join(path for path in sys.path if path)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": paths}
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        time.sleep(1.0)  # the other routes have answered, and one hangs
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert process.stderr.read() == b""
    assert tree(tmp_path) == {}
