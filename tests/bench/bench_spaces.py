"""Measures the spaces of the showcases by the exhaustive route and its peers: CPU seconds of one process, no imports.

  counting    counts all raw submissions and states, without listing any
  exhaustive  the same, then lists the words from the same layers of states and puts them into classes
  clingo      lists the words as answer sets of the programs in asp/, from the instance to canonical JSON
  clingo raw  lists all raw submissions, decoded no further
  CP-SAT, Z3  minimise and list the words, through the backends of the routes

Goals: all spaces by the exhaustive route in less than 1 s, and in at most half of the time in which clingo lists the
raw submissions. Times are printed and not asserted; a peer that lists other words than the exhaustive route ends the
bench with 1.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import clingo
from asp_peer import CONFIGURATION, raw
from asp_peer import words as asp_words

from cwr_audits.subject import Subject, subjects
from cwr_encodings.cpsat_catalogue import CPSAT
from cwr_encodings.smt_catalogue import SMT
from cwr_solvers.answers import Claim, Limits
from cwr_solvers.backends import cpsat, smt
from cwr_solvers.search import count, layers, listing, tally
from cwr_solvers.symmetry import classes, text

LIMITS = Limits(300, 100_000)
RUNS = 3
PEERS = ("clingo", "clingo raw", "CP-SAT", "Z3")
COLUMNS = ("counting", "exhaustive", *PEERS)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Space:
    """What the exhaustive route finds."""

    raw: int
    states: int
    words: frozenset[bytes]
    classes: int


def main() -> int:
    """Print the figures; 1 when a peer finds other solutions."""
    print(f"CPU seconds, best of {RUNS}; clingo {clingo.__version__}, --configuration={CONFIGURATION}")
    print(f"{'':7}{'raw':>6}{'states':>9}{'words':>7}{'classes':>9}" + "".join(f"{name:>12}" for name in COLUMNS))
    wrong = []
    total = dict.fromkeys(COLUMNS, 0.0)
    for one in subjects(()):
        space, seconds, others = measure(one)
        wrong += [f"{one.code}: {name} finds other solutions" for name in others]
        total = {name: total[name] + seconds[name] for name in COLUMNS}
        sizes = f"{space.raw:>6}{space.states:>9}{len(space.words):>7}{space.classes:>9}"
        print(f"{one.code:7}{sizes}{row(seconds)}", flush=True)
    print(f"{'all':38}{row(total)}")
    for own in ("exhaustive", "counting"):
        ratios = (f"{name} {total[name] / total[own]:.2f}" for name in PEERS)
        print(f"times {own} (goal: clingo raw at least 2 times exhaustive): {', '.join(ratios)}")
    print(f"exhaustive, all spaces: {total['exhaustive']:.3f} s (goal: below 1 s)")
    print("\n".join(wrong) or "every peer lists the words of the exhaustive route, and clingo as many raw submissions")
    return 1 if wrong else 0


def row(seconds: dict[str, float]) -> str:
    """Seconds as columns."""
    return "".join(f"{seconds[name]:>12.3f}" for name in COLUMNS)


def measure(one: Subject) -> tuple[Space, dict[str, float], list[str]]:
    """The space, the seconds of each column, and the peers that find other solutions."""
    family, instance = one.world.family, one.instance
    counted, counting = timed(lambda: count(one.world, instance))
    space, own = timed(lambda: exhaustive(one))
    routes: dict[str, Callable[[], Any]] = {
        "clingo": lambda: asp_words(clingo, family, instance),
        "clingo raw": lambda: raw(clingo, family, instance),
        "CP-SAT": lambda: listed(cpsat.solve, CPSAT[family], instance),
        "Z3": lambda: listed(smt.solve, SMT[family], instance),
    }
    found = {name: timed(routes[name]) for name in PEERS}
    wanted = dict.fromkeys(PEERS, space.words) | {"clingo raw": counted.accepted_raw}
    seconds = {"counting": counting, "exhaustive": own} | {name: taken for name, (_, taken) in found.items()}
    return space, seconds, [name for name in PEERS if found[name][0] != wanted[name]]


def exhaustive(one: Subject) -> Space:
    """Count, list and class."""
    reached = tuple(layers(one.world, one.instance))
    found = tally(one.world, one.instance, reached)
    words = list(listing(one.world, one.instance, reached))
    parts = classes(one.world, one.instance, words)
    texts = frozenset(text(one.world, one.instance, word) for word in words)
    return Space(found.accepted_raw, found.reachable_states, texts, len(parts))


def listed(solve: Callable[..., Any], build: Callable[..., Any], instance: Any) -> frozenset[bytes]:
    """The words of a route."""
    return frozenset(solve(lambda model: build(model, instance, Claim()), LIMITS).words)


def timed(run: Callable[[], T]) -> tuple[T, float]:
    """What it finds, and the CPU seconds of the quickest run."""
    best = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        found = run()
        best = min(best, time.process_time() - start)
    return found, best


if __name__ == "__main__":
    sys.exit(main())
