"""The SMT encoding of TP against answers worked out by hand, and against a player of the rule book written here."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any, TypeAlias

import pytest

from cwr_encodings.tp import smt
from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.backends.smt import solve
from cwr_solvers.errors import Undecided
from cwr_solvers.worlds.tp.instance import Instance, Step, Typed, read_instance

RULES = (
    "r1_arity",
    "r2_live",
    "r3_distinct",
    "r4_types",
    "r5_outputs",
    "r6_fresh",
    "r7_table",
    "r8_live",
    "r9_steps",
    "r10_cost",
    "g_goal",
)


def values(text: str) -> list[list[int]]:
    """One value of one integer for each digit."""
    return [[int(digit)] for digit in text]


def operation(name: str, inputs: str, outputs: str, *table: str) -> dict[str, Any]:
    """An operation over types of one letter; a row of its table is `in>out` in digits."""
    rows = [{"in": values(row.partition(">")[0]), "out": values(row.partition(">")[2])} for row in table]
    return {"name": name, "inputs": list(inputs), "outputs": list(outputs), "table": rows}


def typed(text: str) -> dict[str, Any]:
    """A type of one letter and a digit."""
    return {"type": text[0], "value": [int(text[1])]}


def pipeline(operations: list[dict[str, Any]], initial: dict[str, str], goal: str, **rest: Any) -> Instance:
    """A pipeline of types A, B, C of digits 0 to 2; `goal` lists typed values, separated by blanks."""
    return read_instance(
        {
            "family": "TP",
            "code": "T",
            "types": {name: values("012") for name in "ABC"},
            "operations": operations,
            "initial": {name: typed(text) for name, text in initial.items()},
            "ids": rest.get("ids", "v w x y").split(),
            "goal": {"values": [typed(one) for one in goal.split()], "leftovers": rest.get("leftovers", "forbidden")},
            "budget": {"live": rest.get("live", 9), "steps": rest.get("steps", 2), "cost": rest.get("cost", 2)},
        }
    )


def ask(instance: Instance, most_cost: int | None = None, words: int = 5000) -> Answer:
    return solve(lambda model: smt.build(model, instance, Claim(most_cost)), Limits(60, words))


def line(steps: list[dict[str, Any]]) -> str:
    """Steps as `op(args)outs`, separated by blanks."""
    return " ".join(f"{step['op']}({','.join(step['args'])}){','.join(step['out'])}" for step in steps)


def listed(answer: Answer) -> dict[str, int]:
    return {line(json.loads(word)["steps"]): cost for word, cost in answer.words.items()}


def met(instance: Instance, live: dict[str, Typed]) -> bool:
    have, wanted = Counter(live.values()), Counter(instance.goal)
    return have >= wanted if instance.leftovers_allowed else have == wanted


Play: TypeAlias = tuple[tuple[Step, ...], dict[str, Typed]]  # steps, and what is live after them


def play(instance: Instance, live: dict[str, Typed], done: tuple[Step, ...]) -> Iterator[Play]:
    """Every legal submission that begins with `done`, which left `live`."""
    yield done, live
    if len(done) >= min(instance.most_steps, instance.most_cost):
        return
    named = sum(len(step.out) for step in done)
    for one in instance.operations:
        out = instance.ids[named : named + len(one.outputs)]
        for args in permutations(live, len(one.inputs)):
            row = one.table.get(tuple(live[arg][1] for arg in args))
            fits = tuple(live[arg][0] for arg in args) == one.inputs
            if row is None or not fits or len(out) < len(one.outputs):
                continue
            made = zip(out, zip(one.outputs, row, strict=True), strict=True)
            after = {name: value for name, value in live.items() if name not in args} | dict(made)
            if len(after) <= instance.most_live:
                yield from play(instance, after, (*done, Step(one.name, args, out)))


def played(instance: Instance) -> dict[str, int]:
    """The accepted submissions and their costs."""
    plays = play(instance, dict(instance.initial), ())
    words = [word for word, live in plays if met(instance, live)]
    return {line([{"op": step.op, "args": step.args, "out": step.out} for step in word]): len(word) for word in words}


def random_pipeline(seed: int) -> Instance:
    """A random pipeline; mostly its goal is (some of) what a random submission leaves."""
    stream = random.Random(f"tp {seed}")
    alphabet = "012"[: stream.randint(1, 3)]
    operations = []
    for number in range(stream.randint(0, 4)):
        shape = ["".join(stream.choice("AAB") for _ in range(stream.choice((0, 1, 1, 2)))) for _ in "io"]
        rows = ["".join(row) for row in product(alphabet, repeat=len(shape[0])) if stream.random() < 0.8]
        table = [f"{row}>{''.join(stream.choice(alphabet) for _ in shape[1])}" for row in rows]
        operations.append(operation(f"f{number}", *shape, *table))
    initial = {name: stream.choice("AAB") + stream.choice(alphabet) for name in "cba"[: stream.randint(0, 3)]}
    rest = {
        "ids": " ".join("zyxwvu"[: stream.randint(0, 6)]),
        "leftovers": stream.choice(("allowed", "forbidden")),
        "live": len(initial) + stream.randint(0, 3),
        "steps": stream.randint(1, 4),
        "cost": stream.randint(3, 4),
    }
    blank = pipeline(operations, initial, "", **rest)
    _, live = stream.choice(list(play(blank, dict(blank.initial), ())))
    left = [
        f"{kind}{value[0]}"
        for kind, value in live.values()
        if rest["leftovers"] == "forbidden" or stream.random() < 0.5
    ]
    if stream.random() < 0.2:
        left.append("A0")
    return pipeline(operations, initial, " ".join(left), **rest)


MAKE = operation("make", "", "A", ">0")
UP = operation("up", "A", "A", "0>1", "1>2")
DROP = operation("drop", "A", "", "0>", "1>", "2>")
BEEP = operation("beep", "", "", ">")
JOIN = operation("join", "AA", "B", "01>0", "11>1")
SPLIT = operation("split", "A", "AA", "0>01")
FORK = operation("fork", "A", "BB", "0>01")
TURN = operation("turn", "A", "B", "0>0")

# name: (instance, the words by hand)
BY_HAND = {
    "no operations": (pipeline([], {}, ""), {"": 0}),
    "no way": (pipeline([], {}, "A0"), {}),
    "goal at once": (pipeline([UP], {"a": "A0"}, "A0"), {"": 0}),
    "no steps": (pipeline([UP], {"a": "A0"}, "A0", steps=0), {"": 0}),
    "up twice": (pipeline([UP], {"a": "A0"}, "A2"), {"up(a)v up(v)w": 2}),
    # The table has no row for 2.
    "partial table": (pipeline([UP], {"a": "A2"}, "A0", leftovers="allowed"), {}),
    "no row at all": (pipeline([operation("never", "", "A")], {}, "A0"), {}),
    "from nothing": (pipeline([MAKE], {}, "A0"), {"make()v": 1}),
    "to nothing": (pipeline([DROP], {"a": "A0", "b": "A1"}, "A1"), {"drop(a)": 1}),
    "nothing at all": (pipeline([BEEP], {}, ""), {"": 0, "beep()": 1, "beep() beep()": 2}),
    # Arguments of one type in both orders: only 01 and 11 have rows.
    "one order": (pipeline([JOIN], {"a": "A1", "b": "A0"}, "B0"), {"join(b,a)v": 1}),
    "both orders": (pipeline([JOIN], {"a": "A1", "b": "A1"}, "B1"), {"join(a,b)v": 1, "join(b,a)v": 1}),
    "no value twice": (pipeline([JOIN], {"a": "A1"}, "B1"), {}),
    "two outputs": (pipeline([SPLIT], {"a": "A0"}, "A0 A1", steps=1), {"split(a)v,w": 1}),
    "outputs in order": (pipeline([SPLIT, JOIN], {"a": "A0"}, "B0"), {"split(a)v,w join(v,w)x": 2}),
    # The step could give the goal with its first output alone, but there is no id for the second.
    "ids run out": (pipeline([FORK], {"a": "A0"}, "B0", ids="v"), {}),
    "an id once": (pipeline([MAKE], {}, "A0", ids="v"), {"make()v": 1}),
    "no argument more": (pipeline([TURN, JOIN], {"a": "A0", "b": "A0"}, "B0"), {}),
    "no ids": (pipeline([MAKE, BEEP], {}, "", ids="", steps=1), {"": 0, "beep()": 1}),
    "one id": (pipeline([MAKE], {}, "A0 A0", ids="v", leftovers="allowed"), {}),
    # The wrong type has the right content.
    "types": (pipeline([UP], {"a": "B0"}, "A1", leftovers="allowed"), {}),
    "used once": (pipeline([UP, TURN], {"a": "A0"}, "A1 B0", leftovers="allowed"), {}),
    "not before its birth": (pipeline([MAKE, UP], {}, "A1"), {"make()v up(v)w": 2}),
    "live limit": (pipeline([MAKE], {"a": "A1"}, "A1 A0", live=1), {}),
    # Within the limit before and after the step; that three values take part in it does not count.
    "limit of a step": (pipeline([JOIN], {"a": "A1", "b": "A0"}, "B0", live=2), {"join(b,a)v": 1}),
    "few steps": (pipeline([BEEP], {}, "", steps=1, cost=3), {"": 0, "beep()": 1}),
    "small cost": (pipeline([BEEP], {}, "", steps=3, cost=1), {"": 0, "beep()": 1}),
    "leftovers": (pipeline([MAKE], {"a": "A1"}, "A1", leftovers="allowed", steps=1), {"": 0, "make()v": 1}),
    "no leftovers": (pipeline([MAKE], {"a": "A1"}, "A1", steps=1), {"": 0}),
    "twice the same": (pipeline([MAKE], {}, "A0 A0", leftovers="allowed"), {"make()v make()w": 2}),
    "exactly twice": (pipeline([MAKE], {"a": "A0"}, "A0 A0"), {"make()v": 1}),
    "through the goal": (
        pipeline([MAKE, DROP], {}, "A0", steps=3, cost=3),
        {
            "make()v": 1,
            "make()v drop(v) make()w": 3,
            "make()v make()w drop(v)": 3,
            "make()v make()w drop(w)": 3,
        },
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    instance, words = BY_HAND[name]
    answer = ask(instance)
    assert listed(answer) == words
    assert answer.optimum == min(words.values(), default=None)


# rule: an instance that loses or gains words when that rule alone is not posted
BITES = {
    "r1_arity": "no argument more",
    "r2_live": "used once",
    "r3_distinct": "no value twice",
    "r4_types": "types",
    "r5_outputs": "ids run out",
    "r6_fresh": "an id once",
    "r7_table": "partial table",
    "r8_live": "live limit",
    "r9_steps": "few steps",
    "r10_cost": "small cost",
    "g_goal": "no way",
}


@pytest.mark.parametrize("rule", RULES)
def test_no_rule_is_idle(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance, words = BY_HAND[BITES[rule]]
    monkeypatch.setattr(smt, rule, lambda *_: None)
    assert listed(ask(instance)) != words


def test_the_table_of_bites_has_every_rule() -> None:
    written = {name for name in vars(smt) if re.match(r"r[0-9]+_|g_", name)}
    assert written == set(RULES) == set(BITES)


@pytest.mark.parametrize("seed", range(60))
def test_random_pipelines(seed: int) -> None:
    instance = random_pipeline(seed)
    expected = played(instance)
    answer = ask(instance)
    assert listed(answer) == expected
    assert answer.optimum == min(expected.values(), default=None)


def test_random_pipelines_are_not_all_alike() -> None:
    sizes = [len(played(instance)) for instance in map(random_pipeline, range(60))]
    assert sum(size == 0 for size in sizes) >= 4
    assert sum(size > 10 for size in sizes) >= 4


@pytest.mark.parametrize(("most", "words"), [(0, 1), (1, 2), (9, 3), (-1, 0)])
def test_a_claim_bounds_the_cost(most: int, words: int) -> None:
    instance, _ = BY_HAND["nothing at all"]
    assert len(ask(instance, most).words) == words


def test_too_many_words_are_no_answer() -> None:
    instance, _ = BY_HAND["nothing at all"]
    with pytest.raises(Undecided) as caught:
        ask(instance, words=2)
    assert caught.value.reason == "words"


def test_a_long_table_heeds_the_clock() -> None:
    instance = pipeline([MAKE, DROP], {}, "A1", steps=10_000, cost=10_000, ids=" ".join(f"i{n}" for n in range(999)))
    with pytest.raises(Undecided) as caught:
        solve(lambda model: smt.build(model, instance, Claim()), Limits(0.2, 10))
    assert caught.value.reason == "time"
