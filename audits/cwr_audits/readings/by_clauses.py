"""Reading worker `clauses`: the statement of the certificates with a motif denied.

task   {"family", "instance", …, "ask": "words", "motif", "listed": […]}  reply: {"listed": [word, …]}
       {"family", "instance", …, "ask": "bound", "motif"}                 reply: {"model": word}, or of a refutation
           {"clauses", "steps", "formula_sha256", "proof_sha256"}, the proof having passed the kernel
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pysat.solvers import Minisat22

from cwr_audits.wire import Task, limits_of
from cwr_certificates.desk import digest
from cwr_certificates.formulas import Formula, base, dimacs, lacking
from cwr_certificates.kernel import verify
from cwr_certificates.lrat import solve
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import Disagreement, Undecided
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, parse


def answer(task: Task) -> Any:
    """See above; raises Undecided where the formula would be too large or time runs out."""
    instance = WORLDS[task["family"]].read_instance(task["instance"])
    return ASKED[task["ask"]](base(task["family"], instance), task)


def _words(formula: Formula, task: Task) -> Any:
    """Of the words of the task those that, with the motif denied, are models."""
    with Minisat22(bootstrap_with=lacking(formula, task["motif"]).clauses) as solver:
        return {"listed": [word for word in task["listed"] if _satisfiable(solver, formula, word)]}


def _satisfiable(solver: Minisat22, formula: Formula, word: str) -> bool:
    value = parse(word.encode("utf-8"), SUBMISSION_BYTES, SUBMISSION_DEPTH)
    status = solver.solve(assumptions=list(formula.statement.literals(formula.model, value)))
    if status not in (True, False):
        raise Undecided("unknown", "Minisat gave no answer")
    return status is True


def _bound(formula: Formula, task: Task) -> Any:
    """A word without the motif, or the refutation that there is one."""
    cnf = lacking(formula, task["motif"])
    solved = solve(cnf.clauses, limits_of(task).seconds)
    if solved.proof is None:
        true = {literal for literal in solved.model or () if literal > 0}
        return {"model": formula.statement.word(formula.model, true)}
    verdict = verify(cnf.clauses, solved.proof)
    if verdict.outcome != "verified":
        raise Disagreement("a refutation", {"CaDiCaL": "unsatisfiable", "the kernel": verdict.reason})
    told = {"formula_sha256": digest(dimacs(cnf)), "proof_sha256": digest(solved.proof)}
    return {"clauses": len(cnf.clauses), "steps": verdict.steps, **told}


ASKED: Mapping[str, Callable[[Formula, Task], Any]] = {"words": _words, "bound": _bound}
