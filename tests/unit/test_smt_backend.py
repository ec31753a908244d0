"""The Z3 backend by itself, on models written here: answers, and every way of having none."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import pytest
import z3

from cwr_solvers.answers import Limits
from cwr_solvers.backends import smt
from cwr_solvers.backends.smt import Encoding, Model, solve
from cwr_solvers.errors import Disagreement, Undecided

LIMITS = Limits(20, 1000)


def numbers(
    write: Callable[[Any, Any], tuple[Any, ...]], sort: Callable[..., Any] = z3.Int
) -> Callable[[Model], Encoding]:
    """Words [x, y] of two terms of one sort, with the constraints that `write` makes of them; the cost is x."""

    def build(model: Model) -> Encoding:
        x, y = (sort(name, *([4] if sort is z3.BitVec else []), model.context) for name in "xy")
        model.post("R1", *write(x, y))
        cost = z3.If(x, z3.IntVal(1, model.context), 0) if sort is z3.Bool else x
        return Encoding((x, y), cost, lambda value_of: [value_of(x), value_of(y)])

    return build


def pigeons(holes: int) -> Callable[[Model], Encoding]:
    """One pigeon more than holes: no word, and a refutation that takes long."""

    def build(model: Model) -> Encoding:
        sits = [[z3.Bool(f"{p} {h}", model.context) for h in range(holes)] for p in range(holes + 1)]
        model.post("R1", *(z3.Or(row) for row in sits))
        for row, other in combinations(sits, 2):
            model.post("R2", *(z3.Or(z3.Not(one), z3.Not(two)) for one, two in zip(row, other, strict=True)))
        decisions = tuple(one for row in sits for one in row)
        return Encoding(decisions, z3.IntVal(0, model.context), lambda _: [], None)

    return build


def test_integers() -> None:
    answer = solve(numbers(lambda x, y: (x + y == 3, x >= -1, y >= 1)), LIMITS)
    assert answer.optimum == -1
    assert answer.words == {b"[-1,4]": -1, b"[0,3]": 0, b"[1,2]": 1, b"[2,1]": 2}
    assert list(answer.words) == sorted(answer.words)


def test_bit_vectors_are_unsigned() -> None:
    answer = solve(numbers(lambda x, y: (x == y + 7, z3.ULE(y, 4)), sort=z3.BitVec), LIMITS)
    assert answer.optimum == 7
    assert answer.words == {b"[7,0]": 7, b"[8,1]": 8, b"[9,2]": 9, b"[10,3]": 10, b"[11,4]": 11}


def test_booleans() -> None:
    answer = solve(numbers(lambda x, y: (z3.Or(x, y),), sort=z3.Bool), LIMITS)
    assert answer.optimum == 0
    assert answer.words == {b"[0,1]": 0, b"[1,0]": 1, b"[1,1]": 1}


def test_no_word() -> None:
    answer = solve(numbers(lambda x, y: (x < y, x > y)), LIMITS)
    assert answer.optimum is None
    assert answer.words == {}


@pytest.mark.parametrize(("posted", "words"), [(True, {b"[]": 0}), (False, {})])
def test_no_decisions(posted: bool, words: dict[bytes, int]) -> None:
    def build(model: Model) -> Encoding:
        model.post("R1", posted)
        return Encoding((), z3.IntVal(0, model.context), lambda _: [])

    assert solve(build, LIMITS).words == words


def test_unconstrained_decisions_are_words_too() -> None:
    """Z3 leaves what does not matter out of its models."""
    assert len(solve(numbers(lambda *_: (True,), sort=z3.Bool), LIMITS).words) == 4


def test_what_is_no_decision_does_not_double_words() -> None:
    def build(model: Model) -> Encoding:
        free, x = z3.Int("free", model.context), z3.Bool("x", model.context)
        model.post("R1", free >= 0, free <= 99)
        return Encoding((x,), z3.IntVal(5, model.context), lambda value_of: [value_of(x)])

    assert solve(build, LIMITS).words == {b"[0]": 5, b"[1]": 5}


def test_posts_are_tagged_with_their_rule() -> None:
    model = Model(z3.Context(), float("inf"))
    numbers(lambda x, y: (x < y,))(model)
    assert [rule for rule, _ in model.posted] == ["R1"]


def test_the_same_answer_twice() -> None:
    build = numbers(lambda x, y: (x + y == 9, x >= 0, y >= 0))
    first, second = solve(build, LIMITS), solve(build, LIMITS)
    assert first == second
    assert list(first.words) == list(second.words)


def test_no_solver_runs_in_the_context_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    contexts = []
    real = smt._check

    def check(question: smt._Question, *assumptions: z3.BoolRef) -> bool:
        contexts.append(question.solver.ctx)
        return real(question, *assumptions)

    def build(model: Model) -> Encoding:
        contexts.append(model.context)
        return numbers(lambda x, y: (x == 1, y == 1))(model)

    monkeypatch.setattr(smt, "_check", check)
    assert solve(build, LIMITS).words == {b"[1,1]": 1}
    distinct = [one for place, one in enumerate(contexts) if all(one is not before for before in contexts[:place])]
    assert len(distinct) == 3
    assert all(one is not z3.main_ctx() for one in distinct)


def test_words_are_limited() -> None:
    build = numbers(lambda x, y: (x == y, x >= 1, x <= 3))
    assert len(solve(build, Limits(20, 3)).words) == 3
    with pytest.raises(Undecided) as caught:
        solve(build, Limits(20, 2))
    assert caught.value.reason == "words"


def test_endless_costs_are_undecided() -> None:
    with pytest.raises(Undecided) as caught:
        solve(numbers(lambda x, y: (x == y,)), Limits(0.2, 10))
    assert caught.value.reason == "time"


def test_a_refutation_that_takes_long_is_undecided() -> None:
    assert solve(pigeons(3), LIMITS).optimum is None
    with pytest.raises(Undecided) as caught:
        solve(pigeons(11), Limits(3, 10))
    # within a solver call, or between two where the machine is so busy that writing the formula took the time
    assert caught.value.reason == "time"


def test_writing_that_takes_long_is_undecided() -> None:
    def build(model: Model) -> Encoding:
        while True:
            model.post("R1", True)

    with pytest.raises(Undecided) as caught:
        solve(build, Limits(0.05, 10))
    assert caught.value.reason == "time"


def test_a_call_gets_the_time_that_is_left() -> None:
    """The limit is one of the whole question: each call has at most about what the calls before it left over."""
    solver = z3.Solver()
    limits: list[int] = []
    solver.set = lambda _, milliseconds: limits.append(milliseconds)
    now = time.monotonic()
    encoding = Encoding((), z3.IntVal(0), lambda _: [])
    question = smt._Question(solver, encoding, (), encoding.cost, solver.ctx, now)
    for seconds in (60, 59.9, 30, 3600, 2e7):
        question.stop = now + seconds
        smt._set_limit(question)
    assert [round(limit, -3) for limit in limits] == [60_000, 30_000, 3_600_000, round(2**31, -3)]
    question.stop = now
    with pytest.raises(Undecided):
        smt._set_limit(question)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("timeout", "time"),
        ("canceled", "time"),
        ("max. memory exceeded", "memory"),
        ("memout", "memory"),
        ("interrupted from keyboard", "killed"),
        ("(incomplete (theory arithmetic))", "unknown"),
        ("", "unknown"),
    ],
)
@pytest.mark.parametrize("call", [0, 1, 2, 3])
def test_unknown_is_never_an_answer(said: str, reason: str, call: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four calls answer this question: a word, no cheaper one, the word again, no other."""
    check = z3.Solver.check
    calls = iter(range(9))

    def interrupted(solver: z3.Solver, *assumptions: z3.BoolRef) -> z3.CheckSatResult:
        return z3.unknown if next(calls) == call else check(solver, *assumptions)

    monkeypatch.setattr(z3.Solver, "check", interrupted)
    monkeypatch.setattr(z3.Solver, "reason_unknown", lambda _: said)
    with pytest.raises(Undecided) as caught:
        solve(numbers(lambda x, y: (x == 1, y == 1)), LIMITS)
    assert (caught.value.reason, caught.value.detail) == (reason, f"Z3: {said}")


def test_real_incompleteness_is_unknown() -> None:
    """The solver for finite domains says unknown where it is given unbounded integers."""

    def build(model: Model) -> Encoding:
        x, y = z3.Ints("x y", model.context)
        model.post("R1", x * y == 6, x > y)
        return Encoding((x, y), x, lambda value_of: [value_of(x)], "QF_FD")

    with pytest.raises(Undecided):
        solve(build, Limits(5, 10))


def test_a_crash_of_the_solver_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> z3.CheckSatResult:
        raise z3.Z3Exception("out of luck")

    monkeypatch.setattr(z3.Solver, "check", crash)
    with pytest.raises(Undecided) as caught:
        solve(numbers(lambda x, y: (x == y,)), LIMITS)
    assert (caught.value.reason, caught.value.detail) == ("crashed", "Z3: out of luck")


def test_a_fault_of_an_encoding_is_not_undecided() -> None:
    with pytest.raises(z3.Z3Exception):
        solve(numbers(lambda x, y: (x == z3.BitVec("b", 4, y.ctx),)), LIMITS)


def test_decisions_that_are_not_the_word_are_reported() -> None:
    def build(model: Model) -> Encoding:
        x = z3.Bool("x", model.context)
        return Encoding((x,), z3.IntVal(0, model.context), lambda _: ["same"])

    with pytest.raises(Disagreement):
        solve(build, LIMITS)


@pytest.mark.parametrize("wrong", [None, 2])
def test_listing_must_confirm_the_optimum(wrong: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smt, "_minimise", lambda _: wrong)
    with pytest.raises(Disagreement):
        solve(numbers(lambda x, y: (x == 1, y == 1)), LIMITS)


def test_a_lost_word_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_: object) -> Iterator[Any]:
        return iter(())

    monkeypatch.setattr(smt, "_models", none)
    with pytest.raises(Disagreement):
        solve(numbers(lambda x, y: (x == 1, y == 1)), LIMITS)
