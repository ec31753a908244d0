"""Where things are in a picture of the cyclic-order scene: numbers only, nothing is drawn here.

Vocabulary
  panel     the part of the picture that holds one loop and its title
  string    what the tokens of a loop sit on: a curve (paths.py) with a gap at its top. Positions are spaced evenly
            along it; the first one follows the gap clockwise, and the gap lies between the last one and the first
  spot      a point of the picture, whole pixels: the same token has the same pixels wherever it is
  face      what is on a card, from the card's upper left corner on

Nothing depends on which tokens a loop has, nor on which card repairs: only on scene variant, loop path and token count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count
from math import ceil, floor, hypot

from cwr_audits.scenes.cyclic_order.contract import Box
from cwr_audits.scenes.cyclic_order.glyphs import outline
from cwr_audits.scenes.cyclic_order.paths import GAP, Curve, Place, curve, place

SIZE = 1024  # pixels, width and height of a picture
RADII: Mapping[int, int] = {4: 48, 5: 46, 6: 43, 7: 38, 8: 36, 9: 32, 10: 28}  # of a token, by token count
NUMBER = 46  # em square of a position number at a token
TITLE = 34  # likewise of a title
ROOM = 12  # pixels between a number and its token, or the ring around it, at least
BESIDE = 8  # likewise between the boxes of both, one of them to the side of the other or above it
NARROW = 1.7  # at most so many times as wide as high, or as high as wide, is a curve

Spot = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Face:
    """`letter_box` is set apart from the rest; first number, swap marker and second number are a row at `middle`."""

    letter_box: Box
    letter: Spot
    middle: Spot
    letter_size: int
    number_size: int
    reach: int  # of the swap marker from its middle
    space: int  # between marker and numbers
    upright: bool  # whether the row runs downwards, not to the right


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts of a picture of a scene variant; both loops have the same room for a curve, titles not counted."""

    panels: tuple[Box, Box]
    titles: tuple[Spot, Spot]
    centres: tuple[Spot, Spot]
    room: tuple[int, int]  # half of what a loop may take up, sideways and up and down, numbers included
    rest: int  # margin of the ground around a token, on which there is no string
    ring: int  # how far a ring around the rest reaches beyond the token; 0: there is none
    cards: tuple[Box, Box, Box, Box]
    face: Face


@dataclass(frozen=True, slots=True)
class Layout:
    frame: Frame
    radius: int
    curve: Curve
    distances: tuple[float, ...]  # of the positions along the curve
    tokens: tuple[Spot, ...]  # from the middle of a loop on, as are the numbers
    numbers: tuple[Spot, ...]


def _columns(lefts: tuple[int, ...], top: int, wide: int, high: int) -> tuple[Box, ...]:
    return tuple((left, top, left + wide, top + high) for left in lefts)


def _boxes(lefts: tuple[int, int], tops: tuple[int, int], wide: int, high: int) -> tuple[Box, Box, Box, Box]:
    """Two rows of two."""
    (one, two), (three, four) = _columns(lefts, tops[0], wide, high), _columns(lefts, tops[1], wide, high)
    return one, two, three, four


FRAMES: Mapping[str, Frame] = {
    "necklace_board": Frame(
        panels=((16, 16, 504, 712), (520, 16, 1008, 712)),
        titles=((260, 62), (764, 62)),
        centres=((260, 385), (764, 385)),
        room=(218, 300),
        rest=6,
        ring=0,
        cards=((16, 736, 252, 1008), (268, 736, 504, 1008), (520, 736, 756, 1008), (772, 736, 1008, 1008)),
        face=Face((0, 0, 236, 100), (118, 51), (118, 186), 72, 62, 22, 24, False),
    ),
    "charm_card_grid": Frame(
        panels=((16, 16, 588, 504), (16, 520, 588, 1008)),
        titles=((302, 46), (302, 550)),
        centres=((302, 280), (302, 784)),
        room=(270, 210),
        rest=6,
        ring=0,
        cards=_boxes((612, 818), (16, 520), 190, 488),
        face=Face((0, 0, 190, 176), (95, 118), (95, 332), 76, 66, 38, 28, True),
    ),
    "route_loop_diagram": Frame(
        panels=((16, 16, 504, 648), (520, 16, 1008, 648)),
        titles=((260, 52), (764, 52)),
        centres=((260, 355), (764, 355)),
        room=(229, 278),
        rest=8,
        ring=10,
        cards=_boxes((16, 520), (672, 848), 488, 160),
        face=Face((0, 0, 128, 160), (64, 80), (308, 80), 76, 66, 48, 36, False),
    ),
    "token_ring_outline": Frame(
        panels=((16, 16, 736, 504), (16, 520, 736, 1008)),
        titles=((376, 46), (376, 550)),
        centres=((376, 280), (376, 784)),
        room=(330, 210),
        rest=5,
        ring=0,
        cards=((764, 16, 1008, 246), (764, 270, 1008, 500), (764, 524, 1008, 754), (764, 778, 1008, 1008)),
        face=Face((0, 0, 106, 230), (53, 115), (175, 115), 76, 56, 30, 18, True),
    ),
}


@cache
def layout(variant: str, path: str, tokens: int) -> Layout:
    """Where everything is. Raises KeyError where there are fewer or more tokens than a picture can have."""
    frame, radius = FRAMES[variant], RADII[tokens]
    number = _extent(str(tokens), NUMBER)
    margin = radius + frame.ring + ROOM
    wide, high = (half - margin - size for half, size in zip(frame.room, number, strict=True))
    on = curve(path, min(wide, NARROW * high), min(high, NARROW * wide), tokens)
    pitch = (on.length - GAP) / tokens
    distances = tuple(GAP / 2 + pitch * (index + 0.5) for index in range(tokens))
    places = [place(on, far) for far in distances]
    spots = tuple((round(at.x), round(at.y)) for at in places)
    numbers = []
    for index, at in enumerate(places):
        away = _away(radius, frame.ring, _extent(str(index + 1), NUMBER), at)
        numbers.append((round(at.x + away * at.out_x), round(at.y + away * at.out_y)))
    return Layout(frame, radius, on, distances, spots, tuple(numbers))


def row(face: Face, first: int, second: int) -> tuple[Spot, Spot, Spot]:
    """Where first number, swap marker and second number of a card are."""
    axis = 1 if face.upright else 0
    one, other = (_extent(str(number), face.number_size)[axis] for number in (first, second))
    start = face.middle[axis] - (one + other) / 2 - face.reach - face.space
    marker = start + one + face.space + face.reach
    along = (start + one / 2, marker, marker + face.reach + face.space + other / 2)
    x, y = face.middle
    spots = ((x, round(far)) if face.upright else (round(far), y) for far in along)
    return next(spots), next(spots), next(spots)


def moved(box: tuple[float, float, float, float], by: Spot) -> Box:
    """The smallest box of whole pixels around a box that is moved."""
    left, top, right, bottom = box
    return floor(left + by[0]), floor(top + by[1]), ceil(right + by[0]), ceil(bottom + by[1])


def _extent(text: str, size: float) -> tuple[float, float]:
    left, top, right, bottom = outline(text, size).box
    return right - left, bottom - top


def _away(radius: int, ring: int, extent: tuple[float, float], at: Place) -> int:
    """How far the middle of a number is from that of its token: as near as ROOM and BESIDE allow (on the slant, boxes
    ask for more)."""
    for away in count(radius):
        across, down = (
            max(0.0, away * abs(out) - size / 2) for out, size in zip((at.out_x, at.out_y), extent, strict=True)
        )
        if hypot(across, down) >= radius + ring + ROOM and max(across, down) >= radius + BESIDE:
            return away
    return 0
