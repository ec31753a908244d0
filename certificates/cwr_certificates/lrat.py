"""From clauses to a model or an LRAT refutation, by CaDiCaL. Untrusted: the kernel checks what comes out of here.

Two ways to a refutation, the second for the day when the first breaks:
  native   CaDiCaL 1.9.5 writes LRAT itself. python-sat has no public call for that; `native` uses private ones, and a
           canary test watches them. The option must be set before the first clause, and the text is complete only
           once the solver is deleted.
  hinted   the public call gives DRUP, which lacks hints; `hinted` finds them by unit propagation. Slower.

Ids: CaDiCaL numbers a clause when it arrives, and again when it simplifies it on arrival, so the ids of later clauses
shift. Those of the clauses as given are, in order of arrival, the ids that no line of the proof defines. `trimmed`
renumbers, drops what the empty clause does not rest on, and deletes what is not needed any more.

Solving goes in slices of a fixed number of conflicts, with a look at the clock between them: the slices do not depend
on the clock, so the same clauses give the same bytes as long as the time suffices.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pysolvers
from pysat.solvers import Cadical195

from cwr_certificates.kernel import verify
from cwr_solvers.errors import Disagreement, Undecided

Clauses = Sequence[Sequence[int]]
NO_OPTIONS: Mapping[str, int] = {}
_SLICE = 20_000
_BATCH = 256


class Step(NamedTuple):
    """One added clause: its id, its literals, the ids that imply it in the order of propagation."""

    number: int
    literals: tuple[int, ...]
    hints: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Solved:
    """Either the true literals of a model, or the LRAT text of a refutation that the kernel has verified."""

    model: tuple[int, ...] | None
    proof: bytes | None


# Options for formulas in which decisions stand in an order, row after row: take them in that order, leave in a learned
# clause the literals of the row at hand instead of what they follow from, keep every learned clause, and do not rewrite
# the formula. So a node of layers is done with after about one clause for each of its moves;
# tests/bench/bench_layers.py compares that with the usual options.
IN_ORDER: Mapping[str, int] = {
    "reverse": 1,
    **dict.fromkeys(("bump", "minimize", "shrink", "reduce", "restart", "rephase", "stabilize"), 0),
    **dict.fromkeys(("elim", "probe", "vivify", "subsume", "lucky", "walk"), 0),
}


def solve(clauses: Clauses, seconds: float, options: Mapping[str, int] = NO_OPTIONS) -> Solved:
    """Solve afresh. Raises Undecided (time, storage), and Disagreement where no proof passes the kernel.

    `options` of CaDiCaL are for `native`; they may make it quicker and change nothing else.
    """
    empty = next((number for number, clause in enumerate(clauses, 1) if not clause), None)
    if empty is not None:
        return Solved(None, _text([Step(len(clauses) + 1, (), (empty,))]))
    until = time.monotonic() + seconds
    said: list[str] = []
    for way in (_native_if_it_works, hinted):
        model, steps = way(clauses, until, options)
        if model is not None:
            return Solved(model, None)
        proof = trimmed(steps, len(clauses))
        verdict = verify(clauses, proof)
        if verdict.outcome == "verified":
            return Solved(None, proof)
        said.append(verdict.reason)
    raise Disagreement("a refutation", {"CaDiCaL": "unsatisfiable", "the kernel": "; ".join(said)})


def _native_if_it_works(
    clauses: Clauses, until: float, options: Mapping[str, int]
) -> tuple[tuple[int, ...] | None, list[Step]]:
    """`native`, or no steps where its private calls or their text are not as they were."""
    try:
        return native(clauses, until, options)
    except (AttributeError, TypeError, ValueError, LookupError):
        return None, []


def native(
    clauses: Clauses, until: float, options: Mapping[str, int] = NO_OPTIONS
) -> tuple[tuple[int, ...] | None, list[Step]]:
    """A model, or the steps of CaDiCaL's own LRAT with their ids realigned."""
    model, raw = traced(clauses, until, options)
    return model, [] if model is not None else realigned(raw, len(clauses))


def traced(
    clauses: Clauses, until: float, options: Mapping[str, int] = NO_OPTIONS
) -> tuple[tuple[int, ...] | None, bytes]:
    """A model, or CaDiCaL's own LRAT text, ids as it gives them. Raises Undecided: time or storage."""
    solver = pysolvers.cadical195_new()
    with tempfile.TemporaryFile() as file:
        try:
            pysolvers.cadical195_set(solver, "lrat", 1)
            pysolvers.cadical195_set(solver, "binary", 0)
            for option, value in options.items():
                pysolvers.cadical195_set(solver, option, value)
            pysolvers.cadical195_tracepr(solver, file)
            for clause in clauses:
                pysolvers.cadical195_add_cl(solver, list(clause))
            status = 0
            while status == 0:
                _refuse_late(until)
                pysolvers.cadical195_cbudget(solver, _SLICE)
                status = pysolvers.cadical195_solve_lim(solver, [], 0)
            model = tuple(pysolvers.cadical195_model(solver)) if status > 0 else None
        finally:
            pysolvers.cadical195_del(solver, file)
        file.seek(0)
        raw = file.read()
        if model is None:
            _refuse_full(file.fileno())
        return model, raw


def _refuse_full(descriptor: int) -> None:
    """Undecided where a file takes no further byte: what CaDiCaL could not write there it does not tell anybody."""
    try:
        os.write(descriptor, b"\n")
    except OSError as error:
        raise Undecided("storage", f"the proof was not written whole to a temporary file: {error.strerror}") from None


def _refuse_late(until: float) -> None:
    if time.monotonic() > until:
        raise Undecided("time", "CaDiCaL found neither a model nor a refutation in time")


def realigned(raw: bytes, given: int) -> list[Step]:
    """The additions of CaDiCaL's LRAT text, ids renumbered so that the given clauses have the ids 1 to `given`."""
    lines = [list(map(int, line.split())) for line in raw.decode("ascii").splitlines() if " d " not in line]
    defined = {line[0] for line in lines}
    renumbered: dict[int, int] = {}
    number = 0
    while len(renumbered) < given:
        number += 1
        if number not in defined:
            renumbered[number] = len(renumbered) + 1
    steps: list[Step] = []
    for line in lines:
        end = line.index(0)
        renumbered[line[0]] = given + len(steps) + 1
        hints = tuple(renumbered[hint] for hint in line[end + 1 : -1])
        steps.append(Step(given + len(steps) + 1, tuple(line[1:end]), hints))
    return steps


def hinted(
    clauses: Clauses, until: float, _options: Mapping[str, int] = NO_OPTIONS
) -> tuple[tuple[int, ...] | None, list[Step]]:
    """A model, or the steps of the DRUP proof of the public call, with hints found by unit propagation."""
    with Cadical195(bootstrap_with=[list(clause) for clause in clauses], with_proof=True) as solver:
        while solver.get_status() is None:
            _refuse_late(until)
            solver.conf_budget(_SLICE)
            solver.solve_limited()
        if solver.get_status():
            return tuple(solver.get_model()), []
        lines = [line for line in solver.get_proof() if not line.startswith("d")]
    known = _Known()
    for clause in clauses:
        known.add(tuple(clause))
    steps: list[Step] = []
    for line in [*lines, "0"]:
        _refuse_late(until)
        literals = tuple(map(int, line.split()[:-1]))
        hints = known.hints(literals)
        steps.append(Step(known.add(literals), literals, hints))
        if not literals:
            break
    return None, steps


class _Known:
    """Clauses by id, with the two watched literals that unit propagation needs to look at."""

    def __init__(self) -> None:
        self.clauses: dict[int, list[int]] = {}
        self.watched: dict[int, list[int]] = {}
        self.units: list[int] = []

    def add(self, literals: tuple[int, ...]) -> int:
        """Number the clause and watch it; a tautology is numbered only."""
        number = len(self.clauses) + 1
        distinct = list(dict.fromkeys(literals))
        self.clauses[number] = distinct
        if len(distinct) == 1:
            self.units.append(number)
        elif not any(-literal in distinct for literal in distinct):
            for literal in distinct[:2]:
                self.watched.setdefault(literal, []).append(number)
        return number

    def hints(self, literals: tuple[int, ...]) -> tuple[int, ...]:
        """The ids that lead from "all `literals` are false" to a false clause; empty where propagation does not."""
        reason: dict[int, int] = {-literal: 0 for literal in literals}
        queue = list(reason)
        for unit in self.units:
            literal = self.clauses[unit][0]
            if -literal in reason:
                return self._trace(unit, reason)
            if literal not in reason:
                reason[literal] = unit
                queue.append(literal)
        for literal in queue:
            false = self._visit(-literal, reason, queue)
            if false:
                return self._trace(false, reason)
        return ()

    def _visit(self, false: int, reason: dict[int, int], queue: list[int]) -> int:
        """Look at the clauses that watch a literal now false; returns the id of one that is false, or 0."""
        watching, kept = self.watched.get(false, []), []
        found = 0
        for number in watching:
            clause = self.clauses[number]
            if clause[0] == false:
                clause[0], clause[1] = clause[1], clause[0]
            other = clause[0]
            spare = next((i for i in range(2, len(clause)) if -clause[i] not in reason), 0)
            if other in reason or found or not spare:
                kept.append(number)
            else:
                clause[1], clause[spare] = clause[spare], false
                self.watched.setdefault(clause[1], []).append(number)
                continue
            if -other in reason:
                found = found or number
            elif other not in reason and not found:
                reason[other] = number
                queue.append(other)
        self.watched[false] = kept
        return found

    def _trace(self, false: int, reason: dict[int, int]) -> tuple[int, ...]:
        """The reasons that the false clause rests on, in the order of propagation, and that clause last."""
        place = {number: index for index, number in enumerate(reason.values())}
        needed = {false}
        stack = [false]
        while stack:
            for literal in self.clauses[stack.pop()]:
                cause = reason.get(-literal, 0)
                if cause and cause not in needed:
                    needed.add(cause)
                    stack.append(cause)
        return (*sorted(needed - {false}, key=lambda number: place[number]), false)


def trimmed(steps: Sequence[Step], given: int) -> bytes:
    """LRAT text of the steps that the first empty clause rests on, with ids from `given` + 1 on.

    Added clauses are deleted, a batch at a time, once no later step names them.
    """
    end = next((index for index, step in enumerate(steps) if not step.literals), len(steps) - 1)
    needed = {steps[end].number} if steps else set()
    kept: list[Step] = []
    for step in reversed(steps[: end + 1]):
        if step.number in needed:
            needed.update(step.hints)
            kept.append(step)
    kept.reverse()
    renumbered = {step.number: given + place for place, step in enumerate(kept, 1)}
    return _text(
        [
            Step(renumbered[step.number], step.literals, tuple(renumbered.get(hint, hint) for hint in step.hints))
            for step in kept
        ]
    )


def _text(steps: Sequence[Step]) -> bytes:
    first = steps[0].number if steps else 0
    last_use = {hint: index for index, step in enumerate(steps) for hint in step.hints}
    done: list[int] = []
    lines = []
    for index, step in enumerate(steps):
        lines.append(" ".join(map(str, (step.number, *step.literals, 0, *step.hints, 0))))
        done.extend(hint for hint in dict.fromkeys(step.hints) if hint >= first and last_use[hint] == index)
        if len(done) >= _BATCH and index + 1 < len(steps):
            lines.append(" ".join(map(str, (step.number, "d", *done, 0))))
            done = []
    return "".join(f"{line}\n" for line in lines).encode("ascii")
