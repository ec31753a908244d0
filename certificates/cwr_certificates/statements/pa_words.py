"""Words of the port assembly, their decisions and what follows from these (pa/1). Trusted; from the rule book of PA.

A word is a set of connections, so "this connection is made" tells it. Only definitions stand here: they forbid nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import factorial

from cwr_certificates.cnf import TRUE, Cnf, all_of, any_of, signed
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import refuse
from cwr_solvers.worlds.pa.instance import Connection, Instance, read_connection, read_connections, write_connections

Pairs = dict[tuple[str, str], int]  # {(component, another component): literal}; what is left out is impossible


@dataclass(frozen=True, slots=True)
class Model:
    """`made[connection]`: it is made; these are the decisions, sorted as words are.

    ends    {port: literals "this connection of the port is made"}
    arrow   "a connection leads from the first component to the second, another one"
    path    "a directed path of at least one connection does"
    used    of each output port, a literal "some connection leads from it"; by R3 so many connections are made
    """

    instance: Instance
    made: dict[Connection, int]
    ends: dict[str, list[int]]
    arrow: Pairs
    path: Pairs
    used: list[int]
    decisions: tuple[int, ...]


def model_of(cnf: Cnf, instance: Instance, made: dict[Connection, int]) -> Model:
    """Define what follows from the connections."""
    ends: dict[str, list[int]] = {name: [] for name in instance.port}
    between: dict[tuple[str, str], list[int]] = {}
    for (source, target), one in made.items():
        ends[source].append(one)
        ends[target].append(one)
        between.setdefault((instance.port[source].component, instance.port[target].component), []).append(one)
    arrow = {pair: any_of(cnf, literals) for pair, literals in between.items() if pair[0] != pair[1]}
    used = [any_of(cnf, ends[port.name]) for port in instance.port.values() if port.output]
    return Model(instance, made, ends, arrow, paths(cnf, arrow), used, tuple(made.values()))


def paths(cnf: Cnf, arrow: Pairs) -> Pairs:
    """A path leads from a to b: an arrow does, or an arrow leads from a to some c and a path from c to b.

    Every path there is follows from that, so R7 sees each cycle; where there is none, no other path is possible.
    """
    path = {pair: cnf.new() for pair in arrow}
    tails = {a for a, _ in arrow}
    inner = [c for c in dict.fromkeys(b for _, b in arrow) if c in tails]
    for (a, b), one in path.items():
        further = [all_of(cnf, [arrow[a, c], path[c, b]]) for c in inner if c not in (a, b)]
        for way in (arrow[a, b], *further):
            cnf.add(-way, one)
        cnf.add(-one, arrow[a, b], *further)
    return path


def leads(pairs: Pairs, a: str, b: str) -> int:
    """The literal of `pairs` for a and b, or the constant false."""
    return pairs.get((a, b), -TRUE)


def literals(model: Model, word: Json) -> tuple[int, ...]:
    """The decisions of a word; raises MalformedInput, also where it is not sorted or not from output to input ports."""
    given = read_connections(model.instance, word)
    if any(before >= after for before, after in pairwise(given)):
        refuse("domain", "/connections", "connections sorted by from and to, each once", "another order")
    if any(one not in model.made for one in given):
        refuse("domain", "/connections", "connections from an output port to an input port", "others")
    return signed(model.decisions, {model.made[one] for one in given})


def occurs(_cnf: Cnf, model: Model, move: Json) -> list[int]:
    """Literals, one of which holds just when the move is in the word; raises MalformedInput."""
    one = read_connection(model.instance, move, "")
    return [model.made[one]] if one in model.made else []


def word(model: Model, true: set[int]) -> Json:
    """The word whose decisions are among the true variables."""
    return write_connections(tuple(one for one, variable in model.made.items() if variable in true))


def namings(instance: Instance, word: Json) -> int:
    """n! for n connections, which may be made in any order; raises MalformedInput."""
    return factorial(len(read_connections(instance, word)))
