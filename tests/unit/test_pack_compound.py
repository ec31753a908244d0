"""Of the single steps that the items of F and C could show, those are shown whose lengths are nearest."""

from __future__ import annotations

from cwr_audits.packs.compound import Steps, nearest


def steps(*lengths: int) -> Steps:
    return [{"state": "x" * length} for length in lengths]


def test_lengths_are_nearest() -> None:
    ours, theirs = [steps(5, 5), steps(9, 9)], [steps(30, 1), steps(10, 9), steps(1, 1)]
    assert nearest(ours, theirs) == (steps(9, 9), steps(10, 9))


def test_as_many_steps_come_before_as_long_ones() -> None:
    assert nearest([steps(4, 4)], [steps(8), steps(20, 20)]) == (steps(4, 4), steps(20, 20))


def test_the_first_of_equals_is_taken() -> None:
    assert nearest([steps(4), steps(5)], [steps(5), steps(4)]) == (steps(4), steps(4))
