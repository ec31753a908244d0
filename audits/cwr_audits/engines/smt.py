"""Route `smt`: the rules over occurrence times, value flows and start times, solved by Z3."""

from __future__ import annotations

from cwr_audits.wire import Finding, Reply, Task, limits_of, only_optimum, write_finding
from cwr_encodings.smt_catalogue import SMT
from cwr_solvers.answers import Answer, Claim
from cwr_solvers.backends.smt import optimum, solve
from cwr_solvers.catalogue import WORLDS


def answer(task: Task) -> Reply:
    """The finding on the task's instance; raises Undecided and Disagreement."""
    instance = WORLDS[task["family"]].read_instance(task["instance"])
    build = SMT[task["family"]]
    if only_optimum(task):
        least = optimum(lambda model: build(model, instance, Claim()), limits_of(task))
        return write_finding(Finding(Answer(least, {}), listed=False))
    return write_finding(Finding(solve(lambda model: build(model, instance, Claim()), limits_of(task))))
