"""Every file of tests/corpus is graded as its folder says, with the step, codes, pointer and cost that it says."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cwr_solvers.catalogue import WORLDS
from cwr_solvers.grading import Verdict, grade

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "corpus"
FILES = sorted(CORPUS.rglob("*.json"))
SHOWCASES = {
    world["code"]: world["instance"]
    for world in json.loads((ROOT / "fixtures" / "showcase-index.json").read_text("utf-8"))["worlds"]
}
VERDICTS = ("accepted", "rejected", "illegal", "malformed")
# A schedule whose events are all legal meets the goal, so that no text can be rejected.
NEVER = {("rs", "rejected")}
LEAST_PER_WORLD = 40
SCHEMA: dict[str, Any] = json.loads((ROOT / "fixtures" / "schema" / "corpus.schema.json").read_text("utf-8"))
FORMAT = jsonschema.Draft202012Validator(SCHEMA)
BRANCHES = {one["title"]: jsonschema.Draft202012Validator(one) for one in SCHEMA["oneOf"]}
# The codes that a malformed submission can have, by the docstrings of jsontext and reading; the corpus shows each.
TEXT_CODES = {
    "too-large",
    "not-utf8",
    "too-deep",
    "syntax",
    "trailing-data",
    "duplicate-key",
    "not-a-number",
    "float",
    "minus-zero",
    "integer-range",
    "surrogate",
    "wrong-type",
    "unknown-key",
    "missing-key",
}


def name(path: Path) -> str:
    return path.relative_to(CORPUS).with_suffix("").as_posix()


def load(path: Path) -> dict[str, Any]:
    case: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return case


def data(case: dict[str, Any]) -> bytes:
    """The bytes that are graded."""
    if "base64" in case:
        return base64.b64decode(case["base64"], validate=True)
    if "text" in case:
        return str(case["text"]).encode("utf-8")
    return json.dumps(case["submission"], ensure_ascii=False).encode("utf-8")


def judged(path: Path, case: dict[str, Any]) -> Verdict:
    family = path.relative_to(CORPUS).parts[0].upper()
    world = WORLDS[family]
    source = case["instance"] if "instance" in case else SHOWCASES[case["code"]]
    assert source["family"] == family
    return grade(world, world.read_instance(source), data(case))


@pytest.mark.parametrize("path", FILES, ids=name)
def test_verdict(path: Path) -> None:
    case = load(path)
    verdict = judged(path, case)
    said = {
        "status": verdict.status,
        "step": verdict.step,
        "codes": sorted(verdict.codes),
        "pointer": None if verdict.error is None else verdict.error.pointer,
        "cost": verdict.cost,
    }
    due = {
        "status": path.parent.name,
        "step": case["step"],
        "codes": case["codes"],
        "pointer": case.get("pointer"),
        "cost": case.get("cost"),
    }
    assert said == due, case["description"]


@pytest.mark.parametrize("path", FILES, ids=name)
def test_file_is_of_the_published_format(path: Path) -> None:
    case = load(path)
    assert [fault.message for fault in FORMAT.iter_errors(case)] == []
    assert [fault.message for fault in BRANCHES[path.parent.name].iter_errors(case)] == []
    assert case["codes"] == sorted(case["codes"])


def test_the_format_has_a_branch_for_every_verdict_and_tells_them_apart() -> None:
    assert set(BRANCHES) == set(VERDICTS)
    case = {"description": "x", "code": "TW-001", "submission": {}, "step": None, "codes": []}
    assert not FORMAT.is_valid(case)
    assert FORMAT.is_valid({**case, "cost": 0})
    assert not FORMAT.is_valid({**case, "cost": 0, "text": ""})
    assert not FORMAT.is_valid({**case, "cost": 0, "note": ""})
    assert not FORMAT.is_valid({**case, "cost": 0, "instance": {}})


def test_every_path_has_world_verdict_and_name() -> None:
    strange = [
        path
        for path in CORPUS.rglob("*")
        if path.is_file()
        and path != CORPUS / "README.md"
        and (path.suffix != ".json" or len(path.relative_to(CORPUS).parts) != 3)
    ]
    assert strange == []


def test_the_worlds_are_those_of_the_catalogue() -> None:
    assert {path.name for path in CORPUS.iterdir() if path.is_dir()} == {family.lower() for family in WORLDS}


@pytest.mark.parametrize("family", sorted(WORLDS))
def test_every_verdict_of_a_world_has_cases(family: str) -> None:
    folder = CORPUS / family.lower()
    expected = {verdict for verdict in VERDICTS if (folder.name, verdict) not in NEVER}
    assert {path.name for path in folder.iterdir()} == expected
    assert [verdict for verdict in sorted(expected) if len(list((folder / verdict).glob("*.json"))) < 10] == []
    assert len(list(folder.rglob("*.json"))) >= LEAST_PER_WORLD


@pytest.mark.parametrize("family", sorted(WORLDS))
def test_every_rule_and_every_code_of_text_has_a_case(family: str) -> None:
    folder = CORPUS / family.lower()
    shown = {code for path in folder.rglob("*.json") for code in load(path)["codes"]}
    # RS: clock and unstarted bind single events only, a submission cannot break them; its goal cannot be missed.
    unreachable = {"R1", "R2", "G"} if family == "RS" else set()
    assert (set(WORLDS[family].rules) | TEXT_CODES) - shown == unreachable


@pytest.mark.parametrize("family", sorted(WORLDS))
def test_no_two_cases_are_one(family: str) -> None:
    """A case that repeats another under a second name adds a number and no knowledge."""
    seen: dict[tuple[str, bytes], str] = {}
    for path in sorted((CORPUS / family.lower()).rglob("*.json")):
        case = load(path)
        world = case.get("code") or json.dumps(case["instance"], sort_keys=True)
        assert seen.setdefault((world, data(case)), name(path)) == name(path)
