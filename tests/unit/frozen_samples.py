"""A built pack of one world with certificates of target and sources, and audits that stand in for the real ones."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from unit.certificate_samples import LIMITS, of_showcase

from cwr_audits.packs.auditing import in_process
from cwr_audits.packs.build import build
from cwr_audits.packs.freezing import Examined, examine, frozen
from cwr_audits.packs.model import Pack, files
from cwr_audits.packs.sources import Source, sources
from cwr_audits.packs.verdicts import Audit, Auditor, Reason, Verdict
from cwr_audits.subject import subjects
from cwr_certificates.prover import issue

CODE = "TW-001"
SECONDS = 600.0


def quiet(_text: str) -> None:
    """Progress that nobody sees."""


def passing(name: str) -> Auditor:
    return lambda pack: Audit(name, "passed", (), {"items": len(pack.model)})


def failing(name: str, verdict: Verdict = "failed") -> Auditor:
    return lambda pack: Audit(name, verdict, (Reason("planted", "by a test"),), {"items": len(pack.model)})


AUDITS: Mapping[str, Auditor] = {"first": passing("first"), "second": passing("second")}


@cache
def built(seed: str = "tests") -> Pack:
    known = [one for one in sources() if one.target == CODE]
    certificates = {f"{CODE}/{name}": data for name, data in of_showcase(CODE).files.items()}
    for one in known:
        certificates |= {f"{one.code}/{name}": data for name, data in _issued(one).items()}
    return build(subjects((CODE,)), known, certificates, seed, quiet)


def _issued(one: Source) -> Mapping[str, bytes]:
    return issue(one.world.family, one.code, one.source, one.shown, [], [], LIMITS).files


def examined(found: Mapping[str, bytes], audits: Mapping[str, Auditor] = AUDITS, **waivers: str) -> Examined:
    return examine(found, waivers, in_process(audits), SECONDS, quiet)


@cache
def frozen_files(seed: str = "tests") -> Mapping[str, bytes]:
    return frozen(examined(files(built(seed))))


def write(folder: Path, found: Mapping[str, bytes]) -> Path:
    for name, data in found.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def bytes_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
