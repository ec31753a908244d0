"""Coloured tiling as clauses (ft/1). Trusted; written from the rule book in cwr_solvers/worlds/ft/__init__.py.

A placement on the board is made or not; these are the decisions. The rules of steps are kept by every part of a set
that keeps them, so they are posted of the whole set, and any order of it is accepted.
"""

from __future__ import annotations

from cwr_certificates.cnf import Cnf, post, sum_at_most
from cwr_certificates.statements.ft_motifs import MOTIFS, deny
from cwr_certificates.statements.ft_words import Model, coloured, literals, model_of, namings, occurs, shown, word
from cwr_solvers.worlds.ft.instance import OPPOSITE, STEP, Cell, Instance, Placement

__all__ = ["MOTIFS", "NAME", "Model", "at_most", "deny", "literals", "namings", "occurs", "state", "word"]

NAME = "ft/1"


def state(cnf: Cnf, instance: Instance) -> Model:
    """Post "an accepted word of the instance". Raises Undecided("size")."""
    model = model_of(cnf, instance, r2_bounds(cnf, instance))
    post(cnf, model, ("R1", r1_supply), ("R3", r3_overlap), ("R4", r4_colours), ("R5", r5_border))
    post(cnf, model, ("R6", r6_placements), ("R7", r7_cost), ("G", g_goal))
    return model


def r1_supply(cnf: Cnf, model: Model) -> None:
    """No more copies of a piece are placed than there are."""
    for name, copies in model.copies.items():
        sum_at_most(cnf, [(1, one) for one in copies], model.instance.piece[name].count)


def r2_bounds(cnf: Cnf, instance: Instance) -> dict[Placement, int]:
    """Every cell of a placement is one of the board: there is a decision for each such placement with the least flip
    and turn, and no other. Its first cell lies somewhere on the board, which tells where it may be."""
    fitting: list[Placement] = []
    for piece in instance.pieces:
        for variant, shape in piece.variants.items():
            (left, top), _ = shape.cells[0]
            for x, y in instance.cells if piece.least[variant] == variant else ():
                placement = Placement(piece.name, x - left, y - top, *variant)
                if all(cell in instance.cells for cell, _ in shown(instance, placement)):
                    cnf.room(len(fitting))
                    fitting.append(placement)
    return {placement: cnf.new() for placement in sorted(fitting)}


def r3_overlap(cnf: Cnf, model: Model) -> None:
    """No cell is covered twice."""
    for covering in model.covers.values():
        sum_at_most(cnf, [(1, one) for one in covering], 1)


def r4_colours(cnf: Cnf, model: Model) -> None:
    """Where two faces meet they do not show two colours; a face without a colour shows none."""
    shows: dict[tuple[Cell, str], dict[str, int]] = {}
    for placement, made in model.made.items():
        for cell, side, colour in coloured(model.instance, placement):
            face = shows.setdefault((cell, side), {})
            face[colour] = face.get(colour) or cnf.new()
            cnf.add(-made, face[colour])
    for (cell, side), face in shows.items():
        meeting = shows.get((beyond(cell, side), OPPOSITE[side]), {})
        for colour, one in face.items() if side in ("right", "bottom") else ():
            for another, other in meeting.items():
                if another != colour:
                    cnf.add(-one, -other)


def r5_border(cnf: Cnf, model: Model) -> None:
    """A face on the border has the border colour or none; any will do where that is not stated."""
    for placement, made in model.made.items() if model.instance.border is not None else ():
        for cell, side, colour in coloured(model.instance, placement):
            if colour != model.instance.border and beyond(cell, side) not in model.instance.cells:
                cnf.add(-made)


def r6_placements(cnf: Cnf, model: Model) -> None:
    """There are at most as many placements as the placement budget."""
    sum_at_most(cnf, [(1, one) for one in model.first.values()], model.instance.most_placements)


def r7_cost(cnf: Cnf, model: Model) -> None:
    """The cost, which counts placements, is at most the cost budget."""
    at_most(cnf, model, model.instance.most_cost)


def g_goal(cnf: Cnf, model: Model) -> None:
    """Every cell is covered; where the goal says "all", as many copies of a piece are placed as there are."""
    for covering in model.covers.values():
        cnf.add(*covering)
    for name, copies in model.copies.items() if model.instance.use_all else ():
        count = model.instance.piece[name].count
        if count == 1:
            cnf.add(*copies)
        else:
            sum_at_most(cnf, [(1, -one) for one in copies], len(copies) - count)


def beyond(cell: Cell, side: str) -> Cell:
    """The neighbour of a cell on a side."""
    return cell[0] + STEP[side][0], cell[1] + STEP[side][1]


def at_most(cnf: Cnf, model: Model, cost: int) -> None:
    """Post "the cost is at most `cost`"."""
    sum_at_most(cnf, [(1, one) for one in model.first.values()], cost)
