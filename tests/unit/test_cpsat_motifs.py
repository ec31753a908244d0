"""Motifs and moves that a claim asks of the CP-SAT encodings.

Claims are asked of the showcases and of some random instances, and must part the words without a rest. Examples told by
hand say what each part of a motif asks. What the literals say on many instances: test_cpsat_motif_literals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from ortools.sat.python.cp_model import CpModel
from unit.cpsat_motif_examples import EXAMPLES, Example, changed
from unit.cpsat_motif_predicates import PREDICATES
from unit.cpsat_motif_samples import (
    FAMILIES,
    MOTIFS,
    SEEDS,
    SHOWCASES,
    UNIVERSAL,
    all_words,
    containing,
    holding,
    instance_of,
    module_of,
    motifs_of,
    moves,
    normal,
    words,
)

from cwr_encodings.cpsat_catalogue import CPSAT
from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.jsontext import Json, canonical

FEW = ["0", "1"]


def test_every_motif_of_a_rule_book_has_a_predicate() -> None:
    assert {(family, motif) for family in FAMILIES for motif in module_of(family).MOTIFS} == set(PREDICATES)


@pytest.mark.parametrize("seed", [None, *FEW])
@pytest.mark.parametrize(("family", "motif"), [one for one in MOTIFS if one not in UNIVERSAL])
def test_having_and_lacking_part_the_words(family: str, motif: str, seed: str | None) -> None:
    instance, found = instance_of(family, seed), all_words(family, seed)
    having, lacking = (words(family, instance, Claim(**{part: (motif,)})) for part in ("having", "lacking"))
    assert set(having) == holding(family, motif, instance, found)
    assert {**having, **lacking} == found
    assert not having.keys() & lacking.keys()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: f"{one.family} {one.why}")
def test_examples_told_by_hand(example: Example) -> None:
    family, showcase = example.family, SHOWCASES[example.family]
    instance = WORLDS[family].read_instance(changed(showcase.instance, example.edits))
    word = normal(family, instance, {**showcase.witness, **example.word})
    own = Claim(required=tuple(moves(family, instance, canonical(word))))
    for motif, holds in example.holds.items():
        assert PREDICATES[family, motif](instance, word) is holds
        assert (canonical(word) in words(family, instance, replace(own, lacking=(motif,)))) is not holds
        if (family, motif) not in UNIVERSAL:
            assert (canonical(word) in words(family, instance, replace(own, having=(motif,)))) is holds


def test_every_motif_has_examples_of_both_kinds() -> None:
    told = {(one.family, motif, holds) for one in EXAMPLES for motif, holds in one.holds.items()}
    assert told == {(*key, holds) for key in PREDICATES for holds in (True, False)}


@pytest.mark.parametrize(("family", "motif"), UNIVERSAL)
def test_words_that_some_choice_shows_to_lack_a_motif(family: str, motif: str) -> None:
    sizes = set()
    for seed in [None, *SEEDS]:
        instance, found = instance_of(family, seed), all_words(family, seed)
        due = found.keys() - holding(family, motif, instance, found)
        assert words(family, instance, Claim(lacking=(motif,))) == {word: found[word] for word in due}
        sizes.add((bool(due), len(due) < len(found)))
    assert {(True, False), (False, True)} <= sizes


@pytest.mark.parametrize("seed", [6, 24])
def test_words_of_workshops_in_which_tokens_are_alike(seed: int) -> None:
    """Random changes of the showcase. In one a word shows the motif always, another word under some assignment not."""
    draws, parted = Random(seed), 0
    for _ in range(10):
        instance = WORLDS["TW"].read_instance(changed(SHOWCASES["TW"].instance, workshop(draws)))
        found = words("TW", instance, Claim())
        due = found.keys() - holding("TW", "main", instance, found)
        assert words("TW", instance, Claim(lacking=("main",))).keys() == due
        parted += 0 < len(due) < len(found)
    assert parted == 1


def workshop(draws: Random) -> dict[str, Any]:
    """Other counts, weights, products and readings."""
    consume = ({"ore": 1}, {"blank": 1, "flux": 1}, {"blank": 1, "coated": 1})
    edits: dict[str, Any] = {"/throughout": {}, "/goal": {"places": {"widget": {"min": 1}}}, "/budget/actions": 5}
    edits["/budget/cost"] = 5
    for place, most in (("ore", 3), ("flux", 2), ("blank", 1), ("coated", 1)):
        edits[f"/initial/{place}"] = int(draws.random() * (most + 1))
    for number, weights in enumerate(consume):
        edits[f"/recipes/{number}/consume"] = {place: 1 + (draws.random() < 0.1) for place in weights}
        if draws.random() < 0.2:
            edits[f"/recipes/{number}/produce/flux"] = 1
        if draws.random() < 0.2:
            edits[f"/recipes/{number}/read"] = {}
    return edits


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
    word = canonical(normal(family, instance, SHOWCASES[family].witness))
    every = moves(family, instance, word)
    claim = Claim(found[word], having=tuple(motifs_of(family)), required=tuple(every))
    due = {one for one in found if all(move in moves(family, instance, one) for move in every)}
    assert words(family, instance, claim).keys() == due
    assert word in due
    assert words(family, instance, replace(claim, most_cost=found[word] - 1)) == {}


# Moves that no word has, although they can be read: each is absent, none is malformed.
ABSENT: Mapping[str, Json] = {
    "BC": {"id": "g0", "op": "AND", "inputs": ["b", "a"]},
    "CO": "A",
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


@pytest.mark.parametrize(
    ("claim", "can", "cannot"),
    [
        (Claim(3, ("a",), ("b",)), (("a",), ("b",), False), (("b",), ("a",), False)),
        (Claim(None, (), (), ("x",), ("y",)), ((), (), True), ((), (), False)),
    ],
)
def test_what_a_build_can_post_is_not_refused(claim: Claim, can: Any, cannot: Any) -> None:
    def refused(having: tuple[str, ...], lacking: tuple[str, ...], moves: bool) -> bool:
        try:
            refuse_unsupported(claim, having, lacking, moves=moves)
        except Undecided:
            return True
        return False

    assert (refused(*can), refused(*cannot)) == (False, True)


@pytest.mark.parametrize("spoil", ["negated", "dropped"])
@pytest.mark.parametrize(("family", "motif"), MOTIFS)
def test_a_spoilt_motif_shows(family: str, motif: str, spoil: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words without the motif are found although every word has it, or other words than before."""
    instance, found = instance_of(family, None), all_words(family, None)
    due = found.keys() - holding(family, motif, instance, found)
    right = module_of(family).MOTIFS[motif]

    def wrong(model: CpModel, *rest: Any) -> Any:
        literal = right(model, *rest)
        return literal.negated() if spoil == "negated" else model.new_constant(0)

    monkeypatch.setattr(module_of(family), "MOTIFS", {**module_of(family).MOTIFS, motif: wrong})
    assert words(family, instance, Claim(lacking=(motif,))).keys() != due
