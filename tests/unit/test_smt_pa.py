"""The SMT encoding of PA against answers worked out by hand, and against a player of the rule book written here.

Components are written `NAME in:type … > out:type …`, connections `A.o-B.i`.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from cwr_encodings.pa import smt
from cwr_encodings.smt_catalogue import SMT
from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.backends.smt import solve
from cwr_solvers.errors import Undecided
from cwr_solvers.worlds.pa.instance import read_instance

FIXTURES = Path(__file__).parents[2] / "fixtures" / "showcase-index.json"
JsonObject = dict[str, Any]
Ports = dict[str, tuple[str, str, bool]]  # port → component, type, whether it is an output


def component(text: str) -> JsonObject:
    before, _, after = text.partition(">")
    name, *inputs = before.split()
    sides = {"inputs": inputs, "outputs": after.split()}
    return {"name": name, **{side: dict(port.split(":") for port in ports) for side, ports in sides.items()}}


def assembly(*components: str, connected: str = "", paths: str = "", **rest: Any) -> JsonObject:
    """A task; ports and paths (`A-B`) of the goal, forbidden components; in `rest` the budgets."""
    return {
        "family": "PA",
        "code": "T",
        "components": [component(text) for text in components],
        "forbidden": rest.get("forbidden", "").split(),
        "goal": {
            "connected": connected.split(),
            "paths": [dict(zip(("from", "to"), path.split("-"), strict=True)) for path in paths.split()],
        },
        "budget": {"connections": rest.get("connections", 9), "cost": rest.get("cost", 9)},
    }


def ask(data: JsonObject, most_cost: int | None = None, words: int = 5000, seconds: float = 60) -> Answer:
    instance = read_instance(data)
    return solve(lambda model: SMT["PA"](model, instance, Claim(most_cost)), Limits(seconds, words))


def listed(answer: Answer) -> dict[str, int]:
    """The words with their connections, in their order, joined by blanks."""
    words = {word: json.loads(word)["connections"] for word in answer.words}
    return {" ".join(f"{one['from']}-{one['to']}" for one in words[word]): cost for word, cost in answer.words.items()}


def ports_of(data: JsonObject) -> Ports:
    return {
        f"{one['name']}.{port}": (one["name"], kind, side == "outputs")
        for one in data["components"]
        for side in ("inputs", "outputs")
        for port, kind in one[side].items()
    }


def fits(data: JsonObject, ports: Ports, made: list[tuple[str, str]], new: tuple[str, str]) -> bool:
    """Whether the connection breaks none of R1 to R7 after those made before."""
    start, end = new
    (ours, kind, output), (theirs, their_kind, their_output) = ports[start], ports[end]
    ends = {port for one in made for port in one}
    banned = {ours, theirs} & set(data["forbidden"])
    free = start not in ends and end not in ends
    if not output or their_output or kind != their_kind or not free or ours == theirs or banned:
        return False
    return not leads(ports, [*made, new], theirs, ours)


def leads(ports: Ports, made: list[tuple[str, str]], start: str, end: str) -> bool:
    """Whether a path of at least one connection leads there; the connections form no cycle without the start."""
    found, seen = [start], set()
    while found:
        here = found.pop()
        for source, target in made:
            there = ports[target][0]
            if ports[source][0] == here and there not in seen:
                seen.add(there)
                found.append(there)
    return end in seen


def played(data: JsonObject) -> dict[str, int]:
    """All accepted words: connections are tried in sorted order, each taken or left."""
    ports = ports_of(data)
    pairs = sorted((start, end) for start in ports for end in ports)
    budget = min(data["budget"].values())
    sets: list[list[tuple[str, str]]] = [[]]
    for pair in pairs:
        sets += [[*made, pair] for made in sets if len(made) < budget and fits(data, ports, made, pair)]
    goal = data["goal"]
    return {
        " ".join(f"{start}-{end}" for start, end in made): len(made)
        for made in sets
        if {port for one in made for port in one}.issuperset(goal["connected"])
        and all(leads(ports, made, path["from"], path["to"]) for path in goal["paths"])
    }


def drawn(seed: int) -> JsonObject:
    """A random task of up to four components with up to three ports each; budgets are set apart."""
    draw = random.Random(f"pa {seed}")
    names = draw.sample("ABCD", draw.randint(2, 4))
    parts = []
    for name in names:
        inputs, outputs = (
            [f"{side}{number}:{draw.choice('ppq')}" for number in range(draw.choice((0, 1, 1, 2)))] for side in "io"
        )
        parts.append(f"{name} {' '.join(inputs)} > {' '.join(outputs)}")
    data = assembly(*parts, connections=draw.randint(1, 4), cost=draw.randint(2, 4))
    data["forbidden"] = [name for name in names if draw.random() < 0.1]
    data["goal"]["connected"] = [port for port in ports_of(data) if draw.random() < 0.1]
    pairs = [draw.sample(names, 2) for _ in range(2) if draw.random() < 0.3]
    data["goal"]["paths"] = [{"from": start, "to": end} for start, end in pairs]
    return data


RING = ("A i:p > o:p", "B i:p > o:p")

# name: (task, the words by hand)
BY_HAND: dict[str, tuple[JsonObject, dict[str, int]]] = {
    "no components": (assembly(), {"": 0}),
    "no ports": (assembly("A", "B"), {"": 0}),
    "no path without ports": (assembly("A", "B", paths="A-B"), {}),
    "one connection": (assembly("A > o:p", "B i:p"), {"": 0, "A.o-B.i": 1}),
    "no budget": (assembly("A > o:p", "B i:p", connections=0), {"": 0}),
    "outputs only": (assembly("A > o:p", "B > o:p"), {"": 0}),
    "inputs only": (assembly("A i:p", "B i:p"), {"": 0}),
    "types": (assembly("A > o:p", "B i:q"), {"": 0}),
    "one output": (assembly("A > o:p", "B i:p", "C i:p"), {"": 0, "A.o-B.i": 1, "A.o-C.i": 1}),
    "one input": (assembly("A > o:p", "B > o:p", "C i:p"), {"": 0, "A.o-C.i": 1, "B.o-C.i": 1}),
    "oneself": (assembly("A i:p > o:p"), {"": 0}),
    "forbidden giver": (assembly("A > o:p", "B i:p", forbidden="A"), {"": 0}),
    "forbidden taker": (assembly("A > o:p", "B i:p", forbidden="B"), {"": 0}),
    "ring": (assembly(*RING), {"": 0, "A.o-B.i": 1, "B.o-A.i": 1}),
    # Each two of the three connections are fine.
    "ring of three": (
        assembly("A i:p > o:p", "B i:q > o:p", "C i:p > o:q", connected="A.i B.i"),
        {"B.o-A.i C.o-B.i": 2},
    ),
    "parallel": (
        assembly("A > o:p t:p", "B i:p j:p", connections=2, connected="B.i B.j"),
        {"A.o-B.i A.t-B.j": 2, "A.o-B.j A.t-B.i": 2},
    ),
    "few connections": (assembly("A > o:p t:q", "B i:p j:q", connections=1), {"": 0, "A.o-B.i": 1, "A.t-B.j": 1}),
    "small cost": (assembly("A > o:p t:q", "B i:p j:q", cost=1), {"": 0, "A.o-B.i": 1, "A.t-B.j": 1}),
    "a port": (assembly("A > o:p", "B i:p", connected="A.o"), {"A.o-B.i": 1}),
    "a path": (assembly("A > o:p", "B i:p > o:q", "C i:q", paths="A-C"), {"A.o-B.i B.o-C.i": 2}),
    # A path to itself is a cycle.
    "a path home": (assembly(*RING, paths="A-A"), {}),
    "a path either way": (assembly(*RING, paths="A-B B-A"), {}),
    # The useless D may be connected or not; but not within the budget of two.
    "a path and more": (
        assembly("A > o:p", "B i:p > o:q t:q", "C i:q", "D i:q", paths="A-C", cost=3),
        {
            "A.o-B.i B.o-C.i": 2,
            "A.o-B.i B.t-C.i": 2,
            "A.o-B.i B.o-C.i B.t-D.i": 3,
            "A.o-B.i B.o-D.i B.t-C.i": 3,
        },
    ),
    # Sorted as texts, not by the place of components in the list.
    "order": (
        assembly("b > o:p", "B i:p", "a > o:q", "A i:q", connected="A.i B.i"),
        {"a.o-A.i b.o-B.i": 2},
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    data, words = BY_HAND[name]
    answer = ask(data)
    assert listed(answer) == words
    assert answer.optimum == min(words.values(), default=None)


# rule: (an instance that gains words when that rule alone is not posted, these words)
BITES = {
    "R1": ("outputs only", {"A.o-B.o": 1, "B.o-A.o": 1}),
    "R2": ("types", {"A.o-B.i": 1}),
    "R3": ("one output", {"A.o-B.i A.o-C.i": 1}),  # rows are counted, and here one has two bits
    "R4": ("one input", {"A.o-C.i B.o-C.i": 2}),
    "R6": ("forbidden taker", {"A.o-B.i": 1}),
    "R7": ("ring", {"A.o-B.i B.o-A.i": 2}),
    "R8": ("few connections", {"A.o-B.i A.t-B.j": 2}),
    "R9": ("small cost", {"A.o-B.i A.t-B.j": 2}),
    "G": ("a port", {"": 0}),
}


@pytest.mark.parametrize("rule", BITES)
def test_no_rule_is_idle(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, more = BITES[rule]
    data, words = BY_HAND[name]
    monkeypatch.setitem(smt.RULES, rule, lambda *_: None)
    assert listed(ask(data)) == words | more


def test_a_component_and_itself_are_denied_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """R5 is a case of R7: who connects a component with itself makes the shortest cycle."""
    data, words = BY_HAND["oneself"]
    for rule in ("R5", "R7"):
        assert listed(ask(data)) == words
        monkeypatch.setitem(smt.RULES, rule, lambda *_: None)
    assert listed(ask(data)) == words | {"A.o-A.i": 1}


def test_either_of_two_rules_denies_a_component_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    data, words = BY_HAND["oneself"]
    monkeypatch.setitem(smt.RULES, "R7", lambda *_: None)
    assert listed(ask(data)) == words


def test_a_port_is_an_end_once_only_whatever_its_direction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without R1 a port could be `to` of one connection and `from` of the next; R3 and R4 each deny that."""
    data = assembly("A > o:p", "B i:p", "C i:p", connected="A.o B.i C.i")
    monkeypatch.setitem(smt.RULES, "R1", lambda *_: None)
    assert listed(ask(data)) == {}
    for rule, kept in (("R3", "R4"), ("R4", "R3")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(smt.RULES, rule, lambda *_: None)
            chains = [word for word in listed(ask(data)) if word == "A.o-B.i B.i-C.i"]
        assert chains == [], kept
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(smt.RULES, "R3", lambda *_: None)
        patch.setitem(smt.RULES, "R4", lambda *_: None)
        assert "A.o-B.i B.i-C.i" in listed(ask(data))


def test_a_port_with_itself_keeps_the_rules_of_free_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not taken before; only direction, self and cycle deny it."""
    data = assembly("A > o:p")
    for rule in ("R1", "R5", "R7"):
        assert listed(ask(data)) == {"": 0}
        monkeypatch.setitem(smt.RULES, rule, lambda *_: None)
    assert listed(ask(data)) == {"": 0, "A.o-A.o": 1}


def test_every_rule_has_its_name() -> None:
    assert {*BITES, "R5"} == set(smt.RULES)
    assert all(rule.lower() == post.__name__.partition("_")[0] for rule, post in smt.RULES.items())


@pytest.mark.parametrize("seed", range(30))
def test_random_assemblies(seed: int) -> None:
    data = drawn(seed)
    expected = played(data)
    answer = ask(data)
    assert listed(answer) == expected
    assert answer.optimum == min(expected.values(), default=None)


def test_random_assemblies_are_not_all_alike() -> None:
    sizes = [len(played(data)) for data in map(drawn, range(30))]
    assert sum(size == 0 for size in sizes) >= 4
    assert sum(size > 10 for size in sizes) >= 4


@pytest.mark.parametrize(("most", "words"), [(-1, 0), (0, 0), (2, 2), (3, 4), (99, 4)])
def test_a_claim_bounds_the_cost(most: int, words: int) -> None:
    assert len(ask(BY_HAND["a path and more"][0], most).words) == words


def test_too_many_words_are_no_answer() -> None:
    with pytest.raises(Undecided) as caught:
        ask(BY_HAND["a path and more"][0], words=3)
    assert caught.value.reason == "words"


def test_many_ports_heed_the_clock() -> None:
    parts = [f"C{number} i:p j:p > o:p t:p" for number in range(60)]
    with pytest.raises(Undecided) as caught:
        ask(assembly(*parts), seconds=0.2)
    assert caught.value.reason == "time"


def test_the_showcase_has_four_words() -> None:
    """Who is fed by which output of the splitter and goes to which input of the join is free, and nothing else."""
    (data,) = (one["instance"] for one in json.loads(FIXTURES.read_bytes())["worlds"] if one["code"] == "PA-001")
    answer = ask(data)
    words = {
        f"J.p1-{fed}.p J.p2-{other}.p L.s-M.{left} M.s-K.s S.p-J.p U.s-M.{right}"
        for fed, other in ("LU", "UL")
        for left, right in (("s1", "s2"), ("s2", "s1"))
    }
    assert listed(answer) == dict.fromkeys(words, 6)
    assert (answer.optimum, len(words)) == (6, 4)
