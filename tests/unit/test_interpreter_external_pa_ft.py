"""PA and FT against published counts: tree-child networks, domino tilings, a squared rectangle.

The files are not part of this repository. They are looked for in the folder that CWR_EXTERNAL names, by default
`../shared/external` beside the checkout; without them these tests are skipped.

A tree-child network is an assembly: every vertex but a leaf has a child that is no reticulation. So a tree vertex is
one of two kinds of component: it has two outputs to trees and leaves (twins), or one to these and one to a
reticulation; there are as many of the second kind as reticulations have inputs. Networks are classes of words.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from cwr_solvers.catalogue import WORLDS
from cwr_solvers.symmetry import classes
from cwr_solvers.world import Broken, Submission

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("CWR_EXTERNAL", ROOT.parent / "shared" / "external"))
PA, FT = WORLDS["PA"], WORLDS["FT"]

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="published instances are absent: set CWR_EXTERNAL")


def published(family: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / family / name).read_text("utf-8"))
    return found


def network(leaves: int, reticulations: int) -> dict[str, Any]:
    """The parts of a network, every port of which is to be connected."""
    tops = [f"T{number}" for number in range(leaves - 1 - reticulations)]
    mixed = [f"H{number}" for number in range(2 * reticulations)]
    joins = [f"R{number}" for number in range(reticulations)]
    parts: list[dict[str, Any]] = [{"name": "root", "outputs": {"s": "tree"}}]
    parts += [{"name": f"leaf{number}", "inputs": {"a": "tree"}} for number in range(leaves)]
    parts += [
        {"name": name, "kind": "T", "inputs": {"a": "tree"}, "outputs": {"s": "tree", "t": "tree"}} for name in tops
    ]
    parts += [
        {"name": name, "kind": "H", "inputs": {"a": "tree"}, "outputs": {"s": "tree", "t": "join"}} for name in mixed
    ]
    parts += [
        {"name": name, "kind": "R", "inputs": {"a": "join", "b": "join"}, "outputs": {"s": "tree"}} for name in joins
    ]
    ports = [
        f"{part['name']}.{port}" for part in parts for side in ("inputs", "outputs") for port in part.get(side, ())
    ]
    return {
        "family": "PA",
        "code": f"network-{leaves}-{reticulations}",
        "components": parts,
        "twins": [[f"{name}.s", f"{name}.t"] for name in tops] + [[f"{name}.a", f"{name}.b"] for name in joins],
        "alike": [group for group in (tops, mixed, joins) if group],
        "goal": {"connected": ports, "paths": []},
        "budget": {"connections": len(ports) // 2, "cost": len(ports) // 2},
    }


def listed(world: Any, instance: Any, sources: list[str] | None) -> list[Submission[Any]]:
    """Accepted words by normal moves; with `sources`, move after move from one of these in order."""
    found = []
    stack: list[tuple[Any, tuple[Any, ...]]] = [(world.initial(instance), ())]
    while stack:
        state, made = stack.pop()
        if not world.unmet(instance, state, None):
            found.append(world.normal(instance, Submission(made)))
        for move in world.normal_moves(instance, state):
            if sources is None or move[0] == sources[len(made)]:
                after = world.step(instance, state, move)
                if not isinstance(after, Broken):
                    stack.append((after, (*made, move)))
    return found


@pytest.mark.parametrize(("leaves", "reticulations"), [(3, 0), (4, 0), (2, 1), (3, 1), (3, 2)])
def test_tree_child_networks(leaves: int, reticulations: int) -> None:
    answer = published("PA", "tree_child_networks.json")["published"][f"n={leaves},k={reticulations}"]
    instance = PA.read_instance(network(leaves, reticulations))
    outputs = sorted(name for name, port in instance.port.items() if port.output)  # all of them are to be connected
    found = listed(PA, instance, outputs)
    assert len(found) == len(set(found))
    assert len(classes(PA, instance, found)) == answer


def board(width: int, height: int, pieces: list[Any], goal: str) -> Any:
    return FT.read_instance(
        {
            "family": "FT",
            "code": "board",
            "board": {"width": width, "height": height},
            "pieces": pieces,
            "goal": {"pieces": goal},
            "budget": {"placements": width * height, "cost": width * height},
        }
    )


def rows(*lines: str) -> list[dict[str, int]]:
    """Cells drawn as 1 in lines of text."""
    return [{"x": x, "y": y} for y, line in enumerate(lines) for x, mark in enumerate(line) if mark == "1"]


@pytest.mark.parametrize("side", [2, 4])
def test_dominoes(side: int) -> None:
    answer = published("FT", "dominoes.json")["2n x 2n tilings"][str(side)]
    domino = {"name": "D", "count": side * side // 2, "rotate": "allowed", "cells": rows("11")}
    found = listed(FT, board(side, side, [domino], "all"), None)
    assert len(found) == len(set(found)) == answer


def test_squared_rectangle() -> None:
    puzzle = published("FT", "squared_rectangle_33x32.json")
    squares: list[Any] = [{"name": f"square{side}", "cells": rows(*["1" * side] * side)} for side in puzzle["squares"]]
    found = listed(FT, board(puzzle["width"], puzzle["height"], squares, "all"), None)
    assert len(found) == len(set(found)) == puzzle["all_placements"]
    assert re.match("unique up to the 4 rectangle symmetries", puzzle["published"])


def test_a_pentomino_is_what_its_drawing_shows() -> None:
    """The twelve pieces have 63 different positions, 8 of them for each of F, L, N, P and Y."""
    drawn = published("FT", "pentomino.json")["pieces_12_free_pentominoes"]
    pieces = [
        {"name": name, "rotate": "allowed", "reflect": "allowed", "cells": rows(*lines.split("/"))}
        for name, lines in drawn.items()
    ]
    instance = board(20, 3, pieces, "all")
    positions = {piece.name: len(set(piece.least.values())) for piece in instance.pieces}
    assert sum(positions.values()) == 63
    assert [name for name, number in positions.items() if number == 8] == ["F", "L", "N", "P", "Y"]
