"""Finite typed pipeline: a submission as a string diagram. A box is a step, a wire is a value from its creation on.

Boxes stand from left to right in the order of steps; a step's args enter its box from top to bottom in their order, its
outputs leave it so. Wires that pass a box run above or below it; those that reach the right end are alive there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from cwr_solvers import svg
from cwr_solvers.grading import run
from cwr_solvers.svg import LINE, MARGIN
from cwr_solvers.world import Submission
from cwr_solvers.worlds.tp import interpreter
from cwr_solvers.worlds.tp.instance import Instance, Step, Typed

ROW = 38
BEND = 36  # pixels in which a wire changes its row
TOP = MARGIN + LINE


@dataclass
class _Canvas:
    """What is drawn so far: wires end at x, each in its row; the lowest row in use."""

    x: int
    rows: dict[str, int]
    lowest: int = 0
    parts: list[str] = field(default_factory=list)


def picture(instance: Instance, submission: Submission[Step], step: int | None) -> str:
    """The SVG of a submission up to `step` (None: the whole); a first illegal step is marked and nothing after it."""
    moves = submission.moves[:step]
    trace = run(interpreter, instance, Submission(moves, submission.choice))
    first = trace.states[0].live
    canvas = _Canvas(MARGIN, {name: row for row, (name, _) in enumerate(first)})
    _name_wires(canvas, first)
    for move, after in zip(moves, trace.states[1:], strict=False):
        live = dict(after.live)
        _draw(canvas, move, [(name, live[name]) for name in move.out])
    if trace.first_illegal_step is not None:
        _draw_illegal(canvas, moves[trace.first_illegal_step - 1])
    bottom = TOP + ROW * (canvas.lowest + 1)
    caption = svg.caption(trace, len(moves), len(submission.moves))
    return svg.document(f"Typed pipeline {instance.code}", canvas.x, bottom, canvas.parts, caption)


def _y(row: int) -> int:
    return TOP + ROW * row + ROW // 2


def _name_wires(canvas: _Canvas, made: Sequence[tuple[str, Typed]]) -> None:
    """Draw all wires on far enough for the names of new ones, which stand above them."""
    labels = {name: f"{name} {type_}{list(value)}" for name, (type_, value) in made}
    long = svg.widest(labels.values()) + 12
    canvas.lowest = max([canvas.lowest, *canvas.rows.values()])
    for name, row in canvas.rows.items():
        canvas.parts.append(svg.line(canvas.x, _y(row), canvas.x + long, _y(row)))
        if name in labels:
            canvas.parts.append(svg.text(canvas.x + 6, _y(row) - 5, labels[name], "faint"))
    canvas.x += long


def _draw(canvas: _Canvas, move: Step, made: Sequence[tuple[str, Typed]]) -> None:
    """Bend the wires so that the args lie side by side, and draw the box with its outputs."""
    order = sorted(canvas.rows, key=lambda name: canvas.rows[name])
    top = min((order.index(name) for name in move.args), default=len(order))
    high = max(len(move.args), len(made), 1)
    below = [name for name in order[top:] if name not in move.args]
    rows = {name: row for row, name in enumerate(order[:top])}
    rows.update({name: top + place for place, name in enumerate(move.args)})
    rows.update({name: top + high + place for place, name in enumerate(below)})
    left, wide = canvas.x + BEND, svg.width(move.op) + 16
    for name, row in rows.items():
        canvas.parts.append(svg.curve(canvas.x, _y(canvas.rows[name]), left, _y(row)))
        if name not in move.args:
            canvas.parts.append(svg.line(left, _y(row), left + wide, _y(row)))
    title = f"{move.op}({', '.join(move.args)}) → {', '.join(move.out) or 'nothing'}"
    canvas.parts.append(svg.rect(left, _y(top) - 12, wide, ROW * (high - 1) + 24, "fill", title))
    canvas.parts.append(svg.text(left + 8, (_y(top) + _y(top + high - 1)) // 2 + 5, move.op, "new"))
    canvas.lowest = max(canvas.lowest, top + high - 1)
    canvas.x = left + wide
    kept = {name: row for name, row in rows.items() if name not in move.args}
    canvas.rows = kept | {name: top + place for place, (name, _) in enumerate(made)}
    _name_wires(canvas, made)


def _draw_illegal(canvas: _Canvas, move: Step) -> None:
    """A box below all wires: what was asked cannot be wired."""
    words = f"{move.op}({', '.join(move.args)}) → {', '.join(move.out) or 'nothing'} ✗"
    row = canvas.lowest + 1 if canvas.rows else canvas.lowest
    canvas.parts.append(svg.rect(canvas.x + 4, _y(row) - 12, svg.width(words) + 16, 24, "bad"))
    canvas.parts.append(svg.text(canvas.x + 12, _y(row) + 5, words, "bad"))
    canvas.lowest = row
    canvas.x += svg.width(words) + 24
