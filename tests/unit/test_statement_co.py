"""The statement of CO against the rule book, played out here in the plainest way."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, pairwise, product
from typing import Any

import pytest
from clause_models import completes, digest, formula, projections, propagated, raw_words, without, words

from cwr_certificates import cnf
from cwr_certificates.cnf import TRUE, Cnf
from cwr_certificates.formulas import Formula, cheaper, others
from cwr_certificates.lrat import solve
from cwr_certificates.statements import co, co_words
from cwr_certificates.steps import Steps, step_row
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.worlds.co.instance import Instance, read_instance

Cards = tuple[str, ...]
NAMES = "abcdefghijklmnopqrstuvwx"


def make(reference: str, broken: str, cards: str, most: int) -> Instance:
    """An instance from words of one-letter tokens and cards like `A1-4`."""
    listed = [(card[0], card[1:].split("-")) for card in cards.split()]
    return build(reference, broken, [(label, int(i), int(j)) for label, (i, j) in listed], most)


def build(reference: Sequence[str], broken: Sequence[str], cards: list[tuple[str, int, int]], most: int) -> Instance:
    listed: list[Json] = [{"label": label, "swap": [i, j]} for label, i, j in cards]
    return read_instance(
        {
            "family": "CO",
            "code": "t",
            "reference": [*reference],
            "broken": [*broken],
            "cards": listed,
            "budget": {"cards": most},
        }
    )


def every_pair(length: int) -> list[tuple[str, int, int]]:
    return [(f"{i}-{j}", i, j) for i, j in combinations(range(1, length + 1), 2)]


SHOWCASE = build(
    ("amber", "jade", "coral", "slate", "pearl"),
    ("coral", "pearl", "slate", "amber", "jade"),
    [("A", 1, 4), ("B", 3, 5), ("C", 2, 3), ("D", 2, 4)],
    1,
)


def played(loop: list[str], swap: tuple[int, int]) -> list[str]:
    """The loop after a swap, by positions counted from 1."""
    other = {swap[0]: swap[1], swap[1]: swap[0]}
    return [loop[other.get(position, position) - 1] for position in range(1, len(loop) + 1)]


def loop_after(instance: Instance, cards: Cards) -> list[str]:
    loop = list(instance.broken)
    for label in cards:
        _, first, second = instance.card[label]
        loop = played(loop, (first, second))
    return loop


def same_loop(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether some rotation of one is the other."""
    return any([*one[turn:], *one[:turn]] == [*other] for turn in range(len(one)))


def faults(instance: Instance, cards: Cards) -> set[str]:
    """The rules that the first bad step breaks, or the goal; empty when accepted."""
    for number, label in enumerate(cards, 1):
        if label in cards[: number - 1]:
            return {"R1"}
        if number > instance.most_cards:
            return {"R2"}
    return set() if same_loop(loop_after(instance, cards), instance.reference) else {"G"}


def rows(instance: Instance, most: int) -> list[Cards]:
    """All rows of cards of the instance, legal or not, up to a length."""
    return [row for length in range(most + 1) for row in product(instance.card, repeat=length)]


def json(cards: Cards) -> Json:
    return {"cards": [*cards]}


def text(cards: Cards) -> bytes:
    return canonical(json(cards))


def neighbours(instance: Instance, label: str) -> bool:
    """Whether the two positions of a card lie side by side on the loop, gone round position by position."""
    _, first, second = instance.card[label]
    onward = {position: position % len(instance.broken) + 1 for position in range(1, len(instance.broken) + 1)}
    return onward[first] == second or onward[second] == first


def main(instance: Instance, cards: Cards) -> bool:
    return any(neighbours(instance, label) for label in cards)


SMALL = {
    "three": make("abc", "bac", "A1-2 B1-3 C2-3", 2),
    "three, mended": make("abc", "bca", "A1-2 B1-3 C2-3", 3),
    "four, opposite": make("abcd", "cbad", "A1-3 B2-4 C1-2 D3-4", 2),
    "mirrored": make("abcd", "dcba", "A1-2 B3-4 C2-4", 2),
    "only far swaps": make("abcde", "cbade", "A1-3 B2-5 C2-4", 3),
    "round the end": make("abcd", "dbca", "A1-4 B1-2", 2),
    "two ways": make("abcd", "badc", "A1-2 B3-4 C1-3 D2-4", 3),
    "one is enough": make("abcd", "abcd", "A1-2", 3),
    "no card": make("abc", "cab", "", 2),
    "no card, broken": make("abc", "acb", "", 2),
    "no step": make("abc", "bca", "A1-2", 0),
    "no step, broken": make("abcd", "abdc", "A3-4", 0),
    "some never move": make("abcdef", "bacdef", "A1-2 B1-3", 3),
    "infeasible": make("abcde", "edcba", "A1-2 B3-4", 2),
}


def drawn(seed: int) -> Instance:
    """A random instance: up to five cards and three steps, the loop broken by up to three swaps and turned."""
    draw = random.Random(f"co {seed}")
    length = draw.randint(3, 6)
    reference = draw.sample(NAMES, length)
    pairs = [*combinations(range(1, length + 1), 2)]
    loop = [*reference[(turn := draw.randrange(length)) :], *reference[:turn]]
    cards = draw.sample(pairs, draw.randint(1, min(5, len(pairs))))
    for _ in range(draw.randint(0, 3)):
        loop = played(loop, draw.choice([*cards, draw.choice(pairs)]))
    return build(reference, loop, [(f"c{n}", *pair) for n, pair in enumerate(cards)], draw.randint(0, 3))


INSTANCES = {"showcase": SHOWCASE, **SMALL, **{f"drawn {seed}": drawn(seed) for seed in range(300)}}
EACH = pytest.mark.parametrize("name", INSTANCES)


@cache
def known(name: str) -> dict[bytes, Cards]:
    """The accepted words of one of the instances, and one step more looked at than the budget allows."""
    one = INSTANCES[name]
    return {text(row): row for row in rows(one, one.most_cards + 1) if not faults(one, row)}


def lacking(name: str) -> list[bytes]:
    return sorted(word for word, row in known(name).items() if not main(INSTANCES[name], row))


@EACH
def test_models_are_the_accepted_words(name: str) -> None:
    assert words(co, INSTANCES[name]) == set(known(name))


@EACH
def test_denied_motif_leaves_the_words_without_it(name: str) -> None:
    posted, model = formula(co, INSTANCES[name], motif="main")
    found = projections(posted.clauses, model.decisions)
    assert sorted(canonical(co.word(model, {one for one in true if one > 0})) for true in found) == lacking(name)
    assert all(completes(posted.clauses, true) for true in found[:: 1 + len(found) // 5])


@pytest.mark.parametrize("name", [*SMALL, *list(INSTANCES)[-30:]])
def test_at_most_bounds_the_number_of_cards(name: str) -> None:
    for cost in range(-1, 4):
        meant = {word for word, row in known(name).items() if len(row) <= cost}
        assert set(raw_words(co, INSTANCES[name], cost)) == meant


def test_the_instances_are_of_all_kinds() -> None:
    sizes = [len(known(name)) for name in INSTANCES]
    assert sizes.count(0) > 50
    assert sum(size > 3 for size in sizes) > 20
    left = {name: len(lacking(name)) for name in INSTANCES}
    assert sum(0 < left[name] < len(known(name)) for name in INSTANCES) > 20
    assert known("showcase") == {text(("C",)): ("C",)}
    assert left["showcase"] == 0
    assert known("only far swaps")
    assert left["only far swaps"] == len(known("only far swaps"))
    assert left["round the end"] == 0


@pytest.mark.parametrize("name", [*SMALL, *list(INSTANCES)[-60:]])
def test_every_word_has_literals_of_its_own_and_illegal_ones_fail(name: str) -> None:
    """Decisions, what units add, and false for the rest satisfy all clauses of just the accepted words."""
    instance = INSTANCES[name]
    posted, model = formula(co, instance)
    told = {co.literals(model, json(row)): row for row in rows(instance, instance.most_cards)}
    assert len(told) == len(rows(instance, instance.most_cards))
    for literals, row in told.items():
        assert completes(posted.clauses, literals) == (not faults(instance, row))


@pytest.mark.parametrize("name", [*SMALL, *list(INSTANCES)[-60:]])
def test_tokens_are_pushed_to_where_the_steps_bring_them(name: str) -> None:
    """Of the rules freed, units lead each row of cards to its loop, and nowhere else to a token."""
    instance = INSTANCES[name]
    posted, model = formula(co, instance)
    free = [one for one, rule in zip(posted.clauses, posted.rules, strict=True) if not rule]
    for row in rows(instance, instance.most_cards):
        true = propagated(free, co.literals(model, json(row)))
        loop = [[instance.reference[x] for x, there in at.items() if there in true] for at in model.loop]
        assert loop == [[token] for token in loop_after(instance, row)]
        assert completes(free, co.literals(model, json(row)))


VITAL = {
    "r1_once": make("abc", "abc", "A1-2 B2-3", 2),
    "g_goal": make("abcd", "bacd", "A1-2 B2-3", 2),
}


@pytest.mark.parametrize("rule", VITAL)
def test_a_rule_left_out_lets_in_just_the_words_that_break_it_alone(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = VITAL[rule]
    loose, normal = without(monkeypatch, co, rule, instance), words(co, instance)
    alone = {
        text(row)
        for row in rows(instance, instance.most_cards)
        if breaks(instance, row) == {rule.partition("_")[0].upper()}
    }
    assert normal < loose
    assert loose - normal == alone


def breaks(instance: Instance, cards: Cards) -> set[str]:
    """All rules that a row breaks when cards played again swap all the same."""
    broken = {
        "R1": len(set(cards)) < len(cards),
        "R2": len(cards) > instance.most_cards,
        "G": not same_loop(loop_after(instance, cards), instance.reference),
    }
    return {rule for rule, value in broken.items() if value}


def test_one_place_more_lets_in_words_beyond_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = make("abc", "abc", "A1-2 B2-3 C1-3", 1)
    loose = without(monkeypatch, co, "r2_budget", instance, lambda cnf, one: step_row(cnf, one.most_cards + 1, 3))
    extra = {text(row) for row in rows(instance, 2) if breaks(instance, row) == {"R2"}}
    assert extra
    assert loose - words(co, instance) == extra


def test_without_rules_every_row_is_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """The definitions of where the tokens are forbid nothing."""
    for rule in VITAL:
        monkeypatch.setattr(co, rule, lambda *_: None)
    for name in ("four, opposite", "one is enough", "infeasible"):
        one = INSTANCES[name]
        assert raw_words(co, one) == sorted(map(text, rows(one, one.most_cards)))


def mirrored(posted: Cnf, model: Any) -> None:
    """The goal with reflection forgiven."""
    length = len(model.loop)
    way = [posted.new() for _ in range(2 * length)]
    cnf.exactly_one(posted, way)
    for position, tokens in enumerate(model.loop):
        for token, there in tokens.items():
            posted.add(-there, way[(token - position) % length], way[length + (token + position) % length])


def unturned(posted: Cnf, model: Any) -> None:
    """The goal with the reference wanted as it stands, from position 1 on."""
    for position, tokens in enumerate(model.loop):
        for token, there in tokens.items():
            posted.add(-there, TRUE if token == position else -TRUE)


def next_again(posted: Cnf, model: Any) -> None:
    """R1 for cards played twice running only."""
    for turns in zip(*model.steps.chosen, strict=True):
        for one, other in pairwise(turns):
            posted.add(-one, -other)


def stays_too(posted: Cnf, before: co_words.Loop, here: int, changes: list[tuple[int, int]]) -> dict[int, int]:
    """A position that forgets that a token left there by a card no longer is there."""
    return REAL(posted, before, here, [*changes, (TRUE, here)])


def brings_only(posted: Cnf, before: co_words.Loop, here: int, changes: list[tuple[int, int]]) -> dict[int, int]:
    """A position where nothing stays."""
    after = {token: posted.new() for _, source in changes for token in before[source]}
    for case, source in changes:
        for token, there in before[source].items():
            posted.add(-case, -there, after[token])
    return after


REAL = co_words.position_after
BENT: dict[str, tuple[Any, str, Callable[..., object]]] = {
    "reflection forgiven": (co, "g_goal", mirrored),
    "rotation refused": (co, "g_goal", unturned),
    "again later": (co, "r1_once", next_again),
    "a swap copies": (co_words, "position_after", stays_too),
    "nothing stays": (co_words, "position_after", brings_only),
    "first card plays last": (
        co_words,
        "loop_after",
        lambda posted, one, kinds, before: LOOP_AFTER(posted, one, kinds[::-1], before),
    ),
    "one place fewer": (
        co,
        "r2_budget",
        lambda posted, one: step_row(posted, max(0, one.most_cards - 1), len(one.cards)),
    ),
    "gaps between steps": (co, "r2_budget", lambda posted, one: gaping(posted, one)),
}
LOOP_AFTER = co_words.loop_after


def gaping(posted: Cnf, instance: Instance) -> Steps:
    """Rows of steps in which an idle place may stand before a step."""
    found = step_row(posted, 0, len(instance.cards))
    for _ in range(instance.most_cards):
        one = step_row(posted, 1, len(instance.cards))
        found = Steps((*found.chosen, *one.chosen), (*found.idle, *one.idle))
    return found


@pytest.mark.parametrize("fault", BENT)
def test_a_bent_statement_is_told_from_the_rule_book(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, bent = BENT[fault]
    monkeypatch.setattr(where, name, bent)
    assert any(raw_words(co, INSTANCES[one]) != sorted(known(one)) for one in INSTANCES)


@pytest.mark.parametrize(
    "distances", [lambda _: (1,), lambda length: (length - 1,), lambda length: (1, 2, length - 1), lambda _: range(24)]
)
def test_a_bent_motif_is_told_from_the_rule_book(distances: Callable[[int], Sequence[int]]) -> None:
    def denied(name: str) -> list[bytes]:
        posted, model = formula(co, INSTANCES[name])
        for kinds in model.steps.chosen:
            for card, chosen in zip(INSTANCES[name].cards, kinds, strict=True):
                if card.second - card.first in distances(len(INSTANCES[name].broken)):
                    posted.add(-chosen)
        found = projections(posted.clauses, model.decisions)
        return sorted(canonical(co.word(model, {one for one in true if one > 0})) for true in found)

    assert any(denied(name) != lacking(name) for name in INSTANCES)


def test_the_motif_of_the_showcase_is_necessary() -> None:
    assert raw_words(co, SHOWCASE, motif="main") == []


def test_another_motif_is_no_motif() -> None:
    posted, model = formula(co, SHOWCASE)
    with pytest.raises(KeyError):
        co.deny(posted, model, "shape")


@pytest.mark.parametrize("name", list(SMALL))
def test_a_move_occurs_just_in_the_words_that_have_it(name: str) -> None:
    instance = INSTANCES[name]
    posted, model = formula(co, instance)
    for label in instance.card:
        found = co.occurs(posted, model, label)
        for row in known(name).values():
            true = {literal for literal in co.literals(model, json(row)) if literal > 0}
            assert (not true.isdisjoint(found)) == (label in row)


@pytest.mark.parametrize(
    ("move", "code"), [("E", "unknown-name"), (1, "wrong-type"), (["A"], "wrong-type"), (None, "wrong-type")]
)
def test_what_is_no_move_is_refused(move: Json, code: str) -> None:
    posted, model = formula(co, SHOWCASE)
    with pytest.raises(MalformedInput) as error:
        co.occurs(posted, model, move)
    assert (error.value.code, error.value.pointer) == (code, "")


@pytest.mark.parametrize(
    ("word", "code", "pointer"),
    [
        ([], "wrong-type", ""),
        ({}, "missing-key", "/cards"),
        ({"cards": [], "x": 1}, "unknown-key", "/x"),
        ({"cards": "A"}, "wrong-type", "/cards"),
        ({"cards": ["E"]}, "unknown-name", "/cards/0"),
        ({"cards": ["a"]}, "unknown-name", "/cards/0"),
        ({"cards": ["A", True]}, "wrong-type", "/cards/1"),
        ({"cards": [["A"]]}, "wrong-type", "/cards/0"),
        ({"cards": ["A", "B"]}, "out-of-range", "/cards"),
    ],
)
def test_what_is_no_word_is_refused(word: Json, code: str, pointer: str) -> None:
    with pytest.raises(MalformedInput) as error:
        co.literals(formula(co, SHOWCASE)[1], word)
    assert (error.value.code, error.value.pointer) == (code, pointer)


def test_namings() -> None:
    assert co.namings(SHOWCASE, {"cards": ["A", "A"]}) == 1
    with pytest.raises(MalformedInput):
        co.namings(SHOWCASE, {"cards": ["E"]})


def largest(most: int) -> Instance:
    """The most tokens and cards there can be, broken by one swap and turned."""
    loop = played([*NAMES[7:], *NAMES[:7]], (5, 19))
    return build(NAMES, loop, every_pair(len(NAMES)), most)


def test_the_largest_instance_has_one_repair_by_one_card() -> None:
    instance = largest(1)
    posted, model = formula(co, instance)
    assert len(posted.clauses) < 60_000
    assert raw_words(co, instance) == [b'{"cards":["5-19"]}']
    known = Formula(co, posted, model)
    for refuted in (cheaper(known, 1), others(known, [{"cards": ["5-19"]}])):
        assert solve(refuted.clauses, 60).proof is not None


def test_a_task_with_all_swaps_is_small() -> None:
    posted, _ = formula(co, build(NAMES[:5], "cedab", every_pair(5), 1))
    assert len(posted.clauses) < 250


def test_too_large_a_formula_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Undecided) as error:
        formula(co, largest(276))
    assert error.value.reason == "size"
    formula(co, SHOWCASE)
    monkeypatch.setattr(cnf, "MOST", 20)
    with pytest.raises(Undecided) as error:
        formula(co, SHOWCASE)
    assert error.value.reason == "size"


def test_the_name_stands_for_these_clauses() -> None:
    assert co.NAME == "co/1"
    assert digest(co, SHOWCASE) == "fed9b360781431a4"
    assert digest(co, SHOWCASE, "main") == "2771d9309d08548f"
    assert digest(co, SMALL["two ways"]) == "0c740ade2374747d"
