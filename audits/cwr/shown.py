"""What a notebook shows: tables as HTML, pictures as SVG. All text is escaped; nothing refers to another address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from cwr_audits.out import plain

MOST_ROWS = 100  # of a table that is shown; the table itself has all


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG picture; `svg` is its text, a file of its own."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<picture, {len(self.svg)} characters of SVG>"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under headings; `notes` are lines below that a reader must know."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        shown = [self.headings, *self.rows[:MOST_ROWS]]
        widths = [max(len(plain(row[column])) for row in shown) for column in range(len(self.headings))]
        lines = ["  ".join(plain(cell).ljust(wide) for cell, wide in zip(row, widths, strict=True)) for row in shown]
        return "\n".join(line.rstrip() for line in [*lines, *map(plain, self._below())])

    def _repr_html_(self) -> str:
        head = _row("th", self.headings)
        body = "".join(_row("td", row) for row in self.rows[:MOST_ROWS])
        below = "".join(f"<p>{_text(note)}</p>" for note in self._below())
        return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>{below}"

    def _below(self) -> tuple[str, ...]:
        hidden = len(self.rows) - MOST_ROWS
        return (*((f"{hidden} more rows are not shown here",) if hidden > 0 else ()), *self.notes)


def _row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_text(cell)}</{tag}>' for cell in cells)}</tr>"


def _text(text: str) -> str:
    return escape(plain(text))
