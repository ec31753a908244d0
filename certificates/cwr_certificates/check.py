"""Is this certificate true? Everything it says is worked out anew; docs/certificates.md has the format and the claims.

Every claim ends as exactly one of: verified; rejected (refuted or not shown); malformed; undecided (a limit came). So
does the document, as the worst of its claims in the order of WORST. One that claims nothing is rejected. Trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from cwr_certificates import layers
from cwr_certificates.claims import CLAIMS
from cwr_certificates.desk import Desk, Finding, Outcome, Rejected, demand, digest
from cwr_certificates.formulas import base, occurrences
from cwr_certificates.kernel import DEFAULT, Limits
from cwr_certificates.replay import case
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.jsontext import Json, canonical, parse
from cwr_solvers.reading import as_list, as_map, as_name, as_object, as_text, refuse

SCHEMA = "cwr-certificate/1"
FIELDS = ("schema", "family", "code", "instance", "instance_sha256", "statement", "claims", "seal")
MOST_BYTES, MOST_DEPTH = 64 * 2**20, 24
WORST: tuple[Outcome, ...] = ("rejected", "malformed", "undecided", "verified")
ENDS: tuple[tuple[type[Exception], Outcome], ...] = (
    (Rejected, "rejected"),
    (MalformedInput, "malformed"),
    (Undecided, "undecided"),
    (MemoryError, "undecided"),
    (RecursionError, "undecided"),
)
FAILURES = tuple(kind for kind, _ in ENDS)


class Report(NamedTuple):
    """The outcome on a document; `findings` follow its claims, and `desk` is None when it did not come to these."""

    outcome: Outcome
    document: Finding
    findings: list[Finding]
    desk: Desk | None


def check(data: bytes, proofs: Callable[[str], bytes], fixtures: Json = None, limits: Limits = DEFAULT) -> Report:
    """Check the bytes of a certificate. `proofs` gives a proof by its file name, or raises Rejected or Undecided.

    `fixtures` is the showcase index; the instance of a code that it knows must be the one that it has.
    """
    try:
        desk, claims, text = _open(data, proofs, fixtures, limits)
    except FAILURES as error:
        document = _ended("document", error)
        return Report(document.outcome, document, [], None)
    for index, claim in enumerate(claims):
        desk.findings.append(_judge(desk, claim, f"/claims/{index}"))
    outcomes = {finding.outcome for finding in desk.findings}
    worst = next(outcome for outcome in WORST if outcome in outcomes)
    return Report(worst, Finding("document", "verified", text), desk.findings, desk)


def beside(certificate: Path, limits: Limits = DEFAULT) -> Callable[[str], bytes]:
    """The reader of the proofs and layers in the folder of a certificate."""

    def read(name: str) -> bytes:
        path, most = certificate.parent / name, layers.MOST_BYTES if name.endswith(".layers") else limits.proof_bytes
        if path.is_symlink() or not path.is_file():
            raise Rejected(f"the proof {name} is missing, or is no plain file")
        data = read_bounded(path, most)
        if len(data) > most:
            raise Undecided("memory", f"the proof {name} has more than {most} bytes")
        return data

    return read


def read_bounded(path: Path, most: int) -> bytes:
    """The bytes of a file; of one that has more than `most`, the first `most` + 1, so that none takes all memory."""
    with path.open("rb") as file:
        return file.read(most + 1)


def seal(document: Mapping[str, Json]) -> str:
    """The digest of a document without its seal."""
    return digest(canonical({key: value for key, value in document.items() if key != "seal"}))


def _ended(kind: str, error: Exception) -> Finding:
    outcome = next(outcome for failure, outcome in ENDS if isinstance(error, failure))
    return Finding(kind, outcome, str(error) or type(error).__name__)


def _open(data: bytes, proofs: Callable[[str], bytes], fixtures: Json, limits: Limits) -> tuple[Desk, list[Json], str]:
    document = as_object(parse(data, MOST_BYTES, MOST_DEPTH), "", FIELDS)
    as_name(document["schema"], "/schema", (SCHEMA,), "schema")
    if canonical(document) != data:
        refuse("syntax", "", "canonical JSON (RFC 8785)", "another spelling")
    demand(document["seal"], seal(document), "the seal")
    found = case(document["family"], document["instance"])
    demand(document["instance"], found.json, "the normal form of the instance")
    demand(document["code"], as_map(found.json, "/instance")["code"], "the code of the instance")
    demand(document["instance_sha256"], digest(canonical(found.json)), "the digest of the instance")
    formula = base(found.family, found.instance)
    demand(document["statement"], formula.statement.NAME, "the statement")
    claims = as_list(document["claims"], "/claims")
    if not claims:
        raise Rejected("it claims nothing, so nothing was examined")
    text = _fixture(fixtures, as_text(document["code"], "/code"), found.json)
    return Desk(found, formula, occurrences(formula.cnf), proofs, limits), claims, text


def _fixture(fixtures: Json, code: str, instance: Json) -> str:
    """Whether the instance is that of the showcase of its code; Rejected where there is one and it differs."""
    for world in [] if fixtures is None else as_list(as_map(fixtures, "")["worlds"], "/worlds"):
        showcase = as_map(world, "/worlds")
        if showcase["code"] == code:
            demand(instance, case(showcase["family"], showcase["instance"]).json, f"the instance of showcase {code}")
            return f"the instance is that of showcase {code}"
    return f"no showcase here has the code {code}: compare the digest of the instance yourself"


def _judge(desk: Desk, claim: Json, at: str) -> Finding:
    kind = "claim"
    try:
        kind = as_name(as_map(claim, at).get("kind"), f"{at}/kind", CLAIMS, "kind of claim")
        shown = CLAIMS[kind](desk, claim, at)
    except FAILURES as error:
        return _ended(kind, error)
    return Finding(kind, "verified", shown.text, shown)
