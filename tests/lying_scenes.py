"""Workers of the audit of the cyclic-order scene with one planted fault each."""

from __future__ import annotations

from typing import Any

from cwr_audits.scenes.cyclic_order.auditing.by_interpreter import answer
from cwr_solvers.errors import Undecided


def drops_a_repair(task: dict[str, Any]) -> Any:
    """The last repair of every open sibling goes unsaid."""
    told = answer(task)
    for sides in told:
        if "open" in sides:
            sides["open"]["found"]["words"].pop()
    return told


def accepts_another(task: dict[str, Any]) -> Any:
    """Every visible instance has another option as well."""
    told = answer(task)
    for sides in told:
        found = sides["visible"]["found"]
        said = {word for word, _ in found["words"]}
        other = next(label for label in "ABCD" if f'{{"cards":["{label}"]}}' not in said)
        found["words"].append([f'{{"cards":["{other}"]}}', 1])
    return told


def is_late(task: dict[str, Any]) -> Any:
    """Nothing is decided."""
    late = {"undecided": ["time", "more than a moment"]}
    return [dict.fromkeys(puzzle, late) for puzzle in task["puzzles"]]


def is_late_with_all(task: dict[str, Any]) -> Any:
    raise Undecided("time", "more than a moment for all of them")


def crashes(task: dict[str, Any]) -> Any:
    raise RuntimeError("planted")
