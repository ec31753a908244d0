"""Commands seal and reveal."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from cwr_audits import allowed
from cwr_audits.files import STDIN, blaming, read_bytes, read_json
from cwr_audits.out import ACCEPTED, REJECTED, say, say_error, say_json
from cwr_audits.sealing import (
    OPENING,
    SECRET,
    Item,
    Opened,
    Seal,
    derived_seed,
    faults,
    items_of,
    opened,
    ordering,
    read_opening,
    read_plan,
    read_reveal,
    read_seal,
    seal,
    write_opening,
    write_reveal,
    write_seal,
)
from cwr_audits.staging import put_file, put_new_folder, refuse_taken
from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.reading import describe

BYTES = 64 * 1024 * 1024
DEPTH = 32
MANIFEST = "manifest.json"
PUBLIC, PRIVATE = "seal.json", "opening.secret.json"


def seal_plan(plan: str, out: str, anchor: str | None, json_out: bool) -> int:
    """Commit to a plan. The folder is new: a seal is never written over another."""
    folder = Path(out)
    refuse_taken(folder)
    if anchor is not None:
        allowed.seed_word("--anchor", anchor)
    stated = {
        kind: [(name, _content(value)) for name, value in items]
        for kind, items in read_plan(read_json(plan, BYTES, DEPTH)).items()
    }
    items = items_of(stated, secrets.token_bytes)
    sealed = seal(items, anchor)
    files = {PUBLIC: write_seal(sealed), PRIVATE: write_opening(items)}
    put_new_folder(folder, {name: canonical(value) + b"\n" for name, value in files.items()}, (PRIVATE,))
    if json_out:
        say_json(write_seal(sealed))
    else:
        say(f"root {sealed.root} over {sealed.items} items; publish {PUBLIC}, keep {PRIVATE}")
        say(ordering(anchor))
    return ACCEPTED


def _content(value: Json) -> Json:
    """{"file": name} and {"pack": folder} stand for the digest of the file, or of the pack's manifest."""
    if isinstance(value, dict) and set(value) == {"file"}:
        name = _file_name(value["file"])
        return {"file": Path(name).name, "sha256": _digest(name)}
    if isinstance(value, dict) and set(value) == {"pack"}:
        name = _file_name(value["pack"])
        return {"manifest_sha256": _digest(str(Path(name, MANIFEST))), "pack": Path(name).name}
    return value


def _file_name(value: Json) -> str:
    """The name of a file or a folder; standard input is none, as nobody could look at it again."""
    if not isinstance(value, str) or value in ("", STDIN) or "\0" in value:
        raise UsageError(f"a plan names a file or a pack by its name, not by {describe(value)}")
    return value


def _digest(name: str) -> str:
    data = read_bytes(name, BYTES)
    if len(data) > BYTES:
        raise UsageError(f"{name} has more than {BYTES} bytes")
    return sha256(data).hexdigest()


def reveal(file: str, sealed: str, names: tuple[str, ...], out: str | None, beacon: str | None, json_out: bool) -> int:
    """Open a seal's items, or check openings; either way every path is walked to the published root."""
    if beacon is not None:
        allowed.seed_word("--beacon", beacon)
    with blaming(sealed):
        public = read_seal(read_json(sealed, BYTES, DEPTH))
    with blaming(file):
        shown = _shown(read_json(file, BYTES, DEPTH), public, names)
    wrong = faults(public, shown)
    for fault in wrong:
        say_error(f"{file}: {fault}")
    if wrong:
        return REJECTED
    if out is not None:
        put_file(out, lambda file: file.write_bytes(canonical(write_reveal(shown)) + b"\n"))
    seed = None if beacon is None else derived_seed(_secret(shown), beacon)
    _print(public, shown, seed, json_out)
    return ACCEPTED


def _shown(value: Json, public: Seal, names: tuple[str, ...]) -> tuple[Opened, ...]:
    if isinstance(value, Mapping) and value.get("schema") == OPENING:
        items = read_opening(value)
        if seal(items, None).root != public.root:
            raise UsageError("this opening is of another seal")
        found = opened(items, lambda _item: True)
    else:
        found = tuple(read_reveal(value))
    there = [_name(one.item) for one in found]
    missing = sorted(set(names) - set(there))
    if missing:
        raise UsageError(f"there is no item {', '.join(missing)}; there are {', '.join(there)}")
    return tuple(one for one in found if not names or _name(one.item) in names)


def _name(item: Item) -> str:
    return f"{item.kind}/{item.name}"


def _secret(shown: tuple[Opened, ...]) -> str:
    for one in shown:
        if _name(one.item) == f"seed/{SECRET}" and isinstance(one.item.value, str):
            return one.item.value
    raise UsageError(f"seeds are derived from an opened item seed/{SECRET} whose value is a text; there is none")


def _print(public: Seal, shown: tuple[Opened, ...], seed: str | None, json_out: bool) -> None:
    if json_out:
        said: dict[str, Json] = {"opened": [_name(one.item) for one in shown], "root": public.root}
        said |= {"items": public.items, "ordering": ordering(public.anchor), "seed": seed}
        say_json(said)
        return
    for one in shown:
        say(f"{_name(one.item)}: {canonical(one.item.value).decode('utf-8')}")
    say(f"{len(shown)} of {public.items} items lead to the root {public.root}")
    if seed is not None:
        say(f"seed {seed}")
    say(ordering(public.anchor))
