"""The motif of the port assembly, negated (pa/1). Trusted; written from the rule book of PA.

Say that a passes by b when a directed path from a, not through b, comes to a component to which a path from b leads and
which is the goal component or leads to it. Let a and b be b1 and b2 in such an order that no path leads from b to a.
Then branches as (b) and (c) ask for exist just when a passes by b:
  - the first component on the path from a to which a path from b leads is an m: these two paths share nothing before
    it, as no component there is b or led to from b, and from m the path from a goes on to where it comes;
  - of branches as asked for, the one from a, followed by m, is a path by which a passes by b.
Without cycles the rest goes without saying: no path from b1 or b2 comes back to the splitter, or from m to m.
"""

from __future__ import annotations

from itertools import permutations

from cwr_certificates.cnf import TRUE, Cnf, all_of, any_of
from cwr_certificates.statements.pa_words import Model, Pairs, leads

MOTIFS = ("main",)


def deny(cnf: Cnf, model: Model, motif: str) -> None:
    """Post "the motif, one of MOTIFS, does not hold"."""
    {"main": deny_main}[motif](cnf, model)


def deny_main(cnf: Cnf, model: Model) -> None:
    """No splitter has arrows to an a and a b of different kinds, where a passes by b, or (d) fails.

    Where a role is not named there is no splitter, no passing by or no spare, so that every clause holds.
    """
    spare, pass_by = idle_spare(cnf, model), passing(cnf, model)
    for splitter in model.instance.splitters:
        for (a, b), passes in pass_by.items():
            if model.instance.component[a].kind != model.instance.component[b].kind:
                both = (-leads(model.arrow, splitter, a), -leads(model.arrow, splitter, b))
                cnf.add(*both, leads(model.path, b, a), -passes, -spare)


def idle_spare(cnf: Cnf, model: Model) -> int:
    """A literal that equals (d): some spare has no connection, and has a port that would fit one of another component.

    A component without connections has all its ports free, so only the ports' types and directions matter.
    """
    idle, ports = [], model.instance.port.values()
    for name in model.instance.spares:
        own = model.instance.component[name].ports
        fitting = {(port.type, not port.output) for port in ports if port.component != name}
        if any((port.type, port.output) in fitting for port in own):
            idle.append(all_of(cnf, [-made for port in own for made in model.ends[port.name]]))
    return any_of(cnf, idle)


def passing(cnf: Cnf, model: Model) -> Pairs:
    """{(a, b): literal that equals "a passes by b"}.

    An arrow leads from a to some c, which is not b, and the path ends there as it should, or c passes by b.
    """
    sink, pass_by = model.instance.sink, dict[tuple[str, str], int]()
    tails, heads = dict.fromkeys(a for a, _ in model.arrow), dict.fromkeys(b for _, b in model.arrow)
    good = {c: -TRUE if sink is None else TRUE if c == sink else leads(model.path, c, sink) for c in heads}
    for a, b in permutations([name for name in tails if name in heads], 2):
        pass_by[a, b] = cnf.new()
    for (a, b), one in pass_by.items():
        ways = []
        for c in heads:
            if c not in (a, b):
                there = any_of(cnf, [all_of(cnf, [good[c], leads(model.path, b, c)]), leads(pass_by, c, b)])
                ways.append(all_of(cnf, [leads(model.arrow, a, c), there]))
                cnf.add(-ways[-1], one)
        cnf.add(-one, *ways)
    return pass_by
