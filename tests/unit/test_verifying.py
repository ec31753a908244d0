"""Verifying: no byte of a frozen pack can be changed, added or taken away, and no record is believed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from unit.frozen_samples import AUDITS, CODE, SECONDS, built, examined, failing, frozen_files, passing, write

from cwr_audits.cli import run
from cwr_audits.commands.freezing import verify_by
from cwr_audits.packs.auditing import in_process
from cwr_audits.packs.freezing import MANIFEST, WAIVERS, frozen, subject
from cwr_audits.packs.model import files
from cwr_audits.packs.tree import NAME, read_tree
from cwr_audits.packs.verdicts import Auditor
from cwr_audits.packs.verifying import read_subject
from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.jsontext import canonical

NAMES = sorted(frozen_files())


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A frozen pack, in a folder that is not the one where it was frozen."""
    return write(tmp_path / "elsewhere" / "pack", frozen_files())


def verified(folder: Path, audits: Mapping[str, Auditor] = AUDITS, digest: str | None = None) -> int:
    """The exit code of verifying; what is malformed has 2, as at the command line."""
    try:
        return verify_by(in_process(audits), str(folder), digest, SECONDS, True)
    except (MalformedInput, UsageError):
        return 2


def test_a_frozen_pack_verifies_anywhere(pack: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    assert verified(pack) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["audits"] == {"first": "passed", "second": "passed"}
    assert set(said["certificates"].values()) == {"verified"}
    monkeypatch.chdir(pack)
    assert verified(Path()) == 0
    assert verified(pack, digest=said["digest"]) == 0
    assert verified(pack, digest="0" * 64) == 1


# --- bytes


def flipped(data: bytes, draws: Random) -> bytes:
    place = draws.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << draws.randrange(8))]) + data[place + 1 :]


@pytest.mark.parametrize("name", NAMES)
def test_no_byte_of_any_file_can_change(pack: Path, name: str) -> None:
    path, data, draws = pack / name, frozen_files()[name], Random(name)
    changes = [flipped(data, draws) for _ in range(4 if name == MANIFEST else 12)]
    changes += [data[:-1], data + b"\n", data + b" ", b"", b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n")]
    for changed in [one for one in changes if one != data]:
        path.write_bytes(changed)
        assert verified(pack) in (1, 2)
        assert verified(pack) == 1 or name == MANIFEST
    path.unlink()
    assert verified(pack) == 1
    (pack / "spare").write_bytes(data)
    path.symlink_to(pack / "spare")
    assert verified(pack) == 1
    (pack / "spare").unlink()
    path.unlink()
    path.with_name(path.name.swapcase()).write_bytes(data)
    assert verified(pack) == 1
    path.with_name(path.name.swapcase()).unlink()
    path.write_bytes(data)
    assert read_tree(pack).files == frozen_files()


def add_file(folder: Path) -> None:
    (folder / "more.json").write_bytes(b"{}")


def add_hidden(folder: Path) -> None:
    (folder / "model" / ".more").write_bytes(b"")


def add_empty(folder: Path) -> None:
    (folder / "model" / "empty").mkdir()


def add_link(folder: Path) -> None:
    (folder / "model" / "link").symlink_to("items.jsonl")


def add_folder_link(folder: Path) -> None:
    (folder / "copy").symlink_to("model")


def add_loop(folder: Path) -> None:
    (folder / "copy").symlink_to(".")


def add_pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe")


def add_twin(folder: Path) -> None:
    (folder / "Model").mkdir()
    (folder / "Model" / "other.jsonl").write_bytes(b"")


def add_odd_name(folder: Path) -> None:
    (folder / "model" / "it\u0435ms.jsonl").write_bytes(b"")


def move(folder: Path) -> None:
    (folder / "model" / "items.jsonl").rename(folder / "items.jsonl")
    (folder / "model").rmdir()


def exchange(folder: Path) -> None:
    first, second = folder / "audits" / "first.json", folder / "audits" / "second.json"
    data = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(data)


def remove_folder(folder: Path) -> None:
    shutil.rmtree(folder / "audits")


CHANGES = (
    add_file,
    add_hidden,
    add_empty,
    add_link,
    add_folder_link,
    add_loop,
    add_pipe,
    add_twin,
    add_odd_name,
    move,
    exchange,
    remove_folder,
)


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_can_be_added_or_moved(pack: Path, change: Callable[[Path], None]) -> None:
    change(pack)
    assert verified(pack) == 1


def test_what_is_no_frozen_pack(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    built_only = write(tmp_path / "built", files(built()))
    assert run(["verify", str(built_only)]) == 1
    assert "no frozen pack" in capfd.readouterr().err
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run(["verify", str(empty)]) == 1
    for wrong in (tmp_path / "none", built_only / "model" / "items.jsonl"):
        assert run(["verify", str(wrong)]) == 2
    deep = tmp_path / "deep"
    (deep / "/".join("abcdefghij")).mkdir(parents=True)
    assert run(["verify", str(deep)]) == 2
    assert NAME.fullmatch("a/b") is None


# --- packs that were changed and given a manifest that fits


def refrozen(changes: Mapping[str, bytes | None]) -> dict[str, bytes]:
    """The frozen pack with these changes, and digests that fit."""
    found: dict[str, Any] = {**frozen_files(), **changes}
    kept = {name: data for name, data in found.items() if data is not None and name != MANIFEST}
    statement = json.loads(found[MANIFEST])
    return {**kept, MANIFEST: canonical({**statement, "subject": subject(kept)}) + b"\n"}


def told(**changes: Any) -> dict[str, bytes]:
    """The frozen pack whose manifest's predicate says something else."""
    statement = json.loads(frozen_files()[MANIFEST])
    statement["predicate"] |= changes
    return {**frozen_files(), MANIFEST: canonical(statement) + b"\n"}


def replaced(name: str, old: bytes, new: bytes) -> dict[str, bytes]:
    data = frozen_files()[name]
    assert old in data
    return refrozen({name: data.replace(old, new, 1)})


@cache
def forged() -> dict[str, Mapping[str, bytes]]:
    proof = next(name for name in NAMES if name.endswith("optimum.lrat"))
    predicate = json.loads(frozen_files()[MANIFEST])["predicate"]
    waivers = canonical({"canary": predicate["canary"], "waivers": [{"audit": "first", "reason": "x"}]}) + b"\n"
    return {
        "a proof": refrozen({proof: b""}),
        "no proof": refrozen({proof: None}),
        "evidence": replaced("audits/first.json", b'"items":', b'"items":1'),
        "a verdict": replaced("audits/first.json", b'"passed"', b'"failed"'),
        "no audit": refrozen({"audits/first.json": None}),
        "a waiver": refrozen({WAIVERS: waivers}),
        "a file more": refrozen({"model/more.jsonl": b""}),
        "spelling": replaced("evaluator/pack.json", b'":', b'": '),
        "a row": refrozen({"model/items.jsonl": frozen_files()["model/items.jsonl"].partition(b"\n")[2]}),
        "counts": told(items={}),
        "claims": told(certificates=predicate["certificates"][:1]),
        "audits": told(audits=[]),
        "a field": told(more=1),
    }


@pytest.mark.parametrize("what", sorted(forged()))
def test_a_manifest_that_fits_is_not_believed(tmp_path: Path, what: str) -> None:
    assert verified(write(tmp_path / "pack", forged()[what])) in (1, 2)


def test_a_pack_frozen_anew_is_told_apart_by_its_digest(tmp_path: Path) -> None:
    other = write(tmp_path / "pack", frozen_files("other"))
    assert verified(other) == 0
    assert verified(other, digest=sha256(frozen_files()[MANIFEST]).hexdigest()) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda one: {**one, "_type": "https://example.org/Statement"},
        lambda one: {**one, "predicateType": "urn:other"},
        lambda one: {**one, "more": 1},
        lambda one: {**one, "subject": [*one["subject"], one["subject"][0]]},
        lambda one: {**one, "subject": [{"name": "x", "digest": {}}]},
        lambda one: {**one, "subject": {}},
        lambda one: {name: value for name, value in one.items() if name != "predicate"},
    ],
)
def test_a_manifest_of_another_form_is_malformed(change: Callable[[Any], Any]) -> None:
    data = frozen_files()[MANIFEST]
    assert set(read_subject(data)) == set(NAMES) - {MANIFEST}
    with pytest.raises(MalformedInput):
        read_subject(canonical(change(json.loads(data))) + b"\n")
    with pytest.raises(MalformedInput):
        read_subject(data.rstrip())


# --- audits are run again


@pytest.mark.parametrize(
    ("now", "code"),
    [
        (AUDITS, 0),
        ({**AUDITS, "first": failing("first")}, 1),
        ({**AUDITS, "first": failing("first", "undecided")}, 3),
        ({"first": AUDITS["first"]}, 3),
        ({**AUDITS, "third": passing("third")}, 1),
        ({}, 3),
    ],
)
def test_an_audit_that_says_something_else_now(pack: Path, now: Mapping[str, Auditor], code: int) -> None:
    assert verified(pack, now) == code


def waived(verdict: Any) -> dict[str, bytes]:
    audits = {**AUDITS, "bad": failing("bad", verdict)}
    return frozen(examined(files(built()), audits, bad="known"))


@pytest.mark.parametrize(
    ("verdict", "now", "code"),
    [
        ("failed", failing("bad"), 0),
        ("failed", passing("bad"), 1),
        ("failed", failing("bad", "undecided"), 3),
        ("undecided", failing("bad", "undecided"), 0),
        ("undecided", failing("bad"), 1),
        ("undecided", passing("bad"), 3),
    ],
)
def test_what_was_waived_must_be_as_it_was(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], verdict: str, now: Auditor, code: int
) -> None:
    folder = write(tmp_path / "pack", waived(verdict))
    assert verify_by(in_process({**AUDITS, "bad": now}), str(folder), None, SECONDS, False) == code
    assert "waived: bad: known" in capfd.readouterr().out


def test_a_failed_audit_cannot_be_slipped_in_without_a_waiver(tmp_path: Path) -> None:
    audits = {**AUDITS, "bad": failing("bad")}
    folder = write(tmp_path / "pack", frozen(examined(files(built()), audits)))
    assert verified(folder, audits) == 1


def test_a_world_that_is_not_known_here(tmp_path: Path) -> None:
    strange = replace(built(), worlds=(CODE, "ZZ-009"))
    found = refrozen(files(strange))
    assert verified(write(tmp_path / "pack", found)) == 2
