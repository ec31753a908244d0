"""VERIFICATION.md: what was verified, worked out from the fixtures, the certificates on disk and the audits' results.

The text depends on nothing else: no time, no host, no version. Each table says which digest its statements rest on;
what was not measured is printed as "not measured". What contradicts an expectation is a fault, and listed as one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from cwr_audits.checking import check_file
from cwr_audits.evidence import Evidence
from cwr_audits.files import read_bytes
from cwr_audits.judges import scene_digest, scene_name
from cwr_audits.late import SCENES
from cwr_audits.readiness import NOT_BUILT, items, ranked
from cwr_audits.readings.cells import COLUMNS, row, warnings
from cwr_audits.readings.kept import kept_name, read_kept, why_not
from cwr_audits.scenes.cyclic_order.auditing import wording
from cwr_audits.subject import Subject
from cwr_audits.trust import NOT_MEASURED, trusted
from cwr_certificates.check import MOST_BYTES, MOST_DEPTH
from cwr_certificates.seal import DOCUMENT
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import grade
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json, canonical, parse, pointer
from cwr_solvers.reading import as_items, as_map, as_text, refuse
from cwr_solvers.world import Broken

FIXTURES = "fixtures/showcase-index.json"
LEDGER = "audits/disagreements.jsonl"
CAUSES = "docs/disagreements.md"
SHORT = 12  # digits of a digest in tables; the whole digests are in the last section

HEAD = (
    "# Verification",
    "",
    "Made by `cwr report` from the artefacts listed at the end; `cwr report --check` tells whether it is current.",
    'A digest in a table names the artefact that the row rests on. "not measured" means what it says.',
    "",
    "## Faults",
    "",
)

LIMITS = (
    "Frontier model runs: 0. Nothing here says how any model or person fares.",
    "The showcases are public. Solving one shows no novelty once its text may have been seen.",
    "Passing all worlds shows no general creativity; it shows that these instances were solved under these rules.",
    "Private variants keep an exact text from being copied; they cannot prove that it was absent from pretraining.",
    "A certificate speaks of the formal rules. Whether these say what their authors meant is for people to judge.",
    "However often they are tried, these worlds are a few base instances and no large sample.",
)

UNMEASURED = (
    "a second, formally verified proof checker over the issued proofs",
    "private variants",
    "worlds of the catalogue that are not listed above",
)


@dataclass(frozen=True, slots=True)
class Verification:
    """The text, and the faults that it reports; with a fault the report is not fit to be issued."""

    text: str
    faults: tuple[str, ...]


@dataclass
class _Page:
    lines: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def section(self, title: str, *text: str) -> None:
        self.lines += ["", f"## {title}", "", *text]

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        body = [[_cell(item) for item in row] for row in (columns, ["---"] * len(columns), *rows)]
        self.lines += ["", *(f"| {' | '.join(row)} |" for row in body)]

    def fault(self, text: str) -> None:
        self.faults.append(text)


def verification(subjects: Sequence[Subject], root: Path) -> Verification:
    """The report on the showcases of a checkout. A broken certificate or audit is a fault that the report lists.

    Raises UsageError and OSError where an artefact cannot be read.
    """
    page = _Page()
    evidence = [_evidence(one, root, page) for one in subjects]
    _open(page, root)
    _readiness(page, evidence, root)
    _worlds(page, evidence)
    _routes(page, evidence)
    _claims(page, evidence)
    _motifs(page, evidence)
    _submissions(page, evidence, _digest((root / FIXTURES).read_bytes()))
    _moves(page, evidence, _digest((root / FIXTURES).read_bytes()))
    _scenes(page, root)
    _trust(page, root)
    _disagreements(page, root)
    page.section("Limits", *(f"- {limit}" for limit in LIMITS))
    page.section("Not measured", *(f"- {what}: {NOT_MEASURED}" for what in UNMEASURED))
    _artefacts(page, evidence, root)
    head = [*HEAD, *([f"- {fault}" for fault in page.faults] or ["None."])]
    return Verification("\n".join([*head, *page.lines]) + "\n", tuple(page.faults))


def _evidence(one: Subject, root: Path, page: _Page) -> Evidence:
    audit_path = root / "audits" / "issued" / f"{one.code}.json"
    certificate = root / "certificates" / "issued" / one.code / DOCUMENT
    audit, audit_digest, report, certificate_digest = None, NOT_MEASURED, None, NOT_MEASURED
    claimed: tuple[str, ...] = ()
    if certificate.is_file():
        certificate_digest = _digest(read_bytes(str(certificate), MOST_BYTES))
        report = check_file(str(certificate))
        claimed = _claimed(one, certificate) if report.findings else ()
        if report.outcome != "verified":
            page.fault(f"{one.code}: the certificate on disk is {report.outcome}: {report.document.text}")
    if audit_path.is_file():
        data = read_bytes(str(audit_path), INSTANCE_BYTES)
        told = _audit(one, data, page)
        if told is None:
            pass  # the fault is told
        elif told["instance_sha256"] != one.digest:
            page.fault(f"{one.code}: the audit on disk is of another instance")
        elif report is None:
            page.fault(f"{one.code}: there is an audit on disk and no certificate")
        elif told["certificate_sha256"] != certificate_digest:
            page.fault(f"{one.code}: the audit on disk is of another certificate than the one on disk")
        else:
            audit, audit_digest = told, _digest(data)
    motifs, motifs_digest = None, NOT_MEASURED
    if report is not None and report.outcome == "verified":
        motifs, motifs_digest = _readings(one, root, page, certificate, certificate_digest)
    return Evidence(one, audit, audit_digest, report, certificate_digest, claimed, motifs, motifs_digest)


def _readings(
    one: Subject, root: Path, page: _Page, certificate: Path, digest: str
) -> tuple[list[dict[str, Any]] | None, str]:
    """The readings of motifs on disk, with the digest of their file; where they are no evidence, why is a fault."""
    path = root / "audits" / "issued" / kept_name(one.code)
    if not path.is_file():
        return None, NOT_MEASURED
    data = read_bytes(str(path), INSTANCE_BYTES)
    try:
        return read_kept(data, one.digest, _labels(certificate), digest), _digest(data)
    except MalformedInput as error:
        page.fault(why_not(error, one.code))
        return None, NOT_MEASURED


def _labels(certificate: Path) -> dict[str, str]:
    """What a verified certificate claims of motifs."""
    document: Any = parse(read_bytes(str(certificate), MOST_BYTES), MOST_BYTES, MOST_DEPTH)
    return {claim["name"]: claim["label"] for claim in document["claims"] if claim["kind"] == "motif"}


# what the report reads in an audit
_TEXTS = ("instance_sha256", "certificate_sha256")
_COUNTS = ("optimum", "optimum_raw", "accepted_raw", "classes", "reachable_states")
_FOUR = ("raw_optimum", "raw_bound", "class_optimum", "class_bound")
_SAID = ("optimum", "accepted_raw", "classes")


def _audit(one: Subject, data: bytes, page: _Page) -> dict[str, Any] | None:
    """The audit of a world; None, and a fault that names the file, when it is not what `cwr certify` writes."""
    try:
        told = as_map(parse(data, INSTANCE_BYTES, INSTANCE_DEPTH), "")
        _demand(told, "", (*_TEXTS, *_COUNTS, "unique", "routes", "agreed", "absent_motifs", "undecided_motifs"))
        for name in _TEXTS:
            as_text(told[name], pointer("", name))
        as_items(told["absent_motifs"], "/absent_motifs", as_text)
        for motif, reason in as_map(told["undecided_motifs"], "/undecided_motifs").items():
            as_text(reason, pointer("/undecided_motifs", motif))
        _demand(as_map(told["unique"], "/unique"), "/unique", _FOUR)
        for route, said in as_map(told["routes"], "/routes").items():
            at = pointer("/routes", route)
            _demand(as_map(said, at), at, _SAID)
    except MalformedInput as error:
        page.fault(f"{one.code}: audits/issued/{one.code}.json is {error}")
        return None
    return told


def _demand(fields: Mapping[str, Json], at: str, names: Sequence[str]) -> None:
    for name in names:
        if name not in fields:
            refuse("missing-key", at, f"the key {name}", "nothing")


def _claimed(one: Subject, certificate: Path) -> tuple[str, ...]:
    """What each claim is about; called when the document was read without fault."""
    names = {canonical(submission): name for name, submission, _ in reversed(_expected(one))}
    document: Any = parse(read_bytes(str(certificate), MOST_BYTES), MOST_BYTES, MOST_DEPTH)
    return tuple(
        names.get(canonical(claim["submission"]), "another") if "submission" in claim else claim.get("name", "")
        for claim in document["claims"]
    )


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def _short(digest: str) -> str:
    return digest if digest == NOT_MEASURED else digest[:SHORT]


def _cell(item: object) -> str:
    if item is None:
        return NOT_MEASURED
    if isinstance(item, bool):
        return "yes" if item else "no"
    said = str(item).replace("|", "\\|").replace("\n", " ")
    # what is no code must not be read as emphasis: file names have underscores and stars
    return said if said.startswith("`") else said.replace("*", "\\*").replace("__", "\\_\\_")


def _open(page: _Page, root: Path) -> None:
    """Disagreements that docs/disagreements.md calls open, by their headings."""
    path = root / CAUSES
    if not path.is_file():
        page.section("Open disagreements", f"{CAUSES}: {NOT_MEASURED}")
        return
    told = [part.split("\n", 1) for part in path.read_text(encoding="utf-8").split("\n### ")[1:]]
    found = [f"- {title}" for title, *text in told if any("*State.* Open" in part for part in text)]
    page.section("Open disagreements", *(found or [f"None of the {len(told)} in {CAUSES} is open."]))


def _readiness(page: _Page, evidence: list[Evidence], root: Path) -> None:
    page.section(
        "Readiness",
        "What each world must have before private variants are made of its family. Ready: the evidence says yes; not",
        "ready: it says no; not measured: there is none, or it is of another instance, certificate or code.",
    )
    found = {one.about.code: items(one, root) for one in evidence}
    rows = [
        [code, item.demand, item.state, item.says, _short(item.rests_on), f"`{item.command}`"]
        for code, told in found.items()
        for item in told
    ]
    page.table(("code", "demand", "state", "says", "rests on", "made by"), rows)
    families = {one.about.code: one.about.world.family for one in evidence}
    most = max((len(told) for told in found.values()), default=0)
    order = dict(ranked(found, families))
    counted = ", ".join(f"{code} ({ready} of {most})" for code, ready in order.items())
    others = ", ".join(code for code in found if code not in order)
    page.lines += [
        "",
        "Families are selected by the number of demands that are ready, ties in the order in which the catalogue",
        f"proposes to implement them; no result of any model is looked at: {counted}.",
        *([f"Packs P, R, E, F, C are not made of {others}, so it is not ranked."] if others else []),
        "",
        "Named by the catalogue and not built:",
        "",
        *(f"- {what}" for what in NOT_BUILT),
    ]


def _worlds(page: _Page, evidence: list[Evidence]) -> None:
    page.section(
        "Worlds",
        "Optimum and counts are those on which all routes agree and which the certificate proves; reachable states are",
        "counted by the interpreter alone. Unique: one raw solution, one class; at the optimum, within the bound.",
    )
    rows = []
    for one in evidence:
        told = one.audit or {"unique": {}}
        unique = told["unique"]
        rows.append(
            [
                one.about.code,
                one.about.world.title,
                *(told.get(name) for name in _COUNTS),
                *(unique.get(name) for name in _FOUR),
                _short(one.audit_digest),
                _short(one.certificate_digest),
            ]
        )
    columns = ("code", "world", "optimum", "optimal raw", "accepted raw", "classes", "reachable states")
    unique_columns = ("one raw optimum", "one raw solution", "one optimal class", "one class")
    page.table((*columns, *unique_columns, "audit", "certificate"), rows)


def _routes(page: _Page, evidence: list[Evidence]) -> None:
    page.section(
        "Routes",
        "Four routes that share no rule code: the interpreter by exhaustive search, CP-SAT, Z3, and the certificate's",
        "clauses by a SAT solver. Raw counts: counted by the interpreter; by the statement's formula on the route cnf;",
        "the other two list words.",
    )
    rows = []
    for one in evidence:
        routes = {} if one.audit is None else one.audit["routes"]
        if one.audit is None:
            rows.append([one.about.code, *[NOT_MEASURED] * 6])
        for route in sorted(routes):
            said = routes[route]
            row = [said["optimum"], said["accepted_raw"], said["classes"], one.audit and one.audit["agreed"]]
            rows.append([one.about.code, route, *row, _short(one.audit_digest)])
    page.table(("code", "route", "optimum", "accepted raw", "classes", "all agree", "audit"), rows)


def _claims(page: _Page, evidence: list[Evidence]) -> None:
    page.section(
        "Claims", "Each was checked anew when this page was made, by the checker that `python certificates` runs."
    )
    rows: list[list[object]] = []
    for one in evidence:
        if one.report is None:
            rows.append([one.about.code, *[NOT_MEASURED] * 5, _short(one.certificate_digest)])
            continue
        for claim, about in zip(one.report.findings, one.claimed, strict=True):
            rests = "nothing" if claim.shown is None else claim.shown.rests_on
            row = [one.about.code, claim.kind, about, claim.outcome, claim.text, rests]
            rows.append([*row, _short(one.certificate_digest)])
        for motif, reason in _unclaimed(one):
            row = [one.about.code, "motif", motif, "no claim", reason, "the prover"]
            rows.append([*row, _short(one.audit_digest)])
    page.table(("code", "claim", "about", "outcome", "what holds", "rests on", "certificate"), rows)


def _unclaimed(one: Evidence) -> list[tuple[str, str]]:
    """The motifs on which the certificate makes no claim, with the reason."""
    if one.audit is None:
        return []
    lacking = [(motif, "the witness lacks it") for motif in one.audit["absent_motifs"]]
    return lacking + sorted(one.audit["undecided_motifs"].items())


def _motifs(page: _Page, evidence: list[Evidence]) -> None:
    page.section(
        "Motifs",
        "All readings of each world; docs/motifs.md tells what the words mean. A label speaks of every accepted",
        "submission within the bound and is a claim of the certificate. With: how many classes, and raw submissions,",
        "have the motif; optimal: of the classes of least cost. +1, +2: the label under a bound raised by one, by two.",
        "Base rate: of the classes of random instances of the family, those with the motif. Routes: who says of every",
        "word what the graph predicate says.",
    )
    rows: list[list[object]] = []
    drawn: set[int] = set()
    for one in evidence:
        if one.motifs is None:
            rows.append([one.about.code, *[NOT_MEASURED] * 9, _short(one.certificate_digest)])
        for told in one.motifs or []:
            drawn.add(told["base_rate"]["instances"])
            cells = row({**told, "code": one.about.code})
            rows.append([*cells, _short(one.motifs_digest)])
    page.table((*COLUMNS, "audit"), rows)
    warned = [
        f"- {note}"
        for one in evidence
        for told in one.motifs or []
        for note in warnings({**told, "code": one.about.code})
    ]
    page.lines += ["", f"Random instances of each family: {' or '.join(map(str, sorted(drawn))) or NOT_MEASURED}.", ""]
    page.lines += [*(warned or ["No base rate warns of a motif that certifies nothing."])]


def _submissions(page: _Page, evidence: list[Evidence], fixtures: str) -> None:
    page.section("Witnesses, alternates and probes", "Whole submissions of the fixtures, graded by the interpreter.")
    rows = []
    for one in evidence:
        for name, submission, wanted in _expected(one.about):
            verdict = grade(one.about.world, one.about.instance, canonical(submission))
            found = (verdict.status, verdict.step, list(verdict.codes))
            if found != wanted:
                page.fault(f"{one.about.code}: {name} is {_words(*found)}, expected was {_words(*wanted)}")
            rows.append([one.about.code, name, _words(*wanted), _words(*found), found == wanted, _short(fixtures)])
    page.table(("code", "submission", "expected", "graded", "as expected", "fixtures"), rows)


def _expected(one: Subject) -> list[tuple[str, Json, tuple[object, ...]]]:
    """Name, submission and expected (status, step, codes) of witness, alternates and probes."""
    good: tuple[object, ...] = ("accepted", None, [])
    alternates = [(f"alternate {number}", other, good) for number, other in enumerate(one.alternates, 1)]
    probes = [
        (probe["name"], probe["submission"], (probe["verdict"], probe["step"], probe["rules"]))
        for probe in _probes(one, "sequence")
    ]
    return [("witness", one.witness, good), *alternates, *probes]


def _moves(page: _Page, evidence: list[Evidence], fixtures: str) -> None:
    page.section("Single moves", "Moves of the fixtures in given states, judged by the interpreter.")
    rows = []
    for one in evidence:
        world, instance = one.about.world, one.about.instance
        for probe in _probes(one.about, "step"):
            state = world.read_state(instance, probe["state"])
            after = world.step(instance, state, world.read_move(instance, probe["move"]))
            broken = isinstance(after, Broken)
            found = (not broken, list(after.rules) if isinstance(after, Broken) else [])
            state_found = None if broken else world.write_state(instance, after)
            same = found == (probe["legal"], probe["rules"]) and state_found == probe["next_state"]
            if not same:
                page.fault(f"{one.about.code}: the move {probe['name']} is {_legal(*found)}")
            wanted = _legal(probe["legal"], probe["rules"])
            rows.append([one.about.code, probe["name"], wanted, _legal(*found), same, _short(fixtures)])
    page.table(("code", "move", "expected", "judged", "as expected", "fixtures"), rows)


def _probes(about: Subject, kind: str) -> list[dict[str, Any]]:
    return [probe for probe in about.probes if isinstance(probe, dict) and probe["kind"] == kind]


def _words(status: object, step: object, codes: object) -> str:
    where = "" if step is None else f" at step {step}"
    rules = f" ({', '.join(codes)})" if isinstance(codes, list) and codes else ""
    return f"{status}{where}{rules}"


def _legal(legal: bool, rules: list[str]) -> str:
    return "legal" if legal else f"illegal ({', '.join(rules)})"


def _scenes(page: _Page, root: Path) -> None:
    """The kept audits of scenes; one of other code is no evidence."""
    page.section("Scenes", "Items that are drawn, made from seeds; `cwr audit scene SCENE --keep` examines them.")
    for scene in SCENES:
        path = root / "audits" / "issued" / scene_name(scene)
        if not path.is_file():
            page.lines += ["", f"{scene}: {NOT_MEASURED}; there is no kept audit."]
            continue
        data = read_bytes(str(path), INSTANCE_BYTES)
        try:
            told: Any = as_map(parse(data, INSTANCE_BYTES, INSTANCE_DEPTH), "")
            if told["code_sha256"] != scene_digest(scene, root):
                page.lines += ["", f"{scene}: {NOT_MEASURED}; the kept audit is of other code."]
                continue
            _scene(page, scene, told, _digest(data))
        except (MalformedInput, KeyError, TypeError, AttributeError, ValueError):
            page.fault(f"{scene}: audits/issued/{scene_name(scene)} cannot be read")


def _scene(page: _Page, scene: str, told: Any, digest: str) -> None:
    rows = [(scene, *row, _short(digest)) for row in wording.rows(told)]
    balance = [(scene, *wording.balance_row(one), _short(digest)) for one in told["balance"]["tests"]]
    guesses = [(scene, *wording.baseline_row(one), _short(digest)) for one in told["baselines"]["guesses"]]
    if told["outcome"] != "passed":
        page.fault(f"{scene}: the kept audit says {told['outcome']}: {told['told'][0]['text']}")
    page.table(("scene", *wording.COLUMNS, "audit"), rows)
    page.table(("scene", *wording.BALANCE_COLUMNS, "audit"), balance)
    page.table(("scene", *wording.BASELINE_COLUMNS, "audit"), guesses)
    page.lines += ["", *wording.meaning(told)]


def _trust(page: _Page, root: Path) -> None:
    rows = trusted(root)
    total = sum(row.lines for row in rows)
    page.section(
        "What must be trusted",
        f"Who believes a certificate believes the {len(rows)} files that the checker loads, {total} lines in all, and",
        "Python's standard library. No solver is among them.",
    )
    page.table(
        ("file", "lines", "what it decides", "what checks it"),
        [[row.path, row.lines, row.decides, row.checked_by] for row in rows],
    )


def _disagreements(page: _Page, root: Path) -> None:
    ledger = root / LEDGER
    if ledger.is_file():
        data = ledger.read_bytes()
        count = f"{len(data.splitlines())} lines in {LEDGER} (sha256 {_digest(data)[:SHORT]})."
    else:
        count = f"{LEDGER} does not exist: no run of `cwr certify` has recorded one."
    page.section("Disagreements", count, "Causes are told in docs/disagreements.md.")


def _artefacts(page: _Page, evidence: list[Evidence], root: Path) -> None:
    page.section("Artefacts", "Whole digests, sha256. Proofs are named with their digests inside the certificates.")
    rows: list[list[object]] = [[FIXTURES, _digest((root / FIXTURES).read_bytes())]]
    for scene in SCENES:
        path = root / "audits" / "issued" / scene_name(scene)
        rows.append(
            [f"audits/issued/{scene_name(scene)}", _digest(path.read_bytes()) if path.is_file() else NOT_MEASURED]
        )
    for one in evidence:
        code = one.about.code
        rows.append([f"instance of {code}, canonical", one.about.digest])
        rows.append([f"audits/issued/{code}.json", one.audit_digest])
        rows.append([f"audits/issued/{kept_name(code)}", one.motifs_digest])
        rows.append([f"certificates/issued/{code}/{DOCUMENT}", one.certificate_digest])
    page.table(("artefact", "sha256"), rows)
