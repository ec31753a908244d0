"""Examples told by hand: showcases changed so that a motif just holds, or just fails, of one accepted word.

EXAMPLES lists (family, why, {JSON pointer: new value, or REMOVED}, {part of the witness: new value}, {motif: whether it
holds of the word}). The word is the showcase's witness but for the parts given.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

REMOVED = object()


@dataclass(frozen=True)
class Example:
    """A changed showcase, a word of it, and what is to be said of the word."""

    family: str
    why: str
    holds: Mapping[str, bool]
    edits: Mapping[str, Any] = field(default_factory=dict)
    word: Mapping[str, Any] = field(default_factory=dict)


def changed(source: Any, edits: Mapping[str, Any]) -> Any:
    """A copy of a JSON value with other values at some pointers."""
    copy = deepcopy(source)
    for pointer, value in edits.items():
        *path, last = pointer.split("/")[1:]
        at = copy
        for key in path:
            at = at[int(key)] if isinstance(at, list) else at[key]
        if value is REMOVED:
            del at[last]
        else:
            at[int(last) if isinstance(at, list) else last] = value
    return copy


def gate(number: int, op: str, *inputs: str) -> dict[str, Any]:
    return {"id": f"g{number}", "op": op, "inputs": list(inputs)}


def actions(*words: str) -> dict[str, Any]:
    """Actions of KL written as "op arg"."""
    return {"actions": [dict(zip(("op", "arg"), word.split(), strict=True)) for word in words]}


def starts(**times: int) -> dict[str, Any]:
    return {"starts": times}


def contact(one: int, other: int, along: str) -> dict[str, Any]:
    return {"between": [one, other], "along": along}


FREE_BLANK = {"/goal/places": {"widget": {"min": 1}}}
FOUR_READERS = {"/throughout/places": {}, "/throughout/total": {}, "/goal/places": {"widget": {"min": 1}}}
SAME = [{"in": [[bit]], "out": [[bit]]} for bit in (0, 1)]
FIRST = ("pickup parcel", "pickup k1")
FOUR_OBJECTS = [{"name": name, "at": at} for name, at in (("parcel", "D"), ("k1", "D"), ("k2", "D"), ("k3", "H"))]
THREE_EDGES = [
    {"name": "D-H", "from": "D", "to": "H", "key": "k1"},
    {"name": "H-V", "from": "H", "to": "V", "key": "k2"},
    {"name": "V-W", "from": "V", "to": "W"},
]
LONGER = {"actions": 7, "traversals": 3, "cost": 3}
DURABLE, ACK, DONE = ({"field": name, "is": value} for name, value in (("durable", 1), ("ack", 0), ("done", 0)))
ALL = ("overlap", "crossed", "strict", "full")


def rs(*holding: str) -> dict[str, bool]:
    return {motif: motif in holding for motif in ALL}


def bc(*holding: str) -> dict[str, bool]:
    return {motif: motif in holding for motif in ("shape", "typed", "mid", "weak")}


EXAMPLES = (
    Example("TW", "four readers, three catalysts", {"main": True}, {**FOUR_READERS, "/initial/catalyst": 3}),
    Example("TW", "four readers, four catalysts", {"main": False}, {**FOUR_READERS, "/initial/catalyst": 4}),
    Example("TW", "rivet may take the initial blank", {"main": False}, {**FREE_BLANK, "/initial/blank": 1}),
    Example(
        "TW",
        "coat takes nothing made, so that both are one deep",
        {"main": False},
        {"/recipes/1/consume": {"flux": 1}, **FREE_BLANK},
    ),
    Example("TP", "the witness", {"main": True}),
    Example(
        "TP",
        "nothing changes the value",
        {"main": False},
        {"/operations/1/table": SAME, "/goal/values/0/value": [0, 1]},
    ),
    Example(
        "TP",
        "no step comes after the join",
        {"main": False},
        {"/goal/values/0/type": "Packet"},
        {
            "steps": [
                {"op": "decode", "args": ["input"], "out": ["v0", "v1"]},
                {"op": "invert", "args": ["v0"], "out": ["v2"]},
                {"op": "tag", "args": ["v2"], "out": ["v3"]},
                {"op": "pack", "args": ["v3", "v1"], "out": ["v4"]},
            ]
        },
    ),
    Example("RS", "the witness", rs(*ALL)),
    Example("RS", "C ends when D starts", rs("overlap", "crossed", "strict"), {}, starts(A=0, B=0, C=2, D=3, E=4)),
    Example("RS", "B starts at 1", rs("overlap", "crossed"), {}, starts(A=0, B=1, C=3, D=3, E=4)),
    Example("RS", "D waits for both sources", rs("overlap"), {"/jobs/3/after": ["A", "B"]}),
    Example("RS", "E leaves one of the crew", rs("overlap"), {"/jobs/4/demand": {"crew": 1}}),
    Example("RS", "B starts when A ends", rs(), {"/deadline": 6}, starts(A=0, B=2, C=4, D=4, E=5)),
    Example("RS", "D is a second sink", rs(), {"/jobs/4/after": ["C"]}),
    Example("RS", "E needs the one machine", rs(*ALL), {"/jobs/4/demand": {"crew": 1, "machine": 1}}),
    Example(
        "RS",
        "a capacity of 0 is no whole capacity",
        rs("overlap"),
        {"/jobs/4/demand": {"crew": 1}, "/resources": {"crew": 2, "machine": 1, "nothing": 0}},
    ),
    Example("RS", "B takes no time", rs(), {"/jobs/1/duration": 0}, starts(A=0, B=1, C=2, D=2, E=3)),
    Example("BC", "the witness", bc("shape", "typed", "mid", "weak")),
    Example("BC", "other operators are named", bc("shape", "mid", "weak"), {"/motif": ["XOR", "AND", "AND", "OR"]}),
    Example("BC", "no operators are named", bc("shape", "mid", "weak"), {"/motif": []}),
    Example(
        "BC",
        "Y reads one pin twice",
        bc("mid", "weak"),
        {"/goal/output": [0, 0, 0, 1, 0, 0, 1, 1]},
        {
            "gates": [
                gate(0, "AND", "a", "b"),
                gate(1, "OR", "b", "b"),
                gate(2, "AND", "c", "g1"),
                gate(3, "OR", "g0", "g2"),
            ]
        },
    ),
    Example(
        "BC",
        "the branches share nothing",
        bc(),
        {"/goal/output": [0, 0, 0, 0, 0, 0, 0, 1], "/budget/gates": 2},
        {"gates": [gate(0, "AND", "a", "b"), gate(1, "AND", "c", "g0")], "output": "g1"},
    ),
    Example("KL", "the witness", {"main": True}),
    Example(
        "KL",
        "the first key is kept",
        {"main": False},
        {"/edges/0/use": "keep", "/capacity": 3, "/goal/most_held": 1, "/goal/locations/k1": "held"},
    ),
    Example(
        "KL",
        "the parcel is laid down on the way",
        {"main": False},
        {"/budget/actions": 8},
        actions(
            "pickup parcel",
            "pickup k1",
            "move D-H",
            "drop parcel",
            "pickup parcel",
            "pickup k2",
            "move H-V",
            "drop parcel",
        ),
    ),
    Example(
        "KL",
        "both keys are taken at the start",
        {"main": False},
        {"/objects/2/at": "D", "/capacity": 3},
        actions("pickup parcel", "pickup k1", "pickup k2", "move D-H", "move H-V", "drop parcel"),
    ),
    Example(
        "KL",
        "a key is acquired on the way, but not the one asked for",
        {"main": False},
        {"/objects": FOUR_OBJECTS, "/capacity": 4, "/budget/actions": 8},
        actions(*FIRST, "pickup k2", "move D-H", "pickup k3", "move H-V", "drop parcel", "drop k3"),
    ),
    Example(
        "KL",
        "a move without a key comes after the parcel is laid down",
        {"main": True},
        {"/nodes": ["D", "H", "V", "W"], "/edges": THREE_EDGES, "/goal/carrier": "W", "/budget": LONGER},
        actions(*FIRST, "move D-H", "pickup k2", "move H-V", "drop parcel", "move V-W"),
    ),
    Example("PS", "the witness", {"main": True}),
    Example(
        "PS",
        "acknowledging does not ask for the lock, committing does",
        {"main": True},
        {"/operations/4/when": [DURABLE, ACK]},
    ),
    Example(
        "PS",
        "only one operation asks for the free lock",
        {"main": False},
        {"/operations/4/when": [DURABLE, ACK], "/operations/5/when": [DURABLE, DONE]},
    ),
    Example(
        "PS",
        "staging does not ask for the held lock",
        {"main": False},
        {"/operations/1/when": [{"field": "draft", "is": 0}]},
    ),
    Example(
        "PS",
        "flushing does not ask for the free lock",
        {"main": False},
        {"/operations/3/when": [{"field": "draft", "is": 1}]},
    ),
    Example("PS", "no resource is declared", {"main": False}, {"/resource": REMOVED}),
    Example(
        "PS",
        "acknowledging drafts as well, so that staging is not the sole cause",
        {"main": False},
        {"/operations/4/then": {"ack": 1, "draft": 1}, "/invariants": [], "/goal": [{"field": "done", "is": 1}]},
    ),
    Example("PA", "the witness", {"main": True}),
    Example(
        "PA", "both branches are of one kind", {"main": False}, {"/components/2/kind": "x", "/components/3/kind": "x"}
    ),
    Example("PA", "no spare is named", {"main": False}, {"/roles/spares": []}),
    Example("PA", "the splitter named has one connection", {"main": False}, {"/roles/splitters": ["S"]}),
    Example("PA", "nothing leads from the join to the goal component", {"main": False}, {"/roles/sink": "L"}),
    Example("PA", "one port of the spare fits", {"main": True}, {"/components/6/inputs": {"p": "other"}}),
    Example(
        "PA",
        "no port of the spare fits",
        {"main": False},
        {"/components/6/inputs": {"p": "other"}, "/components/6/outputs": {"s": "other"}},
    ),
    Example("FT", "the witness", {"main": True}),
    Example(
        "FT",
        "the nodes in another order",
        {"main": True},
        {
            "/motif/nodes": ["vertical", "horizontal", "horizontal"],
            "/motif/contacts": [contact(1, 2, "vertical"), contact(0, 1, "horizontal"), contact(0, 2, "horizontal")],
        },
    ),
    Example(
        "FT",
        "a contact less is stated",
        {"main": False},
        {"/motif/contacts": [contact(0, 2, "horizontal"), contact(1, 2, "horizontal")]},
    ),
    Example("FT", "another side is stated", {"main": False}, {"/motif/contacts/0": contact(0, 1, "horizontal")}),
    Example(
        "FT",
        "a piece more is stated",
        {"main": False},
        {"/motif/nodes": ["horizontal", "horizontal", "vertical", "vertical"]},
    ),
    Example("FT", "no graph is stated", {"main": False}, {"/motif": REMOVED}),
    Example("CO", "the witness", {"main": True}),
    Example(
        "CO",
        "the repair swaps the last position and the first",
        {"main": True},
        {"/broken": ["pearl", "jade", "coral", "slate", "amber"], "/cards/2/swap": [1, 5]},
    ),
    Example(
        "CO",
        "the repair swaps positions with one between",
        {"main": False},
        {
            "/broken": ["amber", "slate", "coral", "jade", "pearl"],
            "/cards/2/swap": [2, 4],
            "/cards/3/swap": [2, 3],
        },
    ),
    Example(
        "CO",
        "the second of two cards swaps neighbours",
        {"main": True},
        {"/broken": ["amber", "slate", "jade", "coral", "pearl"], "/budget/cards": 2},
        {"cards": ["D", "C"]},
    ),
    Example(
        "CO",
        "of two cards neither swaps neighbours",
        {"main": False},
        {"/broken": ["slate", "amber", "coral", "jade", "pearl"], "/budget/cards": 2},
        {"cards": ["D", "A"]},
    ),
)
