"""Keyed logistics: the world assembled from its parts. The rule book is the package docstring."""

from __future__ import annotations

from cwr_solvers.world import World
from cwr_solvers.worlds.kl import interpreter
from cwr_solvers.worlds.kl.generator import generate
from cwr_solvers.worlds.kl.instance import FAMILY, read_instance, write_instance

WORLD = World(
    family=FAMILY,
    title="Keyed logistics",
    rules={
        "R1": "there: a picked-up object lies at the carrier's node",
        "R2": "space: fewer objects are held than the capacity",
        "R3": "held: a dropped object is held",
        "R4": "from: the carrier is where the edge starts",
        "R5": "key: the key that the edge asks for is held",
        "R6": "actions: the number of actions is at most the action budget",
        "R7": "traversals: the number of traversals is at most the traversal budget",
        "R8": "cost: the cost is at most the cost budget",
        "G": "goal: carrier and objects are where the goal says, and no more objects are held than it says",
    },
    read_instance=read_instance,
    write_instance=write_instance,
    read_submission=interpreter.read_submission,
    write_submission=interpreter.write_submission,
    read_move=interpreter.read_move,
    write_move=interpreter.write_move,
    read_state=interpreter.read_state,
    write_state=interpreter.write_state,
    initial=interpreter.initial,
    step=interpreter.step,
    terminal=interpreter.terminal,
    unmet=interpreter.unmet,
    moves=interpreter.moves,
    choices=interpreter.choices,
    key=interpreter.key,
    normal_moves=interpreter.normal_moves,
    normal=interpreter.normal,
    namings=interpreter.namings,
    commutes=interpreter.commutes,
    exchanges=interpreter.exchanges,
    edges=interpreter.edges,
    generate=generate,
)
