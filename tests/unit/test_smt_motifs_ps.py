"""The motif of PS in the SMT encoding, against a predicate written here from the rule book."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import pytest
import z3
from smt_motif_checks import (
    changed,
    check_labels,
    check_moves,
    check_mutants,
    check_partition,
    expected,
    labels,
    showcase,
    words,
)

from cwr_encodings.ps import smt
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.worlds.ps.instance import Instance


def asks(instance: Instance, name: str, wanted: int) -> bool:
    assert instance.resource is not None
    field = instance.resource.field
    values = range(len(instance.fields[field].values))
    return any(
        literal.field == field
        and {value for value in values if (value == literal.value) == literal.positive} == {wanted}
        for literal in instance.operation[name].when
    )


def predicate(instance: Instance, word: Any) -> dict[str, bool]:
    """main, by listing the intervals."""
    if instance.resource is None:
        return {"main": False}
    names = word["actions"]
    states = [list(instance.initial)]
    for name in names:
        states.append(list(states[-1]))
        for field, value in instance.operation[name].then:
            states[-1][field] = value
    values = [state[instance.resource.field] for state in states]
    starts = [0, *(i for i in range(1, len(values)) if values[i] != values[i - 1]), len(values)]
    runs = [(values[low], range(low, high - 1)) for low, high in pairwise(starts)]
    free, held = instance.resource.free, instance.resource.held
    found = False
    for (one, _), (two, working), (three, after) in zip(runs, runs[1:], runs[2:], strict=False):
        if (one, two, three) == (free, held, free):
            us = [u for u in working if asks(instance, names[u], held)]
            asking = [i for i in after if asks(instance, names[i], free)]
            qs = [q for q in asking if any(f != instance.resource.field for f, _ in instance.operation[names[q]].then)]
            found |= any(p != q and causes(instance, names, u, p) for u in us for p in asking for q in qs)
    return {"main": found}


def causes(instance: Instance, names: list[str], u: int, p: int) -> bool:
    """(d) of the rule book."""
    assert instance.resource is not None
    for literal in instance.operation[names[p]].when:
        if literal.field != instance.resource.field and not literal.holds(instance.initial):
            makers = [
                i
                for i, name in enumerate(names)
                for field, value in instance.operation[name].then
                if field == literal.field and (value == literal.value) == literal.positive
            ]
            if makers == [u]:
                return True
    return False


def protocol(*operations: tuple[str, str, str], lock: str = "fh", most: int = 5) -> dict[str, Any]:
    """Operations (name, "field=value …" asked for, "field=value …" assigned); the lock and three flags a, b, c."""

    def pairs(text: str) -> list[tuple[str, Any]]:
        return [(one[0], one[2] if one[0] == "l" else int(one[2])) for one in text.split()]

    return {
        "family": "PS",
        "code": "T",
        "fields": [
            {"name": "l", "values": list(lock), "initial": "f"},
            *({"name": name, "values": [0, 1], "initial": 0} for name in "abc"),
        ],
        "operations": [
            {
                "name": name,
                "when": [{"field": field, "is": value} for field, value in pairs(when)],
                "then": dict(pairs(then)),
            }
            for name, when, then in operations
        ],
        "invariants": [],
        "goal": [],
        "resource": {"field": "l", "free": "f", "held": "h"},
        "budget": {"actions": most, "cost": most},
    }


TAKE, WORK, GIVE = ("take", "l=f", "l=h"), ("work", "l=h", "a=1"), ("give", "l=h", "l=f")
USE, NEXT = ("use", "l=f a=1", "b=1"), ("next", "l=f", "c=1")
FIVE = protocol(TAKE, WORK, GIVE, USE, NEXT)

# name: (instance, the words of five actions that have the motif)
BY_HAND = {
    # u = work, p = use and q = next after the release, in either order, or p and q both `use`.
    "five": (FIVE, {"take work give use next", "take work give next use", "take work give use use"}),
    "u asks for nothing held": (protocol(TAKE, ("work", "", "a=1"), GIVE, USE, NEXT), set()),
    "p asks for nothing free": (protocol(TAKE, WORK, GIVE, ("use", "a=1", "b=1"), NEXT), set()),
    "q assigns nothing else": (
        protocol(TAKE, WORK, GIVE, ("use", "l=f a=1", ""), ("next", "l=f", "l=f")),
        set(),
    ),
    "another value between": (
        protocol(TAKE, WORK, ("give", "l=h", "l=x"), ("back", "l=x", "l=f"), USE, lock="fhx", most=6),
        set(),
    ),
    "one of three values": (
        protocol(TAKE, WORK, GIVE, USE, lock="fhx"),
        {"take work give use use"},
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    instance, having = BY_HAND[name]
    read = WORLDS["PS"].read_instance(instance)
    found = [json.loads(word)["actions"] for word in words("PS", instance, having=("main",))]
    assert {" ".join(actions) for actions in found if len(actions) == read.most_actions} == having
    assert bool(found) == bool(having)


@pytest.mark.parametrize("instance", [showcase("PS"), changed("PS", goal=[]), FIVE], ids=["showcase", "loose", "five"])
def test_words_with_and_without(instance: Any) -> None:
    check_partition("PS", instance, predicate)


@pytest.mark.parametrize("seed", range(40))
def test_random_protocols(seed: int) -> None:
    check_labels("PS", smt, WORLDS["PS"].generate(f"smt {seed}"), predicate)


def near(seed: int) -> Any:
    """A protocol like FIVE, of which some operations ask or assign otherwise."""
    stream = random.Random(f"near {seed}")
    works = stream.sample([WORK, ("work2", "l=h c=0", "a=1"), ("work3", "", "a=1"), ("undo", "l=h", "a=0")], 2)
    uses = stream.sample([USE, ("use2", "a=1", "b=1"), ("use3", "l=f a=1 b=0", "a=0"), ("use4", "l=f b=0", "b=1")], 2)
    gives = stream.choice(([GIVE], [GIVE, ("drop", "l=h", "l=x")], [("give", "l=h a=1", "l=f")]))
    return protocol(TAKE, *works, *gives, *uses, lock=stream.choice(("fhx", "hfx")))


@pytest.mark.parametrize("seed", range(12))
def test_protocols_near_the_motif(seed: int) -> None:
    check_labels("PS", smt, near(seed), predicate)


def test_protocols_near_the_motif_have_it_and_lack_it() -> None:
    mixed = [{motifs["main"] for motifs in expected("PS", near(seed), predicate).values()} for seed in range(12)]
    assert mixed.count({True, False}) >= 4


@pytest.mark.parametrize("seed", range(6))
def test_requested_moves(seed: int) -> None:
    check_moves("PS", near(seed), f"moves {seed}")


def test_mutants() -> None:
    check_mutants("PS", smt, "main", FIVE, predicate)


# a part of the motif: an instance whose words change their motif without it
PARTS = {
    "_needs": (FIVE, lambda model, *_: z3.BoolVal(True, model.context)),
    "_progresses": (FIVE, lambda model, *_: z3.BoolVal(True, model.context)),
    "_works": (
        BY_HAND["u asks for nothing held"][0],
        lambda model, run, _: [z3.BitVecVal(-1, len(run.actions), model.context)] * len(run.states),
    ),
}


@pytest.mark.parametrize("part", PARTS)
def test_no_part_is_idle(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance, mutant = PARTS[part]
    right = expected("PS", instance, predicate)
    monkeypatch.setattr(smt, part, mutant)
    assert labels("PS", smt, instance) != right
