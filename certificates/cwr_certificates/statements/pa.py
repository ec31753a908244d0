"""Port assembly as clauses (pa/1). Trusted; written from the rule book in cwr_solvers/worlds/pa/__init__.py.

A connection from an output port to an input port is made or not; these are the decisions. The rules of steps are kept
by every part of a set that keeps them, so they are posted of the whole set, and any order of it is accepted.
"""

from __future__ import annotations

from itertools import combinations

from cwr_certificates.cnf import Cnf, post, sum_at_most
from cwr_certificates.statements.pa_motifs import MOTIFS, deny
from cwr_certificates.statements.pa_words import Model, leads, literals, model_of, namings, occurs, word
from cwr_solvers.worlds.pa.instance import Connection, Instance

__all__ = ["MOTIFS", "NAME", "Model", "at_most", "deny", "literals", "namings", "occurs", "state", "word"]

NAME = "pa/1"


def state(cnf: Cnf, instance: Instance) -> Model:
    """Post "an accepted word of the instance". Raises Undecided("size")."""
    model = model_of(cnf, instance, r1_direction(cnf, instance))
    post(cnf, model, ("R2", r2_type), ("R3", r3_from_free), ("R4", r4_to_free), ("R5", r5_self))
    post(cnf, model, ("R6", r6_forbidden), ("R7", r7_cycle), ("R8", r8_connections), ("R9", r9_cost), ("G", g_goal))
    return model


def r1_direction(cnf: Cnf, instance: Instance) -> dict[Connection, int]:
    """Connections lead from output ports to input ports: there is a decision for each such pair, and no other."""
    sources = sorted(port.name for port in instance.port.values() if port.output)
    targets = sorted(port.name for port in instance.port.values() if not port.output)
    return {(source, target): cnf.new() for source in sources for target in targets}


def r2_type(cnf: Cnf, model: Model) -> None:
    """No connection has ends of different types."""
    for (source, target), made in model.made.items():
        if model.instance.port[source].type != model.instance.port[target].type:
            cnf.add(-made)


def r3_from_free(cnf: Cnf, model: Model) -> None:
    """An output port is an end of at most one connection."""
    at_most_one(cnf, model, True)


def r4_to_free(cnf: Cnf, model: Model) -> None:
    """An input port is an end of at most one connection."""
    at_most_one(cnf, model, False)


def at_most_one(cnf: Cnf, model: Model, output: bool) -> None:
    """No two connections share a port of the direction."""
    for name, made in model.ends.items():
        if model.instance.port[name].output == output:
            for one, other in combinations(made, 2):
                cnf.add(-one, -other)


def r5_self(cnf: Cnf, model: Model) -> None:
    """No connection has both ends at one component."""
    for (source, target), made in model.made.items():
        if model.instance.port[source].component == model.instance.port[target].component:
            cnf.add(-made)


def r6_forbidden(cnf: Cnf, model: Model) -> None:
    """No connection has an end at a forbidden component."""
    for name in model.instance.forbidden:
        for port in model.instance.component[name].ports:
            for made in model.ends[port.name]:
                cnf.add(-made)


def r7_cycle(cnf: Cnf, model: Model) -> None:
    """Where an arrow leads from one component to another, no path leads back."""
    for (a, b), arrow in model.arrow.items():
        cnf.add(-arrow, -leads(model.path, b, a))


def r8_connections(cnf: Cnf, model: Model) -> None:
    """There are at most as many connections as the connection budget."""
    sum_at_most(cnf, [(1, one) for one in model.used], model.instance.most_connections)


def r9_cost(cnf: Cnf, model: Model) -> None:
    """The cost, which counts connections, is at most the cost budget."""
    at_most(cnf, model, model.instance.most_cost)


def g_goal(cnf: Cnf, model: Model) -> None:
    """Each port of the goal is an end of a connection, and a path leads along each of its pairs (none to itself)."""
    for name in model.instance.goal_ports:
        cnf.add(*model.ends[name])
    for source, target in model.instance.goal_paths:
        cnf.add(leads(model.path, source, target))


def at_most(cnf: Cnf, model: Model, cost: int) -> None:
    """Post "the cost is at most `cost`"."""
    sum_at_most(cnf, [(1, one) for one in model.used], cost)
