"""Finite typed pipeline: the world assembled from its parts. The rule book is the package docstring."""

from __future__ import annotations

from cwr_solvers.world import World
from cwr_solvers.worlds.tp import interpreter
from cwr_solvers.worlds.tp.generator import generate
from cwr_solvers.worlds.tp.instance import FAMILY, read_instance, write_instance

WORLD = World(
    family=FAMILY,
    title="Finite typed pipeline",
    rules={
        "R1": "arity: as many args as input types",
        "R2": "live: every arg is live",
        "R3": "distinct: no id is given twice as an arg",
        "R4": "types: each live arg has the type of its position",
        "R5": "outputs: as many out ids as output types",
        "R6": "fresh: every out id was never allocated before and is given once",
        "R7": "table: the table has a row for the argument values",
        "R8": "live: the number of live values is at most the live limit",
        "R9": "steps: the number of steps is at most the step budget",
        "R10": "cost: the cost is at most the cost budget",
        "G": "goal: the live values are the goal, or contain it where leftovers are allowed",
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
