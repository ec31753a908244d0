"""Measures grading; printed, not asserted.

cold       single runs of `cwr grade`, wall and CPU seconds (goal: below 0.15 s)
gradings   a second of CPU time in one process, of the witness of each world, and the median (goal: above 30,000)
lines      a second of `cwr grade --jsonl`, its start included
kernel     proof steps a second, by bench_kernel.py
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
import timeit
from pathlib import Path

import bench_kernel

from cwr_audits.subject import Subject, subjects
from cwr_solvers.grading import grade
from cwr_solvers.jsontext import canonical

RUNS = 5
TIMES = 1_000
LINES = 10_000


def main() -> int:
    """Print the figures of every showcase; the exit code is that of the kernel's bench."""
    rates = []
    for one in subjects(()):
        data = canonical(one.witness)
        wall, cpu = cold(one.code, data, (), RUNS)
        rates.append(rate(one, data))
        print(
            f"{one.code}: cold, best of {RUNS}: wall {wall:.3f} s, CPU {cpu:.3f} s; {rates[-1]:,.0f} gradings a second"
        )
    print(f"median of the worlds: {statistics.median(rates):,.0f} gradings a second (goal: above 30,000)")
    first = subjects(())[0]
    wall, cpu = cold(first.code, (canonical(first.witness) + b"\n") * LINES, ("--jsonl",), 2)
    print(f"{first.code}: {LINES} lines of --jsonl: {LINES / wall:,.0f} lines a second, {LINES / cpu:,.0f} of CPU time")
    return bench_kernel.main()


def cold(code: str, data: bytes, options: tuple[str, ...], runs: int) -> tuple[float, float]:
    """Least wall and least CPU seconds of single runs of the command."""
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "submission.json"
        file.write_bytes(data)
        command = [sys.executable, "-m", "cwr_audits.cli", "grade", *options, code, str(file)]
        for _ in range(runs):
            start, spent = time.perf_counter(), children()
            subprocess.run(command, check=True, capture_output=True)
            figures.append((time.perf_counter() - start, children() - spent))
    wall, cpu = (min(seconds) for seconds in zip(*figures, strict=True))
    return wall, cpu


def children() -> float:
    """CPU seconds, of user and system, of the processes that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rate(one: Subject, data: bytes) -> float:
    """Gradings a second of CPU time, from bytes to verdict, best of five."""
    verdict = grade(one.world, one.instance, data).status
    if verdict != "accepted":
        raise SystemExit(f"the witness of {one.code} is {verdict}: nothing to measure")
    seconds = timeit.repeat(lambda: grade(one.world, one.instance, data), time.process_time, repeat=5, number=TIMES)
    return TIMES / min(seconds)


if __name__ == "__main__":
    sys.exit(main())
