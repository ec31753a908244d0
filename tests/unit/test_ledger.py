"""The ledger: what is in it stays, and every change of what is in it shows."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path

import pytest

from cwr_audits import ledger
from cwr_audits.agreement import Difference
from cwr_audits.ledger import append, read, record
from cwr_solvers.errors import MalformedInput, UsageError

EMPTY = sha256().hexdigest()


def filled(path: Path, entries: int = 4) -> list[bytes]:
    for number in range(entries):
        append(path, "note", [{"text": f"entry ü {number}"}])
    return path.read_bytes().splitlines(keepends=True)


def test_entries_come_back_in_order_and_the_head_covers_all_bytes(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "ledger.jsonl"
    append(path, "note", [{"text": "a"}, {"text": "b"}])
    head = append(path, "rejected", ["c"])
    found = read(path)
    assert [(one.number, one.kind, one.entry) for one in found.entries] == [
        (1, "note", {"text": "a"}),
        (2, "note", {"text": "b"}),
        (3, "rejected", "c"),
    ]
    assert found.head == head == sha256(path.read_bytes()).hexdigest()
    assert found.torn == ()
    assert len(found.heads) == 4


def test_a_difference_is_kept_with_its_instance(tmp_path: Path) -> None:
    difference = Difference("optimum", ("smt",), {"smt": "4", "cnf": "5"})
    append(tmp_path / "ledger", "disagreement", [record({"code": "X"}, difference)])
    (found,) = read(tmp_path / "ledger").entries
    assert found.entry == {
        "instance": {"code": "X"},
        "odd": ["smt"],
        "sides": {"cnf": "5", "smt": "4"},
        "subject": "optimum",
    }


@pytest.mark.parametrize("place", range(3))
def test_every_line_but_the_last_is_held_by_the_next(tmp_path: Path, place: int) -> None:
    path = tmp_path / "ledger"
    lines = filled(path)
    changes = {
        "edited": [*lines[:place], lines[place].replace(b"entry", b"Entry"), *lines[place + 1 :]],
        "dropped": [*lines[:place], *lines[place + 1 :]],
        "doubled": [*lines[: place + 1], *lines[place:]],
        "swapped": [*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]],
        "broken": [*lines[:place], b"{" + lines[place], *lines[place + 1 :]],
        "spelled otherwise": [*lines[:place], lines[place].replace(b":", b": ", 1), *lines[place + 1 :]],
    }
    for change, changed in changes.items():
        path.write_bytes(b"".join(changed))
        with pytest.raises(MalformedInput, match="contradiction"):
            read(path)
        before = path.read_bytes()
        with pytest.raises(MalformedInput):
            append(path, "note", [change])
        assert path.read_bytes() == before


def test_a_ledger_cut_short_is_told_by_its_head_only(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    lines = filled(path)
    head = read(path).head
    path.write_bytes(b"".join(lines[:-1]))
    cut = read(path)
    assert head not in cut.heads
    assert {cut.head, EMPTY} <= cut.heads


@pytest.mark.parametrize("kept", [1, 10, -1])
def test_a_torn_line_stays_and_the_next_entry_begins_a_line(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "ledger"
    lines = filled(path)
    torn = b"".join(lines[:-1]) + lines[-1][:kept]
    path.write_bytes(torn)
    append(path, "note", ["after"])
    assert path.read_bytes().startswith(torn + b"\n")
    found = read(path)
    whole = kept == -1  # all of the line but its end was there
    assert found.torn == (() if whole else (4,))
    assert found.entries[-1].number == (5 if whole else 4)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b":", b": "),
        lambda data: data[:-1] + b" \n",
        lambda data: data + b"something else",
        lambda data: data + b"\n",
        lambda data: data + b"null\n",
    ],
    ids=["CRLF", "BOM", "spaces", "a blank", "a stranger's line", "an empty line", "null"],
)
def test_what_no_writer_leaves_breaks_the_chain(change: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    append(path, "note", ["only"])
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(MalformedInput, match="a line as cwr writes it"):
        read(path)


def test_a_ledger_is_a_plain_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in (tmp_path / "pipe", tmp_path, Path("/dev/null")):
        with pytest.raises(UsageError, match="no plain file"):
            append(name, "note", ["lost"])


def test_what_is_no_entry_is_refused(tmp_path: Path) -> None:
    for line in ({}, {"before": EMPTY, "entry": 1, "kind": "other", "number": 1}, [1], 7):
        (tmp_path / "ledger").write_bytes(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        with pytest.raises(MalformedInput):
            read(tmp_path / "ledger")
    with pytest.raises(UsageError):
        read(tmp_path / "none")


def _writer(path: Path, name: str) -> None:
    for number in range(10):
        append(path, "note", [f"{name} {number}", "second"])


def test_writers_side_by_side_make_one_chain(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    context = get_context("fork")
    writers = [context.Process(target=_writer, args=(path, name)) for name in "abc"]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    assert [one.exitcode for one in writers] == [0, 0, 0]
    found = read(path)
    assert len(found.entries) == 60
    for name in "abc":
        assert [one.entry for one in found.entries if str(one.entry).startswith(name)] == [
            f"{name} {number}" for number in range(10)
        ]


def test_what_has_no_end_is_refused() -> None:
    with pytest.raises(MalformedInput, match="too-large"):
        read(Path("/dev/zero"))


def test_a_ledger_does_not_grow_beyond_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ledger"
    before = b"".join(filled(path))
    monkeypatch.setattr(ledger, "MOST_BYTES", len(before) + 100)
    with pytest.raises(MalformedInput, match="too-large"):
        append(path, "note", ["x" * 100])
    assert path.read_bytes() == before
    monkeypatch.setattr(ledger, "MOST_BYTES", len(before) - 1)
    with pytest.raises(MalformedInput, match="too-large"):
        append(path, "note", ["x"])
    assert path.read_bytes() == before
