"""What the claims of one certificate are judged with: models, refutations, earlier claims. Trusted.

A model is replayed by the interpreter and judged again by the statement. A refutation is the proof of a formula that
the checker wrote; it is never read from somewhere. Raised are Rejected (refuted, or not shown), MalformedInput (not of
the grammar) and Undecided (a limit came first); none of them stands for another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal, NamedTuple

from cwr_certificates.cnf import Cnf
from cwr_certificates.formulas import Formula, dimacs, satisfied
from cwr_certificates.kernel import Limits, verify
from cwr_certificates.replay import Case, normal, replay
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.grading import Verdict
from cwr_solvers.jsontext import LARGEST, Json, canonical, decimal_text
from cwr_solvers.reading import as_int, as_object, as_text, refuse

MOST_SHOWN = 60  # digits of a count that a line has
Outcome = Literal["verified", "rejected", "malformed", "undecided"]


class Rejected(Exception):
    """A claim is refuted or not shown; the argument says why."""


class Shown(NamedTuple):
    """What holds, in one line; what that rests on; what later claims may build on."""

    text: str
    rests_on: str
    value: Any = None


class Finding(NamedTuple):
    """How a claim ended; `shown` is None unless it was verified."""

    kind: str
    outcome: Outcome
    text: str
    shown: Shown | None = None


@dataclass
class Desk:
    """One certificate under check, and what was examined so far.

    having     F's clauses by literal
    formulas   {proof: the formula it refutes}, once verified; `steps` counts the lines of these proofs
    """

    case: Case
    formula: Formula
    having: Mapping[int, list[tuple[int, ...]]]
    proofs: Callable[[str], bytes]
    limits: Limits
    findings: list[Finding] = field(default_factory=list)
    models: int = 0
    formulas: dict[str, Cnf] = field(default_factory=dict)
    refutations: int = 0
    steps: int = 0


def digest(data: bytes) -> str:
    """SHA-256 in lower-case hexadecimal."""
    return sha256(data).hexdigest()


def demand(claimed: Json, found: Json, what: str) -> None:
    """Refuse unless the two are the same JSON; true is not 1."""
    if canonical(claimed) != canonical(found):
        raise Rejected(f"{what} is not as worked out")


def number(count: int) -> Json:
    """A count as JSON: beyond 2^53 as a decimal string; raises Undecided("size") for millions of digits."""
    return count if count <= LARGEST else decimal_text(count)


def short(count: int) -> str:
    """The digits of a count for a line of text."""
    digits = decimal_text(count)
    return digits if len(digits) <= MOST_SHOWN else f"{digits[:MOST_SHOWN]}… ({len(digits)} digits)"


def replayed(desk: Desk, submission: Json, at: str) -> Verdict:
    """The verdict of the interpreter on something that is a submission."""
    desk.models += 1
    verdict = replay(desk.case, submission)
    if verdict.error is not None:
        error = verdict.error
        raise MalformedInput(error.code, at + error.pointer, error.expected, error.found)
    return verdict


def played(desk: Desk, submission: Json, at: str, goal: bool) -> tuple[int, Json]:
    """Cost and word of a legal submission that meets the goal, or not, as replay and statement both say."""
    verdict = replayed(desk, submission, at)
    status = "accepted" if goal else "rejected"
    if verdict.status != status or verdict.cost is None:
        raise Rejected(f"the replay says {verdict.status} ({', '.join(verdict.codes) or 'no fault'}), not {status}")
    word = normal(desk.case, submission)
    if _statement_accepts(desk.formula, desk.having, word) != goal:
        name = desk.formula.statement.NAME
        raise Rejected(f"replay and statement differ: {status} by the one, the opposite by {name}")
    return verdict.cost, word


def _statement_accepts(formula: Formula, having: Mapping[int, list[tuple[int, ...]]], word: Json) -> bool:
    try:
        literals = formula.statement.literals(formula.model, word)
    except MalformedInput:
        return False
    return satisfied(formula.cnf, having, literals)


def refuted(desk: Desk, cnf: Cnf, value: Json, at: str) -> str:
    """Check the proof that a claim names against the formula that belongs to the claim; says how large both are."""
    fields = as_object(value, at, ("formula_sha256", "clauses", "proof", "proof_sha256"))
    demand(fields["clauses"], len(cnf.clauses), "the number of clauses of the formula")
    demand(fields["formula_sha256"], digest(dimacs(cnf)), "the formula")
    name = as_text(fields["proof"], f"{at}/proof")
    if re.fullmatch(r"[a-z0-9-]{1,60}\.lrat", name) is None:
        refuse("domain", f"{at}/proof", "a bare file name like optimum.lrat", repr(name)[:60])
    proof = desk.proofs(name)
    demand(fields["proof_sha256"], digest(proof), f"the proof {name}")
    verdict = verify(cnf.clauses, proof, desk.limits)
    if verdict.outcome == "undecided":
        raise Undecided("unknown", f"{name}: {verdict.reason}")
    if verdict.outcome != "verified":
        raise Rejected(f"{name}: {verdict.reason}")
    desk.refutations += 1
    desk.formulas[name] = cnf
    desk.steps += verdict.steps
    return f"{len(cnf.clauses)} clauses refuted in {verdict.steps} steps"


def earlier(desk: Desk, value: Json, at: str, kind: str) -> Shown:
    """What an earlier claim of this kind has shown; its fate is the fate of what rests on it."""
    index = as_int(value, at, 0, LARGEST)
    if index >= len(desk.findings):
        raise Rejected(f"it rests on claim {index}, which is not an earlier one")
    finding = desk.findings[index]
    if finding.kind != kind:
        raise Rejected(f"it rests on claim {index}, which is of kind {finding.kind}, not {kind}")
    if finding.outcome == "undecided":
        raise Undecided("unknown", f"it rests on claim {index}, which is undecided")
    if finding.outcome == "malformed":
        refuse("contradiction", at, "the index of a claim that holds", f"{index}, which is malformed")
    if finding.shown is None:
        raise Rejected(f"it rests on claim {index}, which is {finding.outcome}")
    return finding.shown
