"""Check certificates: `python certificates CERT…` from a bare checkout, nothing installed; `python -I -S` works too.

CERT is a certificate.json or the folder it lies in. Prints each claim, how it ended and what that rests on. The exit
code is the worst outcome of all files: 1 rejected, else 2 malformed (or no such file), else 3 undecided, else 0, which
says that every claim of every file was verified. 70 is no outcome: the checker itself failed, and says so in one line.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import NamedTuple, TypeVar
from zipfile import ZipFile

HERE = Path(__file__).resolve().parent  # the folder of this file, or the one-file archive that holds everything
ROOTS = [HERE] if HERE.is_file() else [HERE, HERE.parent]
sys.path[:0] = [str(root) for root in ROOTS if str(root) not in sys.path]

from cwr_certificates.check import MOST_BYTES, WORST, Report, beside, check, read_bounded  # noqa: E402
from cwr_certificates.claims import CLAIMS  # noqa: E402
from cwr_certificates.desk import Finding, Outcome, digest  # noqa: E402
from cwr_certificates.formulas import dimacs  # noqa: E402
from cwr_certificates.kernel import DEFAULT, Limits  # noqa: E402
from cwr_certificates.replay import case  # noqa: E402
from cwr_solvers.errors import CwrError, Undecided  # noqa: E402
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json, canonical, parse  # noqa: E402
from cwr_solvers.reading import as_map  # noqa: E402

EXITS: dict[Outcome, int] = {"rejected": 1, "malformed": 2, "undecided": 3, "verified": 0}
INTERNAL, INTERRUPTED = 70, 130
MOST_ASKED = 10**9  # seconds, lines
SHOWCASES = "fixtures/showcase-index.json"


T = TypeVar("T")


class Late(Exception):
    """The time for a file is over."""


class Outside(NamedTuple):
    """What a file is held against beside its own claims: the showcases at hand, an instance that the caller has."""

    showcases: Json
    instance: str | None


def run(arguments: list[str]) -> int:
    """The exit code of `main`; an end that it did not foresee is an internal error, never a rejection."""
    try:
        code = _ended(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        _drop_output()
        code = _failed(f"the output cannot be written: {error.strerror}", EXITS["malformed"])
    except KeyboardInterrupt:
        code = _failed("interrupted", INTERRUPTED)
    except Exception as error:  # noqa: BLE001 - the one place: Python would exit with 1, which means rejected
        code = _failed(f"internal error: {type(error).__name__}: {str(error)[:200]!r}", INTERNAL)
    return code


def _ended(arguments: list[str]) -> int:
    try:
        return main(arguments)
    except SystemExit as end:  # of argparse, after help or a wrong call
        return end.code if isinstance(end.code, int) else INTERNAL


def _drop_output() -> None:
    """Python writes what is left when it ends; where that fails again, it would end with a code of its own."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _failed(text: str, code: int) -> int:
    """Say why there is no outcome, where that can be said."""
    with suppress(OSError):
        print(f"certificates: {text}", file=sys.stderr, flush=True)
    return code


def main(arguments: list[str]) -> int:
    """Check the files that the arguments name, print each report when it is ready, and return the exit code."""
    options = _parser().parse_args(arguments)
    limits, outcomes = Limits(steps=options.steps), list[Outcome]()
    try:
        outside = Outside(_showcases(), _in_time(options.seconds, lambda: _instance(options.instance)))
    except Late:
        return _failed(f"{options.instance} was not read in {options.seconds} seconds", EXITS["undecided"])
    except Undecided as error:
        return _failed(str(error), EXITS["undecided"])
    except (CwrError, OSError) as error:
        return _failed(str(error), EXITS["malformed"])
    for name in options.certificates:
        report = _checked(name, outside, limits, options.seconds)
        outcomes.append(report.outcome)
        print(canonical(_as_json(name, report)).decode() if options.json else _as_text(name, report), flush=True)
        try:
            if options.formulas:
                _write_formulas(Path(options.formulas), report)
        except OSError as error:
            return _failed(str(error), EXITS["malformed"])
    return EXITS[min(outcomes, key=WORST.index)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="certificates", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("certificates", nargs="+", metavar="CERT", help="a certificate.json, or its folder")
    parser.add_argument(
        "--instance", metavar="FILE", help="demand that the certificate is of the instance in this file"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line for each CERT")
    parser.add_argument("--seconds", type=_positive, default=600, help="time for each CERT (default 600)")
    parser.add_argument(
        "--steps", type=_positive, default=DEFAULT.steps, help="most lines a proof (default %(default)s)"
    )
    parser.add_argument("--formulas", metavar="DIR", help="write the refuted formulas as DIMACS, for other checkers")
    return parser


def _positive(text: str) -> int:
    """A whole number from 1 to MOST_ASKED, for argparse (which reports a ValueError by itself)."""
    value = int(text)
    if not 1 <= value <= MOST_ASKED:
        raise ValueError(text)
    return value


def _showcases() -> Json:
    if HERE.is_file():
        with ZipFile(HERE) as archive:
            return parse(archive.read(SHOWCASES), INSTANCE_BYTES, INSTANCE_DEPTH)
    path = HERE.parent / SHOWCASES
    return parse(path.read_bytes(), INSTANCE_BYTES, INSTANCE_DEPTH) if path.is_file() else None


def _instance(name: str | None) -> str | None:
    """The digest of the instance in a file, whichever way it is spelled."""
    if name is None:
        return None
    value = as_map(parse(read_bounded(Path(name), INSTANCE_BYTES), INSTANCE_BYTES, INSTANCE_DEPTH), "")
    return digest(canonical(case(value.get("family"), value).json))


def _checked(name: str, outside: Outside, limits: Limits, seconds: int) -> Report:
    try:
        report = _in_time(seconds, lambda: _check(name, outside, limits))
    except OSError as error:
        return _only("malformed", f"cannot be read: {error.strerror}")
    except Late:
        return _only("undecided", f"not checked in {seconds} seconds")
    except MemoryError:
        return _only("undecided", "out of memory")
    if outside.instance is not None and report.desk is not None and _digest(report) != outside.instance:
        return _only("rejected", "it is of another instance than the one given")
    return report


def _check(name: str, outside: Outside, limits: Limits) -> Report:
    if not name:
        return _only("malformed", "cannot be read: an empty name")
    path = Path(name)
    certificate = path / "certificate.json" if path.is_dir() else path
    if path.is_dir() and not certificate.exists():
        return _only("malformed", "a folder without certificate.json; of a folder of certificates name each (FOLDER/*)")
    data = read_bounded(certificate, MOST_BYTES)
    return check(data, beside(certificate, limits), outside.showcases, limits)


def _only(outcome: Outcome, text: str) -> Report:
    return Report(outcome, Finding("document", outcome, text), [], None)


def _in_time(seconds: int, work: Callable[[], T]) -> T:
    """What `work` returns; raises Late after so many seconds, but on systems that have no such signal."""
    if not hasattr(signal, "setitimer"):
        return work()
    signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)  # and again: Python swallows what a finalizer raises
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise Late


def _digest(report: Report) -> str | None:
    return None if report.desk is None else digest(canonical(report.desk.case.json))


def _printable(name: str) -> str:
    """A name of a file, which need not be Unicode, as text that UTF-8 can carry."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _as_text(name: str, report: Report) -> str:
    lines = [f"{name}: {report.document.outcome}: {report.document.text}"]
    if report.desk is not None:
        lines = [name, f"  instance sha256 {_digest(report)}: {report.document.text}"]
    for index, one in enumerate(report.findings):
        rests = f"  [{one.shown.rests_on}]" if one.shown else ""
        lines.append(f"  {index:>3} {one.outcome:9} {one.kind}: {one.text}{rests}")
    desk = report.desk
    if desk is not None:
        claimed = {one.kind for one in report.findings}
        missing = ", ".join(kind for kind in CLAIMS if kind not in claimed) or "nothing"
        ends = ", ".join(f"{sum(one.outcome == end for one in report.findings)} {end}" for end in WORST)
        lines.append(f"  {len(report.findings)} claims: {ends}; of no claim: {missing}")
        lines.append(f"  examined: {desk.models} models, {desk.refutations} refutations, {desk.steps} proof steps")
    return "\n".join([*lines, f"  {report.outcome.upper()}"])


def _as_json(name: str, report: Report) -> Json:
    findings: list[Json] = [
        {
            "kind": one.kind,
            "outcome": one.outcome,
            "text": one.text,
            "rests_on": one.shown.rests_on if one.shown else None,
        }
        for one in report.findings
    ]
    desk = report.desk
    examined: Json = (
        None if desk is None else {"models": desk.models, "refutations": desk.refutations, "steps": desk.steps}
    )
    return {
        "certificate": _printable(name),
        "outcome": report.outcome,
        "document": report.document.text,
        "instance_sha256": _digest(report),
        "claims": findings,
        "examined": examined,
    }


def _write_formulas(folder: Path, report: Report) -> None:
    """NAME.cnf for each proof NAME.lrat that was verified, in a folder named after the instance's digest."""
    if report.desk is not None:
        target = folder / str(_digest(report))[:16]
        target.mkdir(parents=True, exist_ok=True)
        for name, cnf in report.desk.formulas.items():
            (target / name.replace(".lrat", ".cnf")).write_bytes(dimacs(cnf))


if __name__ == "__main__":
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))
