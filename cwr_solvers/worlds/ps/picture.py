"""Safety protocol: a submission as a table of states. One column a state, one row a field, a bar while a field is held.

A value that an action changed stands out; a small mark (•) stands at the values that the next action asked for. The bar
lies behind the held values of the declared resource, where there is one.
"""

from __future__ import annotations

import json

from cwr_solvers import svg
from cwr_solvers.grading import run
from cwr_solvers.svg import LINE, MARGIN
from cwr_solvers.world import Submission
from cwr_solvers.worlds.ps import interpreter
from cwr_solvers.worlds.ps.instance import Instance

GAP = 24


def picture(instance: Instance, submission: Submission[str], step: int | None) -> str:
    """The SVG of a submission up to `step` (None: the whole); a first illegal step is marked and nothing after it."""
    moves = submission.moves[:step]
    trace = run(interpreter, instance, Submission(moves, submission.choice))
    rows = [MARGIN + LINE * (place + 2) + 5 for place in range(len(instance.fields))]
    bottom = MARGIN + LINE * (len(rows) + 1) + 5
    parts: list[str] = []
    heads = ["start", *(f"{number} {action}" for number, action in enumerate(moves, 1))]
    x = MARGIN + svg.widest(field.name for field in instance.fields) + GAP
    for number, state in enumerate(trace.states):
        asked = _asked(instance, moves[number]) if number < len(moves) else set()
        before = trace.states[number - 1].values if number else state.values
        words = [_word(instance, place, value, place in asked) for place, value in enumerate(state.values)]
        wide = svg.widest([heads[number], *words])
        parts.append(svg.text(x, MARGIN + LINE, heads[number], "new" if number else "faint"))
        for place, value in enumerate(state.values):
            if instance.resource is not None and (place, value) == (instance.resource.field, instance.resource.held):
                parts.append(svg.rect(x - 6, rows[place] - 13, wide + 12, LINE, "fill"))
            kind = "new" if value != before[place] else "ink" if not number else "faint"
            parts.append(svg.text(x, rows[place], words[place], kind))
        x += wide + GAP
    if trace.first_illegal_step is not None:
        head = f"{heads[trace.first_illegal_step]} ✗"
        parts.append(svg.text(x, MARGIN + LINE, head, "bad"))
        parts.append(svg.rect(x - 6, MARGIN + 2, svg.width(head) + 12, bottom - MARGIN + 4, "bad"))
        x += svg.width(head) + GAP
    parts += [svg.text(MARGIN, y, field.name, "faint") for y, field in zip(rows, instance.fields, strict=True)]
    parts.append(svg.line(MARGIN, MARGIN + LINE + 5, x - GAP, MARGIN + LINE + 5, "faint"))
    caption = svg.caption(trace, len(moves), len(submission.moves))
    return svg.document(f"Safety protocol {instance.code}", x - GAP, bottom + LINE, parts, caption)


def _asked(instance: Instance, action: str) -> set[int]:
    return {literal.field for literal in instance.operation[action].when}


def _word(instance: Instance, place: int, value: int, asked: bool) -> str:
    """A value, written as JSON where the field has strings and integers, so that 1 and "1" differ."""
    values = instance.fields[place].values
    mixed = len({type(other) for other in values}) > 1
    word = json.dumps(values[value], ensure_ascii=False) if mixed else str(values[value])
    return word + " •" * asked
