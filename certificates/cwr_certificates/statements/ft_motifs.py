"""The motif of the coloured tiling, negated (ft/1). Trusted; written from the rule book of FT.

The placements of one orientation are numbered in the order of their least cells, so a node of the contact graph is told
by (orientation, number). The graph is isomorphic to the motif's when there are as many nodes of each orientation and,
under some way to number the motif's nodes, the same contacts; ways that give the same contacts count once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from math import factorial, prod

from cwr_certificates.cnf import TRUE, Cnf, all_of, any_of
from cwr_certificates.statements.ft_words import Model, shown
from cwr_solvers.worlds.ft.instance import Cell, Contacts

MOTIFS = ("main",)
ORIENTATIONS = ("horizontal", "other", "vertical")
NEXT = {"horizontal": (1, 0), "vertical": (0, 1)}  # {label of a contact: the step from a cell to its neighbour}

Node = tuple[str, int]
Contact = tuple[Node, Node, str]  # the lesser node first
Owners = dict[Node, dict[Cell, int]]  # {node: {cell: literal "the placement that is the node covers it"}}


def deny(cnf: Cnf, model: Model, motif: str) -> None:
    """Post "the motif, one of MOTIFS, does not hold"."""
    {"main": deny_main}[motif](cnf, model)


def deny_main(cnf: Cnf, model: Model) -> None:
    """The nodes of some orientation are more or fewer than the motif's, or, under each numbering, some contact differs.
    Nothing is posted where the instance states no motif, or one of more nodes than the board has cells."""
    motif = model.instance.motif
    if motif is None or len(motif.orientations) > len(model.covers):
        return
    sizes = [motif.orientations.count(kind) for kind in ORIENTATIONS]
    cnf.room(prod(map(factorial, sizes)) * (1 + len(motif.contacts)))
    owners, differ = Owners(), list[int]()
    for kind, size in zip(ORIENTATIONS, sizes, strict=True):
        ranks, covered = number(cnf, model, kind, size)
        owners.update({(kind, i): cells for i, cells in enumerate(covered)})
        differ += [-rank(ranks, size), rank(ranks, size + 1)]
    touch = contacts(cnf, owners)
    for wanted in dict.fromkeys(numberings(motif)):
        cnf.add(*differ, *(-one if contact in wanted else one for contact, one in touch.items()))


def number(cnf: Cnf, model: Model, kind: str, size: int) -> tuple[list[int], list[dict[Cell, int]]]:
    """Number the placements of one orientation from 0 on.

    Where a placement begins, as many as began before give its number; a cell is covered by number i just when what
    covers it begins where a placement gets the number i. Returns [literal that equals "there are j of them or more"]
    and, for the numbers below `size`, {cell: literal that equals "the placement of that number covers it"}.
    """
    covering, ranks = parts(cnf, model, kind), [TRUE]
    gets: list[dict[Cell, int]] = [{} for _ in range(size)]
    for start in (cell for cell in model.covers if cell in covering.get(cell, {})):
        for i, before in enumerate(ranks[:size]):
            gets[i][start] = all_of(cnf, [before, -rank(ranks, i + 1)])
        more = [all_of(cnf, [before, covering[start][start]]) for before in ranks[: size + 1]]
        ranks = [TRUE, *(any_of(cnf, [rank(ranks, j), one]) for j, one in enumerate(more, 1))]
    covered = []
    for got in gets:
        both = {
            cell: [(one, got[start]) for start, one in ways.items() if start in got] for cell, ways in covering.items()
        }
        covered.append({cell: any_of(cnf, [all_of(cnf, pair) for pair in pairs]) for cell, pairs in both.items()})
    return ranks, covered


def rank(ranks: list[int], j: int) -> int:
    """The literal "there are j of them or more"."""
    return ranks[j] if j < len(ranks) else -TRUE


def parts(cnf: Cnf, model: Model, kind: str) -> dict[Cell, dict[Cell, int]]:
    """{cell: {start: literal that equals "a placement of the orientation, whose least cell is start, covers cell"}}."""
    found: dict[Cell, dict[Cell, list[int]]] = {}
    for placement, one in model.made.items():
        cells = [cell for cell, _ in shown(model.instance, placement)]
        for cell in cells if orientation(cells) == kind else ():
            found.setdefault(cell, {}).setdefault(min(cells), []).append(one)
    return {cell: {start: any_of(cnf, ones) for start, ones in ways.items()} for cell, ways in found.items()}


def orientation(cells: Sequence[Cell]) -> str:
    """Horizontal: more than one cell, all in one row; vertical: all in one column; else other."""
    columns, rows = {x for x, _ in cells}, {y for _, y in cells}
    if len(cells) > 1 and 1 in (len(columns), len(rows)):
        return "horizontal" if len(rows) == 1 else "vertical"
    return "other"


def contacts(cnf: Cnf, owners: Owners) -> dict[Contact, int]:
    """{contact: literal that equals "cells of the two nodes are neighbours in that direction"}."""
    found: dict[Contact, int] = {}
    for a, b in combinations(sorted(owners), 2):
        for along, (dx, dy) in NEXT.items():
            pairs = []
            for one, other in ((owners[a], owners[b]), (owners[b], owners[a])):
                pairs += [(here, other[x + dx, y + dy]) for (x, y), here in one.items() if (x + dx, y + dy) in other]
            found[a, b, along] = any_of(cnf, [all_of(cnf, pair) for pair in pairs])
    return found


def numberings(motif: Contacts) -> Iterator[frozenset[Contact]]:
    """The contacts that the motif has under each way to number its nodes of each orientation."""
    kinds = [[node for node, kind in enumerate(motif.orientations) if kind == one] for one in ORIENTATIONS]
    for orders in product(*map(permutations, kinds)):
        told = {node: (ORIENTATIONS[k], i) for k, order in enumerate(orders) for i, node in enumerate(order)}
        ends = ((told[a], told[b], along) for a, b, along in motif.contacts)
        yield frozenset((min(a, b), max(a, b), along) for a, b, along in ends)
