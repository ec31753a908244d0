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
from itertools import combinations, permutations
from typing import TypeAlias

import z3

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.smt import Encoding, Model, ValueOf, all_of, any_of, post_requests
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.ft.instance import (
    OPPOSITE,
    SIDES,
    STEP,
    Cell,
    Contacts,
    Faces,
    Instance,
    Piece,
    Placement,
    read_placement,
    write_placements,
)

Bits: TypeAlias = z3.BitVecRef
Picture: TypeAlias = tuple[tuple[str, ...], frozenset[tuple[int, int, str]]]  # orientations; (piece, piece, direction)


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
    refuse_unsupported(claim, MOTIFS, MOTIFS, moves=True)
    cover = _cover(model, instance)
    word_shape(model, cover)
    for rule in RULES.values():
        rule(model, cover)
    claim_bound(model, claim, cover)
    claim_requests(model, claim, cover)

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


def claim_requests(model: Model, claim: Claim, cover: Cover) -> None:
    """The motifs and moves that the claim wants to be there, or not."""
    post_requests(model, claim, lambda name: MOTIFS[name](model, cover), lambda move: _occurs(model, cover, move))


def motif_main(model: Model, cover: Cover) -> z3.BoolRef:
    """main: as many pieces are placed as the witness has, and in some order they lie and touch like its pieces."""
    motif = cover.asked.motif
    if motif is None:
        return any_of(model, ())
    size = len(motif.orientations)
    placed, codes, owners = _numbered(model, cover, size)
    lies = [_lies(model, cover, code) for code in codes]
    meets = {pair: _touch(model, owners, *pair) for pair in combinations(range(size), 2)}
    wanted: dict[Picture, z3.BoolRef] = {}
    for order in permutations(range(size)):
        model.look_at_clock()
        picture = _ordered(motif, order)
        if picture not in wanted:  # orders that say the same are posted once
            here = [known[kind] for known, kind in zip(lies, picture[0], strict=True)]
            wanted[picture] = all_of(model, [*here, *_agree(meets, picture[1])])
    return z3.And(placed == size, any_of(model, wanted.values()))


MOTIFS: dict[str, Callable[[Model, Cover], z3.BoolRef]] = {"main": motif_main}


def _ordered(motif: Contacts, order: Sequence[int]) -> Picture:
    """What the motif says of its nodes when they are numbered in this order."""
    place = {node: number for number, node in enumerate(order)}
    pairs = ((sorted((place[one], place[two])), along) for one, two, along in motif.contacts)
    return tuple(motif.orientations[node] for node in order), frozenset(
        (low, high, along) for (low, high), along in pairs
    )


def _agree(
    meets: Mapping[tuple[int, int], Mapping[str, z3.BoolRef]], contacts: frozenset[tuple[int, int, str]]
) -> list[z3.BoolRef]:
    """That the pieces touch where the contacts say it, and nowhere else."""
    return [
        touch if (*pair, along) in contacts else z3.Not(touch)
        for pair, touches in meets.items()
        for along, touch in touches.items()
    ]


def _numbered(model: Model, cover: Cover, size: int) -> tuple[Bits, list[Bits], dict[Cell, Bits]]:
    """How many pieces are placed, the spots of the first `size` of them, and for each cell the number of its piece.

    Pieces are numbered by their heads, in the order of cells. `size` is the number of a piece that has none of these.
    """
    bits = _bits(max(size, len(cover.codes)))
    one, none = (z3.BitVecVal(number, bits, model.context) for number in (1, 0))
    codes = [z3.BitVecVal(len(cover.spots), _bits(len(cover.spots)), model.context) for _ in range(size)]
    count = none
    for cell, flag in _heads(model, cover).items():
        model.look_at_clock()
        codes = [z3.If(z3.And(flag, count == i), cover.codes[cell], code) for i, code in enumerate(codes)]
        count = count + z3.If(flag, one, none)
    owners: dict[Cell, Bits] = {}
    for cell, cover_code in cover.codes.items():
        owners[cell] = z3.BitVecVal(size, bits, model.context)
        for number, code in enumerate(codes):
            owners[cell] = z3.If(cover_code == code, z3.BitVecVal(number, bits, model.context), owners[cell])
    return count, codes, owners


def _heads(model: Model, cover: Cover) -> dict[Cell, z3.BoolRef]:
    """For each cell whether its cover is a spot that has no earlier cell on the board."""
    first = [next(cell for cell in sorted(spot.faces) if cell in cover.codes) for spot in cover.spots]
    return {
        cell: any_of(model, (flag for spot, flag in shows.items() if first[spot] == cell))
        for cell, shows in cover.shows.items()
    }


def _lies(model: Model, cover: Cover, code: Bits) -> dict[str, z3.BoolRef]:
    """For each orientation whether the spot with this code has it."""
    kinds = [_orientation(spot) for spot in cover.spots]
    return {
        word: any_of(model, (code == number for number, kind in enumerate(kinds) if kind == word))
        for word in ("horizontal", "vertical", "other")
    }


def _orientation(spot: Spot) -> str:
    columns, rows = ({cell[axis] for cell in spot.faces} for axis in (0, 1))
    if len(rows) == 1 and len(columns) > 1:
        return "horizontal"
    return "vertical" if len(columns) == 1 and len(rows) > 1 else "other"


def _touch(model: Model, owners: Mapping[Cell, Bits], one: int, two: int) -> dict[str, z3.BoolRef]:
    """For each direction whether two pieces have neighbouring cells in it."""
    touches = {}
    for along, side in (("horizontal", "right"), ("vertical", "bottom")):
        right, down = STEP[side]
        pairs = [(owner, owners.get((x + right, y + down))) for (x, y), owner in owners.items()]
        cases = [(here, there) for here, there in pairs if there is not None]
        touches[along] = any_of(
            model,
            (z3.Or(z3.And(here == one, there == two), z3.And(here == two, there == one)) for here, there in cases),
        )
    return touches


def _occurs(model: Model, cover: Cover, move: Json) -> z3.BoolRef:
    """Whether a placement is there, as it is written; raises MalformedInput for what is none."""
    wanted = read_placement(cover.asked, move, "")
    pairs = zip(cover.spots, cover.placed, strict=True)
    return any_of(model, (placed for spot, placed in pairs if spot.placement == wanted))


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
