"""Which other solutions are there? Answered from the stored space, which is made where there is none (and goes again
where the user's cache folder cannot keep it); where it is too large to list, by a solver with the request posted.

A space answers wholly: its "none" is proved. A solver answers with some alternatives and never says that they are all.
Its "none" counts where a second solver, whose encoding shares no rule with the first, says it too; where the second
finds one, they disagree. Whatever is to be shown is graded first, and must be accepted at the cost that was said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from cwr_audits import query, store
from cwr_audits.late import LISTED, SOLVED, resolve
from cwr_audits.request import Answer, Request, accepted, measured, motif
from cwr_audits.rows import ClassRow
from cwr_audits.subject import Subject
from cwr_solvers.errors import Undecided

TOO_LARGE = ("words", "states", "size", "time", "memory", "killed")

Tell = Callable[[str], None]
Opening = Callable[[Path, Subject], AbstractContextManager[query.Open]]


def alternatives(
    about: Subject, request: Request, place: store.Place, seconds: float, tell: Tell, opening: Opening = query.opened
) -> Answer:
    """The answer to a request, graded. Raises UsageError, Undecided, Disagreement.

    `seconds` is for each thing that may take long: listing the space, a condition, each solver. `opening` may keep
    spaces open between questions.
    """
    for name in (*request.having, *request.lacking):
        motif(about, name)
    measured(about, request)
    with ExitStack() as stack:
        try:
            folder, unkept = stack.enter_context(kept(about, place, seconds, tell))
        except Undecided as error:
            if error.reason not in TOO_LARGE:
                raise
            solved: Answer = resolve(SOLVED)(about, request, seconds, tell, error)
            return graded(about, solved)
        with opening(folder, about) as space:
            return replace(graded(about, query.asked(space, about, request, seconds)), unkept=unkept)


@contextmanager
def kept(about: Subject, place: store.Place, seconds: float, tell: Tell) -> Iterator[tuple[Path, str]]:
    """The folder of the stored space, made where there is none, and why it goes at the end (empty: it stays).

    Raises Undecided where the space is too large to list, UsageError where a folder that was named cannot keep it.
    """
    folder = None if place.folder is None else store.stored(place.folder, about)
    if folder is not None:
        yield folder, ""
        return
    rows = _listed(about, place, seconds, tell)
    unkept = store.kept_in(place, lambda folder: store.keep(folder, about, rows))
    if place.folder is not None and not unkept:
        yield place.folder / store.key(about), ""
        return
    with TemporaryDirectory() as passing:
        yield store.keep(Path(passing), about, rows), unkept


def _listed(about: Subject, place: store.Place, seconds: float, tell: Tell) -> tuple[ClassRow, ...]:
    """The rows of the space; where it is too large to list, that is kept in mind. Raises Undecided."""
    tell(f"{about.code}: listing the solution space")
    try:
        rows: tuple[ClassRow, ...] = resolve(LISTED)(about, seconds)
    except Undecided as error:
        reason = error
        store.kept_in(place, lambda folder: store.keep_undecided(folder, about, reason))
        raise
    return rows


def graded(about: Subject, answer: Answer) -> Answer:
    """The answer, once every alternative is graded; raises Disagreement where one is not accepted at its cost."""
    for one in answer.alternatives:
        accepted(about, one.word, one.cost, f"the {answer.basis}")
    return answer
