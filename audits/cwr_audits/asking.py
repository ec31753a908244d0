"""What `cwr alternatives` asks of workers: to list a space, or, where it is too large, solvers with the request posted.

Loaded late: what is stored already is answered without it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from cwr_audits import query
from cwr_audits.distance import distance, spelled
from cwr_audits.late import MOTIFS, NONE, SOME, SPACE, resolve
from cwr_audits.request import Answer, Request, measured
from cwr_audits.routes import MEGABYTES, MOST_WORDS
from cwr_audits.rows import ClassRow, read_rows
from cwr_audits.subject import Subject
from cwr_audits.wire import found, task
from cwr_audits.workers import crew
from cwr_solvers.answers import Limits
from cwr_solvers.errors import Disagreement, Undecided
from cwr_solvers.grading import read_text
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, parse

POOL = 1000  # words that a solver lists where an order or a cost decides which are shown


def listed(about: Subject, seconds: float) -> tuple[ClassRow, ...]:
    """The table of classes, worked out under limits; raises Undecided and Disagreement."""
    asked = task(about.world.family, about.source, Limits(seconds, MOST_WORDS), MEGABYTES, witness=about.witness)
    return read_rows(_ask(SPACE, asked))


def _ask(engine: str, asked: dict[str, Any]) -> Any:
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
    asked = task(about.world.family, about.source, Limits(seconds, _wanted(request)), MEGABYTES, claim=_claim(request))
    told = _ask(SOME, asked)
    if not told["words"]:
        tell(f"{about.code}: asking Z3")
        if not _ask(NONE, asked)["none"]:
            raise Disagreement("whether there is an alternative", {"cpsat": "none", "smt": "some"})
        note = "the space is not listed; CP-SAT and Z3 both prove that there is no such alternative"
        return Answer((), 0, complete=True, basis="solver", notes=(note,))
    words = {word.encode("utf-8"): cost for word, cost in told["words"] if request.cost in (None, cost)}
    listed = [_measured(about, request, word, cost) for word, cost in words.items()]
    answer = query.shown(about, request, listed)
    shown = tuple(replace(one, number=None, motifs=_motifs(about, request, one.word)) for one in answer)
    more = "which lists no more, but no other route confirms that" if told["complete"] else "and not all"
    note = (
        f"the space is too large to list ({reason.detail}): these are some alternatives, of {len(told['words'])} that "
    )
    return Answer(shown, len(listed), complete=False, basis="solver", notes=(f"{note}CP-SAT listed, {more}",))


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


def _motifs(about: Subject, request: Request, word: bytes) -> dict[str, bool]:
    """The motifs of a word by their graph predicates; raises Disagreement where the solver was told otherwise."""
    submission = read_text(about.world, about.instance, word)
    predicates: Any = resolve(MOTIFS)
    named = predicates[about.world.family].items()
    holds = {name: predicate(about.world, about.instance, submission) for name, predicate in named}
    for names, wanted in ((request.having, True), (request.lacking, False)):
        for name in names:
            if holds[name] != wanted:
                sides = {"cpsat": str(wanted).lower(), "the graph predicate": str(holds[name]).lower()}
                raise Disagreement(f"motif {name} of {word.decode('utf-8')}", sides)
    return holds
