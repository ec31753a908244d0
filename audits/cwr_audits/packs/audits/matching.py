"""Audit matching: F and C are alike in everything that could help or hinder but the composition.

The figures are those of coverage.py. A whole number may differ by the tolerance stated for it in TOLERANCES, as a share
of the larger one; every other figure must be equal. What cannot be matched stands in UNMATCHABLE with the reason, and
is printed as unmatched.

no-sources   the world has no F and C sources
unmatched    a figure differs by more than its tolerance
"""

from __future__ import annotations

from collections.abc import Mapping

from cwr_audits.packs.audits.cases import Case, case
from cwr_audits.packs.audits.coverage import Figure, vector
from cwr_audits.packs.audits.record import Found, Why, concluded, per_world
from cwr_audits.packs.model import ARMS, Pack
from cwr_audits.packs.verdicts import Audit
from cwr_solvers.jsontext import Json

# percent of the larger figure; names of kinds are left out, so that `exposures` stands for every kind
TOLERANCES: Mapping[str, int] = {
    "exposures": 15,
    "instance bytes": 10,
    "output bytes": 10,
    "demonstration bytes": 15,
    "prompt characters": 5,
    "accepted raw": 20,
    "accepted words": 20,
    "states": 35,
    "clauses": 25,
    "proof lines": 50,
    "legal first connections": 10,
    "legal first placements": 20,
}

UNMATCHABLE: Mapping[tuple[str, str], str] = {
    ("BC-001", "accepted classes"): "parallel branches are one circuit in several orders; a chain has one order, so as "
    "many words of it are as many circuits",
    ("TP-001", "values supplied and taken"): "a join of what was not split apart needs a value from elsewhere, so it "
    "takes the one that both arms are supplied with",
    ("FT-001", "placements by shape"): "the last tile of a chain lies beyond the one in the middle, so its row is "
    "shorter; with colours, as many placements are legal",
    ("FT-001", "touching edges"): "tiles of a chain touch at fewer edges than tiles that all touch, here at one fewer, "
    "which is the least; as many are of a colour that is not the border's",
}


def matching(pack: Pack) -> Audit:
    """The audit of a pack."""
    return concluded("matching", pack, lambda _pack: per_world(pack, lambda code: _world(pack, case(pack, code))))


def _world(pack: Pack, one: Case) -> Found:
    code = one.about.code
    if not one.arms:
        return Found(0, (Why("no-sources", code, "there are no F and C sources to compare"),))
    first, control = (vector(pack, one, one.arms[arm]) for arm in ARMS)
    reasons, rows = list[Why](), list[Json]()
    for name in dict.fromkeys([*first, *control]):
        both, percent = (first.get(name), control.get(name)), tolerance(name)
        known = UNMATCHABLE.get((code, name))
        fits = near(*both, percent)
        if not fits and known is None:
            reasons.append(Why("unmatched", code, f"{name}: F {both[0]}, C {both[1]}, tolerance {percent} percent"))
        said = "" if known is None else f"unmatched: {known}"
        rows.append({"C": _json(both[1]), "F": _json(both[0]), "figure": name, "percent": percent, "said": said})
    return Found(len(rows), tuple(reasons), {"figures": rows})


def tolerance(name: str) -> int:
    """By how many percent a figure may differ."""
    return TOLERANCES.get(name.rpartition(": ")[2], 0)


def near(one: Figure, other: Figure, percent: int) -> bool:
    """Whether two figures are equal, or numbers within the tolerance. What was not measured is near nothing."""
    if one is None or other is None:
        return False
    if isinstance(one, int) and isinstance(other, int):
        return 100 * abs(one - other) <= percent * max(abs(one), abs(other))
    return one == other


def _json(figure: Figure) -> Json:
    return [*figure] if isinstance(figure, list) else figure
