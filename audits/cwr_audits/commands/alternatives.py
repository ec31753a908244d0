"""Command alternatives: other solutions of a world, by condition, distance or difference.

Exit codes: 0 all that matches is known, and there is something; 1 it is proved that nothing matches; 3 what else there
is, or whether anything matches, is not known (a limit came first); 2, 4 and 70 as everywhere (see cwr_audits.out).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cwr_audits import allowed, store
from cwr_audits.alternatives import alternatives as answered
from cwr_audits.distance import MEANING, Spelled
from cwr_audits.files import blaming, read_bytes
from cwr_audits.late import TABLE, resolve
from cwr_audits.out import ACCEPTED, REJECTED, UNDECIDED, say, say_error
from cwr_audits.request import Answer, Order, Request, move, origin
from cwr_audits.showing import HEADINGS, as_csv, as_json, cells, parquet, sheet
from cwr_audits.staging import put_file
from cwr_audits.subject import Subject, subject
from cwr_audits.telling import telling
from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import SUBMISSION_BYTES, canonical, decimal_text

WITNESS = "the witness"  # what --nearest and --farthest stand for without a file


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of the command, as they were given."""

    where: tuple[str, ...]
    having: tuple[str, ...]
    lacking: tuple[str, ...]
    required: tuple[str, ...]
    forbidden: tuple[str, ...]
    cost: int | None
    nearest: str | None
    farthest: str | None
    diverse: int | None
    classes: bool
    limit: int
    form: str
    out: str | None
    place: str | None
    seconds: float


def alternatives(code: str, options: Mapping[str, Any]) -> int:
    """Answer a question about the solutions of an instance; the options are the fields of `Asked`."""
    asked = Asked(**options)
    allowed.time_limit(asked.seconds)
    if asked.form == "parquet" and asked.out is None:
        raise UsageError("parquet is no text: name a file with --out")
    about = subject(code)
    request = _request(about, asked)
    with telling() as tell:
        answer = answered(about, request, store.place(asked.place), asked.seconds, tell)
    tell_unkept(answer)
    _show(about, request, answer, asked)
    return code_of(answer)


def tell_unkept(answer: Answer | None) -> None:
    """Say on standard error that the next question will take as long as this one, and why."""
    if answer is not None and answer.unkept:
        say_error(f"the space is listed anew each time: {answer.unkept}")


def code_of(answer: Answer) -> int:
    """The exit code: known and some, known and none, not known."""
    if not answer.complete:
        return UNDECIDED
    return ACCEPTED if answer.matching else REJECTED


def _request(about: Subject, asked: Asked) -> Request:
    """The request that the options make; raises UsageError and MalformedInput."""
    if asked.nearest is not None and asked.farthest is not None:
        raise UsageError("--nearest and --farthest exclude each other")
    order: Order = "least" if asked.nearest is None and asked.farthest is None else "nearest"
    return Request(
        where=asked.where,
        having=asked.having,
        lacking=asked.lacking,
        required=tuple(_move(about, "--require", one) for one in asked.required),
        forbidden=tuple(_move(about, "--forbid", one) for one in asked.forbidden),
        cost=asked.cost,
        order="farthest" if asked.farthest is not None else order,
        origin=_origin(about, asked.nearest if asked.farthest is None else asked.farthest),
        diverse=asked.diverse,
        classes=asked.classes,
        limit=asked.limit,
    )


def _origin(about: Subject, file: str | None) -> Spelled | None:
    if file is None or file == WITNESS:
        return None
    with blaming(file):
        return origin(about, read_bytes(file, SUBMISSION_BYTES))


def _move(about: Subject, option: str, text: str) -> bytes:
    with blaming(f"{option} {text}"):
        return move(about, text)


def _show(about: Subject, request: Request, answer: Answer, asked: Asked) -> None:
    """Write the answer in the form that was asked for; what a table says below itself, other forms say elsewhere."""
    if asked.form == "table":
        return _print(about, request, answer, asked.out)
    if asked.form == "parquet":
        put_file(str(asked.out), lambda file: parquet(file, about, answer))
    else:
        _write(asked.out, WRITERS[asked.form](about, request, answer))
    if asked.form != "json":
        for line in _below(request, answer):
            say_error(line)
    return None


def _print(about: Subject, request: Request, answer: Answer, out: str | None) -> None:
    if out is not None:
        raise UsageError("a table is for people: name another --format with --out")
    if answer.alternatives:
        resolve(TABLE)(HEADINGS, [cells(one) for one in answer.alternatives])
    for line in (f"{about.code}: {_below(request, answer)[0]}", *_below(request, answer)[1:]):
        say(line)


def _below(request: Request, answer: Answer) -> list[str]:
    """What to know of an answer: how much of it is shown, how distances are meant, what is not known."""
    what = "classes" if request.classes else "words"
    matching = f"{answer.matching} matching {what}" if answer.complete else f"{answer.matching} {what} found"
    raw = decimal_text(sum(one.raw for one in answer.alternatives))
    lines = [f"{len(answer.alternatives)} of {matching} shown, {raw} raw submissions"]
    if answer.complete and not answer.matching:
        lines = [f"none: it is proved that there are no such {what}"]
    elif answer.complete and answer.cut:
        lines.append("cut off: there are more than --limit or --diverse show")
    if request.diverse is not None:
        apart = [one.apart for one in answer.alternatives if one.apart is not None]
        lines.append(f"least distance between those shown: {min(apart, default='-')}")
    if request.order != "least" or request.diverse is not None:
        lines.append(f"distance: {MEANING}")
    return [*lines, *answer.notes]


def _json(about: Subject, request: Request, answer: Answer) -> bytes:
    return canonical(as_json(about, request, answer)) + b"\n"


def _csv(about: Subject, _request: Request, answer: Answer) -> bytes:
    return as_csv(about, answer)


def _svg(about: Subject, _request: Request, answer: Answer) -> bytes:
    return sheet(about, answer.alternatives).encode("utf-8")


WRITERS: Mapping[str, Callable[[Subject, Request, Answer], bytes]] = {"json": _json, "csv": _csv, "svg": _svg}


def _write(out: str | None, data: bytes) -> None:
    """To a file, whole or not at all, or to standard output."""
    if out is None:
        sys.stdout.buffer.write(data)
    else:
        put_file(out, lambda file: file.write_bytes(data))
