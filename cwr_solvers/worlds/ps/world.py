"""Safety protocol: the world assembled from its parts. The rule book is the package docstring."""

from __future__ import annotations

from cwr_solvers.world import World
from cwr_solvers.worlds.ps import interpreter
from cwr_solvers.worlds.ps.generator import generate
from cwr_solvers.worlds.ps.instance import FAMILY, read_instance, write_instance

WORLD = World(
    family=FAMILY,
    title="Safety protocol",
    rules={
        "R1": "when: every precondition literal holds",
        "R2": "invariant: every invariant holds",
        "R3": "actions: the number of actions is at most the action budget",
        "R4": "cost: the cost is at most the cost budget",
        "G": "goal: every literal of the goal holds",
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
