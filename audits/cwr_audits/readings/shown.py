"""Readings as JSON and as a table for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from cwr_audits.certify import Failure
from cwr_audits.ledger import difference_json
from cwr_audits.out import number
from cwr_audits.readings.agreeing import AGREES, DIFFERS, STOPPED, UNMEASURED
from cwr_audits.readings.audit import Reading
from cwr_audits.readings.listing import counted
from cwr_audits.readings.rates import SAYS
from cwr_audits.readings.survival import Survival
from cwr_solvers.jsontext import Json, canonical

SCOPE = "bound"  # what labels and counts speak of: all accepted submissions within the bound of the instance

Counted = dict[str, Json]


def reading_json(one: Reading) -> dict[str, Json]:
    """The JSON of a reading; null stands for what is not known."""
    known = one.certificate.outcome == "verified"
    rate: dict[str, Json] = {**asdict(one.rate), "says": one.rate.says}
    return {
        "code": one.about.code,
        "family": one.about.world.family,
        "instance_sha256": one.about.digest,
        "motif": one.motif,
        "label": one.labelled.label,
        "scope": SCOPE,
        "reason": one.labelled.reason,
        **_counts(one, optimum=False),
        "optimum": _counts(one, optimum=True),
        "counterexample": one.labelled.counterexample,
        "certificate_sha256": one.certificate.digest if known else None,
        "certificate": one.certificate.origin,
        "routes": {route: dict(said) for route, said in one.agreeing.routes.items()},
        "survives": [survival_json(found) for found in one.survives],
        "base_rate": rate,
        "differences": [difference_json(difference) for difference in one.differences],
    }


def failure_json(failure: Failure) -> dict[str, Json]:
    """The JSON of a world without readings."""
    unknown = ("motif", "label", "classes", "classes_with", "raw", "raw_with", "counterexample", "certificate_sha256")
    return {"code": failure.name, "error": failure.failed.text, **dict.fromkeys(unknown)}


def survival_json(found: Survival) -> dict[str, Json]:
    """The JSON of a survival."""
    return {
        "by": found.by,
        "label": found.label,
        "survives": found.survives,
        "counterexample": found.counterexample,
        "refutation": None if found.evidence is None else dict(found.evidence),
        "reason": found.reason,
    }


def _counts(one: Reading, *, optimum: bool) -> Counted:
    if one.listing is None:
        return dict.fromkeys(("classes", "classes_with", "raw", "raw_with"))
    found = counted(one.listing, one.motif, one.listing.cheapest if optimum else one.listing.kinds)
    return {
        "classes": found.classes,
        "classes_with": found.classes_with,
        "raw": number(found.raw),
        "raw_with": number(found.raw_with),
    }


COLUMNS = ("world", "motif", "label", "classes", "raw", "optimal", "+1", "+2", "base rate", "routes")


def row(told: dict[str, Any]) -> tuple[str, ...]:
    """A row of the table, from the JSON of a reading."""
    survives = {found["by"]: found for found in told["survives"]}
    rate = told["base_rate"]
    return (
        told["code"],
        told["motif"],
        told["label"],
        share(told["classes_with"], told["classes"]),
        share(told["raw_with"], told["raw"]),
        share(told["optimum"]["classes_with"], told["optimum"]["classes"]),
        *(survived(survives.get(by)) for by in (1, 2)),
        f"{share(rate['classes_with'], rate['classes'])} {rate['says']}",
        routes(told["routes"]),
    )


def share(some: object, every: object) -> str:
    """So many of so many."""
    return "-" if every is None else f"{some} of {every}"


def survived(told: dict[str, Any] | None) -> str:
    """Whether a label survives."""
    if told is None:
        return "-"
    if told["survives"] is None:
        return "undecided"
    return "survives" if told["survives"] else str(told["label"])


def routes(told: dict[str, dict[str, str]]) -> str:
    """Who agrees with the graph predicate, counted by what they say."""
    if not told:
        return "-"
    words = {route: _worst(list(said.values())) for route, said in told.items()}
    counts = Counter(words.values())
    return ", ".join(f"{counts[word]} {_plural(word, counts[word])}" for word in sorted(counts))


def _worst(said: Sequence[str]) -> str:
    """What a route comes to: having no constraints for one of its two questions does not undo what it agrees on."""
    for status in (DIFFERS, STOPPED, AGREES):
        if any(one.startswith(status) for one in said):
            return status
    return UNMEASURED


def _plural(word: str, count: int) -> str:
    return {AGREES: "agree", DIFFERS: "differ"}.get(word, word) if count > 1 else word


def notes(told: dict[str, Any]) -> list[str]:
    """What a row has no room for: the counterexample, an undecided label's reason, what the base rate means."""
    name = f"{told['code']} {told['motif']}"
    found = []
    if told["counterexample"] is not None:
        found.append(f"{name}: without it, and accepted: {canonical(told['counterexample']).decode('utf-8')}")
    for later in told["survives"]:
        if later["survives"] is False:
            shown = canonical(later["counterexample"]).decode("utf-8")
            found.append(f"{name}: without it under a bound raised by {later['by']}: {shown}")
        elif later["survives"] is None:
            found.append(f"{name}: under a bound raised by {later['by']}: {later['reason']}")
    if told["reason"]:
        found.append(f"{name}: {told['reason']}")
    if told["base_rate"]["says"] != "varies":
        found.append(f"{name}: {SAYS[told['base_rate']['says']]}")
    return found
