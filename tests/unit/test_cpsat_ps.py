"""PS for CP-SAT: instances whose words are derived by hand, each rule missed when it is gone, and a second opinion.

The second opinion plays all sequences by the rule book; it is written here and shares nothing with the product.
Literals are written `field=value` and `field!value`, effects `field=value`, with spaces between.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from cwr_encodings.cpsat_catalogue import CPSAT
from cwr_encodings.ps import cpsat as encoding
from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.backends import cpsat
from cwr_solvers.errors import Undecided
from cwr_solvers.worlds.ps.instance import read_instance

PLENTY = Limits(seconds=60, words=20_000)
FIXTURES = Path(__file__).parents[2] / "fixtures" / "showcase-index.json"
JsonObject = dict[str, Any]
Values = dict[str, str]


def literals(text: str) -> list[JsonObject]:
    found = []
    for word in text.split():
        field, sign, value = word[0], word[1], word[2:]
        found.append({"field": field, {"=": "is", "!": "not"}[sign]: value})
    return found


def operation(name: str, when: str, then: str) -> JsonObject:
    return {"name": name, "when": literals(when), "then": {one["field"]: one["is"] for one in literals(then)}}


def protocol(
    fields: dict[str, str],
    operations: list[JsonObject],
    goal: str,
    invariants: tuple[str, ...] = (),
    budget: tuple[int, int] = (2, 2),
) -> JsonObject:
    """An instance with one-letter fields and values, the first value being the initial one; invariants are clauses."""
    return {
        "family": "PS",
        "code": "PS-T",
        "fields": [{"name": name, "values": list(text), "initial": text[0]} for name, text in fields.items()],
        "operations": operations,
        "invariants": [literals(clause) for clause in invariants],
        "goal": literals(goal),
        "budget": {"actions": budget[0], "cost": budget[1]},
    }


def solve(data: JsonObject, claim: Claim | None = None) -> Answer:
    instance = read_instance(data)
    return cpsat.solve(lambda model: encoding.build(model, instance, claim or Claim()), PLENTY)


def answer(*words: str) -> Answer:
    """The answer whose words are these, each written as names with spaces between; the cost is their number."""
    texts = [word.split() for word in words]
    coded = {json.dumps({"actions": text}, separators=(",", ":")).encode(): len(text) for text in texts}
    return Answer(min(coded.values(), default=None), coded)


UP = operation("up", "a=0", "a=1")
ON = operation("on", "a=1", "b=1")

# name: (instance, its words by hand, the rule that makes it bite, its words without that rule by hand)
CASES: dict[str, tuple[JsonObject, Answer, str, Answer]] = {
    "what an operation needs comes first": (
        protocol({"a": "01", "b": "01"}, [UP, ON], "a=1 b=1"),
        answer("up on"),
        "R1",
        answer("up on", "on up"),
    ),
    "every literal is needed": (
        protocol({"a": "01", "b": "01"}, [operation("go", "a=0 b=1", "a=1")], "a=1"),
        answer(),
        "R1",
        answer("go", "go go"),
    ),
    "a value that must not be there": (
        protocol({"a": "012"}, [operation("go", "a!0", "a=2"), operation("one", "a=0", "a=1")], "a=2"),
        answer("one go"),
        "R1",
        answer("go", "go go", "one go"),
    ),
    "an invariant broken on the way": (
        protocol(
            {"a": "01", "b": "01"},
            [operation("a", "", "a=1"), operation("b", "", "b=1")],
            "a=1 b=1",
            ("a=0 b=1",),
        ),
        answer("b a"),
        "R2",
        answer("a b", "b a"),
    ),
    "an invariant with a value that must not be there": (
        protocol({"a": "012"}, [operation("one", "", "a=1"), operation("two", "", "a=2")], "a=2", ("a!1",)),
        answer("two", "two two"),
        "R2",
        answer("two", "two two", "one two"),
    ),
    "fewer actions than cost": (
        protocol({"a": "01", "b": "01"}, [UP, ON], "b=1", budget=(1, 3)),
        answer(),
        "R3",
        answer("up on"),
    ),
    "less cost than actions": (
        protocol({"a": "01", "b": "01"}, [UP, ON], "b=1", budget=(3, 1)),
        answer(),
        "R4",
        answer("up on"),
    ),
    "a goal of several literals": (
        protocol({"a": "01", "b": "01"}, [UP, ON], "a=1 b!1"),
        answer("up"),
        "G",
        answer("", "up", "up on"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_words_by_hand(name: str) -> None:
    data, expected, _, _ = CASES[name]
    assert solve(data) == expected


@pytest.mark.parametrize("name", CASES)
def test_without_the_rule_the_answer_is_another(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data, expected, rule, otherwise = CASES[name]
    monkeypatch.setitem(encoding.RULES, rule, lambda *_: None)
    found = solve(data)
    assert found == otherwise
    assert found != expected


def test_every_rule_bites_in_a_case() -> None:
    assert {rule for _, _, rule, _ in CASES.values()} == set(encoding.RULES)
    assert all(rule.lower() == post.__name__.partition("_")[0] for rule, post in encoding.RULES.items())


def test_the_empty_word_where_the_goal_is_true_at_once() -> None:
    assert solve(protocol({"a": "01"}, [UP], "a=0", budget=(0, 4))) == answer("")
    assert solve(protocol({"a": "01"}, [], "a=0")) == answer("")
    assert solve(protocol({}, [], "")) == answer("")
    assert solve(protocol({"a": "0"}, [], "a!0")) == answer()


def test_effects_come_at_once() -> None:
    """By hand: one after the other, either effect would break the invariant."""
    both = operation("both", "", "a=1 b=1")
    parts = [operation("left", "", "a=1"), operation("right", "", "b=1")]
    kept = ("a=0 b=1", "a=1 b=0")
    data = protocol({"a": "01", "b": "01"}, [both, *parts], "a=1", kept, (1, 1))
    assert solve(data) == answer("both")


def test_a_goal_reached_on_the_way_is_not_enough() -> None:
    down = operation("down", "a=1", "a=0")
    assert solve(protocol({"a": "01"}, [UP, down], "a=1", budget=(3, 3))) == answer("up", "up down up")


def test_operations_that_change_nothing() -> None:
    wait, same = operation("wait", "", ""), operation("same", "a=0", "a=0")
    assert solve(protocol({"a": "01"}, [wait, same], "a=0", budget=(1, 1))) == answer("", "wait", "same")


def test_conditions_and_effects_that_contradict_each_other() -> None:
    never = operation("never", "a=0 a=1", "a=1")
    assert solve(protocol({"a": "01"}, [never], "a=1")) == answer()
    assert solve(protocol({"a": "01"}, [UP], "a=0 a=1")) == answer()


def test_a_number_and_its_text_are_two_values() -> None:
    data = protocol({"a": "0"}, [], "")
    data["fields"][0] = {"name": "a", "values": [1, "1"], "initial": 1}
    data["operations"] = [{"name": "go", "when": [{"field": "a", "is": 1}], "then": {"a": "1"}}]
    data["goal"] = [{"field": "a", "is": "1"}]
    assert solve(data) == answer("go")


def test_a_claim_only_narrows() -> None:
    wait = operation("wait", "", "")
    data = protocol({"a": "01"}, [UP, wait], "a=1")
    every = answer("up", "up wait", "wait up")
    assert solve(data) == solve(data, Claim(9)) == every
    assert solve(data, Claim(1)) == answer("up")
    assert solve(data, Claim(0)) == solve(data, Claim(-1)) == answer()


def test_a_word_of_too_many_terms_is_undecided() -> None:
    with pytest.raises(Undecided, match="memory"):
        solve(protocol(dict.fromkeys("abcdefghijklmnopqrst", "0123456789"), [UP], "", budget=(10_000, 10_000)))


def test_a_large_instance_and_a_moment_is_undecided() -> None:
    """Fourteen switches, each to be moved only when those before it stand in a certain way."""
    names = "abcdefghijklmn"
    operations = []
    for number, name in enumerate(names):
        before = " ".join([f"{names[number - 1]}=1", *(f"{one}=0" for one in names[: number - 1])]) if number else ""
        operations += [
            operation(f"on{name}", before, f"{name}=1"),
            operation(f"off{name}", before, f"{name}=0"),
        ]
    instance = read_instance(protocol(dict.fromkeys(names, "01"), operations, "n=1", budget=(60, 60)))
    for ask in (cpsat.solve, cpsat.optimum):
        with pytest.raises(Undecided) as raised:
            ask(lambda model: encoding.build(model, instance, Claim()), Limits(0.05, 10))
        assert raised.value.reason == "time"


def test_the_showcase_has_its_one_word() -> None:
    """By hand: commit needs acknowledge, that needs flush, that needs stage and the lock given back, in this order."""
    (data,) = (world["instance"] for world in json.loads(FIXTURES.read_bytes())["worlds"] if world["code"] == "PS-001")
    instance = read_instance(data)
    found = cpsat.solve(lambda model: CPSAT["PS"](model, instance, Claim()), PLENTY)
    assert found == answer("acquire stage release flush acknowledge commit")


def drawn(seed: int) -> JsonObject:
    """A random small protocol: up to three values, literals of both signs, invariants, budgets set apart."""
    draw = random.Random(seed)
    fields = {name: "012"[: draw.randint(1, 3)] for name in "abc"[: draw.randint(1, 3)]}

    def some(chance: float, signs: str) -> str:
        """Literals on some fields, each field once."""
        words = [
            f"{name}{draw.choice(signs)}{draw.choice(values)}"
            for name, values in fields.items()
            if draw.random() < chance
        ]
        return " ".join(words)

    operations = [operation(f"o{number}", some(0.4, "=!"), some(0.5, "=")) for number in range(draw.randint(1, 3))]
    start = {name: values[0] for name, values in fields.items()}
    clauses = [some(0.7, "=!!") for _ in range(draw.randint(0, 2))]
    kept = tuple(clause for clause in clauses if any(holds(start, one) for one in literals(clause)))
    return protocol(fields, operations, some(0.6, "=!"), kept, (draw.randint(1, 4), draw.randint(1, 4)))


def holds(values: Values, literal: JsonObject) -> bool:
    has = values[literal["field"]]
    return has == literal["is"] if "is" in literal else has != literal["not"]


def played(data: JsonObject) -> Iterable[str]:
    """Every accepted sequence, by the rule book."""

    def onward(values: Values, word: list[str]) -> Iterable[str]:
        if all(holds(values, literal) for literal in data["goal"]):
            yield " ".join(word)
        if len(word) == min(data["budget"].values()):
            return
        for one in data["operations"]:
            after = {**values, **one["then"]}
            fits = all(holds(values, literal) for literal in one["when"])
            if fits and all(any(holds(after, literal) for literal in clause) for clause in data["invariants"]):
                yield from onward(after, [*word, one["name"]])

    return onward({field["name"]: field["initial"] for field in data["fields"]}, [])


def test_random_protocols_have_the_words_of_the_rule_book() -> None:
    sizes = []
    for seed in range(150):
        data = drawn(seed)
        expected = answer(*played(data))
        assert solve(data) == expected, seed
        sizes.append(len(expected.words))
    # The comparison is worth something only when both kinds of instance are there.
    assert sum(size == 0 for size in sizes) >= 20
    assert sum(size >= 3 for size in sizes) >= 20
