"""Sealing: the tree is that of RFC 9162, an opening is of one item in one place, and nothing else leads to the root."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from cwr_audits.cli import run
from cwr_audits.sealing import (
    KINDS,
    LEAF,
    NODE,
    Item,
    derived_seed,
    faults,
    items_of,
    opened,
    path_of,
    read_opening,
    read_reveal,
    read_seal,
    root_by,
    root_of,
    seal,
    write_opening,
    write_reveal,
    write_seal,
)
from cwr_solvers.errors import MalformedInput, UsageError


def leaves(number: int) -> list[bytes]:
    return [bytes([place]) * 3 for place in range(number)]


def hashed(data: bytes) -> bytes:
    return sha256(data).digest()


def salts() -> Iterator[bytes]:
    return (number.to_bytes(16, "big") for number in count())


def items(number: int = 3) -> tuple[Item, ...]:
    plan: dict[str, list[tuple[str, Any]]] = {
        kind: [(f"{kind} {place}", {"n": place}) for place in range(number)] for kind in KINDS
    }
    made = salts()
    return items_of(plan, lambda _size: next(made))


def test_small_trees_are_those_of_the_rfc() -> None:
    one, two, three = (hashed(LEAF + leaf) for leaf in leaves(3))
    assert root_of(leaves(1)) == one
    assert root_of(leaves(2)) == hashed(NODE + one + two)
    assert root_of(leaves(3)) == hashed(NODE + hashed(NODE + one + two) + three)
    assert path_of(leaves(3), 2) == [hashed(NODE + one + two)]


@pytest.mark.parametrize("number", range(1, 21))
def test_every_path_leads_to_the_root_from_its_place_only(number: int) -> None:
    all_leaves = leaves(number)
    root = root_of(all_leaves)
    for place, leaf in enumerate(all_leaves):
        path = path_of(all_leaves, place)
        for other in range(number):
            assert (root_by(leaf, other, number, path) == root) == (other == place)
        assert root_by(leaf + b"x", place, number, path) != root
        assert root_by(leaf, place, number, [*path, root]) != root
        if path:
            assert root_by(leaf, place, number, path[:-1]) != root
            assert root_by(leaf, place, number, [hashed(path[0]), *path[1:]]) != root


def test_an_inner_node_is_no_leaf() -> None:
    all_leaves = leaves(4)
    left = hashed(LEAF + all_leaves[0]) + hashed(LEAF + all_leaves[1])
    right = root_of(all_leaves[2:])
    assert hashed(NODE + hashed(NODE + left) + right) == root_of(all_leaves)
    assert root_by(left, 0, 2, [right]) != root_of(all_leaves)


def test_openings_verify_and_survive_their_json() -> None:
    sealed = seal(items(), "newspaper of 1 May")
    shown = opened(items(), lambda item: item.kind == "seed")
    assert len(shown) == 3
    assert faults(sealed, shown) == []
    assert read_seal(write_seal(sealed)) == sealed
    assert read_reveal(write_reveal(shown)) == shown
    assert read_opening(write_opening(items())) == items()


def test_every_change_of_an_opening_is_seen() -> None:
    sealed = seal(items(), None)
    (one, *_) = opened(items(), lambda _item: True)
    changed = [
        replace(one, item=replace(one.item, value={"n": 9})),
        replace(one, item=replace(one.item, name="other")),
        replace(one, item=replace(one.item, kind="pack" if one.item.kind != "pack" else "seed")),
        replace(one, item=replace(one.item, salt="f" * 32)),
        replace(one, place=1),
        replace(one, place=10**6),
        replace(one, path=one.path[1:]),
        replace(one, path=(*one.path, "0" * 64)),
        replace(one, path=("0" * 64, *one.path[1:])),
    ]
    assert [len(faults(sealed, [other])) for other in changed] == [1] * len(changed)
    assert faults(replace(sealed, root="0" * 64), [one]) != []
    assert faults(sealed, [one, one]) == ["one place is opened twice"]
    assert faults(sealed, []) == ["nothing was opened"]


def test_salts_hide_equal_values() -> None:
    commitments = {item.commitment for item in items()}
    assert len(commitments) == len(items())
    assert len({seal(items(number), None).root for number in (1, 2, 3)}) == 3


def test_a_plan_must_speak_of_every_kind() -> None:
    plan: dict[str, list[tuple[str, Any]]] = {kind: [("a", 1)] for kind in KINDS}
    for kind in KINDS:
        with pytest.raises(UsageError, match=kind):
            items_of({**plan, kind: []}, bytes)
        with pytest.raises(UsageError, match="twice"):
            items_of({**plan, kind: [("a", 1), ("a", 2)]}, bytes)


def test_openings_out_of_order_or_doubled_are_refused() -> None:
    value: Any = write_opening(items())
    for changed in (value["items"][::-1], [*value["items"], value["items"][-1]], []):
        with pytest.raises(MalformedInput):
            read_opening({**value, "items": changed})


def test_a_seed_depends_on_secret_and_beacon() -> None:
    seeds = {derived_seed(secret, beacon) for secret in ("a", "b") for beacon in ("x", "y")}
    assert len(seeds) == 4
    assert derived_seed("key", "The quick brown fox jumps over the lazy dog") == (
        "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
    )


# --- the commands


def planned(folder: Path) -> str:
    (folder / "rule.py").write_text("rule = 1\n")
    (folder / "pack").mkdir()
    (folder / "pack" / "manifest.json").write_text("{}")
    plan = {kind: [{"name": "one", "value": f"the {kind}"}] for kind in KINDS}
    plan["seed"].append({"name": "secret", "value": "s3cret"})
    plan["selection-rule"] = [{"name": "rule", "value": {"file": str(folder / "rule.py")}}]  # type: ignore[dict-item]
    plan["pack"] = [{"name": "eight", "value": {"pack": str(folder / "pack")}}]  # type: ignore[dict-item]
    (folder / "plan.json").write_text(json.dumps(plan))
    return str(folder / "plan.json")


def test_seal_reveal_and_check(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert run(["seal", planned(tmp_path), "--out", str(out)]) == 0
    assert "ordering unattested" in capfd.readouterr().out
    opening, public, shown = str(out / "opening.secret.json"), str(out / "seal.json"), str(tmp_path / "shown.json")
    assert (out / "opening.secret.json").stat().st_mode & 0o077 == 0
    assert "s3cret" not in (out / "seal.json").read_text()
    chosen = ["--item", "selection-rule/rule", "--item", "seed/secret"]
    assert run(["reveal", opening, "--seal", public, *chosen, "--out", shown]) == 0
    assert sha256(b"rule = 1\n").hexdigest() in capfd.readouterr().out
    assert run(["reveal", shown, "--seal", public, "--beacon", "lottery 17", "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert told["opened"] == ["seed/secret", "selection-rule/rule"]
    assert told["seed"] == derived_seed("s3cret", "lottery 17")
    assert told["ordering"] == "ordering unattested"
    text = Path(shown).read_text()
    Path(shown).write_text(text.replace("s3cret", "s3cres"))
    assert run(["reveal", shown, "--seal", public]) == 1
    assert "does not lead to the root" in capfd.readouterr().err


def test_what_cannot_be_sealed_or_revealed_is_said_in_a_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    plan, out = planned(tmp_path), tmp_path / "out"
    assert run(["seal", plan, "--out", str(out)]) == 0
    opening, public = str(out / "opening.secret.json"), str(out / "seal.json")
    assert run(["seal", plan, "--out", str(tmp_path / "two")]) == 0
    capfd.readouterr()
    calls = [
        ["seal", plan, "--out", str(out)],
        ["seal", public, "--out", str(tmp_path / "new")],
        ["reveal", opening, "--seal", str(tmp_path / "two" / "seal.json")],
        ["reveal", opening, "--seal", public, "--item", "seed/none"],
        ["reveal", opening, "--seal", public, "--item", "seed/one", "--beacon", "x"],
        ["reveal", public, "--seal", public],
    ]
    for call in calls:
        assert run(call) == 2
        out_text, error = capfd.readouterr()
        assert (out_text, error.count("\n")) == ("", 1)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("kind", ["file", "pack"])
@pytest.mark.parametrize("name", ["", "-", "a\0b", 5, ["x"], None])
def test_a_plan_names_files_by_their_names(
    kind: str, name: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plan = json.loads(Path(planned(tmp_path)).read_text())
    plan["tier"] = [{"name": "one", "value": {kind: name}}]
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    assert run(["seal", str(tmp_path / "plan.json"), "--out", str(tmp_path / "new")]) == 2
    assert "a plan names a file or a pack by its name" in capfd.readouterr().err
    assert not (tmp_path / "new").exists()


def test_an_item_that_is_not_there_is_answered_by_those_that_are(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(["seal", planned(tmp_path), "--out", str(out)]) == 0
    opening, public = str(out / "opening.secret.json"), str(out / "seal.json")
    capfd.readouterr()
    assert run(["reveal", opening, "--seal", public, "--item", "seed/none"]) == 2
    said = capfd.readouterr().err
    assert said.startswith("cwr: there is no item seed/none; there are ")
    assert "seed/secret" in said
    assert "s3cret" not in said


def test_the_commands_of_the_ledger(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path, entry = str(tmp_path / "ledger"), tmp_path / "entry.json"
    entry.write_text('{"why": "two solutions"}')
    for kind in ("rejected", "note"):
        assert run(["ledger", "add", path, str(entry), "--kind", kind, "--json"]) == 0
    heads = [json.loads(line)["head"] for line in capfd.readouterr().out.splitlines()]
    assert run(["ledger", "show", path]) == 0
    assert capfd.readouterr().out == '1 rejected {"why":"two solutions"}\n2 note {"why":"two solutions"}\n'
    assert [run(["ledger", "verify", path, "--head", head]) for head in (*heads, "0" * 64)] == [0, 0, 1]
    whole = Path(path).read_text()
    Path(path).write_text(whole.replace("rejected", "note", 1))
    assert run(["ledger", "verify", path]) == 1
    assert "the chain is broken" in capfd.readouterr().err
    assert run(["ledger", "show", path]) == 2
    assert capfd.readouterr().err.startswith(f"cwr: {path}: malformed")
    assert run(["ledger", "verify", "/dev/zero"]) == 2
    assert "too-large" in capfd.readouterr().err
    Path(path).write_text(whole[:-3])
    assert run(["ledger", "verify", path, "--head", heads[1]]) == 1
    assert "not written to its end" in capfd.readouterr().err
