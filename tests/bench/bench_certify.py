"""Measures `cwr certify` of all showcases in a cold process: every route, every proof, every check.

Prints seconds (goal: below 2.5) and peak memory (goal: below 300 MB). Memory is the sum of what all processes hold at
one moment, shared pages shared out among them (PSS), sampled; printed, not asserted.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

RUNS = 5
SAMPLE = 0.05  # seconds between two looks at the memory


def main() -> None:
    """Print the figures. The timed runs are not sampled, and the sampled run is not timed."""
    seconds = [run(None) for _ in range(RUNS)]
    print(f"cwr certify, cold, {RUNS} runs: best {min(seconds):.2f} s, median {statistics.median(seconds):.2f} s")
    peaks: list[int] = []
    run(peaks)
    print(f"peak memory of all its processes together: {max(peaks) / 1024:.0f} MB ({len(peaks)} samples)")


def run(peaks: list[int] | None) -> float:
    """Wall seconds of one run into an empty folder; fills `peaks` with samples in KB when it is given."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        command = [sys.executable, "-m", "cwr_audits.cli", "certify", "--json", "--out", folder]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        if peaks is not None:
            threading.Thread(target=sample, args=(process, peaks)).start()
        code = process.wait()
        took = time.perf_counter() - start
    if code:
        raise SystemExit(f"cwr certify ended with code {code}")
    return took


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
