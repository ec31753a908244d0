"""Finite typed pipeline as a string diagram: a box is a step, a wire is a value from its creation to its use.

Boxes stand from left to right in the order of steps; a step's args enter its box from top to bottom in their order, its
outputs leave it so. Wires that pass a box run above or below it. A diagram that is too wide goes on below: there every
wire says its name again. At the end stands what is left, with what the goal asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cwr_audits.pictures import svg
from cwr_audits.pictures.drawing import Drawing, Run, play, rules_broken, tell
from cwr_audits.pictures.svg import LINE
from cwr_solvers.world import Submission
from cwr_solvers.worlds.tp import interpreter
from cwr_solvers.worlds.tp.instance import Instance, Step, Typed

ROW = 40
BEND = 40  # pixels in which a wire changes its row
MOST = 1040
BOX = 28  # pixels of height of a box with one wire
STUB = 24  # pixels of wire before a broken-off end

KEY = (
    "A box is a step, a wire is a value with its name, type and value; a wire that ends in a box is used up there. "
    "▸ at a line's end: goes on below.",
)


@dataclass
class _Canvas:
    """What is drawn so far: wires end at x, each in its row; the top of the line at hand; the lowest row in it."""

    x: int = 0
    top: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    lowest: int = 0
    right: int = 0
    parts: list[str] = field(default_factory=list)

    def y(self, row: int) -> int:
        return self.top + ROW * row + ROW // 2


def draw(instance: Instance, submission: Submission[Step], step: int | None) -> Drawing:
    """The drawing of a submission's first moves."""
    run = play(interpreter, instance, submission, step)
    states = run.trace.states
    canvas = _Canvas(rows={name: row for row, (name, _) in enumerate(states[0].live)})
    _name_wires(canvas, dict(states[0].live), canvas.rows)
    for number, (move, after) in enumerate(zip(run.made, states[1:], strict=True), 1):
        live = dict(after.live)
        wide = _needed(number, move, live)
        if canvas.x + wide > MOST and canvas.x > MOST // 3:
            _break(canvas, dict(states[number - 1].live))
        last = number == len(run.made) and run.wrong is None
        _step(canvas, number, move, live, last)
    if run.wrong is not None:
        _wrong(canvas, run)
    elif run.shown == run.total:
        _goal(canvas, instance, dict(states[-1].live))
    bottom = canvas.top + ROW * (canvas.lowest + 1)
    said = [_said(move) for move in run.made]
    told = tell(run, said, _said(run.wrong[1]) if run.wrong else "")
    title = f"{instance.code}: typed pipeline"
    return Drawing(title, run, tuple(canvas.parts), max(canvas.right, canvas.x), bottom, KEY, told)


def _said(move: Step) -> str:
    args, outs = (", ".join(svg.cut(name, 12) for name in names) for names in (move.args, move.out))
    return f"{svg.cut(move.op)}({args}) gives {outs or 'nothing'}"


def _label(name: str, typed: Typed) -> str:
    type_, value = typed
    return f"{svg.cut(name, 12)} {svg.cut(type_, 14)} {svg.cut(','.join(map(str, value)), 14)}"


def _title(number: int, move: Step) -> str:
    return f"{number} {svg.cut(move.op, 18)}"


def _needed(number: int, move: Step, live: Mapping[str, Typed]) -> int:
    """The pixels that a step takes."""
    return BEND + svg.width(_title(number, move)) + 16 + svg.widest(_label(name, live[name]) for name in move.out) + 12


def _name_wires(canvas: _Canvas, live: Mapping[str, Typed], names: Iterable[str]) -> None:
    """Draw all wires on far enough for the names of some, which stand above them."""
    labels = {name: _label(name, live[name]) for name in names}
    long = svg.widest(labels.values()) + 12
    canvas.lowest = max([canvas.lowest, *canvas.rows.values()])
    for name, row in canvas.rows.items():
        canvas.parts.append(svg.line([(canvas.x, canvas.y(row)), (canvas.x + long, canvas.y(row))]))
        if name in labels:
            canvas.parts.append(svg.text(canvas.x + 6, canvas.y(row) - 6, labels[name], "faint"))
    canvas.x += long
    canvas.right = max(canvas.right, canvas.x)


def _break(canvas: _Canvas, live: Mapping[str, Typed]) -> None:
    """Go on in a new line below, with the wires in their order and their names again."""
    for row in canvas.rows.values():
        canvas.parts.append(svg.line([(canvas.x, canvas.y(row)), (canvas.x + 8, canvas.y(row))]))
        canvas.parts.append(svg.head(canvas.x + 16, canvas.y(row)))
    canvas.right = max(canvas.right, canvas.x + 16)
    canvas.top += ROW * (canvas.lowest + 1) + LINE // 2
    canvas.parts.append(svg.line([(0, canvas.top - 2), (MOST, canvas.top - 2)], "faint"))
    order = sorted(canvas.rows, key=lambda name: canvas.rows[name])
    canvas.rows = {name: row for row, name in enumerate(order)}
    canvas.x, canvas.lowest = 0, 0
    _name_wires(canvas, live, order)


def _step(canvas: _Canvas, number: int, move: Step, live: Mapping[str, Typed], last: bool) -> None:
    """Bend the wires so that the args lie side by side, and draw the box with its outputs."""
    order = sorted(canvas.rows, key=lambda name: canvas.rows[name])
    top = min((order.index(name) for name in move.args), default=len(order))
    rows = _rows_at_box(order, move, top)
    high = max(len(move.args), len(move.out), 1)
    left, wide = canvas.x + BEND, svg.width(_title(number, move)) + 16
    for name, row in rows.items():
        canvas.parts.append(svg.curve((canvas.x, canvas.y(canvas.rows[name])), (left, canvas.y(row))))
        if name not in move.args:
            canvas.parts.append(svg.line([(left, canvas.y(row)), (left + wide, canvas.y(row))]))
    upper = canvas.y(top) - BOX // 2
    canvas.parts.append(svg.rect(left, upper, wide, ROW * (high - 1) + BOX, "new" if last else "fill", _said(move)))
    middle = (canvas.y(top) + canvas.y(top + high - 1)) // 2 + 5
    canvas.parts.append(svg.text(left + wide // 2, middle, _title(number, move), "new", "middle"))
    canvas.lowest = max([canvas.lowest, top + high - 1, *rows.values()])
    canvas.x = left + wide
    kept = {name: row for name, row in rows.items() if name not in move.args}
    canvas.rows = kept | {name: top + place for place, name in enumerate(move.out)}
    _name_wires(canvas, live, move.out)


def _rows_at_box(order: Sequence[str], move: Step, top: int) -> dict[str, int]:
    """The row of every wire beside a box whose first wire is in row `top`."""
    high = max(len(move.args), len(move.out), 1)
    below = [name for name in order[top:] if name not in move.args]
    rows = {name: row for row, name in enumerate(order[:top])}
    rows.update({name: top + place for place, name in enumerate(move.args)})
    rows.update({name: top + high + place for place, name in enumerate(below)})
    return rows


def _wrong(canvas: _Canvas, run: Run) -> None:
    """A dashed box below all wires, with dashed wires from the args that are live."""
    if run.wrong is None:
        return
    number, move = run.wrong
    words = f"✗ {number}: {_said(move)} breaks {rules_broken(run.trace)}"
    row = canvas.lowest + 1 if canvas.parts else 0
    left = max(min(canvas.x + 8, MOST - svg.width(words) - 16), 0)
    for name in dict.fromkeys(move.args):
        if name in canvas.rows:
            y = canvas.y(canvas.rows[name])
            x = canvas.x + STUB
            bend = f"M{canvas.x} {y}H{x - 8}Q{x} {y} {x} {y + 8}V{canvas.y(row) - BOX // 2}"
            canvas.parts.append(svg.path(bend, "bad"))
    canvas.parts.append(svg.rect(left, canvas.y(row) - BOX // 2, svg.width(words) + 16, BOX, "bad"))
    canvas.parts.append(svg.text(left + 8, canvas.y(row) + 5, words, "bad"))
    canvas.lowest = row
    canvas.right = max(canvas.right, left + svg.width(words) + 16, canvas.x + STUB)


def _goal(canvas: _Canvas, instance: Instance, live: Mapping[str, Typed]) -> None:
    """At each wire's end whether the goal asks for it; below, what it asks for in vain."""
    missing = Counter(instance.goal)
    for name in sorted(canvas.rows, key=lambda name: canvas.rows[name]):
        wanted = missing[live[name]] > 0
        missing[live[name]] -= wanted
        words = "✓ goal" if wanted else "allowed" if instance.leftovers_allowed else "✗ left over"
        kind = "good" if wanted else "faint" if instance.leftovers_allowed else "bad"
        y = canvas.y(canvas.rows[name])
        canvas.parts += [svg.line([(canvas.x, y), (canvas.x + 8, y)]), svg.head(canvas.x + 16, y)]
        canvas.parts.append(svg.text(canvas.x + 22, y + 5, words, kind))
        canvas.right = max(canvas.right, canvas.x + 22 + svg.width(words))
    lost = [
        f"{number} × " * (number > 1) + _label("", typed).strip()
        for typed, number in sorted(missing.items())
        if number > 0
    ]
    row = canvas.lowest + 1 if canvas.parts else 0
    for place, one in enumerate(lost):
        words = f"✗ goal not made: {one}"
        canvas.parts.append(svg.text(0, canvas.y(row + place) + 5, words, "bad"))
        canvas.right = max(canvas.right, svg.width(words))
        canvas.lowest = row + place
