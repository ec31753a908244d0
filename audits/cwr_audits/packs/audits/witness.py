"""Audit witness: what is said to solve does solve. Witness and alternates of every target, the shown solution of every
source, and the example of every F and C item, by the interpreter and by the clauses of the family's statement.

not-accepted           the interpreter does not accept it
clauses-differ         the statement does not accept it
not-in-certificate     the certificate of its instance has no claim that it is legal and meets the goal
example-not-of-source  the example of an item is not the source's solution in other names
"""

from __future__ import annotations

from collections.abc import Iterator

from cwr_audits.canonical import base
from cwr_audits.packs.audits.cases import Case, case, read, status
from cwr_audits.packs.audits.certified import claims
from cwr_audits.packs.audits.record import Found, Why, concluded, per_world
from cwr_audits.packs.confirm import judge
from cwr_audits.packs.model import ARMS, Pack
from cwr_audits.packs.verdicts import Audit
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.reading import as_map
from cwr_solvers.world import World

Solved = tuple[str, Json, Json]  # what it is, instance, submission


def witness(pack: Pack) -> Audit:
    """The audit of a pack."""
    return concluded("witness", pack, lambda _pack: per_world(pack, lambda code: _world(pack, case(pack, code))))


def _world(pack: Pack, one: Case) -> Found:
    stated, shown = list(_stated(one)), list(_examples(one))
    reasons = [
        why for about, source, submission in (*stated, *shown) for why in _judged(one, about, source, submission)
    ]
    reasons += [why for solved in stated for why in _claimed(pack, *solved)]
    reasons += list(_strange(one))
    evidence: dict[str, Json] = {"examples": len(shown), "solutions": len(stated)}
    return Found(len(stated) + len(shown), tuple(reasons), evidence)


def _stated(one: Case) -> Iterator[Solved]:
    code = one.about.code
    for number, submission in enumerate((one.about.witness, *one.about.alternates)):
        yield (f"{code} alternate {number}" if number else f"{code} witness"), one.about.source, submission
    for source in one.arms.values():
        yield f"{source.code} shown", source.source, source.shown


def _examples(one: Case) -> Iterator[Solved]:
    for row in one.of(*ARMS):
        example = as_map(row.made["example"], "/made/example")
        yield row.item, example["instance"], example["submission"]


def _judged(one: Case, about: str, source: Json, submission: Json) -> Iterator[Why]:
    said = status(one.world, source, submission)
    if said != "accepted":
        yield Why("not-accepted", about, f"the interpreter says {said}")
    elif not _clauses_accept(one.world, source, submission):
        yield Why("clauses-differ", about, "accepted by the interpreter, not by the clauses")


def _clauses_accept(world: World, source: Json, submission: Json) -> bool:
    instance = read(world, source)
    return judge(world, instance)(world.read_submission(instance, submission)) == "accepted"


def _claimed(pack: Pack, about: str, source: Json, submission: Json) -> Iterator[Why]:
    code = str(as_map(source, "")["code"])
    found = [one for one in claims(pack, code, "legal") if one["goal"] is True]
    if canonical(submission) not in {canonical(one["submission"]) for one in found}:
        yield Why("not-in-certificate", about, f"the certificate of {code} does not claim it")


def _strange(one: Case) -> Iterator[Why]:
    """Examples of items that are no renamings of the source's instance."""
    for row in one.of(*ARMS):
        example = as_map(row.made["example"], "/made/example")
        wanted = one.arms[row.condition].source if one.arms else None
        if wanted is None or base(row.family, example["instance"]) != base(row.family, wanted):
            yield Why("example-not-of-source", row.item, f"no renaming of {one.about.code}-{row.condition}")
