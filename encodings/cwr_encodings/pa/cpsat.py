"""Typed-port assembly (PA) for CP-SAT: one literal for every ordered pair of ports, made or not; no order of steps.

The rules are those of the rule book, `cwr_solvers.worlds.pa`. Every order of a legal set of connections is legal, so a
word is a set. A rule that speaks of "not yet" is about pairs of connections, of which one comes after the other.

  arrow    from component a to component b: some connection leads from a port of a to a port of b
  reaches  component a reaches b: a directed path of at least one arrow, by Warshall's closure, exact also with cycles

`RULES` lists the functions that post the rules; `build` posts them all. Each posts its own condition only, also where
the conditions of others would make it follow. `MOTIFS` lists the functions that give the literal of a motif; they rely
on R7: there are no cycles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations, product

from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr, LinearExprT

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.cpsat import Encoding, afford, all_of, any_of, meet
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.pa.instance import Component, Connection, Instance, read_connection, write_connections

Arrows = Mapping[tuple[str, str], IntVar]  # by (from component, to component), every pair


@dataclass(frozen=True, slots=True)
class Plan:
    """The variables. `made` is by (from port, to port), sorted, every ordered pair of `ports`, also of equal ones."""

    ports: tuple[str, ...]
    made: Mapping[Connection, IntVar]
    arrows: Arrows
    reaches: Arrows
    size: LinearExprT

    def leaving(self, port: str) -> list[IntVar]:
        """The literals of the connections from a port."""
        return [self.made[port, other] for other in self.ports]

    def entering(self, port: str) -> list[IntVar]:
        """The literals of the connections to a port."""
        return [self.made[other, port] for other in self.ports]


def build(model: CpModel, instance: Instance, claim: Claim) -> Encoding:
    """Post "an accepted word of the claim"; decisions are `Plan.made`."""
    refuse_unsupported(claim, MOTIFS, MOTIFS, moves=True)
    plan = _plan(model, instance)
    for post in RULES.values():
        post(model, instance, plan)
    if claim.most_cost is not None:
        model.add(plan.size <= claim.most_cost)
    meet(
        model,
        claim,
        lambda motif: MOTIFS[motif](model, instance, plan),
        lambda move: occurs(model, instance, plan, move),
    )
    return Encoding(tuple(plan.made.values()), plan.size, lambda value_of: _decode(plan, value_of))


def r1_direction(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R1: a connection leads from an output port to an input port."""
    for (source, target), literal in plan.made.items():
        if not instance.port[source].output or instance.port[target].output:
            model.add_bool_or(literal.negated())


def r2_type(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R2: both ports of a connection have one type."""
    for (source, target), literal in plan.made.items():
        if instance.port[source].type != instance.port[target].type:
            model.add_bool_or(literal.negated())


def r3_from_free(model: CpModel, _instance: Instance, plan: Plan) -> None:
    """R3: of two connections from one port the later one finds it taken."""
    for port in plan.ports:
        model.add_at_most_one(*plan.leaving(port))


def r4_to_free(model: CpModel, _instance: Instance, plan: Plan) -> None:
    """R4: of two connections to one port the later one finds it taken."""
    for port in plan.ports:
        model.add_at_most_one(*plan.entering(port))


def r5_self(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R5: the ports of a connection belong to different components."""
    for (source, target), literal in plan.made.items():
        if instance.port[source].component == instance.port[target].component:
            model.add_bool_or(literal.negated())


def r6_forbidden(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R6: no port of a connection belongs to a forbidden component."""
    for ports, literal in plan.made.items():
        if any(instance.port[port].component in instance.forbidden for port in ports):
            model.add_bool_or(literal.negated())


def r7_cycle(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R7: no two components reach each other. A component connected with itself is not judged here: R5 comes first."""
    for a, b in combinations(instance.component, 2):
        model.add_bool_or(plan.reaches[a, b].negated(), plan.reaches[b, a].negated())


def r8_connections(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R8: there are at most as many connections as the connection budget."""
    model.add(plan.size <= instance.most_connections)


def r9_cost(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R9: the cost, one a connection, is at most the cost budget."""
    model.add(plan.size <= instance.most_cost)


def g_goal(model: CpModel, instance: Instance, plan: Plan) -> None:
    """G: every listed port is an end of a connection; of every listed pair the first component reaches the second."""
    for port in instance.goal_ports:
        model.add_bool_or(*plan.leaving(port), *plan.entering(port))
    for path in instance.goal_paths:
        model.add_bool_or(plan.reaches[path])


RULES: Mapping[str, Callable[[CpModel, Instance, Plan], None]] = {
    "R1": r1_direction,
    "R2": r2_type,
    "R3": r3_from_free,
    "R4": r4_to_free,
    "R5": r5_self,
    "R6": r6_forbidden,
    "R7": r7_cycle,
    "R8": r8_connections,
    "R9": r9_cost,
    "G": g_goal,
}


def occurs(model: CpModel, instance: Instance, plan: Plan, move: Json) -> IntVar:
    """Whether a connection is made; raises MalformedInput."""
    return any_of(model, [plan.made[read_connection(instance, move, "")]])


def motif_main(model: CpModel, instance: Instance, plan: Plan) -> IntVar:
    """A splitter feeds two branches that begin with different kinds, share nothing and meet on the way to the goal
    component, while a spare that would fit somewhere is left alone."""
    afford(8 * len(instance.component) ** 3, f"a motif of {len(instance.component)} components")
    spare = [_isolated(model, instance, plan, instance.component[name]) for name in instance.spares]
    kind = {part.name: part.kind for part in instance.components}
    apart = [pair for pair in combinations(instance.component, 2) if kind[pair[0]] != kind[pair[1]]]
    meeting = _meeting(model, instance, plan)
    branches = [
        all_of(model, [plan.arrows[splitter, first], plan.arrows[splitter, second], meeting[first, second]])
        for splitter in instance.splitters
        for first, second in apart
    ]
    return all_of(model, [any_of(model, spare), any_of(model, branches)])


MOTIFS: Mapping[str, Callable[[CpModel, Instance, Plan], IntVar]] = {"main": motif_main}


def _isolated(model: CpModel, instance: Instance, plan: Plan, spare: Component) -> IntVar:
    """Whether a component has no connection, although some other component has a port for one of its ports."""
    others = {(port.type, port.output) for port in instance.port.values() if port.component != spare.name}
    if not any((port.type, not port.output) in others for port in spare.ports):
        return any_of(model, [])
    literals = [plan.leaving(port.name) + plan.entering(port.name) for port in spare.ports]
    return all_of(model, [literal.negated() for ends in literals for literal in ends])


def _meeting(model: CpModel, instance: Instance, plan: Plan) -> Arrows:
    """Of two components, whether disjoint paths from them meet in a component that is the goal or reaches it.

    One path is followed at a time, by an arrow from a component that the other does not reach; so no path ever comes to
    a component that the other has left. As there are no cycles, one of the two is always such, and the literals, which
    are defined by one another, have one value only. The end: one of the two goes to the meeting point, and the other
    reaches it.
    """
    parts = tuple(instance.component)
    meet_there = {pair: model.new_bool_var("meeting") for pair in combinations(parts, 2)}
    meeting = {**meet_there, **{(b, a): literal for (a, b), literal in meet_there.items()}}
    good = {name: _leads_on(model, instance, plan, name) for name in parts}
    for (a, b), literal in meet_there.items():
        ways: list[IntVar] = []
        for one, other in ((a, b), (b, a)):
            steps = [all_of(model, [plan.arrows[one, to], meeting[to, other]]) for to in parts if to not in (a, b)]
            ends = [all_of(model, [plan.arrows[one, to], plan.reaches[other, to], good[to]]) for to in parts]
            ways.append(all_of(model, [plan.reaches[other, one].negated(), any_of(model, steps + ends)]))
        model.add(literal == any_of(model, ways))
    return meeting


def _leads_on(model: CpModel, instance: Instance, plan: Plan, name: str) -> IntVar:
    """Whether a component is the goal component or reaches it."""
    if instance.sink is None:
        return any_of(model, [])
    return all_of(model, [] if name == instance.sink else [plan.reaches[name, instance.sink]])


def _plan(model: CpModel, instance: Instance) -> Plan:
    """Variables, and what is no rule: what reaches what follows from what is connected."""
    ports, components = tuple(sorted(instance.port)), len(instance.component)
    afford(8 * len(ports) ** 2 + 9 * components**3, f"{len(ports)} ports of {components} components")
    made = {(a, b): model.new_bool_var(f"{a}>{b}") for a, b in product(ports, ports)}
    arrows = reaches = _arrows(model, instance, made)
    for middle in instance.component:
        reaches = _through(model, reaches, middle)
    return Plan(ports, made, arrows, reaches, LinearExpr.sum(list(made.values())))


def _arrows(model: CpModel, instance: Instance, made: Mapping[Connection, IntVar]) -> Arrows:
    """An arrow is there exactly when some connection of the two components is."""
    between: dict[tuple[str, str], list[IntVar]] = {
        pair: [] for pair in product(instance.component, instance.component)
    }
    for (source, target), literal in made.items():
        between[instance.port[source].component, instance.port[target].component].append(literal)
    return {pair: any_of(model, literals) for pair, literals in between.items()}


def _through(model: CpModel, arrows: Arrows, middle: str) -> Arrows:
    """One round of Warshall's closure: arrows, and pairs of arrows that meet in `middle`."""
    wider: dict[tuple[str, str], IntVar] = {}
    for (a, b), known in arrows.items():
        first, second = arrows[a, middle], arrows[middle, b]
        if middle in (a, b):  # such a pair of arrows begins or ends with the arrow itself
            wider[a, b] = known
            continue
        wider[a, b] = model.new_bool_var(f"{a}>>{b}")
        model.add_implication(known, wider[a, b])
        model.add_bool_or(first.negated(), second.negated(), wider[a, b])
        model.add_bool_or(wider[a, b].negated(), known, first)
        model.add_bool_or(wider[a, b].negated(), known, second)
    return wider


def _decode(plan: Plan, value_of: Callable[[IntVar], int]) -> Json:
    return write_connections(tuple(connection for connection, literal in plan.made.items() if value_of(literal)))
