"""Scheduling with resources and precedences: the world assembled from its parts. The rule book is in the package."""

from __future__ import annotations

from cwr_solvers.world import World
from cwr_solvers.worlds.rs import interpreter
from cwr_solvers.worlds.rs.generator import generate
from cwr_solvers.worlds.rs.instance import FAMILY, read_instance, write_instance

WORLD = World(
    family=FAMILY,
    title="Scheduling with resources and precedences",
    rules={
        "R1": "clock: the start is not before the clock",
        "R2": "unstarted: the job was not started yet",
        "R3": "predecessors: every predecessor is complete at the start",
        "R4": "resources: of every resource at least the demand is free",
        "R5": "deadline: the job ends at or before the deadline",
        "G": "goal: every job is complete",
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
