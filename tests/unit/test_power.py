"""Simulated experiments: calibrated where nothing is to be found, a faulty analysis shows, and searches by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from typing import Any
from xml.etree import ElementTree

import pytest

from cwr_audits.scoring import simulated
from cwr_audits.scoring.analysis import Analysis, Interval, Plan, analyse
from cwr_audits.scoring.cells import Cell
from cwr_audits.scoring.designs import Asked, Design, read_asked
from cwr_audits.scoring.plots import plot
from cwr_audits.scoring.searches import Findings, Plateau, Smallest, plateau, smallest
from cwr_audits.scoring.simulated import Result, draw, mean_gain, rates, rows, simulate, truth_of, world_of
from cwr_audits.scoring.summaries import Measured, Summary, summary
from cwr_solvers.sampling import stream

SIMULATIONS = 400


def asked(**fields: Any) -> Asked:
    return read_asked({"schema": "cwr-power/1", **fields})


def design(**fields: Any) -> Design:
    return asked(**fields).design


def simulated_by(one: Design, *, null: bool = False, number: int = SIMULATIONS) -> Summary:
    return summary([simulate(one, place, null=null) for place in range(number)])


def errors_apart(one: Measured | None, value: float) -> float:
    """How many Monte Carlo errors lie between."""
    assert one is not None
    return abs(one.value - value) / one.error


# --- calibration


FAMILIES_VARY = {"baseline_spread": {"base": "0.1", "family": "0.1"}, "effect_spread": {"base": "0.1", "family": "0.1"}}


@pytest.mark.parametrize("test", ["sign-flip", "t"])
@pytest.mark.parametrize("families", ["fixed", "random"])
@pytest.mark.parametrize("scale", ["probability", "logit"])
def test_nothing_is_found_where_nothing_is(test: str, families: str, scale: str) -> None:
    one = design(test=test, families_are=families, scale=scale, bases=16, effect="0", **FAMILIES_VARY)
    found = simulated_by(one, null=True)
    alpha_error = sqrt(0.05 * 0.95 / SIMULATIONS)
    assert found.power.value <= 0.05 + 3 * alpha_error
    assert found.power.value > 0
    assert found.truth == 0
    assert errors_apart(found.bias, 0) < 3


def test_the_exact_test_uses_its_level_where_units_are_many() -> None:
    one = design(bases=24, replicas=16, baseline_spread={"base": "0.2", "family": "0"})
    found = simulated_by(one, null=True)
    assert abs(found.power.value - 0.05) < 3 * sqrt(0.05 * 0.95 / SIMULATIONS)


@pytest.mark.parametrize("families", ["fixed", "random"])
def test_intervals_hold_the_truth_of_new_bases(families: str) -> None:
    found = simulated_by(design(bases=24, families_are=families, **FAMILIES_VARY))
    assert found.coverage is not None
    assert found.coverage.value > 0.95 - 3 * sqrt(0.05 * 0.95 / SIMULATIONS)
    assert errors_apart(found.bias, 0) < 3


def test_power_rises_with_effect_and_with_bases() -> None:
    small, large, many = (
        simulated_by(design(effect=effect, bases=bases), number=200).power.value
        for effect, bases in (("0.1", 8), ("0.4", 8), ("0.1", 64))
    )
    assert small < large
    assert small < many


def test_effects_that_are_found_are_exaggerated_where_power_is_low() -> None:
    low = simulated_by(design(effect="0.1"))
    assert low.exaggeration is not None
    assert low.exaggeration.value > 1.3
    assert low.power.value < 0.3


# --- faulty analyses are caught


def wrongs(cells: Sequence[Cell], plan: Plan) -> Analysis:
    """Undecided rows count as wrong."""
    return analyse([replace(one, rejected=one.rejected + one.undecided, undecided=0) for one in cells], plan)


def unclustered(cells: Sequence[Cell], plan: Plan) -> Analysis:
    """Every row counts as drawn on its own."""
    found = analyse(cells, plan)
    if found.macro is None or found.interval is None:
        return found
    variance = 0.0
    for arm in ("F", "C"):
        accepted = sum(one.accepted for one in cells if one.arm == arm)
        decided = accepted + sum(one.rejected for one in cells if one.arm == arm)
        variance += accepted / decided * (1 - accepted / decided) / decided
    half = 1.96 * sqrt(variance)
    low, high = float(found.macro) - half, float(found.macro) + half
    interval = Interval(found.interval.method, low, high, half / 1.96, 1e9, 0.0)
    return replace(found, interval=interval, decision="rejected" if low > 0 or high < 0 else "not rejected")


UNDECIDED = {"undecided": {"F": "0.5", "C": "0"}, "baseline": "0.6", "bases": 16}
CLUSTERED = {"bases": 8, "replicas": 32, "effect_spread": {"base": "0.25", "family": "0"}}


def test_undecided_rows_that_count_as_wrong_show(monkeypatch: pytest.MonkeyPatch) -> None:
    one = design(**UNDECIDED)
    sound = simulated_by(one, null=True)
    monkeypatch.setattr(simulated, "analyse", wrongs)
    mutant = simulated_by(one, null=True)
    assert sound.power.value < 0.05 + 3 * sqrt(0.05 * 0.95 / SIMULATIONS) < mutant.power.value
    assert errors_apart(sound.bias, 0) < 3 < errors_apart(mutant.bias, 0)


def test_an_interval_that_forgets_the_bases_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    one = design(**CLUSTERED)
    sound = simulated_by(one)
    monkeypatch.setattr(simulated, "analyse", unclustered)
    mutant = simulated_by(one)
    assert sound.coverage is not None
    assert mutant.coverage is not None
    assert sound.coverage.value > 0.9
    assert mutant.coverage.value < 0.8


def test_bases_drawn_again_and_again_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant that keeps the first eight bases is about them, and not about others."""
    one = design(**CLUSTERED)
    sound = simulated_by(one)
    first, truth = draw(one, stream("any"), null=False)
    monkeypatch.setattr(simulated, "draw", lambda *_, **__: (first, truth))
    mutant = simulated_by(one)
    assert errors_apart(sound.bias, 0) < 3
    assert errors_apart(mutant.bias, 0) > 5


def test_every_simulation_draws_new_bases() -> None:
    one = design()
    drawn = [draw(one, stream("power", one.seed, str(number), "bases"), null=False)[0] for number in range(20)]
    assert len({base.second for bases in drawn for base in bases if 0 < base.second < 1}) > 100


# --- how runs are drawn


@pytest.mark.parametrize("scale", ["probability", "logit"])
def test_the_truth_is_the_mean_over_bases(scale: str) -> None:
    one = design(
        scale=scale,
        effect="0.5",
        families=500,
        bases=4000,
        replica_ladder=[1, 2],
        families_are="random",
        **FAMILIES_VARY,
    )
    bases, truth = draw(one, stream("truth"), null=False)
    gains = [base.first - base.second for base in bases]
    assert truth == truth_of(one)
    assert sum(gains) / len(gains) == pytest.approx(truth, abs=0.02)


def test_without_deviations_the_truth_is_plain() -> None:
    none = {"base": "0", "family": "0"}
    one = design(effect="0.25", baseline_spread=none, effect_spread=none)
    assert truth_of(one) == pytest.approx(0.25)
    assert rates(world_of(one), 0.0, 0.0) == pytest.approx((0.55, 0.3))
    odds = design(effect="0", scale="logit", baseline="0.3", baseline_spread=none, effect_spread=none)
    assert rates(world_of(odds), 0.0, 0.0) == pytest.approx((0.3, 0.3))
    assert mean_gain(world_of(odds), 0.0, 0.0) == 0


def shares(**fields: Any) -> list[float]:
    """The share of accepted rows of F of each of many bases that all have the same rate."""
    none = {"base": "0", "family": "0"}
    one = design(
        baseline_spread=none, effect_spread=none, effect="0", baseline="0.3", bases=400, replica_ladder=[1, 2], **fields
    )
    bases, _ = draw(one, stream("bases"), null=False)
    found: dict[str, list[bool]] = {}
    for row in rows(one, bases, stream("rows")):
        if row.arm == "F":
            found.setdefault(row.base, []).append(row.outcome == "accepted")
    return [sum(own) / len(own) for own in found.values()]


def test_correlations_leave_the_rate_and_bind_rows() -> None:
    free = shares(replicas=4, trials=2)
    some = shares(replicas=4, trials=2, replica_correlation="0.5", trial_correlation="0.5")
    bound = shares(replicas=4, trials=2, replica_correlation="1", trial_correlation="1")
    by_replica = shares(replicas=1, trials=8, trial_correlation="1")
    for found in (free, some, bound, by_replica):
        assert sum(found) / len(found) == pytest.approx(0.3, abs=0.08)
    assert set(bound) == set(by_replica) == {0.0, 1.0}

    def spread(found: list[float]) -> float:
        middle = sum(found) / len(found)
        return sum((share - middle) ** 2 for share in found) / len(found)

    assert spread(free) < spread(some) < spread(bound)


def test_rows_go_missing_and_stay_open_by_arm() -> None:
    one = design(bases=64, undecided={"F": "0.5", "C": "0"}, attrition={"F": "0", "C": "0.25"})
    bases, _ = draw(one, stream("a"), null=False)
    made = list(rows(one, bases, stream("b")))
    share = {
        (arm, outcome): sum(1 for row in made if row.arm == arm and row.outcome == outcome) / (len(made) / 2)
        for arm in "FC"
        for outcome in ("undecided", None)
    }
    assert share["F", "undecided"] == pytest.approx(0.5, abs=0.1)
    assert share["C", None] == pytest.approx(0.25, abs=0.1)
    assert (share["F", None], share["C", "undecided"]) == (0, 0)


def test_an_experiment_without_rows_decides_nothing() -> None:
    found = simulated_by(design(attrition={"F": "1", "C": "0"}), number=5)
    assert (found.undecided, found.power.value, found.intervals, found.bias) == (5, 0.0, 0, None)


# --- summaries and searches, by hand


def test_a_summary_by_hand() -> None:
    found = summary(
        [
            Result(True, 0.4, 0.1, 0.7, 0.2),
            Result(True, -0.3, -0.5, -0.1, 0.2),
            Result(False, 0.1, -0.2, 0.4, 0.2),
            Result(None, None, None, None, 0.2),
        ]
    )
    assert (found.simulations, found.undecided, found.intervals, found.rejections) == (4, 1, 3, 2)
    assert found.power == Measured(0.5, 0.25)
    assert found.coverage == Measured(2 / 3, sqrt(2 / 27))
    assert found.sign == Measured(0.5, sqrt(1 / 8))
    assert found.exaggeration is not None
    assert found.exaggeration.value == pytest.approx((2 + 1.5) / 2)
    assert found.bias is not None
    assert found.bias.value == pytest.approx((0.2 - 0.5 - 0.1) / 3)
    assert found.width is not None
    assert found.width.value == pytest.approx((0.6 + 0.4 + 0.6) / 3)


@pytest.mark.parametrize("wanted", [1, 2, 3, 5, 8, 11, 12])
def test_the_smallest_number_of_bases(wanted: int) -> None:
    found = smallest(asked(most_bases=100), lambda bases: Measured(0.9 if bases >= 8 * wanted else 0.5, 0.01))
    assert found.bases == 8 * wanted
    assert max(found.tried) <= 96
    assert 8 * wanted in found.tried
    assert wanted == 1 or 8 * (wanted - 1) in found.tried
    assert found.settled


def test_a_target_out_of_reach_and_one_at_the_edge() -> None:
    never = smallest(asked(most_bases=100), lambda bases: Measured(bases / 200, 0.01))
    assert (never.bases, max(never.tried)) == (None, 96)
    assert not smallest(asked(most_bases=64), lambda bases: Measured(bases / 64 * 0.82, 0.02)).settled
    assert smallest(asked(most_bases=7), lambda _bases: Measured(1.0, 0.0)) == Smallest(None, {}, True)


def test_the_plateau() -> None:
    power = {1: 0.3, 2: 0.5, 4: 0.6, 8: 0.61}
    some = asked(replica_ladder=[1, 2, 4, 8], tolerance="0.02")
    assert plateau(some, lambda replicas: Measured(power[replicas], 0.01)).replicas == 4
    assert plateau(some, lambda replicas: Measured(replicas / 10, 0.01)).replicas is None


def test_the_plot_is_xml_of_whole_numbers_and_the_same_every_time() -> None:
    one = simulated_by(design(), number=3)
    tried = {8: Measured(0.25, 0.05), 16: Measured(1.0, 0.0), 18: Measured(0.0, 0.5)}
    found = Findings(one, one, Smallest(16, tried, True), Plateau(None, tried))
    text = plot(found, 0.8)
    assert text == plot(found, 0.8)
    root = ElementTree.fromstring(text)
    assert len([one for one in root.iter() if one.tag.endswith("circle")]) == 6
    places = [value for one in root.iter() for key, value in one.attrib.items() if key in ("x", "y", "cx", "cy")]
    assert places
    assert all(value.isdigit() for value in places)
    assert "bases 8: 0.250" in text
    assert Fraction(1, 20) == design().plan.alpha
