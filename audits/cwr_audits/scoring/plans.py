"""The plan of an analysis, and the document that fixes it before a run: preregistration.json, canonical JSON.

{"schema":"cwr-preregistration/1",
 "analysis":{"alpha":"0.05","families":"fixed"|"random","missing":"drop"|"bounds","test":"sign-flip"|"t"},
 "design":{…}, "results":{…}}       what `cwr power` was asked, and what it found: read by people only
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

from cwr_audits.files import blaming, read_bytes
from cwr_audits.scoring.analysis import KINDS, POLICIES, TESTS, Plan
from cwr_audits.scoring.numbers import read_decimal
from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import Json, parse
from cwr_solvers.reading import as_name, as_object

SCHEMA = "cwr-preregistration/1"
BYTES = 16 * 1024 * 1024
DEPTH = 12
DEFAULT = Plan(Fraction(1, 20), "fixed", "sign-flip", "drop")
SMALLEST_ALPHA, LARGEST_ALPHA = Fraction(1, 1_000_000), Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Fixed:
    """A plan and the digest of the document that fixes it; None: none does."""

    plan: Plan
    digest: str | None


def read_plan(value: Json, at: str) -> Plan:
    """The plan that a document states; raises MalformedInput."""
    fields = as_object(value, at, ("alpha", "families", "missing", "test"))
    names = {"families": KINDS, "missing": POLICIES, "test": TESTS}
    for name, known in names.items():
        as_name(fields[name], f"{at}/{name}", known, name)
    return Plan(
        read_decimal(fields["alpha"], f"{at}/alpha", SMALLEST_ALPHA, LARGEST_ALPHA),
        next(one for one in KINDS if one == fields["families"]),
        next(one for one in TESTS if one == fields["test"]),
        next(one for one in POLICIES if one == fields["missing"]),
    )


def write_plan(plan: Plan) -> dict[str, Json]:
    """The JSON of a plan."""
    alpha = f"{plan.alpha.numerator}/{plan.alpha.denominator}"
    return {
        "alpha": _decimal(plan.alpha) or alpha,
        "families": plan.families,
        "missing": plan.missing,
        "test": plan.test,
    }


def _decimal(value: Fraction) -> str | None:
    """The fraction as the decimal that it was read from."""
    text = f"{float(value):.12f}".rstrip("0")
    return text if Fraction(text) == value else None


def fixed_plan(name: str | None, asked: dict[str, str | None]) -> Fixed:
    """The plan of a preregistration with which all that is asked agrees; the defaults and what is asked without one.

    Raises UsageError and MalformedInput.
    """
    if name is None:
        defaults = write_plan(DEFAULT)
        stated = {key: defaults[key] if word is None else word for key, word in asked.items()}
        return Fixed(read_plan(stated, ""), None)
    data = read_bytes(name, BYTES)
    with blaming(name):
        fields = as_object(parse(data, BYTES, DEPTH), "", ("schema", "analysis", "design", "results"))
        as_name(fields["schema"], "/schema", (SCHEMA,), "schema")
        plan = read_plan(fields["analysis"], "/analysis")
    _refuse_other(name, plan, asked)
    return Fixed(plan, sha256(data).hexdigest())


def _refuse_other(name: str, plan: Plan, asked: dict[str, str | None]) -> None:
    """Refuse what departs in its meaning: 0.050 is 0.05."""
    stated = write_plan(plan)
    for key, word in asked.items():
        if word is not None and getattr(read_plan({**write_plan(DEFAULT), key: word}, ""), key) != getattr(plan, key):
            raise UsageError(f"--{key} {word} departs from {name}, which states {stated[key]}")
