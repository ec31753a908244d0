"""Words of the coloured tiling, their decisions and what follows from these (ft/1). Trusted; from the rule book of FT.

A word is a set of placements, each with the least flip and turn for its coloured cells, so "this placement is made"
tells it. Only definitions stand here: they forbid nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import factorial

from cwr_certificates.cnf import Cnf, any_of, signed
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import refuse
from cwr_solvers.worlds.ft.instance import (
    SIDES,
    Cell,
    Faces,
    Instance,
    Placement,
    read_placement,
    read_placements,
    write_placements,
)


@dataclass(frozen=True, slots=True)
class Model:
    """`made[placement]`: it is made; these are the decisions, sorted as words are.

    copies  {piece: literals "this placement of it is made"}
    covers  {cell of the board: literals "this placement is made, and covers it"}
    first   {cell: literal that equals "it is the least cell of some placement made"}; by R3 it is that of one at most,
            so there are as many placements as first cells
    """

    instance: Instance
    made: dict[Placement, int]
    copies: dict[str, list[int]]
    covers: dict[Cell, list[int]]
    first: dict[Cell, int]
    decisions: tuple[int, ...]


def model_of(cnf: Cnf, instance: Instance, made: dict[Placement, int]) -> Model:
    """Define what follows from the placements."""
    copies: dict[str, list[int]] = {name: [] for name in instance.piece}
    covers: dict[Cell, list[int]] = {cell: [] for cell in sorted(instance.cells)}
    least: dict[Cell, list[int]] = {cell: [] for cell in covers}
    for placement, one in made.items():
        copies[placement.piece].append(one)
        cells = [cell for cell, _ in shown(instance, placement)]
        least[min(cells)].append(one)
        for cell in cells:
            covers[cell].append(one)
    first = {cell: any_of(cnf, literals) for cell, literals in least.items()}
    return Model(instance, made, copies, covers, first, tuple(made.values()))


def shown(instance: Instance, placement: Placement) -> list[tuple[Cell, Faces]]:
    """The cells of a placement on the board, with their faces."""
    shape = instance.piece[placement.piece].variants[placement.flip, placement.turn]
    return [((placement.x + x, placement.y + y), faces) for (x, y), faces in shape.cells]


def coloured(instance: Instance, placement: Placement) -> list[tuple[Cell, str, str]]:
    """All (cell, side, colour) of a placement's faces that have a colour."""
    cells = [(cell, zip(SIDES, faces, strict=True)) for cell, faces in shown(instance, placement)]
    return [(cell, side, colour) for cell, faces in cells for side, colour in faces if colour is not None]


def literals(model: Model, word: Json) -> tuple[int, ...]:
    """The decisions of a word; raises MalformedInput, also where it is not sorted, not on the board or not least."""
    given = read_placements(model.instance, word)
    if any(before >= after for before, after in pairwise(given)):
        refuse("domain", "/placements", "placements sorted by piece, x, y, flip and turn, each once", "another order")
    if any(one not in model.made for one in given):
        refuse("domain", "/placements", "placements on the board with the least flip and turn", "others")
    return signed(model.decisions, {model.made[one] for one in given})


def occurs(_cnf: Cnf, model: Model, move: Json) -> list[int]:
    """Literals, one of which holds just when the move is in the word; raises MalformedInput."""
    one = read_placement(model.instance, move, "")
    if model.instance.piece[one.piece].least[one.flip, one.turn] != (one.flip, one.turn):
        refuse("domain", "", "a placement with the least flip and turn", "another")
    return [model.made[one]] if one in model.made else []


def word(model: Model, true: set[int]) -> Json:
    """The word whose decisions are among the true variables."""
    return write_placements(model.instance, tuple(one for one, variable in model.made.items() if variable in true))


def namings(instance: Instance, word: Json) -> int:
    """n! for n placements in any order, times, for each, the number of (flip, turn) that give the same coloured cells.

    Raises MalformedInput.
    """
    given = read_placements(instance, word)
    number = factorial(len(given))
    for one in given:
        least = instance.piece[one.piece].least
        number *= sum(1 for same in least.values() if same == least[one.flip, one.turn])
    return number
