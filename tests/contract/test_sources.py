"""The sources of F and C, all of them: what is said of them is so, by more than one route.

Each check is a function that lists complaints, and is held against sources in which its fault was planted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cwr_audits.canonical import base
from cwr_audits.engines import cnf, cpsat, interpreter
from cwr_audits.packs import figures
from cwr_audits.packs.audits.cases import solutions
from cwr_audits.packs.audits.coverage import of_source
from cwr_audits.packs.audits.leakage import nearest
from cwr_audits.packs.audits.likeness import Likeness, Side, program
from cwr_audits.packs.audits.matching import UNMATCHABLE, near, tolerance
from cwr_audits.packs.audits.motif import holding, telling
from cwr_audits.packs.families import PACKED, targets
from cwr_audits.packs.replicas import renaming
from cwr_audits.packs.sources import ARMS, Source, sources
from cwr_audits.subject import Subject, from_json
from cwr_audits.wire import read_finding, task
from cwr_encodings.cpsat_catalogue import CPSAT
from cwr_encodings.smt_catalogue import SMT
from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.backends.cpsat import solve as cpsat_solve
from cwr_solvers.backends.smt import solve as smt_solve
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import UsageError
from cwr_solvers.grading import run
from cwr_solvers.jsontext import Json
from cwr_solvers.search import words

Pair = Mapping[str, Source]

ORDER = [f"{family}-001" for family in ("TW", "TP", "BC", "KL", "RS", "PS", "PA", "FT")]  # of the first text
PAGE = Path(__file__).parents[2] / "docs" / "sources.md"
WITHIN = Limits(600, 5_000)
MEGABYTES = 4096
TARGETS = {one.code: one for one in targets(())}
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
    """Arms whose solutions do not all have (F) or all lack (C) the motif: by its predicate, and by solvers."""
    name = telling(both["F"].world.family)
    complaints = []
    for arm, one in both.items():
        words, having = holding(one.world, one.source, name)
        complaints += [f"{arm}: {having} of {words} have it"] * (having != {"F": words, "C": 0}[arm] or not words)
        complaints += [f"{arm}: a solver finds another"] * bool(opposite(one, name).words)
    return complaints


def opposite(one: Source, name: str) -> Answer:
    """What is accepted of F without the motif, by CP-SAT; of C with it, by Z3."""
    family = one.world.family
    if one.arm == "F":
        return cpsat_solve(lambda model: CPSAT[family](model, one.instance, Claim(lacking=(name,))), WITHIN)
    return smt_solve(lambda model: SMT[family](model, one.instance, Claim(having=(name,))), WITHIN)


def alike(code: str, both: Pair) -> list[str]:
    """Sources that have a base in common with each other or with the target."""
    family = both["F"].world.family
    found = [("target", TARGETS[code].source), *((arm, both[arm].source) for arm in ARMS)]
    bases = [(name, base(family, source)) for name, source in found]
    return [
        f"{one} and {other}"
        for number, (one, first) in enumerate(bases)
        for other, second in bases[number + 1 :]
        if first == second
    ]


def unmatched(code: str, both: Pair) -> list[str]:
    """Figures that differ by more than their tolerance and are not said to be unmatchable."""
    first, control = (of_source(both[arm]) for arm in ARMS)
    assert set(first) == set(control)
    fits = {name: near(first[name], control[name], tolerance(name)) for name in first}
    return [name for name in first if not fits[name] and (code, name) not in UNMATCHABLE]


def leaking(about: Subject, source: Subject, shown: Json) -> bool:
    """Whether a program is a solution of the target in other names."""
    here, there = (Side(one.world, one.source, one.instance) for one in (source, about))
    submission = source.world.normal(source.instance, source.world.read_submission(source.instance, shown))
    wanted = [program(there, word) for word in solutions(about.world, about.source)]
    return nearest(Likeness(here, there), program(here, submission), wanted) == 0


# --- of all sources


def test_packs_are_made_of_the_families_whose_showcases_have_sources() -> None:
    assert {one.world.family for one in sources()} == {one.world.family for one in TARGETS.values()} == set(PACKED)
    assert set(PACKED) < set(WORLDS)
    assert [one.code for one in targets(("KL-001", "TW-001"))] == ["KL-001", "TW-001"]
    with pytest.raises(UsageError, match="and so not of CO-001"):
        targets(("TW-001", "CO-001"))


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


@EVERY
def test_every_figure_is_matched_or_said_to_be_unmatchable(code: str) -> None:
    assert unmatched(code, pair(code)) == []
    first, control = (of_source(pair(code)[arm]) for arm in ARMS)
    assert [name for world, name in UNMATCHABLE if world == code and first[name] == control[name]] == []


@EVERY
def test_no_source_leaks(code: str) -> None:
    for one in pair(code).values():
        source = from_json(one.source)
        found = [one.world.write_submission(one.instance, word) for word in solutions(one.world, one.source)]
        assert found
        assert [word for word in found if leaking(TARGETS[code], source, word)] == []


# --- recipes that leak


def test_a_pipeline_with_another_input_is_solved_by_the_targets_own_steps() -> None:
    about = TARGETS["TP-001"]
    source: Any = about.source
    goal = {**source["goal"], "values": [{"type": "Seal", "value": [0, 0]}]}
    start = {"input": {"type": "Raw", "value": [1, 0]}}
    other = from_json({**source, "code": "TP-LEAK", "initial": start, "goal": goal})
    assert other.digest != about.digest
    submission = other.world.read_submission(other.instance, about.witness)
    assert run(other.world, other.instance, submission).status == "accepted"
    assert leaking(about, other, about.witness)


def test_a_circuit_leaks_when_two_of_its_pins_become_one() -> None:
    about = TARGETS["BC-001"]
    source: Any = about.source
    rows = [(n >> 3 & 1, n >> 2 & 1, n >> 1 & 1, n & 1) for n in range(16)]
    vector = [(u & v) | (w & (u ^ q)) for u, v, w, q in rows]
    made = {**source, "code": "BC-LEAK", "pins": ["u", "v", "w", "q"], "goal": {"output": vector}, "motif": []}
    gates = [("AND", "u", "v"), ("XOR", "u", "q"), ("AND", "g1", "w"), ("OR", "g0", "g2")]
    listed: list[Json] = [{"id": f"g{n}", "op": op, "inputs": [*pins]} for n, (op, *pins) in enumerate(gates)]
    shown: Json = {"gates": listed, "output": "g3"}
    other = from_json(made)
    submission = other.world.read_submission(other.instance, shown)
    assert run(other.world, other.instance, submission).status == "accepted"
    assert leaking(about, other, shown)


def test_a_tiling_upside_down_leaks() -> None:
    about = TARGETS["FT-001"]
    source: Any = about.source
    swap = {"top": "bottom", "bottom": "top"}
    pieces = []
    for piece in source["pieces"]:
        last = max(cell["y"] for cell in piece["cells"])
        cells = [{swap.get(key, key): value for key, value in cell.items()} for cell in piece["cells"]]
        pieces.append({**piece, "cells": [{**cell, "y": last - cell["y"]} for cell in cells]})
    other = from_json({**source, "code": "FT-LEAK", "pieces": pieces})
    (word,) = words(other.world, other.instance)
    assert leaking(about, other, other.world.write_submission(other.instance, word))


# --- the page


def test_the_page_has_a_table_of_every_world_and_all_are_up_to_date() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert figures.TABLE.findall(text) == ORDER
    assert figures.refreshed(text) == text, "python -m cwr_audits.packs.figures docs/sources.md"
    assert "**more than" not in text


def test_the_page_says_what_is_not_matched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "UNMATCHABLE", {})
    assert "| touching edges | 4 | 5 | 4 | **more than 0 %** |" in figures.table(TARGETS["FT-001"])


def test_a_table_of_no_target_is_refused() -> None:
    with pytest.raises(UsageError, match="XX-001"):
        figures.refreshed("<!-- figures XX-001 -->\n<!-- end -->\n")


# --- the checks can see what they look for


def test_a_figure_that_is_not_matched_is_seen() -> None:
    both = pair("TP-001")
    source: Any = both["C"].source
    looser = with_instance(both["C"], {**source, "budget": {**source["budget"], "cost": 6}})
    assert unmatched("TP-001", {**both, "C": looser}) == ["slack"]
    assert unmatched("KL-001", both) == ["values supplied and taken"]


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
