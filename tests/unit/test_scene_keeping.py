"""Finished chunks of an audit of the scene: a run goes on from them, and nothing else is taken for one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inline_crew import Inline

from cwr_audits.commands import audit_scene as command
from cwr_audits.commands.audit_scene import audit_scene_by
from cwr_audits.late import SCENE_AUDITORS
from cwr_audits.scenes.cyclic_order.auditing import audit as auditing
from cwr_audits.scenes.cyclic_order.auditing import keeping
from cwr_audits.scenes.cyclic_order.auditing.again import WHOLE, digest_of
from cwr_audits.scenes.cyclic_order.auditing.audit import Plan
from cwr_audits.scenes.cyclic_order.auditing.keeping import answered, code_digest, kept
from cwr_audits.scenes.cyclic_order.contract import SceneConfig
from cwr_audits.scenes.cyclic_order.making import made
from cwr_audits.wire import Reply
from cwr_solvers.errors import UsageError

Printed = pytest.CaptureFixture[str]

SCENE = "cyclic_order"
TABLE = {name: SCENE_AUDITORS[SCENE][name] for name in ("interpreter", "certificate", "pictures")}
CONFIG = SceneConfig((4,), ("colored_shape_tokens",), ("ellipse",), ("necklace_board",), ("fair",))
PLAN = Plan("keeping", 22, 1, 60.0, 0, 1, CONFIG)
CHUNKS = 2 * len(TABLE)  # 22 puzzles, and 23 pictures, by twenty


class Asked:
    """Who counts what workers are asked, and is killed when too much is."""

    def __init__(self) -> None:
        self.number = 0
        self.most = CHUNKS

    @contextmanager
    def crew(self, engines: Mapping[str, str]) -> Iterator[Any]:
        yield Counting(engines, self)


class Counting(Inline):
    def __init__(self, engines: Mapping[str, str], asked: Asked) -> None:
        super().__init__(engines)
        self._asked = asked

    def ask(self, worker: str, task: dict[str, Any]) -> Future[Reply]:
        if self._asked.number == self._asked.most:
            raise KeyboardInterrupt
        self._asked.number += 1
        return super().ask(worker, task)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Workers in this process, and counted."""
    found = Asked()
    monkeypatch.setattr(command, "crew", found.crew)
    monkeypatch.setattr(
        auditing, "again", lambda seeds, config, _hash: [digest_of(made(seed, config, WHOLE)) for seed in seeds]
    )
    return found


def run(capfd: Printed, folder: Path | None, plan: Plan = PLAN, **workers: str) -> tuple[int, Any, str]:
    code = audit_scene_by({**TABLE, **workers}, SCENE, plan, False, True, folder)
    printed = capfd.readouterr()
    return code, json.loads(printed.out), printed.err


def test_a_run_that_was_killed_goes_on_and_says_the_same(tmp_path: Path, capfd: Printed, asked: Asked) -> None:
    whole = run(capfd, None)
    assert (asked.number, whole[2]) == (CHUNKS, "")
    asked.number, asked.most = 0, 4
    with pytest.raises(KeyboardInterrupt):
        run(capfd, tmp_path / "chunks")
    asked.number, asked.most = 0, CHUNKS - 4
    code, told, errors = run(capfd, tmp_path / "chunks")
    assert asked.number == CHUNKS - 4
    assert (code, told) == whole[:2]
    assert errors == "cwr: 4 chunks were there already\n"
    asked.number, asked.most = 0, 0
    assert run(capfd, tmp_path / "chunks", replace(PLAN, lanes=2))[:2] == whole[:2]


def test_what_is_undecided_is_asked_again(tmp_path: Path, capfd: Printed, asked: Asked) -> None:
    _, told, _ = run(capfd, tmp_path, interpreter="lying_scenes:is_late")
    assert told["routes"]["interpreter"] == 0
    assert len(list(tmp_path.glob("*.chunk"))) == CHUNKS - 2
    asked.number = 0
    _, told, _ = run(capfd, tmp_path)
    assert (asked.number, told["routes"]["interpreter"]) == (2, PLAN.number)


def test_a_spoiled_chunk_is_none(tmp_path: Path, capfd: Printed, asked: Asked) -> None:
    whole = run(capfd, tmp_path)
    one, two, *_ = sorted(tmp_path.glob("*.chunk"))
    one.write_bytes(one.read_bytes()[:-2])
    two.write_bytes(b"")
    asked.number = 0
    assert run(capfd, tmp_path)[:2] == whole[:2]
    assert asked.number == 2


def test_what_other_code_said_is_not_found(
    tmp_path: Path, capfd: Printed, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capfd, tmp_path)
    monkeypatch.setattr(keeping, "code_digest", lambda: "other")
    asked.number = 0
    run(capfd, tmp_path)
    assert asked.number == CHUNKS


def test_the_digest_is_of_code_and_of_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    before = code_digest()
    assert any(name.startswith("ortools-") for name in keeping.installed())
    assert before == code_digest()
    monkeypatch.setattr(keeping, "installed", list)
    without = code_digest()
    monkeypatch.setattr(keeping, "PACKAGES", keeping.PACKAGES[1:])
    assert len({before, without, code_digest()}) == 3


def test_a_chunk_is_answered_where_all_its_parts_are() -> None:
    yes, no = {"found": {}}, {"undecided": ["time", ""]}
    assert answered({"found": [yes, yes]})
    assert answered({"found": [{"visible": yes, "open": yes}, {"visible": yes}]})
    for reply in (no, {"found": [yes, no]}, {"found": [{"visible": yes, "open": no}]}):
        assert not answered(reply)


def test_no_file_is_no_chunk_and_no_folder_is_wrong_usage(tmp_path: Path, capfd: Printed, asked: Asked) -> None:
    assert kept(tmp_path / "none") is None
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot write into the folder"):
        run(capfd, tmp_path / "file")
    assert asked.number == 0
