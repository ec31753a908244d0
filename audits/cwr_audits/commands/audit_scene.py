"""Command audit scene: every puzzle of a seed by every route, its picture, and whether the axes are even.

Exit codes: 0 nothing is wrong, 1 something is refused (or nothing was examined), 2 wrong usage, 3 undecided, 4 routes
disagree.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cwr_audits import allowed
from cwr_audits.files import blaming, checkout
from cwr_audits.judges import scene_digest, scene_name
from cwr_audits.late import SCENE_AUDITORS, TABLE, resolve
from cwr_audits.ledger import append
from cwr_audits.out import say, say_error, say_json
from cwr_audits.scenes.cyclic_order.auditing.asking import PICTURES, lanes
from cwr_audits.scenes.cyclic_order.auditing.audit import Plan, audit
from cwr_audits.scenes.cyclic_order.auditing.keeping import Keeping
from cwr_audits.scenes.cyclic_order.auditing.outcome import KEPT, Outcome
from cwr_audits.scenes.cyclic_order.auditing.wording import (
    BALANCE_COLUMNS,
    BASELINE_COLUMNS,
    COLUMNS,
    balance_row,
    baseline_row,
    meaning,
    rows,
)
from cwr_audits.telling import telling
from cwr_audits.workers import crew
from cwr_certificates.seal import write_file
from cwr_solvers.jsontext import canonical
from cwr_solvers.reading import as_name


def audit_scene(scene: str, asked: Mapping[str, Any], chunks: str | None, keep: bool, json_out: bool) -> int:
    """Audit a scene; `asked` are the fields of a plan, `chunks` is a folder for finished chunks."""
    with blaming("SCENE"):
        as_name(scene, "", SCENE_AUDITORS, "scene")
    folder = None if chunks is None else Path(chunks)
    return audit_scene_by(SCENE_AUDITORS[scene], scene, Plan(**asked), keep, json_out, folder)


def audit_scene_by(
    table: Mapping[str, str], scene: str, plan: Plan, keep: bool, json_out: bool, chunks: Path | None = None
) -> int:
    """As `audit_scene`, with the workers of the given table. With `keep` the outcome goes beside the audits."""
    allowed.time_limit(plan.seconds)
    allowed.seed_word("--seed", plan.seed)
    root = checkout() if keep else None
    digest = None if root is None else scene_digest(scene, root)
    routes = [name for name in table if name != PICTURES]
    engines = lanes(table, plan.lanes)
    with crew(engines) as workers, telling() as tell:
        keeping = None if chunks is None else Keeping(workers, engines, chunks)
        outcome = audit(keeping or workers, routes, plan, tell)
    if keeping is not None and keeping.there:
        say_error(f"{keeping.there} chunks were there already")
    if root is not None and digest is not None:
        _keep(root, scene, digest, outcome)
    if json_out:
        say_json(outcome.json())
    else:
        _print(outcome)
    for fault in outcome.faults[:KEPT]:
        say_error(f"{fault.word}: {fault}")
    if len(outcome.faults) > KEPT:
        say_error(f"{outcome.word}: {len(outcome.faults)} faults, of which {KEPT} are shown")
    return outcome.code


def _keep(root: Path, scene: str, digest: str, outcome: Outcome) -> None:
    """The outcome, with the digest of the code as it was when the audit began; disagreements go into the ledger."""
    entries = [fault.entry for fault in outcome.faults if fault.entry is not None]
    if entries:
        append(root / "audits" / "disagreements.jsonl", "disagreement", entries)
    path = root / "audits" / "issued" / scene_name(scene)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, canonical({"code_sha256": digest, **outcome.json()}) + b"\n")


def _print(outcome: Outcome) -> None:
    told: Any = outcome.json()
    table = resolve(TABLE)
    table(COLUMNS, rows(told))
    table(BALANCE_COLUMNS, [balance_row(one) for one in told["balance"]["tests"]])
    table(BASELINE_COLUMNS, [baseline_row(one) for one in told["baselines"]["guesses"]])
    for line in meaning(told):
        say(line)
