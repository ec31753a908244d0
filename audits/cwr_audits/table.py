"""The table of classes of an instance: what the stored space, the explorer and the queries are made of.

One row a class, found by the exhaustive route. A size counts distinct raw submissions: the namings of the class's words
added up. It is held against the other way to count them, by paths through the states, which lists no word; where the
two differ, or a motif is not the same for all words of a class, no table is made.

Nothing here needs a database. Motif predicates load a graph library; the rows themselves (cwr_audits.rows) do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cwr_audits.distance import Spelled, distance, spelled
from cwr_audits.engines.interpreter import search
from cwr_audits.motifs import MOTIFS
from cwr_audits.routes import MOST_WORDS
from cwr_audits.rows import ClassRow, WordRow
from cwr_audits.spaces import Space, cost_of, space
from cwr_audits.subject import Subject
from cwr_audits.tallies import columns, tally
from cwr_solvers.errors import Disagreement
from cwr_solvers.jsontext import decimal_text
from cwr_solvers.symmetry import SolutionClass, text
from cwr_solvers.world import Submission


def rows(about: Subject, most_words: int = MOST_WORDS) -> tuple[ClassRow, ...]:
    """The classes of an instance, sorted by representative; none where it is proved that nothing is accepted.

    Raises Undecided ("words", "states") where the space is too large to list, Disagreement where it contradicts itself.
    """
    found = search(about.world, about.instance, most_words)
    listed = space(about.world, about.instance, found.answer.words)
    _refuse_difference(dict(found.raw or {}), dict(listed.raw))
    witness = None if about.witness is None else _spelled(about, about.witness)
    named = columns(about.world.family, about.source)
    return tuple(_row(about, listed, one, number, witness, named) for number, one in enumerate(listed.classes, 1))


def _refuse_difference(counted: dict[int, int], listed: dict[int, int]) -> None:
    """Counting by paths and adding up namings are two ways to one number."""
    if counted != listed:
        raise Disagreement("raw counts by cost", {"paths": _counts(counted), "namings": _counts(listed)})


def _counts(raw: dict[int, int]) -> str:
    return ", ".join(f"{decimal_text(number)} of cost {cost}" for cost, number in sorted(raw.items())) or "none"


def _spelled(about: Subject, submission: Any) -> Spelled:
    return spelled(about.world, about.instance, about.world.read_submission(about.instance, submission))


def _row(
    about: Subject, listed: Space, one: SolutionClass, number: int, witness: Spelled | None, named: Mapping[str, str]
) -> ClassRow:
    words = tuple(_word(about, word, witness) for word in one.members)
    moves = [about.world.write_move(about.instance, move) for move in one.representative.moves]
    return ClassRow(
        number=number,
        words=words,
        size=one.size,
        cost=cost_of(about.world, about.instance, listed, one),
        distance=min((word.distance for word in words if word.distance is not None), default=None),
        motifs={motif: _has(about, motif, one) for motif in MOTIFS[about.world.family]},
        tallies=tally(about.world.family, named, moves),
    )


def _word(about: Subject, word: Submission[Any], witness: Spelled | None) -> WordRow:
    away = None if witness is None else distance(spelled(about.world, about.instance, word), witness)
    return WordRow(text(about.world, about.instance, word), about.world.namings(about.instance, word), away)


def _has(about: Subject, motif: str, one: SolutionClass) -> bool:
    """Whether a class has a motif; raises Disagreement where its words are of two minds."""
    holds = MOTIFS[about.world.family][motif]
    found = {holds(about.world, about.instance, word) for word in one.members}
    if len(found) != 1:
        words = f"the class of {text(about.world, about.instance, one.representative).decode('utf-8')}"
        raise Disagreement(f"motif {motif}", {"some words": "yes", "other words": "no", "class": words})
    return found.pop()
