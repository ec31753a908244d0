"""Clauses, and the few building blocks of which the statements are made. Trusted; standard library only.

A literal is a variable (1, 2, …) or its negation (-1, -2, …). Variable 1 is TRUE and has a unit clause of its own.
New variables are defined both ways ("equals") or only pushed up: given the literals of a block, they follow by unit
propagation or may be false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

from cwr_solvers.errors import Undecided

TRUE = 1
MOST = 1_000_000


class Cnf:
    """A growing formula: `clauses` in order of posting over the variables 1 to `variables`.

    `rules` says of each clause which rule it belongs to, "" for none: the `rule` at the time of its posting.
    Raises Undecided("size") before variables and literals of clauses together exceed MOST: huge numbers are refused.
    """

    def __init__(self) -> None:
        self.variables = TRUE
        self.clauses: list[tuple[int, ...]] = [(TRUE,)]
        self.rule = ""
        self.rules = [self.rule]
        self._size = 2

    def room(self, more: int) -> None:
        """Refuse what would take `more` variables and literals beyond MOST."""
        if self._size + more > MOST:
            raise Undecided("size", f"the formula would have more than {MOST} variables and literals")

    def new(self) -> int:
        """A fresh variable."""
        self.room(1)
        self._size += 1
        self.variables += 1
        return self.variables

    def add(self, *literals: int) -> None:
        """Post a clause without false constants and repetitions, or nothing when it always holds.

        A clause with no literal left is posted as (-TRUE), which contradicts (TRUE); so none is empty.
        """
        kept = dict.fromkeys(literal for literal in literals if literal != -TRUE)
        if TRUE in kept or any(-literal in kept for literal in kept):
            return
        self.room(len(kept))
        self._size += len(kept)
        self.clauses.append(tuple(kept) or (-TRUE,))
        self.rules.append(self.rule)


def post(cnf: Cnf, model: Any, *rules: tuple[str, Callable[[Cnf, Any], None]]) -> None:
    """Post what each function posts of the model, in this order, as clauses of the rule beside it."""
    for name, function in rules:
        cnf.rule = name
        function(cnf, model)
    cnf.rule = ""


def any_of(cnf: Cnf, literals: Iterable[int]) -> int:
    """A literal that equals the disjunction."""
    kept = [literal for literal in literals if literal != -TRUE]
    if len(kept) < 2:
        return kept[0] if kept else -TRUE
    one = cnf.new()
    for literal in kept:
        cnf.add(-literal, one)
    cnf.add(-one, *kept)
    return one


def all_of(cnf: Cnf, literals: Iterable[int]) -> int:
    """A literal that equals the conjunction."""
    return -any_of(cnf, [-literal for literal in literals])


def exactly_one(cnf: Cnf, literals: Sequence[int]) -> None:
    """Post: one of the literals is true, and no two are."""
    cnf.add(*literals)
    for one, other in combinations(literals, 2):
        cnf.add(-one, -other)


def sum_at_most(cnf: Cnf, weighted: Sequence[tuple[int, int]], most: int) -> None:
    """Post: the weights (0 or more) of the true literals sum to at most `most`. Items are (weight, literal).

    reached[s] is pushed up when some true literals so far sum to s, and forgotten when the rest cannot exceed `most`.
    """
    reached, left = {0: TRUE}, sum(weight for weight, _ in weighted)
    if most < 0:
        cnf.add()
    for weight, literal in weighted if most >= 0 else ():
        following: dict[int, int] = {}
        left -= weight
        for before, known in reached.items():
            for after, unless in ((before, -TRUE), (before + weight, -literal)):
                if after > most:
                    cnf.add(-known, unless)
                elif after + left > most:
                    following[after] = following.get(after) or cnf.new()
                    cnf.add(-known, unless, following[after])
        reached = following


def signed(decisions: Sequence[int], chosen: set[int]) -> tuple[int, ...]:
    """Each decision as a literal: itself when chosen, else its negation."""
    return tuple(variable if variable in chosen else -variable for variable in decisions)
