"""Tokens, compared by sight: silhouettes are laid over each other, their colours compared pixel by pixel.

They are laid so that the centres of mass of the silhouettes lie on each other, and are blurred a little: boxes are
integers, and pictures are shrunk. Difference of two tokens: over the pixels that either covers, the mean of the largest
difference of a colour channel, 0 to 1. What only one of the two covers is compared with white.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from coloraide import Color
from PIL import Image
from scipy import ndimage

from cwr_audits.scenes.cyclic_order.contract import Box
from cwr_audits.scenes.cyclic_order.sight.pixels import DARK, Grid, Sheet, clipped, inflated

MARGIN = 3  # pixels around a box that are looked at as well
FIELD = 48  # pixels across, in which tokens are compared
SPREAD = 1.25  # of the widest token: what fills a field
BLUR = 1.2  # pixels of a field
RIM = 0.1  # of a token's width: its outline, which has no colour of its own
LEAST_AREA = 0.15  # of its box, that a token covers
WHITE = 255


@dataclass(frozen=True, slots=True)
class Sighted:
    """A token that was seen: the box of its silhouette, and its picture in a field (white around it)."""

    box: Box
    colours: Grid
    covered: Grid


def sighted(seen: Sheet, box: Box, across: int) -> Sighted | None:
    """The token in a box; None where there is none. `across`: what of the sheet fills a field."""
    around = clipped(inflated(box, MARGIN), seen.size)
    left, top, right, bottom = around
    silhouette = _silhouette(seen.darkness[top:bottom, left:right] >= DARK)
    if silhouette is None or silhouette.sum() < LEAST_AREA * (box[2] - box[0]) * (box[3] - box[1]):
        return None
    rows, columns = ndimage.find_objects(silhouette.astype(int))[0]
    found = (left + columns.start, top + rows.start, left + columns.stop, top + rows.stop)
    colours = np.where(silhouette[..., None], seen.colours[top:bottom, left:right], WHITE)
    down, right_ = ndimage.center_of_mass(silhouette)
    centre = (right_ + 0.5, down + 0.5)
    covered = _field((silhouette * WHITE).astype(np.uint8)[..., None], 0, across, centre)[..., 0] > WHITE / 2
    return Sighted(found, _field(colours, WHITE, across, centre), covered)


def difference(one: Sighted, other: Sighted) -> float:
    """How different two tokens look."""
    apart = np.abs(one.colours - other.colours).max(axis=2)
    return float(apart[one.covered | other.covered].mean() / WHITE)


def colour(seen: Sheet, box: Box) -> str | None:
    """The colour that most pixels of a token have, its outline left out; None where there is no token."""
    left, top, right, bottom = clipped(inflated(box, MARGIN), seen.size)
    silhouette = _silhouette(seen.darkness[top:bottom, left:right] >= DARK)
    if silhouette is None:
        return None
    inside = ndimage.binary_erosion(silhouette, iterations=max(1, round(RIM * (box[2] - box[0]))))
    counted = Counter(map(tuple, seen.colours[top:bottom, left:right][inside].tolist()))
    return "#{:02x}{:02x}{:02x}".format(*counted.most_common(1)[0][0]) if counted else None


def lab_distance(one: str, other: str) -> float:
    """The Lab distance (CIE76, D65) of two colours."""
    return float(Color(one).distance(Color(other), space="lab-d65"))


def _silhouette(ink: Grid) -> Grid | None:
    """The largest piece that the ground does not reach."""
    open_, _ = ndimage.label(np.pad(~ink, 1, constant_values=True))
    closed, number = ndimage.label((open_ != open_[0, 0])[1:-1, 1:-1])
    if not number:
        return None
    sizes = np.bincount(closed.ravel())[1:]
    return np.asarray(closed == 1 + int(sizes.argmax()))


def _field(part: Grid, ground: int, across: int, centre: tuple[float, float]) -> Grid:
    """A part of a sheet, its centre in the middle of a square that is brought to the size of a field."""
    padded = np.pad(part, ((across, across), (across, across), (0, 0)), constant_values=ground)
    half = across * SPREAD / 2
    x, y = centre[0] + across, centre[1] + across
    channels = [
        Image.fromarray(padded[..., channel]).resize(
            (FIELD, FIELD), Image.Resampling.BILINEAR, box=(x - half, y - half, x + half, y + half)
        )
        for channel in range(part.shape[2])
    ]
    return np.stack([ndimage.gaussian_filter(np.asarray(one, dtype=float), BLUR) for one in channels], axis=2)
