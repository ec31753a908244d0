"""Typed reading: every code of `cwr_solvers.reading` provoked with its pointer, and what each function lets through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cwr_solvers import reading
from cwr_solvers.errors import MalformedInput
from cwr_solvers.jsontext import Json

CODES = {"wrong-type", "unknown-key", "missing-key", "unknown-name", "out-of-range", "domain", "contradiction"}
AT = "/here"

Read = Callable[[Any], Any]


def as_object(value: Json) -> Any:
    return reading.as_object(value, AT, ("a", "b"), ("c",))


def as_int(value: Json) -> Any:
    return reading.as_int(value, AT, -1, 5)


def as_name(value: Json) -> Any:
    return reading.as_name(value, AT, ("x", "y"), "job")


def as_new_name(value: str) -> Any:
    return reading.as_new_name(value, AT)


def as_items(value: Json) -> Any:
    return reading.as_items(value, AT, lambda item, at: reading.as_int(item, at, 0, 1))


def as_counts(value: Json) -> Any:
    return reading.as_counts(value, AT, ("x", "y"), "place", 1, 9)


def as_list(value: Json) -> Any:
    return reading.as_list(value, AT)


def as_map(value: Json) -> Any:
    return reading.as_map(value, AT)


def as_text(value: Json) -> Any:
    return reading.as_text(value, AT)


def as_bool(value: Json) -> Any:
    return reading.as_bool(value, AT)


def distinct(value: list[str]) -> Any:
    return reading.distinct(value, AT, "job")


NO_OBJECT: list[Any] = [None, True, False, 0, 1, "", "a", [], [{}]]
NO_LIST: list[Any] = [None, True, 0, "", "ab", {}, {"0": 1}]
NO_INT: list[Any] = [None, True, False, "", "1", [], [1], {}]
NO_TEXT: list[Any] = [None, True, 0, [], ["x"], {}]
NO_BOOL: list[Any] = [None, 0, 1, "true", "", [], {}]

REFUSED: list[tuple[Read, Any, str, str]] = [
    *((as_object, value, "wrong-type", AT) for value in NO_OBJECT),
    (as_object, {"a": 1, "b": 2, "d": 3}, "unknown-key", f"{AT}/d"),
    (as_object, {"a": 1, "b": 2, "": 3}, "unknown-key", f"{AT}/"),
    (as_object, {"a": 1, "b": 2, "a/~": 3}, "unknown-key", f"{AT}/a~1~0"),
    (as_object, {"A": 1, "b": 2}, "unknown-key", f"{AT}/A"),
    (as_object, {"a": 1}, "missing-key", f"{AT}/b"),
    (as_object, {}, "missing-key", f"{AT}/a"),
    *((as_map, value, "wrong-type", AT) for value in NO_OBJECT),
    *((as_list, value, "wrong-type", AT) for value in NO_LIST),
    *((as_int, value, "wrong-type", AT) for value in NO_INT),
    *((as_int, value, "out-of-range", AT) for value in (-2, 6, 2**53, -(2**53))),
    *((as_text, value, "wrong-type", AT) for value in NO_TEXT),
    *((as_bool, value, "wrong-type", AT) for value in NO_BOOL),
    *((as_name, value, "wrong-type", AT) for value in NO_TEXT),
    *((as_name, value, "unknown-name", AT) for value in ("", "z", "X", "x ", " x", "xy", "x\n")),
    *(
        (as_new_name, value, "domain", AT)
        for value in ("", " ", "a b", "a\n", "a\t", "\x00", "\u200b", "\u00a0", "a" * 65)
    ),
    *((as_items, value, "wrong-type", AT) for value in NO_LIST),
    (as_items, [0, 1, True], "wrong-type", f"{AT}/2"),
    (as_items, [0, 2], "out-of-range", f"{AT}/1"),
    *((as_counts, value, "wrong-type", AT) for value in NO_OBJECT),
    (as_counts, {"z": 1}, "unknown-name", f"{AT}/z"),
    (as_counts, {"x": 1, "y": 0}, "out-of-range", f"{AT}/y"),
    (as_counts, {"x": True}, "wrong-type", f"{AT}/x"),
    (distinct, ["x", "y", "x"], "contradiction", AT),
]


@pytest.mark.parametrize(("read", "value", "code", "where"), REFUSED, ids=range(len(REFUSED)))
def test_refusal(read: Read, value: Any, code: str, where: str) -> None:
    with pytest.raises(MalformedInput) as caught:
        read(value)
    assert (caught.value.code, caught.value.pointer) == (code, where)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_every_code_is_provoked() -> None:
    assert {code for _, _, code, _ in REFUSED} == CODES


@pytest.mark.parametrize("code", sorted(CODES))
def test_the_docstring_lists_the_code(code: str) -> None:
    assert f"  {code} " in str(reading.__doc__)


ACCEPTED: list[tuple[Read, Any, Any]] = [
    (as_object, {"a": 1, "b": 2}, {"a": 1, "b": 2}),
    (as_object, {"c": None, "b": 2, "a": 1}, {"a": 1, "b": 2, "c": None}),
    (as_map, {}, {}),
    (as_map, {"any thing": 1}, {"any thing": 1}),
    (as_list, [], []),
    (as_int, -1, -1),
    (as_int, 5, 5),
    (as_text, "", ""),
    (as_bool, False, False),
    (as_name, "x", "x"),
    (as_new_name, "a" * 64, "a" * 64),
    (as_new_name, "\u00e9-/~", "\u00e9-/~"),
    (as_items, [], ()),
    (as_items, [1, 0], (1, 0)),
    (as_counts, {}, {}),
    (as_counts, {"y": 9}, {"y": 9}),
    (distinct, ["x", "X", ""], ("x", "X", "")),
]


@pytest.mark.parametrize(("read", "value", "found"), ACCEPTED, ids=range(len(ACCEPTED)))
def test_acceptance(read: Read, value: Any, found: Any) -> None:
    answer = read(value)
    assert answer == found
    assert type(answer) is type(found)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (-3, "-3"),
        ("a\nb", "'a\\nb'"),
        ("x" * 50, f"'{'x' * 40}'..."),
        ([], "an array"),
        ({}, "an object"),
    ],
)
def test_a_value_is_described_in_one_short_line(value: Json, words: str) -> None:
    assert reading.describe(value) == words
