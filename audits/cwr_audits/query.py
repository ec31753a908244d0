"""Questions to a stored space. DuckDB reads it and picks classes by condition; all else is worked out here.

A condition that somebody wrote is parsed as one expression, never as statements, over tables that were copied into
memory; before that the connection is closed to files, extensions, variables of this process and changes of its
settings. A condition that takes too long is interrupted, which is no answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Timer
from typing import Any

import duckdb

from cwr_audits.distance import Spelled, distance, spelled
from cwr_audits.request import Alternative, Answer, Request, measured, motif, moves
from cwr_audits.rows import MOTIF_NAMES
from cwr_audits.store import CLASSES, WORDS
from cwr_audits.subject import Subject
from cwr_solvers.errors import Undecided, UsageError
from cwr_solvers.grading import read_text

# Python's own variables and DuckDB's extensions are shut out from the start, files once the tables are read
CLOSED: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
    "threads": "1",
    "temp_directory": "",
    "memory_limit": "2GB",
}
LOCK = ("SET enable_external_access = false", "SET lock_configuration = true")
SECONDS = 30.0
MOST_PAIRS = 2_000_000  # of words to be measured against each other: some seconds
DIGITS = 500  # that Python reads at once, however it was started


Word = tuple[bytes, int, int | None]  # its canonical JSON, raw submissions, distance


@dataclass(frozen=True, slots=True)
class Found:
    """A class and some of its words: all when it was read, later those that meet a request."""

    number: int
    cost: int
    motifs: Mapping[str, bool]
    words: tuple[Word, ...]

    @property
    def raw(self) -> int:
        return sum(raw for _, raw, _ in self.words)

    @property
    def distance(self) -> int | None:
        return min((away for _, _, away in self.words if away is not None), default=None)


@dataclass(frozen=True, slots=True)
class Open:
    """A stored space, read: its classes, and a closed connection for conditions."""

    connection: duckdb.DuckDBPyConnection
    columns: tuple[str, ...]
    classes: tuple[Found, ...]


@contextmanager
def opened(folder: Path, about: Subject) -> Iterator[Open]:
    """Read a stored space, and close it at the end. Raises OSError."""
    space = read(folder, about)
    with space.connection:
        yield space


def read(folder: Path, about: Subject) -> Open:
    """Read a stored space, whose connection stays open. Raises OSError."""
    connection = duckdb.connect(":memory:", config=CLOSED)
    try:
        connection.execute("CREATE TABLE classes AS SELECT * FROM read_parquet(?)", [str(folder / CLASSES)])
        words = _words(connection, folder, distances=about.witness is not None)
    except duckdb.IOException as error:
        connection.close()
        raise OSError(_line(error)) from None
    for statement in LOCK:
        connection.execute(statement)
    names = MOTIF_NAMES[about.world.family]
    picked = "".join(f', "has_{name}"' for name in names)
    listed = connection.execute(f'SELECT "class", "cost"{picked} FROM classes ORDER BY "class"').fetchall()
    classes = tuple(
        Found(number, cost, dict(zip(names, holds, strict=True)), tuple(words[number]))
        for number, cost, *holds in listed
    )
    return Open(connection, tuple(connection.table("classes").columns), classes)


def _words(connection: duckdb.DuckDBPyConnection, folder: Path, *, distances: bool) -> dict[int, list[Word]]:
    """{class: its words}."""
    away = '"distance"' if distances else "NULL"
    ask = f'SELECT "class", "word", "raw", {away} FROM read_parquet(?) ORDER BY "class", "word"'
    words: dict[int, list[Word]] = {}
    for number, text, raw, far in connection.execute(ask, [str(folder / WORDS)]).fetchall():
        words.setdefault(number, []).append((text.encode("utf-8"), _exact(raw), far))
    return words


def asked(space: Open, about: Subject, request: Request, seconds: float = SECONDS) -> Answer:
    """The answer to a request, from a whole space.

    Raises UsageError where a condition is none or a motif unknown, Undecided where it takes too long.
    """
    found = _matching(space, about, request, seconds)
    if not request.classes:
        found = [replace(one, words=(word,)) for one in found for word in one.words]
    return Answer(shown(about, request, found), len(found), complete=True, basis="space")


def shown(about: Subject, request: Request, found: Sequence[Found]) -> tuple[Alternative, ...]:
    """Of what meets the request, what is to be shown, in order."""
    ordered = sorted(found, key=lambda one: _rank(one, request))
    if request.diverse is None:
        return tuple(_alternative(one, request, None) for one in ordered[: request.limit])
    chosen = _diverse(about, ordered, _least(request.diverse, request.limit))
    return tuple(_alternative(one, request, apart) for one, apart in chosen)


def _least(one: int, other: int | None) -> int:
    return one if other is None else min(one, other)


def _matching(space: Open, about: Subject, request: Request, seconds: float) -> list[Found]:
    """The classes that meet the request, each with its words that do, measured from the request's origin."""
    having = [motif(about, name) for name in request.having]
    lacking = [motif(about, name) for name in request.lacking]
    if request.order != "least":
        measured(about, request)
    numbers = _numbers(space, request.where, seconds)
    found = []
    for one in space.classes:
        held = all(one.motifs[name] for name in having) and not any(one.motifs[name] for name in lacking)
        if held and one.number in numbers and request.cost in (None, one.cost):
            words = tuple(_measured(about, request, word) for word in one.words if _fits(about, request, word[0]))
            if words:
                found.append(replace(one, words=words))
    return found


def _measured(about: Subject, request: Request, word: Word) -> Word:
    if request.origin is None:
        return word
    return word[0], word[1], distance(_spell(about, word[0]), request.origin)


def _numbers(space: Open, conditions: tuple[str, ...], seconds: float) -> set[int]:
    """The classes that meet all conditions; raises UsageError and Undecided."""
    numbers = {one.number for one in space.classes}
    if not conditions:
        return numbers
    with _interrupted(space.connection, seconds):
        for condition in conditions:
            numbers &= _where(space, condition)
    return numbers


def _where(space: Open, condition: str) -> set[int]:
    try:
        picked = space.connection.table("classes").filter(condition).project('"class"').fetchall()
    except (duckdb.InterruptException, duckdb.OutOfMemoryException):
        raise
    except (duckdb.Error, UnicodeError, RuntimeError) as error:
        known = ", ".join(space.columns)
        raise UsageError(f"where {condition!r}: {_line(error)}; the columns are {known}") from None
    fickle = _fickle(space, condition)
    if fickle:
        raise UsageError(f"where {condition!r}: {fickle} may say something else another time, so it proves nothing")
    return {number for (number,) in picked}


# functions of which no variant always gives the same for the same arguments
FICKLE = """SELECT function_name FROM duckdb_functions() WHERE function_name IN (SELECT unnest(?))
GROUP BY ALL HAVING bool_and(stability IN ('VOLATILE', 'CONSISTENT_WITHIN_QUERY')) ORDER BY ALL"""


def _fickle(space: Open, condition: str) -> str:
    """What makes a condition (one that could be asked) say different things at different times; empty where nothing."""
    whole = f"SELECT 1 FROM classes WHERE ({condition}\n)"
    told = space.connection.execute("SELECT json_serialize_sql(?)", [whole]).fetchone()
    nodes = list(_nodes(json.loads(told[0]) if told else {"error": True}))
    if nodes[0].get("error"):
        return "what cannot be read through"
    if any(node.get("sample") for node in nodes):
        return "a sample"
    named = {str(node["function_name"]).lower() for node in nodes if "function_name" in node}
    named |= {
        f"{stem}{str(node['column_names'][-1]).lower()}"  # localtime, current_timestamp
        for node in nodes
        if node.get("column_names")
        for stem in ("", "get_", "current_")
    }
    known = sorted(named.difference(space.columns))
    return ", ".join(name for (name,) in space.connection.execute(FICKLE, [known]).fetchall()) if known else ""


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Every object in a tree of JSON, the outermost first."""
    if isinstance(tree, dict):
        yield tree
    if isinstance(tree, dict | list):
        for item in tree.values() if isinstance(tree, dict) else tree:
            yield from _nodes(item)


@contextmanager
def _interrupted(connection: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[None]:
    """End what the connection does after so many seconds; raises Undecided then."""
    timer = Timer(seconds, connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    except duckdb.InterruptException:
        raise Undecided("time", f"the conditions took more than {seconds:g} s") from None
    except duckdb.OutOfMemoryException:
        raise Undecided("memory", f"the conditions took more than {CLOSED['memory_limit']}") from None
    finally:
        timer.cancel()


def _line(error: Exception) -> str:
    """The first line of an error, without its kind."""
    first = str(error).strip().partition("\n")[0]
    return first.partition(": ")[2] or first


def _fits(about: Subject, request: Request, word: bytes) -> bool:
    if not request.required and not request.forbidden:
        return True
    found = moves(about, word)
    return found.issuperset(request.required) and found.isdisjoint(request.forbidden)


def _exact(size: Any) -> int:
    """A size as an integer, whichever type its column has."""
    if not isinstance(size, str):
        return int(size)
    whole = 0
    for start in range(0, len(size), DIGITS):
        part = size[start : start + DIGITS]
        whole = whole * 10 ** len(part) + int(part)
    return whole


def _rank(one: Found, request: Request) -> tuple[int, int, int, bytes]:
    away = one.distance or 0
    first = {"least": 0, "nearest": away, "farthest": -away}[request.order]
    return first, one.cost, one.number, one.words[0][0]


def _alternative(one: Found, request: Request, apart: int | None) -> Alternative:
    """A class is shown by its nearest word where distance is asked for, else by its least."""
    shown = one.words[0]
    if request.order != "least":
        shown = min(one.words, key=lambda word: (word[2] or 0, word[0]))
    return Alternative(one.number, shown[0], one.cost, one.raw, len(one.words), one.distance, apart, one.motifs)


def _spell(about: Subject, word: bytes) -> Spelled:
    return spelled(about.world, about.instance, read_text(about.world, about.instance, word))


def _diverse(about: Subject, ordered: Sequence[Found], most: int) -> list[tuple[Found, int | None]]:
    """Greedy: the first in order, then always the one farthest from those chosen (the first of equals)."""
    words, widest = sum(len(one.words) for one in ordered), max((len(one.words) for one in ordered), default=0)
    if words * widest * most > MOST_PAIRS:
        raise Undecided("size", f"{most} as far apart as can be, of {words} words: more than {MOST_PAIRS} comparisons")
    spells = [tuple(_spell(about, word) for word, _, _ in one.words) for one in ordered]
    left = list(range(len(ordered)))
    chosen: list[tuple[Found, int | None]] = []
    apart: dict[int, int] = {}
    while left and len(chosen) < most:
        best = max(left, key=lambda number: apart.get(number, 0)) if chosen else left[0]
        chosen.append((ordered[best], apart.get(best)))
        left.remove(best)
        for number in left:
            away = _between(spells[best], spells[number])
            apart[number] = min(away, apart.get(number, away))
    return chosen


def _between(one: Iterable[Spelled], other: Sequence[Spelled]) -> int:
    return min(distance(left, right) for left in one for right in other)
