"""Audits in workers: the same word as here, and whatever ends a worker leaves its audit without a verdict only."""

from __future__ import annotations

from pathlib import Path

import pytest
from unit.frozen_samples import CODE, SECONDS, built, quiet, write

from cwr_audits.packs import auditing
from cwr_audits.packs.auditing import answer, by_workers, in_process
from cwr_audits.packs.audits import AUDITS
from cwr_audits.packs.freezing import Examined, examine, refusals
from cwr_audits.packs.model import files
from cwr_solvers.errors import Undecided

TOY = "toy_auditing:answer"
QUICK = ("balance", "motif")


def examined(engine: str, audits: tuple[str, ...], seconds: float = SECONDS) -> Examined:
    with by_workers(engine, audits) as start:
        return examine(files(built()), {}, start, seconds, quiet)


def test_every_audit_is_run_once_and_each_by_its_name() -> None:
    names = ("passes", "fails", "also passes", "disagrees", "gives up", "breaks", "dies", "babbles", "last")
    known = examined(TOY, names)
    assert [one.audit for one in known.audits] == [*names]
    said = {one.audit: (one.verdict, [reason.code for reason in one.reasons]) for one in known.audits}
    assert said == {
        "passes": ("passed", []),
        "fails": ("failed", ["planted"]),
        "also passes": ("passed", []),
        "disagrees": ("failed", ["disagreement"]),
        "gives up": ("undecided", ["states"]),
        "breaks": ("undecided", ["crashed"]),
        "dies": ("undecided", ["killed"]),
        "babbles": ("undecided", ["crashed"]),
        "last": ("passed", []),
    }
    assert known.audits[0].evidence == {"items": len(built().model)}
    assert sorted({one.code for one in refusals(known)}) == [1, 3, 4]


def test_a_worker_that_takes_too_long_is_ended() -> None:
    known = examined(TOY, ("sleeps",), 3.0)
    assert [(one.verdict, one.reasons[0].code) for one in known.audits] == [("undecided", "time")]


def test_workers_say_what_is_said_here() -> None:
    here = in_process({name: AUDITS[name] for name in QUICK})
    assert examined(auditing.AUDITOR, QUICK).audits == examine(files(built()), {}, here, SECONDS, quiet).audits


def test_long_audits_are_known() -> None:
    assert {*auditing.LONG} <= {*AUDITS, "determinism"}


def test_a_worker_does_not_audit_other_files(tmp_path: Path) -> None:
    task = {"audit": "balance", "digest": "0" * 64, "folder": str(write(tmp_path / "pack", files(built())))}
    with pytest.raises(Undecided, match="changed meanwhile"):
        answer(task)
    assert CODE in {row.world for row in built().evaluator}
