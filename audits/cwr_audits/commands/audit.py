"""Command audit: what the solutions of worlds have in common. So far: motifs.

Exit codes: 0 every label is decided and all routes that were asked agree, 1 a certificate is refused, 2 wrong usage or
malformed input, 3 a label, a listing or a route is undecided, 4 routes disagree. Undecided survival is a value.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cwr_audits import allowed
from cwr_audits.agreement import as_error
from cwr_audits.certify import Failure
from cwr_audits.commands.certify import named
from cwr_audits.files import checkout
from cwr_audits.late import READERS, TABLE, resolve
from cwr_audits.ledger import append, record
from cwr_audits.out import ACCEPTED, say, say_error, say_json, worst
from cwr_audits.readings.audit import Reading, audit
from cwr_audits.readings.cells import COLUMNS, notes, row
from cwr_audits.readings.certificates import ISSUED
from cwr_audits.readings.kept import SCHEMA, kept_name
from cwr_audits.readings.shown import failure_json, reading_json
from cwr_audits.routes import limits
from cwr_audits.telling import telling
from cwr_audits.workers import crew
from cwr_certificates.seal import write_file
from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import Json, canonical

MOST_RANDOM = 10_000

LEGEND = (
    "Labels speak of every accepted submission within the bound (scope bound); optimal: classes of least cost.",
    "+1, +2: the same under a bound raised by one and by two. Base rate: classes of random instances of the family.",
)


def motifs(codes: tuple[str, ...], time_limit: float, random: int, keep: bool, json_out: bool) -> int:
    """Audit the motifs of the worlds of these names (all showcases when there are none)."""
    return motifs_by(READERS, codes, time_limit, random, keep, json_out)


def motifs_by(
    readers: Mapping[str, str], codes: tuple[str, ...], time_limit: float, random: int, keep: bool, json_out: bool
) -> int:
    """As `motifs`, with the workers of the given table.

    With `keep` the results that have an issued certificate are put beside the audits, and differences into the ledger.
    """
    allowed.time_limit(time_limit)
    if not 0 <= random <= MOST_RANDOM:
        raise UsageError(f"the number of random instances is from 0 to {MOST_RANDOM}, not {random}")
    root = checkout()
    with crew(readers) as workers, telling() as tell:
        about, failures = named(codes)
        issued = root / "certificates" / "issued"
        worlds = []
        for one in audit(workers, about, limits(time_limit), random, issued, tell):
            if isinstance(one, Failure):
                say_error(f"{one.name}: {one.failed.text}")
                failures.append(one)
            else:
                _tell_faults(one)
                worlds.append(one)
    if keep:
        for one in worlds:
            _keep(root / "audits", one)
    told = [reading_json(reading) for one in worlds for reading in one]
    _say(told, [failure_json(failure) for failure in failures], json_out)
    return worst([*(reading.code for one in worlds for reading in one), *(failure.code for failure in failures)])


def _tell_faults(readings: tuple[Reading, ...]) -> None:
    """Differences, one line each, and a refused certificate."""
    for reading in readings:
        for difference in reading.differences:
            say_error(f"{reading.about.code}: {as_error(difference)}")
    if readings and readings[0].certificate.outcome in ("rejected", "malformed"):
        refused = readings[0].certificate
        say_error(f"{readings[0].about.code}: the certificate is {refused.outcome}: {refused.flaw}")


def _keep(audits: Path, readings: tuple[Reading, ...]) -> None:
    """What the report needs to know of an audited world, and what the ledger must not forget."""
    entries = [record(one.about.source, difference) for one in readings for difference in one.differences]
    if entries:
        append(audits / "disagreements.jsonl", "disagreement", entries)
    good = [one for one in readings if one.code == ACCEPTED and one.certificate.origin == ISSUED]
    if not readings or len(good) < len(readings):
        return
    about, digest = readings[0].about, readings[0].certificate.digest
    document: dict[str, Json] = {
        "schema": SCHEMA,
        "code": about.code,
        "instance_sha256": about.digest,
        "certificate_sha256": digest,
        "readings": [reading_json(one) for one in readings],
    }
    folder = audits / "issued"
    folder.mkdir(parents=True, exist_ok=True)
    write_file(folder / kept_name(about.code), canonical(document) + b"\n")


def _say(told: list[dict[str, Any]], failed: list[dict[str, Json]], json_out: bool) -> None:
    if json_out:
        for one in (*told, *failed):
            say_json(one)
        return
    resolve(TABLE)(COLUMNS, [row(one) for one in told])
    for line in (*LEGEND, *(note for one in told for note in notes(one))):
        say(line)
