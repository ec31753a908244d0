"""Keyed logistics on its map, and below it a path of states: where the carrier and every object are, step by step.

On the map a box is a node with what is there at the end of the steps shown; between boxes stand the edges with what
they ask for, and the steps that used them. One layered layout places both, so that no label lies
on another.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from cwr_audits.pictures import statepath, svg
from cwr_audits.pictures.drawing import Drawing, Run, play, rules_broken, tell
from cwr_audits.pictures.layers import Layers, heights, layered
from cwr_audits.pictures.statepath import Card, Cell
from cwr_audits.pictures.svg import LINE
from cwr_solvers.world import Submission
from cwr_solvers.worlds.kl import interpreter
from cwr_solvers.worlds.kl.instance import CONSUMED, HELD, Action, Edge, Instance

GAP = 44  # pixels between layers
BETWEEN = 14
DUMMY = 10
PAD = 8

KEY = (
    "Map: a box is a node with what is there after the last step shown; ▣ is the carrier and what it holds. Small text "
    "on an arrow: an edge, the key it asks for (−key: used up, key: only shown), its cost, the steps "
    "that used it; ↺ leads back to where it starts.",
    "Below: where everything is after each step. *: changed by the step.",
)

Line = tuple[str, str]  # words, kind


@dataclass(frozen=True)
class _Map:
    """Nodes first, then edges, as nodes of a layout: their lines of text, where layers begin, widths, middles."""

    lines: tuple[tuple[Line, ...], ...]
    layers: Layers
    left: tuple[int, ...]
    wide: tuple[int, ...]
    middle: dict[int, int]

    def corner(self, node: int) -> tuple[int, int, int, int]:
        """x, y, width, height of a box."""
        layer = next(i for i, row in enumerate(self.layers.layers) if node in row)
        high = _high(self.lines[node]) if node < len(self.lines) else 0
        wide = _wide(self.lines[node]) if node < len(self.lines) else self.wide[layer]
        return self.left[layer] + (self.wide[layer] - wide) // 2, self.middle[node] - high // 2, wide, high


def draw(instance: Instance, submission: Submission[Action], step: int | None) -> Drawing:
    """The drawing of a submission's first moves."""
    run = play(interpreter, instance, submission, step)
    plan = _map(instance, run)
    parts = _ways(instance, plan, run)
    for node in range(len(plan.lines)):
        parts += _box(instance, plan, run, node)
    right = plan.left[-1] + plan.wide[-1]
    under = max(y + high for _, y, _, high in map(plan.corner, range(len(plan.lines)))) + 2 * LINE
    strip, wide, bottom = statepath.draw(["carrier", *instance.initial], _cards(instance, run))
    parts += [f'<g transform="translate(0 {under})">', *strip, "</g>"]
    said = [_said(instance, move) for move in run.made]
    told = tell(run, said, _said(instance, run.wrong[1]) if run.wrong else "")
    title = f"{instance.code}: keyed logistics"
    return Drawing(title, run, tuple(parts), max(right, wide), under + bottom, KEY, told)


def _high(lines: Sequence[Line]) -> int:
    return LINE * len(lines) + PAD


def _wide(lines: Sequence[Line]) -> int:
    return svg.widest(words for words, _ in lines) + 2 * PAD


def _map(instance: Instance, run: Run) -> _Map:
    """The layout of the map, from the carrier's initial node on."""
    number = {name: place for place, name in enumerate(instance.nodes)}
    count = len(number)
    lines = [_place(instance, run, node) for node in instance.nodes]
    rank = _ranks(instance)
    lines += [
        _edge(run, edge, (rank[edge.target], number[edge.target]) < (rank[edge.source], number[edge.source]))
        for edge in instance.edges
    ]
    arrows = []
    for place, edge in enumerate(instance.edges, count):
        first, last = sorted((edge.source, edge.target), key=lambda name: (rank[name], number[name]))
        arrows.append((number[first], place))
        arrows += [(place, number[last])] if first != last else []
    layers = layered(len(lines), arrows)
    middle = heights(layers, lambda node: _high(lines[node]) if node < layers.count else DUMMY, BETWEEN)
    wide = [max(_wide(lines[node]) if node < layers.count else 0 for node in row) for row in layers.layers]
    left = [sum(wide[:place]) + GAP * place for place in range(len(wide))]
    return _Map(tuple(lines), layers, tuple(left), tuple(wide), middle)


def _ranks(instance: Instance) -> dict[str, int]:
    """How many edges each node is away from the carrier's initial one, directions aside; far, where none leads."""
    near: dict[str, list[str]] = {}
    for edge in instance.edges:
        near.setdefault(edge.source, []).append(edge.target)
        near.setdefault(edge.target, []).append(edge.source)
    found = {instance.carrier: 0}
    waiting = deque([instance.carrier])
    while waiting:
        here = waiting.popleft()
        for there in near.get(here, ()):
            if there not in found:
                found[there] = found[here] + 1
                waiting.append(there)
    return {node: found.get(node, len(instance.nodes)) for node in instance.nodes}


def _place(instance: Instance, run: Run, node: str) -> tuple[Line, ...]:
    """What a node's box says."""
    state = run.trace.states[-1]
    at = dict(zip(instance.initial, state.locations, strict=True))
    lines = [(svg.cut(node), "new")]
    if state.carrier == node:
        held = [svg.cut(name, 12) for name, place in at.items() if place == HELD]
        lines += [(words, "ink") for words in _listed("▣ holds", held or ["nothing"])]
    lying = [svg.cut(name, 12) for name, place in at.items() if place == node]
    lines += [(words, "ink") for words in _listed("lying:", lying)] if lying else []
    wanted = [svg.cut(name, 12) for name, place in instance.goal_locations.items() if place == node]
    wanted += ["▣"] if instance.goal_carrier == node else []
    lines += [(words, "faint") for words in _listed("goal:", wanted)] if wanted else []
    return tuple(lines)


def _listed(words: str, names: Sequence[str]) -> list[str]:
    return svg.wrap(f"{words} {', '.join(names)}", 28)


def _edge(run: Run, edge: Edge, back: bool) -> tuple[Line, ...]:
    """What stands on an edge; `back` says that it leads to the left."""
    called = svg.cut(edge.name, 18)
    loop = edge.source == edge.target
    lines = [(f"↺ {called}" if loop else f"← {called}" if back else f"{called} →", "ink")]
    if edge.key is not None:
        lines.append((f"key {'−' if edge.consumes else ''}{svg.cut(edge.key, 12)}", "ink"))
    if edge.cost != 1:
        lines.append((f"cost {edge.cost}", "faint"))
    used = [str(number) for number, move in enumerate(run.made, 1) if move == Action("move", edge.name)]
    lines += [(words, "new") for words in _listed("step" if len(used) == 1 else "steps", used)] if used else []
    if run.wrong is not None and run.wrong[1] == Action("move", edge.name):
        lines.append((f"✗ step {run.wrong[0]}", "bad"))
    return tuple(lines)


def _ways(instance: Instance, plan: _Map, run: Run) -> list[str]:
    """The arrows: from a node to an edge's label and on to the node where the edge leads."""
    used = {move.arg for move in run.made if move.op == "move"}
    number = {name: place for place, name in enumerate(instance.nodes)}
    parts: list[str] = []
    for place, edge in enumerate(instance.edges, len(number)):
        kind = "route" if edge.name in used else "ink"
        for source, target in ((number[edge.source], place), (place, number[edge.target])):
            parts += _way(plan, len(number), source, target, kind, edge.source == edge.target)
    return parts


def _way(plan: _Map, nodes: int, source: int, target: int, kind: str, loop: bool) -> list[str]:
    """A line through dummies; it has a head where it ends at a place, one of the first `nodes`.

    The way back of a loop is its way out.
    """
    if loop and (source, target) not in plan.layers.chains:
        x, _, wide, _ = plan.corner(target)
        return [svg.head(x + wide, plan.middle[target], kind, left=True)]
    backward = (source, target) not in plan.layers.chains
    chain = plan.layers.chains[(target, source) if backward else (source, target)]
    points: list[svg.Point] = []
    for place, node in enumerate(chain):
        x, _, wide, _ = plan.corner(node)
        points += [(x, plan.middle[node])] if place else []
        points += [(x + wide, plan.middle[node])] if place < len(chain) - 1 else []
    parts = [svg.curve(*pair, kind) if i % 2 == 0 else svg.line(pair, kind) for i, pair in enumerate(pairwise(points))]
    x, y = points[0] if backward else points[-1]
    if target >= nodes:
        return parts
    return [*parts, svg.head(x, y, kind, left=backward)]


def _box(instance: Instance, plan: _Map, run: Run, node: int) -> list[str]:
    x, y, wide, high = plan.corner(node)
    carrier = node < len(instance.nodes) and instance.nodes[node] == run.trace.states[-1].carrier
    kind = "fill" if carrier else "card" if node < len(instance.nodes) else "paper cwr-bare"
    parts = [svg.rect(x, y, wide, high, kind)]
    for row, (words, style) in enumerate(plan.lines[node]):
        parts.append(svg.text(x + wide // 2, y + LINE * row + 17, words, style, "middle"))
    return parts


def _cards(instance: Instance, run: Run) -> list[Card]:
    states = run.trace.states
    cards = []
    for number, state in enumerate(states):
        before = states[max(number - 1, 0)]
        now = [state.carrier, *state.locations]
        then = [before.carrier, *before.locations]
        cells = [Cell(_where(a), "*" * (a != b), a != b, a == CONSUMED) for a, b in zip(now, then, strict=True)]
        called = f"{number} {_words(instance, run.made[number - 1])}" if number else ""
        cards.append(Card(called, str(number) if number else "start", tuple(cells)))
    if run.wrong is not None:
        called = f"{run.wrong[0]} {_words(instance, run.wrong[1])}"
        return [*cards, Card(called, f"✗ {rules_broken(run.trace)}", (), "bad")]
    return [*cards, _goal(instance, states[-1].carrier, states[-1].locations)]


def _goal(instance: Instance, carrier: str, locations: Sequence[str]) -> Card:
    asked = [instance.goal_carrier, *map(instance.goal_locations.get, instance.initial)]
    cells = []
    for wanted, now in zip(asked, [carrier, *locations], strict=True):
        met = "✓" if wanted == now else "○"
        cells.append(Cell("any", faint=True) if wanted is None else Cell(_where(wanted), met))
    return Card("", "goal", tuple(cells), "help")


def _where(place: str) -> str:
    return {HELD: "held ▣", CONSUMED: "used up"}.get(place) or svg.cut(place, 14)


def _words(instance: Instance, action: Action) -> str:
    edge = instance.edge.get(action.arg)
    key = "" if edge is None or edge.key is None else f" {'−' if edge.consumes else ''}{svg.cut(edge.key, 10)}"
    return f"{action.op} {svg.cut(action.arg, 14)}{key if action.op == 'move' else ''}"


def _said(instance: Instance, action: Action) -> str:
    """An action in words."""
    edge = instance.edge.get(action.arg)
    if action.op != "move" or edge is None:
        return f"{action.op} {action.arg}"
    key = "" if edge.key is None else f", {'using up' if edge.consumes else 'showing'} {edge.key}"
    return f"move along {edge.name} from {edge.source} to {edge.target}{key}"
