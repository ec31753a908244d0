"""FT, motif `main`: the stated contact graph up to the numbers of its nodes, orientations and directions included."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from cwr_audits.motifs import ft
from cwr_audits.subject import from_json, subject
from cwr_solvers.jsontext import canonical


def judged(change: Callable[[dict[str, Any]], object]) -> bool:
    """The verdict on the witness, A over C with B upright at their right, of a changed showcase."""
    source = subject("FT-001")
    made = copy.deepcopy(json.loads(canonical(source.source)))
    change(made)
    one = from_json(made)
    assert source.witness is not None
    return ft.main(one.world, one.instance, one.world.read_submission(one.instance, source.witness))


def renumber(made: dict[str, Any]) -> None:
    made["motif"]["nodes"].reverse()
    for contact in made["motif"]["contacts"]:
        contact["between"] = [2 - node for node in contact["between"]]


def test_the_showcase_has_it_under_any_numbering() -> None:
    assert judged(lambda _made: None) is True
    assert judged(renumber) is True


def test_a_contact_stated_twice_is_one() -> None:
    assert judged(lambda made: made["motif"]["contacts"].append({"between": [1, 0], "along": "vertical"})) is True


def test_none_is_stated() -> None:
    assert judged(lambda made: made.pop("motif")) is False


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "orientation": lambda made: made["motif"]["nodes"].__setitem__(0, "other"),
    "direction": lambda made: made["motif"]["contacts"][0].update(along="horizontal"),
    "both directions": lambda made: made["motif"]["contacts"].append({"between": [0, 1], "along": "horizontal"}),
    "a contact less": lambda made: made["motif"]["contacts"].pop(),
    "a node more": lambda made: made["motif"]["nodes"].append("other"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_another_graph(change: Callable[[dict[str, Any]], object]) -> None:
    assert judged(change) is False
