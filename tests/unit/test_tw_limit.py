"""TW near 2^53, the most tokens that a place may hold: rule, normal form, and all routes on random workshops."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cwr_certificates.catalogue import STATEMENTS
from cwr_certificates.prover import enumerate_words
from cwr_encodings.tw import cpsat as in_integers
from cwr_encodings.tw import smt as in_bits
from cwr_solvers.answers import Claim, Limits
from cwr_solvers.backends import cpsat, smt
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.jsontext import LARGEST
from cwr_solvers.search import words
from cwr_solvers.symmetry import text
from cwr_solvers.world import Broken

TW = WORLDS["TW"]
LIMITS = Limits(60, 1000)


def workshop(**changes: Any) -> dict[str, Any]:
    return {
        "family": "TW",
        "code": "TW-LIMIT",
        "places": ["a", "b"],
        "initial": {"a": 1},
        "recipes": [
            {"name": "most", "consume": {"a": 1}, "produce": {"a": LARGEST}},
            {"name": "more", "produce": {"a": 1}},
        ],
        "throughout": {},
        "goal": {},
        "budget": {"actions": 3, "cost": 3},
        **changes,
    }


def test_a_place_holds_at_most_two_to_the_53() -> None:
    instance = TW.read_instance(workshop())
    full = TW.step(instance, TW.initial(instance), "most")
    assert full.counts == (LARGEST, 0)
    beyond = TW.step(instance, full, "more")
    assert isinstance(beyond, Broken)
    assert beyond.rules == ("R2",)
    assert str(LARGEST) in beyond.faults[0].needed


def test_no_state_is_written_that_cannot_be_read() -> None:
    instance = TW.read_instance(workshop())
    state = TW.read_state(instance, {"counts": {"a": LARGEST, "b": LARGEST}, "steps": 0, "cost": 0})
    for name in ("most", "more"):
        assert TW.step(instance, state, name).rules == ("R2",)


def test_the_limit_is_not_spelled_out_in_the_normal_form() -> None:
    plain = TW.read_instance(workshop())
    spelled = TW.read_instance(workshop(throughout={"places": {"a": {"max": LARGEST}, "b": {"min": 0}}}))
    assert TW.write_instance(plain) == TW.write_instance(spelled)
    assert TW.write_instance(plain)["throughout"] == {"places": {}, "total": {"min": 0}}
    floor = TW.read_instance(workshop(throughout={"places": {"a": {"min": 1}}}))
    assert TW.write_instance(floor)["throughout"]["places"] == {"a": {"min": 1}}
    ends = TW.read_instance(workshop(goal={"places": {"a": {"max": LARGEST}}}))
    assert TW.write_instance(ends)["goal"]["places"] == {"a": {"min": 0, "max": LARGEST}}


def drawn(draws: Random) -> dict[str, Any]:
    """A workshop whose counts and weights are small, near 2^53 or near its half."""

    def weight() -> int:
        return draws.choice((1, 2, LARGEST // 2, LARGEST // 2 + 1, LARGEST - 1, LARGEST))

    def some() -> dict[str, int]:
        return {place: weight() for place in ("a", "b") if draws.random() < 0.5}

    recipes = [{"name": name, "consume": some(), "produce": some()} for name in "xyz"]
    least = draws.choice((0, 1, LARGEST // 2, LARGEST))
    return workshop(initial=some(), recipes=recipes, goal={"places": {"a": {"min": least}}})


@pytest.mark.parametrize("seed", range(12))
def test_all_routes_agree_near_the_limit(seed: int) -> None:
    draws = Random(seed)
    while True:
        instance = TW.read_instance(drawn(draws))
        found = {text(TW, instance, word) for word in words(TW, instance)}
        if found:
            break
    assert set(enumerate_words(STATEMENTS["TW"], instance, LIMITS).words) == found
    assert set(cpsat.solve(lambda model: in_integers.build(model, instance, Claim()), LIMITS).words) == found
    assert set(smt.solve(lambda model: in_bits.build(model, instance, Claim()), LIMITS).words) == found
