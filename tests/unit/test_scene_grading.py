"""Grading of the cyclic-order scene: each part apart, nothing repaired, overlap exact."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scene_samples import SIZE, fake_rendering

from cwr_audits.scenes.cyclic_order.contract import SceneConfig
from cwr_audits.scenes.cyclic_order.grading import (
    LEAST_OVERLAP,
    Graded,
    Truth,
    decimal_text,
    grade,
    graded_json,
    overlap,
    read_json,
    read_truth,
    told,
)
from cwr_audits.scenes.cyclic_order.prompts import prompt
from cwr_audits.scenes.cyclic_order.records import record, write_record
from cwr_audits.scenes.cyclic_order.sampling import instance_seed, sample
from cwr_solvers.errors import MalformedInput
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, parse

TRUTH = Truth("B", (100, 200, 300, 400), 1000, 800)
BOX = [100, 200, 300, 400]


def judged(text: str | bytes, **more: Any) -> Graded:
    return grade(TRUTH, text.encode() if isinstance(text, str) else text, **more)


def words(graded: Graded) -> tuple[str, str, str]:
    return graded.status, graded.answer.status, graded.annotation.status


@pytest.mark.parametrize(
    ("submission", "expected"),
    [
        ({"answer": "B"}, ("accepted", "accepted", "absent")),
        ({"answer": "A"}, ("rejected", "rejected", "absent")),
        ({"answer": "B", "annotation": BOX}, ("accepted", "accepted", "accepted")),
        ({"answer": "C", "annotation": BOX}, ("rejected", "rejected", "accepted")),
        ({"answer": "B", "annotation": [0, 0, 50, 50]}, ("rejected", "accepted", "rejected")),
        ({"answer": "D", "annotation": [0, 0, 50, 50]}, ("rejected", "rejected", "rejected")),
        ({"annotation": BOX, "answer": "B"}, ("accepted", "accepted", "accepted")),
        ({"answer": "b"}, ("malformed", "malformed", "absent")),
        ({"answer": "b", "annotation": BOX}, ("malformed", "malformed", "accepted")),
        ({"answer": "B", "annotation": BOX[:3]}, ("malformed", "accepted", "malformed")),
        ({"answer": "A", "annotation": None}, ("malformed", "rejected", "malformed")),
    ],
)
def test_the_parts_are_judged_apart(submission: Any, expected: tuple[str, str, str]) -> None:
    assert words(judged(json.dumps(submission))) == expected


MALFORMED = [
    ("", "text", "syntax"),
    ("B", "text", "syntax"),
    ('\ufeff{"answer":"B"}', "text", "syntax"),
    ('{"answer":"B"} extra', "text", "trailing-data"),
    ('```json\n{"answer":"B"}\n```', "text", "syntax"),
    ('{"answer":"B","answer":"B"}', "text", "duplicate-key"),
    ('{"answer":"B","\\u0061nswer":"A"}', "text", "duplicate-key"),
    ('{"answer":"B","annotation":[1.5,2,3,4],"annotation":[1,2,3,4]}', "text", "duplicate-key"),
    ('{"answer":"B","annotation":[01.5,2,300,400]}', "text", "syntax"),
    ('{"answer":"B","annotation":[1.5.5,2,300,400]}', "text", "syntax"),
    ('{"answer":"B","annotation":[.5,2,300,400]}', "text", "syntax"),
    ('{"answer":"B","annotation":[1.,2,300,400]}', "text", "syntax"),
    (b'{"answer":"\xff"}', "text", "not-utf8"),
    ('{"answer":"B"}'.encode("utf-16"), "text", "not-utf8"),
    ("[" * 20 + "]" * 20, "text", "too-deep"),
    (b" " * (SUBMISSION_BYTES + 1), "text", "too-large"),
    ("null", "form", "wrong-type"),
    ('"B"', "form", "wrong-type"),
    ("1.5", "form", "wrong-type"),
    ('["B"]', "form", "wrong-type"),
    ('{"Answer":"B"}', "form", "unknown-key"),
    ('{"answer":"B","why":"because"}', "form", "unknown-key"),
    ('{"answer":"B","bbox":[100,200,300,400]}', "form", "unknown-key"),
    ('{"answer":"B","annotation":[1e2,2,300,400],"why":1e2}', "form", "unknown-key"),
    ('{"answer":"B","annotation":[1e2,2,300,400],"answer":"B"}', "text", "duplicate-key"),
    ('{"answer":"B","annotation":[1e2,2,300,400]', "text", "syntax"),
    ('{"answer":"B","annotation":[1e2,02,300,400]}', "text", "syntax"),
    ('{"answer":"B","\\ud800":1}', "form", "unknown-key"),
    ("[1e2]", "text", "float"),
    ("1e2", "text", "float"),
]


@pytest.mark.parametrize(("text", "stage", "code"), MALFORMED)
def test_what_is_no_submission_makes_both_parts_malformed(text: str | bytes, stage: str, code: str) -> None:
    graded = judged(text)
    assert words(graded) == ("malformed", "malformed", "malformed")
    for part in (graded.answer, graded.annotation):
        assert (part.stage, part.code) == (stage, code)
    assert graded.found is None
    assert graded.overlap is None


@pytest.mark.parametrize("answer", ["b", " B", "B ", "E", "", "AB", "Β", "swap_1_2"])
def test_letters_that_are_none_of_the_cards(answer: str) -> None:
    part = judged(json.dumps({"answer": answer})).answer
    assert (part.status, part.stage, part.code) == ("malformed", "answer", "unknown-name")


@pytest.mark.parametrize("answer", ["1", "1.5", "null", "true", '["B"]', '{"B":1}'])
def test_answers_that_are_no_letters(answer: str) -> None:
    part = judged(f'{{"answer":{answer}}}').answer
    assert (part.status, part.stage, part.code) == ("malformed", "answer", "wrong-type")


@pytest.mark.parametrize(
    ("annotation", "code", "at"),
    [
        ("[100,200,300]", "out-of-range", "/annotation"),
        ("[100,200,300,400,500]", "out-of-range", "/annotation"),
        ("[]", "out-of-range", "/annotation"),
        ("1.5", "wrong-type", "/annotation"),
        ('"100,200,300,400"', "wrong-type", "/annotation"),
        ('{"left":100}', "wrong-type", "/annotation"),
        ("[true,200,300,400]", "wrong-type", "/annotation/0"),
        ('["100",200,300,400]', "wrong-type", "/annotation/0"),
        ("[[1.5],200,300,400]", "wrong-type", "/annotation/0"),
        ("[-1,200,300,400]", "out-of-range", "/annotation/0"),
        ("[-0.5,200,300,400]", "out-of-range", "/annotation/0"),
        ("[100,200,1001,400]", "out-of-range", "/annotation/2"),
        ("[100,200,300,800.001]", "out-of-range", "/annotation/3"),
        ("[300,200,100,400]", "contradiction", "/annotation"),
        ("[100,200,100,400]", "contradiction", "/annotation"),
        ("[100,400.5,300,400.5]", "contradiction", "/annotation"),
        ("[1e2,200,300,400]", "float", "/annotation/0"),
        ("[100,200,1.5e1,400]", "float", "/annotation/2"),
        ("[1.0123456789,200,300,400]", "float", "/annotation/0"),
        ("1e2", "float", "/annotation"),
        ("[NaN,200,300,400]", "not-a-number", "/annotation/0"),
        ("[-0,200,300,400]", "minus-zero", "/annotation/0"),
        ("[100,200,300,99999999999999999999]", "integer-range", "/annotation/3"),
        ('["\\ud800",200,300,400]', "surrogate", "/annotation/0"),
        ('{"left":1,"left":1}', "duplicate-key", "/annotation/left"),
    ],
)
def test_boxes_that_are_none(annotation: str, code: str, at: str) -> None:
    graded = judged(f'{{"answer":"B","annotation":{annotation}}}')
    part = graded.annotation
    assert (part.status, part.stage, part.code) == ("malformed", "annotation", code)
    assert part.error is not None
    assert part.error.pointer == at
    assert "\n" not in str(part.error)
    assert "an integer from" not in str(part.error)  # decimals are numbers too
    assert graded.answer.status == "accepted"
    assert (graded.box, graded.overlap) == (None, None)


@pytest.mark.parametrize(
    ("answer", "code", "at"),
    [
        ("1e2", "wrong-type", "/answer"),
        ("99999999999999999999", "wrong-type", "/answer"),
        ("[1e2]", "float", "/answer/0"),
        ('"\\ud800"', "surrogate", "/answer"),
        ('{"B":1,"B":1}', "duplicate-key", "/answer/B"),
    ],
)
def test_a_flaw_of_the_answer_leaves_the_annotation(answer: str, code: str, at: str) -> None:
    for text in (f'{{"answer":{answer},"annotation":{BOX}}}', f'{{"annotation":{BOX},"\\u0061nswer":{answer}}}'):
        graded = judged(text)
        part = graded.answer
        assert part.error is not None
        assert (part.status, part.stage, part.code, part.error.pointer) == ("malformed", "answer", code, at)
        assert (graded.annotation.status, graded.found) == ("accepted", None)


def test_both_values_may_be_flawed_each_in_its_way() -> None:
    graded = judged('{"answer":"\\ud800","annotation":[1e2,200,300,400]}')
    assert (graded.answer.code, graded.annotation.code) == ("surrogate", "float")


@pytest.mark.parametrize(
    ("text", "demanded", "missing", "expected"),
    [
        ("{}", False, "/answer", ("malformed", "malformed", "absent")),
        ("{}", True, "/answer", ("malformed", "malformed", "malformed")),
        (f'{{"annotation":{BOX}}}', False, "/answer", ("malformed", "malformed", "accepted")),
        ('{"answer":"B"}', True, "/annotation", ("malformed", "accepted", "malformed")),
        ('{"answer":"A"}', True, "/annotation", ("malformed", "rejected", "malformed")),
    ],
)
def test_what_is_missing_is_told_of_its_own_part(
    text: str, demanded: bool, missing: str, expected: tuple[str, str, str]
) -> None:
    graded = judged(text, demanded=demanded)
    assert words(graded) == expected
    part = graded.answer if missing == "/answer" else graded.annotation
    assert part.error is not None
    assert (part.stage, part.code, part.error.pointer) == ("form", "missing-key", missing)


def test_a_demanded_annotation_that_is_there_is_judged() -> None:
    assert words(judged(json.dumps({"answer": "B", "annotation": BOX}), demanded=True))[0] == "accepted"


@pytest.mark.parametrize(
    ("box", "share", "status"),
    [
        ([100, 200, 300, 400], Fraction(1), "accepted"),
        ([100, 200, 300, 300], Fraction(1, 2), "accepted"),
        ([100, 200, 300, 299], Fraction(99, 200), "rejected"),
        ("[100,200,300,299.999999999]", Fraction(99999999999, 200000000000), "rejected"),
        ("[100.5,200,300,400]", Fraction(399, 400), "accepted"),
        ([300, 400, 500, 600], Fraction(0), "rejected"),
        ([0, 0, 1000, 800], Fraction(1, 20), "rejected"),
        ([200, 200, 400, 400], Fraction(1, 3), "rejected"),
    ],
)
def test_overlap_is_exact(box: Any, share: Fraction, status: str) -> None:
    text = box if isinstance(box, str) else json.dumps(box)
    graded = judged(f'{{"answer":"B","annotation":{text}}}')
    assert (graded.overlap, graded.annotation.status) == (share, status)
    if status == "rejected":
        assert (graded.annotation.stage, graded.annotation.code) == ("comparison", "low-overlap")


def test_the_threshold_is_stated() -> None:
    assert Fraction(1, 2) == LEAST_OVERLAP
    shown: Any = graded_json(judged('{"answer":"A","annotation":[100,200,300,299.999999999]}'))
    assert shown["verdict"] == "rejected"
    assert shown["answer"] == {
        "verdict": "rejected",
        "stage": "comparison",
        "code": "other-option",
        "found": "A",
        "error": None,
    }
    assert shown["annotation"]["threshold"] == "1/2"
    assert shown["annotation"]["iou_decimal"] == "0.499999"  # never rounded up to the threshold
    assert Fraction(shown["annotation"]["iou"]) < LEAST_OVERLAP


def test_words_for_people() -> None:
    assert told(judged('{"answer":"A"}')) == [
        "answer (A): rejected (other-option, stage comparison)",
        "annotation: absent",
    ]
    assert told(judged('{"answer":"B","annotation":[100,200,300,300]}')) == [
        "answer (B): accepted",
        "annotation: accepted, IoU 0.500000, wanted 1/2 or more",
    ]


boxes = st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(1, 20), st.integers(1, 20)).map(
    lambda one: (one[0], one[1], one[0] + one[2], one[1] + one[3])
)


@given(boxes, boxes)
def test_overlap_is_what_counting_pixels_gives(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    def pixels(box: tuple[int, ...]) -> set[tuple[int, int]]:
        return {(x, y) for x in range(box[0], box[2]) for y in range(box[1], box[3])}

    first, second = pixels(one), pixels(other)
    assert overlap(one, other) == Fraction(len(first & second), len(first | second))  # type: ignore[arg-type]
    assert overlap(one, other) == overlap(other, one)  # type: ignore[arg-type]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    )
)
def test_without_decimals_texts_are_read_as_the_strict_reader_does(value: Any) -> None:
    text = json.dumps(value).encode()
    assert outcome(read_json, text) == outcome(lambda data: parse(data, SUBMISSION_BYTES, SUBMISSION_DEPTH), text)


@given(st.binary(max_size=60) | st.text('{}[]",:.0123456789eE+- \\answeroti', max_size=40).map(str.encode))
def test_no_bytes_raise(data: bytes) -> None:
    assert grade(TRUTH, data).status in ("malformed", "rejected", "accepted")
    assert grade(TRUTH, b'{"answer":"B","annotation":[' + data + b"]}").answer.status in (
        "malformed",
        "accepted",
        "rejected",
    )


def test_decimals_inside_strings_stay_as_they_are() -> None:
    assert read_json(b'{"a":"1.5 \\" 2.5","b":1.5}') == {"a": '1.5 " 2.5', "b": Fraction(3, 2)}


@pytest.mark.parametrize(
    ("value", "text"), [(Fraction(0), "0.000000"), (Fraction(2, 3), "0.666666"), (Fraction(1), "1.000000")]
)
def test_decimals_are_rounded_down(value: Fraction, text: str) -> None:
    assert decimal_text(value) == text


def outcome(read: Callable[[bytes], Any], text: bytes) -> Any:
    try:
        return read(text)
    except MalformedInput as error:
        return str(error)


# --- what is right is read from the record


def a_record() -> dict[str, Any]:
    puzzle, config = sample(instance_seed("grading", 0), SceneConfig()), SceneConfig()
    asked = prompt(puzzle.instance_seed, SIZE, SIZE)
    return dict(write_record(record(puzzle, config, fake_rendering(puzzle), asked, (SIZE, SIZE))))


def test_a_record_tells_what_is_right() -> None:
    made = a_record()
    truth = read_truth(made)
    assert (truth.answer, list(truth.box)) == (made["answer_gt"]["value"], made["annotation_gt"]["value"])
    right = json.dumps({"answer": truth.answer, "annotation": list(truth.box)}).encode()
    graded = grade(truth, right, demanded=True)
    assert (graded.status, graded.overlap) == ("accepted", 1)


@pytest.mark.parametrize(
    ("spoil", "at"),
    [
        (lambda made: made.pop("answer_gt"), "/answer_gt"),
        (lambda made: made.update(answer_gt=[]), "/answer_gt"),
        (lambda made: made["answer_gt"].update(value="E"), "/answer_gt/value"),
        (lambda made: made["annotation_gt"].update(value=[1, 2, 3]), "/annotation_gt/value"),
        (lambda made: made["annotation_gt"].update(value=[5, 2, 3, 9]), "/annotation_gt/value"),
        (lambda made: made["annotation_gt"].pop("value"), "/annotation_gt/value"),
        (lambda made: made["render_map"].update(width=0), "/render_map/width"),
        (lambda made: made["render_map"].pop("height"), "/render_map/height"),
    ],
)
def test_a_spoilt_record_is_refused(spoil: Any, at: str) -> None:
    made = a_record()
    spoil(made)
    with pytest.raises(MalformedInput) as refused:
        read_truth(made)
    assert refused.value.pointer == at
