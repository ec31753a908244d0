"""Finding the layers of an instance, by playing its moves. Untrusted: the checker replays and refutes anew.

From the first state on, each move of a row (or none) leads to a node of the next layer; states that agree in what the
moves ahead depend on are one node. Nodes from which no end is reached are left out. Where steps are rows, "none" ends
the word; where each decision has a move of its own, the word passes by the row.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from typing import Any

from cwr_certificates.desk import digest
from cwr_certificates.formulas import Formula
from cwr_certificates.layers import SCHEMA, Row, rows
from cwr_certificates.replay import Case, after, begin, ended, remainder
from cwr_solvers.errors import Undecided
from cwr_solvers.jsontext import Json, canonical

MOST_EDGES = 1_000_000

_Layer = dict[Hashable, Any]  # {what matters of a state: the first state found there}
_Edges = dict[
    Hashable, list[tuple[int | None, Hashable]]
]  # {node: (move, or None for no move; node of the next layer)}


def found_layers(case: Case, formula: Formula, until: float) -> bytes:
    """The file of layers. Raises Rejected where words do not fall into rows, Undecided("time") and ("states")."""
    along = rows(case, formula)
    passing = _distinct(along)
    layers, edges = _forward(case, along, passing, until)
    ends = [{node for node, state in layer.items() if ended(case, state)[0]} for layer in layers]
    if passing:  # a word ends after the last row, however many rows it passes by
        ends = [*(set[Hashable]() for _ in ends[:-1]), ends[-1]]
    kept = _live(layers, edges, ends)
    return canonical(_document(case, kept, edges, ends))


def _distinct(along: Sequence[Row]) -> bool:
    made = [move for row in along for move in row.moves]
    return len(along) > 1 and len(set(made)) == len(made)


def _forward(case: Case, along: Sequence[Row], passing: bool, until: float) -> tuple[list[_Layer], list[_Edges]]:
    start = begin(case)
    layers: list[_Layer] = [{_matters(case, along, 0)(start): start}]
    edges: list[_Edges] = []
    many = 0
    for place, row in enumerate(along):
        matters, following, onward = _matters(case, along, place + 1), _Layer(), _Edges()
        for node, state in layers[-1].items():
            there = [(move, after(case, state, made)) for move, made in enumerate(row.moves)]
            states = [(None, state) if passing else (None, None), *there]
            reached = [(move, matters(one), one) for move, one in states if one is not None]
            onward[node] = [(move, key) for move, key, _ in reached if key is not None]
            following |= {key: one for _, key, one in reversed(reached) if key is not None and key not in following}
            many += len(reached)
            _refuse(many, until)
        layers.append(following)
        edges.append(onward)
    return layers, [*edges, {node: [] for node in layers[-1]}]


def _matters(case: Case, along: Sequence[Row], place: int) -> Any:
    return remainder(case, [move for row in along[place:] for move in row.moves])


def _refuse(many: int, until: float) -> None:
    if many > MOST_EDGES:
        raise Undecided("states", f"more than {MOST_EDGES} edges of layers")
    if time.monotonic() > until:
        raise Undecided("time", "the layers were not all found in time")


def _live(layers: list[_Layer], edges: list[_Edges], ends: list[set[Hashable]]) -> list[dict[Hashable, int]]:
    """Of each layer the nodes from which an end is reached, numbered in the order in which they were found."""
    kept: list[dict[Hashable, int]] = [{}]
    for layer, onward, met in zip(reversed(layers), reversed(edges), reversed(ends), strict=True):
        alive = [node for node in layer if node in met or any(there in kept[-1] for _, there in onward[node])]
        kept.append({node: number for number, node in enumerate(alive)})
    kept.reverse()
    return kept[:-1]


def _document(case: Case, kept: list[dict[Hashable, int]], edges: list[_Edges], ends: list[set[Hashable]]) -> Json:
    layers: list[Json] = []
    for place, nodes in enumerate(kept):
        if nodes:
            below = kept[place + 1] if place + 1 < len(kept) else {}
            layers.append([_node(edges[place][node], below, node in ends[place]) for node in nodes])
    return {"schema": SCHEMA, "instance_sha256": digest(canonical(case.json)), "layers": layers}


def _node(onward: list[tuple[int | None, Hashable]], below: dict[Hashable, int], end: bool) -> Json:
    to: list[Json] = [[move, below[there]] for move, there in onward if move is not None and there in below]
    rest: list[Json] = [below[there] for move, there in onward if move is None and there in below]
    return {"rest": "end" if end else rest[0] if rest else None, "to": to}
