"""Command attack: what it prints, how it ends, and that it says the same in every run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cwr_audits.attack import PARTS, Attack, counts
from cwr_audits.attacks.rows import GOOD, HOLE, OPEN, Row
from cwr_audits.cli import run
from cwr_audits.out import ACCEPTED, MALFORMED, REJECTED, UNDECIDED
from cwr_audits.subject import subject

TW = subject("TW-001")


def told(hash_seed: str, *codes: str) -> tuple[int, bytes, bytes]:
    """A run in a process of its own: exit code, output, errors."""
    command = [sys.executable, "-m", "cwr_audits.cli", "attack", *codes, "--json"]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONHASHSEED": hash_seed}, capture_output=True, timeout=120, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_a_world_without_holes_and_the_same_words_whatever_the_hash_seed() -> None:
    code, out, err = told("1", "TW-001")
    assert (code, err) == (ACCEPTED, b"")
    (found,) = json.loads(out)
    assert (found["code"], found["instance_sha256"]) == ("TW-001", TW.digest)
    assert set(found["counts"]) == set(PARTS)
    for part in PARTS:
        words = [row["word"] for row in found["rows"] if row["part"] == part]
        assert words
        assert found["counts"][part] == {word: words.count(word) for word in set(words)}
    assert told("2", "TW-001", "TW-001") == (code, out, err)  # a world named twice is attacked once


def test_a_toothless_corpus_is_reported(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(("attack", "TW-001", "--corpus", str(tmp_path))) == REJECTED
    out, err = capfd.readouterr()
    assert "cwr: TW-001: graders: r3_minimum" in err
    assert all(line.startswith("cwr: TW-001: graders: ") and ": hole: " in line for line in err.splitlines())
    assert "hole" in out
    assert [rule for rule in TW.world.rules if f" {rule} " not in out] == []
    assert "probe fifth-action-that-cost-nothing-yet" in " ".join(out.split())


def test_no_time_is_no_answer(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(("attack", "TW-001", "--time-limit", "0.001", "--json")) == UNDECIDED
    out, err = capfd.readouterr()
    assert {word for part in json.loads(out)[0]["counts"].values() for word in part} == {"undecided"}
    assert err.count("undecided (time)") == 9  # graders, vitality, three encodings, and the answers of four routes


@pytest.mark.parametrize("arguments", [("attack", "TW-001", "--time-limit", "0"), ("attack", "TW-002")])
def test_wrong_usage_is_one_line(arguments: tuple[str, ...], capfd: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == MALFORMED
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("cwr: ")
    assert err.count("\n") == 1


def attack(*words: tuple[str, str]) -> Attack:
    return Attack(TW, tuple(Row(part, "planted", word, "") for part, word in words))


FULL = [(part, "agrees") for part in PARTS]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (FULL, ACCEPTED),
        (FULL[1:], UNDECIDED),
        ([], UNDECIDED),
        *([(*FULL, ("cnf", word)), UNDECIDED] for word in OPEN),
        *([(*FULL, ("cnf", word)), REJECTED] for word in HOLE),
        *([(*FULL, ("cnf", word)), ACCEPTED] for word in GOOD),
        ((*FULL, ("cnf", "undecided"), ("smt", "hole")), REJECTED),
    ],
)
def test_the_exit_code_is_that_of_the_worst_row_and_a_part_without_rows_is_open(words: Any, code: int) -> None:
    assert attack(*words).code == code


def test_words_are_of_one_list_and_counted() -> None:
    assert len({*GOOD, *HOLE, *OPEN}) == len(GOOD) + len(HOLE) + len(OPEN)
    with pytest.raises(ValueError, match="no word"):
        Row("cnf", "R1", "fine", "")
    some = attack(("cnf", "killed"), ("cnf", "hole"), ("cnf", "killed"), ("smt", "killed"))
    assert counts(some, "cnf") == {"killed": 2, "hole": 1}
    assert [row.word for row in some.of(HOLE)] == ["hole"]
