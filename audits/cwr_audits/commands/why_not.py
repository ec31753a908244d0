"""Command why-not: why a submission is not accepted, or why no solution is as asked.

Exit codes: 0 nothing stands against it: the submission is accepted, or there is a solution of the request, which is
shown; 1 it is not accepted, or a conflict of rules proves that there is no such solution; 3 a limit came first, or
there is no such solution but rules do not explain it; 2, 4 and 70 as everywhere (see cwr_audits.out).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from cwr_audits import allowed, store
from cwr_audits.alternatives import alternatives
from cwr_audits.commands.alternatives import tell_unkept
from cwr_audits.commands.judge import EXIT_OF, fault_json, headline, verdict_json
from cwr_audits.distance import MEANING
from cwr_audits.files import read_bytes
from cwr_audits.out import ACCEPTED, REJECTED, say, say_error, say_json
from cwr_audits.request import Answer, Request, motif
from cwr_audits.staging import put_new_folder, refuse_taken
from cwr_audits.subject import Subject, subject
from cwr_audits.telling import telling
from cwr_audits.whynot import Judged, Told, Way, asked, judged, request_of
from cwr_solvers.errors import Undecided, UsageError
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, canonical, parse

DOCUMENT = "certificate.json"


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command, as they were given."""

    having: tuple[str, ...]
    lacking: tuple[str, ...]
    required: tuple[str, ...]
    forbidden: tuple[str, ...]
    cost: int | None
    limit: int
    out: str | None
    place: str | None
    seconds: float
    json_out: bool

    @property
    def wanted(self) -> str:
        """The request in words."""
        named = {
            "with motif": self.having,
            "without motif": self.lacking,
            "with step": self.required,
            "without step": self.forbidden,
            "at cost": () if self.cost is None else (str(self.cost),),
        }
        return ", ".join(f"{what} {one}" for what, some in named.items() for one in some)


def why_not(code: str, file: str | None, options: Mapping[str, Any]) -> int:
    """Answer about the submission in a file, or about a request; the options are the fields of `Options`."""
    given = Options(**options)
    allowed.time_limit(given.seconds)
    if file is not None and given.wanted:
        raise UsageError("a submission and a request exclude each other: ask for one of them")
    if given.out is not None:
        refuse_taken(Path(given.out))
    about = subject(code)
    return _request(about, given) if file is None else _candidate(about, file, given)


def _candidate(about: Subject, file: str, given: Options) -> int:
    data = read_bytes(file, SUBMISSION_BYTES)
    with telling() as tell:
        found = judged(about, data, given.limit, store.place(given.place), given.seconds, tell)
    tell_unkept(found.nearest)
    kept = _kept(found.told, given.out)
    if given.json_out:
        nearest = {"nearest": _nearest_json(found.nearest), "nearest_unknown": found.far or None}
        told = {"unexplained": found.unsaid or None, **_told_json(about, found.told)}
        say_json({"code": about.code, "request": None, **verdict_json(found.verdict), **nearest, **told})
    else:
        for line in (*_verdict_lines(about, found), *_told_lines(about, found.told), *kept):
            say(line)
    if found.verdict.error is not None:
        say_error(str(found.verdict.error))
    return EXIT_OF[found.verdict.status]


def _request(about: Subject, given: Options) -> int:
    for name in (*given.having, *given.lacking):
        motif(about, name)
    request = request_of(about, given.lacking, given.required, given.forbidden, given.cost)
    with telling() as tell:
        tell(f"{about.code}: looking for the rules in conflict")
        told = None if given.having else asked(about, request, given.seconds)
        if told is None or (told.word is not None and given.cost not in (None, told.cost)):
            told = _beyond_clauses(about, request, given, tell)
    kept = _kept(told, given.out)
    if given.json_out:
        said: dict[str, Json] = {"having": list(given.having), **request, "cost": given.cost}
        say_json({"code": about.code, "request": said, **_told_json(about, told)})
    else:
        for line in (_headline(about, told, given.wanted), *_told_lines(about, told), *kept):
            say(line)
    return REJECTED if told.word is None else ACCEPTED


def _beyond_clauses(about: Subject, request: Mapping[str, Any], given: Options, tell: Callable[[str], None]) -> Told:
    """A solution of a request that the clauses cannot post. Raises Undecided where none is found."""
    required, forbidden = (tuple(canonical(one) for one in request[key]) for key in ("require", "forbid"))
    wanted = Request((), given.having, given.lacking, required, forbidden, given.cost, limit=1)
    answer = alternatives(about, wanted, store.place(given.place), given.seconds, tell)
    tell_unkept(answer)
    if answer.alternatives:
        best = answer.alternatives[0]
        return Told(best.word, best.cost, (), (), (), {})
    what = "that a motif holds" if given.having else "a least cost"
    none = "there is none" if answer.complete else "none was found"
    raise Undecided("unsupported", f"{none}, and the clauses cannot say {what}: no rules explain it")


def _kept(told: Told | None, out: str | None) -> list[str]:
    """Put the certificate into a new folder, if one is asked for; says in a line what became of it."""
    if told is None or not told.files:
        return [] if out is None else ["no certificate: there is no conflict of rules to certify"]
    if out is None:
        return [f"certificate {_digest(told)} checked; --out DIR keeps it"]
    try:
        put_new_folder(Path(out), told.files)
    except OSError as error:
        raise UsageError(f"cannot write the new folder {out}: {error.strerror or error}") from None
    return [f"certificate {_digest(told)} checked and kept in {out}"]


def _digest(told: Told) -> str:
    return sha256(told.files[DOCUMENT]).hexdigest()[:8]


def _headline(about: Subject, told: Told, wanted: str) -> str:
    """What became of a request."""
    asked_for = f"solution {wanted}" if wanted else "solution"
    if told.word is None:
        return f"{about.code}: no {asked_for}"
    return f"{about.code}: a {asked_for}, cost {told.cost}: {told.word.decode('utf-8')}"


def _verdict_lines(about: Subject, found: Judged) -> list[str]:
    """What the interpreter says of a candidate, and the nearest solutions."""
    lines = [f"{about.code}: {headline(found.verdict)}"]
    for fault in found.verdict.faults:
        lines.append(f"  {fault.rule} ({about.world.rules[fault.rule]}): found {fault.found}; needed {fault.needed}")
    if found.verdict.status == "accepted":
        lines.append("nothing stands against it")
    if found.unsaid:
        lines.append(f"no word is like that, so no set of rules is looked for: words have {found.unsaid}")
    if found.far:
        lines.append(f"nearest solutions unknown: {found.far}")
    return lines + ([] if found.nearest is None else _nearest_lines(found.nearest))


def _nearest_lines(answer: Answer) -> list[str]:
    """The nearest solutions; of a space that is not listed, those that are nearest among the known ones."""
    if not answer.alternatives:
        return ["there is no solution at all" if answer.complete else "no solution is known"]
    which = "nearest solutions" if answer.complete else "nearest of the solutions known (not all are)"
    lines = [f"{which}, by {MEANING}:"]
    return lines + [
        f"  distance {one.distance}, cost {one.cost}: {one.word.decode('utf-8')}" for one in answer.alternatives
    ]


def _told_lines(about: Subject, told: Told | None) -> list[str]:
    """The conflict, and what would do without each of its rules."""
    if told is None:
        return []
    lines = []
    if told.rules or told.word is None:
        lines.append(f"rules in conflict: {', '.join(told.rules) or 'none: no word at all is like that'}")
        lines += [f"  {rule}: {about.world.rules[rule]}" for rule in told.rules]
        lines += [f"kept by every word: {', '.join(told.built_in)}"] if told.built_in else []
        lines += [_way_line(way) for way in told.ways]
    if told.rules and told.word is not None:
        lines.append(f"with more moves it is a solution, cost {told.cost}: {told.word.decode('utf-8')}")
    return lines


def _way_line(way: Way) -> str:
    if way.word is None or way.verdict is None:
        return f"without {way.rule} something would do that no submission says"
    return f"without {way.rule} this would do: {way.word.decode('utf-8')} ({headline(way.verdict)})"


def _nearest_json(answer: Answer | None) -> Json:
    if answer is None:
        return None
    listed: list[Json] = [
        {"submission": _parsed(one.word), "cost": one.cost, "distance": one.distance} for one in answer.alternatives
    ]
    return {"complete": answer.complete, "submissions": listed}


def _told_json(about: Subject, told: Told | None) -> dict[str, Json]:
    """The JSON of what the clauses say; `conflict` is null where there is none."""
    if told is None:
        return {"solution": None, "conflict": None}
    solution: Json = None if told.word is None else {"submission": _parsed(told.word), "cost": told.cost}
    if not told.files:
        return {"solution": solution, "conflict": None}
    conflict: dict[str, Json] = {
        "rules": list(told.rules),
        "says": {rule: about.world.rules[rule] for rule in told.rules},
        "kept_by_every_word": list(told.built_in),
        "without": [_way_json(way) for way in told.ways],
        "certificate_sha256": sha256(told.files[DOCUMENT]).hexdigest(),
    }
    return {"solution": solution, "conflict": conflict}


def _way_json(way: Way) -> Json:
    if way.word is None or way.verdict is None:
        return {"rule": way.rule, "submission": None}
    faults: list[Json] = [fault_json(fault) for fault in way.verdict.faults]
    said: dict[str, Json] = {"verdict": way.verdict.status, "step": way.verdict.step, "faults": faults}
    return {"rule": way.rule, "submission": _parsed(way.word), **said}


def _parsed(word: bytes) -> Json:
    return parse(word, SUBMISSION_BYTES, SUBMISSION_DEPTH)
