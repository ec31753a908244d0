"""Motifs by every route, on random instances and on neighbours of the showcases: the words that lack and have each one.

A new world or motif is tested without a word here; an entry in `motif_neighbours` makes motifs come and go more often.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from inline_crew import Inline
from motif_neighbours import NEIGHBOUR, neighbour

from cwr_audits.late import READERS
from cwr_audits.motifs import MOTIFS
from cwr_audits.readings import agreeing
from cwr_audits.readings.agreeing import AGREES, constancy
from cwr_audits.readings.by_graph import listed
from cwr_audits.routes import limits
from cwr_audits.subject import Subject, from_json
from cwr_solvers.catalogue import WORLDS

WITHIN = limits(60.0)
RANDOM = 2
NEIGHBOURS = 3
FEWER = {"BC": 1, "TP": 2}  # a search, or a solver, takes a second for each there
MOST_WORDS = 60


@cache
def crew() -> Any:
    return Inline(READERS)


def instances(family: str) -> list[Subject]:
    """Random instances and neighbours of the showcase."""
    random = [from_json(WORLDS[family].generate(f"readings/{number}")) for number in range(RANDOM)]
    most = FEWER.get(family, NEIGHBOURS) if family in NEIGHBOUR else 0
    return random + [neighbour(family, 1000 + number) for number in range(most)]


@pytest.mark.parametrize("family", WORLDS)
def test_routes_agree_on_random_instances_and_neighbours(family: str) -> None:
    compared = 0
    for one in instances(family):
        listing = listed(one.world, one.instance, 100_000)
        if not 0 < len(listing.words) <= MOST_WORDS:
            continue
        for motif in MOTIFS[family]:
            assert constancy("", listing, motif) == ()
            found = agreeing.compare(motif, listing, agreeing.ask(crew(), one, motif, listing, WITHIN))
            assert found.differences == (), one.source
            assert found.routes["clauses"] == {"lacking": AGREES}
            compared += 1
    assert compared > 0


# docs/disagreements.md, nos. 2 and 3: in the orders of one multiset of actions, tokens can be told apart in some only
POLISHED: dict[str, Any] = {
    "family": "TW",
    "code": "TW-polished",
    "places": ["ore", "flux", "catalyst", "blank", "coated", "widget"],
    "initial": {"blank": 1, "catalyst": 2, "flux": 1, "ore": 1},
    "recipes": [
        {"name": "smelt", "consume": {"ore": 1}, "read": {"catalyst": 1}, "produce": {"blank": 1}},
        {"name": "coat", "consume": {"blank": 1, "flux": 1}, "read": {"catalyst": 1}, "produce": {"coated": 1}},
        {"name": "rivet", "consume": {"blank": 1, "coated": 1}, "read": {"catalyst": 1}, "produce": {"widget": 1}},
        {"name": "polish", "consume": {"blank": 1}, "produce": {"blank": 1}},
    ],
    "throughout": {},
    "goal": {"places": {"widget": {"min": 1}}},
    "budget": {"actions": 4, "cost": 4},
}
SCRAPED: dict[str, Any] = {
    **POLISHED,
    "initial": {"blank": 1, "catalyst": 1, "flux": 2, "ore": 1},
    "recipes": [*POLISHED["recipes"][:3], {"name": "scrape", "consume": {"coated": 1}, "produce": {"blank": 1}}],
    "budget": {"actions": 5, "cost": 5},
}


@pytest.mark.parametrize("source", [POLISHED, SCRAPED], ids=["polished", "scraped"])
def test_orders_of_the_same_actions_have_the_motif_together(source: dict[str, Any]) -> None:
    one = from_json(source)
    listing = listed(one.world, one.instance, 1000)
    asked = agreeing.compare("main", listing, agreeing.ask(crew(), one, "main", listing, WITHIN))
    assert asked.differences == ()
    longest = max(len(json.loads(word)["actions"]) for word in listing.words)
    orders = [word for word in listing.words if len(json.loads(word)["actions"]) == longest]
    assert len(orders) >= 5
    assert listing.lacking("main").issuperset(orders)


# without places no token flows, and every motif on flows is lacking; the encodings then have no source to speak of
PLACELESS: dict[str, Any] = {
    "family": "TW",
    "code": "TW-placeless",
    "places": [],
    "initial": {},
    "recipes": [{"name": "wait"}, {"name": "rest"}],
    "throughout": {},
    "goal": {},
    "budget": {"actions": 3, "cost": 3},
}


def test_a_workshop_without_places_lacks_the_motif_by_every_route() -> None:
    one = from_json(PLACELESS)
    listing = listed(one.world, one.instance, 1000)
    found = agreeing.compare("main", listing, agreeing.ask(crew(), one, "main", listing, WITHIN))
    assert found.differences == ()
    assert listing.lacking("main") == frozenset(listing.words)
    assert found.routes["cpsat"]["lacking"] == found.routes["smt"]["lacking"] == AGREES
