"""Conflicts of rules against exhaustive search: the interpreter, with all but some rules dropped, plays every word.

A word breaks a rule when the interpreter that keeps this rule only does not accept it; moves against the others have
their effects. So a set of rules leaves no word of a request just when every word of it breaks one of them. In PA and FT
the clauses count connections and placements by the ports and cells that they take, as these are taken once: where
they are taken twice, a budget may be broken that the clauses do not miss.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, combinations, islice, product
from random import Random
from typing import Any

import pytest

from cwr_audits.attacks.mutants import copy_of, dropped, rule_functions
from cwr_certificates.explain import Explained, explain
from cwr_certificates.replay import WORLDS as JUDGES
from cwr_solvers.answers import Limits
from cwr_solvers.catalogue import WORLDS, showcases
from cwr_solvers.grading import run
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.world import Submission

LIMITS = Limits(60.0, 1000)
MOST = 600  # words of an instance
WANTED = 3  # instances of a family
BUDGETS: Mapping[str, set[str]] = {"PA": {"R8", "R9"}, "FT": {"R6", "R7"}, "TP": {"R6", "R8"}}
LISTS: Mapping[str, Json] = {"forbid": [], "require": [], "without": []}
NOTHING: Mapping[str, Json] = {**LISTS, "most_cost": None, "part": None, "word": None}


def sequences(kinds: Iterable[Any], most: int) -> Iterator[tuple[Any, ...]]:
    kinds = list(kinds)
    return chain.from_iterable(product(kinds, repeat=length) for length in range(most + 1))


def subsets(items: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    items = sorted(items)
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def connections(instance: Any) -> list[tuple[str, str]]:
    ports = instance.port.values()
    return [(one.name, two.name) for one in ports for two in ports if one.output and not two.output]


def placements(instance: Any) -> list[Any]:
    """Every placement on the board with the least flip and turn."""
    read = WORLDS["FT"].read_move
    found = []
    for piece in instance.pieces:
        for (flip, turn), shape in piece.variants.items():
            for x, y in product(range(-8, 9), repeat=2):
                inside = all((x + dx, y + dy) in instance.cells for (dx, dy), _ in shape.cells)
                if inside and piece.least[flip, turn] == (flip, turn):
                    value = {"piece": piece.name, "x": x, "y": y}
                    value |= {"turn": turn} if piece.rotates else {}
                    value |= {"flip": flip} if piece.reflects else {}
                    found.append(read(instance, value))
    return found


def schedules(instance: Any) -> Iterator[Json]:
    for starts in product(range(instance.deadline + 1), repeat=len(instance.job)):
        yield {"starts": dict(zip(instance.job, starts, strict=True))}


def circuits(instance: Any) -> Iterator[Json]:
    """Gates in order of their ids that read earlier signals, sorted where symmetric; every output that there is."""
    kinds = list(instance.operator.values())

    def gates(done: list[Json]) -> Iterator[list[Json]]:
        yield done
        signals = [*instance.pins, *instance.ids[: len(done)]]
        for kind, (s, t) in product(
            kinds if len(done) < instance.most_gates else (), product(range(len(signals)), repeat=2)
        ):
            if s <= t or not kind.symmetric:
                gate: Json = {"id": instance.ids[len(done)], "op": kind.name, "inputs": [signals[s], signals[t]]}
                yield from gates([*done, gate])

    for done in gates([]):
        signals = [*instance.pins, *instance.ids[: len(done)]]
        for outputs in product(signals, repeat=len(instance.goal)):
            named: Json = dict(zip(instance.goal, outputs, strict=True))
            yield {"gates": done, **({"output": outputs[0]} if instance.single else {"outputs": named})}


def pipelines(instance: Any) -> Iterator[Json]:
    """Steps with as many arguments as due, out of all that was created before, and fresh ids in their order."""

    def steps(done: list[Json], made: int) -> Iterator[list[Json]]:
        yield done
        for kind in instance.operations if len(done) < instance.most_steps else ():
            out = list(instance.ids[made : made + len(kind.outputs)])
            known = [*instance.initial, *instance.ids[:made]]
            for args in product(known, repeat=len(kind.inputs)) if len(out) == len(kind.outputs) else ():
                step: Json = {"op": kind.name, "args": list(args), "out": [*out]}
                yield from steps([*done, step], made + len(out))

    return ({"steps": [*done]} for done in steps([], 0))


def spelled(moves: Iterator[tuple[Any, ...]], family: str, instance: Any) -> Iterator[Json]:
    write = WORLDS[family].write_submission
    return (write(instance, Submission(one)) for one in moves)


# family -> every word of an instance, legal or not, as the rule books have words
EVERY: Mapping[str, Callable[[Any], Iterator[Json]]] = {
    "TW": lambda one: spelled(sequences(one.recipe, one.most_actions), "TW", one),
    "PS": lambda one: spelled(sequences(one.operation, one.most_actions), "PS", one),
    "KL": lambda one: spelled(sequences(one.action.values(), one.most_actions), "KL", one),
    "PA": lambda one: spelled(subsets(connections(one)), "PA", one),
    "FT": lambda one: spelled(subsets(placements(one)), "FT", one),
    "RS": schedules,
    "BC": circuits,
    "TP": pipelines,
}
# rules without which a step may have no effect at all, so that the other rules have nothing to judge after it
FIRST: Mapping[str, tuple[str, ...]] = {"TP": ("R2", "R3", "R7")}


class Brute:
    """Every word of an instance, with the rules that it breaks and what it costs.

    Of the words in `partly` only some of the rules are known, as they break one of FIRST.
    """

    def __init__(self, family: str, source: Json) -> None:
        self.family, self.source, self.world = family, source, WORLDS[family]
        self.instance = self.world.read_instance(source)
        self.broken: dict[bytes, set[str]] = {}
        self.costs: dict[bytes, int] = {}
        self.partly: set[bytes] = set()
        values = list(islice(EVERY[family](self.instance), MOST + 1))
        if len(values) > MOST:
            raise OverflowError
        for value in values:
            self.play(canonical(value), self.world.read_submission(self.instance, value))

    def play(self, word: bytes, submission: Submission[Any]) -> None:
        first = FIRST.get(self.family, ())
        free = run(keeping(self.family, first), self.instance, submission)
        if free.state is None:
            self.partly.add(word)
            self.broken[word], self.costs[word] = {fault.rule for fault in free.faults}, len(submission.moves)
            return
        self.costs[word] = free.state.cost
        self.broken[word] = {
            rule
            for rule in self.world.rules
            if run(keeping(self.family, (rule, *first)), self.instance, submission).status != "accepted"
        }

    def moves(self, word: bytes) -> tuple[bytes, ...]:
        moves = self.world.read_submission(self.instance, read(word)).moves
        return tuple(canonical(self.world.write_move(self.instance, one)) for one in moves)

    def meeting(self, request: Mapping[str, Any]) -> dict[bytes, set[str]]:
        """The words of a request, with the rules that they break."""
        return {word: broken for word, broken in self.broken.items() if self.meets(word, request)}

    def meets(self, word: bytes, request: Mapping[str, Any]) -> bool:
        moves = self.moves(word)
        part = request["part"]
        return (
            not any(canonical(one) in moves for one in request["forbid"])
            and all(canonical(one) in moves for one in request["require"])
            and (request["most_cost"] is None or self.costs[word] <= request["most_cost"])
            and (request["word"] is None or canonical(request["word"]) == word)
            and (part is None or self.goes_on(canonical(part), word))
        )

    def goes_on(self, part: bytes, word: bytes) -> bool:
        begun, moves = self.moves(part), self.moves(word)
        if self.choice(part) != self.choice(word):
            return False
        return set(begun) <= set(moves) if self.family in ("PA", "FT") else moves[: len(begun)] == begun

    def choice(self, word: bytes) -> Any:
        return self.world.read_submission(self.instance, read(word)).choice


@cache
def keeping(family: str, rules: tuple[str, ...]) -> Any:
    """The interpreter of a family without the other rules."""
    module = sys.modules[JUDGES[family][0].__name__]  # type: ignore[attr-defined]
    gone = [function.__name__ for rule, function in rule_functions(module).items() if rule not in rules]
    return copy_of(module, {name: dropped(module, name).code for name in gone})


def read(word: bytes) -> Json:
    value: Json = json.loads(word)
    return value


@cache
def instances(family: str) -> tuple[Brute, ...]:
    """The showcase and random instances that have few enough words."""
    found = []
    sources = [one.instance for one in showcases() if one.family == family]
    for source in chain(sources, (WORLDS[family].generate(f"conflicts/{number}") for number in range(400))):
        try:
            found.append(Brute(family, source))
        except OverflowError:
            continue
        if len(found) == WANTED:
            break
    return tuple(found)


def test_families_have_words_to_search() -> None:
    assert {family: len(instances(family)) for family in EVERY} == dict.fromkeys(EVERY, WANTED)


def requests(brute: Brute) -> Iterator[dict[str, Any]]:
    """Nothing, bounds of cost, moves forbidden and required, words and beginnings of words; some of each."""
    random = Random(f"{brute.family}")
    words = sorted(brute.broken)
    accepted = [word for word in words if not brute.broken[word]]
    moves = sorted({move for word in words for move in brute.moves(word)})
    yield {**NOTHING}
    for cost in range(max((brute.costs[word] for word in accepted), default=2) + 1):
        yield {**NOTHING, "most_cost": cost}
    for move in random.sample(moves, min(4, len(moves))):
        yield {**NOTHING, "forbid": [read(move)]}
        yield {**NOTHING, "require": [read(move)]}
        other = read(random.choice(moves))
        yield {**NOTHING, "require": [other], "forbid": [read(move)], "most_cost": random.randrange(4)}
    for word in [*random.sample(words, min(5, len(words))), *accepted[:1]]:
        yield {**NOTHING, "word": read(word)}
        if brute.family != "RS":
            yield {**NOTHING, "part": read(word)}


@pytest.mark.parametrize("family", EVERY)
def test_conflicts_are_those_of_exhaustive_search(family: str) -> None:
    met = {"conflict": 0, "solution": 0}
    for brute in instances(family):
        code = brute.instance.code
        for request in requests(brute):
            found = explain(family, code, brute.source, request, LIMITS)
            words = brute.meeting(request)
            if found.word is not None:
                assert words[canonical(found.word)] == set()
                met["solution"] += 1
                continue
            assert set() not in words.values()
            sound(brute, found, request, words)
            met["conflict"] += 1
    assert min(met.values()) > 1, met


def sound(brute: Brute, found: Explained, request: Mapping[str, Any], words: Mapping[bytes, set[str]]) -> None:
    """No word of the request keeps the rules; the relaxed words keep all but theirs; no smaller set does."""
    rules, lenient = set(found.rules), BUDGETS.get(brute.family, set())
    assert all(broken & rules or word in brute.partly for word, broken in words.items())
    for rule, value in found.relaxed.items():
        if value is None:
            assert brute.family == "TP"  # nothing to name what was not created, or beyond the listed ids
            continue
        broken = brute.broken[canonical(value)]
        assert broken & rules <= {rule} | lenient
        assert rule in broken or lenient
        assert lenient or brute.meets(canonical(value), request)
    least = smallest(found.posted, [broken for word, broken in words.items() if word not in brute.partly])
    assert len(rules) == least or (lenient and len(rules) > least), (found.rules, least)


def smallest(posted: Iterable[str], sets: Iterable[set[str]]) -> int:
    """The size of a smallest set of rules of which every word breaks one."""
    distinct = {frozenset(one) & frozenset(posted) for one in sets}
    for size in range(len(set(posted)) + 1):
        for rules in combinations(sorted(posted), size):
            if all(one & set(rules) for one in distinct):
                return size
    raise AssertionError("some word breaks none of the rules that post clauses")
