"""Why does no word meet a request? The smallest set of rules that excludes it, certified. Untrusted.

Each rule's clauses get a selector, so that one solver can be asked about any set of rules. A set that has a model is
grown as far as it goes; the rules left out are one way to make room (a correction set), and every set without a model
has a rule of each such way. So sets are tried by size, and only those that hit every way known so far: the first
without a model is a smallest one. Its certificate rests on none of this: the refutation is a fresh run on the
clauses of these rules, and for each rule the certificate has a model that breaks it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from pysat.solvers import Minisat22

from cwr_certificates.cnf import Cnf, signed
from cwr_certificates.conflicts import asked
from cwr_certificates.formulas import Formula, among, base
from cwr_certificates.lrat import solve
from cwr_certificates.prover import Issued, Work, checked, free_choices, holds, keep, on_submission
from cwr_certificates.replay import case
from cwr_solvers.answers import Limits
from cwr_solvers.errors import Disagreement, MalformedInput
from cwr_solvers.jsontext import Json

ATTEMPTS = 20  # models looked at for one that can be written as a submission


@dataclass(frozen=True, slots=True)
class Explained:
    """What there is to say of a request. `word`: one that meets it, or None; then

    rules    the smallest set of rules that excludes it, and `relaxed`: for each of them a word that meets the request
             and every other rule of the set, and as many of the others as could be (None: no submission says it)
    posted   all rules that post clauses of this instance; the others are kept by every word
    issued   the certificate
    """

    word: Json | None
    rules: tuple[str, ...]
    relaxed: Mapping[str, Json | None]
    posted: tuple[str, ...]
    issued: Issued | None


def explain(
    family: str,
    code: str,
    instance: Json,
    request: Json,
    limits: Limits,
    first: Sequence[str] = (),
    candidate: Json | None = None,
) -> Explained:
    """A word that meets the request, or why there is none. Of smallest sets that with most of the rules `first`.

    The certificate has a claim on the candidate too. Raises MalformedInput, Undecided, Disagreement.
    """
    until = time.monotonic() + limits.seconds
    found = case(family, instance)
    formula = base(family, found.instance)
    whole = asked(formula, request, "/request")
    posted = tuple(dict.fromkeys(rule for rule in whole.rules if rule))
    with Rulebook(whole, posted, until) as book:
        model = book.model(posted)
        if model is not None:
            return Explained(formula.statement.word(formula.model, model), (), {}, posted, None)
        rules = book.smallest(sorted(posted, key=lambda rule: rule not in first))
        shown = {rule: _shown(formula, book, rules, rule) for rule in rules}
    work = Work(found, formula, until, [], {}, {}, [], {})
    if candidate is not None:
        work.claims.append(on_submission(work, candidate))
    work.claims.append(_claim(work, whole, request, shown))
    words = {rule: word for rule, (word, _) in shown.items()}
    return Explained(None, rules, words, posted, checked(work, code))


class Rulebook:
    """A formula in a solver, each of whose rules can be left out."""

    def __init__(self, whole: Cnf, posted: Sequence[str], until: float) -> None:
        self.posted, self.until, self.variables = posted, until, whole.variables
        self.selector = {rule: whole.variables + number for number, rule in enumerate(posted, 1)}
        self.clauses: dict[str, list[tuple[int, ...]]] = {rule: [] for rule in posted}
        for clause, rule in zip(whole.clauses, whole.rules, strict=True):
            if rule:
                self.clauses[rule].append(clause)
        off = {rule: (-one,) for rule, one in self.selector.items()} | {"": ()}
        pairs = zip(whole.clauses, whole.rules, strict=True)
        self.solver = Minisat22(bootstrap_with=[[*clause, *off[rule]] for clause, rule in pairs])

    def __enter__(self) -> Rulebook:
        return self

    def __exit__(self, *_: object) -> None:
        self.solver.delete()

    def model(self, rules: Iterable[str], *guards: int) -> set[int] | None:
        """The true variables of a model of these rules and the request; raises Undecided("time")."""
        wanted = set(rules)
        selected = [one for rule, one in self.selector.items() if rule in wanted]  # in one order in every run
        if not holds(self.solver, [*guards, *selected], self.until):
            return None
        return {literal for literal in self.solver.get_model() if 0 < literal <= self.variables}

    def grown(self, rules: Iterable[str], model: set[int], without: str = "") -> tuple[set[str], set[int]]:
        """A largest set of rules, from these on and without that one, and its model."""
        kept = set(rules)
        for rule in self.posted:
            if rule in kept or rule == without:
                continue
            if self._keeps(model, rule):
                kept.add(rule)
            elif (more := self.model({*kept, rule})) is not None:
                kept, model = {*kept, rule}, more
        return kept, model

    def _keeps(self, model: set[int], rule: str) -> bool:
        return all(any((literal > 0) == (abs(literal) in model) for literal in clause) for clause in self.clauses[rule])

    def other(self, rules: Iterable[str], decisions: Sequence[int], guard: int) -> set[int] | None:
        """A model of these rules whose decisions are none that were given with this guard."""
        literal = self.variables + len(self.posted) + guard
        self.solver.add_clause([-literal, *(-one for one in decisions)])
        return self.model(rules, literal)

    def smallest(self, ordered: Sequence[str]) -> tuple[str, ...]:
        """The first of the smallest sets without a model; there must be one."""
        ways: list[set[str]] = []
        for size in range(len(ordered) + 1):
            for rules in combinations(ordered, size):
                if all(not way.isdisjoint(rules) for way in ways):
                    model = self.model(rules)
                    if model is None:
                        return tuple(rule for rule in self.posted if rule in rules)
                    ways.append(set(ordered) - self.grown(rules, model)[0])
        raise Disagreement("a set of rules", {"Minisat, all rules": "no model", "Minisat, every set": "a model"})


def _shown(formula: Formula, book: Rulebook, rules: Sequence[str], rule: str) -> tuple[Json | None, set[int]]:
    """A word that breaks this rule and no other of the set, and its model; the word is None where none can be written.

    Other rules are kept if they can be, so that the word breaks this one only where such a word exists.
    """
    others = [one for one in rules if one != rule]
    model = book.model(others)
    if model is None:
        raise Disagreement(f"whether {rule} is needed", {"Minisat, by size": "yes", "Minisat": "no"})
    kept, last = book.grown(others, model, rule)
    for _ in range(ATTEMPTS):
        word = formula.statement.word(formula.model, last)
        if _written(formula, word):
            return word, last
        another = book.other(kept, signed(formula.model.decisions, last), 1 + book.posted.index(rule))
        if another is None:
            break
        last = another
    return None, last


def _written(formula: Formula, word: Json) -> bool:
    """Whether the word reads as the decisions that it was made of."""
    try:
        formula.statement.literals(formula.model, word)
    except MalformedInput:
        return False
    return True


def _claim(work: Work, whole: Cnf, request: Json, shown: Mapping[str, tuple[Json | None, set[int]]]) -> Json:
    """The claim, its refutation put by."""
    rules = among(whole, shown)
    solved = solve(rules.clauses, work.until - time.monotonic())
    if solved.model is not None:
        raise Disagreement("the rules in conflict", {"Minisat": "no model", "CaDiCaL": "a model"})
    relaxed: list[Json] = []
    for rule, (word, model) in shown.items():
        less = among(whole, [one for one in shown if one != rule])
        given = signed(work.formula.model.decisions, model)
        extra: list[Json] = [*(given if word is None else ())]
        relaxed.append({"word": word, "extra": [*extra, *free_choices(less, given, sorted(model))]})
    refutation = keep(work, "conflict", rules, solved)
    return {"kind": "conflict", "rules": [*shown], "request": request, "relaxed": relaxed, "refutation": refutation}
