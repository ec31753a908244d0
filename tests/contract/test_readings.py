"""The audit of motifs over the whole catalogue: every reading labelled, every route of one mind.

A new world or motif is tested without a word here.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from inline_crew import Inline

from cwr_audits.certify import Failure
from cwr_audits.files import checkout
from cwr_audits.late import READERS
from cwr_audits.motifs import MOTIFS
from cwr_audits.readings import rates
from cwr_audits.readings.agreeing import AGREES, UNMEASURED
from cwr_audits.readings.audit import Reading, audit
from cwr_audits.readings.kept import kept_name
from cwr_audits.readings.shown import reading_json
from cwr_audits.routes import limits
from cwr_audits.subject import Subject, subjects
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.grading import grade
from cwr_solvers.jsontext import canonical

WITHIN = limits(60.0)
DRAWN = 40  # the default of the command, as the kept results must be those

SHOWCASES = subjects(())
READINGS = [(one.code, motif) for one in SHOWCASES for motif in MOTIFS[one.world.family]]


@cache
def crew() -> Any:
    return Inline(READERS)


@cache
def readings() -> dict[tuple[str, str], Reading]:
    issued = checkout() / "certificates" / "issued"
    found: dict[tuple[str, str], Reading] = {}
    for one in audit(crew(), SHOWCASES, WITHIN, DRAWN, issued, lambda _text: None):
        assert not isinstance(one, Failure), one
        found |= {(reading.about.code, reading.motif): reading for reading in one}
    return found


def test_every_reading_of_every_showcase_is_audited() -> None:
    assert list(readings()) == READINGS
    assert {one.world.family for one in SHOWCASES} == set(WORLDS) == set(MOTIFS)


@pytest.mark.parametrize(("code", "motif"), READINGS)
def test_every_label_is_decided_and_nothing_contradicts_it(code: str, motif: str) -> None:
    one = readings()[code, motif]
    assert (one.code, one.differences) == (0, ())
    assert one.listing is not None
    label, lacking = one.labelled.label, one.listing.lacking(motif)
    assert (label == "necessary") == (not lacking)
    if label == "witness-only":
        counterexample = canonical(one.labelled.counterexample)
        assert counterexample.decode("utf-8") in lacking
        assert grade(one.about.world, one.about.instance, counterexample).status == "accepted"


@pytest.mark.parametrize(("code", "motif"), READINGS)
def test_every_route_that_knows_the_motif_agrees(code: str, motif: str) -> None:
    said = readings()[code, motif].agreeing.routes
    assert set(said) == {"clauses", "cpsat", "smt"}
    assert said["clauses"] == {"lacking": AGREES}
    for statuses in said.values():
        assert set(statuses.values()) <= {AGREES, UNMEASURED}


@pytest.mark.parametrize(("code", "motif"), READINGS)
def test_survival_is_decided_for_a_bound_raised_by_one_and_two(code: str, motif: str) -> None:
    one = readings()[code, motif]
    assert [found.by for found in one.survives] == [1, 2]
    for found in one.survives:
        assert (found.label == "necessary") == (found.evidence is not None)
    labels = [one.labelled.label, *(found.label for found in one.survives if found.survives is not None)]
    assert labels == sorted(labels)  # once lost, necessity is not found again: raising takes nothing away


@pytest.mark.parametrize(("code", "motif"), READINGS)
def test_base_rates_are_those_of_the_random_instances(code: str, motif: str) -> None:
    rate = readings()[code, motif].rate
    assert (rate.instances, rate.undecided) == (DRAWN, 0)
    assert 0 <= rate.every <= rate.some <= rate.solvable <= DRAWN
    assert rate.solvable > 0
    assert 0 <= rate.classes_with <= rate.classes
    assert rate.says in rates.SAYS


@pytest.mark.parametrize("one", SHOWCASES, ids=lambda one: one.code)
def test_what_is_kept_for_the_report_is_current(one: Subject) -> None:
    """To bring it up to date: make certify."""
    kept = json.loads((checkout() / "audits" / "issued" / kept_name(one.code)).read_bytes())
    told = [reading_json(found) for (code, _), found in readings().items() if code == one.code]
    assert kept["readings"] == json.loads(canonical(told))
