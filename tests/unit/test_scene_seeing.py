"""Pictures of the cyclic-order scene are read back from their pixels, and what is wrong with a picture is seen.

The mutants change pixels, or the claims of a record, of one picture; each is caught by the checks that are there for
it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from io import BytesIO
from itertools import combinations
from typing import Any, NamedTuple

import font_roboto
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont, ImageOps
from PIL.PngImagePlugin import PngInfo

from cwr_audits.scenes.cyclic_order.claims import narrowed, read_claims
from cwr_audits.scenes.cyclic_order.contract import LABELS, LOOP_PATHS, SCENE_VARIANTS, TOKEN_STYLES, Box, SceneConfig
from cwr_audits.scenes.cyclic_order.drawing import draw
from cwr_audits.scenes.cyclic_order.looks import PALETTES
from cwr_audits.scenes.cyclic_order.prompts import prompt
from cwr_audits.scenes.cyclic_order.raster import png
from cwr_audits.scenes.cyclic_order.records import record, write_record
from cwr_audits.scenes.cyclic_order.sampling import instance_seed, sample
from cwr_audits.scenes.cyclic_order.seeing import CHECKS, Seen, seen
from cwr_audits.scenes.cyclic_order.sight import pngbytes
from cwr_audits.scenes.cyclic_order.sight.arrows import direction
from cwr_audits.scenes.cyclic_order.sight.borders import sides
from cwr_audits.scenes.cyclic_order.sight.characters import CHARACTERS, _stencils, characters, numbers
from cwr_audits.scenes.cyclic_order.sight.looking import look
from cwr_audits.scenes.cyclic_order.sight.pixels import Sheet, sheet
from cwr_audits.scenes.cyclic_order.sight.puzzle import read_puzzle
from cwr_audits.scenes.cyclic_order.sight.svgtext import elements, faults
from cwr_solvers.errors import MalformedInput

COUNTS = (4, 5, 8, 10)
SAMPLES = 20
INK = (31, 35, 48)
EMPTY = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" viewBox="0 0 8 8">'


class Picture(NamedTuple):
    """A picture that can be changed: its record, its pixels, and its SVG."""

    record: Any
    image: Image.Image
    svg: str

    def seen(self) -> Seen:
        """What is seen of it."""
        data = BytesIO()
        self.image.save(data, "PNG", compress_level=1)
        return seen(self.record, data.getvalue(), self.svg)


@cache
def drawn(index: int, count: int, style: str, variant: str, path: str, palette: str) -> Picture:
    config = SceneConfig((count,), (style,), (path,), (variant,), (palette,))
    seed = instance_seed("seeing", index)
    puzzle = sample(seed, config)
    rendering = draw(puzzle)
    size = (rendering.width, rendering.height)
    made = write_record(record(puzzle, config, rendering, prompt(seed, *size), size))
    return Picture(made, Image.open(BytesIO(png(rendering.svg))).convert("RGB"), rendering.svg)


def sampled(index: int) -> tuple[int, str, str, str, str]:
    """Axes by number: every pair of style and variant, and every value of the others."""
    return (
        COUNTS[(index // 5) % 4],
        TOKEN_STYLES[index % 5],
        SCENE_VARIANTS[index % 4],
        LOOP_PATHS[(index + index // 5) % 5],
        tuple(PALETTES)[index % len(PALETTES)],
    )


def fresh() -> Picture:
    """A picture to change: five tokens with shapes and colours."""
    found = drawn(0, 5, "colored_shape_tokens", "route_loop_diagram", "ellipse", next(iter(PALETTES)))
    return Picture(copy.deepcopy(found.record), found.image.copy(), found.svg)


def caught(picture: Picture) -> set[str]:
    return {one.check for one in picture.seen().findings}


def where(picture: Picture) -> Any:
    return picture.record["render_map"]


def card_boxes(picture: Picture) -> dict[str, list[int]]:
    """The boxes of the cards, by letter."""
    specs = picture.record["execution_trace"]["option_specs"]
    return {one["label"]: where(picture)["option_choice_bboxes_px"][one["option_choice_id"]] for one in specs}


def moved(box: list[int], *by: int) -> None:
    box[:] = [edge + step for edge, step in zip(box, by, strict=True)]


def grown(box: list[int], by: int) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def exchange(image: Image.Image, one: Box, other: Box) -> None:
    """The contents of two boxes change places, whole sizes kept."""
    kept = image.crop(one)
    image.paste(image.crop(other), one[:2])
    image.paste(kept, other[:2])


# --- pictures as they are


@pytest.mark.parametrize("index", range(SAMPLES))
def test_a_picture_shows_what_its_record_claims(index: int) -> None:
    count, *axes = sampled(index)
    found = drawn(index, count, *axes).seen()
    assert found.findings == ()
    assert found.verified
    applicable = set(CHECKS) if found.examined.get("colours") or "colored" in axes[0] else {*CHECKS} - {"colours"}
    assert set(found.examined) == applicable
    assert found.examined["borders"] == 2 * 4 * 4
    assert found.examined["letters"] == found.examined["swaps"] == 2 * 4
    assert found.examined["numbers"] == found.examined["nearest"] == found.examined["alike"] == 2 * count
    assert found.examined["tokens"] == 2 * 2 * count
    assert found.examined["answer"] == found.examined["annotation"] == 2
    assert found.measured["borders"][1] <= 1


def test_every_value_of_every_axis_is_sampled() -> None:
    axes = [set(values) for values in zip(*map(sampled, range(SAMPLES)), strict=True)]
    assert axes == [set(COUNTS), set(TOKEN_STYLES), set(SCENE_VARIANTS), set(LOOP_PATHS), set(PALETTES)]


def test_the_puzzle_is_read_from_the_picture_alone() -> None:
    picture = fresh()
    claims = read_claims(picture.record)
    puzzle = read_puzzle(look(claims, as_sheet(picture.image)))
    assert puzzle is not None
    reference, broken, cards = puzzle
    names = dict(zip(reference, claims.sequences["reference"], strict=True))
    assert tuple(names[one] for one in broken) == claims.sequences["broken"]
    assert cards == {card.label: card.swap for card in claims.cards}


def as_sheet(image: Image.Image) -> Sheet:
    data = BytesIO()
    image.save(data, "PNG")
    return sheet(data.getvalue())


# --- changed claims


def shifted(right: int, down: int, wider: int = 0) -> Callable[[Picture], None]:
    """The box of card B claimed elsewhere, or wider."""
    return lambda picture: moved(card_boxes(picture)["B"], right - wider, down, right + wider, down)


def claimed_cards_exchanged(picture: Picture) -> None:
    boxes = card_boxes(picture)
    kept = list(boxes["A"])
    boxes["A"][:] = boxes["D"]
    boxes["D"][:] = kept


def claimed_token_shifted(picture: Picture) -> None:
    moved(where(picture)["token_bboxes_px"]["reference"][1], 3, 0, 3, 0)


def claimed_number_shifted(picture: Picture) -> None:
    moved(where(picture)["number_bboxes_px"][2], 0, -3, 0, -3)


def claimed_numbers_exchanged(picture: Picture) -> None:
    where(picture)["number_bboxes_px"][0:2] = where(picture)["number_bboxes_px"][1::-1]


def claimed_off_the_canvas(picture: Picture) -> None:
    moved(card_boxes(picture)["D"], 40, 0, 40, 0)


def claimed_order_reversed(picture: Picture) -> None:
    where(picture)["token_bboxes_px"]["reference"].reverse()
    picture.record["execution_trace"]["reference_sequence"].reverse()


def claimed_broken_otherwise(picture: Picture) -> None:
    names = picture.record["execution_trace"]["broken_sequence"]
    names[0], names[2] = names[2], names[0]


def claimed_swap_otherwise(picture: Picture) -> None:
    specs = picture.record["execution_trace"]["option_specs"]
    specs[0]["swap"], specs[3]["swap"] = specs[3]["swap"], specs[0]["swap"]


def claimed_answer_otherwise(picture: Picture) -> None:
    answer = picture.record["answer_gt"]["value"]
    picture.record["answer_gt"]["value"] = next(label for label in LABELS if label != answer)


def claimed_box_otherwise(picture: Picture) -> None:
    answer = picture.record["answer_gt"]["value"]
    other = next(box for label, box in card_boxes(picture).items() if label != answer)
    picture.record["annotation_gt"]["value"] = list(other)


def claimed_text_otherwise(picture: Picture) -> None:
    where(picture)["svg_sha256"] = "0" * 64


def claimed_size_otherwise(picture: Picture) -> None:
    where(picture)["width"] += 1


@pytest.mark.parametrize(
    ("change", "checks"),
    [
        (shifted(2, 0), {"borders"}),
        (shifted(-2, 0), {"borders"}),
        (shifted(0, 2), {"borders"}),
        (shifted(0, -2), {"borders"}),
        (shifted(0, 0, 2), {"borders"}),
        (shifted(0, 0, 40), {"borders"}),
        (claimed_cards_exchanged, {"letters", "swaps"}),
        (claimed_token_shifted, {"tokens"}),
        (claimed_number_shifted, {"numbers"}),
        (claimed_numbers_exchanged, {"numbers"}),
        (claimed_off_the_canvas, {"canvas", "borders"}),
        (claimed_order_reversed, {"direction"}),
        (claimed_broken_otherwise, {"alike"}),
        (claimed_swap_otherwise, {"swaps"}),
        (claimed_answer_otherwise, {"answer", "annotation"}),
        (claimed_box_otherwise, {"annotation"}),
        (claimed_text_otherwise, {"text"}),
        (claimed_size_otherwise, {"size"}),
    ],
)
def test_a_false_claim_is_seen(change: Callable[[Picture], None], checks: set[str]) -> None:
    picture = fresh()
    change(picture)
    assert checks <= caught(picture)


def test_a_check_that_examined_nothing_has_failed() -> None:
    picture = fresh()
    claimed_size_otherwise(picture)
    found = picture.seen()
    assert not found.verified
    nothing = {one.check for one in found.findings if one.fault == "nothing was examined"}
    assert nothing == set(CHECKS) - {"text", "size"}


# --- changed pictures


def border_moved(picture: Picture) -> None:
    box = grown(card_boxes(picture)["C"], 4)
    part = picture.image.crop(box)
    picture.image.paste(part, (box[0] + 2, box[1]))


def border_open(picture: Picture) -> None:
    left, top, _, _ = card_boxes(picture)["C"]
    ImageDraw.Draw(picture.image).rectangle((left - 5, top + 60, left + 5, top + 70), fill="white")


def token_hidden(picture: Picture) -> None:
    first, second = where(picture)["token_bboxes_px"]["broken"][:2]
    picture.image.paste(picture.image.crop(grown(first, 1)), (second[0] - 25, second[1] + 20))


def token_missing(picture: Picture) -> None:
    ImageDraw.Draw(picture.image).rectangle(grown(where(picture)["token_bboxes_px"]["broken"][0], 2), fill="white")


def token_copied(picture: Picture) -> None:
    """In both loops, the token of one name looks like that of another."""
    trace, boxes = picture.record["execution_trace"], where(picture)["token_bboxes_px"]
    names = trace["reference_sequence"][:2]
    for loop in ("reference", "broken"):
        from_, to = (boxes[loop][trace[f"{loop}_sequence"].index(name)] for name in names)
        middle = [(to[0] + to[2]) // 2, (to[1] + to[3]) // 2]
        ImageDraw.Draw(picture.image).rectangle(grown(to, 2), fill="white")
        corner = (middle[0] - (from_[2] - from_[0]) // 2, middle[1] - (from_[3] - from_[1]) // 2)
        picture.image.paste(picture.image.crop(tuple(from_)), corner)
        to[:] = [*corner, corner[0] + from_[2] - from_[0], corner[1] + from_[3] - from_[1]]


def tokens_exchanged(picture: Picture) -> None:
    """Two tokens of the broken loop in each other's place; nothing of the claims is touched but their boxes."""
    boxes = where(picture)["token_bboxes_px"]["broken"]
    exchange_tokens(picture.image, boxes[0], boxes[2])


def exchange_tokens(image: Image.Image, one: list[int], other: list[int]) -> None:
    parts = [image.crop(tuple(box)) for box in (one, other)]
    middles = [((box[0] + box[2]) // 2, (box[1] + box[3]) // 2) for box in (one, other)]
    for box in (one, other):
        ImageDraw.Draw(image).rectangle(grown(box, 2), fill="white")
    for box, part, (x, y) in zip((one, other), reversed(parts), middles, strict=True):
        corner = (x - part.width // 2, y - part.height // 2)
        image.paste(part, corner)
        box[:] = [*corner, corner[0] + part.width, corner[1] + part.height]


def number_at_another_token(picture: Picture) -> None:
    """The number 1 is moved, and claimed, as near to the second token as it was to the first."""
    boxes, number = where(picture)["token_bboxes_px"]["broken"], where(picture)["number_bboxes_px"][0]
    part = picture.image.crop(grown(number, 1))
    ImageDraw.Draw(picture.image).rectangle(grown(number, 1), fill="white")
    number[:] = [boxes[1][0] - 10, boxes[1][1] - 60, 0, 0]
    number[2:] = [number[0] + part.width - 2, number[1] + part.height - 2]
    picture.image.paste(part, (number[0] - 1, number[1] - 1))


def numbers_exchanged(picture: Picture) -> None:
    one, other = where(picture)["number_bboxes_px"][2:4]
    exchange(picture.image, grown(one, 1), grown(other, 1))


def inside(picture: Picture, label: str, low: float, high: float) -> Box:
    """A part of a card's inside, by shares of its width."""
    left, top, right, bottom = card_boxes(picture)[label]
    wide = right - left
    return left + round(low * wide) + 8, top + 8, left + round(high * wide) - 8, bottom - 8


def letters_exchanged(picture: Picture) -> None:
    exchange(picture.image, inside(picture, "A", 0, 0.25), inside(picture, "B", 0, 0.25))


def card_numbers_exchanged(picture: Picture) -> None:
    exchange(picture.image, inside(picture, "A", 0.3, 1), inside(picture, "D", 0.3, 1))


def letter_missing(picture: Picture) -> None:
    ImageDraw.Draw(picture.image).rectangle(inside(picture, "A", 0, 0.25), fill="white")


def third_number(picture: Picture) -> None:
    """On a card, one of its two numbers again."""
    left, top, right, bottom = inside(picture, "A", 0.3, 1)
    part = picture.image.crop((left, top, (left + right) // 2 - 60, bottom))
    picture.image.paste(part, ((left + right) // 2 - 30, top))


def mark_missing(picture: Picture) -> None:
    left, top, right, bottom = inside(picture, "A", 0.3, 1)
    middle = (left + right) // 2
    ImageDraw.Draw(picture.image).rectangle((middle - 70, top, middle + 70, bottom), fill="white")


def card_marked(picture: Picture) -> None:
    """A card whose ground is a little darker than that of the others."""
    box = inside(picture, "C", 0.3, 1)
    pixels = np.array(picture.image.crop(box))
    pixels[(pixels == 255).all(axis=2)] = 252
    picture.image.paste(Image.fromarray(pixels), box[:2])


def number_astray(picture: Picture) -> None:
    """A number at a token of the reference, which has none."""
    box = where(picture)["number_bboxes_px"][0]
    below = where(picture)["token_bboxes_px"]["reference"][0]
    picture.image.paste(picture.image.crop(grown(box, 1)), (below[2] + 15, below[1] - 30))


def ink_at_the_edge(picture: Picture) -> None:
    ImageDraw.Draw(picture.image).rectangle((0, 300, 3, 310), fill=INK)


def arrow_turned(picture: Picture) -> None:
    boxes = where(picture)["token_bboxes_px"]["reference"]
    x, y = (sum(box[side] + box[side + 2] for box in boxes) // (2 * len(boxes)) for side in (0, 1))
    around = (x - 75, y - 85, x + 75, y + 85)
    picture.image.paste(ImageOps.mirror(picture.image.crop(around)), around[:2])


def arrow_missing(picture: Picture) -> None:
    boxes = where(picture)["token_bboxes_px"]["broken"]
    x, y = (sum(box[side] + box[side + 2] for box in boxes) // (2 * len(boxes)) for side in (0, 1))
    ImageDraw.Draw(picture.image).rectangle((x - 75, y - 85, x + 75, y + 85), fill="white")


def colours_near(picture: Picture) -> None:
    """In both loops, the token of one name has nearly the colour of another."""
    trace, boxes = picture.record["execution_trace"], where(picture)["token_bboxes_px"]
    names = trace["reference_sequence"][:2]
    for loop in ("reference", "broken"):
        one, other = (boxes[loop][trace[f"{loop}_sequence"].index(name)] for name in names)
        wanted, found = (middle_colour(picture.image, box) for box in (one, other))
        pixels = np.array(picture.image.crop(tuple(other)))
        pixels[(pixels == found).all(axis=2)] = [channel ^ 16 for channel in wanted]
        picture.image.paste(Image.fromarray(pixels), tuple(other[:2]))


def middle_colour(image: Image.Image, box: list[int]) -> tuple[int, ...]:
    found = image.getpixel(((box[0] + box[2]) // 2, (box[1] + box[3]) // 2))
    assert isinstance(found, tuple)
    return found


@pytest.mark.parametrize(
    ("change", "checks"),
    [
        (border_moved, {"borders"}),
        (border_open, {"borders"}),
        (token_hidden, {"tokens", "alike"}),
        (token_missing, {"tokens", "answer"}),
        (token_copied, {"different", "alike", "answer"}),
        (tokens_exchanged, {"alike", "answer"}),
        (number_at_another_token, {"nearest", "answer"}),
        (numbers_exchanged, {"numbers", "answer"}),
        (letters_exchanged, {"letters"}),
        (letter_missing, {"letters", "answer"}),
        (card_numbers_exchanged, {"swaps"}),
        (third_number, {"swaps", "answer"}),
        (mark_missing, {"marks"}),
        (card_marked, {"plain"}),
        (number_astray, {"strays"}),
        (ink_at_the_edge, {"canvas"}),
        (arrow_turned, {"direction"}),
        (arrow_missing, {"direction"}),
        (colours_near, {"colours"}),
    ],
)
def test_a_changed_picture_is_seen(change: Callable[[Picture], None], checks: set[str]) -> None:
    picture = fresh()
    change(picture)
    assert checks <= caught(picture)


@pytest.mark.parametrize("exchanged", tuple(combinations(LABELS, 2)), ids="".join)
def test_exchanged_cards_change_the_answer_that_is_read(exchanged: tuple[str, str]) -> None:
    """Also where every letter and every number is on a card: what belongs together is read together."""
    picture = fresh()
    one, other = (inside(picture, label, 0.3, 1) for label in exchanged)
    exchange(picture.image, one, other)
    found = caught(picture)
    assert "swaps" in found
    assert ("answer" in found) == (picture.record["answer_gt"]["value"] in exchanged)


def test_a_token_under_another_is_seen_whether_it_is_claimed_or_not() -> None:
    picture = fresh()
    first, second = where(picture)["token_bboxes_px"]["broken"][:2]
    part = picture.image.crop(tuple(first))
    corner = (second[0] - 30, second[1] + 30)
    picture.image.paste(part, corner)
    first[:] = [*corner, corner[0] + part.width, corner[1] + part.height]
    assert {"apart", "tokens"} <= caught(picture)


def test_what_the_svg_draws_over_a_token_is_seen() -> None:
    picture = fresh()
    left, top, right, bottom = where(picture)["token_bboxes_px"]["reference"][0]
    over = f'<circle cx="{(left + right) // 2}" cy="{(top + bottom) // 2}" r="30" fill="#1f2330"/></svg>'
    svg = picture.svg.replace("</svg>", over)
    where(picture)["svg_sha256"] = sha256(svg.encode()).hexdigest()
    changed = Picture(picture.record, Image.open(BytesIO(png(svg))).convert("RGB"), svg)
    found = caught(changed)
    assert {"alike", "answer"} <= found
    assert "text" not in found


def test_bytes_that_are_no_picture_are_no_finding_but_an_error() -> None:
    picture = fresh()
    with pytest.raises(OSError, match="cannot identify"):
        seen(picture.record, b"no picture", picture.svg)


def test_a_transparent_picture_is_seen() -> None:
    picture = fresh()
    image = picture.image.convert("RGBA")
    image.putpixel((5, 5), (255, 255, 255, 254))
    assert caught(Picture(picture.record, image, picture.svg)) == {"size"}


def test_what_stands_in_the_bytes_beside_the_pixels_is_seen() -> None:
    picture = fresh()
    told, data = PngInfo(), BytesIO()
    told.add_text("answer", "B")
    picture.image.save(data, "PNG", pnginfo=told)
    assert {(one.check, one.fault) for one in seen(picture.record, data.getvalue(), picture.svg).findings} == {
        ("text", "a chunk 'tEXt'")
    }


def test_a_png_is_whole_and_nothing_stands_behind_it() -> None:
    data = BytesIO()
    blank(8, 8).save(data, "PNG")
    whole, fault = data.getvalue(), ["no PNG, or not whole, or something stands behind it"]
    assert list(pngbytes.faults(whole)) == []
    for bad in (whole + b"B", whole[:-1], b"", whole[1:]):
        assert list(pngbytes.faults(bad))[:1] == fault


def test_a_resolution_is_what_every_picture_states_or_a_fault() -> None:
    """It could carry an answer as well as a text could."""

    def stating(dots: float) -> bytes:
        data = BytesIO()
        blank(8, 8).save(data, "PNG", dpi=(dots, dots))
        return data.getvalue()

    assert list(pngbytes.faults(stating(72))) == []
    assert list(pngbytes.faults(stating(73))) == ["a chunk 'pHYs'"]


# --- claims


@pytest.mark.parametrize(
    ("keys", "value", "code", "at"),
    [
        (("render_map",), None, "wrong-type", "/render_map"),
        (("render_map", "width"), 0, "out-of-range", "/render_map/width"),
        (("render_map", "number_bboxes_px"), [], "out-of-range", "/render_map/number_bboxes_px"),
        (
            ("render_map", "token_bboxes_px", "reference"),
            [],
            "out-of-range",
            "/render_map/token_bboxes_px/reference",
        ),
        (("axes", "token_style"), "plain", "unknown-name", "/axes/token_style"),
        (("answer_gt", "value"), "E", "unknown-name", "/answer_gt/value"),
        (("annotation_gt", "value"), [1, 2, 3], "out-of-range", "/annotation_gt/value"),
        (("annotation_gt", "value"), [3, 2, 3, 4], "contradiction", "/annotation_gt/value"),
        (("execution_trace", "option_specs"), [], "out-of-range", "/execution_trace/option_specs"),
        (("execution_trace", "broken_sequence"), ["a"] * 5, "contradiction", "/execution_trace/broken_sequence"),
    ],
)
def test_a_record_without_claims_is_refused(keys: tuple[str, ...], value: Any, code: str, at: str) -> None:
    changed = fresh().record
    place = changed
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    with pytest.raises(MalformedInput) as refused:
        read_claims(changed)
    assert refused.value.code == code
    assert refused.value.pointer.startswith(at)


def test_claims_are_scaled_to_the_nearest_pixel_halves_up() -> None:
    claims = read_claims(fresh().record)
    small = narrowed(claims, claims.width // 2)
    assert (small.width, small.height) == (claims.width // 2, claims.height // 2)
    assert small.numbers[0] == tuple((edge + 1) // 2 for edge in claims.numbers[0])


# --- eyes


def blank(width: int = 300, height: int = 200) -> Image.Image:
    return Image.new("RGB", (width, height), "white")


@pytest.mark.parametrize("radius", [0, 12])
def test_a_border_is_measured_along_its_straight_parts(radius: int) -> None:
    image = blank(1024)
    ImageDraw.Draw(image).rounded_rectangle((18, 28, 201, 131), radius, outline=INK, width=4)
    straight = [side.deviation for side in sides(as_sheet(image), (20, 30, 200, 130))]
    assert straight == pytest.approx([0] * 4, abs=1e-6)
    by_side = {side.name: side.deviation for side in sides(as_sheet(image), (22, 30, 200, 129))}
    assert by_side == pytest.approx({"left": 2, "top": 0, "right": 0, "bottom": 1}, abs=1e-6)


def test_a_slanted_or_pale_border_is_no_border() -> None:
    slanted, pale = blank(), blank()
    ImageDraw.Draw(slanted).polygon([(20, 30), (200, 36), (200, 130), (20, 130)], outline=INK, width=4)
    top = sides(as_sheet(slanted), (20, 30, 200, 130))[1]
    assert top.deviation is None or top.deviation > 1
    ImageDraw.Draw(pale).rectangle((18, 28, 201, 131), outline="#c0c0c0", width=4)
    assert [side.deviation for side in sides(as_sheet(pale), (20, 30, 200, 130))] == [None] * 4


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font_roboto.RobotoMedium, size)


@pytest.mark.parametrize("size", [22, 30, 60])
@pytest.mark.parametrize("text", CHARACTERS)
def test_characters_are_read_in_another_weight_of_the_font(text: str, size: int) -> None:
    image = blank(120, 120)
    ImageDraw.Draw(image).text((40.3, 30.6), text, fill=INK, font=font(size))
    assert [one.text for one in characters(as_sheet(image), (0, 0, 120, 120))] == [text]


def test_digits_close_to_each_other_are_one_number() -> None:
    image = blank()
    ImageDraw.Draw(image).text((20, 30), "10", fill=INK, font=font(40))
    ImageDraw.Draw(image).text((120, 30), "1", fill=INK, font=font(40))
    ImageDraw.Draw(image).text((220, 120), "B", fill=INK, font=font(40))
    read = numbers(characters(as_sheet(image), (0, 0, 300, 200)))
    assert [one.text for one in read] == ["10", "1"]


def test_no_two_characters_of_the_font_look_alike() -> None:
    for (one, first), (other, second) in combinations(_stencils(20).items(), 2):
        overlap = np.minimum(first, second).sum() / np.maximum(first, second).sum()
        assert overlap < 0.8, (one, other)


@pytest.mark.parametrize("thing", ["ring", "bar", "arrow", "tiny"])
def test_what_is_no_character_is_not_read(thing: str) -> None:
    image = blank()
    pen = ImageDraw.Draw(image)
    if thing == "ring":
        pen.ellipse((100, 60, 128, 88), outline=INK, width=3)
    elif thing == "bar":
        pen.rectangle((100, 60, 190, 66), fill=INK)
    elif thing == "arrow":
        pen.line((100, 40, 100, 100), fill=INK, width=5)
        pen.polygon([(88, 60), (100, 30), (112, 60)], fill=INK)
    else:
        pen.text((100, 60), "4", fill=INK, font=font(9))
    assert characters(as_sheet(image), (0, 0, 300, 200)) == ()


def arc(mirrored: bool, head: bool = True) -> Sheet:
    image = blank(200, 200)
    pen = ImageDraw.Draw(image)
    pen.arc((50, 50, 150, 150), -50, 230, fill=INK, width=5)
    pen.ellipse((125, 55, 139, 69), fill=INK)
    if head:
        pen.polygon([(58, 58), (84, 60), (72, 82)], fill=INK)
    return as_sheet(ImageOps.mirror(image) if mirrored else image)


def test_an_arrow_runs_from_its_dot_to_its_head() -> None:
    whole = (20, 20, 180, 180)
    assert direction(arc(False), whole, (100, 100)) == "clockwise"
    assert direction(arc(True), whole, (100, 100)) == "anticlockwise"
    assert direction(arc(False, head=False), whole, (100, 100)) is None
    assert direction(as_sheet(blank(200, 200)), whole, (100, 100)) is None


@pytest.mark.parametrize(
    ("inside_", "fault"),
    [
        ("<text/>", "an element 'text'"),
        ("<title/>", "an element 'title'"),
        ("<script/>", "an element 'script'"),
        ("<image/>", "an element 'image'"),
        ("<g>B</g>", "text in or after 'g'"),
        ("<g/>B", "text in or after 'g'"),
        ('<g id="swap_1_2"/>', "id='swap_1_2' on 'g'"),
        ('<g class="answer"/>', "class='answer' on 'g'"),
        ('<g data-answer="B"/>', "data-answer='B' on 'g'"),
        ('<g onclick="0"/>', "onclick='0' on 'g'"),
        ('<g href="#1"/>', "href='#1' on 'g'"),
        ('<g fill="url(#a)"/>', "fill='url(#a)' on 'g'"),
        ('<g style="fill:red"/>', "style='fill:red' on 'g'"),
        ('<g opacity="0"/>', "opacity='0' on 'g'"),
        ('<path d="M0 0 answer"/>', "d='M0 0 answer' on 'path'"),
        ("<!-- B -->", "<! occurs, which is for comments, declarations, entities"),
        ("<?answer B?>", "<? occurs, which is for comments, declarations, entities"),
        ("&amp;", "& occurs, which is for comments, declarations, entities"),
        ("<g>", "not well formed: mismatched tag: line 1, column 84"),
        ('<g xmlns:x="u"/>', "the outermost element is no svg of the one namespace"),
    ],
)
def test_what_says_more_than_shapes_is_found_in_the_text(inside_: str, fault: str) -> None:
    assert list(faults(f"{EMPTY}{inside_}</svg>")) == [fault]


def test_shapes_and_paint_are_permitted() -> None:
    shapes = (
        '<g transform="translate(1 2)rotate(-3.5)" fill="none" stroke="#1f2330"><path d="M0 0L1-1Z" opacity=".5"/></g>'
    )
    assert list(faults(f"{EMPTY}{shapes}</svg>")) == []
    assert elements(f"{EMPTY}{shapes}</svg>") == 3
    assert elements("<svg>") == 0
