"""Command score: judge the rows of a run, count them, and compare the arms F and C.

Exit codes: 0 scored, 2 wrong usage or a run or pack that is refused, 3 scored, but the plan's test is undecided
although the pack has F and C items.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from cwr_audits.late import TABLE, resolve
from cwr_audits.out import ACCEPTED, UNDECIDED, say, say_error, say_json
from cwr_audits.scoring.analysis import Analysis
from cwr_audits.scoring.cells import Cell
from cwr_audits.scoring.judging import judge
from cwr_audits.scoring.numbers import decimal_of
from cwr_audits.scoring.plans import Fixed, fixed_plan
from cwr_audits.scoring.runs import Table, read_runs, read_table
from cwr_audits.scoring.scores import Score
from cwr_audits.scoring.scores import score as scored
from cwr_audits.scoring.shown import score_json
from cwr_audits.staging import put_file
from cwr_audits.telling import telling
from cwr_solvers.jsontext import canonical

COUNTS = ("n", "accepted", "rejected", "malformed", "undecided", "missing")
POLICY = {
    "drop": "bases without a decided row in an arm drop from the pairs and are listed; bounds leave missing rows out",
    "bounds": "bases without a decided row in an arm drop from the pairs; bounds count missing rows as undecided",
}
SHORT = 12  # digits of a digest


def score(
    names: tuple[str, ...],
    pack: str,
    seal: tuple[str | None, str | None],
    unfrozen: bool,
    preregistration: str | None,
    asked: dict[str, str | None],
    out: str | None,
    json_out: bool,
) -> int:
    """Score runs of a pack; `seal` are the names of a seal and of openings, `asked` parts of the plan."""
    fixed = fixed_plan(preregistration, asked)
    table = read_table(Path(pack), *seal, unfrozen=unfrozen)
    runs = read_runs(names, table)
    with telling() as tell:
        found = scored([judge(run, table, tell) for run in runs], table.items.values(), fixed.plan)
    report = score_json(found, runs, table, fixed)
    if out is not None:
        put_file(out, lambda file: file.write_bytes(canonical(report) + b"\n"))
    if json_out:
        say_json(report)
    else:
        _print(found, table, fixed)
    return UNDECIDED if found.arms and found.main.decision == "undecided" else ACCEPTED


def _print(found: Score, table: Table, fixed: Fixed) -> None:
    draw: Callable[..., None] = resolve(TABLE)
    draw(("world", "condition", *COUNTS), [(cell.base, cell.arm, *_counts(cell)) for cell in found.conditions])
    for one in found.pairs_won:
        say(f"{one.world}: {one.won} of {one.pairs} pairs of P won, {one.undecided} undecided")
    if found.arms:
        draw(("base", "arm", *COUNTS), [(_short(cell.base), cell.arm, *_counts(cell)) for cell in found.arms])
        _print_analysis(found, draw)
    _print_plan(found, fixed)
    for note in table.notes:
        say_error(note)


def _counts(cell: Cell) -> tuple[str, ...]:
    return tuple(str(getattr(cell, name)) for name in COUNTS)


def _short(base: str) -> str:
    world, _, digest = base.rpartition(" ")
    return f"{world} {digest[:SHORT]}"


def _print_analysis(found: Score, draw: Callable[..., None]) -> None:
    main = found.main
    draw(
        ("family", "base", "difference"), [(one.family, _short(one.base), _both(one.difference)) for one in main.pairs]
    )
    for gone in main.dropped:
        say(f"dropped: {_short(gone.base)}: {gone.reason}")
    if len(main.pairs) > len(main.means):
        draw(("family", "mean difference"), [(family, _both(value)) for family, value in main.means.items()])
    named = [
        *((f"families {kind}", one) for kind, one in found.analyses.items()),
        *((f"without {left}", one) for left, one in found.without.items()),
        *((f"undecided: {taken}", one) for taken, one in found.bounds.items()),
    ]
    draw(("analysis", "macro F - C", "interval", "df", "method", "sign-flip p", "test"), [*map(_row, named)])
    if main.flips is not None:
        say(
            f"smallest p that {main.flips.units} units can attain: {main.flips.smallest}; "
            f"with the sizes seen: {main.flips.given}"
        )
        if found.plan.test == "sign-flip" and main.flips.smallest > found.plan.alpha:
            say(f"so many units cannot reject at {found.plan.alpha}, whatever is seen")


def _row(named: tuple[str, Analysis]) -> tuple[str, ...]:
    name, one = named
    between = ("none", "", one.reason or "")
    if one.interval is not None:
        between = (
            f"{decimal_of(one.interval.low, 3)} to {decimal_of(one.interval.high, 3)}",
            decimal_of(one.interval.df, 1),
            one.interval.method,
        )
    p = "not known" if one.flips is None or one.flips.p is None else _both(one.flips.p)
    return (name, "none" if one.macro is None else _both(one.macro), *between, p, one.decision)


def _both(value: Fraction) -> str:
    return f"{decimal_of(value, 4)} ({value})"


def _print_plan(found: Score, fixed: Fixed) -> None:
    plan = fixed.plan
    by = "not preregistered" if fixed.digest is None else f"preregistered in {fixed.digest}"
    say(f"plan ({by}): families {plan.families}, test {plan.test}, alpha {plan.alpha}, missing {plan.missing}")
    say(f"{sum(map(len, found.missing))} items have no row; policy {plan.missing}: {POLICY[plan.missing]}")
