"""Runs as files, and the pack that they are of: strict reading, and refusals that name the line.

A line is {"item","session","arm","submission","pack"} and, if wished, "prose" (a string or null, never read):
  submission   the text as the model wrote it; null where none was obtained (a timeout, a lost connection): undecided
  arm          F or C as the item's; for items of P, R and E null or the item's condition
  pack         the digest of the pack's manifest; the root where a seal is given

Refused, as nobody could say what was measured: no line, a line that is malformed or breaks off, an item that the pack
has not, an item twice, a session with items of two conditions (two arms are two), a session or an arm other than the
item's, another pack's digest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from cwr_audits.files import blaming, read_bytes, read_json
from cwr_audits.packs.model import ARMS, DEPTH, EVALUATOR, FILE_BYTES, MODEL, EvaluatorRow, read_evaluator
from cwr_audits.sealing import faults, read_reveal, read_seal
from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.jsontext import Json, parse
from cwr_solvers.reading import as_items, as_map, as_object, as_text

MANIFEST = "manifest.json"
LINE_BYTES = 1024 * 1024
LINE_DEPTH = 4
SEAL_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class RunRow:
    """One line of a run; `submission` is None where none was obtained."""

    item: str
    session: str
    arm: str | None
    submission: str | None
    pack: str


@dataclass(frozen=True, slots=True)
class Run:
    """One file: one trial of the items that it has rows of. `digest` is its SHA-256."""

    name: str
    digest: str
    rows: tuple[RunRow, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The items of a pack by their ids, and what rows must cite. `notes` say what was not checked."""

    items: Mapping[str, EvaluatorRow]
    digest: str
    notes: tuple[str, ...] = ()


# --- the pack


def read_table(folder: Path, sealed: str | None, revealed: str | None, *, unfrozen: bool) -> Table:
    """The items of a pack. Its manifest must name the bytes that the keys are read from.

    Raises UsageError and MalformedInput.
    """
    if revealed is not None and sealed is None:
        raise UsageError("--reveal shows that a seal binds the pack: name the seal, too, with --seal")
    data = _bounded(folder / EVALUATOR)
    with blaming(str(folder / EVALUATOR)):
        items = {row.item: row for row in read_evaluator(data)}
    if unfrozen:
        if sealed is not None or (folder / MANIFEST).exists():
            raise UsageError("--unfrozen is for a pack without manifest and without seal")
        note = f"the pack is not frozen; rows cite the SHA-256 of its {MODEL}"
        return Table(items, sha256(_bounded(folder / MODEL)).hexdigest(), (note,))
    if not (folder / MANIFEST).is_file():
        raise UsageError(f"{folder} has no {MANIFEST}: freeze the pack, or say --unfrozen for a trial")
    manifest = _bounded(folder / MANIFEST)
    _refuse_changed(manifest, data)
    digest = sha256(manifest).hexdigest()
    return Table(items, digest) if sealed is None else _under_seal(items, digest, sealed, revealed)


def _bounded(path: Path) -> bytes:
    data = read_bytes(str(path), FILE_BYTES)
    if len(data) > FILE_BYTES:
        raise UsageError(f"{path} has more than {FILE_BYTES} bytes")
    return data


def _refuse_changed(manifest: bytes, data: bytes) -> None:
    """The manifest is an in-toto Statement: its subjects name files and their digests."""
    subjects = as_items(as_map(parse(manifest, FILE_BYTES, DEPTH), "").get("subject"), "/subject", _subject)
    if (EVALUATOR, sha256(data).hexdigest()) not in subjects:
        raise UsageError(f"{EVALUATOR} is not the file that the pack's manifest names")


def _subject(value: Json, at: str) -> tuple[str, str]:
    fields = as_map(value, at)
    digest = as_map(fields.get("digest"), f"{at}/digest").get("sha256")
    return as_text(fields.get("name"), f"{at}/name"), as_text(digest, f"{at}/digest/sha256")


def _under_seal(items: Mapping[str, EvaluatorRow], digest: str, sealed: str, revealed: str | None) -> Table:
    """Rows cite the root; that the root binds this pack shows by an opening of its pack item."""
    with blaming(sealed):
        public = read_seal(read_json(sealed, SEAL_BYTES, DEPTH))
    if revealed is None:
        return Table(items, public.root, ("that the root binds this pack was not checked: there is no opening of it",))
    with blaming(revealed):
        shown = read_reveal(read_json(revealed, SEAL_BYTES, DEPTH))
    wrong = faults(public, shown)
    if wrong:
        raise UsageError(f"{revealed}: {wrong[0]}")
    bound = [one.item.value for one in shown if one.item.kind == "pack"]
    if not any(isinstance(value, dict) and value.get("manifest_sha256") == digest for value in bound):
        raise UsageError(f"{revealed} opens no pack item with the digest of this pack's manifest")
    return Table(items, public.root)


# --- the run


def read_runs(names: Sequence[str], table: Table) -> tuple[Run, ...]:
    """Runs of that pack; one that is given twice is no second trial. Raises UsageError."""
    found = list[Run]()
    for name in names:
        run = read_run(name, table)
        if run.digest in {other.digest for other in found}:
            raise UsageError(f"{name} is a run that was given already, byte for byte")
        found.append(run)
    return tuple(found)


def read_run(name: str, table: Table) -> Run:
    """A run of that pack. Raises UsageError, which names the line."""
    data = read_bytes(name, FILE_BYTES)
    if len(data) > FILE_BYTES:
        raise UsageError(f"{name} has more than {FILE_BYTES} bytes")
    rows = tuple(_read(name, number, line) for number, line in _lines(name, data))
    for faulty in (_stranger, _twice, _mixed, _other):  # each may rely on those before it
        fault = faulty(rows, table)
        if fault is not None:
            raise UsageError(f"{name}, line {fault[0]}: {fault[1]}")
    return Run(name, sha256(data).hexdigest(), rows)


def _lines(name: str, data: bytes) -> Iterator[tuple[int, bytes]]:
    if not data:
        raise UsageError(f"{name} has no line: there is nothing to score")
    lines = data.split(b"\n")
    if lines.pop() != b"":
        raise UsageError(f"{name}, line {len(lines) + 1}: breaks off; every line ends with a line feed")
    return enumerate(lines, 1)


def _read(name: str, number: int, line: bytes) -> RunRow:
    try:
        fields = as_object(
            parse(line, LINE_BYTES, LINE_DEPTH), "", ("item", "session", "arm", "submission", "pack"), ("prose",)
        )
        item, session, pack = (as_text(fields[one], f"/{one}") for one in ("item", "session", "pack"))
        arm, submission = (_text_or_null(fields[one], f"/{one}") for one in ("arm", "submission"))
        _text_or_null(fields.get("prose"), "/prose")
    except MalformedInput as error:
        raise UsageError(f"{name}, line {number}: {error}") from None
    return RunRow(item, session, arm, submission, pack)


def _text_or_null(value: Json, at: str) -> str | None:
    return None if value is None else as_text(value, at)


Fault = tuple[int, str] | None


def _stranger(rows: Sequence[RunRow], table: Table) -> Fault:
    for number, row in enumerate(rows, 1):
        if row.pack != table.digest:
            return number, f"cites the pack {row.pack[:64]!r}, not {table.digest}"
        if row.item not in table.items:
            return number, f"the pack has no item {row.item[:64]!r}"
    return None


def _twice(rows: Sequence[RunRow], _table: Table) -> Fault:
    seen: dict[str, int] = {}
    for number, row in enumerate(rows, 1):
        if row.item in seen:
            return number, f"item {row.item} is in line {seen[row.item]} already"
        seen[row.item] = number
    return None


def _mixed(rows: Sequence[RunRow], table: Table) -> Fault:
    """Two arms are two conditions."""
    seen: dict[str, tuple[int, str]] = {}
    for number, row in enumerate(rows, 1):
        condition = table.items[row.item].condition
        first, had = seen.setdefault(row.session, (number, condition))
        if condition != had:
            return number, f"session {row.session[:64]!r} has an item of {condition}, and of {had} in line {first}"
    return None


def _other(rows: Sequence[RunRow], table: Table) -> Fault:
    for number, row in enumerate(rows, 1):
        known = table.items[row.item]
        arms = (known.condition,) if known.condition in ARMS else (None, known.condition)
        if row.arm not in arms:
            wanted = known.condition if known.condition in ARMS else f"null or {known.condition}"
            return number, f"arm {_said(row.arm)}, but item {row.item} is of {wanted}"
        if row.session != known.session:
            return number, f"session {row.session[:64]!r}, but item {row.item} belongs to {known.session}"
    return None


def _said(arm: str | None) -> str:
    return "null" if arm is None else repr(arm[:16])
