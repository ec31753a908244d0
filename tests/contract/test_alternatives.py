"""Answers of `cwr alternatives` over the catalogue, against brute force over what the interpreter accepts.

On the showcases the words themselves and the sizes are held against raw submissions, listed one by one. Elsewhere brute
force takes the words as listed and works out costs, motifs, moves and distances anew, without table, store or DuckDB.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any

import pytest

from cwr_audits import asking, query, store
from cwr_audits.alternatives import graded
from cwr_audits.engines import none as none_of
from cwr_audits.engines import some
from cwr_audits.motifs import MOTIFS
from cwr_audits.request import Request, move, origin
from cwr_audits.rows import ClassRow
from cwr_audits.subject import Subject, from_json, subjects
from cwr_audits.table import rows
from cwr_solvers.errors import Undecided
from cwr_solvers.grading import grade, run
from cwr_solvers.jsontext import canonical
from cwr_solvers.search import goal_choices
from cwr_solvers.symmetry import class_of, text
from cwr_solvers.world import Broken, Submission

SHOWCASES = {one.code: one for one in subjects(())}
FAMILIES = {one.world.family: one for one in SHOWCASES.values()}
RANDOM = 3  # instances of each family, beside its showcase
ANY = Request(limit=None)


@dataclass(frozen=True)
class Case:
    """An instance, its table, and its words as brute force finds them: {word: (cost, motifs that hold, moves)}."""

    about: Subject
    table: tuple[ClassRow, ...]
    words: dict[bytes, tuple[int, frozenset[str], frozenset[bytes]]]


def raw(about: Subject) -> Iterator[Submission[Any]]:
    """Every accepted raw submission, by going through legal moves from states that lead to the goal."""
    world, instance = about.world, about.instance
    memory: dict[Any, list[tuple[Any, Any]]] = {}
    ends: dict[Any, bool] = {}

    def onward(state: Any) -> list[tuple[Any, Any]]:
        if state not in memory:
            after = [(move, world.step(instance, state, move)) for move in world.moves(instance, state)]
            memory[state] = [(move, state) for move, state in after if not isinstance(state, Broken) and leads(state)]
        return memory[state]

    def leads(state: Any) -> bool:
        if state not in ends:
            ends[state] = bool(goal_choices(world, instance, state)) or bool(onward(state))
        return ends[state]

    stack: list[tuple[Any, tuple[Any, ...]]] = [(world.initial(instance), ())]
    while stack:
        state, moves = stack.pop()
        yield from (Submission(moves, choice) for choice in goal_choices(world, instance, state))
        stack += [(after, (*moves, move)) for move, after in onward(state)]


def swapped(about: Subject, table: tuple[ClassRow, ...]) -> Iterator[Submission[Any]]:
    """For circuits, whose raw submissions take too long to search: all ways to exchange inputs of symmetric gates."""
    for word in (word.word for one in table for word in one.words):
        circuit = json.loads(word)
        ways = [{tuple(gate["inputs"]), tuple(gate["inputs"][::-1])} for gate in circuit["gates"]]
        for inputs in product(*(sorted(way) for way in ways)):
            gates = [{**gate, "inputs": list(pair)} for gate, pair in zip(circuit["gates"], inputs, strict=True)]
            yield about.world.read_submission(about.instance, {**circuit, "gates": gates})


@cache
def case(family: str, number: int) -> Case:
    about = FAMILIES[family]
    if number:
        about = from_json(about.world.generate(f"alternatives-{number}"))
    table = rows(about)
    predicates = MOTIFS[family].items()
    found = {}
    for word in (word.word for one in table for word in one.words):
        submission = about.world.read_submission(about.instance, json.loads(word))
        motifs = frozenset(name for name, holds in predicates if holds(about.world, about.instance, submission))
        moves = frozenset(canonical(about.world.write_move(about.instance, move)) for move in submission.moves)
        found[word] = (run(about.world, about.instance, submission).state.cost, motifs, moves)
    return Case(about, table, found)


CASES = [(family, number) for family in FAMILIES for number in range(RANDOM + 1)]
ids = pytest.mark.parametrize(("family", "number"), CASES, ids=lambda value: str(value))


Spaces = Callable[[Case], query.Open]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Spaces]:
    """Stored spaces, each opened once."""
    folder, opened = tmp_path_factory.mktemp("store"), dict[str, query.Open]()

    def space(one: Case) -> query.Open:
        name = store.key(one.about)
        if name not in opened:
            opened[name] = query.read(store.keep(folder, one.about, one.table), one.about)
        return opened[name]

    yield space
    for one in opened.values():
        one.connection.close()


def ask(one: Case, place: Spaces, request: Request) -> list[bytes]:
    """The words that come back, all of them graded; in this order."""
    answer = graded(one.about, query.asked(place(one), one.about, request))
    assert answer.complete
    assert answer.matching == len(answer.alternatives) or request.limit or request.diverse
    return [found.word for found in answer.alternatives]


@pytest.mark.parametrize("code", SHOWCASES)
def test_sizes_are_numbers_of_listed_raw_submissions(code: str) -> None:
    about = SHOWCASES[code]
    table = rows(about)
    listed = list(swapped(about, table) if code == "BC-001" else raw(about))
    texts = [canonical(about.world.write_submission(about.instance, one)) for one in listed]
    assert len(set(texts)) == len(texts)
    assert {grade(about.world, about.instance, one).status for one in texts} == {"accepted"}
    home = {word.word: one.number for one in table for word in one.words}
    sizes = Counter(home[text(about.world, about.instance, about.world.normal(about.instance, one))] for one in listed)
    assert sizes == {one.number: one.size for one in table}


@ids
def test_classes_are_those_of_the_symmetries(family: str, number: int) -> None:
    one = case(family, number)
    for row in one.table:
        submission = one.about.world.read_submission(one.about.instance, json.loads(row.representative))
        members = class_of(one.about.world, one.about.instance, submission).members
        assert [text(one.about.world, one.about.instance, word) for word in members] == [
            word.word for word in row.words
        ]


@ids
def test_motifs_and_costs_filter_as_brute_force_does(family: str, number: int, place: Spaces) -> None:
    one = case(family, number)
    assert sorted(ask(one, place, ANY)) == sorted(one.words)
    for name in MOTIFS[family]:
        having = {word for word, (_, motifs, _) in one.words.items() if name in motifs}
        assert set(ask(one, place, replace(ANY, having=(name,)))) == having
        assert set(ask(one, place, replace(ANY, lacking=(name,)))) == set(one.words) - having
        assert ask(one, place, replace(ANY, having=(name,), lacking=(name,))) == []
        assert set(ask(one, place, replace(ANY, where=(f"has_{name}",)))) == having
    costs = {cost for cost, _, _ in one.words.values()}
    for cost in (*costs, max(costs, default=0) + 1):
        expected = {word for word, (found, _, _) in one.words.items() if found == cost}
        assert set(ask(one, place, replace(ANY, cost=cost))) == expected
        assert set(ask(one, place, replace(ANY, where=(f"cost = {cost}",)))) == expected


@ids
def test_steps_filter_as_brute_force_does(family: str, number: int, place: Spaces) -> None:
    one = case(family, number)
    for step in sorted(frozenset().union(*(moves for _, _, moves in one.words.values())))[:12]:
        asked = move(one.about, step.decode("utf-8"))
        assert asked == step
        having = {word for word, (_, _, moves) in one.words.items() if step in moves}
        assert set(ask(one, place, replace(ANY, required=(asked,)))) == having
        assert set(ask(one, place, replace(ANY, forbidden=(asked,)))) == set(one.words) - having
        classes = {row.number for row in one.table if any(word.word in having for word in row.words)}
        assert len(ask(one, place, replace(ANY, required=(asked,), classes=True))) == len(classes)


@ids
def test_numbers_part_the_classes(family: str, number: int, place: Spaces) -> None:
    one = case(family, number)
    for column in one.table[0].tallies if one.table else ():
        values = {row.tallies[column] for row in one.table}
        parts = [ask(one, place, replace(ANY, where=(f"{column} = {value}",), classes=True)) for value in values]
        assert sorted(word for part in parts for word in part) == [row.representative for row in one.table]
        assert all(parts)


def plain(family: str, one: bytes, other: bytes) -> int:
    """The distance by its definition, from the JSON: Levenshtein over moves, or what differs of two sets of moves."""
    (name, left), (_, right) = (next(iter(json.loads(word).items())) for word in (one, other))
    if family in ("RS", "PA", "FT"):
        bags = [{json.dumps(move) for move in (moves.items() if family == "RS" else moves)} for moves in (left, right)]
        return max(len(bags[0] - bags[1]), len(bags[1] - bags[0]))
    moved = levenshtein(tuple(map(json.dumps, left)), tuple(map(json.dumps, right)))
    return moved + (name == "gates" and [*json.loads(one).values()][1:] != [*json.loads(other).values()][1:])


@cache
def levenshtein(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    if not one or not other:
        return len(one) + len(other)
    shorter = (levenshtein(one[1:], other), levenshtein(one, other[1:]))
    return min(min(shorter) + 1, levenshtein(one[1:], other[1:]) + (one[0] != other[0]))


@ids
def test_orders_are_by_distance(family: str, number: int, place: Spaces) -> None:
    one = case(family, number)
    for start in sorted(one.words)[:2]:
        away = {word: plain(family, start, word) for word in one.words}
        request = replace(ANY, origin=origin(one.about, start))
        near = ask(one, place, replace(request, order="nearest"))
        far = ask(one, place, replace(request, order="farthest"))
        assert near[0] == start
        assert [away[word] for word in near] == sorted(away.values())
        assert [away[word] for word in far] == sorted(away.values(), reverse=True)
        classes = ask(one, place, replace(request, order="nearest", classes=True))
        nearest = sorted(min(away[word.word] for word in row.words) for row in one.table)
        assert [away[word] for word in classes] == nearest


@ids
def test_the_witness_is_the_origin_where_none_is_named(family: str, number: int, place: Spaces) -> None:
    one = case(family, number)
    witness = min(one.words, default=None)
    if witness is not None:
        about = replace(one.about, witness=json.loads(witness))
        told = Case(about, rows(about), one.words)
        request = replace(ANY, order="farthest")
        assert ask(told, place, request) == ask(one, place, replace(request, origin=origin(about, witness)))


@ids
def test_diverse_is_greedy(family: str, number: int, place: Spaces) -> None:
    one = case(family, number)
    chosen = ask(one, place, replace(ANY, diverse=4))
    assert len(chosen) == min(4, len(one.words))
    for count in range(1, len(chosen)):
        apart = {word: min(plain(family, word, other) for other in chosen[:count]) for word in one.words}
        assert apart[chosen[count]] == max(apart.values())


@ids
def test_a_limit_cuts_the_same_order(family: str, number: int, place: Spaces) -> None:
    one = case(family, number)
    whole = ask(one, place, ANY)
    assert ask(one, place, Request(limit=2)) == whole[:2]
    assert [one.words[word][0] for word in whole] == sorted(cost for cost, _, _ in one.words.values())


@pytest.mark.parametrize("code", SHOWCASES)
def test_solvers_say_what_the_space_says(code: str) -> None:
    """Both engines, asked in this process, on every motif and on the first step of the witness."""
    one = case(SHOWCASES[code].world.family, 0)
    step = min(frozenset().union(*(moves for _, _, moves in one.words.values())))
    requests = [replace(ANY, required=(step,)), replace(ANY, forbidden=(step,)), replace(ANY, cost=0)]
    requests += [replace(ANY, having=(name,)) for name in MOTIFS[one.about.world.family]]
    requests += [replace(ANY, lacking=(name,)) for name in MOTIFS[one.about.world.family]]
    decided = 0
    for request in requests:
        asked = asking._task(one.about, request, 60.0)
        expected = {word for word, found in one.words.items() if meets(request, *found)}
        try:
            listed, none = some.answer(asked), bool(expected) or none_of.answer(asked)["none"]
        except Undecided as error:
            if error.reason != "unsupported":
                raise
            continue
        decided += 1
        assert {word.encode("utf-8") for word, _ in listed["words"]} == expected
        assert listed["complete"]
        assert none
    assert decided >= 4


def meets(request: Request, cost: int, motifs: frozenset[str], moves: frozenset[bytes]) -> bool:
    within = request.cost is None or cost <= request.cost
    steps = moves.issuperset(request.required) and moves.isdisjoint(request.forbidden)
    return within and steps and motifs.issuperset(request.having) and motifs.isdisjoint(request.lacking)
