"""What an audit of a pack says: one of three verdicts, the reasons by code, and the evidence.

passed      everything that was asked was examined and is as it should be
failed      something is not as it should be, or nothing was examined
undecided   nothing is known to be wrong, but a limit came before all was examined

Of one audit the worst decides: failed, undecided, passed. docs/audits.md lists the audits and their codes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from cwr_audits.packs.model import Pack
from cwr_audits.packs.verdicts import Audit, Reason, Verdict
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided, UsageError
from cwr_solvers.jsontext import Json

NOTHING, MALFORMED, DISAGREE, LIMIT = "nothing-examined", "malformed", "routes-disagree", "limit"


@dataclass(frozen=True, slots=True)
class Why:
    """Why an audit did not pass: a stable code, what it is about (a world, an item, a file), and a line of text."""

    code: str
    about: str
    said: str
    verdict: Verdict = "failed"


@dataclass(frozen=True, slots=True)
class Found:
    """What an examination found. `examined` counts the things that were looked at."""

    examined: int
    reasons: tuple[Why, ...]
    evidence: Mapping[str, Json] = field(default_factory=dict)


def concluded(name: str, pack: Pack, examine: Callable[[Pack], Found]) -> Audit:
    """The audit that an examination comes to; one that broke off is undecided, or failed where the pack is at fault."""
    try:
        found = examine(pack)
    except Undecided as error:
        found = Found(1, (Why(LIMIT, "pack", str(error), "undecided"),))
    except (MalformedInput, UsageError) as error:
        found = Found(1, (Why(MALFORMED, "pack", str(error)),))
    except Disagreement as error:
        found = Found(1, (Why(DISAGREE, "pack", str(error)),))
    whys = found.reasons
    if not found.examined:
        whys = (*whys, Why(NOTHING, "pack", "there was nothing to examine"))
    evidence: dict[str, Json] = {"examined": found.examined, **found.evidence}
    verdict = worst(why.verdict for why in whys)
    return Audit(name, verdict, tuple(Reason(why.code, f"{why.about}: {why.said}") for why in whys), evidence)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict that decides; passed where there is nothing to the contrary."""
    seen = set(verdicts)
    if "failed" in seen:
        return "failed"
    return "undecided" if "undecided" in seen else "passed"


def per_world(pack: Pack, examine: Callable[[str], Found]) -> Found:
    """The examinations of all worlds of a pack as one; a world in which nothing was examined has failed."""
    total, reasons, evidence = 0, list[Why](), dict[str, Json]()
    for code in pack.worlds:
        try:
            found = examine(code)
        except Undecided as error:
            found = Found(1, (Why(LIMIT, code, str(error), "undecided"),))
        total += found.examined
        reasons += found.reasons
        evidence[code] = dict(found.evidence)
        if not found.examined and not found.reasons:
            reasons.append(Why(NOTHING, code, "there was nothing to examine"))
    return Found(total, tuple(reasons), {"worlds": evidence})
