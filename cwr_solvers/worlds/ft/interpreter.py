"""Coloured tiling: what its placements do and how they are judged. The rule book is the package docstring.

A move is a `Placement`. Standard library only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations
from math import factorial, prod
from typing import NamedTuple

from cwr_solvers.jsontext import LARGEST, Json, pointer
from cwr_solvers.reading import as_int, as_items, as_object, refuse
from cwr_solvers.world import Broken, Choice, Edge, Fault, Submission, no_exchanges
from cwr_solvers.worlds.ft.instance import (
    OPPOSITE,
    SIDES,
    STEP,
    Cell,
    Faces,
    Instance,
    Placement,
    Shape,
    read_placement,
    read_placements,
    write_placement,
    write_placements,
)

# Of each side: its index in SIDES, the way to the neighbouring cell, and the index of the side that faces it there.
_AROUND = tuple((index, *STEP[side], SIDES.index(OPPOSITE[side])) for index, side in enumerate(SIDES))
_Coloured = tuple[Cell, Faces]
_Variant = tuple[str, tuple[int, int], Shape]  # a piece, a (flip, turn) of it, and the shape that this gives


class State(NamedTuple):
    """The placements so far, and their number, twice: steps and cost.

    The same once more for quick judging: `there` has each covered cell with the piece that covers it and its faces.
    """

    placements: frozenset[Placement]
    steps: int
    cost: int
    there: Mapping[Cell, tuple[str, Faces]]

    def __hash__(self) -> int:
        return hash(self.placements)


commutes = False  # a word lists its placements sorted, so no order is left to be forgotten
exchanges = no_exchanges


def initial(_instance: Instance) -> State:
    """The empty board."""
    return State(frozenset(), 0, 0, {})


def step(instance: Instance, state: State, move: Placement) -> State | Broken:
    """The state after one placement, or all rules that it breaks."""
    cells = placed(instance, move)
    faults = [fault for rule in _BEFORE if (fault := rule(instance, state, move, cells)) is not None]
    if not [fault for fault in faults if fault.rule != "R1"]:
        faults += [fault for rule in _FACES if (fault := rule(instance, state, move, cells)) is not None]
    if faults:
        return Broken(tuple(faults))
    after = apply(state, move, cells)
    faults = [fault for judge in _AFTER if (fault := judge(instance, after)) is not None]
    return Broken(tuple(faults)) if faults else after


def placed(instance: Instance, move: Placement) -> list[_Coloured]:
    """The coloured cells of a placement, on the board or not."""
    name, x, y, flip, turn = move
    return [((x + dx, y + dy), faces) for (dx, dy), faces in instance.piece[name].variants[flip, turn].cells]


def apply(state: State, move: Placement, cells: Sequence[_Coloured]) -> State:
    """The effect of a placement whose cells are free: the piece lies there."""
    placements, steps, cost, before = state
    there = dict(before)
    for cell, faces in cells:
        there[cell] = move.piece, faces
    return State(placements.union((move,)), steps + 1, cost + 1, there)


def r1_supply(instance: Instance, state: State, move: Placement, _cells: Sequence[_Coloured]) -> Fault | None:
    """R1: fewer copies of the piece are placed than there are."""
    count = instance.piece[move.piece].count
    used = [other.piece for other in state.placements].count(move.piece)
    if used < count:
        return None
    return Fault("R1", f"{move.piece} placed {used} times", f"at most {count} of {move.piece}")


def r2_bounds(instance: Instance, _state: State, move: Placement, cells: Sequence[_Coloured]) -> Fault | None:
    """R2: every cell of the piece is a cell of the board."""
    board = instance.cells
    beyond = [cell for cell, _ in cells if cell not in board]
    return Fault("R2", f"{move.piece} on {_list(beyond)}", "cells of the board") if beyond else None


def r3_overlap(_instance: Instance, state: State, move: Placement, cells: Sequence[_Coloured]) -> Fault | None:
    """R3: no cell of the piece is covered already."""
    there = state.there
    shared = [cell for cell, _ in cells if cell in there]
    if not shared:
        return None
    found = ", ".join(f"({x}, {y}) covered by {there[x, y][0]}" for x, y in shared)
    return Fault("R3", found, f"free cells for {move.piece}")


def r4_colours(_instance: Instance, state: State, move: Placement, cells: Sequence[_Coloured]) -> Fault | None:
    """R4: where a face meets that of another piece, both have one colour or one has none; judged if R2 and R3 hold."""
    there = state.there
    if not there:
        return None
    found, needed = [], []
    for (x, y), faces in cells:
        for side, dx, dy, facing in _AROUND:
            ours = faces[side]
            if ours is not None and (x + dx, y + dy) in there:
                other, others = there[x + dx, y + dy]
                theirs = others[facing]
                if theirs is not None and theirs != ours:
                    found.append(f"{SIDES[side]} of {move.piece} {ours} at ({x}, {y})")
                    needed.append(f"{theirs} to meet {other}")
    return Fault("R4", ", ".join(found), ", ".join(needed)) if found else None


def r5_border(instance: Instance, _state: State, move: Placement, cells: Sequence[_Coloured]) -> Fault | None:
    """R5: a face on the border has its colour or none; judged if R2 and R3 hold, and if the border has a colour."""
    border, board = instance.border, instance.cells
    if border is None:
        return None
    found = [
        f"{SIDES[side]} of {move.piece} {faces[side]} at ({x}, {y})"
        for (x, y), faces in cells
        for side, dx, dy, _ in _AROUND
        if faces[side] != border and faces[side] is not None and (x + dx, y + dy) not in board
    ]
    return Fault("R5", ", ".join(found), f"{border} on the border") if found else None


_BEFORE = (r1_supply, r2_bounds, r3_overlap)
_FACES = (r4_colours, r5_border)


def r6_placements(instance: Instance, after: State) -> Fault | None:
    """R6: the number of placements is within its budget."""
    if after.steps <= instance.most_placements:
        return None
    return Fault("R6", f"placement number {after.steps}", f"at most {instance.most_placements} placements")


def r7_cost(instance: Instance, after: State) -> Fault | None:
    """R7: the cost is within its budget."""
    if after.cost <= instance.most_cost:
        return None
    return Fault("R7", f"cost {after.cost}", f"cost of at most {instance.most_cost}")


_AFTER = (r6_placements, r7_cost)


def g_goal(instance: Instance, state: State) -> Fault | None:
    """G: every cell of the board is covered, and every copy of every piece is placed where the goal says "all"."""
    empty = sorted(instance.cells.difference(state.there))
    left = left_over(instance, state) if instance.use_all else {}
    if not empty and not left:
        return None
    found = [f"{_list(empty)} empty"] if empty else []
    found += [f"{number} of {name} left" for name, number in left.items()]
    needed = (["every cell covered"] if empty else []) + (["every piece placed"] if left else [])
    return Fault("G", ", ".join(found), ", ".join(needed))


def left_over(instance: Instance, state: State) -> dict[str, int]:
    """{piece: copies that are not placed}, where there are any."""
    used = Counter(move.piece for move in state.placements)
    left = {piece.name: piece.count - used[piece.name] for piece in instance.pieces}
    return {name: number for name, number in left.items() if number > 0}


def _list(cells: Sequence[Cell]) -> str:
    """The first cells of a list."""
    return ", ".join(f"({x}, {y})" for x, y in cells[:8]) + (f" and {len(cells) - 8} more" if len(cells) > 8 else "")


def terminal(_instance: Instance, state: State) -> State:
    """The state itself: nothing happens after the last placement."""
    return state


def unmet(instance: Instance, state: State, _choice: Choice) -> tuple[Fault, ...]:
    """The fault of the goal, if any."""
    fault = g_goal(instance, state)
    return () if fault is None else (fault,)


def choices(_instance: Instance, _state: State) -> tuple[Choice, ...]:
    """A tiling has no final choice."""
    return (None,)


def moves(instance: Instance, state: State) -> Iterator[Placement]:
    """The placements that keep R1 and R2: pieces of which copies are left, flipped and turned in every way."""
    variants = variants_left(instance, state)
    return (move for first in sorted(instance.cells) for move in fitting(variants, instance.cells, first))


def normal_moves(instance: Instance, state: State) -> Iterator[Placement]:
    """The placements that keep R1 to R3 and cover the first empty cell by (x, y), of equal ones the least.

    So each way to cover the whole board is reached once, in the order of the first cells of its placements; every
    subset of a legal set is legal. Sets that leave an earlier cell empty are not reached, but the goal rejects them.
    A placement that covers the first empty cell has its own first cell there: else that would lie before it, where
    nothing is empty.
    """
    free = instance.cells.difference(state.there)
    least = (row for row in variants_left(instance, state) if instance.piece[row[0]].least[row[1]] == row[1])
    return fitting(least, free, min(free)) if free else iter(())


def expand(instance: Instance, state: State) -> dict[State, int]:
    """{next state: 1}: each legal placement leads to a state of its own."""
    free = instance.cells.difference(state.there)
    variants = variants_left(instance, state)
    found = (step(instance, state, move) for first in sorted(free) for move in fitting(variants, free, first))
    return {after: 1 for after in found if not isinstance(after, Broken)}


def variants_left(instance: Instance, state: State) -> list[_Variant]:
    """Every shape of the pieces of which copies are left."""
    left = left_over(instance, state)
    pieces = [piece for piece in instance.pieces if piece.name in left]
    return [(piece.name, variant, shape) for piece in pieces for variant, shape in piece.variants.items()]


def fitting(variants: Iterable[_Variant], free: AbstractSet[Cell], first: Cell) -> Iterator[Placement]:
    """The placements that have their first cell, by (x, y), where `first` says and all cells on free ones."""
    for name, (flip, turn), shape in variants:
        (left, top), _ = shape.cells[0]
        x, y = first[0] - left, first[1] - top
        if all((x + dx, y + dy) in free for (dx, dy), _ in shape.cells):
            yield Placement(name, x, y, flip, turn)


def key(_instance: Instance, state: State) -> State:
    """The state itself, as it is exchanged: with the flips and turns that the submission chose."""
    return state


def normal(instance: Instance, submission: Submission[Placement]) -> Submission[Placement]:
    """The submission with its placements sorted, each with the least flip and turn that give the same cells."""
    return Submission(tuple(sorted(_least(instance, move) for move in submission.moves)))


def _least(instance: Instance, move: Placement) -> Placement:
    flip, turn = instance.piece[move.piece].least[move.flip, move.turn]
    return Placement(move.piece, move.x, move.y, flip, turn)


def namings(instance: Instance, submission: Submission[Placement]) -> int:
    """How many raw submissions a legal submission stands for: orders, times equal flips and turns."""
    return factorial(len(submission.moves)) * prod(_ways(instance, move) for move in submission.moves)


def _ways(instance: Instance, move: Placement) -> int:
    least = instance.piece[move.piece].least
    return sum(other == least[move.flip, move.turn] for other in least.values())


def read_submission(instance: Instance, value: Json) -> Submission[Placement]:
    """The submission {"placements":[…]}; raises MalformedInput."""
    return Submission(read_placements(instance, value))


def write_submission(instance: Instance, submission: Submission[Placement]) -> Json:
    """The JSON of a submission."""
    return write_placements(instance, submission.moves)


def read_move(instance: Instance, value: Json) -> Placement:
    """The placement {"piece":…,"x":n,"y":n}, with "turn" and "flip" where allowed; raises MalformedInput."""
    return read_placement(instance, value, "")


def write_move(instance: Instance, move: Placement) -> Json:
    """The JSON of a placement."""
    return write_placement(instance, move)


def read_state(instance: Instance, value: Json) -> State:
    """The state {"placements":[PLACEMENT,…],"steps":n,"cost":n}; raises MalformedInput.

    The placements may come in any order; they keep R1, R2 and R3, and `steps` and `cost` are their number.
    """
    fields = as_object(value, "", ("placements", "steps", "cost"))
    where = "/placements"
    placements = as_items(fields["placements"], where, lambda item, at: read_placement(instance, item, at))
    state = initial(instance)
    for index, move in enumerate(placements):
        cells = placed(instance, move)
        for rule in _BEFORE:
            fault = rule(instance, state, move, cells)
            if fault is not None:
                refuse("contradiction", pointer(where, index), fault.needed, fault.found)
        state = apply(state, move, cells)
    for part in ("steps", "cost"):
        number = as_int(fields[part], pointer("", part), 0, LARGEST)
        if number != len(placements):
            refuse("contradiction", pointer("", part), f"{len(placements)}, the number of placements", str(number))
    return state


def write_state(instance: Instance, state: State) -> Json:
    """The JSON of a state, placements sorted."""
    placements: list[Json] = [write_placement(instance, move) for move in sorted(state.placements)]
    return {"placements": placements, "steps": state.steps, "cost": state.cost}


def edges(instance: Instance, submission: Submission[Placement]) -> tuple[Edge, ...]:
    """The contact graph of a legal submission, sorted.

    From the initial state (-1) an edge to each placement says how its piece lies: "horizontal", "vertical" or "other".
    Of two placements that touch, an edge leads from the one listed earlier to the one listed later:
    "touches:horizontal" where a cell of one lies to the left of a cell of the other, "touches:vertical" where it lies
    above; there may be both.
    Meant for legal submissions; the rules are not looked at.
    """
    cells = [frozenset(cell for cell, _ in placed(instance, move)) for move in submission.moves]
    found = [Edge(-1, index, _orientation(own)) for index, own in enumerate(cells)]
    for (first, one), (second, two) in combinations(enumerate(cells), 2):
        for along, (dx, dy) in (("horizontal", (1, 0)), ("vertical", (0, 1))):
            if any((x + dx, y + dy) in two or (x - dx, y - dy) in two for x, y in one):
                found.append(Edge(first, second, f"touches:{along}"))
    return tuple(sorted(found))


def _orientation(cells: frozenset[Cell]) -> str:
    if len(cells) == 1:
        return "other"
    if len({y for _, y in cells}) == 1:
        return "horizontal"
    return "vertical" if len({x for x, _ in cells}) == 1 else "other"
