"""The Python interface: the same answers as the command, nothing changes, everything shown is escaped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import cwr
from cwr.shown import MOST_ROWS
from cwr_audits import asking
from cwr_audits.subject import subject


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("store"))


@pytest.fixture
def circuits(place: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[cwr.Solutions]:
    monkeypatch.setenv("CWR_STORE", place)
    world = cwr.world("BC-001")
    yield world.solutions()
    for space in world.spaces.values():
        space.connection.close()


class Tags(HTMLParser):
    """The tags and the texts of a document."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def parsed(html: str) -> Tags:
    found = Tags()
    found.feed(html)
    return found


def test_every_world_is_there() -> None:
    assert [one.code for one in cwr.worlds()] == [
        f"{name}-001" for name in ("TW", "TP", "RS", "BC", "KL", "PS", "PA", "FT", "CO")
    ]
    one = cwr.world("KL-001")
    assert (one.code, one.family, one.title) == ("KL-001", "KL", "Keyed logistics")
    assert one.digest == subject("KL-001").digest
    assert cwr.world(json.loads(json.dumps(one.instance))).digest == one.digest
    with pytest.raises(cwr.UsageError):
        cwr.world("KL-999")
    with pytest.raises(cwr.MalformedInput):
        cwr.world({"family": "KL"})


def test_grading() -> None:
    world = cwr.world("TW-001")
    good: Any = {"actions": ["smelt", "smelt", "coat", "rivet"]}
    assert world.grade(good) == world.grade(json.dumps(good)) == world.grade(json.dumps(good).encode())
    assert (world.grade(good).verdict, world.grade(good).cost) == ("accepted", 4)
    bad = world.grade({"actions": ["smelt", "coat", "rivet"]})
    assert (bad.verdict, bad.step, bad.rules) == ("illegal", 3, ("R1",))
    assert "blank 0" in bad._repr_html_()
    assert world.grade("{").verdict == "malformed"
    assert "malformed (syntax)" in repr(world.grade("{").table())


def test_filters_chain_and_leave_what_they_came_from(circuits: cwr.Solutions) -> None:
    without = circuits.without("shape")
    assert (len(circuits), len(without), len(without.classes())) == (42, 6, 3)
    assert len(circuits) == 42
    assert len(circuits.classes().with_("shape").without("typed")) == 9
    assert len(circuits.classes().where("n_OR = 2").where("has_mid")) == 6
    assert len(circuits.at_cost(4)) == 42
    gate: Any = {"id": "g0", "op": "AND", "inputs": ["b", "a"]}
    assert len(circuits.require(gate)) + len(circuits.forbid(gate)) == 42
    assert len(cwr.world("TW-001").solutions().require("coat")) == 2
    assert len(circuits.limit(5)) == 5
    with pytest.raises(FrozenInstanceError):
        circuits.place = "elsewhere"  # type: ignore[misc]


def test_none_is_false_and_proved(circuits: cwr.Solutions) -> None:
    none = circuits.with_("shape").without("shape")
    assert not none
    assert (len(none), list(none)) == (0, [])
    assert "proved" in repr(none.table())
    assert circuits


def test_solutions(circuits: cwr.Solutions) -> None:
    first = circuits.nearest()[0]
    assert (first.distance, first.cost, first.number, first.raw, first.words) == (0, 4, 3, 16, 1)
    assert first.motifs == {"shape": True, "typed": True, "mid": True, "weak": True}
    assert json.loads(first.text) == first.submission
    far = circuits.farthest(first)
    assert [one.distance for one in far] == sorted((one.distance for one in far), reverse=True)
    assert {one.text for one in far} == {one.text for one in circuits}
    assert [one.apart for one in circuits.diverse(3)] == [None, 4, 4]
    assert sum(one.raw for one in circuits.classes()) == 672


def test_a_question_is_asked_when_it_is_looked_at_and_once(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    real = cwr.questions.alternatives
    monkeypatch.setattr(cwr.questions, "alternatives", lambda *given: calls.append(1) or real(*given))
    asked = cwr.world("KL-001").solutions(store=place).classes()
    assert calls == []
    assert (len(asked), len(list(asked)), len(asked.table())) == (1, 1, 1)
    assert calls == [1]


def test_pictures(circuits: cwr.Solutions) -> None:
    sheet = ElementTree.fromstring(circuits.limit(2).picture()._repr_svg_())
    assert len([one for one in sheet if one.tag.endswith("}svg")]) == 2
    first = circuits[0]
    assert first._repr_svg_() == first.picture().svg
    assert first.picture(1).svg != first.picture().svg
    world = cwr.world("BC-001")
    assert world.picture(first.submission).svg == first.picture().svg
    assert ElementTree.fromstring(world.picture().svg).tag.endswith("svg")
    with pytest.raises(cwr.UsageError, match="witness"):
        cwr.world(world.instance).picture()  # type: ignore[arg-type]
    with pytest.raises(cwr.MalformedInput):
        world.picture("{")


HOSTILE = '<script>alert("x")</script>&'


def test_everything_shown_is_escaped(tmp_path: Path) -> None:
    source: Any = subject("TW-001").source
    text = json.dumps(source).replace('"smelt"', json.dumps(HOSTILE)).replace("TW-001", "T<b>")
    world = cwr.world(json.loads(text))
    asked = world.solutions(store=str(tmp_path)).without("main")
    shown = [asked._repr_html_(), asked.with_("main")._repr_html_(), world._repr_html_()]
    shown.append(world.grade({"actions": [HOSTILE, "rivet"]})._repr_html_())
    shown.append(cwr.Table(("a\u202e", "<i>"), ((HOSTILE, "\x07"),), ("<p onclick=x>",))._repr_html_())
    shown.append(world.solutions(store=str(tmp_path))._repr_html_())
    for html in shown:
        found = parsed(html)
        assert {tag for tag, _ in found.tags} <= {"table", "thead", "tbody", "tr", "th", "td", "p"}
        assert [attributes for _, attributes in found.tags if attributes] == []
        assert "\u202e" not in html
        assert "\x07" not in html
    assert any("<script>" in text for text in parsed(shown[-1]).texts)
    picture = world.solutions(store=str(tmp_path)).picture().svg
    assert "<script" not in picture
    ElementTree.fromstring(picture)


def test_long_tables_are_shown_in_part() -> None:
    table = cwr.Table(("number",), tuple((str(number),) for number in range(MOST_ROWS + 1)))
    assert len(table) == MOST_ROWS + 1
    assert "1 more rows are not shown" in table._repr_html_()
    assert table._repr_html_().count("<td>") == MOST_ROWS
    assert "more rows" in repr(table)


def test_what_is_not_all_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "SPACE", "toy_alternatives:too_large")
    asked = cwr.world("TW-001").solutions(store=str(tmp_path))
    assert len(asked.some()) == len([one.text for one in asked]) == 2
    assert asked
    assert "not all" in repr(asked.table())
    for look in (len, list):
        with pytest.raises(cwr.Undecided):
            look(asked)
    monkeypatch.setattr(asking, "SOME", "toy_alternatives:unsupported_once")
    with pytest.raises(cwr.Undecided):
        bool(asked.forbid("coat"))


def test_without_a_place_to_keep_a_space_the_table_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("CWR_STORE", ""), ("XDG_CACHE_HOME", "/dev/null")):
        monkeypatch.setenv(name, value)
    world = cwr.world("TW-001")
    assert len(world.solutions()) == 2
    assert "listed anew for every question" in repr(world.solutions().classes().table())
    (space,) = world.spaces.values()
    space.connection.close()


@pytest.mark.parametrize("number", [0, -1, True, 1.5, "1", None])
def test_numbers_are_positive(circuits: cwr.Solutions, number: Any) -> None:
    for method in (circuits.limit, circuits.diverse):
        with pytest.raises(cwr.UsageError):
            method(number)


@pytest.mark.parametrize("number", [-1, True, 1.5, "1", None])
def test_a_cost_is_a_whole_number(circuits: cwr.Solutions, number: Any) -> None:
    with pytest.raises(cwr.UsageError, match="a number of at least 0 was expected"):
        circuits.at_cost(number)


def nested(depth: int) -> Any:
    made: Any = []
    for _ in range(depth):
        made = [made]
    return made


@pytest.mark.parametrize(
    "value",
    [{1: 2}, float("nan"), object(), {"gates": {1}}, {"gates": [], "output": "\ud800"}, nested(100_000)],
    ids=["a key that is no text", "no number", "an object", "a set", "a surrogate", "depth"],
)
def test_what_is_no_json_is_malformed(circuits: cwr.Solutions, value: Any) -> None:
    told = cwr.world("BC-001").grade(value)
    assert (told.verdict, told.rules) == ("malformed", ("wrong-type",))
    with pytest.raises(cwr.MalformedInput):
        circuits.forbid(value)


@pytest.mark.parametrize("source", [None, 7, b"BC-001", ["BC-001"]])
def test_what_names_no_world_is_wrong_usage(source: Any) -> None:
    with pytest.raises(cwr.UsageError, match="a world is a code"):
        cwr.world(source)
