"""Tokens, numbers and letters of the cyclic-order scene can be told apart by looking at them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations

import pytest
from coloraide import Color

from cwr_audits.scenes.cyclic_order.contract import MOST_TOKENS
from cwr_audits.scenes.cyclic_order.looks import LEAST_COLOUR_DISTANCE, PALETTES, SHAPES, SYMBOLS

LIGHT_GROUNDS = ("#ffffff", "#f5efe2", "#e9eef2")
LEAST_FROM_GROUND = 40

every_palette = pytest.mark.parametrize("palette", sorted(PALETTES))


def lab(colour: str) -> Color:
    return Color(colour).convert("lab-d65")


def lab_distance(one: str, other: str) -> float:
    """CIE76 under D65."""
    return lab(one).distance(lab(other), space="lab-d65")


def near_colours(palette: Mapping[str, str]) -> list[tuple[str, str]]:
    return [
        (one, other)
        for one, other in combinations(palette, 2)
        if lab_distance(palette[one], palette[other]) < LEAST_COLOUR_DISTANCE
    ]


def faint_colours(palette: Mapping[str, str]) -> list[str]:
    return [
        name
        for name, colour in palette.items()
        if any(lab_distance(colour, ground) < LEAST_FROM_GROUND for ground in LIGHT_GROUNDS)
    ]


def test_lab_distance_is_cie76_under_d65() -> None:
    assert lab_distance("#ffffff", "#000000") == pytest.approx(100, abs=1e-6)
    assert lab_distance("#ff0000", "#00ff00") == pytest.approx(170.58, abs=0.05)
    assert lab_distance("#ff0000", "#00ff00") == pytest.approx(Color("#ff0000").delta_e("#00ff00", method="76"))


@every_palette
def test_colours_of_a_palette_are_far_apart(palette: str) -> None:
    colours = PALETTES[palette]
    assert near_colours(colours) == []
    assert len(colours) >= MOST_TOKENS
    planted = {**colours, "wine": "#a01c3c", "claret": "#8f1230"}
    assert ("wine", "claret") in near_colours(planted)


@every_palette
def test_colours_are_seen_on_light_grounds(palette: str) -> None:
    assert faint_colours(PALETTES[palette]) == []
    assert faint_colours({"cream": "#fff4d6"}) == ["cream"]


def test_names_are_plain_words_and_enough() -> None:
    colours = [name for palette in PALETTES.values() for name in palette]
    for names in (SHAPES, SYMBOLS, tuple(PALETTES), tuple(colours)):
        assert all(re.fullmatch(r"[a-z]+", name) for name in names)
        assert len(set(names)) == len(names)
    assert not {*SHAPES} & {*SYMBOLS}
    assert min(len(SHAPES), len(SYMBOLS)) >= MOST_TOKENS + 2
    assert len(PALETTES) >= 3
    values = [colour for palette in PALETTES.values() for colour in palette.values()]
    assert all(re.fullmatch(r"#[0-9a-f]{6}", colour) for colour in values)
