"""FT by what covers each cell: the terms are the cells', and a placement is there when some cell says so.

spot       a placed piece that touches the board (without the holes) in at least one cell, also where it sticks out; of
           (flip, turn) that give the same coloured cells only the least is listed
cover      of a cell of the board: the number of the spot that covers it, or the number of spots for "nothing"
face       of a cell and a side: the number of the colour that its cover shows there, 0 for none (as inside a piece)
A spot is placed when it covers some cell. That it then has all its cells, and no other spot one of them, is R3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import z3

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.smt import Encoding, Model, ValueOf
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.ft.instance import (
    OPPOSITE,
    SIDES,
    STEP,
    Cell,
    Faces,
    Instance,
    Piece,
    Placement,
    write_placements,
)

Bits: TypeAlias = z3.BitVecRef


@dataclass(frozen=True, slots=True)
class Spot:
    """A placement and the coloured cells that it puts down, on the board or not."""

    placement: Placement
    faces: Mapping[Cell, Faces]


@dataclass(frozen=True, slots=True)
class Cover:
    """The terms of one question.

    asked    the instance
    spots    all spots, sorted by placement
    codes    the cover of each cell, cells sorted
    shows    [cell][spot that has the cell] whether it covers it
    placed   for each spot whether it is placed
    cost     how many are, counted by the first cell of each on the board, which it has under R3
    """

    asked: Instance
    spots: tuple[Spot, ...]
    codes: dict[Cell, Bits]
    shows: dict[Cell, dict[int, z3.BoolRef]]
    placed: tuple[z3.BoolRef, ...]
    cost: Bits


def build(model: Model, instance: Instance, claim: Claim) -> Encoding:
    """Post the accepted submissions of `instance` within the claim's bound."""
    refuse_unsupported(claim, (), (), moves=False)
    cover = _cover(model, instance)
    word_shape(model, cover)
    for rule in RULES.values():
        rule(model, cover)
    claim_bound(model, claim, cover)

    def decode(value_of: ValueOf) -> Json:
        codes = {value_of(code) for code in cover.codes.values()}
        placements = sorted(cover.spots[code].placement for code in codes if code < len(cover.spots))
        return write_placements(instance, tuple(placements))

    return Encoding(tuple(cover.codes.values()), cover.cost, decode, "QF_BV")


def word_shape(model: Model, cover: Cover) -> None:
    """A cell is covered by a spot that has it, or by nothing."""
    for cell, code in cover.codes.items():
        model.post("word", z3.Or(code == len(cover.spots), *cover.shows[cell].values()))


def r1_supply(model: Model, cover: Cover) -> None:
    """R1: of every piece at most as many are placed as there are."""
    for piece in cover.asked.pieces:
        copies = _copies(cover, piece)
        if piece.count < len(copies):
            model.post("R1", z3.PbLe([(placed, 1) for placed in copies], piece.count))


def r2_bounds(model: Model, cover: Cover) -> None:
    """R2: every cell of a placed piece is a cell of the board."""
    for spot, placed in zip(cover.spots, cover.placed, strict=True):
        if not cover.asked.cells.issuperset(spot.faces):
            model.post("R2", z3.Not(placed))


def r3_overlap(model: Model, cover: Cover) -> None:
    """R3: a placed piece has all its cells of the board for itself."""
    for shows in cover.shows.values():
        model.post("R3", *(z3.Implies(cover.placed[spot], shown) for spot, shown in shows.items()))


def r4_colours(model: Model, cover: Cover) -> None:
    """R4: where faces of two pieces meet, they have the same colour or one has none."""
    colours = _colours(cover.asked)
    for x, y in cover.codes:
        for side in ("right", "bottom"):
            other = x + STEP[side][0], y + STEP[side][1]
            if other in cover.codes:
                one = _face(cover, colours, (x, y), side)
                two = _face(cover, colours, other, OPPOSITE[side])
                model.post("R4", z3.Or(one == two, one == 0, two == 0))


def r5_border(model: Model, cover: Cover) -> None:
    """R5: a face on the border has the border colour, where one is stated, or none."""
    if cover.asked.border is None:
        return
    colours = _colours(cover.asked)
    for x, y in cover.codes:
        for side, (right, down) in STEP.items():
            if (x + right, y + down) not in cover.codes:
                face = _face(cover, colours, (x, y), side)
                model.post("R5", z3.Or(face == 0, face == colours[cover.asked.border]))


def r6_placements(model: Model, cover: Cover) -> None:
    """R6: at most as many placements as the placement budget."""
    model.post("R6", _at_most(cover.cost, cover.asked.most_placements))


def r7_cost(model: Model, cover: Cover) -> None:
    """R7: the cost, one a placement, is within the cost budget."""
    model.post("R7", _at_most(cover.cost, cover.asked.most_cost))


def g_goal(model: Model, cover: Cover) -> None:
    """G: every cell of the board is covered, and where the goal says "all", every copy of every piece is placed."""
    model.post("G", *(code != len(cover.spots) for code in cover.codes.values()))
    for piece in cover.asked.pieces if cover.asked.use_all else ():
        copies = _copies(cover, piece)
        enough = len(copies) >= piece.count
        model.post("G", z3.PbGe([(placed, 1) for placed in copies], piece.count) if enough else False)


RULES: dict[str, Callable[[Model, Cover], None]] = {
    "R1": r1_supply,
    "R2": r2_bounds,
    "R3": r3_overlap,
    "R4": r4_colours,
    "R5": r5_border,
    "R6": r6_placements,
    "R7": r7_cost,
    "G": g_goal,
}


def claim_bound(model: Model, claim: Claim, cover: Cover) -> None:
    """The claim's own bound of the cost."""
    if claim.most_cost is not None:
        model.post("claim", _at_most(cover.cost, claim.most_cost))


def _copies(cover: Cover, piece: Piece) -> list[z3.BoolRef]:
    """For each spot of the piece whether it is placed."""
    pairs = zip(cover.spots, cover.placed, strict=True)
    return [placed for spot, placed in pairs if spot.placement.piece == piece.name]


def _colours(instance: Instance) -> dict[str, int]:
    """The number of each colour, from 1."""
    shapes = [shape for piece in instance.pieces for shape in piece.variants.values()]
    found = {instance.border, *(colour for shape in shapes for _, faces in shape.cells for colour in faces)}
    return {colour: number for number, colour in enumerate(sorted(colour for colour in found if colour is not None), 1)}


def _face(cover: Cover, colours: Mapping[str, int], cell: Cell, side: str) -> Bits:
    """The number of the colour that the cover of a cell shows on a side."""
    code = cover.codes[cell]
    bits = _bits(len(colours))
    face = z3.BitVecVal(0, bits, code.ctx)
    shown: dict[str, list[z3.BoolRef]] = {}
    for spot, flag in cover.shows[cell].items():
        colour = cover.spots[spot].faces[cell][SIDES.index(side)]
        if colour is not None:
            shown.setdefault(colour, []).append(flag)
    for colour, flags in shown.items():
        face = z3.If(z3.Or(flags), z3.BitVecVal(colours[colour], bits, code.ctx), face)
    return face


def _cover(model: Model, instance: Instance) -> Cover:
    spots = _spots(model, instance)
    bits = _bits(len(spots))
    codes: dict[Cell, Bits] = {}
    for x, y in sorted(instance.cells):
        model.look_at_clock()
        codes[x, y] = z3.BitVec(f"cover {x} {y}", bits, model.context)
    shows: dict[Cell, dict[int, z3.BoolRef]] = {cell: {} for cell in codes}
    heads: dict[Cell, list[z3.BoolRef]] = {cell: [] for cell in codes}
    placed = []
    for number, spot in enumerate(spots):
        model.look_at_clock()
        mine = [cell for cell in spot.faces if cell in codes]
        for cell in mine:
            shows[cell][number] = codes[cell] == number
        heads[mine[0]].append(shows[mine[0]][number])
        placed.append(z3.Or([shows[cell][number] for cell in mine]))
    begun = [z3.Or(flags) for flags in heads.values() if flags]
    return Cover(instance, spots, codes, shows, tuple(placed), _count(model, begun))


def _spots(model: Model, instance: Instance) -> tuple[Spot, ...]:
    """All spots of all pieces, sorted by placement."""
    spots: list[Spot] = []
    for piece in instance.pieces:
        for (flip, turn), cells in _variants(piece).items():
            origins = {(x - right, y - down) for x, y in instance.cells for right, down in cells}
            for x, y in origins:
                model.look_at_clock()
                put = {(x + right, y + down): faces for (right, down), faces in cells.items()}
                spots.append(Spot(Placement(piece.name, x, y, flip, turn), put))
    return tuple(sorted(spots, key=lambda spot: spot.placement))


def _variants(piece: Piece) -> dict[tuple[int, int], dict[Cell, Faces]]:
    """The least (flip, turn) of every different shape of a piece, with its coloured cells."""
    found: dict[tuple[int, int], dict[Cell, Faces]] = {}
    for variant, shape in sorted(piece.variants.items(), key=lambda item: item[0]):
        if dict(shape.cells) not in found.values():
            found[variant] = dict(shape.cells)
    return found


def _count(model: Model, flags: Sequence[z3.BoolRef]) -> Bits:
    """How many flags hold."""
    one, none = (z3.BitVecVal(number, _bits(len(flags)), model.context) for number in (1, 0))
    total = none
    for flag in flags:
        model.look_at_clock()
        total = total + z3.If(flag, one, none)
    return total


def _bits(most: int) -> int:
    """Enough bits for 0..most."""
    return max(1, most.bit_length())


def _at_most(number: Bits, bound: int) -> z3.BoolRef | bool:
    """number ≤ bound; a bound beyond the bits of `number` always holds, one below 0 never."""
    if bound < 0:
        return False
    return True if bound >= 2 ** number.size() else z3.ULE(number, bound)
