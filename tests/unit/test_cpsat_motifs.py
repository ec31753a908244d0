"""Motifs and moves that a claim asks of the CP-SAT encodings.

Random instances are asked once, with the literals of all motifs and moves among the decisions; what they say of each
word is held against the predicates, which try everything, and against the moves of the word. Claims are asked of the
showcases and of some instances, and must part the words without a rest.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from ortools.sat.python.cp_model import CpModel
from unit.cpsat_motif_predicates import PREDICATES

from cwr_encodings.cpsat_catalogue import CPSAT
from cwr_solvers.answers import Claim, Limits, refuse_unsupported
from cwr_solvers.backends import cpsat
from cwr_solvers.backends.cpsat import Encoding
from cwr_solvers.catalogue import WORLDS, read_showcases
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.jsontext import Json, canonical

LIMITS = Limits(120, 5000)
SHOWCASES = {
    one.family: one
    for one in read_showcases((Path(__file__).parents[2] / "fixtures" / "showcase-index.json").read_bytes())
}
FAMILIES = sorted(CPSAT)
SEEDS = [str(number) for number in range(60)]
FEW = [str(number) for number in range(4)]
MOTIFS = sorted(PREDICATES)
# Where a motif must be shown by every choice of something free, an encoding can deny it only.
UNIVERSAL = [("TW", "main")]


def module_of(family: str) -> ModuleType:
    return sys.modules[CPSAT[family].__module__]


@cache
def instance_of(family: str, seed: str | None) -> Any:
    """The instance of a seed; the showcase without one."""
    return WORLDS[family].read_instance(SHOWCASES[family].instance if seed is None else WORLDS[family].generate(seed))


def words(family: str, instance: Any, claim: Claim) -> dict[bytes, int]:
    return dict(cpsat.solve(lambda model: CPSAT[family](model, instance, claim), LIMITS).words)


@cache
def all_words(family: str, seed: str | None) -> Mapping[bytes, int]:
    return words(family, instance_of(family, seed), Claim())


def moves(family: str, instance: Any, word: bytes) -> list[Json]:
    world = WORLDS[family]
    submission = world.read_submission(instance, json.loads(word))
    return [world.write_move(instance, move) for move in submission.moves]


def holding(family: str, motif: str, instance: Any, found: Mapping[bytes, int]) -> set[bytes]:
    return {word for word in found if PREDICATES[family, motif](instance, json.loads(word))}


def containing(family: str, instance: Any, found: Mapping[bytes, int], move: Json) -> set[bytes]:
    return {word for word in found if move in moves(family, instance, word)}


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


def motifs_of(family: str) -> list[str]:
    return [motif for other, motif in MOTIFS if other == family and (other, motif) not in UNIVERSAL]


def asked(family: str) -> Iterator[Any]:
    yield None
    yield from SEEDS


def test_every_motif_of_a_rule_book_has_a_predicate() -> None:
    assert {(family, motif) for family in FAMILIES for motif in module_of(family).MOTIFS} == set(PREDICATES)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_literals_say_of_each_word_what_is_true(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    motifs, seen = motifs_of(family), set()
    for seed in asked(family):
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


@pytest.mark.parametrize("seed", [None, *FEW])
@pytest.mark.parametrize(("family", "motif"), [one for one in MOTIFS if one not in UNIVERSAL])
def test_having_and_lacking_part_the_words(family: str, motif: str, seed: str | None) -> None:
    instance, found = instance_of(family, seed), all_words(family, seed)
    having, lacking = (words(family, instance, Claim(**{part: (motif,)})) for part in ("having", "lacking"))
    assert set(having) == holding(family, motif, instance, found)
    assert {**having, **lacking} == found
    assert not having.keys() & lacking.keys()


@pytest.mark.parametrize(("family", "motif"), UNIVERSAL)
def test_words_that_some_choice_shows_to_lack_a_motif(family: str, motif: str) -> None:
    sizes = set()
    for seed in asked(family):
        instance, found = instance_of(family, seed), all_words(family, seed)
        due = found.keys() - holding(family, motif, instance, found)
        assert words(family, instance, Claim(lacking=(motif,))) == {word: found[word] for word in due}
        sizes.add((bool(due), len(due) < len(found)))
    assert {(True, False), (False, True)} <= sizes


@pytest.mark.parametrize(("family", "motif"), UNIVERSAL)
def test_a_motif_that_every_choice_must_show_is_not_posted(family: str, motif: str) -> None:
    with pytest.raises(Undecided) as caught:
        words(family, instance_of(family, None), Claim(having=(motif,)))
    assert (caught.value.reason, caught.value.detail[-len(motif) :]) == ("unsupported", motif)


@pytest.mark.parametrize("seed", [None, *FEW])
@pytest.mark.parametrize("family", FAMILIES)
def test_required_and_forbidden_moves_part_the_words(family: str, seed: str | None) -> None:
    instance, found = instance_of(family, seed), all_words(family, seed)
    for move in [move for word in sorted(found)[:1] for move in moves(family, instance, word)][:3]:
        due = containing(family, instance, found, move)
        assert words(family, instance, Claim(required=(move,))).keys() == due
        assert words(family, instance, Claim(forbidden=(move,))).keys() == found.keys() - due
        assert words(family, instance, Claim(required=(move,), forbidden=(move,))) == {}


@pytest.mark.parametrize("family", FAMILIES)
def test_requests_hold_together(family: str) -> None:
    """All moves of the witness leave the words that have them all; the motif and a cost are asked at the same time."""
    instance, found = instance_of(family, None), all_words(family, None)
    world = WORLDS[family]
    witness = world.normal(instance, world.read_submission(instance, SHOWCASES[family].witness))
    word = canonical(world.write_submission(instance, witness))
    every = moves(family, instance, word)
    claim = Claim(found[word], having=tuple(motifs_of(family)), required=tuple(every))
    due = {one for one in found if all(move in moves(family, instance, one) for move in every)}
    assert words(family, instance, claim).keys() == due
    assert word in due
    assert words(family, instance, replace(claim, most_cost=found[word] - 1)) == {}


# Moves that no word has, although they can be read: each is absent, none is malformed.
ABSENT: Mapping[str, Json] = {
    "BC": {"id": "g0", "op": "AND", "inputs": ["b", "a"]},
    "FT": {"piece": "A", "x": 900, "y": 0},
    "KL": {"op": "drop", "arg": "k1"},
    "PA": {"from": "K.s", "to": "K.s"},
    "PS": None,
    "RS": {"job": "A", "start": 5},
    "TP": {"op": "decode", "args": ["input"], "out": ["v1", "v0"]},
    "TW": None,
}


@pytest.mark.parametrize(("family", "move"), [(family, move) for family, move in ABSENT.items() if move is not None])
def test_a_move_that_no_word_has_is_absent(family: str, move: Json) -> None:
    instance, found = instance_of(family, None), all_words(family, None)
    WORLDS[family].read_move(instance, move)
    assert words(family, instance, Claim(required=(move,))) == {}
    assert words(family, instance, Claim(forbidden=(move,))) == found


@pytest.mark.parametrize(
    "move", [{"op": "tag", "args": ["v0", "v0"], "out": ["v1"]}, {"op": "tag", "args": [], "out": []}]
)
def test_a_step_with_other_lists_is_absent(move: Json) -> None:
    assert words("TP", instance_of("TP", None), Claim(required=(move,))) == {}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("part", ["required", "forbidden"])
@pytest.mark.parametrize("move", [None, "nobody", {"op": "move"}, 7])
def test_a_move_that_cannot_be_read_is_malformed(family: str, part: str, move: Json) -> None:
    with pytest.raises(MalformedInput):
        CPSAT[family](CpModel(), instance_of(family, None), Claim(**{part: (move,)}))  # type: ignore[arg-type]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("part", ["having", "lacking"])
def test_an_unknown_motif_is_never_ignored(family: str, part: str) -> None:
    with pytest.raises(Undecided) as caught:
        CPSAT[family](CpModel(), instance_of(family, None), Claim(**{part: ("nothing",)}))  # type: ignore[arg-type]
    assert caught.value.reason == "unsupported"


@pytest.mark.parametrize(
    ("claim", "named"),
    [
        (Claim(having=("a", "b")), "having b"),
        (Claim(lacking=("a",)), "lacking a"),
        (Claim(required=("x",)), "required"),
        (Claim(having=("c",), forbidden=("x",)), "having c, forbidden"),
    ],
)
def test_what_a_build_cannot_post_is_refused(claim: Claim, named: str) -> None:
    with pytest.raises(Undecided) as caught:
        refuse_unsupported(claim, ("a",), ("b",), moves=False)
    assert caught.value.reason == "unsupported"
    assert caught.value.detail.endswith(f": {named}")


def test_what_a_build_can_post_is_not_refused() -> None:
    refuse_unsupported(Claim(3, ("a",), ("b",)), ("a",), ("b",), moves=False)
    refuse_unsupported(Claim(None, (), (), ("x",), ("y",)), (), (), moves=True)


@pytest.mark.parametrize("spoil", ["negated", "dropped"])
@pytest.mark.parametrize(("family", "motif"), MOTIFS)
def test_a_spoilt_motif_shows(family: str, motif: str, spoil: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words without the motif are found although every word has it, or other words than before."""
    seed = SPOILT[family, motif]
    instance, found = instance_of(family, seed), all_words(family, seed)
    due = found.keys() - holding(family, motif, instance, found)
    assert words(family, instance, Claim(lacking=(motif,))).keys() == due
    right = module_of(family).MOTIFS[motif]

    def wrong(model: CpModel, *rest: Any) -> Any:
        literal = right(model, *rest)
        return literal.negated() if spoil == "negated" else model.new_constant(0)

    monkeypatch.setattr(module_of(family), "MOTIFS", {**module_of(family).MOTIFS, motif: wrong})
    assert words(family, instance, Claim(lacking=(motif,))).keys() != due


# An instance a motif of which some words have it: the showcase.
SPOILT: Mapping[tuple[str, str], str | None] = dict.fromkeys(PREDICATES)
