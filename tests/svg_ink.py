"""What is seen of an SVG, worked out from the document alone: pieces of ink as shapely geometry, in painting order.

A piece is a fill or a stroke; what later pieces cover of it is taken away. Only dark ones are ink, the others ground.
Elements: g, path, rect, circle; transforms: translate, rotate. Whatever else occurs is refused, so that
nothing is overlooked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from shapely import LineString, Point, Polygon, STRtree, box, unary_union
from shapely.affinity import rotate, translate
from shapely.geometry.base import BaseGeometry

SVG = "{http://www.w3.org/2000/svg}"
DARK = 0.5  # relative brightness below which a colour is ink, not ground
PAINTS = ("fill", "stroke", "stroke-width", "fill-opacity", "stroke-linejoin")
STEPS = 8


@dataclass(frozen=True)
class Piece:
    seen: BaseGeometry
    colour: str


def ink(document: str) -> list[Piece]:
    """What can be seen of all dark pieces, in the order of painting; pieces that are covered whole are left out."""
    painted: list[tuple[BaseGeometry, str]] = []
    _walk(ElementTree.fromstring(document), [], {"fill": "#000000", "stroke": "none", "stroke-width": "1"}, painted)
    tree = STRtree([shape for shape, _ in painted])
    found: list[Piece] = []
    for place, (shape, colour) in enumerate(painted):
        if _dark(colour):
            later = [painted[int(other)][0] for other in tree.query(shape, "intersects") if other > place]
            seen = shape.difference(unary_union(later)) if later else shape
            found.extend([Piece(seen, colour)] if not seen.is_empty else [])
    return found


def _dark(colour: str) -> bool:
    return sum(int(colour[at : at + 2], 16) for at in (1, 3, 5)) / 765 < DARK


def _walk(
    node: ElementTree.Element,
    moves: list[tuple[str, float, float]],
    paint: dict[str, str],
    painted: list[tuple[BaseGeometry, str]],
) -> None:
    inner = [*_moves(node.get("transform", "")), *moves]
    paint = {**paint, **{name: node.attrib[name] for name in PAINTS if name in node.attrib}}
    if node.tag in (f"{SVG}svg", f"{SVG}g"):
        for child in node:
            _walk(child, inner, paint, painted)
        return
    lines, areas = _shape(node)
    if paint["fill"] != "none" and "fill-opacity" not in paint and areas:
        area = areas[0]
        for other in areas[1:]:  # even-odd; the outlines of letters have no contours that cross
            area = area.symmetric_difference(other)
        painted.append((_moved(area, inner), paint["fill"]))
    if paint["stroke"] != "none":
        half, join = float(paint["stroke-width"]) / 2, paint.get("stroke-linejoin", "miter").replace("miter", "mitre")
        stroke = unary_union([line.buffer(half, cap_style="flat", join_style=join) for line in lines])
        painted.append((_moved(stroke, inner), paint["stroke"]))


def _moves(text: str) -> list[tuple[str, float, float]]:
    """The steps of a transform, the one that is done first in front."""
    found = re.findall(r"(translate|rotate)\((-?[\d.]+)(?: (-?[\d.]+))?\)", text)
    assert "".join(f"{name}({one}{' ' + two if two else ''})" for name, one, two in found) == text, text
    return [(name, float(one), float(two or 0)) for name, one, two in reversed(found)]


def _moved(shape: BaseGeometry, moves: list[tuple[str, float, float]]) -> BaseGeometry:
    for name, one, two in moves:
        shape = translate(shape, one, two) if name == "translate" else rotate(shape, one, origin=(0, 0))
    return shape


def _shape(node: ElementTree.Element) -> tuple[list[Any], list[Any]]:
    """The lines of an element, and the areas that they surround."""
    if node.tag == f"{SVG}circle":
        disc = Point(float(node.get("cx", 0)), float(node.get("cy", 0))).buffer(float(node.attrib["r"]))
        return [disc.exterior], [disc]
    if node.tag == f"{SVG}rect":
        x, y = float(node.get("x", 0)), float(node.get("y", 0))
        wide, high, bend = (float(node.get(name, 0)) for name in ("width", "height", "rx"))
        area = box(x + bend, y + bend, x + wide - bend, y + high - bend).buffer(bend)
        return [area.exterior], [area]
    assert node.tag == f"{SVG}path", node.tag
    return _contours(node.attrib["d"])


def _contours(data: str) -> tuple[list[Any], list[Any]]:
    pen = RecordingPen()
    parse_path(data, pen)
    lines: list[list[tuple[float, float]]] = []
    for command, points in pen.value:
        if command == "moveTo":
            lines.append([points[0]])
        elif command == "closePath":
            lines[-1].append(lines[-1][0])
        elif command in ("lineTo", "qCurveTo", "curveTo"):
            lines[-1].extend(_curve([lines[-1][-1], *points]))
    kept = [line for line in lines if len(set(line)) > 1]
    return [LineString(line) for line in kept], [Polygon(line).buffer(0) for line in kept if len(set(line)) > 2]


def _curve(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    if len(points) == 2:
        return points[1:]
    found = []
    for step in range(1, STEPS + 1):
        here, part = points, step / STEPS
        while len(here) > 1:
            here = [(x + part * (u - x), y + part * (v - y)) for (x, y), (u, v) in pairwise(here)]
        found.append(here[0])
    return found
