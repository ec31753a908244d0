"""The motifs of circuits, negated (bc/1). Trusted; written from the rule book of BC.

Gates are told here by their signal numbers. Every literal defined equals what is said of it, so that nothing is a free
choice. A motif is denied for each way in which it could show.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from cwr_certificates.cnf import TRUE, Cnf, all_of, any_of
from cwr_certificates.statements.bc_words import Model

MOTIFS = ("shape", "typed", "mid", "weak")

Depends = dict[tuple[int, int], int]  # {(s, t): literal that equals "signal s depends on signal t"}, t up to s
Both = dict[tuple[int, int, int], int]  # {(g, s, t): literal that equals "g reads s and t", in either order}, s < t


def deny(cnf: Cnf, model: Model, motif: str) -> None:
    """Post "the motif, one of MOTIFS, does not hold": nothing where the goal names outputs."""
    denial = {"shape": deny_shape, "typed": deny_typed, "mid": deny_mid, "weak": deny_weak}[motif]
    if model.instance.single:
        denial(cnf, model)


def deny_shape(cnf: Cnf, model: Model) -> None:
    """Post "no gates X, Y, E and o show the shape"."""
    both = either_order(cnf, model)
    for gates in fours(model):
        for clause in shapes(model, both, *gates):
            cnf.add(*clause)


def deny_typed(cnf: Cnf, model: Model) -> None:
    """Post "none of the four that show the shape have the operators named"; nothing where none is named."""
    pins, both = len(model.instance.pins), either_order(cnf, model)
    number = {operator.name: o for o, operator in enumerate(model.instance.operators)}
    for gates in fours(model) if model.instance.motif else ():
        named = zip(gates, model.instance.motif, strict=True)
        other = [-model.steps.chosen[gate - pins][number[name]] for gate, name in named]
        for clause in shapes(model, both, *gates):
            cnf.add(*clause, *other)


def deny_mid(cnf: Cnf, model: Model) -> None:
    """Post "no gates X, Y, E and o, and no pin z, show mid"."""
    both, depends = either_order(cnf, model), dependence(cnf, model)
    pins = range(len(model.instance.pins))
    gates = range(len(pins), len(model.vectors))
    shared = {pair: common(cnf, depends, *pair, gates) for pair in combinations(gates, 2)}
    pinned = {pair: common(cnf, depends, *pair, pins) for pair in combinations(gates, 2)}
    for x, y, e, o in fours(model):
        joins = (-model.outputs[0][o], -both[o, *ordered(x, e)], shared[ordered(x, e)], -pinned[ordered(x, y)])
        for z in pins:
            cnf.add(*joins, -both[e, z, y], depends[x, z], depends[y, z])


def deny_weak(cnf: Cnf, model: Model) -> None:
    """Post "the inputs of the output gate do not depend on a common signal"."""
    depends, pins = dependence(cnf, model), len(model.instance.pins)
    signals = range(len(model.vectors))
    meet = {pair: common(cnf, depends, *pair, signals) for pair in combinations(signals, 2)}
    for p, pairs in enumerate(model.reads):
        for (s, t), literal in pairs.items():
            cnf.add(-model.outputs[0][pins + p], -literal, -TRUE if s == t else -meet[ordered(s, t)])


def ordered(s: int, t: int) -> tuple[int, int]:
    """The two, the lesser first."""
    return (s, t) if s < t else (t, s)


def fours(model: Model) -> Iterator[tuple[int, int, int, int]]:
    """All different gates (X, Y, E, o) of which E may read Y, and o may read X and E."""
    gates = range(len(model.instance.pins), len(model.vectors))
    for o in gates:
        for e in range(gates.start, o):
            for y in range(gates.start, e):
                yield from ((x, y, e, o) for x in range(gates.start, o) if x not in (y, e))


def shapes(model: Model, both: Both, x: int, y: int, e: int, o: int) -> Iterator[tuple[int, ...]]:
    """For all pins p, q and z: the negations of what makes the shape of four gates."""
    pins = range(len(model.instance.pins))
    ends = (-model.outputs[0][o], -both[o, *ordered(x, e)])
    for p, q in combinations(pins, 2):
        for z in pins:
            if z not in (p, q):
                yield (*ends, -both[x, p, q], -both[y, p, q], -both[e, z, y])


def either_order(cnf: Cnf, model: Model) -> Both:
    """Define who reads what."""
    both: Both = {}
    for g, pairs in enumerate(model.reads, len(model.instance.pins)):
        for s, t in combinations(range(g), 2):
            both[g, s, t] = any_of(cnf, [literal for pair, literal in pairs.items() if ordered(*pair) == (s, t)])
    return both


def dependence(cnf: Cnf, model: Model) -> Depends:
    """Define who depends on what: on itself, on what it reads, and on what those depend on."""
    depends: Depends = {(s, s): TRUE for s in range(len(model.vectors))}
    for g, pairs in enumerate(model.reads, len(model.instance.pins)):
        reads = [any_of(cnf, [literal for pair, literal in pairs.items() if s in pair]) for s in range(g)]
        for s in range(g):
            through = [all_of(cnf, [reads[h], depends[h, s]]) for h in range(s + 1, g) if (h, s) in depends]
            depends[g, s] = any_of(cnf, [reads[s], *through])
    return depends


def common(cnf: Cnf, depends: Depends, s: int, t: int, among: range) -> int:
    """A literal that equals "signals s < t depend on one of these in common"."""
    meets = [(depends[s, one], depends[t, one]) for one in among if (s, one) in depends and (t, one) in depends]
    return any_of(cnf, [all_of(cnf, pair) for pair in meets])
