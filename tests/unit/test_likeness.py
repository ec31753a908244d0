"""Typed maps between programs: recipes of sources that leak are found, and a chain of other steps is no leak."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cwr_audits.packs.audits import AUDITS
from cwr_audits.packs.audits.likeness import Likeness, Program, Side, program
from cwr_audits.packs.model import Pack
from cwr_audits.packs.sources import sources
from cwr_audits.subject import Subject, from_json, subjects
from cwr_solvers.errors import Undecided
from cwr_solvers.jsontext import canonical
from cwr_solvers.search import words
from cwr_solvers.world import Submission


def target(code: str) -> Subject:
    (found,) = subjects((code,))
    return found


def edited(code: str, arm: str, change: Any) -> dict[str, Any]:
    """The target's instance as that of a source, changed."""
    made: Any = json.loads(canonical(target(code).source))
    made["code"] = f"{code}-{arm}"
    change(made)
    return made  # type: ignore[no-any-return]


def shown(instance: dict[str, Any]) -> Any:
    """Its least accepted word."""
    about = from_json(instance)
    return about.world.write_submission(about.instance, min(words(about.world, about.instance), key=str))


def codes(code: str, first: dict[str, Any], control: dict[str, Any]) -> dict[str, set[str]]:
    """What the audit of leakage says of two sources, without any items: {arm: reasons}."""
    made: dict[str, Any] = {}
    for arm, (instance, solution) in {"F": (first, shown(first)), "C": (control, shown(control))}.items():
        made[f"{code}-{arm}.json"] = {
            "arm": arm,
            "code": code,
            "design": "planted",
            "instance": instance,
            "shown": solution,
        }
    found = AUDITS["leakage"](Pack("seed", "00", (code,), (), (), (), made, {}))
    said = [(why.text.partition(":")[0], why.code) for why in found.reasons if why.code != "no-canary"]
    return {arm: {why for about, why in said if about == f"{code}-{arm}"} for arm in "FC"}


def own(code: str) -> dict[str, dict[str, Any]]:
    """The instances of the sources that there are."""
    return {one.arm: json.loads(canonical(one.source)) for one in sources() if one.target == code}


def four_pins(goal: Any) -> Any:
    def change(made: Any) -> None:
        made["pins"] = ["u", "v", "w", "q"]
        rows = [[row >> bit & 1 for bit in (3, 2, 1, 0)] for row in range(16)]
        made["goal"] = {"output": [goal(*row) for row in rows]}
        made["motif"] = []

    return change


def test_a_circuit_that_leaks_where_two_pins_become_one() -> None:
    merging = edited("BC-001", "F", four_pins(lambda u, v, w, q: u & v | w & (u ^ q)))
    found = codes("BC-001", merging, own("BC-001")["C"])
    assert found["F"] & {"leak", "leak-unshown"}
    assert found["C"] == set()


def test_a_pipeline_that_leaks_as_it_stands() -> None:
    def other_values(made: Any) -> None:
        made["initial"]["input"]["value"] = [1, 0]
        made["goal"]["values"][0]["value"] = [0, 0]

    found = codes("TP-001", edited("TP-001", "F", other_values), own("TP-001")["C"])
    assert found == {"F": {"leak", "unchanged"}, "C": set()}


def test_a_tiling_that_leaks_in_the_mirror() -> None:
    def mirrored(made: Any) -> None:
        for piece in made["pieces"]:
            wide = max(cell["x"] for cell in piece["cells"])
            piece["name"] = {"A": "Q", "B": "R", "C": "S"}[piece["name"]]
            for cell in piece["cells"]:
                cell["x"] = wide - cell["x"]
                sides = {"left": cell.pop("right", None), "right": cell.pop("left", None)}
                cell.update({side: colour for side, colour in sides.items() if colour is not None})

    found = codes("FT-001", edited("FT-001", "F", mirrored), own("FT-001")["C"])
    assert found == {"F": {"leak"}, "C": set()}


@pytest.mark.parametrize("code", ["TW-001", "KL-001", "RS-001", "PS-001", "PA-001", "FT-001", "TP-001", "BC-001"])
def test_every_target_is_like_itself_and_the_sources_are_not(code: str) -> None:
    about = target(code)
    side = Side(about.world, about.source, about.instance)
    wanted = [program(side, word) for word in words(about.world, about.instance)]
    for one in wanted[:3]:
        assert Likeness(side, side).distance(one, one, 0) == 0
    for source in (one for one in sources() if one.target == code):
        here = Side(source.world, source.source, source.instance)
        seen = program(here, source.world.normal(source.instance, source.submission))
        assert all(Likeness(here, side).distance(seen, word, 0) is None for word in wanted)


def protocol(*operations: tuple[str, dict[str, int], dict[str, int]]) -> Side:
    """Operations as name, conditions and effects, over fields of two values."""
    fields = sorted({field for _, when, then in operations for field in (*when, *then)})
    source: Any = {
        "family": "PS",
        "code": "PS-X",
        "fields": [{"name": field, "values": [0, 1], "initial": 0} for field in fields],
        "operations": [
            {"name": name, "when": [{"field": field, "is": value} for field, value in when.items()], "then": then}
            for name, when, then in operations
        ],
        "invariants": [],
        "goal": [],
        "budget": {"actions": 3, "cost": 3},
    }
    about = from_json(source)
    return Side(about.world, about.source, about.instance)


def chain(*moves: str) -> Program:
    return Program(moves, ())


def test_a_chain_of_other_steps_is_no_leak_and_a_renamed_one_is() -> None:
    one = protocol(("a", {}, {"x": 1}), ("b", {"x": 1}, {"y": 1}), ("c", {"y": 1}, {"x": 0}))
    renamed = protocol(("k", {}, {"m": 1}), ("l", {"m": 1}, {"n": 1}), ("o", {"n": 1}, {"m": 0}))
    straight = protocol(("k", {}, {"m": 1}), ("l", {"m": 1}, {"n": 1}), ("o", {"n": 1}, {"p": 1}))
    first, second = chain("a", "b", "c"), chain("k", "l", "o")
    assert Likeness(one, renamed).distance(first, second, 3) == 0
    assert Likeness(one, straight).distance(first, second, 3) == 1  # x cannot be both m and p
    merged = protocol(("k", {}, {"m": 1}), ("l", {"m": 1}, {"m": 1}))
    assert Likeness(one, merged).distance(chain("a", "b"), chain("k", "l"), 2) == 0  # x and y become m


def test_edits_are_counted() -> None:
    about = target("TW-001")
    side = Side(about.world, about.source, about.instance)
    search = Likeness(side, side)
    assert search.distance(chain("smelt", "coat"), chain("smelt", "smelt", "coat"), 3) == 1
    assert search.distance(chain("coat", "coat"), chain("smelt", "smelt"), 1) is None
    assert search.distance(chain("smelt"), chain("rivet"), 1) == 1


def test_a_final_choice_counts() -> None:
    about = target("BC-001")
    side = Side(about.world, about.source, about.instance)
    found = [program(side, Submission((), (pin,))) for pin in about.instance.pins]
    assert Likeness(side, side).distance(found[0], found[1], 1) == 0
    assert Likeness(side, side).distance(found[0], Program((), ("g0",)), 1) == 1


def test_too_many_maps_are_undecided() -> None:
    about = target("TW-001")
    side = Side(about.world, about.source, about.instance)
    with pytest.raises(Undecided):
        Likeness(side, side, most=2).distance(chain("smelt", "coat"), chain("smelt", "coat"), 2)
