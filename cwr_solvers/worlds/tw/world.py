"""Token workshop: the world assembled from its parts. The rule book is the package docstring."""

from __future__ import annotations

from cwr_solvers.world import World
from cwr_solvers.worlds.tw import interpreter
from cwr_solvers.worlds.tw.generator import generate
from cwr_solvers.worlds.tw.instance import FAMILY, read_instance, write_instance

WORLD = World(
    family=FAMILY,
    title="Token workshop",
    rules={
        "R1": "tokens: every place holds at least consumed + read tokens",
        "R2": "maximum: no place is above its throughout maximum (2^53 where none is stated)",
        "R3": "minimum: no place is below its throughout minimum",
        "R4": "total: the total of all tokens is within its throughout bounds",
        "R5": "actions: the number of actions is at most the action budget",
        "R6": "cost: the cost is at most the cost budget",
        "G": "goal: every place and the total are within the goal's bounds",
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
