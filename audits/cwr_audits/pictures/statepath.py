"""A path of states: one card a state, one row a thing, and an arrow with the step's name from each card to the next.

A card that no longer fits into the line begins a new one, which repeats the names of the rows. Beside a cell may stand
a mark, such as "+1". What the step changed is bold on its own ground; an illegal step ends the path in a dashed card.
Panels that are no cards of rows flow in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from cwr_audits.pictures import svg
from cwr_audits.pictures.svg import LINE

MOST = 1040
GAP = 22
PAD = 6
HEAD = LINE + 12  # pixels above the cards' rows: the number of the state, and the arrow
NAMES = 20  # characters of a row's name


@dataclass(frozen=True)
class Cell:
    """One thing in one state."""

    text: str
    mark: str = ""
    changed: bool = False
    faint: bool = False


@dataclass(frozen=True)
class Card:
    """A state: how the step that led here is called ("" for the first), what stands over the card, its cells."""

    step: str
    head: str
    cells: tuple[Cell, ...]
    kind: str = "card"


@dataclass(frozen=True)
class Panel:
    """What stands in a path: how the step that led here is called, whether it is illegal, how wide the panel is, and
    its shapes when its corner is at (x, y)."""

    step: str
    bad: bool
    wide: int
    shapes: Callable[[int, int], list[str]]


def draw(rows: Sequence[str], cards: Sequence[Card]) -> tuple[list[str], int, int]:
    """The shapes of a path of cards, and how far they reach right and down."""
    names = svg.widest(svg.cut(row, NAMES) for row in rows) + GAP
    high = HEAD + LINE * max(len(rows), 1) + PAD
    panels = [Panel(card.step, card.kind == "bad", _width(card), partial(_card, card, high)) for card in cards]
    return flow(panels, names, high, partial(_names, rows))


def flow(
    panels: Sequence[Panel], left: int, high: int, begin: Callable[[int], list[str]]
) -> tuple[list[str], int, int]:
    """The shapes of panels of one height, in lines; `begin` draws what stands before a line at this height."""
    x, y, right = left, 0, 0
    parts = begin(y)
    for number, panel in enumerate(panels):
        lead = max(svg.width(panel.step) + 24, 2 * GAP) if panel.step else GAP if number else 0
        if number and x + lead + panel.wide > MOST:
            parts.append(svg.text(x + PAD, y + LINE, "…", "faint"))
            x, y = left, y + high + LINE
            parts += begin(y)
        if panel.step:
            parts += _arrow(panel, x, y, lead)
        parts += panel.shapes(x + lead, y)
        x += lead + panel.wide
        right = max(right, x + 3 * GAP // 2)
    return parts, right, y + high


def _width(card: Card) -> int:
    marks = svg.widest(cell.mark for cell in card.cells)
    inner = svg.widest(cell.text for cell in card.cells) + (marks + 8 if marks else 0)
    return max(inner, svg.width(card.head)) + 2 * PAD


def _names(rows: Sequence[str], y: int) -> list[str]:
    return [svg.name(0, y + HEAD + LINE * row + 14, words, "faint", most=NAMES) for row, words in enumerate(rows)]


def _arrow(panel: Panel, x: int, y: int, lead: int) -> list[str]:
    kind = "bad" if panel.bad else "ink"
    level = y + LINE + 4
    return [
        svg.line([(x + 4, level), (x + lead - 4, level)], kind),
        svg.head(x + lead - 2, level, kind),
        svg.text(x + lead // 2 - 4, y + LINE - 3, panel.step, "bad" if panel.bad else "new", "middle"),
    ]


def _card(card: Card, high: int, x: int, y: int) -> list[str]:
    wide = _width(card)
    parts = [
        svg.rect(x, y + 4, wide, high - 4, card.kind),
        svg.text(x + wide // 2, y + LINE, card.head, "bad" if card.kind == "bad" else "faint", "middle"),
    ]
    for row, cell in enumerate(card.cells):
        top = y + HEAD + LINE * row
        if cell.changed:
            parts.append(svg.rect(x + 2, top, wide - 4, LINE, "new"))
        kind = "new" if cell.changed else "faint" if cell.faint else "ink"
        parts.append(svg.text(x + PAD, top + 14, cell.text, kind))
        if cell.mark:
            parts.append(svg.text(x + wide - PAD, top + 14, cell.mark, "new", "end"))
    return parts
