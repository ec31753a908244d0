"""Command audit scene: every puzzle of a seed by every route, its picture, and whether the axes are even.

Exit codes: 0 nothing is wrong, 1 something is refused (or nothing was examined), 2 wrong usage, 3 undecided, 4 routes
disagree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cwr_audits.files import blaming, checkout
from cwr_audits.judges import scene_digest, scene_name
from cwr_audits.late import SCENE_AUDITORS, TABLE, resolve
from cwr_audits.out import counted, say, say_error, say_json
from cwr_audits.scenes.cyclic_order.auditing.asking import PICTURES, lanes
from cwr_audits.scenes.cyclic_order.auditing.audit import Plan, audit
from cwr_audits.scenes.cyclic_order.auditing.balance import LEVEL
from cwr_audits.scenes.cyclic_order.auditing.outcome import KEPT, Outcome
from cwr_audits.telling import telling
from cwr_audits.workers import crew
from cwr_certificates.seal import write_file
from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import canonical
from cwr_solvers.reading import as_name

LONGEST = 86_400.0  # seconds
COLUMNS = ("axis", "within", "counts", "chi-squared", "degrees of freedom", "p", "says")


def audit_scene(scene: str, asked: Mapping[str, Any], keep: bool, json_out: bool) -> int:
    """Audit a scene; `asked` are the fields of a plan."""
    with blaming("SCENE"):
        as_name(scene, "", SCENE_AUDITORS, "scene")
    return audit_scene_by(SCENE_AUDITORS[scene], scene, Plan(**asked), keep, json_out)


def audit_scene_by(table: Mapping[str, str], scene: str, plan: Plan, keep: bool, json_out: bool) -> int:
    """As `audit_scene`, with the workers of the given table. With `keep` the outcome goes beside the audits."""
    if not 0 < plan.seconds <= LONGEST:
        raise UsageError(f"the time limit is more than 0 and at most {LONGEST} seconds, not {plan.seconds}")
    root = checkout() if keep else None
    digest = None if root is None else scene_digest(scene, root)
    routes = [name for name in table if name != PICTURES]
    with crew(lanes(table, plan.lanes)) as workers, telling() as tell:
        outcome = audit(workers, routes, plan, tell)
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
    """The outcome, with the digest of the code as it was when the audit began."""
    path = root / "audits" / "issued" / scene_name(scene)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, canonical({"code_sha256": digest, **outcome.json()}) + b"\n")


def _print(outcome: Outcome) -> None:
    told: Any = outcome.json()
    for line in lines(told):
        say(line)
    resolve(TABLE)(COLUMNS, [balance_row(one) for one in told["balance"]["tests"]])
    for line in meaning(told):
        say(line)
    say(f"outcome: {told['outcome']}")


def lines(told: Mapping[str, Any]) -> list[str]:
    """What was examined, in words."""
    number, pictures, again = told["number"], told["pictures"], told["again"]
    sole = ", ".join(f"{route} {count}" for route, count in told["routes"].items()) or "no route"
    repairs = "; ".join(
        f"of {tokens} tokens: {', '.join(f'{swaps} in {puzzles}' for swaps, puzzles in counts.items())}"
        for tokens, counts in told["repairs"].items()
    )
    return [
        f"{counted(number, 'puzzle', 'puzzles')} of the seed {told['seed']}",
        f"just the planted option repairs, of {number}: {sole}",
        f"all routes agree on the puzzle and its open sibling: {told['agreed']} of {number}",
        f"repairing swaps of all pairs: {repairs}",
        f"pictures: {pictures['drawn']} drawn, with {pictures['boxes']} boxes; "
        f"{pictures['with_a_box_outside']} have one outside the canvas, {pictures['with_overlaps']} have overlaps",
        f"seen: {pictures['seen']} pictures read from pixels, with {pictures['combinations']} combinations of "
        f"token count, style, path and variant; {pictures['seen_otherwise']} otherwise than meant",
        f"made again: {again['items']} items by {again['processes']} processes under different hash seeds: "
        f"{'the same bytes' if again['same'] else 'not shown to be the same'}",
    ]


def balance_row(one: Mapping[str, Any]) -> Sequence[str]:
    """An axis, in cells."""
    counts = " ".join(map(str, one["counts"]))
    figures = (one["statistic"] or "", str(one["degrees_of_freedom"]), one["p"] or "")
    return (one["axis"], one["within"], counts, *figures, one["says"])


def meaning(told: Mapping[str, Any]) -> list[str]:
    """What the tests mean."""
    tests, level = len(told["balance"]["tests"]), told["balance"]["level"]
    return [
        f"Balanced within sampling error: p is at least {level} / {tests} (Bonferroni). Were all values equally",
        f"likely, about one seed in {1 / LEVEL} at most would have an axis that is called unbalanced. That no",
        "unevenness shows does not prove that there is none.",
    ]
