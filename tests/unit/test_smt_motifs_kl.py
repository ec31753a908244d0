"""The motif of KL in the SMT encoding, against a predicate written here from the rule book."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import pairwise
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

from cwr_encodings.kl import smt
from cwr_solvers.backends.smt import Model
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.worlds.kl.instance import HELD, Instance


def predicate(instance: Instance, word: Any) -> dict[str, bool]:
    """main, by playing the word and looking at each pair of keyed moves."""
    carrier, places = instance.carrier, dict(instance.initial)
    history = [(carrier, dict(places))]
    keyed = []
    for position, action in enumerate(word["actions"]):
        if action["op"] == "move":
            edge = instance.edge[action["arg"]]
            carrier = edge.target
            if edge.key is not None:
                places[edge.key] = "consumed" if edge.consumes else places[edge.key]
                keyed += [(position, edge)] if edge.source != edge.target else []
        else:
            places[action["arg"]] = HELD if action["op"] == "pickup" else carrier
        history.append((carrier, dict(places)))
    return {"main": len(keyed) > 1 and kept(instance, history, keyed) and acquired(word, history, keyed)}


def kept(instance: Instance, history: list[Any], keyed: list[Any]) -> bool:
    """(a) of the rule book."""
    cargo = [name for name, at in instance.goal_locations.items() if at in instance.nodes]
    window = history[keyed[0][0] : keyed[-1][0] + 2]
    return any(all(places[name] == HELD for _, places in window) for name in cargo)


def acquired(word: Any, history: list[Any], keyed: list[Any]) -> bool:
    """(b) of the rule book."""
    for (before, previous), (here, edge) in pairwise(keyed):
        pickups = [i for i, action in enumerate(word["actions"]) if action == {"op": "pickup", "arg": edge.key}]
        if previous.consumes and pickups and before < pickups[0] < here:
            node = history[pickups[0]][0]
            if node not in (history[0][0], history[-1][0]):
                return True
    return False


def delivery(
    objects: str, edges: str, goal: dict[str, str], *, start: str = "D", most: int = 6, capacity: int = 2
) -> dict[str, Any]:
    """Objects "name@node …", edges "DHk" (from, to, key asked for and consumed), "DHk+" (kept) or "DH"."""
    return {
        "family": "KL",
        "code": "T",
        "nodes": list("DHV"),
        "carrier": start,
        "objects": [{"name": one[0], "at": one[2:]} for one in objects.split()],
        "edges": [
            {
                "name": f"e{number}",
                "from": one[0],
                "to": one[1],
                **({"key": one[2], "use": "keep" if one.endswith("+") else "consume"} if len(one) > 2 else {}),
            }
            for number, one in enumerate(edges.split())
        ],
        "capacity": capacity,
        "goal": {"locations": goal},
        "budget": {"actions": most, "traversals": 3, "cost": 3},
    }


TO_V = {"p": "V"}
PLAIN = delivery("p@held k@held l@H", "DHk HVl", TO_V, most=4)

# name: (instance, actions as +object, -object or the number of an edge, whether the motif holds)
BY_HAND = {
    "carried through": (PLAIN, "0 +l 1 -p", True),
    "the cargo laid down between": (delivery("p@held k@held l@H", "DHk HVl", TO_V), "0 -p +p +l 1 -p", False),
    "the key was there before": (
        delivery("p@held k@held l@D", "DHk HVl", TO_V, capacity=3, most=4),
        "+l 0 1 -p",
        False,
    ),
    "the key was held from the start": (delivery("p@held k@held l@held", "DHk HVl", TO_V, capacity=3), "0 1 -p", False),
    # First picked up before the first keyed move, laid down and picked up again at H.
    "not for the first time": (
        delivery("p@held k@D l@held", "DHk HVl", TO_V, capacity=3),
        "-l +l +k 0 1 -p",
        False,
    ),
    "the key before is kept": (delivery("p@held k@held l@H", "DHk+ HVl", TO_V, capacity=3, most=4), "0 +l 1 -p", False),
    "the later key is kept": (delivery("p@held k@held l@H", "DHk HVl+", TO_V, capacity=3, most=4), "0 +l 1 -p", True),
    "one keyed move": (delivery("p@held k@held l@H", "DHk HV", TO_V, most=4), "0 +l 1 -p", False),
    # The key of the second move is acquired at the node where the carrier ends.
    "at the last node": (
        delivery("p@held k@held l@H", "DHk HVl VH", {"p": "H"}, most=5),
        "0 +l 1 2 -p",
        False,
    ),
    # A keyed move from H to H counts for nothing: neither as the last move before the pickup nor as the later one.
    "a loop": (delivery("p@held k@held l@H m@held", "DHk HVl HHm", TO_V, capacity=3, most=5), "0 2 +l 1 -p", True),
    "no cargo": (delivery("p@held k@held l@H", "DHk HVl", {"p": "held"}, most=4), "0 +l 1", False),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_words_by_hand(name: str) -> None:
    instance, text, holds = BY_HAND[name]
    signs = {"+": "pickup", "-": "drop"}
    actions = [
        {"op": "move", "arg": f"e{one}"} if one.isdigit() else {"op": signs[one[0]], "arg": one[1]}
        for one in text.split()
    ]
    found = {text: motifs["main"] for text, motifs in labels("KL", smt, instance).items()}
    said = {json.dumps(json.loads(text), sort_keys=True): motif for text, motif in found.items()}
    assert said[json.dumps({"actions": actions}, sort_keys=True)] == holds


def loose() -> Any:
    """The showcase, where only the parcel has to be somewhere."""
    instance = showcase("KL")
    instance["goal"] = {"locations": {"parcel": "V"}}
    instance["budget"] = {"actions": 7, "traversals": 2, "cost": 2}
    return instance


@pytest.mark.parametrize("instance", [showcase("KL"), loose()], ids=["showcase", "loose"])
def test_words_with_and_without(instance: Any) -> None:
    check_partition("KL", instance, predicate)


@pytest.mark.parametrize("seed", range(40))
def test_random_deliveries(seed: int) -> None:
    check_labels("KL", smt, WORLDS["KL"].generate(f"smt {seed}"), predicate)


def near(seed: int) -> Any:
    """A delivery with other edges, keys and places."""
    stream = random.Random(f"near {seed}")
    objects = f"p@held k@{stream.choice(('held', 'held', 'D'))} l@{stream.choice('HHHD')}"
    edges = ["DHk", "HVl", *stream.sample(["DHk+", "HVl+", "HDl", "HHk", "HH", "VH"], 2)]
    stream.shuffle(edges)
    return delivery(objects, " ".join(edges), {"p": stream.choice("VVVH")}, capacity=3, most=6)


@pytest.mark.parametrize("seed", range(16))
def test_deliveries_near_the_motif(seed: int) -> None:
    check_labels("KL", smt, near(seed), predicate)


def test_deliveries_near_the_motif_have_it_and_lack_it() -> None:
    mixed = [{motifs["main"] for motifs in expected("KL", near(seed), predicate).values()} for seed in range(16)]
    assert mixed.count({True, False}) >= 4


@pytest.mark.parametrize("seed", range(4))
def test_requested_moves(seed: int) -> None:
    check_moves("KL", loose(), f"moves {seed}")


def test_mutants() -> None:
    check_mutants("KL", smt, "main", BY_HAND["the cargo laid down between"][0], predicate)


def always(model: Model, *_: Any) -> z3.BoolRef:
    return z3.BoolVal(True, model.context)


# a part of the motif: an instance whose words change their motif where the part always holds
PARTS: dict[str, tuple[str, Callable[..., z3.BoolRef]]] = {
    "_carried_through": ("the cargo laid down between", always),
    "_acquired_between": ("the key was there before", always),
    "_is_midway": ("at the last node", lambda _, moment: z3.BoolVal(True, moment.carrier.ctx)),
}


@pytest.mark.parametrize("part", PARTS)
def test_no_part_is_idle(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, mutant = PARTS[part]
    instance = BY_HAND[name][0]
    right = expected("KL", instance, predicate)
    monkeypatch.setattr(smt, part, mutant)
    assert labels("KL", smt, instance) != right
