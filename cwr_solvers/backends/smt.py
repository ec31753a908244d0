"""Z3: run one question to its end, or raise Undecided. Knows no world.

model      what an encoding posts into: constraints under the name of the rule they state
decision   a term (Boolean, bit-vector or integer) of those that together identify a word
region     the words that share the values of the first decisions with a word found, and differ in the next one

Constraints are written in a context that no solver runs in, and each question gets a copy in a fresh context. First
costs are minimised: from the cost of any word downwards, until it is refuted that a cheaper one exists. Then the words
are listed: around each word found the others lie in disjoint regions, one a decision, and each region is asked for a
word and split in turn. So no clause is ever added for a word, and no word comes twice. Z3's optimiser and its DIMACS
writer are not used.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import z3

from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.errors import Disagreement, Undecided
from cwr_solvers.jsontext import Json, canonical

Term: TypeAlias = z3.ExprRef
ValueOf: TypeAlias = Callable[[Term], int]

# Reasons of Z3's "unknown", by what its text contains; the first that fits.
_REASONS = (
    ("timeout", "time"),
    ("canceled", "time"),
    ("memory", "memory"),
    ("memout", "memory"),
    ("interrupted", "killed"),
)
_LONGEST_WAIT = 2**31  # milliseconds; Z3 reads an unsigned number of 32 bits, and the highest means no limit


@dataclass(frozen=True, slots=True)
class Model:
    """What an encoding is built in. `stop` is the instant of time.monotonic() at which the question is given up.

    `posted` holds (rule, constraint) pairs in the order of posting; rules are named as in the rule book.
    """

    context: z3.Context
    stop: float
    posted: list[tuple[str, z3.BoolRef]] = field(default_factory=list)

    def post(self, rule: str, *constraints: z3.BoolRef | bool) -> None:
        """State constraints of a rule, after a look at the clock."""
        self.look_at_clock()
        for constraint in constraints:
            made = z3.BoolVal(constraint, self.context) if isinstance(constraint, bool) else constraint
            self.posted.append((rule, made))

    def look_at_clock(self) -> None:
        """Raises Undecided("time") when writing the constraints takes longer than the whole question may."""
        if time.monotonic() > self.stop:
            raise Undecided("time", "the time limit passed while the constraints were written")


@dataclass(frozen=True, slots=True)
class Encoding:
    """What an encoding hands back.

    decisions  terms whose values identify a word; equal values, equal word
    cost       the cost, an integer or an (unsigned) bit-vector term
    decode     the word as submission JSON, given the value of any term (Booleans as 0 and 1)
    logic      the name of a Z3 logic whose solver fits, None for the general one
    """

    decisions: tuple[Term, ...]
    cost: Term
    decode: Callable[[ValueOf], Json]
    logic: str | None = None


Build: TypeAlias = Callable[[Model], Encoding]


def any_of(model: Model, flags: Iterable[z3.BoolRef]) -> z3.BoolRef:
    """Whether some flag holds: of none, no."""
    return z3.Or(z3.BoolVal(False, model.context), *flags)


def all_of(model: Model, flags: Iterable[z3.BoolRef]) -> z3.BoolRef:
    """Whether all flags hold: of none, yes."""
    return z3.And(z3.BoolVal(True, model.context), *flags)


def post_requests(
    model: Model, claim: Claim, motif: Callable[[str], z3.BoolRef], occurs: Callable[[Json], z3.BoolRef]
) -> None:
    """Post what a claim asks of motifs and moves; `motif` and `occurs` are the terms that say that one is there."""
    for name in claim.having:
        model.post("claim", motif(name))
    for name in claim.lacking:
        model.post("claim", z3.Not(motif(name)))
    for move in claim.required:
        model.post("claim", occurs(move))
    for move in claim.forbidden:
        model.post("claim", z3.Not(occurs(move)))


@dataclass(slots=True)
class _Question:
    """One solver in a context of its own, with everything posted; decisions and cost are those of the encoding, there.
    `wait` is the time limit that the solver has now for one call, in milliseconds."""

    solver: z3.Solver
    encoding: Encoding
    decisions: tuple[Term, ...]
    cost: Term
    context: z3.Context
    stop: float
    wait: int = 0


def solve(build: Build, limits: Limits) -> Answer:
    """The optimum and all words of what `build` posts.

    Raises Undecided: time, memory, killed, crashed, unknown (Z3's reason in the detail) or words. Raises Disagreement
    when listing contradicts minimising, or when two words differ in decisions only.
    """
    model = Model(z3.Context(), time.monotonic() + limits.seconds)
    encoding = build(model)
    optimum = _minimise(_ask(model, encoding))
    words = _list(_ask(model, encoding), limits.words)
    cheapest = min(words.values(), default=None)
    if cheapest != optimum:
        raise Disagreement("the optimum", {"Z3 minimising": str(optimum), "Z3 listing": str(cheapest)})
    return Answer(optimum, words)


def optimum(build: Build, limits: Limits) -> int | None:
    """The least cost alone, None when it is proved that there is no word; `limits.words` does not matter.

    Raises Undecided.
    """
    model = Model(z3.Context(), time.monotonic() + limits.seconds)
    return _minimise(_ask(model, build(model)))


def _ask(model: Model, encoding: Encoding) -> _Question:
    """A question about what was posted, in a fresh context: no solver ever runs in the context of the model."""
    context = z3.Context()
    solver = z3.Solver(ctx=context) if encoding.logic is None else z3.SolverFor(encoding.logic, context)
    solver.set("random_seed", 0)
    posted = z3.AstVector(ctx=model.context)
    for _, constraint in model.posted:
        posted.push(constraint)
    solver.add(posted.translate(context))
    decisions = tuple(decision.translate(context) for decision in encoding.decisions)
    return _Question(solver, encoding, decisions, encoding.cost.translate(context), context, model.stop)


def _check(question: _Question, *assumptions: z3.BoolRef) -> bool:
    """True: satisfiable; False: refuted; anything else raises Undecided."""
    _set_limit(question)
    try:
        status = question.solver.check(*assumptions)
    except z3.Z3Exception as error:
        raise Undecided("crashed", f"Z3: {error}") from error
    if status == z3.sat:
        return True
    if status == z3.unsat:
        return False
    said = question.solver.reason_unknown()
    reason = next((reason for part, reason in _REASONS if part in said), "unknown")
    raise Undecided(reason, f"Z3: {said}")


def _set_limit(question: _Question) -> None:
    """Give the next call the time that is left. A limit that is nearly right stays: setting it is as slow as a call."""
    left = int(1000 * (question.stop - time.monotonic()))
    if left <= 0:
        raise Undecided("time", "the time limit passed between two solver calls")
    if not left <= question.wait <= 1.1 * left:
        question.wait = min(left, _LONGEST_WAIT)
        question.solver.set("timeout", question.wait)


def _value(model: z3.ModelRef, term: Term) -> int:
    value = model.eval(term, model_completion=True)
    return int(z3.is_true(value)) if z3.is_bool(value) else int(value.as_long())


def _reader(question: _Question, model: z3.ModelRef, values: tuple[int, ...]) -> ValueOf:
    """Reads terms of the encoding in a model of the question, whose decisions have these values."""
    known = dict(zip((decision.get_id() for decision in question.encoding.decisions), values, strict=True))

    def value_of(term: Term) -> int:
        value = known.get(term.get_id())
        return _value(model, term.translate(question.context)) if value is None else value

    return value_of


def _cheaper(cost: Term, bound: int) -> z3.BoolRef:
    return z3.ULT(cost, bound) if z3.is_bv(cost) else cost < bound


def _minimise(question: _Question) -> int | None:
    """The least cost, None when there is no word: the last check is a refutation either way."""
    best: int | None = None
    while _check(question):
        best = _value(question.solver.model(), question.cost)
        question.solver.add(_cheaper(question.cost, best))
    return best


def _list(question: _Question, most: int) -> dict[bytes, int]:
    """{canonical JSON: cost} of all words, sorted by text."""
    words: dict[bytes, int] = {}
    for model, values in _models(question):
        word = canonical(question.encoding.decode(_reader(question, model, values)))
        if word in words:
            raise Disagreement("what identifies a word", {"decisions": "two words", "decode": word.decode("utf-8")})
        if len(words) == most:
            raise Undecided("words", f"more than {most} words")
        words[word] = _value(model, question.cost)
    return dict(sorted(words.items()))


def _models(question: _Question) -> Iterator[tuple[z3.ModelRef, tuple[int, ...]]]:
    """One model for each assignment of the decisions, with their values.

    A region is (literals that hold in it, values of the first decisions, which these literals fix).
    """
    literals: dict[tuple[int, int], tuple[z3.BoolRef, z3.BoolRef]] = {}
    regions: list[tuple[tuple[z3.BoolRef, ...], tuple[int, ...]]] = [((), ())]
    while regions:
        held, values = regions.pop()
        if not _check(question, *held):
            continue
        model = question.solver.model()
        for number in range(len(values), len(question.decisions)):
            case = (number, _value(model, question.decisions[number]))
            if case not in literals:
                literals[case] = _literals(question, *case)
            same, other = literals[case]
            regions.append(((*held, other), values))
            held, values = (*held, same), (*values, case[1])
        yield model, values


def _literals(question: _Question, number: int, value: int) -> tuple[z3.BoolRef, z3.BoolRef]:
    """A name for "the decision of this number has this value", and its negation."""
    term = question.decisions[number]
    name = z3.Bool(f"decision {number} is {value}", question.context)
    question.solver.add(name == (term == bool(value) if z3.is_bool(term) else term == value))
    return name, z3.Not(name)
