"""cwr certify when things go wrong: one world's trouble is its own, nothing is left behind, and nothing lives on."""

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

from cwr_audits.agreement import compare
from cwr_audits.certify import PROVING
from cwr_audits.commands import certify as command
from cwr_audits.commands.certify import certify_by
from cwr_audits.late import PROVER, ROUTES
from cwr_audits.out import INTERNAL, number
from cwr_audits.staging import PREFIX, put_folder, ready, staging
from cwr_audits.subject import from_json, subject, to_certify
from cwr_audits.wire import Finding, pack, read_finding, unpack, write_finding
from cwr_certificates.desk import digest
from cwr_certificates.replay import case
from cwr_solvers.answers import Answer
from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.jsontext import canonical, decimal_text

# two routes suffice here, and the interpreter loads quickly
ENGINES = {"interpreter": ROUTES["interpreter"], "other": ROUTES["interpreter"], PROVING: PROVER}
HANGING = dict.fromkeys(ENGINES, "toy_engines:hangs")
TW = json.loads(canonical(subject("TW-001").source))

Printed = pytest.CaptureFixture[str]


def written(folder: Path, source: Any, name: str = "instance.json") -> str:
    (folder / name).write_text(source if isinstance(source, str) else json.dumps(source))
    return str(folder / name)


def long_words(folder: Path) -> str:
    """One word of 1000 actions, each with a name of 64 letters: more than 64 KiB."""
    recipe = {"name": "r" * 64, "produce": {"p": 1}}
    goal = {"places": {"p": {"min": 1000, "max": 1000}}}
    source = {
        **TW,
        "code": "TW-L",
        "places": ["p"],
        "recipes": [recipe],
        "initial": {},
        "throughout": {},
        "goal": goal,
        "budget": {"actions": 1000, "cost": 1000},
    }
    return written(folder, source, "long.json")


def batch(folder: Path, capfd: Printed, file: str, engines: dict[str, str]) -> tuple[int, dict[str, Any], str]:
    """Certify TW-001 together with what is in a file: TW-001 must be kept. The file's result, the exit code, errors."""
    code = certify_by(engines, (file, "TW-001"), str(folder / "out"), 20.0, True)
    out, err = capfd.readouterr()
    other, good = sorted(json.loads(out), key=lambda one: one["code"] == "TW-001")
    assert good["checked"] is True
    assert sorted(os.listdir(folder / "out")) == [
        "TW-001",
        *(["disagreements.jsonl"] if code == 4 else []),
    ]
    return code, other, err


# --- one world's trouble


def test_a_word_beyond_64_kib_leaves_that_world_undecided(tmp_path: Path, capfd: Printed) -> None:
    code, told, err = batch(tmp_path, capfd, long_words(tmp_path), ENGINES)
    assert code == 3
    assert set(told["undecided"]) == {"interpreter", "other"}
    assert all(text.startswith("undecided (size): a word of ") for text in told["undecided"].values())
    assert "cwr: TW-L: interpreter: undecided (size)" in err


def test_a_malformed_file_is_told_and_the_rest_is_certified(tmp_path: Path, capfd: Printed) -> None:
    file = written(tmp_path, {**TW, "budget": {"actions": 1.5, "cost": 1}})
    code, told, err = batch(tmp_path, capfd, file, ENGINES)
    assert code == 2
    assert told["code"] == file
    assert "(float)" in told["error"]
    assert err.startswith(f"cwr: {file}: malformed (float) at /budget/actions")


def test_an_exception_on_one_world_is_an_internal_error_of_it(tmp_path: Path, capfd: Printed) -> None:
    file = written(tmp_path, {**TW, "code": "TW-X"})
    engines = {**ENGINES, "other": "lying_engines:shapeless_but_for_showcases"}
    code, told, err = batch(tmp_path, capfd, file, engines)
    assert code == INTERNAL
    assert told == {"code": "TW-X", "error": told["error"], "agreed": None, "checked": None, "certificate_sha256": None}
    assert err.startswith("cwr: TW-X: internal error: TypeError")


def test_the_counting_route_may_be_the_broken_one(tmp_path: Path, capfd: Printed) -> None:
    file = written(tmp_path, {**TW, "code": "TW-X"})
    engines = {**ENGINES, "interpreter": "lying_engines:shapeless_but_for_showcases"}
    assert batch(tmp_path, capfd, file, engines)[0] == INTERNAL


def test_a_route_that_refuses_an_instance_contradicts_the_reader(tmp_path: Path, capfd: Printed) -> None:
    file = written(tmp_path, {**TW, "code": "TW-X"})
    engines = {**ENGINES, "other": "lying_engines:malformed_but_for_showcases"}
    code, told, err = batch(tmp_path, capfd, file, engines)
    assert (code, told["agreed"]) == (4, False)
    assert "whether this is an instance" in err


def test_what_cannot_be_kept_is_one_worlds_failure(tmp_path: Path, capfd: Printed) -> None:
    file = written(tmp_path, {**TW, "code": "TW-X"})
    engines = {**ENGINES, "other": "lying_engines:malformed_but_for_showcases"}
    (tmp_path / "out" / "disagreements.jsonl").mkdir(parents=True)
    assert certify_by(engines, (file, "TW-001"), str(tmp_path / "out"), 20.0, True) == 4
    out, err = capfd.readouterr()
    assert [one["checked"] for one in json.loads(out)] == [None, True]
    assert "disagreements.jsonl is no plain file, and keeps nothing" in err


# --- large counts


def test_counts_of_any_number_of_digits_travel_and_are_told() -> None:
    one = subject("TW-001")
    word = canonical(one.witness)
    many = 10**5000
    sent = Finding(Answer(4, {word: 4}), {4: many}, 6)
    back = read_finding("x", unpack(pack(write_finding(sent))))
    assert back == sent
    assert number(many) == decimal_text(many)
    differences = compare(one.world, one.instance, {"a": back, "b": Finding(Answer(4, {word: 4}), {4: 1})}).differences
    assert [found.subject for found in differences] == ["raw counts and words", "raw counts by cost"]
    assert all(f"{decimal_text(many)} of cost 4" in " ".join(found.sides.values()) for found in differences)


# --- showcases by file


def test_a_showcases_own_instance_in_a_file_is_the_showcase(tmp_path: Path, capfd: Printed) -> None:
    assert certify_by(ENGINES, ("TW-001",), str(tmp_path / "out"), 20.0, True) == 0
    before = (tmp_path / "out" / "TW-001" / "certificate.json").read_bytes()
    file = written(tmp_path, dict(reversed(TW.items())))
    assert certify_by(ENGINES, (file,), str(tmp_path / "out"), 20.0, True) == 0
    assert (tmp_path / "out" / "TW-001" / "certificate.json").read_bytes() == before
    assert to_certify(file) == subject("TW-001")
    assert len(json.loads(before)["claims"]) > 6


def test_another_instance_under_a_showcases_code_is_refused_unsolved(tmp_path: Path, capfd: Printed) -> None:
    file = written(tmp_path, {**TW, "budget": {"actions": 5, "cost": 5}})
    with pytest.raises(MalformedInput, match="showcase TW-001"):
        to_certify(file)
    began = time.monotonic()
    assert certify_by(HANGING, (file,), str(tmp_path / "out"), 600.0, True) == 2
    assert time.monotonic() - began < 60
    assert "showcase TW-001" in capfd.readouterr().err


def test_two_spellings_have_one_digest_which_is_the_certificates() -> None:
    spelled = {**dict(reversed(TW.items())), "initial": {**TW["initial"], "widget": 0}}
    assert canonical(spelled) != canonical(TW)
    assert from_json(spelled).digest == from_json(TW).digest
    assert from_json(spelled).digest == digest(canonical(case("TW", spelled).json))


@pytest.mark.parametrize("named", [False, True], ids=["without --out", "by --out"])
def test_the_folder_of_issued_showcases_takes_no_instance_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    monkeypatch.setattr(command, "checkout", lambda: tmp_path / "checkout")
    out = str(tmp_path / "checkout" / "certificates" / "issued") if named else None
    file = written(tmp_path, {**TW, "code": "MINE-1"})
    with pytest.raises(UsageError, match="MINE-1 is no showcase: name a folder for its certificate with --out"):
        certify_by(HANGING, ("TW-001", file), out, 600.0, True)
    assert not (tmp_path / "checkout").exists()


# --- what is found before solving


@pytest.mark.parametrize("out", ["/dev/null", "/dev/null/x", "file", "file/x"])
def test_a_folder_that_cannot_be_written_is_found_before_solving(tmp_path: Path, out: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot write into the folder"):
        certify_by(HANGING, ("TW-001",), str(tmp_path / out), 600.0, True)
    assert (tmp_path / "file").read_text() == ""


# --- folders of runs that are gone


def aged(folder: Path) -> Path:
    os.utime(folder, (1, 1))
    return folder


def test_what_dead_runs_left_is_swept_and_nothing_else(tmp_path: Path) -> None:
    dead, young, link = (tmp_path / f"{PREFIX}{name}" for name in ("dead", "young", "link"))
    target = tmp_path / "target"
    for folder in (dead, young, target):
        folder.mkdir()
    (dead / "file").write_text("")
    link.symlink_to(target)
    aged(dead)
    aged(target)
    with staging(tmp_path) as live:
        aged(live)
        ready(tmp_path)
        assert live.is_dir()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted([young.name, link.name, "target"])


def test_a_run_that_was_killed_while_it_wrote_a_folder_is_swept(tmp_path: Path) -> None:
    program = (
        "import os, sys, pathlib, cwr_audits.staging as s;"
        "s.os.fsync = lambda _: os.kill(os.getpid(), 9);"
        "s.put_folder(pathlib.Path(sys.argv[1], 'TW-001'), {'a': b'1', 'b/c': b'2'})"
    )
    paths = os.pathsep.join(path for path in sys.path if path)
    ended = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], env={**os.environ, "PYTHONPATH": paths}, check=False
    )
    assert ended.returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(PREFIX)
    aged(left)
    ready(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), OSError("full")], ids=["interrupt", "error"])
def test_an_exchange_that_ends_halfway_brings_the_old_folder_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    folder, exchange = tmp_path / "TW-001", os.replace
    put_folder(folder, {"a": b"old"})

    def halfway(source: Path, target: Path) -> None:
        if source.name == "new":
            raise failure
        exchange(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", halfway)
        with pytest.raises(type(failure)):
            put_folder(folder, {"a": b"new"})
    assert [(path.name, path.read_bytes()) for path in folder.iterdir()] == [("a", b"old")]
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_while_a_certificate_is_checked_leaves_nothing(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    program = (
        "import sys, time, cwr_audits.certify as c, cwr_audits.late as late, cwr_audits.cli as cli;"
        "c.check_within = lambda *_: time.sleep(60); cheap = late.ROUTES['interpreter'];"
        "import cwr_audits.commands.certify as command; command.ROUTES = {'interpreter': cheap, 'other': cheap};"
        "sys.argv = ['cwr', 'certify', 'TW-001', '--out', sys.argv[1]]; cli.main()"
    )
    paths = os.pathsep.join(path for path in sys.path if path)
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)],
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": paths},
    ) as process:
        until = time.monotonic() + 60
        while not any(tmp_path.glob(f"{PREFIX}*/certificate")) and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(number)
        assert process.wait(20) == code
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert list(tmp_path.iterdir()) == []
