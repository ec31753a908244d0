"""Freezing: what is refused and why, what is written, and that nothing half-written stands under the pack's name."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from unit.frozen_samples import (
    AUDITS,
    CODE,
    SECONDS,
    built,
    bytes_in,
    examined,
    failing,
    frozen_files,
    passing,
    write,
)

from cwr_audits.attempts import Failed, attempt
from cwr_audits.cli import run
from cwr_audits.commands.freezing import freeze_by
from cwr_audits.packs.auditing import in_process
from cwr_audits.packs.freezing import MANIFEST, PREDICATE, STATEMENT, WAIVERS, examine, read_waivers, refusals
from cwr_audits.packs.model import CANARY, Pack, files
from cwr_audits.packs.verdicts import Audit, Auditor, audit_bytes, read_audit
from cwr_audits.staging import YOUNG
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided, UsageError

TESTS = Path(__file__).resolve().parents[1]


def reasons(pack: Pack, audits: Mapping[str, Auditor] = AUDITS, **waivers: str) -> list[tuple[str, int]]:
    return [(one.what, one.code) for one in refusals(examined(files(pack), audits, **waivers))]


# --- what is frozen


def test_a_sound_pack_has_a_manifest_of_every_file() -> None:
    found = frozen_files()
    manifest = json.loads(found[MANIFEST])
    assert (manifest["_type"], manifest["predicateType"]) == (STATEMENT, PREDICATE)
    assert {one["name"]: one["digest"]["sha256"] for one in manifest["subject"]} == {
        name: sha256(data).hexdigest() for name, data in found.items() if name != MANIFEST
    }
    assert set(found) == {*files(built()), MANIFEST, "audits/first.json", "audits/second.json"}
    told = manifest["predicate"]
    assert [(one["code"], one["outcome"]) for one in told["certificates"]] == [
        (code, "verified") for code in (CODE, f"{CODE}-C", f"{CODE}-F")
    ]
    assert all(one["claims"]["optimum"] == 1 for one in told["certificates"])
    assert [(one["audit"], one["verdict"], one["waived"]) for one in told["audits"]] == [
        ("first", "passed", None),
        ("second", "passed", None),
    ]
    assert told["items"][CODE]["F"] == sum(row.condition == "F" for row in built().evaluator) > 0
    assert told["canary"] == CANARY


def test_the_same_pack_freezes_to_the_same_bytes() -> None:
    again = {name: AUDITS[name] for name in reversed(AUDITS)}
    from_scratch = frozen_files.__wrapped__("tests")
    assert from_scratch == frozen_files()
    assert examined(files(built()), again).pack == examined(files(built())).pack


def test_an_audit_reads_as_it_was_written() -> None:
    for auditor in (passing("a"), failing("a"), failing("a", "undecided")):
        assert read_audit(audit_bytes(auditor(built()))) == auditor(built())


# --- what is refused


def test_a_world_that_is_a_file_of_the_verifier_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")  # whoever opens it waits for good
    strange = replace(built(), worlds=(str(tmp_path / "pipe"),))
    with pytest.raises(UsageError, match="packs are made of showcases"):
        examined(files(strange))


def test_every_planted_failure_is_a_reason_of_its_own() -> None:
    audits = {"fine": passing("fine"), "bad": failing("bad"), "open": failing("open", "undecided")}
    assert reasons(built(), audits) == [("audit bad", 1), ("audit open", 3)]
    assert reasons(built(), audits, bad="known, see the report") == [("audit open", 3)]
    assert reasons(built(), audits, bad="known", open="too large") == []


def test_without_audits_nothing_is_frozen() -> None:
    assert reasons(built(), {}) == [("audits", 1)]


def raising(error: Exception) -> Auditor:
    def audit(_pack: Pack) -> Audit:
        raise error

    return audit


@pytest.mark.parametrize(
    ("auditor", "code", "reason"),
    [
        (raising(Disagreement("a key", {"one": "a", "two": "b"})), 4, "disagreement"),
        (raising(Undecided("memory", "too much")), 3, "memory"),
        (raising(ZeroDivisionError("x")), 3, "crashed"),
        (raising(MalformedInput("domain", "", "a", "b")), 3, "crashed"),
        (lambda _pack: Audit("other", "passed", (), {"n": 1}), 1, "nothing-examined"),
        (lambda _pack: Audit("it", "passed", (), {}), 1, "nothing-examined"),
        (lambda _pack: Audit("it", "failed", (), {"n": 1}), 1, "nothing-examined"),
        (lambda pack: replace(failing("it")(pack), verdict="passed"), 1, "planted"),
    ],
)
def test_an_audit_that_did_not_pass_has_not_passed(auditor: Auditor, code: int, reason: str) -> None:
    known = examined(files(built()), {"it": auditor})
    assert known.audits[0].verdict in ("failed", "undecided")
    assert known.audits[0].reasons[0].code == reason
    assert {one.code for one in refusals(known)} == {code}


def test_an_audit_beyond_its_time_is_undecided() -> None:
    def slow(_pack: Pack) -> Audit:
        while True:
            time.sleep(0.01)

    known = examine(files(built()), {}, in_process({"slow": slow}), 0.2, lambda _text: None)
    assert [(one.verdict, one.reasons[0].code) for one in known.audits] == [("undecided", "time")]
    assert {(one.what, one.code) for one in refusals(known)} >= {("audit slow", 3)}


def test_waivers_of_what_needs_none_are_refused() -> None:
    assert reasons(built(), AUDITS, first="why not") == [("waiver first", 1)]
    assert reasons(built(), AUDITS, third="why not") == [("waiver third", 1)]


@pytest.mark.parametrize(
    "text",
    [
        '{"waivers":[{"audit":"a"}]}',
        '{"waivers":[{"audit":"a","reason":""}]}',
        '{"waivers":[{"audit":"a","reason":" \\n "}]}',
        '{"waivers":[{"audit":"a","reason":null}]}',
        '{"waivers":[{"audit":"a","reason":"x","more":1}]}',
        '{"waivers":[{"audit":"a","reason":"x"},{"audit":"a","reason":"y"}]}',
        '{"waivers":[]}',
        '{"canary":"another","waivers":[{"audit":"a","reason":"x"}]}',
        "[]",
        "",
    ],
)
def test_a_waiver_needs_a_reason(text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(MalformedInput):
        read_waivers(text.encode())
    waivers = tmp_path / "waivers.json"
    waivers.write_text(text, "utf-8")
    pack = write(tmp_path / "pack", files(built()))
    assert run(["freeze", str(pack), "--out", str(tmp_path / "out"), "--waivers", str(waivers)]) == 2
    assert not (tmp_path / "out").exists()
    assert capfd.readouterr().err.startswith(f"cwr: {waivers}: malformed")


# --- certificates are checked from their bytes


def certificates(**changes: Any) -> list[tuple[str, int]]:
    """The reasons against the pack whose certificate files are changed: {path, "__" for "/": bytes, None for none}."""
    found = dict(built().certificates) | {name.replace("__", "/"): data for name, data in changes.items()}
    kept = {name: data for name, data in found.items() if data is not None}
    return reasons(replace(built(), certificates=kept))


def proof_of(code: str) -> str:
    return next(name for name in built().certificates if name.startswith(f"{code}/") and name.endswith(".lrat"))


@pytest.mark.parametrize("code", [CODE, f"{CODE}-C"])
def test_each_certificate_is_checked_again(code: str) -> None:
    found = certificates(**{proof_of(code).replace("/", "__"): b""})
    assert [(name, exit_code in (1, 2)) for name, exit_code in found] == [(f"certificate {code}", True)]


def test_every_fault_of_a_certificate_is_seen() -> None:
    code = f"{CODE}-F"
    proof, document = proof_of(code), f"{code}/certificate.json"
    text = built().certificates[document]
    planted = {
        "no proof": {proof: None},
        "a line less": {proof: built().certificates[proof].rpartition(b"\n")[0].rpartition(b"\n")[0] + b"\n"},
        "a false claim": {document: text.replace(b'"kind":"optimum"', b'"kind":"infeasible"')},
        "another seal": {document: text[:-4] + b'00"}'},
        "one file more": {f"{code}/more.lrat": b""},
        "none": {name: None for name in built().certificates if name.startswith(f"{code}/")},
    }
    for what, changes in planted.items():
        found = certificates(**{name.replace("/", "__"): data for name, data in changes.items()})
        assert [(name, exit_code in (1, 2)) for name, exit_code in found] == [(f"certificate {code}", True)], what


def test_a_certificate_of_another_instance_does_not_count() -> None:
    other = {
        name.replace(f"{CODE}-F", f"{CODE}-C"): data
        for name, data in built().certificates.items()
        if name.startswith(f"{CODE}-F/")
    }
    kept = {name: data for name, data in built().certificates.items() if not name.startswith(f"{CODE}-C/")}
    assert reasons(replace(built(), certificates=kept | other)) == [(f"certificate {CODE}-C", 1)]
    more = {**built().certificates, "XX-001/certificate.json": b"{}"}
    assert reasons(replace(built(), certificates=more)) == [("certificate XX-001", 1)]


@pytest.mark.parametrize(
    "changed",
    [
        {"worlds": ()},
        {"worlds": ("XX-001",)},
        {"unsourced": (CODE,)},
        {"sources": {}},
        {"sources": {f"{CODE}-F.json": 1}},
    ],
)
def test_a_pack_that_is_not_of_one_piece_is_malformed(changed: dict[str, Any]) -> None:
    with pytest.raises((MalformedInput, UsageError)):
        examined(files(replace(built(), **changed)))


# --- the command


def test_the_command_writes_the_folder(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pack, out = write(tmp_path / "pack", files(built())), tmp_path / "out"
    assert freeze_by(in_process(AUDITS), str(pack), str(out), None, SECONDS, True) == 0
    said = json.loads(capfd.readouterr().out)
    assert bytes_in(out) == frozen_files()
    assert said["digest"] == sha256(frozen_files()[MANIFEST]).hexdigest()
    assert said["refused"] == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "pack"]
    assert bytes_in(pack) == files(built())


def test_refused_packs_leave_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pack, out = write(tmp_path / "pack", files(built())), tmp_path / "out"
    bad = {**AUDITS, "bad": failing("bad"), "worse": raising(Disagreement("a key", {"one": "a", "two": "b"}))}
    assert freeze_by(in_process(bad), str(pack), str(out), None, SECONDS, True) == 4
    told = capfd.readouterr()
    assert [one["what"] for one in json.loads(told.out)["refused"]] == ["audit bad", "audit worse"]
    assert json.loads(told.out)["digest"] is None
    assert told.err.count("\n") == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pack"]


def test_waived_audits_are_printed_and_kept(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pack, out, waivers = write(tmp_path / "pack", files(built())), tmp_path / "out", tmp_path / "waivers.json"
    waivers.write_text('{"waivers": [{"audit": "bad", "reason": "the recipe leaks"}]}', "utf-8")
    bad = {**AUDITS, "bad": failing("bad")}
    assert freeze_by(in_process(bad), str(pack), str(out), str(waivers), SECONDS, False) == 0
    assert "waived: bad: the recipe leaks" in capfd.readouterr().out
    assert read_waivers((out / WAIVERS).read_bytes()) == {"bad": "the recipe leaks"}
    predicate = json.loads((out / MANIFEST).read_bytes())["predicate"]
    assert [one for one in predicate["audits"] if one["waived"] is not None] == [
        {"audit": "bad", "reasons": ["planted"], "verdict": "failed", "waived": "the recipe leaks"}
    ]


def test_nothing_is_written_over(tmp_path: Path) -> None:
    pack, out = write(tmp_path / "pack", files(built())), tmp_path / "out"
    (tmp_path / "link").symlink_to("nowhere")
    out.mkdir()
    for taken in (out, tmp_path / "link", pack):
        assert run(["freeze", str(pack), "--out", str(taken)]) == 2
    assert bytes_in(pack) == files(built())
    assert list(out.iterdir()) == []


def test_what_is_no_built_pack_is_refused_in_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    built_files = files(built())
    spaced = built_files["evaluator/pack.json"].replace(b'":', b'": ', 1)
    planted: dict[str, Mapping[str, bytes]] = {
        "frozen": frozen_files(),
        "more": {**built_files, "notes.txt": b"x"},
        "audits": {**built_files, "audits/first.json": b"{}"},
        "spaced": {**built_files, "evaluator/pack.json": spaced},
        "less": {name: data for name, data in built_files.items() if name != "model/items.jsonl"},
        "odd": {**built_files, "model/.hidden": b""},
        "twins": {**built_files, "Model/items.jsonl": b""},
        "broken": {**built_files, "evaluator/items.jsonl": b"{\n"},
        "empty": {"x": b""},
    }
    for name, found in planted.items():
        pack = write(tmp_path / name, found)
        failed = attempt(
            lambda pack=pack: freeze_by(in_process(AUDITS), str(pack), str(tmp_path / "out"), None, SECONDS, True)
        )
        assert isinstance(failed, Failed), name
        assert failed.code == 2, name
        assert run(["freeze", str(pack), "--out", str(tmp_path / "out")]) == 2
        assert capfd.readouterr().err.count("\n") == 1
    assert run(["freeze", str(tmp_path / "nowhere"), "--out", str(tmp_path / "out")]) == 2
    assert run(["freeze", str(pack), "--out", str(tmp_path / "out"), "--time-limit", "0"]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(planted)


def test_an_interrupt_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack, out, left = write(tmp_path / "pack", files(built())), tmp_path / "out", [5]

    def sync(_descriptor: int) -> None:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", sync)
    with pytest.raises(KeyboardInterrupt):
        freeze_by(in_process(AUDITS), str(pack), str(out), None, SECONDS, True)
    assert left == [0]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pack"]


@pytest.mark.parametrize("number", [0, 7, -1])
def test_a_kill_leaves_no_pack_and_the_next_run_sweeps(tmp_path: Path, number: int) -> None:
    pack, place = write(tmp_path / "pack", files(built())), tmp_path / "packs"
    call = [sys.executable, str(TESTS / "toy_freezing.py"), str(pack), str(place / "out"), str(number)]
    paths = os.pathsep.join(path for path in sys.path if path)
    ended = subprocess.run(call, env={**os.environ, "PYTHONPATH": paths}, timeout=300, check=False)
    assert ended.returncode == -signal.SIGKILL
    (left,) = place.iterdir()
    assert left.name.startswith(".")
    assert number == 0 or bytes_in(left) != {}
    os.utime(left, (0, time.time() - 2 * YOUNG))
    assert freeze_by(in_process(AUDITS), str(pack), str(place / "out"), None, SECONDS, True) == 0
    assert [path.name for path in place.iterdir()] == ["out"]
    assert bytes_in(place / "out") == frozen_files()
