"""Cyclic order: the motif `main`, read off the graph of positions, which is a ring."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import networkx as nx

from cwr_audits.motifs.replay import legal
from cwr_solvers.world import Submission, World
from cwr_solvers.worlds.co.instance import Instance


def main(world: World, instance: Instance, submission: Submission[Any]) -> bool:
    """Some played card exchanges the ends of an edge of the ring: two tokens that changed places are neighbours."""
    states = legal(world, instance, submission).states
    ring = nx.cycle_graph(len(instance.broken))
    return any(ring.has_edge(*_changed(before.loop, after.loop)) for before, after in pairwise(states))


def _changed(before: tuple[str, ...], after: tuple[str, ...]) -> list[int]:
    """The positions, counted from 0, on which the token changed: the two of the card."""
    return [place for place, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
