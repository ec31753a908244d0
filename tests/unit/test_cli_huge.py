"""Texts far beyond any bound are refused in memory that does not grow with them."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

import pytest

MEGABYTE = 1 << 20
DEEP = 10**6
KILOBYTES = 150_000  # of address space: the interpreter takes a third of it, a text of 100 MB would not fit


def long_line() -> Iterator[bytes]:
    yield b'{"actions":["'
    for _ in range(100):
        yield b"x" * MEGABYTE
    yield b'"]}\n'


def deep_nest() -> Iterator[bytes]:
    yield b'{"actions":' + b"[" * DEEP
    yield b"]" * DEEP + b"}\n"


def write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def fed(arguments: list[str], chunks: Iterator[bytes]) -> tuple[int, bytes, bytes]:
    """Exit code and outputs of the command in little memory, fed through a pipe as far as it reads."""
    limit = ["bash", "-c", f'ulimit -v {KILOBYTES}; exec "$@"', "-"]
    command = [*limit, sys.executable, "-m", "cwr_audits.cli", "grade", "TW-001", "-", *arguments]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=err, bufsize=0)
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # the command may have seen enough
            for chunk in chunks:
                write_all(process.stdin.fileno(), chunk)
        process.stdin.close()
        code = process.wait(60)
        out.seek(0)
        err.seek(0)
        return code, out.read(), err.read()


@pytest.mark.parametrize("text", [long_line, deep_nest])
@pytest.mark.parametrize("arguments", [["--json"], ["--jsonl"]])
def test_a_huge_text_is_refused_in_little_memory(text: object, arguments: list[str]) -> None:
    assert callable(text)
    code, out, err = fed(arguments, text())
    assert code == 2
    (answer,) = [json.loads(line) for line in out.splitlines()]
    assert answer["verdict"] in ("malformed", None)
    assert answer["error"]["code"] == "too-large"
    assert b"Traceback" not in err
