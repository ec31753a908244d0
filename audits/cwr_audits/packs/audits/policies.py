"""Audit policies: answers that know nothing of the item earn nothing above chance, and what copying earns is printed.

  null                {}, null, and nothing at all
  junk                texts that are no answer of any item
  constant            every key that some item has, given to all items of its condition
  copy the example    F, C: the example's solution as it stands
  copy and edit       F, C: the example's solution under the best typed map (see likeness.py), then the best edits; what
                      is printed is how many edits it takes, which no copier can better
  first, last         R: the first and the last artefact of the handbook

Chance: P half of the items and no pair; R one in three; E as many as have the commonest key, where that is at most
half. (A legal answer in E has its own state, so that constants reach just what is illegal at one step.)

accepted    an answer of null or junk is accepted
constant    a constant earns more than chance
copied      the example as it stands, or under a map without an edit, solves the target
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from cwr_audits.packs.answers import grade_answer
from cwr_audits.packs.audits.cases import Case, case, read, solutions
from cwr_audits.packs.audits.leakage import nearest, target
from cwr_audits.packs.audits.likeness import Likeness, Side, program
from cwr_audits.packs.audits.record import Found, Why, concluded, per_world
from cwr_audits.packs.model import ROLES, Condition, EvaluatorRow, Pack
from cwr_audits.packs.sources import Source
from cwr_audits.packs.verdicts import Audit
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.reading import as_items, as_map
from cwr_solvers.world import World

DIAGNOSTICS: tuple[Condition, ...] = ("P", "R", "E")
NULLS = (b"", b"null", b"{}")
JUNK = (
    b"\xff\xfe",
    b"I do not know.",
    b"[]",
    b"true",
    b'{"answer":1}',
    b'{"legal":true}',
    b'{"artifact_id":null}',
    b"{",
)


def policies(pack: Pack) -> Audit:
    """The audit of a pack."""
    return concluded("policies", pack, lambda _pack: per_world(pack, lambda code: _world(case(pack, code))))


def _world(one: Case) -> Found:
    reasons, scores = list(_nothing(one)), dict[str, Json]()
    scores["null and junk"] = {"accepted": len(reasons), "answers": len(one.rows) * (len(NULLS) + len(JUNK))}
    for condition in DIAGNOSTICS:
        best, whys = _constants(one, condition)
        reasons += whys
        scores[condition] = {"best constant": best, "items": len(one.of(condition))}
    scores["R places"] = [_at(one, place) for place in range(len(ROLES))]
    for arm, source in one.arms.items():
        scores[arm], whys = _copied(one, source)
        reasons += whys
    return Found(len(one.rows), tuple(reasons), scores)


def earns(world: World, row: EvaluatorRow, answer: bytes) -> bool:
    """Whether an answer to an item is accepted."""
    return grade_answer(row.condition, world, read(world, row.instance), row.key, answer).status == "accepted"


def _nothing(one: Case) -> Iterator[Why]:
    for row in one.rows:
        for answer in (*NULLS, *JUNK):
            if earns(one.world, row, answer):
                yield Why("accepted", row.item, f"the answer {answer!r} is accepted")


def _constants(one: Case, condition: Condition) -> tuple[int, list[Why]]:
    """The most that a constant earns, and reasons where that is too much."""
    rows, best, reasons = one.of(condition), 0, list[Why]()
    for key in sorted({canonical(row.key) for row in rows}):
        right = [row for row in rows if earns(one.world, row, key)]
        best = max(best, len(right))
        if _above(condition, right, rows):
            said = f"{key.decode('utf-8')[:60]} is right about {len(right)} of {len(rows)} items of {condition}"
            reasons.append(Why("constant", one.about.code, said))
    return best, reasons


def _above(condition: Condition, right: list[EvaluatorRow], rows: tuple[EvaluatorRow, ...]) -> bool:
    """Whether so many right answers are more than chance."""
    if condition == "P":
        won = Counter(row.made.get("pair") for row in right)
        return 2 * len(right) > len(rows) or any(number > 1 for number in won.values())
    return (3 if condition == "R" else 2) * len(right) > len(rows)


def _at(one: Case, place: int) -> int:
    """How many items of R who always names the artefact at that place gets right."""
    books = [(row, as_items(row.made["artifacts"], "/made/artifacts", as_map)) for row in one.of("R")]
    return sum(row.key == {"artifact_id": book[place]["artifact_id"]} for row, book in books)


def _copied(one: Case, source: Source) -> tuple[Json, list[Why]]:
    rows = [row for row in one.rows if row.condition == source.arm]
    copied = [row for row in rows if earns(one.world, row, canonical(_example(row)))]
    reasons = [Why("copied", row.item, "the example's solution as it stands is accepted") for row in copied]
    there = target(one)
    wanted = [program(there, word) for word in solutions(one.world, one.about.source)]
    here = Side(source.world, source.source, source.instance)
    shown = program(here, source.world.normal(source.instance, source.submission))
    edits = nearest(Likeness(here, there), shown, wanted)
    if edits == 0:
        reasons.append(Why("copied", source.code, "what is shown, in other names, is accepted"))
    return {"copy the example": len(copied), "copy and edit, edits": edits, "items": len(rows)}, reasons


def _example(row: EvaluatorRow) -> Any:
    return as_map(row.made["example"], "/made/example")["submission"]
