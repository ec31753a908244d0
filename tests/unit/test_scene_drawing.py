"""Pictures of the cyclic-order scene: nothing lies on anything else, whatever is combined with whatever."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from io import BytesIO
from itertools import combinations, product
from math import hypot
from pathlib import Path
from xml.etree import ElementTree

import pytest
from coloraide import Color
from PIL import Image
from shapely import LineString, Point, Polygon, box, unary_union
from shapely.affinity import translate
from svg_ink import Piece, ink

from cwr_audits.scenes.cyclic_order import sheet
from cwr_audits.scenes.cyclic_order.contract import (
    FEWEST_TOKENS,
    LABELS,
    LOOP_PATHS,
    MOST_TOKENS,
    SCENE_VARIANTS,
    STYLE_USES,
    TOKEN_STYLES,
    Axes,
    Box,
    Look,
    Option,
    Puzzle,
    Rendering,
)
from cwr_audits.scenes.cyclic_order.drawing import draw, parts
from cwr_audits.scenes.cyclic_order.glyphs import outline
from cwr_audits.scenes.cyclic_order.layout import FRAMES, SIZE, TITLE, Face, layout, moved
from cwr_audits.scenes.cyclic_order.looks import PALETTES, SHAPES, SYMBOLS
from cwr_audits.scenes.cyclic_order.paths import curve, place, stretch
from cwr_audits.scenes.cyclic_order.raster import png
from cwr_audits.scenes.cyclic_order.tokens import extent, silhouette
from cwr_audits.scenes.cyclic_order.variants import INK, INSET, SOFT, TITLES, backdrop

COUNTS = (4, 5, 8, 10)
EVERY_COUNT = tuple(range(FEWEST_TOKENS, MOST_TOKENS + 1))
MARGIN = 8  # pixels between anything and the edge of the picture
APART = 6  # pixels between two things
CLEAR = 10  # pixels between a number and any token, ring, title, frame or arrow
CLEARLY = 1.4  # times as far is a number from every other token as from its own
LEAST_TOKEN, LEAST_NUMBER, LEAST_LETTER, LEAST_STROKE = 44, 26, 34, 3
NEAR_COLOUR = 20  # Lab distance

PAIRS = ((1, 2), (1, 3), (2, 4), (3, 4))
LONG_PAIRS = ((9, 10), (1, 10), (2, 8), (8, 10))


def puzzle(variant: str, path: str, style: str, count: int, palette: str = "fair", answer: int = 2) -> Puzzle:
    """A puzzle by hand: the broken loop is the reference turned by one, with two tokens exchanged."""
    uses, shapes = STYLE_USES[style], SYMBOLS if "symbol" in STYLE_USES[style] else SHAPES
    looks = tuple(
        Look(f"t{index}", None if uses == ("colour",) else shapes[index], colour if "colour" in uses else None)
        for index, colour in zip(range(count), PALETTES[palette], strict=False)
    )
    names = [look.name for look in looks]
    pairs = LONG_PAIRS if count == 10 else PAIRS
    broken, (first, second) = [*names[1:], names[0]], pairs[answer]
    broken[first - 1], broken[second - 1] = broken[second - 1], broken[first - 1]
    options = tuple(
        Option(f"swap_{one}_{two}", label, one, two) for label, (one, two) in zip(LABELS, pairs, strict=True)
    )
    axes = Axes(style, path, variant, palette, count)
    return Puzzle("hand", axes, looks, tuple(names), 1, tuple(broken), options, options[answer].option_id, (), ())


def faults(drawn: Rendering) -> list[str]:
    """What is wrong with where things are, from the boxes alone."""
    boxes = dict(_boxes(drawn))
    found = [f"{name} leaves the picture" for name, shape in boxes.items() if _leaves(shape)]
    for (one, shape), (other, second) in combinations(boxes.items(), 2):
        if shape.distance(second) < APART:
            found.append(f"{one} touches {other}")
    tokens = [box(*at) for at in drawn.token_bboxes_px["broken"]]
    for index, at in enumerate(drawn.number_bboxes_px):
        near, *others = _middle_distances(box(*at), [tokens[index], *tokens[:index], *tokens[index + 1 :]])
        if min(others) < CLEARLY * near:
            found.append(f"number {index + 1} is {min(others) / near:.2f} times as far from another token")
    return found


def _boxes(drawn: Rendering) -> Iterator[tuple[str, Polygon]]:
    for loop, boxes in drawn.token_bboxes_px.items():
        for index, at in enumerate(boxes):
            yield f"{loop} {index + 1}", box(*at)
    for index, at in enumerate(drawn.number_bboxes_px):
        yield f"number {index + 1}", box(*at)
    for name, at in drawn.option_choice_bboxes_px.items():
        yield name, box(*at)


def _leaves(shape: Polygon) -> bool:
    return not box(MARGIN, MARGIN, SIZE - MARGIN, SIZE - MARGIN).contains(shape)


def _middle_distances(shape: Polygon, others: list[Polygon]) -> list[float]:
    return [shape.centroid.distance(other.centroid) for other in others]


def _sizes(boxes: tuple[Box, ...]) -> list[tuple[int, int]]:
    return [(right - left, bottom - top) for left, top, right, bottom in boxes]


@pytest.mark.parametrize("variant", SCENE_VARIANTS)
@pytest.mark.parametrize("count", COUNTS)
def test_nothing_lies_on_anything_else(variant: str, count: int) -> None:
    found = {
        (path, style): faults(draw(puzzle(variant, path, style, count)))
        for path, style in product(LOOP_PATHS, TOKEN_STYLES)
    }
    assert {where: what for where, what in found.items() if what} == {}
    assert len(found) == 25


def test_a_planted_overlap_is_found() -> None:
    drawn = draw(puzzle("necklace_board", "ellipse", "colored_beads", 5))
    one, two, *rest = drawn.token_bboxes_px["broken"]
    assert faults(drawn) == []
    onto = replace(drawn, token_bboxes_px={**drawn.token_bboxes_px, "broken": (one, one, *rest)})
    assert "broken 1 touches broken 2" in faults(onto)
    away = replace(drawn, number_bboxes_px=(_beside(two), *drawn.number_bboxes_px[1:]))
    assert any(fault.startswith("number 1 is") for fault in faults(away))
    out = replace(drawn, option_choice_bboxes_px={"swap_1_2": (900, 900, SIZE, SIZE)})
    assert "swap_1_2 leaves the picture" in faults(out)


def crowded(variant: str, path: str, count: int, numbers: tuple[Box, ...]) -> list[str]:
    """Numbers that are too near to the disc of a token, a ring, a title or a frame."""
    plan = layout(variant, path, count)
    frame, (_, (x, y)) = plan.frame, plan.frame.centres
    reach = plan.radius + (frame.rest + 1.5 if frame.ring else 0)
    things = {f"token {index + 1}": Point(x + u, y + v).buffer(reach) for index, (u, v) in enumerate(plan.tokens)}
    things["title"] = box(*moved(outline(TITLES[1], TITLE).box, frame.titles[1]))
    things["frame"] = box(*frame.panels[1]).buffer(-INSET[variant]).exterior
    return [
        f"number {number} is {box(*at).distance(thing):.1f} from {name}"
        for number, at in enumerate(numbers, 1)
        for name, thing in things.items()
        if box(*at).distance(thing) < CLEAR
    ]


@pytest.mark.parametrize("variant", SCENE_VARIANTS)
@pytest.mark.parametrize("count", EVERY_COUNT)
@pytest.mark.parametrize("path", LOOP_PATHS)
def test_numbers_keep_clear_of_everything(variant: str, path: str, count: int) -> None:
    drawn = draw(puzzle(variant, path, "shape_tokens", count))
    assert crowded(variant, path, count, drawn.number_bboxes_px) == []


def test_a_crowded_number_is_found() -> None:
    first, *others = draw(puzzle("route_loop_diagram", "ellipse", "shape_tokens", 5)).number_bboxes_px
    for to, wanted in (((-8, 0), "token 1"), ((-140, -110), "title"), ((80, 0), "frame")):
        found = crowded("route_loop_diagram", "ellipse", 5, (moved(first, to), *others))
        assert any(wanted in fault for fault in found), to


def _beside(at: Box) -> Box:
    return at[2] + APART, at[1], at[2] + APART + 20, at[1] + 30


@pytest.mark.parametrize("variant", SCENE_VARIANTS)
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("path", LOOP_PATHS)
def test_no_ink_runs_into_a_token_or_a_number(variant: str, path: str, count: int) -> None:
    shown = puzzle(variant, path, TOKEN_STYLES[count % 5], count)
    drawn, plan = draw(shown), layout(variant, path, count)
    found = ink(drawn.svg)
    assert all(box(0, 0, SIZE, SIZE).contains(piece.seen) for piece in found)
    spots = [Point(x + right, y + down) for x, y in plan.frame.centres for right, down in plan.tokens]
    edges = [Polygon(silhouette(shown.axes.token_style, look, plan.radius)) for look in _in_reading_order(shown)]
    tokens = [translate(edge, spot.x, spot.y) for edge, spot in zip(edges, spots, strict=True)]
    assert strangers(found, [*tokens, *(box(*at) for at in drawn.number_bboxes_px)]) == []
    assert crumbs(found, tokens, [spot.buffer(plan.radius) for spot in spots]) == []


def strangers(pieces: list[Piece], things: list[Polygon]) -> list[tuple[int, Box]]:
    """Pieces of ink that come near a thing without belonging to it, by number of the thing."""
    found = []
    for number, thing in enumerate(things):
        own = [piece for piece in pieces if thing.buffer(0.5).contains(piece.seen)]
        assert own
        for piece in pieces:
            if piece.seen.intersects(thing.buffer(3)) and piece not in own:
                found.append((number, piece.seen.bounds))
    return found


def _in_reading_order(shown: Puzzle) -> list[Look]:
    looks = {look.name: look for look in shown.looks}
    return [looks[name] for name in (*shown.reference, *shown.broken)]


def crumbs(pieces: list[Piece], tokens: list[Polygon], discs: list[Polygon]) -> list[tuple[int, Box]]:
    """Bits of ink within the circle of a token that are no part of it, by number of the token: what a token leaves of
    the string in its own recesses."""
    found = []
    for number, (token, disc) in enumerate(zip(tokens, discs, strict=True)):
        for piece in pieces:
            for bit in getattr(piece.seen, "geoms", [piece.seen]):
                if disc.contains(bit) and not token.buffer(0.5).contains(bit):
                    found.append((number, bit.bounds))
    return found


@pytest.mark.parametrize("variant", SCENE_VARIANTS)
def test_a_string_ends_at_the_outline_of_its_tokens(variant: str) -> None:
    """In the same distance, whatever the shape; within a ring, at the ring."""
    shown, rest = puzzle(variant, "polygon_loop", "outline_shape_tokens", 5), FRAMES[variant].rest
    plan, found = layout(variant, "polygon_loop", 5), ink(draw(shown).svg)
    spots = [(x + right, y + down) for x, y in plan.frame.centres for right, down in plan.tokens]
    for look, spot in zip(_in_reading_order(shown), spots, strict=True):
        edge = translate(Polygon(silhouette(shown.axes.token_style, look, plan.radius)), *spot)
        if plan.frame.ring:
            edge = Point(spot).buffer(plan.radius)
        near = min(edge.distance(piece.seen) for piece in found if not edge.buffer(0.5).intersects(piece.seen))
        assert rest - 2 <= near <= rest + 0.5, look


@pytest.mark.parametrize("shift", [0, 7])
@pytest.mark.parametrize(
    ("variant", "path", "style"),
    [
        ("token_ring_outline", "polygon_loop", "outline_shape_tokens"),
        ("token_ring_outline", "wavy_loop", "shape_tokens"),
        ("necklace_board", "rounded_rect", "shape_tokens"),
        ("charm_card_grid", "beaded_string", "outline_shape_tokens"),
    ],
)
def test_nothing_of_a_string_is_left_within_a_token(variant: str, path: str, style: str, shift: int) -> None:
    """Every shape in every other place of a loop."""
    plan = layout(variant, path, 7)
    spots = [Point(x + right, y + down) for x, y in plan.frame.centres for right, down in plan.tokens]
    discs = [spot.buffer(plan.radius) for spot in spots]
    shown = puzzle(variant, path, style, 7)
    names = tuple(zip(shown.looks, SHAPES[shift:], strict=False))
    shown = replace(shown, looks=tuple(replace(look, shape=shape) for look, shape in names))
    for turn in (0, 2, 4):
        turned = (*shown.reference[turn:], *shown.reference[:turn])
        other = replace(shown, reference=turned, broken=(*turned[1:], turned[0]))
        edges = [Polygon(silhouette(style, look, plan.radius)) for look in _in_reading_order(other)]
        tokens = [translate(edge, spot.x, spot.y) for edge, spot in zip(edges, spots, strict=True)]
        assert crumbs(ink(draw(other).svg), tokens, discs) == []


def test_a_crumb_is_found() -> None:
    shown = puzzle("token_ring_outline", "polygon_loop", "outline_shape_tokens", 4)
    crown = replace(shown, looks=tuple(replace(look, shape="crown") for look in shown.looks))
    plan = layout("token_ring_outline", "polygon_loop", 4)
    spots = [(x + right, y + down) for x, y in plan.frame.centres for right, down in plan.tokens]
    edge = Polygon(silhouette("outline_shape_tokens", crown.looks[0], plan.radius))
    x, y = spots[0]
    crumb = f'<path d="M{x - 26} {y - 28}h6" stroke="#222222" stroke-width="4"/></svg>'
    found = ink(draw(crown).svg.replace("</svg>", crumb))
    tokens, discs = [translate(edge, x, y)], [Point(x, y).buffer(plan.radius)]
    assert [number for number, _ in crumbs(found, tokens, discs)] == [0]


@pytest.mark.parametrize("style", TOKEN_STYLES)
def test_the_box_of_a_token_is_that_of_its_silhouette(style: str) -> None:
    for shape in SYMBOLS if style == "symbol_badges" else SHAPES:
        edge = Polygon(silhouette(style, Look("", shape, None), 40)).bounds
        assert extent(style, shape, 40) == pytest.approx(edge, abs=0.05)


def test_ink_on_a_number_is_found() -> None:
    drawn = draw(puzzle("route_loop_diagram", "wavy_loop", "shape_tokens", 5))
    left, top, _, _ = drawn.number_bboxes_px[0]
    stain = f'<path d="M{left - 20} {top + 5}H{left + 5}" stroke="#222222" stroke-width="3"/></svg>'
    assert strangers(ink(drawn.svg.replace("</svg>", stain)), [box(*drawn.number_bboxes_px[0])])


@pytest.mark.parametrize("variant", SCENE_VARIANTS)
def test_what_is_on_a_card_stays_apart(variant: str) -> None:
    """Letter, numbers and swap marker, with the longest numbers there are; the row is in the middle of its room."""
    face = FRAMES[variant].face
    axis = 1 if face.upright else 0
    drawn = draw(puzzle(variant, "ellipse", "colored_beads", 10))
    found = ink(drawn.svg)
    for at in drawn.option_choice_bboxes_px.values():
        inside = [piece for piece in found if box(*at).buffer(-3).contains(piece.seen)]
        letter = translate(box(*face.letter_box), *at[:2])
        texts = [piece.seen for piece in inside if piece.colour == INK]
        marks = [piece.seen for piece in inside if piece.colour == SOFT and not letter.contains(piece.seen)]
        assert len(texts) == 3
        assert len(marks) >= 4, "two arrows of line and head"
        assert min(one.distance(other) for one, other in combinations(texts, 2)) >= APART
        assert min(one.distance(other) for one, other in product(texts, marks)) >= CLEAR
        row = unary_union([*texts[1:], *marks]).bounds
        start, end = row[axis] - at[axis] - _before(face, axis), at[axis + 2] - row[axis + 2]
        assert start == pytest.approx(end, abs=2)
        assert min(start, end) >= CLEAR
        before, after = (_mark_gap(one.bounds, marks, axis) for one in texts[1:])
        assert before == pytest.approx(after, abs=2)


def _before(face: Face, axis: int) -> int:
    """What the letter takes of a card in the direction in which the row runs."""
    wide, high = face.letter_box[2:]
    beside = high > wide
    return (wide, 0)[axis] if beside else (0, high)[axis]


def _mark_gap(text: tuple[float, float, float, float], marks: list[Polygon], axis: int) -> float:
    """From a number to the swap marker, along the row."""
    start, end = (unary_union(marks).bounds[place] for place in (axis, axis + 2))
    return max(float(start - text[axis + 2]), float(text[axis] - end))


@cache
def _size_of_letters(variant: str) -> list[float]:
    """Heights of what is written on a card, the tallest first."""
    drawn = draw(puzzle(variant, "ellipse", "colored_beads", 5))
    first = box(*next(iter(drawn.option_choice_bboxes_px.values()))).buffer(-3)
    texts = [piece.seen.bounds for piece in ink(drawn.svg) if piece.colour == INK and first.contains(piece.seen)]
    return sorted((bottom - top for _, top, _, bottom in texts), reverse=True)


@pytest.mark.parametrize("variant", SCENE_VARIANTS)
def test_everything_is_large_enough_at_half_size(variant: str) -> None:
    for count in COUNTS:
        plan = layout(variant, "ellipse", count)
        assert 2 * plan.radius >= LEAST_TOKEN
        drawn = draw(puzzle(variant, "ellipse", "colored_beads", count))
        assert min(high for _, high in _sizes(drawn.number_bboxes_px)) >= LEAST_NUMBER
        assert min(min(size) for boxes in drawn.token_bboxes_px.values() for size in _sizes(boxes)) >= LEAST_TOKEN
    letter, first, second = _size_of_letters(variant)
    assert letter >= LEAST_LETTER
    assert min(first, second) >= LEAST_NUMBER
    widths = re.findall(r'stroke-width="([\d.]+)"', backdrop(variant, "ellipse", 5))
    assert min(map(float, widths)) >= LEAST_STROKE


@pytest.mark.parametrize("variant", SCENE_VARIANTS)
def test_cards_have_one_size_and_their_borders_run_along_their_boxes(variant: str) -> None:
    drawn = draw(puzzle(variant, "ellipse", "colored_beads", 5))
    boxes = tuple(drawn.option_choice_bboxes_px.values())
    assert len(set(_sizes(boxes))) == 1
    assert all(type(number) is int for at in boxes for number in at)
    assert [*boxes] == sorted(boxes, key=lambda at: (at[1], at[0])), "reading order"
    image = Image.open(BytesIO(png(drawn.svg))).convert("L")
    for left, top, right, bottom in boxes:
        x, y = (left + right) // 2, (top + bottom) // 2
        across = [image.getpixel((at, y - 30)) for side in (left, right) for at in range(side - 3, side + 3)]
        down = [image.getpixel((x + 30, at)) for side in (top, bottom) for at in range(side - 3, side + 3)]
        for dark in (across[:6], across[6:], down[:6], down[6:]):
            assert [type(value) is int and value < 60 for value in dark] == [False, True, True, True, True, False]


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("path", LOOP_PATHS)
def test_a_curve_is_walked_clockwise_from_the_top_and_comes_nowhere_near_itself(path: str, count: int) -> None:
    on = curve(path, 150, 130, count)
    points = stretch(on, 0, on.length)
    assert points[0] == pytest.approx(points[-1])
    assert points[0][0] == pytest.approx(0)
    assert points[0][1] < 0 < points[3][0]
    line = LineString([*points[:-1], points[0]])
    assert line.is_ring
    assert max(abs(x) for x, _ in points) <= 150.01
    assert max(abs(y) for _, y in points) <= 130.01
    for step in range(40):
        at = place(on, on.length * step / 40)
        assert hypot(at.out_x, at.out_y) == pytest.approx(1)
        out = LineString([(at.x + at.out_x, at.y + at.out_y), (at.x + 40 * at.out_x, at.y + 40 * at.out_y)])
        assert not out.intersects(line), "what is outside stays outside, and no strand is within 40 pixels"


@pytest.mark.parametrize("variant", SCENE_VARIANTS)
@pytest.mark.parametrize("path", LOOP_PATHS)
@pytest.mark.parametrize("count", COUNTS)
def test_positions_are_spaced_evenly_and_begin_after_the_gap(variant: str, path: str, count: int) -> None:
    plan = layout(variant, path, count)
    steps = {round(after - before, 6) for before, after in zip(plan.distances, plan.distances[1:], strict=False)}
    assert len(steps) == 1
    assert plan.distances[0] == pytest.approx(plan.curve.length - plan.distances[-1])
    (x, y), (u, v) = plan.tokens[0], plan.tokens[-1]
    assert (x, y) == (-u, v), "the gap lies in the middle of the top"
    assert x > 0 > y


def test_the_picture_is_well_formed_and_has_nothing_but_shapes() -> None:
    allowed = {"svg", "g", "path", "rect", "circle"}
    for variant, path, style in product(SCENE_VARIANTS, LOOP_PATHS, TOKEN_STYLES):
        svg = draw(puzzle(variant, path, style, 5)).svg
        nodes = [*ElementTree.fromstring(svg).iter()]
        assert {node.tag.rpartition("}")[2] for node in nodes} <= allowed
        assert all(not (node.text or "").strip() and not (node.tail or "").strip() for node in nodes)
        names = {name for node in nodes for name in node.attrib}
        assert not names & {"id", "class", "href", "style", "name", "role"}
        assert not any(name.startswith(("data-", "aria-")) for name in names)
        assert re.search(r"\d\.\d{3}", svg) is None


def test_the_picture_tells_no_more_than_is_seen() -> None:
    """The same loops with another right answer, other names and another seed are drawn by the same bytes."""
    one = puzzle("charm_card_grid", "wavy_loop", "colored_shape_tokens", 5)
    names = {look.name: f"n{index}" for index, look in enumerate(reversed(one.looks))}
    other = replace(
        one,
        instance_seed="other",
        looks=tuple(replace(look, name=names[look.name]) for look in one.looks),
        reference=tuple(names[name] for name in one.reference),
        broken=tuple(names[name] for name in one.broken),
        options=tuple(replace(option, option_id=f"o{option.label}") for option in one.options),
        answer="oA",
        near_misses=("oB",),
    )
    assert draw(one).svg == draw(other).svg


def test_labels_change_nothing_but_what_stands_on_the_cards() -> None:
    one = puzzle("necklace_board", "ellipse", "symbol_badges", 5)
    swapped = [one.options[place] for place in (3, 2, 1, 0)]
    other = replace(
        one,
        options=tuple(replace(option, label=label) for option, label in zip(swapped, LABELS, strict=True)),
    )
    before, after = (ElementTree.fromstring(draw(each).svg) for each in (one, other))
    differ = [index for index, (a, b) in enumerate(zip(before, after, strict=True)) if _text(a) != _text(b)]
    assert differ == [*range(len(before) - 4, len(before))]


def _text(node: ElementTree.Element) -> bytes:
    return ElementTree.tostring(node)


def test_decoration_has_no_colour_of_a_palette() -> None:
    for variant, path in product(SCENE_VARIANTS, ("ellipse", "beaded_string")):
        mine = {*re.findall(r"#[0-9a-f]{6}", backdrop(variant, path, 5))}
        assert mine
        for colour, palette in product(mine, PALETTES.values()):
            near = min(palette, key=lambda name: Color(colour).delta_e(palette[name], method="76"))
            assert Color(colour).delta_e(palette[near], method="76") >= NEAR_COLOUR, (colour, near)


def test_a_picture_with_text_is_refused_and_another_width_is_another_size() -> None:
    with pytest.raises(ValueError, match="draw outlines"):
        png('<svg xmlns="http://www.w3.org/2000/svg"><text>A</text></svg>')
    svg = draw(puzzle("token_ring_outline", "ellipse", "symbol_badges", 4)).svg
    assert Image.open(BytesIO(png(svg))).size == (SIZE, SIZE)
    assert Image.open(BytesIO(png(svg, 512))).size == (512, 512)
    assert png(svg) == png(svg)
    with pytest.raises(ValueError, match="no picture that can be drawn"):
        png("<svg")


SHEETS = Path(__file__).parents[2] / "docs" / "cyclic-order"


def test_the_pictures_of_the_page_are_what_they_should_be(tmp_path: Path) -> None:
    made = sheet.files()
    kept = {path.name: path.read_bytes() for path in SHEETS.iterdir()}
    assert kept.keys() == made.keys()
    stale = [name for name, content in made.items() if kept[name] != content]
    assert stale == [], "python -m cwr_audits.scenes.cyclic_order.sheet docs/cyclic-order"
    sheet.main(str(tmp_path / "new"))
    assert {path.name: path.read_bytes() for path in (tmp_path / "new").iterdir()} == made
    page = (SHEETS.parent / "cyclic-order.md").read_text(encoding="utf-8")
    assert all(f"](cyclic-order/{name})" in page for name in made)


def test_a_contact_sheet_shows_all_its_combinations_and_refers_to_itself_only() -> None:
    for variant, content in zip(SCENE_VARIANTS, sheet.sheets().values(), strict=True):
        root = ElementTree.fromstring(content)
        names = {node.attrib["id"] for node in root.iter() if "id" in node.attrib}
        used = [node.attrib["href"] for node in root.iter() if "href" in node.attrib]
        assert {name.removeprefix("#") for name in used} == names
        tokens = {
            part.ink
            for path, style in product(LOOP_PATHS, TOKEN_STYLES)
            for part in [*parts(sheet.shown(variant, path, style))][1:11]
        }
        assert all(token.encode() in content for token in tokens)
        assert all(backdrop(variant, path, sheet.TOKENS).encode() in content for path in LOOP_PATHS)


def test_the_example_is_the_puzzle_that_the_page_tells() -> None:
    page = (SHEETS.parent / "cyclic-order.md").read_text(encoding="utf-8")
    shown = sheet.example()
    assert f"reference   {' '.join(shown.reference)}\n" in page
    assert " ".join(f"{place}:{name}" for place, name in enumerate(shown.broken, 1)) in page


def test_pictures_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "from hashlib import sha256\n"
        "from cwr_audits.scenes.cyclic_order.contract import SceneConfig\n"
        "from cwr_audits.scenes.cyclic_order.drawing import draw\n"
        "from cwr_audits.scenes.cyclic_order.sampling import sample\n"
        "print(sha256(repr([draw(sample(str(seed), SceneConfig())) for seed in range(20)]).encode()).hexdigest())\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
