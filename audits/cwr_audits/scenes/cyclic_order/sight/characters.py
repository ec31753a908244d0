"""Letters and digits, read by laying them over those of the font: both as high as each other, upright, in the middle,
and the font's as blurred as that number of pixels makes them.

Overlap is the darkness that two have in common, divided by the darkness that either has. A number is a row of digits
that stand close to each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import font_roboto
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from cwr_audits.scenes.cyclic_order.contract import LABELS, Box
from cwr_audits.scenes.cyclic_order.sight.pixels import Grid, Piece, Sheet, pieces

DIGITS = "0123456789"
CHARACTERS = (*LABELS, *DIGITS)
LEAST_OVERLAP = 0.65
LEAST_LEAD = 0.08
LEAST_HEIGHT = 8  # pixels: smaller is not legible
INK = 0.85  # darkness that counts as full
FONT = "Roboto-Bold.ttf"
FONT_SIZE = 160
HIGH, WIDE = 40, 56  # pixels in which characters are compared
CLOSE = 0.4  # of its height: digits this near belong to one number
MARGIN = 2  # pixels: nearer to the edge of the picture nothing is read
TRACE = 0.08  # darkness that an edge of ink leaves beside it


Edges = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Character:
    """A character that was read: what, where, and how well the ink fits."""

    text: str
    box: Box
    overlap: float


def characters(seen: Sheet, box: Box) -> tuple[Character, ...]:
    """The characters within a box, from left to right."""
    found = (character(seen, piece) for piece in pieces(seen, box))
    return tuple(sorted((one for one in found if one is not None), key=lambda one: (one.box[0], one.box[1])))


def character(seen: Sheet, piece: Piece) -> Character | None:
    """The character that a piece of ink is; None where it is none, or could be two."""
    left, top, right, bottom = piece.box
    cut = left < MARGIN or top < MARGIN or right > seen.size[0] - MARGIN or bottom > seen.size[1] - MARGIN
    if cut or bottom - top < LEAST_HEIGHT:
        return None
    laid = [one for edges in _edges(seen.darkness, piece.box) if (one := _laid(seen.darkness, edges)) is not None]
    if not laid:
        return None
    stencils = _stencils(min(bottom - top, HIGH))
    ranked = sorted(
        ((max(_overlap(one, other) for one in laid), text) for text, other in stencils.items()), reverse=True
    )
    (best, text), (second, _) = ranked[:2]
    return Character(text, piece.box, best) if best >= LEAST_OVERLAP and best - second >= LEAST_LEAD else None


def numbers(read: Iterable[Character]) -> tuple[Character, ...]:
    """The numbers that digits make, from left to right: close digits beside each other are one."""
    made: list[Character] = []
    for digit in sorted((one for one in read if one.text in DIGITS), key=lambda one: one.box[0]):
        before = next((index for index, one in enumerate(made) if _beside(one.box, digit.box)), None)
        if before is None:
            made.append(digit)
        else:
            made[before] = _joined(made[before], digit)
    return tuple(made)


def _beside(one: Box, other: Box) -> bool:
    high = one[3] - one[1]
    return other[0] - one[2] < CLOSE * high and min(one[3], other[3]) - max(one[1], other[1]) > high / 2


def _joined(one: Character, other: Character) -> Character:
    left, right = one.box, other.box
    box = (left[0], min(left[1], right[1]), max(left[2], right[2]), max(left[3], right[3]))
    return Character(one.text + other.text, box, min(one.overlap, other.overlap))


def _overlap(one: Grid, other: Grid) -> float:
    return float(np.minimum(one, other).sum() / np.maximum(one, other).sum())


@cache
def _stencils(high: int) -> dict[str, Grid]:
    """The characters of the font, blurred as where they are so many pixels high."""
    font = ImageFont.truetype(str(Path(font_roboto.__file__).parent / "files" / FONT), FONT_SIZE)
    return {text: _stencil(font, text, high) for text in CHARACTERS}


def _stencil(font: ImageFont.FreeTypeFont, text: str, high: int) -> Grid:
    left, top, right, bottom = font.getbbox(text)
    image = Image.new("L", (int(right - left), int(bottom - top)))
    ImageDraw.Draw(image).text((-left, -top), text, fill=255, font=font)
    drawn = image.crop(image.getbbox())
    wide = drawn.width / drawn.height
    small = drawn.resize((max(1, round(high * wide)), high), Image.Resampling.BOX)
    return _centred(np.asarray(small.resize((round(HIGH * wide), HIGH), Image.Resampling.BILINEAR)) / 255)


def _laid(darkness: Grid, edges: Edges) -> Grid | None:
    """What is within edges, as high as all characters, in the middle of an empty field; None where it is too wide."""
    wide = round((edges[2] - edges[0]) * HIGH / (edges[3] - edges[1]))
    if not 1 <= wide <= WIDE:
        return None
    left, top = int(edges[0]) - 1, int(edges[1]) - 1
    part = darkness[top : int(edges[3]) + 2, left : int(edges[2]) + 2]
    within = (edges[0] - left, edges[1] - top, edges[2] - left, edges[3] - top)
    image = Image.fromarray(np.clip(part / INK, 0, 1).astype(np.float32))
    return _centred(np.clip(np.asarray(image.resize((wide, HIGH), Image.Resampling.BILINEAR, box=within)), 0, 1))


def _centred(shape: Grid) -> Grid:
    """A shape in the middle of an empty field."""
    field = np.zeros((HIGH, WIDE))
    start = (WIDE - shape.shape[1]) // 2
    field[:, start : start + shape.shape[1]] = shape
    return field


def _edges(darkness: Grid, box: Box) -> tuple[Edges, ...]:
    """Where ink may end: at its pixels, or between pixels, where an edge leaves as much darkness as is seen (which is
    too little where a curve just reaches into a pixel)."""
    left, top, right, bottom = box
    part = np.clip(darkness[top - 1 : bottom + 1, left - 1 : right + 1] / INK, 0, 1)
    rows, columns = part[:, 1:-1].max(axis=1), part[1:-1, :].max(axis=0)
    within = (left + _outer(columns), top + _outer(rows), right - _outer(columns[::-1]), bottom - _outer(rows[::-1]))
    return within, (float(left), float(top), float(right), float(bottom))


def _outer(profile: Grid) -> float:
    """From the first pixel of ink to its edge: negative where the pixel before has some as well. `profile` begins with
    that pixel."""
    before, first = float(profile[0]), float(profile[1])
    return -before if before > TRACE else 1 - first
