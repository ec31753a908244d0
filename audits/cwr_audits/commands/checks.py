"""Command check: the certificate checker, with the exit codes of `python certificates`."""

from __future__ import annotations

from cwr_audits.checking import EXITS, check_file, instance_digest, report_json
from cwr_audits.files import read_json
from cwr_audits.out import MALFORMED, REJECTED, say, say_error, say_json
from cwr_audits.subject import from_json
from cwr_certificates.check import Report
from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH

WORST = (EXITS["rejected"], EXITS["malformed"], EXITS["undecided"], EXITS["verified"])


def check_all(certificates: tuple[str, ...], instance: str | None, json_out: bool) -> int:
    """Check every certificate; the worst outcome decides."""
    wanted = None if instance is None else from_json(read_json(instance, INSTANCE_BYTES, INSTANCE_DEPTH)).digest
    return min((_check(name, wanted, json_out) for name in certificates), key=WORST.index)


def _check(name: str, wanted: str | None, json_out: bool) -> int:
    try:
        report = check_file(name)
    except UsageError as error:
        say_error(str(error))
        return MALFORMED
    if json_out:
        say_json(report_json(name, report))
    else:
        _print(name, report)
    if report.desk is None:
        say_error(f"{name}: {report.document.text}")
    elif wanted is not None and instance_digest(report) != wanted:
        say_error(f"{name}: it is of another instance than the one given")
        return min(EXITS[report.outcome], REJECTED, key=WORST.index)
    return EXITS[report.outcome]


def _print(name: str, report: Report) -> None:
    say(f"{name}: {report.outcome}")
    if report.desk is not None:
        say(f"  instance sha256 {instance_digest(report)}: {report.document.text}")
        for one in report.findings:
            rests = "" if one.shown is None else f"  [{one.shown.rests_on}]"
            say(f"  {one.outcome:9} {one.kind}: {one.text}{rests}")
        desk = report.desk
        say(f"  examined: {desk.models} models, {desk.refutations} refutations, {desk.steps} proof steps")
