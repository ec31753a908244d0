"""Certifying a world: every route answers, the answers are compared, and only then is a checked certificate kept.

A certificate is kept when all routes agree, all have answered, the certificate says what they say, and the checker has
verified it as it lies on disk. Whatever is missing of that is a reason, named; nothing is kept then.

The counting route is asked first. Where it finds too many words to list, or is stopped by a limit on the way, the space
is large: the others are asked for the optimum alone, and the certificate says the optimum and, by layers, the number of
raw submissions, but nothing of a complete list, of classes or of uniqueness. Such a certificate is kept when two routes
agree with it and none contradicts it; a route that a limit stopped is told, and the outcome is then undecided. One made
without a route takes the place of none that is there: that may say more.

What happens to one world never touches another: every exception on the way is the failure of that world alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from cwr_audits.agreement import Agreement, Difference, compare
from cwr_audits.attempts import Failed, attempt
from cwr_audits.checking import check_within
from cwr_audits.ledger import difference_json
from cwr_audits.out import ACCEPTED, DISAGREE, REJECTED, UNDECIDED, number
from cwr_audits.routes import MEGABYTES, TOO_LARGE, Answers, ask, collect
from cwr_audits.spaces import Space, Unique, unique
from cwr_audits.staging import put_folder, staging
from cwr_audits.subject import Subject
from cwr_audits.wire import ANY, LARGE, Finding, Reply, found, read_finding, task
from cwr_audits.workers import Crew
from cwr_certificates.check import MOST_BYTES, MOST_DEPTH, Report
from cwr_certificates.seal import DOCUMENT
from cwr_solvers.answers import Limits
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided
from cwr_solvers.jsontext import DIGITS, SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, decimal_text, parse

PROVING = "prover"
LEAST_SECONDS = 60.0  # for a check, which is much quicker than the search for what it checks
INTERPRETER_ONLY = "interpreter only"
STOPPED = ("states", "memory", "time")  # reasons for which the counting route says nothing of a space that is too large
COUNTING = "interpreter"  # the route that counts states, and whose words the prover starts from

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Proved:
    """A certificate as the prover wrote it: its files by name, and the motifs of which it makes no claim.

    absent: the witness lacks them; undecided: {motif: reason}, a limit came first; uncounted: why there is no claim on
    the number of raw submissions, where there is none and could be one.
    """

    files: Mapping[str, bytes]
    absent: tuple[str, ...]
    undecided: Mapping[str, str]
    uncounted: str = ""

    @property
    def digest(self) -> str:
        """sha256 of certificate.json."""
        return sha256(self.files[DOCUMENT]).hexdigest()


@dataclass(frozen=True, slots=True)
class Result:
    """What certifying one world came to. `agreement` is None when fewer than two routes answered; `large` says that the
    space was not listed."""

    about: Subject
    answers: Answers
    agreement: Agreement | None
    differences: tuple[Difference, ...]
    undecided: Mapping[str, Undecided]
    proved: Proved | None
    report: Report | None
    large: bool = False

    @property
    def code(self) -> int:
        """The exit code: a difference weighs most, then a refused certificate, then what is undecided."""
        if self.differences:
            return DISAGREE
        if self.report is not None and self.report.outcome != "verified":
            return UNDECIDED if self.report.outcome == "undecided" else REJECTED
        return UNDECIDED if self.undecided or self.report is None else ACCEPTED

    @property
    def finding(self) -> Finding | None:
        """The finding of the counting route."""
        return self.answers.findings.get(COUNTING)

    @property
    def space(self) -> Space | None:
        """The space that the routes agree on; None when they do not, or when one of them is undecided."""
        if self.differences or self.undecided or self.agreement is None:
            return None
        return None if self.large else self.agreement.sides[COUNTING].space

    @property
    def fit(self) -> bool:
        """Whether the certificate may be kept once the checker has verified it."""
        if self.proved is None or self.differences:
            return False
        if not self.large:
            return not self.undecided
        return self.agreement is not None and PROVING not in self.undecided

    @property
    def kept(self) -> bool:
        """Whether there is a certificate that the checker has verified."""
        return self.fit and self.report is not None and self.report.outcome == "verified"

    @property
    def unique(self) -> Unique | None:
        return None if self.space is None else unique(self.about.world, self.about.instance, self.space)


@dataclass(frozen=True, slots=True)
class Failure:
    """A world that came to no result: its code, or the name of its file, and what stood in the way."""

    name: str
    failed: Failed

    @property
    def code(self) -> int:
        """The exit code."""
        return self.failed.code


# the work on a world that is still going on: what the routes were asked, and the prover
_Asked: TypeAlias = tuple[Mapping[str, Future[Reply]], Future[Reply] | None, bool]


def certify(
    crew: Crew, routes: tuple[str, ...], subjects: tuple[Subject, ...], within: Limits, out: Path, tell: Progress
) -> Iterator[Result | Failure]:
    """The results of the subjects in their order; certificates are kept in `out`/CODE.

    `crew` has a worker for each route and one for PROVING; `tell` is told what is going on.
    """
    counting = [ask(crew, (COUNTING,), one.world.family, one.source, within, space=ANY) for one in subjects]
    # every world's prover is asked before the first world is compared, so that no worker waits for another's check
    asked = [_attempt_all(crew, routes, one, told, within) for one, told in zip(subjects, counting, strict=True)]
    for one, future in zip(subjects, asked, strict=True):
        yield _certified(one, future, within, out, tell)


def _certified(one: Subject, asked: _Asked | Failed, within: Limits, out: Path, tell: Progress) -> Result | Failure:
    """The result on one world, or why there is none."""

    def work() -> Result:
        if isinstance(asked, Failed):
            raise asked.error
        replies, proving, large = asked
        tell(f"{one.code}: waiting for {len(replies)} routes")
        result = _compare(one, collect(replies), proving, large)
        if result.fit and not (result.undecided and (out / one.code).exists()):
            tell(f"{one.code}: checking the certificate")
            result = _keep(result, out, within)
        return result

    ended = attempt(work)
    return Failure(one.code, ended) if isinstance(ended, Failed) else ended.value


def _attempt_all(
    crew: Crew, routes: tuple[str, ...], one: Subject, counting: Mapping[str, Future[Reply]], within: Limits
) -> _Asked | Failed:
    asked = attempt(lambda: _ask_all(crew, routes, one, counting, within))
    return asked if isinstance(asked, Failed) else asked.value


def _ask_all(
    crew: Crew, routes: tuple[str, ...], one: Subject, counting: Mapping[str, Future[Reply]], within: Limits
) -> _Asked:
    """Ask the other routes and the prover, once the counting route has said what kind of space it is."""
    reply = counting[COUNTING].result()
    large = _is_large(reply)
    others, more = tuple(route for route in routes if route != COUNTING), {"space": LARGE} if large else {}
    replies = {**counting, **ask(crew, others, one.world.family, one.source, within, **more)}
    return {route: replies[route] for route in routes}, _prove(crew, one, reply, within, large=large), large


def _is_large(reply: Reply) -> bool:
    """Whether the counting route found too many words to list, or ran out of states, memory or time."""
    reason, *_ = reply.get("undecided", [""])
    told = reply.get("found")
    return reason in STOPPED or (isinstance(told, dict) and told.get("listed") is False)


def _prove(crew: Crew, one: Subject, reply: Reply, within: Limits, *, large: bool) -> Future[Reply] | None:
    """Ask the prover, once the counting route has said what the words are; None when it has not, or not well."""
    told = reply.get("found")
    given: dict[str, Json] = {
        "code": one.code,
        "alternates": list(one.alternates),
        "probes": [probe["submission"] for probe in _sequences(one)],
    }
    if large:
        given |= {"witness": one.witness, "space": LARGE}
        return crew.ask(PROVING, task(one.world.family, one.source, within, MEGABYTES, **given))
    if told is None:
        return None
    try:
        read_finding(COUNTING, told)
    except (Disagreement, Undecided):  # `collect` will tell
        return None
    given |= {"witness": _witness(one, told), "answer": {"optimum": told["optimum"], "words": told["words"]}}
    return crew.ask(PROVING, task(one.world.family, one.source, within, MEGABYTES, **given))


def _sequences(one: Subject) -> list[dict[str, Json]]:
    """The probes that are submissions on which a certificate can claim something; malformed ones have no meaning."""
    probes = [probe for probe in one.probes if isinstance(probe, dict)]
    return [probe for probe in probes if probe["kind"] == "sequence" and probe["verdict"] != "malformed"]


def _witness(one: Subject, told: Reply) -> Json:
    """The subject's witness; where it has none, the first word of least cost; None when there is no word."""
    if one.witness is not None:
        return one.witness
    best = sorted(word for word, cost in told["words"] if cost == told["optimum"])
    return parse(best[0].encode("utf-8"), SUBMISSION_BYTES, SUBMISSION_DEPTH) if best else None


def _compare(one: Subject, answers: Answers, proving: Future[Reply] | None, large: bool) -> Result:
    differences = list(answers.contradictions)
    undecided = dict(answers.undecided)
    proved, agreement = None, None
    if len(answers.findings) > 1:
        agreement = compare(one.world, one.instance, answers.findings)
        differences += agreement.differences
    try:
        if proving is not None:
            proved = _proved(found(proving.result()))
    except Undecided as error:
        undecided[PROVING] = error
    except MalformedInput as error:
        # the fault of a limit, or of a submission of the fixtures: no route contradicts another
        undecided[PROVING] = Undecided("size" if error.code == TOO_LARGE else "unknown", str(error))
    except Disagreement as error:
        differences.append(Difference(error.subject, (PROVING,), error.sides))
    result = Result(one, answers, agreement, tuple(differences), undecided, proved, None, large)
    if proved is not None and agreement is not None and result.fit:
        against = _against_certificate(one, agreement, proved, large=large)
        result = replace(result, differences=(*result.differences, *against))
    return result


def _proved(reply: Reply) -> Proved:
    files = {name: text.encode("utf-8") for name, text in reply["files"].items()}
    return Proved(files, tuple(reply["absent"]), dict(reply["undecided"]), reply["uncounted"])


def _against_certificate(one: Subject, agreement: Agreement, proved: Proved, *, large: bool) -> list[Difference]:
    """Where the certificate says something else than the routes: optimum, classes, raw count, the four of unique."""
    said = _claimed(proved)
    if large:
        meant = _meant_large(agreement, said)
    else:
        agreed = agreement.sides[COUNTING].space
        if agreed is None:
            return [Difference("the certificate", (COUNTING,), {COUNTING: "has words that are none"})]
        meant = _meant(one, agreed)
    return [
        Difference(f"the certificate's {name}", (PROVING,), {"certificate": str(said.get(name)), "routes": str(value)})
        for name, value in meant.items()
        if said.get(name) != value
    ]


def _meant(one: Subject, agreed: Space) -> dict[str, Any]:
    """What a certificate must claim of a space; of an empty one only that it is empty."""
    if agreed.optimum is None:
        return {"infeasible": True, "optimum": None, "classes": None}
    classes = [[one.world.write_submission(one.instance, word) for word in kind.members] for kind in agreed.classes]
    four = unique(one.world, one.instance, agreed)
    return {
        "infeasible": None,
        "optimum": agreed.optimum,
        "classes": classes,
        "raw_count": decimal_text(sum(agreed.raw.values())),
        "unique": [four.raw_optimum, four.raw_bound, four.class_optimum, four.class_bound],
    }


def _meant_large(agreement: Agreement, said: Mapping[str, Any]) -> dict[str, Any]:
    """What a certificate must claim of a large space: the optimum, and of what it counts what the counting route does.

    It must not claim that a list is complete or a word unique.
    """
    (best,) = {side.finding.answer.optimum for side in agreement.sides.values()}  # the routes do not differ
    meant: dict[str, Any] = {"infeasible": True if best is None else None, "optimum": best}
    side = agreement.sides.get(COUNTING)
    if "raw_count" in said and side is not None and side.finding.raw is not None:
        raw = side.finding.raw
        meant["raw_count"] = decimal_text(sum(raw.values()))
        meant["costs"] = [[cost, decimal_text(many)] for cost, many in sorted(raw.items())]
    return {**meant, "classes": None, "unique": None}


def _claimed(proved: Proved) -> dict[str, Any]:
    """What a certificate claims, in the form of `_meant`."""
    document: Any = parse(proved.files[DOCUMENT], MOST_BYTES, MOST_DEPTH)
    said: dict[str, Any] = {}
    for claim in document["claims"]:
        kind = claim["kind"]
        if kind == "infeasible":
            said[kind] = True
        elif kind == "optimum":
            said[kind] = claim["value"]
        elif kind == "complete":
            said["classes"] = [listed["members"] for listed in claim["classes"]]
        elif kind == "raw_count":
            said[kind] = _digits(claim["value"])
            said["evidence"] = claim["evidence"]
            said["costs"] = [[cost, _digits(many)] for cost, many in claim.get("costs", [])]
        elif kind == "unique":
            said[kind] = [claim[name] for name in ("raw_optimum", "raw_bound", "class_optimum", "class_bound")]
    return said


def _digits(value: int | str) -> str:
    """A count of a certificate as digits."""
    return decimal_text(value) if isinstance(value, int) else value


def _whole(digits: str) -> int:
    """The integer of any number of digits; Python's own int refuses some thousand."""
    value = 0
    for start in range(0, len(digits), DIGITS):
        part = digits[start : start + DIGITS]
        value = value * 10 ** len(part) + int(part)
    return value


def _keep(result: Result, out: Path, within: Limits) -> Result:
    """Write the certificate to a place of its own, check it there, and only when verified put it in its place."""
    proved = result.proved
    if proved is None:
        return result
    with staging(out) as folder:
        staged = folder / "certificate"
        put_folder(staged, proved.files)
        report = check_within(staged / DOCUMENT, max(within.seconds, LEAST_SECONDS))
        written = {name: (staged / name).read_bytes() for name in proved.files}
    if report.outcome == "verified":
        put_folder(out / result.about.code, written)
    return replace(result, report=report)


def failure_json(failure: Failure) -> dict[str, Json]:
    """The JSON of a world without a result."""
    unknown: dict[str, Json] = dict.fromkeys(("agreed", "checked", "certificate_sha256"))
    return {"code": failure.name, "error": failure.failed.text, **unknown}


def as_json(result: Result) -> dict[str, Json]:
    """The JSON of a result. Null stands for what is not known: the routes disagree, or one of them is undecided."""
    space, four, finding = result.space, result.unique, result.finding
    least, counts, evidence = _counted(result)
    raw = None if counts is None else number(sum(counts.values()))
    best = None if counts is None else number(counts.get(min(counts, default=0), 0))
    proved, desk = result.proved, None if result.report is None else result.report.desk
    return {
        "code": result.about.code,
        "family": result.about.world.family,
        "instance_sha256": result.about.digest,
        "optimum": least,
        "optimum_raw": best,
        "accepted_raw": raw,
        "evidence": evidence,
        "listed": None if space is None and not result.large else not result.large,
        "classes": None if space is None else len(space.classes),
        "unique": None if four is None else asdict(four),
        "reachable_states": None if finding is None or finding.reachable_states is None else finding.reachable_states,
        "routes": _routes(result),
        "agreed": _agreed(result),
        "differences": [difference_json(difference) for difference in result.differences],
        "undecided": {route: str(error) for route, error in sorted(result.undecided.items())},
        "claims": _claims(result.report),
        "absent_motifs": [] if proved is None else list(proved.absent),
        "undecided_motifs": {} if proved is None else dict(proved.undecided),
        "uncounted": "" if proved is None else proved.uncounted,
        "certificate_sha256": None if proved is None or not result.kept else proved.digest,
        "refutation_steps": None if desk is None else desk.steps,
        "checked": None if result.report is None else result.report.outcome == "verified",
    }


def _counted(result: Result) -> tuple[int | None, Mapping[int, int] | None, str | None]:
    """The optimum, the raw counts by cost and their evidence, as far as they are known.

    Of a large space the counts are those of the certificate; else those of the counting route, "interpreter only".
    """
    space = result.space
    if space is not None:
        said = {} if result.proved is None else _claimed(result.proved)
        return space.optimum, space.raw, said.get("evidence")
    if not result.large or result.differences or result.agreement is None:
        return None, None, None
    (least,) = {side.finding.answer.optimum for side in result.agreement.sides.values()}
    said = _claimed(result.proved) if result.proved is not None and result.kept else {}
    if "raw_count" in said:
        return least, {cost: _whole(many) for cost, many in said["costs"]}, said["evidence"]
    if said.get("infeasible"):
        return None, {}, None
    counted = None if result.finding is None else result.finding.raw
    return least, counted, None if counted is None else INTERPRETER_ONLY


def _agreed(result: Result) -> Json:
    """True, false, or null while a route is undecided and no difference was seen."""
    if result.differences:
        return False
    return None if result.undecided or result.agreement is None else True


def _claims(report: Report | None) -> Json:
    findings = [] if report is None else report.findings
    return [{"kind": one.kind, "verdict": one.outcome, "text": one.text} for one in findings]


def _routes(result: Result) -> Json:
    """What each route said, for itself; null where it said nothing, or words that are none."""
    sides = {} if result.agreement is None else result.agreement.sides
    routes: dict[str, Json] = dict.fromkeys(result.answers.undecided)
    for route, side in sides.items():
        space, told = side.space, side.finding.raw
        raw = told if told is not None else None if space is None else space.raw
        routes[route] = {
            "optimum": side.finding.answer.optimum,
            "accepted_raw": None if raw is None else number(sum(raw.values())),
            "classes": None if space is None else len(space.classes),
        }
    return routes
