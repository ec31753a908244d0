"""The score of a run: outcomes counted, the analysis under the plan and under what it leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from cwr_audits.packs.model import ARMS, CONDITIONS, EvaluatorRow
from cwr_audits.scoring.analysis import KINDS, Analysis, Plan, analyse
from cwr_audits.scoring.cells import Cell, Counted, assumed, cells
from cwr_audits.scoring.judging import Judged
from cwr_solvers.jsontext import canonical

# what undecided rows (and missing ones, under the policy "bounds") are taken for, by arm
ASSUMPTIONS: Mapping[str, Mapping[str, bool]] = {
    "all rejected": {"F": False, "C": False},
    "all accepted": {"F": True, "C": True},
    "least": {"F": False, "C": True},
    "greatest": {"F": True, "C": False},
}


@dataclass(frozen=True, slots=True)
class PairsWon:
    """Pairs of P items of a world: one legal, one illegal, of one kind of step. Won: both are right."""

    world: str
    pairs: int
    won: int
    undecided: int


@dataclass(frozen=True, slots=True)
class Score:
    """All that is said of runs, which are trials: their rows of an item are counted in one cell.

    judged       the outcomes of each run, and `missing` the items that it has no row of
    conditions   cells by world and condition; `arms` by base and arm of F and C
    analyses     by what families are taken for; the plan's own is the one that counts
    without      the plan's analysis with a family left out, by that family
    bounds       the plan's analysis under each of ASSUMPTIONS
    """

    judged: tuple[tuple[Judged, ...], ...]
    missing: tuple[tuple[str, ...], ...]
    conditions: tuple[Cell, ...]
    pairs_won: tuple[PairsWon, ...]
    arms: tuple[Cell, ...]
    plan: Plan
    analyses: Mapping[str, Analysis]
    without: Mapping[str, Analysis]
    bounds: Mapping[str, Analysis]

    @property
    def main(self) -> Analysis:
        """The analysis of the plan."""
        return self.analyses[self.plan.families]


def score(runs: Sequence[Sequence[Judged]], items: Iterable[EvaluatorRow], plan: Plan) -> Score:
    """The score of the outcomes of at least one run over all items of the pack."""
    trials = [{one.item.item: one for one in judged} for judged in runs]
    every = sorted(items, key=lambda item: item.item)
    arms = cells(_counted(item, known, _base(item)) for known in trials for item in every if item.condition in ARMS)
    return Score(
        judged=tuple(tuple(sorted(judged, key=lambda one: one.item.item)) for judged in runs),
        missing=tuple(tuple(item.item for item in every if item.item not in known) for known in trials),
        conditions=cells(_counted(item, known, item.world) for known in trials for item in every),
        pairs_won=tuple(_pairs_won(every, trials)),
        arms=arms,
        plan=plan,
        analyses={kind: analyse(arms, replace(plan, families=kind)) for kind in KINDS},
        without={left: analyse([one for one in arms if one.family != left], plan) for left in _families(arms)},
        bounds={
            name: analyse(assumed(arms, taken, missing=plan.missing == "bounds"), plan)
            for name, taken in ASSUMPTIONS.items()
        },
    )


def _families(arms: Sequence[Cell]) -> list[str]:
    return sorted({cell.family for cell in arms})


def _base(item: EvaluatorRow) -> str:
    """A base is named with the world that it is the target of."""
    return f"{item.world} {item.base}"


def _counted(item: EvaluatorRow, known: Mapping[str, Judged], base: str) -> Counted:
    found = known.get(item.item)
    if found is None:
        return Counted(item.family, base, item.condition, None)
    return Counted(item.family, base, item.condition, found.outcome, found.stage == "malformed")


def _pairs_won(items: Sequence[EvaluatorRow], trials: Sequence[Mapping[str, Judged]]) -> Iterable[PairsWon]:
    worlds: dict[str, dict[tuple[int, bytes], list[str]]] = {}
    for trial, known in enumerate(trials):
        for item in items:
            if item.condition == CONDITIONS[0] and "pair" in item.made:
                outcome = known[item.item].outcome if item.item in known else "undecided"
                name = trial, canonical(item.made["pair"])
                worlds.setdefault(item.world, {}).setdefault(name, []).append(outcome)
    for world, pairs in sorted(worlds.items()):
        won = sum(1 for found in pairs.values() if set(found) == {"accepted"} and len(found) > 1)
        lost = sum(1 for found in pairs.values() if "rejected" in found)
        yield PairsWon(world, len(pairs), won, len(pairs) - won - lost)
