"""Measures the explorer; printed, not asserted.

write   `cwr explore` of all showcases, a process of its own, wall and CPU seconds (goal: below 5 s); and how often a
        plain copy of the same files fits into that
load    milliseconds until the load event of each page, by the browser's own clock (goal: below 1000), and of an empty
        page; "-" where there is no chromium
many    the same of a page of a thousand classes, and milliseconds until a filter typed there is shown
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from cwr_audits.subject import subject
from cwr_solvers.jsontext import canonical

RUNS = 3
DEADLINE = 10  # of RS-001: more than a thousand schedules
LOADED = "(() => { const [one] = performance.getEntriesByType('navigation'); return one.loadEventEnd; })()"


def main() -> int:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        wall, cpu = zip(*(written(site) for _ in range(RUNS)), strict=True)
        copied = min(copy(site, Path(folder) / f"copy{number}") for number in range(RUNS))
        files = sum(path.is_file() for path in site.rglob("*"))
        print(
            f"write: {files} files, best of {RUNS}: wall {min(wall):.2f} s (goal: below 5), CPU {min(cpu):.2f} s; "
            f"{min(wall) / copied:.0f} plain copies"
        )
        source = json.loads(canonical(subject("RS-001").source))
        (Path(folder) / "many.json").write_text(json.dumps({**source, "code": "MANY", "deadline": DEADLINE}))
        many = Path(folder) / "many"
        wall_many, _ = written(many, str(Path(folder) / "many.json"))
        print(f"many: written in {wall_many:.2f} s")
        loads(site, many)
    return 0


def written(site: Path, *names: str) -> tuple[float, float]:
    """Wall and CPU seconds of a run."""
    start, spent = time.perf_counter(), children()
    command = [sys.executable, "-m", "cwr_audits.cli", "explore", *names, "--out", str(site)]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start, children() - spent


def children() -> float:
    """CPU seconds of all ended processes of ours."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def copy(site: Path, to: Path) -> float:
    """Seconds of a plain copy."""
    start = time.perf_counter()
    shutil.copytree(site, to)
    return time.perf_counter() - start


def loads(site: Path, many: Path) -> None:
    """Print the load time of each page, and the filter's on the page of many classes."""
    program = os.environ.get("CWR_CHROMIUM") or shutil.which("chromium")
    if program is None:
        print("load: - (no chromium)")
        return
    empty = site / "empty.html"
    empty.write_text("<!DOCTYPE html><title>empty</title>")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        page = browser.new_page()
        base = load(page, empty)
        print(f"load: an empty page {base:.0f} ms")
        for path in sorted(site.rglob("index.html")):
            taken = load(page, path)
            print(f"load: {path.relative_to(site)} {taken:.0f} ms (goal: below 1000)")
        taken = load(page, many / "worlds" / "MANY" / "index.html")
        print(f"many: load {taken:.0f} ms (goal: below 1000), filter {min(filtered(page) for _ in range(RUNS)):.0f} ms")
        browser.close()


def load(page: Page, path: Path) -> float:
    """The least milliseconds until a page's load event."""
    found = []
    for _ in range(RUNS):
        page.goto(path.as_uri(), wait_until="load")
        page.wait_for_function(f"{LOADED} > 0")
        found.append(float(page.evaluate(LOADED)))
    return min(found)


FILTER = """() => {
  const field = document.querySelector("input[name=text]");
  const start = performance.now();
  field.value = field.value ? "" : "a at 1";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  document.body.getBoundingClientRect();
  return performance.now() - start;
}"""


def filtered(page: Page) -> float:
    """Milliseconds until a filter has changed the table."""
    return float(page.evaluate(FILTER))


if __name__ == "__main__":
    sys.exit(main())
