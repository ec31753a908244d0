"""Reading worker `cpsat`: motifs as constraints of the CP-SAT encodings.

task   {"family", "instance", …, "having": [motif, …], "lacking": [motif, …]}   reply: {"listed": [word, …]}
Raises Undecided("unsupported") where the encoding has no constraints for what is asked.
"""

from __future__ import annotations

from typing import Any

from cwr_audits.wire import Task, limits_of
from cwr_encodings.cpsat_catalogue import CPSAT
from cwr_solvers.answers import Claim
from cwr_solvers.backends.cpsat import solve
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import Undecided


def answer(task: Task) -> Any:
    """All words that meet the claim."""
    build = CPSAT.get(task["family"])
    if build is None:
        raise Undecided("unsupported", f"there is no encoding of {task['family']}")
    instance = WORLDS[task["family"]].read_instance(task["instance"])
    claim = Claim(having=tuple(task["having"]), lacking=tuple(task["lacking"]))
    found = solve(lambda model: build(model, instance, claim), limits_of(task))
    return {"listed": [word.decode("utf-8") for word in found.words]}
