"""What a claim may ask of the SMT encodings: the motifs of each family, and moves of its own."""

from __future__ import annotations

from typing import Any

import pytest
import z3
from smt_motif_checks import showcase, words

from cwr_encodings.smt_catalogue import SMT, SMT_MOTIFS
from cwr_solvers.answers import Claim
from cwr_solvers.backends.smt import Model
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import MalformedInput, Undecided

READINGS = {"BC": {"shape", "typed", "mid", "weak"}, "RS": {"overlap", "crossed", "strict", "full"}}


@pytest.mark.parametrize("family", SMT)
def test_every_reading_is_there(family: str) -> None:
    assert set(SMT_MOTIFS[family]) == READINGS.get(family, {"main"})


@pytest.mark.parametrize("family", SMT)
@pytest.mark.parametrize("field", ["having", "lacking"])
def test_an_unknown_motif_is_undecided(family: str, field: str) -> None:
    with pytest.raises(Undecided) as caught:
        words(family, showcase(family), **{field: ("none",)})
    assert caught.value.reason == "unsupported"


@pytest.mark.parametrize("family", SMT)
@pytest.mark.parametrize("field", ["required", "forbidden"])
@pytest.mark.parametrize("move", ["none", {"op": "none"}, None])
def test_what_is_no_move_is_malformed(family: str, field: str, move: Any) -> None:
    with pytest.raises(MalformedInput):
        words(family, showcase(family), **{field: (move,)})


@pytest.mark.parametrize("family", SMT)
def test_what_is_not_asked_is_not_built(family: str) -> None:
    """Nothing is posted for a claim that asks for nothing, so that plain questions stay as quick as they are."""
    instance = WORLDS[family].read_instance(showcase(family))
    plain, asking = Model(z3.Context(), float("inf")), Model(z3.Context(), float("inf"))
    SMT[family](plain, instance, Claim())
    SMT[family](asking, instance, Claim(lacking=SMT_MOTIFS[family]))
    assert not [rule for rule, _ in plain.posted if rule == "claim"]
    assert len([rule for rule, _ in asking.posted if rule == "claim"]) == len(SMT_MOTIFS[family])
