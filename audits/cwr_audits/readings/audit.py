"""The audit of motifs: for each world and reading the label, who agrees on it, whether it survives, how common it is.

What happens to one world never touches another: an exception on the way is the failure of that world alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from cwr_audits.agreement import Difference
from cwr_audits.attempts import Failed, attempt
from cwr_audits.certify import Failure
from cwr_audits.motifs import MOTIFS
from cwr_audits.out import ACCEPTED, DISAGREE, REJECTED, UNDECIDED
from cwr_audits.readings import agreeing, rates, survival
from cwr_audits.readings.agreeing import Agreeing, constancy
from cwr_audits.readings.certificates import MADE, Certified, certificate
from cwr_audits.readings.labels import DECIDED, UNDECIDED_LABEL, Labelled, labelled
from cwr_audits.readings.listing import Listing, read_listing
from cwr_audits.readings.rates import Rate
from cwr_audits.readings.survival import Survival
from cwr_audits.routes import MEGABYTES
from cwr_audits.subject import Subject
from cwr_audits.wire import Reply, found, task
from cwr_audits.workers import Crew
from cwr_solvers.answers import Limits
from cwr_solvers.errors import Undecided

Progress: TypeAlias = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Reading:
    """What one motif of one world came to. `listing` is None where a limit kept the classes from being listed."""

    about: Subject
    motif: str
    labelled: Labelled
    certificate: Certified
    listing: Listing | None
    agreeing: Agreeing
    survives: tuple[Survival, ...]
    rate: Rate
    differences: tuple[Difference, ...]

    @property
    def code(self) -> int:
        """The exit code. What survival or base rate leave undecided is a value of theirs and does not count here."""
        if self.differences:
            return DISAGREE
        if self.certificate.outcome in ("rejected", "malformed"):
            return REJECTED
        stopped = [status for said in self.agreeing.routes.values() for status in said.values()]
        limited = self.listing is None or self.labelled.label == UNDECIDED_LABEL
        return UNDECIDED if limited or any(one.startswith(agreeing.STOPPED) for one in stopped) else ACCEPTED


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a world before its motifs are looked at."""

    one: Subject
    listing: Listing | None
    certificate: Certified
    drawn: tuple[Listing | None, ...]


def audit(
    crew: Crew, subjects: Sequence[Subject], within: Limits, instances: int, issued: Path, tell: Progress
) -> Iterator[tuple[Reading, ...] | Failure]:
    """The readings of the subjects in their order.

    `crew` has the workers of `cwr_audits.late.READERS`, the prover among them; `instances` is how many random ones
    each base rate is taken of; certificates are looked for in `issued`/CODE.
    """
    lists = [crew.ask("graph", task(one.world.family, one.source, within, MEGABYTES, ask="list")) for one in subjects]
    families = dict.fromkeys(one.world.family for one in subjects)
    drawn = {family: rates.ask(crew, family, instances, within) for family in families}
    for one, listed in zip(subjects, lists, strict=True):
        ended = attempt(_work(crew, one, listed, drawn, within, issued, tell))
        yield Failure(one.code, ended) if isinstance(ended, Failed) else ended.value


def _work(
    crew: Crew,
    one: Subject,
    listed: Future[Reply],
    drawn: Mapping[str, Sequence[Future[Reply]]],
    within: Limits,
    issued: Path,
    tell: Progress,
) -> Callable[[], tuple[Reading, ...]]:
    """The work on one world, still to be done."""

    def work() -> tuple[Reading, ...]:
        motifs = MOTIFS.get(one.world.family, {})
        if not motifs:
            raise Undecided("unsupported", f"the family {one.world.family} has no motif, so that nothing was examined")
        tell(f"{one.code}: listing classes")
        listing = _listing(listed)
        asked = {} if listing is None else {name: agreeing.ask(crew, one, name, listing, within) for name in motifs}
        raised = {name: survival.ask(crew, one, name, within) for name in motifs}
        tell(f"{one.code}: checking the certificate")
        checked = _certificate(crew, one, listing, issued, within)
        tell(f"{one.code}: drawing random instances")
        known = _Known(one, listing, checked, rates.listings(drawn[one.world.family]))
        return tuple(_reading(crew, known, name, asked.get(name), raised[name], within) for name in motifs)

    return work


def _listing(listed: Future[Reply]) -> Listing | None:
    try:
        return read_listing(found(listed.result()))
    except Undecided:
        return None


def _certificate(crew: Crew, one: Subject, listing: Listing | None, issued: Path, within: Limits) -> Certified:
    try:
        return certificate(crew, one, listing, issued, within)
    except Undecided as limit:
        return Certified(MADE, "", "undecided", str(limit), {})


def _reading(
    crew: Crew,
    known: _Known,
    motif: str,
    asked: agreeing.Asked | None,
    raised: survival.Asked,
    within: Limits,
) -> Reading:
    listing, label = known.listing, labelled(known.one, motif, known.listing, known.certificate)
    said = Agreeing({}, ()) if listing is None or asked is None else agreeing.compare(motif, listing, asked)
    later: tuple[Survival, ...] = ()
    against: tuple[Difference, ...] = ()
    if label.label in DECIDED:
        later, against = survival.judged(crew, known.one, motif, label.label, raised, within)
    mixed = () if listing is None else constancy("", listing, motif)
    differences = (*mixed, *label.differences, *said.differences, *against, *rates.inconstant(known.drawn, motif))
    rate = rates.rate(known.drawn, motif)
    return Reading(known.one, motif, label, known.certificate, listing, said, later, rate, differences)
