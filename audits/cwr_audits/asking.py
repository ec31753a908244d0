"""What `cwr alternatives` asks of workers: to list a space, or, where it is too large, solvers with the request posted.

Loaded late: what is stored already is answered without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cwr_audits import query
from cwr_audits.distance import distance, spelled
from cwr_audits.late import NONE, SOME, SPACE, VERDICTS
from cwr_audits.request import Alternative, Answer, Request, accepted, measured, moves
from cwr_audits.routes import MEGABYTES, MOST_WORDS
from cwr_audits.rows import ClassRow, read_rows
from cwr_audits.subject import Subject
from cwr_audits.wire import found, task
from cwr_audits.workers import crew
from cwr_solvers.answers import Limits
from cwr_solvers.errors import Disagreement, Undecided
from cwr_solvers.grading import read_text
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, parse

UNSUPPORTED = "unsupported"  # the reason of an encoding that cannot post a request
POOL = 1000  # words that a solver lists where an order or a cost decides which are shown


def listed(about: Subject, seconds: float) -> tuple[ClassRow, ...]:
    """The table of classes, worked out under limits; raises Undecided and Disagreement."""
    asked = task(about.world.family, about.source, Limits(seconds, MOST_WORDS), MEGABYTES, witness=about.witness)
    return read_rows(ask(SPACE, asked))


def ask(engine: str, asked: dict[str, Any]) -> Any:
    """What a worker of its own found."""
    with crew({"alternatives": engine}) as workers:
        return found(workers.ask("alternatives", asked).result())


def solved(about: Subject, request: Request, seconds: float, tell: Callable[[str], None], reason: Undecided) -> Answer:
    """Some alternatives, by the solvers; `reason` is why the space is not listed."""
    if request.where or request.classes:
        need = "conditions and classes need the whole space, which is not listed"
        raise Undecided(reason.reason, f"{need} ({reason.detail})")
    measured(about, request)
    tell(f"{about.code}: asking CP-SAT")
    told, posted = _told(about, request, seconds)
    if not told["words"]:
        if posted:
            tell(f"{about.code}: asking Z3")
        return _none(about, request if posted else Request(cost=request.cost), seconds)
    words = {word.encode("utf-8"): cost for word, cost in told["words"] if request.cost in (None, cost)}
    for word, cost in words.items():
        accepted(about, word, cost, "cpsat")
    fitting = [word for word in words if _steps_fit(about, request, word, posted=posted)]
    if not posted and (request.having or request.lacking):
        holds = holds_of(about, fitting, seconds)
        fitting = [word for word in fitting if _motifs_fit(request, word, holds[word], posted=False)]
    answer = query.shown(about, request, [_measured(about, request, word, words[word]) for word in fitting])
    shown, unknown = _with_motifs(about, request, answer, seconds, posted=posted)
    notes = (f"the space is not listed: {reason.detail}", _said(len(told["words"]), told["complete"], posted), *unknown)
    return Answer(shown, len(fitting), complete=False, basis="solver", notes=notes)


def _with_motifs(
    about: Subject, request: Request, shown: Sequence[Alternative], seconds: float, *, posted: bool
) -> tuple[tuple[Alternative, ...], tuple[str, ...]]:
    """What is to be shown with its motifs, held against the request; a note instead where they take too long."""
    try:
        holds = holds_of(about, [one.word for one in shown], seconds)
    except Undecided as error:
        note = f"motifs were not worked out anew ({error.detail}): that of a request is the word of CP-SAT alone"
        return tuple(replace(one, number=None, motifs=None) for one in shown), (note,)
    for one in shown:
        _motifs_fit(request, one.word, holds[one.word], posted=posted)
    return tuple(replace(one, number=None, motifs=holds[one.word]) for one in shown), ()


def _told(about: Subject, request: Request, seconds: float) -> tuple[Any, bool]:
    """Words from CP-SAT, and whether the request was posted; where its encoding cannot, words of any kind."""
    try:
        return ask(SOME, _task(about, request, seconds)), True
    except Undecided as error:
        if error.reason != UNSUPPORTED:
            raise
        pool = Request(cost=request.cost, limit=POOL)
        return ask(SOME, _task(about, pool, seconds)), False


def _none(about: Subject, request: Request, seconds: float) -> Answer:
    """The answer that there is nothing, once a second solver says it too; raises Disagreement where it does not."""
    if not ask(NONE, _task(about, request, seconds))["none"]:
        raise Disagreement("whether there is an alternative", {"cpsat": "none", "smt": "some"})
    note = "the space is not listed: CP-SAT and Z3 both prove that there is no such alternative"
    return Answer((), 0, complete=True, basis="solver", notes=(note,))


def _said(words: int, complete: bool, posted: bool) -> str:
    """What a reader must know of words that a solver listed."""
    some = f"some alternatives, not all: of {words} words that CP-SAT listed"
    if not posted:
        return f"{some}; it cannot post the request, which was looked for among them"
    return f"{some}; it lists no more, which no other route confirms" if complete else some


def _task(about: Subject, request: Request, seconds: float) -> dict[str, Any]:
    within = Limits(seconds, _wanted(request))
    return task(about.world.family, about.source, within, MEGABYTES, claim=_claim(request))


def _wanted(request: Request) -> int:
    """How many words to ask for."""
    if request.limit is None:
        return MOST_WORDS
    plain = request.order == "least" and request.cost is None and request.diverse is None
    return request.limit if plain else max(POOL, request.limit)


def _claim(request: Request) -> dict[str, Json]:
    return {
        "most_cost": request.cost,
        "having": list(request.having),
        "lacking": list(request.lacking),
        "required": [parse(move, SUBMISSION_BYTES, SUBMISSION_DEPTH) for move in request.required],
        "forbidden": [parse(move, SUBMISSION_BYTES, SUBMISSION_DEPTH) for move in request.forbidden],
    }


def _measured(about: Subject, request: Request, word: bytes, cost: int) -> query.Found:
    """A word of the solver, measured; as a class of its own, since the space is not listed."""
    submission = read_text(about.world, about.instance, word)
    origin = measured(about, request)
    away = None if origin is None else distance(spelled(about.world, about.instance, submission), origin)
    return query.Found(0, cost, {}, ((word, about.world.namings(about.instance, submission), away),))


def holds_of(about: Subject, words: Sequence[bytes], seconds: float) -> dict[bytes, dict[str, bool]]:
    """The motifs of words by their graph predicates, under limits; raises Undecided."""
    texts: list[Json] = [word.decode("utf-8") for word in words]
    asked = task(about.world.family, about.source, Limits(seconds, MOST_WORDS), MEGABYTES, texts=texts)
    return dict(zip(words, ask(VERDICTS, asked), strict=True))


def _motifs_fit(request: Request, word: bytes, holds: Mapping[str, bool], *, posted: bool) -> bool:
    """Whether the motifs of a word are as requested; raises Disagreement where they are not and were to be."""
    wanted = {
        **{f"motif {name}": holds[name] for name in request.having},
        **{f"without motif {name}": not holds[name] for name in request.lacking},
    }
    return _all_met(wanted, word, posted=posted)


def _steps_fit(about: Subject, request: Request, word: bytes, *, posted: bool) -> bool:
    """The same of its steps."""
    found = moves(about, word)
    wanted = {
        **{f"step {one.decode('utf-8')}": one in found for one in request.required},
        **{f"without step {one.decode('utf-8')}": one not in found for one in request.forbidden},
    }
    return _all_met(wanted, word, posted=posted)


def _all_met(wanted: Mapping[str, bool], word: bytes, *, posted: bool) -> bool:
    for name, met in wanted.items():
        if posted and not met:
            raise Disagreement(f"{name} of {word.decode('utf-8')}", {"cpsat": "yes", "the word itself": "no"})
    return all(wanted.values())
