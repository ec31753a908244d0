"""Boolean circuit: the four motifs (shape, typed, mid, weak), read off the graph that runs from inputs to gates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import networkx as nx

from cwr_audits.motifs.replay import legal
from cwr_solvers.world import Submission, World
from cwr_solvers.worlds.bc.instance import Gate, Instance


@dataclass(frozen=True, slots=True)
class Wiring:
    """The pins, the gates by id, who depends on whom (edges run from input to reader), and the gate that is output."""

    pins: frozenset[str]
    gates: dict[str, Gate]
    graph: nx.DiGraph
    output: Gate

    def below(self, signal: str) -> set[str]:
        """All signals that a signal depends on, itself among them."""
        return {signal, *nx.ancestors(self.graph, signal)}

    def cone(self, signal: str) -> set[str]:
        """The gates among them."""
        return self.below(signal) - self.pins


def shape(world: World, instance: Instance, submission: Submission[Any]) -> bool:
    """X and Y read the same two pins, E reads Y and a third pin, the output reads X and E."""
    found = _wiring(world, instance, submission)
    return found is not None and any(True for _ in _shapes(found))


def typed(world: World, instance: Instance, submission: Submission[Any]) -> bool:
    """A shape whose gates have the operators that the instance names."""
    found = _wiring(world, instance, submission)
    if found is None or not instance.motif:
        return False
    return any(tuple(gate.op for gate in gates) == instance.motif for gates in _shapes(found))


def mid(world: World, instance: Instance, submission: Submission[Any]) -> bool:
    """The output joins two cones without a common gate; below them X and Y share a pin, and z is new to both."""
    found = _wiring(world, instance, submission)
    if found is None:
        return False
    for x, e in permutations(found.output.inputs):
        if {x, e} & found.pins or found.cone(x) & found.cone(e):
            continue
        for y, z in permutations(found.gates[e].inputs):
            if y in found.gates and z in found.pins and _mid(found, x, y, z):
                return True
    return False


def weak(world: World, instance: Instance, submission: Submission[Any]) -> bool:
    """The two inputs of the output depend on a common signal."""
    found = _wiring(world, instance, submission)
    if found is None:
        return False
    one, other = found.output.inputs
    return bool(found.below(one) & found.below(other))


def _wiring(world: World, instance: Instance, submission: Submission[Any]) -> Wiring | None:
    """The wiring; None where outputs are named or the output is a pin, of which no motif speaks."""
    legal(world, instance, submission)
    gates = {gate.id: gate for gate in submission.moves}
    chosen = submission.choice or ()
    if not instance.single or chosen[0] not in gates:
        return None
    graph = nx.DiGraph()
    graph.add_nodes_from((*instance.pins, *gates))
    graph.add_edges_from((source, gate.id) for gate in gates.values() for source in gate.inputs)
    return Wiring(frozenset(instance.pins), gates, graph, gates[chosen[0]])


def _shapes(found: Wiring) -> Iterator[tuple[Gate, Gate, Gate, Gate]]:
    """Every X, Y, E and output that have the shape."""
    ends = sorted(found.output.inputs)
    for x, y, e in permutations(found.gates.values(), 3):
        pair = set(x.inputs)
        low = len(pair) == 2 and pair <= found.pins and set(y.inputs) == pair
        joined = found.output not in (x, y, e) and ends == sorted((x.id, e.id))
        if low and joined and _third(found, y, e, pair):
            yield x, y, e, found.output


def _third(found: Wiring, y: Gate, e: Gate, pair: set[str]) -> bool:
    """Whether E reads Y and a pin outside the pair."""
    return any(one == y.id and other in found.pins - pair for one, other in permutations(e.inputs))


def _mid(found: Wiring, x: str, y: str, z: str) -> bool:
    below_x, below_y = found.below(x), found.below(y)
    return bool(below_x & below_y & found.pins) and z not in below_x | below_y
