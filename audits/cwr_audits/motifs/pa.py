"""Assembly: the motif `main`, read off the graph of components with an arrow for each connection."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import networkx as nx
from networkx.algorithms.connectivity import local_node_connectivity

from cwr_audits.motifs.replay import legal
from cwr_solvers.world import Submission, World
from cwr_solvers.worlds.pa.instance import Instance


def main(world: World, instance: Instance, submission: Submission[Any]) -> bool:
    """A splitter feeds two kinds whose lines meet on the way to the goal component; a spare stays out that would fit.

    False where the instance names no splitter, no goal component or no spare.
    """
    legal(world, instance, submission)
    graph = nx.DiGraph()
    graph.add_nodes_from(part.name for part in instance.components)
    graph.add_edges_from(
        (instance.port[source].component, instance.port[target].component) for source, target in submission.moves
    )
    return _idle_spare(instance, graph) and any(_splits(instance, graph, name) for name in instance.splitters)


def _idle_spare(instance: Instance, graph: nx.DiGraph) -> bool:
    """(d): some spare is isolated, so all its ports are free, and a port of another component would fit one of them."""
    isolated = [instance.component[name] for name in instance.spares if graph.degree(name) == 0]
    return any(
        port.type == other.type and port.output != other.output and other.component != spare.name
        for spare in isolated
        for port in spare.ports
        for other in instance.port.values()
    )


def _splits(instance: Instance, graph: nx.DiGraph, splitter: str) -> bool:
    """(a) to (c) for one splitter."""
    if instance.sink is None:
        return False
    meetings = {instance.sink} | nx.ancestors(graph, instance.sink)
    return any(
        instance.component[one].kind != instance.component[other].kind
        and any(_meet(graph, splitter, (one, other), m) for m in meetings - {splitter, one, other})
        for one, other in combinations(graph.successors(splitter), 2)
    )


def _meet(graph: nx.DiGraph, splitter: str, branches: tuple[str, str], meeting: str) -> bool:
    """(b): whether disjoint paths from the branches end in components that feed the meeting.

    With the splitter's arrows cut down to those to the branches, these are two paths from it to the meeting that share
    nothing between: there are as many of them as components whose loss parts the two (Menger).
    """
    cut = graph.copy()
    cut.remove_node(splitter)
    cut.add_edges_from((splitter, branch) for branch in branches)
    return bool(local_node_connectivity(cut, splitter, meeting) == 2)
