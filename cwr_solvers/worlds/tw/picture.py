"""Token workshop: a submission as a path of markings. One column a state, one row a place and one for the total.

Behind a count stands its change (+n, −n) and in brackets how many tokens the action read there.
"""

from __future__ import annotations

from cwr_solvers import svg
from cwr_solvers.grading import run
from cwr_solvers.svg import LINE, MARGIN
from cwr_solvers.world import Submission
from cwr_solvers.worlds.tw import interpreter
from cwr_solvers.worlds.tw.instance import Instance
from cwr_solvers.worlds.tw.interpreter import State

GAP = 24


def picture(instance: Instance, submission: Submission[str], step: int | None) -> str:
    """The SVG of a submission up to `step` (None: the whole); a first illegal step is marked and nothing after it."""
    moves = submission.moves[:step]
    trace = run(interpreter, instance, Submission(moves, submission.choice))
    labels = [*instance.places, "total"]
    rows = [MARGIN + LINE * (i + 2) for i in range(len(labels))]
    parts = [svg.text(MARGIN, y, label, "faint") for y, label in zip(rows, labels, strict=True)]
    x = MARGIN + svg.widest(labels) + GAP
    for index, state in enumerate(trace.states):
        before = trace.states[index - 1] if index else None
        action = moves[index - 1] if index else None
        cells = _cells(instance, before, action, state)
        head = "start" if action is None else f"{index} {action}"
        parts.append(svg.text(x, MARGIN + LINE, head, "faint" if action is None else "new"))
        parts += [svg.text(x, y, words, kind) for y, (words, kind) in zip(rows, cells, strict=True)]
        x += svg.widest([head, *(words for words, _ in cells)]) + GAP
    if trace.first_illegal_step is not None:
        head = f"{trace.first_illegal_step} {moves[trace.first_illegal_step - 1]} ✗"
        parts.append(svg.text(x, MARGIN + LINE, head, "bad"))
        parts.append(svg.rect(x - 6, MARGIN + 2, svg.width(head) + 12, LINE * (len(labels) + 1) + 4, "bad"))
        x += svg.width(head) + GAP
    parts.append(svg.line(MARGIN, MARGIN + LINE + 5, x - GAP, MARGIN + LINE + 5, "faint"))
    parts.append(svg.line(MARGIN, rows[-1] - LINE + 5, x - GAP, rows[-1] - LINE + 5, "faint"))
    caption = svg.caption(trace, len(moves), len(submission.moves))
    return svg.document(f"Token workshop {instance.code}", x - GAP, rows[-1] + LINE, parts, caption)


def _cells(instance: Instance, before: State | None, action: str | None, state: State) -> list[tuple[str, str]]:
    """Text and kind of each row of a column, the total last."""
    counts = [*state.counts, sum(state.counts)]
    if before is None or action is None:
        return [(str(count), "ink") for count in counts]
    changes = [now - then for now, then in zip(counts, [*before.counts, sum(before.counts)], strict=True)]
    reads = [*instance.recipe[action].read, 0]
    return [
        (_cell(count, change, read), "new" if change else "faint")
        for count, change, read in zip(counts, changes, reads, strict=True)
    ]


def _cell(count: int, change: int, read: int) -> str:
    sign = "+" if change > 0 else "−"
    return f"{count}" + (f" {sign}{abs(change)}" if change else "") + (f" ({read})" if read else "")
