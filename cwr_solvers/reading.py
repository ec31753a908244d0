"""Typed reading of parsed JSON: each function returns the value as the type asked for, or says where it is not.

Codes of MalformedInput raised here:
  wrong-type     another JSON type than the grammar asks for (a boolean is never an integer)
  unknown-key    an object key outside the grammar
  missing-key    an object key that the grammar demands
  unknown-name   a name outside the vocabulary of the instance
  out-of-range   an integer or a length outside its declared range
  domain         an argument outside its operation's domain
  contradiction  fields that cannot hold together (states, instances)
Standard library only: the certificate checker trusts this file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import NoReturn, TypeVar

from cwr_solvers.errors import MalformedInput
from cwr_solvers.jsontext import Json, pointer

T = TypeVar("T")

MOST_LISTED = 20


def refuse(code: str, at: str, expected: str, found: str) -> NoReturn:
    """Raise MalformedInput; exists so that refusals read as one line."""
    raise MalformedInput(code, at, expected, found)


def describe(value: object) -> str:
    """A short printable form of a JSON value, for messages."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f"{value[:40]!r}" + ("..." if len(value) > 40 else "")
    if isinstance(value, int):
        return str(value)
    return "an object" if isinstance(value, dict) else "an array"


def _listed(names: list[str]) -> str:
    """The names for a message of one line; a long vocabulary is cut short."""
    shown = ", ".join(names[:MOST_LISTED]) or "none"
    return shown if len(names) <= MOST_LISTED else f"{shown}, … ({len(names)} in all)"


def as_object(value: Json, at: str, required: Collection[str], optional: Collection[str] = ()) -> dict[str, Json]:
    """An object with exactly the required keys, and any of the optional ones."""
    if not isinstance(value, dict):
        refuse("wrong-type", at, "an object", describe(value))
    for key in value:
        if key not in required and key not in optional:
            allowed = _listed([*required, *optional])
            refuse("unknown-key", pointer(at, key), f"only the keys {allowed}", describe(key))
    for key in required:
        if key not in value:
            refuse("missing-key", pointer(at, key), f"the key {key}", "nothing")
    return value


def as_map(value: Json, at: str) -> dict[str, Json]:
    """An object whose keys are free."""
    if not isinstance(value, dict):
        refuse("wrong-type", at, "an object", describe(value))
    return value


def as_list(value: Json, at: str) -> list[Json]:
    """An array."""
    if not isinstance(value, list):
        refuse("wrong-type", at, "an array", describe(value))
    return value


def as_int(value: Json, at: str, low: int, high: int) -> int:
    """An integer from low to high; true and false are none."""
    if not isinstance(value, int) or isinstance(value, bool):
        refuse("wrong-type", at, "an integer", describe(value))
    if not low <= value <= high:
        refuse("out-of-range", at, f"an integer from {low} to {high}", str(value))
    return value


def as_text(value: Json, at: str) -> str:
    """A string."""
    if not isinstance(value, str):
        refuse("wrong-type", at, "a string", describe(value))
    return value


def as_bool(value: Json, at: str) -> bool:
    """true or false."""
    if not isinstance(value, bool):
        refuse("wrong-type", at, "true or false", describe(value))
    return value


def as_name(value: Json, at: str, known: Collection[str], what: str) -> str:
    """A string out of a vocabulary; `what` names the vocabulary in the message."""
    if not isinstance(value, str):
        refuse("wrong-type", at, f"the name of a {what}", describe(value))
    if value not in known:
        refuse("unknown-name", at, f"a {what} out of {_listed(sorted(known))}", describe(value))
    return value


def as_new_name(value: str, at: str) -> str:
    """A name that an instance declares: 1 to 64 printable characters without white space or control characters."""
    if not 1 <= len(value) <= 64 or not value.isprintable() or " " in value:
        refuse("domain", at, "a name of 1 to 64 printable characters without spaces", describe(value))
    return value


def as_items(value: Json, at: str, read: Callable[[Json, str], T]) -> tuple[T, ...]:
    """An array, each item read by `read(item, pointer)`."""
    return tuple(read(item, pointer(at, index)) for index, item in enumerate(as_list(value, at)))


def as_counts(value: Json, at: str, known: Collection[str], what: str, low: int, high: int) -> dict[str, int]:
    """An object from names of a vocabulary to integers from low to high; names may be left out."""
    counts: dict[str, int] = {}
    known = frozenset(known)
    for key, item in as_map(value, at).items():
        as_name(key, pointer(at, key), known, what)
        counts[key] = as_int(item, pointer(at, key), low, high)
    return counts


def distinct(names: Iterable[str], at: str, what: str) -> tuple[str, ...]:
    """The names as a tuple, refused when one occurs twice."""
    ordered = tuple(names)
    seen: set[str] = set()
    for name in ordered:
        if name in seen:
            refuse("contradiction", at, f"each {what} once", f"{describe(name)} twice")
        seen.add(name)
    return ordered
