"""Keyed logistics: the motif `main`, read off the states between the moves that ask for a key."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from cwr_audits.motifs.replay import legal
from cwr_solvers.world import Submission, World
from cwr_solvers.worlds.kl.instance import CONSUMED, HELD, Action, Instance


def main(world: World, instance: Instance, submission: Submission[Any]) -> bool:
    """Cargo is held through all keyed moves; one of them needs a key fetched only after another key was used up."""
    states = legal(world, instance, submission).states
    keyed = [number for number, action in enumerate(submission.moves) if _keyed(instance, action)]
    if len(keyed) < 2 or not _carried(instance, states[keyed[0] : keyed[-1] + 2]):
        return False
    return any(_fetched(instance, submission, states, before, after) for before, after in pairwise(keyed))


def _keyed(instance: Instance, action: Action) -> bool:
    """Whether an action goes along an edge that asks for a key and leads to another node."""
    if action.op != "move":
        return False
    edge = instance.edge[action.arg]
    return edge.key is not None and edge.source != edge.target


def _carried(instance: Instance, states: tuple[Any, ...]) -> bool:
    """Whether one object that the goal wants at a node is held in all these states."""
    cargo = [name for name, place in instance.goal_locations.items() if place not in (HELD, CONSUMED)]
    return any(all(state.locations[instance.index[name]] == HELD for state in states) for name in cargo)


def _fetched(instance: Instance, submission: Submission[Any], states: tuple[Any, ...], before: int, after: int) -> bool:
    """Whether the first pickup of the second move's key lies between the two moves, away from both ends of the way."""
    if not instance.edge[submission.moves[before].arg].consumes:
        return False
    wanted = instance.edge[submission.moves[after].arg].key
    pickups = [n for n, action in enumerate(submission.moves) if action.op == "pickup" and action.arg == wanted]
    if not pickups or not before < pickups[0] < after:
        return False
    return states[pickups[0]].carrier not in (states[0].carrier, states[-1].carrier)
