"""The statement of PA against the rule book, played out here in the plainest way."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, permutations, product
from math import factorial
from typing import Any

import pytest
from clause_models import SHOWCASES, completes, digest, formula, projections, raw_words, without, words

from cwr_certificates.cnf import TRUE, Cnf, all_of, any_of
from cwr_certificates.statements import pa, pa_motifs
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.worlds.pa.instance import Connection, Instance, read_instance

SHOWCASE = read_instance(SHOWCASES["PA"]["instance"])
Row = tuple[Connection, ...]
Pairs = set[tuple[str, str]]


def make(parts: dict[str, tuple[str, str]], most: int, **more: Any) -> Instance:
    """An instance from {component: (inputs, outputs)}, ports as letters, capitals having type "Y" and others "x".

    `more` has the cost budget, kinds, forbidden components, goal ports, goal paths (two letters each) and roles.
    """
    kinds = more.get("kinds", {})
    components: list[Json] = [
        {
            "name": name,
            "kind": kinds.get(name, name),
            "inputs": {port: "Y" if port.isupper() else "x" for port in inputs},
            "outputs": {port: "Y" if port.isupper() else "x" for port in outputs},
        }
        for name, (inputs, outputs) in parts.items()
    ]
    return read_instance(
        {
            "family": "PA",
            "code": "t",
            "components": components,
            "forbidden": list(more.get("forbidden", "")),
            "goal": {
                "connected": list(more.get("ports", [])),
                "paths": [{"from": a, "to": b} for a, b in more.get("paths", [])],
            },
            "roles": more.get("roles", {}),
            "budget": {"connections": most, "cost": more.get("cost", most)},
        }
    )


def arrows(instance: Instance, row: Row) -> Pairs:
    return {(instance.port[source].component, instance.port[target].component) for source, target in row}


def leads(pairs: Pairs, one: str, other: str) -> bool:
    """Whether one arrow or more lead from one component to the other, where there is no cycle."""
    return any(b == other or leads(pairs, b, other) for a, b in pairs if a == one)


def step_faults(instance: Instance, row: Row, pair: Connection) -> set[str]:
    """The rules that a connection breaks after a legal row."""
    one, other = (instance.port[name] for name in pair)
    taken = {port for ends in row for port in ends}
    before = {
        "R1": not one.output or other.output,
        "R2": one.type != other.type,
        "R3": pair[0] in taken,
        "R4": pair[1] in taken,
        "R5": one.component == other.component,
        "R6": one.component in instance.forbidden or other.component in instance.forbidden,
    }
    if any(before.values()):
        return {rule for rule, broken in before.items() if broken}
    after = {
        "R7": leads(arrows(instance, row), other.component, one.component),
        "R8": len(row) + 1 > instance.most_connections,
        "R9": len(row) + 1 > instance.most_cost,
    }
    return {rule for rule, broken in after.items() if broken}


def met(instance: Instance, row: Row) -> bool:
    """G of a legal row."""
    pairs = arrows(instance, row)
    joined = {port for ends in row for port in ends}
    return set(instance.goal_ports) <= joined and all(leads(pairs, a, b) for a, b in instance.goal_paths)


def faults(instance: Instance, row: Row) -> set[str]:
    """The rules that the first bad step breaks, or the goal; empty when accepted."""
    for number, pair in enumerate(row):
        if broken := step_faults(instance, row[:number], pair):
            return broken
    return set() if met(instance, row) else {"G"}


def text(row: Row) -> bytes:
    return canonical({"connections": [{"from": source, "to": target} for source, target in row]})


def row_of(word: bytes) -> Row:
    return tuple((one["from"], one["to"]) for one in json.loads(word)["connections"])


def accepted(instance: Instance) -> dict[bytes, Row]:
    """All accepted words, by growing legal rows of connections in ascending order."""
    rows: list[Row] = [()]
    pairs = [pair for pair in product(sorted(instance.port), repeat=2) if not step_faults(instance, (), pair)]
    for row in rows:
        later = (pair for pair in pairs if not row or pair > row[-1])
        rows.extend((*row, pair) for pair in later if not step_faults(instance, row, pair))
    return {text(row): row for row in rows if met(instance, row)}


def walks(pairs: Pairs, start: str) -> Iterator[tuple[str, ...]]:
    """Every directed path from a component, of one component or more."""
    yield (start,)
    for a, b in sorted(pairs):
        if a == start:
            yield from ((start, *rest) for rest in walks(pairs, b))


def branches(instance: Instance, pairs: Pairs, splitter: str) -> Iterator[str]:
    """Every component in which two branches of a splitter meet."""
    for b1, b2 in product([b for a, b in sorted(pairs) if a == splitter], repeat=2):
        if b1 != b2 and instance.component[b1].kind != instance.component[b2].kind:
            for one, other in product(walks(pairs, b1), walks(pairs, b2)):
                if not set(one) & set(other) and splitter not in (*one, *other):
                    yield from (
                        m
                        for m in instance.component
                        if m not in (*one, *other) and {(one[-1], m), (other[-1], m)} <= pairs
                    )


def isolated(instance: Instance, row: Row, spare: str) -> bool:
    """(d) for one spare."""
    own = [port for port in instance.port.values() if port.component == spare]
    others = [port for port in instance.port.values() if port.component != spare]
    fits = any(one.type == other.type and one.output != other.output for one in own for other in others)
    return fits and not {port.name for port in own} & {port for ends in row for port in ends}


def main(instance: Instance, row: Row) -> bool:
    """The motif of a legal row."""
    pairs = arrows(instance, row)
    joins = {m for splitter in instance.splitters for m in branches(instance, pairs, splitter)}
    meets = instance.sink is not None and any(m == instance.sink or leads(pairs, m, instance.sink) for m in joins)
    return meets and any(isolated(instance, row, spare) for spare in instance.spares)


ROLES: dict[str, Any] = {"splitters": ["J"], "sink": "K", "spares": ["Z"]}
# A splitter, two parts that pass on, a join, a goal component, a spare that fits.
PARTS = {"J": ("", "ab"), "A": ("p", "o"), "B": ("p", "o"), "M": ("pq", "o"), "K": ("p", ""), "Z": ("p", "")}
FED = ["J.a", "J.b", "M.p", "M.q"]
# Parts in a row of which some can be passed by.
ROW = {"J": ("", "ab"), "A": ("p", "ab"), "B": ("pq", "a"), "K": ("pq", ""), "Z": ("P", "b"), "Y": ("", "C")}

SMALL = {
    "nothing": make({}, 2),
    "no ports": make({"A": ("", "")}, 2, forbidden="A"),
    "free": make({"S": ("", "ab"), "L": ("p", "")}, 2),
    "extra": make({"S": ("", "abC"), "L": ("pQ", ""), "M": ("p", "")}, 4, ports=["L.p"]),
    "huge": make({"S": ("", "ab"), "L": ("pq", "")}, 2**53, ports=["S.a"]),
    "no room": make({"S": ("", "a"), "L": ("p", "")}, 0),
    "no room for the goal": make({"S": ("", "a"), "L": ("p", "")}, 0, ports=["L.p"]),
    "cost": make({"S": ("", "abc"), "L": ("pqr", "")}, 3, cost=2),
    "loops": make({"A": ("p", "a"), "B": ("p", "a"), "C": ("pP", "a")}, 4),
    "alone": make({"A": ("pq", "ab")}, 4),
    "to itself": make({"A": ("p", "a"), "B": ("p", "a")}, 4, paths=["AA"]),
    "chain": make({"A": ("p", "a"), "B": ("p", "a"), "C": ("p", "ab"), "D": ("pq", "a")}, 4, paths=["AD", "CD"]),
    "no way": make({"A": ("p", ""), "B": ("p", "a")}, 4, paths=["AB"]),
    "forbidden goal": make({"A": ("", "a"), "B": ("p", "")}, 4, forbidden="B", ports=["B.p"]),
    "detour forbidden": make({"A": ("", "ab"), "B": ("p", "a"), "C": ("pq", "")}, 4, forbidden="B", paths=["AC"]),
    "joined": make(PARTS, 5, roles=ROLES, ports=[*FED, "A.p"]),
    "one kind": make(PARTS, 5, kinds={"A": "n", "B": "n"}, roles=ROLES, ports=[*FED, "A.p", "K.p"]),
    "no splitters": make(PARTS, 5, roles={"sink": "K", "spares": ["Z"]}, ports=[*FED, "A.p", "K.p"]),
    "no sink": make(PARTS, 5, roles={"splitters": ["J"], "spares": ["Z"]}, ports=[*FED, "A.p", "K.p"]),
    "no spares": make(PARTS, 5, roles={"splitters": ["J"], "sink": "K"}, ports=[*FED, "A.p", "K.p"]),
    "no fit": make(PARTS | {"Z": ("", "P")}, 5, roles=ROLES, ports=[*FED, "A.p", "K.p"]),
    "two spares": make(
        PARTS | {"Y": ("P", ""), "X": ("", "o")}, 5, roles={**ROLES, "spares": ["Y", "X"]}, ports=[*FED, "A.p", "K.p"]
    ),
    "the join is the sink": make(PARTS, 4, roles={**ROLES, "sink": "M"}, ports=[*FED, "B.p"]),
    "by the next": make(ROW, 5, roles=ROLES, ports=["A.p", "B.p", "B.q", "K.p"]),
    "two splitters": make(
        {**PARTS, "A": ("p", "ab")}, 5, roles={**ROLES, "splitters": ["A", "J"]}, ports=[*FED, "K.p"]
    ),
}


def drawn(seed: int) -> Instance:
    """A random instance of up to four components."""
    draw = random.Random(f"pa {seed}")
    names = "ABCD"[: draw.randint(2, 4)]
    inputs = {name: "".join(draw.sample("pqP", draw.choice([0, 1, 1, 2]))) for name in names}
    parts = {name: (inputs[name], "".join(draw.sample("abC", draw.choice([0, 1, 1, 2])))) for name in names}
    ports = [f"{name}.{port}" for name, sides in parts.items() for side in sides for port in side]
    goal = {"ports": [port for port in ports if draw.random() < 0.05]}
    paths = [pair for pair in permutations(names, 2) if draw.random() < 0.05]
    forbidden = "".join(name for name in names if draw.random() < 0.1)
    return make(parts, draw.randint(1, 5), cost=draw.randint(1, 5), forbidden=forbidden, paths=paths, **goal)


def drawn_joins(seed: int) -> Instance:
    """A random instance with roles, in which branches cross, part again and pass by the join."""
    draw = random.Random(f"pa joins {seed}")
    names = "ABC"[: draw.choice([2, 3, 3])]
    inner = {name: ("pq"[: draw.choice([1, 1, 2])], "ab"[: draw.choice([1, 1, 2])]) for name in names}
    parts = {"J": ("", "ab"), **inner, "M": ("pq", "a"), "K": ("p", ""), "Z": ("p", "")}
    kinds = {name: draw.choice("abc") for name in names}
    ports = [*FED, *(f"{name}.p" for name in names), *(["K.p"] if draw.random() < 0.7 else [])]
    return make(parts, len(ports) - draw.choice([1, 2]), kinds=kinds, roles=ROLES, ports=ports)


SEEDS = (3, 6, 7, 12, 16, 19)  # of the joins, those with few legal rows
INSTANCES = {
    "showcase": SHOWCASE,
    **SMALL,
    **{f"drawn {seed}": drawn(seed) for seed in range(40)},
    **{f"joins {seed}": drawn_joins(seed) for seed in SEEDS},
}
EACH = pytest.mark.parametrize("name", INSTANCES)


@cache
def known(name: str) -> dict[bytes, tuple[int, bool]]:
    """{accepted word: its cost, whether it has the motif} of one of the instances."""
    one = INSTANCES[name]
    return {word: (len(row), main(one, row)) for word, row in accepted(one).items()}


@EACH
def test_models_are_the_accepted_words(name: str) -> None:
    assert words(pa, INSTANCES[name]) == set(known(name))


@EACH
def test_at_most_bounds_the_number_of_connections(name: str) -> None:
    for cost in range(-1, 4):
        meant = {word for word, (spent, _) in known(name).items() if spent <= cost}
        assert set(raw_words(pa, INSTANCES[name], cost)) == meant


def lacking(name: str) -> list[bytes]:
    """The accepted words without the motif."""
    return sorted(word for word, (_, shown) in known(name).items() if not shown)


@EACH
def test_denied_motif_leaves_the_words_without_it(name: str) -> None:
    cnf, model = formula(pa, INSTANCES[name], motif="main")
    found = projections(cnf.clauses, model.decisions)
    told = sorted(canonical(pa.word(model, {one for one in literals if one > 0})) for literals in found)
    assert told == lacking(name)
    for literals in found[:: 1 + len(found) // 5]:
        assert completes(cnf.clauses, literals)


def test_the_instances_show_the_motif_and_its_absence() -> None:
    shown = {name: [motif for _, motif in known(name).values()] for name in INSTANCES}
    assert shown["showcase"] == [True] * 4
    assert sum(set(verdicts) == {True, False} for verdicts in shown.values()) >= 11
    for name in ("one kind", "no splitters", "no sink", "no spares", "no fit"):
        assert set(shown[name]) == {False}
    assert sum(len(verdicts) > 1 for name, verdicts in shown.items() if name.startswith("drawn")) >= 12


def test_the_motif_of_the_showcase_is_necessary() -> None:
    assert raw_words(pa, SHOWCASE, motif="main") == []


def test_another_motif_is_no_motif() -> None:
    cnf, model = formula(pa, SHOWCASE)
    with pytest.raises(KeyError):
        pa.deny(cnf, model, "full")


def wired(parts: dict[str, tuple[str, str]], *row: str) -> tuple[Instance, Row]:
    """An instance with the roles, and connections, each as "A.a B.p"."""
    pairs = [tuple(pair.split()) for pair in row]
    return make(parts, len(row), roles=ROLES), tuple(sorted((one, other) for one, other in pairs))


SHOWN: dict[str, tuple[tuple[Instance, Row], bool]] = {
    "A is passed by, and leads to the join": (
        wired({**ROW, "A": ("pq", "a"), "B": ("p", "ab")}, "J.a B.p", "J.b A.p", "B.a A.q", "B.b K.p", "A.a K.q"),
        True,
    ),
    "all of one branch runs through the other": (
        wired({**ROW, "B": ("pq", "ab")}, "J.a A.p", "J.b B.p", "A.a B.q", "B.a K.p", "B.b K.q"),
        False,
    ),
    "branches of two and three components": (
        wired(
            {**PARTS, "C": ("p", "o"), "D": ("p", "o"), "E": ("p", "o")},
            *("J.a A.p", "J.b B.p", "A.o C.p", "C.o D.p", "B.o E.p", "D.o M.p", "E.o M.q", "M.o K.p"),
        ),
        True,
    ),
    "they part again before the goal component": (
        wired(
            {**PARTS, "M": ("pq", "ab"), "C": ("p", "o"), "D": ("p", "o"), "K": ("pq", "")},
            *("J.a A.p", "J.b B.p", "A.o M.p", "B.o M.q", "M.a C.p", "M.b D.p", "C.o K.p", "D.o K.q"),
        ),
        True,
    ),
    "the join does not lead on": (wired(PARTS, "J.a A.p", "J.b B.p", "A.o M.p", "B.o M.q"), False),
    "one branch only": (wired(PARTS, "J.a A.p", "A.o M.p", "M.o K.p"), False),
    "the splitter feeds the join": (wired(PARTS, "J.a M.p", "J.b A.p", "A.o M.q", "M.o K.p"), False),
    "the spare is fed": (
        wired({**PARTS, "J": ("", "abc")}, "J.a A.p", "J.b B.p", "J.c Z.p", "A.o M.p", "B.o M.q", "M.o K.p"),
        False,
    ),
}


@pytest.mark.parametrize("name", SHOWN)
def test_one_word_has_the_motif_or_lacks_it(name: str) -> None:
    (instance, row), meant = SHOWN[name]
    assert faults(instance, row) == set()
    assert main(instance, row) == meant
    plain, denied = formula(pa, instance)[0], formula(pa, instance, motif="main")
    literals = pa.literals(denied[1], json.loads(text(row)))
    assert completes(plain.clauses, literals)
    assert completes(denied[0].clauses, literals) == (not meant)


def both_reach(cnf: Cnf, model: pa.Model) -> dict[tuple[str, str], int]:
    """Instead of passing by: paths lead from both to one component, be it by the same way."""
    inner = [a for a in model.instance.component if any((a, b) in model.path for b in model.instance.component)]
    return {
        (a, b): any_of(
            cnf,
            [
                all_of(cnf, [model.path.get((a, m), -TRUE), model.path.get((b, m), -TRUE)])
                for m in model.instance.component
            ],
        )
        for a, b in permutations(inner, 2)
    }


DENIAL: dict[str, list[Callable[..., Any]]] = {
    "idle_spare": [lambda *_: TRUE, lambda *_: -TRUE],
    "passing": [both_reach, lambda *_: {}],
}
PARTS_OF_DENIAL = [(part, replacement) for part, others in DENIAL.items() for replacement in others]


@pytest.mark.parametrize(("part", "replacement"), PARTS_OF_DENIAL)
def test_each_part_of_the_denial_matters(
    part: str, replacement: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pa_motifs, part, replacement)
    assert any(raw_words(pa, INSTANCES[name], motif="main") != lacking(name) for name in ("two spares", "by the next"))


VITAL = {
    "r2_type": make({"S": ("", "aA"), "L": ("p", "")}, 2),
    "r3_from_free": make({"S": ("", "a"), "L": ("pq", "")}, 3),
    "r4_to_free": make({"S": ("", "ab"), "L": ("p", "")}, 3),
    "r5_self": make({"A": ("p", "a")}, 2),
    "r6_forbidden": make({"S": ("", "ab"), "L": ("p", ""), "Z": ("p", "")}, 3, forbidden="Z"),
    "r7_cycle": make({"A": ("p", "a"), "B": ("p", "a"), "C": ("p", "a")}, 3),
    "r8_connections": make({"S": ("", "abc"), "L": ("pqr", "")}, 2, cost=3),
    "r9_cost": make({"S": ("", "abc"), "L": ("pqr", "")}, 3, cost=2),
    "g_goal": make({"S": ("", "ab"), "T": ("", "a"), "L": ("pq", "")}, 2, ports=["S.b"], paths=["TL"]),
}


@pytest.mark.parametrize("rule", VITAL)
def test_a_rule_left_out_lets_in_words_that_break_it_alone(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = VITAL[rule]
    loose, normal = without(monkeypatch, pa, rule, instance), words(pa, instance)
    assert normal == set(accepted(instance))
    assert normal < loose
    for word in loose - normal:
        assert faults(instance, row_of(word)) == {rule.partition("_")[0].upper()}


def test_connections_backwards_break_one_rule_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A replacement of R1 that also has decisions from input to output ports."""

    def both_ways(cnf: Cnf, instance: Instance) -> dict[Connection, int]:
        return {pair: cnf.new() for pair in sorted(permutations(instance.port, 2))}

    instance = make({"S": ("", "a"), "L": ("p", "")}, 2)
    loose = without(monkeypatch, pa, "r1_direction", instance, both_ways)
    assert loose - words(pa, instance) == {text((("L.p", "S.a"),))}
    assert faults(instance, (("L.p", "S.a"),)) == {"R1"}


@pytest.mark.parametrize("part", ["ports", "paths"])
def test_each_part_of_the_goal_binds(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    goal: dict[str, Any] = {"ports": {"ports": ["L.p"]}, "paths": {"paths": ["SL"]}}[part]
    instance = make({"S": ("", "a"), "L": ("p", "")}, 1, **goal)
    assert len(words(pa, instance)) == 1
    assert len(without(monkeypatch, pa, "g_goal", instance)) == 2


def test_every_set_of_connections_has_literals_of_its_own_and_illegal_ones_fail() -> None:
    instance = make({"A": ("p", "a"), "B": ("P", "b"), "C": ("p", "")}, 2, paths=["AC"])
    cnf, model = formula(pa, instance)
    pairs = sorted(product(["A.a", "B.b"], ["A.p", "B.P", "C.p"]))
    rows = [row for n in range(len(pairs) + 1) for row in combinations(pairs, n)]
    told = {pa.literals(model, json.loads(text(row))): row for row in rows}
    assert len(told) == len(rows) == 64
    for literals, row in told.items():
        assert canonical(pa.word(model, {one for one in literals if one > 0})) == text(row)
        assert completes(cnf.clauses, literals) == (not faults(instance, row))


def connections(*pairs: str) -> Json:
    return {"connections": [{"from": pair.split()[0], "to": pair.split()[1]} for pair in pairs]}


@pytest.mark.parametrize(
    ("word", "code", "pointer"),
    [
        ([], "wrong-type", ""),
        ({}, "missing-key", "/connections"),
        ({"connections": [], "x": 1}, "unknown-key", "/x"),
        ({"connections": [{"from": "S.p"}]}, "missing-key", "/connections/0/to"),
        ({"connections": [{"from": "S.p", "to": True}]}, "wrong-type", "/connections/0/to"),
        (connections("S.p J.x"), "unknown-name", "/connections/0/to"),
        (connections("S.p J.p", "J.p1 L.p"), "domain", "/connections"),
        (connections("S.p J.p", "S.p J.p"), "domain", "/connections"),
        (connections("J.p S.p"), "domain", "/connections"),
        (connections("J.p L.p"), "domain", "/connections"),
        (connections("J.p1 S.p"), "domain", "/connections"),
    ],
)
def test_what_is_no_word_is_refused(word: Json, code: str, pointer: str) -> None:
    with pytest.raises(MalformedInput) as error:
        pa.literals(formula(pa, SHOWCASE)[1], word)
    assert (error.value.code, error.value.pointer) == (code, pointer)


def test_a_word_stands_for_its_orders() -> None:
    for instance in (SHOWCASE, SMALL["extra"]):
        for word, row in accepted(instance).items():
            orders = [one for one in permutations(row) if not faults(instance, one)]
            assert pa.namings(instance, json.loads(word)) == factorial(len(row)) == len(orders)
    with pytest.raises(MalformedInput):
        pa.namings(SHOWCASE, connections("S.p J.x"))


def test_too_large_a_formula_is_refused() -> None:
    ports: Json = {f"{n}": "x" for n in range(1_001)}
    part: Json = {"name": "A", "inputs": ports, "outputs": {f"o{n}": "x" for n in range(1_001)}}
    goal: Json = {"connected": [], "paths": []}
    budget: Json = {"connections": 3, "cost": 3}
    instance = read_instance({"family": "PA", "code": "t", "components": [part], "goal": goal, "budget": budget})
    with pytest.raises(Undecided) as error:
        formula(pa, instance)
    assert error.value.reason == "size"


def test_the_name_stands_for_these_clauses() -> None:
    assert pa.NAME == "pa/1"
    assert digest(pa, SHOWCASE) == "32e8ded34208cf70"
    assert digest(pa, SHOWCASE, "main") == "545ad36138bfe1c4"
    assert digest(pa, SMALL["by the next"], "main") == "0bb5246aa10cda5c"
