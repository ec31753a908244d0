"""Which way a loop is read: around its middle runs an open arc that begins with a dot and ends with an arrow head.

The arc is the smallest piece of ink around the middle. Dot and head are the two places where it is thick, and around
the head there is more ink. The arc runs from the dot to the head on the side on which ink is all along.
"""

from __future__ import annotations

from math import degrees, hypot

import numpy as np
from scipy import ndimage

from cwr_audits.scenes.cyclic_order.contract import Box
from cwr_audits.scenes.cyclic_order.sight.pixels import Grid, Piece, Sheet, pieces

THICK = 0.65  # of the largest thickness
AROUND = 1.7  # of it: how far around an end ink is counted
LEAST_MORE = 1.2  # times the ink of the dot, around the head
ALONG, ELSEWHERE = 0.97, 0.8  # of the directions, with ink: at least on the side of the arc, at most on the other
STEP = 3  # degrees
CLOCKWISE, ANTICLOCKWISE = "clockwise", "anticlockwise"


def direction(seen: Sheet, around: Box, middle: tuple[float, float]) -> str | None:
    """How the arrow around the middle runs; None where no arrow is seen."""
    holding = [one for one in pieces(seen, around) if _holds(one.box, middle)]
    if not holding:
        return None
    arc = min(holding, key=lambda one: (one.box[2] - one.box[0]) * (one.box[3] - one.box[1]))
    ends = _ends(arc)
    return None if ends is None else _sense(arc, *ends)


def _holds(box: Box, spot: tuple[float, float]) -> bool:
    return box[0] < spot[0] < box[2] and box[1] < spot[1] < box[3]


def _ends(arc: Piece) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Dot and head of an arc, as (x, y) in its box; None where they cannot be told."""
    depth = ndimage.distance_transform_edt(np.pad(arc.ink, 1))[1:-1, 1:-1]
    thickest = float(depth.max())
    labels, number = ndimage.label(depth >= THICK * thickest, np.ones((3, 3)))
    if number != 2:
        return None
    spots = [(float(x), float(y)) for y, x in ndimage.center_of_mass(labels > 0, labels, (1, 2))]
    (less, dot), (more, head) = sorted((_ink_around(arc.ink, spot, AROUND * thickest), spot) for spot in spots)
    return (dot, head) if more >= LEAST_MORE * less else None


def _ink_around(ink: Grid, spot: tuple[float, float], reach: float) -> int:
    down, right = np.nonzero(ink)
    return int((np.hypot(right - spot[0], down - spot[1]) <= reach).sum())


def _sense(arc: Piece, dot: tuple[float, float], head: tuple[float, float]) -> str | None:
    high, wide = arc.ink.shape
    down, right = np.nonzero(arc.ink)
    inked = set(((np.degrees(np.arctan2(down - high / 2, right - wide / 2)) % 360) // STEP).astype(int).tolist())
    start, end = (
        degrees(float(np.arctan2(y - high / 2, x - wide / 2))) % 360 if hypot(x, y) else 0.0 for x, y in (dot, head)
    )
    forward, backward = _inked(inked, start, end), _inked(inked, end, start)
    if forward >= ALONG and backward <= ELSEWHERE:
        return CLOCKWISE
    return ANTICLOCKWISE if backward >= ALONG and forward <= ELSEWHERE else None


def _inked(inked: set[int], start: float, end: float) -> float:
    """The share of the directions from start to end, clockwise, in which there is ink."""
    wanted = [int(((start + angle) % 360) // STEP) for angle in range(0, int((end - start) % 360) + 1, STEP)]
    return sum(one in inked for one in wanted) / len(wanted)
