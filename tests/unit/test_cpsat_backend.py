"""The CP-SAT backend on models of a few variables: what is an answer, what is none, what contradicts itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from ortools.sat.python import cp_model

from cwr_solvers.answers import Answer, Limits
from cwr_solvers.backends import cpsat
from cwr_solvers.errors import Disagreement, Undecided

PLENTY = Limits(seconds=60, words=1000)


def pair(model: cp_model.CpModel, *, least: int = 0) -> cpsat.Encoding:
    """Two digits x < y < 4 with x + y at least `least`; the cost is the sum."""
    x, y = (model.new_int_var(0, 3, name) for name in "xy")
    model.add(x < y)
    model.add(x + y >= least)
    return cpsat.Encoding((x, y), x + y, lambda value_of: {"pair": [value_of(x), value_of(y)]})


PAIRS = {b'{"pair":[%d,%d]}' % (x, y): x + y for y in range(4) for x in range(y)}


def with_free_helper(model: cp_model.CpModel) -> cpsat.Encoding:
    """`pair` beside a variable that nothing ties down, so that every pair is a solution five times."""
    model.new_int_var(0, 4, "helper")
    return pair(model)


def with_cost_of_helper(model: cp_model.CpModel) -> cpsat.Encoding:
    encoding = pair(model)
    return cpsat.Encoding(encoding.decisions, model.new_int_var(0, 4, "helper"), encoding.decode)


def with_forgetful_decode(model: cp_model.CpModel) -> cpsat.Encoding:
    """Reads the larger digit back only, so that (0, 2) and (1, 2) are one word."""
    encoding = pair(model)
    return cpsat.Encoding(encoding.decisions, encoding.cost, lambda value_of: value_of(encoding.decisions[1]))


def with_greedy_decode(model: cp_model.CpModel) -> cpsat.Encoding:
    encoding = pair(model)
    helper = model.new_int_var(0, 0, "helper")
    return cpsat.Encoding(encoding.decisions, encoding.cost, lambda value_of: value_of(helper))


def with_overflow(model: cp_model.CpModel) -> cpsat.Encoding:
    """Each domain fits 64 bits, their sum does not: the solver calls the model invalid."""
    many = [cpsat.whole(model, 0, 2**61, f"x{index}") for index in range(9)]
    model.add(cp_model.LinearExpr.sum(many) >= 1)
    return cpsat.Encoding(tuple(many), 0, lambda _: [])


def hard(model: cp_model.CpModel) -> cpsat.Encoding:
    """Eleven pigeons, ten holes, told pair by pair: no proof in a moment."""
    at = [[model.new_bool_var(f"{pigeon}in{hole}") for hole in range(10)] for pigeon in range(11)]
    for row in at:
        model.add_bool_or(row)
    for one in range(11):
        for other in range(one):
            for hole in range(10):
                model.add_bool_or(at[one][hole].negated(), at[other][hole].negated())
    return cpsat.Encoding(tuple(literal for row in at for literal in row), 0, lambda _: [])


def no_words(model: cp_model.CpModel) -> cpsat.Encoding:
    return pair(model, least=7)


def no_variables(_: cp_model.CpModel) -> cpsat.Encoding:
    return cpsat.Encoding((), 0, lambda _: {})


def test_an_answer_has_the_optimum_and_every_word_with_its_cost() -> None:
    assert cpsat.solve(pair, PLENTY) == Answer(1, PAIRS)
    assert cpsat.optimum(pair, PLENTY) == 1


def test_words_come_sorted_and_alike_each_time() -> None:
    first, second = cpsat.solve(pair, PLENTY), cpsat.solve(pair, PLENTY)
    assert list(first.words) == list(second.words) == sorted(PAIRS)


def test_no_word_is_none_and_not_a_failure() -> None:
    assert cpsat.solve(no_words, PLENTY) == Answer(None, {})
    assert cpsat.optimum(no_words, PLENTY) is None


def test_a_model_without_variables_has_one_word() -> None:
    assert cpsat.solve(no_variables, PLENTY) == Answer(0, {b"{}": 0})


def test_solutions_that_differ_in_helpers_are_one_word_and_count_once() -> None:
    assert cpsat.solve(with_free_helper, Limits(60, len(PAIRS))) == Answer(1, PAIRS)


@pytest.mark.parametrize(
    ("build", "subject"),
    [(with_cost_of_helper, "the cost of one word"), (with_forgetful_decode, "the decisions of a word")],
)
def test_an_encoding_that_does_not_tell_words_apart_is_found_out(build: cpsat.Build, subject: str) -> None:
    with pytest.raises(Disagreement) as raised:
        cpsat.solve(build, PLENTY)
    assert raised.value.subject == subject


def with_many_helpers(model: cp_model.CpModel) -> cpsat.Encoding:
    """Two bits, not both 0, beside variables with 10^40 values together: no listing would come to an end."""
    bits = tuple(model.new_bool_var(name) for name in "xy")
    model.add_bool_or(*bits)
    for index in range(40):
        model.new_int_var(0, 9, f"helper {index}")
    return cpsat.Encoding(bits, sum(bits), lambda value_of: [value_of(bit) for bit in bits], free=True)


BITS = {b"[0,1]": 1, b"[1,0]": 1, b"[1,1]": 2}


def test_words_with_a_great_many_solutions_are_found_one_by_one() -> None:
    assert cpsat.solve(with_many_helpers, PLENTY) == Answer(1, BITS)
    assert cpsat.solve(with_many_helpers, Limits(60, 3)) == Answer(1, BITS)
    assert reason(cpsat.solve, with_many_helpers, Limits(60, 2)) == "words"
    assert cpsat.some(with_many_helpers, PLENTY) == (BITS, True)


def test_some_words_are_found_one_by_one() -> None:
    found, complete = cpsat.some(with_many_helpers, Limits(60, 2))
    assert (len(found), complete) == (2, False)
    assert found.items() <= BITS.items()


def test_a_word_that_comes_again_one_by_one_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cp_model.CpModel, "add_bool_or", lambda *_: None)
    with pytest.raises(Disagreement) as caught:
        cpsat.some(with_many_helpers, PLENTY)
    assert caught.value.subject == "whether a word was forbidden"


@pytest.mark.parametrize("least", range(1, 5))
def test_literals_follow_from_what_they_tell(least: int) -> None:
    """Each helper literal has one value for each of the pairs, and the right one."""

    def build(model: cp_model.CpModel) -> cpsat.Encoding:
        x, y = (model.new_int_var(0, 3, name) for name in "xy")
        many, same = cpsat.at_least(model, x + y, least), cpsat.equal(model, x, y)
        told = (many, same, cpsat.any_of(model, [many, same.negated()]), cpsat.all_of(model, [many, same.negated()]))
        told += (cpsat.any_of(model, []), cpsat.all_of(model, []))
        return cpsat.Encoding((x, y, *told), 0, lambda value_of: [value_of(one) for one in (x, y, *told)])

    due = set()
    for x in range(4):
        for y in range(4):
            many, same = x + y >= least, x == y
            due.add(f"[{x},{y},{many:d},{same:d},{many or not same:d},{many and not same:d},0,1]".encode())
    assert cpsat.solve(build, PLENTY).words.keys() == due


def test_reading_back_may_not_look_at_helpers() -> None:
    with pytest.raises(KeyError):
        cpsat.solve(with_greedy_decode, PLENTY)


def test_as_many_words_as_allowed_is_an_answer_and_one_more_is_none() -> None:
    assert len(cpsat.solve(pair, Limits(60, len(PAIRS))).words) == len(PAIRS)
    assert reason(cpsat.solve, pair, Limits(60, len(PAIRS) - 1)) == "words"
    assert cpsat.optimum(pair, Limits(60, 0)) == 1


@pytest.mark.parametrize("ask", [cpsat.solve, cpsat.optimum])
@pytest.mark.parametrize("seconds", [0.0, -1.0, 0.05])
def test_out_of_time_is_undecided(ask: Callable[..., Any], seconds: float) -> None:
    assert reason(ask, hard, Limits(seconds, 1000)) == "time"


@pytest.mark.parametrize("ask", [cpsat.solve, cpsat.optimum])
def test_a_refused_model_is_undecided(ask: Callable[..., Any]) -> None:
    assert reason(ask, with_overflow, PLENTY) == "unknown"


def test_numbers_and_sizes_beyond_the_solver_are_undecided() -> None:
    model = cp_model.CpModel()
    for low, high in ((0, 2**62), (-(2**62), 0)):
        with pytest.raises(Undecided, match="unknown"):
            cpsat.whole(model, low, high, "x")
    cpsat.afford(cpsat.MOST_TERMS, "enough")
    with pytest.raises(Undecided, match="memory"):
        cpsat.afford(cpsat.MOST_TERMS + 1, "more")


@pytest.mark.parametrize(
    ("status", "cut_by_time", "expected"),
    [
        (cp_model.FEASIBLE, True, "time"),
        (cp_model.UNKNOWN, True, "time"),
        (cp_model.FEASIBLE, False, "unknown"),
        (cp_model.UNKNOWN, False, "unknown"),
        (cp_model.MODEL_INVALID, False, "unknown"),
        (cp_model.MODEL_INVALID, True, "unknown"),
    ],
)
def test_a_status_that_proves_nothing(status: cp_model.CpSolverStatus, cut_by_time: bool, expected: str) -> None:
    with pytest.raises(Undecided) as raised:
        cpsat._proved(cp_model.CpModel(), status, cut_by_time=cut_by_time)
    assert raised.value.reason == expected


@pytest.mark.parametrize("status", [cp_model.OPTIMAL, cp_model.INFEASIBLE])
def test_a_status_that_proves_something(status: cp_model.CpSolverStatus) -> None:
    assert cpsat._proved(cp_model.CpModel(), status, cut_by_time=True) == status


def lie(monkeypatch: pytest.MonkeyPatch, *, about: bool) -> None:
    """Runs with presolve (`about` true) or without say INFEASIBLE, whatever they find."""
    honest = cpsat._run

    def lying(*args: Any, presolve: bool, listing: Any) -> tuple[cp_model.CpSolver, cp_model.CpSolverStatus]:
        solver, status = honest(*args, presolve=presolve, listing=listing)
        return solver, cp_model.INFEASIBLE if presolve == about else status

    monkeypatch.setattr(cpsat, "_run", lying)


@pytest.mark.parametrize("ask", [cpsat.solve, cpsat.optimum])
def test_a_false_infeasible_of_presolve_is_found_out(ask: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    lie(monkeypatch, about=True)
    with pytest.raises(Disagreement):
        ask(pair, PLENTY)


def test_a_false_infeasible_after_words_were_listed_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    lie(monkeypatch, about=False)
    with pytest.raises(Disagreement, match="whether there is a word"):
        cpsat.solve(pair, PLENTY)


def test_a_listing_that_misses_the_best_word_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = cpsat._list

    def forgetful(*args: Any) -> dict[tuple[int, ...], int]:
        return {decisions: cost for decisions, cost in honest(*args).items() if cost > 1}

    monkeypatch.setattr(cpsat, "_list", forgetful)
    with pytest.raises(Disagreement, match="the least cost"):
        cpsat.solve(pair, PLENTY)


def reason(ask: Callable[..., Any], build: cpsat.Build, limits: Limits) -> str:
    with pytest.raises(Undecided) as raised:
        ask(build, limits)
    return raised.value.reason
