"""Envelopes: the id survives whatever the submission is, and what is inside is judged as if it came alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cwr_audits.commands.judge import LINE_BYTES, grade_line
from cwr_audits.envelope import Envelope, cut, open_line
from cwr_audits.subject import subject
from cwr_solvers.grading import grade
from cwr_solvers.jsontext import SUBMISSION_BYTES

TW = subject("TW-001")
WITNESS = b'{"actions":["smelt","smelt","coat","rivet"]}'


def told(line: bytes) -> dict[str, Any]:
    answer, _ = grade_line(TW, line)
    return answer


@pytest.mark.parametrize(
    ("inside", "code"),
    [
        (b'{"actions":[1.0]}', "float"),
        (b'{"actions":[-0]}', "minus-zero"),
        (b'{"actions":[],"actions":[]}', "duplicate-key"),
        (b'{"actions":[NaN]}', "not-a-number"),
        (b'{"actions":["\\ud800"]}', "surrogate"),
        (b'{"actions":%s}' % (b"[" * 2000 + b"]" * 2000), "too-deep"),
        (b'{"actions":[99999999999999999999]}', "integer-range"),
        (b'{"actions":["\xff"]}', "not-utf8"),
        (b'{"actions":["\\q"]}', "syntax"),
        (b'{"actions":[,]}', "syntax"),
        (b"[nonsense]", "syntax"),
        (b"nonsense", "syntax"),
        (b'"text"', "wrong-type"),
        (WITNESS[:-1] + b" " * SUBMISSION_BYTES + b"}", "too-large"),
    ],
)
def test_a_malformed_submission_keeps_its_id_and_is_judged_as_if_alone(inside: bytes, code: str) -> None:
    alone = grade(TW.world, TW.instance, inside).error
    assert alone is not None
    for line in (b'{"id":7,"submission":%s}', b' { "submission" :\t%s , "prose":"", "id" : 7 } '):
        answer = told(line % inside)
        assert (answer["id"], answer["verdict"]) == (7, "malformed")
        assert (answer["error"]["code"], answer["error"]["pointer"]) == (code, alone.pointer)


def test_as_much_space_as_a_file_may_have_is_let_through() -> None:
    spaced = WITNESS[:-1] + b" " * (SUBMISSION_BYTES - len(WITNESS)) + b"}"
    assert len(spaced) == SUBMISSION_BYTES
    assert told(b'{"submission":%s}' % spaced)["verdict"] == "accepted"
    assert told(b'{"submission":%s}' % spaced.replace(b" ", b"  ", 1))["verdict"] == "malformed"


@pytest.mark.parametrize(
    ("text", "code", "pointer"),
    [
        (b'"\\ud800"', "surrogate", "/text"),
        (b'"\\q"', "syntax", "/text"),
        (b'"\xff"', "not-utf8", "/text"),
        (b'"%s"' % (b"x" * (SUBMISSION_BYTES + 1)), "too-large", ""),
        (b'"%s"' % (b"x" * 7 * SUBMISSION_BYTES), "too-large", "/text"),
        (b'"no JSON"', "syntax", ""),
        (b'"{\\"actions\\":[1.0]}"', "float", "/actions/0"),
    ],
)
def test_a_malformed_text_keeps_its_id(text: bytes, code: str, pointer: str) -> None:
    answer = told(b'{"id":"a","text":%s}' % text)
    assert (answer["id"], answer["verdict"]) == ("a", "malformed")
    assert (answer["error"]["code"], answer["error"]["pointer"]) == (code, pointer)


def test_a_text_may_be_written_with_every_character_escaped() -> None:
    escaped = b"".join(b"\\u%04x" % byte for byte in WITNESS)
    assert told(b'{"text":"%s"}' % escaped)["verdict"] == "accepted"


@pytest.mark.parametrize("prose", [b'"\\ud800"', b'"\xff"', b'"\\q"', b'"}, \\" {["', b'""'])
def test_prose_is_not_read(prose: bytes) -> None:
    answer = told(b'{"prose":%s,"id":7,"submission":%s}' % (prose, WITNESS))
    assert (answer["id"], answer["verdict"]) == (7, "accepted")


@pytest.mark.parametrize(
    ("line", "name", "pointer"),
    [
        (b'{"id":7,"prose":1,"submission":%s}', 7, "/prose"),
        (b'{"id":7,"more":1,"submission":%s}', 7, "/more"),
        (b'{"id":7,"text":"","submission":%s}', 7, ""),
        (b'{"id":7.5,"submission":%s}', None, "/id"),
        (b'{"id":"\\ud800","submission":%s}', None, "/id"),
        (b'{"id":[7],"submission":%s}', None, "/id"),
    ],
)
def test_a_broken_envelope_submits_nothing(line: bytes, name: Any, pointer: str) -> None:
    answer = told(line % WITNESS)
    assert (answer["id"], answer["verdict"], answer["error"]["pointer"]) == (name, None, pointer)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (b'{"id":7,"submission":{"actions":["smelt"', 7),
        (b'{"id":7,"submission":', 7),
        (b'{"id":7,"submission":{}} more', 7),
        (b'{"id":7,"submission":{},}', 7),
        (b'{"submission":{"actions":["smelt","id":7', None),
        (b'{"id":7,"submission":{"actions":[}}', 7),
        (b'{"id":7,"submission":{},"submission":{}}', 7),
        (b'{"id":7,"id":8,"submission":{}}', None),
        (b'{"\\u0069d":7,"submission":[1.0]}', 7),
    ],
)
def test_a_line_that_breaks_is_malformed_and_keeps_an_id_that_came_before(line: bytes, name: Any) -> None:
    answer = told(line)
    assert (answer["id"], answer["verdict"]) == (name, "malformed")


def test_a_line_that_is_too_long_keeps_an_id_that_came_before() -> None:
    answer = told((b'{"id":7,"submission":%s,"prose":"%s"}' % (WITNESS, b"x" * LINE_BYTES))[: LINE_BYTES + 1])
    assert (answer["id"], answer["verdict"], answer["error"]["code"]) == (7, None, "too-large")


@pytest.mark.parametrize("value", [{}, {"a": 1}, {"a": [], "b": "}", "c": {"d": '"'}}, {"é": None, '"': "\\"}])
def test_whole_objects_are_cut_into_their_members(value: dict[str, Any]) -> None:
    for text in (json.dumps(value), json.dumps(value, indent=2, ensure_ascii=False)):
        members, whole = cut(text.encode())
        assert whole
        assert {key: json.loads(data) for key, data in members} == value


@pytest.mark.parametrize("line", [b"", b"[]", b"{", b'{"a"', b'{"a":', b'{"a":1', b'{"a":1,', b'{"a":1,}', b'{"a":1}x'])
def test_what_is_no_whole_object_is_a_bare_line(line: bytes) -> None:
    assert not cut(line)[1]
    assert open_line(line) == Envelope(data=line)
