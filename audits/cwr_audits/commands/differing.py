"""Command diff: what changed between two frozen packs, and whether results stay comparable."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cwr_audits.files import blaming
from cwr_audits.late import TABLE, resolve
from cwr_audits.out import ACCEPTED, REJECTED, say, say_json
from cwr_audits.packs.differing import Cell, Difference, Side, differ, read_side
from cwr_audits.packs.tree import read_tree
from cwr_audits.packs.verifying import byte_faults
from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import Json

COLUMNS = ("world", "condition", "old", "new", "kept", "rekeyed", "level")
MEANING = {
    "same": "results compare item by item",
    "replicas": "results compare base by base",
    "rekeyed": "answers must be graded anew before they compare",
    "other": "results do not compare",
}


def diff(old: str, new: str, json_out: bool) -> int:
    """Compare two frozen packs."""
    before, after = _side(old), _side(new)
    found = differ(before, after)
    if json_out:
        say_json(_json(before, after, found))
    else:
        _print(found)
    return ACCEPTED if found.comparable else REJECTED


def _side(name: str) -> Side:
    tree = read_tree(Path(name))
    with blaming(name):
        faults = byte_faults(tree, None)
        if faults:
            raise UsageError(f"{name} is no frozen pack as it stands: {faults[0].text}; cwr verify says all")
        return read_side(tree.files)


def _print(found: Difference) -> None:
    resolve(TABLE)(COLUMNS, [_row(cell) for cell in found.cells])
    for what, changes in (("instance", found.instances), ("audit", found.audits), ("waiver", found.waivers)):
        for name, (old, new) in changes.items():
            say(f"{what} {name}: {old or 'none'} -> {new or 'none'}")
    for audit in found.unguarded:
        say(f"audit {audit} passed for one pack only: results do not compare")
    for world, level in found.worlds.items():
        say(f"{world}: {MEANING['other' if found.unguarded else level]}")


def _row(cell: Cell) -> tuple[str, ...]:
    counts = (cell.old, cell.new, cell.kept, cell.rekeyed)
    return (cell.world, cell.condition, *map(str, counts), cell.level)


def _json(before: Side, after: Side, found: Difference) -> dict[str, Json]:
    return {
        "audits": _changes(found.audits),
        "cells": [dict(zip(COLUMNS, _values(cell), strict=True)) for cell in found.cells],
        "comparable": found.comparable,
        "instances": _changes(found.instances),
        "new": after.digest,
        "old": before.digest,
        "unguarded": [*found.unguarded],
        "waivers": _changes(found.waivers),
        "worlds": dict(found.worlds),
    }


def _values(cell: Cell) -> tuple[Json, ...]:
    return cell.world, cell.condition, cell.old, cell.new, cell.kept, cell.rekeyed, cell.level


def _changes(changes: Mapping[str, tuple[str | None, str | None]]) -> Json:
    return {name: {"new": new, "old": old} for name, (old, new) in changes.items()}
