"""Typed-port assembly: a submission as a wiring diagram. A box is a component, inputs left and outputs right.

Boxes stand in columns, each to the right of what leads into it when the whole submission is made; components that
stay unconnected stand below. A forbidden component says so. Connections bear their numbers; the ports of the last one
stand out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cwr_solvers import svg
from cwr_solvers.grading import run
from cwr_solvers.svg import LINE, MARGIN
from cwr_solvers.world import Submission
from cwr_solvers.worlds.pa import interpreter
from cwr_solvers.worlds.pa.instance import Component, Connection, Instance, Port

GAP = 72
ABOVE = 16
PORT = 4  # pixels, half the side of a port's square
Point = tuple[int, int]


@dataclass(frozen=True)
class _Box:
    """A component and the corner where it is drawn."""

    component: Component
    title: str
    x: int
    y: int

    @property
    def wide(self) -> int:
        return _width(self.component, self.title)

    @property
    def high(self) -> int:
        return _height(self.component)

    def ports(self) -> Iterator[tuple[Port, Point]]:
        """The ports with their places on the edges of the box."""
        for output in (False, True):
            for row, port in enumerate(_side(self.component, output)):
                yield port, (self.x + self.wide * output, self.y + LINE * (row + 1) + LINE // 2 + 4)


def picture(instance: Instance, submission: Submission[Connection], step: int | None) -> str:
    """The SVG of a submission up to `step` (None: the whole); a first illegal step is marked and nothing after it."""
    legal = len(run(interpreter, instance, submission).states) - 1
    boxes = _boxes(instance, submission.moves[:legal])
    points = {port.name: point for box in boxes for port, point in box.ports()}
    moves = submission.moves[:step]
    trace = run(interpreter, instance, Submission(moves, submission.choice))
    made = moves[: len(trace.states) - 1]
    latest = set(made[-1]) if made else set()
    parts = [part for box in boxes for part in _draw(box, box.component.name in instance.forbidden, latest)]
    for number, (source, target) in enumerate(made, 1):
        x, y = points[source]
        parts.append(svg.curve(x, y, *points[target]))
        parts.append(svg.text(x + PORT + 4, y - 4, str(number), "new" if number == len(made) else "faint"))
    if trace.first_illegal_step is not None:
        (x, y), (right, down) = (points[name] for name in moves[trace.first_illegal_step - 1])
        parts.append(svg.curve(x, y, right, down, "bad"))
        words = f"{trace.first_illegal_step} ✗"
        parts.append(svg.text((x + right) // 2 + 6, (y + down) // 2 - 6, words, "bad", "middle"))
    wide = max((box.x + box.wide for box in boxes), default=MARGIN)
    bottom = max((box.y + box.high for box in boxes), default=MARGIN)
    caption = svg.caption(trace, len(moves), len(submission.moves))
    return svg.document(f"Typed-port assembly {instance.code}", wide, bottom + ABOVE, parts, caption)


def _side(component: Component, output: bool) -> list[Port]:
    return [port for port in component.ports if port.output == output]


def _label(port: Port) -> str:
    return f"{port.name.partition('.')[2]}:{port.type}"


def _width(component: Component, title: str) -> int:
    sides = [svg.widest(map(_label, _side(component, output))) for output in (False, True)]
    return max(svg.width(title), sum(sides) + 16) + 24


def _height(component: Component) -> int:
    return LINE * (1 + max(len(_side(component, output)) for output in (False, True))) + 12


def _boxes(instance: Instance, made: Sequence[Connection]) -> list[_Box]:
    """Every component in its place."""
    arrows = [(instance.port[source].component, instance.port[target].component) for source, target in made]
    columns, alone = _columns([component.name for component in instance.components], arrows)
    boxes: list[_Box] = []
    x, lowest = MARGIN, MARGIN
    for names in columns:
        y = MARGIN
        middles = {box.component.name: box.y + box.high // 2 for box in boxes}
        for name in sorted(names, key=lambda name: _height_of_sources(name, arrows, middles)):
            boxes.append(_box(instance, name, x, y))
            y += boxes[-1].high + ABOVE
        lowest = max(lowest, y)
        x = max(box.x + box.wide for box in boxes) + GAP
    x = MARGIN
    for name in alone:
        boxes.append(_box(instance, name, x, lowest))
        x += boxes[-1].wide + ABOVE
    return boxes


def _box(instance: Instance, name: str, x: int, y: int) -> _Box:
    component = instance.component[name]
    title = name if component.kind == name else f"{name} ({component.kind})"
    return _Box(component, title + " forbidden" * (name in instance.forbidden), x, y)


def _columns(names: Sequence[str], arrows: Sequence[tuple[str, str]]) -> tuple[list[list[str]], list[str]]:
    """Connected components by the length of the longest path that leads to them, and unconnected ones."""
    depth = {name: 0 for name in names if any(name in arrow for arrow in arrows)}
    for _ in depth:
        for source, target in arrows:
            depth[target] = max(depth[target], depth[source] + 1)
    columns = [
        [name for name in depth if depth[name] == number] for number in range(max(depth.values(), default=-1) + 1)
    ]
    return columns, [name for name in names if name not in depth]


def _height_of_sources(name: str, arrows: Sequence[tuple[str, str]], middles: dict[str, int]) -> float:
    """The mean height of what leads into a component, so that wires cross less."""
    heights = [middles[source] for source, target in arrows if target == name]
    return sum(heights) / len(heights) if heights else 0


def _draw(box: _Box, forbidden: bool, latest: set[str]) -> list[str]:
    parts = [
        svg.rect(box.x, box.y, box.wide, box.high, "bad" if forbidden else "fill", box.title),
        svg.text(box.x + box.wide // 2, box.y + 15, box.title, "faint" if forbidden else "new", "middle"),
    ]
    for port, (x, y) in box.ports():
        square = "new" if port.name in latest else "fill"
        parts.append(svg.rect(x - PORT, y - PORT, 2 * PORT, 2 * PORT, square, f"{port.name} of type {port.type}"))
        inward = -PORT - 6 if port.output else PORT + 6
        parts.append(svg.text(x + inward, y + 5, _label(port), "faint", "end" if port.output else "start"))
    return parts
