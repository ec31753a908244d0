"""Tokens, numbers and letters of the cyclic-order scene can be told apart by looking at them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from itertools import combinations, cycle
from math import hypot
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import resvg_py
from coloraide import Color
from PIL import Image
from scipy.ndimage import binary_fill_holes
from shapely import Polygon

from cwr_audits.scenes.cyclic_order.contract import MOST_TOKENS, TOKEN_STYLES, Look
from cwr_audits.scenes.cyclic_order.glyphs import outline
from cwr_audits.scenes.cyclic_order.looks import (
    LEAST_CHROMA,
    LEAST_COLOUR_DISTANCE,
    NEUTRALS,
    PALETTES,
    SHAPES,
    SYMBOLS,
)
from cwr_audits.scenes.cyclic_order.outlines import STEPS, polygons, scaled, written
from cwr_audits.scenes.cyclic_order.pictograms import SHAPE_PATHS, SYMBOL_PATHS
from cwr_audits.scenes.cyclic_order.tokens import LINES, silhouette, token

Mask = np.ndarray[Any, np.dtype[np.bool_]]

LIGHT_GROUNDS = ("#ffffff", "#f5efe2", "#e9eef2")
LEAST_FROM_GROUND = 40  # Lab distance
CHARACTERS = (*"0123456789", "10", *"ABCD")
FONT_DIGEST = "36f3709dea3e3ce3c6aedc058079e55980825f898f1e901d091c73c40de8bab1"
STROKE = ("stroke", "stroke-width", "stroke-linejoin")

MASK = 64  # pixels
TURN = 15  # degrees
THICK = 36  # width of a line along a path that reaches 100
# the most that two things may overlap (intersection over union) and still be told apart
MOST_INK = 0.64  # a drawing and a digit or letter, as they are
MOST_SILHOUETTE = 0.75  # the same, holes filled
MOST_AMONG_SHAPES = 0.8
MOST_AMONG_SYMBOLS = 0.75
SMALL = 22  # pixels, across a token
LEAST_DIFFERING = 40  # pixels, out of SMALL squared

# planted: drawings that look like a digit or letter, and shapes too like each other
OVAL = "M0 -100A72 100 0 0 1 0 100A72 100 0 0 1 0 -100Z"
CRESCENT = "M71 -71A100 100 0 1 0 71 71L46 46A65 65 0 1 1 46 -46Z"
HALF_DISC = "M-50 -100H0A100 100 0 0 1 0 100H-50Z"
BARRED = "M-16 -90H16L84 90H46L32 50H-32L-46 90H-84ZM0 -46L-22 20H22Z"
CIRCLE = "M0 -100A100 100 0 0 1 0 100A100 100 0 0 1 0 -100Z"
HEXAGON = "M-50 -87H50L100 0L50 87H-50L-100 0Z"

every_palette = pytest.mark.parametrize("palette", sorted(PALETTES))
every_style = pytest.mark.parametrize("style", TOKEN_STYLES)


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


def greys(palette: Mapping[str, str]) -> list[str]:
    return [name for name, colour in palette.items() if lab(colour).convert("lch-d65")["chroma"] < LEAST_CHROMA]


@every_palette
def test_no_colour_of_a_token_is_grey(palette: str) -> None:
    assert greys(PALETTES[palette]) == []
    assert greys({"slate": "#7b7b80", "snow": "#fdfdfd", **PALETTES[palette]}) == ["slate", "snow"]


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


def seen(ink: str, size: int, reach: float) -> Image.Image:
    """A drawing around (0, 0), `reach` to each side of it, as grey levels on white."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" '
        f'viewBox="{-reach} {-reach} {2 * reach} {2 * reach}"><rect x="{-reach}" y="{-reach}" width="{2 * reach}" '
        f'height="{2 * reach}" fill="#ffffff"/>{ink}</svg>'
    )
    picture = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)
    return Image.open(BytesIO(bytes(picture))).convert("RGB")


def mask(path: str, turn: int = 0, rule: str = "evenodd", line: int = 0) -> Mask:
    """What a path covers, at its largest in a square of MASK pixels, its proportions kept; with `line`, what a line of
    that width along it covers instead."""
    paint = f'fill="none" stroke="#000000" stroke-width="{line}"' if line else f'fill="#000000" fill-rule="{rule}"'
    picture = seen(f'<path d="{path}" transform="rotate({turn})" {paint}/>', 300, 150).convert("L")
    dark = picture.point(lambda level: 255 if level < 128 else 0)
    dark = dark.crop(dark.getbbox())
    scale = MASK / max(dark.size)
    dark = dark.resize((max(1, round(dark.width * scale)), max(1, round(dark.height * scale))), Image.Resampling.BOX)
    square = Image.new("L", (MASK, MASK))
    square.paste(dark, ((MASK - dark.width) // 2, (MASK - dark.height) // 2))
    return np.asarray(square) > 127


def overlap(one: Mask, other: Mask) -> float:
    """Intersection over union."""
    return float((one & other).sum() / (one | other).sum())


@cache
def characters(filled: bool) -> dict[str, Mask]:
    masks = {text: mask(outline(text, 180).path, rule="nonzero") for text in CHARACTERS}
    return {text: binary_fill_holes(one) for text, one in masks.items()} if filled else masks


def looks_like(one: Mask, filled: bool, most: float) -> set[str]:
    return {text for text, other in characters(filled).items() if overlap(one, other) > most}


def mistaken_for(path: str, as_line: bool) -> set[str]:
    """The digits and letters that a drawing may be mistaken for, going by its ink or by its silhouette."""
    inks = [mask(path)] + ([mask(path, line=THICK)] if as_line else [])
    by_ink = {text for ink in inks for text in looks_like(ink, False, MOST_INK)}
    return by_ink | looks_like(binary_fill_holes(mask(path)), True, MOST_SILHOUETTE)


def alike(paths: Mapping[str, str], filled: bool, most: float) -> list[tuple[str, str]]:
    """Pairs that overlap too much, the second turned by any multiple of TURN degrees."""
    turned = {name: [mask(path, turn) for turn in range(0, 360, TURN)] for name, path in paths.items()}
    if filled:
        turned = {name: [binary_fill_holes(one) for one in masks] for name, masks in turned.items()}
    return [
        (one, other)
        for one, other in combinations(paths, 2)
        if max(overlap(turned[one][0], another) for another in turned[other]) > most
        or max(overlap(another, turned[other][0]) for another in turned[one]) > most
    ]


def differing(one: Image.Image, other: Image.Image) -> int:
    """Pixels whose grey levels differ by a quarter of the scale or more."""
    levels = [np.asarray(picture.convert("L"), dtype=int) for picture in (one, other)]
    return int((np.abs(levels[0] - levels[1]) >= 64).sum())


def little_apart(inks: Mapping[str, str], reach: float) -> list[tuple[str, str]]:
    """Pairs that can hardly be told apart at SMALL pixels."""
    pictures = {name: seen(ink, SMALL, reach) for name, ink in inks.items()}
    return [pair for pair in combinations(inks, 2) if differing(*(pictures[name] for name in pair)) < LEAST_DIFFERING]


def looks(style: str, palette: str) -> list[Look]:
    """Every look of a style; where both shape and colour are used, each shape once."""
    if style == "colored_beads":
        return [Look(colour, None, colour) for colour in PALETTES[palette]]
    if style == "colored_shape_tokens":
        colours = cycle(PALETTES[palette])
        return [Look(f"{colour}-{shape}", shape, colour) for shape, colour in zip(SHAPES, colours, strict=False)]
    return [Look(name, name, None) for name in (SYMBOLS if style == "symbol_badges" else SHAPES)]


def farthest_ink(ink: str, radius: float) -> float:
    """How far the farthest pixel with ink is from the middle, as a part of the radius."""
    picture = np.asarray(seen(ink, 400, radius * 1.25).convert("L"))
    rows, columns = np.nonzero(picture < 250)
    return float(np.hypot(rows - 199.5, columns - 199.5).max() / 160)


def test_what_is_drawn_is_what_is_named() -> None:
    assert tuple(SHAPE_PATHS) == SHAPES
    assert tuple(SYMBOL_PATHS) == SYMBOLS
    assert tuple(NEUTRALS) == tuple(PALETTES)
    assert tuple(LINES) == TOKEN_STYLES


@pytest.mark.parametrize("shape", SHAPES)
def test_no_shape_may_be_mistaken_for_a_digit_or_letter(shape: str) -> None:
    assert mistaken_for(SHAPE_PATHS[shape], as_line=True) == set()


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_no_symbol_may_be_mistaken_for_a_digit_or_letter(symbol: str) -> None:
    assert mistaken_for(SYMBOL_PATHS[symbol], as_line=False) == set()


@pytest.mark.parametrize(
    ("character", "path"),
    [("0", OVAL), ("D", CIRCLE), ("C", CRESCENT), ("D", HALF_DISC), ("A", BARRED)],
    ids=["oval", "circle", "crescent", "half disc", "barred"],
)
def test_what_looks_like_a_digit_or_letter_is_noticed(character: str, path: str) -> None:
    assert character in mistaken_for(path, as_line=True)


@pytest.mark.parametrize("character", CHARACTERS)
def test_a_digit_or_letter_among_symbols_is_noticed(character: str) -> None:
    assert mistaken_for(outline(character, 180).path, as_line=False) >= {character}


def test_shapes_differ_however_they_are_turned() -> None:
    assert alike(SHAPE_PATHS, True, MOST_AMONG_SHAPES) == []
    planted = {"square": SHAPE_PATHS["square"], "tilted": "M0 -100L100 0L0 100L-100 0Z"}
    assert alike(planted, True, MOST_AMONG_SHAPES) == [("square", "tilted")]
    assert alike({"circle": CIRCLE, "hexagon": HEXAGON}, True, MOST_AMONG_SHAPES) == [("circle", "hexagon")]


def test_symbols_differ_however_they_are_turned() -> None:
    assert alike(SYMBOL_PATHS, False, MOST_AMONG_SYMBOLS) == []
    planted = {"leaf": SYMBOL_PATHS["leaf"], "plain": SYMBOL_PATHS["leaf"].rsplit("M", 1)[0]}
    assert alike(planted, False, MOST_AMONG_SYMBOLS) == [("leaf", "plain")]


@pytest.mark.parametrize("style", [style for style in TOKEN_STYLES if style != "colored_beads"])
def test_small_tokens_differ_even_without_colour(style: str) -> None:
    grey = "shape_tokens" if style == "colored_shape_tokens" else style
    inks = {look.name: token(grey, look, "fair", 11) for look in looks(grey, "fair")}
    assert little_apart(inks, 11) == []


def test_small_shapes_that_hardly_differ_are_noticed() -> None:
    paint = 'fill="#c3cfdf" stroke="#1f2430" stroke-width="10"'
    planted = {"square": SHAPE_PATHS["square"], "cut": "M-70 -50L-50 -70H50L70 -50V50L50 70H-50L-70 50Z"}
    inks = {name: f'<path d="{path}" {paint}/>' for name, path in planted.items()}
    assert little_apart(inks, 100) == [("square", "cut")]


@every_style
@pytest.mark.parametrize("radius", [9.5, 30])
def test_all_ink_is_within_the_radius_and_reaches_it(style: str, radius: float) -> None:
    for look in looks(style, "fair"):
        assert 0.97 <= farthest_ink(token(style, look, "fair", radius), radius) <= 1.01, look
        assert farthest_ink(token(style, look, "fair", radius * 1.1), radius) > 1.01


@every_style
def test_silhouettes_are_the_edge_of_the_ink(style: str) -> None:
    for look in looks(style, "fair"):
        edge = Polygon(silhouette(style, look, 100))
        assert edge.is_valid
        ink = seen(token(style, look, "fair", 100), 300, 150).convert("L")
        drawn = binary_fill_holes(np.asarray(ink.point(lambda level: 255 if level < 250 else 0)) > 0)
        path = "M" + "L".join(f"{x:.3f} {y:.3f}" for x, y in edge.exterior.coords[:-1]) + "Z"
        told = np.asarray(seen(f'<path d="{path}"/>', 300, 150).convert("L")) < 250
        assert overlap(drawn, told) > 0.98, look


@pytest.mark.parametrize("style", ["shape_tokens", "outline_shape_tokens"])
@pytest.mark.parametrize("shape", SHAPES)
def test_silhouettes_are_what_is_within_half_a_line_of_the_shape(style: str, shape: str) -> None:
    line = 100 * LINES[style]
    (contour,) = polygons(SHAPE_PATHS[shape])
    reach = max(hypot(*corner) for corner in contour)
    shrunk = Polygon([(x * (100 - line / 2) / reach, y * (100 - line / 2) / reach) for x, y in contour])
    edge = Polygon(silhouette(style, Look(shape, shape, None), 100))
    assert edge.symmetric_difference(shrunk.buffer(line / 2)).area < 0.005 * edge.area


@every_palette
@pytest.mark.parametrize("style", ["colored_beads", "colored_shape_tokens"])
def test_a_coloured_token_is_mostly_of_its_colour(style: str, palette: str) -> None:
    for look in looks(style, palette):
        ink = token(style, look, palette, 30)
        pixels = np.asarray(seen(ink, 200, 30)).reshape(-1, 3)
        colour = [int(PALETTES[palette][str(look.colour)][place : place + 2], 16) for place in (1, 3, 5)]
        inked = int((pixels.min(axis=1) < 250).sum())
        assert (np.abs(pixels.astype(int) - colour).max(axis=1) <= 2).sum() > 0.4 * inked, look
        assert sum(value in ink for value in PALETTES[palette].values()) == 1


@every_style
def test_tokens_are_well_formed_and_tell_no_names(style: str) -> None:
    for palette in PALETTES:
        inks = [token(style, look, palette, 22.25) for look in looks(style, palette)]
        assert len(set(inks)) == len(inks)
        for ink in inks:
            group = ElementTree.fromstring(ink)
            attributes = {name for element in group.iter() for name in element.attrib}
            assert attributes <= {"d", "r", "fill", "fill-opacity", "fill-rule", *STROKE}
            assert not re.search(r"\.\d{3}|\de[-+]|nan|inf", ink)
            assert not [name for name in (*SHAPES, *SYMBOLS, *PALETTES[palette]) if re.search(rf"\b{name}\b", ink)]


def test_looks_that_do_not_fit_the_style_are_refused() -> None:
    with pytest.raises(ValueError, match="the look 'red' names no shape"):
        token("shape_tokens", Look("red", None, "red"), "fair", 20)
    with pytest.raises(KeyError, match="beads"):
        token("beads", Look("red", None, "red"), "fair", 20)


@pytest.mark.parametrize("text", [*"0123456789ABCD", "10"])
def test_the_box_of_a_glyph_is_that_of_its_ink(text: str) -> None:
    glyphs = outline(text, 100)
    left, top, right, bottom = glyphs.box
    assert (left + right, top + bottom) == (pytest.approx(0, abs=0.02), pytest.approx(0, abs=0.02))
    dark = seen(f'<path d="{glyphs.path}"/>', 800, 100).convert("L").point(lambda level: 255 if level < 128 else 0)
    assert dark.getbbox() == pytest.approx([400 + 4 * edge for edge in glyphs.box], abs=1)


def test_glyphs_are_those_of_the_pinned_font() -> None:
    font = (files("font_roboto") / "files" / "Roboto-Bold.ttf").read_bytes()
    assert sha256(font).hexdigest() == FONT_DIGEST
    assert outline("1", 20).path == "M3.09 -7.12V7.12H0.27V-3.77L-3.09 -2.72V-5.01L2.79 -7.12Z"
    assert outline("A", 40).box == pytest.approx([edge * 2 for edge in outline("A", 20).box], abs=0.02)


@pytest.mark.parametrize(("text", "reason"), [("", "nothing to draw in ''"), ("\u4e00", "no outline of '\u4e00'")])
def test_texts_without_outlines_are_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        outline(text, 20)


def test_path_data_is_written_with_two_decimals_and_no_negative_zero() -> None:
    assert scaled("M0 -100L33 1H-100Z", 0.123456) == "M0 -12.35 4.07 0.12H-12.35Z"
    assert "-0" not in scaled("M-1 -1L20 0L-1 30Z", 0.001).replace("-0.", "")
    assert written(-0.001) == "0"
    assert polygons("M0 0H10V10H0Z M1 1Q2 2 3 1Z")[0] == ((0, 0), (10, 0), (10, 10), (0, 10))
    assert len(polygons("M0 0C0 10 10 10 10 0Z")[0]) == STEPS + 1


def test_the_same_text_in_every_process() -> None:
    script = (
        "from hashlib import sha256; from cwr_audits.scenes.cyclic_order.contract import Look\n"
        "from cwr_audits.scenes.cyclic_order import glyphs, looks, tokens\n"
        "inks = [tokens.token('shape_tokens', Look(s, s, None), 'fair', 21.7) for s in looks.SHAPES]\n"
        "inks += [tokens.token('symbol_badges', Look(s, s, None), 'fair', 21.7) for s in looks.SYMBOLS]\n"
        "inks += [tokens.token('colored_beads', Look(c, None, c), 'fair', 21.7) for c in looks.PALETTES['fair']]\n"
        "inks += [glyphs.outline(c, 17.3).path for c in '123456789ABCD']\n"
        "print(sha256(''.join(inks).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(digests) == 1
