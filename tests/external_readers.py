"""Published Petri nets and a peg puzzle as TW instances, in the JSON that the TW reader takes; published answers too.

model.pnml      a place/transition net in PNML; arcs without an inscription have weight 1
oracle.txt      answers of the Model Checking Contest, a line each
UpperBounds.xml the sums of places whose bounds oracle.txt gives
peg15.json      jumps of triangular peg solitaire
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

BUDGET = {"actions": 10_000, "cost": 10_000}


def read_net(path: Path, reads: bool) -> dict[str, Any]:
    """The net in a PNML file. Self-loops become read arcs as far as their two weights agree, or stay as they are."""
    nodes = [(node.tag.rpartition("}")[2], node) for node in ElementTree.parse(path).iter()]
    places = [node.attrib["id"] for tag, node in nodes if tag == "place"]
    marked = {node.attrib["id"]: _number(node, "initialMarking", 0) for tag, node in nodes if tag == "place"}
    taken: dict[str, dict[str, int]] = {node.attrib["id"]: {} for tag, node in nodes if tag == "transition"}
    made: dict[str, dict[str, int]] = {name: {} for name in taken}
    for tag, node in nodes:
        if tag == "arc":
            source, target, weight = node.attrib["source"], node.attrib["target"], _number(node, "inscription", 1)
            arcs, place = (taken[target], source) if target in taken else (made[source], target)
            arcs[place] = arcs.get(place, 0) + weight
    return {
        "family": "TW",
        "code": path.parent.name,
        "places": places,
        "initial": {place: number for place, number in marked.items() if number},
        "recipes": [_recipe(name, taken[name], made[name], reads) for name in taken],
        "throughout": {},
        "goal": {},
        "budget": BUDGET,
    }


def _number(node: ElementTree.Element, child: str, missing: int) -> int:
    for inner in node:
        if inner.tag.rpartition("}")[2] == child:
            texts = [leaf.text for leaf in inner if leaf.tag.rpartition("}")[2] == "text"]
            return int(texts[0] or "")
    return missing


def _recipe(name: str, taken: dict[str, int], made: dict[str, int], reads: bool) -> dict[str, Any]:
    kept = {place: min(weight, made[place]) for place, weight in taken.items() if place in made} if reads else {}
    consume = {place: weight - kept.get(place, 0) for place, weight in taken.items() if weight > kept.get(place, 0)}
    produce = {place: weight - kept.get(place, 0) for place, weight in made.items() if weight > kept.get(place, 0)}
    return {"name": name, "consume": consume, "read": kept, "produce": produce}


def read_oracle(path: Path) -> dict[str, str]:
    """The answers by name: STATES, TRANSITIONS, …, and formulas by their names."""
    lines = [line.split() for line in path.read_text(encoding="ascii").splitlines()]
    return {words[1]: words[2] for words in lines if words and words[0] in ("STATE_SPACE", "FORMULA")}


def read_bounds(path: Path) -> dict[str, list[str]]:
    """The places that are summed, by the name of the formula."""
    found: dict[str, list[str]] = {}
    for node in ElementTree.parse(path).iter():
        if node.tag.rpartition("}")[2] == "property":
            texts = [(leaf.tag.rpartition("}")[2], leaf.text or "") for leaf in node.iter()]
            name = next(text for tag, text in texts if tag == "id")
            found[name] = [text for tag, text in texts if tag == "place"]
    return found


def read_pegs(path: Path, empty: int) -> dict[str, Any]:
    """The puzzle with one empty hole: a place a hole, with room for one peg; the goal is one peg, anywhere."""
    puzzle = json.loads(path.read_text(encoding="ascii"))
    holes = [f"h{number}" for number in range(1, puzzle["holes"] + 1)]
    jumps = puzzle["jumps_from_over_to"]
    actions = len(holes) - 2
    return {
        "family": "TW",
        "code": f"peg15-{empty}",
        "places": holes,
        "initial": {hole: 1 for hole in holes if hole != f"h{empty}"},
        "recipes": [
            {"name": f"{start}-{over}-{end}", "consume": {f"h{start}": 1, f"h{over}": 1}, "produce": {f"h{end}": 1}}
            for start, over, end in jumps
        ],
        "throughout": {"places": {hole: {"max": 1} for hole in holes}},
        "goal": {"total": {"min": 1, "max": 1}},
        "budget": {"actions": actions, "cost": actions},
    }


def read_peg_counts(path: Path) -> dict[int, int]:
    """{first empty hole: published number of winning sequences}."""
    counts = json.loads(path.read_text(encoding="ascii"))["initial_empty_hole_to_solutions"]
    return {int(hole): number for hole, number in counts.items()}
