"""Command check: the certificate checker, with the exit codes of `python certificates`."""

from __future__ import annotations

from cwr_audits import allowed
from cwr_audits.attempts import Failed, attempt
from cwr_audits.checking import EXITS, Late, alarm, check_file, instance_digest, report_json
from cwr_audits.files import read_json
from cwr_audits.out import REJECTED, say, say_error, say_json, worst
from cwr_audits.subject import from_json
from cwr_certificates.check import Report
from cwr_solvers.errors import Undecided, UsageError
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH


def check_all(certificates: tuple[str, ...], instance: str | None, time_limit: float, json_out: bool) -> int:
    """Check every certificate, each within the time limit; the worst outcome decides."""
    allowed.time_limit(time_limit)
    wanted = None if instance is None else _digest(instance, time_limit)
    return worst([_check(name, wanted, time_limit, json_out) for name in certificates])


def _digest(instance: str, seconds: float) -> str:
    """The digest of the instance in a file; raises Undecided where reading it takes longer."""
    try:
        with alarm(seconds):
            return from_json(read_json(instance, INSTANCE_BYTES, INSTANCE_DEPTH)).digest
    except Late:
        raise Undecided("time", f"{instance} was not read in {seconds:g} seconds") from None


def _check(name: str, wanted: str | None, seconds: float, json_out: bool) -> int:
    """The exit code of one certificate; what goes wrong with it does not keep the next from being checked."""
    ended = attempt(lambda: check_file(name, seconds))
    if isinstance(ended, Failed):
        say_error(ended.text if isinstance(ended.error, UsageError) else f"{name}: {ended.text}")
        return ended.code
    report = ended.value
    if json_out:
        say_json(report_json(name, report))
    else:
        _print(name, report)
    if report.desk is None:
        say_error(f"{name}: {report.document.text}")
    elif wanted is not None and instance_digest(report) != wanted:
        say_error(f"{name}: it is of another instance than the one given")
        return worst((EXITS[report.outcome], REJECTED))
    return EXITS[report.outcome]


def _print(name: str, report: Report) -> None:
    say(f"{name}: {report.outcome}")
    if report.desk is not None:
        say(f"  instance sha256 {instance_digest(report)}: {report.document.text}")
        for index, one in enumerate(report.findings):
            rests = "" if one.shown is None else f"  [{one.shown.rests_on}]"
            say(f"  {index:>3} {one.outcome:9} {one.kind}: {one.text}{rests}")
        desk = report.desk
        say(f"  examined: {desk.models} models, {desk.refutations} refutations, {desk.steps} proof steps")
