"""The literals of motifs and moves in CP-SAT on many random instances.

Each instance is asked once, with the literals of all motifs and of some moves among the decisions. What they say of a
word is held against the predicates, which try everything, and against the moves of the word; a word that came twice
would show that a literal does not follow from the word.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from ortools.sat.python.cp_model import CpModel
from unit.cpsat_motif_predicates import PREDICATES
from unit.cpsat_motif_samples import (
    FAMILIES,
    SEEDS,
    all_words,
    instance_of,
    module_of,
    motifs_of,
    moves,
)

from cwr_solvers.answers import Claim, Limits
from cwr_solvers.backends import cpsat
from cwr_solvers.backends.cpsat import Encoding
from cwr_solvers.jsontext import Json, canonical


def told(
    family: str, instance: Any, motifs: list[str], some_moves: list[Json], patch: pytest.MonkeyPatch
) -> list[tuple[bytes, list[bool]]]:
    """Every word with what the literals of these motifs and moves say of it; a word twice where they are not fixed."""
    literals: list[Any] = []

    def record(_model: Any, claim: Claim, motif: Any, occurs: Any) -> None:
        literals[:] = [*(motif(name) for name in claim.having), *(occurs(move) for move in claim.required)]

    def build(model: CpModel) -> Encoding:
        made = module_of(family).build(model, instance, Claim(having=tuple(motifs), required=tuple(some_moves)))
        decode = made.decode
        return replace(
            made,
            decisions=(*made.decisions, *literals),
            decode=lambda value_of: [decode(value_of), [bool(value_of(one)) for one in literals]],
        )

    patch.setattr(module_of(family), "meet", record)
    found = [json.loads(one) for one in cpsat.solve(build, Limits(120, 20_000)).words]
    return [(canonical(word), said) for word, said in found]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_literals_say_of_each_word_what_is_true(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    motifs, seen = motifs_of(family), set()
    for seed in [None, *SEEDS]:
        instance, found = instance_of(family, seed), all_words(family, seed)
        some_moves = [move for word in sorted(found)[:2] for move in moves(family, instance, word)]
        due = {
            word: [PREDICATES[family, motif](instance, json.loads(word)) for motif in motifs]
            + [move in moves(family, instance, word) for move in some_moves]
            for word in found
        }
        assert sorted(told(family, instance, motifs, some_moves, monkeypatch)) == sorted(due.items())
        seen |= {(motif, holds) for said in due.values() for motif, holds in zip(motifs, said, strict=False)}
    assert seen == {(motif, holds) for motif in motifs for holds in (True, False)}
