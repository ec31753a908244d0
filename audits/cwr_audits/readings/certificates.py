"""Certificates of an audit: the issued one of a showcase, else one that the prover makes; checked here either way.

Nothing else makes a motif necessary. Only claims that the checker has verified are read; a certificate that it refuses
gives no labels at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from cwr_audits.certify import PROVING
from cwr_audits.checking import Late, alarm, fixtures, instance_digest
from cwr_audits.files import read_bytes
from cwr_audits.readings.listing import Listing, witness
from cwr_audits.routes import MEGABYTES
from cwr_audits.subject import Subject
from cwr_audits.wire import found, task
from cwr_audits.workers import Crew
from cwr_certificates.check import MOST_BYTES, MOST_DEPTH, Report, beside, check
from cwr_certificates.seal import DOCUMENT
from cwr_solvers.answers import Limits
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, parse

ISSUED, MADE = "issued", "made for this audit"
LEAST_SECONDS = 60.0  # for a check, which is much quicker than the search for what it checks


@dataclass(frozen=True, slots=True)
class Claimed:
    """A verified claim on a motif; the counterexample is that of a witness-only one."""

    label: str
    counterexample: Json


@dataclass(frozen=True, slots=True)
class Certified:
    """A certificate and what it claims of motifs.

    origin     ISSUED or MADE
    outcome    the checker's; of anything but "verified" `flaw` tells why
    undecided  {motif: reason} where the prover said so (a certificate on disk does not)
    """

    origin: str
    digest: str
    outcome: str
    flaw: str
    motifs: Mapping[str, Claimed]
    undecided: Mapping[str, str] = field(default_factory=dict)


def certificate(crew: Crew, one: Subject, listing: Listing | None, issued: Path, within: Limits) -> Certified:
    """The certificate of a world; `issued` is the folder of the issued ones.

    Raises Undecided where none is made in time, Disagreement where the prover contradicts itself or the listing.
    """
    path = issued / one.code / DOCUMENT
    seconds = max(within.seconds, LEAST_SECONDS)
    if one.witness is not None and path.is_file():
        return certified(ISSUED, one.digest, read_bytes(str(path), MOST_BYTES), beside(path), seconds)
    if listing is None:
        return Certified(MADE, "", "undecided", "its classes were not listed, so that the prover was not asked", {})
    reply = found(crew.ask(PROVING, _proving(one, listing, within)).result())
    files = {name: text.encode("utf-8") for name, text in reply["files"].items()}
    made = certified(MADE, one.digest, files[DOCUMENT], files.__getitem__, seconds)
    return replace(made, undecided=dict(reply["undecided"]))


def _proving(one: Subject, listing: Listing, within: Limits) -> dict[str, Any]:
    """The question to the prover: the words are those listed."""
    first = witness(one, listing)
    shown = None if first is None else parse(first.encode("utf-8"), SUBMISSION_BYTES, SUBMISSION_DEPTH)
    words: list[Json] = [[word, kind.cost] for kind in listing.kinds for word in kind.words]
    answer: Json = {"optimum": min((kind.cost for kind in listing.kinds), default=None), "words": words}
    empty: dict[str, Json] = {"alternates": [], "probes": []}
    more = {"code": one.code, "witness": shown, "answer": answer, **empty}
    return task(one.world.family, one.source, within, MEGABYTES, **more)


def certified(
    origin: str, instance_sha256: str, data: bytes, proofs: Callable[[str], bytes], seconds: float
) -> Certified:
    """Check a certificate of this instance, and read what it claims of motifs."""
    known = sha256(data).hexdigest()
    try:
        with alarm(seconds):
            report = check(data, proofs, fixtures())
    except Late:
        return Certified(origin, known, "undecided", f"not checked in {seconds:g} seconds", {})
    if report.outcome != "verified":
        flaws = [one for one in (report.document, *report.findings) if one.outcome != "verified"]
        return Certified(origin, known, report.outcome, f"{flaws[0].kind}: {flaws[0].text}", {})
    if instance_digest(report) != instance_sha256:
        return Certified(origin, known, "rejected", "it is of another instance", {})
    return Certified(origin, known, report.outcome, "", _claimed(data, report))


def _claimed(data: bytes, report: Report) -> dict[str, Claimed]:
    """The verified claims on motifs, by name."""
    document: Any = parse(data, MOST_BYTES, MOST_DEPTH)
    claims = zip(document["claims"], report.findings, strict=True)
    return {
        claim["name"]: Claimed(claim["label"], claim.get("counterexample"))
        for claim, finding in claims
        if finding.kind == "motif" and finding.outcome == "verified"
    }
