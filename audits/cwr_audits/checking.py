"""Checking certificates that lie on disk, by the same checker as `python certificates`."""

from __future__ import annotations

from pathlib import Path

from cwr_audits.out import ACCEPTED, MALFORMED, REJECTED, UNDECIDED
from cwr_certificates.check import Report, beside, check
from cwr_certificates.desk import Outcome, digest
from cwr_certificates.seal import DOCUMENT
from cwr_solvers.catalogue import index_path
from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json, canonical, parse

EXITS: dict[Outcome, int] = {
    "rejected": REJECTED,
    "malformed": MALFORMED,
    "undecided": UNDECIDED,
    "verified": ACCEPTED,
}


def fixtures() -> Json:
    """The showcase index, with which the checker compares the instances of the codes that it knows."""
    return parse(index_path().read_bytes(), INSTANCE_BYTES, INSTANCE_DEPTH)


def check_file(name: str) -> Report:
    """The report on a certificate.json, or on the one in a folder; raises UsageError when it cannot be read."""
    path = Path(name)
    document = path / DOCUMENT if path.is_dir() else path
    try:
        data = document.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {document}: {error.strerror}") from None
    return check(data, beside(document), fixtures())


def instance_digest(report: Report) -> str | None:
    """The digest of the instance that a certificate is of; None when the document was refused before."""
    return None if report.desk is None else digest(canonical(report.desk.case.json))


def report_json(name: str, report: Report) -> dict[str, Json]:
    """The JSON of a report; `examined` is null when nothing was."""
    desk = report.desk
    examined = None if desk is None else {"models": desk.models, "refutations": desk.refutations, "steps": desk.steps}
    return {
        "certificate": name,
        "outcome": report.outcome,
        "document": report.document.text,
        "instance_sha256": instance_digest(report),
        "claims": [
            {
                "kind": one.kind,
                "verdict": one.outcome,
                "text": one.text,
                "rests_on": None if one.shown is None else one.shown.rests_on,
            }
            for one in report.findings
        ],
        "examined": dict(examined) if examined else None,
    }
