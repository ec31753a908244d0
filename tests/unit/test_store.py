"""Stored spaces: what comes back is what was kept, and nothing that is not as it was written is believed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from cwr_audits import query, store
from cwr_audits.request import Request
from cwr_audits.rows import ClassRow, WordRow, read_rows, write_rows
from cwr_audits.store import (
    CLASSES,
    MANIFEST,
    WORDS,
    Place,
    exact_type,
    keep,
    keep_undecided,
    kept_in,
    key,
    place,
    stored,
)
from cwr_audits.subject import from_json, subject
from cwr_audits.table import rows
from cwr_solvers.errors import Undecided, UsageError

KL = subject("KL-001")
ROWS = rows(KL)


def test_what_is_kept_is_found_again(tmp_path: Path) -> None:
    assert stored(tmp_path, KL) is None
    folder = keep(tmp_path, KL, ROWS)
    assert stored(tmp_path, KL) == folder == tmp_path / key(KL)
    assert sorted(file.name for file in folder.iterdir()) == sorted([CLASSES, WORDS, MANIFEST])
    assert [file.name for file in tmp_path.iterdir()] == [key(KL)]


def test_it_is_kept_alike_each_time(tmp_path: Path) -> None:
    one, other = keep(tmp_path / "one", KL, ROWS), keep(tmp_path / "other", KL, ROWS)
    for name in (CLASSES, WORDS, MANIFEST):
        assert (one / name).read_bytes() == (other / name).read_bytes()


def test_rows_travel_unchanged() -> None:
    assert read_rows(write_rows(ROWS)) == ROWS


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(bytes(data))


def remove(file: Path) -> None:
    file.unlink()


def lengthen(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"\n ")


@pytest.mark.parametrize("damage", [truncate, flip, remove, lengthen])
@pytest.mark.parametrize("name", [CLASSES, WORDS, MANIFEST])
def test_a_damaged_space_is_none_and_is_replaced(name: str, damage: Callable[[Path], None], tmp_path: Path) -> None:
    folder = keep(tmp_path, KL, ROWS)
    damage(folder / name)
    if damage is lengthen and name == MANIFEST:
        assert stored(tmp_path, KL) == folder  # white space after a JSON text says nothing
        return
    assert stored(tmp_path, KL) is None
    assert keep(tmp_path, KL, ROWS) == stored(tmp_path, KL)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema":"cwr-space/1"}', '{"files":{}}', "\x00", "[" * 100])
def test_a_manifest_that_is_none_is_not_believed(text: str, tmp_path: Path) -> None:
    folder = keep(tmp_path, KL, ROWS)
    (folder / MANIFEST).write_text(text, "utf-8")
    assert stored(tmp_path, KL) is None


def test_a_space_of_another_instance_is_not_believed(tmp_path: Path) -> None:
    other = subject("PS-001")
    made = keep(tmp_path, other, rows(other))
    made.rename(tmp_path / key(KL))
    assert stored(tmp_path, KL) is None


def test_a_file_in_the_place_of_a_space_is_replaced(tmp_path: Path) -> None:
    (tmp_path / key(KL)).write_text("no folder", "utf-8")
    assert stored(tmp_path, KL) is None
    assert keep(tmp_path, KL, ROWS) == stored(tmp_path, KL)


def test_the_key_names_instance_witness_and_code(monkeypatch: pytest.MonkeyPatch) -> None:
    without = from_json(KL.source)
    keys = {key(KL), key(without), key(replace(KL, witness={"actions": []})), key(subject("PS-001"))}
    assert len(keys) == 4
    monkeypatch.setattr(store, "_code", lambda _family: "0" * 64)
    assert key(KL) not in keys


def test_the_code_is_that_of_the_family_and_of_what_makes_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    real = store._digest
    monkeypatch.setattr(store, "_digest", lambda file: seen.append(f"{file.parent.name}/{file.name}") or real(file))
    store._code("KL")
    assert {"kl/interpreter.py", "kl/instance.py", "cwr_solvers/search.py", "cwr_solvers/symmetry.py"} <= set(seen)
    assert {"motifs/kl.py", "cwr_audits/table.py", "cwr_audits/tallies.py", "cwr_audits/distance.py"} <= set(seen)
    assert "tw/interpreter.py" not in seen


def test_too_large_is_remembered_and_a_lack_of_time_is_not(tmp_path: Path) -> None:
    keep_undecided(tmp_path, KL, Undecided("time", "more than 1 s"))
    assert stored(tmp_path, KL) is None
    keep_undecided(tmp_path, KL, Undecided("words", "more than 3 words"))
    with pytest.raises(Undecided, match="more than 3 words"):
        stored(tmp_path, KL)


def test_a_reason_that_no_limit_gives_is_not_believed(tmp_path: Path) -> None:
    keep_undecided(tmp_path, KL, Undecided("words", "more than 3 words"))
    manifest = tmp_path / key(KL) / MANIFEST
    manifest.write_bytes(manifest.read_bytes().replace(b'"words"', b'"whim"'))
    assert stored(tmp_path, KL) is None


def test_a_folder_that_cannot_be_written_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(UsageError, match="file"):
        keep(tmp_path / "file" / "below", KL, ROWS)


def test_names_of_folders_are_no_patterns(tmp_path: Path) -> None:
    store_place = tmp_path / "a*[b]?'c\"{d}"
    folder = keep(store_place, KL, ROWS)
    with query.opened(folder, KL) as space:
        assert query.asked(space, KL, Request()).matching == 2


@pytest.mark.parametrize(
    ("most", "kind"),
    [
        (0, "BIGINT"),
        (2**63 - 1, "BIGINT"),
        (2**63, "DECIMAL(38,0)"),
        (10**38 - 1, "DECIMAL(38,0)"),
        (10**38, "VARCHAR"),
    ],
)
def test_sizes_are_exact(most: int, kind: str, tmp_path: Path) -> None:
    about = subject("BC-001")
    one = rows(about)[0]
    big = replace(one, words=(WordRow(one.representative, most, 0),), size=most)
    assert exact_type([0, most]) == kind
    folder = keep(tmp_path, about, [big])
    with query.opened(folder, about) as space:
        (found,) = query.asked(space, about, Request()).alternatives
    assert found.raw == most
    (size,) = duckdb.execute("SELECT size FROM read_parquet(?)", [str(folder / CLASSES)]).fetchone() or ()
    assert int(size) == most


def test_sizes_of_thousands_of_digits_are_read(tmp_path: Path) -> None:
    about = subject("BC-001")
    one = rows(about)[0]
    most = 7**9000
    folder = keep(tmp_path, about, [replace(one, words=(WordRow(one.representative, most, 0),), size=most)])
    with query.opened(folder, about) as space:
        (found,) = query.asked(space, about, Request()).alternatives
        with pytest.raises(UsageError, match="explicit cast"):
            query.asked(space, about, Request(where=("size > 3",)))
    assert found.raw == most


def test_an_empty_space_has_the_columns_of_any(tmp_path: Path) -> None:
    empty: tuple[ClassRow, ...] = ()
    with query.opened(keep(tmp_path, KL, empty), KL) as space:
        assert query.asked(space, KL, Request(having=("main",), where=("n_move = 2 AND distance = 0",))).matching == 0


@pytest.mark.parametrize(
    ("named", "variables", "expected"),
    [
        ("given", {"CWR_STORE": "/env"}, "given"),
        (None, {"CWR_STORE": "/env", "XDG_CACHE_HOME": "/xdg"}, "/env"),
        (None, {"CWR_STORE": "", "XDG_CACHE_HOME": "/xdg"}, "/xdg/cwr/spaces"),
        (None, {"XDG_CACHE_HOME": "relative", "HOME": "/somewhere"}, "/somewhere/.cache/cwr/spaces"),
    ],
)
def test_where_spaces_are(
    named: str | None, variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CWR_STORE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert place(named) == Place(Path(expected), named=named is not None or bool(variables.get("CWR_STORE")))


def test_without_a_home_there_is_no_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CWR_STORE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "nowhere")
    assert place(None) == Place(None, named=False)
    assert "name one with --store" in kept_in(place(None), lambda _folder: None)


def test_only_a_folder_that_somebody_named_must_be_fit_to_keep_things() -> None:
    def unfit(folder: Path) -> None:
        raise UsageError(f"{folder} is unfit")

    assert "home is unfit" in kept_in(Place(Path("home"), named=False), unfit)
    with pytest.raises(UsageError, match="named is unfit"):
        kept_in(Place(Path("named"), named=True), unfit)
