"""The kept audit of the cyclic-order scene is of this code, of 2,000 puzzles, and without faults."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import jsonschema
import pytest

from cwr_audits.files import checkout
from cwr_audits.judges import scene_digest, scene_name
from cwr_audits.scenes.cyclic_order.auditing.wording import number_of_tests

SCENE = "cyclic_order"
NUMBER = 2000
ROUTES = ("certificate", "cpsat", "interpreter", "smt")
COMBINATIONS = 5 * 5 * 4 * 2  # styles, paths, variants, token counts


@pytest.fixture(scope="module")
def kept() -> Any:
    root = checkout()
    found = json.loads((root / "audits" / "issued" / scene_name(SCENE)).read_bytes())
    schema = json.loads((root / "fixtures" / "schema" / "scene-audit.schema.json").read_text("utf-8"))
    jsonschema.validate(found, schema)
    return found


def test_it_is_of_this_code(kept: Any) -> None:
    assert kept["code_sha256"] == scene_digest(SCENE, checkout()), "make audit is due"


def test_every_route_says_of_all_puzzles_that_just_the_planted_option_repairs(kept: Any) -> None:
    assert kept["number"] == kept["agreed"] == NUMBER
    assert kept["routes"] == dict.fromkeys(ROUTES, NUMBER)
    assert sum(number for counts in kept["repairs"].values() for number in counts.values()) == NUMBER
    assert "unknown" not in {repairs for counts in kept["repairs"].values() for repairs in counts}
    assert (kept["outcome"], kept["faults"], kept["told"]) == ("passed", {}, [])


def test_every_picture_is_in_order_and_many_were_read_back(kept: Any) -> None:
    pictures = kept["pictures"]
    assert pictures["drawn"] == NUMBER + COMBINATIONS
    assert (pictures["with_overlaps"], pictures["with_a_box_outside"], pictures["seen_otherwise"]) == (0, 0, 0)
    assert pictures["combinations"] == COMBINATIONS
    assert pictures["seen"] >= COMBINATIONS + NUMBER // 5
    assert min(pictures["examined"].values()) > 0
    assert kept["again"]["same"] is True
    assert kept["again"]["items"] > 0


def test_every_axis_is_balanced(kept: Any) -> None:
    found = [(one["axis"], one["within"]) for one in kept["balance"]["tests"]]
    everywhere = ("answer label", "token count", "token style", "loop path", "scene variant", "palette")
    within = [
        ("answer among the cards", "4 tokens"),
        ("rotation", "4 tokens"),
        ("answer among the cards", "5 tokens"),
        ("planted pair", "5 tokens"),
        ("rotation", "5 tokens"),
    ]
    assert found == [*((axis, "all") for axis in everywhere), *within]
    for one in kept["balance"]["tests"]:
        assert one["says"] == "balanced within sampling error"
        assert float(one["p"]) >= float(kept["balance"]["level"]) / number_of_tests(kept)


def test_no_guess_that_sees_cards_only_earns_more_than_chance(kept: Any) -> None:
    guesses = kept["baselines"]["guesses"]
    assert {one["within"] for one in guesses} == {"all", "4 tokens", "5 tokens"}
    for one in guesses:
        says = "no more than chance within sampling error" if one["sees"] == "cards" else "told, not judged"
        assert one["says"] == says
        assert float(one["share"]) == pytest.approx(float(Fraction(one["right"])) / one["puzzles"], abs=1e-4)
