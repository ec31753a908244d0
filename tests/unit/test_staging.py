"""Files that commands write: whole or not at all; links are followed, and what is no file is never replaced."""

from __future__ import annotations

import os
import resource
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cwr_audits.ledger import append, read
from cwr_audits.staging import put_file, put_new_folder
from cwr_solvers.errors import UsageError

LONG = b"x" * 5000


@contextmanager
def full_after(size: int) -> Iterator[None]:
    """No file may grow beyond `size` bytes: what a full disk does, for this process only."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("old", [None, b"old"])
def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, old: bytes | None) -> None:
    out = tmp_path / "out"
    if old is not None:
        out.write_bytes(old)
    with full_after(1000), pytest.raises(UsageError, match=r"cannot write .*/out: File too large"):
        put_file(str(out), lambda file: file.write_bytes(LONG))
    assert [path.read_bytes() for path in tmp_path.iterdir()] == ([] if old is None else [old])
    put_file(str(out), lambda file: file.write_bytes(LONG))
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [LONG]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    put_file(str(tmp_path / "link"), lambda file: file.write_bytes(LONG))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == LONG


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    put_file(str(pipe), lambda file: file.write_bytes(LONG))
    reader.join()
    assert got == [LONG]
    assert stat.S_ISFIFO(pipe.lstat().st_mode)


def test_a_private_file_is_private_before_it_appears(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modes = list[int]()

    def rename(source: Path, target: Path) -> None:
        modes.extend(stat.S_IMODE((source / name).stat().st_mode) & 0o077 for name in ("open", "secret"))
        assert target == tmp_path / "new"

    monkeypatch.setattr(os, "rename", rename)
    put_new_folder(tmp_path / "new", {"open": b"1", "secret": b"2"}, ("secret",))
    assert modes[0] > 0 == modes[1]


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Is a directory"):
        put_file(str(tmp_path), lambda file: file.write_bytes(LONG))


def test_a_ledger_on_a_full_disk_is_what_it_was(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    append(path, "note", ["first"])
    before = path.read_bytes()
    with full_after(len(before) + 20), pytest.raises(OSError, match="File too large"):
        append(path, "note", ["second"])
    assert path.read_bytes() == before
    append(path, "note", ["third"])
    assert [one.entry for one in read(path).entries] == ["first", "third"]
