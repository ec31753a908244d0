"""Scheduling: random small instances in which every rule can bite.

None to three resources, one to five jobs in an order that is not that of their names, some of duration 0 and in chains,
demands of nothing up to the capacity and rarely above it, and a deadline from just too early to slack, measured from
the longest chain of predecessors.
Instances with too many words or states are rejected and drawn again (see cwr_solvers.sampling.first_small).
"""

from __future__ import annotations

from random import Random
from typing import Any

from cwr_solvers.jsontext import Json
from cwr_solvers.sampling import between, chance, digest, first_small, pick, some
from cwr_solvers.worlds.rs import interpreter
from cwr_solvers.worlds.rs.instance import FAMILY, Instance, read_instance

RESOURCES = ("kiln", "axle", "crew")
JOBS = ("P", "B", "Q", "a", "M")


def generate(seed: str) -> Json:
    """The JSON of the instance of a seed."""
    return first_small(seed, FAMILY, lambda draws: _draw(draws, digest(seed)[:8]), interpreter)


def _draw(draws: Random, code: str) -> tuple[Json, Instance]:
    capacity = {name: pick(draws, (0, 1, 1, 1, 2, 2, 2, 3)) for name in some(draws, RESOURCES, between(draws, 0, 3))}
    names = some(draws, JOBS, pick(draws, (1, 2, 3, 3, 4, 4, 5, 5)))
    jobs: list[dict[str, Any]] = []
    ends: dict[str, int] = {}
    for name in names:
        duration = pick(draws, (0, 0, 1, 1, 1, 2, 2, 3))
        after = [other for other in ends if chance(draws, 35)]
        ends[name] = duration + max((ends[other] for other in after), default=0)
        demand = {resource: wanted for resource, most in capacity.items() if (wanted := _demand(draws, most))}
        jobs.append({"name": name, "duration": duration, "demand": demand, "after": some(draws, after, len(after))})
    deadline = max(ends.values()) + pick(draws, (-1, 0, 0, 1, 1, 2, 2, 3))
    made: dict[str, Any] = {
        "family": FAMILY,
        "code": f"RS-{code}",
        "resources": capacity,
        "jobs": some(draws, jobs, len(jobs)),
        "deadline": max(0, deadline),
    }
    return made, read_instance(made)


def _demand(draws: Random, capacity: int) -> int:
    return capacity + 1 if chance(draws, 2) else between(draws, 0, capacity)
