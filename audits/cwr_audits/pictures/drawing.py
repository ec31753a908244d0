"""What a world's module draws, the frame that all pictures share, and the words that tell a run.

From top to bottom: the title; how the run ended, with every broken rule and its reason; the drawing; how to read it.
The same is told in words in `<desc>`, step by step, for those who do not see the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from cwr_audits.pictures import svg
from cwr_audits.pictures.palette import STYLE
from cwr_audits.pictures.svg import CHARACTER, LINE, MARGIN
from cwr_solvers.grading import Trace, run
from cwr_solvers.world import Rules, Submission

LEAST = 560  # pixels between the margins, so that reasons do not break after every word
MOST = 1080


@dataclass(frozen=True)
class Run:
    """The first moves of a submission, played: `made` are the legal ones, `wrong` is the first illegal one, numbered.

    `total` counts the moves of the whole submission; `choice` is None unless all of them are shown and legal.
    """

    trace: Trace
    made: tuple[Any, ...]
    wrong: tuple[int, Any] | None
    shown: int
    total: int
    choice: tuple[str, ...] | None


@dataclass(frozen=True)
class Drawing:
    """Shapes that reach from (0, 0) to (right, bottom), how to read them, and each step in words."""

    title: str
    run: Run
    parts: tuple[str, ...]
    right: int
    bottom: int
    key: tuple[str, ...]
    told: tuple[str, ...]


def play(rules: Rules, instance: Any, submission: Submission[Any], step: int | None) -> Run:
    """Play the first `step` moves (None: all)."""
    moves = submission.moves[:step]
    trace = run(rules, instance, Submission(moves, submission.choice))
    number = trace.first_illegal_step
    wrong = None if number is None else (number, moves[number - 1])
    whole = wrong is None and len(moves) == len(submission.moves)
    made = moves[: len(trace.states) - 1]
    return Run(trace, made, wrong, len(moves), len(submission.moves), submission.choice if whole else None)


def verdict(one: Run) -> list[tuple[str, str]]:
    """How the run ended: sentences with the kinds of their texts."""
    trace = one.trace
    if one.wrong is not None:
        return [(f"✗ illegal at step {one.wrong[0]}; nothing after it is judged", "bad"), *_why(trace)]
    spent = f"cost {trace.states[-1].cost}"
    if one.shown < one.total:
        return [(f"after step {one.shown} of {one.total}, {spent}", "ink")]
    if trace.faults:
        return [(f"✗ rejected: every step is legal, the goal is not met; {spent}", "bad"), *_why(trace)]
    return [(f"✓ accepted after {_steps(one.total)}, {spent}", "good")]


def _steps(number: int) -> str:
    return "1 step" if number == 1 else f"{number} steps"


def _why(trace: Trace) -> list[tuple[str, str]]:
    return [(f"{fault.rule}: found {fault.found}; needed {fault.needed}", "bad") for fault in trace.faults]


def rules_broken(trace: Trace) -> str:
    """The names of the broken rules."""
    return ", ".join(sorted({fault.rule for fault in trace.faults}))


def render(drawing: Drawing, alone: bool) -> str:
    """The SVG of a drawing: a file of its own (`alone`), else an element for a page that has the style sheet."""
    inner = max(drawing.right, LEAST)
    most = min(inner, MOST) // CHARACTER
    above = [(svg.cut(drawing.title, most), "new"), *_wrapped(verdict(drawing.run), most)]
    below = _wrapped([(words, "faint") for words in drawing.key], most)
    top = MARGIN + LINE * len(above) + LINE // 2
    under = top + drawing.bottom + LINE
    wide, high = inner + 2 * MARGIN, under + LINE * len(below) + MARGIN
    parts = [f'<rect class="cwr-ground" x="0" y="0" width="{wide}" height="{high}"/>']
    parts += _lines(above, MARGIN)
    parts += [f'<g transform="translate({MARGIN} {top})">', *drawing.parts, "</g>"]
    parts += _lines(below, under)
    return "\n".join([*_head(drawing, wide, high), *([f"<style>{STYLE}</style>"] if alone else []), *parts, "</svg>\n"])


def _head(drawing: Drawing, wide: int, high: int) -> list[str]:
    """The opening of the document, with its name and its contents in words."""
    told = [*(words for words, _ in verdict(drawing.run)), *drawing.told]
    size = f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}"'
    title = escape(svg.clean(drawing.title))
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="cwr" role="img" aria-label="{title}" {size}>',
        f"<title>{title}</title>",
        f"<desc>{escape(' '.join(f'{svg.clean(words)}.' for words in told))}</desc>",
    ]


def _wrapped(told: Sequence[tuple[str, str]], most: int) -> list[tuple[str, str]]:
    return [(piece, kind) for words, kind in told for piece in svg.wrap(words, most)]


def _lines(told: Sequence[tuple[str, str]], top: int) -> list[str]:
    return [svg.text(MARGIN, top + LINE * row + 13, words, kind) for row, (words, kind) in enumerate(told)]


def tell(run: Run, said: Sequence[str], asked: str = "") -> tuple[str, ...]:
    """The legal steps in words, numbered, and the illegal one."""
    told = [f"Step {number}: {words}" for number, words in enumerate(said, 1)]
    return (*told, f"Step {run.wrong[0]}, illegal: {asked}") if run.wrong is not None else tuple(told)
