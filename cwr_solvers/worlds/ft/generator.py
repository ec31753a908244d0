"""Coloured tiling: random small instances in which every rule can bite.

A board of up to nine cells with holes is cut into pieces of up to four cells; cells that are left over become holes
too. Faces get colours that agree where they meet, or none, and those on the border the border's colour, where it has
one. Some pieces may be turned or flipped and are stated in another position than they lie in; of equal pieces some
become copies of one, of which there may be more than needed; some are stated with offsets that do not begin at 0, and
one may be added that is not needed. So there is a solution, until, in half of the cases, one thing is changed: a face,
the border, the supply, a cell of the board or a budget. One board in eight has holes only.
Instances with too many words or states are rejected and drawn again (see cwr_solvers.sampling.first_small).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from cwr_solvers.jsontext import Json
from cwr_solvers.sampling import between, chance, digest, first_small, pick, some
from cwr_solvers.world import Submission
from cwr_solvers.worlds.ft import interpreter
from cwr_solvers.worlds.ft.instance import FAMILY, SIDES, STEP, Cell, Instance, Placement, read_instance

NAMES = ("oak", "elm", "Ash", "fir", "yew", "box", "bay")
COLOURS = ("red", "tan", "jet")
BOARDS = ((2, 1), (2, 2), (3, 2), (2, 3), (3, 3), (3, 3), (4, 2), (2, 4), (1, 4), (5, 1))
MOST_PIECES = 4

Group = list[Cell]
Coloured = dict[str, Any]  # {"x":…,"y":…,side:colour}


def generate(seed: str) -> Json:
    """The JSON of the instance of a seed."""
    return first_small(seed, FAMILY, lambda draws: _draw(draws, digest(seed)[:8]), AllSets())


def _in_order(instance: Instance, state: interpreter.State) -> Iterator[Placement]:
    """The placements on empty cells that come after all that are there, so that each set is reached once."""
    free = instance.cells.difference(state.there)
    variants = interpreter.variants_left(instance, state)
    for first in sorted(free):
        for move in interpreter.fitting(variants, free, first):
            if not state.placements or move > max(state.placements):
                yield move


@dataclass(frozen=True)
class AllSets:
    """The rules as in counting, where every legal set of placements is a state, not only those on the way to words."""

    initial: Callable[..., Any] = interpreter.initial
    step: Callable[..., Any] = interpreter.step
    terminal: Callable[..., Any] = interpreter.terminal
    unmet: Callable[..., Any] = interpreter.unmet
    choices: Callable[..., Any] = interpreter.choices
    key: Callable[..., Any] = interpreter.key
    normal_moves: Callable[..., Any] = _in_order


def _draw(draws: Random, code: str) -> tuple[Json, Instance]:
    width, height = pick(draws, BOARDS)
    board = [(x, y) for x in range(width) for y in range(height)]
    plain = chance(draws, 62)
    holes = len(board) if chance(draws, 12) else between(draws, 0, 2 if len(board) > 4 else 0)
    groups = _cut(draws, some(draws, board, len(board) - holes), plain)
    border = pick(draws, (None, None, *COLOURS))
    coloured = _colours(draws, groups, border, 10 if plain else 70)
    pieces = _pieces(draws, coloured)
    extra = not groups or chance(draws, 20)
    spare = plain and chance(draws, 75)
    if spare:
        pieces = [{**piece, "count": piece.get("count", 1) + between(draws, 0, 2)} for piece in pieces]
    if extra:
        pieces.append(_piece(NAMES[-1], _colours(draws, [[(0, 0), (0, 1)][: between(draws, 1, 2)]], None, 40)[0]))
    covered = [cell for group in groups for cell in group]
    made: dict[str, Any] = {
        "family": FAMILY,
        "code": f"FT-{code}",
        "board": {"width": width, "height": height, "holes": [list(cell) for cell in board if cell not in covered]},
        "pieces": some(draws, pieces, len(pieces)),
        "goal": {"pieces": "any" if spare or chance(draws, 80 if extra else 30) else "all"},
        "budget": _budget(draws, len(groups)),
    }
    if border is not None or chance(draws, 20):
        made["board"]["border"] = border or pick(draws, COLOURS)
    if groups and chance(draws, 70):
        made["motif"] = _motif(coloured)
    if groups and chance(draws, 50):
        _spoil(draws, made)
    return made, read_instance(made)


def _cut(draws: Random, board: Group, plain: bool) -> list[Group]:
    """Connected pieces of a board, until few enough cells are left over."""
    left = set(board)
    groups: list[Group] = []
    while left and len(groups) < MOST_PIECES:
        group = [pick(draws, sorted(left))]
        for _ in range(pick(draws, (0, 1, 1, 1) if plain else (0, 1, 1, 2, 2, 3))):
            near = [cell for cell in sorted(left) if cell not in group and any(_beside(cell, own) for own in group)]
            group += some(draws, near, 1)
        left.difference_update(group)
        groups.append(group)
    return groups


def _beside(one: Cell, other: Cell) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def _colours(draws: Random, groups: list[Group], border: str | None, percent: int) -> list[list[Coloured]]:
    """The cells of groups with colours that agree; so many of a hundred faces have one."""
    owner = {cell: index for index, group in enumerate(groups) for cell in group}
    agreed: dict[frozenset[Cell], str] = {}
    found = []
    for index, group in enumerate(groups):
        cells = []
        for x, y in group:
            cell: Coloured = {"x": x, "y": y}
            for side in SIDES:
                beyond = (x + STEP[side][0], y + STEP[side][1])
                free = pick(draws, COLOURS) if beyond in owner or border is None else border
                colour = agreed.setdefault(frozenset(((x, y), beyond)), free)
                if owner.get(beyond) != index and chance(draws, percent):
                    cell[side] = colour
            cells.append(cell)
        found.append(cells)
    return found


def _piece(name: str, cells: list[Coloured], **more: Json) -> dict[str, Any]:
    return {"name": name, "cells": [dict(cell) for cell in cells], **more}


def _pieces(draws: Random, coloured: list[list[Coloured]]) -> list[dict[str, Any]]:
    """A piece for each group, or one more copy of an equal piece."""
    pieces: list[dict[str, Any]] = []
    known: list[list[Coloured]] = []
    for name, cells in zip(NAMES, coloured, strict=False):
        shape = _moved(cells, 0, 0)
        if shape in known and chance(draws, 60):
            piece = pieces[known.index(shape)]
            piece["count"] = piece.get("count", 1) + 1
            continue
        known.append(shape)
        pieces.append(_stated(draws, name, shape))
    return pieces


def _moved(cells: list[Coloured], left: int, top: int) -> list[Coloured]:
    """The cells, sorted, with the least x and y as given."""
    dx, dy = (least - min(cell[axis] for cell in cells) for axis, least in (("x", left), ("y", top)))
    moved = [{**cell, "x": cell["x"] + dx, "y": cell["y"] + dy} for cell in cells]
    return sorted(moved, key=lambda cell: (cell["x"], cell["y"]))


def _stated(draws: Random, name: str, shape: list[Coloured]) -> dict[str, Any]:
    """A piece that has the shape in one of its positions."""
    rotates, reflects = (chance(draws, percent if len(shape) > 1 else 5) for percent in (25, 20))
    if not rotates and not reflects:
        offsets = (between(draws, -2, 1), between(draws, -1, 2)) if chance(draws, 20) else (0, 0)
        return _piece(name, _moved(shape, *offsets))
    policy: dict[str, Json] = {"rotate": "allowed"} if rotates else {"rotate": "forbidden"}
    policy |= {"reflect": "allowed"} if reflects else {}
    read = read_instance(_alone([_piece(name, shape, **policy)])).piece[name]
    turned = pick(draws, list(read.variants.values()))
    return _piece(name, [_coloured(cell, faces) for cell, faces in turned.cells], **policy)


def _coloured(cell: Cell, faces: tuple[str | None, ...]) -> Coloured:
    colours = {side: colour for side, colour in zip(SIDES, faces, strict=True) if colour is not None}
    return {"x": cell[0], "y": cell[1], **colours}


def _alone(pieces: list[dict[str, Any]]) -> Json:
    """An instance in which some pieces can be read."""
    board: Json = {"width": 1, "height": 1}
    budget: Json = {"placements": 0, "cost": 0}
    rest: dict[str, Json] = {"board": board, "goal": {"pieces": "any"}, "budget": budget}
    return {"family": FAMILY, "code": "alone", "pieces": list(pieces), **rest}


def _motif(coloured: list[list[Coloured]]) -> Json:
    """The contact graph of the groups as they lie."""
    pieces = [_piece(f"p{number}", cells) for number, cells in enumerate(coloured)]
    lying = Submission(tuple(Placement(str(piece["name"]), 0, 0) for piece in pieces))
    edges = interpreter.edges(read_instance(_alone(pieces)), lying)
    contacts: list[Json] = [
        {"between": [edge.source, edge.target], "along": edge.label.removeprefix("touches:")}
        for edge in edges
        if edge.source >= 0
    ]
    return {"nodes": [edge.label for edge in edges if edge.source < 0], "contacts": contacts}


def _budget(draws: Random, length: int) -> dict[str, Json]:
    """Budgets for so many placements, in most cases apart."""
    loose = length + pick(draws, (0, 1, 1, 2))
    placements, cost = (length, loose) if chance(draws, 50) else (loose, length)
    return {"placements": placements, "cost": cost}


def _spoil(draws: Random, made: dict[str, Any]) -> None:
    """Change one thing; there may be solutions all the same."""
    piece = pick(draws, made["pieces"])
    faces = [(cell, side) for cell in piece["cells"] for side in SIDES if side in cell]
    what = pick(draws, ("face", "face", "face", "supply", "cell", "budget", "budget", "border"))
    if what == "face" and faces:
        cell, side = pick(draws, faces)
        cell[side] = pick(draws, [colour for colour in COLOURS if colour != cell[side]])
    elif what == "supply":
        piece["count"] = piece.get("count", 1) + 1
        made["goal"]["pieces"] = "all"
    elif what == "cell":
        x, y = between(draws, 0, made["board"]["width"] - 1), between(draws, 0, made["board"]["height"] - 1)
        holes = made["board"]["holes"]
        made["board"]["holes"] = [hole for hole in holes if hole != [x, y]] if [x, y] in holes else [*holes, [x, y]]
    elif what == "border":
        made["board"]["border"] = pick(draws, COLOURS)
    else:
        name = pick(draws, ("placements", "cost"))
        made["budget"][name] = max(0, made["budget"][name] - 1)
