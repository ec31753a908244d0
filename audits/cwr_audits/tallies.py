"""What of a submission can be filtered by number: one column for each kind of move that the instance declares.

  TW, PS      n_<recipe or operation>   how often it is applied
  TP, BC, KL  n_<operator>              how many steps, gates or actions use it
  FT          n_<piece>                 how many copies are placed
  CO          n_<card>                  how often it is played
  PA          n_<component>             how many connections touch the component
  RS          start_<job>               when the job starts (each job runs once, so there is nothing to count)

A column needs no quotes in SQL: what is no letter, digit or underscore becomes an underscore, and a long name is cut.
Columns that would be alike (SQL does not look at case) are told apart by endings: the second in the order of the
instance gets _2, and so on. Where a symmetry exchanges names (alike components of PA), the numbers of a class are those
of its representative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cwr_solvers.jsontext import Json

LONGEST = 60  # characters of a column, an ending left out
KL_OPERATORS = ("move", "pickup", "drop")

Tally = Callable[[Any], Iterable[tuple[str, int]]]


def columns(family: str, source: Json) -> dict[str, str]:
    """{declared name: its column}, in the order of the instance (its JSON in normal form)."""
    prefix = "start_" if family == "RS" else "n_"
    taken: set[str] = set()
    found = {}
    for name in NAMES[family](source):
        found[name] = _fresh(f"{prefix}{_plain(name)}"[:LONGEST], taken)
        taken.add(found[name].casefold())
    return found


def tally(family: str, named: Mapping[str, str], moves: Iterable[Json]) -> dict[str, int]:
    """{column: number} of a submission's moves (as `world.write_move` writes them); `named` is from `columns`."""
    found = dict.fromkeys(named.values(), 0)
    for move in moves:
        for name, amount in TALLIES[family](move):
            found[named[name]] += amount
    return found


def _plain(name: str) -> str:
    return "".join(char if char.isalnum() else "_" for char in name)


def _fresh(column: str, taken: set[str]) -> str:
    number, name = 1, column
    while name.casefold() in taken:
        number += 1
        name = f"{column}_{number}"
    return name


def _names(field: str, key: str = "name") -> Callable[[Any], list[str]]:
    return lambda source: [one[key] for one in source[field]]


def _field(field: str) -> Tally:
    return lambda move: ((move[field], 1),)


def _itself(move: str) -> Iterable[tuple[str, int]]:
    return ((move, 1),)


def _touched(move: dict[str, str]) -> Iterable[tuple[str, int]]:
    """The components that a connection touches; once where both ends are of one component."""
    return ((name, 1) for name in {port.partition(".")[0] for port in (move["from"], move["to"])})


def _started(move: dict[str, Any]) -> Iterable[tuple[str, int]]:
    return ((move["job"], move["start"]),)


# family -> the names that its instance declares
NAMES: Mapping[str, Callable[[Any], Iterable[str]]] = {
    "TW": _names("recipes"),
    "TP": _names("operations"),
    "BC": _names("operators"),
    "KL": lambda _source: KL_OPERATORS,
    "RS": _names("jobs"),
    "PS": _names("operations"),
    "PA": _names("components"),
    "FT": _names("pieces"),
    "CO": _names("cards", "label"),
}

# family -> what one move adds to which name
TALLIES: Mapping[str, Tally] = {
    "TW": _itself,
    "TP": _field("op"),
    "BC": _field("op"),
    "KL": _field("op"),
    "RS": _started,
    "PS": _itself,
    "PA": _touched,
    "FT": _field("piece"),
    "CO": _itself,
}
