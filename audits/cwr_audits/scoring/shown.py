"""The JSON of a score; see cwr_audits.scoring.numbers for what stands for numbers."""

from __future__ import annotations

from collections.abc import Sequence

from cwr_audits.scoring.analysis import Analysis, Interval
from cwr_audits.scoring.cells import Cell
from cwr_audits.scoring.judging import Judged
from cwr_audits.scoring.numbers import decimal, exact
from cwr_audits.scoring.plans import Fixed, write_plan
from cwr_audits.scoring.runs import Run, Table
from cwr_audits.scoring.scores import ASSUMPTIONS, PairsWon, Score
from cwr_audits.scoring.signflip import SignFlip
from cwr_solvers.jsontext import Json

SCHEMA = "cwr-score/1"


def score_json(found: Score, runs: Sequence[Run], table: Table, fixed: Fixed) -> dict[str, Json]:
    """The whole report; runs are named by their place from 1."""
    return {
        "schema": SCHEMA,
        "pack": table.digest,
        "plan": {**write_plan(fixed.plan), "preregistration": fixed.digest},
        "runs": [run.digest for run in runs],
        "rows": [{"run": run, **row_json(one)} for run, rows in enumerate(found.judged, 1) for one in rows],
        "missing": [{"run": run, "item": item} for run, items in enumerate(found.missing, 1) for item in items],
        "conditions": [{"world": cell.base, "condition": cell.arm, **_counts(cell)} for cell in found.conditions],
        "pairs": [_pairs_json(one) for one in found.pairs_won],
        "arms": [
            {"family": cell.family, "base": cell.base, "arm": cell.arm, "rate": exact(cell.rate), **_counts(cell)}
            for cell in found.arms
        ],
        "decision": found.main.decision,
        "analyses": {name: analysis_json(one) for name, one in found.analyses.items()},
        "without": {name: analysis_json(one) for name, one in found.without.items()},
        "bounds": {
            name: {"taken": dict(ASSUMPTIONS[name]), **analysis_json(one)} for name, one in found.bounds.items()
        },
        "notes": list(table.notes),
    }


def row_json(one: Judged) -> dict[str, Json]:
    """One row's outcome."""
    return {
        "item": one.item.item,
        "world": one.item.world,
        "base": one.item.base,
        "condition": one.item.condition,
        "outcome": one.outcome,
        "stage": one.stage,
        "codes": list(one.codes),
        "step": one.step,
    }


def _counts(cell: Cell) -> dict[str, Json]:
    return {
        "n": cell.n,
        "accepted": cell.accepted,
        "rejected": cell.rejected,
        "malformed": cell.malformed,
        "undecided": cell.undecided,
        "missing": cell.missing,
    }


def _pairs_json(one: PairsWon) -> dict[str, Json]:
    return {"world": one.world, "pairs": one.pairs, "won": one.won, "undecided": one.undecided}


def analysis_json(one: Analysis) -> dict[str, Json]:
    """One analysis."""
    return {
        "bases": [
            {"family": pair.family, "base": pair.base, "difference": exact(pair.difference)} for pair in one.pairs
        ],
        "dropped": [{"family": gone.family, "base": gone.base, "reason": gone.reason} for gone in one.dropped],
        "families": {family: exact(value) for family, value in one.means.items()},
        "macro": exact(one.macro),
        "interval": None if one.interval is None else _interval_json(one.interval),
        "no_interval": one.reason,
        "sign_flip": None if one.flips is None else _flips_json(one.flips),
        "decision": one.decision,
    }


def _interval_json(one: Interval) -> dict[str, Json]:
    return {
        "method": one.method,
        "low": decimal(one.low),
        "high": decimal(one.high),
        "se": decimal(one.se),
        "df": decimal(one.df),
        "p": decimal(one.p),
    }


def _flips_json(one: SignFlip) -> dict[str, Json]:
    return {
        "units": one.units,
        "p": exact(one.p),
        "smallest": exact(one.smallest),
        "smallest_given_sizes": exact(one.given),
    }
