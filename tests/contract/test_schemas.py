"""The published JSON Schemas say yes where the strict readers do, and no where a schema can see the fault."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cwr_solvers.catalogue import WORLDS, showcases
from cwr_solvers.errors import MalformedInput

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "fixtures" / "schema"
FAMILIES = sorted(WORLDS)
CORPUS = ROOT / "tests" / "corpus"
# Faults of form; the others are of the text, or ask for the instance.
FORM = {"wrong-type", "unknown-key", "missing-key"}
# Places where an instance may have a string or an integer: which one it has, only the reader can know.
EITHER = {"PS": re.compile(r"/(values/\d+|initial|is|not|then/[^/ ]+|free|held) 0$")}


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.schema.json").read_text("utf-8"))
    return found


def says_yes(name: str, value: object) -> bool:
    checker = jsonschema.Draft202012Validator(schema(name))
    return checker.is_valid(value)


def cases(family: str, verdict: str) -> list[dict[str, Any]]:
    files = sorted((CORPUS / family.lower() / verdict).glob("*.json"))
    return [json.loads(path.read_text("utf-8")) for path in files]


def submissions(family: str) -> list[object]:
    """Every well-formed submission of the corpus."""
    found = []
    for verdict in ("accepted", "rejected", "illegal"):
        for case in cases(family, verdict):
            found.append(case["submission"] if "submission" in case else json.loads(case["text"]))
    return found


def test_the_folder_has_two_schemas_a_family_and_those_of_files() -> None:
    names = {path.name.removesuffix(".schema.json") for path in FOLDER.iterdir()}
    per_family = {f"{family.lower()}.{what}" for family in FAMILIES for what in ("instance", "submission")}
    assert names == per_family | {"corpus", "cyclic-order-record", "scene-audit", "showcase-index"}


@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.name)
def test_schema_is_a_schema(path: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text("utf-8")))


def test_showcases_fit_the_schema_of_their_file() -> None:
    text = (ROOT / "fixtures" / "showcase-index.json").read_text("utf-8")
    jsonschema.validate(json.loads(text), schema("showcase-index"))
    spoilt_text, places = re.subn(r'"illegal",\s+"step": 3', '"illegal", "step": null', text, count=1)
    assert places == 1
    assert not says_yes("showcase-index", json.loads(spoilt_text))


@pytest.mark.parametrize("family", FAMILIES)
def test_what_the_reader_accepts_fits(family: str) -> None:
    world = WORLDS[family]
    given = [one.instance for one in showcases() if one.family == family]
    given += [
        case["instance"] for verdict in ("accepted", "illegal") for case in cases(family, verdict) if "instance" in case
    ]
    given += [world.generate(f"schema-{number}") for number in range(6)]
    assert len(given) > 8
    for source in given:
        written = world.write_instance(world.read_instance(source))
        jsonschema.validate(source, schema(f"{family.lower()}.instance"))
        jsonschema.validate(written, schema(f"{family.lower()}.instance"))
    for submission in submissions(family):
        jsonschema.validate(submission, schema(f"{family.lower()}.submission"))


def spoilt(value: Any) -> list[tuple[str, Any]]:
    """Copies of a JSON value with one part of another type each, and where; of a list the first two items."""
    if isinstance(value, dict):
        found: list[tuple[str, Any]] = [("a list", [])]
        for key, item in value.items():
            found += [(f"/{key}{where}", {**value, key: bad}) for where, bad in spoilt(item)]
        return found
    if isinstance(value, list):
        found = [("an object", {})]
        for index, item in enumerate(value[:2]):
            found += [(f"/{index}{where}", [*value[:index], bad, *value[index + 1 :]]) for where, bad in spoilt(item)]
        return found
    other = [True, None, 0.5, ["x"], {"x": 0}] + ([0] if isinstance(value, str) else ["0"])
    return [(f" {bad}", bad) for bad in other]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_value_of_another_type_is_refused_by_both(family: str) -> None:
    world = WORLDS[family]
    source = next(one.instance for one in showcases() if one.family == family)
    checker = jsonschema.Draft202012Validator(schema(f"{family.lower()}.instance"))
    found = spoilt(source)
    either = [where for where, _ in found if family in EITHER and EITHER[family].search(where)]
    assert len(found) - len(either) > 50
    for where, bad in found:
        assert checker.is_valid(bad) == (where in either), where
        with pytest.raises(MalformedInput):
            world.read_instance(bad)


@pytest.mark.parametrize("family", FAMILIES)
def test_faults_of_form_are_refused_by_the_schema(family: str) -> None:
    """What the instance decides a schema cannot know: the keys below /starts, whether outputs are named, which pieces
    have turn and flip."""
    seen = 0
    for case in cases(family, "malformed"):
        if FORM & set(case["codes"]) and "base64" not in case:
            value = case["submission"] if "submission" in case else json.loads(case["text"])
            at = case["pointer"]
            named = case["codes"][0] != "wrong-type" and (
                at.startswith(("/starts/", "/output")) or at.endswith(("/turn", "/flip"))
            )
            assert named or not says_yes(f"{family.lower()}.submission", value), case["description"]
            seen += not named
    assert seen > 10
