"""The border of a card: along each side of its box, leaving out what corners may round, there is a dark line; how far
its middle is from the side is measured across, pixel row by pixel row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cwr_audits.scenes.cyclic_order.contract import Box
from cwr_audits.scenes.cyclic_order.sight.pixels import DARK, Grid, Sheet

SIDES = ("left", "top", "right", "bottom")
CORNER = 0.15  # of the shorter side of a box: what is left out at each end
REACH = 6  # pixels to both sides of a line that is looked for, in a picture REACH_WIDTH pixels wide
REACH_WIDTH = 1024
FAINT = 0.3  # less dark than this is no line but a filling


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a box: the farthest that the middle of the drawn line is from it, in pixels; None where the line is
    missing somewhere. `rows` is in how many places it was measured."""

    name: str
    deviation: float | None
    rows: int


def sides(seen: Sheet, box: Box) -> tuple[Side, ...]:
    """The four sides, as they are drawn."""
    return tuple(_side(seen, box, index) for index in range(4))


def _side(seen: Sheet, box: Box, index: int) -> Side:
    upright = index % 2 == 0
    darkness = seen.darkness if upright else seen.darkness.T
    first, last = (box[1], box[3]) if upright else (box[0], box[2])
    corner = round(CORNER * min(box[2] - box[0], box[3] - box[1]))
    reach = max(3, round(REACH * seen.size[0] / REACH_WIDTH))
    low = box[index] - reach
    strip = darkness[max(first + corner, 0) : max(last - corner, 0), max(low, 0) : max(box[index] + reach, 0)]
    return Side(SIDES[index], _deviation(strip, box[index] - max(low, 0)), strip.shape[0])


def _deviation(strip: Grid, wanted: int) -> float | None:
    """How far the dark line of a strip is from where it is wanted, at worst."""
    if not strip.size or strip.max(axis=1).min() < DARK:
        return None
    weight = np.clip(strip - FAINT, 0, None)
    middles = (weight * (np.arange(strip.shape[1]) + 0.5)).sum(axis=1) / weight.sum(axis=1)
    return float(np.abs(middles - wanted).max())
