"""What differs between frozen packs: each change has its level; what is not the same is never called comparable."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from unit.frozen_samples import AUDITS, CODE, built, examined, failing, frozen_files, passing, write

from cwr_audits.cli import run
from cwr_audits.packs.differing import Difference, Side, differ, read_side
from cwr_audits.packs.freezing import MANIFEST, frozen
from cwr_audits.packs.model import EvaluatorRow, Pack, files


@cache
def side(seed: str = "tests") -> Side:
    return read_side(frozen_files(seed))


def levels(found: Difference) -> dict[str, str]:
    return {cell.condition: cell.level for cell in found.cells}


def with_rows(change: Callable[[EvaluatorRow], EvaluatorRow]) -> Side:
    pack = replace(side().pack, evaluator=tuple(change(row) for row in side().pack.evaluator))
    return replace(side(), pack=pack)


def without(condition: str, number: int) -> Pack:
    """The pack with so many items fewer of a condition."""
    gone = {row.item for row in [row for row in side().pack.evaluator if row.condition == condition][:number]}
    return replace(
        side().pack,
        evaluator=tuple(row for row in side().pack.evaluator if row.item not in gone),
        model=tuple(row for row in side().pack.model if row.item not in gone),
    )


def test_a_pack_is_the_same_as_itself() -> None:
    found = differ(side(), side())
    assert set(levels(found).values()) == {"same"}
    assert set(levels(found)) == {"P", "R", "E", "F", "C"}
    assert (found.worlds, found.instances, found.audits, found.waivers) == ({CODE: "same"}, {}, {}, {})
    assert found.comparable
    assert all(cell.old == cell.new == cell.kept > 0 for cell in found.cells)


def test_another_seed_gives_replicas() -> None:
    found = differ(side(), side("other"))
    assert set(levels(found).values()) == {"replicas"}
    assert {cell.kept for cell in found.cells} == {0}
    assert found.instances == {}
    assert found.comparable


@pytest.mark.parametrize("condition", ["P", "R", "E"])
def test_another_key_of_the_same_prompt_is_no_replica(condition: str) -> None:
    def other(row: EvaluatorRow) -> EvaluatorRow:
        key: Any = row.key
        return replace(row, key={**key, next(iter(key)): "other"}) if row.condition == condition else row

    found = differ(side(), with_rows(other))
    assert levels(found)[condition] == "rekeyed"
    assert sorted(levels(found).values()).count("same") == 4
    assert found.worlds == {CODE: "rekeyed"}
    assert not found.comparable


def test_another_instance_behind_the_same_prompt_is_told() -> None:
    found = differ(side(), with_rows(lambda row: replace(row, instance={}) if row.condition == "F" else row))
    assert levels(found)["F"] == "rekeyed"
    assert not found.comparable


@pytest.mark.parametrize("condition", ["P", "R", "E", "F", "C"])
def test_fewer_items_are_something_else(condition: str) -> None:
    for number in (1, 100):
        fewer = replace(side(), pack=without(condition, number))
        for found in (differ(side(), fewer), differ(fewer, side())):
            assert levels(found)[condition] == "other"
            assert not found.comparable


@pytest.mark.parametrize(
    "change",
    [
        lambda row: replace(row, base="0" * 64) if row.replica == "renaming" else row,
        lambda row: replace(row, wording=row.wording + 1),
        lambda row: replace(row, replica="sibling"),
    ],
)
def test_other_questions_are_no_replicas(change: Callable[[EvaluatorRow], EvaluatorRow]) -> None:
    """Of another seed, so that no prompt is the same."""
    pack = replace(side("other").pack, evaluator=tuple(map(change, side("other").pack.evaluator)))
    found = differ(side(), replace(side("other"), pack=pack))
    assert "other" in set(levels(found).values())
    assert not found.comparable


def test_another_source_touches_its_arm_and_so_its_world() -> None:
    sources: dict[str, Any] = dict(side("other").pack.sources)
    sources[f"{CODE}-C.json"] = {**sources[f"{CODE}-C.json"], "shown": {}}
    found = differ(side(), replace(side("other"), pack=replace(side("other").pack, sources=sources)))
    assert levels(found) == {"P": "replicas", "R": "replicas", "E": "replicas", "F": "replicas", "C": "other"}
    assert found.worlds == {CODE: "other"}


def test_a_world_more_is_told() -> None:
    def moved(row: EvaluatorRow) -> EvaluatorRow:
        return replace(row, world="XX-001")

    pack = replace(side().pack, worlds=("XX-001",), evaluator=tuple(map(moved, side().pack.evaluator)))
    found = differ(side(), replace(side(), pack=pack))
    assert found.worlds == {CODE: "other", "XX-001": "other"}
    assert not found.comparable


def test_a_world_without_items_does_not_compare() -> None:
    more = replace(side(), pack=replace(side().pack, worlds=(*side().pack.worlds, "XX-001")))
    found = differ(side(), more)
    assert found.worlds == {CODE: "same", "XX-001": "other"}
    assert not found.comparable


def test_other_instances_are_listed() -> None:
    found = differ(side(), replace(side(), instances={CODE: "0" * 64}))
    assert {name: new for name, (_, new) in found.instances.items()} == {
        CODE: "0" * 64,
        f"{CODE}-C": None,
        f"{CODE}-F": None,
    }


@pytest.mark.parametrize(
    ("old", "new", "unguarded"),
    [
        ("passed", "failed", True),
        ("passed", None, True),
        (None, "passed", True),
        ("undecided", "passed", True),
        ("failed", "undecided", False),
        (None, "failed", False),
    ],
)
def test_an_audit_that_passed_for_one_pack_only(old: str | None, new: str | None, unguarded: bool) -> None:
    before, after = ({} if verdict is None else {"it": verdict} for verdict in (old, new))
    found = differ(replace(side(), audits=before), replace(side(), audits=after))
    assert found.audits == {"it": (old, new)}
    assert found.unguarded == (("it",) if unguarded else ())
    assert found.comparable is not unguarded


def test_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    audits = {**AUDITS, "bad": failing("bad")}
    waived = frozen(examined(files(built()), audits, bad="known"))
    passed = frozen(examined(files(built()), {**AUDITS, "bad": passing("bad")}))
    old, other, worse, better = (
        str(write(tmp_path / name, found))
        for name, found in {"o": frozen_files(), "r": frozen_files("other"), "w": waived, "b": passed}.items()
    )
    assert run(["diff", old, old]) == 0
    assert "results compare item by item" in capfd.readouterr().out
    assert run(["diff", old, other]) == 0
    assert "results compare base by base" in capfd.readouterr().out
    assert run(["diff", better, worse]) == 1
    told = capfd.readouterr().out
    assert "audit bad: passed -> failed" in told
    assert "waiver bad: none -> known" in told
    assert f"{CODE}: results do not compare" in told
    assert run(["diff", better, worse, "--json"]) == 1
    said = json.loads(capfd.readouterr().out)
    assert said["unguarded"] == ["bad"]
    assert said["comparable"] is False
    assert said["waivers"] == {"bad": {"new": "known", "old": None}}
    assert [cell["level"] for cell in said["cells"]] == ["same"] * 5


def test_what_is_no_frozen_pack_is_not_compared(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    whole = str(write(tmp_path / "whole", frozen_files()))
    changed = {**frozen_files(), "model/items.jsonl": b""}
    for name, found in {"built": files(built()), "changed": changed}.items():
        folder = str(write(tmp_path / name, found))
        assert run(["diff", whole, folder]) == 2
        assert run(["diff", folder, whole]) == 2
        assert capfd.readouterr().err.count("\n") == 2
    assert run(["diff", whole, str(tmp_path / "none")]) == 2
    assert str(tmp_path / "none") in capfd.readouterr().err
    broken = {**frozen_files(), MANIFEST: b"[]"}
    assert run(["diff", whole, str(write(tmp_path / "broken", broken))]) == 2
    said = capfd.readouterr().err
    assert said.startswith(f"cwr: {tmp_path / 'broken'}: malformed")
    assert f"{MANIFEST}#" in said
