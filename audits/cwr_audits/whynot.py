"""Why not this submission, and why no submission like that?

request   what a solution is asked to be, as the claim `conflict` of certificates has it (docs/certificates.md)
conflict  the smallest set of rules that leaves no solution of the request, certified; for each of its rules what would
          do if that rule were not there, judged by the interpreter
A solution that meets a request is graded, and looked at anew for what was asked, before it is shown. What the
interpreter says of a candidate and what the clauses say must agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cwr_audits.alternatives import alternatives
from cwr_audits.late import ASKED, CONFLICT, HOLDS, resolve
from cwr_audits.request import Answer, Request, move, moves, origin
from cwr_audits.routes import MEGABYTES, MOST_WORDS
from cwr_audits.store import Place
from cwr_audits.subject import Subject
from cwr_audits.wire import task
from cwr_solvers.answers import Limits
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided
from cwr_solvers.grading import Verdict, grade, read_text
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, canonical, parse
from cwr_solvers.world import Submission

Tell = Callable[[str], None]
NOTHING: Mapping[str, Json] = {
    "forbid": [],
    "most_cost": None,
    "part": None,
    "require": [],
    "without": [],
    "word": None,
}


@dataclass(frozen=True, slots=True)
class Way:
    """A word that would do without a rule, and what the interpreter says of it; None where no submission says it."""

    rule: str
    word: bytes | None
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class Told:
    """What the clauses say of a request: a word that meets it, graded; or the conflict, with `files` its certificate.

    `built_in` are the rules that post no clause here: every word keeps them, or they have nothing to forbid.
    """

    word: bytes | None
    cost: int | None
    rules: tuple[str, ...]
    ways: tuple[Way, ...]
    built_in: tuple[str, ...]
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate. `nearest` are accepted words, or `far` says why none are known; `told` is on the candidate as it is
    or, where only the goal is missed, on what it may become; it is None where `unsaid` says why there is no clause."""

    verdict: Verdict
    nearest: Answer | None
    far: str
    told: Told | None
    unsaid: str


def judged(about: Subject, data: bytes, most: int, place: Place, seconds: float, tell: Tell) -> Judged:
    """What is to be said of a candidate. Raises Undecided where the clauses come to no end, Disagreement."""
    verdict = grade(about.world, about.instance, data)
    if verdict.status not in ("illegal", "rejected"):
        return Judged(verdict, None, "", None, "")
    nearest, far = _nearest(about, data, most, place, seconds, tell)
    tell(f"{about.code}: looking for the rules in conflict")
    try:
        return Judged(verdict, nearest, far, _on_candidate(about, data, verdict, seconds), "")
    except MalformedInput as error:
        return Judged(verdict, nearest, far, None, f"{error.expected}, not {error.found}")


def _nearest(
    about: Subject, data: bytes, most: int, place: Place, seconds: float, tell: Tell
) -> tuple[Answer | None, str]:
    request = Request(order="nearest", origin=origin(about, data), limit=most)
    try:
        return alternatives(about, request, place, seconds, tell), ""
    except Undecided as error:
        return None, str(error)


def _on_candidate(about: Subject, data: bytes, verdict: Verdict, seconds: float) -> Told:
    """The conflict of a candidate; where it can go on to a solution, that is found as well."""
    submission = read_text(about.world, about.instance, data)
    form = about.world.write_submission(about.instance, about.world.normal(about.instance, submission))
    candidate = about.world.write_submission(about.instance, submission)
    told = asked(about, {**NOTHING, "word": form}, seconds, verdict.codes, candidate)
    if told.word is not None:
        said: dict[str, str] = {"the interpreter": verdict.status, "the statement": "accepted"}
        raise Disagreement(f"the word {canonical(form).decode('utf-8')}", said)
    if verdict.status != "rejected" or about.world.family == "RS":
        return told
    further = asked(about, {**NOTHING, "part": form}, seconds, verdict.codes, candidate)
    return replace(told, word=further.word, cost=further.cost) if further.word is not None else further


def asked(
    about: Subject, request: Mapping[str, Json], seconds: float, first: Sequence[str] = (), candidate: Json = None
) -> Told:
    """What the clauses say of a request. Raises MalformedInput, Undecided and Disagreement."""
    given: dict[str, Json] = {
        "code": about.code,
        "request": dict(request),
        "first": list(first),
        "candidate": candidate,
    }
    limits = Limits(seconds, MOST_WORDS)
    found = resolve(ASKED)(CONFLICT, task(about.world.family, about.source, limits, MEGABYTES, **given))
    built_in = tuple(rule for rule in about.world.rules if rule not in found["posted"])
    files = {name: text.encode("utf-8") for name, text in found["files"].items()}
    if found["word"] is not None:
        word = canonical(found["word"])
        return Told(word, _cost(about, word, request, seconds), (), (), built_in, files)
    ways = tuple(_way(about, rule, word) for rule, word in found["relaxed"])
    return Told(None, None, tuple(found["rules"]), ways, built_in, files)


def _way(about: Subject, rule: str, word: Json) -> Way:
    if word is None:
        return Way(rule, None, None)
    verdict = grade(about.world, about.instance, canonical(word))
    if verdict.status == "accepted":
        sides: dict[str, str] = {"the interpreter": "accepted", "the statement": f"breaks {rule}"}
        raise Disagreement(f"the word {canonical(word).decode('utf-8')}", sides)
    return Way(rule, canonical(word), verdict)


def _cost(about: Subject, word: bytes, request: Mapping[str, Any], seconds: float) -> int:
    """The cost of a word that is said to meet a request; raises Disagreement where it is not accepted, or does not."""
    verdict, submission = grade(about.world, about.instance, word), read_text(about.world, about.instance, word)
    if verdict.status != "accepted" or verdict.cost is None:
        sides: dict[str, str] = {"the statement": "accepted", "the interpreter": verdict.status}
        raise Disagreement(f"the word {word.decode('utf-8')}", sides)
    found = moves(about, word)
    wrong = [
        *_kept_motifs(about, word, request["without"], seconds),
        *(canonical(one) for one in request["require"] if canonical(one) not in found),
        *(canonical(one) for one in request["forbid"] if canonical(one) in found),
        *([] if request["most_cost"] is None or verdict.cost <= request["most_cost"] else ["its cost"]),
        *([] if request["part"] is None else _missing(about, request["part"], submission)),
    ]
    if wrong:
        sides = {"the statement": "meets the request", "the word itself": f"not by {wrong[0]!r}"}
        raise Disagreement(f"the word {word.decode('utf-8')}", sides)
    return verdict.cost


def _kept_motifs(about: Subject, word: bytes, without: Sequence[str], seconds: float) -> list[str]:
    """The motifs, of those that are not to hold, that hold by their graph predicates; raises Undecided."""
    if not without:
        return []
    holds = resolve(HOLDS)(about, [word], seconds)[word]
    return [name for name in without if holds[name]]


def _missing(about: Subject, part: Json, submission: Submission[Any]) -> list[str]:
    """What a word lacks of the submission that it is to go on from: its moves, in their order where that counts."""
    begun = about.world.read_submission(about.instance, part).moves
    later = iter(submission.moves)
    return ["what it goes on from" for one in begun if one not in later]


def request_of(
    about: Subject, lacking: Sequence[str], required: Sequence[str], forbidden: Sequence[str], cost: int | None
) -> dict[str, Json]:
    """The request of some options; raises MalformedInput."""
    read = [
        [parse(move(about, one), SUBMISSION_BYTES, SUBMISSION_DEPTH) for one in some] for some in (required, forbidden)
    ]
    return {**NOTHING, "without": [*lacking], "require": read[0], "forbid": read[1], "most_cost": cost}
