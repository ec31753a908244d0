"""The motifs of BC in the SMT encoding, against a predicate written here from the rule book."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest
from smt_motif_checks import (
    check_labels,
    check_moves,
    check_mutants,
    check_partition,
    moves_of,
    showcase,
    words,
)

from cwr_encodings.bc import smt
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.worlds.bc.instance import Instance


def predicate(instance: Instance, word: Any) -> dict[str, bool]:
    """All four, by trying all gates for X, Y and E."""
    reads = {gate["id"]: list(gate["inputs"]) for gate in word["gates"]}
    ops = {gate["id"]: gate["op"] for gate in word["gates"]}
    o = word["output"] if instance.single else None
    if o not in reads:
        return dict.fromkeys(smt.MOTIFS, False)
    cones = {pin: {pin} for pin in instance.pins}
    for gate, inputs in reads.items():
        cones[gate] = {gate}.union(*(cones[one] for one in inputs))
    pins = set(instance.pins)
    shapes, mid = [], False
    for x, y, e in permutations(reads, 3):
        if y in reads[e] and set(reads[e]) & pins and sorted(reads[o]) == sorted((x, e)):
            (z,) = set(reads[e]) & pins
            if set(reads[x]) == set(reads[y]) and len(set(reads[x])) == 2 and set(reads[x]) <= pins - {z}:
                shapes.append((ops[x], ops[y], ops[e], ops[o]))
            apart = not (cones[x] & cones[e]) - pins
            mid |= apart and bool(cones[x] & cones[y] & pins) and z not in cones[x] | cones[y]
    first, second = reads[o]
    return {
        "shape": bool(shapes),
        "typed": instance.motif in shapes,
        "mid": mid,
        "weak": bool(cones[first] & cones[second]),
    }


def circuit(goal: str, gates: int, pins: str = "abc", ops: str = "and or xor", **more: Any) -> dict[str, Any]:
    """A task with a wanted vector, a number of gates and operators."""
    tables = {"and": [0, 0, 0, 1], "or": [0, 1, 1, 1], "xor": [0, 1, 1, 0], "but": [0, 0, 1, 0]}
    return {
        "family": "BC",
        "code": "T",
        "pins": list(pins),
        "operators": [{"name": name, "table": tables[name]} for name in ops.split()],
        "goal": {"output": [int(bit) for bit in goal]},
        "budget": {"gates": gates, "cost": gates},
        **more,
    }


MAJORITY = "00010111"
TYPED = ["and", "xor", "and", "or"]
ONE = circuit("00010101", 3, motif=TYPED)  # c and (a or b); among others (a and c) or (b and c)

# name: (instance, gates as "operator first second", the motifs of the circuit of these gates whose output is the last)
BY_HAND = {
    "majority": (
        circuit(MAJORITY, 4, motif=TYPED),
        "and a b, xor a b, and c g1, or g0 g2",
        "shape typed mid weak",
    ),
    "other operators": (circuit(MAJORITY, 4, motif=TYPED), "and a b, or a b, and c g1, or g0 g2", "shape mid weak"),
    "no operators named": (circuit(MAJORITY, 4), "and a b, xor a b, and c g1, or g0 g2", "shape mid weak"),
    "another order": (
        circuit(MAJORITY, 4, motif=TYPED),
        "xor a b, and c g0, and a b, or g1 g2",
        "shape typed mid weak",
    ),
    # X and Y share no pin; that E reads a pin of X makes its branches depend on a common one.
    "apart but for z": (circuit("0000000000000111", 4, "abcd"), "and a b, or c d, and b g1, and g0 g2", "weak"),
    "one common pin": (circuit("0000000000000101", 4, "abcd"), "and a b, or a c, and d g1, and g0 g2", "mid weak"),
    # z is a pin of X and Y.
    "no third pin": (circuit("00010001", 4), "and b c, or b c, and b g1, and g0 g2", "weak"),
    "a common gate": (circuit("00011111", 4), "or a b, and a g0, and c g0, or g1 g2", "weak"),
    "X reads one pin twice": (circuit("00000011", 4), "and a a, and a a, and b g1, and g0 g2", "mid weak"),
    "no E": (circuit("0001000100011111", 3, "abcd"), "and a b, and c d, or g0 g1", ""),
    "one signal twice": (circuit("0101", 1, "ab"), "and b b", "weak"),
    "a gate and its input": (circuit("0001", 2, "ab"), "and a b, and a g0", "weak"),
    "apart": (circuit("0001", 1, "ab"), "and a b", ""),
    "several outputs": (
        circuit("", 4, motif=TYPED) | {"goal": {"outputs": {"one": [int(bit) for bit in MAJORITY]}}},
        "and a b, xor a b, and c g1, or g0 g2",
        "",
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    instance, text, motifs = BY_HAND[name]
    parts = [one.split() for one in text.split(", ")]
    gates = tuple({"id": f"g{n}", "op": op, "inputs": inputs} for n, (op, *inputs) in enumerate(parts))

    def has(**asked: Any) -> bool:
        found = [json.loads(word) for word in words("BC", instance, required=gates, **asked)]
        return any(word.get("output", gates[-1]["id"]) == gates[-1]["id"] for word in found)

    assert has()
    having = {motif for motif in smt.MOTIFS if has(having=(motif,))}
    lacking = {motif for motif in smt.MOTIFS if has(lacking=(motif,))}
    assert (having, lacking) == (set(motifs.split()), set(smt.MOTIFS) - set(motifs.split()))


@pytest.mark.parametrize("instance", [showcase("BC"), ONE], ids=["showcase", "three gates"])
def test_words_with_and_without(instance: Any) -> None:
    check_partition("BC", instance, predicate)


@pytest.mark.parametrize("seed", range(30))
def test_random_circuits(seed: int) -> None:
    check_labels("BC", smt, WORLDS["BC"].generate(f"smt {seed}"), predicate)


@pytest.mark.parametrize("seed", range(2))
def test_requested_moves(seed: int) -> None:
    check_moves("BC", (showcase("BC"), ONE)[seed], f"moves {seed}")


def test_inputs_in_an_order_that_no_word_has() -> None:
    """A word has the inputs of a symmetric operator sorted."""
    instance = circuit("0001", 1, "ab")
    (word,) = words("BC", instance)
    (gate,) = moves_of(word)
    turned = {**gate, "inputs": gate["inputs"][::-1]}
    assert words("BC", instance, required=(gate,), forbidden=(turned,)) == {word: 1}
    assert words("BC", instance, required=(turned,)) == {}


@pytest.mark.parametrize("motif", ["shape", "typed", "mid"])
def test_mutants(motif: str) -> None:
    check_mutants("BC", smt, motif, showcase("BC"), predicate)


def test_mutants_of_weak() -> None:
    check_mutants("BC", smt, "weak", circuit("0001", 2, "ab", ops="and"), predicate)
