"""The certificate chain of an instance: instance, statement, document, claims, proofs, each with its digest.

The files are read once. What is shown is the checker's verdict on the very bytes that go into the site, worked out
anew. A certificate of another instance is no certificate of this one, and is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cwr_audits.checking import Late, alarm, fixtures, instance_digest
from cwr_audits.explorer.classes import Table
from cwr_audits.files import read_bytes
from cwr_audits.motifs import MOTIFS
from cwr_audits.readings.kept import kept_name, read_kept
from cwr_audits.subject import Subject
from cwr_certificates.check import MOST_BYTES, MOST_DEPTH, Report, beside, check
from cwr_certificates.desk import Finding, Outcome, digest
from cwr_certificates.seal import DOCUMENT
from cwr_solvers.errors import Disagreement, MalformedInput
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json, canonical, parse


@dataclass(frozen=True, slots=True)
class Link:
    """One claim: its kind, what it is about, how the check ended, and what shows it: a proof's file, or another way.

    `label` is that of a motif; "" for other kinds.
    """

    kind: str
    about: str
    outcome: str
    text: str
    rests_on: str
    proof: str | None
    shown_by: str
    label: str


@dataclass(frozen=True, slots=True)
class Chain:
    """A checked certificate: its files by name, the report on them, and its claims in their order.

    `document` is {} where the text was refused before its claims were read.
    """

    files: Mapping[str, bytes]
    outcome: Outcome
    said: str
    document: Mapping[str, Any]
    links: tuple[Link, ...]

    @property
    def digest(self) -> str:
        return digest(self.files[DOCUMENT])

    @property
    def labels(self) -> Mapping[str, Link]:
        """{motif: the claim on it}."""
        return {link.about: link for link in self.links if link.kind == "motif" and link.about}


def chain(about: Subject, folder: Path, seconds: float) -> Chain | None:
    """The chain of the certificate in a folder; None where there is none of this instance. Raises UsageError."""
    path = folder / DOCUMENT
    if not path.is_file():
        return None
    data = read_bytes(str(path), MOST_BYTES)
    reader, files = beside(path), {DOCUMENT: data}

    def proof(name: str) -> bytes:
        files[name] = reader(name)
        return files[name]

    try:
        with alarm(seconds):
            report = check(data, proof, fixtures())
    except Late:
        told = Finding("document", "undecided", f"not checked in {seconds:g} seconds")
        report = Report("undecided", told, [], None)
    if report.desk is not None and instance_digest(report) != about.digest:
        return None
    document: Any = parse(data, MOST_BYTES, MOST_DEPTH) if report.findings else {}
    return Chain(files, report.outcome, report.document.text, document, _links(about, report, document))


def _links(about: Subject, report: Report, document: Mapping[str, Any]) -> tuple[Link, ...]:
    pairs = zip(document.get("claims", ()), report.findings, strict=True)
    return tuple(_link(claim, end, about) for claim, end in pairs)


def _link(claim: Any, end: Finding, about: Subject) -> Link:
    """A claim that was not verified may be anything: of such a one nothing is repeated but which motif it is on."""
    fields = claim if end.outcome == "verified" else {}
    name = _motif(claim, about) if end.kind == "motif" else ""
    if "submission" in fields:
        name = _names(about).get(canonical(fields["submission"]), "a submission")
    proof = fields["refutation"]["proof"] if "refutation" in fields else None
    other = f"claim {fields['rests_on']}" if "rests_on" in fields else "replay"
    rests = "nothing" if end.shown is None else end.shown.rests_on
    return Link(end.kind, name, end.outcome, end.text, rests, proof, other, str(fields.get("label", "")))


def _motif(claim: Any, about: Subject) -> str:
    """The motif that a claim names, where the family has it."""
    named = claim.get("name") if isinstance(claim, dict) else None
    return next((motif for motif in MOTIFS[about.world.family] if motif == named), "")


def _names(about: Subject) -> dict[bytes, str]:
    """{submission: what the fixtures call it}."""
    probes: list[Any] = [probe for probe in about.probes if isinstance(probe, dict) and probe["kind"] == "sequence"]
    named = [(probe["submission"], str(probe["name"])) for probe in probes]
    named += [(other, f"alternate {number}") for number, other in enumerate(about.alternates, 1)]
    named += [] if about.witness is None else [(about.witness, "witness")]
    return {canonical(submission): name for submission, name in named}


def agree(about: Subject, found: Table, proved: Chain) -> bool | None:
    """Whether the table is what the certificate proved to be all; None where it has no verified claim on that.

    Raises Disagreement where the two differ.
    """
    pairs = zip(proved.document.get("claims", ()), proved.links, strict=True)
    claim = next((claim for claim, link in pairs if (link.kind, link.outcome) == ("complete", "verified")), None)
    if claim is None:
        return None
    proved_words = [[canonical(word) for word in one["members"]] for one in claim["classes"]]
    ours = [[word.word for word in row.words] for row in sorted(found.every, key=lambda row: row.number)]
    if ours != proved_words:
        sides = {"search": f"{len(ours)} classes", "certificate": f"{len(proved_words)} classes, or others"}
        raise Disagreement(f"the classes of {about.code}", sides)
    return True


def routes(folder: Path, about: Subject, proved: Chain) -> Mapping[str, Mapping[str, Json]]:
    """What each route said when the certificate was issued; nothing where no record of this certificate is kept."""
    path = folder / f"{about.code}.json"
    if not path.is_file():
        return {}
    try:
        told: Any = parse(read_bytes(str(path), INSTANCE_BYTES), INSTANCE_BYTES, INSTANCE_DEPTH)
        kept = told["certificate_sha256"] == proved.digest
        return {str(route): dict(said) for route, said in sorted(told["routes"].items())} if kept else {}
    except (MalformedInput, KeyError, TypeError, AttributeError, ValueError):
        return {}


def readings(folder: Path, about: Subject, proved: Chain) -> Mapping[str, Mapping[str, Any]]:
    """{motif: what the audit of motifs found}; nothing where no audit of this certificate is kept."""
    path = folder / kept_name(about.code)
    if not path.is_file():
        return {}
    labels = {motif: link.label for motif, link in proved.labels.items()}
    try:
        told = read_kept(read_bytes(str(path), INSTANCE_BYTES), about.digest, labels, proved.digest)
    except MalformedInput:
        return {}
    return {one["motif"]: one for one in told}
