"""Graphs in layers from left to right: which node stands in which layer, in what order, and how far down.

Layers and the order in them come from a library (Sugiyama's method: few crossings). An edge that spans several layers
is a chain of edges through dummy nodes, one a layer, so that it never runs through a node. The library gets numbers
only: names it would number in an order that changes from run to run. Heights are chosen here, as nodes differ in size:
each node is drawn towards the middle of its neighbours, as near as the order and the sizes allow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from fast_sugiyama import from_edges

Edge = tuple[int, int]
SWEEPS = 10
UNIT = 4  # pixels; heights are multiples of it


@dataclass(frozen=True)
class Layers:
    """Layers of nodes, each from top to bottom; nodes from `count` on are dummies. `chains` has each edge's nodes."""

    count: int
    layers: tuple[tuple[int, ...], ...]
    chains: Mapping[Edge, tuple[int, ...]]

    def hops(self) -> list[Edge]:
        """The edges between neighbouring layers."""
        return sorted({hop for chain in self.chains.values() for hop in pairwise(chain)})


def layered(count: int, edges: Sequence[Edge]) -> Layers:
    """The layers of nodes 0 to count-1 under edges without cycles, each as far left as its edges allow."""
    wanted = sorted(set(edges))
    entered = {target for _, target in wanted}
    root = count  # leads to all that nothing leads to, so that the graph is one piece, and its layer is left out
    rooted = [(root, node) for node in range(count) if node not in entered]
    if not rooted:
        return Layers(0, (), {})
    (places, _, _, hops), *_ = from_edges(
        [*wanted, *rooted], vertex_spacing=10, dummy_vertices=True, check_layout=False, ranking_type="up"
    )
    rows: dict[float, list[tuple[float, int]]] = {}
    for node, (across, down) in places:
        rows.setdefault(-down, []).append((across, int(node)))
    layers = [tuple(node for _, node in sorted(rows[row])) for row in sorted(rows)][1:]
    onward: dict[int, list[int]] = {}
    for source, target in sorted((int(a), int(b)) for a, b in hops or ()):
        onward.setdefault(source, []).append(target)
    chains = [chain for node in range(count) for chain in _chains(node, onward, root)]
    return Layers(root, tuple(layers), {(chain[0], chain[-1]): chain for chain in chains})


def _chains(node: int, onward: Mapping[int, Sequence[int]], root: int) -> list[tuple[int, ...]]:
    """The ways from a node through dummies to the next nodes."""
    found = []
    for after in onward.get(node, ()):
        chain = [node, after]
        while chain[-1] > root:
            chain.append(onward[chain[-1]][0])
        found.append(tuple(chain))
    return found


def heights(layers: Layers, high: Callable[[int], int], gap: int) -> dict[int, int]:
    """How far down the middle of each node lies; `high(node)` is its height, `gap` what stays free between two."""
    near: dict[int, list[int]] = {}
    for source, target in layers.hops():
        near.setdefault(source, []).append(target)
        near.setdefault(target, []).append(source)
    middle: dict[int, float] = {}
    for layer in layers.layers:
        down = 0
        for node in layer:
            middle[node] = down + high(node) / 2
            down += high(node) + gap
    for sweep in range(SWEEPS):
        for layer in layers.layers if sweep % 2 == 0 else reversed(layers.layers):
            wanted = [_mean([middle[one] for one in near.get(node, [node])]) for node in layer]
            middle.update(zip(layer, _apart(wanted, [high(node) for node in layer], gap), strict=True))
    _straighten(layers, high, gap, middle)
    top = min((middle[node] - high(node) / 2 for node in middle), default=0)
    return {node: round(down - top) for node, down in middle.items()}


def _straighten(layers: Layers, high: Callable[[int], int], gap: int, middle: dict[int, float]) -> None:
    """Move every dummy as far towards the node before it as its neighbours leave room, so that long wires run level."""
    before = {hop[1]: hop[0] for hop in layers.hops()}
    for layer in layers.layers:
        for above, node, below in zip((None, *layer), layer, (*layer[1:], None), strict=False):
            if node >= layers.count:
                apart = [(high(node) + high(one)) / 2 + gap if one is not None else 0 for one in (above, below)]
                least = -float("inf") if above is None else middle[above] + apart[0]
                most = float("inf") if below is None else middle[below] - apart[1]
                middle[node] = min(max(middle[before[node]], least), most)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _apart(wanted: Sequence[float], high: Sequence[int], gap: int) -> list[float]:
    """The middles nearest to the wanted ones that keep order and distances (pool adjacent violators)."""
    offsets = [0.0]
    for above, below in pairwise(high):
        offsets.append(offsets[-1] + (above + below) / 2 + gap)
    pools: list[list[float]] = []
    for value in (want - offset for want, offset in zip(wanted, offsets, strict=True)):
        pools.append([value])
        while len(pools) > 1 and _mean(pools[-2]) > _mean(pools[-1]):
            last = pools.pop()
            pools[-1] += last
    levels = [UNIT * round(_mean(pool) / UNIT) for pool in pools for _ in pool]
    return [level + offset for level, offset in zip(levels, offsets, strict=True)]
