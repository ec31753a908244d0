"""Command conform: hold a grader, in whatever language, to the corpus; or be such a grader (--serve). Loads no solver.

Exit codes: 0 all agree, 1 some differ, 2 wrong usage, 3 undecided: nothing differs, but some case has no answer, or the
grader broke the protocol.
"""

from __future__ import annotations

import shlex
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from cwr_audits import allowed
from cwr_audits.conform import (
    REQUEST_BYTES,
    Answer,
    Conformance,
    Outcome,
    Patience,
    answer_json,
    corpus,
    examine,
    read_request,
    write_answer,
)
from cwr_audits.files import STDIN, checkout, open_bytes
from cwr_audits.late import TABLE, resolve
from cwr_audits.out import ACCEPTED, REJECTED, UNDECIDED, say, say_error, say_json
from cwr_solvers.catalogue import WORLDS, world
from cwr_solvers.errors import UsageError
from cwr_solvers.grading import grade
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json, canonical, parse
from cwr_solvers.reading import as_map, as_name
from cwr_solvers.world import World

SHOWN = 20
KEPT = 64
WORDS = ("agree", "differ", "undecided")


def conform(
    command: str | None,
    families: tuple[str, ...],
    folder: str | None,
    patience: tuple[float, float],
    codes: bool,
    json_out: bool,
) -> int:
    """Ask a grader about the corpus, of some families or of all."""
    for seconds in patience:
        allowed.time_limit(seconds)
    place = checkout() / "tests" / "corpus" if folder is None else Path(folder)
    asked = tuple(world(name.upper()).family for name in families) or tuple(WORLDS)
    found = examine(_split(command), corpus(place, asked), Patience(*patience), codes)
    if json_out:
        say_json(_json(found))
    else:
        _print(found)
    if found.of("differ"):
        return REJECTED
    return UNDECIDED if found.faults or found.of("undecided") else ACCEPTED


def _split(command: str | None) -> list[str]:
    """The words of a command, by the quoting rules of a shell; no shell runs them."""
    try:
        words = shlex.split(command or "")
    except ValueError as error:
        raise UsageError(f"the grader's command cannot be split into words: {error}") from None
    if not words:
        raise UsageError("name a grader by --command, or be one by --serve")
    return words


def _json(found: Conformance) -> Json:
    shown: dict[str, Json] = {word: [_outcome(one) for one in found.of(word)] for word in WORDS[1:]}
    counts: dict[str, Json] = {"cases": len(found.outcomes), "agree": len(found.of("agree"))}
    return {**counts, **shown, "faults": list(found.faults)}


def _outcome(one: Outcome) -> Json:
    said = None if one.said is None else answer_json(one.said)
    told: dict[str, Json] = {"case": one.case.name, "id": one.case.id, "due": answer_json(one.case.due), "said": said}
    return {**told, "why": one.why} if one.why else told


def _print(found: Conformance) -> None:
    families = sorted({one.case.family for one in found.outcomes})
    resolve(TABLE)(("world", "cases", *WORDS), [_row(found, family) for family in families])
    for one in (*found.of("differ"), *found.of("undecided"))[:SHOWN]:
        say(f"{one.case.name}: {_told(one)}")
    more = len(found.outcomes) - len(found.of("agree")) - SHOWN
    if more > 0:
        say(f"… and {more} more (all with --json)")
    for fault in found.faults:
        say_error(fault)


def _row(found: Conformance, family: str) -> tuple[str, ...]:
    words = [one.word for one in found.outcomes if one.case.family == family]
    return (family, str(len(words)), *(str(words.count(word)) for word in WORDS))


def _told(one: Outcome) -> str:
    if one.word == "undecided" or one.said is None:
        return f"undecided: {one.why}"
    return f"due {_words(one.case.due)}, said {_words(one.said)}"


def _words(answer: Answer) -> str:
    step = "" if answer.step is None else f" at step {answer.step}"
    return answer.verdict + step + (f" ({', '.join(answer.codes)})" if answer.codes else "")


def serve() -> int:
    """Answer requests on standard input by the interpreters; ends with the input, or at a line that is no request."""
    examined = 0
    with open_bytes(STDIN) as stream:
        while line := stream.readline(REQUEST_BYTES + 1):
            say_json(_answer(line.removesuffix(b"\n")))
            sys.stdout.flush()
            examined += 1
    if not examined:
        raise UsageError("no request on standard input")
    return ACCEPTED


def _answer(line: bytes) -> Json:
    name, source, data = read_request(line)
    played, instance = _instance(canonical(source))
    verdict = grade(played, instance, data)
    return write_answer(name, Answer(verdict.status, verdict.step, verdict.codes))


@lru_cache(KEPT)
def _instance(source: bytes) -> tuple[World, Any]:
    """The world of an instance's JSON, and the instance; raises MalformedInput."""
    value = parse(source, INSTANCE_BYTES, INSTANCE_DEPTH)
    played = WORLDS[as_name(as_map(value, "/instance").get("family"), "/instance/family", WORLDS, "family")]
    return played, played.read_instance(value)
