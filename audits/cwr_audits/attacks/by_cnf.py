"""Attack worker `cnf`: the statement. Neighbours are judged with decisions fixed; for its mutants it lists words."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any, cast

from pysat.solvers import Minisat22

from cwr_audits.attacks.answers import normal_forms
from cwr_audits.attacks.asked import asked, missing, reply
from cwr_audits.attacks.encodings import attack
from cwr_audits.wire import Reply, Task
from cwr_certificates.catalogue import STATEMENTS, Statement
from cwr_certificates.cnf import Cnf
from cwr_certificates.prover import enumerate_words
from cwr_solvers.answers import Answer, Limits
from cwr_solvers.errors import MalformedInput
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, parse

ROUTE = "cnf"


def answer(task: Task) -> Reply:
    """See cwr_audits.attacks.asked."""
    if task["family"] not in STATEMENTS:
        return missing(ROUTE, task["family"])
    world, instances, found = asked(task)
    accepted = satisfied(STATEMENTS[task["family"]], instances[0], normal_forms(world, instances[0], found))
    return reply(attack(ROUTE, world, module_of(task["family"]), solved, instances), accepted)


def module_of(family: str) -> ModuleType:
    """The statement of a family."""
    return cast(ModuleType, STATEMENTS[family])


def solved(module: ModuleType, instance: Any, limits: Limits) -> Answer:
    """The answer of a statement, or of a copy of it; raises Undecided and Disagreement."""
    return enumerate_words(cast(Statement, module), instance, limits)


def satisfied(statement: Statement, instance: Any, forms: Mapping[bytes, bytes]) -> set[bytes]:
    """The neighbours whose normal form satisfies the statement, decisions fixed. Raises Undecided("size")."""
    cnf = Cnf()
    model = statement.state(cnf, instance)
    with Minisat22(bootstrap_with=cnf.clauses) as solver:
        return {one for one, form in forms.items() if _holds(solver, statement, model, form)}


def _holds(solver: Minisat22, statement: Statement, model: Any, form: bytes) -> bool:
    try:
        literals = statement.literals(model, parse(form, SUBMISSION_BYTES, SUBMISSION_DEPTH))
    except MalformedInput:
        return False
    return bool(solver.solve(assumptions=list(literals)))
