"""The ledger of disagreements: JSON lines, appended and never rewritten. One line a difference, enough to repeat it."""

from __future__ import annotations

import os
from pathlib import Path

from cwr_audits.agreement import Difference
from cwr_solvers.jsontext import Json, canonical


def difference_json(difference: Difference) -> dict[str, Json]:
    """The JSON of a difference: the subject, who stands apart, and what each side says."""
    return {"subject": difference.subject, "odd": list(difference.odd), "sides": dict(difference.sides)}


def record(instance: Json, difference: Difference) -> Json:
    """The line of a difference, with the whole instance."""
    return {"instance": instance, **difference_json(difference)}


def append(path: Path, records: list[Json]) -> None:
    """Append records as one write, so that lines of two writers do not mix. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    with open(descriptor, "ab", buffering=0) as file:
        file.write(b"".join(canonical(one) + b"\n" for one in records))
        os.fsync(file.fileno())
