"""All routes on all showcases and on random instances of every family; planted liars; rules that must bite.

Every route answers in a worker of its own, so the routes run side by side (see cwr_audits.workers); every question is
asked before the first answer is looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from cwr_audits.agreement import Agreement, compare
from cwr_audits.certify import PROVING
from cwr_audits.commands.certify import certify_by
from cwr_audits.engines import cnf, cpsat, interpreter, smt
from cwr_audits.late import PROVER, ROUTES
from cwr_audits.ledger import read
from cwr_audits.routes import Answers, ask, collect, limits
from cwr_audits.subject import Subject, from_json, subject, subjects
from cwr_audits.wire import Finding, Reply, task
from cwr_audits.workers import Crew, crew
from cwr_solvers.answers import Answer, Limits
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided

INSTANCES = 200
SECONDS = 60.0
SHOWCASES = "showcases"


def drawn(family: str, number: int) -> Subject:
    """A random instance of a family."""
    return from_json(WORLDS[family].generate(f"agreement/{number}"))


# Z3 takes most of the time, so two workers share what is asked of it
WORKERS = {**ROUTES, "smt again": ROUTES["smt"]}


def put(workers: Crew, one: Subject, turn: int) -> dict[str, Future[Reply]]:
    """Ask every route; in every other turn the second worker of Z3."""
    asked = {route: f"{route} again" if turn % 2 and f"{route} again" in WORKERS else route for route in ROUTES}
    return {route: put_one(workers, worker, one) for route, worker in asked.items()}


def put_one(workers: Crew, worker: str, one: Subject) -> Future[Reply]:
    return ask(workers, [worker], one.world.family, one.source, limits(SECONDS))[worker]


def agreed(one: Subject, answers: Answers) -> Agreement:
    """The comparison of all routes; every route must have answered."""
    assert not answers.undecided, (one.source, {route: str(why) for route, why in answers.undecided.items()})
    assert not answers.contradictions, (one.source, answers.contradictions)
    assert set(answers.findings) == set(ROUTES)
    found = compare(one.world, one.instance, answers.findings)
    assert not found.differences, (one.source, found.differences)
    return found


@pytest.mark.parametrize("name", [SHOWCASES, *WORLDS])
def test_all_routes_agree(name: str) -> None:
    # drawn one by one as they are asked, so that the routes need not wait for the last
    listed = subjects(()) if name == SHOWCASES else (drawn(name, number) for number in range(INSTANCES))
    spaces = []
    with crew(WORKERS) as workers:
        for one, replies in [(one, put(workers, one, turn)) for turn, one in enumerate(listed)]:
            sides = agreed(one, collect(replies)).sides
            assert sides["interpreter"].finding.raw is not None
            assert sides["cnf"].finding.raw is not None
            spaces.append(sides["interpreter"].space)
    solvable = [found for found in spaces if found is not None and found.optimum is not None]
    if name == SHOWCASES:
        assert len(solvable) == len(spaces) == len(WORLDS)
    else:
        # an agreement on instances without solutions, or with one, would compare little
        assert len(spaces) == INSTANCES
        assert INSTANCES // 2 <= len(solvable) < INSTANCES
        assert sum(len(found.costs) > 1 for found in solvable) >= INSTANCES // 5


# --- planted liars: each is caught, and named


LIES = {
    "infeasible": "optimum",
    "drops_a_word": "words",
    "adds_a_word": "words",
    "wrong_optimum": "optimum",
    "wrong_cost": "costs of words",
    "says_a_word_twice": "words",
    "spells_otherwise": "words",
    "says_no_word": "words",
}


@pytest.fixture(scope="module")
def liars() -> Iterator[Crew]:
    with crew({**ROUTES, **{lie: f"lying_engines:{lie}" for lie in (*LIES, "miscounts")}}) as workers:
        yield workers


def heard(workers: Crew, table: Mapping[str, str]) -> Answers:
    """What the routes of a table (route → worker) say on TW-001."""
    one = subject("TW-001")
    return collect({route: put_one(workers, worker, one) for route, worker in table.items()})


@pytest.mark.parametrize("liar", ["cpsat", "smt", "cnf", "interpreter"])
@pytest.mark.parametrize("lie", LIES)
def test_a_lying_route_is_named(liars: Crew, lie: str, liar: str) -> None:
    answers = heard(liars, {route: lie if route == liar else route for route in ROUTES})
    one = subject("TW-001")
    found = [*answers.contradictions, *compare(one.world, one.instance, answers.findings).differences]
    assert {route for difference in found for route in difference.odd} == {liar}
    named = next(difference for difference in found if difference.subject == LIES[lie])
    assert len(named.sides) >= 2
    assert any(liar in side.split(" and ") for side in named.sides)


@pytest.mark.parametrize("liar", ["interpreter", "cnf"])
def test_a_route_that_miscounts_is_named(liars: Crew, liar: str) -> None:
    answers = heard(liars, {route: "miscounts" if route == liar else route for route in ROUTES})
    one = subject("TW-001")
    found = compare(one.world, one.instance, answers.findings).differences
    assert {difference.subject for difference in found} == {"raw counts and words", "raw counts by cost"}
    assert {route for difference in found for route in difference.odd} == {liar}


def test_without_a_majority_every_route_stands_apart(liars: Crew) -> None:
    one = subject("TW-001")
    answers = heard(liars, {"cpsat": "infeasible", "smt": "smt"})
    found = compare(one.world, one.instance, answers.findings).differences
    assert {difference.odd for difference in found} == {("cpsat", "smt")}


def test_examples_of_both_sides_are_shown_with_what_the_rules_say(liars: Crew) -> None:
    one = subject("TW-001")
    answers = heard(liars, {**{route: route for route in ROUTES}, "smt": "adds_a_word"})
    (difference,) = (
        found for found in compare(one.world, one.instance, answers.findings).differences if found.subject == "words"
    )
    assert difference.sides["smt"].startswith("3 words, 1 of them not said by another")
    assert '{"actions":["rivet"]} at cost 4 (the interpreter: illegal R1)' in difference.sides["smt"]
    assert difference.sides["interpreter and cpsat and cnf"] == "2 words, 0 of them not said by another"


def test_comparing_nothing_is_no_agreement() -> None:
    one = subject("TW-001")
    for findings in ({}, {"smt": Finding(Answer(None, {}))}):
        with pytest.raises(Disagreement):
            compare(one.world, one.instance, findings)


@pytest.mark.parametrize("lie", ["drops_a_word", "infeasible"])
def test_certify_stops_at_a_difference_and_writes_it_down(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], lie: str
) -> None:
    table = {**ROUTES, PROVING: PROVER, "smt": f"lying_engines:{lie}"}
    for runs in (1, 2):
        assert certify_by(table, ("TW-001",), str(tmp_path), SECONDS, True) == 4
        out, err = capfd.readouterr()
        (told,) = json.loads(out)
        assert (told["agreed"], told["certificate_sha256"], told["checked"]) == (False, None, None)
        assert "standing apart: smt" in err
        entries: list[Any] = [one.entry for one in read(tmp_path / "disagreements.jsonl").entries]
        assert len(entries) == runs * len(told["differences"]) > 0
        assert all(entry["odd"] == ["smt"] and entry["instance"]["code"] == "TW-001" for entry in entries)
    assert [entry.name for entry in tmp_path.iterdir()] == ["disagreements.jsonl"]


# --- every rule bites: without it, some random instance has other words


ENGINES: Mapping[str, tuple[str, Callable[[dict[str, Any]], Any]]] = {
    "cnf": ("cwr_certificates.statements.{}", cnf.answer),
    "cpsat": ("cwr_encodings.{}.cpsat", cpsat.answer),
    "smt": ("cwr_encodings.{}.smt", smt.answer),
    "interpreter": ("cwr_solvers.worlds.{}.interpreter", interpreter.answer),
}
TRIED = 80


def nothing(*_: Any, **__: Any) -> None:
    """What a rule says when it is gone."""


def named(module: Any, rule: str) -> FunctionType:
    """The one function of a module that is named after the rule."""
    (found,) = (
        one
        for name, one in vars(module).items()
        if isinstance(one, FunctionType) and re.match(rf"{rule.lower()}_", name)
    )
    return found


def bites(family: str, rule: str, route: str, patch: pytest.MonkeyPatch) -> bool:
    """Whether a route that forgets the rule finds other words on one of the instances, or contradicts itself."""
    place, answer = ENGINES[route]
    patch.setattr(named(import_module(place.format(family.lower())), rule), "__code__", nothing.__code__)
    for one, words in told(family):
        try:
            reply = answer(task(family, one.source, Limits(2, 1000), 4096))
        except (Disagreement, MalformedInput):
            return True  # its words are none of the instance, or do not fit together
        except (Undecided, AttributeError, TypeError, KeyError, StopIteration):
            continue  # too much is left, or something else needs what the rule made: neither shows a bite
        if frozenset(word for word, _ in reply["words"]) != words:
            return True
    return False


@cache
def told(family: str) -> tuple[tuple[Subject, frozenset[str]], ...]:
    """Random instances, and what the interpreter says are their words."""
    some = [drawn(family, number) for number in range(TRIED)]
    replies = [interpreter.answer(task(family, one.source, Limits(SECONDS, 10_000), 4096)) for one in some]
    return tuple((one, frozenset(word for word, _ in reply["words"])) for one, reply in zip(some, replies, strict=True))


@pytest.mark.parametrize(
    ("family", "rule"), [(family, rule) for family, world in WORLDS.items() for rule in world.rules]
)
def test_every_rule_bites(family: str, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for route in ENGINES:
        with monkeypatch.context() as patch:
            if bites(family, rule, route, patch):
                return
    pytest.fail(f"on {TRIED} random instances of {family} no route misses {rule}")
