"""The building blocks of statements, each against its meaning over all assignments."""

from __future__ import annotations

import random
from itertools import product

import pytest
from clause_models import completes, projections, propagated

from cwr_certificates import cnf as module
from cwr_certificates.cnf import TRUE, Cnf, all_of, any_of, exactly_one, signed, sum_at_most
from cwr_certificates.steps import length_at_most, reaches, step_row, taken, tally, within
from cwr_solvers.errors import MalformedInput, Undecided


def true_sets(cnf: Cnf, literals: list[int]) -> set[tuple[bool, ...]]:
    """The values that the literals (distinct variables) have in models; each model's projection is propagated too."""
    found = projections(cnf.clauses, literals)
    for one in found:
        assert completes(cnf.clauses, one)
    return {tuple(literal > 0 for literal in one) for one in found}


def test_variable_one_is_true_and_the_next_is_two() -> None:
    cnf = Cnf()
    assert (cnf.variables, cnf.clauses, TRUE) == (1, [(1,)], 1)
    assert (cnf.new(), cnf.new(), cnf.variables) == (2, 3, 3)


def test_add_leaves_out_what_says_nothing() -> None:
    cnf = Cnf()
    a, b = cnf.new(), cnf.new()
    cnf.add(a, -TRUE, -b, a)
    cnf.add(a, TRUE)
    cnf.add(a, b, -a)
    assert cnf.clauses == [(TRUE,), (a, -b)]


@pytest.mark.parametrize("literals", [(), (-TRUE,), (-TRUE, -TRUE)])
def test_an_empty_clause_contradicts_and_is_not_empty(literals: tuple[int, ...]) -> None:
    cnf = Cnf()
    cnf.add(*literals)
    assert all(cnf.clauses)
    assert projections(cnf.clauses, [TRUE]) == []


def test_size_is_refused_before_it_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 10)
    cnf = Cnf()
    a, b, c = cnf.new(), cnf.new(), cnf.new()
    cnf.add(a, b, c)
    cnf.room(2)
    with pytest.raises(Undecided) as error:
        cnf.room(3)
    assert error.value.reason == "size"
    with pytest.raises(Undecided):
        cnf.add(-a, -b, -c)
    cnf.new()
    cnf.new()
    with pytest.raises(Undecided):
        cnf.new()


@pytest.mark.parametrize("size", range(5))
def test_any_of_and_all_of_equal_their_meaning(size: int) -> None:
    cnf = Cnf()
    given = [cnf.new() for _ in range(size)]
    one, every = any_of(cnf, given), all_of(cnf, given)
    models = projections(cnf.clauses, given)
    assert len(models) == (2**size if size else 1)
    for literals in models:
        true = propagated(cnf.clauses, literals)
        assert (one if any(x > 0 for x in literals) else -one) in true
        assert (every if all(x > 0 for x in literals) else -every) in true


def test_any_of_and_all_of_know_constants() -> None:
    cnf = Cnf()
    a = cnf.new()
    assert (any_of(cnf, []), all_of(cnf, [])) == (-TRUE, TRUE)
    assert (any_of(cnf, [a, -TRUE]), all_of(cnf, [TRUE, a])) == (a, a)
    always, never = any_of(cnf, [a, TRUE]), all_of(cnf, [a, -TRUE])
    assert true_sets(cnf, [a]) == {(False,), (True,)}
    assert projections([*cnf.clauses, (-always, never)], [a]) == []


@pytest.mark.parametrize("size", range(5))
def test_exactly_one(size: int) -> None:
    cnf = Cnf()
    given = [cnf.new() for _ in range(size)]
    exactly_one(cnf, given)
    assert true_sets(cnf, given) == ({v for v in product((False, True), repeat=size) if sum(v) == 1} if size else set())


def weighings() -> list[tuple[list[int], int]]:
    draw = random.Random("weights")
    return [([draw.randrange(6) for _ in range(draw.randrange(7))], draw.randrange(-1, 16)) for _ in range(60)]


@pytest.mark.parametrize(("weights", "most"), [*weighings(), ([2**53, 1, 2**53], 2**53), ([1] * 6, 3)])
def test_sum_at_most(weights: list[int], most: int) -> None:
    cnf = Cnf()
    given = [cnf.new() for _ in weights]
    sum_at_most(cnf, list(zip(weights, given, strict=True)), most)
    meant = {
        values
        for values in product((False, True), repeat=len(weights))
        if sum(weight for weight, value in zip(weights, values, strict=True) if value) <= most
    }
    assert true_sets(cnf, given) == meant


def test_a_sum_that_cannot_be_exceeded_costs_nothing() -> None:
    cnf = Cnf()
    sum_at_most(cnf, [(3, cnf.new()), (4, cnf.new())], 7)
    assert cnf.clauses == [(TRUE,)]


def rows(most: int, kinds: int) -> set[tuple[int, ...]]:
    return {row for n in range(most + 1) for row in product(range(kinds), repeat=n)}


def told(cnf: Cnf, chosen: tuple[tuple[int, ...], ...]) -> list[tuple[int, ...]]:
    """The rows of the models, one for each projection to the chosen variables."""
    flat = [one for kinds in chosen for one in kinds]
    place = {one: kind for kinds in chosen for kind, one in enumerate(kinds)}
    found = projections(cnf.clauses, flat)
    for literals in found:
        assert completes(cnf.clauses, literals)
    return [tuple(place[one] for one in literals if one > 0) for literals in found]


@pytest.mark.parametrize(("most", "kinds"), [(0, 2), (1, 0), (1, 1), (3, 2), (2, 3)])
def test_step_row_has_each_row_once(most: int, kinds: int) -> None:
    cnf = Cnf()
    steps = step_row(cnf, most, kinds)
    assert sorted(told(cnf, steps.chosen)) == sorted(rows(most, kinds))


@pytest.mark.parametrize("most", range(-1, 5))
def test_length_at_most(most: int) -> None:
    cnf = Cnf()
    steps = step_row(cnf, 3, 2)
    length_at_most(cnf, steps, most)
    assert set(told(cnf, steps.chosen)) == {row for row in rows(3, 2) if len(row) <= most}


@pytest.mark.parametrize("gains", [(1, -1), (2, 0), (3, -2), (0, 0), (5, 3), (-1, -2)])
@pytest.mark.parametrize("start", [0, 2, 2**53])
def test_tally_equals_the_sum(start: int, gains: tuple[int, int]) -> None:
    cnf = Cnf()
    steps = step_row(cnf, 3, 2)
    levels = tally(cnf, steps, start, gains)
    assert len(levels) == 4
    assert set(told(cnf, steps.chosen)) == rows(3, 2)
    flat = [one for kinds in steps.chosen for one in kinds]
    for row in rows(3, 2):
        literals = signed(flat, {steps.chosen[p][kind] for p, kind in enumerate(row)})
        true = propagated(cnf.clauses, literals)
        for p, level in enumerate(levels):
            value = start + sum(gains[kind] for kind in row[:p])
            for least in range(start - 7, start + 17):
                literal = reaches(level, least)
                assert (literal if value >= least else -literal) in true


def test_a_tally_of_too_many_values_is_refused_before_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    cnf = Cnf()
    steps = step_row(cnf, 1, 40)
    before = (cnf.variables, len(cnf.clauses))
    monkeypatch.setattr(module, "MOST", cnf.variables + sum(map(len, cnf.clauses)) + 40)
    with pytest.raises(Undecided):
        tally(cnf, steps, 0, [2**n for n in range(40)])
    assert (cnf.variables, len(cnf.clauses)) == before


@pytest.mark.parametrize(("least", "most"), [(0, None), (1, 2), (-1, 0), (3, 3), (4, None), (-9, 9), (2, 1)])
def test_within(least: int, most: int | None) -> None:
    cnf = Cnf()
    steps = step_row(cnf, 3, 2)
    within(cnf, tally(cnf, steps, 1, (1, -1))[-1], least, most)
    ends = {row: 1 + row.count(0) - row.count(1) for row in rows(3, 2)}
    meant = {row for row, end in ends.items() if least <= end and (most is None or end <= most)}
    assert set(told(cnf, steps.chosen)) == meant


def test_taken_refuses_too_many_steps() -> None:
    steps = step_row(Cnf(), 2, 2)
    assert taken(steps, [1, 0], "/x") == {steps.chosen[0][1], steps.chosen[1][0]}
    with pytest.raises(MalformedInput) as error:
        taken(steps, [0, 0, 0], "/x")
    assert (error.value.code, error.value.pointer) == ("out-of-range", "/x")


def test_signed() -> None:
    assert signed((3, 5, 8), {5}) == (-3, 5, -8)
