"""The sources of F and C, all of them: what is said of them is so, by more than one route.

Each check is a function that lists complaints, and is held against sources in which its fault was planted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from cwr_audits.engines import cnf, cpsat, interpreter
from cwr_audits.packs.audits.cases import base_of
from cwr_audits.packs.audits.motif import holding, telling
from cwr_audits.packs.replicas import renaming
from cwr_audits.packs.sources import ARMS, Source, sources
from cwr_audits.subject import from_json, subjects
from cwr_audits.wire import read_finding, task
from cwr_encodings.smt_catalogue import SMT
from cwr_solvers.answers import Claim, Limits
from cwr_solvers.backends.smt import solve
from cwr_solvers.jsontext import Json

Pair = Mapping[str, Source]

WITHIN = Limits(600, 5_000)
MEGABYTES = 4096
TARGETS = {one.code: one for one in subjects(())}
ROUTES: Mapping[str, Callable[[Any], Any]] = {
    "interpreter": interpreter.answer,
    "cnf": cnf.answer,
    "cpsat": cpsat.answer,
}
EVERY = pytest.mark.parametrize("code", TARGETS)


def pair(code: str) -> Pair:
    found = {one.arm: one for one in sources() if one.target == code}
    assert set(found) == set(ARMS)
    return found


def with_instance(one: Source, source: Json) -> Source:
    """The source with another instance."""
    about = from_json(source)
    return replace(one, source=about.source, instance=about.instance)


# --- the checks


def differing(both: Pair) -> list[str]:
    """Routes that do not agree on an arm, and figures of the space that are not equal in F and C."""
    said: dict[str, Any] = {arm: {name: heard(route, both[arm]) for name, route in ROUTES.items()} for arm in ARMS}
    complaints = []
    for arm, found in said.items():
        words = {frozenset(one.answer.words.items()) for one in found.values()}
        complaints += [f"{arm}: other words"] * (len(words) > 1)
        complaints += [f"{arm}: another optimum"] * (len({one.answer.optimum for one in found.values()}) > 1)
        complaints += [f"{arm}: another number"] * (found["interpreter"].raw != found["cnf"].raw)
    one, other = (said[arm]["interpreter"] for arm in ARMS)
    complaints += ["F and C: the optimum"] * (one.answer.optimum is None or one.answer.optimum != other.answer.optimum)
    complaints += ["F and C: the number of raw solutions"] * (one.raw != other.raw)
    return complaints


def heard(route: Callable[[Any], Any], one: Source) -> Any:
    return read_finding("route", route(task(one.world.family, one.source, WITHIN, MEGABYTES)))


def not_told_apart(both: Pair) -> list[str]:
    """Arms whose solutions do not all have (F) or all lack (C) the motif: by its predicate, and refuted by Z3."""
    family = both["F"].world.family
    name = telling(family)
    opposite = {"F": Claim(lacking=(name,)), "C": Claim(having=(name,))}
    complaints = []
    for arm, one in both.items():
        words, having = holding(one.world, one.source, name)
        complaints += [f"{arm}: {having} of {words} have it"] * (having != {"F": words, "C": 0}[arm] or not words)
        instance, claim = one.instance, opposite[arm]
        found = solve(lambda model, i=instance, c=claim: SMT[family](model, i, c), WITHIN)
        complaints += [f"{arm}: Z3 finds another"] * bool(found.words)
    return complaints


def alike(code: str, both: Pair) -> list[str]:
    """Sources that have a base in common with each other or with the target."""
    family = both["F"].world.family
    found = [("target", TARGETS[code].source), *((arm, both[arm].source) for arm in ARMS)]
    bases = [(name, base_of(family, source)) for name, source in found]
    return [
        f"{one} and {other}"
        for number, (one, first) in enumerate(bases)
        for other, second in bases[number + 1 :]
        if first == second
    ]


# --- of all sources


@EVERY
def test_routes_agree_and_the_arms_have_one_optimum_and_as_many_solutions(code: str) -> None:
    assert differing(pair(code)) == []


@EVERY
def test_the_motif_is_true_of_all_solutions_of_f_and_of_none_of_c(code: str) -> None:
    assert not_told_apart(pair(code)) == []


@EVERY
def test_no_source_is_the_target_or_the_other_source_in_other_names(code: str) -> None:
    assert alike(code, pair(code)) == []


@EVERY
def test_the_arms_have_designs_of_their_own_and_show_as_many_moves(code: str) -> None:
    both = pair(code)
    assert both["F"].design != both["C"].design
    assert len(both["F"].submission.moves) == len(both["C"].submission.moves)


# --- the checks can see what they look for


def test_a_source_of_another_optimum_is_seen() -> None:
    both = pair("RS-001")
    source: Any = both["C"].source
    later = with_instance(both["C"], {**source, "deadline": source["deadline"] - 1})
    assert differing({**both, "C": later}) == ["F and C: the number of raw solutions"]
    nothing = with_instance(both["C"], {**source, "deadline": 1})
    assert differing({**both, "C": nothing}) == ["F and C: the optimum", "F and C: the number of raw solutions"]


def test_a_route_that_lies_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    both = pair("KL-001")
    monkeypatch.setitem(ROUTES, "cnf", lambda asked: {**cnf.answer(asked), "raw": [[3, "0x7"]]})  # type: ignore[arg-type]
    monkeypatch.setitem(ROUTES, "cpsat", lambda asked: {**cpsat.answer(asked), "optimum": 2})  # type: ignore[arg-type]
    assert differing(both) == [f"{arm}: {what}" for arm in ARMS for what in ("another optimum", "another number")]


@pytest.mark.parametrize("code", ["FT-001", "PS-001", "TP-001"])
def test_arms_that_are_exchanged_are_seen(code: str) -> None:
    both = pair(code)
    exchanged = {"F": replace(both["C"], arm="F"), "C": replace(both["F"], arm="C")}
    assert [one[:2] for one in not_told_apart(exchanged)] == ["F:", "F:", "C:", "C:"]


def test_arms_without_a_solution_are_seen() -> None:
    both = pair("RS-001")
    source: Any = both["F"].source
    assert not_told_apart({**both, "F": with_instance(both["F"], {**source, "deadline": 1})}) == ["F: 0 of 0 have it"]


@pytest.mark.parametrize("code", ["FT-001", "BC-001", "PA-001"])
def test_a_renamed_target_and_a_renamed_twin_are_seen(code: str) -> None:
    both, about = pair(code), TARGETS[code]
    family = about.world.family
    stolen = with_instance(both["F"], renaming(family, about.source, (), "stolen").source)
    assert alike(code, {**both, "F": stolen}) == ["target and F"]
    twin = with_instance(both["C"], renaming(family, both["F"].source, (), "twin").source)
    assert alike(code, {**both, "C": twin}) == ["F and C"]
