"""Other names, other orders: every world and every route says the same, carried over; what does not is caught.

No test here knows a family, but for the tables of what may depend on names at all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import chain, islice
from random import Random
from typing import Any, NamedTuple

import pytest
from pysat.solvers import Minisat22

from cwr_audits import renaming
from cwr_audits.conform import corpus
from cwr_audits.engines.interpreter import search
from cwr_audits.files import checkout
from cwr_audits.late import ROUTES
from cwr_audits.metamorphic import (
    COMMON,
    NUMBERED_BY_NAMES,
    UP_TO_NORMAL_FORM,
    Changed,
    carry_word,
    change,
    changes,
    differences,
    exact,
    graded_apart,
    stepped_apart,
    ties,
)
from cwr_audits.motifs import MOTIFS
from cwr_audits.renaming import LISTS, NAMES, SCHEMES, keys_shuffled, rename, respelt, vocabulary
from cwr_audits.routes import ask, collect, limits
from cwr_audits.spaces import Space, space
from cwr_audits.wire import Finding
from cwr_audits.workers import Crew, crew
from cwr_certificates.catalogue import STATEMENTS
from cwr_certificates.formulas import base, lacking
from cwr_encodings.cpsat_catalogue import CPSAT
from cwr_encodings.smt_catalogue import SMT
from cwr_solvers.catalogue import WORLDS, showcases
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import grade, run
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, canonical, parse
from cwr_solvers.sampling import between, chance, pick, stream
from cwr_solvers.world import Broken, Fault, Submission, World

FAMILIES = sorted(WORLDS)
INSTANCES = 50
ASKED = 10
SECONDS = 60.0
MOST_WORDS = 10_000
SPELLINGS = list(SCHEMES)

each_family = pytest.mark.parametrize("family", FAMILIES)


class Known(NamedTuple):
    """An instance, its JSON in normal form, and what the interpreter finds there."""

    world: World
    source: Json
    instance: Any
    finding: Finding
    space: Space


def known(world: World, source: Json) -> Known:
    instance = world.read_instance(source)
    finding = search(world, instance, MOST_WORDS)
    return Known(world, world.write_instance(instance), instance, finding, space(world, instance, finding.answer.words))


@cache
def shown(family: str) -> tuple[Known, ...]:
    """The showcases of a family."""
    return tuple(known(WORLDS[family], one.instance) for one in showcases() if one.family == family)


@cache
def drawn(family: str) -> tuple[Known, ...]:
    """Random instances of a family."""
    return tuple(known(WORLDS[family], WORLDS[family].generate(f"metamorphic/{number}")) for number in range(INSTANCES))


def draws(*words: object) -> Random:
    return stream("metamorphic", *map(str, words))


def told(one: Known, name: str, number: int) -> tuple[Any, Changed]:
    """The instance after a change, read; the number chooses spelling and order."""
    made = change(one.world.family, name, one.source, SPELLINGS[number % len(SPELLINGS)], draws(name, number))
    return one.world.read_instance(made.instance), made


def apart(one: Known, name: str, number: int) -> list[str]:
    """The subjects in which the interpreter does not say the same after a change."""
    after, made = told(one, name, number)
    found = search(one.world, after, MOST_WORDS)
    return [each.subject for each in differences(one.world, one.instance, after, made, one.finding, one.space, found)]


# --- the tables


def strings(value: Json) -> Iterator[str]:
    """Every string and every key of a document."""
    if isinstance(value, str):
        yield value
    for item in value if isinstance(value, list) else value.items() if isinstance(value, dict) else ():
        yield from chain.from_iterable(map(strings, item)) if isinstance(item, tuple) else strings(item)


def grammar(family: str) -> set[str]:
    """The keys and constants that the published schemas of a family name, and those of states."""
    words: set[str] = {family, *STATE_WORDS}
    for part in ("instance", "submission"):
        schema = json.loads((checkout() / "fixtures" / "schema" / f"{family.lower()}.{part}.schema.json").read_text())
        words |= set(fixed(schema))
    return words


def fixed(schema: Json) -> Iterator[str]:
    if isinstance(schema, dict):
        properties = schema.get("properties")
        yield from properties if isinstance(properties, dict) else ()
        yield from (word for word in [schema.get("const"), *_listed(schema.get("enum"))] if isinstance(word, str))
    for item in schema.values() if isinstance(schema, dict) else _listed(schema):
        yield from fixed(item)


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


STATE_WORDS = (
    *("steps", "cost", "counts", "live", "allocated", "type", "value", "clock", "jobs", "free", "status", "start"),
    *("end", "unstarted", "running", "complete", "signals", "carrier", "locations", "held", "consumed", "traversals"),
    *("connections", "from", "to", "placements", "piece", "x", "y", "turn", "flip", "job", "op", "arg", "args", "out"),
    *("loop", "played", "id", "inputs", *(f"g{number}" for number in range(64))),
)


def documents(one: Known) -> Iterator[tuple[str, Json]]:
    """The instance, a submission, and moves and states along it, each with the part that it is."""
    yield "instance", one.source
    word = walked(one.world, one.instance, draws("documents"))
    yield "submission", one.world.write_submission(one.instance, word)
    for state, move in zip(run(one.world, one.instance, word).states, word.moves, strict=False):
        yield "state", one.world.write_state(one.instance, state)
        yield "move", one.world.write_move(one.instance, move)


def forgotten(one: Known) -> set[str]:
    """The strings that keep their old spelling when all names get long new ones, other than words of the grammar."""
    names = respelt(one.world.family, one.source, "long", draws("long"))
    left = {word for part, value in documents(one) for word in strings(rename(one.world.family, part, names, value))}
    return {word for word in left if "x" * 60 not in word} - grammar(one.world.family)


def test_the_tables_are_of_the_families_of_the_catalogue() -> None:
    assert set(NAMES) == set(LISTS) == set(WORLDS)
    assert all(name in changes(family) for family, name in UP_TO_NORMAL_FORM)


@each_family
def test_every_name_is_renamed(family: str) -> None:
    for one in (*shown(family), *drawn(family)[:25]):
        assert forgotten(one) == set()


@each_family
def test_a_path_that_is_left_out_is_missed(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every path of the table stands for something: without it a name keeps its old spelling in some document."""
    some = (*shown(family), *drawn(family)[:25])
    for kind, about in NAMES[family].items():
        for part in ("declared", "used", "submission", "move", "state"):
            for path in getattr(about, part):
                if kind == "value":
                    continue  # values are integers, too, which no grammar tells from other integers
                less = tuple(one for one in getattr(about, part) if one != path)
                with monkeypatch.context() as patch:
                    patch.setitem(renaming.NAMES, family, {**NAMES[family], kind: replace(about, **{part: less})})  # type: ignore[arg-type]
                    renaming.places.cache_clear()
                    found = any(forgotten(one) for one in some)
                renaming.places.cache_clear()
                assert found, f"{kind} of {family} at {path} of {part}"


@each_family
def test_spellings_are_new_and_distinct(family: str) -> None:
    for scheme in SPELLINGS:
        names = respelt(family, shown(family)[0].source, scheme, draws(scheme))
        for kind, old in vocabulary(family, shown(family)[0].source).items():
            new = [canonical(name) for name in names[kind].values()]
            assert len(set(new)) == len(new) == len(old)
            if scheme in ("escaped", "astral", "long") and kind != "value":
                assert not set(new) & set(map(canonical, old))


def test_what_is_no_name_becomes_none() -> None:
    """KL: the object "held" is new here; the word "held" was none before, and must not name it now."""
    names = {"object or edge": {canonical("parcel"): "held", canonical("key"): "held≠"}}
    actions: list[Json] = [{"op": "pickup", "arg": arg} for arg in ("parcel", "held", "box")]
    renamed = rename("KL", "submission", names, {"actions": actions})
    assert renamed == {"actions": [{"op": "pickup", "arg": arg} for arg in ("held", "held≠≠", "box")]}


def test_spellings_need_escapes_and_sort_in_two_ways() -> None:
    old: list[Json] = [f"n{number}" for number in range(12)]
    spelt = {scheme: [str(name) for name in SCHEMES[scheme](old, lambda _: False, draws())] for scheme in SPELLINGS}
    assert any(len(canonical(name)) > len(name.encode()) + 2 for name in spelt["escaped"])
    assert any("~" in name or "/" in name for name in spelt["escaped"])
    assert sorted(spelt["astral"]) != sorted(spelt["astral"], key=lambda name: name.encode("utf-16-be"))
    assert {len(name) for name in spelt["long"]} == {64}
    assert sorted(old, key=str) == sorted(spelt["permuted"])


# --- the interpreters


@each_family
def test_nothing_depends_on_names_and_orders(family: str) -> None:
    """All changes at once on random instances, and on every second one of them alone; each alone on the showcases."""
    names = changes(family)
    several = 0
    for number, one in enumerate(drawn(family)):
        several += len(one.finding.answer.words) > 1
        for name in ("all",) if number % 2 else ("all", names[number // 2 % len(names)]):
            assert apart(one, name, number) == [], (name, number)
    assert several >= INSTANCES // 5
    for one in shown(family):
        for number, name in enumerate(("all", *names, *("names" for _ in SPELLINGS))):
            assert apart(one, name, number) == [], (name, number)


@each_family
def test_which_changes_are_exact(family: str) -> None:
    for name in changes(family):
        listed = [
            exact(one.world, *told(one, name, number), word)
            for number, one in enumerate((*shown(family), *drawn(family)))
            for word in islice(one.finding.answer.words, 20)
        ]
        assert len(listed) > 20
        assert all(listed) != ((family, name) in UP_TO_NORMAL_FORM), name


def test_the_document_says_which_changes_are_exact() -> None:
    text = (checkout() / "docs" / "conformance.md").read_text(encoding="utf-8")
    rows = {cells[1]: cells[2:-1] for cells in map(split_row, text.splitlines()) if cells[1:2] and cells[1] in WORLDS}
    assert rows == {family: [said(family, name) for name in (*COMMON, "ids", "pins", "turn")] for family in WORLDS}


def split_row(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("|")]


def said(family: str, name: str) -> str:
    if name not in changes(family):
        return ""
    return "up to normal form" if (family, name) in UP_TO_NORMAL_FORM else "exact"


Judge = Callable[[World, Any, list[Json]], list[tuple[str, bool]]]  # motif and whether it holds, for word after word


def by_predicate(world: World, instance: Any, values: list[Json]) -> list[tuple[str, bool]]:
    listed = [world.read_submission(instance, value) for value in values]
    return [(motif, holds(world, instance, word)) for motif, holds in MOTIFS[world.family].items() for word in listed]


def by_clauses(world: World, instance: Any, values: list[Json]) -> list[tuple[str, bool]]:
    formula, found = base(world.family, instance), []
    literals = [list(formula.statement.literals(formula.model, value)) for value in values]
    for motif in formula.statement.MOTIFS:
        with Minisat22(bootstrap_with=lacking(formula, motif).clauses) as solver:
            found += [(motif, solver.solve(assumptions=word) is False) for word in literals]
    return found


@pytest.mark.parametrize(
    ("family", "judge"), [*((one, by_predicate) for one in sorted(MOTIFS)), *((one, by_clauses) for one in FAMILIES)]
)
def test_motifs_follow_the_names(family: str, judge: Judge) -> None:
    seen: set[bool] = set()
    some = [one for one in drawn(family) if one.finding.answer.words]
    for number, one in enumerate((*shown(family), *some[:7])):
        after, made = told(one, "all", number)
        listed = [json.loads(word) for word in islice(one.finding.answer.words, 8)]
        carried = [carry_word(one.world, after, made, canonical(value)) for value in listed]
        old = judge(one.world, one.instance, listed)
        assert old == judge(one.world, after, [json.loads(word) for word in carried]), number
        seen |= {holds for _, holds in old}
    assert True in seen


# --- grading


def walked(world: World, instance: Any, choose: Random) -> Submission[Any]:
    """A submission along a random legal walk."""
    state, made = world.initial(instance), []
    for _ in range(12):
        legal = [
            (move, after) for move in world.moves(instance, state) if legal_(after := world.step(instance, state, move))
        ]
        if not legal:
            break
        move, state = pick(choose, legal)
        made.append(move)
    return Submission(tuple(made), pick(choose, list(world.choices(instance, world.terminal(instance, state)))))


def legal_(after: Any) -> bool:
    return not isinstance(after, Broken)


def submissions(one: Known, choose: Random) -> Iterator[Json]:
    """Accepted words, legal walks, and both with something changed, kept only as JSON."""
    accepted = list(one.finding.answer.words)
    for number in range(12):
        if accepted and number % 2:
            value = json.loads(pick(choose, accepted))
        else:
            value = whole(
                one, one.world.write_submission(one.instance, walked(one.world, one.instance, choose)), choose
            )
        for _ in range(number // 3):
            value = shaken(value, choose)
        yield keys_shuffled(value, choose)


def whole(one: Known, value: Json, choose: Random) -> Json:
    """RS: a schedule has every job; the walk may have ended before."""
    if isinstance(value, dict) and isinstance(value.get("starts"), dict):
        missing = {job: between(choose, 0, one.instance.deadline) for job in one.instance.job}
        return {"starts": {**missing, **value["starts"]}}  # type: ignore[dict-item]
    return value


def shaken(value: Json, choose: Random) -> Json:
    """The value with one thing changed somewhere: an item dropped, doubled or moved, two values exchanged, ±1."""
    if isinstance(value, int) and not isinstance(value, bool):
        return max(0, value + (1 if chance(choose, 50) else -1))
    if isinstance(value, list) and value:
        place, other = between(choose, 0, len(value) - 1), between(choose, 0, len(value) - 1)
        rest = [*value[:place], *value[place + 1 :]]
        deeper = [*value[:place], shaken(value[place], choose), *value[place + 1 :]]
        mixed = [*value[:place], crossed(value[place], value[other], choose), *value[place + 1 :]]
        moved = [*rest[:other], value[place], *rest[other:]]
        return pick(choose, [rest, moved, [*value, value[place]], deeper, mixed])
    if isinstance(value, dict) and value:
        key, other = pick(choose, sorted(value)), pick(choose, sorted(value))
        if key != other and type(value[key]) is type(value[other]) and chance(choose, 50):
            return {**value, key: value[other], other: value[key]}
        return {**value, key: shaken(value[key], choose)}
    return value


def crossed(value: Json, other: Json, choose: Random) -> Json:
    """One item of an array with a part of another one."""
    if isinstance(value, dict) and isinstance(other, dict) and value:
        key = pick(choose, sorted(value))
        return {**value, key: other.get(key, value[key])}
    return other


@each_family
def test_verdicts_steps_and_states_follow_the_names(family: str) -> None:
    seen: set[str] = set()
    for number, one in enumerate((*shown(family), *drawn(family))):
        after, made = told(one, "all", number)
        for value in submissions(one, draws("submissions", number)):
            assert graded_apart(one.world, one.instance, after, made, value) == (), (number, value)
            verdict = grade(one.world, one.instance, canonical(value))
            seen |= {verdict.status, *verdict.codes}
    assert seen >= {"accepted", "illegal"}
    assert len(seen & set(one.world.rules)) >= len(one.world.rules) // 2


@each_family
def test_the_corpus_is_graded_alike_under_other_names(family: str) -> None:
    world, rules, statuses = WORLDS[family], set(), []
    for number, case in enumerate(corpus(checkout() / "tests" / "corpus", [family])):
        try:
            value = parse(case.data, SUBMISSION_BYTES, SUBMISSION_DEPTH)
        except MalformedInput:
            continue  # no JSON, so there is nothing to rename
        instance = world.read_instance(case.instance)
        made = change(family, "all", world.write_instance(instance), SPELLINGS[number % len(SPELLINGS)], draws(number))
        after = world.read_instance(made.instance)
        assert graded_apart(world, instance, after, made, value) == (), case.name
        rules |= set(case.due.codes or ())
        statuses.append(case.due.verdict)
    assert set(world.rules) - rules == ({"R1", "R2", "G"} if family == "RS" else set())
    assert len(statuses) >= 30


@each_family
def test_the_answers_to_single_steps_follow_the_names(family: str) -> None:
    answers = set()
    for number, one in enumerate((*shown(family), *drawn(family)[:20])):
        after, made = told(one, "all", number)
        for state, move in islice(steps(one, draws("steps", number)), 30):
            assert stepped_apart(one.world, one.instance, after, made, state, move) == (), (number, state, move)
            read = one.world.read_state(one.instance, state)
            answers.add(legal_(one.world.step(one.instance, read, one.world.read_move(one.instance, move))))
    assert answers == {True, False}


def steps(one: Known, choose: Random) -> Iterator[tuple[Json, Json]]:
    """States along legal walks, each with a move of any of them."""
    for _ in range(5):
        word = walked(one.world, one.instance, choose)
        states = run(one.world, one.instance, word).states
        for _ in range(6 if word.moves else 0):
            state, move = pick(choose, states), pick(choose, word.moves)
            yield one.world.write_state(one.instance, state), one.world.write_move(one.instance, move)


def test_only_ties_of_schedules_are_numbered_by_names() -> None:
    """RS: the first illegal event differs under other names, where events have one start, and only there."""
    assert frozenset({"RS"}) == NUMBERED_BY_NAMES
    moved = 0
    for number, one in enumerate(drawn("RS")):
        after, made = told(one, "names", number)
        for value in submissions(one, draws("submissions", number)):
            renamed = rename("RS", "submission", made.names, value)
            old = grade(one.world, one.instance, canonical(value))
            new = grade(one.world, after, canonical(renamed))
            assert (old.status, old.cost) == (new.status, new.cost)
            if (old.step, old.codes) != (new.step, new.codes):
                assert ties(value)
                moved += 1
    assert moved > 0


# --- the routes


def test_every_route_knows_every_family() -> None:
    """What a route did not know could not be asked, and would be missing below."""
    tables = {"cpsat": CPSAT, "smt": SMT, "cnf": STATEMENTS, "interpreter": WORLDS}
    assert {route: set(table) for route, table in tables.items()} == {route: set(WORLDS) for route in ROUTES}


@pytest.fixture(scope="module")
def workers() -> Iterator[Crew]:
    with crew(ROUTES) as started:
        yield started


@each_family
def test_every_route_says_the_same_under_other_names(family: str, workers: Crew) -> None:
    asked = [(one, name, number) for one in shown(family) for number, name in enumerate(("all", *changes(family)))]
    asked += [(one, "all", number) for number, one in enumerate(drawn(family)[:ASKED])]
    put = []
    for one, name, number in asked:
        after, made = told(one, name, number)
        put.append((one, after, made, ask(workers, tuple(ROUTES), family, made.instance, limits(SECONDS))))
    for one, after, made, replies in put:
        answers = collect(replies)
        assert (answers.undecided, answers.contradictions) == ({}, ())
        assert set(answers.findings) == set(ROUTES)
        for route, says in answers.findings.items():
            found = differences(one.world, one.instance, after, made, one.finding, one.space, says)
            assert found == (), (route, made.instance)


# --- planted: what does depend on names or orders is caught


def odd(value: Json) -> bool:
    """A property of how a thing is spelt, and of nothing else."""
    return sha256(canonical(value)).digest()[0] % 2 == 1


Mutant = Callable[[World], World]


def refuses_the_first_name(world: World) -> World:
    """TW: the recipe whose name sorts first is refused."""

    def step(instance: Any, state: Any, move: Any) -> Any:
        if move == min(recipe.name for recipe in instance.recipes):
            return Broken((Fault("R1", "", ""),))
        return world.step(instance, state, move)

    return replace(world, step=step, expand=None, finish=None)


def refuses_by_spelling(world: World) -> World:
    """Moves that are spelt in one way are refused."""

    def step(instance: Any, state: Any, move: Any) -> Any:
        if odd(world.write_move(instance, move)):
            return Broken((Fault("R1", "", ""),))
        return world.step(instance, state, move)

    return replace(world, step=step, expand=None, finish=None)


def refuses_the_first_listed(world: World) -> World:
    """The move that comes first at the start is refused there."""

    def step(instance: Any, state: Any, move: Any) -> Any:
        if state.steps == 0 and move == next(iter(world.moves(instance, state)), None):
            return Broken((Fault("R1", "", ""),))
        return world.step(instance, state, move)

    return replace(world, step=step, expand=None, finish=None)


def reads_by_key_order(world: World) -> World:
    """What comes first in the JSON of an instance decides whether anything is accepted."""
    banned: set[int] = set()

    def read_instance(value: Json) -> Any:
        instance = world.read_instance(value)
        if isinstance(value, dict) and next(iter(value)) != "family":
            banned.add(id(instance))
            kept.append(instance)
        return instance

    kept: list[Any] = []

    def unmet(instance: Any, state: Any, choice: Any) -> tuple[Fault, ...]:
        return (Fault("G", "", ""),) if id(instance) in banned else world.unmet(instance, state, choice)

    return replace(world, read_instance=read_instance, unmet=unmet, finish=None)


def counts_by_spelling(world: World) -> World:
    """The number of raw submissions of a word depends on the names in it."""

    def namings(instance: Any, submission: Submission[Any]) -> int:
        return world.namings(instance, submission) + odd(world.write_submission(instance, submission))

    return replace(world, namings=namings)


def accepts_by_spelling(world: World) -> World:
    """The goal is met where the code of the instance is spelt in one way."""

    def unmet(instance: Any, state: Any, choice: Any) -> tuple[Fault, ...]:
        return (Fault("G", "", ""),) if odd(instance.code) else world.unmet(instance, state, choice)

    return replace(world, unmet=unmet, finish=None)


def caught(family: str, mutant: Mutant, name: str) -> Iterator[set[str]]:
    """For one instance after another, the small ones first: in what a mutant is not equal to itself after a change."""
    world = mutant(WORLDS[family])
    some = [one for one in (*shown(family), *drawn(family)) if one.finding.answer.words]
    for number, one in enumerate(sorted(some, key=lambda one: one.finding.reachable_states or 0)):
        yield set(apart(known(world, one.source), name, number))


def test_a_world_that_refuses_the_first_name_is_caught() -> None:
    assert set().union(*caught("TW", refuses_the_first_name, "names")) >= {"optimum", "words", "reachable states"}
    assert set().union(*caught("TW", refuses_the_first_name, "lists")) == set()
    assert set().union(*caught("TW", refuses_the_first_name, "keys")) == set()


@each_family
@pytest.mark.parametrize(
    ("mutant", "name"),
    [
        (refuses_by_spelling, "names"),
        (accepts_by_spelling, "names"),
        (refuses_the_first_listed, "lists"),
        (reads_by_key_order, "keys"),
    ],
)
def test_what_depends_on_names_or_orders_is_caught(family: str, mutant: Mutant, name: str) -> None:
    assert any(caught(family, mutant, name)), mutant.__doc__


@pytest.mark.parametrize(("family", "name"), [("TP", "ids"), ("BC", "pins")])
def test_own_changes_of_a_family_catch_something(family: str, name: str) -> None:
    assert any(caught(family, refuses_by_spelling, name))


def test_classes_that_depend_on_names_are_caught() -> None:
    """PA: exchanges are forgotten where the code is spelt in one way; words and counts stay as they are."""
    world = WORLDS["PA"]

    def exchanges(instance: Any, submission: Submission[Any]) -> Any:
        return () if odd(instance.code) else world.exchanges(instance, submission)

    found = set().union(*caught("PA", lambda _: replace(world, exchanges=exchanges), "names"))
    assert found == {"classes"}


def test_a_motif_that_depends_on_names_is_caught() -> None:
    def by_spelling(world: World, instance: Any, values: list[Json]) -> list[tuple[str, bool]]:
        return [("main", odd(value)) for value in values]

    with pytest.raises(AssertionError):
        test_motifs_follow_the_names("TP", by_spelling)


def test_a_route_that_depends_on_names_is_caught() -> None:
    """TW: of the right answer one word is left out, or its cost is raised, or the optimum denied."""
    (one,) = shown("TW")
    after, made = told(one, "all", 0)
    right = search(one.world, after, MOST_WORDS)
    words = dict(right.answer.words)
    first = min(words)
    lies = {
        "words": replace(right.answer, words={word: cost for word, cost in words.items() if word != first}),
        "costs of words": replace(right.answer, words={**words, first: words[first] + 1}),
        "optimum": replace(right.answer, optimum=None),
    }
    for subject, answer in lies.items():
        says = Finding(answer)
        found = differences(one.world, one.instance, after, made, one.finding, one.space, says)
        assert subject in {difference.subject for difference in found}
    assert differences(one.world, one.instance, after, made, one.finding, one.space, right) == ()
    many = replace(right, reachable_states=1)
    found = differences(one.world, one.instance, after, made, one.finding, one.space, many)
    assert [difference.subject for difference in found] == ["reachable states"]


@pytest.mark.parametrize("subject", ["status", "step", "codes", "cost", "state"])
def test_a_grading_that_depends_on_names_is_caught(subject: str) -> None:
    (one,) = shown("TW")
    after, made = told(one, "names", 1)
    world, real = one.world, one.world.step

    def step(instance: Any, state: Any, move: Any) -> Any:
        made_ = real(instance, state, move)
        if instance is one.instance or isinstance(made_, Broken):
            return made_
        if subject == "status":
            return Broken((Fault("R1", "", ""),))
        return made_._replace(cost=made_.cost + 1) if subject == "cost" else made_._replace(steps=made_.steps + 1)

    planted = replace(world, step=step)
    value: Json = {"actions": ["smelt"]}
    if subject in ("step", "codes"):
        value = {"actions": ["smelt", "rivet"]}

        def late(instance: Any, state: Any, move: Any) -> Any:
            made_ = real(instance, state, move)
            if instance is one.instance:
                return made_
            if subject == "codes":
                return Broken((Fault("R6", "", ""),)) if isinstance(made_, Broken) else made_
            return Broken((Fault("R1", "", ""),))

        planted = replace(world, step=late)
    found = graded_apart(planted, one.instance, after, made, value)
    assert subject in {difference.subject for difference in found}
    assert graded_apart(world, one.instance, after, made, value) == ()


def test_a_single_step_that_depends_on_names_is_caught() -> None:
    (one,) = shown("TW")
    after, made = told(one, "names", 1)
    world = one.world
    state = world.write_state(one.instance, world.initial(one.instance))

    def refuses(instance: Any, at: Any, move: Any) -> Any:
        return world.step(instance, at, move) if instance is one.instance else Broken((Fault("R1", "", ""),))

    def wastes(instance: Any, at: Any, move: Any) -> Any:
        then = world.step(instance, at, move)
        return then if instance is one.instance else then._replace(cost=7)

    subjects = [
        [each.subject for each in stepped_apart(replace(world, step=step), one.instance, after, made, state, "smelt")]
        for step in (refuses, wastes, world.step)
    ]
    assert subjects == [["legal"], ["state"], []]
