"""What each world's picture says: shapes, marks and words of small cases whose pictures are known by hand."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from svg_geometry import SVG, texts

from cwr_audits.pictures import picture
from cwr_audits.subject import subject
from cwr_solvers.catalogue import WORLDS


def shown(code: str, submission: Any = None, step: int | None = None) -> str:
    """The picture of a showcase's witness, or of a submission given as JSON."""
    about = subject(code)
    word = about.world.read_submission(about.instance, about.witness if submission is None else submission)
    return picture(about.world.family, about.instance, word, step)


def words(document: str) -> list[str]:
    return [box.text for box in texts(document)]


def count(document: str, tag: str, kind: str) -> int:
    nodes = ElementTree.fromstring(document).iter(f"{SVG}{tag}")
    return sum(set(kind.split()) <= set(node.get("class", "").split()) for node in nodes)


def test_tw_shows_tokens_changes_reads_and_the_goal() -> None:
    first = words(shown("TW-001", step=1))
    assert first.count("1 smelt") == 1
    assert "2 ●●" in first
    assert {"+1", "−1"} <= set(first)
    assert first.count("?") == 1, "the catalyst is read in the first state; nothing is asked after the last one shown"
    whole = words(shown("TW-001"))
    assert whole.count("?") == 4, "every recipe reads the catalyst"
    assert whole.count("✓") == 6
    assert words(shown("TW-001", {"actions": []})).count("○") == 3, "ore, flux and widget"


def test_ps_shows_what_a_step_sets_and_asks_for() -> None:
    document = shown("PS-001", step=1)
    assert "held" in words(document)
    assert words(document).count("*") == 1
    assert words(document).count("?") == 3
    assert any(one.startswith("In every state: ack=0 or durable=1") for one in words(document))


def test_tp_shows_values_and_what_the_goal_lacks() -> None:
    whole = words(shown("TP-001"))
    assert "v1 RightBit 1" in whole
    assert "✓ goal" in whole
    assert not any("left over" in one for one in whole)
    nothing = words(shown("TP-001", {"steps": []}))
    assert "✗ left over" in nothing
    assert "✗ goal not made: Seal 1,1" in nothing


CIRCUIT = {
    "family": "BC",
    "code": "BC-X",
    "pins": ["q", "p"],
    "operators": [
        {"name": "NOTHING-BUT", "table": [1, 1, 1, 0], "cost": 1},
        {"name": "EITHER", "table": [0, 1, 1, 0], "cost": 1},
        {"name": "LT", "table": [0, 1, 0, 0], "cost": 1},
    ],
    "goal": {"outputs": {"sum": [0, 1, 1, 0], "carry": [0, 0, 0, 0]}},
    "budget": {"gates": 3, "cost": 3},
}


def test_bc_draws_gates_by_their_tables_and_judges_outputs() -> None:
    world = WORLDS["BC"]
    instance = world.read_instance(CIRCUIT)
    gates = [{"id": f"g{n}", "op": op, "inputs": ["q", "p"]} for n, op in enumerate(["NOTHING-BUT", "EITHER", "LT"])]
    word = world.read_submission(instance, {"gates": gates, "outputs": {"sum": "g1", "carry": "q"}})
    document = picture("BC", instance, word)
    said = words(document)
    assert {"g0 NOTHING-BUT", "1110", "g1 EITHER", "0110", "g2 LT", "0011"} <= set(said)
    assert "wants 0110 ✓" in said
    assert "wants 0000 ✗" in said
    bodies = re.findall(r'<path class="cwr-area cwr-(?:fill|new|card)" d="([^"]*)"', document)
    assert len(bodies) == 4, "three gates and the circle of the one that inverts"
    assert sum("a4 4" in one for one in bodies) == 1
    assert sum(bool(re.search(r"A22 18", one)) for one in bodies) == 1, "the round nose of AND"
    assert sum("Q" in one for one in bodies) == 1, "the sharp nose of XOR"
    assert "wants" not in " ".join(words(picture("BC", instance, word, 2)))


def test_kl_says_where_edges_lead_and_which_steps_used_them() -> None:
    edges = [
        {"name": "ab", "from": "a", "to": "b", "cost": 1},
        {"name": "ba", "from": "b", "to": "a", "cost": 1},
        {"name": "bb", "from": "b", "to": "b", "key": "k", "use": "keep", "cost": 3},
    ]
    source = {
        "family": "KL",
        "code": "KL-X",
        "nodes": ["a", "b", "far"],
        "carrier": "a",
        "objects": [{"name": "k", "at": "a"}],
        "edges": edges,
        "capacity": 1,
        "goal": {"locations": {"k": "held"}},
        "budget": {"actions": 6, "traversals": 6, "cost": 9},
    }
    instance = WORLDS["KL"].read_instance(source)
    acts = [("pickup", "k"), *(("move", name) for name in ("ab", "bb", "ba", "ba"))]
    word = WORLDS["KL"].read_submission(instance, {"actions": [{"op": op, "arg": arg} for op, arg in acts]})
    said = words(picture("KL", instance, word))
    assert {"ab →", "← ba", "↺ bb", "key k", "cost 3", "step 3", "✗ step 5", "▣ holds k"} <= set(said)
    assert "lying: k" in words(picture("KL", instance, word, 0))


def test_rs_draws_bars_from_start_to_end() -> None:
    document = shown("RS-001")
    bars = [
        (int(node.attrib["x"]), int(node.attrib["width"]), node[0].text or "")
        for node in ElementTree.fromstring(document).iter(f"{SVG}rect")
        if len(node) and re.match(r"\d+\. ", node[0].text or "")
    ]
    told = {text.split(" with")[0]: (x, wide) for x, wide, text in bars}
    assert set(told) == {
        "1. A from 0 to 2",
        "2. B from 0 to 2",
        "3. C from 2 to 3",
        "4. D from 2 to 3",
        "5. E from 3 to 4",
    }
    (start, two), (third, one) = told["1. A from 0 to 2"], told["3. C from 2 to 3"]
    assert (two, third) == (2 * one, start + two)
    assert {"peak 2 of 2", "peak 1 of 1", "deadline 5"} <= set(words(document))


def test_pa_shows_types_by_lines_and_spares_apart() -> None:
    document = shown("PA-001")
    assert {"not connected", "spare, forbidden"} <= set(words(document))
    assert count(document, "path", "cwr-dash0") >= 3, "three wires of power"
    assert count(document, "path", "cwr-dash1") >= 3, "three wires of signal"
    assert count(document, "circle", "cwr-solid") == 12, "two ports for each of six wires"
    assert count(shown("PA-001", step=1), "circle", "cwr-solid") == 2
    assert "Lines by type: power solid, signal dashed." in words(document)


def test_ft_shows_every_face_with_its_letter_and_the_clash() -> None:
    document = shown("FT-001")
    faces = sum(len(re.findall(f'class="cwr-face{n}"', document)) for n in range(8))
    assert faces == 4 + 18, "four strips of border, six faces of each of the three pieces"
    assert "Pieces left: none." in words(document)
    clash = shown("FT-001", {"placements": [{"piece": "B", "x": 2, "y": 0}, {"piece": "C", "x": 0, "y": 0}]})
    assert "✗ 2: C at (0, 0) breaks R4, R5" in words(clash)
    assert count(clash, "rect", "cwr-area cwr-bad") == 3, "two cells and the box of words"


def test_co_shows_the_ring_before_and_after_a_card_and_what_the_reference_asks() -> None:
    whole = words(shown("CO-001"))
    assert whole.count("⇄") == 2
    assert "1 C: 2 ⇄ 3" in whole
    assert (whole.count("↻"), whole.count("✓"), whole.count("○")) == (3, 5, 0)
    broken = words(shown("CO-001", {"cards": []}))
    assert (broken.count("⇄"), broken.count("✓"), broken.count("○")) == (0, 3, 2), "pearl and slate are exchanged"
    document = shown("CO-001", {"cards": ["C", "C"]})
    assert {"2 C: 2 ⇄ 3", "✗ R1"} <= set(words(document))
    assert "goal" not in words(document)


def test_co_reads_clockwise_from_the_top() -> None:
    boxes = {box.text: box for box in texts(shown("CO-001", {"cards": []})) if box.left < 250}
    ring = [boxes[name] for name in ("coral", "pearl", "slate", "amber", "jade")]
    assert [box.top for box in ring] == [ring[0].top + 34 * row for row in (0, 1, 2, 2, 1)]
    assert ring[1].left == ring[2].left > ring[0].left > ring[3].left == ring[4].left
    assert all(boxes[str(number)].top == box.top for number, box in enumerate(ring, 1))


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("TW-001", "Step 1: smelt takes 1 ore; reads 1 catalyst; makes 1 blank."),
        ("TP-001", "Step 1: decode(input) gives v0, v1."),
        ("BC-001", "Step 4: g3 = OR(g0, g2). Chosen: output is g3."),
        ("KL-001", "Step 3: move along D-H from D to H, using up k1."),
        ("RS-001", "Step 5: E from 3 to 4 with 2 crew."),
        ("PS-001", "Step 1: acquire asks for lock=free, draft=0, durable=0; sets lock to held."),
        ("PA-001", "Step 6: M.s to K.s. Not connected: Z."),
        ("FT-001", "Step 3: C at (0, 1). Pieces left: none."),
        ("CO-001", "Step 1: C exchanges pearl on 2 and slate on 3."),
    ],
)
def test_pictures_tell_their_steps_in_words(code: str, told: str) -> None:
    description = ElementTree.fromstring(shown(code))[1].text or ""
    assert description.startswith("✓ accepted after ")
    assert told in description
