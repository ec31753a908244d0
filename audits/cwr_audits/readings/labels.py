"""Labels: taken from the checked certificate, and held against what the graph predicates say of every listed word."""

from __future__ import annotations

from dataclasses import dataclass

from cwr_audits.agreement import Difference
from cwr_audits.readings.certificates import Certified
from cwr_audits.readings.listing import Listing, witness
from cwr_audits.subject import Subject
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, canonical, parse

NECESSARY, WITNESS_ONLY, ABSENT = "necessary", "witness-only", "absent"
NO_SOLUTION, UNDECIDED_LABEL = "no solution", "undecided"
DECIDED = (NECESSARY, WITNESS_ONLY, ABSENT)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A label, the reason of an undecided one, an accepted submission that lacks the motif, and what contradicts it."""

    label: str
    reason: str = ""
    counterexample: Json = None
    differences: tuple[Difference, ...] = ()


def labelled(one: Subject, motif: str, listing: Listing | None, certificate: Certified) -> Labelled:
    """The label of a motif of a world."""
    if certificate.outcome != "verified":
        return Labelled(UNDECIDED_LABEL, f"the certificate is {certificate.outcome}: {certificate.flaw}")
    claim = certificate.motifs.get(motif)
    if claim is not None:
        return Labelled(claim.label, "", claim.counterexample, _against(one, motif, listing, certificate))
    if listing is not None and not listing.kinds:
        return Labelled(NO_SOLUTION)
    if motif in certificate.undecided:
        return Labelled(UNDECIDED_LABEL, certificate.undecided[motif])
    shown = None if listing is None else witness(one, listing)
    if listing is None or shown is None or shown in listing.having[motif]:
        return Labelled(UNDECIDED_LABEL, "the certificate makes no claim on it")
    return Labelled(ABSENT, "", parse(shown.encode("utf-8"), SUBMISSION_BYTES, SUBMISSION_DEPTH))


def _against(one: Subject, motif: str, listing: Listing | None, certificate: Certified) -> tuple[Difference, ...]:
    """Where the claim of a certificate is not what the graph predicate says of the words."""
    claim = certificate.motifs[motif]
    if listing is None:
        return ()
    lacking, shown = listing.lacking(motif), witness(one, listing)
    said = f"{len(lacking)} of {len(listing.words)} words lack it"
    if claim.label == NECESSARY:
        wrong = f"{said}, for example {min(lacking)}" if lacking else ""
    elif canonical(claim.counterexample).decode("utf-8") not in lacking:
        wrong = f"{said}, and the counterexample is not among them"
    else:
        wrong = f"the witness lacks it: {shown}" if shown in lacking else ""
    sides = {"certificate": claim.label, "graph": wrong}
    return (Difference(f"the label of motif {motif}", ("certificate",), sides),) if wrong else ()
