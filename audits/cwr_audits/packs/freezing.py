"""Freezing: a built pack is examined from its bytes, and either refused with every reason or given a manifest.

examined  the pack's files with what was found on them just now: certificates checked, audits run, waivers read
refusal   one reason why there is no frozen pack; `code` is the exit code that it stands for
waiver    an audit whose verdict is known not to be passed, and why the pack is frozen all the same

A frozen pack is a function of the built one and its waivers, so verifying one is to freeze it again in memory and to
compare. The manifest is an in-toto Statement, version 1: subjects are all other files with their SHA-256.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from cwr_audits.attempts import Failed, attempt
from cwr_audits.checking import EXITS, Late
from cwr_audits.out import DISAGREE, REJECTED, UNDECIDED
from cwr_audits.packs.auditing import Start
from cwr_audits.packs.certified import Certified, certify_again, wanted
from cwr_audits.packs.model import CANARY, CONDITIONS, FILE_BYTES, Pack, files, from_files
from cwr_audits.packs.verdicts import Audit, Reason, audit_bytes, path_of
from cwr_solvers.errors import Disagreement, Undecided
from cwr_solvers.jsontext import Json, canonical, parse
from cwr_solvers.reading import as_items, as_object, as_text, distinct, refuse

MANIFEST, WAIVERS = "manifest.json", "waivers.json"
STATEMENT = "https://in-toto.io/Statement/v1"
# a name that needs no owner: a random UUID, and what it stands for
PREDICATE = "urn:uuid:3f6b1c1e-8d0f-4a7e-9c52-7f0c2b8a6d41#cwr-frozen-pack-1"
WAIVER_DEPTH = 8

CRASHED = "crashed"
LATE = "time"
DISAGREED = "disagreement"
EMPTY = "nothing-examined"


@dataclass(frozen=True, slots=True)
class Examined:
    """A pack with what was found on it. `waivers` {audit: reason}."""

    pack: Pack
    certificates: tuple[Certified, ...]
    audits: tuple[Audit, ...]
    waivers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no frozen pack: what refuses, and the reason in a line."""

    what: str
    text: str
    code: int


# --- examining


def examine(
    built: Mapping[str, bytes],
    waivers: Mapping[str, str],
    start: Start,
    seconds: float,
    tell: Callable[[str], None],
) -> Examined:
    """Check and audit a built pack, each certificate and each audit within so many seconds.

    Raises MalformedInput and UsageError where the files are no built pack: also where they say the same as one in
    other bytes, or where there is a file more.
    """
    pack = from_files(built)
    written = files(pack)
    for name in sorted({*built, *written}):
        if built.get(name) != written.get(name):
            refuse("contradiction", "", "the files of a built pack as cwr writes them", f"another {name}")
    wanted(pack)  # what is not of one piece is not audited
    audits = start(pack, seconds)
    certificates = certify_again(pack, seconds, tell)
    found: list[Audit] = []
    for name, audit in audits.items():
        tell(f"audit {name}, {len(found) + 1} of {len(audits)}")
        found.append(audited(name, audit, seconds))
    return Examined(pack, certificates, tuple(found), dict(waivers))


def audited(name: str, audit: Callable[[], Audit], seconds: float) -> Audit:
    """What an audit says. One that raises has not passed; one that shows no evidence has examined nothing."""
    ended = attempt(audit)
    if isinstance(ended, Failed):
        return _unfinished(name, ended, seconds)
    said = ended.value
    if said.audit != name:
        return Audit(name, "failed", (Reason(EMPTY, f"what ran calls itself {said.audit}"),), said.evidence)
    if said.verdict == "passed" and not said.evidence:
        return replace(said, verdict="failed", reasons=(Reason(EMPTY, "it passed, and shows no evidence"),))
    if (said.verdict == "passed") != (not said.reasons):
        reason = Reason(EMPTY, "it passed in spite of reasons, or did not pass without any")
        return replace(said, verdict="failed", reasons=(*said.reasons, reason))
    return said


def _unfinished(name: str, ended: Failed, seconds: float) -> Audit:
    if isinstance(ended.error, Disagreement):
        return Audit(name, "failed", (Reason(DISAGREED, ended.text),), {})
    if isinstance(ended.error, Late):
        return Audit(name, "undecided", (Reason(LATE, f"not done in {seconds:g} seconds"),), {})
    code = ended.error.reason if isinstance(ended.error, Undecided) else CRASHED
    return Audit(name, "undecided", (Reason(code, ended.text),), {})


# --- refusing


def refusals(known: Examined) -> list[Refusal]:
    """Every reason why the pack may not be frozen; an empty list: it may."""
    return [*_certificates(known), *_audits(known), *_waivers(known)]


def _certificates(known: Examined) -> Iterator[Refusal]:
    for one in known.certificates:
        if one.outcome != "verified":
            code = EXITS[one.outcome]
            yield Refusal(f"certificate {one.folder}", "; ".join(one.faults) or one.outcome, code)


def _audits(known: Examined) -> Iterator[Refusal]:
    if not known.audits:
        yield Refusal("audits", "none was run, so nothing was examined", REJECTED)
    for one in known.audits:
        if one.verdict != "passed" and one.audit not in known.waivers:
            for reason in one.reasons:
                yield Refusal(f"audit {one.audit}", f"{one.verdict} ({reason.code}): {reason.text}", _exit(one, reason))


def _exit(one: Audit, reason: Reason) -> int:
    if one.verdict == "undecided":
        return UNDECIDED
    return DISAGREE if reason.code == DISAGREED else REJECTED


def _waivers(known: Examined) -> Iterator[Refusal]:
    """A waiver of what passed would hide a later failure; one of what there is not means something else."""
    verdicts = {one.audit: one.verdict for one in known.audits}
    for audit in known.waivers:
        if audit not in verdicts:
            yield Refusal(f"waiver {audit}", "there is no such audit", REJECTED)
        elif verdicts[audit] == "passed":
            yield Refusal(f"waiver {audit}", "the audit passed, so there is nothing to waive", REJECTED)


# --- waivers


def read_waivers(data: bytes) -> dict[str, str]:
    """The waivers {audit: reason} of a file {"waivers":[{"audit","reason"}]}; raises MalformedInput, also for a waiver
    without a reason. A frozen pack's file has the canary, too."""
    fields = as_object(parse(data, FILE_BYTES, WAIVER_DEPTH), "", ("waivers",), ("canary",))
    if fields.get("canary", CANARY) != CANARY:
        refuse("contradiction", "/canary", "the canary", "another text")
    rows = as_items(fields["waivers"], "/waivers", _waiver)
    distinct((audit for audit, _ in rows), "/waivers", "audit")
    if not rows:
        refuse("out-of-range", "/waivers", "at least one waiver, or no file", "none")
    return dict(sorted(rows))


def _waiver(value: Json, at: str) -> tuple[str, str]:
    fields = as_object(value, at, ("audit", "reason"))
    audit, reason = (as_text(fields[name], f"{at}/{name}") for name in ("audit", "reason"))
    if not reason.strip():
        refuse("out-of-range", f"{at}/reason", "a reason", "none")
    return audit, reason


def _waiver_bytes(waivers: Mapping[str, str]) -> bytes:
    rows: list[Json] = [{"audit": audit, "reason": reason} for audit, reason in sorted(waivers.items())]
    return canonical({"canary": CANARY, "waivers": rows}) + b"\n"


# --- the frozen pack


def frozen(known: Examined) -> dict[str, bytes]:
    """The files of the frozen pack, its manifest among them."""
    found = files(known.pack) | {path_of(one.audit): audit_bytes(one) for one in known.audits}
    if known.waivers:
        found[WAIVERS] = _waiver_bytes(known.waivers)
    return {**found, MANIFEST: canonical(_statement(found, known)) + b"\n"}


def digest_of(found: Mapping[str, bytes]) -> str:
    """The digest that names a frozen pack: of its manifest."""
    return sha256(found[MANIFEST]).hexdigest()


def _statement(found: Mapping[str, bytes], known: Examined) -> dict[str, Json]:
    return {
        "_type": STATEMENT,
        "predicate": _predicate(known),
        "predicateType": PREDICATE,
        "subject": subject(found),
    }


def subject(found: Mapping[str, bytes]) -> list[Json]:
    """The subjects of a manifest: these files, sorted by name."""
    return [{"digest": {"sha256": sha256(data).hexdigest()}, "name": name} for name, data in sorted(found.items())]


def _predicate(known: Examined) -> dict[str, Json]:
    counted = Counter((row.world, row.condition) for row in known.pack.evaluator)
    return {
        "audits": [_audit_json(one, known.waivers) for one in sorted(known.audits, key=lambda audit: audit.audit)],
        "canary": CANARY,
        "certificates": [
            {"claims": dict(Counter(one.claims)), "code": one.folder, "outcome": one.outcome, "sha256": one.digest}
            for one in known.certificates
        ],
        "items": {world: {one: counted[world, one] for one in CONDITIONS} for world in known.pack.worlds},
    }


def _audit_json(one: Audit, waivers: Mapping[str, str]) -> Json:
    reasons: list[Json] = [*dict.fromkeys(reason.code for reason in one.reasons)]
    return {"audit": one.audit, "reasons": reasons, "verdict": one.verdict, "waived": waivers.get(one.audit)}
