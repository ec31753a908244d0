"""Audit balance: nothing that does not matter goes with the answer. All counts are exact, and of every world alone.

p-labels     P: as many legal steps as illegal ones, and of every pair one of each
r-places     R: the valid artefact stands equally often at every place
r-ids        R: the valid artefact has every id equally often
r-roles      R: every order of the three roles comes equally often
e-strata     E: an illegal first step does not come at every place equally often, or goal true or false is missing
wordings     a wording is used more often than another by more than one item; in F and C by any
arms         F and C have different numbers of items
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from cwr_audits.packs.audits.cases import Case, case
from cwr_audits.packs.audits.record import Found, Why, concluded, per_world
from cwr_audits.packs.diagnostics import WHOLE
from cwr_audits.packs.model import ARMS, CONDITIONS, ROLES, EvaluatorRow, Pack
from cwr_audits.packs.prompts import WORDINGS
from cwr_audits.packs.verdicts import Audit
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import as_items, as_map

PLACES = tuple(range(len(ROLES)))


def balance(pack: Pack) -> Audit:
    """The audit of a pack."""
    return concluded("balance", pack, lambda _pack: per_world(pack, lambda code: _world(case(pack, code))))


def _world(one: Case) -> Found:
    reasons = [*_p(one), *_r(one), *_e(one), *_wordings(one), *_arms(one)]
    evidence: dict[str, Json] = {condition: len(one.of(condition)) for condition in CONDITIONS}
    return Found(len(one.rows), tuple(reasons), evidence)


def _p(one: Case) -> Iterator[Why]:
    labels = Counter(_key(row)["legal"] for row in one.of("P"))
    if not labels or labels[True] != labels[False]:
        yield Why("p-labels", one.about.code, f"{labels[True]} legal steps and {labels[False]} illegal ones")
    pairs: dict[Any, list[bool]] = {}
    for row in one.of("P"):
        pairs.setdefault(row.made.get("pair"), []).append(_key(row)["legal"])
    odd = [pair for pair, legal in pairs.items() if sorted(legal) != [False, True]]
    if odd:
        yield Why("p-labels", one.about.code, f"pairs that are not one legal and one illegal step: {odd}")


def _r(one: Case) -> Iterator[Why]:
    books = [as_items(row.made["artifacts"], "/made/artifacts", as_map) for row in one.of("R")]
    roles = [tuple(str(entry["role"]) for entry in book) for book in books]
    keys = [str(_key(row)["artifact_id"]) for row in one.of("R")]
    places = [[entry["artifact_id"] for entry in book].index(key) for book, key in zip(books, keys, strict=True)]
    names = sorted({str(entry["artifact_id"]) for book in books for entry in book})
    yield from _even("r-places", one, places, PLACES)
    yield from _even("r-ids", one, keys, names)
    yield from _even("r-roles", one, roles, sorted(set(roles)))
    if len(set(roles)) != len(ROLES) * (len(ROLES) - 1):
        yield Why("r-roles", one.about.code, f"{len(set(roles))} orders of {len(ROLES)} roles, not every one")


def _e(one: Case) -> Iterator[Why]:
    keys = [_key(row) for row in one.of("E")]
    illegal = [key["first_illegal_step"] for key in keys if key["first_illegal_step"] is not None]
    goals = {key["goal"] for key in keys if key["first_illegal_step"] is None}
    yield from _even("e-strata", one, illegal, range(1, 1 + max(illegal, default=1)))
    wanted = {True} if one.world.family in WHOLE else {True, False}
    if goals != wanted:
        yield Why("e-strata", one.about.code, f"legal candidates have the goals {sorted(goals)}")


def _wordings(one: Case) -> Iterator[Why]:
    for condition in CONDITIONS:
        used = Counter(row.wording for row in one.of(condition))
        numbers = [used[wording] for wording in WORDINGS]
        most = 0 if condition in ARMS else 2 if condition == "P" else 1
        if set(used) - set(WORDINGS) or max(numbers) - min(numbers) > most:
            yield Why("wordings", one.about.code, f"{condition}: the wordings are used {dict(sorted(used.items()))}")


def _arms(one: Case) -> Iterator[Why]:
    numbers = [len(one.of(arm)) for arm in ARMS]
    if len(set(numbers)) > 1:
        yield Why("arms", one.about.code, f"{numbers[0]} items of F and {numbers[1]} of C")


def _key(row: EvaluatorRow) -> dict[str, Any]:
    return as_map(row.key, "/key")


def _even(code: str, one: Case, found: Iterable[Hashable], among: Iterable[Hashable]) -> Iterator[Why]:
    """A reason where the values do not come equally often, each at least once."""
    counted = Counter(found)
    numbers = {value: counted[value] for value in among}
    if not numbers or len(set(numbers.values())) > 1 or 0 in numbers.values() or set(counted) - set(numbers):
        said = ", ".join(f"{value} {number}" for value, number in {**numbers, **counted}.items())
        yield Why(code, one.about.code, f"not equally often: {said or 'nothing'}")
