"""What a formula says, found by a solver and by unit propagation: for tests of statements.

Written apart from the product, so that a fault there does not hide itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from pysat.solvers import Minisat22

from cwr_certificates.catalogue import Statement
from cwr_certificates.cnf import Cnf
from cwr_solvers.jsontext import canonical

Clauses = Iterable[tuple[int, ...]]
INDEX = Path(__file__).parents[1] / "fixtures" / "showcase-index.json"
SHOWCASES = {world["family"]: world for world in json.loads(INDEX.read_text("utf-8"))["worlds"]}


def projections(clauses: Clauses, decisions: Sequence[int]) -> list[tuple[int, ...]]:
    """Every assignment of the decisions that some model has, each once, as signed literals."""
    found = []
    with Minisat22(bootstrap_with=[list(clause) for clause in clauses]) as solver:
        while solver.solve():
            true = set(solver.get_model())
            found.append(tuple(one if one in true else -one for one in decisions))
            if not decisions:
                break
            solver.add_clause([-literal for literal in found[-1]])
    return found


def propagated(clauses: Clauses, literals: Iterable[int]) -> set[int]:
    """The literals and all that follow by unit propagation; on a conflict also a literal and its negation."""
    clauses, true, before = list(clauses), set(literals), -1
    while before < len(true):
        before = len(true)
        for clause in clauses:
            free = [literal for literal in clause if -literal not in true]
            if len(free) == 1:
                true.add(free[0])
            elif not free:
                true.update((clause[0], -clause[0]))
    return true


def completes(clauses: Clauses, literals: Iterable[int]) -> bool:
    """Whether all clauses hold once units are propagated from the literals and all else is false."""
    clauses = list(clauses)
    true = propagated(clauses, literals)
    if any(-literal in true for literal in true):
        return False
    return all(any(literal in true or (literal < 0 and -literal not in true) for literal in one) for one in clauses)


def formula(statement: Statement, instance: Any, cost: int | None = None, motif: str | None = None) -> tuple[Cnf, Any]:
    """F of an instance, with a bound on the cost or a motif denied, and the statement's model."""
    cnf = Cnf()
    model = statement.state(cnf, instance)
    if cost is not None:
        statement.at_most(cnf, model, cost)
    if motif is not None:
        statement.deny(cnf, model, motif)
    return cnf, model


def raw_words(statement: Statement, instance: Any, cost: int | None = None, motif: str | None = None) -> list[bytes]:
    """The words of all projected models, in canonical JSON, sorted; one for each model."""
    cnf, model = formula(statement, instance, cost, motif)
    models = projections(cnf.clauses, model.decisions)
    return sorted(canonical(statement.word(model, {one for one in literals if one > 0})) for literals in models)


def words(statement: Statement, instance: Any) -> set[bytes]:
    """The same as a set, once it is seen that models and words are in bijection, and for some that units suffice."""
    cnf, model = formula(statement, instance)
    models = projections(cnf.clauses, model.decisions)
    found = set()
    for literals in models:
        word = statement.word(model, {one for one in literals if one > 0})
        assert statement.literals(model, word) == literals
        found.add(canonical(word))
    assert len(found) == len(models)
    for literals in models[:: 1 + len(models) // 10]:
        assert completes(cnf.clauses, literals)
    return found


def without(
    monkeypatch: pytest.MonkeyPatch,
    statement: Statement,
    rule: str,
    instance: Any,
    replacement: Callable[..., Any] | None = None,
) -> set[bytes]:
    """The words when the function of a rule posts nothing (or is replaced)."""
    with monkeypatch.context() as patch:
        patch.setattr(statement, rule, replacement or (lambda *_: None))
        return set(raw_words(statement, instance))


def digest(statement: Statement, instance: Any, motif: str | None = None) -> str:
    """A digest of the clauses in their order."""
    return hashlib.sha256(repr(formula(statement, instance, None, motif)[0].clauses).encode()).hexdigest()[:16]
