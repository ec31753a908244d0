"""Boolean circuit as a schematic: pins left, gates in layers, outputs right, each wire with its vector of values.

AND, OR, XOR and their complements (a small circle) have their usual shapes, whatever the instance calls them: a shape
follows from the operator's table. Other operators are boxes with their table in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from cwr_audits.pictures import svg, wires
from cwr_audits.pictures.drawing import Drawing, Run, play, rules_broken, tell
from cwr_audits.pictures.layers import Layers, heights, layered
from cwr_audits.pictures.svg import CHARACTER, LINE
from cwr_audits.pictures.wires import Net
from cwr_solvers.world import Submission
from cwr_solvers.worlds.bc import interpreter
from cwr_solvers.worlds.bc.instance import Gate, Instance

BODY = 44  # pixels, width of a gate's shape
HALF = 18  # pixels, half its height
INPUT = 8  # pixels from the middle down or up to an input
ROOM = 2 * HALF + 2 * LINE + 6  # pixels, height of a gate with the words above and below it
PIN = 44  # pixels, height of a pin or output with the words above and below it
DUMMY = 14
LEAST = 24  # pixels between layers besides the tracks
BITS = 16  # of a vector that are written out

KEY = (
    "Gates compute from left to right; a dot joins wires, wires that cross without a dot do not touch. Under each "
    "gate: its values on all rows of the truth table, row 0 first. A small circle at a gate's nose inverts.",
)
# table on 00, 01, 10, 11 -> shape, whether inverted
SHAPES = {
    (0, 0, 0, 1): ("and", False),
    (1, 1, 1, 0): ("and", True),
    (0, 1, 1, 1): ("or", False),
    (1, 0, 0, 0): ("or", True),
    (0, 1, 1, 0): ("xor", False),
    (1, 0, 0, 1): ("xor", True),
}


@dataclass(frozen=True)
class _Plan:
    """Pins, gates and outputs, numbered in this order: layers, x of each layer's left, its width, middles of nodes."""

    layers: Layers
    left: tuple[int, ...]
    wide: tuple[int, ...]
    middle: dict[int, int]
    nets: tuple[tuple[Net, ...], ...]


def draw(instance: Instance, submission: Submission[Gate], step: int | None) -> Drawing:
    """The drawing of a submission's first moves."""
    run = play(interpreter, instance, submission, step)
    plan = _plan(instance, run)
    parts = [part for layer in range(len(plan.layers.layers)) for part in _channel(plan, layer)]
    for layer, nodes in enumerate(plan.layers.layers):
        for node in nodes:
            parts += _node(instance, run, plan, layer, node)
    right = plan.left[-1] + plan.wide[-1] if plan.left else 0
    bottom = max((plan.middle[node] + ROOM // 2 for node in plan.middle), default=0)
    if run.wrong is not None:
        words = f"✗ {run.wrong[0]}: {_said(run.wrong[1])} breaks {rules_broken(run.trace)}"
        asked, wide, bottom = svg.box(0, bottom + 8, words)
        parts, right = parts + asked, max(right, wide)
    said = [_said(gate) for gate in run.made]
    told = tell(run, said, _said(run.wrong[1]) if run.wrong else "")
    if run.choice is not None:
        pairs = zip(instance.goal, run.choice, strict=True)
        told = (*told, f"Chosen: {', '.join(f'{name} is {signal}' for name, signal in pairs)}")
    title = f"{instance.code}: Boolean circuit"
    return Drawing(title, run, tuple(parts), right, bottom, KEY, told)


def _said(gate: Gate) -> str:
    return f"{gate.id} = {svg.cut(gate.op)}({', '.join(svg.cut(one) for one in gate.inputs)})"


def _plan(instance: Instance, run: Run) -> _Plan:
    """Layers of pins, gates and chosen outputs, and the wires between them."""
    layers = _layers(instance, run)
    gates = range(len(instance.pins), len(instance.pins) + len(run.made))
    middle = heights(layers, lambda node: DUMMY if node >= layers.count else ROOM if node in gates else PIN, 6)
    wide = [max(_width(instance, run, layers, node) for node in layer) for layer in layers.layers]
    nets = [_nets(instance, run, layers, middle, layer) for layer in layers.layers]
    left, x = [], 0
    for number, own in enumerate(wide):
        left.append(x)
        x += own + LEAST + wires.room(nets[number])
    return _Plan(layers, tuple(left), tuple(wide), middle, tuple(nets))


def _layers(instance: Instance, run: Run) -> Layers:
    """Pins in the first layer, outputs in the last: edges from the deepest gate keep them there, and are forgotten."""
    place = instance.place
    edges = [(place[name], place[gate.id]) for gate in run.made for name in gate.inputs]
    depth = dict.fromkeys(range(len(instance.pins)), 0)
    for source, target in edges:
        depth[target] = max(depth.get(target, 0), depth[source] + 1)
    first = len(instance.pins) + len(run.made)
    outputs = [(place[name], first + number) for number, name in enumerate(run.choice or ())]
    deepest = max(depth, key=lambda node: depth[node])
    forced = {(deepest, output) for _, output in outputs} - set(outputs)
    found = layered(first + len(outputs), [*edges, *outputs, *sorted(forced)])
    return replace(found, chains={edge: chain for edge, chain in found.chains.items() if edge not in forced})


def _gate(instance: Instance, run: Run, node: int) -> Gate | None:
    number = node - len(instance.pins)
    return run.made[number] if 0 <= number < len(run.made) else None


def _words(instance: Instance, run: Run, node: int) -> tuple[str, str]:
    """The two lines that name a node: a gate's above and below it; a pin's or output's beside its wire."""
    state = run.trace.states[-1]
    if node < len(instance.pins) + len(run.made):
        gate = _gate(instance, run, node)
        name = instance.pins[node] if gate is None else f"{gate.id} {svg.cut(gate.op, 12)}"
        return svg.cut(name, 20), _vector(interpreter.shown(state.vectors[node], state.rows))
    output = list(instance.goal)[node - len(instance.pins) - len(run.made)]
    wanted = interpreter.packed(instance.goal[output])
    signal = (run.choice or ())[node - len(instance.pins) - len(run.made)]
    right = state.vectors[instance.place[signal]] == wanted
    words = _vector(interpreter.shown(wanted, state.rows))
    return svg.cut(output, 20), f"wants {words} {'✓' if right else '✗'}"


def _vector(bits: str) -> str:
    return bits if len(bits) <= BITS else bits[: BITS - 1] + "…"


def _width(instance: Instance, run: Run, layers: Layers, node: int) -> int:
    if node >= layers.count:
        return 0
    return max(svg.widest(_words(instance, run, node)) + 2 * CHARACTER, BODY + 16)


def _nets(
    instance: Instance, run: Run, layers: Layers, middle: dict[int, int], layer: Sequence[int]
) -> tuple[Net, ...]:
    """The nets that leave a layer."""
    ends: dict[int, set[int]] = {}
    for (signal, _), chain in sorted(layers.chains.items()):
        for source, target in pairwise(chain):
            if source in layer:
                ends.setdefault(source, set()).update(_ends(instance, run, layers, middle, signal, target))
    return tuple(Net(middle[node], tuple(sorted(ends[node]))) for node in layer if node in ends)


def _ends(instance: Instance, run: Run, layers: Layers, middle: dict[int, int], signal: int, target: int) -> list[int]:
    """The heights at which a signal's wires end at a node of the next layer."""
    gate = None if target >= layers.count else _gate(instance, run, target)
    if gate is None:
        return [middle[target]]
    sides = (middle[target] - INPUT, middle[target] + INPUT)
    return [side for side, name in zip(sides, gate.inputs, strict=True) if instance.place[name] == signal]


def _channel(plan: _Plan, layer: int) -> list[str]:
    """The wires from a layer to the next."""
    if layer + 1 == len(plan.left):
        return []
    left = plan.left[layer] + plan.wide[layer]
    return wires.draw(plan.nets[layer], left, left + LEAST // 2 + wires.TRACK // 2, plan.left[layer + 1])


def _node(instance: Instance, run: Run, plan: _Plan, layer: int, node: int) -> list[str]:
    """A dummy's wire, a pin, a gate or an output."""
    left, right, y = plan.left[layer], plan.left[layer] + plan.wide[layer], plan.middle[node]
    if node >= plan.layers.count:
        return [svg.line([(left, y), (right, y)])]
    above, below = _words(instance, run, node)
    gate = _gate(instance, run, node)
    if gate is not None:
        last = node == len(instance.pins) + len(run.made) - 1
        return [
            *_drawn_gate(instance, gate, left, right, y, last),
            svg.text((left + right) // 2, y - HALF - 5, above, "new", "middle"),
            svg.text((left + right) // 2, y + HALF + 14, below, "faint", "middle"),
        ]
    if node < len(instance.pins):
        used = any(signal == node for signal, _ in plan.layers.chains)
        wire = [svg.line([(left, y), (right, y)])] if used else []
        return [*wire, svg.text(left, y - 5, above, "new"), svg.text(left, y + 15, below, "faint")]
    kind = "good" if below.endswith("✓") else "bad"
    arrow = [svg.line([(left, y), (right - 4, y)]), svg.head(right, y)]
    return [*arrow, svg.text(left + 4, y - 7, above, "new"), svg.text(left + 4, y + 17, below, kind)]


def _drawn_gate(instance: Instance, gate: Gate, left: int, right: int, y: int, last: bool) -> list[str]:
    """The shape of a gate with its wires to the left and to the right of its layer."""
    table = instance.operator[gate.op].table
    form, inverted = SHAPES.get(table, ("box", False))
    x = (left + right - BODY) // 2
    nose = x + BODY + (8 if inverted else 0)
    hollow = 8 if form in ("or", "xor") else 0
    parts = [svg.line([(left, y + side), (x + hollow, y + side)]) for side in (-INPUT, INPUT)]
    parts.append(svg.line([(nose, y), (right, y)]))
    title = f"{_said(gate)}, table {''.join(map(str, table))}"
    parts.append(svg.shape(_outline(form, x, y), "new" if last else "fill", title))
    if form == "xor":
        parts.append(svg.path(f"M{x - 6} {y - HALF}Q{x + 8} {y} {x - 6} {y + HALF}"))
    if inverted:
        parts.append(svg.shape(f"M{x + BODY} {y}a4 4 0 1 1 8 0a4 4 0 1 1 -8 0Z", "card"))
    if form == "box":
        parts.append(svg.text(x + BODY // 2, y + 5, "".join(map(str, table)), "ink", "middle"))
    return parts


def _outline(form: str, x: int, y: int) -> str:
    """The path of a gate's body with its left upper corner at (x, y - HALF)."""
    top, low, right, bend = y - HALF, y + HALF, x + BODY, x + BODY // 2
    if form == "and":
        return f"M{x} {top}H{bend}A{right - bend} {HALF} 0 0 1 {bend} {low}H{x}Z"
    if form == "box":
        return f"M{x} {top}H{right}V{low}H{x}Z"
    nose = f"Q{x + 34} {top} {right} {y}Q{x + 34} {low} {x + 10} {low}"
    return f"M{x} {top}H{x + 10}{nose}H{x}Q{x + 14} {y} {x} {top}Z"
