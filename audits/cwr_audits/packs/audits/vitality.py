"""Audit vitality: every rule of the family bites in the target and in its sources, or is listed as inert.

How it is found out is said in cwr_audits.attacks.vitality: a submission whose only fault is the rule; else a probe of a
single step; else all moves in all reachable states were tried. Where that is too much, a rule about a budget is inert
if no submission goes beyond it even when every budget is one more.

graded-otherwise  a submission found for a rule is graded as something else
not-shown         (undecided) the search was cut before it could tell
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from cwr_audits.attacks.rows import Row
from cwr_audits.attacks.vitality import vitality as rules_that_bite
from cwr_audits.packs.audits.cases import BYTES, DEPTH, MOST_STATES, Case, case
from cwr_audits.packs.audits.record import Found, Why, concluded, per_world
from cwr_audits.packs.model import Pack
from cwr_audits.packs.verdicts import Audit
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.jsontext import Json, canonical, parse
from cwr_solvers.search import layers
from cwr_solvers.world import World

MOST_TRIED = 20_000
OPEN = "not found"


def vitality(pack: Pack) -> Audit:
    """The audit of a pack."""
    return concluded("vitality", pack, lambda _pack: per_world(pack, lambda code: _world(case(pack, code))))


def _world(one: Case) -> Found:
    reasons, evidence, number = list[Why](), dict[str, Json](), 0
    for code, source, probes in _instances(one):
        try:
            rows = [_settled(one.world, source, row) for row in _rows(one.world, source, probes)]
        except ValueError as error:
            reasons.append(Why("graded-otherwise", code, str(error)))
            continue
        number += len(rows)
        evidence[code] = {row.subject: row.word for row in rows}
        reasons += [
            Why("not-shown", code, f"{row.subject}: {row.text}", "undecided") for row in rows if row.word == OPEN
        ]
    return Found(number, tuple(reasons), evidence)


def _instances(one: Case) -> Iterator[tuple[str, Any, tuple[Json, ...]]]:
    yield one.about.code, one.about.source, one.about.probes
    for source in one.arms.values():
        yield source.code, source.source, ()


def _rows(world: World, source: Json, probes: tuple[Json, ...]) -> list[Row]:
    return list(rules_that_bite(world, world.read_instance(source), probes, MOST_TRIED))


def _settled(world: World, source: Any, row: Row) -> Row:
    """The row; inert where it was open, is about a budget, and no submission could go beyond that."""
    if row.word != OPEN or "budget" not in world.rules[row.subject]:
        return row
    steps = _longest(world.family, canonical(source))
    if steps > min(source["budget"].values()):
        return row
    said = f"no submission has more than {steps} moves even where every budget is one more"
    return Row(row.part, row.subject, "inert", said)


@lru_cache(maxsize=16)
def _longest(family: str, source: bytes) -> int:
    """How many moves a legal submission has at most where every budget is one more. Raises Undecided."""
    fields: Any = parse(source, BYTES, DEPTH)
    more = {**fields, "budget": {name: number + 1 for name, number in fields["budget"].items()}}
    world = WORLDS[family]
    return max(number for number, _ in enumerate(layers(world, world.read_instance(more), MOST_STATES)))
