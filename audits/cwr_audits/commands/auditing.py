"""Command audit pack: what the audits say of a built or frozen pack, without freezing anything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cwr_audits import allowed
from cwr_audits.late import TABLE, resolve
from cwr_audits.out import ACCEPTED, REJECTED, UNDECIDED, say, say_json, worst
from cwr_audits.packs.auditing import Start, by_workers
from cwr_audits.packs.freezing import audited
from cwr_audits.packs.model import read_pack
from cwr_audits.packs.verdicts import Audit
from cwr_audits.telling import telling
from cwr_solvers.jsontext import Json

CODES = {"passed": ACCEPTED, "failed": REJECTED, "undecided": UNDECIDED}


def audit_pack(folder: str, time_limit: float, json_out: bool) -> int:
    """Run all audits on the pack in a folder, each within so many seconds."""
    with by_workers() as start:
        return audit_by(start, folder, time_limit, json_out)


def audit_by(start: Start, folder: str, time_limit: float, json_out: bool) -> int:
    """As `audit_pack`, with the audits of the given table."""
    allowed.time_limit(time_limit)
    pack, found = read_pack(Path(folder)), list[Audit]()
    with telling() as tell:
        for name, wait in start(pack, time_limit).items():
            tell(f"audit {name}")
            found.append(audited(name, wait, time_limit))
    if json_out:
        for one in found:
            say_json(_json(one))
    else:
        _print(found)
    return worst(CODES[one.verdict] for one in found)


def _json(one: Audit) -> dict[str, Json]:
    reasons: list[Json] = [{"code": why.code, "text": why.text} for why in one.reasons]
    return {"audit": one.audit, "evidence": one.evidence, "reasons": reasons, "verdict": one.verdict}


def _print(found: list[Audit]) -> None:
    resolve(TABLE)(("audit", "verdict", "reasons"), [(one.audit, one.verdict, str(len(one.reasons))) for one in found])
    for one in found:
        for why in one.reasons:
            say(f"{one.audit} ({why.code}): {why.text}")
    for one in found:
        evidence: Any = one.evidence
        if one.audit == "policies" and isinstance(evidence, dict) and evidence.get("worlds"):
            say("what answers earn that know nothing of the item; edits: moves to change in a copied example")
            resolve(TABLE)(HEADS, [_row(code, scores) for code, scores in evidence["worlds"].items()])


HEADS = ("world", "P constant", "R constant", "E constant", "null, junk", "F copied", "F edits", "C copied", "C edits")


def _row(code: str, scores: dict[str, Any]) -> tuple[str, ...]:
    constants = [f"{scores[one]['best constant']}/{scores[one]['items']}" for one in ("P", "R", "E")]
    arms = [scores.get(arm) for arm in ("F", "C")]
    copied = [
        said
        for one in arms
        for said in (
            ("", "") if one is None else (f"{one['copy the example']}/{one['items']}", str(one["copy and edit, edits"]))
        )
    ]
    nothing = scores["null and junk"]
    return code, *constants, f"{nothing['accepted']}/{nothing['answers']}", *copied
