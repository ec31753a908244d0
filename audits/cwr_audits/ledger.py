"""The ledger: rejected candidates and disagreements as chained JSON lines, appended and never rewritten.

A line is canonical JSON with a line feed: {"before","entry","kind","number"}.
  before   sha256 of all bytes of the file that stand before this line
  number   which entry it is, from 1
  kind     one of KINDS
  entry    what is kept, enough to repeat it
So whoever changes, drops, swaps or inserts a line breaks every later one. Cutting off the end leaves a good chain: who
wants to see that keeps the head (sha256 of all bytes) elsewhere and names it when verifying. A writer that was killed
may leave a torn line, the beginning of one: it stays, the next entry begins on a line of its own and covers it like any
other bytes. A line that is neither whole as it was written nor such a beginning breaks the chain, too.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from cwr_audits.agreement import Difference
from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.jsontext import LARGEST, Json, canonical, parse
from cwr_solvers.reading import as_int, as_name, as_object, as_text, refuse

MOST_BYTES = 64 * 2**20
TOO_LARGE = "too-large"

KINDS = ("disagreement", "rejected", "note")
LINE_BYTES = 32 * 1024 * 1024  # an instance, and what routes said of it
LINE_DEPTH = 24
START = b'{"before":"'


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the chain."""

    number: int
    kind: str
    entry: Json


@dataclass(frozen=True, slots=True)
class Ledger:
    """A ledger whose chain holds: its entries, the numbers of torn lines, the digest of all its bytes, and of every
    beginning that ends with a line."""

    entries: tuple[Entry, ...]
    torn: tuple[int, ...]
    head: str
    heads: frozenset[str]


def difference_json(difference: Difference) -> dict[str, Json]:
    """The JSON of a difference: the subject, who stands apart, and what each side says."""
    return {"subject": difference.subject, "odd": list(difference.odd), "sides": dict(difference.sides)}


def record(instance: Json, difference: Difference) -> Json:
    """The entry of a difference, with the whole instance."""
    return {"instance": instance, **difference_json(difference)}


def append(path: Path, kind: str, entries: Sequence[Json]) -> str:
    """Append entries as one write and return the new head. One writer at a time.

    Raises OSError, UsageError for a device or a pipe, and MalformedInput where the chain that is there is broken, or
    would become too long to be read: nothing is put on top of that.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_file():
        raise UsageError(f"{path} is no plain file, and keeps nothing")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    with open(descriptor, "r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        known = _bounded(file)
        ends = b"" if not known or known.endswith(b"\n") else b"\n"
        chain = _chain(known + ends)
        hashed, written = sha256(known + ends), ends
        for number, entry in enumerate(entries, len(chain.entries) + 1):
            line = canonical({"before": hashed.hexdigest(), "entry": entry, "kind": kind, "number": number}) + b"\n"
            hashed.update(line)
            written += line
        _refuse_long(len(known) + len(written))
        _write(descriptor, len(known), written)
    return hashed.hexdigest()


def _write(descriptor: int, length: int, data: bytes) -> None:
    """Append to a file of that length, whole or not at all: half a line would break the chain for good."""
    try:
        while data:
            data = data[os.write(descriptor, data) :]
        os.fsync(descriptor)
    except BaseException:
        os.ftruncate(descriptor, length)
        raise


def read(path: Path) -> Ledger:
    """The ledger in a file; raises UsageError where there is none, MalformedInput where its chain is broken."""
    try:
        with path.open("rb") as file:
            data = _bounded(file)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    return _chain(data)


def _bounded(file: BinaryIO) -> bytes:
    """All bytes of a file, which may have no end."""
    data = file.read(MOST_BYTES + 1)
    _refuse_long(len(data))
    return data


def _refuse_long(length: int) -> None:
    if length > MOST_BYTES:
        refuse(TOO_LARGE, "", f"at most {MOST_BYTES} bytes", "more")


def _chain(data: bytes) -> Ledger:
    entries: list[Entry] = []
    torn: list[int] = []
    hashed = sha256()
    heads = {hashed.hexdigest()}
    for number, line in enumerate(_lines(data), 1):
        value = _value(line, f"/{number}")
        if value is None:
            torn.append(number)
        else:
            entries.append(_entry(value, f"/{number}", len(entries) + 1, hashed.hexdigest()))
        hashed.update(line)
        heads.add(hashed.hexdigest())
    return Ledger(tuple(entries), tuple(torn), hashed.hexdigest(), frozenset(heads))


def _lines(data: bytes) -> list[bytes]:
    """The lines with their line feeds, at which alone a line ends."""
    *whole, rest = data.split(b"\n")
    return [line + b"\n" for line in whole] + ([rest] if rest else [])


def _value(line: bytes, at: str) -> Json:
    """The JSON of a whole line; None for what a killed writer left: the beginning of a line, and no more."""
    try:
        value = parse(line, LINE_BYTES + 1, LINE_DEPTH)
    except MalformedInput:
        value = None
    if value is not None and canonical(value) + b"\n" == line:
        return value
    begun = line.removesuffix(b"\n")
    if not begun or not begun.startswith(START[: len(begun)]) or (value is not None and line.endswith(b"\n")):
        refuse("contradiction", at, "a line as cwr writes it, or the beginning of one", "another text")
    return None


def _entry(value: Json, at: str, number: int, before: str) -> Entry:
    fields = as_object(value, at, ("before", "entry", "kind", "number"))
    if as_int(fields["number"], f"{at}/number", 1, LARGEST) != number:
        refuse("contradiction", f"{at}/number", f"entry {number}", str(fields["number"]))
    if as_text(fields["before"], f"{at}/before") != before:
        refuse("contradiction", f"{at}/before", f"the digest {before} of what stands before", str(fields["before"]))
    return Entry(number, as_name(fields["kind"], f"{at}/kind", KINDS, "kind"), fields["entry"])
