"""The table of classes of an instance, worked out in a worker (see cwr_audits.table)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cwr_audits.rows import write_rows
from cwr_audits.subject import from_json
from cwr_audits.table import rows
from cwr_audits.wire import Task, limits_of


def answer(task: Task) -> list[dict[str, Any]]:
    """The rows of the task's instance, with distances from its witness; raises Undecided and Disagreement."""
    about = replace(from_json(task["instance"]), witness=task["witness"])
    return write_rows(rows(about, limits_of(task).words))
