"""The CNF route, and the issuing of certificates. Untrusted: the checker works everything out anew.

`enumerate_words` answers from the statement alone; it knows no interpreter. `issue` adds what the replay says, and
raises Disagreement where the two differ. Solvers never run on assumptions in a run that gives a proof: each refutation
is a fresh run on the formula that the checker will write.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pysat.solvers import Minisat22

from cwr_certificates.catalogue import Statement
from cwr_certificates.check import SCHEMA, check, seal
from cwr_certificates.claims import MEANS
from cwr_certificates.cnf import Cnf
from cwr_certificates.desk import Rejected, digest, number
from cwr_certificates.formulas import (
    Formula,
    base,
    cheaper,
    dimacs,
    lacking,
    occurrences,
    others,
    propagate,
    satisfied,
)
from cwr_certificates.layering import found_layers
from cwr_certificates.layers import count, evidence, leaving, read, rows
from cwr_certificates.lrat import IN_ORDER, Solved, solve
from cwr_certificates.replay import Case, case, normal, partition, replay
from cwr_certificates.seal import DOCUMENT, sealed
from cwr_solvers.answers import Answer, Limits
from cwr_solvers.errors import Disagreement, Undecided, UsageError
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, canonical, parse

_SLICE = 10_000
LAYERS = "raw-count.layers"


def enumerate_words(statement: Statement, instance: Any, limits: Limits) -> Answer:
    """Every model of F, projected on the decisions, each with its cost; the optimum by minimising F.

    Raises Undecided("time"), Undecided("words") and, for a word too large to be handed in, Undecided("size");
    Disagreement where two models are one word.
    """
    until = time.monotonic() + limits.seconds
    cnf = Cnf()
    formula = Formula(statement, cnf, statement.state(cnf, instance))
    found = _every_word(formula, limits, until)
    optimum = _least_cost(formula, until)
    return Answer(optimum, dict(sorted(_costs(formula, found, optimum, until).items())))


def _every_word(formula: Formula, limits: Limits, until: float) -> dict[bytes, tuple[int, ...]]:
    """{word: the signed decisions of its model}."""
    found: dict[bytes, tuple[int, ...]] = {}
    with Minisat22(bootstrap_with=formula.cnf.clauses) as solver:
        while holds(solver, (), until):
            true = {literal for literal in solver.get_model() if literal > 0}
            word = canonical(formula.statement.word(formula.model, true))
            _refuse_large(word)
            if word in found:
                raise Disagreement("words", {"statement": f"two models are {word.decode()}", "contract": "one is"})
            found[word] = tuple(one if one in true else -one for one in formula.model.decisions)
            if len(found) > limits.words:
                raise Undecided("words", f"more than {limits.words} words")
            if not found[word]:
                break
            solver.add_clause([-literal for literal in found[word]])
    return found


def _refuse_large(word: bytes) -> None:
    """Raises Undecided("size") for a word that no grader would read: nothing can be said of such an instance."""
    if len(word) > SUBMISSION_BYTES:
        raise Undecided("size", f"an accepted word has more than {SUBMISSION_BYTES} bytes")


def holds(solver: Minisat22, assumed: Iterable[int], until: float) -> bool:
    """Whether the solver has a model; slices of conflicts let the clock be read."""
    while time.monotonic() < until:
        solver.conf_budget(_SLICE)
        status = solver.solve_limited(assumptions=list(assumed))
        if status is not None:
            return bool(status)
    raise Undecided("time", "the words of the formula were not all found in time")


def _least_cost(formula: Formula, until: float) -> int | None:
    """The least cost at which F has a model, by doubling and halving; None where F has none."""
    with Minisat22(bootstrap_with=formula.cnf.clauses) as solver:
        if not holds(solver, (), until):
            return None
    low, high = -1, 0  # F has no model at a cost of at most `low`
    while not _within(formula, high, until):
        low, high = high, 2 * high + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _within(formula, middle, until) else (middle, high)
    return high


def cheapest(formula: Formula, until: float) -> tuple[int, Json] | None:
    """The least cost at which F has a model, and a word of that cost; None where F has none. Raises Undecided."""
    cost = _least_cost(formula, until)
    if cost is None:
        return None
    with Minisat22(bootstrap_with=cheaper(formula, cost + 1).clauses) as solver:
        holds(solver, (), until)
        word = formula.statement.word(formula.model, {literal for literal in solver.get_model() if literal > 0})
    _refuse_large(canonical(word))
    return cost, word


def optimal_word(statement: Statement, instance: Any, limits: Limits) -> tuple[int, Json] | None:
    """The least cost of an accepted word, and such a word; None where there is none. Raises Undecided("time")."""
    cnf = Cnf()
    return cheapest(Formula(statement, cnf, statement.state(cnf, instance)), time.monotonic() + limits.seconds)


def _within(formula: Formula, cost: int, until: float) -> bool:
    with Minisat22(bootstrap_with=cheaper(formula, cost + 1).clauses) as solver:
        return holds(solver, (), until)


def _costs(
    formula: Formula, found: Mapping[bytes, tuple[int, ...]], optimum: int | None, until: float
) -> dict[bytes, int]:
    """The cost of each word: the least at which F has it as a model."""
    left, cost, costs = dict(found), optimum or 0, dict[bytes, int]()
    while left:
        with Minisat22(bootstrap_with=cheaper(formula, cost + 1).clauses) as solver:
            for word in [word for word, literals in left.items() if holds(solver, literals, until)]:
                costs[word] = cost
                del left[word]
        cost += 1
    return costs


@dataclass(frozen=True, slots=True)
class Issued:
    """A certificate that the checker has verified.

    document   what certificate.json says
    files      {file name: bytes}: certificate.json and the proofs that it names
    formulas   {file name: bytes}: the DIMACS text that each proof refutes, for proof checkers of others
    uncounted  why there is no claim on the number of raw submissions; empty where there is one, or none is accepted
    absent     motifs of the statement that the witness lacks; there is no claim on them
    undecided  {motif: reason}: motifs on which a limit came first; there is no claim on them either
    """

    document: Mapping[str, Json]
    files: Mapping[str, bytes]
    formulas: Mapping[str, bytes]
    absent: tuple[str, ...]
    undecided: Mapping[str, str]
    uncounted: str = ""


@dataclass
class Work:
    """One certificate in the making; `until` is a reading of the monotonic clock."""

    case: Case
    formula: Formula
    until: float
    claims: list[Json]
    proofs: dict[str, bytes]
    formulas: dict[str, bytes]
    absent: list[str]
    undecided: dict[str, str]
    uncounted: str = ""


def issue(
    family: str,
    code: str,
    instance: Json,
    witness: Json,
    alternates: Sequence[Json],
    probes: Sequence[Json],
    limits: Limits,
    answer: Answer | None = None,
    listed: bool = True,
) -> Issued:
    """Make and check the certificate of an instance, with every claim that it allows.

    `witness` is None where there is none; it and the alternates must be accepted submissions. Each probe becomes a
    claim on what the replay says of it. `answer` is that of `enumerate_words`, which is called when it is not given;
    the classes are worked out here, by the replay. With `listed` false the words are too many to list: claimed are the
    optimum, and the number of raw submissions by layers; there is no claim that a list is complete or a word unique.
    What a limit keeps from being counted, and a motif on which one comes first, is left out. Raises UsageError,
    MalformedInput, Undecided (nothing is issued then; for submissions or words above SUBMISSION_BYTES too) and
    Disagreement.
    """
    until = time.monotonic() + limits.seconds
    found = case(family, instance)
    formula = base(family, found.instance)
    work = Work(found, formula, until, [], {}, {}, [], {})
    if answer is None and listed:
        answer = enumerate_words(formula.statement, found.instance, limits)
    for submission in (*([] if witness is None else [witness]), *alternates):
        claim = on_submission(work, submission)
        if claim.get("goal") is not True:
            raise UsageError(f"{code}: a witness or alternate is not accepted")
        work.claims.append(claim)
    work.claims.extend(on_submission(work, probe) for probe in probes)
    _on_space(work, answer)
    if witness is not None:
        for name in formula.statement.MOTIFS:
            _on_motif(work, name, normal(found, witness))
    return checked(work, code)


def _on_space(work: Work, answer: Answer | None) -> None:
    """The claims on all accepted submissions together; `answer` is None where there are too many to list."""
    if answer is not None and answer.optimum is not None:
        _on_words(work, answer)
        return
    best = None if answer is not None else cheapest(work.formula, work.until)
    if best is None:
        work.claims.append({"kind": "infeasible", "refutation": _refute(work, "infeasible", work.formula.cnf)})
        return
    cost, word = best
    proof = _refute(work, "optimum", cheaper(work.formula, cost))
    work.claims.append({"kind": "optimum", "value": cost, "model": word, "refutation": proof})
    try:
        _on_layers(work)
    except (Rejected, Undecided) as limit:
        work.uncounted = str(limit)


def _on_layers(work: Work) -> None:
    """The claim on the number of raw submissions, with the layers that show it."""
    data = found_layers(work.case, work.formula, work.until)
    along = rows(work.case, work.formula)
    layers = read(data, work.case, along)
    raw = count(work.case, along, layers)
    cnf = leaving(work.formula, along, layers)
    solved = solve(cnf.clauses, work.until - time.monotonic(), IN_ORDER)
    if solved.model is not None:
        said = {"replay": "a word is a path of the layers", "statement": "some word is none"}
        raise Disagreement("the accepted words", said)
    work.proofs[LAYERS] = data
    costs: list[Json] = [[cost, number(many)] for cost, many in sorted(raw.items())]
    claim: dict[str, Json] = {"kind": "raw_count", "value": number(sum(raw.values())), "costs": costs}
    told: dict[str, Json] = {"layers": LAYERS, "layers_sha256": digest(data), "evidence": evidence(work.case)}
    work.claims.append({**claim, **told, "refutation": keep(work, "raw-count", cnf, solved)})


def on_submission(work: Work, submission: Json) -> dict[str, Json]:
    """The claim on what the replay says of a submission."""
    _refuse_large(canonical(submission))
    verdict = replay(work.case, submission)
    if verdict.error is not None:
        raise verdict.error
    if verdict.status == "illegal":
        rules: list[Json] = [*verdict.codes]
        return {"kind": "rejected", "submission": submission, "step": verdict.step, "rules": rules}
    return {"kind": "legal", "submission": submission, "goal": verdict.status == "accepted"}


def _on_words(work: Work, answer: Answer) -> None:
    """The claims optimum, complete, raw_count and unique."""
    for word in answer.words:
        _refuse_large(word)
    words = {word: parse(word, SUBMISSION_BYTES, SUBMISSION_DEPTH) for word in answer.words}
    best = min(word for word, cost in answer.words.items() if cost == answer.optimum)
    proof = _refute(work, "optimum", cheaper(work.formula, answer.words[best]))
    work.claims.append({"kind": "optimum", "value": answer.optimum, "model": words[best], "refutation": proof})
    namings = {word: work.formula.statement.namings(work.case.instance, value) for word, value in words.items()}
    means = "members" if set(namings.values()) == {1} else "quotient"
    classes = partition(work.case, words.values())
    proof = _refute(work, "complete", others(work.formula, [word for members, _ in classes for word in members]))
    listed: list[Json] = [
        {"representative": members[0], "size": number(size), "members": members} for members, size in classes
    ]
    at = len(work.claims)
    work.claims.append({"kind": "complete", "means": means, "classes": listed, "refutation": proof})
    total = number(sum(namings.values()))
    work.claims.append({"kind": "raw_count", "value": total, "evidence": MEANS[means], "rests_on": at})
    optimal = {word: many for word, many in namings.items() if answer.words[word] == answer.optimum}
    tops = [1 for members, _ in classes if any(canonical(member) in optimal for member in members)]
    work.claims.append(
        {
            "kind": "unique",
            "raw_optimum": sum(optimal.values()) == 1,
            "raw_bound": total == 1,
            "class_optimum": len(tops) == 1,
            "class_bound": len(classes) == 1,
            "rests_on": at,
        }
    )


def _on_motif(work: Work, name: str, witness: Json) -> None:
    """The claim on one motif of the witness, or the reason why a limit left it undecided."""
    try:
        _claim_motif(work, name, witness)
    except Undecided as limit:
        work.undecided[name] = str(limit)


def _claim_motif(work: Work, name: str, witness: Json) -> None:
    """The claim on one motif of the witness, which the first claim of the certificate is on."""
    claim: dict[str, Json] = {"kind": "motif", "name": name, "rests_on": 0}
    without = lacking(work.formula, name)
    solved = _solve(work, without)
    if solved.model is None:
        proof = keep(work, f"motif-{name}", without, solved)
        work.claims.append({**claim, "label": "necessary", "refutation": proof})
        return
    witnessed = lacking(work.formula, name, witness)
    refuted = _solve(work, witnessed)
    if refuted.model is not None:
        work.absent.append(name)
        return
    proof = keep(work, f"motif-{name}", witnessed, refuted)
    word = work.formula.statement.word(work.formula.model, {literal for literal in solved.model if literal > 0})
    given = work.formula.statement.literals(work.formula.model, word)
    extra: list[Json] = [*free_choices(without, given, solved.model)]
    lacks: dict[str, Json] = {"counterexample": word, "extra": extra}
    work.claims.append({**claim, "label": "witness-only", "refutation": proof, **lacks})


def free_choices(cnf: Cnf, given: Sequence[int], model: Iterable[int]) -> list[int]:
    """The free choices of a model: with them, the given literals propagate to an assignment of every clause."""
    having = occurrences(cnf)
    extra: list[int] = []
    true = propagate(cnf, having, given)
    for literal in [literal for literal in model if literal > 0]:
        if true is None or (literal not in true and satisfied(cnf, having, (*given, *extra))):
            break
        if literal not in true:
            extra.append(literal)
            true = propagate(cnf, having, (*given, *extra))
    return extra


def _refute(work: Work, stem: str, cnf: Cnf) -> Json:
    solved = _solve(work, cnf)
    if solved.model is not None:
        raise Disagreement(stem, {"enumeration": "nothing is left", "CaDiCaL": "there is a model"})
    return keep(work, stem, cnf, solved)


def _solve(work: Work, cnf: Cnf) -> Solved:
    return solve(cnf.clauses, work.until - time.monotonic())


def keep(work: Work, stem: str, cnf: Cnf, solved: Solved) -> Json:
    """Put proof and formula by, and return what a claim says of them."""
    proof, text = solved.proof or b"", dimacs(cnf)
    work.proofs[f"{stem}.lrat"] = proof
    work.formulas[f"{stem}.cnf"] = text
    formula: dict[str, Json] = {"formula_sha256": digest(text), "clauses": len(cnf.clauses)}
    return {**formula, "proof": f"{stem}.lrat", "proof_sha256": digest(proof)}


def checked(work: Work, code: str) -> Issued:
    """The sealed certificate, once the checker has verified it."""
    document: dict[str, Json] = {
        "schema": SCHEMA,
        "family": work.case.family,
        "code": code,
        "instance": work.case.json,
        "instance_sha256": digest(canonical(work.case.json)),
        "statement": work.formula.statement.NAME,
        "claims": work.claims,
    }
    data = sealed(document)
    report = check(data, work.proofs.__getitem__)
    flaws = [f"{one.kind}: {one.outcome}, {one.text}" for one in (report.document, *report.findings) if not one.shown]
    if report.outcome == "undecided":
        raise Undecided("unknown", "; ".join(flaws[1:]))
    if report.outcome != "verified":
        raise Disagreement(f"the certificate of {code}", {"prover": "issued", "checker": "; ".join(flaws)})
    document["seal"] = seal(document)
    files = {DOCUMENT: data, **work.proofs}
    return Issued(document, files, work.formulas, tuple(work.absent), work.undecided, work.uncounted)
