"""Keyed logistics: a submission as a path through lanes. One column a state, one lane a node.

The box is the carrier, and the names in it are held; names without a box lie at the node, those in the lowest lane are
consumed. What an action changed stands out. Behind a move stands its key: "−k" is used up, "(k)" is only shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from cwr_solvers import svg
from cwr_solvers.grading import run
from cwr_solvers.svg import CHARACTER, LINE, MARGIN
from cwr_solvers.world import Submission
from cwr_solvers.worlds.kl import interpreter
from cwr_solvers.worlds.kl.instance import CONSUMED, HELD, Action, Instance
from cwr_solvers.worlds.kl.interpreter import State

GAP = 28
BOX = 24  # pixels, the height of the carrier
LANE = BOX + LINE + 16  # pixels: the carrier, one line of text below it, and air
TOP = MARGIN + LINE + 14

_Column = dict[str, list[tuple[str, str]]]


def picture(instance: Instance, submission: Submission[Action], step: int | None) -> str:
    """The SVG of a submission up to `step` (None: the whole); a first illegal step is marked and nothing after it."""
    moves = submission.moves[:step]
    trace = run(interpreter, instance, Submission(moves, submission.choice))
    heads = ["start", *(f"{number} {_words(instance, action)}" for number, action in enumerate(moves, 1))]
    lanes = {place: TOP + LANE * row for row, place in enumerate([*instance.nodes, CONSUMED])}
    bottom = TOP + LANE * len(lanes)
    x = MARGIN + svg.widest(lanes) + GAP
    parts: list[str] = []
    left: tuple[int, int] | None = None
    for number, state in enumerate(trace.states):
        column = _column(instance, trace.states[max(number - 1, 0)], state)
        level = lanes[state.carrier] + BOX // 2
        parts.append(svg.text(x, MARGIN + LINE, heads[number], "new" if number else "faint"))
        parts += [svg.curve(*left, x, level)] if left is not None else []
        parts += _draw(column, lanes, x, state.carrier)
        left = (x + _width(column[HELD]), level)
        x += max(svg.width(heads[number]), *map(_width, column.values())) + GAP
    if trace.first_illegal_step is not None:
        head = f"{heads[trace.first_illegal_step]} ✗"
        parts.append(svg.text(x, MARGIN + LINE, head, "bad"))
        parts.append(svg.rect(x - 6, MARGIN + 2, svg.width(head) + 12, bottom - MARGIN - 8, "bad"))
        x += svg.width(head) + GAP
    caption = svg.caption(trace, len(moves), len(submission.moves))
    parts = [*_grid(lanes, x - GAP), *parts]
    return svg.document(f"Keyed logistics {instance.code}", x - GAP, bottom, parts, caption)


def _words(instance: Instance, action: Action) -> str:
    edge = instance.edge.get(action.arg)
    if edge is None or edge.key is None:
        return f"{action.op} {action.arg}"
    return f"{action.op} {action.arg} {f'−{edge.key}' if edge.consumes else f'({edge.key})'}"


def _grid(lanes: dict[str, int], right: int) -> list[str]:
    """The name of each lane, and a line above it."""
    parts = [svg.line(MARGIN, top - 8, right, top - 8, "faint") for top in lanes.values()]
    return parts + [svg.text(MARGIN, top + 16, place, "faint") for place, top in lanes.items()]


def _column(instance: Instance, before: State, state: State) -> _Column:
    """The objects by location (HELD always among them), each with the kind of its text."""
    column: _Column = {HELD: []}
    for name, then, now in zip(instance.initial, before.locations, state.locations, strict=True):
        column.setdefault(now, []).append((name, "new" if now != then else "ink"))
    return column


def _draw(column: _Column, lanes: dict[str, int], x: int, carrier: str) -> list[str]:
    """The carrier with what it holds, and what lies in each lane."""
    top = lanes[carrier]
    box = svg.rect(x, top, _width(column[HELD]), BOX, "fill", f"the carrier at {carrier}")
    parts = [box, *_names(x, top + 17, column[HELD])]
    for place, names in column.items():
        if place != HELD:
            parts += _names(x, lanes[place] + (17 if place == CONSUMED else BOX + LINE - 2), names)
    return parts


def _names(x: int, y: int, names: Sequence[tuple[str, str]]) -> list[str]:
    parts = []
    for name, kind in names:
        parts.append(svg.text(x + CHARACTER, y, name, kind))
        x += svg.width(name) + CHARACTER
    return parts


def _width(names: Sequence[tuple[str, str]]) -> int:
    """The pixels of a row of names with a space before, between and after them; of none, a carrier's least."""
    return max(sum(svg.width(name) + CHARACTER for name, _ in names) + CHARACTER, BOX)
