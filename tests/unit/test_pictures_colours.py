"""Every text of a picture can be read on every ground it may stand on, on light and on dark screens."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from cwr_audits.pictures.palette import DARK, FACES, LIGHT, ON_FACE, STYLE

TEXTS = ("ink", "faint", "bad", "good")
GROUNDS = ("paper", "card", "fill", "new")
# texts that never stand on an area: reasons and verdicts stand on paper or on a card's ground
ONLY = {"faint": ("paper", "card", "fill"), "bad": ("paper", "card"), "good": ("paper", "card")}
LEAST_TEXT, LEAST_LINE = 4.5, 3.0

both = pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])


def luminance(colour: str) -> float:
    """Relative luminance, as the Web Content Accessibility Guidelines define it."""
    assert re.fullmatch(r"#[0-9a-f]{6}", colour)
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def hard_to_read(colours: Mapping[str, str]) -> list[tuple[str, str]]:
    pairs = [(text, ground) for text in TEXTS for ground in ONLY.get(text, GROUNDS)]
    return [pair for pair in pairs if contrast(*(colours[one] for one in pair)) < LEAST_TEXT]


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@both
def test_texts_can_be_read(colours: Mapping[str, str]) -> None:
    assert hard_to_read(colours) == []
    assert hard_to_read({**colours, "faint": "#888888"}) != []


@both
def test_lines_that_mean_something_can_be_seen(colours: Mapping[str, str]) -> None:
    for line in ("ink", "route", "bad"):
        assert all(contrast(colours[line], colours[ground]) >= LEAST_LINE for ground in ("paper", "card"))


def test_letters_can_be_read_on_faces() -> None:
    assert all(contrast(ON_FACE, face) >= LEAST_TEXT for face in FACES)
    assert len(set(FACES)) == len(FACES)


def test_the_style_sheet_names_every_colour_and_touches_nothing_but_pictures() -> None:
    light, dark = STYLE.split("@media (prefers-color-scheme:dark){\n")
    for sheet, colours in ((light, LIGHT), (dark, DARK)):
        assert all(colour in sheet for colour in (*colours.values(), *FACES))
        assert all(line.startswith(".cwr") for line in sheet.splitlines() if line != "}")
    assert "url(" not in STYLE
    assert "<" not in STYLE
