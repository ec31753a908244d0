"""Coloured tiling, by hand: every rule, when it is judged, turning and flipping, states, counts, the seed's probes."""

from __future__ import annotations

import time
from typing import Any

import pytest

from cwr_solvers.catalogue import WORLDS, showcase
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import answer_e, answer_p, grade
from cwr_solvers.jsontext import canonical
from cwr_solvers.search import count, words
from cwr_solvers.symmetry import classes
from cwr_solvers.world import Broken, Edge, Submission
from cwr_solvers.worlds.ft.instance import Placement
from cwr_solvers.worlds.ft.interpreter import State, placed

FT = WORLDS["FT"]
SHOW = FT.read_instance(showcase("FT-001").instance)


def cell(x: int, y: int, **colours: str) -> dict[str, Any]:
    return {"x": x, "y": y, **colours}


# A board of 4 by 3 with a hole at (1, 1); E may be turned and flipped, and its six faces differ but for two.
SMALL: dict[str, Any] = {
    "family": "FT",
    "code": "small",
    "board": {"width": 4, "height": 3, "holes": [[1, 1]], "border": "k"},
    "pieces": [
        {
            "name": "E",
            "rotate": "allowed",
            "reflect": "allowed",
            "cells": [cell(0, 0, top="a", left="b"), cell(1, 0, top="c", right="d", bottom="e")],
        },
        {"name": "M", "count": 2, "cells": [cell(0, 0, top="k", right="a")]},
        {"name": "P", "count": 9, "cells": [cell(0, 0)]},
        {"name": "S", "cells": [cell(5, -1, left="d"), cell(5, 0)]},
    ],
    "goal": {"pieces": "any"},
    "budget": {"placements": 4, "cost": 3},
}


def small(**changes: Any) -> Any:
    return FT.read_instance({**SMALL, **changes})


def moves_of(text: str) -> tuple[Placement, ...]:
    """Placements written as piece,x,y or piece,x,y,flip,turn."""
    rows = [word.split(",") for word in text.split()]
    return tuple(Placement(row[0], *map(int, row[1:])) for row in rows)


def state_of(instance: Any, text: str) -> State:
    written = FT.write_submission(instance, Submission(moves_of(text)))
    assert isinstance(written, dict)
    number = len(moves_of(text))
    found = FT.read_state(instance, {**written, "steps": number, "cost": number})
    assert isinstance(found, State)
    return found


def judged(instance: Any, before: str, move: str) -> tuple[str, ...] | State:
    after = FT.step(instance, state_of(instance, before), moves_of(move)[0])
    if isinstance(after, Broken):
        return after.rules
    assert isinstance(after, State)
    return after


@pytest.mark.parametrize(
    ("flip", "turn", "cells"),
    [
        (0, 0, [((0, 0), ("a", None, None, "b")), ((1, 0), ("c", "d", "e", None))]),
        (0, 1, [((0, 0), ("b", "a", None, None)), ((0, 1), (None, "c", "d", "e"))]),
        (0, 2, [((0, 0), ("e", None, "c", "d")), ((1, 0), (None, "b", "a", None))]),
        (0, 3, [((0, 0), ("d", "e", None, "c")), ((0, 1), (None, None, "b", "a"))]),
        (1, 0, [((0, 0), ("c", None, "e", "d")), ((1, 0), ("a", "b", None, None))]),
        (1, 1, [((0, 0), ("d", "c", None, "e")), ((0, 1), (None, "a", "b", None))]),
        (1, 2, [((0, 0), (None, None, "a", "b")), ((1, 0), ("e", "d", "c", None))]),
        (1, 3, [((0, 0), ("b", None, None, "a")), ((0, 1), (None, "e", "d", "c"))]),
    ],
)
def test_turning_and_flipping_move_cells_and_colours(flip: int, turn: int, cells: list[Any]) -> None:
    """Clockwise: what was on top comes to the right, and the left cell of two comes on top. Flipped before turned."""
    assert placed(small(), Placement("E", 0, 0, flip, turn)) == cells


def test_the_origin_of_a_piece() -> None:
    """Where a piece may be turned its least x and y are 0; else its offsets are as stated."""
    assert [at for at, _ in placed(small(), Placement("S", -5, 1))] == [(0, 0), (0, 1)]
    away = [cell(3, 7, top="a"), cell(4, 7)]
    for policy, origin in (("rotate", (0, 0)), ("reflect", (0, 0)), ("count", (3, 7))):
        more = {policy: 1 if policy == "count" else "allowed"}
        instance = small(pieces=[{"name": "E", "cells": away, **more}])
        assert placed(instance, Placement("E", 0, 0))[0] == (origin, ("a", None, None, None))


@pytest.mark.parametrize(
    ("before", "move", "broken"),
    [
        ("", "P,0,0", None),
        ("P,0,0 P,1,0", "P,0,1", None),
        ("", "P,1,1", ("R2",)),  # the hole
        ("", "P,4,0", ("R2",)),
        ("", "P,0,-1", ("R2",)),
        ("", "E,3,0,0,0", ("R2",)),
        ("", "E,0,2,0,1", ("R2",)),
        ("", "E,0,1,0,0", ("R2",)),  # half of it on the hole
        ("P,0,0", "P,0,0", ("R3",)),
        ("P,1,0", "E,0,0,0,0", ("R3",)),  # that a and b lie on the border is not judged
        ("P,0,1", "E,0,1,0,0", ("R2", "R3")),
        ("P,3,0", "E,3,0,1,2", ("R2", "R3")),
        ("M,0,0 M,2,2", "M,1,0", ("R1",)),
        ("M,0,0 M,2,2", "M,0,0", ("R1", "R3")),
        ("M,0,0 M,2,2", "M,1,1", ("R1", "R2")),
        ("M,0,0 M,2,2", "M,3,2", ("R1", "R5")),  # faces are judged beside R1
        ("M,0,0 M,2,2 E,2,0,0,0", "M,1,0", ("R1", "R4")),
    ],
)
def test_preconditions(before: str, move: str, broken: tuple[str, ...] | None) -> None:
    assert judged(small(), before, move) == (broken or state_of(small(), f"{before} {move}"))


FREE = {"width": 4, "height": 3, "holes": [[1, 1]]}


@pytest.mark.parametrize(
    ("before", "move", "free", "framed"),
    [
        ("M,0,0", "E,1,0,0,0", ("R4",), ("R4", "R5")),  # b meets a; a and c lie on the border
        ("M,0,0", "E,1,0,1,0", ("R4",), ("R4", "R5")),  # d meets a
        ("E,1,0,0,0", "M,0,0", ("R4",), ("R4",)),  # the other way round; M has k on the border
        ("P,0,0", "E,1,0,0,0", None, ("R5",)),  # no colour meets b
        ("M,1,0", "E,2,0,1,3", None, ("R5",)),  # a meets a; b lies on the border, and c at the hole
        ("M,1,0", "E,2,0,0,3", ("R4",), ("R4", "R5")),  # c meets a
        ("E,0,0,0,0", "M,0,1", None, ("R5",)),  # no colour above k; a at the hole
        ("E,0,0,1,0", "M,0,1", ("R4",), ("R4", "R5")),  # e above k
        ("M,0,0", "P,0,1", None, None),  # no colour at all
        ("M,1,0", "S,-3,1", ("R4",), ("R4",)),  # d meets a; nothing is coloured at the hole
        ("P,1,0", "S,-3,1", None, None),
        ("", "S,-5,1", None, ("R5",)),
        ("", "M,1,0", None, None),  # no colour at the hole
        ("", "M,2,0", None, None),
        ("", "M,3,0", None, ("R5",)),
        ("", "M,0,1", None, ("R5",)),
    ],
)
def test_faces(before: str, move: str, free: tuple[str, ...] | None, framed: tuple[str, ...] | None) -> None:
    """Without a border colour and with k."""
    for instance, broken in ((small(board=FREE), free), (small(), framed)):
        assert judged(instance, before, move) == (broken or state_of(instance, f"{before} {move}"))


@pytest.mark.parametrize(
    ("before", "move", "budget", "broken"),
    [
        ("P,0,0 P,1,0 P,2,0", "P,3,0", (4, 3), ("R7",)),
        ("P,0,0 P,1,0 P,2,0 P,3,0", "P,0,1", (4, 3), ("R6", "R7")),
        ("P,0,0", "P,1,0", (1, 9), ("R6",)),
        ("P,0,0", "P,1,0", (2, 2), None),
        ("P,0,0", "P,0,0", (1, 1), ("R3",)),  # nothing after the step is judged when R1 to R5 fail
        ("P,0,0", "M,3,0", (1, 1), ("R5",)),
    ],
)
def test_budgets(before: str, move: str, budget: tuple[int, int], broken: tuple[str, ...] | None) -> None:
    instance = small(budget={"placements": budget[0], "cost": budget[1]})
    assert judged(instance, before, move) == (broken or state_of(instance, f"{before} {move}"))


def test_faults_say_what_was_found_and_what_was_needed() -> None:
    instance = small()

    def said(before: str, move: str) -> list[tuple[str, ...]]:
        return [tuple(fault) for fault in FT.step(instance, state_of(instance, before), moves_of(move)[0]).faults]

    assert said("M,0,0 M,2,2", "M,0,0") == [
        ("R1", "M placed 2 times", "at most 2 of M"),
        ("R3", "(0, 0) covered by M", "free cells for M"),
    ]
    assert said("", "E,0,1,0,0") == [("R2", "E on (1, 1)", "cells of the board")]
    assert said("M,0,0", "E,1,0,0,0") == [
        ("R4", "left of E b at (1, 0)", "a to meet M"),
        ("R5", "top of E a at (1, 0), top of E c at (2, 0)", "k on the border"),
    ]
    assert said("P,0,0 P,1,0 P,2,0 P,3,0", "P,0,1") == [
        ("R6", "placement number 5", "at most 4 placements"),
        ("R7", "cost 5", "cost of at most 3"),
    ]


def row(width: int, goal: str) -> Any:
    """A board of one row, two plain pieces P and one Q of one cell each."""
    pieces = [{"name": "P", "count": 2, "cells": [cell(0, 0)]}, {"name": "Q", "cells": [cell(0, 0)]}]
    budget = {"placements": 9, "cost": 9}
    return small(board={"width": width, "height": 1}, pieces=pieces, goal={"pieces": goal}, budget=budget)


@pytest.mark.parametrize(
    ("width", "goal", "made", "found"),
    [
        (2, "any", "P,0,0 P,1,0", None),
        (2, "all", "P,0,0 P,1,0", "1 of Q left"),
        (2, "any", "P,1,0", "(0, 0) empty"),
        (2, "all", "Q,0,0", "(1, 0) empty, 2 of P left"),
        (3, "all", "Q,1,0 P,0,0 P,2,0", None),
        (10, "any", "", "(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0) and 2 more empty"),
    ],
)
def test_goal(width: int, goal: str, made: str, found: str | None) -> None:
    instance = row(width, goal)
    faults = FT.unmet(instance, state_of(instance, made), None)
    assert [fault.found for fault in faults] == ([] if found is None else [found])
    assert all(fault.rule == "G" for fault in faults)


def test_states_are_sets() -> None:
    one, other = state_of(small(), "P,1,0 M,0,0 P,0,2"), state_of(small(), "P,0,2 P,1,0 M,0,0")
    assert one == other
    assert hash(one) == hash(other)
    written = [{"piece": "M", "x": 0, "y": 0}, {"piece": "P", "x": 0, "y": 2}, {"piece": "P", "x": 1, "y": 0}]
    assert FT.write_state(small(), one) == {"placements": written, "steps": 3, "cost": 3}


def test_a_state_keeps_turn_and_flip_as_they_were_given() -> None:
    """As the states are exchanged; they are forgotten of words only."""
    instance = tiles(2, 2)
    states = [state_of(instance, f"D,0,0,0,{turn}") for turn in (0, 2)]
    assert states[0] != states[1]
    turned = {"placements": [{"piece": "D", "x": 0, "y": 0, "turn": 2}], "steps": 1, "cost": 1}
    assert FT.write_state(instance, states[1]) == turned


@pytest.mark.parametrize(
    ("placements", "more", "code", "pointer"),
    [
        ("P,0,0 P,1,0", {"placements": []}, "contradiction", "/steps"),
        ("P,0,0 P,1,0", {"steps": 1}, "contradiction", "/steps"),
        ("P,0,0 P,1,0", {"cost": 3}, "contradiction", "/cost"),
        ("P,0,0 P,1,0", {"cost": None}, "wrong-type", "/cost"),
        ("P,0,0 P,1,0", {"placements": None}, "wrong-type", "/placements"),
        ("P,0,0 P,1,0", {"clock": 2}, "unknown-key", "/clock"),
        ("P,0,0 P,0,0", {}, "contradiction", "/placements/1"),
        ("P,1,1 P,0,0", {}, "contradiction", "/placements/0"),
        ("P,0,0 P,4,0", {}, "contradiction", "/placements/1"),
        ("M,0,0 M,2,2 M,3,0", {}, "contradiction", "/placements/2"),
        ("P,0,0", {"placements": [{"piece": "E", "x": 0, "y": 0, "flip": 0}]}, "missing-key", "/placements/0/turn"),
        ("P,0,0", {"placements": [{"piece": "P", "x": 0, "y": 0, "turn": 0}]}, "unknown-key", "/placements/0/turn"),
        ("P,0,0", {"placements": [{"piece": "P", "x": 0, "y": True}]}, "wrong-type", "/placements/0/y"),
        ("P,0,0", {"placements": [{"piece": "P", "x": 2**53 + 1, "y": 0}]}, "out-of-range", "/placements/0/x"),
        ("P,0,0", {"placements": [{"piece": "K", "x": 0, "y": 0}]}, "unknown-name", "/placements/0/piece"),
    ],
)
def test_malformed_states(placements: str, more: dict[str, Any], code: str, pointer: str) -> None:
    written = FT.write_submission(small(), Submission(moves_of(placements)))
    number = len(moves_of(placements))
    assert isinstance(written, dict)
    with pytest.raises(MalformedInput) as caught:
        FT.read_state(small(), {**written, "steps": number, "cost": number, **more})
    assert (caught.value.code, caught.value.pointer) == (code, pointer)


def test_colours_of_a_state_may_clash() -> None:
    assert judged(small(), "M,0,0 E,1,0,0,0", "P,0,1") == state_of(small(), "M,0,0 E,1,0,0,0 P,0,1")


@pytest.mark.parametrize(
    ("path", "pointer"),
    [(("board", "border"), "/board/border"), (("pieces", 1, "cells", 0, "top"), "/pieces/1/cells/0/top")],
)
def test_no_colour_is_said_by_leaving_it_out(path: tuple[str | int, ...], pointer: str) -> None:
    source = FT.write_instance(small())
    part: Any = source
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = None
    with pytest.raises(MalformedInput) as caught:
        FT.read_instance(source)
    assert (caught.value.code, caught.value.pointer) == ("wrong-type", pointer)


def tiles(width: int, height: int, single: int = 0) -> Any:
    """A board to be tiled by dominoes that may be turned, and by so many pieces of one cell."""
    pieces: list[Any] = [{"name": "D", "count": 9, "rotate": "allowed", "cells": [cell(0, 0), cell(1, 0)]}]
    if single:
        pieces.append({"name": "P", "count": single, "cells": [cell(0, 0)]})
    return small(board={"width": width, "height": height}, pieces=pieces, budget={"placements": 9, "cost": 9})


def test_words_have_the_least_turns_and_stand_for_the_others() -> None:
    made = Submission(moves_of("D,2,0,0,3 D,0,1,0,2 D,0,0,0,0"))
    assert FT.normal(tiles(3, 2), made) == Submission(moves_of("D,0,0 D,0,1 D,2,0,0,1"))
    assert FT.namings(tiles(3, 2), made) == 6 * 2 * 2 * 2
    coloured = Submission(moves_of("P,0,1 E,0,0,1,3"))
    assert FT.normal(small(), coloured) == Submission(moves_of("E,0,0,1,3 P,0,1"))
    assert FT.namings(small(), coloured) == 2
    plain = small(pieces=[{"name": "P", "rotate": "allowed", "reflect": "allowed", "cells": [cell(0, 0)]}])
    assert FT.normal(plain, Submission(moves_of("P,0,0,1,2"))) == Submission(moves_of("P,0,0"))
    assert FT.namings(plain, Submission(moves_of("P,0,0,1,2"))) == 8
    assert not FT.commutes


def test_dominoes_in_a_small_board() -> None:
    """Three ways in 3 by 2, each in 3! orders and with 2 turns for each domino."""
    instance = tiles(3, 2)
    assert count(FT, instance).raw == {3: 3 * 6 * 8}
    found = set(words(FT, instance))
    assert found == {
        Submission(moves_of("D,0,0,0,1 D,1,0,0,1 D,2,0,0,1")),
        Submission(moves_of("D,0,0,0,0 D,0,1,0,0 D,2,0,0,1")),
        Submission(moves_of("D,0,0,0,1 D,1,0,0,0 D,1,1,0,0")),
    }
    assert [one.size for one in classes(FT, instance, found)] == [48, 48, 48]


def covers(instance: Any) -> list[Submission[Placement]]:
    """The accepted words, by depth-first search over normal moves alone."""
    found = []
    stack: list[tuple[State, tuple[Placement, ...]]] = [(FT.initial(instance), ())]
    while stack:
        state, made = stack.pop()
        if not FT.unmet(instance, state, None):
            found.append(FT.normal(instance, Submission(made)))
        for move in FT.normal_moves(instance, state):
            after = FT.step(instance, state, move)
            if not isinstance(after, Broken):
                stack.append((after, (*made, move)))
    return found


def test_normal_moves_reach_every_cover_once() -> None:
    """The sets of separate edges of the grid of 3 by 2 are 22: the other cells are covered singly."""
    instance = tiles(3, 2, 6)
    found = covers(instance)
    assert len(found) == len(set(found)) == 22
    assert set(found) == set(words(FT, instance))


def test_moves_hold_all_legal_ones() -> None:
    """Of every placement near the board, in the states along the witness."""
    state = FT.initial(SHOW)
    near = [Placement(name, x, y) for name in "ABC" for x in range(-3, 5) for y in range(-3, 5)]
    for move in moves_of("A,0,0 B,2,0 C,0,1"):
        legal = {one for one in near if not isinstance(FT.step(SHOW, state, one), Broken)}
        listed = list(FT.moves(SHOW, state))
        assert legal
        assert legal <= set(listed)
        assert len(listed) == len(set(listed))
        state = FT.step(SHOW, state, move)


def test_counts_of_the_showcase() -> None:
    """A, C and B at the right side fit alone and together, in 3! orders; B in the middle fits alone: 1+4+3+1 states."""
    found = count(FT, SHOW)
    assert (found.optimum, found.raw, found.reachable_states) == (3, {3: 6}, 9)
    assert list(words(FT, SHOW)) == [Submission(moves_of("A,0,0 B,2,0 C,0,1"))]


@pytest.mark.parametrize(
    ("made", "step", "rules"),
    [
        ("A,0,0 C,0,0", 2, ("R3",)),  # overlap
        ("A,0,0 B,2,1", 2, ("R2",)),
        ("A,0,0 A,0,1", 2, ("R1", "R4", "R5")),  # duplicate
        ("B,2,0 A,0,1", 2, ("R4", "R5")),  # colours
        ("A,1,0", 1, ("R5",)),
    ],
)
def test_sequences_of_the_seed(made: str, step: int, rules: tuple[str, ...]) -> None:
    verdict = grade(FT, SHOW, canonical(FT.write_submission(SHOW, Submission(moves_of(made)))))
    assert (verdict.status, verdict.step, verdict.codes, verdict.cost) == ("illegal", step, rules, None)
    answer = answer_e(FT, SHOW, Submission(moves_of(made)))
    assert answer == {"first_illegal_step": step, "final_state": None, "goal": None}


def test_the_witness_ends_as_the_seed_says() -> None:
    answer = answer_e(FT, SHOW, Submission(moves_of("B,2,0 C,0,1 A,0,0")))
    places = [("A", 0, 0), ("B", 2, 0), ("C", 0, 1)]
    final = {"placements": [{"piece": name, "x": x, "y": y} for name, x, y in places], "steps": 3, "cost": 3}
    assert answer == {"first_illegal_step": None, "final_state": final, "goal": True}


def test_p_answers() -> None:
    state = state_of(SHOW, "C,0,1")
    assert answer_p(FT, SHOW, state, Placement("C", 0, 1)) == {"legal": False, "next_state": None}
    places = [{"piece": "A", "x": 0, "y": 0}, {"piece": "C", "x": 0, "y": 1}]
    after = {"placements": places, "steps": 2, "cost": 2}
    assert answer_p(FT, SHOW, state, Placement("A", 0, 0)) == {"legal": True, "next_state": after}


def test_edges_are_the_contact_graph() -> None:
    assert FT.edges(SHOW, Submission(moves_of("A,0,0 B,2,0 C,0,1"))) == (
        Edge(-1, 0, "horizontal"),
        Edge(-1, 1, "vertical"),
        Edge(-1, 2, "horizontal"),
        Edge(0, 1, "touches:horizontal"),
        Edge(0, 2, "touches:vertical"),
        Edge(1, 2, "touches:horizontal"),
    )


def test_contacts_of_a_corner() -> None:
    """A corner touches what lies in it on two sides; corner to corner is no contact; turned, a domino is vertical."""
    corner = {"name": "L", "cells": [cell(0, 0), cell(1, 0), cell(0, 1)]}
    domino = {"name": "D", "rotate": "allowed", "cells": [cell(0, 0), cell(1, 0)]}
    instance = small(pieces=[corner, domino, {"name": "P", "cells": [cell(0, 0)]}], board={"width": 4, "height": 3})
    assert FT.edges(instance, Submission(moves_of("L,0,0 P,1,1 D,2,0,0,3"))) == (
        Edge(-1, 0, "other"),
        Edge(-1, 1, "other"),
        Edge(-1, 2, "vertical"),
        Edge(0, 1, "touches:horizontal"),
        Edge(0, 1, "touches:vertical"),
        Edge(0, 2, "touches:horizontal"),
        Edge(1, 2, "touches:horizontal"),
    )
    apart = FT.edges(instance, Submission(moves_of("P,3,2 L,0,0 D,1,2,0,0")))
    assert [edge for edge in apart if edge.source >= 0] == [Edge(0, 2, "touches:horizontal")]


def test_grading_is_fast() -> None:
    """About 30,000 a second is the aim (see tests/bench); here a fifth of it, since other work shares the machine."""
    data = canonical(FT.write_submission(SHOW, Submission(moves_of("A,0,0 B,2,0 C,0,1"))))
    best = 0.0
    for _ in range(5):
        start = time.process_time()
        for _ in range(500):
            grade(FT, SHOW, data)
        best = max(best, 500 / (time.process_time() - start))
    assert best > 6_000
