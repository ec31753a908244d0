"""Scheduling as clauses (rs/1). Trusted; written from the rule book in cwr_solvers/worlds/rs/__init__.py.

The decisions say "job j starts at t or later", t from 1 to the deadline; with the order among them (R2) a word has
exactly one assignment. Time has no events here, but all rules of events are covered, as their docstrings say.
"""

from __future__ import annotations

from cwr_certificates.cnf import Cnf, all_of, post, sum_at_most
from cwr_certificates.statements.rs_motifs import MOTIFS, deny
from cwr_certificates.statements.rs_words import Model, literals, model_of, namings, occurs, starts_from, word
from cwr_solvers.worlds.rs.instance import Instance

__all__ = ["MOTIFS", "NAME", "Model", "at_most", "deny", "literals", "namings", "occurs", "state", "word"]

NAME = "rs/1"


def state(cnf: Cnf, instance: Instance) -> Model:
    """Post "an accepted word of the instance". Raises Undecided("size")."""
    model = model_of(cnf, instance)
    post(cnf, model, ("", r1_clock), ("", r2_unstarted), ("R3", r3_predecessors), ("R4", r4_resources))
    post(cnf, model, ("R5", r5_deadline), ("G", g_goal))
    return model


def r1_clock(_cnf: Cnf, _model: Model) -> None:
    """No clause: the events of a submission run in order of start, so none comes before the clock."""


def r2_unstarted(cnf: Cnf, model: Model) -> None:
    """A job has one start: when it starts at t + 1 or later, it starts at t or later."""
    for job in model.late:
        for t in range(1, model.instance.deadline):
            cnf.add(-starts_from(model, job, t + 1), starts_from(model, job, t))


def r3_predecessors(cnf: Cnf, model: Model) -> None:
    """When a predecessor starts at t or later, the job starts at its end or later. (A predecessor of no duration that
    starts with the job runs before it, so it is complete.)"""
    for job in model.instance.jobs:
        for before in job.after:
            for t in range(model.instance.deadline + 1):
                end = t + model.instance.job[before].duration
                cnf.add(-starts_from(model, before, t), starts_from(model, job.name, end))


def r4_resources(cnf: Cnf, model: Model) -> None:
    """At each instant t the jobs in progress, that start at t or before and end after t, hold no more than there is.

    That is the rule of events: what is held grows at starts only, and the last start of an instant meets all of it.
    """
    for t in range(model.instance.deadline):
        held = []
        for job in model.instance.jobs:
            if any(job.demand):
                begun, ended = -starts_from(model, job.name, t + 1), -starts_from(model, job.name, t + 1 - job.duration)
                held.append((job.demand, all_of(cnf, [begun, -ended])))
        for r, capacity in enumerate(model.instance.capacity):
            sum_at_most(cnf, [(demand[r], literal) for demand, literal in held], capacity)


def r5_deadline(cnf: Cnf, model: Model) -> None:
    """Every job ends at or before the deadline."""
    at_most(cnf, model, model.instance.deadline)


def g_goal(_cnf: Cnf, _model: Model) -> None:
    """No clause: every job has a start, and by R5 an end."""


def at_most(cnf: Cnf, model: Model, cost: int) -> None:
    """Post "the cost is at most `cost`": every job ends by then; with no job at all the cost is 0."""
    if cost < 0:
        cnf.add()
    for job in model.instance.jobs:
        cnf.add(-starts_from(model, job.name, cost - job.duration + 1))
