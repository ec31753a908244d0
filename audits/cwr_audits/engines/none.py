"""Whether no word meets a claim, by Z3: the second opinion on a "no" of CP-SAT (see cwr_audits.engines.some).

The answer is {"none": whether it is proved that there is no word}.
"""

from __future__ import annotations

from dataclasses import replace

from cwr_audits.wire import Reply, Task, claim_of, limits_of
from cwr_encodings.smt_catalogue import SMT
from cwr_solvers.backends.smt import solve
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import Undecided


def answer(task: Task) -> Reply:
    """Raises Undecided where there is no proof, and Disagreement."""
    instance, claim = WORLDS[task["family"]].read_instance(task["instance"]), claim_of(task)
    build = SMT[task["family"]]
    try:
        found = solve(lambda model: build(model, instance, claim), replace(limits_of(task), words=1))
    except Undecided as error:
        if error.reason != "words":
            raise
        return {"none": False}
    return {"none": not found.words}
