"""Answers attacked: do the interpreter and the other routes accept the same neighbours of the published answers?

A neighbour is judged in its normal form, because routes speak of words. What each route's verdict shows:
  interpreter   the neighbour as it was written, graded as any text
  cpsat, smt    whether the normal form is in the list of all words that the route made and proved complete; it was made
                without knowing the neighbour, so a refusal rests on that proof
  cnf           the statement with all decisions fixed to those of the word, given to a SAT solver: refused where the
                statement knows no such word, or where no assignment of the rest satisfies all clauses
A neighbour that cannot be read is no word; the routes are not asked about it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from cwr_audits.attacks.edits import KINDS
from cwr_audits.attacks.rows import Row
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import grade
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, parse
from cwr_solvers.symmetry import text
from cwr_solvers.world import Rules

PART = "answers"
EXAMPLES = 3


def verdicts(world: Rules, instance: Any, neighbours: Collection[bytes]) -> dict[bytes, str]:
    """What the grader of a world says of each neighbour."""
    return {one: grade(world, instance, one).status for one in neighbours}


def normal_forms(world: Rules, instance: Any, neighbours: Collection[bytes]) -> dict[bytes, bytes]:
    """{neighbour: its normal form} of those that can be read."""
    found = {}
    for one in neighbours:
        try:
            read = world.read_submission(instance, parse(one, SUBMISSION_BYTES, SUBMISSION_DEPTH))
        except MalformedInput:
            continue
        found[one] = text(world, instance, world.normal(instance, read))
    return found


def listed(forms: Mapping[bytes, bytes], words: Collection[bytes]) -> set[bytes]:
    """The neighbours whose normal form is among the words that a route lists."""
    return {one for one, form in forms.items() if form in words}


def compare(
    route: str, kinds: Mapping[bytes, str], said: Mapping[bytes, str], accepted: Collection[bytes]
) -> Iterator[Row]:
    """One row for each kind of edit: on which neighbours the interpreter and a route differ, or on how many they agree.

    `said` is the interpreter's verdict on each neighbour, `accepted` are those that the route accepts.
    """
    if not kinds or not accepted:
        yield Row(PART, f"any, {route}", "undecided", "nothing was judged, or nothing accepted")
    for kind in KINDS:
        some = [one for one, edit in kinds.items() if edit == kind]
        wrong = [one for one in some if (said[one] == "accepted") != (one in accepted)]
        for one in wrong[:EXAMPLES]:
            yield Row(
                PART, f"{kind}, {route}", "hole", f"one of {len(wrong)} in {len(some)}: {_differ(route, one, said)}"
            )
        if some and not wrong:
            yield Row(PART, f"{kind}, {route}", "agrees", counted([said[one] for one in some]))


def counted(said: Sequence[str]) -> str:
    """How many neighbours got which verdict."""
    parts = [f"{said.count(word)} {word}" for word in ("accepted", "rejected", "illegal", "malformed") if word in said]
    return f"{len(said)}: {', '.join(parts)}"


def _differ(route: str, neighbour: bytes, said: Mapping[bytes, str]) -> str:
    theirs = "refuses" if said[neighbour] == "accepted" else "accepts"
    return f"the interpreter says {said[neighbour]}, {route} {theirs} {neighbour.decode('utf-8')}"
