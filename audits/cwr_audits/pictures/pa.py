"""Typed-port assembly as a port graph: a box is a component, inputs left, outputs right, wires bear their step numbers.

The kind of a wire's line follows its type, and each port says its type. Boxes stand in layers along the wires of the
whole submission, so that they stay in place when only its first steps are shown; components without a connection stand
below, in a frame of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cwr_audits.pictures import svg, wires
from cwr_audits.pictures.drawing import Drawing, Run, play, rules_broken, tell
from cwr_audits.pictures.layers import heights, layered
from cwr_audits.pictures.palette import DASHES
from cwr_audits.pictures.svg import LINE
from cwr_audits.pictures.wires import Net
from cwr_solvers.world import Submission
from cwr_solvers.worlds.pa import interpreter
from cwr_solvers.worlds.pa.instance import Component, Connection, Instance, Port

GAP = 30  # pixels left of the tracks, for the numbers of the steps
AFTER = 14  # pixels right of them
BETWEEN = 16
LANE = 8  # pixels between wires that run side by side
PORT = 4  # pixels, half the side of a port's square
MOST = 1040
Points = dict[str, svg.Point]

KEY = (
    "A box is a component, its inputs on the left, its outputs on the right, as port:type; a wire bears the number of "
    "its step. Port shapes: filled is wired, hollow is free.",
)


@dataclass(frozen=True)
class _Box:
    """A component, its titles and the corner where it is drawn."""

    component: Component
    titles: tuple[str, ...]
    x: int
    y: int

    @property
    def wide(self) -> int:
        return _width(self.component, self.titles)

    @property
    def high(self) -> int:
        return _height(self.component, self.titles)

    def ports(self) -> Iterator[tuple[Port, svg.Point]]:
        """The ports with their places on the edges of the box."""
        for output in (False, True):
            for row, port in enumerate(_side(self.component, output)):
                yield port, (self.x + self.wide * output, self.y + _port_row(self.titles, row))


@dataclass(frozen=True)
class _Way:
    """A wire's first layer, and its heights in the layers that it passes."""

    first: int
    lanes: tuple[int, ...]


@dataclass(frozen=True)
class _Plan:
    """Where each layer begins and how wide it is, the boxes in them, the ways of the wires."""

    left: tuple[int, ...]
    wide: tuple[int, ...]
    boxes: tuple[_Box, ...]
    ways: dict[Connection, _Way]


def draw(instance: Instance, submission: Submission[Connection], step: int | None) -> Drawing:
    """The drawing of a submission's first moves."""
    run = play(interpreter, instance, submission, step)
    planned = play(interpreter, instance, submission, None).made
    shown = {_arrow(instance, one) for one in (*planned, *([run.wrong[1]] if run.wrong else []))}
    joined = [component.name for component in instance.components if any(component.name in pair for pair in shown)]
    plan = _plan(instance, joined, planned)
    right = plan.left[-1] + plan.wide[-1] if plan.left else 0
    bottom = max((box.y + box.high for box in plan.boxes), default=0)
    idle = [component.name for component in instance.components if component.name not in joined]
    frame, spares, right, bottom = _idle(instance, idle, right, bottom)
    boxes = [*plan.boxes, *spares]
    points = {port.name: point for box in boxes for port, point in box.ports()}
    parts = [*frame, *_wires(instance, plan, run, points)]
    parts += [part for box in boxes for part in _drawn(instance, box, run)]
    wrong, right, bottom = _wrong(run, points, right, bottom)
    asked = _said(run.wrong[1]) if run.wrong else ""
    told = tell(run, [_said(one) for one in run.made], asked)
    told = (*told, f"Not connected: {', '.join(idle)}") if idle else told
    title = f"{instance.code}: typed-port assembly"
    key = (*KEY, *_types(instance))
    return Drawing(title, run, (*parts, *wrong), right, bottom, key, told)


def _arrow(instance: Instance, move: Connection) -> tuple[str, str]:
    source, target = (instance.port[name].component for name in move)
    return source, target


def _said(move: Connection) -> str:
    return f"{svg.cut(move[0])} to {svg.cut(move[1])}"


def _types(instance: Instance) -> list[str]:
    """Nothing where there is one type; else the types in the order of their kinds of lines."""
    names = sorted({port.type for port in instance.port.values()})
    kinds = ("solid", "dashed", "dotted", "dash-dot", "long dashes", "dash-dot-dot")
    told = [f"{svg.cut(name)} {kinds[i % len(DASHES)]}" for i, name in enumerate(names)]
    return [f"Lines by type: {', '.join(told)}."] if len(names) > 1 else []


def _dash(instance: Instance, port: str) -> str:
    names = sorted({one.type for one in instance.port.values()})
    return f"dash{names.index(instance.port[port].type) % len(DASHES)}"


def _side(component: Component, output: bool) -> list[Port]:
    return [port for port in component.ports if port.output == output]


def _label(port: Port) -> str:
    return f"{svg.cut(port.name.partition('.')[2], 12)}:{svg.cut(port.type, 12)}"


def _titles(instance: Instance, component: Component) -> tuple[str, ...]:
    """Name, kind where it has one of its own, and what is special about it."""
    kind = [] if component.kind == component.name else [f"kind {svg.cut(component.kind, 16)}"]
    special = ["spare"] * (component.name in instance.spares) + ["forbidden"] * (component.name in instance.forbidden)
    special += ["goal"] * (component.name == instance.sink) + ["splitter"] * (component.name in instance.splitters)
    return (svg.cut(component.name), *kind, *([", ".join(special)] if special else []))


def _width(component: Component, titles: Sequence[str]) -> int:
    sides = [svg.widest(map(_label, _side(component, output))) for output in (False, True)]
    return max(svg.widest(titles), sum(sides) + 16) + 24


def _height(component: Component, titles: Sequence[str]) -> int:
    ports = max(len(_side(component, output)) for output in (False, True))
    return LINE * (len(titles) + ports) + 12


def _port_row(titles: Sequence[str], row: int) -> int:
    return LINE * (len(titles) + row) + LINE // 2 + 6


def _plan(instance: Instance, joined: Sequence[str], made: Sequence[Connection]) -> _Plan:
    """Where the connected components stand, and the ways of the wires between them."""
    number = {name: place for place, name in enumerate(joined)}
    ends = {one: (number[a], number[b]) for one in made for a, b in [_arrow(instance, one)]}
    layers = layered(len(joined), list(ends.values()))
    bundles = {pair: [one for one in made if ends[one] == pair] for pair in layers.chains}
    passing = {node: len(bundles[pair]) for pair, chain in layers.chains.items() for node in chain[1:-1]}
    parts = [(instance.component[name], _titles(instance, instance.component[name])) for name in joined]

    def high(node: int) -> int:
        return LANE * passing[node] + 6 if node in passing else _height(*parts[node])

    middle = heights(layers, high, BETWEEN)
    wide = tuple(max(0 if node in passing else _width(*parts[node]) for node in row) for row in layers.layers)
    left = [0]
    for row, own in zip(layers.layers, wide, strict=True):
        leaving = sum(len(bundles[pair]) for pair, chain in layers.chains.items() if set(row) & set(chain[:-1]))
        left.append(left[-1] + own + GAP + AFTER + wires.TRACK * leaving)
    boxes = []
    for place, row in enumerate(layers.layers):
        for node in (node for node in row if node not in passing):
            inset = (wide[place] - _width(*parts[node])) // 2
            boxes.append(_Box(*parts[node], left[place] + inset, middle[node] - high(node) // 2))
    layer = {node: place for place, row in enumerate(layers.layers) for node in row}
    ways = {
        one: _Way(
            layer[chain[0]], tuple(middle[node] + LANE * k - LANE * (len(bundle) - 1) // 2 for node in chain[1:-1])
        )
        for pair, chain in layers.chains.items()
        for bundle in [bundles[pair]]
        for k, one in enumerate(bundle)
    }
    return _Plan(tuple(left[:-1]), wide, tuple(boxes), ways)


def _wires(instance: Instance, plan: _Plan, run: Run, points: Points) -> list[str]:
    """The wires of the steps made so far, along the tracks that the whole submission needs; and their numbers."""
    parts: list[str] = []
    for place, left in enumerate(plan.left):
        passing = [one for one, way in plan.ways.items() if way.first <= place < way.first + len(way.lanes) + 1]
        nets = [_net(instance, plan, one, place, points, one in run.made) for one in passing]
        edge = left + plan.wide[place]
        if nets:
            parts += wires.draw(nets, edge, edge + GAP, plan.left[place + 1])
        parts += [
            part
            for one, net in zip(passing, nets, strict=True)
            if net.kind != "unseen"
            for part in _stubs(plan, one, place, net, points, _dash(instance, one[0]))
        ]
    for number, one in enumerate(run.made, 1):
        x, y = points[one[0]]
        parts.append(svg.text(x + PORT + 4, y - 4, str(number), "new" if number == len(run.made) else "faint"))
    return parts


def _net(instance: Instance, plan: _Plan, one: Connection, place: int, points: Points, seen: bool) -> Net:
    """What a connection is between a layer and the next."""
    way = plan.ways[one]
    levels = (points[one[0]][1], *way.lanes, points[one[1]][1])
    start, end = levels[place - way.first], levels[place - way.first + 1]
    return Net(start, (end,), "ink" if seen else "unseen", _dash(instance, one[0]))


def _stubs(plan: _Plan, one: Connection, place: int, net: Net, points: Points, dash: str) -> list[str]:
    """The level pieces inside a layer: from a port to its edge, or through it."""
    way, edge = plan.ways[one], plan.left[place] + plan.wide[place]
    begin = points[one[0]][0] if place == way.first else plan.left[place]
    pieces = [svg.line([(begin, net.start), (edge, net.start)], "ink", dash)] if begin < edge else []
    following = plan.left[place + 1]
    if place == way.first + len(way.lanes) and points[one[1]][0] > following:
        pieces.append(svg.line([(following, net.ends[0]), (points[one[1]][0], net.ends[0])], "ink", dash))
    return pieces


def _drawn(instance: Instance, box: _Box, run: Run) -> list[str]:
    """A box with its titles and ports; a forbidden one is dashed, with lines across its corners."""
    forbidden = box.component.name in instance.forbidden
    used = {name for one in run.made for name in one}
    latest = set(run.made[-1]) if run.made else set()
    parts = [svg.rect(box.x, box.y, box.wide, box.high, "help" if forbidden else "card", box.component.name)]
    for row, words in enumerate(box.titles):
        parts.append(
            svg.text(box.x + box.wide // 2, box.y + LINE * row + 15, words, "faint" if row else "new", "middle")
        )
    for port, (x, y) in box.ports():
        corner = (x - PORT, y - PORT, 2 * PORT, 2 * PORT)
        kind = "new" if port.name in latest else "fill" if port.name in used else "card"
        parts.append(svg.rect(*corner, kind, f"{port.name} of type {port.type}"))
        parts += [svg.dot(x, y, 2)] if port.name in used else []
        inward = -PORT - 6 if port.output else PORT + 6
        parts.append(svg.text(x + inward, y + 5, _label(port), "faint", "end" if port.output else "start"))
    return parts


def _idle(instance: Instance, names: Sequence[str], right: int, bottom: int) -> tuple[list[str], list[_Box], int, int]:
    """The components without a connection, in lines below all others; the frame around them; the new extent."""
    if not names:
        return [], [], right, bottom
    top = bottom + 2 * BETWEEN if bottom else 0
    boxes: list[_Box] = []
    x, y, high = BETWEEN, top + LINE + 10, 0
    for name in names:
        component = instance.component[name]
        titles = _titles(instance, component)
        if boxes and x + _width(component, titles) > MOST:
            x, y, high = BETWEEN, y + high + BETWEEN, 0
        boxes.append(_Box(component, titles, x, y))
        x += boxes[-1].wide + BETWEEN
        high = max(high, boxes[-1].high)
    wide = max([box.x + box.wide + BETWEEN for box in boxes] + [160])
    frame = [
        svg.rect(0, top, wide, y + high + BETWEEN - top, "paper"),
        svg.text(8, top + 15, "not connected", "faint"),
    ]
    return frame, boxes, max(right, wide), y + high + BETWEEN


def _wrong(run: Run, points: Points, right: int, bottom: int) -> tuple[list[str], int, int]:
    """The illegal connection, aslant, with a cross on it; what it breaks stands below; the new extent."""
    if run.wrong is None:
        return [], right, bottom
    number, move = run.wrong
    (x, y), (across, down) = (points[one] for one in move)
    words = f"✗ {number}: {_said(move)} breaks {rules_broken(run.trace)}"
    parts = [svg.curve((x, y), (across, down), "bad"), *svg.cross((x + across) // 2, (y + down) // 2)]
    asked, wide, low = svg.box(0, bottom + 8, words)
    return parts + asked, max(right, wide), low
