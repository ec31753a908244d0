"""The coverage vector: what is measured of a source and of the items of an arm, so that F can be held against C.

A figure is a whole number or a list of them, sorted where the names that it counts mean nothing. None stands for a
figure that could not be had; two of them are not equal to anything that was measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from cwr_audits.attacks.vocabulary import VOCABULARIES
from cwr_audits.packs.audits.cases import Case, counted, solutions
from cwr_audits.packs.audits.certified import claims
from cwr_audits.packs.model import EvaluatorRow, Pack
from cwr_audits.packs.sources import Source
from cwr_audits.renaming import vocabulary
from cwr_audits.tallies import TALLIES
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.reading import as_items, as_list, as_map
from cwr_solvers.symmetry import classes
from cwr_solvers.world import Broken

Figure: TypeAlias = "int | list[int] | None"
Measure: TypeAlias = Callable[[Any], Figure]

RS = "RS"


def vector(pack: Pack, one: Case, source: Source) -> dict[str, Figure]:
    """All figures of an arm, by name."""
    rows = [row for row in one.rows if row.condition == source.arm]
    return {**of_source(source), **_proof(pack, source), **_evidence(one, rows)}


def of_source(source: Source) -> dict[str, Figure]:
    """The figures that need no pack."""
    return {**_program(source), **_space(source), **_own(source)}


# --- of every family


def _program(source: Source) -> dict[str, Figure]:
    moves = [source.world.write_move(source.instance, move) for move in source.submission.moves]
    seen = Counter(_words(source.source)) + Counter(_words(source.shown))
    names = vocabulary(source.world.family, source.source)
    found: dict[str, Figure] = {"moves": len(moves), "operations": _operations(source.world.family, moves)}
    for kind, listed in names.items():
        if kind != "code":
            exposed = [seen[name if isinstance(name, str) else canonical(name).decode("utf-8")] for name in listed]
            found |= {f"{kind}: names": len(listed), f"{kind}: exposures": sum(exposed)}
    found |= {"instance bytes": len(canonical(source.source)), "output bytes": len(canonical(source.shown))}
    return found


def _operations(family: str, moves: Sequence[Any]) -> Figure:
    """How often each kind of move comes, whatever it is called; of schedules, how many jobs start together."""
    if family == RS:
        return sorted(Counter(move["start"] for move in moves).values())
    tally: Counter[str] = Counter()
    for move in moves:
        tally.update(dict(TALLIES[family](move)))
    return sorted(tally.values())


def _words(value: Json) -> Iterator[str]:
    """Every word of a document: keys and texts, and the parts of a text with a dot in it; lists of numbers whole."""
    if isinstance(value, str):
        yield value
        if "." in value:
            yield from value.split(".")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _words(item)
    elif isinstance(value, list):
        if all(isinstance(item, int) for item in value):
            yield canonical(value).decode("utf-8")
        for item in value:
            yield from _words(item)
    elif isinstance(value, int):
        yield canonical(value).decode("utf-8")


def _space(source: Source) -> dict[str, Figure]:
    found, words = counted(source.world, source.source), solutions(source.world, source.source)
    bound: Any = source.instance.deadline if source.world.family == RS else as_map(_field(source, "budget"), "")["cost"]
    return {
        "optimum": found.optimum,
        "slack": None if found.optimum is None else bound - found.optimum,
        "accepted raw": found.accepted_raw,
        "accepted words": len(words),
        "accepted classes": len(classes(source.world, source.instance, words)),
        "states": found.reachable_states,
    }


def _field(source: Source, name: str) -> Any:
    return as_map(source.source, "")[name]


def _proof(pack: Pack, source: Source) -> dict[str, Figure]:
    """What it takes to refute better and other solutions."""
    code, lines, clauses = source.code, 0, 0
    for kind in ("optimum", "complete"):
        for claim in claims(pack, code, kind):
            refutation = as_map(claim["refutation"], "/refutation")
            lines += pack.certificates.get(f"{code}/{refutation.get('proof')}", b"").count(b"\n")
            clauses += refutation["clauses"] if isinstance(refutation.get("clauses"), int) else 0  # type: ignore[operator]
    return {"clauses": clauses or None, "proof lines": lines or None}


def _evidence(one: Case, rows: Sequence[EvaluatorRow]) -> dict[str, Figure]:
    """What the items of the arm show beside the example."""
    shown = [as_items(row.made["demonstrations"], "/made/demonstrations", as_map) for row in rows]
    legal = sum(as_map(one["answer"], "/answer")["legal"] is True for listed in shown for one in listed)
    return {
        "items": len(rows),
        "demonstrations": sorted(len(listed) for listed in shown),
        "legal demonstrations": legal,
        "demonstration bytes": sum(len(canonical(list(listed))) for listed in shown),
        "prompt characters": sum(len(one.prompts[row.item]) for row in rows),
    }


# --- of one family


def _own(source: Source) -> dict[str, Figure]:
    return {name: measure(source) for name, measure in OWN[source.world.family].items()}


def _tokens(part: str) -> Measure:
    return lambda source: sum(map(int, _field(source, part).values()))


def _goal_tokens(source: Source) -> Figure:
    return sum(int(one.get("min", 0)) for one in _field(source, "goal")["places"].values())


def _bounds(source: Source) -> Figure:
    return len(_field(source, "throughout")["places"])


def _length(*path: str) -> Measure:
    def measure(source: Source) -> Figure:
        value: Any = source.source
        for step in path:
            value = value[step]
        return len(value)

    return measure


def _weight(source: Source) -> Figure:
    """How many rows of the truth table are 1."""
    goal = _field(source, "goal")
    vectors = goal["outputs"].values() if "outputs" in goal else [goal["output"]]
    return sorted(sum(as_list(one, "/goal")) for one in vectors)  # type: ignore[arg-type]


def _keys_placed(source: Source) -> Figure:
    """Keys that an edge asks for and whose place is stated."""
    placed = {one["name"] for one in _field(source, "objects")}
    return len({one.get("key") for one in _field(source, "edges")} & placed)


def _goals_stated(source: Source) -> Figure:
    goal = _field(source, "goal")
    return len(goal["locations"]) + ("carrier" in goal) + ("most_held" in goal)


def _burden(source: Source) -> Figure:
    """Of each resource, what all jobs hold of it for how long."""
    jobs = _field(source, "jobs")
    return sorted(
        sum(job["duration"] * job["demand"].get(name, 0) for job in jobs) for name in _field(source, "resources")
    )


def _sum(part: str, get: Callable[[Any], int]) -> Measure:
    return lambda source: sum(get(one) for one in _field(source, part))


def _sorted(part: str, get: Callable[[Any], int]) -> Measure:
    return lambda source: sorted(get(one) for one in _field(source, part))


def _negations(source: Source) -> Figure:
    return sum("not" in literal for one in _field(source, "operations") for literal in one["when"])


def _legal_first(source: Source) -> Figure:
    """Steps that are legal at the start."""
    world, instance = source.world, source.instance
    moves = [world.read_move(instance, move) for move in VOCABULARIES[world.family].moves(instance)]
    start = world.initial(instance)
    return sum(not isinstance(world.step(instance, start, move), Broken) for move in moves)


def _colours(source: Source) -> Figure:
    faces = [cell.get(side) for piece in _field(source, "pieces") for cell in piece["cells"] for side in SIDES]
    return sorted(Counter(face for face in faces if face is not None).values())


def _supplied_used(source: Source) -> Figure:
    """How many of the values that are there from the start the shown solution takes."""
    taken = {name for move in source.submission.moves for name in move.args}
    return len(taken & set(_field(source, "initial")))


def _fitting(source: Source) -> Figure:
    """Placements by shape alone: everywhere that all cells of a piece are cells of the board, whatever its colours."""
    instance = source.instance
    return sum(
        all((x + across, y + down) in instance.cells for (across, down), _ in shape.cells)
        for piece in instance.pieces
        for shape in set(piece.variants.values())
        for x in range(instance.width)
        for y in range(instance.height)
    )


def _touching(source: Source) -> Figure:
    """Edges of cells at which two pieces of the shown solution touch."""
    instance = source.instance
    owner = {
        (move.x + x, move.y + y): number
        for number, move in enumerate(source.submission.moves)
        for (x, y), _ in instance.piece[move.piece].variants[move.flip, move.turn].cells
    }
    beside = [((x, y), next_to) for x, y in owner for next_to in ((x + 1, y), (x, y + 1)) if next_to in owner]
    return sum(owner[one] != owner[other] for one, other in beside)


SIDES = ("top", "right", "bottom", "left")

OWN: Mapping[str, Mapping[str, Measure]] = {
    "TW": {"tokens at the start": _tokens("initial"), "tokens in the goal": _goal_tokens, "bounds": _bounds},
    "TP": {
        "values supplied": _length("initial"),
        "values supplied and taken": _supplied_used,
        "values in the goal": _length("goal", "values"),
        "rows of tables": _sum("operations", lambda one: len(one["table"])),
    },
    "BC": {"rows that are 1": _weight},
    "KL": {"keys whose place is stated": _keys_placed, "goal conditions": _goals_stated},
    "RS": {
        "burden of resources": _burden,
        "durations": _sorted("jobs", lambda one: one["duration"]),
        "precedences": _sum("jobs", lambda one: len(one["after"])),
    },
    "PS": {
        "condition literals": _sorted("operations", lambda one: len(one["when"])),
        "effects": _sorted("operations", lambda one: len(one["then"])),
        "negations": _negations,
        "invariants": _length("invariants"),
    },
    "PA": {"legal first connections": _legal_first, "paths asked for": _length("goal", "paths")},
    "FT": {
        "legal first placements": _legal_first,
        "placements by shape": _fitting,
        "touching edges": _touching,
        "colour frequencies": _colours,
        "cells": _sum("pieces", lambda one: len(one["cells"])),
    },
}
