"""Loop paths: closed curves around (0, 0) that are walked clockwise from the middle of their top, by length.

Vocabulary
  reach     how far a curve extends from (0, 0): to the sides, and up and down
  curve     a closed polygon of many corners that starts at the top and runs clockwise on the screen (y grows downwards)
  distance  pixels walked along a curve from its top
  position  where a token is: positions are spaced evenly along what is left of a curve without GAP pixels at its top,
            the first half a step after them
  place     a point of a curve and the direction that leads away from the curve there, outwards

Paths
  ellipse         an ellipse
  rounded_rect    a rectangle with round corners
  polygon_loop    a polygon with its corners at the positions, as round as its reach allows; the gap is in the middle of
                  its upper side, which is GAP longer than the others
  wavy_loop       an ellipse with waves, so flat that no two stretches of it come near each other
  beaded_string   an egg, wider below, as a string of beads hangs; its beads are the scene's matter, not the curve's
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from math import asin, cos, hypot, pi, sin, tau

from cwr_audits.scenes.cyclic_order.outlines import Point, written

GAP = 34  # pixels of a curve that the string leaves free at its top
CORNERS = 720  # of a curve that has none by nature
SMOOTHED = (
    18.0  # pixels to both sides over which the direction outwards is averaged, so that it turns softly at corners
)
PIECE = 9.0  # pixels, longest straight piece of a curve that is drawn
WAVES = 7
WAVE = 0.07  # height of a wave, as a part of the reach
ROUND = 0.55  # radius of a round corner, as a part of the lesser reach
EGG = 0.16
FITTED, HALVED = 5, 40  # rounds after which a polygon has its reach, and a length is exact


@dataclass(frozen=True, slots=True)
class Place:
    x: float
    y: float
    out_x: float
    out_y: float


@dataclass(frozen=True, slots=True)
class Curve:
    """Corners, of which the last is the first again, and the distance at which each of them is reached."""

    corners: tuple[Point, ...]
    distances: tuple[float, ...]

    @property
    def length(self) -> float:
        return self.distances[-1]


@cache
def curve(path: str, wide: float, high: float, tokens: int) -> Curve:
    """The curve of a loop path with this reach for so many tokens."""
    corners = _polygon(wide, high, tokens) if path == "polygon_loop" else SHAPES[path](wide, high)
    closed = (*corners, corners[0])
    steps = (hypot(u - x, v - y) for (x, y), (u, v) in pairwise(closed))
    return Curve(closed, tuple(accumulate(steps, initial=0.0)))


def place(on: Curve, distance: float) -> Place:
    """The place after a distance, which may be negative or longer than the curve."""
    x, y = _point(on, distance)
    (u, v), (w, z) = _point(on, distance - SMOOTHED), _point(on, distance + SMOOTHED)
    along = hypot(w - u, z - v)
    return Place(x, y, (z - v) / along, (u - w) / along)


def stretch(on: Curve, start: float, end: float) -> tuple[Point, ...]:
    """Points on the curve from one distance to another, its own sharp corners included."""
    count = max(1, round((end - start) / PIECE))
    evenly = [start + (end - start) * step / count for step in range(count + 1)]
    sharp = [far for far in on.distances if start < far < end] if len(on.corners) < CORNERS else []
    return tuple(_point(on, far) for far in sorted({*evenly, *sharp}))


def path_data(points: tuple[Point, ...]) -> str:
    """An open path through these points."""
    return "M" + "L".join(f"{written(round(x, 1))} {written(round(y, 1))}" for x, y in points)


def _point(on: Curve, distance: float) -> Point:
    distance %= on.length
    index = min(bisect_right(on.distances, distance), len(on.corners) - 1)
    (x, y), (u, v) = on.corners[index - 1], on.corners[index]
    before, after = on.distances[index - 1], on.distances[index]
    part = (distance - before) / (after - before)
    return x + part * (u - x), y + part * (v - y)


def _angles() -> list[float]:
    return [tau * step / CORNERS for step in range(CORNERS)]


def _ellipse(wide: float, high: float) -> tuple[Point, ...]:
    return tuple((wide * sin(turn), -high * cos(turn)) for turn in _angles())


def _wavy(wide: float, high: float) -> tuple[Point, ...]:
    """A wave's crest is at the top."""
    reaches = [1 - WAVE * (1 - cos(WAVES * turn)) for turn in _angles()]
    return tuple((far * x, far * y) for far, (x, y) in zip(reaches, _ellipse(wide, high), strict=True))


def _egg(wide: float, high: float) -> tuple[Point, ...]:
    bent = [(sin(turn) * (1 - EGG * cos(turn)), -high * cos(turn)) for turn in _angles()]
    widest = max(x for x, _ in bent)
    return tuple((wide * x / widest, y) for x, y in bent)


def _polygon(wide: float, high: float, tokens: int) -> tuple[Point, ...]:
    """The corners lie on an ellipse, which is as large as the reach allows."""
    half, (x, y) = _half_polygon(wide, high, tokens), (wide, high)
    for _ in range(FITTED):
        scale = min(wide / max(u for u, _ in half), 2 * high / (half[-1][1] - half[0][1]))
        x, y = x * scale, y * scale
        half = _half_polygon(x, y, tokens)
    down = (half[-1][1] + half[0][1]) / 2
    right = [(u, v - down) for u, v in half]
    left = [(-u, v) for u, v in reversed(right) if u > 0]
    return ((0, right[0][1]), *right, *left)


def _half_polygon(wide: float, high: float, tokens: int) -> list[Point]:
    """The corners on the right of a polygon on this ellipse, from the top on; the lowest of an odd number is in the
    middle."""
    short, long = 0.0, 2 * wide - GAP
    turns: list[float] = []
    for _ in range(HALVED):
        side = (short + long) / 2
        turns = _turns(wide, high, side, (tokens + 1) // 2)
        beyond = turns[-1] > pi or (tokens % 2 == 0 and wide * sin(turns[-1]) < side / 2)
        short, long = (short, side) if beyond else (side, long)
    corners = [(wide * sin(turn), -high * cos(turn)) for turn in turns]
    return [*corners[:-1], (0.0, high)] if tokens % 2 else corners


def _turns(wide: float, high: float, side: float, number: int) -> list[float]:
    """Where so many corners are on an ellipse, clockwise, each `side` from the one before; the first is half a side and
    half of the gap from the middle."""
    turns = [asin(min(1.0, (side + GAP) / 2 / wide))]
    while len(turns) < number:
        low, far = turns[-1], turns[-1] + pi
        x, y = wide * sin(low), -high * cos(low)
        for _ in range(HALVED):
            turn = (low + far) / 2
            near = hypot(wide * sin(turn) - x, -high * cos(turn) - y) < side
            low, far = (turn, far) if near else (low, turn)
        turns.append(low)
    return turns


def _rounded(wide: float, high: float) -> tuple[Point, ...]:
    radius = ROUND * min(wide, high)
    steps = CORNERS // 4
    points: list[Point] = [(0, -high)]
    for quarter, (right, below) in enumerate(((1, -1), (1, 1), (-1, 1), (-1, -1))):
        turns = [pi / 2 * (quarter + step / steps) for step in range(steps + 1)]
        x, y = right * (wide - radius), below * (high - radius)
        points.extend((x + radius * sin(turn), y - radius * cos(turn)) for turn in turns)
    return tuple(points)


SHAPES: Mapping[str, Callable[[float, float], tuple[Point, ...]]] = {
    "ellipse": _ellipse,
    "rounded_rect": _rounded,
    "wavy_loop": _wavy,
    "beaded_string": _egg,
}
