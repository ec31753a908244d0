"""Attack worker `smt`."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from cwr_audits.attacks.asked import by_list, missing
from cwr_audits.wire import Reply, Task
from cwr_encodings.smt_catalogue import SMT
from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.backends.smt import solve

ROUTE = "smt"


def answer(task: Task) -> Reply:
    """See cwr_audits.attacks.asked."""
    family = task["family"]
    return by_list(ROUTE, module_of(family), solved, task) if family in SMT else missing(ROUTE, family)


def module_of(family: str) -> ModuleType:
    """The encoding of a family."""
    return sys.modules[SMT[family].__module__]


def solved(module: ModuleType, instance: Any, limits: Limits) -> Answer:
    """The answer of an encoding, or of a copy of it; raises Undecided and Disagreement."""
    return solve(lambda model: module.build(model, instance, Claim()), limits)
