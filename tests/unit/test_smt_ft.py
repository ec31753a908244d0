"""The SMT encoding of FT against answers worked out by hand, and against a player of the rule book written here.

A piece is written as its cells, `x,y` with faces after it as in `0,0 top=q`, cells set apart by `;`. A placement is
written `piece x,y`, then `/turn` and `|flip` where the piece allows them.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from cwr_encodings.ft import smt
from cwr_encodings.smt_catalogue import SMT
from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.backends.smt import solve
from cwr_solvers.errors import Undecided
from cwr_solvers.worlds.ft.instance import read_instance

FIXTURES = Path(__file__).parents[2] / "fixtures" / "showcase-index.json"
JsonObject = dict[str, Any]
Shape = dict[tuple[int, int], dict[str, str]]  # cell → colours of its faces
AROUND = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
FACING = {"top": "bottom", "right": "left", "bottom": "top", "left": "right"}


def piece(name: str, cells: str, count: int = 1, allows: str = "") -> JsonObject:
    """A piece; `allows` names rotate and reflect."""
    found = []
    for text in cells.split(";"):
        place, *faces = text.split()
        x, y = map(int, place.split(","))
        found.append({"x": x, "y": y, **dict(face.split("=") for face in faces)})
    policies = dict.fromkeys(allows.split(), "allowed")
    return {"name": name, "count": count, "cells": found, **policies}


def tiling(size: str, *pieces: JsonObject, **rest: Any) -> JsonObject:
    """A task on a board `WxH`; in `rest` holes, border, the goal's pieces ("any" unless stated) and the budgets."""
    width, height = map(int, size.split("x"))
    board: JsonObject = {"width": width, "height": height, "holes": rest.get("holes", [])}
    if "border" in rest:
        board["border"] = rest["border"]
    return {
        "family": "FT",
        "code": "T",
        "board": board,
        "pieces": list(pieces),
        "goal": {"pieces": rest.get("goal", "any")},
        "budget": {"placements": rest.get("placements", 9), "cost": rest.get("cost", 9)},
    }


def ask(data: JsonObject, most_cost: int | None = None, words: int = 5000, seconds: float = 60) -> Answer:
    instance = read_instance(data)
    return solve(lambda model: SMT["FT"](model, instance, Claim(most_cost)), Limits(seconds, words))


def written(placement: JsonObject) -> str:
    turn, flip = (f"{sign}{placement[key]}" if key in placement else "" for sign, key in (("/", "turn"), ("|", "flip")))
    return f"{placement['piece']} {placement['x']},{placement['y']}{turn}{flip}"


def listed(answer: Answer) -> dict[str, int]:
    """The words with their placements, in their order, set apart by semicolons."""
    return {"; ".join(map(written, json.loads(word)["placements"])): cost for word, cost in answer.words.items()}


def turned(shape: Shape) -> Shape:
    """A quarter turn clockwise."""
    order = list(AROUND)
    after = {side: order[(number + 1) % 4] for number, side in enumerate(order)}
    return {(-y, x): {after[side]: colour for side, colour in faces.items()} for (x, y), faces in shape.items()}


def flipped(shape: Shape) -> Shape:
    mirror = {"top": "top", "bottom": "bottom", "left": "right", "right": "left"}
    return {(-x, y): {mirror[side]: colour for side, colour in faces.items()} for (x, y), faces in shape.items()}


def oriented(one: JsonObject) -> list[tuple[JsonObject, Shape]]:
    """The different shapes of a piece, each with the least flip and turn."""
    start: Shape = {
        (cell["x"], cell["y"]): {side: cell[side] for side in AROUND if side in cell} for cell in one["cells"]
    }
    rotates, reflects = (one.get(key) == "allowed" for key in ("rotate", "reflect"))
    if not rotates and not reflects:
        return [({}, start)]
    found: list[tuple[JsonObject, Shape]] = []
    for flip in range(1 + reflects):
        shape = flipped(start) if flip else start
        for turn in range(4 if rotates else 1):
            left, top = min(x for x, _ in shape), min(y for _, y in shape)
            moved = {(x - left, y - top): faces for (x, y), faces in shape.items()}
            if all(moved != other for _, other in found):
                keys = {"flip": flip} if reflects else {}
                found.append(({**keys, **({"turn": turn} if rotates else {})}, moved))
            shape = turned(shape)
    return found


def fits(
    board: dict[tuple[int, int], dict[str, str]], border: str | None, cells: set[tuple[int, int]], put: Shape
) -> bool:
    """Whether a placed shape breaks none of R2 to R5 on a board with these coloured cells on it."""
    if not cells.issuperset(put) or set(board) & set(put):
        return False
    for (x, y), faces in put.items():
        for side, colour in faces.items():
            there = (x + AROUND[side][0], y + AROUND[side][1])
            wanted = border if there not in cells else board.get(there, {}).get(FACING[side])
            if wanted is not None and wanted != colour:
                return False
    return True


def spots_of(data: JsonObject, cells: set[tuple[int, int]]) -> list[tuple[JsonObject, Shape]]:
    """All placements on the board, sorted, with the cells that they put down."""
    spots = []
    for one in data["pieces"]:
        for keys, shape in oriented(one):
            for x in range(-3, 7):
                for y in range(-3, 7):
                    put = {(x + right, y + down): faces for (right, down), faces in shape.items()}
                    if cells.issuperset(put):
                        spots.append(({"piece": one["name"], "x": x, "y": y, **keys}, put))
    return sorted(spots, key=lambda spot: [spot[0].get(key, 0) for key in ("piece", "x", "y", "flip", "turn")])


def played(data: JsonObject) -> dict[str, int]:
    """All accepted words: the first cell that is bare is covered in every way, again and again."""
    size, border = data["board"], data["board"].get("border")
    cells = {(x, y) for x in range(size["width"]) for y in range(size["height"])}
    cells -= {tuple(hole) for hole in size["holes"]}
    spots = spots_of(data, cells)
    supply = {one["name"]: one["count"] for one in data["pieces"]}
    words: dict[str, int] = {}

    def cover(made: list[int], board: Shape) -> None:
        if not cells - set(board):
            if len(made) == sum(supply.values()) or data["goal"]["pieces"] == "any":
                words["; ".join(written(spots[number][0]) for number in sorted(made))] = len(made)
            return
        bare = min(cells - set(board))
        for number, (placement, put) in enumerate(spots):
            used = sum(spots[other][0]["piece"] == placement["piece"] for other in made)
            room = used < supply[placement["piece"]] and len(made) < min(data["budget"].values())
            if bare in put and room and fits(board, border, cells, put):
                cover([*made, number], board | put)

    cover([], {})
    return words


def drawn(seed: int) -> JsonObject:
    """A random task on at most six cells with one to three kinds of pieces of one to three cells."""
    draw = random.Random(f"ft {seed}")
    width, height = draw.choice(((1, 3), (2, 2), (3, 2), (2, 3)))
    pieces = []
    for name in draw.sample("ABC", draw.randint(2, 3)):
        cells = [(draw.randint(-1, 1), draw.randint(-1, 1))]
        for _ in range(draw.choice((0, 0, 1, 1, 2))):
            x, y = draw.choice(cells)
            right, down = draw.choice(list(AROUND.values()))
            cells.append((x + right, y + down))
        texts = []
        for x, y in sorted(set(cells)):
            outside = [side for side, (right, down) in AROUND.items() if (x + right, y + down) not in cells]
            faces = [f"{side}={draw.choice('qqr')}" for side in outside if draw.random() < 0.15]
            texts.append(" ".join([f"{x},{y}", *faces]))
        allows = " ".join(one for one in ("rotate", "reflect") if draw.random() < 0.6)
        pieces.append(piece(name, ";".join(texts), draw.randint(1, 5), allows))
    rest: JsonObject = {"border": "q"} if draw.random() < 0.4 else {}
    cells = [[x, y] for x in range(width) for y in range(height)]
    rest["holes"] = [cell for cell in cells if draw.random() < 0.1]
    rest["goal"] = draw.choice(("all", "any", "any", "any"))
    return tiling(f"{width}x{height}", *pieces, placements=draw.randint(3, 6), cost=draw.randint(3, 6), **rest)


ONE = piece("A", "0,0")
TWO = piece("A", "0,0", 2)
LONG = piece("A", "0,0;1,0")
RED_RIGHT = piece("A", "0,0 right=r")

# name: (task, the words by hand)
BY_HAND: dict[str, tuple[JsonObject, dict[str, int]]] = {
    "one cell": (tiling("1x1", ONE), {"A 0,0": 1}),
    "no pieces": (tiling("1x1"), {}),
    "no board": (tiling("1x1", ONE, holes=[[0, 0]]), {"": 0}),
    "no board for all": (tiling("1x1", ONE, holes=[[0, 0]], goal="all"), {}),
    "too few": (tiling("2x1", ONE), {}),
    "enough": (tiling("2x1", TWO), {"A 0,0; A 1,0": 2}),
    "leftovers": (tiling("1x1", TWO), {"A 0,0": 1}),
    "leftovers denied": (tiling("1x1", TWO, goal="all"), {}),
    "all of them": (tiling("2x1", TWO, goal="all"), {"A 0,0; A 1,0": 2}),
    "no turning": (tiling("1x2", LONG), {}),
    "turning": (tiling("1x2", piece("A", "0,0;1,0", 1, "rotate")), {"A 0,0/1": 1}),
    "sticks out": (tiling("1x1", LONG), {}),
    "over a hole": (tiling("3x1", LONG, ONE | {"name": "B", "count": 2}, holes=[[1, 0]]), {"B 0,0; B 2,0": 2}),
    "overlap": (tiling("3x1", LONG | {"count": 2}), {}),
    "one or the other": (tiling("2x1", LONG, ONE | {"name": "B"}), {"A 0,0": 1}),
    "offsets stay": (tiling("1x1", piece("A", "2,-1")), {"A -2,1": 1}),
    "offsets go": (tiling("1x1", piece("A", "2,-1", 1, "reflect")), {"A 0,0|0": 1}),
    # Four turns of a cell with one colour are four, those of a plain cell are one.
    "turns of a colour": (
        tiling("1x1", piece("A", "0,0 top=q", 1, "rotate")),
        {f"A 0,0/{turn}": 1 for turn in range(4)},
    ),
    "turns of nothing": (tiling("1x1", piece("A", "0,0", 1, "rotate reflect")), {"A 0,0/0|0": 1}),
    # Left and right alike, so that its mirror image is itself; upside down it is not.
    "a mirror image alike": (
        tiling("1x1", piece("A", "0,0 top=q left=r right=r", 1, "rotate reflect")),
        {f"A 0,0/{turn}|0": 1 for turn in range(4)},
    ),
    "a mirror image unlike": (
        tiling("1x1", piece("A", "0,0 top=q right=r", 1, "reflect"), border="q"),
        {},
    ),
    "a bar turned": (
        tiling("2x1", piece("A", "0,0 left=q;1,0 right=r", 1, "rotate reflect")),
        {"A 0,0/0|0": 1, "A 0,0/2|0": 1},
    ),
    # One turn moves the top face to the right, where it meets another colour.
    "clockwise": (
        tiling("2x1", piece("A", "0,0 top=q", 1, "rotate"), piece("B", "0,0 left=r"), border="q"),
        {f"A 0,0/{turn}; B 1,0": 2 for turn in (0, 2, 3)},
    ),
    # Mirrored first, turned then: (flip 1, turn 1) brings the left red face to the top.
    "mirrored, then turned": (
        tiling("1x2", piece("A", "0,0 top=q right=r", 1, "rotate reflect"), piece("B", "0,0 top=b bottom=r")),
        dict.fromkeys(
            [f"A 0,0/{turn}|{flip}; B 0,1" for turn, flip in ((0, 0), (3, 0), (0, 1), (1, 1))]
            + [f"A 0,1/{turn}|{flip}; B 0,0" for turn in (1, 2, 3) for flip in (0, 1)],
            2,
        ),
    ),
    "same colours": (tiling("2x1", RED_RIGHT, piece("B", "0,0 left=r")), {"A 0,0; B 1,0": 2, "A 1,0; B 0,0": 2}),
    "other colours": (tiling("2x1", RED_RIGHT, piece("B", "0,0 left=q")), {"A 1,0; B 0,0": 2}),
    "colour and none": (tiling("2x1", RED_RIGHT, piece("B", "0,0")), {"A 0,0; B 1,0": 2, "A 1,0; B 0,0": 2}),
    "colours below": (tiling("1x2", piece("A", "0,0 bottom=r"), piece("B", "0,0 top=q")), {"A 0,1; B 0,0": 2}),
    "no border colour": (tiling("1x1", piece("A", "0,0 top=q left=r")), {"A 0,0": 1}),
    "border": (tiling("1x1", piece("A", "0,0 top=q left=q"), piece("B", "0,0 top=r"), border="q"), {"A 0,0": 1}),
    "a hole is border": (
        tiling("2x1", piece("A", "0,0 right=r"), piece("B", "0,0 right=q"), holes=[[1, 0]], border="q"),
        {"B 0,0": 1},
    ),
    "a border colour that no piece has": (
        tiling("1x1", piece("A", "0,0 top=r"), ONE | {"name": "B"}, border="q"),
        {"B 0,0": 1},
    ),
    "few placements": (tiling("2x1", TWO, LONG | {"name": "B"}, placements=1), {"B 0,0": 1}),
    "small cost": (tiling("2x1", TWO, LONG | {"name": "B"}, cost=1), {"B 0,0": 1}),
    "no placements": (tiling("1x1", ONE, placements=0), {}),
    "two cells apart": (tiling("3x1", piece("A", "0,0;2,0"), ONE | {"name": "B"}), {"A 0,0; B 1,0": 2}),
    "huge": (tiling("1x1", piece("A", "0,0", 2**53), placements=2**53, cost=2**53), {"A 0,0": 1}),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    data, words = BY_HAND[name]
    answer = ask(data)
    assert listed(answer) == words
    assert answer.optimum == min(words.values(), default=None)


# rule: (an instance that gains words when that rule alone is not posted, these words)
BITES = {
    "R1": ("too few", {"A 0,0; A 1,0": 2}),
    "R2": ("sticks out", {"A -1,0": 1, "A 0,0": 1}),
    # Placements are counted by their first cells, and A has lost its own in one case.
    "R3": ("one or the other", {"A 0,0; B 0,0": 1, "A 0,0; B 1,0": 2}),
    "R4": ("other colours", {"A 0,0; B 1,0": 2}),
    "R5": ("border", {"B 0,0": 1}),
    "R6": ("few placements", {"A 0,0; A 1,0": 2}),
    "R7": ("small cost", {"A 0,0; A 1,0": 2}),
    "G": ("one cell", {"": 0}),
}


@pytest.mark.parametrize("rule", BITES)
def test_no_rule_is_idle(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, more = BITES[rule]
    data, words = BY_HAND[name]
    monkeypatch.setitem(smt.RULES, rule, lambda *_: None)
    assert listed(ask(data)) == words | more


def test_every_rule_has_its_name() -> None:
    assert set(BITES) == set(smt.RULES)
    assert all(rule.lower() == post.__name__.partition("_")[0] for rule, post in smt.RULES.items())


@pytest.mark.parametrize("seed", range(30))
def test_random_tilings(seed: int) -> None:
    data = drawn(seed)
    expected = played(data)
    answer = ask(data)
    assert listed(answer) == expected
    assert answer.optimum == min(expected.values(), default=None)


def test_random_tilings_are_not_all_alike() -> None:
    sizes = [len(played(data)) for data in map(drawn, range(30))]
    assert sum(size == 0 for size in sizes) >= 4
    assert sum(size > 10 for size in sizes) >= 4


@pytest.mark.parametrize(("most", "words"), [(-1, 0), (0, 0), (1, 1), (2, 2), (99, 2)])
def test_a_claim_bounds_the_cost(most: int, words: int) -> None:
    assert len(ask(tiling("2x1", TWO, LONG | {"name": "B"}), most).words) == words


def test_too_many_words_are_no_answer() -> None:
    with pytest.raises(Undecided) as caught:
        ask(BY_HAND["same colours"][0], words=1)
    assert caught.value.reason == "words"


def test_a_large_board_heeds_the_clock() -> None:
    with pytest.raises(Undecided) as caught:
        ask(tiling("300x300", LONG), seconds=0.2)
    assert caught.value.reason == "time"


def test_the_showcase_has_one_word() -> None:
    (data,) = (one["instance"] for one in json.loads(FIXTURES.read_bytes())["worlds"] if one["code"] == "FT-001")
    answer = ask(data)
    assert listed(answer) == {"A 0,0; B 2,0; C 0,1": 3}
    assert answer.optimum == 3
