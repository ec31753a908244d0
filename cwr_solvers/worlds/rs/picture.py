"""Scheduling: a submission as a Gantt chart, with the use of each resource over time below it.

One row a job, in the instance's order. A job of duration 0 is a narrow mark. The deadline is the last time shown,
unless a marked job would end later. In a profile the upper line is the capacity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cwr_solvers import svg
from cwr_solvers.grading import Trace, run
from cwr_solvers.svg import LINE, MARGIN
from cwr_solvers.world import Submission
from cwr_solvers.worlds.rs import interpreter
from cwr_solvers.worlds.rs.instance import Instance
from cwr_solvers.worlds.rs.interpreter import Start

ROW = 26
GAP = 16
CHART = 720  # pixels, the widest time axis
TICKS = 20
PROFILE = 60  # pixels, the height of a profile
_Used = tuple[int, int, tuple[int, ...]]  # start, end, demand


@dataclass(frozen=True)
class _Axis:
    """Time to pixels: `wide` pixels for the times from 0 to `last`."""

    left: int
    wide: int
    last: int

    def x(self, time: int) -> int:
        return self.left + self.wide * time // max(self.last, 1)


def picture(instance: Instance, submission: Submission[Start], step: int | None) -> str:
    """The SVG of a submission up to `step` events (None: all); a first illegal one is marked and nothing after it."""
    moves = submission.moves[:step]
    trace = run(interpreter, instance, Submission(moves, submission.choice))
    legal = moves[: len(trace.states) - 1]
    shown = moves[: len(trace.states)]
    last = max([instance.deadline, *(move.start + instance.job[move.job].duration for move in shown)])
    left = MARGIN + svg.widest([*instance.job, *instance.resources]) + GAP
    axis = _Axis(left, min(CHART, 40 * max(last, 1)), last)
    bottom = MARGIN + LINE + ROW * len(instance.jobs)
    parts = _grid(instance, axis, bottom) + _bars(instance, axis, trace, shown)
    used = [_use(instance, move) for move in legal]
    for place, name in enumerate(instance.resources):
        rows = [(start, end, demand[place]) for start, end, demand in used if demand[place]]
        parts += _profile(axis, bottom + GAP, name, instance.capacity[place], rows)
        bottom += GAP + PROFILE + LINE
    caption = svg.caption(trace, len(moves), len(submission.moves))
    right = axis.left + axis.wide + svg.CHARACTER * len(str(last))
    return svg.document(f"Schedule {instance.code}", right, bottom + GAP, parts, caption)


def _use(instance: Instance, move: Start) -> _Used:
    job = instance.job[move.job]
    return move.start, move.start + job.duration, job.demand


def _grid(instance: Instance, axis: _Axis, bottom: int) -> list[str]:
    """Names of the jobs, lines for some times, and the deadline."""
    apart = -(-max(axis.last, 1) // TICKS)
    parts = [svg.text(MARGIN, _row(place) + 14, name, "faint") for place, name in enumerate(instance.job)]
    for time in range(0, axis.last + 1, apart):
        parts.append(svg.line(axis.x(time), MARGIN + LINE, axis.x(time), bottom, "faint"))
        parts.append(svg.text(axis.x(time), MARGIN + 10, str(time), "faint", "middle"))
    parts.append(svg.line(axis.x(instance.deadline), MARGIN + LINE, axis.x(instance.deadline), bottom))
    return parts


def _row(place: int) -> int:
    return MARGIN + LINE + ROW * place + 4


def _bars(instance: Instance, axis: _Axis, trace: Trace, shown: Sequence[Start]) -> list[str]:
    """A bar for each event: the last one stands out, an illegal one is marked."""
    places = {name: place for place, name in enumerate(instance.job)}
    parts = []
    for number, move in enumerate(shown, 1):
        start, end, _ = _use(instance, move)
        wide = max(axis.x(end) - axis.x(start), 4)
        kind = "fill" if number < len(shown) else "new"
        if number == trace.first_illegal_step:
            kind = "bad"
            parts.append(svg.text(axis.x(start) + wide + 5, _row(places[move.job]) + 14, "✗", "bad"))
        title = f"{number}. {move.job} from {start} to {end}"
        parts.append(svg.rect(axis.x(start), _row(places[move.job]), wide, ROW - 8, kind, title))
    return parts


def _profile(axis: _Axis, top: int, name: str, capacity: int, used: Sequence[tuple[int, int, int]]) -> list[str]:
    """The use of one resource over time, as (start, end, amount)."""
    base = top + PROFILE

    def y(amount: int) -> int:
        return base - (PROFILE - 10) * amount // max(capacity, 1)

    points = [(axis.x(0), base)]
    for time in sorted({moment for start, end, _ in used for moment in (start, end)}):
        points.append((axis.x(time), points[-1][1]))
        points.append((axis.x(time), y(sum(amount for start, end, amount in used if start <= time < end))))
    points.append((axis.x(axis.last), points[-1][1]))
    right = axis.x(axis.last)
    return [
        svg.text(MARGIN, top + PROFILE // 2, name, "faint"),
        svg.text(axis.left - 4, y(capacity) + 5, str(capacity), "faint", "end"),
        svg.line(axis.left, y(capacity), right, y(capacity), "faint"),
        svg.line(axis.left, base, right, base, "faint"),
        svg.steps(points),
    ]
