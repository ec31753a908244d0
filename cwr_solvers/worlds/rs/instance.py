"""Scheduling: its data and their strict reading. No rules live here beyond "predecessors form no cycle"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from cwr_solvers.jsontext import Json, pointer
from cwr_solvers.reading import (
    as_counts,
    as_int,
    as_items,
    as_map,
    as_name,
    as_new_name,
    as_object,
    as_text,
    distinct,
    refuse,
)

FAMILY = "RS"
MOST_TIME = 1_000_000
MOST_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Job:
    """One job. `demand` follows the instance's resources; `after` are the names of its direct predecessors."""

    name: str
    duration: int
    demand: tuple[int, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Instance:
    """A project. `capacity` follows `resources` (sorted by name); `jobs` are in stated order; `job` finds a job by
    name, `place` its index among `jobs`. Times are integers in one unit."""

    code: str
    resources: tuple[str, ...]
    capacity: tuple[int, ...]
    jobs: tuple[Job, ...]
    deadline: int
    job: Mapping[str, Job]
    place: Mapping[str, int]


def read_instance(value: Json) -> Instance:
    """The instance that a JSON value is; raises MalformedInput.

    {"family":"RS","code":…,"resources":{name:capacity},"jobs":[{"name":…,"duration":d,"demand":{resource:n},
     "after":[job,…]}],"deadline":n}; resources left out of `demand` are not used.
    """
    fields = as_object(value, "", ("family", "code", "resources", "jobs", "deadline"))
    as_name(fields["family"], "/family", (FAMILY,), "family")
    resources: dict[str, int] = {}
    for name, item in sorted(as_map(fields["resources"], "/resources").items(), key=lambda pair: pair[0]):
        at = pointer("/resources", name)
        resources[as_new_name(name, at)] = as_int(item, at, 0, MOST_TIME)
    jobs = as_items(fields["jobs"], "/jobs", lambda item, at: _job(item, at, tuple(resources)))
    names = distinct((job.name for job in jobs), "/jobs", "job name")
    _refuse_unknown(jobs, frozenset(names))
    _refuse_cycle(jobs)
    return Instance(
        code=as_new_name(as_text(fields["code"], "/code"), "/code"),
        resources=tuple(resources),
        capacity=tuple(resources.values()),
        jobs=jobs,
        deadline=as_int(fields["deadline"], "/deadline", 0, MOST_TIME),
        job={job.name: job for job in jobs},
        place={name: index for index, name in enumerate(names)},
    )


def write_instance(instance: Instance) -> Json:
    """The JSON of an instance."""
    return {
        "family": FAMILY,
        "code": instance.code,
        "resources": dict(zip(instance.resources, instance.capacity, strict=True)),
        "jobs": [_write_job(instance.resources, job) for job in instance.jobs],
        "deadline": instance.deadline,
    }


def read_starts(instance: Instance, value: Json) -> dict[str, int]:
    """{job: start} of a submission {"starts":{…}}, in the instance's order of jobs; raises MalformedInput."""
    given = as_map(as_object(value, "", ("starts",))["starts"], "/starts")
    fields = as_object(given, "/starts", instance.job)
    return {job: as_int(fields[job], pointer("/starts", job), 0, instance.deadline) for job in instance.job}


def write_starts(starts: Mapping[str, int]) -> Json:
    """The JSON of a submission."""
    return {"starts": dict(starts)}


def _job(value: Json, at: str, resources: tuple[str, ...]) -> Job:
    fields = as_object(value, at, ("name", "duration"), ("demand", "after"))
    where = pointer(at, "name")
    demand = as_counts(fields.get("demand", {}), pointer(at, "demand"), resources, "resource", 0, MOST_TIME)
    here = pointer(at, "after")
    after = as_items(fields.get("after", []), here, as_text)
    return Job(
        name=as_new_name(as_text(fields["name"], where), where),
        duration=as_int(fields["duration"], pointer(at, "duration"), 0, MOST_TIME),
        demand=tuple(demand.get(resource, 0) for resource in resources),
        after=distinct(after, here, "predecessor"),
    )


def _refuse_unknown(jobs: tuple[Job, ...], names: frozenset[str]) -> None:
    for index, job in enumerate(jobs):
        for position, name in enumerate(job.after):
            as_name(name, f"/jobs/{index}/after/{position}", names, "job")


def _refuse_cycle(jobs: tuple[Job, ...]) -> None:
    try:
        TopologicalSorter({job.name: job.after for job in jobs}).prepare()
    except CycleError as error:
        loop = " after ".join(reversed(error.args[1][:MOST_SHOWN]))
        refuse("contradiction", "/jobs", "predecessors without a cycle", f"a cycle: {loop}")


def _write_job(resources: tuple[str, ...], job: Job) -> Json:
    demand: dict[str, Json] = {name: n for name, n in zip(resources, job.demand, strict=True) if n}
    return {"name": job.name, "duration": job.duration, "demand": demand, "after": list(job.after)}
