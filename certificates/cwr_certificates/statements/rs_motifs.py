"""The motifs of scheduling, negated (rs/1). Trusted; written from the rule book of RS."""

from __future__ import annotations

from cwr_certificates.cnf import TRUE, Cnf
from cwr_certificates.statements.rs_words import Model, starts_from
from cwr_solvers.worlds.rs.instance import Job

MOTIFS = ("overlap", "crossed", "strict", "full")


def before(cnf: Cnf, model: Model, one: Job, other: Job) -> int:
    """A literal that equals "`one` ends at or before the start of `other`": when it holds and `one` starts at t or
    later, `other` starts at t + duration or later; it holds when `one` starts at t or before and `other` then."""
    literal = cnf.new()
    for t in range(model.instance.deadline + 1):
        then = starts_from(model, other.name, t + one.duration)
        cnf.add(-literal, -starts_from(model, one.name, t), then)
        cnf.add(literal, starts_from(model, one.name, t + 1), -then)
    return literal


def separate(cnf: Cnf, model: Model, one: Job, other: Job) -> tuple[int, ...]:
    """Literals, one of which holds just when the two jobs do not overlap in time."""
    if one.duration == 0 or other.duration == 0:
        return (TRUE,)
    return before(cnf, model, one, other), before(cnf, model, other, one)


def deny(cnf: Cnf, model: Model, motif: str) -> None:
    """Post "the motif, one of MOTIFS, does not hold": a clause of what may fail, or nothing where the shape of the
    instance rules the motif out. Each motif adds to the one before; `full` is denied for each pair that could show it.
    """
    jobs, rank = model.instance.jobs, MOTIFS.index(motif)
    sources = [job for job in jobs if not job.after]
    sinks = [job for job in jobs if not any(job.name in other.after for other in jobs)]
    if len(sources) != 2 or len(sinks) != 1 or sinks[0] in sources:
        return
    (s1, s2), (t,) = sources, sinks
    known = {job.name: len({s1.name, s2.name}.intersection(job.after)) for job in jobs if job != t}
    pairs = [(one, other) for one in jobs for other in jobs if known.get(one.name) == 2 and known.get(other.name) == 1]
    whole = any(0 < need == most for need, most in zip(t.demand, model.instance.capacity, strict=True))
    if rank >= 1 and not (pairs and whole):
        return
    fails = [*separate(cnf, model, s1, s2), *(-before(cnf, model, job, t) for job in jobs if job != t)]
    if rank >= 2:
        fails += [starts_from(model, s1.name, 1), starts_from(model, s2.name, 1)]
    for shown in [separate(cnf, model, *pair) for pair in pairs] if rank >= 3 else [()]:
        cnf.add(*fails, *shown)
