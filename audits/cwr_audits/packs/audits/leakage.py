"""Audit leakage: neither what F nor what C shows is the target's solution in other words, and no byte tells a key.

Whole programs are compared under typed maps (see likeness.py): the shown solution of each source, and every other
accepted one, with every accepted submission of the target. The distance of what is shown from the nearest solution of
the target is the number of edits that a copier needs who knows the best map; it is printed for F and C alike, and so is
whether the copier has but to leave moves out (contained).

no-sources         the world has no F and C sources
leak               the shown solution becomes one of the target's
leak-unshown       another accepted submission of the source does
unchanged          an accepted submission of the target solves the source as it stands
search-cut         (undecided) there were too many maps
and those of exposure.py for bytes, ids, sessions, order and file names
"""

from __future__ import annotations

from collections.abc import Iterator

from cwr_audits.packs.audits.cases import Case, case, solutions, status
from cwr_audits.packs.audits.exposure import exposed
from cwr_audits.packs.audits.likeness import Likeness, Program, Side, program
from cwr_audits.packs.audits.record import Found, Why, concluded, per_world
from cwr_audits.packs.model import Pack
from cwr_audits.packs.sources import Source
from cwr_audits.packs.verdicts import Audit
from cwr_solvers.errors import Undecided
from cwr_solvers.jsontext import Json


def leakage(pack: Pack) -> Audit:
    """The audit of a pack."""
    return concluded("leakage", pack, _pack)


def _pack(pack: Pack) -> Found:
    found = per_world(pack, lambda code: _world(case(pack, code)))
    count, reasons = exposed(pack)
    evidence = {**found.evidence, "rows": count}
    return Found(found.examined, (*found.reasons, *reasons), evidence)


def _world(one: Case) -> Found:
    if not one.arms:
        return Found(0, (Why("no-sources", one.about.code, "there are no F and C sources to compare"),))
    reasons, evidence = list[Why](), dict[str, Json]()
    for arm, source in one.arms.items():
        try:
            whys, evidence[arm] = _source(one, source)
            reasons += whys
        except Undecided as error:
            reasons.append(Why("search-cut", source.code, str(error), "undecided"))
    return Found(len(one.arms), tuple(reasons), evidence)


def _source(one: Case, source: Source) -> tuple[list[Why], Json]:
    here, there = Side(source.world, source.source, source.instance), target(one)
    wanted = [program(there, word) for word in solutions(one.world, one.about.source)]
    shown = program(here, source.world.normal(source.instance, source.submission))
    others = [program(here, word) for word in solutions(source.world, source.source)]
    search = Likeness(here, there)
    reasons = list(_unchanged(one, source))
    if any(search.distance(shown, word, 0) == 0 for word in wanted):
        reasons.append(Why("leak", source.code, "what is shown is a solution of the target in other names"))
    leaking = sum(_leaks(search, other, wanted) for other in others if other != shown)
    if leaking:
        reasons.append(Why("leak-unshown", source.code, f"{leaking} other accepted submissions are, in other names"))
    edits, least = nearest(search, shown, wanted), min((len(word.moves) for word in wanted), default=0)
    evidence: dict[str, Json] = {"edits": edits, "maps": search.nodes, "moves": len(shown.moves)}
    evidence |= {"contained": edits == len(shown.moves) - least, "programs": len(others), "target moves": least}
    return reasons, evidence


def target(one: Case) -> Side:
    """The target as a side of comparisons."""
    return Side(one.world, one.about.source, one.about.instance)


def nearest(search: Likeness, shown: Program, wanted: list[Program]) -> int | None:
    """The least distance of a program from some others. Raises Undecided."""
    best: int | None = None
    for word in wanted:
        most = max(len(shown.moves), len(word.moves)) + 1 if best is None else best - 1
        found = search.distance(shown, word, most)
        best = best if found is None else found
    return best


def _leaks(search: Likeness, other: Program, wanted: list[Program]) -> bool:
    return any(search.distance(other, word, 0) == 0 for word in wanted)


def _unchanged(one: Case, source: Source) -> Iterator[Why]:
    """Solutions of the target, names and all, that solve the source."""
    for word in solutions(one.world, one.about.source):
        written = one.world.write_submission(one.about.instance, word)
        if status(source.world, source.source, written) == "accepted":
            yield Why("unchanged", source.code, "a solution of the target solves it as it stands")
            return
