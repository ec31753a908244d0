"""Tokens as SVG: fragments without ids, classes or titles, drawn upright around (0, 0).

Styles
  colored_beads         a round bead in its colour, with a hole, a highlight and a shade
  shape_tokens          a shape in the one neutral fill of the palette
  colored_shape_tokens  a shape in its colour
  outline_shape_tokens  a shape drawn as a thick line, white within, so that no line of the scene runs through it
  symbol_badges         a symbol on a round badge in the neutral fill of the palette

All ink of a token, its dark line included, lies within a circle of the given radius, and touches it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from math import atan2, ceil, cos, hypot, pi, sin, tau

from cwr_audits.scenes.cyclic_order.contract import Look
from cwr_audits.scenes.cyclic_order.looks import NEUTRALS, PALETTES
from cwr_audits.scenes.cyclic_order.outlines import Point, Polygon, polygons, scaled, written
from cwr_audits.scenes.cyclic_order.pictograms import SHAPE_PATHS, SYMBOL_PATHS

KEPT = 4096
INK = "#1f2430"
PAPER = "#ffffff"
WHOLE = 100.0  # the radius at which edges are worked out; at others they are scaled
SYMBOL = 0.74  # how far a symbol reaches, as a part of its badge's radius
HOLE = 0.2  # of a bead, likewise

# width of the dark line, as a part of the radius; thick where the line is all there is
LINES: Mapping[str, float] = {
    "colored_beads": 0.1,
    "shape_tokens": 0.1,
    "colored_shape_tokens": 0.1,
    "outline_shape_tokens": 0.2,
    "symbol_badges": 0.1,
}
ROUND_STYLES = ("colored_beads", "symbol_badges")

# light and shade on a bead of radius 100
SHINE = "M-72 -8A72 72 0 0 1 -8 -72A10 10 0 0 1 -6 -52A53 53 0 0 0 -52 -6A10 10 0 0 1 -72 -8Z"
SHADE = "M-81 32A87 87 0 0 0 81 32A99 99 0 0 1 -81 32Z"


@lru_cache(maxsize=KEPT)
def token(style: str, look: Look, palette: str, radius: float) -> str:
    """The fragment of a token."""
    line = radius * LINES[style]
    if style == "colored_beads":
        return _group(_bead(_fill(look, palette), line, radius))
    if style == "symbol_badges":
        return _group(_badge(_shape(look), _fill(look, palette), line, radius))
    fill = PAPER if style == "outline_shape_tokens" else _fill(look, palette)
    return _group(_path(_fitted(SHAPE_PATHS[_shape(look)], radius - line / 2), fill, line))


@lru_cache(maxsize=KEPT)
def rest(style: str, look: Look, radius: float, margin: float, ground: str) -> str:
    """Ground along the outline of a token, so wide, and in its recesses: a line drawn before, towards the middle, ends
    at this distance from the token, and nothing is left of it."""
    if style in ROUND_STYLES:
        return f'<circle r="{written(radius + margin)}" fill="{ground}"/>'
    line = radius * LINES[style]
    path = _without_recesses(_fitted(SHAPE_PATHS[_shape(look)], radius - line / 2))
    paint = f'fill="{ground}" stroke="{ground}" stroke-width="{written(line + 2 * margin)}"'
    return f'<path d="{path}" {paint} stroke-linejoin="round"/>'


def _without_recesses(path: str) -> str:
    """A shape with all that lies between its outline and its middle, as triangles from the middle where that is more
    than the shape."""
    (contour,) = polygons(path)
    edges = tuple(pairwise((*contour, contour[0])))
    outer = [(one, other) for one, other in edges if one[0] * other[1] >= one[1] * other[0]]
    if len(outer) == len(edges):
        return path
    return "".join(f"M0 0L{written(x)} {written(y)} {written(u)} {written(v)}Z" for (x, y), (u, v) in outer)


@lru_cache(maxsize=KEPT)
def silhouette(style: str, look: Look, radius: float) -> Polygon:
    """The outer edge of a token's ink as a polygon, holes not counted."""
    if style in ROUND_STYLES:
        return _arc((0, 0), radius, 0, tau)
    return tuple((x * radius / WHOLE, y * radius / WHOLE) for x, y in _edge(_shape(look), WHOLE * LINES[style]))


@lru_cache(maxsize=KEPT)
def _edge(shape: str, line: float) -> Polygon:
    """The outer edge of a shape drawn with a line of this width, all of it within the radius WHOLE."""
    (contour,) = polygons(_fitted(SHAPE_PATHS[shape], WHOLE - line / 2))
    return _widened(contour, line / 2)


def extent(style: str, shape: str | None, radius: float) -> tuple[float, float, float, float]:
    """The box of a token's ink (left, top, right, bottom): that of its silhouette, without working it out."""
    if style in ROUND_STYLES:
        return -radius, -radius, radius, radius
    return _extent(style, _shape(Look("", shape, None)), radius)


@lru_cache(maxsize=KEPT)
def _extent(style: str, shape: str, radius: float) -> tuple[float, float, float, float]:
    half = radius * LINES[style] / 2
    (contour,) = polygons(_fitted(SHAPE_PATHS[shape], radius - half))
    across, down = zip(*contour, strict=True)
    return min(across) - half, min(down) - half, max(across) + half, max(down) + half


def _shape(look: Look) -> str:
    if look.shape is None:
        raise ValueError(f"the look {look.name!r} names no shape")
    return look.shape


def _fill(look: Look, palette: str) -> str:
    return NEUTRALS[palette] if look.colour is None else PALETTES[palette][look.colour]


def _bead(fill: str, line: float, radius: float) -> str:
    return (
        _circle(radius - line / 2, fill, line)
        + f'<path d="{scaled(SHADE, radius / 100)}" fill="#000000" fill-opacity="0.18"/>'
        + f'<path d="{scaled(SHINE, radius / 100)}" fill="#ffffff" fill-opacity="0.7"/>'
        + _circle(radius * HOLE, PAPER, line * 0.8)
    )


def _badge(symbol: str, fill: str, line: float, radius: float) -> str:
    path = _fitted(SYMBOL_PATHS[symbol], radius * SYMBOL)
    return f'{_circle(radius - line / 2, fill, line)}<path d="{path}" fill="{INK}" fill-rule="evenodd"/>'


def _group(ink: str) -> str:
    return f"<g>{ink}</g>"


def _circle(radius: float, fill: str, line: float) -> str:
    return f'<circle r="{written(radius)}" {_paint(fill, line)}/>'


def _path(path: str, fill: str, line: float) -> str:
    return f'<path d="{path}" {_paint(fill, line)} stroke-linejoin="round"/>'


def _paint(fill: str, line: float) -> str:
    return f'fill="{fill}" stroke="{INK}" stroke-width="{written(line)}"'


def _fitted(data: str, reach: float) -> str:
    """The path data at the size at which it reaches so far."""
    return scaled(data, reach / _reach(data))


@lru_cache(maxsize=KEPT)
def _reach(data: str) -> float:
    """How far path data reaches from (0, 0)."""
    return max(hypot(x, y) for contour in polygons(data) for x, y in contour)


def _widened(contour: Polygon, margin: float) -> Polygon:
    """The edge of everything within `margin` of a clockwise contour (y downwards) or inside it: outer corners become
    arcs, inner corners stay corners."""
    start = max(range(len(contour)), key=lambda place: hypot(*contour[place]))  # outermost, hence in no loop
    contour = contour[start:] + contour[:start]
    edge: list[Point] = []
    for before, corner, after in zip((contour[-1], *contour), contour, (*contour[1:], contour[0]), strict=False):
        arrival = atan2(corner[1] - before[1], corner[0] - before[0])
        turn = (atan2(after[1] - corner[1], after[0] - corner[0]) - arrival + pi) % tau - pi
        if turn >= 0:
            edge.extend(_arc(corner, margin, arrival - pi / 2, turn))
        else:
            middle = arrival - pi / 2 + turn / 2
            edge.append(_away(corner, margin / cos(turn / 2), middle))
    return _without_loops(edge)


def _without_loops(edge: list[Point]) -> Polygon:
    """The edge without the small loops that arise at inner corners whose sides are shorter than the margin."""
    kept = edge[:1]
    for point in (*edge[1:], edge[0]):
        last = kept[-1]
        left, right = sorted((last[0], point[0]))
        for place, (one, other) in enumerate(pairwise(kept[:-1])):
            if (one[0] < left and other[0] < left) or (one[0] > right and other[0] > right):
                continue  # beside each other: most pairs are, and no more need be computed of them
            crossing = _crossing(one, other, last, point)
            if crossing is not None:
                kept[place + 1 :] = [crossing]
                break
        kept.append(point)
    return tuple(kept[:-1])


def _crossing(one: Point, other: Point, third: Point, fourth: Point) -> Point | None:
    """Where two line segments cross, their ends not counted; None where they do not."""
    (x, y), (u, v) = (other[0] - one[0], other[1] - one[1]), (fourth[0] - third[0], fourth[1] - third[1])
    across = x * v - y * u
    if across == 0:
        return None
    along = ((third[0] - one[0]) * v - (third[1] - one[1]) * u) / across
    its = ((third[0] - one[0]) * y - (third[1] - one[1]) * x) / across
    return (one[0] + along * x, one[1] + along * y) if 0 < along < 1 and 0 < its < 1 else None


def _arc(centre: Point, radius: float, start: float, turn: float) -> Polygon:
    """Points on a circle, in steps of at most three degrees."""
    steps = ceil(turn / (tau / 120)) or 1
    return tuple(_away(centre, radius, start + turn * step / steps) for step in range(steps + (turn < tau)))


def _away(point: Point, distance: float, direction: float) -> Point:
    return point[0] + distance * cos(direction), point[1] + distance * sin(direction)
