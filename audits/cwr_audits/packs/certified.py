"""The certificates of a pack, checked anew from its bytes; no verdict that is written anywhere is read.

There must be one certificate for each target and each source, of the very instance, and no other; every file beside a
certificate must be one that its check asked for, so that nothing is carried along unexamined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from cwr_audits.checking import Late, alarm, fixtures
from cwr_audits.packs.families import targets
from cwr_audits.packs.model import CANARY, SOURCES, Pack
from cwr_audits.packs.sources import SCHEMA, read_sources
from cwr_certificates.check import Report, check
from cwr_certificates.desk import Finding, Outcome, Rejected
from cwr_certificates.kernel import DEFAULT
from cwr_certificates.layers import MOST_BYTES
from cwr_certificates.seal import DOCUMENT
from cwr_solvers.errors import Undecided
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.reading import as_map, refuse


@dataclass(frozen=True, slots=True)
class Certified:
    """How the certificate in a folder ended; `claims` are the kinds of its verified claims, `faults` why it failed."""

    folder: str
    outcome: Outcome
    digest: str
    claims: tuple[str, ...]
    faults: tuple[str, ...]


def wanted(pack: Pack) -> dict[str, Json]:
    """The instances that certificates are needed for, by folder, in normal form.

    Raises UsageError for a world that there is not, MalformedInput for sources that are none of these worlds.
    """
    if not pack.worlds:
        refuse("contradiction", "/worlds", "at least one world", "none")
    found: dict[str, Json] = {one.code: one.source for one in targets(pack.worlds)}
    listed = read_sources({"schema": SCHEMA, "sources": [_source(pack, name) for name in sorted(pack.sources)]})
    names = {f"{one.code}.json" for one in listed}
    if names != set(pack.sources) or not {one.target for one in listed} <= set(pack.worlds):
        refuse("contradiction", "", "sources of the pack's worlds, each in the file of its code", str(sorted(names)))
    sourced = {one.target for one in listed}
    if tuple(code for code in pack.worlds if code not in sourced) != pack.unsourced:
        refuse("contradiction", "/unsourced", "the worlds without sources", str(list(pack.unsourced)))
    return found | {one.code: one.source for one in listed}


def _source(pack: Pack, name: str) -> Json:
    """A source as fixtures have it, without the canary that every file of a pack has."""
    fields = as_map(pack.sources[name], f"{SOURCES}/{name}#")
    if fields.get("canary") != CANARY:
        refuse("contradiction", f"{SOURCES}/{name}#/canary", "the canary", "another value or none")
    return {key: value for key, value in fields.items() if key != "canary"}


def certify_again(pack: Pack, seconds: float, tell: Callable[[str], None]) -> tuple[Certified, ...]:
    """Check the certificates of a pack, each within so many seconds. Raises as `wanted`, which come first."""
    instances = wanted(pack)
    folders: dict[str, dict[str, bytes]] = {code: {} for code in instances}
    for path, data in pack.certificates.items():
        folder, _, name = path.partition("/")
        folders.setdefault(folder, {})[name] = data
    found = []
    for folder, files in sorted(folders.items()):
        tell(f"{folder}: checking the certificate")
        found.append(_checked(folder, files, instances, seconds))
    return tuple(found)


def _checked(folder: str, files: Mapping[str, bytes], instances: Mapping[str, Json], seconds: float) -> Certified:
    if folder not in instances or DOCUMENT not in files:
        fault = f"there is no {DOCUMENT}" if folder in instances else "no target and no source has this code"
        return Certified(folder, "rejected", "", (), (fault,))
    used = {DOCUMENT}
    report = _report(files, used, seconds)
    faults = [f"{one.kind}: {one.text}" for one in (report.document, *report.findings) if one.outcome != "verified"]
    outcome = report.outcome
    if report.desk is not None and canonical(report.desk.case.json) != canonical(instances[folder]):
        outcome = "rejected"
        faults.append("it is of another instance than the pack's")
    if outcome == "verified" and used != set(files):
        outcome = "rejected"
        faults.append(f"no claim of it needs {', '.join(sorted(set(files) - used))}")
    claims = tuple(one.kind for one in report.findings if one.outcome == "verified")
    return Certified(folder, outcome, sha256(files[DOCUMENT]).hexdigest(), claims, tuple(faults))


def _report(files: Mapping[str, bytes], used: set[str], seconds: float) -> Report:
    """The checker's report; `used` takes the names of the files that it asked for."""

    def read(name: str) -> bytes:
        if name not in files:
            raise Rejected(f"the proof {name} is missing")
        used.add(name)
        most = MOST_BYTES if name.endswith(".layers") else DEFAULT.proof_bytes
        if len(files[name]) > most:
            raise Undecided("memory", f"the proof {name} has more than {most} bytes")
        return files[name]

    try:
        with alarm(seconds):
            return check(files[DOCUMENT], read, fixtures())
    except Late:
        return Report("undecided", Finding("document", "undecided", f"not checked in {seconds:g} seconds"), [], None)
