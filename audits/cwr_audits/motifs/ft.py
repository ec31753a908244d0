"""Tiling: the motif `main`, by isomorphism of the contact graph with the one that the instance states."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import networkx as nx

from cwr_audits.motifs.replay import legal
from cwr_solvers.world import Submission, World
from cwr_solvers.worlds.ft.instance import Cell, Instance, Placement

Contact = tuple[int, int, str]  # two nodes, "horizontal" or "vertical"


def main(world: World, instance: Instance, submission: Submission[Any]) -> bool:
    """The contact graph is, up to the numbers of its nodes, the stated one; false where none is stated."""
    legal(world, instance, submission)
    if instance.motif is None:
        return False
    covered = [_cells(instance, move) for move in submission.moves]
    found = _graph(map(_orientation, covered), _contacts(covered))
    stated = _graph(instance.motif.orientations, instance.motif.contacts)
    return bool(nx.is_isomorphic(found, stated, node_match=_same, edge_match=_same))


def _graph(orientations: Iterable[str], contacts: Iterable[Contact]) -> nx.Graph:
    """Nodes labelled with an orientation, edges with the set of the directions in which the two are neighbours."""
    graph = nx.Graph()
    graph.add_nodes_from((number, {"label": orientation}) for number, orientation in enumerate(orientations))
    for one, other, along in contacts:
        known = graph.edges[one, other]["label"] if graph.has_edge(one, other) else frozenset()
        graph.add_edge(one, other, label=known | {along})
    return graph


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return bool(one["label"] == other["label"])


def _cells(instance: Instance, move: Placement) -> frozenset[Cell]:
    shape = instance.piece[move.piece].variants[move.flip, move.turn]
    return frozenset((move.x + x, move.y + y) for (x, y), _ in shape.cells)


def _orientation(cells: frozenset[Cell]) -> str:
    columns, rows = len({x for x, _ in cells}), len({y for _, y in cells})
    if (columns > 1) == (rows > 1):  # a single cell, or neither one row nor one column
        return "other"
    return "horizontal" if rows == 1 else "vertical"


def _contacts(covered: list[frozenset[Cell]]) -> Iterable[Contact]:
    """Every pair of placements with the axis on which a cell of one is one step from a cell of the other."""
    for (one, ours), (other, theirs) in combinations(enumerate(covered), 2):
        for (x, y), (across, down) in ((a, b) for a in ours for b in theirs):
            if abs(x - across) + abs(y - down) == 1:
                yield one, other, "horizontal" if y == down else "vertical"
