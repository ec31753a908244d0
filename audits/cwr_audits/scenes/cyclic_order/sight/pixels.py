"""Sheets, and the pieces of ink on them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image
from scipy import ndimage

from cwr_audits.scenes.cyclic_order.contract import Box

DARK = 0.5
FULL = 255
LUMINANCE = (0.2126, 0.7152, 0.0722)
DIAGONALLY = np.ones((3, 3), dtype=bool)

Grid = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture: colours as height × width × 3 bytes, the darkness of each pixel, and whether none is transparent."""

    colours: Grid
    darkness: Grid
    opaque: bool

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.darkness.shape[1], self.darkness.shape[0]


@dataclass(frozen=True, slots=True)
class Piece:
    """Ink that hangs together: its box, and in which pixels of the box it is."""

    box: Box
    ink: Grid


def sheet(png: bytes) -> Sheet:
    """The picture in these bytes."""
    with Image.open(BytesIO(png)) as image:
        return _sheet(image.convert("RGB"), image.convert("RGBA").getchannel("A").getextrema()[0] == FULL)


def shrunk(full: Sheet, width: int) -> Sheet:
    """The picture, so many pixels wide."""
    across, down = full.size
    size = (width, round(down * width / across))
    return _sheet(Image.fromarray(full.colours).resize(size, Image.Resampling.LANCZOS), full.opaque)


def pieces(seen: Sheet, box: Box) -> tuple[Piece, ...]:
    """The pieces of ink within a box; what reaches beyond it is cut off."""
    left, top, right, bottom = clipped(box, seen.size)
    ink = seen.darkness[top:bottom, left:right] >= DARK
    labels, _ = ndimage.label(ink, DIAGONALLY)
    found = []
    for number, (rows, columns) in enumerate(ndimage.find_objects(labels), 1):
        edges = (left + columns.start, top + rows.start, left + columns.stop, top + rows.stop)
        found.append(Piece(edges, labels[rows, columns] == number))
    return tuple(found)


def inflated(box: Box, by: int) -> Box:
    """The box with a margin around it."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def clipped(box: Box, size: tuple[int, int]) -> Box:
    """What of a box is on a sheet of this size; empty where nothing is."""
    left, top = max(box[0], 0), max(box[1], 0)
    return left, top, max(min(box[2], size[0]), left), max(min(box[3], size[1]), top)


def paints(seen: Sheet, box: Box) -> dict[tuple[int, ...], float]:
    """Which part of a box each colour covers; nothing where the box is off the sheet."""
    left, top, right, bottom = clipped(box, seen.size)
    found = seen.colours[top:bottom, left:right].reshape(-1, 3)
    return {tuple(one): count / len(found) for one, count in Counter(map(tuple, found.tolist())).items()}


def middle(box: Box) -> tuple[float, float]:
    """The middle of a box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _sheet(image: Image.Image, opaque: bool) -> Sheet:
    colours = np.asarray(image)
    return Sheet(colours, 1 - (colours @ np.array(LUMINANCE, dtype=np.float32)) / FULL, opaque)
