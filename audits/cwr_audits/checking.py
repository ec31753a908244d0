"""Checking certificates that lie on disk, by the same checker as `python certificates`; never without a time limit.

A document is read up to what the checker accepts and one byte more, so a device or a pipe without end is too large.
"""

from __future__ import annotations

import signal
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from cwr_audits.files import read_bytes
from cwr_audits.out import ACCEPTED, MALFORMED, REJECTED, UNDECIDED
from cwr_certificates.check import MOST_BYTES, Report, beside, check
from cwr_certificates.desk import Finding, Outcome, digest
from cwr_certificates.seal import DOCUMENT
from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json, canonical, parse
from cwr_solvers.showcases import index_path

SECONDS = 600.0
AGAIN = 0.01  # seconds after which an alarm rings again that came at a bad time

EXITS: dict[Outcome, int] = {
    "rejected": REJECTED,
    "malformed": MALFORMED,
    "undecided": UNDECIDED,
    "verified": ACCEPTED,
}


def fixtures() -> Json:
    """The showcase index, with which the checker compares the instances of the codes that it knows."""
    return parse(index_path().read_bytes(), INSTANCE_BYTES, INSTANCE_DEPTH)


class Late(Exception):
    """The time is over. No CwrError, so that the checker does not take it for the end of one claim."""


def check_within(document: Path, seconds: float) -> Report:
    """The report on a certificate.json; undecided when time runs out. Raises UsageError when it cannot be read."""
    try:
        with alarm(seconds):
            return check(read_bytes(str(document), MOST_BYTES), beside(document), fixtures())
    except Late:
        return Report("undecided", Finding("document", "undecided", f"not checked in {seconds:g} seconds"), [], None)


def check_file(name: str, seconds: float = SECONDS) -> Report:
    """The report on a certificate.json, or on the one in a folder; raises as `check_within`, and OSError."""
    path = Path(name)
    if path.is_dir() and not (path / DOCUMENT).exists():
        raise UsageError(f"{name}: a folder without {DOCUMENT}; of a folder of certificates name each (FOLDER/*)")
    return check_within(path / DOCUMENT if path.is_dir() else path, seconds)


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise Late when the block takes longer. For the main thread, which alone sees signals."""
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(_number: int, frame: FrameType | None) -> None:
    """Raise Late, and ring no more; but where Python would swallow it, wait for the next ring."""
    if not _swallows(frame):
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise Late


def _swallows(frame: FrameType | None) -> bool:
    """Whether the interrupted code is a finalizer or a callback of a weak reference: nobody sees what these raise."""
    while frame is not None:
        if frame.f_code.co_name == "__del__" or frame.f_code.co_filename == weakref.__file__:
            return True
        frame = frame.f_back
    return False


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
