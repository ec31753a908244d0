"""Outlines: path data of SVG, scaled and written with two decimals, or as polygons.

Vocabulary
  path data   commands and numbers of an SVG path (`M0 0L10 0…Z`); y grows downwards
  polygon     the corners of a closed contour in order; a curve is cut into STEPS straight pieces
"""

from __future__ import annotations

from itertools import pairwise

from fontTools.misc.transform import Scale
from fontTools.pens.pointPen import PointToSegmentPen, SegmentToPointPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.pens.roundingPen import RoundingPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib.path import parse_path

STEPS = 12
DECIMALS = 2

Point = tuple[float, float]
Polygon = tuple[Point, ...]


def rounded(number: float) -> float:
    return round(number, DECIMALS)


def written(number: float) -> str:
    """A coordinate: at most two decimals, no needless zeros, and never a negative zero."""
    return f"{rounded(number) or 0:g}"


def scaled(data: str, scale: float) -> str:
    """The same path data, larger or smaller around (0, 0)."""
    pen = SVGPathPen(None, ntos=written)
    once = SegmentToPointPen(PointToSegmentPen(TransformPen(RoundingPen(pen, rounded), Scale(scale))))
    parse_path(data, once)  # by way of points, which keep no needless line back to the start
    path: str = pen.getCommands()
    return path


def polygons(data: str) -> tuple[Polygon, ...]:
    """The contours of path data, each as a polygon whose first corner is not repeated at its end."""
    pen = RecordingPen()
    parse_path(data, pen)
    contours: list[list[Point]] = []
    for command, points in pen.value:
        if command == "moveTo":
            contours.append([points[0]])
        elif command in ("lineTo", "qCurveTo", "curveTo"):
            contours[-1].extend(_curve((contours[-1][-1], *points)))
    return tuple(_without_repeats(contour) for contour in contours)


def _curve(points: Polygon) -> list[Point]:
    """Points on the Bézier curve with these control points, its end included and its start not."""
    if len(points) == 2:
        return [points[1]]
    return [_between(points, step / STEPS) for step in range(1, STEPS + 1)]


def _between(points: Polygon, part: float) -> Point:
    """De Casteljau: where a Bézier curve is after `part` of its way."""
    while len(points) > 1:
        points = tuple((x + part * (u - x), y + part * (v - y)) for (x, y), (u, v) in pairwise(points))
    return points[0]


def _without_repeats(contour: list[Point]) -> Polygon:
    """Neighbours that coincide (to the written decimals) count once, the last and the first as well."""
    kept: list[Point] = []
    for x, y in contour:
        if not kept or (rounded(x), rounded(y)) != (rounded(kept[-1][0]), rounded(kept[-1][1])):
            kept.append((x, y))
    if len(kept) > 1 and all(rounded(one) == rounded(other) for one, other in zip(kept[0], kept[-1], strict=True)):
        kept.pop()
    return tuple(kept)
