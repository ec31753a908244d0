"""Measures the pack of all its showcases from nothing: built, frozen, moved elsewhere, verified; printed, not asserted.

Goal: built and frozen in less than 60 s of wall time on two cores. CPU seconds are those of all processes together;
half of them is what two cores that nothing else uses need at least.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GOAL = 60.0


def main() -> None:
    """Print the figures of the three steps."""
    with tempfile.TemporaryDirectory() as folder:
        built, frozen, moved = (str(Path(folder, name)) for name in ("pack", "frozen", "elsewhere"))
        pack = step("pack", "--seed", "bench", "--out", built)
        freeze = step("freeze", built, "--out", frozen)
        print(f"from nothing: wall {pack[0] + freeze[0]:.1f} s, half the CPU {(pack[1] + freeze[1]) / 2:.1f} s")
        print(f"  goal: wall below {GOAL:.0f} s on two cores", flush=True)
        shutil.move(frozen, moved)
        step("verify", moved)


def step(*arguments: str) -> tuple[float, float]:
    """Wall and CPU seconds of one command, which must end with 0."""
    start, spent = time.perf_counter(), children()
    command = [sys.executable, "-m", "cwr_audits.cli", *arguments, "--json"]
    code = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
    if code:
        raise SystemExit(f"cwr {arguments[0]} ended with code {code}")
    took, used = time.perf_counter() - start, children() - spent
    print(f"cwr {arguments[0]}: wall {took:.1f} s, CPU {used:.1f} s", flush=True)
    return took, used


def children() -> float:
    """CPU seconds, of user and system, of all processes that were waited for, and of those they waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
