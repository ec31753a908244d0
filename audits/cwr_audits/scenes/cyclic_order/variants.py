"""The four scene variants: what a picture looks like before its tokens and its options are drawn.

Vocabulary
  theme      the look of a variant; a table, THEMES. Its colours are white, greys and beiges, and none is near a colour
             of a palette, so that no decoration is taken for a token
  backdrop   grounds, titles, strings, gap markers, arrows and position numbers: all that a variant, a loop path and a
             token count make up; the same whatever the puzzle is
  rest       the ground around a token, on which there is no string: within a ring, a disc; where there is no ring, a
             margin along the outline of the token, which is drawn with the token

  necklace_board      two boards with a necklace each, the cards in a row below
  charm_card_grid     two trays above each other, the cards as tags in a grid beside them
  route_loop_diagram  two maps with a thick line and its stations, the cards as tickets in a grid below
  token_ring_outline  thin lines on white, the cards in a column beside the rings
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import hypot

from cwr_audits.scenes.cyclic_order import marks
from cwr_audits.scenes.cyclic_order.contract import Box
from cwr_audits.scenes.cyclic_order.layout import FRAMES, NUMBER, SIZE, TITLE, Layout, layout, row
from cwr_audits.scenes.cyclic_order.paths import GAP, Place, path_data, place, stretch

INK = "#1f2430"
SOFT = "#3a3d44"
TITLES = ("REFERENCE", "BROKEN")
# from the edge of a panel to where the innermost line of its frame ends
INSET: Mapping[str, int] = {
    "necklace_board": 14,
    "charm_card_grid": 2,
    "route_loop_diagram": 2,
    "token_ring_outline": 2,
}
BORDER = 4  # pixels, of a card; even, so that the line is sharp on whole pixels
SPACER, SPACING, CLEAR = 5, 20, 9  # of the small beads: radius, from one to the next, from a token
# of small beads and of the bits of cord between them: light, so that none is taken for a token or a digit
SPACER_FILL, SPACER_LINE = "#ffffff", "#a5a7ac"
AROUND = 28  # pixels that the arrow keeps from tokens
MESH = 44  # pixels between the streets of a map
EVEN = 4  # pixels, width of the longest lines: on whole pixels they are sharp, which makes a PNG quicker


@dataclass(frozen=True, slots=True)
class Theme:
    """`cord` and `thickness` are of the string, `casing` is the wider line under it (None: there is none); `ring` is
    the ring around a token's rest (None: there is none)."""

    ground: str
    panel: str
    panel_line: str
    panel_round: int
    cord: str
    thickness: int
    casing: str | None
    ring: str | None
    card: str
    letter_ground: str
    card_round: int
    curved: bool


THEMES: Mapping[str, Theme] = {
    "necklace_board": Theme(
        "#efebe3", "#fbf9f5", "#cdc5b6", 30, "#45423c", 5, None, None, "#ffffff", "#ece7dd", 20, False
    ),
    "charm_card_grid": Theme(
        "#eceef1", "#ffffff", "#c9cdd3", 14, "#45474c", 4, None, None, "#fdfcf9", "#e7e9ed", 26, True
    ),
    "route_loop_diagram": Theme(
        "#f4f3ef", "#fcfbf8", "#cfcdc6", 8, "#cfd2d7", 16, "#45474c", "#45474c", "#ffffff", "#e9e8e3", 10, True
    ),
    "token_ring_outline": Theme(
        "#ffffff", "#ffffff", "#d4d6da", 0, "#3a3d44", 3, None, None, "#ffffff", "#ffffff", 0, False
    ),
}


@cache
def backdrop(variant: str, path: str, count: int) -> str:
    theme, plan = THEMES[variant], layout(variant, path, count)
    ground = f'<path d="M0 0H{SIZE}V{SIZE}H0Z" fill="{theme.ground}"/>'
    panels = [_panel(variant, theme, box) for box in plan.frame.panels]
    titles = [marks.text(words, TITLE, *at, SOFT) for words, at in zip(TITLES, plan.frame.titles, strict=True)]
    string = _string(variant, path, theme, plan)
    loops = [f'<g transform="translate({x} {y})">{string}</g>' for x, y in plan.frame.centres]
    return "".join((ground, *panels, *titles, *loops, _numbers(plan)))


@cache
def card(variant: str, label: str, first: int, second: int) -> str:
    """A card with its letter and its two numbers, from its upper left corner on."""
    theme, frame = THEMES[variant], FRAMES[variant]
    left, top, right, bottom = frame.cards[0]
    face, wide, high = frame.face, right - left, bottom - top
    one, (x, y), other = row(face, first, second)
    inside = (
        f'<rect width="{wide}" height="{high}" rx="{theme.card_round}" fill="{theme.card}"/>',
        _letter_ground(variant, theme, face.letter_box),
        f'<rect width="{wide}" height="{high}" rx="{theme.card_round}" fill="none" stroke="{INK}" '
        f'stroke-width="{BORDER}"/>',
        marks.text(label, face.letter_size, *face.letter, INK),
        marks.text(str(first), face.number_size, *one, INK),
        f'<g transform="translate({x} {y})">{marks.swap(face.reach, theme.curved, face.upright, SOFT)}</g>',
        marks.text(str(second), face.number_size, *other, INK),
    )
    return "".join(inside)


def _letter_ground(variant: str, theme: Theme, box: Box) -> str:
    """The part of the card in which the letter stands, and the line that parts it from the rest."""
    _, _, right, bottom = box
    bend = theme.card_round
    if right > bottom:  # the letter stands above the rest
        line = f"M0 {bottom}H{right}"
        shape = f"V{bend}A{bend} {bend} 0 0 1 {bend} 0H{right - bend}A{bend} {bend} 0 0 1 {right} {bend}V{bottom}Z"
        ground = f"M0 {bottom}{shape}"
    else:
        line = f"M{right} 0V{bottom}"
        shape = f"H{bend}A{bend} {bend} 0 0 0 0 {bend}V{bottom - bend}A{bend} {bend} 0 0 0 {bend} {bottom}H{right}Z"
        ground = f"M{right} 0{shape}"
    dashes = ' stroke-dasharray="10 8"' if variant == "token_ring_outline" else ""
    drawn = (
        f'<path d="{ground}" fill="{theme.letter_ground}"/>'
        f'<path d="{line}" stroke="{theme.panel_line}" stroke-width="4"{dashes}/>'
    )
    if variant != "charm_card_grid":
        return drawn
    hole = f'r="13" fill="{theme.ground}" stroke="{SOFT}" stroke-width="3"'
    return f'{drawn}<circle cx="{right // 2}" cy="36" {hole}/>'


def _panel(variant: str, theme: Theme, box: Box) -> str:
    left, top, right, bottom = box
    plain = _frame(box, 0, theme.panel_round, f'fill="{theme.panel}" stroke="{theme.panel_line}" stroke-width="4"')
    if variant == "necklace_board":
        return plain + _frame(
            box,
            12,
            theme.panel_round - 10,
            f'fill="none" stroke="#ddd6c9" stroke-width="{EVEN}" stroke-dasharray="9 7"',
        )
    if variant == "route_loop_diagram":
        down = "".join(f"M{x} {top + 2}V{bottom - 2}" for x in range(left + MESH, right, MESH))
        across = "".join(f"M{left + 2} {y}H{right - 2}" for y in range(top + MESH, bottom, MESH))
        return plain + f'<path d="{down}{across}" stroke="#f0eee8" stroke-width="{EVEN}"/>'
    return plain


def _frame(box: Box, inset: int, bend: int, paint: str) -> str:
    left, top, right, bottom = box
    return (
        f'<rect x="{left + inset}" y="{top + inset}" width="{right - left - 2 * inset}" '
        f'height="{bottom - top - 2 * inset}" rx="{bend}" {paint}/>'
    )


def _string(variant: str, path: str, theme: Theme, plan: Layout) -> str:
    """A loop without its tokens: string, gap marker, arrow and rests."""
    on = plan.curve
    line = path_data(stretch(on, GAP / 2, on.length - GAP / 2))
    paint = 'fill="none" stroke-linejoin="round" stroke'
    casing = f'<path d="{line}" {paint}="{theme.casing}" stroke-width="{theme.thickness + 6}"/>' if theme.casing else ""
    colour = SPACER_LINE if path == "beaded_string" and not theme.casing else theme.cord
    cord = f'<path d="{line}" {paint}="{colour}" stroke-width="{theme.thickness}"/>'
    top = round(-place(on, 0).y)
    wide, high = _arrow_reach(plan)
    spacers = _spacers(plan) if path == "beaded_string" else ""
    return (
        f'{casing}{cord}{spacers}<g transform="translate(0 {-top})">{marks.gap(variant, SOFT)}</g>'
        f"{marks.arrow(wide, high, SOFT)}{_rests(theme, plan)}"
    )


def _arrow_reach(plan: Layout) -> tuple[int, int]:
    """Some more than half of the way from the middle to where tokens can begin, not too long an ellipse, and at least
    the circle that keeps its distance from tokens and string."""
    wide, high = (max(abs(spot[axis]) for spot in plan.tokens) - plan.radius for axis in (0, 1))
    nearest = min(hypot(x, y) for x, y in plan.tokens) - plan.radius
    least = min(nearest - AROUND, min(hypot(x, y) for x, y in plan.curve.corners) - 2 * AROUND)
    return round(max(least, min(0.56 * wide, 0.75 * high))), round(max(least, min(0.56 * high, 0.75 * wide)))


def _spacers(plan: Layout) -> str:
    """Small beads between the tokens, evenly."""
    on, free = plan.curve, plan.radius + CLEAR + SPACER
    ends = (GAP / 2 + SPACER - free, *plan.distances, on.length - GAP / 2 - SPACER + free)
    beads: list[Place] = []
    for before, after in pairwise(ends):
        room = after - before - 2 * free
        count = int(room // SPACING) + 1 if room >= 0 else 0
        step = room / (count - 1) if count > 1 else 0
        begin = before + free if count > 1 else (before + after) / 2
        beads.extend(place(on, begin + step * index) for index in range(count))
    circles = "".join(f'<circle cx="{round(at.x)}" cy="{round(at.y)}" r="{SPACER}"/>' for at in beads)
    return f'<g fill="{SPACER_FILL}" stroke="{SPACER_LINE}" stroke-width="3">{circles}</g>'


def _rests(theme: Theme, plan: Layout) -> str:
    """Rests within rings."""
    if theme.ring is None:
        return ""
    reach = plan.radius + plan.frame.rest
    circles = "".join(f'<circle cx="{x}" cy="{y}" r="{reach}"/>' for x, y in plan.tokens)
    return f'<g fill="{theme.panel}" stroke="{theme.ring}" stroke-width="3">{circles}</g>'


def _numbers(plan: Layout) -> str:
    (_, (x, y)) = plan.frame.centres
    return "".join(
        marks.text(str(index + 1), NUMBER, x + right, y + down, INK) for index, (right, down) in enumerate(plan.numbers)
    )
