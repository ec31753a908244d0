"""Cyclic order: the world assembled from its parts. The rule book is the package docstring."""

from __future__ import annotations

from cwr_solvers.world import World
from cwr_solvers.worlds.co import interpreter
from cwr_solvers.worlds.co.generator import generate
from cwr_solvers.worlds.co.instance import FAMILY, read_instance, write_instance

WORLD = World(
    family=FAMILY,
    title="Cyclic order",
    rules={
        "R1": "once: the card has not been played before",
        "R2": "budget: the number of cards played so far is at most the card budget",
        "G": "goal: the loop equals the reference up to rotation",
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
