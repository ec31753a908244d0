"""The canonical form: blind to names and orders that mean nothing, and to nothing else."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from cwr_audits.canonical import base, form
from cwr_audits.metamorphic import change
from cwr_audits.renaming import SCHEMES
from cwr_audits.subject import Subject, from_json, subjects
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import Undecided
from cwr_solvers.jsontext import Json
from cwr_solvers.sampling import stream

FAMILIES = pytest.mark.parametrize("family", WORLDS)


def changed(about: Subject, scheme: str, *words: str) -> Json:
    made = change(about.world.family, "all", about.source, scheme, stream(*words))
    return from_json(made.instance).source


@cache
def instances(family: str, number: int) -> list[Subject]:
    showcase = [one for one in subjects(()) if one.world.family == family]
    return showcase + [from_json(WORLDS[family].generate(f"canonical {place}")) for place in range(number)]


@FAMILIES
@pytest.mark.parametrize("scheme", SCHEMES)
def test_names_and_orders_do_not_matter(family: str, scheme: str) -> None:
    about, *others = ((one, changed(one, scheme, family, one.code)) for one in instances(family, 19)[:3])
    for before, after in (about, *others):
        assert base(family, after) == base(family, before.source)
    assert any(after != before.source for before, after in (about, *others))


@FAMILIES
def test_different_instances_have_different_bases(family: str) -> None:
    known = {base(family, about.source) for about in instances(family, 19)}
    assert len(known) >= 19  # two of the 20 may be alike by chance


def grown(value: Any) -> list[Any]:
    """The JSON values that differ from this one in one integer, by one."""
    if isinstance(value, dict):
        return [{**value, key: other} for key, item in value.items() for other in grown(item)]
    if isinstance(value, list):
        return [
            [*value[:place], other, *value[place + 1 :]] for place, item in enumerate(value) for other in grown(item)
        ]
    return [value + 1] if isinstance(value, int) and not isinstance(value, bool) else []


@FAMILIES
def test_numbers_matter(family: str) -> None:
    """Of numbers that are no names: an integer more changes the form, unless it is a name (TP values, PS values)."""
    (about,) = (one for one in subjects(()) if one.world.family == family)
    others = [form(family, one) for one in grown(about.source)[-20:]]
    alike = [one for one in others if one == form(family, about.source)]
    assert len(others) > 1
    assert alike == [] or (family in ("TP", "PS") and len(alike) < len(others))


def test_who_follows_whom_matters() -> None:
    (about,) = subjects(("RS-001",))
    source: Any = about.source
    jobs = [
        {**job, "after": ["A"]} if job["name"] == "C" else job  # not after B any more
        for job in source["jobs"]
    ]
    assert base("RS", {**source, "jobs": jobs}) != base("RS", source)


def test_where_the_reference_begins_does_not_matter_and_where_the_broken_loop_begins_does() -> None:
    (about,) = subjects(("CO-001",))
    source: Any = about.source
    for key, alike in (("reference", True), ("broken", False)):
        turned = {**source, key: [*source[key][2:], *source[key][:2]]}
        assert (base("CO", turned) == base("CO", source)) == alike
    assert base("CO", {**source, "reference": source["reference"][::-1]}) != base("CO", source)


def test_many_names_that_can_be_exchanged_are_no_trouble() -> None:
    (about,) = subjects(("TP-001",))
    source: Any = {**dict(about.source), "ids": [f"v{number}" for number in range(14)]}  # type: ignore[call-overload]
    turned = {**source, "ids": source["ids"][::-1]}
    assert base("TP", source) == base("TP", turned) != base("TP", about.source)


def test_too_many_pins_are_undecided() -> None:
    with pytest.raises(Undecided):
        base("BC", {"pins": [f"p{number}" for number in range(7)]})
