"""cwr score: what is said of runs, and the runs, packs and plans that are refused in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from score_samples import CODES, FAMILIES, ITEMS, WITNESS, arms_of, lines, right, write_pack, write_run

from cwr_audits.cli import run as command
from cwr_audits.files import checkout
from cwr_audits.packs.model import EVALUATOR, EvaluatorRow
from cwr_audits.sealing import items_of, opened, seal, write_reveal, write_seal
from cwr_solvers.jsontext import canonical

Rows = list[dict[str, Any]]
Score = Callable[..., dict[str, Any]]


@pytest.fixture
def digest(tmp_path: Path) -> str:
    return write_pack(tmp_path / "pack")


def call(tmp_path: Path, rows: Rows, *more: str) -> int:
    run = write_run(tmp_path / "run.jsonl", rows)
    return command(["score", run, "--pack", str(tmp_path / "pack"), *more])


@pytest.fixture
def score(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Score:
    def scored(rows: Rows, *more: str, code: int = 0) -> dict[str, Any]:
        assert call(tmp_path, rows, "--json", *more) == code
        found: dict[str, Any] = json.loads(capfd.readouterr().out)
        return found

    return scored


def first_only(row: EvaluatorRow) -> str | None:
    """F is solved, C is not; all of P is answered alike."""
    if row.condition == "P":
        return '{"legal":false,"next_state":null}'
    return WITNESS[row.world] if row.condition == "F" else "I do not know"


def test_a_run_that_solves_one_arm(score: Score, digest: str) -> None:
    found = score(lines(digest, first_only))
    for kind in ("fixed", "random"):
        one = found["analyses"][kind]
        assert (one["macro"], one["decision"]) == ("1", "rejected")
        assert one["sign_flip"] == {"units": 8, "p": "1/128", "smallest": "1/128", "smallest_given_sizes": "1/128"}
        assert (one["interval"], one["no_interval"][:9]) == (None, "no spread")
    assert {one["base"].split()[0]: one["rate"] for one in found["arms"] if one["arm"] == "F"} == dict.fromkeys(
        CODES, "1"
    )
    assert sum(one["malformed"] for one in found["arms"]) == 16
    assert set(found["without"]) == set(FAMILIES)
    assert {one["sign_flip"]["p"] for one in found["without"].values()} == {"1/64"}


def test_a_constant_wins_no_pair(score: Score, digest: str) -> None:
    assert score(lines(digest, first_only))["pairs"] == [{"world": CODES[0], "pairs": 3, "won": 0, "undecided": 0}]
    assert score(lines(digest))["pairs"] == [{"world": CODES[0], "pairs": 3, "won": 3, "undecided": 0}]
    half = [row for row in lines(digest) if not row["item"].startswith("P-1")]
    assert score(half)["pairs"] == [{"world": CODES[0], "pairs": 3, "won": 2, "undecided": 1}]


def test_outcomes_have_stage_code_and_step(score: Score, digest: str) -> None:
    texts: dict[str, str | None] = {
        "TW-001-F-0": WITNESS["TW-001"],
        "TW-001-F-1": '{"actions":[]}',
        "TW-001-C-0": '{"actions":["rivet"]}',
        "TW-001-C-1": None,
        "P-0-0": '{"legal":false,"next_state":null}',
        "P-0-1": '{"legal":false}',
    }
    rows = score([row for row in lines(digest, lambda row: texts.get(row.item, "")) if row["item"] in texts])["rows"]
    said = {row["item"]: (row["outcome"], row["stage"], row["step"]) for row in rows}
    assert said == {
        "TW-001-F-0": ("accepted", None, None),
        "TW-001-F-1": ("rejected", "goal", None),
        "TW-001-C-0": ("rejected", "illegal", 1),
        "TW-001-C-1": ("undecided", "no-submission", None),
        "P-0-0": ("rejected", "key", None),
        "P-0-1": ("rejected", "malformed", None),
    }
    codes = {row["item"]: row["codes"] for row in rows}
    assert codes["P-0-0"] == ["K"]
    assert codes["P-0-1"] == ["missing-key"]
    assert codes["TW-001-C-0"] != []


def test_undecided_rows_move_the_bounds_only(score: Score, digest: str) -> None:
    rows = lines(digest, lambda row: None if row.item.endswith("-F-0") else first_only(row))
    found = score(rows)
    assert found["analyses"]["fixed"]["macro"] == "1"
    assert {name: one["macro"] for name, one in found["bounds"].items()} == {
        "all accepted": "1",
        "all rejected": "1/2",
        "least": "1/2",
        "greatest": "1",
    }
    assert all(one["undecided"] == (1 if one["arm"] == "F" else 0) for one in found["arms"])


def test_missing_items_are_counted_and_follow_the_policy(score: Score, digest: str) -> None:
    rows = [row for row in lines(digest, first_only) if not row["item"].startswith("TW-001-C")]
    for policy, least in (("drop", "1"), ("bounds", "7/8")):
        found = score(rows, "--missing", policy)
        assert found["missing"] == [{"run": 1, "item": "TW-001-C-0"}, {"run": 1, "item": "TW-001-C-1"}]
        main = found["analyses"]["fixed"]
        assert [one["reason"] for one in main["dropped"]] == ["no decided row of C"]
        assert main["sign_flip"]["units"] == 7
        assert found["bounds"]["least"]["macro"] == least


def test_runs_are_trials(tmp_path: Path, digest: str, score: Score) -> None:
    other = write_run(tmp_path / "other.jsonl", [row for row in lines(digest) if row["item"] != "P-1-0"])
    found = score(lines(digest, first_only), other)
    assert [cell["n"] for cell in found["arms"]] == [4] * 16
    assert found["analyses"]["fixed"]["macro"] == "1/2"
    assert found["missing"] == [{"run": 2, "item": "P-1-0"}]
    assert found["pairs"] == [{"world": CODES[0], "pairs": 6, "won": 2, "undecided": 1}]
    assert (len(found["runs"]), {row["run"] for row in found["rows"]}) == (2, {1, 2})


def test_a_run_twice_is_no_second_trial(tmp_path: Path, digest: str, capfd: pytest.CaptureFixture[str]) -> None:
    again = write_run(tmp_path / "again.jsonl", lines(digest))
    assert call(tmp_path, lines(digest), again) == 2
    assert "given already" in one_line(capfd)


def test_a_run_of_one_arm_decides_nothing(score: Score, digest: str) -> None:
    found = score(arms_of(lines(digest), "F"), code=3)
    assert (found["decision"], found["analyses"]["fixed"]["macro"]) == ("undecided", None)


def test_prose_and_order_change_nothing(score: Score, digest: str) -> None:
    rows = lines(digest, first_only)
    turned = [{name: value for name, value in row.items() if name != "prose"} for row in rows[::-1]]
    shouted = [{**row, "prose": right(ITEMS[row["item"]])} for row in rows]
    found = [score(one) for one in (rows, turned, shouted)]
    assert len({one.pop("runs")[0] for one in found}) == 3
    assert found[0] == found[1] == found[2]


def test_the_report_for_people(tmp_path: Path, digest: str, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "report.json"
    assert call(tmp_path, lines(digest, first_only), "--out", str(out)) == 0
    told = capfd.readouterr().out
    for word in ("smallest p that 8 units can attain: 1/128", "without TW", "families random", "not preregistered"):
        assert word in told
    assert json.loads(out.read_bytes())["schema"] == "cwr-score/1"


def test_what_cannot_reject_says_so(tmp_path: Path, digest: str, capfd: pytest.CaptureFixture[str]) -> None:
    rows = [row for row in lines(digest, first_only) if row["item"][:2] in FAMILIES[:4]]
    assert call(tmp_path, rows) == 0
    assert "cannot reject" in capfd.readouterr().out


# --- refusals


def changed(place: int, **fields: Any) -> Callable[[Rows], Rows]:
    return lambda rows: [{**row, **(fields if number == place else {})} for number, row in enumerate(rows)]


REFUSED: dict[str, tuple[Callable[[Rows], Rows], str]] = {
    "unknown item": (changed(3, item="nobody"), "line 4: the pack has no item 'nobody'"),
    "item twice": (lambda rows: [*rows, rows[0]], "is in line 1 already"),
    "two arms": (changed(2, session="s-TW-001-F-0"), "line 3: session 's-TW-001-F-0' has an item of C, and of F in"),
    "other session": (changed(1, session="other"), "line 2: session 'other', but item TW-001-F-1 belongs to"),
    "other arm": (changed(0, arm="C"), "line 1: arm 'C', but item TW-001-F-0 is of F"),
    "no arm": (changed(0, arm=None), "line 1: arm null"),
    "arm of a diagnostic": (changed(32, arm="F"), "line 33: arm 'F', but item P-0-0 is of null or P"),
    "other pack": (changed(1, pack="0" * 64), "line 2: cites the pack"),
    "no row": (lambda _rows: [], "there is nothing to score"),
    "key unknown": (changed(4, extra=1), "line 5: malformed (unknown-key) at /extra"),
    "number for text": (changed(4, submission=1), "line 5: malformed (wrong-type) at /submission"),
    "object for text": (changed(4, submission={}), "line 5: malformed (wrong-type) at /submission"),
    "prose no text": (changed(4, prose=[1]), "line 5: malformed (wrong-type) at /prose"),
}


def one_line(capfd: pytest.CaptureFixture[str]) -> str:
    told = capfd.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert "Traceback" not in told.err
    return told.err


@pytest.mark.parametrize("name", REFUSED)
def test_a_run_is_refused(name: str, tmp_path: Path, digest: str, capfd: pytest.CaptureFixture[str]) -> None:
    spoil, said = REFUSED[name]
    assert call(tmp_path, spoil(lines(digest))) == 2
    assert said in one_line(capfd)


def test_a_session_with_two_conditions(tmp_path: Path, digest: str, capfd: pytest.CaptureFixture[str]) -> None:
    rows = lines(digest)
    rows[-1]["session"] = rows[0]["session"]
    assert call(tmp_path, rows) == 2
    assert "has an item of P, and of F in line 1" in one_line(capfd)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"{", "breaks off"),
        (b"{\n", "malformed (syntax)"),
        (b"\n", "malformed (syntax)"),
        (b"[]\n", "malformed (wrong-type)"),
        (b'{"item":"\\ud800"}\n', "malformed (surrogate)"),
        (b'{"item":"a","item":"a"}\n', "malformed (duplicate-key)"),
        (b"\xff\n", "malformed (not-utf8)"),
        (b"[" * 100 + b"\n", "malformed (too-deep)"),
        (b'{"item":1.5}\n', "malformed (float)"),
        (b'"' + b"x" * (1 << 20) + b'"\n', "malformed (too-large)"),
    ],
)
def test_a_line_is_refused(
    text: bytes, said: str, tmp_path: Path, digest: str, capfd: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run.jsonl"
    run.write_bytes(text)
    assert command(["score", str(run), "--pack", str(tmp_path / "pack")]) == 2
    assert f"line 1: {said}" in one_line(capfd)


@pytest.mark.parametrize(
    ("item", "spoilt"),
    [
        ("P-0-0", {"key": {"legal": 1, "next_state": None}}),
        ("P-0-0", {"key": None}),
        ("P-0-0", {"family": "XX"}),
        ("TW-001-F-0", {"instance": {}}),
    ],
)
def test_an_item_that_is_at_fault(
    item: str, spoilt: dict[str, Any], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """It is the pack's fault, and no outcome of a row."""
    digest = write_pack(tmp_path / "pack", frozen=False)
    path = tmp_path / "pack" / EVALUATOR
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    write_run(path, [row | spoilt if row["item"] == item else row for row in rows])
    assert call(tmp_path, lines(digest), "--unfrozen") == 2
    assert f"the pack's item {item}: malformed" in one_line(capfd)


def test_a_report_that_cannot_be_written(tmp_path: Path, digest: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert call(tmp_path, lines(digest), "--out", str(tmp_path / "none" / "report.json")) == 2
    one_line(capfd)
    assert call(tmp_path, lines(digest), "--out", str(tmp_path / "pack")) == 2
    one_line(capfd)


def test_a_link_for_the_report_stays_a_link(tmp_path: Path, digest: str, capfd: pytest.CaptureFixture[str]) -> None:
    """What is no plain file, as /dev/null, must not be replaced by one."""
    (tmp_path / "link").symlink_to(tmp_path / "report.json")
    assert call(tmp_path, lines(digest, first_only), "--json", "--out", str(tmp_path / "link")) == 0
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "report.json").read_text() == capfd.readouterr().out


def test_no_run_and_no_pack(tmp_path: Path, digest: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert command(["score", str(tmp_path / "none"), "--pack", str(tmp_path / "pack")]) == 2
    one_line(capfd)
    assert command(["score", str(tmp_path), "--pack", str(tmp_path / "pack")]) == 2
    one_line(capfd)
    assert command(["score", write_run(tmp_path / "r", lines(digest)), "--pack", str(tmp_path)]) == 2
    one_line(capfd)


def test_keys_that_the_manifest_does_not_name(tmp_path: Path, digest: str, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pack" / "evaluator" / "items.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"wording":1', b'"wording":2', 1))
    assert call(tmp_path, lines(digest)) == 2
    assert "is not the file that the pack's manifest names" in one_line(capfd)


def test_a_pack_without_manifest_is_scored_as_a_trial_only(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    digest = write_pack(tmp_path / "pack", frozen=False)
    assert call(tmp_path, lines(digest)) == 2
    assert "freeze the pack" in one_line(capfd)
    assert call(tmp_path, lines(digest), "--unfrozen", "--json") == 0
    assert "not frozen" in json.loads(capfd.readouterr().out)["notes"][0]
    digest = write_pack(tmp_path / "pack")
    assert call(tmp_path, lines(digest), "--unfrozen") == 2


def test_a_root_is_cited_and_must_bind_the_pack(
    tmp_path: Path, digest: str, score: Score, capfd: pytest.CaptureFixture[str]
) -> None:
    sealed, shown = tmp_path / "seal.json", tmp_path / "shown.json"

    def publish(manifest: str) -> str:
        kinds = ("seed", "tier", "selection-rule", "exclusion", "analysis-plan")
        plan: dict[str, Any] = {kind: [("none", None)] for kind in kinds}
        plan["pack"] = [("one", {"manifest_sha256": manifest, "pack": "pack"})]
        items = items_of(plan, lambda size: bytes(size))
        public = seal(items, None)
        sealed.write_bytes(canonical(write_seal(public)))
        shown.write_bytes(canonical(write_reveal(opened(items, lambda item: item.kind == "pack"))))
        return public.root

    root = publish(digest)
    assert "was not checked" in score(lines(root), "--seal", str(sealed))["notes"][0]
    assert score(lines(root), "--seal", str(sealed), "--reveal", str(shown))["notes"] == []
    assert call(tmp_path, lines(digest), "--seal", str(sealed)) == 2
    one_line(capfd)
    assert call(tmp_path, lines(digest), "--reveal", str(shown)) == 2
    assert "--seal" in one_line(capfd)
    assert call(tmp_path, lines(root), "--seal", str(shown)) == 2
    assert f"{shown}: malformed" in one_line(capfd)
    root = publish("0" * 64)
    assert call(tmp_path, lines(root), "--seal", str(sealed), "--reveal", str(shown)) == 2
    assert "opens no pack item" in one_line(capfd)


# --- plans


def preregistered(tmp_path: Path, **fields: str) -> str:
    plan = {"alpha": "0.01", "families": "random", "missing": "bounds", "test": "t", **fields}
    path = tmp_path / "preregistration.json"
    path.write_text(
        json.dumps({"schema": "cwr-preregistration/1", "analysis": plan, "design": {}, "results": {}}), "utf-8"
    )
    return str(path)


def test_a_preregistered_plan_counts(tmp_path: Path, digest: str, score: Score) -> None:
    found = score(lines(digest, first_only), "--preregistration", preregistered(tmp_path), code=3)
    plan = found["plan"]
    assert (plan["alpha"], plan["families"], plan["missing"], plan["test"]) == ("0.01", "random", "bounds", "t")
    assert len(plan["preregistration"]) == 64
    assert found["decision"] == "undecided"  # all differences are 1: a t test has nothing to go by
    assert score(lines(digest, first_only))["plan"]["preregistration"] is None


def test_what_departs_from_it_is_refused(tmp_path: Path, digest: str, capfd: pytest.CaptureFixture[str]) -> None:
    plan = preregistered(tmp_path)
    assert call(tmp_path, lines(digest), "--preregistration", plan, "--families", "fixed") == 2
    assert "--families fixed departs from" in one_line(capfd)
    assert call(tmp_path, lines(digest, first_only), "--preregistration", plan, "--alpha", "0.010", "--json") == 3
    assert json.loads(capfd.readouterr().out)["plan"]["alpha"] == "0.01"
    for fields in ({"alpha": "2"}, {"alpha": "x"}, {"families": "some"}, {"more": "x"}):
        plan = preregistered(tmp_path, **fields)
        assert call(tmp_path, lines(digest), "--preregistration", plan) == 2
        assert "malformed" in one_line(capfd)
    assert call(tmp_path, lines(digest), "--alpha", "0.7") == 2
    one_line(capfd)


def test_the_lines_of_a_run_that_the_page_shows_are_of_its_form(tmp_path: Path, digest: str) -> None:
    shown = (checkout() / "docs/scoring.md").read_text("utf-8").split("```json\n")[1].split("```")[0]
    examples: Rows = [json.loads(line) for line in shown.splitlines()]
    assert [set(row) - {"prose"} for row in examples] == [set(row) - {"prose"} for row in lines(digest)[:2]]
    rows = lines(digest)
    for row, example in zip(rows, examples, strict=False):
        row.update(submission=example["submission"], prose=example.get("prose"))
    assert call(tmp_path, rows) in (0, 3)
