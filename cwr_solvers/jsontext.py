"""Strict JSON text in, canonical JSON text out. Standard library only; the certificate checker trusts this file.

Reading refuses, each with a stable code and a JSON pointer (RFC 6901):
  too-large        more bytes than the caller allows
  not-utf8         bytes that are not UTF-8
  too-deep         arrays and objects nested deeper than the caller allows
  syntax           not JSON (RFC 8259); also an empty text and a byte-order mark
  trailing-data    more after the value
  duplicate-key    a key twice in one object; spellings are compared after unescaping
  not-a-number     NaN, Infinity, -Infinity
  float            a number with a fraction or an exponent, whole or not
  minus-zero       -0
  integer-range    an integer beyond 2^53 in magnitude
  surrogate        a string (or key) with a lone surrogate, which no UTF-8 text can carry
Booleans and null are read as themselves: who wants an integer must refuse them (see reading.py).

Writing is RFC 8785 for the values that reading lets through: keys sorted by UTF-16 code units, no spaces. A count of
any size is written by `decimal_text`: Python's own str refuses what has more than some thousand digits.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple, NoReturn, TypeAlias

from cwr_solvers.errors import MalformedInput, Undecided

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | None"

LARGEST = 2**53
SUBMISSION_BYTES = 64 * 1024
SUBMISSION_DEPTH = 8
INSTANCE_BYTES = 16 * 1024 * 1024
INSTANCE_DEPTH = 16
MOST_DIGITS = 2**18  # more than the namings of any submission of SUBMISSION_BYTES have

# Python refuses to convert more digits than some limit, which whoever starts it may set as low as 640
DIGITS = 500

_STRING = re.compile(r'"(?:[^"\\]+|\\.?)*"?', re.DOTALL)
_NOT_BRACKET = re.compile(r"[^\[\]{}]+")


class _Flaw(NamedTuple):
    """Stands in a parsed tree where a flaw was read, so that a walk can tell its pointer."""

    code: str
    key: str | None
    expected: str
    found: str


class _FlawRead(Exception):
    """Raised by the fast decoder: some flaw is there; the slow decoder says where."""


def parse(data: bytes, max_bytes: int, max_depth: int) -> Json:
    """The JSON value of `data`; raises MalformedInput with code and pointer."""
    if len(data) > max_bytes:
        raise MalformedInput("too-large", "", f"at most {max_bytes} bytes", f"{len(data)} bytes or more")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedInput("not-utf8", "", "UTF-8 text", f"an invalid byte at offset {error.start}") from None
    _refuse_deep(text, max_depth)
    try:
        value: Json = _FAST.decode(text)
    except json.JSONDecodeError as error:
        _refuse_syntax(error)
    except _FlawRead:
        value = _slow(text)
    if "\\u" in text or "\\U" in text:
        _refuse_flaws(value, "")
    return value


def canonical(value: Json) -> bytes:
    """The RFC 8785 bytes of a value made of objects, arrays, strings, integers, booleans and null."""
    return json.dumps(_sorted(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")


def decimal_text(count: int) -> str:
    """The decimal digits of an integer; `str` raises ValueError beyond the interpreter's limit.

    Raises Undecided("size") beyond about MOST_DIGITS digits, so that none takes minutes.
    """
    if count.bit_length() > MOST_DIGITS * 10 // 3:
        raise Undecided("size", f"a count of more than {MOST_DIGITS} digits")
    if count < 0:
        return "-" + decimal_text(-count)
    most = count.bit_length() * 30103 // 100000 + 1  # at least as many digits as it has
    if most <= DIGITS:
        return str(count)
    low = most // 2
    above, below = divmod(count, 10**low)
    return (decimal_text(above) if above else "") + decimal_text(below).zfill(low)


def pointer(at: str, key: str | int) -> str:
    """The JSON pointer one step below `at`."""
    return f"{at}/{key}" if isinstance(key, int) else at + "/" + key.replace("~", "~0").replace("/", "~1")


def _sorted(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value, key=_utf16)}
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    return value


def _utf16(key: str) -> bytes:
    return key.encode("utf-16-be")


def _refuse_deep(text: str, max_depth: int) -> None:
    """Depth is judged before decoding, because the decoder recurses."""
    if text.count("[") + text.count("{") <= max_depth:
        return
    depth = 0
    for bracket in _NOT_BRACKET.sub("", _STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > max_depth:
            raise MalformedInput("too-deep", "", f"nesting of at most {max_depth}", "deeper nesting")


def _refuse_syntax(error: json.JSONDecodeError) -> NoReturn:
    where = f"line {error.lineno}, column {error.colno}"
    if error.msg == "Extra data":
        raise MalformedInput("trailing-data", "", "one JSON value", f"more after it at {where}") from None
    raise MalformedInput("syntax", "", "JSON", f"a fault at {where} ({error.msg})") from None


def _fast_pairs(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _FlawRead
    return made


def _fast_int(text: str) -> int:
    if text == "-0" or len(text) > 17:
        raise _FlawRead
    number = int(text)
    if -LARGEST <= number <= LARGEST:
        return number
    raise _FlawRead


def _fast_other(text: str) -> NoReturn:
    raise _FlawRead(text)


def _slow_pairs(pairs: list[tuple[str, Json]]) -> object:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return _Flaw("duplicate-key", key, "each key once", "the key twice")
        seen.add(key)
    return dict(pairs)


def _slow_int(text: str) -> object:
    if text == "-0":
        return _Flaw("minus-zero", None, "0", "-0")
    if len(text) > 17 or not -LARGEST <= int(text) <= LARGEST:
        return _Flaw("integer-range", None, "an integer of magnitude up to 2^53", _short(text))
    return int(text)


def _slow_float(text: str) -> object:
    return _Flaw("float", None, "an integer without fraction or exponent", _short(text))


def _slow_constant(text: str) -> object:
    return _Flaw("not-a-number", None, "an integer", text)


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."


_FAST = json.JSONDecoder(
    object_pairs_hook=_fast_pairs, parse_int=_fast_int, parse_float=_fast_other, parse_constant=_fast_other
)
_SLOW = json.JSONDecoder(
    object_pairs_hook=_slow_pairs, parse_int=_slow_int, parse_float=_slow_float, parse_constant=_slow_constant
)


def _slow(text: str) -> Json:
    """Decode again with flaws left in the tree, and report the first by its pointer."""
    try:
        value: Json = _SLOW.decode(text)
    except json.JSONDecodeError as error:
        _refuse_syntax(error)
    _refuse_flaws(value, "")
    return value


def _refuse_flaws(value: Json | _Flaw, at: str) -> None:
    if isinstance(value, _Flaw):
        where = at if value.key is None else pointer(at, _printable(value.key))
        raise MalformedInput(value.code, where, value.expected, value.found)
    if isinstance(value, str):
        _refuse_surrogates(value, at)
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_surrogates(key, pointer(at, _printable(key)))
            _refuse_flaws(item, pointer(at, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _refuse_flaws(item, pointer(at, index))


def _refuse_surrogates(text: str, at: str) -> None:
    if _printable(text) != text:
        raise MalformedInput("surrogate", at, "text that UTF-8 can carry", "a lone surrogate")


def _printable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
