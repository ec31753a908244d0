"""Digits and letters as outlines of Roboto Bold, so that a picture shows the same wherever it is shown, without a font.

A text is laid out from left to right by the advances of its characters and then centred: the middle of its ink box is
(0, 0). `size` is the height of the em square in pixels; a digit is about 0.71 times as high.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import font_roboto
from fontTools.misc.transform import Transform
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.roundingPen import RoundingPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.teePen import TeePen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from cwr_audits.scenes.cyclic_order.outlines import rounded, written

KEPT = 4096


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Path data around (0, 0), and the box of its ink (left, top, right, bottom), exactly that of the path data."""

    path: str
    box: tuple[float, float, float, float]


@lru_cache(maxsize=KEPT)
def outline(text: str, size: float) -> Glyphs:
    """The outline of a text. Raises ValueError where there is no ink, or where the font lacks a character."""
    unit = size / _font()["head"].unitsPerEm
    bounds = BoundsPen(None)
    _draw(text, bounds, Transform(unit, 0, 0, -unit))
    if bounds.bounds is None:
        raise ValueError(f"nothing to draw in {text!r}")
    left, top, right, bottom = bounds.bounds
    path, exact = SVGPathPen(None, ntos=written), BoundsPen(None)
    centred = Transform(unit, 0, 0, -unit, -(left + right) / 2, -(top + bottom) / 2)
    _draw(text, RoundingPen(TeePen(path, exact), rounded), centred)
    return Glyphs(path.getCommands(), exact.bounds)


def _draw(text: str, pen: Any, transform: Transform) -> None:
    glyphs, names, advance = _font().getGlyphSet(), _font().getBestCmap(), 0
    for character in text:
        if ord(character) not in names:
            raise ValueError(f"the font has no outline of {character!r}")
        glyph = glyphs[names[ord(character)]]
        glyph.draw(TransformPen(pen, transform.translate(advance, 0)))
        advance += glyph.width


@cache
def _font() -> Any:
    return TTFont(Path(font_roboto.font_directory) / "Roboto-Bold.ttf")
