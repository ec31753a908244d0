"""Route `cpsat`: the rules as constraints over positions, references and intervals, solved by CP-SAT."""

from __future__ import annotations

from cwr_audits.wire import Finding, Reply, Task, claim_of, limits_of, only_optimum, write_finding
from cwr_encodings.cpsat_catalogue import CPSAT
from cwr_solvers.answers import Answer, Claim
from cwr_solvers.backends.cpsat import optimum, solve
from cwr_solvers.catalogue import WORLDS


def answer(task: Task) -> Reply:
    """The finding on the task's instance, or of its claim where it states one; raises Undecided and Disagreement."""
    instance = WORLDS[task["family"]].read_instance(task["instance"])
    claim = claim_of(task) if "claim" in task else Claim()
    build = CPSAT[task["family"]]
    if only_optimum(task):
        least = optimum(lambda model: build(model, instance, claim), limits_of(task))
        return write_finding(Finding(Answer(least, {}), listed=False))
    return write_finding(Finding(solve(lambda model: build(model, instance, claim), limits_of(task))))
