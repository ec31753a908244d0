"""cwr check: no file, pipe or device keeps it from ending, and one certificate's trouble is its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import weakref
from pathlib import Path

import pytest

from cwr_audits.checking import Late, alarm, check_within
from cwr_audits.cli import run
from cwr_audits.files import checkout
from cwr_solvers.errors import Undecided

Printed = pytest.CaptureFixture[str]

ISSUED = str(checkout() / "certificates" / "issued" / "TW-001")


@pytest.fixture
def pipe(tmp_path: Path) -> str:
    """A named pipe into which nobody writes."""
    os.mkfifo(tmp_path / "pipe")
    return str(tmp_path / "pipe")


def test_a_pipe_without_writer_is_undecided_in_time(pipe: str, capfd: Printed) -> None:
    before = time.monotonic()
    assert run(["check", "--time-limit", "0.2", "--json", pipe, ISSUED]) == 3
    assert time.monotonic() - before < 20
    out, err = capfd.readouterr()
    assert [json.loads(line)["outcome"] for line in out.splitlines()] == ["undecided", "verified"]
    assert err == f"cwr: {pipe}: not checked in 0.2 seconds\n"


def test_an_instance_from_a_pipe_without_writer_is_undecided_in_time(pipe: str, capfd: Printed) -> None:
    assert run(["check", ISSUED, "--instance", pipe, "--time-limit", "0.2"]) == 3
    assert capfd.readouterr().err == f"cwr: undecided (time): {pipe} was not read in 0.2 seconds\n"


def test_a_device_without_end_is_too_large(capfd: Printed) -> None:
    assert run(["check", "/dev/zero"]) == 2
    assert run(["check", ISSUED, "--instance", "/dev/zero"]) == 2
    assert capfd.readouterr().err.count("too-large") == 2


def test_a_check_that_takes_too_long_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cwr_audits.checking.check", lambda *_: time.sleep(60))
    report = check_within(Path(ISSUED) / "certificate.json", 0.2)
    assert (report.outcome, report.document.text, report.desk) == ("undecided", "not checked in 0.2 seconds", None)


def test_the_end_of_time_is_no_end_of_a_claim() -> None:
    """The checker goes on to the next claim after an Undecided, so the alarm must be something else."""
    assert not issubclass(Late, Undecided)
    with pytest.raises(Late), alarm(0.05):
        time.sleep(20)
    with alarm(0.05):
        pass
    time.sleep(0.1)  # called off


def test_an_exception_on_one_certificate_is_its_own(monkeypatch: pytest.MonkeyPatch, capfd: Printed) -> None:
    def breaks(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("cwr_audits.checking.check", breaks)
    assert run(["check", ISSUED, ISSUED]) == 70
    assert capfd.readouterr().err.count(f"cwr: {ISSUED}: internal error: ZeroDivisionError") == 2


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "99999999999999999999"])
def test_a_time_limit_is_a_time(limit: str, capfd: Printed) -> None:
    assert run(["check", ISSUED, "--time-limit", limit]) == 2
    assert "time limit" in capfd.readouterr().err


class Dying:
    """Takes its time to go."""

    def __init__(self, gone: list[str]) -> None:
        self.gone = gone

    def __del__(self) -> None:
        time.sleep(0.3)
        self.gone.append("finalizer")


def test_an_alarm_in_a_finalizer_rings_again_after_it() -> None:
    gone: list[str] = []

    def work() -> None:
        Dying(gone)
        gone.append("after")
        time.sleep(20)

    with pytest.raises(Late), alarm(0.1):
        work()
    assert gone[0] == "finalizer"
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_alarm_in_a_callback_of_a_weak_reference_rings_again_after_it() -> None:
    gone: list[str] = []

    def work() -> None:
        one = Slow()
        weakref.finalize(one, lambda: (time.sleep(0.3), gone.append("callback")))
        del one
        time.sleep(20)

    with pytest.raises(Late), alarm(0.1):
        work()
    assert gone == ["callback"]


class Slow:
    """Something that can be referred to weakly."""


def test_both_doors_say_what_to_give_where_a_folder_is_no_certificate(tmp_path: Path, capfd: Printed) -> None:
    (tmp_path / "TW-001").mkdir()
    assert run(["check", str(tmp_path)]) == 2
    says = "a folder without certificate.json; of a folder of certificates name each"
    assert says in capfd.readouterr().err
    door = str(checkout() / "certificates")
    ended = subprocess.run([sys.executable, "-I", "-S", door, str(tmp_path)], capture_output=True, check=False)
    assert ended.returncode == 2
    assert says in ended.stdout.decode()


def test_both_doors_tell_claims_apart_by_their_place_in_the_document(capfd: Printed) -> None:
    certificate = Path(ISSUED).with_name("RS-001")
    assert run(["check", str(certificate)]) == 0
    said = [line for line in capfd.readouterr().out.splitlines() if " verified  " in line]
    call = [sys.executable, "-I", "-S", str(checkout() / "certificates"), str(certificate)]
    other = subprocess.run(call, capture_output=True, text=True, check=True, timeout=60).stdout
    assert said == [line for line in other.splitlines() if " verified  " in line]
    claims = json.loads((certificate / "certificate.json").read_text("utf-8"))["claims"]
    assert [line.split()[::2][:2] for line in said] == [[str(n), f"{one['kind']}:"] for n, one in enumerate(claims)]
