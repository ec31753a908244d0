"""Progress on standard error, for people at a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.status import Status

from cwr_audits.out import plain


@contextmanager
def shown() -> Iterator[Callable[[str], None]]:
    """Give a function that shows what is going on; the line goes away at the end."""
    console = Console(stderr=True)
    begun = time.monotonic()
    with Status("starting", console=console) as status:
        yield lambda text: status.update(f"{plain(text)} ({time.monotonic() - begun:.1f} s)")
