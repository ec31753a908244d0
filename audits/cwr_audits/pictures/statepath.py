"""A path of states: one card a state, one row a thing, and an arrow with the step's name from each card to the next.

A card that no longer fits into the line begins a new one, which repeats the names of the rows. Beside a cell may stand
a mark, such as "+1". What the step changed is bold on its own ground; an illegal step ends the path in a dashed card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
class _Canvas:
    """What is drawn so far is in `parts`; widths of the names and of all cards, height of a line of cards."""

    rows: tuple[str, ...]
    names: int
    high: int
    parts: list[str]


def draw(rows: Sequence[str], cards: Sequence[Card]) -> tuple[list[str], int, int]:
    """The shapes of a path, and how far they reach right and down."""
    names = svg.widest(svg.cut(row, NAMES) for row in rows) + GAP
    canvas = _Canvas(tuple(rows), names, HEAD + LINE * max(len(rows), 1) + PAD, [])
    x, y, right = names, 0, 0
    _names(canvas, y)
    for number, card in enumerate(cards):
        wide = _width(card)
        lead = max(svg.width(card.step) + 24, 2 * GAP) if card.step else GAP if number else 0
        if number and x + lead + wide > MOST:
            canvas.parts.append(svg.text(x + PAD, y + LINE, "…", "faint"))
            x, y = names, y + canvas.high + LINE
            _names(canvas, y)
        if card.step:
            _arrow(canvas, x, y, lead, card)
        _card(canvas, x + lead, y, wide, card)
        x += lead + wide
        right = max(right, x + 3 * GAP // 2)
    return canvas.parts, right, y + canvas.high


def _width(card: Card) -> int:
    marks = svg.widest(cell.mark for cell in card.cells)
    inner = svg.widest(cell.text for cell in card.cells) + (marks + 8 if marks else 0)
    return max(inner, svg.width(card.head)) + 2 * PAD


def _names(canvas: _Canvas, y: int) -> None:
    for row, words in enumerate(canvas.rows):
        canvas.parts.append(svg.name(0, y + HEAD + LINE * row + 14, words, "faint", most=NAMES))


def _arrow(canvas: _Canvas, x: int, y: int, lead: int, card: Card) -> None:
    kind = "bad" if card.kind == "bad" else "ink"
    level = y + LINE + 4
    canvas.parts.append(svg.line([(x + 4, level), (x + lead - 4, level)], kind))
    canvas.parts.append(svg.head(x + lead - 2, level, kind))
    canvas.parts.append(
        svg.text(x + lead // 2 - 4, y + LINE - 3, card.step, "bad" if kind == "bad" else "new", "middle")
    )


def _card(canvas: _Canvas, x: int, y: int, wide: int, card: Card) -> None:
    canvas.parts.append(svg.rect(x, y + 4, wide, canvas.high - 4, card.kind))
    canvas.parts.append(
        svg.text(x + wide // 2, y + LINE, card.head, "bad" if card.kind == "bad" else "faint", "middle")
    )
    for row, cell in enumerate(card.cells):
        top = y + HEAD + LINE * row
        if cell.changed:
            canvas.parts.append(svg.rect(x + 2, top, wide - 4, LINE, "new"))
        kind = "new" if cell.changed else "faint" if cell.faint else "ink"
        canvas.parts.append(svg.text(x + PAD, top + 14, cell.text, kind))
        if cell.mark:
            canvas.parts.append(svg.text(x + wide - PAD, top + 14, cell.mark, "new", "end"))
