"""The files of a pack: what is written is read again, and nothing else is."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cwr_audits.packs.model import (
    ABOUT,
    EVALUATOR,
    MODEL,
    EvaluatorRow,
    ModelRow,
    Pack,
    files,
    from_files,
    opaque,
    read_pack,
)
from cwr_solvers.errors import MalformedInput, UsageError

SALT = "00" * 16


def pack() -> Pack:
    rows = []
    for place in range(3):
        item, session = opaque(SALT, "item", str(place)), opaque(SALT, "session", str(place))
        made: dict[str, Any] = {"state": {}, "move": "smelt"}
        key = {"legal": False, "next_state": None}
        shown = EvaluatorRow(item, session, "TW-001", "TW", "P", "0" * 64, "renaming", 1, {"code": "X"}, key, made)
        rows.append((ModelRow(item, session, f"prompt {place} é"), shown))
    model, evaluator = zip(*rows, strict=True)
    sources = {"TW-001-F.json": {"code": "TW-001-F"}}
    return Pack("1", SALT, ("TW-001",), (), model, evaluator, sources, {"TW-001/certificate.json": b"{}\n"})


def write(folder: Path, found: dict[str, bytes]) -> None:
    for name, data in found.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def by_item(one: Pack) -> Pack:
    def item(row: Any) -> str:
        return str(row.item)

    return replace(one, model=tuple(sorted(one.model, key=item)), evaluator=tuple(sorted(one.evaluator, key=item)))


def test_a_pack_is_read_as_it_was_written(tmp_path: Path) -> None:
    write(tmp_path, files(pack()))
    assert read_pack(tmp_path) == by_item(pack())


def test_the_order_of_rows_tells_nothing() -> None:
    turned = replace(pack(), model=pack().model[::-1], evaluator=pack().evaluator[::-1])
    assert files(turned) == files(pack())
    assert [sorted(json.loads(line)) for line in files(pack())[MODEL].splitlines()] == [
        ["canary", "item", "prompt", "session"]
    ] * 3


def test_ids_need_the_salt() -> None:
    assert opaque(SALT, "a", "bc") != opaque(SALT, "ab", "c")
    assert opaque(SALT, "a") != opaque("11" * 16, "a")


@pytest.mark.parametrize("name", [ABOUT, MODEL, EVALUATOR])
def test_what_is_no_pack_is_refused(tmp_path: Path, name: str) -> None:
    found = files(pack())
    text = found[name]
    flaws = {
        "no canary": text.replace(b"cwr-canary", b"cwr-parrot"),
        "another key": text.replace(b'{"', b'{"x":1,"', 1),
        "no JSON": text[:-3] + b"\n",
    }
    if name != ABOUT:
        flaws["a row less"] = b"".join(text.splitlines(keepends=True)[1:])
        flaws["a row twice"] = text + text.splitlines(keepends=True)[0]
        flaws["no end"] = text[:-1]
    for place, changed in enumerate(flaws.values()):
        folder = tmp_path / str(place)
        write(folder, {**found, name: changed})
        with pytest.raises(MalformedInput):
            read_pack(folder)
    (tmp_path / "0" / name).unlink()
    with pytest.raises(UsageError):
        read_pack(tmp_path / "0")


@pytest.mark.parametrize(("old", "new", "place"), [(b'"1"', b'" "', "/seed"), (SALT.encode(), b"xyz", "/salt")])
def test_seed_and_salt_are_fit_for_ids(old: bytes, new: bytes, place: str) -> None:
    found = files(pack())
    with pytest.raises(MalformedInput, match=f"{ABOUT}#{place}"):
        from_files({**found, ABOUT: found[ABOUT].replace(old, new)})


def test_a_fault_in_a_row_is_told_with_its_line() -> None:
    found = files(pack())
    with pytest.raises(MalformedInput, match=f"{MODEL}#/2/canary"):
        from_files({**found, MODEL: re.sub(rb"(?<=\n)(.*?):", rb'\1:1,"canary":', found[MODEL], count=1)})
    with pytest.raises(MalformedInput, match=f"{MODEL}#/3:"):
        from_files({**found, MODEL: found[MODEL][:-3] + b"\n"})
