"""The marks of the cyclic-order scene as SVG fragments around (0, 0): gap markers, the arrow of the reading direction,
swap markers and texts. None has an id, a class or a title; every line is at least LEAST pixels wide.

  gap marker     a closed clasp: it joins the ends of the string, and reads as whole; it lies in the gap, upright, on a
                 string that runs sideways; it is lower than any token and has no colour
  arrow          most of an ellipse, clockwise from a dot near its top to an arrowhead
  swap marker    two arrows that point against each other: one thing goes there, the other comes back
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import atan2, cos, degrees, pi, sin

from cwr_audits.scenes.cyclic_order.glyphs import outline
from cwr_audits.scenes.cyclic_order.outlines import written

LEAST = 3
HEAD, NECK = 12, 14  # pixels, half the width of an arrowhead, and from its point to where the line ends
START, END = 0.16 * pi, 1.72 * pi  # where the arrow begins and ends, clockwise from the top

# variant -> the gap marker; the string ends 17 pixels to both sides of (0, 0)
GAPS: Mapping[str, str] = {
    # a barrel, screwed together in the middle
    "necklace_board": '<rect x="-20" y="-12" width="40" height="24" rx="7" fill="#dcd6ca" stroke-width="4"/>'
    '<path d="M0-12V12" stroke-width="4"/>',
    # two end caps of a cord that meet
    "charm_card_grid": '<path d="M-20-5L-4-13H4L20-5V5L4 13H-4L-20 5Z" fill="#d6d9de" stroke-width="4" '
    'stroke-linejoin="round"/><path d="M0-13V13" stroke-width="4"/>',
    # a sleeve over both ends of a line
    "route_loop_diagram": '<rect x="-21" y="-15" width="42" height="30" rx="6" fill="#ffffff" stroke-width="4"/>'
    '<path d="M0-15V15" stroke-width="4"/>',
    # two links in each other
    "token_ring_outline": '<g fill="none" stroke-width="3"><rect x="-20" y="-8" width="25" height="16" rx="8"/>'
    '<rect x="-5" y="-8" width="25" height="16" rx="8"/></g>',
}


def gap(variant: str, stroke: str) -> str:
    return f'<g stroke="{stroke}">{GAPS[variant]}</g>'


@cache
def arrow(wide: int, high: int, stroke: str) -> str:
    """The reading direction, on an ellipse of this reach."""
    (x, y), (u, v) = ((wide * sin(turn), -high * cos(turn)) for turn in (START, END))
    heading = degrees(atan2(high * sin(END), wide * cos(END)))
    return (
        f'<path d="M{written(x)} {written(y)}A{wide} {high} 0 1 1 {written(u)} {written(v)}" fill="none" '
        f'stroke="{stroke}" stroke-width="5"/>'
        f'<circle cx="{written(x)}" cy="{written(y)}" r="7" fill="{stroke}"/>'
        f'<path d="M-4-{HEAD}L18 0L-4 {HEAD}Z" fill="{stroke}" '
        f'transform="translate({written(u)} {written(v)})rotate({written(heading)})"/>'
    )


@cache
def swap(reach: int, curved: bool, upright: bool, stroke: str) -> str:
    """The swap marker, so far to both sides; `upright`: to above and below instead."""
    bulge = (26 if upright else 20) if curved else 0
    (x, y), heading = (reach, -9 if curved else -13), atan2(bulge, reach)
    neck = f"{written(x - NECK * cos(heading))} {written(y - NECK * sin(heading))}"
    one = (
        f'<path d="M{-reach} {y}Q0 {y - bulge} {neck}" fill="none" stroke="{stroke}" stroke-width="6"/>'
        f'<path d="M-{NECK + 5}-{HEAD}L0 0L-{NECK + 5} {HEAD}Z" fill="{stroke}" '
        f'transform="translate({x} {y})rotate({written(degrees(heading))})"/>'
    )
    turned = ' transform="rotate(90)"' if upright else ""
    return f'<g{turned}>{one}<g transform="rotate(180)">{one}</g></g>'


def text(words: str, size: float, x: int, y: int, fill: str) -> str:
    """A text as outlines, the middle of its ink at (x, y)."""
    return f'<path d="{outline(words, size).path}" fill="{fill}" transform="translate({x} {y})"/>'
