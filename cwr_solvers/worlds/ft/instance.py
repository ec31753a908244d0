"""Coloured tiling: its data and their strict reading. No rules live here: `variants` only turns shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from cwr_solvers.jsontext import LARGEST, Json, pointer
from cwr_solvers.reading import (
    as_int,
    as_items,
    as_list,
    as_name,
    as_new_name,
    as_object,
    as_text,
    distinct,
    refuse,
)

FAMILY = "FT"
MOST_SIDE = 1_000
SIDES = ("top", "right", "bottom", "left")
STEP = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
OPPOSITE = {"top": "bottom", "right": "left", "bottom": "top", "left": "right"}

Cell = tuple[int, int]
Faces = tuple[str | None, str | None, str | None, str | None]  # colours in the order of SIDES, None: no colour


@dataclass(frozen=True, slots=True)
class Shape:
    """Coloured cells relative to the origin, sorted by cell; faces between two of them are None."""

    cells: tuple[tuple[Cell, Faces], ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece. `variants` maps each well-formed (flip, turn) to its shape (pieces that allow neither have (0, 0));
    `least` maps it to the least (flip, turn) of the same shape."""

    name: str
    count: int
    rotates: bool
    reflects: bool
    variants: Mapping[tuple[int, int], Shape]
    least: Mapping[tuple[int, int], tuple[int, int]]

    @property
    def shape(self) -> Shape:
        return self.variants[0, 0]


class Placement(NamedTuple):
    """A placed piece; flip and turn are 0 where the piece does not allow them."""

    piece: str
    x: int
    y: int
    flip: int = 0
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Contacts:
    """The motif's contact graph: orientations of nodes and (node, node, "horizontal" | "vertical") for contacts."""

    orientations: tuple[str, ...]
    contacts: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class Instance:
    """A tiling task. `cells` are the board's cells without holes; `border` is None where border faces are free."""

    code: str
    width: int
    height: int
    holes: tuple[Cell, ...]
    border: str | None
    pieces: tuple[Piece, ...]
    use_all: bool
    motif: Contacts | None
    most_placements: int
    most_cost: int
    cells: frozenset[Cell]
    piece: Mapping[str, Piece]


def read_instance(value: Json) -> Instance:
    """The instance that a JSON value is; raises MalformedInput.

    {"family":"FT","code":…,"board":{"width":n,"height":n,"holes":[[x,y]],"border":colour},
     "pieces":[{"name":…,"count":n,"rotate":"allowed"|"forbidden","reflect":…,
                "cells":[{"x":n,"y":n,"top":colour,"right":colour,"bottom":colour,"left":colour}]}],
     "goal":{"pieces":"all"|"any"},"motif":{"nodes":[orientation],"contacts":[{"between":[i,j],"along":…}]},
     "budget":{"placements":n,"cost":n}}. May be left out: `holes`, `border`, `count` (1), `rotate` and `reflect`
    (forbidden), colours (none; internal faces must have none), `motif`.
    """
    required = ("family", "code", "board", "pieces", "goal", "budget")
    fields = as_object(value, "", required, ("motif",))
    as_name(fields["family"], "/family", (FAMILY,), "family")
    board = as_object(fields["board"], "/board", ("width", "height"), ("holes", "border"))
    width, height = (as_int(board[side], f"/board/{side}", 1, MOST_SIDE) for side in ("width", "height"))
    holes = as_items(board.get("holes", []), "/board/holes", lambda item, at: _hole(item, at, width, height))
    pieces = as_items(fields["pieces"], "/pieces", _piece)
    distinct((piece.name for piece in pieces), "/pieces", "piece name")
    goal = as_object(fields["goal"], "/goal", ("pieces",))
    budget = as_object(fields["budget"], "/budget", ("placements", "cost"))
    return Instance(
        code=as_new_name(as_text(fields["code"], "/code"), "/code"),
        width=width,
        height=height,
        holes=tuple(sorted(set(holes))),
        border=_colour(board, "border", "/board"),
        pieces=pieces,
        use_all=as_name(goal["pieces"], "/goal/pieces", ("all", "any"), "policy") == "all",
        motif=_contacts(fields["motif"]) if "motif" in fields else None,
        most_placements=as_int(budget["placements"], "/budget/placements", 0, LARGEST),
        most_cost=as_int(budget["cost"], "/budget/cost", 0, LARGEST),
        cells=frozenset((x, y) for x in range(width) for y in range(height)) - frozenset(holes),
        piece={piece.name: piece for piece in pieces},
    )


def write_instance(instance: Instance) -> Json:
    """The JSON of an instance."""
    board: dict[str, Json] = {"width": instance.width, "height": instance.height}
    board["holes"] = [list(hole) for hole in instance.holes]
    if instance.border is not None:
        board["border"] = instance.border
    written: dict[str, Json] = {
        "family": FAMILY,
        "code": instance.code,
        "board": board,
        "pieces": [_write_piece(piece) for piece in instance.pieces],
        "goal": {"pieces": "all" if instance.use_all else "any"},
        "budget": {"placements": instance.most_placements, "cost": instance.most_cost},
    }
    if instance.motif is not None:
        contacts: list[Json] = [{"between": [a, b], "along": along} for a, b, along in instance.motif.contacts]
        written["motif"] = {"nodes": list(instance.motif.orientations), "contacts": contacts}
    return written


def read_placements(instance: Instance, value: Json) -> tuple[Placement, ...]:
    """The placements of a submission {"placements":[…]}; raises MalformedInput."""
    items = as_list(as_object(value, "", ("placements",))["placements"], "/placements")
    known = instance.piece
    return tuple(
        _plain(known, item) or read_placement(instance, item, pointer("/placements", index))
        for index, item in enumerate(items)
    )


def _plain(known: Mapping[str, Piece], item: Json) -> Placement | None:
    """Quickly a placement that is right and has neither turn nor flip; None says nothing."""
    if not isinstance(item, dict) or len(item) != 3:
        return None
    name, x, y = item.get("piece"), item.get("x"), item.get("y")
    if not isinstance(name, str) or name not in known or len(known[name].variants) > 1:
        return None
    if type(x) is not int or type(y) is not int or abs(x) > LARGEST or abs(y) > LARGEST:
        return None
    return Placement(name, x, y)


def read_placement(instance: Instance, value: Json, at: str) -> Placement:
    """One placement; raises MalformedInput."""
    fields = as_object(value, at, ("piece", "x", "y"), ("turn", "flip"))
    piece = instance.piece[as_name(fields["piece"], pointer(at, "piece"), instance.piece, "piece")]
    x, y = (as_int(fields[axis], pointer(at, axis), -LARGEST, LARGEST) for axis in ("x", "y"))
    flip = _variant(fields, at, "flip", 1, piece.reflects)
    return Placement(piece.name, x, y, flip, _variant(fields, at, "turn", 3, piece.rotates))


def write_placements(instance: Instance, placements: tuple[Placement, ...]) -> Json:
    """The JSON of a submission."""
    return {"placements": [write_placement(instance, placement) for placement in placements]}


def write_placement(instance: Instance, placement: Placement) -> Json:
    """The JSON of one placement."""
    piece = instance.piece[placement.piece]
    written: dict[str, Json] = {"piece": placement.piece, "x": placement.x, "y": placement.y}
    if piece.rotates:
        written["turn"] = placement.turn
    if piece.reflects:
        written["flip"] = placement.flip
    return written


def _variant(fields: dict[str, Json], at: str, key: str, most: int, allowed: bool) -> int:
    if allowed:
        if key not in fields:
            refuse("missing-key", pointer(at, key), f"the key {key}, as this piece allows it", "nothing")
        return as_int(fields[key], pointer(at, key), 0, most)
    if key in fields:
        refuse("unknown-key", pointer(at, key), f"no {key}, as this piece does not allow it", key)
    return 0


def _hole(value: Json, at: str, width: int, height: int) -> Cell:
    pair = as_items(value, at, lambda item, where: as_int(item, where, 0, MOST_SIDE))
    if len(pair) != 2 or pair[0] >= width or pair[1] >= height:
        refuse("out-of-range", at, "[x, y] of a cell of the board", str(list(pair)))
    return pair[0], pair[1]


def _colour(fields: dict[str, Json], key: str, at: str) -> str | None:
    """The colour that a key may give; None where the key is left out."""
    where = pointer(at, key)
    return as_new_name(as_text(fields[key], where), where) if key in fields else None


def _coloured(value: Json, at: str) -> tuple[Cell, Faces]:
    fields = as_object(value, at, ("x", "y"), SIDES)
    x, y = (as_int(fields[axis], pointer(at, axis), -MOST_SIDE, MOST_SIDE) for axis in ("x", "y"))
    top, right, bottom, left = (_colour(fields, side, at) for side in SIDES)
    return (x, y), (top, right, bottom, left)


def _piece(value: Json, at: str) -> Piece:
    fields = as_object(value, at, ("name", "cells"), ("count", "rotate", "reflect"))
    where = pointer(at, "cells")
    cells = as_items(fields["cells"], where, _coloured)
    places = {cell for cell, _ in cells}
    if not cells or len(places) != len(cells):
        refuse("contradiction", where, "at least one cell, each once", "none, or one twice")
    for index, ((x, y), faces) in enumerate(cells):
        for side, colour in zip(SIDES, faces, strict=True):
            if colour is not None and (x + STEP[side][0], y + STEP[side][1]) in places:
                refuse("contradiction", pointer(pointer(where, index), side), "no colour on an internal face", colour)
    policy = ("allowed", "forbidden")
    rotates, reflects = (
        as_name(fields.get(key, "forbidden"), pointer(at, key), policy, "policy") == "allowed"
        for key in ("rotate", "reflect")
    )
    name = as_new_name(as_text(fields["name"], pointer(at, "name")), pointer(at, "name"))
    count = as_int(fields.get("count", 1), pointer(at, "count"), 1, LARGEST)
    variants = _variants(Shape(tuple(sorted(cells))), rotates, reflects)
    return Piece(name, count, rotates, reflects, variants, _least(variants))


def _variants(shape: Shape, rotates: bool, reflects: bool) -> dict[tuple[int, int], Shape]:
    if not rotates and not reflects:
        return {(0, 0): shape}
    variants: dict[tuple[int, int], Shape] = {}
    for flip in range(2 if reflects else 1):
        turned = _flipped(shape) if flip else shape
        for turn in range(4 if rotates else 1):
            variants[flip, turn] = _at_zero(turned)
            turned = _turned(turned)
    return variants


def _least(variants: Mapping[tuple[int, int], Shape]) -> dict[tuple[int, int], tuple[int, int]]:
    """Of each (flip, turn) the first that gives the same shape; variants are listed in order."""
    first: dict[Shape, tuple[int, int]] = {}
    return {variant: first.setdefault(shape, variant) for variant, shape in variants.items()}


def _flipped(shape: Shape) -> Shape:
    return Shape(tuple(((-x, y), (top, left, bottom, right)) for (x, y), (top, right, bottom, left) in shape.cells))


def _turned(shape: Shape) -> Shape:
    """A quarter turn clockwise; y runs downward, so (x, y) goes to (-y, x) and the left face becomes the top one."""
    return Shape(tuple(((-y, x), (left, top, right, bottom)) for (x, y), (top, right, bottom, left) in shape.cells))


def _at_zero(shape: Shape) -> Shape:
    left = min(x for (x, _), _ in shape.cells)
    top = min(y for (_, y), _ in shape.cells)
    return Shape(tuple(sorted(((x - left, y - top), faces) for (x, y), faces in shape.cells)))


def _contacts(value: Json) -> Contacts:
    fields = as_object(value, "/motif", ("nodes", "contacts"))
    words = ("horizontal", "vertical", "other")
    nodes = as_items(fields["nodes"], "/motif/nodes", lambda item, at: as_name(item, at, words, "orientation"))
    return Contacts(
        nodes, as_items(fields["contacts"], "/motif/contacts", lambda item, at: _contact(item, at, len(nodes)))
    )


def _contact(value: Json, at: str, nodes: int) -> tuple[int, int, str]:
    fields = as_object(value, at, ("between", "along"))
    where = pointer(at, "between")
    pair = as_items(fields["between"], where, lambda item, here: as_int(item, here, 0, nodes - 1))
    if len(pair) != 2 or pair[0] == pair[1]:
        refuse("out-of-range", where, "two different nodes", str(list(pair)))
    along = as_name(fields["along"], pointer(at, "along"), ("horizontal", "vertical"), "direction")
    return min(pair), max(pair), along


def _write_piece(piece: Piece) -> Json:
    cells: list[Json] = []
    for (x, y), faces in piece.shape.cells:
        colours: dict[str, Json] = {
            side: colour for side, colour in zip(SIDES, faces, strict=True) if colour is not None
        }
        cells.append({"x": x, "y": y, **colours})
    words = {True: "allowed", False: "forbidden"}
    return {
        "name": piece.name,
        "count": piece.count,
        "rotate": words[piece.rotates],
        "reflect": words[piece.reflects],
        "cells": cells,
    }
