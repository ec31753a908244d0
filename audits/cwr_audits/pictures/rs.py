"""Scheduling as a Gantt chart: a bar is a job, to the right runs time; below it stands what each resource gives away.

A bar begins at its job's start and bears its duration and demands; beside a job's name stand the jobs it waits for. In
a profile the height is the amount in use, the dashed line the capacity, and the number in a step the amount.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from cwr_audits.pictures import svg
from cwr_audits.pictures.drawing import Drawing, Run, play, rules_broken, tell
from cwr_audits.pictures.svg import CHARACTER, LINE
from cwr_solvers.world import Submission
from cwr_solvers.worlds.rs import interpreter
from cwr_solvers.worlds.rs.instance import Instance, Job
from cwr_solvers.worlds.rs.interpreter import Start

ROW = 24
GAP = 16
TOP = 2 * LINE  # pixels above the first row: times, and the deadline's name
MOST = 900  # pixels for all time
UNIT = 76  # pixels a time unit, where there is room
TICKS = 24
PROFILE = 60  # pixels of height for a capacity

KEY = (
    "A bar is a job: it begins at its start, its words are what it holds while it runs; a diamond is a job of no "
    "duration. After a job's name: the jobs that must have ended before. Below: how much of each resource is in use; "
    "the dashed line is the capacity.",
)


@dataclass(frozen=True)
class _Axis:
    """Time to pixels: `wide` pixels for the times from 0 to `last`."""

    left: int
    wide: int
    last: int

    def x(self, time: int) -> int:
        return self.left + self.wide * time // self.last


def draw(instance: Instance, submission: Submission[Start], step: int | None) -> Drawing:
    """The drawing of a submission's first moves."""
    run = play(interpreter, instance, submission, step)
    shown = [*run.made, *([run.wrong[1]] if run.wrong else [])]
    last = _last(instance, submission.moves)
    names = svg.widest(_name(job) for job in instance.jobs)
    left = max(names, svg.widest(map(_peak, instance.resources, instance.capacity)) + 6 * CHARACTER) + GAP
    axis = _Axis(left, max(min(MOST, UNIT * last), 240), last)
    bottom = TOP + ROW * len(instance.jobs)
    parts = _grid(instance, axis, bottom)
    for number, move in enumerate(shown, 1):
        parts += _bar(instance, run, axis, number, move)
    for place, name in enumerate(instance.resources):
        parts += _profile(instance, axis, bottom + GAP, place, name, run.made)
        bottom += GAP + PROFILE + LINE // 2
    told = tell(run, [_said(instance, one) for one in run.made], _said(instance, run.wrong[1]) if run.wrong else "")
    right = axis.x(last) + max((_beyond(instance, run, axis, move) for move in shown), default=0)
    title = f"{instance.code}: scheduling"
    return Drawing(title, run, tuple(parts), max(right, axis.x(last) + 3 * CHARACTER), bottom, KEY, told)


def _last(instance: Instance, moves: Sequence[Start]) -> int:
    """Where the axis ends: at the deadline, or soon after the last job where the deadline is far away."""
    end = max([1, *(_end(instance, move) for move in moves)])
    return max(end, instance.deadline if instance.deadline <= 3 * end else end + end // 4 + 1)


def _end(instance: Instance, move: Start) -> int:
    return move.start + instance.job[move.job].duration


def _name(job: Job) -> str:
    after = f" after {', '.join(svg.cut(name, 10) for name in job.after)}" if job.after else ""
    return svg.cut(svg.cut(job.name, 16) + after, 34)


def _said(instance: Instance, move: Start) -> str:
    needs = _needs(instance, instance.job[move.job])
    return f"{move.job} from {move.start} to {_end(instance, move)}" + (f" with {needs}" if needs else "")


def _needs(instance: Instance, job: Job) -> str:
    """What a job holds while it runs: nothing, where it has no duration."""
    pairs = zip(job.demand, instance.resources, strict=True)
    return ", ".join(f"{amount} {svg.cut(name, 12)}" for amount, name in pairs if amount and job.duration)


def _grid(instance: Instance, axis: _Axis, bottom: int) -> list[str]:
    """Names of the jobs, lines for some times, and the deadline."""
    apart = _apart(axis)
    parts = [
        svg.text(0, _row(place) + 16, _name(job), "ink", title=f"{job.name} after {', '.join(job.after)}")
        for place, job in enumerate(instance.jobs)
    ]
    for time in range(0, axis.last + 1, apart):
        parts.append(svg.line([(axis.x(time), TOP), (axis.x(time), bottom)], "faint"))
        parts.append(svg.text(axis.x(time), TOP - 5, str(time), "faint", "middle"))
    x = axis.x(min(instance.deadline, axis.last))
    beyond = instance.deadline > axis.last
    words = f"deadline {instance.deadline}{' →' if beyond else ''}"
    anchor = "end" if x - svg.width(words) > axis.left else "start"
    edge = [] if beyond else [svg.line([(x, TOP), (x, bottom)], "route")]
    return [*parts, *edge, svg.text(x if anchor == "end" else x + 5, 14, words, "new", anchor)]


def _apart(axis: _Axis) -> int:
    """The time between two marks: 1, 2 or 5 times a power of ten, so that their numbers do not touch."""
    room = CHARACTER * (len(str(axis.last)) + 2)
    least = max(-(-axis.last // TICKS), -(-room * axis.last // axis.wide))
    power: int = 10 ** (len(str(least)) - 1)
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def _peak(name: str, capacity: int) -> str:
    """The longest text that stands beside a profile."""
    return max(svg.cut(name), f"peak {capacity} of {capacity}", key=svg.width)


def _row(place: int) -> int:
    return TOP + ROW * place


def _bar(instance: Instance, run: Run, axis: _Axis, number: int, move: Start) -> list[str]:
    """A bar, or a diamond; the last one stands out, an illegal one is dashed, crossed, and says its rules."""
    job = instance.job[move.job]
    x, y, wide = (
        axis.x(move.start),
        _row(instance.place[move.job]) + 2,
        axis.x(_end(instance, move)) - axis.x(move.start),
    )
    illegal = run.wrong is not None and number == run.wrong[0]
    kind = "bad" if illegal else "new" if number == len(run.made) and run.wrong is None else "fill"
    title = f"{number}. {_said(instance, move)}"
    high = ROW - 4
    if job.duration:
        parts = [svg.rect(x, y, max(wide, 3), high, kind, title)]
    else:
        parts = [svg.shape(f"M{x} {y}l8 {high // 2}l-8 {high // 2}l-8 -{high // 2}Z", kind, title)]
    words = _label(instance, run, move)
    inside = _inside(instance, run, axis, move)
    text_x = x + wide // 2 if inside else x + max(wide, 8) + 6
    style = "bad" if illegal else "ink"
    return [*parts, svg.text(text_x, y + 15, words, style, "middle" if inside else "start")] if words else parts


def _label(instance: Instance, run: Run, move: Start) -> str:
    if run.wrong is not None and move == run.wrong[1]:
        return f"✗ step {run.wrong[0]}: {rules_broken(run.trace)}"
    return _needs(instance, instance.job[move.job])


def _inside(instance: Instance, run: Run, axis: _Axis, move: Start) -> bool:
    """Whether a bar has room for its words; those of an illegal one never stand in it."""
    illegal = run.wrong is not None and move == run.wrong[1]
    room = axis.x(_end(instance, move)) - axis.x(move.start)
    return not illegal and svg.width(_label(instance, run, move)) + 8 <= room


def _beyond(instance: Instance, run: Run, axis: _Axis, move: Start) -> int:
    """How far the words beside a bar reach beyond the last time."""
    if _inside(instance, run, axis, move):
        return 0
    end = max(axis.x(_end(instance, move)), axis.x(move.start) + 8)
    return max(0, end + 10 + svg.width(_label(instance, run, move)) - axis.x(axis.last))


def _profile(instance: Instance, axis: _Axis, top: int, place: int, name: str, made: Sequence[Start]) -> list[str]:
    """The use of one resource over time."""
    capacity, base = instance.capacity[place], top + PROFILE
    held = [(one.start, _end(instance, one), instance.job[one.job].demand[place]) for one in made]
    moments = sorted({0, axis.last, *(moment for start, end, _ in held for moment in (start, end))})
    parts, peak = [], 0
    for start, end in pairwise(moments):
        used = sum(amount for first, last, amount in held if first <= start < last)
        peak = max(peak, used)
        if used:
            x, wide = axis.x(start), axis.x(end) - axis.x(start)
            high = (PROFILE - LINE) * used // max(capacity, 1)
            parts.append(svg.rect(x, base - high, wide, high, "fill", f"{used} of {capacity} from {start} to {end}"))
            fits = wide > svg.width(str(used)) + 4 and high > 15
            parts += [svg.text(x + wide // 2, base - high // 2 + 5, str(used), "ink", "middle")] if fits else []
    level = base - (PROFILE - LINE if capacity else 0)
    right = axis.x(axis.last)
    return [
        *parts,
        svg.name(0, base - 26, name),
        svg.text(0, base - 8, f"peak {peak} of {capacity}", "faint"),
        svg.text(axis.left - 6, level + 5, str(capacity), "faint", "end"),
        svg.line([(axis.left, level), (right, level)], "ink", "dash1"),
        svg.line([(axis.left, base), (right, base)], "ink"),
    ]
