"""Measures `cwr certify` in a cold process: every route, every proof, every check; printed, not asserted.

Goals: all showcases in less than 8 s of wall time and 600 MB; the three of THREE alone in less than 2.5 s and 300 MB.
CPU seconds are those of the process and of all the children it waited for. Memory is the sum of what all processes hold
at one moment, shared pages shared out among them (PSS), sampled.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from cwr_solvers.catalogue import showcases

RUNS = 3
SAMPLE = 0.05  # seconds between two looks at the memory
THREE = ("TW-001", "TP-001", "RS-001")


def main() -> None:
    """Print the figures. The timed runs are not sampled, and the sampled run is not timed."""
    report(tuple(one.code for one in showcases()), "8 s, 600 MB")
    report(THREE, "2.5 s, 300 MB")


def report(codes: tuple[str, ...], goal: str) -> None:
    """Measure and print one choice of showcases."""
    runs = [run(codes, None) for _ in range(RUNS)]
    peaks: list[int] = []
    run(codes, peaks)
    wall, cpu = (min(figures) for figures in zip(*runs, strict=True))
    slowest = max(seconds for seconds, _ in runs)
    print(f"cwr certify of {len(codes)} worlds ({', '.join(codes)}), cold, best of {RUNS}; goal: below {goal}")
    print(f"  wall {wall:.2f} s (slowest {slowest:.2f} s), CPU {cpu:.2f} s")
    print(f"  peak memory of all its processes together: {max(peaks) / 1024:.0f} MB ({len(peaks)} samples)", flush=True)


def run(codes: tuple[str, ...], peaks: list[int] | None) -> tuple[float, float]:
    """Wall and CPU seconds of one run into an empty folder; fills `peaks` with samples in KB when it is given."""
    with tempfile.TemporaryDirectory() as folder:
        start, spent = time.perf_counter(), children()
        command = [sys.executable, "-m", "cwr_audits.cli", "certify", "--json", "--out", folder, *codes]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        sampler = None if peaks is None else threading.Thread(target=sample, args=(process, peaks))
        if sampler is not None:
            sampler.start()
        code = process.wait()
        took = time.perf_counter() - start
        if sampler is not None:
            sampler.join()
    if code:
        raise SystemExit(f"cwr certify ended with code {code}")
    return took, children() - spent


def children() -> float:
    """CPU seconds, of user and system, of all processes that were waited for, and of those they waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def sample(process: subprocess.Popen[bytes], peaks: list[int]) -> None:
    """Append the memory of the process and all its descendants, in KB, until it ends."""
    while process.poll() is None:
        peaks.append(sum(proportional(pid) for pid in family(process.pid)))
        time.sleep(SAMPLE)


def family(root: int) -> list[int]:
    """The process and its descendants."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found = [root]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def proportional(pid: int) -> int:
    """The proportional set size of a process in KB; 0 when it has ended."""
    try:
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(row.split()[1]) for row in rows if row.startswith("Pss:")), 0)


if __name__ == "__main__":
    main()
