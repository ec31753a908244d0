"""PA for CP-SAT: instances whose words are derived by hand, each rule missed when it is gone, and a second opinion.

The second opinion makes one connection after the other by the rule book; it shares nothing with the product.
Components are one letter, ports two (component and port, written `Ap`), connections `Ap>Bq`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from cwr_encodings.cpsat_catalogue import CPSAT
from cwr_encodings.pa import cpsat as encoding
from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.backends import cpsat
from cwr_solvers.errors import Undecided
from cwr_solvers.worlds.pa.instance import read_instance

PLENTY = Limits(seconds=60, words=20_000)
FIXTURES = Path(__file__).parents[2] / "fixtures" / "showcase-index.json"
JsonObject = dict[str, Any]
Made = list[tuple[str, str]]


def component(text: str) -> JsonObject:
    """`A qT uT > pU` is the component A with inputs q and u of type T and an output p of type U."""
    name, *rest = text.split()
    inputs, _, outputs = " ".join(rest).partition(">")
    sides = ({word[0]: word[1:] for word in side.split()} for side in (inputs, outputs))
    return {"name": name, **dict(zip(("inputs", "outputs"), sides, strict=True))}


def assembly(
    components: list[str], connected: str = "", paths: str = "", forbidden: str = "", budget: tuple[int, int] = (1, 1)
) -> JsonObject:
    """An instance; `connected` lists ports, `paths` pairs of components; budget: connections, cost."""
    return {
        "family": "PA",
        "code": "PA-T",
        "components": [component(text) for text in components],
        "forbidden": list(forbidden),
        "goal": {
            "connected": [f"{port[0]}.{port[1:]}" for port in connected.split()],
            "paths": [{"from": pair[0], "to": pair[1]} for pair in paths.split()],
        },
        "budget": {"connections": budget[0], "cost": budget[1]},
    }


def solve(data: JsonObject, claim: Claim | None = None) -> Answer:
    instance = read_instance(data)
    return cpsat.solve(lambda model: encoding.build(model, instance, claim or Claim()), PLENTY)


def answer(*words: str) -> Answer:
    """The answer whose words are these; the cost is the number of connections."""
    coded = {}
    for word in words:
        pairs = sorted(tuple(f"{port[0]}.{port[1:]}" for port in text.split(">")) for text in word.split())
        made = [{"from": source, "to": target} for source, target in pairs]
        coded[json.dumps({"connections": made}, separators=(",", ":")).encode()] = len(made)
    return Answer(min(coded.values(), default=None), coded)


PAIR = ["A > pT", "B qT"]
APART = [*PAIR, "C > pU", "D qU"]
RING = ["A qT > pU", "B qU > pT"]

# name: (instance, its words by hand, the rule that makes it bite, its words without that rule by hand)
CASES: dict[str, tuple[JsonObject, list[str], str, list[str]]] = {
    "from an output to an input": (assembly(PAIR, "Ap"), ["Ap>Bq"], "R1", ["Ap>Bq", "Bq>Ap"]),
    "two outputs": (assembly(["A > pT", "B > qT"], "Ap"), [], "R1", ["Ap>Bq", "Bq>Ap"]),
    "two inputs": (assembly(["A pT", "B qT"], "Ap"), [], "R1", ["Ap>Bq", "Bq>Ap"]),
    "two types": (assembly(["A > pT", "B qU"], "Ap"), [], "R2", ["Ap>Bq"]),
    "one output for two inputs": (
        assembly([*PAIR, "C qT"], "Bq Cq", budget=(2, 2)),
        [],
        "R3",
        ["Ap>Bq Ap>Cq"],
    ),
    "one input for two outputs": (
        assembly([*PAIR, "C > pT"], "Ap Cp", budget=(2, 2)),
        [],
        "R4",
        ["Ap>Bq Cp>Bq"],
    ),
    "a component with itself": (assembly(["A qT > pT"], "Ap"), [], "R5", ["Ap>Aq"]),
    "a forbidden component at the start": (assembly(PAIR, "Ap", forbidden="A"), [], "R6", ["Ap>Bq"]),
    "a forbidden component at the end": (assembly(PAIR, "Ap", forbidden="B"), [], "R6", ["Ap>Bq"]),
    "a cycle of two": (assembly(RING, "Ap Bp", budget=(2, 2)), [], "R7", ["Ap>Bq Bp>Aq"]),
    "a cycle of three": (
        assembly(["A qT > pU", "B qU > pV", "C qV > pT"], "Ap Bp Cp", budget=(3, 3)),
        [],
        "R7",
        ["Ap>Bq Bp>Cq Cp>Aq"],
    ),
    "fewer connections than cost": (assembly(APART, "Ap Cp", budget=(1, 2)), [], "R8", ["Ap>Bq Cp>Dq"]),
    "less cost than connections": (assembly(APART, "Ap Cp", budget=(2, 1)), [], "R9", ["Ap>Bq Cp>Dq"]),
    "a port that is to be connected": (assembly(PAIR, "Bq"), ["Ap>Bq"], "G", ["", "Ap>Bq"]),
    "a path over a third component": (
        assembly(["A > pT", "B qT > pU", "C qU"], paths="AC", budget=(2, 2)),
        ["Ap>Bq Bp>Cq"],
        "G",
        ["", "Ap>Bq", "Bp>Cq", "Ap>Bq Bp>Cq"],
    ),
    "a path has a direction": (assembly(PAIR, paths="BA"), [], "G", ["", "Ap>Bq"]),
    "a path to oneself": (assembly(RING, paths="AA", budget=(2, 2)), [], "G", ["", "Ap>Bq", "Bp>Aq"]),
}


@pytest.mark.parametrize("name", CASES)
def test_words_by_hand(name: str) -> None:
    data, words, _, _ = CASES[name]
    assert solve(data) == answer(*words)


@pytest.mark.parametrize("name", CASES)
def test_without_the_rule_the_answer_is_another(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data, words, rule, otherwise = CASES[name]
    monkeypatch.setitem(encoding.RULES, rule, lambda *_: None)
    found = solve(data)
    assert found == answer(*otherwise)
    assert found != answer(*words)


def test_every_rule_bites_in_a_case() -> None:
    assert {rule for _, _, rule, _ in CASES.values()} == set(encoding.RULES)
    assert all(rule.lower() == post.__name__.partition("_")[0] for rule, post in encoding.RULES.items())


def test_the_empty_word_where_the_goal_is_true_at_once() -> None:
    assert solve(assembly([], budget=(3, 3))) == answer("")
    assert solve(assembly(["A"])) == answer("")
    assert solve(assembly(PAIR, budget=(0, 3))) == answer("")


def test_connections_that_are_of_no_use() -> None:
    assert solve(assembly(APART, "Ap", budget=(2, 2))) == answer("Ap>Bq", "Ap>Bq Cp>Dq")


def test_several_connections_between_two_components() -> None:
    twice = ["A > pT rT", "B qT sT"]
    expected = answer("Ap>Bq Ar>Bs", "Ap>Bs Ar>Bq")
    assert solve(assembly(twice, "Bq Bs", budget=(9, 9))) == expected
    assert solve(assembly(twice, "Bq Bs", "AB", budget=(2, 2))) == expected


def test_a_cycle_elsewhere_is_no_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path must be supported from its start; with cycles allowed, what reaches itself reaches nothing else by it."""
    monkeypatch.setitem(encoding.RULES, "R7", lambda *_: None)
    lone = assembly([*RING, "C > pV"], paths="CA", budget=(2, 2))
    assert solve(lone) == answer()
    assert solve(assembly(RING, paths="AA", budget=(2, 2))) == answer("Ap>Bq Bp>Aq")


def test_a_connection_with_itself_is_no_matter_of_the_cycle_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """R7 is judged only where R5 holds; that rule alone keeps a component from being connected with itself."""
    data = assembly(["A qT > pT"], "Ap")
    monkeypatch.setitem(encoding.RULES, "R7", lambda *_: None)
    assert solve(data) == answer()
    monkeypatch.setitem(encoding.RULES, "R5", lambda *_: None)
    assert solve(data) == answer("Ap>Aq")


def test_connections_are_sorted_by_name_and_not_as_stated() -> None:
    data = assembly(["Z > pT", "Y qT", "b > pU", "B qU"], "Zp bp", budget=(2, 2))
    word = b'{"connections":[{"from":"Z.p","to":"Y.q"},{"from":"b.p","to":"B.q"}]}'
    assert set(solve(data).words) == {word}


def test_a_claim_only_narrows() -> None:
    data = assembly(APART, "Ap", budget=(2, 2))
    every = answer("Ap>Bq", "Ap>Bq Cp>Dq")
    assert solve(data, Claim(9)) == solve(data, Claim(2)) == every
    assert solve(data, Claim(1)) == answer("Ap>Bq")
    assert solve(data, Claim(0)) == solve(data, Claim(-1)) == answer()


def test_large_budgets() -> None:
    assert solve(assembly(PAIR, "Ap", budget=(2**53, 2**53))) == answer("Ap>Bq")


def test_too_many_ports_are_undecided() -> None:
    with pytest.raises(Undecided, match="memory"):
        solve(assembly([f"{chr(0x4E00 + number)} > pT qT rT sT" for number in range(200)]))


def test_a_large_instance_and_a_moment_is_undecided() -> None:
    names = "ABCDEFGHIJKL"
    parts = [f"{name} qT rT sT > tT uT" for name in names]
    instance = read_instance(assembly(parts, paths=" ".join(map("".join, pairwise(names)))))
    for ask in (cpsat.solve, cpsat.optimum):
        with pytest.raises(Undecided) as raised:
            ask(lambda model: encoding.build(model, instance, Claim()), Limits(0.05, 10))
        assert raised.value.reason == "time"


def test_the_showcase_has_its_four_words() -> None:
    """By hand: everything but the use of J's outputs and of M's inputs is forced, and either may be exchanged."""
    (data,) = (world["instance"] for world in json.loads(FIXTURES.read_bytes())["worlds"] if world["code"] == "PA-001")
    words = [
        f"Sp>Jp J{one}>Lp J{other}>Up Ls>M{left} Us>M{right} Ms>Ks"
        for one, other in (("p1", "p2"), ("p2", "p1"))
        for left, right in (("s1", "s2"), ("s2", "s1"))
    ]
    instance = read_instance(data)
    assert cpsat.solve(lambda model: CPSAT["PA"](model, instance, Claim()), PLENTY) == answer(*words)


def drawn(seed: int) -> JsonObject:
    """A random small assembly: two types, components with up to two ports a side, a forbidden one now and then."""
    draw = random.Random(seed)
    names = "ABCD"[: draw.randint(2, 4)]
    parts = []
    for name in names:
        inputs, outputs = (
            " ".join(f"{port}{draw.choice('TTTU')}" for port in side[: draw.choice((0, 1, 1, 2))])
            for side in ("qr", "ps")
        )
        parts.append(f"{name} {inputs} > {outputs}")
    ports = [
        port["name"] + key for port in map(component, parts) for side in ("inputs", "outputs") for key in port[side]
    ]
    connected = [port for port in ports if draw.random() < 0.15]
    paths = ["".join(draw.choices(names, k=2)) for _ in range(draw.choice((0, 0, 1, 1, 2)))]
    forbidden = draw.choice(names) if draw.random() < 0.2 else ""
    budget = (draw.randint(1, 4), draw.randint(1, 4))
    return assembly(parts, " ".join(connected), " ".join(paths), forbidden, budget)


def assembled(data: JsonObject) -> Iterable[str]:
    """Every accepted set, by the rule book; connections in ascending order, since every subset of a legal set is."""
    sides = {
        one["name"] + key: (side, kind)
        for one in data["components"]
        for side in ("inputs", "outputs")
        for key, kind in one[side].items()
    }
    pairs = [(source, target) for source in sorted(sides) for target in sorted(sides)]
    goal = data["goal"]

    def legal(made: Made, source: str, target: str) -> bool:
        ends = [port for pair in made for port in pair]
        return (
            sides[source][0] == "outputs"
            and sides[target][0] == "inputs"
            and sides[source][1] == sides[target][1]
            and source not in ends
            and target not in ends
            and source[0] != target[0]
            and not {source[0], target[0]} & set(data["forbidden"])
            and target[0] not in onto(made, source[0], back=True)
        )

    def onto(made: Made, start: str, *, back: bool = False) -> set[str]:
        """The components at the end of a path of at least one connection from `start` (or, backward, to it)."""
        found: set[str] = set()
        frontier = {start}
        while frontier:
            nearby = {(b[0], a[0]) if back else (a[0], b[0]) for a, b in made}
            frontier = {end for begin, end in nearby if begin in frontier} - found
            found |= frontier
        return found

    def onward(made: Made, first: int) -> Iterable[str]:
        ends = {f"{port[0]}.{port[1:]}" for pair in made for port in pair}
        if ends.issuperset(goal["connected"]) and all(path["to"] in onto(made, path["from"]) for path in goal["paths"]):
            yield " ".join(f"{source}>{target}" for source, target in made)
        if len(made) == min(data["budget"].values()):
            return
        for index in range(first, len(pairs)):
            if legal(made, *pairs[index]):
                yield from onward([*made, pairs[index]], index + 1)

    return onward([], 0)


def test_random_assemblies_have_the_words_of_the_rule_book() -> None:
    sizes = []
    for seed in range(150):
        data = drawn(seed)
        expected = answer(*assembled(data))
        assert solve(data) == expected, seed
        sizes.append(len(expected.words))
    # The comparison is worth something only when both kinds of instance are there.
    assert sum(size == 0 for size in sizes) >= 20
    assert sum(size >= 3 for size in sizes) >= 20
