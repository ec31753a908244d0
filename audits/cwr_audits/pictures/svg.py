"""Shapes and texts as SVG: integer coordinates, no ids, no outside resources; every text goes through `clean`.

Kinds of shapes and texts, and their colours, are those of cwr_audits.pictures.palette. Text is monospaced, so that its
width is known; a text with characters beyond ASCII says its width, so that no fallback font can make it longer.
Names are free: long ones are cut (a pointer resting on them shows all), invisible characters are spelt out, towers of
accents are lowered, and scripts that run from right to left are kept apart from what stands beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape
from unicodedata import bidirectional, category, combining, east_asian_width

CHARACTER = 8  # pixels, width of one character
LINE = 18  # pixels, height of one line of text
MARGIN = 16
MOST = 24  # characters of a name
KEPT = 4096  # texts whose widths are remembered: names come again and again
FSI, PDI = "\u2068", "\u2069"  # isolate what stands between them, whichever way it runs

Point = tuple[int, int]


@lru_cache(maxsize=KEPT)
def clean(string: str) -> str:
    """The text with nothing in it that is unseen, stacks up or turns its neighbours around."""
    shown: list[str] = []
    marks = 0
    for character in string:
        kind = category(character)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if character in (FSI, PDI):
            shown.append(character)  # so that a clean text stays as it is
        elif kind[0] == "C":
            shown.append(f"⟨{ord(character):04X}⟩")
        elif marks <= 2:
            shown.append(" " if kind[0] == "Z" else character)
    turned = any(bidirectional(character) in ("R", "AL", "AN") for character in shown if len(character) == 1)
    return f"{FSI}{''.join(shown)}{PDI}" if turned and FSI not in shown else "".join(shown)


@lru_cache(maxsize=KEPT)
def columns(string: str) -> int:
    """How many characters wide a text is; wide characters of East Asian scripts count twice, accents nothing."""
    return sum(map(_columns, clean(string)))


def _columns(character: str) -> int:
    if character in (FSI, PDI) or combining(character) or category(character) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def cut(string: str, most: int = MOST) -> str:
    """The clean text, cut to so many characters; what is cut ends in "…"."""
    whole = clean(string)
    if columns(whole) <= most:
        return whole
    kept, wide = [], 0
    for character in whole.strip(FSI + PDI):
        wide += _columns(character)
        if wide > most - 1:
            break
        kept.append(character)
    return clean("".join(kept)) + "…"


def wrap(string: str, most: int) -> list[str]:
    """The clean text in lines of at most so many characters, broken at spaces and inside words that are too long."""
    lines, line = [], ""
    for word in clean(string).split(" "):
        for piece in _pieces(word, most):
            longer = f"{line} {piece}" if line else piece
            if line and columns(longer) > most:
                lines.append(line)
                longer = piece
            line = longer
    return [*lines, line] if line else lines


def _pieces(word: str, most: int) -> list[str]:
    pieces, wide = [""], 0
    for character in word:
        if wide + _columns(character) > most:
            pieces.append("")
            wide = 0
        pieces[-1] += character
        wide += _columns(character)
    return pieces


def width(string: str) -> int:
    """The pixels that a text takes."""
    return CHARACTER * columns(string)


def widest(strings: Iterable[str]) -> int:
    """The pixels of the widest text, 0 where there is none."""
    return max(map(width, strings), default=0)


def text(x: int, y: int, string: str, kind: str = "ink", anchor: str = "start", title: str = "") -> str:
    """A line of text with its base line at y; anchor is start, middle or end."""
    string = clean(string)
    exact = "" if string.isascii() else f' textLength="{width(string)}" lengthAdjust="spacingAndGlyphs"'
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text class="cwr-{kind}" x="{x}" y="{y}"{where}{exact}>{escape(string)}{_title(title)}</text>'


def _title(title: str) -> str:
    return f"<title>{escape(clean(title))}</title>" if title else ""


def name(x: int, y: int, string: str, kind: str = "ink", anchor: str = "start", most: int = MOST) -> str:
    """A name, cut where it is long; then it says itself in full where a pointer rests."""
    short = cut(string, most)
    return text(x, y, short, kind, anchor, "" if short == clean(string) else string)


def rect(x: int, y: int, wide: int, high: int, kind: str, title: str = "") -> str:
    """A rectangle with rounded corners; the title shows where a pointer rests."""
    shape = f'class="cwr-area cwr-{kind}" x="{x}" y="{y}" width="{wide}" height="{high}" rx="3"'
    return f"<rect {shape}>{_title(title)}</rect>" if title else f"<rect {shape}/>"


def line(points: Sequence[Point], kind: str = "ink", more: str = "") -> str:
    """A broken line through the points; `more` is a second kind."""
    return path("M" + "L".join(f"{x} {y}" for x, y in points), kind, more)


def path(data: str, kind: str = "ink", more: str = "") -> str:
    """A line along SVG path data."""
    classes = f"cwr-line cwr-{kind}" + (f" cwr-{more}" if more else "")
    return f'<path class="{classes}" d="{data}"/>'


def curve(start: Point, end: Point, kind: str = "ink") -> str:
    """A line that leaves and arrives level."""
    (x1, y1), (x2, y2) = start, end
    middle = (x1 + x2) // 2
    return path(f"M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}", kind)


def shape(data: str, kind: str, title: str = "") -> str:
    """A filled shape along SVG path data."""
    return f'<path class="cwr-area cwr-{kind}" d="{data}">{_title(title)}</path>'


def face(points: Sequence[Point], number: int) -> str:
    """A coloured face."""
    return f'<path class="cwr-face{number}" d="M{"L".join(f"{x} {y}" for x, y in points)}Z"/>'


def dot(x: int, y: int, radius: int = 3, kind: str = "ink") -> str:
    """A filled circle."""
    return f'<circle class="cwr-solid cwr-{kind}" cx="{x}" cy="{y}" r="{radius}"/>'


def cross(x: int, y: int) -> list[str]:
    """The mark of what is not allowed, centred."""
    return [line([(x - 6, y - 6), (x + 6, y + 6)], "wrong"), line([(x - 6, y + 6), (x + 6, y - 6)], "wrong")]


def box(x: int, y: int, words: str) -> tuple[list[str], int, int]:
    """What is illegal, in a dashed box with its corner at (x, y); and how far it reaches right and down."""
    right, bottom = x + width(words) + 16, y + 28
    return [rect(x, y + 2, right - x, 26, "bad"), text(x + 8, y + 20, words, "bad")], right, bottom


def head(x: int, y: int, kind: str = "ink", left: bool = False) -> str:
    """The head of a level arrow whose tip is at (x, y)."""
    back = 8 if left else -8
    return f'<path class="cwr-solid cwr-{kind}" d="M{x} {y}L{x + back} {y - 4}L{x + back} {y + 4}Z"/>'
