"""Who shows progress: a line on standard error where that is a terminal, silence elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cwr_audits.late import PROGRESS, resolve


@contextmanager
def telling() -> Iterator[Callable[[str], None]]:
    """Give a function that is told what is going on."""
    if sys.stderr.isatty():
        with resolve(PROGRESS)() as tell:
            yield tell
    else:
        yield lambda _text: None
