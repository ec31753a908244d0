"""Typed-port assembly: the world assembled from its parts. The rule book is the package docstring."""

from __future__ import annotations

from cwr_solvers.world import World
from cwr_solvers.worlds.pa import interpreter
from cwr_solvers.worlds.pa.generator import generate
from cwr_solvers.worlds.pa.instance import FAMILY, read_instance, write_instance

WORLD = World(
    family=FAMILY,
    title="Typed-port assembly",
    rules={
        "R1": "direction: a connection leads from an output port to an input port",
        "R2": "type: both ports have the same type",
        "R3": "from free: the first port is not connected yet",
        "R4": "to free: the second port is not connected yet",
        "R5": "self: the ports belong to different components",
        "R6": "forbidden: neither component is forbidden",
        "R7": "cycle: the components form no cycle",
        "R8": "connections: the number of connections is at most the connection budget",
        "R9": "cost: the cost is at most the cost budget",
        "G": "goal: every listed port is connected, and there is a path for every listed pair",
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
