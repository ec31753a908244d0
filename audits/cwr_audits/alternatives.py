"""Which other solutions are there? Answered from the stored space, which is made where there is none; where it is too
large to list, by a solver with the request posted.

A space answers wholly: its "none" is proved. A solver answers with some alternatives and never says that they are all.
Its "none" counts where a second solver, whose encoding shares no rule with the first, says it too; where the second
finds one, they disagree. Whatever is to be shown is graded first, and must be accepted at the cost that was said.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from cwr_audits import query, store
from cwr_audits.late import LISTED, SOLVED, resolve
from cwr_audits.request import Answer, Request, accepted, measured, motif
from cwr_audits.subject import Subject
from cwr_solvers.errors import Undecided

TOO_LARGE = ("words", "states", "size", "time", "memory", "killed")

Tell = Callable[[str], None]
Opening = Callable[[Path, Subject], AbstractContextManager[query.Open]]


def alternatives(
    about: Subject, request: Request, place: Path, seconds: float, tell: Tell, opening: Opening = query.opened
) -> Answer:
    """The answer to a request, graded. Raises UsageError, Undecided, Disagreement.

    `seconds` is for each thing that may take long: listing the space, a condition, each solver. `opening` may keep
    spaces open between questions.
    """
    for name in (*request.having, *request.lacking):
        motif(about, name)
    measured(about, request)
    try:
        folder = kept(about, place, seconds, tell)
    except Undecided as error:
        if error.reason not in TOO_LARGE:
            raise
        solved: Answer = resolve(SOLVED)(about, request, seconds, tell, error)
        return graded(about, solved)
    with opening(folder, about) as space:
        return graded(about, query.asked(space, about, request, seconds))


def kept(about: Subject, place: Path, seconds: float, tell: Tell) -> Path:
    """The folder of the stored space, made where there is none; raises Undecided where it is too large to list."""
    folder = store.stored(place, about)
    if folder is not None:
        return folder
    tell(f"{about.code}: listing the solution space")
    try:
        rows = resolve(LISTED)(about, seconds)
    except Undecided as error:
        store.keep_undecided(place, about, error)
        raise
    return store.keep(place, about, rows)


def graded(about: Subject, answer: Answer) -> Answer:
    """The answer, once every alternative is graded; raises Disagreement where one is not accepted at its cost."""
    for one in answer.alternatives:
        accepted(about, one.word, one.cost, f"the {answer.basis}")
    return answer
