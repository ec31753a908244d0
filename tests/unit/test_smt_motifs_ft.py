"""The motif of FT in the SMT encoding, against a predicate written here from the rule book."""

from __future__ import annotations

import json
import random
from itertools import permutations
from typing import Any

import pytest
from smt_motif_checks import (
    check_labels,
    check_moves,
    check_mutants,
    check_partition,
    expected,
    labels,
    moves_of,
    showcase,
    words,
)

from cwr_encodings.ft import smt
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.worlds.ft.instance import Instance


def predicate(instance: Instance, word: Any) -> dict[str, bool]:
    """main, by trying every numbering of the placements."""
    if instance.motif is None:
        return {"main": False}
    cells = []
    for one in word["placements"]:
        shape = instance.piece[one["piece"]].variants[one.get("flip", 0), one.get("turn", 0)]
        cells.append({(one["x"] + x, one["y"] + y) for (x, y), _ in shape.cells})
    lies = [orientation(part) for part in cells]
    contacts = set()
    for i, part in enumerate(cells):
        for j, other in enumerate(cells[:i]):
            if any((x + 1, y) in other or (x - 1, y) in other for x, y in part):
                contacts |= {(i, j, "horizontal"), (j, i, "horizontal")}
            if any((x, y + 1) in other or (x, y - 1) in other for x, y in part):
                contacts |= {(i, j, "vertical"), (j, i, "vertical")}
    motif = instance.motif
    wanted = {(i, j, along) for a, b, along in motif.contacts for i, j in ((a, b), (b, a))}
    found = any(
        tuple(lies[node] for node in order) == motif.orientations
        and {(order.index(i), order.index(j), along) for i, j, along in contacts} == wanted
        for order in permutations(range(len(cells)))
    )
    return {"main": found}


def orientation(cells: set[tuple[int, int]]) -> str:
    wide, high = len({x for x, _ in cells}), len({y for _, y in cells})
    if wide > 1 and high == 1:
        return "horizontal"
    return "vertical" if high > 1 and wide == 1 else "other"


def tiling(width: int, height: int, lies: str, contacts: str, *, holes: str = "", singles: int = 0) -> dict[str, Any]:
    """Dominoes, which may be turned, and single cells; orientations h, v, o and contacts "01h …" of the motif."""
    names = {"h": "horizontal", "v": "vertical", "o": "other"}
    pieces = [
        {"name": "duo", "count": 4, "rotate": "allowed", "cells": [{"x": 0, "y": 0}, {"x": 1, "y": 0}]},
        *([{"name": "one", "count": singles, "cells": [{"x": 0, "y": 0}]}] if singles else []),
    ]
    return {
        "family": "FT",
        "code": "T",
        "board": {"width": width, "height": height, "holes": [[int(x), int(y)] for x, y in holes.split()]},
        "pieces": pieces,
        "goal": {"pieces": "any"},
        "motif": {
            "nodes": [names[one] for one in lies],
            "contacts": [{"between": [int(one[0]), int(one[1])], "along": names[one[2]]} for one in contacts.split()],
        },
        "budget": {"placements": 6, "cost": 6},
    }


# Boards of 3 by 2: three upright dominoes (U), or two lying ones, one on the other, left (L) or right (R) of an upright
# one. A word is told by what lies at its left and right end: v and h.
LYING = "01v 02h 12h"

# name: (instance, how many words have the motif, how many lack it)
BY_HAND = {
    "two lying, one upright": (tiling(3, 2, "hhv", LYING), 2, 1),
    "named in another order": (tiling(3, 2, "vhh", "12v 01h 02h"), 2, 1),
    "three upright": (tiling(3, 2, "vvv", "01h 12h"), 1, 2),
    "a contact too many": (tiling(3, 2, "vvv", "01h 12h 02h"), 0, 3),
    "a contact too few": (tiling(3, 2, "hhv", "01v 02h"), 0, 3),
    "another direction": (tiling(3, 2, "hhv", "01h 02h 12h"), 0, 3),
    "a piece too few": (tiling(3, 2, "hh", "01v"), 0, 3),
    "a piece too many": (tiling(3, 2, "hhvv", LYING), 0, 3),
    "another orientation": (tiling(3, 2, "hho", LYING), 0, 3),
    # A corner of three cells: a domino and a single, in contact along the arm where the single lies; or three singles.
    "a corner": (tiling(2, 2, "ho", "01v", holes="11", singles=3), 1, 2),
    "both directions are two contacts": (tiling(2, 2, "vh", "01h 01v", holes="11", singles=3), 0, 3),
    "nothing to cover": (tiling(1, 1, "", "", holes="00"), 1, 0),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    instance, having, lacking = BY_HAND[name]
    found = [motifs["main"] for motifs in labels("FT", smt, instance).values()]
    assert (found.count(True), found.count(False)) == (having, lacking)


def test_the_motif_of_lying_pieces_is_had_by_those_words() -> None:
    found = labels("FT", smt, tiling(3, 2, "hhv", LYING))
    turns = {tuple(one["turn"] for one in json.loads(word)["placements"]): found[word]["main"] for word in found}
    assert sorted((sum(turn), holds) for turn, holds in turns.items()) == [(1, True), (1, True), (3, False)]


@pytest.mark.parametrize(
    "instance", [showcase("FT"), BY_HAND["two lying, one upright"][0], BY_HAND["a corner"][0]], ids=["FT", "3x2", "2x2"]
)
def test_words_with_and_without(instance: Any) -> None:
    check_partition("FT", instance, predicate)


@pytest.mark.parametrize("seed", range(40))
def test_random_tilings(seed: int) -> None:
    check_labels("FT", smt, WORLDS["FT"].generate(f"smt {seed}"), predicate)


def near(seed: int) -> Any:
    """A board of dominoes and singles whose motif is the contact graph of one of its words, or nearly."""
    stream = random.Random(f"near {seed}")
    holes = stream.choice(("", "00", "11", "20"))
    instance = tiling(3, 3 if holes else 2, "", "", holes=holes, singles=stream.choice((0, 1, 2)) if holes else 0)
    read = WORLDS["FT"].read_instance(instance)
    every = sorted(words("FT", instance))
    if every:
        instance["motif"] = graph_of(read, json.loads(stream.choice(every)))
        if stream.random() < 0.3 and instance["motif"]["contacts"]:
            instance["motif"]["contacts"].pop()
    return instance


def graph_of(instance: Instance, word: Any) -> dict[str, Any]:
    cells = []
    for one in word["placements"]:
        shape = instance.piece[one["piece"]].variants[0, one.get("turn", 0)]
        cells.append({(one["x"] + x, one["y"] + y) for (x, y), _ in shape.cells})
    found = []
    for i, part in enumerate(cells):
        for j, other in enumerate(cells[:i]):
            for along, (right, down) in (("horizontal", (1, 0)), ("vertical", (0, 1))):
                moved = {(x + right, y + down) for x, y in part} | {(x - right, y - down) for x, y in part}
                found += [{"between": [i, j], "along": along}] if moved & other else []
    return {"nodes": [orientation(part) for part in cells], "contacts": found}


@pytest.mark.parametrize("seed", range(12))
def test_tilings_near_the_motif(seed: int) -> None:
    check_labels("FT", smt, near(seed), predicate)


def test_tilings_near_the_motif_have_it_and_lack_it() -> None:
    mixed = [{motifs["main"] for motifs in expected("FT", near(seed), predicate).values()} for seed in range(12)]
    assert mixed.count({True, False}) >= 4


@pytest.mark.parametrize("seed", range(4))
def test_requested_moves(seed: int) -> None:
    check_moves("FT", tiling(3, 3, "", "", holes="11", singles=2), f"moves {seed}")


def test_a_turn_that_no_word_names_is_in_no_word() -> None:
    """A domino turned twice lies as before, and a word names the least turn."""
    instance = tiling(2, 1, "h", "")
    (word,) = words("FT", instance)
    (move,) = moves_of(word)
    assert words("FT", instance, required=(move,)) == {word: 1}
    assert words("FT", instance, required=({**move, "turn": 2},)) == {}
    assert words("FT", instance, forbidden=({**move, "turn": 2},)) == {word: 1}


def test_mutants() -> None:
    check_mutants("FT", smt, "main", tiling(3, 2, "hhv", LYING), predicate)


# a part of the motif: what it says instead, and an instance whose words change their motif by it
PARTS = {
    "_agree": ("a contact too many", lambda *_: []),
    "_orientation": ("two lying, one upright", lambda _: "other"),
    "_ordered": ("named in another order", lambda motif, _: (motif.orientations, frozenset(motif.contacts))),
}


@pytest.mark.parametrize("part", PARTS)
def test_no_part_is_idle(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, mutant = PARTS[part]
    instance = BY_HAND[name][0]
    right = expected("FT", instance, predicate)
    monkeypatch.setattr(smt, part, mutant)
    assert labels("FT", smt, instance) != right
