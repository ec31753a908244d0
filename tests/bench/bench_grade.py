"""Measures grading: a single cold `cwr grade` (goal: below 0.15 s), and gradings a second (TW: above 30,000).

Printed, not asserted.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import timeit
from pathlib import Path

from cwr_audits.subject import Subject, subjects
from cwr_solvers.grading import grade
from cwr_solvers.jsontext import canonical

RUNS = 10
TIMES = 5_000


def main() -> None:
    """Print the figures of every showcase."""
    for one in subjects(()):
        data = canonical(one.witness)
        seconds = cold(one.code, data)
        best, median = min(seconds), statistics.median(seconds)
        print(f"{one.code}: cwr grade, cold, {RUNS} runs: best {best:.3f} s, median {median:.3f} s")
        print(f"{one.code}: {rate(one, data):,.0f} gradings a second in one process")


def cold(code: str, data: bytes) -> list[float]:
    """Wall seconds of single runs of the command."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "submission.json"
        file.write_bytes(data)
        command = [sys.executable, "-m", "cwr_audits.cli", "grade", code, str(file)]
        return timeit.repeat(lambda: subprocess.run(command, check=True, capture_output=True), repeat=RUNS, number=1)


def rate(one: Subject, data: bytes) -> float:
    """Gradings a second, from bytes to verdict, best of five."""
    seconds = timeit.repeat(lambda: grade(one.world, one.instance, data), repeat=5, number=TIMES)
    return TIMES / min(seconds)


if __name__ == "__main__":
    main()
