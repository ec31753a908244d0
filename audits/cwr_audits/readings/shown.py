"""Readings as JSON."""

from __future__ import annotations

from dataclasses import asdict

from cwr_audits.certify import Failure
from cwr_audits.ledger import difference_json
from cwr_audits.out import number
from cwr_audits.readings.audit import Reading
from cwr_audits.readings.listing import counted
from cwr_audits.readings.survival import Survival
from cwr_solvers.jsontext import Json

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
