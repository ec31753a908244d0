"""The analysis of runs: exact cases by hand, and the test of signs against every pattern."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr_audits.scoring import signflip
from cwr_audits.scoring.analysis import Analysis, Families, Plan, analyse
from cwr_audits.scoring.cells import Cell, Counted, assumed, cells
from cwr_audits.scoring.judging import Outcome
from cwr_audits.scoring.signflip import sign_flip
from cwr_audits.scoring.student import t_quantile

HALF = Fraction(1, 2)
PLAN = Plan(Fraction(1, 20), "fixed", "sign-flip", "drop")


def cell(family: str, base: str, arm: str, accepted: int, rejected: int, undecided: int = 0, missing: int = 0) -> Cell:
    return Cell(family, base, arm, accepted, rejected, undecided, missing, 0)


def pair(family: str, base: str, first: int, second: int, of: int = 4) -> list[Cell]:
    return [cell(family, base, "F", first, of - first), cell(family, base, "C", second, of - second)]


def design(differences: dict[str, Sequence[int]], of: int = 4) -> list[Cell]:
    """Bases whose F cells accept so many more rows than their C cells."""
    return [
        one
        for family, found in differences.items()
        for place, value in enumerate(found)
        for one in pair(family, f"{family}{place}", max(value, 0), max(-value, 0), of)
    ]


# --- the exact test


def by_enumeration(units: Sequence[Fraction]) -> Fraction:
    seen = abs(sum(units))
    patterns = list(product((1, -1), repeat=len(units)))
    far = sum(1 for signs in patterns if abs(sum(s * u for s, u in zip(signs, units, strict=True))) >= seen)
    return Fraction(far, len(patterns))


fractions = st.builds(Fraction, st.integers(-6, 6), st.integers(1, 6))


@given(st.lists(fractions, min_size=1, max_size=9))
def test_p_is_the_share_of_all_patterns(units: list[Fraction]) -> None:
    assert sign_flip(units).p == by_enumeration(units)


@given(st.lists(fractions, min_size=1, max_size=5))
def test_no_signs_give_less_than_what_is_called_attainable(units: list[Fraction]) -> None:
    least = min(
        by_enumeration([sign * unit for sign, unit in zip(signs, units, strict=True)])
        for signs in product((1, -1), repeat=len(units))
    )
    found = sign_flip(units)
    assert found.given == least
    assert found.smallest <= found.given


def test_eight_bases_attain_one_in_128() -> None:
    found = sign_flip([HALF] * 8)
    assert (found.p, found.smallest, found.given) == (Fraction(1, 128),) * 3
    assert sign_flip([HALF] * 6 + [Fraction(0)] * 2).p == Fraction(1, 32)
    assert sign_flip([HALF] * 7 + [-HALF]).p == Fraction(2 * 9, 256)


def test_a_large_design_is_exact_and_a_larger_one_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    units = [Fraction(1, 7)] * 100
    assert sign_flip(units).p == Fraction(2, 2**100)
    monkeypatch.setattr(signflip, "MOST_BITS", 1000)
    assert sign_flip(units).p is None


# --- differences and averages


def test_a_case_by_hand() -> None:
    """Families A: 1/2 and 1/4, B: -1/4. Means 3/8 and -1/4, so the macro difference is 1/16."""
    found = analyse(design({"A": [2, 1], "B": [-1]}), PLAN)
    assert [one.difference for one in found.pairs] == [HALF, Fraction(1, 4), Fraction(-1, 4)]
    assert found.means == {"A": Fraction(3, 8), "B": Fraction(-1, 4)}
    assert found.macro == Fraction(1, 16)
    # units 1/8, 1/16, -1/8; of the sums ±1/8±1/16±1/8 all eight are at least 1/16 from 0
    assert found.flips is not None
    assert found.flips.p == 1
    assert found.decision == "not rejected"


def test_families_weigh_the_same_whatever_their_bases() -> None:
    found = analyse(design({"A": [4] * 9, "B": [0]}), PLAN)
    assert found.macro == HALF


def test_undecided_rows_are_neither_right_nor_wrong() -> None:
    found = [cell("A", "a", "F", 2, 0, undecided=2), cell("A", "a", "C", 1, 1, undecided=2)]
    assert analyse(found, PLAN).macro == HALF
    taken = {
        (first, second): analyse(assumed(found, {"F": first, "C": second}, missing=False), PLAN).macro
        for first in (False, True)
        for second in (False, True)
    }
    assert taken == {
        (False, False): Fraction(1, 4),
        (True, True): Fraction(1, 4),
        (False, True): Fraction(-1, 4),
        (True, False): Fraction(3, 4),
    }


def test_missing_rows_count_where_the_policy_says_so() -> None:
    found = [cell("A", "a", "F", 1, 0, missing=1), cell("A", "a", "C", 0, 1, missing=1)]
    least = {"F": False, "C": True}
    assert analyse(assumed(found, least, missing=False), PLAN).macro == 1
    assert analyse(assumed(found, least, missing=True), PLAN).macro == 0


@pytest.mark.parametrize("gone", [cell("B", "b", "C", 0, 0, undecided=4), cell("B", "b", "C", 0, 0, missing=4), None])
def test_a_base_without_an_arm_is_dropped_and_listed(gone: Cell | None) -> None:
    rest = [*design({"A": [2]}), cell("B", "b", "F", 4, 0)]
    found = analyse([*rest, *([gone] if gone else [])], PLAN)
    assert [(one.base, one.reason) for one in found.dropped] == [("b", "no decided row of C")]
    assert found.macro == HALF


def test_nothing_examined_decides_nothing() -> None:
    for some in ([], [cell("A", "a", "F", 4, 0)]):
        found = analyse(some, PLAN)
        assert (found.macro, found.interval, found.flips, found.decision) == (None, None, None, "undecided")


# --- intervals


def test_one_base_a_family_is_one_stratum() -> None:
    """Differences 1, 1/2, 0, 1/2: mean 1/2, variance 1/6, of the mean 1/24, 3 degrees of freedom."""
    cases = design({"A": [4], "B": [2], "C": [0], "D": [2]})
    for families in ("fixed", "random"):
        found = analyse(cases, replace(PLAN, families=families)).interval
        assert found is not None
        assert found.method == ("collapsed" if families == "fixed" else "family means")
        assert (found.df, found.se) == (3.0, sqrt(1 / 24))
        assert found.high - 0.5 == pytest.approx(3.182446 * sqrt(1 / 24), abs=1e-6)
        assert found.low + found.high == pytest.approx(1.0)


def test_fixed_families_leave_out_what_is_between_them() -> None:
    """A: 1, 1/2, B: 0, -1/2. Within: 1/8 each, of the means 1/16, of the macro (1/16 + 1/16)/4 = 1/32; df 2."""
    cases = design({"A": [4, 2], "B": [0, -2]})
    fixed = analyse(cases, PLAN).interval
    drawn = analyse(cases, replace(PLAN, families="random")).interval
    assert fixed is not None
    assert drawn is not None
    assert (fixed.method, fixed.df, fixed.se) == ("stratified", 2.0, sqrt(1 / 32))
    # family means 3/4 and -1/4: variance 1/2, of their mean 1/4, df 1
    assert (drawn.df, drawn.se) == (1.0, 0.5)


def test_degrees_of_freedom_are_those_of_welch_and_satterthwaite() -> None:
    """A: 1, 1/2, 0 has variance 1/4, of the mean 1/12, df 2; B: 1/2, 0 has 1/8, 1/16, df 1."""
    found = analyse(design({"A": [4, 2, 0], "B": [2, 0]}), PLAN).interval
    assert found is not None
    total = Fraction(1, 12) + Fraction(1, 16)
    assert found.df == pytest.approx(float(total**2 / (Fraction(1, 144) / 2 + Fraction(1, 256))))


def test_without_spread_there_is_no_interval_and_no_t_test() -> None:
    found = analyse(design({"A": [4], "B": [4], "C": [4]}), replace(PLAN, test="t"))
    assert (found.interval, found.decision) == (None, "undecided")
    assert "no spread" in str(found.reason)


def test_the_t_test_and_its_interval_agree() -> None:
    for shift in range(4):
        found = analyse(design({"A": [shift], "B": [shift], "C": [1], "D": [4]}), replace(PLAN, test="t"))
        assert found.interval is not None
        assert (found.decision == "rejected") == (found.interval.low > 0)
    assert t_quantile(7, 0.975) == pytest.approx(2.364624, abs=1e-6)  # from printed tables


# --- what must not matter, and what must


outcomes: st.SearchStrategy[Outcome | None] = st.sampled_from(["accepted", "rejected", "undecided", None])
runs = st.lists(
    st.builds(Counted, st.sampled_from("AB"), st.sampled_from("xyz"), st.sampled_from("FC"), outcomes), max_size=60
)
kinds: st.SearchStrategy[Families] = st.sampled_from(["fixed", "random"])


@given(runs, st.randoms(use_true_random=False), kinds)
def test_the_order_of_rows_changes_nothing(rows: list[Counted], draws: object, kind: Families) -> None:
    mixed = list(rows)
    draws.shuffle(mixed)  # type: ignore[attr-defined]
    assert analyse(cells(mixed), replace(PLAN, families=kind)) == analyse(cells(rows), replace(PLAN, families=kind))


@given(runs, kinds)
def test_exchanged_arms_negate_the_difference(rows: list[Counted], kind: Families) -> None:
    turned = [row._replace(arm={"F": "C", "C": "F"}[row.arm]) for row in rows]
    one, other = (analyse(cells(found), replace(PLAN, families=kind)) for found in (rows, turned))
    assert [-pair.difference for pair in one.pairs] == [pair.difference for pair in other.pairs]
    assert (None if one.macro is None else -one.macro) == other.macro
    assert one.flips == other.flips
    if one.interval is not None:
        assert other.interval is not None
        assert (-one.interval.low, -one.interval.high) == pytest.approx((other.interval.high, other.interval.low))


def wrongs(cell: Cell) -> Cell:
    return replace(cell, rejected=cell.rejected + cell.undecided, undecided=0)


def pooled(found: Sequence[Cell], plan: Plan) -> Analysis:
    """A mutant: families weigh as many bases as they have."""
    return analyse([replace(one, family="all") for one in found], plan)


MUTANTS: dict[str, Callable[[Sequence[Cell], Plan], Analysis]] = {
    "undecided counted as wrong": lambda found, plan: analyse([wrongs(one) for one in found], plan),
    "families weighed by bases": pooled,
    "arms exchanged": lambda found, plan: analyse(
        [replace(one, arm={"F": "C", "C": "F"}[one.arm]) for one in found], plan
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_gives_another_difference(name: str) -> None:
    found = [*design({"A": [4, 4], "B": [0]}), cell("C", "c", "F", 1, 1, 2), cell("C", "c", "C", 0, 2, 2)]
    assert analyse(found, PLAN).macro == HALF
    assert MUTANTS[name](found, PLAN).macro != HALF
