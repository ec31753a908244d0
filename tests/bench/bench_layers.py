"""Counts by layers: finding, refuting and checking, against one listing of as many words as a list may have.

The peer is the same certificate way with the words listed: the largest idle workshop (2 recipes, every row of actions
accepted) that is still listed. Per word, layers must be at least FLOOR times quicker. And CaDiCaL in the order of rows
is held against its usual options, by conflicts, on permutations.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import pysolvers

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from unit.large_spaces import assembly, idle_workshop, workshop

from cwr_certificates import layers
from cwr_certificates.check import check
from cwr_certificates.formulas import base
from cwr_certificates.layering import found_layers
from cwr_certificates.lrat import IN_ORDER
from cwr_certificates.prover import issue
from cwr_certificates.replay import case
from cwr_certificates.seal import DOCUMENT
from cwr_solvers.answers import Limits

LIMITS = Limits(300.0, 100_000)
LISTED_ACTIONS = 9  # 1,023 words
FLOOR = 1_000
FEWER = 10  # conflicts


def timed(value: Any, *, listed: bool) -> tuple[int, float, float]:
    """Raw submissions, and processor seconds to issue (its own check included) and to check."""
    start = time.process_time()
    issued: Any = issue(value["family"], value["code"], value, None, [], [], LIMITS, listed=listed)
    made = time.process_time()
    report = check(issued.files[DOCUMENT], issued.files.__getitem__)
    if report.outcome != "verified" or issued.uncounted:
        raise SystemExit(f"{value['code']}: {report.outcome} {issued.uncounted}: nothing measured")
    raw = next(claim["value"] for claim in issued.document["claims"] if claim["kind"] == "raw_count")
    return int(raw), made - start, time.process_time() - made


def conflicts(value: Any, options: dict[str, int], most: int) -> int:
    """The conflicts that the refutation takes; `most` when it takes more."""
    found = case(value["family"], value)
    formula = base(found.family, found.instance)
    rows = layers.rows(found, formula)
    graph = layers.read(found_layers(found, formula, time.monotonic() + 300), found, rows)
    solver = pysolvers.cadical195_new()
    for option, setting in options.items():
        pysolvers.cadical195_set(solver, option, setting)
    for clause in layers.leaving(formula, rows, graph).clauses:
        pysolvers.cadical195_add_cl(solver, list(clause))
    pysolvers.cadical195_cbudget(solver, most)
    pysolvers.cadical195_solve_lim(solver, [], 0)
    counted = int(pysolvers.cadical195_acc_stats(solver)["conflicts"])
    pysolvers.cadical195_del(solver, None)
    return counted


def main() -> int:
    """Print the figures; 1 when a floor is missed."""
    words, *spent = timed(idle_workshop(LISTED_ACTIONS), listed=True)
    peer = words / sum(spent)
    print(f"listed: {words:,} raw submissions, issued in {spent[0]:.2f} s, checked in {spent[1]:.2f} s")
    worst = float("inf")
    for name, value in (
        ("TW, 24 actions", workshop(24)),
        ("PA, 12 components, 2 types of 6", assembly(2, 6)),
        ("PA, 12 components, 10 of one type", assembly(1, 10)),
    ):
        raw, made, checked = timed(value, listed=False)
        worst = min(worst, raw / (made + checked) / peer)
        print(f"layers: {name}: {raw:,} raw submissions, issued in {made:.2f} s, checked in {checked:.2f} s")
    print(f"layers: at least {worst:,.0f} times as many raw submissions a second as by listing (floor {FLOOR:,})")
    ordered, most = conflicts(assembly(1, 8), dict(IN_ORDER), 1_000_000), 1_000_000
    usual = conflicts(assembly(1, 8), {}, most)
    print(f"layers: permutations of 8: {ordered:,} conflicts in the order of rows, {usual:,} with the usual options")
    return 0 if worst >= FLOOR and ordered * FEWER <= usual else 1


if __name__ == "__main__":
    sys.exit(main())
