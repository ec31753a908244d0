"""The motif of PA in the SMT encoding, against a predicate written here from the rule book."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
import z3
from smt_motif_checks import (
    check_labels,
    check_moves,
    check_mutants,
    check_partition,
    expected,
    labels,
    showcase,
)

from cwr_encodings.pa import smt
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.worlds.pa.instance import Instance

Arrows = set[tuple[str, str]]


def predicate(instance: Instance, word: Any) -> dict[str, bool]:
    """main, by listing the paths from both branches."""
    ends = [(one["from"], one["to"]) for one in word["connections"]]
    arrows = {(one.split(".")[0], two.split(".")[0]) for one, two in ends}
    kinds = {component.name: component.kind for component in instance.components}
    used = {name for arrow in arrows for name in arrow}
    found = False
    for splitter in instance.splitters if instance.sink is not None else ():
        heads = [b for a, b in sorted(arrows) if a == splitter]
        for one, two in ((one, two) for one in heads for two in heads if kinds[one] != kinds[two]):
            for first in paths(arrows, one):
                for second in paths(arrows, two):
                    found |= joins(arrows, splitter, first, second, instance.sink)
    return {"main": found and any(rests(instance, name) for name in instance.spares if name not in used)}


def paths(arrows: Arrows, start: str) -> Iterator[list[str]]:
    yield [start]
    for a, b in sorted(arrows):
        if a == start:
            yield from ([start, *rest] for rest in paths(arrows, b))


def joins(arrows: Arrows, splitter: str, first: list[str], second: list[str], sink: str | None) -> bool:
    """(b) and (c) of the rule book."""
    if set(first) & set(second) or splitter in (*first, *second):
        return False
    meets = {b for a, b in arrows if a == first[-1]} & {b for a, b in arrows if a == second[-1]}
    return any(any(path[-1] == sink for path in paths(arrows, m)) for m in meets - {*first, *second})


def rests(instance: Instance, name: str) -> bool:
    """(d) of the rule book, for a component without connections."""
    ports = [port for component in instance.components for port in component.ports]
    return any(
        one.component == name != two.component and one.type == two.type and one.output != two.output
        for one in ports
        for two in ports
    )


def assembly(parts: str, wires: str, *, goal: str = "K", most: int = 0, **more: Any) -> dict[str, Any]:
    """Components "NAME:inputs:outputs[:kind]", a port for each letter and of its type, and wires "A.x-B.y" to be made.

    Ports are numbered: i0, i1, … and o0, o1, …; what the wires name is the goal.
    """
    components = []
    for one in parts.split():
        name, inputs, outputs, *kind = one.split(":")
        components.append(
            {
                "name": name,
                "inputs": {f"i{n}": letter for n, letter in enumerate(inputs)},
                "outputs": {f"o{n}": letter for n, letter in enumerate(outputs)},
                "kind": kind[0] if kind else name,
            }
        )
    pairs = [one.split("-") for one in wires.split()]
    return {
        "family": "PA",
        "code": "T",
        "components": components,
        "goal": {"connected": sorted({port for pair in pairs for port in pair}), "paths": []},
        "roles": {"splitters": ["J"], "sink": goal, "spares": ["Z"]},
        "budget": {"connections": most or len(pairs), "cost": most or len(pairs)},
        **more,
    }


# Types differ from wire to wire, so that there is one way to connect all.
SQUARE = "J::ab L:a:c U:b:d M:cd:e K:e: Z:a:"
WIRES = "J.o0-L.i0 J.o1-U.i0 L.o0-M.i0 U.o0-M.i1 M.o0-K.i0"

# name: (instance, whether the one word has the motif)
BY_HAND = {
    "a square": (assembly(SQUARE, WIRES), True),
    "the join is the goal": (assembly(SQUARE, WIRES, goal="M"), True),
    "the goal is before the join": (assembly(SQUARE, WIRES, goal="L"), False),
    "one kind": (assembly("J::ab L:a:c:x U:b:d:x M:cd:e K:e: Z:a:", WIRES), False),
    "longer branches": (
        assembly(
            "J::ab L:a:c U:b:d V:d:f M:cf:e K:e: Z:a:",
            "J.o0-L.i0 J.o1-U.i0 L.o0-M.i0 U.o0-V.i0 V.o0-M.i1 M.o0-K.i0",
        ),
        True,
    ),
    # Both branches pass by N before they part again and meet in M.
    "a bottleneck": (
        assembly(
            "J::ab L:a:c U:b:d N:cd:fg P:f:h Q:g:i M:hi:e K:e: Z:a:",
            "J.o0-L.i0 J.o1-U.i0 L.o0-N.i0 U.o0-N.i1 N.o0-P.i0 N.o1-Q.i0 P.o0-M.i0 Q.o0-M.i1 M.o0-K.i0",
            goal="P",
        ),
        True,  # they meet in N already, and N leads to P
    ),
    # What leads to M passes by L, from L itself and by way of U.
    "one through the other": (
        assembly("J::ab L:ad:cf U:b:d M:cf:e K:e: Z:a:", "J.o0-L.i0 J.o1-U.i0 U.o0-L.i1 L.o0-M.i0 L.o1-M.i1 M.o0-K.i0"),
        False,
    ),
    # U leads to L and to M; the one path from L to M and that from U to M share nothing.
    "one beside the other": (
        assembly("J::ab L:ad:c U:b:df M:cf:e K:e: Z:a:", "J.o0-L.i0 J.o1-U.i0 U.o0-L.i1 L.o0-M.i0 U.o1-M.i1 M.o0-K.i0"),
        True,
    ),
    "never met": (assembly("J::ab L:a:c U:b:d M:c:e K:ed: Z:a:", "J.o0-L.i0 J.o1-U.i0 L.o0-M.i0 U.o0-K.i1"), False),
    "no splitter": (assembly(SQUARE, WIRES, roles={"sink": "K", "spares": ["Z"]}), False),
    "another splitter": (assembly(SQUARE, WIRES, roles={"splitters": ["M"], "sink": "K", "spares": ["Z"]}), False),
    "no goal component": (assembly(SQUARE, WIRES, roles={"splitters": ["J"], "spares": ["Z"]}), False),
    "no spare": (assembly(SQUARE, WIRES, roles={"splitters": ["J"], "sink": "K"}), False),
    "the spare has another type": (assembly(SQUARE.replace("Z:a:", "Z:z:"), WIRES), False),
    "the spare has an output": (assembly(SQUARE.replace("Z:a:", "Z::e"), WIRES), True),
    "the spare fits itself": (assembly(SQUARE.replace("Z:a:", "Z:z:z"), WIRES), False),
    "the spare is in use": (assembly("J::abz L:a:c U:b:d M:cd:e K:e: Z:z:", f"{WIRES} J.o2-Z.i0"), False),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    instance, holds = BY_HAND[name]
    assert [motifs["main"] for motifs in labels("PA", smt, instance).values()] == [holds]


@pytest.mark.parametrize("instance", [showcase("PA"), BY_HAND["a square"][0]], ids=["showcase", "square"])
def test_words_with_and_without(instance: Any) -> None:
    check_partition("PA", instance, predicate)


@pytest.mark.parametrize("seed", range(25))
def test_random_assemblies(seed: int) -> None:
    check_labels("PA", smt, WORLDS["PA"].generate(f"smt {seed}"), predicate)


def near(seed: int) -> Any:
    """Wires of one type where the motif hangs on which are made."""
    stream = random.Random(f"near {seed}")
    parts = ["J::aa", f"L:a:c:{stream.choice('xy')}", f"U:a:{stream.choice(('c', 'cc'))}:x", "M:cc:e", "K:e:", "Z:a:"]
    parts += stream.sample(["N:c:c", "W:a:c:w"], 1)
    stream.shuffle(parts)
    return assembly(" ".join(parts), "J.o0-M.i0 M.i1-K.i0", most=stream.choice((5, 6)))


@pytest.mark.parametrize("seed", range(6))
def test_assemblies_near_the_motif(seed: int) -> None:
    check_labels("PA", smt, near(seed), predicate)


def test_assemblies_near_the_motif_have_it_and_lack_it() -> None:
    mixed = [{motifs["main"] for motifs in expected("PA", near(seed), predicate).values()} for seed in range(6)]
    assert mixed.count({True, False}) >= 3


@pytest.mark.parametrize("seed", range(3))
def test_requested_moves(seed: int) -> None:
    check_moves("PA", near(seed), f"moves {seed}")


def test_mutants() -> None:
    check_mutants("PA", smt, "main", near(0), predicate)


PARTS = {"_joins": "one kind", "_rests": "the spare fits itself", "_around": "one through the other"}


@pytest.mark.parametrize("part", PARTS)
def test_no_part_is_idle(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a part always holds, or paths may go through what they have to avoid."""
    instance, holds = BY_HAND[PARTS[part]]
    always = (lambda _, wiring, __: wiring.reach) if part == "_around" else true
    monkeypatch.setattr(smt, part, always)
    assert [motifs["main"] for motifs in labels("PA", smt, instance).values()] == [not holds]


def true(model: Any, *_: Any) -> z3.BoolRef:
    return z3.BoolVal(True, model.context)
