"""Tables for people, by rich. Kept apart from `out`, because commands that print JSON must not load it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cwr_audits.out import plain

PIPED_WIDTH = 120  # columns, where no terminal says


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table on standard output; cells are plain text, never markup."""
    console = Console(width=None if sys.stdout.isatty() else PIPED_WIDTH, highlight=False)
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), collapse_padding=True)
    for column in columns:
        made.add_column(column, overflow="fold")
    for row in rows:
        made.add_row(*(Text(plain(cell)) for cell in row))
    # written by ourselves: when the reader goes away, rich would end the program with a code that means "rejected"
    with console.capture() as drawn:
        console.print(made)
    sys.stdout.buffer.write(drawn.get().encode("utf-8"))
