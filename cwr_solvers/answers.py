"""What is asked of a route and what a route answers; the same words for interpreter, CP-SAT, SMT and CNF."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from cwr_solvers.errors import Undecided
from cwr_solvers.jsontext import Json


@dataclass(frozen=True, slots=True)
class Claim:
    """What an encoding is to describe: the accepted words of the instance that meet every request.

    most_cost   the cost is at most this; None stands for the instance's own bound
    having      names of motifs that hold
    lacking     names of motifs that do not hold
    required    moves, as JSON like `World.write_move` makes it, of which each occurs somewhere in the word
    forbidden   moves, likewise, of which none occurs anywhere in the word
    """

    most_cost: int | None = None
    having: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    required: tuple[Json, ...] = ()
    forbidden: tuple[Json, ...] = ()


def refuse_unsupported(claim: Claim, having: Collection[str], lacking: Collection[str], *, moves: bool) -> None:
    """Undecided("unsupported") where the claim asks what a build cannot post; every build calls it first.

    `having` and `lacking` are the motifs that the build can post and deny, `moves` is whether it can post moves.
    """
    unknown = [f"having {name}" for name in claim.having if name not in having]
    unknown += [f"lacking {name}" for name in claim.lacking if name not in lacking]
    if not moves:
        unknown += [name for name, some in (("required", claim.required), ("forbidden", claim.forbidden)) if some]
    if unknown:
        raise Undecided("unsupported", f"this encoding has no constraints for: {', '.join(unknown)}")


@dataclass(frozen=True, slots=True)
class Limits:
    """When to give up: wall seconds for a whole question, and how many words to list. Both raise Undecided."""

    seconds: float
    words: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A route's whole answer on one instance.

    optimum   the least cost, found by minimising (not by looking through the words); None: proved that none exists
    words     {canonical JSON of an accepted word (see cwr_solvers.world): its cost}, complete within the bound
    """

    optimum: int | None
    words: Mapping[bytes, int]
