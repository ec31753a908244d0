"""What an audit of a pack says, and the file that keeps it: audits/<audit>.json.

verdict   passed, failed or undecided (a limit came first); an audit that examined nothing has failed
reasons   why it did not pass: stable codes, each with a text; a passed audit has none
evidence  what was examined, in JSON that is the same in every run: it is compared byte for byte when a pack is verified
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from cwr_audits.packs.model import CANARY, DEPTH, FILE_BYTES, Pack
from cwr_solvers.jsontext import Json, canonical, parse
from cwr_solvers.reading import as_items, as_name, as_object, as_text

Verdict: TypeAlias = Literal["passed", "failed", "undecided"]

FOLDER = "audits"
VERDICTS: tuple[Verdict, ...] = ("passed", "failed", "undecided")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an audit did not pass."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit says of a pack."""

    audit: str
    verdict: Verdict
    reasons: tuple[Reason, ...]
    evidence: Json


Auditor: TypeAlias = Callable[[Pack], Audit]


def path_of(audit: str) -> str:
    """Where a pack keeps what an audit says."""
    return f"{FOLDER}/{audit}.json"


def audit_bytes(one: Audit) -> bytes:
    """The file of an audit."""
    reasons: list[Json] = [{"code": reason.code, "text": reason.text} for reason in one.reasons]
    said: dict[str, Json] = {"audit": one.audit, "canary": CANARY, "evidence": one.evidence}
    return canonical({**said, "reasons": reasons, "verdict": one.verdict}) + b"\n"


def read_audit(data: bytes) -> Audit:
    """What a file says that an audit said; raises MalformedInput."""
    fields = as_object(parse(data, FILE_BYTES, DEPTH), "", ("audit", "canary", "evidence", "reasons", "verdict"))
    verdict = cast(Verdict, as_name(fields["verdict"], "/verdict", VERDICTS, "verdict"))
    reasons = as_items(fields["reasons"], "/reasons", _reason)
    return Audit(as_text(fields["audit"], "/audit"), verdict, reasons, fields["evidence"])


def _reason(value: Json, at: str) -> Reason:
    fields = as_object(value, at, ("code", "text"))
    return Reason(as_text(fields["code"], f"{at}/code"), as_text(fields["text"], f"{at}/text"))
