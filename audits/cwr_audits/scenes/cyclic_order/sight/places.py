"""Where boxes are, to each other and around a middle."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, hypot, tau

from cwr_audits.scenes.cyclic_order.contract import Box
from cwr_audits.scenes.cyclic_order.sight.pixels import middle


def gap(one: Box, other: Box) -> float:
    """The distance of two boxes; 0 where they touch or overlap."""
    return hypot(max(one[0] - other[2], other[0] - one[2], 0), max(one[1] - other[3], other[1] - one[3], 0))


def beside(one: Box, other: Box) -> int:
    """The largest distance between the same sides of two boxes."""
    return max(abs(edge - wanted) for edge, wanted in zip(one, other, strict=True))


def around(boxes: Sequence[Box]) -> Box:
    """The least box around boxes."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def centre(boxes: Sequence[Box]) -> tuple[float, float]:
    """The mean of the middles of boxes."""
    spots = [middle(box) for box in boxes]
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)


def clockwise(boxes: Sequence[Box]) -> list[int]:
    """The places of boxes in clockwise order around their centre, from the top on."""
    x, y = centre(boxes)
    turns = [(atan2(spot[0] - x, y - spot[1]) % tau, index) for index, spot in enumerate(map(middle, boxes))]
    return [index for _, index in sorted(turns)]
