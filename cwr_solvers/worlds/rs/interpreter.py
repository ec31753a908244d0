"""Scheduling: what its events do and how they are judged. The rule book is the package docstring.

A move is a `Start`. Vectors follow the instance's jobs and resources. In a state, the clock and every start lie from 0
to the deadline; ends may lie beyond it. Standard library only.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from operator import add, sub
from typing import Literal, NamedTuple, TypeAlias

from cwr_solvers.jsontext import LARGEST, Json, pointer
from cwr_solvers.reading import as_int, as_name, as_object, describe, refuse
from cwr_solvers.world import Broken, Choice, Edge, Fault, Submission, no_exchanges
from cwr_solvers.worlds.rs.instance import Instance, Job, read_starts, write_starts

Status: TypeAlias = Literal["unstarted", "running", "complete"]


class Start(NamedTuple):
    """One event: a job and the time at which it starts."""

    job: str
    start: int


class Progress(NamedTuple):
    """How far one job is; start and end are None exactly while it is unstarted."""

    status: Status
    start: int | None
    end: int | None


UNSTARTED = Progress("unstarted", None, None)


class State(NamedTuple):
    """The time, how far each job is, the free amount of each resource, the number of events, the latest end so far.

    The same once more for quick reading: `running` are (end, index) of the running jobs, soonest first.
    """

    clock: int
    jobs: tuple[Progress, ...]
    free: tuple[int, ...]
    steps: int
    cost: int
    running: tuple[tuple[int, int], ...]


commutes = False
exchanges = no_exchanges


def initial(instance: Instance) -> State:
    """The state at clock 0, nothing started."""
    return State(0, (UNSTARTED,) * len(instance.jobs), instance.capacity, 0, 0, ())


def step(instance: Instance, state: State, move: Start) -> State | Broken:
    """The state after one event, or all rules that it breaks."""
    faults = _some(r1_clock(state, move), r2_unstarted(instance, state, move))
    if faults:
        return Broken(faults)
    job = instance.job[move.job]
    now = advance(instance, state, move.start)
    faults = _some(r3_predecessors(instance, now, job), r4_resources(instance, now, job))
    if faults:
        return Broken(faults)
    faults = _some(r5_deadline(instance, job, move))
    return Broken(faults) if faults else apply(instance, now, job)


def _some(*faults: Fault | None) -> tuple[Fault, ...]:
    return tuple([fault for fault in faults if fault is not None])


def advance(instance: Instance, state: State, clock: int) -> State:
    """The state when the clock has moved on to `clock`: jobs that end by then are complete, their resources free."""
    over = bisect_left(state.running, (clock + 1,))
    if not over:
        return State(clock, *state[1:])
    free, jobs = state.free, list(state.jobs)
    for _, place in state.running[:over]:
        jobs[place] = Progress("complete", *jobs[place][1:])
        free = tuple(map(add, free, instance.jobs[place].demand))
    return State(clock, tuple(jobs), free, state.steps, state.cost, state.running[over:])


def apply(instance: Instance, now: State, job: Job) -> State:
    """The effect of starting an unstarted job at the clock."""
    end, place = now.clock + job.duration, instance.place[job.name]
    started = Progress("running" if job.duration else "complete", now.clock, end)
    jobs = (*now.jobs[:place], started, *now.jobs[place + 1 :])
    free, running = now.free, now.running
    if job.duration:
        free, behind = tuple(map(sub, free, job.demand)), bisect_left(running, (end, place))
        running = (*running[:behind], (end, place), *running[behind:])
    return State(now.clock, jobs, free, now.steps + 1, max(now.cost, end), running)


def r1_clock(state: State, move: Start) -> Fault | None:
    """R1: the start is not before the clock."""
    if move.start >= state.clock:
        return None
    return Fault("R1", f"{move.job} at {move.start}", f"a start at the clock, {state.clock}, or later")


def r2_unstarted(instance: Instance, state: State, move: Start) -> Fault | None:
    """R2: the job was not started yet."""
    found = state.jobs[instance.place[move.job]]
    if found.status == "unstarted":
        return None
    return Fault("R2", f"{move.job} started at {found.start}", "a job that was not started")


def r3_predecessors(instance: Instance, now: State, job: Job) -> Fault | None:
    """R3: every predecessor is complete at the start."""
    before = [(name, now.jobs[instance.place[name]]) for name in job.after]
    late = [f"{name} {_ending(found)}" for name, found in before if found.status != "complete"]
    return Fault("R3", ", ".join(late), f"complete before {job.name}") if late else None


def r4_resources(instance: Instance, now: State, job: Job) -> Fault | None:
    """R4: of every resource at least the demand is free; not judged for a job of duration 0."""
    if job.duration == 0:
        return None
    rows = zip(instance.resources, now.free, job.demand, strict=True)
    short = [row for row in rows if row[1] < row[2]]
    if not short:
        return None
    found = ", ".join(f"{name} {free} free" for name, free, _ in short)
    return Fault("R4", found, ", ".join(f"{name} {demand}" for name, _, demand in short) + f" for {job.name}")


def r5_deadline(instance: Instance, job: Job, move: Start) -> Fault | None:
    """R5: the job ends at or before the deadline."""
    end = move.start + job.duration
    return None if end <= instance.deadline else Fault("R5", f"{job.name} ends at {end}", f"by {instance.deadline}")


def g_goal(instance: Instance, state: State) -> Fault | None:
    """G: every job is complete."""
    pairs = zip(instance.jobs, state.jobs, strict=True)
    left = [f"{job.name} {found.status}" for job, found in pairs if found.status != "complete"]
    return Fault("G", ", ".join(left), "every job complete") if left else None


def _progress(instance: Instance, state: State) -> dict[str, Progress]:
    return dict(zip(instance.job, state.jobs, strict=True))


def _ending(found: Progress) -> str:
    return "unstarted" if found.end is None else f"running until {found.end}"


def terminal(instance: Instance, state: State) -> State:
    """The state at the makespan (or at the clock, where that is later): all started jobs are complete."""
    return advance(instance, state, max(state.clock, state.cost))


def unmet(instance: Instance, state: State, _choice: Choice) -> tuple[Fault, ...]:
    """The fault of the goal, if any."""
    fault = g_goal(instance, state)
    return () if fault is None else (fault,)


def choices(_instance: Instance, _state: State) -> tuple[Choice, ...]:
    """A schedule has no final choice."""
    return (None,)


def moves(instance: Instance, state: State) -> Iterator[Start]:
    """Every start of an unstarted job from the clock to the deadline that keeps the order of events.

    So each submission is generated once: at the clock itself, only jobs that come last among those started there.
    """
    here = {job.name for job, found in zip(instance.jobs, state.jobs, strict=True) if found.start == state.clock}
    for job, found in zip(instance.jobs, state.jobs, strict=True):
        if found.status == "unstarted":
            keeps = not here or event_order(instance, {*here, job.name})[-1] == job.name
            for start in range(state.clock if keeps else state.clock + 1, instance.deadline + 1):
                yield Start(job.name, start)


normal_moves = moves


def event_order(instance: Instance, names: Collection[str]) -> tuple[str, ...]:
    """The order of events of jobs with one common start.

    Repeatedly the least name of which no predecessor of duration 0 is still to come.
    """
    waits = dict.fromkeys(names, 0)
    holds: dict[str, list[str]] = {}
    for name in waits:
        for other in instance.job[name].after:
            if other in waits and instance.job[other].duration == 0:
                waits[name] += 1
                holds.setdefault(other, []).append(name)
    ready = [name for name, left in waits.items() if not left]
    heapify(ready)
    order: list[str] = []
    while ready:
        order.append(heappop(ready))
        for name in holds.get(order[-1], ()):
            waits[name] -= 1
            if not waits[name]:
                heappush(ready, name)
    return tuple(order)


def events(instance: Instance, starts: Mapping[str, int]) -> tuple[Start, ...]:
    """The events of a schedule in their order."""
    together: dict[int, list[str]] = {}
    for name, time in starts.items():
        together.setdefault(time, []).append(name)
    return tuple(Start(name, time) for time in sorted(together) for name in event_order(instance, together[time]))


def key(_instance: Instance, state: State) -> State:
    """The state itself: an event chooses no names."""
    return state


def normal(_instance: Instance, submission: Submission[Start]) -> Submission[Start]:
    """The submission itself: an event chooses no names."""
    return submission


def namings(_instance: Instance, _submission: Submission[Start]) -> int:
    """1: an event chooses no names."""
    return 1


def read_submission(instance: Instance, value: Json) -> Submission[Start]:
    """The submission {"starts":{job:start}}, its events in their order; raises MalformedInput."""
    return Submission(events(instance, read_starts(instance, value)))


def write_submission(_instance: Instance, submission: Submission[Start]) -> Json:
    """The JSON of a submission."""
    return write_starts(dict(submission.moves))


def read_move(instance: Instance, value: Json) -> Start:
    """The event {"job":…,"start":…}; raises MalformedInput."""
    fields = as_object(value, "", ("job", "start"))
    job = as_name(fields["job"], "/job", instance.job, "job")
    return Start(job, as_int(fields["start"], "/start", 0, instance.deadline))


def write_move(_instance: Instance, move: Start) -> Json:
    """The JSON of an event."""
    return {"job": move.job, "start": move.start}


def read_state(instance: Instance, value: Json) -> State:
    """The state {"clock":t,"jobs":{job:{"status":…,"start":…,"end":…}},"free":{resource:n},"steps":n,"cost":n}.

    Raises MalformedInput, also where two fields contradict each other.
    """
    fields = as_object(value, "", ("clock", "jobs", "free", "steps", "cost"))
    clock = as_int(fields["clock"], "/clock", 0, instance.deadline)
    items = as_object(fields["jobs"], "/jobs", instance.job)
    jobs = tuple(_read_progress(instance, clock, job, items[job.name]) for job in instance.jobs)
    amounts = as_object(fields["free"], "/free", instance.resources)
    pairs = zip(instance.resources, instance.capacity, strict=True)
    free = tuple(as_int(amounts[name], pointer("/free", name), 0, capacity) for name, capacity in pairs)
    steps = as_int(fields["steps"], "/steps", 0, LARGEST)
    cost = as_int(fields["cost"], "/cost", 0, LARGEST)
    state = State(clock, jobs, free, steps, cost, running(jobs))
    _refuse_contradiction(instance, state)
    return state


def running(jobs: Iterable[Progress]) -> tuple[tuple[int, int], ...]:
    """(end, index) of the running ones among the jobs, soonest first."""
    ends = ((found.end, place) for place, found in enumerate(jobs) if found.status == "running")
    return tuple(sorted((end, place) for end, place in ends if end is not None))


def _read_progress(instance: Instance, clock: int, job: Job, value: Json) -> Progress:
    at = pointer("/jobs", job.name)
    fields = as_object(value, at, ("status", "start", "end"))
    status = as_name(fields["status"], f"{at}/status", ("unstarted", "running", "complete"), "status")
    if status == "unstarted":
        for part in ("start", "end"):
            if fields[part] is not None:
                refuse("contradiction", f"{at}/{part}", "null of an unstarted job", describe(fields[part]))
        return UNSTARTED
    start = as_int(fields["start"], f"{at}/start", 0, instance.deadline)
    end = as_int(fields["end"], f"{at}/end", 0, LARGEST)
    if end != start + job.duration:
        refuse("contradiction", f"{at}/end", f"{start + job.duration}, the start plus the duration", str(end))
    if start > clock:
        refuse("contradiction", f"{at}/start", f"a start by the clock, {clock}", str(start))
    fits: Status = "complete" if end <= clock else "running"
    if status != fits:
        refuse("contradiction", f"{at}/status", f"{fits} at clock {clock}", status)
    return Progress(fits, start, end)


def _refuse_contradiction(instance: Instance, state: State) -> None:
    for index, (name, capacity) in enumerate(zip(instance.resources, instance.capacity, strict=True)):
        pairs = zip(instance.jobs, state.jobs, strict=True)
        used = sum(job.demand[index] for job, found in pairs if found.status == "running")
        if used > capacity:
            refuse("contradiction", "/jobs", f"running jobs that use at most {capacity} {name}", str(used))
        if state.free[index] != capacity - used:
            at = pointer("/free", name)
            refuse("contradiction", at, f"{capacity - used}, the capacity less what is running", str(state.free[index]))
    ends = [found.end for found in state.jobs if found.end is not None]
    if state.steps != len(ends):
        refuse("contradiction", "/steps", f"{len(ends)}, the number of started jobs", str(state.steps))
    if state.cost != max(ends, default=0):
        refuse("contradiction", "/cost", f"{max(ends, default=0)}, the latest end", str(state.cost))


def write_state(instance: Instance, state: State) -> Json:
    """The JSON of a state."""
    jobs: dict[str, Json] = {
        name: {"status": found.status, "start": found.start, "end": found.end}
        for name, found in _progress(instance, state).items()
    }
    free: dict[str, Json] = dict(zip(instance.resources, state.free, strict=True))
    return {"clock": state.clock, "jobs": jobs, "free": free, "steps": state.steps, "cost": state.cost}


def edges(instance: Instance, submission: Submission[Start]) -> tuple[Edge, ...]:
    """What each event of a legal submission waited for, sorted.

    "precedes": `source` is a direct predecessor of `target`. "resource:NAME": `target` took units of the resource that
    `source` was the last to return. Units are taken in the order in which they became free, never used ones first
    (returned at one time: in order of events), so there is such an edge only where the unused units did not suffice.
    The initial state is no source. Raises ValueError where units are missing.
    """
    number = {move.job: index for index, move in enumerate(submission.moves)}
    found = {
        Edge(number[name], index, "precedes")
        for index, move in enumerate(submission.moves)
        for name in instance.job[move.job].after
    }
    for place, (name, capacity) in enumerate(zip(instance.resources, instance.capacity, strict=True)):
        free = [(0, -1, capacity)]
        for index, move in enumerate(submission.moves):
            job = instance.job[move.job]
            left = job.demand[place] if job.duration else 0
            ready = sorted(unit for unit in free if unit[0] <= move.start)
            free = [unit for unit in free if unit[0] > move.start]
            for since, source, amount in ready:
                taken = min(left, amount)
                left -= taken
                if taken and source >= 0:
                    found.add(Edge(source, index, f"resource:{name}"))
                if amount > taken:
                    free.append((since, source, amount - taken))
            if left:
                raise ValueError(f"the submission is not legal: {move.job} takes more {name} than is free")
            if job.duration and job.demand[place]:
                free.append((move.start + job.duration, index, job.demand[place]))
    return tuple(sorted(found))
