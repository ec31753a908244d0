"""Random neighbours of the showcases, in which motifs come and go: in random instances of a family they are rare.

Each function changes the JSON of the showcase of its family in place.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from itertools import combinations
from random import Random
from typing import Any

from cwr_audits.subject import Subject, from_json, subject
from cwr_solvers.jsontext import canonical


def neighbour_tw(draws: Random, made: dict[str, Any]) -> None:
    """More tokens, more catalysts, finished blanks from the start, a goal that lets things stay, one more recipe."""
    made["initial"] = {"ore": draws.randint(1, 3), "flux": draws.randint(1, 2), "catalyst": draws.randint(1, 3)}
    made["initial"]["blank"] = draws.choice((0, 0, 1))
    made["throughout"] = {}
    made["goal"] = {"places": {"widget": {"min": 1}}}
    if draws.random() < 0.5:
        made["recipes"].append({"name": "scrape", "consume": {"coated": 1}, "produce": {"blank": draws.randint(1, 2)}})
    elif draws.random() < 0.5:
        made["recipes"].append({"name": "polish", "consume": {"blank": 1}, "produce": {"blank": 1}})
    if draws.random() < 0.5:
        made["recipes"][2]["consume"] = {"blank": draws.randint(1, 2), "coated": 1}
    steps = draws.randint(4, 5)
    made["budget"] = {"actions": steps, "cost": steps}


def neighbour_tp(draws: Random, made: dict[str, Any]) -> None:
    """Another goal, leftovers, room for more values and steps, values that do not change, a step back."""
    made["goal"] = {
        "values": draws.choice(
            (
                [{"type": "Seal", "value": [1, 1]}],
                [{"type": "Seal", "value": [0, 1]}],
                [{"type": "Packet", "value": [draws.randint(0, 1), 1]}],
                [{"type": "TaggedLeft", "value": [1]}],
            )
        ),
        "leftovers": draws.choice(("allowed", "forbidden")),
    }
    made["ids"] = [f"v{number}" for number in range(9)]
    if draws.random() < 0.5:
        unpack = [{"in": row["out"], "out": row["in"]} for row in made["operations"][3]["table"]]
        made["operations"].append(
            {"name": "unpack", "inputs": ["Packet"], "outputs": ["TaggedLeft", "RightBit"], "table": unpack}
        )
    if draws.random() < 0.5:
        made["operations"][3]["inputs"] = ["LeftBit", "RightBit"]
    if draws.random() < 0.3:
        made["initial"]["more"] = {"type": "LeftBit", "value": [1]}
    made["budget"] = {"live": draws.randint(2, 3), "steps": draws.randint(5, 6), "cost": 6}


def neighbour_rs(draws: Random, made: dict[str, Any]) -> None:
    """Other durations, demands and capacities, one more job, an edge more or less."""
    names = ["A", "B", "C", "D", "E"]
    made["resources"] = {"crew": draws.randint(2, 3), "machine": draws.randint(1, 2)}
    if draws.random() < 0.4:
        after = draws.choice((["A", "B"], ["B"], ["C"]))
        made["jobs"].insert(4, {"name": "F", "duration": draws.randint(0, 1), "demand": {"crew": 1}, "after": after})
        made["jobs"][5]["after"] = draws.choice((["C", "D", "F"], ["C", "D"]))
    for job in made["jobs"]:
        if draws.random() < 0.3:
            job["duration"] = draws.randint(0, 2)
        if draws.random() < 0.3:
            job["demand"] = {"crew": draws.randint(0, 2)}
    if draws.random() < 0.3:
        made["jobs"][draws.choice((2, 3))]["after"] = draws.choice((["A"], ["B"], ["A", "B"], names[:1]))
    made["deadline"] = draws.randint(4, 6)


def neighbour_pa(draws: Random, made: dict[str, Any]) -> None:
    """A looser goal, kinds that may be equal, other roles, a longer branch, a spare that is used or does not fit."""
    parts = {part["name"]: part for part in made["components"]}
    parts["U"]["kind"] = draws.choice(("U", "L"))
    parts["Z"]["inputs"] = {"p": draws.choice(("power", "power", "heat"))}
    parts["Z"]["outputs"] = draws.choice(({"s": "signal"}, {"s": "heat"}))
    if draws.random() < 0.2:
        made["components"].append({"name": "V", "inputs": {"i": "signal"}, "outputs": {"s": "signal"}})
    made["forbidden"] = draws.choice((["S", "Z"], ["S", "Z"], ["S"]))
    made["twins"] = draws.choice((made["twins"], []))
    goal = draws.choice((["L.p", "K.s"], ["L.p", "M.s1", "M.s2"], ["L.p", "U.p", "K.s"]))
    made["goal"] = {"connected": goal, "paths": []}
    if made["twins"] == [] and draws.random() < 0.3:
        made["roles"]["splitters"] = draws.choice((["S"], ["S", "J"]))
    made["roles"]["sink"] = draws.choice(("K", "K", "M"))
    made["roles"]["spares"] = draws.choice((["Z"], ["Z", "S"], ["V"] if len(made["components"]) == 8 else ["Z"]))
    most = draws.randint(5, 6)
    made["budget"] = {"connections": most, "cost": most}


def neighbour_ft(draws: Random, made: dict[str, Any]) -> None:
    """Colours gone, pieces that turn, more copies than needed, single cells, another stated graph."""
    del made["board"]["border"]
    for piece in made["pieces"]:
        piece["cells"] = [{"x": cell["x"], "y": cell["y"]} for cell in piece["cells"]]
        piece["count"] = draws.randint(1, 2)
    made["pieces"][1]["rotate"] = draws.choice(("allowed", "forbidden"))
    if draws.random() < 0.5:
        made["pieces"].append({"name": "D", "count": 2, "cells": [{"x": 0, "y": 0}]})
    if draws.random() < 0.3:
        made["pieces"][0]["cells"].append({"x": 0, "y": 1})
        made["motif"]["nodes"][draws.randint(0, 2)] = "other"
    if draws.random() < 0.3:
        draws.choice(made["motif"]["contacts"])["along"] = draws.choice(("horizontal", "vertical"))
    if draws.random() < 0.2:
        made["motif"]["contacts"].append({"between": [1, 0], "along": draws.choice(("horizontal", "vertical"))})
    if draws.random() < 0.2:
        made["motif"]["contacts"].pop()
    made["goal"] = {"pieces": "any"}
    made["budget"] = {"placements": 3, "cost": 3}


def neighbour_kl(draws: Random, made: dict[str, Any]) -> None:
    """Kept keys, keys elsewhere, a way back, a loop, more room, a goal that lets the parcel be held."""
    made["capacity"] = draws.randint(2, 3)
    made["budget"] = {"actions": draws.randint(6, 7), "traversals": 3, "cost": 3}
    made["goal"] = {"carrier": draws.choice("HVV"), "locations": {"parcel": draws.choice(("V", "V", "H", "held"))}}
    made["objects"][2]["at"] = draws.choice("DHHH")
    for edge in made["edges"]:
        edge["use"] = draws.choice(("consume", "consume", "keep"))
    if draws.random() < 0.5:
        back = {"name": "back", "from": draws.choice("HV"), "to": draws.choice("DH")}
        made["edges"].append({**back, "key": "k1"} if draws.random() < 0.5 else back)


def neighbour_ps(draws: Random, made: dict[str, Any]) -> None:
    """A third value of the lock, preconditions dropped or turned into their negation, one more way to stage."""
    made["invariants"] = []
    made["goal"] = [{"field": draws.choice(("done", "ack", "durable")), "is": 1}]
    if draws.random() < 0.3:
        made["fields"][0]["values"].append("broken")
    for operation in made["operations"]:
        if draws.random() < 0.2:
            operation["when"].pop(draws.randrange(len(operation["when"])))
        if draws.random() < 0.2 and operation["when"][:1] == [{"field": "lock", "is": "held"}]:
            operation["when"][0] = {"field": "lock", "not": "free"}
    if draws.random() < 0.5:
        then = draws.choice(({"draft": 1}, {"lock": "free"}, {"lock": "held"}, {"ack": 0}))
        made["operations"].append({"name": "more", "when": [{"field": "durable", "is": 1}], "then": then})
    made["budget"] = {"actions": draws.randint(5, 6), "cost": 6}


def neighbour_bc(draws: Random, made: dict[str, Any]) -> None:
    """Other operators named by the motif, another goal, two outputs."""
    made["motif"] = draws.choice(([], made["motif"], ["AND", "XOR", "AND", "XOR"], ["AND", "OR", "AND", "OR"]))
    majority = made["goal"]["output"]
    output = draws.choice((majority, majority, [0, 0, 0, 1, 0, 1, 1, 0], [0, 1, 0, 1, 0, 1, 1, 1]))
    made["goal"] = {"output": output}
    if draws.random() < 0.2:
        made["goal"] = {"outputs": {"one": output, "two": [0, 0, 0, 0, 0, 0, 1, 1]}}


def neighbour_co(draws: Random, made: dict[str, Any]) -> None:
    """The reference spoilt by two swaps, cards for most pairs of positions, and room for two or three of them."""
    loop = list(made["reference"])
    pairs = list(combinations(range(1, len(loop) + 1), 2))
    for first, second in draws.sample(pairs, 2):
        loop[first - 1], loop[second - 1] = loop[second - 1], loop[first - 1]
    made["broken"] = loop
    swaps = draws.sample(pairs, draws.randint(6, len(pairs)))
    made["cards"] = [{"label": f"S{number}", "swap": list(swap)} for number, swap in enumerate(swaps)]
    made["budget"] = {"cards": draws.randint(2, 3)}


NEIGHBOUR: Mapping[str, tuple[str, Callable[[Random, dict[str, Any]], None]]] = {
    "TW": ("TW-001", neighbour_tw),
    "TP": ("TP-001", neighbour_tp),
    "RS": ("RS-001", neighbour_rs),
    "KL": ("KL-001", neighbour_kl),
    "PS": ("PS-001", neighbour_ps),
    "BC": ("BC-001", neighbour_bc),
    "PA": ("PA-001", neighbour_pa),
    "FT": ("FT-001", neighbour_ft),
    "CO": ("CO-001", neighbour_co),
}


def neighbour(family: str, number: int) -> Subject:
    """Neighbour number so-and-so of the showcase of a family."""
    code, change = NEIGHBOUR[family]
    made = copy.deepcopy(json.loads(canonical(subject(code).source)))
    change(Random(number), made)
    return from_json(made)
