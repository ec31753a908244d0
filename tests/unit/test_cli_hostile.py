"""The command line in a hostile place: no exit code that means something comes about by accident."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from cwr_audits import cli
from cwr_audits.attempts import TRACEBACK, Done, Failed, attempt
from cwr_audits.cli import run
from cwr_audits.out import INTERNAL, WORST, worst
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided, UsageError

WITNESS = b'{"actions":["smelt","smelt","coat","rivet"]}'
CWR = f"{sys.executable} -m cwr_audits.cli"

Printed = pytest.CaptureFixture[str]


def shell(command: str, stdin: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["bash", "-c", command],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, **variables},
    )


# --- what an exception becomes


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (UsageError("so"), 2, "so"),
        (MalformedInput("float", "/a", "an integer", "1.0"), 2, "/a"),
        (Undecided("time", "late"), 3, "late"),
        (Disagreement("it", {"a": "1", "b": "2"}), 4, "a says 1"),
        (FileNotFoundError(2, "No such file", "x"), 2, "x: No such file"),
        (FileNotFoundError(2, "No such file", b"x\xff"), 2, "x"),
        (BrokenPipeError(32, "Broken pipe"), 141, "Broken"),
        (OSError("odd"), 2, "odd"),
        (MemoryError(), 3, "memory"),
        (RecursionError("deep"), INTERNAL, "internal error: RecursionError: deep"),
        (KeyError("k"), INTERNAL, "please report"),
    ],
)
def test_every_exception_has_a_line_and_a_code(error: Exception, code: int, says: str) -> None:
    def work() -> int:
        raise error

    ended = attempt(work)
    assert isinstance(ended, Failed)
    assert (ended.code, ended.error) == (code, error)
    assert says in ended.text
    assert attempt(lambda: 5) == Done(5)


def test_an_interrupt_is_no_failure() -> None:
    def work() -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        attempt(work)


def test_the_worst_of_several_outcomes_is_one_of_them() -> None:
    assert worst([0, 3, 2]) == 2
    assert worst([2, 1, 70, 3]) == 1
    assert worst([1, 4]) == 4
    assert worst([0]) == 0
    assert sorted(WORST) == [0, 1, 2, 3, 4, 70]
    with pytest.raises(ValueError, match="empty"):
        worst([])


def test_an_error_of_our_own_is_70_and_one_line(monkeypatch: pytest.MonkeyPatch, capfd: Printed) -> None:
    monkeypatch.setattr(cli, "COMMANDS", {**cli.COMMANDS, "list": "toy_commands:breaks"})
    assert run(["list"]) == INTERNAL
    out, err = capfd.readouterr()
    assert err.startswith("cwr: internal error: ZeroDivisionError: by zero\\nand more; please report")
    assert (out, len(err.splitlines())) == ("", 1)
    monkeypatch.setenv(TRACEBACK, "1")
    assert run(["list"]) == INTERNAL
    assert "Traceback" in capfd.readouterr().err


# --- channels that are closed, full or odd


@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full"])
def test_nobody_to_tell_changes_no_exit_code(where: str) -> None:
    assert shell(f"{CWR} grade TW-001 - {where}", b"{").returncode == 2
    assert shell(f"{CWR} grade TW-001 - {where}", WITNESS).returncode == 0
    assert shell(f"{CWR} nonsense {where}").returncode == 2


@pytest.mark.parametrize("command", ["--help", "list", "list --json", "grade -h"])
def test_output_that_cannot_be_written_is_no_verdict(command: str) -> None:
    full = shell(f"{CWR} {command} >/dev/full")
    assert full.returncode == 2
    assert full.stderr == b"cwr: input or output: No space left on device\n"
    unread = shell(f"{CWR} {command} | sleep 0; exit ${{PIPESTATUS[0]}}")
    assert unread.returncode in (0, 141)  # the pipe may take it all before its reader ends
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run([*CWR.split(), *command.split()], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, b"")


def test_a_name_that_is_no_text_is_told_all_the_same() -> None:
    ended = shell(f"{CWR} check --json $'bad\\xff'")
    assert ended.returncode == 2
    assert ended.stderr == b"cwr: cannot read bad\\udcff: No such file or directory\n"
    folder = shell(
        f"d=$(mktemp -d); cd $d; mkdir $'bad\\xff'; echo '{{}}' > $'bad\\xff'/certificate.json; "
        f"{CWR} check --json $'bad\\xff'; e=$?; rm -r $d; exit $e"
    )
    assert folder.returncode == 2
    assert json.loads(folder.stdout)["certificate"] == "bad\\udcff"


def test_a_name_that_is_too_long_is_one_line() -> None:
    for command in ("check", "show", "grade TW-001"):
        ended = shell(f"{CWR} {command} {'x' * 5000}")
        assert ended.returncode == 2
        assert len(ended.stderr.splitlines()) == 1
        assert b"internal" not in ended.stderr


# --- signals


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
def test_a_signal_ends_it_quietly(number: signal.Signals, code: int) -> None:
    command = [*CWR.split(), "grade", "TW-001", "-", "--jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b'{"submission":%s}\n' % WITNESS)
        process.stdin.flush()
        process.stdout.readline()  # it is past its start
        time.sleep(0.05)
        process.send_signal(number)
        assert process.wait(20) == code
        assert process.stderr.read() == b""
