"""Scheduling: the four motifs (overlap, crossed, strict, full), read off the start and end of every job in the replay.

Each looks at the precedence graph for its roles (two sources, one sink) and at the schedule for its times.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Any

import networkx as nx

from cwr_audits.motifs.replay import legal
from cwr_solvers.world import Submission, World
from cwr_solvers.worlds.rs.instance import Instance


@dataclass(frozen=True, slots=True)
class Roles:
    """The two sources and the sink of the precedence graph, and when every job runs: [start, end)."""

    graph: nx.DiGraph
    sources: tuple[str, str]
    sink: str
    times: dict[str, tuple[int, int]]

    def feeding(self, job: str) -> int:
        """How many of the two sources are direct predecessors of the job."""
        return sum(self.graph.has_edge(source, job) for source in self.sources)

    def meet(self, one: str, other: str) -> bool:
        """Whether two jobs overlap: some instant lies in both (a job of duration 0 has no instant)."""
        start = max(self.times[one][0], self.times[other][0])
        return start < min(self.times[one][1], self.times[other][1])


def overlap(world: World, instance: Instance, submission: Submission[Any]) -> bool:
    """The sources overlap in time; the sink runs last and alone."""
    found = _roles(world, instance, submission)
    return found is not None and _overlap(found)


def crossed(world: World, instance: Instance, submission: Submission[Any]) -> bool:
    """Overlap; one job before the sink needs both sources, another exactly one; the sink takes a whole resource."""
    found = _roles(world, instance, submission)
    return found is not None and _overlap(found) and _crossed(instance, found)


def strict(world: World, instance: Instance, submission: Submission[Any]) -> bool:
    """Crossed, with both sources started at 0."""
    found = _roles(world, instance, submission)
    return found is not None and _strict(instance, found)


def full(world: World, instance: Instance, submission: Submission[Any]) -> bool:
    """Strict, and a job needing both sources overlaps one needing exactly one."""
    found = _roles(world, instance, submission)
    if found is None or not _strict(instance, found):
        return False
    middle = [job for job in found.graph if job not in (*found.sources, found.sink)]
    return any(
        found.feeding(one) == 2 and found.feeding(other) == 1 and found.meet(one, other)
        for one, other in permutations(middle, 2)
    )


def _roles(world: World, instance: Instance, submission: Submission[Any]) -> Roles | None:
    """The roles; None when the graph has not exactly two sources and one sink, all different."""
    graph = nx.DiGraph()
    graph.add_nodes_from(job.name for job in instance.jobs)
    graph.add_edges_from((before, job.name) for job in instance.jobs for before in job.after)
    sources = [job for job in graph if graph.in_degree(job) == 0]
    sinks = [job for job in graph if graph.out_degree(job) == 0]
    if len(sources) != 2 or len(sinks) != 1 or sinks[0] in sources:
        return None
    jobs = legal(world, instance, submission).state.jobs
    times = {job.name: (found.start, found.end) for job, found in zip(instance.jobs, jobs, strict=True)}
    return Roles(graph, (sources[0], sources[1]), sinks[0], times)


def _overlap(found: Roles) -> bool:
    last = found.times[found.sink][0]
    alone = all(end <= last for job, (_, end) in found.times.items() if job != found.sink)
    return alone and found.meet(*found.sources)


def _crossed(instance: Instance, found: Roles) -> bool:
    feeding = [found.feeding(job) for job in found.graph if job != found.sink]
    demand = instance.job[found.sink].demand
    whole = any(taken == all_of_it >= 1 for taken, all_of_it in zip(demand, instance.capacity, strict=True))
    return 2 in feeding and 1 in feeding and whole


def _strict(instance: Instance, found: Roles) -> bool:
    return _overlap(found) and _crossed(instance, found) and all(found.times[job][0] == 0 for job in found.sources)
