"""Some words that meet a claim, by CP-SAT: for spaces that are too large to list.

The task has the claim as {"most_cost", "having", "lacking", "required", "forbidden"}. The answer is {"words": [[word,
cost], ...], "complete": whether CP-SAT says that there are no more}.
"""

from __future__ import annotations

from cwr_audits.wire import Reply, Task, claim_of, limits_of
from cwr_encodings.cpsat_catalogue import CPSAT
from cwr_solvers.backends.cpsat import some
from cwr_solvers.catalogue import WORLDS


def answer(task: Task) -> Reply:
    """Up to the task's number of words; raises Undecided and Disagreement."""
    instance, claim = WORLDS[task["family"]].read_instance(task["instance"]), claim_of(task)
    build = CPSAT[task["family"]]
    words, complete = some(lambda model: build(model, instance, claim), limits_of(task))
    return {"words": [[word.decode("utf-8"), cost] for word, cost in words.items()], "complete": complete}
