"""Resource and precedence scheduling (RS) for CP-SAT: start variables, fixed-size intervals, one cumulative a resource.

The rules are those of the rule book, `cwr_solvers.worlds.rs`. A word gives every job one start, and its events run in
order of start, predecessors of duration 0 before their successors; so a job's predecessors are complete at its start
exactly when none of them ends later, and what is free at each start is settled by the occupancies alone.

`RULES` lists the functions that post the rules on the variables; R2 is the function that makes the start variables.
`MOTIFS` lists the functions that give the literal of a motif. Which jobs a motif speaks of is in the instance; what the
literals tell are the times.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import permutations

from ortools.sat.python.cp_model import CpModel, IntervalVar, IntVar, LinearExprT

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.cpsat import Encoding, all_of, any_of, at_least, equal, meet
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import as_int, as_name, as_object
from cwr_solvers.worlds.rs.instance import Instance, Job, write_starts


@dataclass(frozen=True, slots=True)
class Plan:
    """The variables, by job name. `makespan` is the cost."""

    starts: Mapping[str, IntVar]
    ends: Mapping[str, LinearExprT]
    makespan: IntVar


def build(model: CpModel, instance: Instance, claim: Claim) -> Encoding:
    """Post "an accepted word of the claim"; decisions are the starts, in the instance's order of jobs."""
    refuse_unsupported(claim, MOTIFS, MOTIFS, moves=True)
    starts = r2_unstarted(model, instance)
    ends = {job.name: starts[job.name] + job.duration for job in instance.jobs}
    longest = max((job.duration for job in instance.jobs), default=0)
    plan = Plan(starts, ends, model.new_int_var(0, instance.deadline + longest, "makespan"))
    for post in RULES.values():
        post(model, instance, plan)
    if claim.most_cost is not None:
        model.add(plan.makespan <= claim.most_cost)
    meet(
        model,
        claim,
        lambda motif: MOTIFS[motif](model, instance, plan),
        lambda move: occurs(model, instance, plan, move),
    )
    return Encoding(tuple(starts.values()), plan.makespan, lambda value_of: _decode(plan, value_of))


def r1_clock(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R1: no start is before the clock. Events run in order of start, so only the first clock, 0, could be missed."""
    for job in instance.jobs:
        model.add(plan.starts[job.name] >= 0)


def r2_unstarted(model: CpModel, instance: Instance) -> Mapping[str, IntVar]:
    """R2: no job is started twice; by construction, as there is one start variable a job.

    Domains reach to the deadline, the last start that a submission can name, and one instant before clock 0, so that
    R1 has something to forbid.
    """
    return {job.name: model.new_int_var(-1, instance.deadline, job.name) for job in instance.jobs}


def r3_predecessors(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R3: every predecessor is complete at the start."""
    for job in instance.jobs:
        for before in job.after:
            model.add(plan.ends[before] <= plan.starts[job.name])


def r4_resources(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R4: at every instant the occupants of a resource demand at most its capacity; durations of 0 hold nothing."""
    lasting = [job for job in instance.jobs if job.duration > 0]
    intervals = {job.name: _interval(model, plan, job) for job in lasting}
    for resource, capacity in enumerate(instance.capacity):
        users = [job for job in lasting if job.demand[resource] > 0]
        if any(job.demand[resource] > capacity for job in users):
            model.add_bool_or([])
        demands = [job.demand[resource] for job in users]
        model.add_cumulative([intervals[job.name] for job in users], demands, capacity)


def r5_deadline(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R5: every job ends at or before the deadline."""
    for end in plan.ends.values():
        model.add(end <= instance.deadline)


def g_goal(model: CpModel, _instance: Instance, plan: Plan) -> None:
    """G: every job is complete when the clock stands at the makespan, the latest end (0 where there is no job)."""
    model.add_max_equality(plan.makespan, [0, *plan.ends.values()])


RULES: Mapping[str, Callable[[CpModel, Instance, Plan], None]] = {
    "R1": r1_clock,
    "R3": r3_predecessors,
    "R4": r4_resources,
    "R5": r5_deadline,
    "G": g_goal,
}


def occurs(model: CpModel, instance: Instance, plan: Plan, move: Json) -> IntVar:
    """Whether a job starts at a time; raises MalformedInput."""
    fields = as_object(move, "", ("job", "start"))
    job = as_name(fields["job"], "/job", instance.job, "job")
    return equal(model, plan.starts[job], as_int(fields["start"], "/start", 0, instance.deadline))


def motif_overlap(model: CpModel, instance: Instance, plan: Plan) -> IntVar:
    """The two sources overlap, and all other jobs have ended when the sink starts."""
    found = _ends(instance)
    if found is None:
        return any_of(model, [])
    first, second, sink = found
    others = [plan.ends[job.name] for job in instance.jobs if job != sink]
    alone = [at_least(model, plan.starts[sink.name], end) for end in others]
    return all_of(model, [_overlap(model, plan, first, second), *alone])


def motif_crossed(model: CpModel, instance: Instance, plan: Plan) -> IntVar:
    """Overlap; and jobs other than the sink wait for both sources and for one; and the sink needs all of something."""
    found = _ends(instance)
    if found is None or not _crossed(instance, found):
        return any_of(model, [])
    return motif_overlap(model, instance, plan)


def motif_strict(model: CpModel, instance: Instance, plan: Plan) -> IntVar:
    """Crossed, and both sources start at 0."""
    at_zero = [equal(model, plan.starts[job.name], 0) for job in (_ends(instance) or ())[:2]]
    return all_of(model, [motif_crossed(model, instance, plan), *at_zero])


def motif_full(model: CpModel, instance: Instance, plan: Plan) -> IntVar:
    """Strict, and a job that waits for both sources overlaps with one that waits for exactly one of them."""
    both, single = _middle(instance, _ends(instance))
    meetings = [_overlap(model, plan, a, b) for a in both for b in single]
    return all_of(model, [motif_strict(model, instance, plan), any_of(model, meetings)])


MOTIFS: Mapping[str, Callable[[CpModel, Instance, Plan], IntVar]] = {
    "overlap": motif_overlap,
    "crossed": motif_crossed,
    "strict": motif_strict,
    "full": motif_full,
}


def _ends(instance: Instance) -> tuple[Job, Job, Job] | None:
    """The two sources and the sink; None where there are others, or where they are not three different jobs."""
    waited_for = {name for job in instance.jobs for name in job.after}
    sources = [job for job in instance.jobs if not job.after]
    sinks = [job for job in instance.jobs if job.name not in waited_for]
    if len(sources) != 2 or len(sinks) != 1 or sinks[0] in sources:
        return None
    return sources[0], sources[1], sinks[0]


def _middle(instance: Instance, ends: tuple[Job, Job, Job] | None) -> tuple[list[Job], list[Job]]:
    """The jobs other than the sink that wait directly for both sources, and those that wait for exactly one."""
    if ends is None:
        return [], []
    sources = {job.name for job in ends[:2]}
    waits = [(job, len(sources.intersection(job.after))) for job in instance.jobs if job != ends[2]]
    return [job for job, number in waits if number == 2], [job for job, number in waits if number == 1]


def _crossed(instance: Instance, ends: tuple[Job, Job, Job]) -> bool:
    """What `crossed` asks of the instance alone."""
    both, single = _middle(instance, ends)
    whole = any(need == most >= 1 for need, most in zip(ends[2].demand, instance.capacity, strict=True))
    return bool(both) and bool(single) and whole


def _overlap(model: CpModel, plan: Plan, one: Job, other: Job) -> IntVar:
    """Whether each starts before the other ends; never for a job that takes no time."""
    if one.duration == 0 or other.duration == 0:
        return any_of(model, [])
    before = [at_least(model, plan.ends[b.name], plan.starts[a.name] + 1) for a, b in permutations((one, other))]
    return all_of(model, before)


def _interval(model: CpModel, plan: Plan, job: Job) -> IntervalVar:
    return model.new_fixed_size_interval_var(plan.starts[job.name], job.duration, f"run {job.name}")


def _decode(plan: Plan, value_of: Callable[[IntVar], int]) -> Json:
    return write_starts({name: value_of(start) for name, start in plan.starts.items()})
