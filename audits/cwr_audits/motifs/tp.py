"""Pipeline: the motif `main`, read off the graph of steps and of the values that run between them."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import networkx as nx

from cwr_audits.motifs.replay import legal
from cwr_solvers.world import Submission, World
from cwr_solvers.worlds.tp.instance import Instance, Value


def main(world: World, instance: Instance, submission: Submission[Any]) -> bool:
    """A step splits; one branch changes its value on a path; a join takes it and the waiting sibling; one step follows.

    Nodes of the graph are steps (numbers) and values (ids); edges are consumption and creation.
    """
    graph, carried = _flow(world, instance, submission)
    for split in range(len(submission.moves)):
        for moving, waiting in permutations(graph.successors(split), 2):
            join = next(graph.successors(waiting), None)
            if join is not None and _changed_before(graph, carried, moving, join) and _one_follows(graph, join):
                return True
    return False


def _flow(world: World, instance: Instance, submission: Submission[Any]) -> tuple[nx.DiGraph, dict[str, Value]]:
    """The graph, and the value list that each id carries."""
    graph = nx.DiGraph()
    carried: dict[str, Value] = {}
    graph.add_nodes_from(range(len(submission.moves)))
    for state in legal(world, instance, submission).states:
        carried.update({name: value for name, (_, value) in state.live})
    for number, move in enumerate(submission.moves):
        graph.add_edges_from((name, number) for name in move.args)
        graph.add_edges_from((number, name) for name in move.out)
    return graph, carried


def _changed_before(graph: nx.DiGraph, carried: dict[str, Value], moving: str, join: int) -> bool:
    """Whether some path from the value `moving` reaches a value that `join` consumes, and changes what it carries."""
    frontier = [(moving, False)]
    while frontier:
        name, changed = frontier.pop()
        step = next(graph.successors(name), None)
        if step == join and changed:
            return True
        if step is not None and step != join:
            frontier += [(made, changed or carried[made] != carried[name]) for made in graph.successors(step)]
    return False


def _one_follows(graph: nx.DiGraph, join: int) -> bool:
    """Whether exactly one step depends on the join."""
    return sum(isinstance(node, int) for node in nx.descendants(graph, join)) == 1
