"""The formulas that certificates speak of, written alike by who proves and by who checks. Trusted; no solver.

F says "an accepted word of the instance" as the family's statement puts it; each claim adds clauses to F.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from typing import Any, NamedTuple

from cwr_certificates.catalogue import STATEMENTS, Statement
from cwr_certificates.cnf import Cnf
from cwr_solvers.jsontext import Json


class Formula(NamedTuple):
    """F, the statement that wrote it, and the statement's own record of its variables."""

    statement: Statement
    cnf: Cnf
    model: Any


def base(family: str, instance: Any) -> Formula:
    """F of an instance; raises Undecided where it would be too large."""
    statement, cnf = STATEMENTS[family], Cnf()
    return Formula(statement, cnf, statement.state(cnf, instance))


def more(f: Formula) -> Cnf:
    """A copy of F to which clauses may be added."""
    return among(f.cnf, set(f.cnf.rules))


def among(cnf: Cnf, rules: Collection[str]) -> Cnf:
    """A copy with the clauses of these rules, and those of no rule, only."""
    less = copy(cnf)
    kept = [(one, rule) for one, rule in zip(cnf.clauses, cnf.rules, strict=True) if rule in ("", *rules)]
    less.clauses, less.rules = [one for one, _ in kept], [rule for _, rule in kept]
    return less


def cheaper(f: Formula, cost: int) -> Cnf:
    """F, and a cost below `cost`."""
    cnf = more(f)
    f.statement.at_most(cnf, f.model, cost - 1)
    return cnf


def others(f: Formula, words: Iterable[Json]) -> Cnf:
    """F, and none of the words; raises MalformedInput where one of them is no word."""
    cnf = more(f)
    for word in words:
        cnf.add(*(-literal for literal in f.statement.literals(f.model, word)))
    return cnf


def lacking(f: Formula, motif: str, word: Json = None) -> Cnf:
    """F without the motif; where a word is given, that word without the motif."""
    cnf = more(f)
    f.statement.deny(cnf, f.model, motif)
    for literal in () if word is None else f.statement.literals(f.model, word):
        cnf.add(literal)
    return cnf


def dimacs(cnf: Cnf) -> bytes:
    """The formula as DIMACS text, whose digest a certificate names."""
    lines = [f"p cnf {cnf.variables} {len(cnf.clauses)}", *(" ".join(map(str, (*clause, 0))) for clause in cnf.clauses)]
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def occurrences(cnf: Cnf) -> dict[int, list[tuple[int, ...]]]:
    """For each literal the clauses that have it."""
    having: dict[int, list[tuple[int, ...]]] = {}
    for clause in cnf.clauses:
        for literal in clause:
            having.setdefault(literal, []).append(clause)
    return having


def propagate(cnf: Cnf, having: Mapping[int, list[tuple[int, ...]]], literals: Iterable[int]) -> set[int] | None:
    """The literals and all that unit propagation makes true with them; None where a clause is left with nothing."""
    true: set[int] = set()
    queue = [*literals, *(clause[0] for clause in cnf.clauses if len(clause) == 1)]
    while queue:
        literal = queue.pop()
        if -literal in true:
            return None
        if literal in true:
            continue
        true.add(literal)
        for clause in having.get(-literal, ()):
            if true.isdisjoint(clause):
                left = [other for other in clause if -other not in true]
                if not left:
                    return None
                if len(left) == 1:
                    queue.append(left[0])
    return true


def satisfied(cnf: Cnf, having: Mapping[int, list[tuple[int, ...]]], literals: Iterable[int]) -> bool:
    """Whether every clause holds when the literals and what they propagate are true and all other variables false."""
    true = propagate(cnf, having, literals)
    if true is None:
        return False
    total = true.union(-variable for variable in range(1, cnf.variables + 1) if variable not in true)
    return not any(total.isdisjoint(clause) for clause in cnf.clauses)
