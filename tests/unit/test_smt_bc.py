"""The SMT encoding of BC against answers worked out by hand, and against a player of the rule book written here.

A word is written as its gates, `op first second`, set apart by semicolons, then `>` and the outputs in the order of
their names; an id stands before a gate (`g1:`) where it is not the next one.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from cwr_encodings.bc import smt
from cwr_encodings.smt_catalogue import SMT
from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.backends.smt import solve
from cwr_solvers.errors import Undecided
from cwr_solvers.worlds.bc.instance import read_instance

FIXTURES = Path(__file__).parents[2] / "fixtures" / "showcase-index.json"
JsonObject = dict[str, Any]
Gates = tuple[tuple[str, str, str], ...]
Values = dict[str, tuple[int, ...]]  # signal → its value in every row


def operator(name: str, table: str, cost: int = 1) -> JsonObject:
    """An operator; `table` has the values for 00, 01, 10, 11."""
    return {"name": name, "table": [int(bit) for bit in table], "cost": cost}


def circuit(pins: str, operators: list[JsonObject], gates: int = 1, cost: int = 9, **goal: str) -> JsonObject:
    """A task with one-letter pins; the goal is `output`, or any other names for several ones."""
    vectors = {name: [int(bit) for bit in text] for name, text in goal.items()}
    return {
        "family": "BC",
        "code": "T",
        "pins": list(pins),
        "operators": operators,
        "goal": vectors if set(vectors) == {"output"} else {"outputs": vectors},
        "budget": {"gates": gates, "cost": cost},
    }


def ask(data: JsonObject, most_cost: int | None = None, words: int = 5000, seconds: float = 60) -> Answer:
    instance = read_instance(data)
    return solve(lambda model: SMT["BC"](model, instance, Claim(most_cost)), Limits(seconds, words))


def listed(answer: Answer) -> dict[str, int]:
    return {written(json.loads(word)): cost for word, cost in answer.words.items()}


def written(word: JsonObject) -> str:
    gates = []
    for number, gate in enumerate(word["gates"]):
        name = "" if gate["id"] == f"g{number}" else f"{gate['id']}:"
        gates.append(f"{name}{gate['op']} {' '.join(gate['inputs'])}")
    outputs = [word["output"]] if "output" in word else [word["outputs"][name] for name in sorted(word["outputs"])]
    return f"{'; '.join(gates)} > {' '.join(outputs)}".lstrip()


def play(data: JsonObject, values: Values, gates: Gates = (), cost: int = 0) -> Iterator[tuple[Gates, int, Values]]:
    """Every legal list of gates that begins with these, its cost and the values of all signals."""
    yield gates, cost, values
    if len(gates) == data["budget"]["gates"]:
        return
    signals = list(values)
    for one in data["operators"]:
        symmetric = one["table"][1] == one["table"][2]
        if cost + one["cost"] > data["budget"]["cost"]:
            continue
        for first, second in product(signals, repeat=2):
            if symmetric and signals.index(first) > signals.index(second):
                continue
            rows = zip(values[first], values[second], strict=True)
            made = tuple(one["table"][2 * here + there] for here, there in rows)
            new = {**values, f"g{len(gates)}": made}
            yield from play(data, new, (*gates, (one["name"], first, second)), cost + one["cost"])


def pins_of(data: JsonObject) -> Values:
    rows = list(product((0, 1), repeat=len(data["pins"])))
    return {pin: tuple(row[number] for row in rows) for number, pin in enumerate(data["pins"])}


def played(data: JsonObject) -> dict[str, int]:
    goal = data["goal"].get("outputs", data["goal"])
    words = {}
    for gates, cost, values in play(data, pins_of(data)):
        choices = [[name for name, vector in values.items() if list(vector) == goal[key]] for key in sorted(goal)]
        for chosen in product(*choices):
            text = "; ".join(" ".join(gate) for gate in gates)
            words[f"{text} > {' '.join(chosen)}".lstrip()] = cost
    return words


def drawn(seed: int) -> JsonObject:
    """A random task that some circuit solves more often than not; budgets are set apart."""
    draw = random.Random(f"bc {seed}")
    pins = "ab"[: draw.choice((1, 2, 2))]
    tables = draw.sample(
        ["0001", "0111", "0110", "1110", "0010", "1101", "1100", "0000"], draw.choice((0, 1, 1, 1, 2, 2))
    )
    operators = [operator(f"o{number}", table, draw.choice((0, 1, 1, 2))) for number, table in enumerate(tables)]
    gates = draw.choice((0, 1, 2, 2))
    data = circuit(pins, operators, gates, draw.randint(0, 4))
    names = draw.choice((["output"], ["output"], ["x", "y"]))
    circuits = [list(values.values()) for _, _, values in play(data, pins_of(data))]
    made = draw.choice(
        circuits if draw.random() < 0.7 else [draw.sample(list(product((0, 1), repeat=2 ** len(pins))), 2)]
    )
    vectors = {name: list(draw.choice(made[-2:])) for name in names}
    data["goal"] = vectors if names == ["output"] else {"outputs": vectors}
    return data


AND = operator("AND", "0001")
OR = operator("OR", "0111")
XOR = operator("XOR", "0110")
NAND = operator("N", "1110")
BUT = operator("BUT", "0010")  # the first and not the second
FIRST = operator("FST", "0011")

# name: (task, the words by hand)
BY_HAND: dict[str, tuple[JsonObject, dict[str, int]]] = {
    "a pin": (circuit("a", [], output="01"), {"> a": 0}),
    "no pin": (circuit("a", [], output="10"), {}),
    "no gates": (circuit("a", [NAND], 0, output="10"), {}),
    # Row 0 has all pins 0, and the first pin changes last.
    "rows": (circuit("abc", [], 0, output="00110011"), {"> b": 0}),
    "a gate": (circuit("a", [NAND], output="10"), {"N a a > g0": 1}),
    "inputs sorted": (circuit("ba", [AND], output="0001"), {"AND b a > g0": 1}),
    "inputs in both orders": (circuit("ab", [BUT], output="0100"), {"BUT b a > g0": 1}),
    "inputs in either order": (
        circuit("ab", [operator("Z", "0010"), operator("Y", "0100")], output="0100"),
        {"Z b a > g0": 1, "Y a b > g0": 1},
    ),
    "a pin and a useless gate": (
        circuit("ab", [FIRST], output="0101"),
        {"> b": 0, "FST a a > b": 1, "FST a b > b": 1, "FST b a > b": 1, "FST b a > g0": 1}
        | {"FST b b > b": 1, "FST b b > g0": 1},
    ),
    "two outputs": (
        circuit("ab", [AND], x="0001", y="0011"),
        {"AND a b > g0 a": 1},
    ),
    "one signal for two outputs": (circuit("ab", [AND], x="0001", y="0001"), {"AND a b > g0 g0": 1}),
    # Neither what comes later nor the gate itself is read; if they were, a constant could be made of nothing.
    "no forward reading": (circuit("a", [OR], 1, output="11"), {}),
    "one gate after another": (
        circuit("ab", [NAND], 2, output="0001"),
        {"N a b; N g0 g0 > g1": 2},
    ),
    "numbering kept": (
        circuit("ab", [AND, OR], 2, x="0001", y="0111"),
        {"AND a b; OR a b > g0 g1": 2, "OR a b; AND a b > g1 g0": 2},
    ),
    "few gates": (circuit("a", [NAND], 1, output="01"), {"> a": 0, "N a a > a": 1}),
    "small cost": (circuit("a", [NAND], 2, 1, output="01"), {"> a": 0, "N a a > a": 1}),
    "costs": (
        circuit("a", [operator("C", "1100", 5), operator("D", "1010", 2)], 1, 5, output="10"),
        {"C a a > g0": 5, "D a a > g0": 2},
    ),
    "no cost": (circuit("a", [operator("F", "1110", 0)], 1, 0, output="10"), {"F a a > g0": 0}),
    "huge": (circuit("a", [operator("H", "1110", 1_000_000)], 1, 2**53, output="10"), {"H a a > g0": 1_000_000}),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    data, words = BY_HAND[name]
    answer = ask(data)
    assert listed(answer) == words
    assert answer.optimum == min(words.values(), default=None)


# rule: (an instance that gains words when that rule alone is not posted, these words)
BITES = {
    "R1": ("a gate", {"g1:N a a > g1": 1}),
    # The gate that reads itself may be 1 where it says so.
    "R2": ("no forward reading", {"OR a g0 > g0": 1, "OR g0 g0 > g0": 1, "OR g0 g1 > g0": 1}),
    "R3": ("no gates", {"N a a > g0": 1}),
    "R4": ("dear", {"N a a > g0": 3}),
    "G": ("no pin", {"> a": 0}),
}
BY_HAND["dear"] = (circuit("a", [operator("N", "1110", 3), operator("ZERO", "0000", 2)], 1, 2, output="10"), {})


@pytest.mark.parametrize("rule", BITES)
def test_no_rule_is_idle(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, more = BITES[rule]
    data, words = BY_HAND[name]
    monkeypatch.setitem(smt.RULES, rule, lambda *_: None)
    assert listed(ask(data)) == words | more


def test_every_rule_has_its_name() -> None:
    assert set(BITES) == set(smt.RULES)
    assert all(rule.lower() == post.__name__.partition("_")[0] for rule, post in smt.RULES.items())


@pytest.mark.parametrize("seed", range(30))
def test_random_circuits(seed: int) -> None:
    data = drawn(seed)
    expected = played(data)
    answer = ask(data)
    assert listed(answer) == expected
    assert answer.optimum == min(expected.values(), default=None)


def test_random_circuits_are_not_all_alike() -> None:
    sizes = [len(played(data)) for data in map(drawn, range(30))]
    assert sum(size == 0 for size in sizes) >= 4
    assert sum(size > 10 for size in sizes) >= 4


@pytest.mark.parametrize(("most", "words"), [(-1, 0), (1, 0), (2, 1), (4, 1), (5, 2), (99, 2)])
def test_a_claim_bounds_the_cost(most: int, words: int) -> None:
    assert len(ask(BY_HAND["costs"][0], most).words) == words


def test_too_many_words_are_no_answer() -> None:
    with pytest.raises(Undecided) as caught:
        ask(BY_HAND["costs"][0], words=1)
    assert caught.value.reason == "words"


def test_a_long_list_heeds_the_clock() -> None:
    with pytest.raises(Undecided) as caught:
        ask(circuit("abcdefgh", [AND, XOR], 64, 64, output="01" * 128), seconds=0.2)
    assert caught.value.reason == "time"


def test_the_showcase() -> None:
    """Its words come in five forms, each for three choices of the pins that are read together, in every numbering."""
    (data,) = (one["instance"] for one in json.loads(FIXTURES.read_bytes())["worlds"] if one["code"] == "BC-001")
    forms = []
    for p, q, z in ("abc", "acb", "bca"):
        for x, y, e, o in ("AOAO", "AXAO", "AXAX", "OAOA"):
            forms.append([(x, p, q), (y, p, q), (e, z, 1), (o, 0, 2)])
        forms.append([("X", p, z), ("X", q, z), ("A", 0, 1), ("X", z, 2)])
    names = {"A": "AND", "O": "OR", "X": "XOR"}
    expected = set()
    for form in forms:
        for order in permutations(range(4)):
            place = {old: new for new, old in enumerate(order)}
            if all(place[old] > place[part] for old, gate in enumerate(form) for part in gate if isinstance(part, int)):
                gates = [form[old] for old in order]
                reads = [
                    sorted(f"g{place[part]}" if isinstance(part, int) else part for part in gate[1:]) for gate in gates
                ]
                text = "; ".join(f"{names[gate[0]]} {' '.join(read)}" for gate, read in zip(gates, reads, strict=True))
                expected.add(f"{text} > g3")
    answer = ask(data)
    assert listed(answer) == dict.fromkeys(expected, 4)
    assert (answer.optimum, len(expected)) == (4, 42)
