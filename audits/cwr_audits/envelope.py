"""The lines of `grade --jsonl`: a bare submission, or an envelope around one.

What is inside an envelope is cut out, not read: a flaw of the submission is told as its own, and the id is kept.

{"submission": JSON or "text": STRING, "id": STRING or INTEGER, "prose": STRING}; id and prose may be left out.

- The submission is judged as the bytes that stand there, spaces included: it is as large as it is written, and pointers
  into it start at it, as when it comes in a file of its own.
- The text is judged as the string says. A flaw of that string (a lone surrogate, a broken escape) is the solver's.
- Prose is not read. It must be one JSON string, whatever that holds.
- A line that breaks off, or holds more than one value, is a malformed submission; an id that came before is kept.
- A key twice is malformed as well, with the id unless that is the key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from cwr_solvers.errors import MalformedInput
from cwr_solvers.jsontext import SUBMISSION_BYTES, Json, parse
from cwr_solvers.reading import describe, refuse

KEYS = ("id", "prose", "submission", "text")

_SPACE = re.compile(rb"[ \t\n\r]*")
_STRING = re.compile(rb'"(?:[^"\\]+|\\.)*+"', re.DOTALL)
_INSIDE = re.compile(rb'[^"\[\]{}]+|[\[\]{}]')
_SCALAR = re.compile(rb"[^\s,\[\]{}:\"]+")
# a text of the largest size with every character escaped, quotes included
_TEXT_BYTES = 6 * SUBMISSION_BYTES + 2


@dataclass(frozen=True, slots=True)
class Envelope:
    """What a line holds. `flaw` is the solver's fault and makes the submission malformed; `broken` is that of who wrote
    the file, and nothing was submitted then; else `data` are the bytes to judge."""

    name: Json = None
    data: bytes = b""
    flaw: MalformedInput | None = None
    broken: MalformedInput | None = None


def open_line(line: bytes) -> Envelope:
    """What a line holds; never raises for anything in the bytes."""
    members, whole = cut(line)
    keys = [key for key, _ in members]
    if not set(keys) & set(KEYS):
        return Envelope(data=line)
    name = None
    try:
        name = _name([value for key, value in members if key == "id"])
        if not whole:  # as a bare submission it says where it breaks
            return Envelope(name, line)
        for key in keys:
            if keys.count(key) > 1:
                refuse("duplicate-key", f"/{key}", "each key once", "the key twice")
    except MalformedInput as error:
        if error.code == "duplicate-key":
            return Envelope(name, flaw=error)
        return Envelope(broken=error)
    return _opened(name, dict(members))


def name_of(line: bytes) -> Json:
    """The id in a line that is not read to its end; None when it has none, or no good one."""
    try:
        return _name([value for key, value in cut(line)[0] if key == "id"])
    except MalformedInput:
        return None


def cut(line: bytes) -> tuple[list[tuple[str, bytes]], bool]:
    """The members (key, value as it is written) of the object that a line is, as far as it goes; whether to its end."""
    members: list[tuple[str, bytes]] = []
    for one in _members(line):
        if one is None:
            return members, True
        members.append(one)
    return members, False


def _members(line: bytes) -> Iterator[tuple[str, bytes] | None]:
    """The members of an object one by one, then None when nothing but space follows it. Ends early where it breaks."""
    at = _past(line, 0)
    if line[at : at + 1] != b"{":
        return
    at = _past(line, at + 1)
    empty = line[at : at + 1] == b"}"
    while not empty:
        key = _STRING.match(line, at)
        colon = 0 if key is None else _past(line, key.end())
        if key is None or line[colon : colon + 1] != b":":
            return
        begin = _past(line, colon + 1)
        end = _value_end(line, begin)
        called = _decoded(key.group())
        if end is None or called is None:
            return
        yield called, line[begin:end]
        at = _past(line, end)
        if line[at : at + 1] == b"}":
            break
        if line[at : at + 1] != b",":
            return
        at = _past(line, at + 1)
    if _past(line, at + 1) == len(line):
        yield None


def _past(line: bytes, at: int) -> int:
    space = _SPACE.match(line, at)
    return at if space is None else space.end()


def _value_end(line: bytes, at: int) -> int | None:
    """Where the value that begins at `at` ends: strings by their quotes, arrays and objects by counting brackets."""
    string = _STRING.match(line, at)
    if string is not None:
        return string.end()
    if line[at : at + 1] not in (b"[", b"{"):
        scalar = _SCALAR.match(line, at)
        return None if scalar is None else scalar.end()
    depth = 0
    while at < len(line):
        part = _STRING.match(line, at) or _INSIDE.match(line, at)
        if part is None:  # a string that does not end
            return None
        depth += (part.group() in (b"[", b"{")) - (part.group() in (b"]", b"}"))
        at = part.end()
        if depth == 0:
            return at
    return None


def _decoded(string: bytes) -> str | None:
    """The text of a JSON string; None where it is no good one."""
    try:
        text: str = json.loads(string)
    except ValueError:
        return None
    return text


def _name(values: list[bytes]) -> Json:
    """The id out of the values of that key."""
    if not values:
        return None
    if len(values) > 1:
        refuse("duplicate-key", "/id", "each key once", "the key twice")
    name = _read(values[0], "/id")
    if isinstance(name, bool) or not isinstance(name, str | int):
        refuse("wrong-type", "/id", "a string or an integer", describe(name))
    return name


def _read(value: bytes, at: str) -> Json:
    """The value of a member that is no submission; flaws are told by their place in the line."""
    try:
        return parse(value, _TEXT_BYTES, 1)
    except MalformedInput as error:
        raise MalformedInput(error.code, at + error.pointer, error.expected, error.found) from None


def _opened(name: Json, fields: dict[str, bytes]) -> Envelope:
    try:
        for key in fields:
            if key not in KEYS:
                refuse("unknown-key", f"/{_plain(key)}", f"only the keys {', '.join(KEYS)}", describe(_plain(key)))
        if ("submission" in fields) == ("text" in fields):
            both = "both" if "text" in fields else "neither"
            refuse("missing-key" if both == "neither" else "contradiction", "", "either submission or text", both)
        for key in ("prose", "text"):
            if key in fields and fields[key][:1] != b'"':
                refuse("wrong-type", f"/{key}", "a string", "another value")
    except MalformedInput as error:
        return Envelope(name, broken=error)
    return Envelope(name, fields["submission"]) if "submission" in fields else _text(name, fields["text"])


def _text(name: Json, value: bytes) -> Envelope:
    try:
        return Envelope(name, str(_read(value, "/text")).encode("utf-8"))
    except MalformedInput as error:
        return Envelope(name, flaw=error)


def _plain(key: str) -> str:
    return key.encode("utf-8", "replace").decode("utf-8").replace("~", "~0").replace("/", "~1")
