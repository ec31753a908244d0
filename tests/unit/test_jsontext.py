"""Strict JSON: every code with its pointer, agreement with two other readers and writers, and hostile texts."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from cwr_solvers.errors import CwrError, MalformedInput, Undecided
from cwr_solvers.jsontext import (
    LARGEST,
    MOST_DIGITS,
    SUBMISSION_BYTES,
    SUBMISSION_DEPTH,
    canonical,
    decimal_text,
    parse,
    pointer,
)

CODES = {
    "too-large",
    "not-utf8",
    "too-deep",
    "syntax",
    "trailing-data",
    "duplicate-key",
    "not-a-number",
    "float",
    "minus-zero",
    "integer-range",
    "surrogate",
}


def read(data: bytes, most: int = SUBMISSION_BYTES, deepest: int = SUBMISSION_DEPTH) -> Any:
    return parse(data, most, deepest)


REFUSED: list[tuple[str, str, bytes]] = [
    ("syntax", "", b""),
    ("syntax", "", b" \t\r\n"),
    ("syntax", "", b"\xef\xbb\xbf{}"),
    ("syntax", "", b"nul"),
    ("syntax", "", b"True"),
    ("syntax", "", b"{'a':1}"),
    ("syntax", "", b"{a:1}"),
    ("syntax", "", b'{"a":1,}'),
    ("syntax", "", b"[1,]"),
    ("syntax", "", b"[,1]"),
    ("syntax", "", b"[1 2]"),
    ("syntax", "", b'{"a" 1}'),
    ("syntax", "", b'{"a":}'),
    ("syntax", "", b"[01]"),
    ("syntax", "", b"[+1]"),
    ("syntax", "", b"[.5]"),
    ("syntax", "", b"[1.]"),
    ("syntax", "", b"[0x10]"),
    ("syntax", "", b"[1_000]"),
    ("syntax", "", b"[-]"),
    ("syntax", "", b'["a\nb"]'),
    ("syntax", "", b'["a\x00b"]'),
    ("syntax", "", b'["\\x41"]'),
    ("syntax", "", b'["\\u12"]'),
    ("syntax", "", b'["open'),
    ("syntax", "", b"[1//2\n]"),
    ("syntax", "", b"\xc2\xa0[]"),
    ("syntax", "", "[\u0661]".encode()),
    ("trailing-data", "", b"{}{}"),
    ("trailing-data", "", b"[] x"),
    ("trailing-data", "", b"1 2"),
    ("trailing-data", "", b"{}\x00"),
    ("trailing-data", "", b"[]]"),
    ("not-utf8", "", b"\xff"),
    ("not-utf8", "", b'["\x80"]'),
    ("not-utf8", "", b'["\xc0\xaf"]'),
    ("not-utf8", "", b'["\xed\xa0\x80"]'),
    ("not-utf8", "", b'["\xf4\x90\x80\x80"]'),
    ("not-utf8", "", "[1]".encode("utf-16")),
    ("too-deep", "", b"[" * 9 + b"]" * 9),
    ("too-deep", "", b'{"a":' * 9 + b"1" + b"}" * 9),
    ("too-deep", "", b"[" * 60000),
    ("too-deep", "", b'["\\"",' + b"[" * 8),
    ("too-large", "", b" " * SUBMISSION_BYTES + b"1"),
    ("duplicate-key", "/a", b'{"a":1,"a":1}'),
    ("duplicate-key", "/a", b'{"a":1,"\\u0061":2}'),
    ("duplicate-key", "/a", b'{"\\u0061":1,"b":0,"\\u0061":2}'),
    ("duplicate-key", "/", b'{"":1,"":1}'),
    ("duplicate-key", "/x/0/a", b'{"x":[{"a":1,"a":1}]}'),
    ("duplicate-key", "/a~1b~0c", b'{"a/b~c":1,"a/b~c":1}'),
    ("duplicate-key", "/\U0001f600", '{"\U0001f600":1,"\\ud83d\\ude00":2}'.encode()),
    ("not-a-number", "", b"NaN"),
    ("not-a-number", "/1", b"[1,Infinity]"),
    ("not-a-number", "/a/0", b'{"a":[-Infinity]}'),
    ("float", "", b"1.0"),
    ("float", "/0", b"[1e0]"),
    ("float", "/0", b"[-0.0]"),
    ("float", "/0", b"[1E+2]"),
    ("float", "/a", b'{"a":0.5}'),
    ("float", "/a", b'{"a":1e999}'),
    ("minus-zero", "", b"-0"),
    ("minus-zero", "/a/1", b'{"a":[0,-0]}'),
    ("integer-range", "", b"9007199254740993"),
    ("integer-range", "/0", b"[-9007199254740993]"),
    ("integer-range", "/0", b"[" + b"9" * 5000 + b"]"),
    ("surrogate", "", b'"\\ud800"'),
    ("surrogate", "/0", b'["\\udc00"]'),
    ("surrogate", "/0", b'["\\ude00\\ud83d"]'),
    ("surrogate", "/0", b'["x\\uD800y"]'),
    ("surrogate", "/?", b'{"\\ud800":1}'),
    ("surrogate", "/a/?", b'{"a":{"\\udfff":1}}'),
]


@pytest.mark.parametrize(("code", "where", "data"), REFUSED, ids=range(len(REFUSED)))
def test_refusal(code: str, where: str, data: bytes) -> None:
    with pytest.raises(MalformedInput) as caught:
        read(data)
    assert (caught.value.code, caught.value.pointer) == (code, where)
    assert isinstance(caught.value, CwrError)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
    str(caught.value).encode("utf-8")


def test_every_code_is_provoked() -> None:
    assert {code for code, _, _ in REFUSED} == CODES


@pytest.mark.parametrize("code", sorted(CODES))
def test_the_docstring_lists_the_code(code: str) -> None:
    assert f"  {code} " in str(parse.__globals__["__doc__"])


ACCEPTED: list[tuple[bytes, Any]] = [
    (b"0", 0),
    (b" [ ] ", []),
    (b"\t{\r\n}", {}),
    (b"null", None),
    (b"[true,false]", [True, False]),
    (b"9007199254740992", LARGEST),
    (b"-9007199254740992", -LARGEST),
    (b"-1", -1),
    (b'"\\u0041\\n\\/"', "A\n/"),
    (b'"\\ud83d\\ude00"', "\U0001f600"),
    ('"\U0001f600"'.encode(), "\U0001f600"),
    (b'"\\u0000"', "\0"),
    (b'{"a":1,"A":2}', {"a": 1, "A": 2}),
    ('{"\u00e9":1,"e\u0301":2}'.encode(), {"\u00e9": 1, "e\u0301": 2}),
    (b"[" * 8 + b"]" * 8, [[[[[[[[]]]]]]]]),
    (b'["' + b"[" * 100 + b'"]', ["[" * 100]),
    (b'["' + b'\\"[' * 100 + b'"]', ['"[' * 100]),
    (b'["NaN","-0","1.0"]', ["NaN", "-0", "1.0"]),
    (b" " * (SUBMISSION_BYTES - 1) + b"1", 1),
]


@pytest.mark.parametrize(("data", "value"), ACCEPTED, ids=range(len(ACCEPTED)))
def test_acceptance(data: bytes, value: Any) -> None:
    found = read(data)
    assert found == value
    assert type(found) is type(value)


def test_pointers_escape_what_rfc_6901_escapes() -> None:
    assert pointer("", "a/b") == "/a~1b"
    assert pointer("/x", "~/") == "/x/~0~1"
    assert pointer("/x", 3) == "/x/3"
    assert pointer("", "") == "/"


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
LEAVES = st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | TEXT
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4))


def depth(value: Any) -> int:
    if isinstance(value, dict | list):
        return 1 + max(map(depth, value.values() if isinstance(value, dict) else value), default=0)
    return 0


@given(VALUES)
@settings(max_examples=120)
def test_canonical_is_that_of_the_rfc8785_package_and_reads_back(value: Any) -> None:
    text = canonical(value)
    assert parse(text, 10**6, depth(value)) == value
    assert canonical(parse(text, 10**6, 99)) == text
    assert rfc8785.dumps(within(value)) == canonical(within(value))


def within(value: Any) -> Any:
    """The value with integers clipped to what the rfc8785 package writes (one less than 2^53 in magnitude)."""
    if isinstance(value, dict):
        return {key: within(item) for key, item in value.items()}
    if isinstance(value, list):
        return [within(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return max(1 - LARGEST, min(LARGEST - 1, value))
    return value


def test_canonical_sorts_by_utf16_code_units() -> None:
    """A character beyond the basic plane sorts before U+FB33, though its code point is greater."""
    value = {"\ufb33": 1, "\U0001f600": 2, "a": 3, "": 4, "\u00f6": 5, "\r": 6, "1": 7, "</script>": 8, "\u20ac": 9}
    assert list(json.loads(canonical(value))) == [
        "",
        "\r",
        "1",
        "</script>",
        "a",
        "\u00f6",
        "\u20ac",
        "\U0001f600",
        "\ufb33",
    ]
    assert canonical(value) == rfc8785.dumps(value)


@given(VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
@settings(max_examples=100)
def test_parse_agrees_with_json_loads(value: Any, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert parse(text.encode("utf-8"), 10**6, 99) == json.loads(text) == value


NOISE = st.lists(
    st.sampled_from(
        [
            *'{}[]:,"\\ \n-0123456789.eE',
            "true",
            "null",
            "NaN",
            "\\u0061",
            "\\ud800",
            '"a"',
            '"\\u0061"',
            '{"a":',
            "\xff",
            "\u00e9",
        ]
    ),
    max_size=14,
).map("".join)


@given(NOISE | st.text(max_size=20))
@settings(max_examples=250)
def test_noise_is_refused_or_read_as_json_loads_reads_it(text: str) -> None:
    """What is accepted is JSON to the standard library too, without what the standard library lets through."""
    data = text.encode("utf-8", "surrogatepass")
    found = outcome(data)
    if isinstance(found, str):
        assert found in CODES
    else:
        assert json.loads(data) == found[0]
        assert "float" not in kinds(found[0])


def outcome(data: bytes) -> str | tuple[Any]:
    """The code of a refusal, or the value that was read."""
    try:
        return (parse(data, 1000, 8),)
    except MalformedInput as error:
        return error.code


def kinds(value: Any) -> set[str]:
    """The names of the types in a JSON value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return {type(value).__name__}.union(*map(kinds, inner))


@given(VALUES, st.integers(0, 6))
@settings(max_examples=100)
def test_depth_is_judged_exactly(value: Any, most: int) -> None:
    text = json.dumps(value).encode()
    if depth(value) <= most:
        assert parse(text, 10**6, most) == value
    else:
        with pytest.raises(MalformedInput) as caught:
            parse(text, 10**6, most)
        assert caught.value.code == "too-deep"


@given(st.dictionaries(TEXT, st.integers(0, 9), min_size=1, max_size=4), st.data())
@settings(max_examples=100)
def test_a_key_twice_is_found_in_every_spelling(value: dict[str, int], data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(value)))
    units = key.encode("utf-16-be")
    spelled = "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
    text = json.dumps(value)[:-1] + f',"{spelled}":1}}'
    with pytest.raises(MalformedInput) as caught:
        read(text.encode("utf-8"))
    assert (caught.value.code, caught.value.pointer) == ("duplicate-key", pointer("", key))


def test_canonical_refuses_what_json_cannot_carry() -> None:
    number: Any = float("nan")
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical([number])


@pytest.mark.parametrize("zeros", [0, 1, 599, 600, 601, 1200, 5000])
def test_counts_of_any_size_are_written_in_decimal(zeros: int) -> None:
    assert decimal_text(10**zeros) == "1" + zeros * "0"
    assert decimal_text(10**zeros - 1) == (zeros * "9" or "0")
    assert decimal_text(7 * 10**zeros + 3) == ("10" if not zeros else f"7{'3'.zfill(zeros)}")


def test_counts_are_written_whatever_python_is_set_to_refuse() -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert decimal_text(10**2000 + 1) == "1" + "1".zfill(2000)
    finally:
        sys.set_int_max_str_digits(before)


def test_a_count_of_millions_of_digits_is_undecided() -> None:
    with pytest.raises(Undecided, match="size"):
        decimal_text(1 << (MOST_DIGITS * 4))
