"""Base rates: how common a motif is among the classes of random instances of its family.

A motif that every class has, in all instances drawn, certifies nothing when it is called necessary; one that none has
was not shown at random. Instances that a limit left unlisted are counted apart and are in no rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from cwr_audits.agreement import Difference
from cwr_audits.readings.agreeing import constancy
from cwr_audits.readings.listing import Listing, read_listing
from cwr_audits.routes import MEGABYTES
from cwr_audits.wire import Reply, found, task
from cwr_audits.workers import Crew
from cwr_solvers.answers import Limits
from cwr_solvers.errors import Undecided

SAYS = {
    "always": "it holds of every solution found at random, so it certifies nothing",
    "never": "no random instance shows it",
    "varies": "it separates solutions",
    "nothing examined": "no random instance was listed that has a solution",
}


@dataclass(frozen=True, slots=True)
class Rate:
    """Of the random instances of a family: how many drawn, left undecided, solvable.

    Of the solvable ones: all classes, those with the motif, and in how many instances some class, every class has it.
    """

    instances: int
    undecided: int
    solvable: int
    classes: int
    classes_with: int
    some: int
    every: int

    @property
    def says(self) -> str:
        """One of SAYS."""
        if not self.classes:
            return "nothing examined"
        if self.classes_with == self.classes:
            return "always"
        return "varies" if self.classes_with else "never"


def seed(number: int) -> str:
    """The seed of a random instance."""
    return f"base rate/{number}"


def ask(crew: Crew, family: str, instances: int, within: Limits) -> tuple[Future[Reply], ...]:
    """Ask for the listings of random instances; returns at once."""
    drawn = (task(family, None, within, MEGABYTES, ask="draw", seed=seed(number)) for number in range(instances))
    return tuple(crew.ask("rates", one) for one in drawn)


def listings(asked: Sequence[Future[Reply]]) -> tuple[Listing | None, ...]:
    """The listings, None where a limit came first."""
    return tuple(_listing(future) for future in asked)


def _listing(future: Future[Reply]) -> Listing | None:
    try:
        return read_listing(found(future.result()))
    except Undecided:
        return None


def rate(drawn: Sequence[Listing | None], motif: str) -> Rate:
    """The base rate of a motif over listings of random instances."""
    solvable = [listing for listing in drawn if listing is not None and listing.kinds]
    shares = [[listing.has(motif, kind) for kind in listing.kinds] for listing in solvable]
    return Rate(
        instances=len(drawn),
        undecided=sum(listing is None for listing in drawn),
        solvable=len(solvable),
        classes=sum(len(share) for share in shares),
        classes_with=sum(sum(share) for share in shares),
        some=sum(any(share) for share in shares),
        every=sum(all(share) for share in shares),
    )


def inconstant(drawn: Sequence[Listing | None], motif: str) -> tuple[Difference, ...]:
    """The classes of random instances of which some words have a motif and some lack it."""
    return tuple(
        difference
        for number, listing in enumerate(drawn)
        if listing is not None
        for difference in constancy(f" (random instance {seed(number)!r})", listing, motif)
    )
