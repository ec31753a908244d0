"""Attack worker `interpreter`: graders and vitality, and what the interpreter says of the neighbours."""

from __future__ import annotations

from pathlib import Path

from cwr_audits.attacks.answers import verdicts
from cwr_audits.attacks.asked import asked
from cwr_audits.attacks.graders import attack, cases_of, trials
from cwr_audits.attacks.rows import row_json
from cwr_audits.attacks.vitality import vitality
from cwr_audits.wire import Reply, Task


def answer(task: Task) -> Reply:
    """See cwr_audits.attacks.asked."""
    world, instances, neighbours = asked(task)
    known = trials(world, instances[0], task["probes"], cases_of(Path(task["corpus"]), world.family))
    rows = [*attack(world, instances, known), *vitality(world, instances[0], task["probes"])]
    said = verdicts(world, instances[0], neighbours)
    return {"rows": [row_json(row) for row in rows], "said": {one.decode("utf-8"): word for one, word in said.items()}}
