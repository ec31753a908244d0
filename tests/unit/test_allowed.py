"""Time limits, seeds and other numbers: what is senseless is refused, in one line, before any work is done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cwr
from cwr_audits.allowed import LONGEST, MOST_SEED, as_seed, time_limit
from cwr_audits.cli import run
from cwr_audits.scoring.designs import SCHEMA, read_asked
from cwr_solvers.errors import MalformedInput

Printed = pytest.CaptureFixture[str]

NO_LIMITS = ["0", "-1", "nan", "inf", "-inf", str(LONGEST * 2)]
NO_SEEDS = ["", " ", "\u00a0", "a\nb", "a\tb", "\x1b[31m", "\u202e", "\udcff", "s" * (MOST_SEED + 1)]


def refused(call: list[str], capfd: Printed) -> str:
    """The one line with which a call is refused."""
    assert run(call) == 2
    out, said = capfd.readouterr()
    assert (out, said.count("\n")) == ("", 1)
    return said


TIMED = [
    ["certify", "TW-001", "--out", "OUT"],
    ["check", "OUT"],
    ["conform", "--command", "false"],
    ["attack", "TW-001"],
    ["alternatives", "TW-001", "--store", "OUT"],
    ["why-not", "TW-001", "--store", "OUT"],
    ["audit", "pack", "OUT"],
    ["audit", "motifs", "TW-001"],
    ["pack", "TW-001", "--seed", "s", "--out", "OUT"],
    ["freeze", "IN", "--out", "OUT"],
    ["verify", "IN"],
    ["explore", "TW-001", "--out", "OUT"],
]


@pytest.mark.parametrize("seconds", NO_LIMITS)
@pytest.mark.parametrize("call", TIMED, ids=lambda call: "-".join(call[:2]))
def test_every_command_refuses_a_senseless_time_limit(
    call: list[str], seconds: str, tmp_path: Path, capfd: Printed
) -> None:
    placed = [str(tmp_path / word) if word in ("IN", "OUT") else word for word in call]
    assert "time limit" in refused([*placed, f"--time-limit={seconds}"], capfd)
    assert list(tmp_path.iterdir()) == []


def test_a_limit_of_one_case_is_a_time_limit(capfd: Printed) -> None:
    assert "time limit" in refused(["conform", "--command", "false", "--case-limit", "nan"], capfd)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), "60", True, None, LONGEST + 1])
def test_python_refuses_a_senseless_time_limit(seconds: Any) -> None:
    with pytest.raises(cwr.UsageError, match="the time limit is more than 0"):
        cwr.world("TW-001").solutions(seconds=seconds)


def test_sensible_limits_are_taken_as_they_are() -> None:
    assert [time_limit(one) for one in (1, 0.5, LONGEST)] == [1, 0.5, LONGEST]


@pytest.mark.parametrize("step", [-1, True, 1.5, "1", float("nan")])
def test_python_refuses_a_senseless_step(step: Any) -> None:
    with pytest.raises(cwr.UsageError, match="a number of at least 0"):
        cwr.world("TW-001").picture(step=step)


NUMBERED = [
    ["alternatives", "TW-001", "--limit", "0"],
    ["alternatives", "TW-001", "--diverse", "-1"],
    ["alternatives", "TW-001", "--at-cost", "-1"],
    ["alternatives", "TW-001", "--at-cost", "nan"],
    ["why-not", "TW-001", "--limit", "0"],
    ["explore", "--limit", "0"],
    ["show", "TW-001", "--step", "-1"],
    ["show", "cyclic_order", "--seed", "s", "--index", "-1"],
    ["generate", "cyclic_order", "--seed", "s", "-n", "0", "--out", "OUT"],
    ["generate", "cyclic_order", "--seed", "s", "-n", "1", "--size", "-1", "--out", "OUT"],
    ["generate", "cyclic_order", "--seed", "s", "-n", "1", "--workers", "0", "--out", "OUT"],
    ["generate", "cyclic_order", "--seed", "s", "-n", "1", "--tokens", "-4", "--out", "OUT"],
    ["audit", "motifs", "TW-001", "--random", "-1"],
    ["audit", "scene", "cyclic_order", "-n", "0"],
    ["audit", "scene", "cyclic_order", "--seen", "-1"],
    ["audit", "scene", "cyclic_order", "--again", "-1"],
    ["audit", "scene", "cyclic_order", "--workers", "0"],
    ["power", "--workers", "0"],
    *(["power", option, word] for option in ("--bases", "--simulations", "--trials") for word in ("0", "-1", "nan")),
    *(["power", option, word] for option in ("--effect", "--alpha", "--target") for word in ("nan", "inf", "-7")),
    *(["score", "run", "--pack", "none", "--alpha", word] for word in ("nan", "inf", "-1", "0", "1")),
]


@pytest.mark.parametrize("call", NUMBERED, ids=" ".join)
def test_every_command_refuses_senseless_numbers(
    call: list[str], tmp_path: Path, capfd: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "Traceback" not in refused(call, capfd)
    assert list(tmp_path.iterdir()) == []


# --- seeds

SEEDED = [
    ["pack", "TW-001", "--out", "OUT"],
    ["generate", "cyclic_order", "-n", "1", "--out", "OUT"],
    ["show", "cyclic_order"],
    ["audit", "scene", "cyclic_order"],
    ["power", "--simulations", "2", "--out", "OUT"],
]


@pytest.mark.parametrize("seed", NO_SEEDS, ids=ascii)
@pytest.mark.parametrize("call", SEEDED, ids=lambda call: call[0])
def test_every_command_refuses_a_senseless_seed(
    call: list[str], seed: str, tmp_path: Path, capfd: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = refused([*call, "--seed", seed], capfd)
    assert "seed" in said
    assert "printable characters, not all blanks" in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", NO_SEEDS, ids=ascii)
def test_texts_that_seeds_or_times_follow_from_are_held_to_the_same(text: str, tmp_path: Path, capfd: Printed) -> None:
    assert "--beacon" in refused(["reveal", "opening", "--seal", "seal", "--beacon", text], capfd)
    assert "--anchor" in refused(["seal", "plan", "--out", str(tmp_path / "new"), "--anchor", text], capfd)


def test_a_seed_in_a_document_is_held_to_the_same() -> None:
    assert read_asked({"schema": SCHEMA, "seed": "né 1"}).design.seed == "né 1"
    with pytest.raises(MalformedInput, match="/seed"):
        read_asked({"schema": SCHEMA, "seed": ""})


@pytest.mark.parametrize("seed", ["s", "né à 1", "0" * MOST_SEED, "🌱"], ids=["short", "words", "long", "emoji"])
def test_other_seeds_are_taken_as_they_are(seed: str) -> None:
    assert as_seed(json.loads(json.dumps(seed)), "") == seed


def test_a_seed_is_a_text() -> None:
    with pytest.raises(MalformedInput, match="a string"):
        as_seed(7, "/seed")
