"""The statement of FT against the rule book, played out here in the plainest way."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations, product
from math import factorial
from typing import Any

import pytest
from clause_models import SHOWCASES, completes, digest, formula, projections, raw_words, without, words

from cwr_certificates.cnf import TRUE
from cwr_certificates.statements import ft, ft_motifs
from cwr_certificates.statements.ft_motifs import contacts, numberings
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.worlds.ft.instance import Cell, Contacts, Instance, Placement, read_instance, write_placements

SHOWCASE = read_instance(SHOWCASES["FT"]["instance"])
Row = tuple[Placement, ...]
Shown = dict[Cell, dict[str, str | None]]  # {cell: {side: colour}}
AROUND = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
ACROSS = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}
CLOCKWISE = {"top": "right", "right": "bottom", "bottom": "left", "left": "top"}
MIRRORED = {"top": "top", "bottom": "bottom", "left": "right", "right": "left"}


def piece(cells: str, count: int = 1, turns: str = "", shift: Cell = (0, 0), **colours: str) -> dict[str, Json]:
    """A piece from its cells ("00 10" are (0, 0) and (1, 0), moved by `shift`), which may turn ("r") and flip ("f").

    The colour of a face is given by its side and cell: top00="q".
    """
    made: list[Json] = []
    for cell in cells.split():
        faces: dict[str, Json] = {side: colours[side + cell] for side in AROUND if side + cell in colours}
        made.append({"x": int(cell[0]) + shift[0], "y": int(cell[1]) + shift[1], **faces})
    policy = {True: "allowed", False: "forbidden"}
    return {"cells": made, "count": count, "rotate": policy["r" in turns], "reflect": policy["f" in turns]}


def make(size: str, pieces: dict[str, dict[str, Json]], most: int = 9, **more: Any) -> Instance:
    """An instance on a board like "3x2"; `more` has holes ("11 20"), border, goal, cost budget and motif."""
    width, height = map(int, size.split("x"))
    board: dict[str, Any] = {"width": width, "height": height}
    board["holes"] = [[int(hole[0]), int(hole[1])] for hole in more.get("holes", "").split()]
    if "border" in more:
        board["border"] = more["border"]
    document: dict[str, Any] = {
        "family": "FT",
        "code": "t",
        "board": board,
        "pieces": [{"name": name, **fields} for name, fields in pieces.items()],
        "goal": {"pieces": more.get("goal", "any")},
        "budget": {"placements": most, "cost": more.get("cost", most)},
    }
    return replace(read_instance(document), motif=more.get("motif"))


def shape(instance: Instance, name: str, flip: int, turn: int) -> Shown:
    """The faces of a piece, flipped and turned."""
    one = instance.piece[name]
    shown = {cell: dict(zip(("top", "right", "bottom", "left"), faces, strict=True)) for cell, faces in one.shape.cells}
    if flip:
        shown = {(-x, y): {MIRRORED[side]: c for side, c in faces.items()} for (x, y), faces in shown.items()}
    for _ in range(turn):
        shown = {(-y, x): {CLOCKWISE[side]: c for side, c in faces.items()} for (x, y), faces in shown.items()}
    if not one.rotates and not one.reflects:
        return shown
    left, top = (min(cell[axis] for cell in shown) for axis in (0, 1))
    return {(x - left, y - top): faces for (x, y), faces in shown.items()}


def placed(instance: Instance, placement: Placement) -> Shown:
    shown = shape(instance, placement.piece, placement.flip, placement.turn)
    return {(placement.x + x, placement.y + y): faces for (x, y), faces in shown.items()}


def variants(instance: Instance, name: str) -> list[tuple[int, int]]:
    one = instance.piece[name]
    return list(product(range(2 if one.reflects else 1), range(4 if one.rotates else 1)))


def same(instance: Instance, placement: Placement) -> list[Placement]:
    """All flips and turns of the piece that give the same coloured cells, the least first."""
    others = [placement._replace(flip=flip, turn=turn) for flip, turn in variants(instance, placement.piece)]
    return [other for other in others if placed(instance, other) == placed(instance, placement)]


def step_faults(instance: Instance, row: Row, placement: Placement) -> set[str]:
    """The rules that a placement breaks after a legal row."""
    board = set(product(range(instance.width), range(instance.height))) - set(instance.holes)
    cells = placed(instance, placement)
    old: Shown = {}
    for other in row:
        old.update(placed(instance, other))
    broken = set()
    if [other.piece for other in row].count(placement.piece) >= instance.piece[placement.piece].count:
        broken.add("R1")
    if not set(cells) <= board:
        broken.add("R2")
    if set(cells) & set(old):
        broken.add("R3")
    if not broken - {"R1"}:
        for (x, y), faces in cells.items():
            for side, colour in faces.items():
                there = (x + AROUND[side][0], y + AROUND[side][1])
                if (
                    there in old
                    and None not in (colour, old[there][ACROSS[side]])
                    and colour != old[there][ACROSS[side]]
                ):
                    broken.add("R4")
                if there not in board and instance.border is not None and colour not in (None, instance.border):
                    broken.add("R5")
    if broken:
        return broken
    after = {"R6": len(row) + 1 > instance.most_placements, "R7": len(row) + 1 > instance.most_cost}
    return {rule for rule, value in after.items() if value}


def met(instance: Instance, row: Row) -> bool:
    """G of a legal row."""
    covered = sum(len(placed(instance, placement)) for placement in row)
    full = covered == instance.width * instance.height - len(instance.holes)
    return full and (not instance.use_all or len(row) == sum(one.count for one in instance.pieces))


def faults(instance: Instance, row: Row) -> set[str]:
    """The rules that the first bad placement breaks, or the goal; empty when accepted."""
    for number, placement in enumerate(row):
        if broken := step_faults(instance, row[:number], placement):
            return broken
    return set() if met(instance, row) else {"G"}


def text(instance: Instance, row: Row) -> bytes:
    return canonical(write_placements(instance, row))


def alone(instance: Instance) -> list[Placement]:
    """All placements that are legal on the empty board, in the order of words."""
    near = [range(-4, side + 4) for side in (instance.width, instance.height)]
    ways = [(name, *way) for name in instance.piece for way in variants(instance, name)]
    given = (Placement(name, x, y, flip, turn) for name, flip, turn in ways for x, y in product(*near))
    return sorted(one for one in given if not step_faults(instance, (), one))


def accepted_rows(instance: Instance, placements: list[Placement]) -> list[Row]:
    """All accepted rows of the placements in ascending order, by growing legal ones."""
    rows: list[Row] = [()]
    for row in rows:
        later = (one for one in placements if not row or one > row[-1])
        rows.extend((*row, one) for one in later if not step_faults(instance, row, one))
    return [row for row in rows if met(instance, row)]


def accepted(instance: Instance) -> dict[bytes, Row]:
    least = [one for one in alone(instance) if same(instance, one)[0] == one]
    return {text(instance, row): row for row in accepted_rows(instance, least)}


def orientation(cells: Shown) -> str:
    if len(cells) > 1 and len({y for _, y in cells}) == 1:
        return "horizontal"
    return "vertical" if len(cells) > 1 and len({x for x, _ in cells}) == 1 else "other"


def graph(instance: Instance, row: Row) -> Contacts:
    """The contact graph of a row."""
    shown = [placed(instance, one) for one in row]
    found = []
    for (i, one), (j, other) in combinations(enumerate(shown), 2):
        if any((x + d, y) in other for x, y in one for d in (-1, 1)):
            found.append((i, j, "horizontal"))
        if any((x, y + d) in other for x, y in one for d in (-1, 1)):
            found.append((i, j, "vertical"))
    return Contacts(tuple(map(orientation, shown)), tuple(found))


def isomorphic(one: Contacts, other: Contacts) -> bool:
    if len(one.orientations) != len(other.orientations):
        return False
    edges = {(frozenset((a, b)), along) for a, b, along in other.contacts}
    return any(
        all(kind == other.orientations[order[node]] for node, kind in enumerate(one.orientations))
        and {(frozenset((order[a], order[b])), along) for a, b, along in one.contacts} == edges
        for order in permutations(range(len(one.orientations)))
    )


def main(instance: Instance, row: Row) -> bool:
    """The motif of a legal row."""
    return instance.motif is not None and isomorphic(graph(instance, row), instance.motif)


BAR = "00 10"
LINE = "00 10 20"
CORNER = "00 10 01"
SQUARE = "00 10 01 11"
SKEW = "10 20 01 11"
ONE = "00"
PLAIN = Contacts((), ())
# Two bars one above the other, two side by side: as four nodes, and with a bar standing.
STACK = Contacts(("horizontal", "horizontal"), ((1, 0, "vertical"),))
ABREAST = Contacts(("vertical", "vertical"), ((0, 1, "horizontal"),))
WALL = Contacts(
    ("vertical", "horizontal", "horizontal"), ((1, 2, "vertical"), (0, 2, "horizontal"), (0, 1, "horizontal"))
)
LEANING = Contacts(("other", "other"), ((0, 1, "horizontal"), (0, 1, "vertical")))

MIDDLE = Contacts(("other", "other", "other"), ((0, 1, "horizontal"), (0, 2, "horizontal")))

SMALL = {
    "no cell": make("1x1", {"a": piece(ONE)}, holes="00", motif=PLAIN),
    "no cell, all": make("1x1", {"a": piece(ONE)}, holes="00", goal="all"),
    "no piece": make("2x1", {}),
    "no motif of no node": make("1x1", {"a": piece(ONE)}, motif=PLAIN),
    "one of two": make("1x1", {"a": piece(ONE), "b": piece(ONE)}, motif=Contacts(("other",), ())),
    "both": make("1x1", {"a": piece(ONE), "b": piece(ONE)}, goal="all"),
    "bars": make("2x2", {"a": piece(BAR, 3, "r")}, motif=STACK),
    "standing bars": make("2x2", {"a": piece(BAR, 2, "r")}, goal="all", motif=ABREAST),
    "bars and a hole": make("3x3", {"a": piece(BAR, 4, "rf")}, holes="11"),
    "a wall": make("3x2", {"a": piece(BAR, 9, "r"), "b": piece(BAR, 1)}, motif=WALL),
    "the middle": make("3x1", {"a": piece(ONE, 3), "b": piece(BAR)}, motif=MIDDLE),
    "too many nodes": make("2x1", {"a": piece(BAR), "b": piece(ONE, 2)}, motif=WALL),
    "too many copies": make("2x2", {"a": piece(BAR, 3, "r")}, goal="all"),
    "copies beyond counting": make("2x1", {"a": piece(ONE, 2**53)}, 2**53),
    "all copies beyond counting": make("2x1", {"a": piece(ONE, 2**53)}, 2**53, goal="all"),
    "stated offsets": make(
        "3x2", {"a": piece(BAR, 3, shift=(-2, 1)), "b": piece("01 02", 2, shift=(1, 0))}, motif=WALL
    ),
    "moved offsets": make("2x2", {"a": piece(BAR, 2, "r", shift=(-2, 3))}),
    "corners": make("3x2", {"a": piece(CORNER, 2, "r")}, motif=LEANING),
    "corners that flip": make("3x2", {"a": piece(CORNER, 1, "f"), "b": piece(CORNER, 1, "rf")}, motif=LEANING),
    "skew and others": make("3x2", {"s": piece(SKEW, 1, "f"), "b": piece(ONE, 2), "c": piece(BAR, 1, "r")}),
    "few": make("2x2", {"a": piece(BAR, 2, "r"), "b": piece(ONE, 4)}, 3, cost=9),
    "cheap": make("2x2", {"a": piece(BAR, 2, "r"), "b": piece(ONE, 4)}, 9, cost=2, motif=STACK),
    "no budget": make("1x1", {"a": piece(ONE)}, 0),
    "border": make("2x1", {"a": piece(ONE, 1, "r", left00="q", top00="w"), "b": piece(ONE, right00="q")}, border="q"),
    "border of a hole": make("3x1", {"a": piece(ONE, 2, "f", left00="w")}, holes="10", border="q"),
    "colours": make("2x1", {"a": piece(ONE, 2, "rf", left00="q", right00="w", top00="w")}, motif=PLAIN),
    "colours one above the other": make("1x2", {"a": piece(ONE, 2, "r", top00="q", bottom00="w", left00="q")}),
    "half turns": make("2x2", {"a": piece(SQUARE, 1, "rf", top00="q", bottom11="q")}),
    "no colour": make("2x1", {"a": piece(ONE, 1, right00="q"), "b": piece(ONE, 2)}),
    "lines and bars": make("3x3", {"a": piece(LINE, 3, "r"), "b": piece(BAR, 3), "c": piece(ONE, 1)}),
}


def coloured(draw: random.Random, cells: str, chance: float) -> dict[str, str]:
    """Colours of some exterior faces."""
    inside = {(int(cell[0]), int(cell[1])) for cell in cells.split()}
    faces = [
        (side, x, y) for x, y in sorted(inside) for side, (dx, dy) in AROUND.items() if (x + dx, y + dy) not in inside
    ]
    return {f"{side}{x}{y}": draw.choice("qqw") for side, x, y in faces if draw.random() < chance}


def drawn(seed: int) -> Instance:
    """A random instance on up to nine cells, in which colours, the border and supply may bind; its motif is the contact
    graph of one of its words, if it has any."""
    draw = random.Random(f"ft {seed}")
    pieces = {}
    for name, cells in zip("abc", draw.sample([ONE, BAR, LINE, CORNER, SQUARE], 3), strict=True):
        colours = coloured(draw, cells, draw.choice([0, 0, 0.2, 0.4]))
        pieces[name] = piece(cells, draw.randint(1, 3), draw.choice(["", "r", "f", "rf"]), **colours)
    pieces["d"] = piece(ONE, draw.randint(1, 2))
    size = draw.choice(["2x2", "3x2", "2x3", "3x3"])
    inside = product(range(int(size[0])), range(int(size[2])))
    holes = " ".join(f"{x}{y}" for x, y in inside if draw.random() < 0.15)
    border = {"border": "q"} if draw.random() < 0.5 else {}
    budgets = {"most": draw.randint(2, 6), "cost": draw.randint(2, 6)}
    instance = make(size, pieces, holes=holes, **budgets, **border)
    rows = sorted(accepted(instance).values())
    if not rows:
        return instance
    row = draw.choice(rows)
    if draw.random() < 0.4:
        counts = {name: [one.piece for one in row].count(name) for name in pieces}
        pieces = {name: {**fields, "count": counts[name]} for name, fields in pieces.items() if counts[name]}
        instance = make(size, pieces, holes=holes, goal="all", **budgets, **border)
    return replace(instance, motif=graph(instance, row))


# Random instances with many words for their legal rows, some with few, and two with none (10, 37).
SEEDS = (
    107,
    16,
    58,
    77,
    49,
    34,
    54,
    31,
    64,
    65,
    93,
    109,
    20,
    39,
    59,
    79,
    21,
    32,
    43,
    57,
    62,
    90,
    99,
    101,
    84,
    28,
    10,
    37,
)
NAMES = ("showcase", *SMALL, *(f"drawn {seed}" for seed in SEEDS))
EACH = pytest.mark.parametrize("name", NAMES)


@cache
def get(name: str) -> Instance:
    return drawn(int(name.split()[1])) if name.startswith("drawn") else {"showcase": SHOWCASE, **SMALL}[name]


@cache
def known(name: str) -> dict[bytes, tuple[int, bool]]:
    """{accepted word: its cost, whether it has the motif} of one of the instances."""
    return {word: (len(row), main(get(name), row)) for word, row in accepted(get(name)).items()}


@EACH
def test_models_are_the_accepted_words(name: str) -> None:
    assert words(ft, get(name)) == set(known(name))


@EACH
def test_at_most_bounds_the_number_of_placements(name: str) -> None:
    for cost in range(-1, 6):
        meant = {word for word, (spent, _) in known(name).items() if spent <= cost}
        assert set(raw_words(ft, get(name), cost)) == meant


def lacking(name: str) -> list[bytes]:
    """The accepted words without the motif."""
    return sorted(word for word, (_, shown) in known(name).items() if not shown)


@EACH
def test_denied_motif_leaves_the_words_without_it(name: str) -> None:
    cnf, model = formula(ft, get(name), motif="main")
    found = projections(cnf.clauses, model.decisions)
    told = sorted(canonical(ft.word(model, {one for one in literals if one > 0})) for literals in found)
    assert told == lacking(name)
    for literals in found[:: 1 + len(found) // 5]:
        assert completes(cnf.clauses, literals)


def test_the_instances_show_the_motif_and_its_absence() -> None:
    shown = {name: [motif for _, motif in known(name).values()] for name in NAMES}
    assert shown["showcase"] == [True]
    assert shown["no cell"] == [True]
    assert set(shown["too many nodes"]) == {False}
    assert sum(set(verdicts) == {True, False} for verdicts in shown.values()) >= 15
    assert sum(len(verdicts) >= 4 for name, verdicts in shown.items() if name.startswith("drawn")) >= 20


def test_the_motif_of_the_showcase_is_necessary() -> None:
    assert raw_words(ft, SHOWCASE, motif="main") == []


def test_another_motif_is_no_motif() -> None:
    cnf, model = formula(ft, SHOWCASE)
    with pytest.raises(KeyError):
        ft.deny(cnf, model, "full")


WALL_EDGES = WALL.contacts
NEARLY = {
    "numbered otherwise": (WALL, True),
    "a contact less": (Contacts(WALL.orientations, WALL_EDGES[:2]), False),
    "a contact more": (Contacts(WALL.orientations, (*WALL_EDGES, (0, 1, "vertical"))), False),
    "a contact twice": (Contacts(WALL.orientations, (*WALL_EDGES, WALL_EDGES[0])), True),
    "another side": (Contacts(WALL.orientations, ((1, 2, "horizontal"), *WALL_EDGES[1:])), False),
    "another node": (
        Contacts(WALL.orientations, ((0, 1, "vertical"), (0, 2, "horizontal"), (1, 2, "horizontal"))),
        False,
    ),
    "another orientation": (Contacts(("other", "horizontal", "horizontal"), WALL_EDGES), False),
    "a node less": (Contacts(WALL.orientations[:2], WALL_EDGES[2:]), False),
    "a node more": (Contacts((*WALL.orientations, "horizontal"), WALL_EDGES), False),
}


@pytest.mark.parametrize("name", NEARLY)
def test_motifs_near_that_of_the_showcase(name: str) -> None:
    """One word, with other motifs stated; units show what it has and lacks."""
    motif, meant = NEARLY[name]
    instance = replace(SHOWCASE, motif=motif)
    (row,) = accepted(SHOWCASE).values()
    assert main(instance, row) == meant
    cnf, model = formula(ft, instance, motif="main")
    assert completes(cnf.clauses, ft.literals(model, json.loads(text(SHOWCASE, row)))) == (not meant)


DENIAL: dict[str, Callable[..., Any]] = {
    "numberings": lambda motif: list(numberings(motif))[:1],
    "contacts": lambda cnf, owners: dict.fromkeys(contacts(cnf, owners), -TRUE),
    "orientation": lambda _cells: "other",
    "rank": lambda ranks, j: TRUE if j < len(ranks) else -TRUE,
}


@pytest.mark.parametrize("part", DENIAL)
def test_each_part_of_the_denial_matters(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ft_motifs, part, DENIAL[part])
    names = ("a wall", "the middle", "drawn 31", "drawn 79")
    assert any(raw_words(ft, get(name), motif="main") != lacking(name) for name in names)


RED = piece(ONE, 1, right00="q")
VITAL = {
    "r1_supply": make("2x1", {"a": piece(ONE), "b": piece(ONE)}),
    "r3_overlap": make("1x1", {"a": piece(ONE), "b": piece(ONE)}),
    "r4_colours": make("2x1", {"a": RED, "b": piece(ONE, left00="w")}),
    "r5_border": make("2x1", {"a": RED, "b": piece(ONE)}, border="w"),
    "r6_placements": make("2x1", {"a": piece(ONE, 2), "b": piece(BAR)}, 1, cost=2),
    "r7_cost": make("2x1", {"a": piece(ONE, 2), "b": piece(BAR)}, 2, cost=1),
    "g_goal": make("2x1", {"a": piece(ONE), "b": piece(BAR)}),
}


@pytest.mark.parametrize("rule", VITAL)
def test_a_rule_left_out_lets_in_words_that_break_it_alone(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = VITAL[rule]
    loose, normal = without(monkeypatch, ft, rule, instance), words(ft, instance)
    assert normal == set(accepted(instance))
    assert normal < loose
    for word in loose - normal:
        row = tuple(Placement(one["piece"], one["x"], one["y"]) for one in json.loads(word)["placements"])
        assert faults(instance, row) == {rule.partition("_")[0].upper()}


@EACH
def test_decisions_are_the_least_placements_within_the_board(name: str) -> None:
    """R2: a placement has a decision just when it breaks no rule of place, be it illegal by its colours."""
    instance = replace(get(name), border=None, most_placements=9, most_cost=9)
    assert list(formula(ft, instance)[1].made) == [one for one in alone(instance) if same(instance, one)[0] == one]


def test_each_part_of_the_goal_binds() -> None:
    pieces = {"a": piece(ONE, 2), "b": piece(BAR)}
    assert len(words(ft, make("2x1", pieces))) == 2
    assert len(words(ft, make("2x2", pieces, goal="all"))) == 2
    assert len(words(ft, make("2x2", {"a": piece(BAR, 2), "b": piece(ONE, 2)}))) == 3
    assert words(ft, make("2x1", pieces, goal="all")) == set()
    assert words(ft, make("3x1", {"a": piece(ONE)})) == set()


def test_every_set_of_placements_has_literals_of_its_own_and_illegal_ones_fail() -> None:
    instance = make(
        "2x1", {"a": piece(ONE, 1, "r", right00="q"), "b": piece(ONE, left00="w"), "c": piece(BAR)}, border="q"
    )
    cnf, model = formula(ft, instance)
    rows = [row for n in range(4) for row in combinations(model.made, n)]
    told = {ft.literals(model, json.loads(text(instance, row))): row for row in rows}
    assert len(told) == len(rows) == 232
    for literals, row in told.items():
        assert canonical(ft.word(model, {one for one in literals if one > 0})) == text(instance, row)
        assert completes(cnf.clauses, literals) == (not faults(instance, row))


def placements(*given: dict[str, Json]) -> Json:
    return {"placements": list(given)}


A = {"piece": "A", "x": 0, "y": 0}
TURNED = make("2x1", {"a": piece(BAR, 1, "rf")})


@pytest.mark.parametrize(
    ("instance", "word", "code", "pointer"),
    [
        (SHOWCASE, [], "wrong-type", ""),
        (SHOWCASE, {}, "missing-key", "/placements"),
        (SHOWCASE, {"placements": [], "x": 1}, "unknown-key", "/x"),
        (SHOWCASE, placements({"piece": "D", "x": 0, "y": 0}), "unknown-name", "/placements/0/piece"),
        (SHOWCASE, placements({"piece": "A", "x": 0}), "missing-key", "/placements/0/y"),
        (SHOWCASE, placements({**A, "x": True}), "wrong-type", "/placements/0/x"),
        (SHOWCASE, placements({**A, "turn": 0}), "unknown-key", "/placements/0/turn"),
        (SHOWCASE, placements({**A, "x": 2}), "domain", "/placements"),
        (SHOWCASE, placements({**A, "x": 2**53}), "domain", "/placements"),
        (SHOWCASE, placements(A, A), "domain", "/placements"),
        (SHOWCASE, placements({**A, "y": 1}, A), "domain", "/placements"),
        (TURNED, placements({"piece": "a", "x": 0, "y": 0, "flip": 0, "turn": 2}), "domain", "/placements"),
        (TURNED, placements({"piece": "a", "x": 0, "y": 0, "flip": 1, "turn": 0}), "domain", "/placements"),
        (TURNED, placements({"piece": "a", "x": 0, "y": 0, "turn": 0}), "missing-key", "/placements/0/flip"),
    ],
)
def test_what_is_no_word_is_refused(instance: Instance, word: Json, code: str, pointer: str) -> None:
    with pytest.raises(MalformedInput) as error:
        ft.literals(formula(ft, instance)[1], word)
    assert (error.value.code, error.value.pointer) == (code, pointer)


@pytest.mark.parametrize("name", ["standing bars", "corners that flip", "half turns", "border", "colours", "no cell"])
def test_a_word_stands_for_its_orders_and_for_equal_flips_and_turns(name: str) -> None:
    instance = get(name)
    raw: dict[bytes, int] = {}
    for row in accepted_rows(instance, alone(instance)):
        word = text(instance, tuple(sorted(same(instance, one)[0] for one in row)))
        raw[word] = raw.get(word, 0) + sum(not faults(instance, order) for order in permutations(row))
    assert raw == {word: ft.namings(instance, json.loads(word)) for word in words(ft, instance)}


def test_namings_of_many_placements_and_of_no_word() -> None:
    instance = make("9x1", {"a": piece(ONE, 9), "b": piece(BAR, 9, "r")})
    word = text(instance, (*(Placement("a", x, 0) for x in range(7)), Placement("b", 7, 0)))
    assert ft.namings(instance, json.loads(word)) == 2 * factorial(8)
    with pytest.raises(MalformedInput):
        ft.namings(SHOWCASE, placements({**A, "piece": "D"}))


def test_too_large_a_formula_is_refused() -> None:
    instance = make("60x60", {"a": piece(BAR, 900, "r")}, 2**53)
    with pytest.raises(Undecided) as error:
        formula(ft, instance)
    assert error.value.reason == "size"


@pytest.mark.parametrize("nodes", [10, 60])
def test_a_motif_of_too_many_numberings_is_refused(nodes: int) -> None:
    instance = make("9x9", {"a": piece(ONE, 81)}, 81, motif=Contacts(("other",) * nodes, ()))
    formula(ft, instance)
    with pytest.raises(Undecided) as error:
        formula(ft, instance, motif="main")
    assert error.value.reason == "size"


def test_the_name_stands_for_these_clauses() -> None:
    assert ft.NAME == "ft/1"
    assert digest(ft, SHOWCASE) == "65d1684f22386b78"
    assert digest(ft, SHOWCASE, "main") == "9a3896be3ee2e7c1"
    assert digest(ft, SMALL["a wall"], "main") == "434bd0cc67a5cc16"
    assert digest(ft, SMALL["colours"]) == "d12fa8c85c835731"
