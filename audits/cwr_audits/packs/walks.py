"""Where the questions of a pack come from: states that legal walks reach, and steps that are or are not legal there.

A step is drawn from everything that can be written down in the family (cwr_audits.attacks.vocabulary), so illegal ones
are of every kind. Where legal ones are rare among those, the interpreter is asked for them, so that no walk ends early.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from cwr_audits.attacks.vocabulary import VOCABULARIES
from cwr_solvers.jsontext import Json
from cwr_solvers.sampling import pick, some
from cwr_solvers.world import Broken, Submission, World

MOST_TRIED = 100  # steps tried in one state before the interpreter is asked for a legal one


@dataclass(frozen=True, slots=True)
class Tried:
    """A step in a state that the moves of `path` lead to; `after` is the next state, or Broken."""

    path: tuple[Any, ...]
    state: Any
    move: Any
    after: Any

    @property
    def legal(self) -> bool:
        return not isinstance(self.after, Broken)


def vocabulary(world: World, instance: Any) -> tuple[Any, ...]:
    """Every step that can be written down, as read."""
    return tuple(world.read_move(instance, move) for move in VOCABULARIES[world.family].moves(instance))


def tried(world: World, instance: Any, moves: Sequence[Any], draws: Random, walks: int, steps: int) -> list[Tried]:
    """What happens at some steps along so many random legal walks of at most so many steps."""
    found: list[Tried] = []
    for _ in range(walks):
        state, path = world.initial(instance), tuple[Any, ...]()
        for _ in range(steps):
            here = _here(world, instance, moves, draws, path, state)
            found += here
            legal = [one for one in here if one.legal]
            if not legal:
                break
            state, path = legal[-1].after, (*path, legal[-1].move)
    return found


def _here(
    world: World, instance: Any, moves: Sequence[Any], draws: Random, path: tuple[Any, ...], state: Any
) -> list[Tried]:
    """Steps at one state, in an order that is drawn, up to the first legal one."""
    found: list[Tried] = []
    for move in some(draws, moves, min(len(moves), MOST_TRIED)):
        found.append(Tried(path, state, move, world.step(instance, state, move)))
        if found[-1].legal:
            return found
    known = [Tried(path, state, move, world.step(instance, state, move)) for move in world.moves(instance, state)]
    legal = [one for one in known if one.legal]
    return [*found, pick(draws, legal)] if legal else found


def walk(world: World, instance: Any, moves: Sequence[Any], draws: Random, steps: int) -> tuple[Any, ...]:
    """The moves of a random legal walk of so many steps, or fewer where it comes to a dead end."""
    ways = [one for one in tried(world, instance, moves, draws, 1, steps) if one.legal]
    return (*ways[-1].path, ways[-1].move) if ways else ()


def submitted(world: World, instance: Any, path: tuple[Any, ...], draws: Random) -> Submission[Any]:
    """The submission with these moves; where there is a final choice to make, one is drawn."""
    state = world.initial(instance)
    for move in path:
        after = world.step(instance, state, move)
        state = state if isinstance(after, Broken) else after
    return Submission(path, pick(draws, list(world.choices(instance, world.terminal(instance, state)))))


def written(world: World, instance: Any, path: tuple[Any, ...], draws: Random) -> Json:
    """The JSON of `submitted`."""
    return world.write_submission(instance, submitted(world, instance, path, draws))
