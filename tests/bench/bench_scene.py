"""Measures the cyclic-order scene: items a second and core, and what 2,000 puzzles cost by each route.

Printed, not asserted. Goals: 20 items a second and core with PNG, 300 without. Both are whole items as `cwr generate`
makes them, record and picture, in one process. What is measured are CPU seconds, which other work on the machine
lengthens less than wall seconds, but lengthens. Routes are measured on SAMPLE puzzles, each as it is seen and with all
pairs of positions as cards, without starting workers or forking.

No peer is measured beside it: nothing else is known to make these pictures.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from cwr_audits.late import SCENE_AUDITORS, resolve
from cwr_audits.scenes.cyclic_order.auditing.asking import MOST_WORDS, PICTURES
from cwr_audits.scenes.cyclic_order.auditing.audit import instances_of
from cwr_audits.scenes.cyclic_order.contract import SceneConfig
from cwr_audits.scenes.cyclic_order.making import made
from cwr_audits.scenes.cyclic_order.sampling import instance_seed, sample, write_config
from cwr_audits.scenes.parts import Export
from cwr_audits.wire import task
from cwr_solvers.answers import Limits

GOALS = {"with PNG": (True, 20), "without": (False, 300)}
ITEMS = {True: 60, False: 600}
SAMPLE, WHOLE = 60, 2000
RUNS = 3
CONFIG = SceneConfig()


def main() -> None:
    """Print the figures."""
    for name, (png, goal) in GOALS.items():
        export = Export(width=None, png=png, certify=False)
        rate = ITEMS[png] / best(lambda export=export, png=png: make(ITEMS[png], export))
        print(f"items {name}: {rate:.0f} a second and core, of {ITEMS[png]}; goal: at least {goal}", flush=True)
    seeds = [instance_seed("bench", index) for index in range(SAMPLE)]
    puzzles = [instances_of(sample(seed, CONFIG)) for seed in seeds]
    looked = [{"seed": seed, "config": write_config(CONFIG), "see": True} for seed in seeds]
    for route, engine in SCENE_AUDITORS["cyclic_order"].items():
        field, asked = (PICTURES, looked) if route == PICTURES else ("puzzles", puzzles)
        spent = best(lambda engine=engine, field=field, asked=asked: ask(engine, field, asked))
        what = "drawn, exported and read back" if route == PICTURES else "judged, and their open siblings"
        print(f"{WHOLE} puzzles {what} by {route}: {spent * WHOLE / SAMPLE:.0f} CPU s, from {SAMPLE}", flush=True)


def best(measured: Callable[[], None]) -> float:
    """The fewest CPU seconds of several runs."""
    found = []
    for _ in range(RUNS):
        start = time.process_time()
        measured()
        found.append(time.process_time() - start)
    return min(found)


def make(number: int, export: Export) -> None:
    """Make so many items."""
    for index in range(number):
        made(instance_seed("bench", index), write_config(CONFIG), export)


def ask(engine: str, field: str, asked: Sequence[Any]) -> None:
    """Ask an engine in this process; each of its replies must be an answer."""
    told = resolve(engine)(task("CO", None, Limits(60.0, MOST_WORDS), 4096, **{field: list(asked)}))
    replies = [reply for one in told for reply in (one.values() if field != PICTURES else (one,))]
    if not all("found" in reply for reply in replies):
        raise SystemExit(f"{engine} did not answer")


if __name__ == "__main__":
    main()
