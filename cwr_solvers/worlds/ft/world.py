"""Coloured tiling: the world assembled from its parts. The rule book is the package docstring."""

from __future__ import annotations

from cwr_solvers.world import World
from cwr_solvers.worlds.ft import interpreter
from cwr_solvers.worlds.ft.generator import generate
from cwr_solvers.worlds.ft.instance import FAMILY, read_instance, write_instance

WORLD = World(
    family=FAMILY,
    title="Coloured tiling",
    rules={
        "R1": "supply: fewer copies of the piece are placed than there are",
        "R2": "bounds: every cell of the piece is a cell of the board",
        "R3": "overlap: no cell of the piece is covered already",
        "R4": "colours: faces that meet have the same colour, or one has none",
        "R5": "border: faces on the border have its colour, or none",
        "R6": "placements: the number of placements is at most the placement budget",
        "R7": "cost: the cost is at most the cost budget",
        "G": "goal: every cell is covered and, where the goal says so, every copy of every piece is placed",
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
    expand=interpreter.expand,
)
