"""Boolean circuit: the world assembled from its parts. The rule book is the package docstring."""

from __future__ import annotations

from cwr_solvers.world import World
from cwr_solvers.worlds.bc import counting, interpreter
from cwr_solvers.worlds.bc.generator import generate
from cwr_solvers.worlds.bc.instance import FAMILY, read_instance, write_instance

WORLD = World(
    family=FAMILY,
    title="Boolean circuit",
    rules={
        "R1": "order: the gate's id is the next one",
        "R2": "inputs: both inputs are pins or gates appended before",
        "R3": "gates: fewer gates than the gate budget were appended before",
        "R4": "cost: the cost is at most the cost budget",
        "G": "goal: every chosen output has the vector that is asked for",
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
    expand=counting.expand,
    states=counting.states,
    finish=counting.finish,
)
