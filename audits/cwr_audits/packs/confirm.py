"""Keys confirmed by clauses: is a submission legal, is it accepted, as the trusted statement of its family puts it?

Accepted is asked of the statement; legal of the statement without its rule G. Both with the decisions fixed to those
of the submission's normal form; a submission that the statement knows no word for is neither. The interpreter's answer
and this one must be the same, else there is no pack.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any, cast

from pysat.solvers import Minisat22

from cwr_audits.attacks.mutants import copy_of, dropped, rule_functions
from cwr_certificates.catalogue import STATEMENTS, Statement
from cwr_certificates.cnf import Cnf
from cwr_solvers.errors import Disagreement, MalformedInput
from cwr_solvers.grading import run
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, parse
from cwr_solvers.symmetry import text
from cwr_solvers.world import Submission, World

GOAL = "G"


@cache
def _without_goal(family: str) -> Statement:
    """The statement of a family that accepts whatever is legal."""
    module = cast(ModuleType, STATEMENTS[family])
    goal = rule_functions(module)[GOAL].__name__
    return cast(Statement, copy_of(module, {goal: dropped(module, goal).code}))


def judge(world: World, instance: Any) -> Callable[[Submission[Any]], str]:
    """What the clauses say of submissions: accepted, rejected (legal, but not accepted) or illegal."""
    strict, free = (
        _holds(STATEMENTS[world.family], world, instance),
        _holds(_without_goal(world.family), world, instance),
    )

    def said(submission: Submission[Any]) -> str:
        if not free(submission):
            return "illegal"
        return "accepted" if strict(submission) else "rejected"

    return said


def confirm(world: World, instance: Any, submissions: list[Submission[Any]]) -> None:
    """Hold the interpreter's word on each submission against the clauses'; raises Disagreement and Undecided."""
    said = judge(world, instance)
    for submission in submissions:
        ours, theirs = run(world, instance, submission).status, said(submission)
        if ours != theirs:
            about = text(world, instance, submission).decode("utf-8")
            raise Disagreement(f"the key of an item, {about}", {"interpreter": ours, "clauses": theirs})


def _holds(statement: Statement, world: World, instance: Any) -> Callable[[Submission[Any]], bool]:
    cnf = Cnf()
    model = statement.state(cnf, instance)
    solver = Minisat22(bootstrap_with=cnf.clauses)

    def holds(submission: Submission[Any]) -> bool:
        word = parse(text(world, instance, world.normal(instance, submission)), SUBMISSION_BYTES, SUBMISSION_DEPTH)
        try:
            literals = statement.literals(model, word)
        except MalformedInput:
            return False
        return bool(solver.solve(assumptions=list(literals)))

    return holds
