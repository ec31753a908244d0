"""RS by integer start times. Resources are judged where they can run out: at the start of each job.

start      one integer for each job; the order of events follows from the starts, so it needs no variable
runs       job i runs at the start of job j when start i ≤ start j < start i + duration i
makespan   an integer: an end, and by G the latest one
Events of one start run one after the other, and the last of them meets the demand of all; so at an instant the demands
of all jobs that run there must fit, whatever the order. A job of duration 0 never runs and is judged by R3 and R5 only;
its successors may start with it, because it is made to run before them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product

import z3

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.smt import Encoding, Model, ValueOf, all_of, any_of, post_requests
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import as_int, as_name, as_object
from cwr_solvers.worlds.rs.instance import Instance, Job, write_starts


@dataclass(frozen=True, slots=True)
class Plan:
    """The terms of one question: the start of each job by name, in the instance's order, and the makespan."""

    start: dict[str, z3.ArithRef]
    makespan: z3.ArithRef

    def end(self, job: Job) -> z3.ArithRef:
        return self.start[job.name] + job.duration

    def runs_at_start(self, job: Job, other: Job) -> z3.BoolRef:
        """Whether `job` runs at the start of `other`."""
        return z3.And(self.start[job.name] <= self.start[other.name], self.start[other.name] < self.end(job))


def build(model: Model, instance: Instance, claim: Claim) -> Encoding:
    """Post the accepted submissions of `instance` within the claim's bound."""
    refuse_unsupported(claim, MOTIFS, MOTIFS, moves=True)
    start = {job.name: z3.Int(f"start {job.name}", model.context) for job in instance.jobs}
    plan = Plan(start, z3.Int("makespan", model.context))
    word_shape(model, instance, plan)
    latest_end(model, instance, plan)
    r1_clock(model, plan)
    r2_unstarted()
    r3_predecessors(model, instance, plan)
    r4_resources(model, instance, plan)
    r5_deadline(model, instance, plan)
    g_goal(model, instance, plan)
    claim_bound(model, claim, plan)
    claim_requests(model, claim, instance, plan)

    def decode(value_of: ValueOf) -> Json:
        return write_starts({name: value_of(term) for name, term in start.items()})

    return Encoding(tuple(start.values()), plan.makespan, decode, "QF_LIA")


def word_shape(model: Model, instance: Instance, plan: Plan) -> None:
    """No text of a submission names a start after the deadline."""
    model.post("word", *(start <= instance.deadline for start in plan.start.values()))


def latest_end(model: Model, instance: Instance, plan: Plan) -> None:
    """The makespan is the end of some job, and 0 when there is no job. That none ends later is G."""
    ends = [plan.makespan == plan.end(job) for job in instance.jobs]
    model.post("cost", z3.Or(ends) if ends else plan.makespan == 0)


def r1_clock(model: Model, plan: Plan) -> None:
    """R1: no start is before the clock. It reads 0 at first; later events come in order of start, so it bites then."""
    model.post("R1", *(start >= 0 for start in plan.start.values()))


def r2_unstarted() -> None:
    """R2: no job is started twice. Nothing to post: a submission has one start for each job, and so has the plan."""


def r3_predecessors(model: Model, instance: Instance, plan: Plan) -> None:
    """R3: every predecessor is complete at the start of its successor."""
    for job in instance.jobs:
        for name in job.after:
            model.post("R3", plan.end(instance.job[name]) <= plan.start[job.name])


def r4_resources(model: Model, instance: Instance, plan: Plan) -> None:
    """R4: where a job starts that holds something, the demands of all jobs running then fit into each capacity."""
    holders = [job for job in instance.jobs if job.duration]
    for job in holders:
        for resource, capacity in enumerate(instance.capacity):
            spare = capacity - job.demand[resource]
            if spare < 0:
                model.post("R4", False)
            elif job.demand[resource]:
                others = [other for other in holders if other is not job and other.demand[resource]]
                _fit(model, plan, job, [(other, other.demand[resource]) for other in others], spare)
    for one, two in combinations(holders, 2):
        needs = zip(one.demand, two.demand, instance.capacity, strict=True)
        if any(here + there > capacity for here, there, capacity in needs):
            apart = z3.Or(plan.end(one) <= plan.start[two.name], plan.end(two) <= plan.start[one.name])
            model.post("R4", apart)  # follows from the sums; the solver learns it faster when told


def r5_deadline(model: Model, instance: Instance, plan: Plan) -> None:
    """R5: every job ends at or before the deadline."""
    model.post("R5", *(plan.end(job) <= instance.deadline for job in instance.jobs))


def g_goal(model: Model, instance: Instance, plan: Plan) -> None:
    """G: every job is complete when the clock stands at the makespan."""
    model.post("G", *(plan.end(job) <= plan.makespan for job in instance.jobs))


def claim_bound(model: Model, claim: Claim, plan: Plan) -> None:
    """The claim's own bound of the cost."""
    if claim.most_cost is not None:
        model.post("claim", plan.makespan <= claim.most_cost)


def claim_requests(model: Model, claim: Claim, instance: Instance, plan: Plan) -> None:
    """The motifs and moves that the claim wants to be there, or not."""
    post_requests(
        model, claim, lambda name: MOTIFS[name](model, instance, plan), lambda move: _occurs(instance, plan, move)
    )


def motif_overlap(model: Model, instance: Instance, plan: Plan) -> z3.BoolRef:
    """overlap: the two sources overlap, and the sink starts when all other jobs have ended."""
    ends = _ends(instance)
    if ends is None:
        return any_of(model, ())
    first, second, sink = ends
    alone = [plan.end(job) <= plan.start[sink.name] for job in instance.jobs if job is not sink]
    return all_of(model, [*alone, _overlap(model, plan, first, second)])


def motif_crossed(model: Model, instance: Instance, plan: Plan) -> z3.BoolRef:
    """crossed: overlap; what else it asks is the same for all words of an instance."""
    return motif_overlap(model, instance, plan) if _is_crossed(instance) else any_of(model, ())


def motif_strict(model: Model, instance: Instance, plan: Plan) -> z3.BoolRef:
    """strict: crossed, and both sources start at 0."""
    early = [plan.start[job.name] == 0 for job in (_ends(instance) or ())[:2]]
    return all_of(model, [*early, motif_crossed(model, instance, plan)])


def motif_full(model: Model, instance: Instance, plan: Plan) -> z3.BoolRef:
    """full: strict, and a job after both sources overlaps one after exactly one of them; neither is the sink."""
    inner = [job for job in instance.jobs if job not in (_ends(instance) or ())]
    both, one = ([job for job in inner if _sources_before(instance, job) == number] for number in (2, 1))
    meets = any_of(model, (_overlap(model, plan, job, other) for job, other in product(both, one)))
    return all_of(model, [motif_strict(model, instance, plan), meets])


MOTIFS: dict[str, Callable[[Model, Instance, Plan], z3.BoolRef]] = {
    "overlap": motif_overlap,
    "crossed": motif_crossed,
    "strict": motif_strict,
    "full": motif_full,
}


def _ends(instance: Instance) -> tuple[Job, Job, Job] | None:
    """The two sources and the sink; None unless there are so many and they differ."""
    awaited = {name for job in instance.jobs for name in job.after}
    sources = [job for job in instance.jobs if not job.after]
    sinks = [job for job in instance.jobs if job.name not in awaited]
    if len(sources) != 2 or len(sinks) != 1 or sinks[0] in sources:
        return None
    return sources[0], sources[1], sinks[0]


def _sources_before(instance: Instance, job: Job) -> int:
    """How many of the jobs right before this one are sources."""
    return sum(not instance.job[name].after for name in job.after)


def _is_crossed(instance: Instance) -> bool:
    """Whether one job but the sink follows both sources, one exactly one, and the sink needs a whole resource."""
    ends = _ends(instance)
    if ends is None:
        return False
    counts = {_sources_before(instance, job) for job in instance.jobs if job is not ends[2]}
    whole = any(0 < need == most for need, most in zip(ends[2].demand, instance.capacity, strict=True))
    return whole and counts >= {1, 2}


def _overlap(model: Model, plan: Plan, one: Job, two: Job) -> z3.BoolRef:
    """Whether each starts before the other ends; a job of duration 0 overlaps nothing."""
    if not one.duration or not two.duration:
        return any_of(model, ())
    return z3.And(plan.start[one.name] < plan.end(two), plan.start[two.name] < plan.end(one))


def _occurs(instance: Instance, plan: Plan, move: Json) -> z3.BoolRef:
    """Whether the job of a move starts at its start; raises MalformedInput for what is no move."""
    fields = as_object(move, "", ("job", "start"))
    job = as_name(fields["job"], "/job", instance.job, "job")
    return plan.start[job] == as_int(fields["start"], "/start", 0, instance.deadline)


def _fit(model: Model, plan: Plan, job: Job, others: list[tuple[Job, int]], spare: int) -> None:
    """The demands of the others that run at the start of `job` sum up to at most what it leaves."""
    if sum(demand for _, demand in others) > spare:
        # A demand above the spare is as bad as any other above it; Z3's coefficients must stay below 2^31.
        terms = [(plan.runs_at_start(other, job), min(demand, spare + 1)) for other, demand in others]
        model.post("R4", z3.PbLe(terms, spare))
