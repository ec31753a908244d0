"""Pictures of submissions, one style for all worlds, as SVG text: the same bytes on every machine.

Nothing that judges loads this package: it may use a library for layout, and it is not trusted with anything.
"""

from __future__ import annotations

from typing import Any

from cwr_audits.late import DRAW, resolve
from cwr_audits.pictures.drawing import render
from cwr_audits.pictures.palette import STYLE
from cwr_solvers.world import Submission

__all__ = ["STYLE", "inline", "picture"]


def picture(family: str, instance: Any, submission: Submission[Any], step: int | None = None) -> str:
    """An SVG file: the submission up to `step` (None: the whole); a first illegal step is marked, nothing after it."""
    return render(resolve(DRAW[family])(instance, submission, step), alone=True)


def inline(family: str, instance: Any, submission: Submission[Any], step: int | None = None) -> str:
    """The same as an element for a page whose style sheet has STYLE: no style, id or script of its own."""
    return render(resolve(DRAW[family])(instance, submission, step), alone=False)
