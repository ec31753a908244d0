"""CP-SAT run to the end, or Undecided. This file knows no world; it takes what an encoding hands it.

Encoding   what a build returns: the decision variables that identify a word, the cost, and how to read the word back
question   one build and one Limits; the seconds count from the call, the building included

Two runs answer a question, with different machinery, because a presolve that cuts too much has been seen in the wild
(google/or-tools issues 4370, 5274: false INFEASIBLE; 4640: solutions listed twice):
  minimising    presolve on, objective on
  listing       presolve off, no objective, every solution, projected on the decisions (`some` stops earlier)
One step of presolve is off in both: with its default limit, searching constraints for included ones made 9.15.6755
call a satisfiable TP instance infeasible (kept in tests/unit/test_cpsat_tp.py).
Both use one worker and a fixed seed, so that they run alike on every machine. Where the two cannot both be right,
Disagreement is raised and no answer is given.

Status, handled in `_proved` and nowhere else: OPTIMAL and INFEASIBLE are proofs; FEASIBLE and UNKNOWN mean that the run
was cut short, MODEL_INVALID that the solver refused the model: all three are Undecided, never "none".
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ortools.sat.python import cp_model
from ortools.sat.python.cp_model_helper import Literal

from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.errors import Disagreement, Undecided
from cwr_solvers.jsontext import Json, canonical

SEED = 1
LARGEST_BOUND = 2**62 - 1  # the solver refuses domains beyond half of 64 bits
MOST_TERMS = 5_000_000  # some seconds of building and a gigabyte


@dataclass(frozen=True, slots=True)
class Encoding:
    """What a build posted. Equal decisions are one word; `decode` may ask for the values of decisions only.

    Where other variables are `free`, one word may have a great many solutions; all decisions are literals then.
    """

    decisions: tuple[cp_model.IntVar, ...]
    cost: cp_model.LinearExprT
    decode: Callable[[Callable[[cp_model.IntVar], int]], Json]
    free: bool = False


Build = Callable[[cp_model.CpModel], Encoding]


def solve(build: Build, limits: Limits) -> Answer:
    """Optimum and every word with its cost.

    Raises Undecided ("time", "words" or "unknown") where a run was no proof, and Disagreement where the two runs, or
    two solutions of one run, contradict each other.
    """
    ends = time.monotonic() + limits.seconds
    model, encoding = _built(build)
    least = _minimise(model, encoding, ends)
    words = _words(encoding, _list(model, encoding, limits, ends))
    listed = min(words.values(), default=None)
    if least != listed:
        sides = {"cpsat minimising": _cost(least), "cpsat listing": _cost(listed)}
        raise Disagreement("the least cost", sides)
    return Answer(least, words)


def optimum(build: Build, limits: Limits) -> int | None:
    """The least cost alone, None when it is proved that there is no word; `limits.words` does not matter.

    Raises Undecided, and Disagreement where "none" is found with presolve and not without.
    """
    ends = time.monotonic() + limits.seconds
    model, encoding = _built(build)
    least = _minimise(model, encoding, ends)
    if least is None:
        _without_objective(model)
        _, status = _run(model, ends, presolve=False, listing=None)
        if status != cp_model.INFEASIBLE:
            sides = {"cpsat with presolve": "none", "cpsat without presolve": "some"}
            raise Disagreement("whether there is a word", sides)
    return least


def some(build: Build, limits: Limits) -> tuple[dict[bytes, int], bool]:
    """Up to `limits.words` words with their costs, and whether the run proved that there are no more.

    Raises Undecided where not even one was found and it is not proved that there is none.
    """
    model, encoding = _built(build)
    found: dict[tuple[int, ...], int] = {}
    try:
        _fill(found, model, encoding, limits, time.monotonic() + limits.seconds)
    except Undecided:
        if not found:
            raise
        return _words(encoding, dict(list(found.items())[: limits.words])), False
    return _words(encoding, found), True


def whole(model: cp_model.CpModel, low: int, high: int, name: str) -> cp_model.IntVar:
    """An integer variable from low to high; Undecided("unknown") beyond what the solver can hold."""
    if max(-low, high) > LARGEST_BOUND:
        raise Undecided("unknown", f"{name} may reach {max(-low, high)}, which CP-SAT cannot hold")
    return model.new_int_var(low, high, name)


def afford(terms: int, what: str) -> None:
    """Undecided("memory") where an encoding is about to post more terms than can be built; call it before building."""
    if terms > MOST_TERMS:
        raise Undecided("memory", f"{what} would take about {terms} terms, more than {MOST_TERMS}")


def any_of(model: cp_model.CpModel, literals: Iterable[Literal]) -> cp_model.IntVar:
    """A literal that is true exactly when one of these is; false where there are none."""
    given, result = list(literals), model.new_bool_var("any of")
    model.add_bool_or(result.negated(), *given)
    for literal in given:
        model.add_implication(literal, result)
    return result


def all_of(model: cp_model.CpModel, literals: Iterable[Literal]) -> cp_model.IntVar:
    """A literal that is true exactly when all of these are; true where there are none."""
    given, result = list(literals), model.new_bool_var("all of")
    model.add_bool_and(given).only_enforce_if(result)
    model.add_bool_or(result, *(literal.negated() for literal in given))
    return result


def at_least(model: cp_model.CpModel, amount: cp_model.LinearExprT, least: cp_model.LinearExprT) -> cp_model.IntVar:
    """A literal that is true exactly when the amount is at least so much."""
    result = model.new_bool_var("at least")
    model.add(amount >= least).only_enforce_if(result)
    model.add(amount < least).only_enforce_if(result.negated())
    return result


def equal(model: cp_model.CpModel, amount: cp_model.LinearExprT, value: cp_model.LinearExprT) -> cp_model.IntVar:
    """A literal that is true exactly when the amount is the value."""
    result = model.new_bool_var("equal")
    model.add(amount == value).only_enforce_if(result)
    model.add(amount != value).only_enforce_if(result.negated())
    return result


def meet(
    model: cp_model.CpModel,
    claim: Claim,
    motif: Callable[[str], cp_model.IntVar],
    occurs: Callable[[Json], cp_model.IntVar],
) -> None:
    """Post what a claim says of motifs and moves; `motif` and `occurs` give the literal of one and are asked only then.

    Their auxiliary variables follow from the decisions, so that no word comes twice.
    """
    for name in claim.having:
        model.add_bool_or(motif(name))
    for name in claim.lacking:
        model.add_bool_or(motif(name).negated())
    for move in claim.required:
        model.add_bool_or(occurs(move))
    for move in claim.forbidden:
        model.add_bool_or(occurs(move).negated())


class _Listing(cp_model.CpSolverSolutionCallback):
    """Keeps decisions and cost of every solution in `found` (a class because the solver's interface demands one).

    It stops the search at one word more than `most`, or at a decision that comes back with another cost.
    """

    def __init__(self, encoding: Encoding, most: int, found: dict[tuple[int, ...], int]) -> None:
        super().__init__()
        self.found = found
        self.too_many = False
        self.two_costs: tuple[int, int] | None = None
        self._encoding = encoding
        self._most = most

    def on_solution_callback(self) -> None:
        decisions = tuple(self.value(variable) for variable in self._encoding.decisions)
        cost = self.value(self._encoding.cost)
        known = self.found.setdefault(decisions, cost)
        if known != cost:
            self.two_costs = (known, cost)
        self.too_many = len(self.found) > self._most
        if self.too_many or self.two_costs is not None:
            self.stop_search()


def _built(build: Build) -> tuple[cp_model.CpModel, Encoding]:
    model = cp_model.CpModel()
    return model, build(model)


def _minimise(model: cp_model.CpModel, encoding: Encoding, ends: float) -> int | None:
    model.minimize(encoding.cost)
    solver, status = _run(model, ends, presolve=True, listing=None)
    return None if status == cp_model.INFEASIBLE else solver.value(encoding.cost)


def _list(model: cp_model.CpModel, encoding: Encoding, limits: Limits, ends: float) -> dict[tuple[int, ...], int]:
    """{decisions: cost} of every solution; solutions that differ in auxiliary variables only are one."""
    _without_objective(model)
    found: dict[tuple[int, ...], int] = {}
    _fill(found, model, encoding, limits, ends)
    return found


def _fill(
    found: dict[tuple[int, ...], int], model: cp_model.CpModel, encoding: Encoding, limits: Limits, ends: float
) -> None:
    """Puts decisions and cost of every solution into `found`, what was found also where it raises Undecided."""
    if encoding.free:
        _one_by_one(found, model, encoding, limits, ends)
        return
    _, status = _run(model, ends, presolve=False, listing=_Listing(encoding, limits.words, found))
    if (status == cp_model.INFEASIBLE) != (not found):
        raise Disagreement("whether there is a word", {"status": status.name, "listing": str(len(found))})


def _one_by_one(
    found: dict[tuple[int, ...], int], model: cp_model.CpModel, encoding: Encoding, limits: Limits, ends: float
) -> None:
    """Likewise by runs that find one solution each, whose decisions are forbidden to the next."""
    while True:
        solver, status = _run(model, ends, presolve=False, listing=None)
        if status == cp_model.INFEASIBLE:
            return
        decisions = tuple(solver.value(variable) for variable in encoding.decisions)
        if decisions in found:
            raise Disagreement("whether a word was forbidden", {"clause": "it was", "solution": "it was not"})
        found[decisions] = solver.value(encoding.cost)
        if len(found) > limits.words:
            raise Undecided("words", f"more than {limits.words} words")
        pairs = zip(encoding.decisions, decisions, strict=True)
        model.add_bool_or(*(one.negated() if value else one for one, value in pairs))


def _without_objective(model: cp_model.CpModel) -> None:
    model.clear_objective()  # type: ignore[no-untyped-call]


def _words(encoding: Encoding, found: dict[tuple[int, ...], int]) -> dict[bytes, int]:
    """{canonical word: cost}, sorted by word; two decisions that read back as one word are an encoding's fault."""
    words: dict[bytes, int] = {}
    for decisions, cost in found.items():
        values = {variable.index: value for variable, value in zip(encoding.decisions, decisions, strict=True)}
        word = canonical(encoding.decode(lambda variable, values=values: values[variable.index]))  # type: ignore[misc]
        if word in words:
            raise Disagreement("the decisions of a word", {"cpsat": f"two for {word.decode()}", "contract": "one"})
        words[word] = cost
    return dict(sorted(words.items()))


def _run(
    model: cp_model.CpModel, ends: float, *, presolve: bool, listing: _Listing | None
) -> tuple[cp_model.CpSolver, cp_model.CpSolverStatus]:
    """One run; the status that comes back is a proof: OPTIMAL or INFEASIBLE."""
    left = ends - time.monotonic()
    if left <= 0:
        raise Undecided("time", "CP-SAT had no time left to start")
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = SEED
    solver.parameters.max_time_in_seconds = left
    solver.parameters.cp_model_presolve = presolve
    solver.parameters.presolve_inclusion_work_limit = 0  # see the top of this file
    solver.parameters.enumerate_all_solutions = listing is not None
    status = solver.solve(model, listing)
    if listing is not None and listing.two_costs is not None:
        sides = {"one solution": str(listing.two_costs[0]), "another solution": str(listing.two_costs[1])}
        raise Disagreement("the cost of one word", sides)
    if listing is not None and listing.too_many:
        raise Undecided("words", f"more than {len(listing.found) - 1} words")
    # The solver stops ahead of its limit when it expects its next check to come too late, so "near" has to do.
    near = min(left / 2, left - 0.1)
    return solver, _proved(model, status, cut_by_time=solver.wall_time >= near)


def _proved(model: cp_model.CpModel, status: cp_model.CpSolverStatus, *, cut_by_time: bool) -> cp_model.CpSolverStatus:
    """The status, when it is one that proves something; else Undecided with the reason."""
    if status in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
        return status
    if status in (cp_model.FEASIBLE, cp_model.UNKNOWN):
        if cut_by_time:
            raise Undecided("time", f"CP-SAT ran out of time ({status.name})")
        raise Undecided("unknown", f"CP-SAT stopped short of a proof ({status.name})")
    if status == cp_model.MODEL_INVALID:
        raise Undecided("unknown", f"CP-SAT refused the model: {model.validate().strip()[:200]}")
    raise Undecided("unknown", f"CP-SAT ended with the status {status.name}")


def _cost(cost: int | None) -> str:
    return "none" if cost is None else str(cost)
