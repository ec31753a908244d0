"""Which other solutions are there? Answered from the stored space, which is made where there is none; where it is too
large to list, by a solver with the request posted.

A space answers wholly: its "none" is proved. A solver answers with some alternatives and never says that they are all.
Its "none" counts where a second solver, whose encoding shares no rule with the first, says it too; where the second
finds one, they disagree. Whatever is to be shown is graded first, and must be accepted at the cost that was said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from cwr_audits import query, store
from cwr_audits.distance import distance, spelled
from cwr_audits.late import MOTIFS, NONE, SOME, SPACE, resolve
from cwr_audits.request import Answer, Request, measured, motif
from cwr_audits.routes import MEGABYTES, MOST_WORDS
from cwr_audits.rows import read_rows
from cwr_audits.subject import Subject
from cwr_audits.wire import found, task
from cwr_audits.workers import crew
from cwr_solvers.answers import Limits
from cwr_solvers.errors import Disagreement, Undecided
from cwr_solvers.grading import grade, read_text
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, parse

POOL = 1000  # words that a solver lists where an order or a cost decides which are shown
TOO_LARGE = ("words", "states", "size", "time", "memory", "killed")

Tell = Callable[[str], None]


def alternatives(about: Subject, request: Request, place: Path, seconds: float, tell: Tell) -> Answer:
    """The answer to a request, graded. Raises UsageError, Undecided, Disagreement.

    `seconds` is for each thing that may take long: listing the space, a condition, each solver.
    """
    for name in (*request.having, *request.lacking):
        motif(about, name)
    try:
        folder = kept(about, place, seconds, tell)
    except Undecided as error:
        if error.reason not in TOO_LARGE:
            raise
        return graded(about, _solved(about, request, seconds, tell, error))
    with query.opened(folder, about) as space:
        return graded(about, query.asked(space, about, request, seconds))


def kept(about: Subject, place: Path, seconds: float, tell: Tell) -> Path:
    """The folder of the stored space, made where there is none; raises Undecided where it is too large to list."""
    folder = store.stored(place, about)
    if folder is not None:
        return folder
    tell(f"{about.code}: listing the solution space")
    asked = task(about.world.family, about.source, Limits(seconds, MOST_WORDS), MEGABYTES, witness=about.witness)
    try:
        rows = read_rows(_ask(SPACE, asked))
    except Undecided as error:
        store.keep_undecided(place, about, error)
        raise
    return store.keep(place, about, rows)


def graded(about: Subject, answer: Answer) -> Answer:
    """The answer, once every alternative is graded; raises Disagreement where one is not accepted at its cost."""
    for one in answer.alternatives:
        verdict = grade(about.world, about.instance, one.word)
        if verdict.status != "accepted" or verdict.cost != one.cost:
            said = f"{verdict.status}, cost {verdict.cost}"
            sides = {f"the {answer.basis}": f"accepted, cost {one.cost}", "the interpreter": said}
            raise Disagreement(f"the word {one.word.decode('utf-8')}", sides)
    return answer


def _ask(engine: str, asked: dict[str, Any]) -> Any:
    """What a worker of its own found."""
    with crew({"alternatives": engine}) as workers:
        return found(workers.ask("alternatives", asked).result())


def _solved(about: Subject, request: Request, seconds: float, tell: Tell, reason: Undecided) -> Answer:
    """Some alternatives, by the solvers."""
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
