"""Prompts and records of the cyclic-order scene: every field of the contract, one source of answer and annotation."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from scene_samples import SIZE, fake_rendering
from scipy.stats import chisquare

from cwr_audits.files import checkout
from cwr_audits.scenes.cyclic_order import prompts, records
from cwr_audits.scenes.cyclic_order.contract import Puzzle, Redraw, SceneConfig
from cwr_audits.scenes.cyclic_order.prompts import ANSWER_AND_ANNOTATION, ANSWER_ONLY, bundle, prompt, read_bundle
from cwr_audits.scenes.cyclic_order.records import Record, plain, project, record, scaled, write_record
from cwr_audits.scenes.cyclic_order.sampling import instance_seed, sample, swapped
from cwr_solvers.errors import Disagreement, MalformedInput
from cwr_solvers.jsontext import canonical
from cwr_solvers.worlds.co.world import WORLD

CONFIG = SceneConfig()
SCHEMA = json.loads((checkout() / "fixtures" / "schema" / "cyclic-order-record.schema.json").read_text("utf-8"))
CHECKER = jsonschema.Draft202012Validator(SCHEMA)
CONTRACT = {
    "domain": "puzzles",
    "scene_id": "cyclic_order",
    "task_id": "task_puzzles__cyclic_order__swap_repair_label",
    "query_id": "single",
    "scene_key": "cyclic_order",
    "task_key": "swap_repair_label_query",
    "query_key": "swap_repair",
    "operations": ["topology", "state_update", "matching"],
    "program": "select_option(cyclic_order.swap_repair, reference=reference_loop, broken=numbered_broken_loop, "
    "action=swap_two_numbered_positions); scene=cyclic_order; scope=swap_repair_label",
}


def puzzle_of(index: int, config: SceneConfig = CONFIG) -> Puzzle:
    return sample(instance_seed("records", index), config)


def recorded(puzzle: Puzzle, pixels: int = SIZE, config: SceneConfig = CONFIG) -> Record:
    asked = prompt(puzzle.instance_seed, pixels, pixels)
    return record(puzzle, config, fake_rendering(puzzle), asked, (pixels, pixels))


# --- prompts


def test_the_bundle_says_all_that_a_solver_must_know() -> None:
    asked = bundle()
    assert len(asked.wordings) >= 3
    for text in asked.wordings.values():
        assert "clockwise" in text
        assert "arrow" in text
        assert re.search(r"rotat", text)
        assert "mirror image" in text
        assert re.search(r"[Ee]xactly one", text)
        assert re.search(r"\bequal\b", text)
        assert re.search(r"small clasp .*where (its|the) string is closed|small clasp .*only closes the string", text)
        assert re.search(r"([Bb]oth|each) loop", text)
        assert re.search(r"\bsame\b", text)
        assert re.search(r"counts for nothing|has no meaning", text)
        assert re.search(r"the last token is followed by the first across it|across it,? the last token is", text)
        assert len(re.findall("reference loop", text)) >= 1
    assert '{"answer":"B"}' in asked.answer_forms[ANSWER_ONLY]
    assert '{"answer":"B","annotation":[left,top,right,bottom]}' in asked.answer_forms[ANSWER_AND_ANNOTATION]
    assert "annotation" not in asked.answer_forms[ANSWER_ONLY]


def test_a_prompt_has_a_text_for_each_answer_form() -> None:
    asked = prompt("some seed", 512, 300)
    assert set(asked.texts) == set(bundle().answer_forms)
    for text in asked.texts.values():
        assert text.startswith(bundle().wordings[asked.wording])
        assert "$" not in text
    assert "512 pixels wide and 300 pixels high" in asked.texts[ANSWER_AND_ANNOTATION]
    assert prompt("some seed", 512, 300) == asked


def test_every_wording_is_as_likely() -> None:
    counted = Counter(prompt(instance_seed("wordings", index), 1, 1).wording for index in range(800))
    assert set(counted) == set(bundle().wordings)
    assert float(chisquare(list(counted.values())).pvalue) > 0.001


@pytest.mark.parametrize(
    ("changes", "code", "at"),
    [
        ({"bundle": "puzzles_cyclic_order_v2"}, "unknown-name", "/bundle"),
        ({"query_key": "single"}, "unknown-name", "/query_key"),
        ({"wordings": {}}, "out-of-range", "/wordings"),
        ({"wordings": {"1": 1}}, "wrong-type", "/wordings/1"),
        ({"answer_forms": {"answer_only": "x"}}, "missing-key", "/answer_forms/answer_and_annotation"),
        ({"more": 1}, "unknown-key", "/more"),
    ],
)
def test_a_bad_bundle_is_refused(changes: dict[str, Any], code: str, at: str) -> None:
    stated = json.loads(prompts.FILE.read_text("utf-8"))
    with pytest.raises(MalformedInput) as refused:
        read_bundle(json.dumps({**stated, **changes}).encode())
    assert (refused.value.code, refused.value.pointer) == (code, at)


# --- records


@pytest.mark.parametrize("index", range(12))
def test_a_record_has_every_field_of_the_contract(index: int) -> None:
    puzzle = puzzle_of(index)
    written: Any = write_record(recorded(puzzle))
    jsonschema.validate(written, SCHEMA)
    assert {name: written[name] for name in CONTRACT} == CONTRACT
    assert written["answer_gt"]["type"] == "option_letter"
    assert written["annotation_gt"]["type"] == "bbox"
    assert written["projected_annotation"].keys() == {"bbox", "pixel_bbox"}
    assert written["prompt"]["bundle"] == "puzzles_cyclic_order_v1"
    trace = written["execution_trace"]
    assert trace["reference_sequence"] == list(puzzle.reference)
    assert trace["broken_sequence"] == list(puzzle.broken)
    valid = next(one for one in puzzle.options if one.option_id == puzzle.answer)
    assert trace["solved_sequence"] == list(swapped(puzzle.broken, (valid.first, valid.second)))
    assert [one["label"] for one in trace["option_specs"]] == ["A", "B", "C", "D"]
    assert json.loads(canonical(written)) == written


def test_answer_and_annotation_come_from_one_option() -> None:
    for index in range(40):
        puzzle = puzzle_of(index)
        made = recorded(puzzle)
        trace = made.execution_trace
        assert trace.valid_option_id == trace.answer_option_id == puzzle.answer
        assert made.answer_gt.value == trace.answer_option_label == made.axes.answer_label_position
        box = made.render_map.option_choice_bboxes_px[trace.valid_option_id]
        assert made.annotation_gt.value == made.projected_annotation.pixel_bbox == box
        for option in puzzle.options:
            shown = project(puzzle, fake_rendering(puzzle), option.option_id, (SIZE, SIZE))
            assert shown.label == option.label
            assert shown.bbox == shown.pixel_bbox == fake_rendering(puzzle).option_choice_bboxes_px[option.option_id]


@pytest.mark.parametrize(
    ("size", "box"), [(1000, (40, 701, 240, 903)), (512, (20, 359, 123, 462)), (1500, (60, 1052, 360, 1355))]
)
def test_boxes_of_another_size_are_scaled_and_rounded(size: int, box: tuple[int, ...]) -> None:
    assert scaled((40, 701, 240, 903), fake_rendering(puzzle_of(0)), (size, size)) == box


def test_user_units_and_pixels_differ_where_the_export_does() -> None:
    puzzle = puzzle_of(1)
    full, half = recorded(puzzle), recorded(puzzle, 500)
    assert full.projected_annotation.bbox == half.projected_annotation.bbox
    assert half.annotation_gt.value == half.projected_annotation.pixel_bbox != full.projected_annotation.pixel_bbox
    assert (half.render_map.width, half.render_map.svg_width) == (500, SIZE)
    assert all(max(box) <= 500 for box in half.render_map.option_choice_bboxes_px.values())


def test_the_solver_trace_tells_each_option() -> None:
    mirrors = 0
    for index in range(60):
        puzzle = puzzle_of(index)
        trace = recorded(puzzle).execution_trace
        solved = [one for one in trace.solver_trace.options if one.verdict == "accepted"]
        (valid,) = solved
        turn = (valid.matches_at or 0) - 1
        assert valid.loop[turn:] + valid.loop[:turn] == puzzle.reference
        for one in trace.solver_trace.options:
            assert (one.verdict == "accepted") == (one.matches_at is not None) == (not one.unmet)
            assert one.mirror == (one.option_choice_id in puzzle.near_misses)
            mirrors += one.mirror
        swaps = trace.solver_trace.repairing_swaps
        assert len(swaps) - 1 == (len(puzzle.broken) == 4 and swaps[0][1] - swaps[0][0] == 2)
    assert mirrors > 5


def test_redraws_are_told() -> None:
    told = next(puzzle for puzzle in map(puzzle_of, range(100)) if puzzle.redraws)
    (redraw,) = recorded(told).execution_trace.redraws
    assert redraw.reason == "repairs alike"
    jsonschema.validate(write_record(recorded(told)), SCHEMA)


def test_the_policy_on_rotation_and_the_palette_are_told() -> None:
    allowed = replace(CONFIG, zero_rotation="allowed")
    puzzle = next(one for one in (puzzle_of(index, allowed) for index in range(100)) if one.rotation == 0)
    made = recorded(puzzle, config=allowed)
    assert (made.execution_trace.rotation, made.execution_trace.zero_rotation) == (0, "allowed")
    assert made.execution_trace.config_sha256 != recorded(puzzle).execution_trace.config_sha256
    colours = {look.colour for look in puzzle.looks if look.colour}
    assert colours <= set(made.execution_trace.palette)


def test_the_instance_of_the_record_is_one_of_co() -> None:
    made = recorded(puzzle_of(3))
    assert WORLD.write_instance(WORLD.read_instance(dict(made.instance))) == made.instance


def test_without_exactly_one_valid_option_there_is_no_record() -> None:
    puzzle = puzzle_of(0)
    other = next(one.option_id for one in puzzle.options if one.option_id != puzzle.answer)
    with pytest.raises(Disagreement, match=f"interpreter says {puzzle.answer}; sampling says {other}"):
        recorded(replace(puzzle, answer=other))
    whole = replace(puzzle, broken=swapped(puzzle.broken, (1, 2)))
    with pytest.raises(Disagreement):
        recorded(whole)
    opposite = {"swap_1_3", "swap_2_4"}  # of four tokens, these repair alike
    four = next(one for one in map(puzzle_of, range(100)) if one.redraws and one.answer in opposite)
    (redraw,) = four.redraws
    options = tuple(
        replace(one, option_id=f"swap_{redraw.first}_{redraw.second}", first=redraw.first, second=redraw.second)
        if one.option_id != four.answer and index == [one.option_id != four.answer for one in four.options].index(True)
        else one
        for index, one in enumerate(four.options)
    )
    with pytest.raises(Disagreement, match=r"interpreter says swap_\d_\d, swap_\d_\d"):
        recorded(replace(four, options=options))


def test_an_interpreter_that_lies_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = records.judge
    monkeypatch.setattr(
        records,
        "judge",
        lambda *asked: {label: replace(one, accepted=not one.accepted) for label, one in judge(*asked).items()},
    )
    with pytest.raises(Disagreement, match="repairs"):
        recorded(puzzle_of(0))


def test_what_is_no_json_has_no_place() -> None:
    assert plain((1, None, {"a": Redraw(1, 2, "x")})) == [1, None, {"a": {"first": 1, "second": 2, "reason": "x"}}]
    with pytest.raises(TypeError):
        plain(0.5)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda made: made.update(domain="puzzle"),
        lambda made: made.update(query_id="swap_repair"),
        lambda made: made.update(more=1),
        lambda made: made.pop("operations"),
        lambda made: made["answer_gt"].update(value="E"),
        lambda made: made["annotation_gt"].update(value=[1, 2, 3]),
        lambda made: made["annotation_gt"].update(value=[1, 2, 3, -1]),
        lambda made: made["axes"].update(token_style="beads"),
        lambda made: made["render_map"]["option_choice_bboxes_px"].popitem(),
        lambda made: made["render_map"]["option_choice_bboxes_px"].update(A=[1, 2, 3, 4]),
        lambda made: made["execution_trace"].pop("solved_sequence"),
        lambda made: [one.update(verdict="accepted") for one in made["execution_trace"]["solver_trace"]["options"]],
        lambda made: [one.update(verdict="rejected") for one in made["execution_trace"]["solver_trace"]["options"]],
    ],
)
def test_a_spoilt_record_does_not_fit_the_schema(spoil: Any) -> None:
    made = json.loads(canonical(write_record(recorded(puzzle_of(2)))))
    assert CHECKER.is_valid(made)
    spoil(made)
    assert not CHECKER.is_valid(made)


def test_the_bundle_is_a_file_of_the_package() -> None:
    assert Path(prompts.__file__).parent / "prompts" / "puzzles_cyclic_order_v1.json" == prompts.FILE
    assert prompts.FILE.is_file()
