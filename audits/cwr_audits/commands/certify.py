"""Command certify: solve worlds by every route, compare, issue and keep checked certificates.

A wrong call (a name that names nothing, a code twice, a folder that cannot be written) ends the command before anything
is solved. Whatever is wrong with one world (its file is malformed, a route crashes, its certificate cannot be kept) is
told of that world only; the others are certified, and the exit code is the worst (see cwr_audits.out).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cwr_audits import allowed
from cwr_audits.agreement import as_error
from cwr_audits.attempts import Failed, attempt, failed
from cwr_audits.certify import PROVING, Failure, Result, as_json, certify, failure_json
from cwr_audits.files import checkout
from cwr_audits.late import PROVER, ROUTES, TABLE, resolve
from cwr_audits.ledger import append, record
from cwr_audits.out import ACCEPTED, say, say_error, say_json, worst
from cwr_audits.routes import MOST_CERTIFIED, limits
from cwr_audits.staging import ready
from cwr_audits.subject import Subject, showcase_codes, subjects, to_certify
from cwr_audits.telling import telling
from cwr_audits.workers import crew
from cwr_certificates.seal import write_file
from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.jsontext import canonical

SHORT = 8  # digits of a digest in the table


def certify_all(codes: tuple[str, ...], out: str | None, time_limit: float, json_out: bool) -> int:
    """Certify the worlds of these names (all showcases when there are none)."""
    return certify_by({**ROUTES, PROVING: PROVER}, codes, out, time_limit, json_out)


def certify_by(
    engines: Mapping[str, str], codes: tuple[str, ...], out: str | None, time_limit: float, json_out: bool
) -> int:
    """As `certify_all`, with the routes and the prover of the given table.

    Certificates go to `out`, differences between routes to a ledger. When `out` is the checkout's own folder of
    certificates, which is for showcases only, the results that the report needs are kept beside the audits.
    """
    allowed.time_limit(time_limit)
    root = checkout()
    folder = root / "certificates" / "issued" if out is None else Path(out)
    ours = folder.resolve() == (root / "certificates" / "issued").resolve()
    audits = root / "audits" if ours else folder
    # the workers are started first: they load their solvers while the worlds are read here
    with crew(engines) as workers, telling() as tell:
        about, failures = named(codes)
        results: list[Result | Failure] = [*failures]
        _refuse_codes([one.code for one in about])
        if ours:
            _refuse_own(about)
        ready(folder)
        routes = tuple(name for name in engines if name != PROVING)
        for result in certify(workers, routes, about, limits(time_limit), folder, tell):
            results.append(_told(result, audits, ours))
    if json_out:
        say_json([as_json(one) if isinstance(one, Result) else failure_json(one) for one in results])
    else:
        _print(results, folder)
    return worst(one.code for one in results)


def named(names: tuple[str, ...]) -> tuple[tuple[Subject, ...], list[Failure]]:
    """The worlds of these names, and the failures, told already, of files that hold none. Raises UsageError."""
    if not names:
        return subjects(()), []
    about, failures = [], list[Failure]()
    for name in names:
        try:
            about.append(to_certify(name))
        except MalformedInput as error:
            say_error(f"{name}: {error}")
            failures.append(Failure(name, failed(error)))
    return tuple(about), failures


def _refuse_codes(codes: list[str]) -> None:
    """A code becomes the name of a folder, so it must not lead elsewhere, nor stand for two worlds."""
    for code in codes:
        if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", code) is None:
            raise UsageError(f"the code {code!r} cannot name a folder: use letters, digits, '.', '_' and '-'")
        if codes.count(code) > 1:
            raise UsageError(f"the code {code!r} is given twice")


def _refuse_own(about: Sequence[Subject]) -> None:
    """What is no showcase goes elsewhere: the checkout's own folder is what its report speaks of."""
    own = [one.code for one in about if one.code not in showcase_codes()]
    if own:
        raise UsageError(f"{own[0]} is no showcase: name a folder for its certificate with --out (as --out issued)")


def _told(result: Result | Failure, audits: Path, ours: bool) -> Result | Failure:
    """Tell what is wrong with a result, and keep what there is to keep of it; where that fails, it is a failure."""
    if isinstance(result, Failure):
        say_error(f"{result.name}: {result.failed.text}")
        return result
    told = attempt(lambda: _keep_records(result, audits, ours))
    if not isinstance(told, Failed):
        return result
    say_error(f"{result.about.code}: {told.text}")
    return Failure(result.about.code, told) if worst((told.code, result.code)) == told.code else result


def _keep_records(result: Result, audits: Path, ours: bool) -> None:
    _tell_faults(result, audits / "disagreements.jsonl")
    if ours and result.code == ACCEPTED:
        _keep_audit(audits / "issued", result)


def _tell_faults(result: Result, ledger: Path) -> None:
    """Differences go to the ledger and, as all that stood in the way, to standard error, one line each."""
    for difference in result.differences:
        say_error(f"{result.about.code}: {as_error(difference)}")
    for route, error in sorted(result.undecided.items()):
        say_error(f"{result.about.code}: {route}: {error}")
    if result.large:
        why = f"more than {MOST_CERTIFIED} words, or none counted in time"
        say_error(f"{result.about.code}: not measured: complete list, classes, uniqueness ({why})")
    if result.proved is not None and result.proved.uncounted:
        say_error(f"{result.about.code}: the certificate does not count: {result.proved.uncounted}")
    if result.report is not None and result.report.outcome != "verified":
        flaws = [one for one in (result.report.document, *result.report.findings) if one.outcome != "verified"]
        say_error(f"{result.about.code}: the checker refuses the certificate: {flaws[0].kind}: {flaws[0].text}")
    if result.differences:
        append(ledger, "disagreement", [record(result.about.source, difference) for difference in result.differences])


def _keep_audit(folder: Path, result: Result) -> None:
    """What the report needs to know of a certified world."""
    folder.mkdir(parents=True, exist_ok=True)
    write_file(folder / f"{result.about.code}.json", canonical(as_json(result)) + b"\n")


COLUMNS = ("world", "optimum", "optimal", "accepted", "classes", "states", "routes", "steps", "digest")


def _print(results: list[Result | Failure], folder: Path) -> None:
    rows = [_row(result) for result in results]
    resolve(TABLE)(COLUMNS, rows)
    if any(row[-1] != "none" for row in rows):
        say(f"certificates in {folder}")


def _row(result: Result | Failure) -> tuple[str, ...]:
    if isinstance(result, Failure):
        return (result.name, *["-"] * (len(COLUMNS) - 3), "failed", "-", "none")
    told: dict[str, Any] = as_json(result)
    numbers = ("optimum", "optimum_raw", "accepted_raw", "classes", "reachable_states")
    routes = {True: f"{len(told['routes'])} agree", False: "DISAGREE", None: "undecided"}[told["agreed"]]
    digest = told["certificate_sha256"]
    steps = "-" if told["refutation_steps"] is None else str(told["refutation_steps"])
    shown = tuple(_cell(told, name) for name in numbers)
    return (told["code"], *shown, routes, steps, "none" if digest is None else digest[:SHORT])


def _cell(told: dict[str, Any], name: str) -> str:
    """A number; "none" for the optimum of an infeasible instance, "-" for what is not known."""
    if told[name] is not None:
        return str(told[name])
    return "none" if name == "optimum" and told["classes"] == 0 else "-"
