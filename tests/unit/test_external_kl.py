"""KL against published answers: a planning task with a two-armed robot, and a sliding robot among others that rest.

The files are not part of this repository. They are looked for in the folder that CWR_EXTERNAL names, by default
`../shared/external` beside the checkout; without them these tests are skipped.

What KL has no words for: `logistics00` has several carriers; in `grid` a lock once opened stays open, opening is an
action of its own, and one action exchanges what is held; in `ricochet-robots` the places where a robot stops depend on
where the others are, so that only the game of one moving robot fits.
"""

from __future__ import annotations

import os
import re
from math import prod
from pathlib import Path
from typing import Any

import pytest

from cwr_solvers.catalogue import WORLDS
from cwr_solvers.grading import run
from cwr_solvers.search import count, words
from cwr_solvers.worlds.kl.instance import HELD

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("CWR_EXTERNAL", ROOT.parent / "shared" / "external")) / "KL" / "ipc"
KL = WORLDS["KL"]

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="published instances are absent: set CWR_EXTERNAL")


def facts(path: Path) -> tuple[dict[str, list[tuple[str, ...]]], dict[str, list[tuple[str, ...]]]]:
    """The facts of a PDDL problem by predicate: those of its start and those of its goal."""
    text = re.sub(r";.*", "", path.read_text("ascii"))
    sides = []
    for part in text.split("(:init", 1)[1].split("(:goal", 1):
        found: dict[str, list[tuple[str, ...]]] = {}
        for name, *rest in (fact.split() for fact in re.findall(r"\(([\w -]+)\)", part)):
            found.setdefault(name, []).append(tuple(rest))
        sides.append(found)
    return sides[0], sides[1]


def gripper() -> dict[str, Any]:
    """Every action costs 1. Grippers are all alike here: they are the capacity."""
    start, goal = facts(FOLDER / "gripper" / "prob01.pddl")
    rooms = [room for (room,) in start["room"]]
    return {
        "family": "KL",
        "code": "gripper",
        "nodes": rooms,
        "carrier": start["at-robby"][0][0],
        "objects": [{"name": ball, "at": room} for ball, room in start["at"]],
        "edges": [{"name": f"{one}-{other}", "from": one, "to": other} for one in rooms for other in rooms],
        "capacity": len(start["gripper"]),
        "costs": {"pickup": 1, "drop": 1},
        "goal": {"locations": dict(goal["at"])},
        "budget": {"actions": 11, "traversals": 11, "cost": 11},
    }


def lone_robot() -> dict[str, Any]:
    """The game in which only the robot of the goal moves: an edge is a slide from cell to cell, and costs 1."""
    start, goal = facts(FOLDER / "ricochet-robots" / "p15.pddl")
    ((robot, target),) = goal["at"]
    cells = {name: cell for name, cell in start["at"] if name != robot}
    following = {(here, way): there for here, there, way in start["NEXT"]}
    blocked = set(start["BLOCKED"])
    nodes = sorted({here for here, _ in following})

    def slide(cell: str, way: str) -> str:
        while (cell, way) not in blocked and following.get((cell, way)) not in cells.values():
            cell = following[cell, way]
        return cell

    return {
        "family": "KL",
        "code": "lone-robot",
        "nodes": nodes,
        "carrier": dict(start["at"])[robot],
        "objects": [],
        "edges": [
            {"name": f"{cell}-{way}", "from": cell, "to": slide(cell, way)}
            for cell in nodes
            for way in ("north", "east", "south", "west")
        ],
        "capacity": 0,
        "goal": {"carrier": target},
        "budget": {"actions": 6, "traversals": 6, "cost": 6},
    }


def test_gripper() -> None:
    """The published optimum is 11, with 384 plans. There the two grippers have names; here they have none.

    So each pickup stands for as many actions as grippers are free, and a drop for one; a plan stands for the product.
    """
    instance = KL.read_instance(gripper())
    found = count(KL, instance)
    assert (found.optimum, found.raw) == (11, {11: 96})
    named = 0
    for word in words(KL, instance):
        before = run(KL, instance, word).states
        free = [instance.capacity - state.locations.count(HELD) for state in before]
        named += prod(free[number] for number, action in enumerate(word.moves) if action.op == "pickup")
    assert named == 384


def test_a_lone_robot_needs_no_fewer_moves_than_four() -> None:
    """The published optimum with all four robots is 6; the game of one has fewer plans, and one of 6."""
    assert count(KL, KL.read_instance(lone_robot())).optimum == 6
