"""Everything that can happen in an instance: every state after legal moves, and what every move does there.

Nothing here relies on the world's own lists of moves: what is tried is the vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from cwr_audits.attacks.vocabulary import VOCABULARIES
from cwr_solvers.grading import run
from cwr_solvers.jsontext import Json
from cwr_solvers.world import Broken, Submission, World

Sight: TypeAlias = Callable[[Any, Any], Hashable]  # of an instance and a state


@dataclass(frozen=True, slots=True)
class Visit:
    """A state and the legal moves that lead there."""

    state: Any
    path: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """A move in a state that was reached, and what it does: the next state, or Broken."""

    visit: Visit
    move: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Reach:
    """The states that are reached, and every move in each. Complete, unless more than so many moves were to be tried.

    `words` says of how many states and moves one speaks.
    """

    visits: tuple[Visit, ...]
    tried: tuple[Tried, ...]
    complete: bool
    words: str


def reach(world: World, instance: Any, most: int, sight: Sight | None = None) -> Reach:
    """Try every move of the vocabulary in every state; stop before more than `most` moves would be tried.

    States of one sight are visited once; where none is given, states of one key.
    """
    vocabulary = VOCABULARIES[world.family]
    see = world.key if sight is None else sight
    moves = [world.read_move(instance, move) for move in vocabulary.moves(instance)]
    start = Visit(world.initial(instance), ())
    seen = {see(instance, start.state)}
    visits, tried = [start], list[Tried]()
    for visit in visits:  # grows while it is read
        if len(tried) + len(moves) > most:
            return Reach(tuple(visits), tuple(tried), False, f"only {len(tried)} moves were tried")
        for move in moves:
            after = world.step(instance, visit.state, move)
            tried.append(Tried(visit, move, after))
            if not isinstance(after, Broken):
                seeing = see(instance, after)
                if seeing not in seen:
                    seen.add(seeing)
                    visits.append(Visit(after, (*visit.path, move)))
    kinds = "reachable states" if sight is None else "kinds of reachable states"
    return Reach(tuple(visits), tuple(tried), True, f"{len(visits)} {kinds} × {len(moves)} moves ({vocabulary.said})")


def whole(world: World, instance: Any) -> Iterator[Json] | None:
    """Every submission of the instance; None where they are not finitely many, or too many."""
    listed = VOCABULARIES[world.family].whole
    return None if listed is None else listed(instance)


def submission(world: World, instance: Any, moves: tuple[Any, ...]) -> Json:
    """The JSON of a submission with these moves; a final choice is the first that may be made without any move."""
    start = world.initial(instance)
    return world.write_submission(instance, Submission(moves, world.choices(instance, start)[0]))


def rules_of(after: Any) -> tuple[str, ...]:
    """The rules that a move broke; none where it was legal."""
    return after.rules if isinstance(after, Broken) else ()


def codes(world: World, instance: Any, value: Json) -> tuple[str, tuple[str, ...]]:
    """Status and broken rules of a submission; raises MalformedInput where it is none."""
    trace = run(world, instance, world.read_submission(instance, value))
    return trace.status, tuple(sorted({fault.rule for fault in trace.faults}))
