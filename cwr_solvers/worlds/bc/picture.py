"""Boolean circuit: a submission as a table of wires. A line is a signal, a column is a gate, in the order of gates.

A gate stands on the line that it makes. Its two inputs come down from the lines that it reads, the first on the left;
a wire that crosses a line without a dot does not touch it. At the right end stands each signal's vector, row 0 first,
and for which output it is chosen.
"""

from __future__ import annotations

from cwr_solvers import svg
from cwr_solvers.grading import run
from cwr_solvers.svg import MARGIN
from cwr_solvers.world import Choice, Submission
from cwr_solvers.worlds.bc import interpreter
from cwr_solvers.worlds.bc.instance import Gate, Instance
from cwr_solvers.worlds.bc.interpreter import State

ROW = 32
GAP = 16
HALF = 11  # pixels, half the height of a gate
DOT = 6


def picture(instance: Instance, submission: Submission[Gate], step: int | None) -> str:
    """The SVG of a submission up to `step` (None: the whole); a first illegal step is marked and nothing after it."""
    moves = submission.moves[:step]
    trace = run(interpreter, instance, Submission(moves, submission.choice))
    end = trace.states[-1]
    rows = {name: row for row, name in enumerate(interpreter.signals(instance, end))}
    starts = {pin: MARGIN + svg.width(pin) + 6 for pin in instance.pins}
    gates: list[str] = []
    x = MARGIN + svg.widest(instance.pins) + GAP + 6
    for gate in moves[: end.steps]:
        wide = svg.width(_label(gate)) + 16
        gates += _gate(gate, x, wide, rows)
        starts[gate.id] = x + wide
        x += wide + GAP
    bottom = _y(len(rows)) - ROW // 2
    if trace.first_illegal_step is not None:
        wrong = moves[trace.first_illegal_step - 1]
        words = f"{_label(wrong)}({', '.join(wrong.inputs)}) ✗"
        gates.append(svg.rect(x, bottom + 4, svg.width(words) + 16, 2 * HALF, "bad"))
        gates.append(svg.text(x + 8, bottom + HALF + 9, words, "bad"))
        bottom += ROW
        x += svg.width(words) + 16 + GAP
    lines = [svg.line(starts[name], _y(row), x, _y(row)) for name, row in rows.items()]
    names = [svg.text(MARGIN, _y(rows[pin]) + 5, pin, "faint") for pin in instance.pins]
    whole = trace.first_illegal_step is None and len(moves) == len(submission.moves)
    ends = [_end(instance, end, name, submission.choice if whole else None) for name in rows]
    names += [svg.text(x + 8, _y(row) + 5, words, kind) for row, (words, kind) in enumerate(ends)]
    right = x + 8 + svg.widest(words for words, _ in ends)
    caption = svg.caption(trace, len(moves), len(submission.moves))
    return svg.document(f"Boolean circuit {instance.code}", right, bottom, lines + gates + names, caption)


def _y(row: int) -> int:
    return MARGIN + ROW * row + ROW // 2


def _label(gate: Gate) -> str:
    return f"{gate.id} {gate.op}"


def _gate(gate: Gate, x: int, wide: int, rows: dict[str, int]) -> list[str]:
    """A box on its line, and its two inputs with dots on the lines that they leave."""
    y = _y(rows[gate.id])
    parts = []
    for name, down in zip(gate.inputs, (x + 8, x + wide - 8), strict=True):
        parts.append(svg.line(down, _y(rows[name]), down, y - HALF))
        parts.append(svg.rect(down - DOT // 2, _y(rows[name]) - DOT // 2, DOT, DOT, "new"))
    parts.append(svg.rect(x, y - HALF, wide, 2 * HALF, "fill", f"{_label(gate)}({', '.join(gate.inputs)})"))
    parts.append(svg.text(x + 8, y + 5, _label(gate), "new"))
    return parts


def _end(instance: Instance, end: State, name: str, choice: Choice) -> tuple[str, str]:
    """What stands at the right end of a line: its vector, and the outputs that it is chosen for; the kind of text."""
    vector = end.vectors[instance.place[name]]
    words = interpreter.shown(vector, end.rows)
    pairs = zip(instance.goal, choice, strict=True) if choice else ()
    chosen = [output for output, signal in pairs if signal == name]
    if not chosen:
        return words, "faint"
    wrong = any(interpreter.packed(instance.goal[output]) != vector for output in chosen)
    return f"{words} → {', '.join(chosen)}", "bad" if wrong else "new"
