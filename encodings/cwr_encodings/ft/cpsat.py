"""Coloured tiling (FT) for CP-SAT: one literal for every placement, made or not; no order of steps.

The rules are those of the rule book, `cwr_solvers.worlds.ft`. Every order of a legal set of placements is legal, so a
word is a set. Of the (flip, turn) that give a piece the same coloured cells only the least is there. Two copies of a
piece at one place would overlap, so a literal stands for one copy. There are literals for every placement with a cell
in the rectangle of the board, on holes too, so that R2 has something to forbid.

  face     a side of a board cell; it shows a colour when a placement that covers the cell has that colour there

`RULES` lists the functions that post the rules; `build` posts them all. `MOTIFS` lists the functions that give the
literal of a motif; for it the placements that are made have ranks, from 0 on, in the order of all placements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations, product
from math import factorial

from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr, LinearExprT
from ortools.sat.python.cp_model_helper import Literal

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.cpsat import Encoding, afford, all_of, any_of, equal, meet
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.ft.instance import (
    OPPOSITE,
    SIDES,
    STEP,
    Cell,
    Contacts,
    Instance,
    Piece,
    Placement,
    Shape,
    read_placement,
    write_placements,
)


@dataclass(frozen=True, slots=True)
class Plan:
    """The variables and, for quick reading, where they are.

    made       by placement, in order
    cells      the cells of each placement
    covering   by board cell: the literals of the placements that cover it
    colours    by board cell and side: {colour: the literals of the placements with that colour on that face}
    """

    made: Mapping[Placement, IntVar]
    cells: Mapping[Placement, tuple[Cell, ...]]
    covering: Mapping[Cell, list[IntVar]]
    colours: Mapping[tuple[Cell, str], dict[str, list[IntVar]]]
    size: LinearExprT


def build(model: CpModel, instance: Instance, claim: Claim) -> Encoding:
    """Post "an accepted word of the claim"; decisions are `Plan.made`."""
    refuse_unsupported(claim, MOTIFS, MOTIFS, moves=True)
    plan = _plan(model, instance)
    for post in RULES.values():
        post(model, instance, plan)
    if claim.most_cost is not None:
        model.add(plan.size <= claim.most_cost)
    meet(
        model,
        claim,
        lambda motif: MOTIFS[motif](model, instance, plan),
        lambda move: occurs(model, instance, plan, move),
    )
    return Encoding(tuple(plan.made.values()), plan.size, lambda value_of: _decode(instance, plan, value_of))


def r1_supply(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R1: of every piece at most as many copies are placed as there are."""
    for piece in instance.pieces:
        model.add(_placed(plan, piece) <= piece.count)


def r2_bounds(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R2: every cell of a placement is a cell of the board."""
    for placement, literal in plan.made.items():
        if not instance.cells.issuperset(plan.cells[placement]):
            model.add_bool_or(literal.negated())


def r3_overlap(model: CpModel, _instance: Instance, plan: Plan) -> None:
    """R3: no cell of the board is covered twice."""
    for literals in plan.covering.values():
        model.add_at_most_one(*literals)


def r4_colours(model: CpModel, _instance: Instance, plan: Plan) -> None:
    """R4: two faces that meet do not show two different colours. Faces between cells of one placement have none."""
    for (cell, side), ours in plan.colours.items():
        if side in ("right", "bottom"):  # each pair of faces once
            theirs = plan.colours.get((_neighbour(cell, side), OPPOSITE[side]), {})
            _keep_apart(model, ours, theirs)


def r5_border(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R5: a face on the border shows the border colour or none, where the instance states one."""
    for (cell, side), colours in plan.colours.items():
        if instance.border is not None and _neighbour(cell, side) not in instance.cells:
            for colour, literals in colours.items():
                for literal in literals if colour != instance.border else []:
                    model.add_bool_or(literal.negated())


def r6_placements(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R6: there are at most as many placements as the placement budget."""
    model.add(plan.size <= instance.most_placements)


def r7_cost(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R7: the cost, one a placement, is at most the cost budget."""
    model.add(plan.size <= instance.most_cost)


def g_goal(model: CpModel, instance: Instance, plan: Plan) -> None:
    """G: every cell of the board is covered; with "all", every copy of every piece is placed."""
    for literals in plan.covering.values():
        model.add_bool_or(*literals)
    for piece in instance.pieces if instance.use_all else ():
        model.add(_placed(plan, piece) >= piece.count)


RULES: Mapping[str, Callable[[CpModel, Instance, Plan], None]] = {
    "R1": r1_supply,
    "R2": r2_bounds,
    "R3": r3_overlap,
    "R4": r4_colours,
    "R5": r5_border,
    "R6": r6_placements,
    "R7": r7_cost,
    "G": g_goal,
}


def occurs(model: CpModel, instance: Instance, plan: Plan, move: Json) -> IntVar:
    """Whether a placement is made. One that no word has never is: off the board, or turned or flipped more than it
    needs for the same coloured cells. Raises MalformedInput."""
    literal = plan.made.get(read_placement(instance, move, ""))
    return any_of(model, [] if literal is None else [literal])


def motif_main(model: CpModel, instance: Instance, plan: Plan) -> IntVar:
    """The contact graph is that of the instance: for some order of its nodes, the ranks have their labels."""
    motif = instance.motif
    if motif is None:
        return any_of(model, [])
    nodes = len(motif.orientations)
    labels = 2 * nodes**2
    afford(4 * len(plan.made) * nodes + len(plan.covering) * labels, f"{nodes} pieces in contact")
    afford(labels * factorial(min(nodes, 20)), f"the orders of {nodes} pieces")
    ranks = _ranks(model, plan, nodes)
    leaning = [_orientations(model, plan, rank) for rank in ranks]
    touching = _touching(model, instance, plan, ranks)
    fitting: list[IntVar] = []
    for orientations, contacts in _orders(motif):
        literals: list[Literal] = [leaning[rank][word] for rank, word in enumerate(orientations)]
        literals += [literal if key in contacts else literal.negated() for key, literal in touching.items()]
        fitting.append(all_of(model, literals))
    return all_of(model, [equal(model, plan.size, nodes), any_of(model, fitting)])


MOTIFS: Mapping[str, Callable[[CpModel, Instance, Plan], IntVar]] = {"main": motif_main}

Contact = tuple[int, int, str]  # of two numbers the lower, the higher, and "horizontal" or "vertical"


def _orders(motif: Contacts) -> set[tuple[tuple[str, ...], frozenset[Contact]]]:
    """The graph with its nodes numbered in every order; orders that give the same are one."""
    found = set()
    for order in permutations(range(len(motif.orientations))):  # node number n is called order[n]
        orientations = tuple(word for _, word in sorted(zip(order, motif.orientations, strict=True)))
        pairs = [(order[a], order[b], along) for a, b, along in motif.contacts]
        found.add((orientations, frozenset((min(a, b), max(a, b), along) for a, b, along in pairs)))
    return found


def _ranks(model: CpModel, plan: Plan, most: int) -> list[dict[Placement, IntVar]]:
    """For each rank below `most` one literal a placement: it is made, and exactly so many before it are."""
    ranks: list[dict[Placement, IntVar]] = [{} for _ in range(most)]
    counts = [all_of(model, []), *(any_of(model, []) for _ in range(most))]  # so many were made before
    for placement, made in plan.made.items():
        here = [all_of(model, [made, count]) for count in counts[:most]]
        for rank, literal in enumerate(here):
            ranks[rank][placement] = literal
        skipped = [all_of(model, [made.negated(), count]) for count in counts]
        counts = [skipped[0], *(any_of(model, pair) for pair in zip(here, skipped[1:], strict=True))]
    return ranks


def _orientations(model: CpModel, plan: Plan, rank: Mapping[Placement, IntVar]) -> Mapping[str, IntVar]:
    """{orientation: whether the placement of this rank has it}."""
    words = ("horizontal", "vertical", "other")
    return {
        word: any_of(model, [one for placement, one in rank.items() if _orientation(plan.cells[placement]) == word])
        for word in words
    }


def _orientation(cells: tuple[Cell, ...]) -> str:
    columns, rows = ({cell[axis] for cell in cells} for axis in (0, 1))
    if len(rows) == 1 < len(columns):
        return "horizontal"
    return "vertical" if len(columns) == 1 < len(rows) else "other"


def _touching(
    model: CpModel, instance: Instance, plan: Plan, ranks: list[dict[Placement, IntVar]]
) -> dict[Contact, IntVar]:
    """Of two ranks and a direction, whether a cell of the one is a neighbour of a cell of the other in it."""
    owned = [_owned(model, instance, plan, rank) for rank in ranks]
    found: dict[Contact, IntVar] = {}
    for (a, ours), (b, theirs) in combinations(enumerate(owned), 2):
        for along, side in (("horizontal", "right"), ("vertical", "bottom")):
            meetings: list[IntVar] = []
            for cell in plan.covering:
                other = _neighbour(cell, side)
                if other in plan.covering:
                    meetings.append(all_of(model, [ours[cell], theirs[other]]))
                    meetings.append(all_of(model, [theirs[cell], ours[other]]))
            found[a, b, along] = any_of(model, meetings)
    return found


def _owned(model: CpModel, instance: Instance, plan: Plan, rank: Mapping[Placement, IntVar]) -> dict[Cell, IntVar]:
    """{cell of the board: whether the placement of this rank covers it}."""
    covering: dict[Cell, list[IntVar]] = {cell: [] for cell in plan.covering}
    for placement, literal in rank.items():
        for cell in instance.cells.intersection(plan.cells[placement]):
            covering[cell].append(literal)
    return {cell: any_of(model, literals) for cell, literals in covering.items()}


def _plan(model: CpModel, instance: Instance) -> Plan:
    """Variables only: nothing but rules is posted."""
    _afford(instance)
    made: dict[Placement, IntVar] = {}
    cells: dict[Placement, tuple[Cell, ...]] = {}
    covering: dict[Cell, list[IntVar]] = {cell: [] for cell in sorted(instance.cells)}
    colours: dict[tuple[Cell, str], dict[str, list[IntVar]]] = {pair: {} for pair in product(covering, SIDES)}
    for placement, shape in _placements(instance):
        literal = model.new_bool_var(f"{placement}")
        made[placement] = literal
        faces = {(placement.x + x, placement.y + y): shown for (x, y), shown in shape.cells}
        cells[placement] = tuple(faces)
        for cell in instance.cells.intersection(faces):
            covering[cell].append(literal)
            for side, colour in zip(SIDES, faces[cell], strict=True):
                if colour is not None:
                    colours[cell, side].setdefault(colour, []).append(literal)
    return Plan(made, cells, covering, colours, LinearExpr.sum(list(made.values())))


def _afford(instance: Instance) -> None:
    """A piece of n cells lies on every cell of the rectangle in n ways, and is posted for its cells and faces."""
    ways = sum(len(shape.cells) ** 2 for piece in instance.pieces for shape in piece.variants.values())
    rectangle = instance.width * instance.height
    afford(rectangle * (4 + 8 * ways), f"{len(instance.pieces)} pieces on {rectangle} cells")


def _placements(instance: Instance) -> list[tuple[Placement, Shape]]:
    """Every placement with a cell in the rectangle of the board, in order."""
    found: dict[Placement, Shape] = {}
    for piece in instance.pieces:
        for (flip, turn), shape in _distinct(piece).items():
            for (x, y), _ in shape.cells:
                for column, row in product(range(instance.width), range(instance.height)):
                    found[Placement(piece.name, column - x, row - y, flip, turn)] = shape
    return sorted(found.items(), key=lambda pair: pair[0])


def _distinct(piece: Piece) -> dict[tuple[int, int], Shape]:
    """The shapes of a piece, each under the least (flip, turn) that gives it."""
    least = {shape: variant for variant, shape in sorted(piece.variants.items(), reverse=True)}
    return {variant: shape for shape, variant in least.items()}


def _placed(plan: Plan, piece: Piece) -> LinearExprT:
    return LinearExpr.sum([literal for placement, literal in plan.made.items() if placement.piece == piece.name])


def _neighbour(cell: Cell, side: str) -> Cell:
    return cell[0] + STEP[side][0], cell[1] + STEP[side][1]


def _keep_apart(model: CpModel, ours: dict[str, list[IntVar]], theirs: dict[str, list[IntVar]]) -> None:
    """No two different colours at once on two faces that meet."""
    if not any(ours.keys() - {colour} for colour in theirs):
        return
    here, there = ({colour: any_of(model, literals) for colour, literals in face.items()} for face in (ours, theirs))
    for (colour, shown), (other, faced) in product(here.items(), there.items()):
        if colour != other:
            model.add_bool_or(shown.negated(), faced.negated())


def _decode(instance: Instance, plan: Plan, value_of: Callable[[IntVar], int]) -> Json:
    return write_placements(instance, tuple(placement for placement, literal in plan.made.items() if value_of(literal)))
