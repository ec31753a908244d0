"""Readings in words: the cells of tables and the notes below them, all from the JSON of readings.

Apart from what makes readings, because the report, which only reads, loads no solver and no graph library.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from cwr_audits.readings.agreeing import AGREES, DIFFERS, STOPPED, UNMEASURED
from cwr_audits.readings.rates import SAYS
from cwr_solvers.jsontext import canonical

COLUMNS = ("world", "motif", "label", "classes", "raw", "optimal", "+1", "+2", "base rate", "routes")


def row(told: dict[str, Any]) -> tuple[str, ...]:
    """A row of the table, from the JSON of a reading."""
    survives = {found["by"]: found for found in told["survives"]}
    rate = told["base_rate"]
    return (
        told["code"],
        told["motif"],
        told["label"],
        share(told["classes_with"], told["classes"]),
        share(told["raw_with"], told["raw"]),
        share(told["optimum"]["classes_with"], told["optimum"]["classes"]),
        *(survived(survives.get(by)) for by in (1, 2)),
        f"{share(rate['classes_with'], rate['classes'])} {rate['says']}",
        routes(told["routes"]),
    )


def share(some: object, every: object) -> str:
    """So many of so many."""
    return "-" if every is None else f"{some} of {every}"


def survived(told: dict[str, Any] | None) -> str:
    """Whether a label survives."""
    if told is None:
        return "-"
    if told["survives"] is None:
        return "undecided"
    return "survives" if told["survives"] else str(told["label"])


def routes(told: dict[str, dict[str, str]]) -> str:
    """Who agrees with the graph predicate, counted by what they say."""
    if not told:
        return "-"
    words = {route: _worst(list(said.values())) for route, said in told.items()}
    counts = Counter(words.values())
    return ", ".join(f"{counts[word]} {_plural(word, counts[word])}" for word in sorted(counts))


def _worst(said: Sequence[str]) -> str:
    """What a route comes to: having no constraints for one of its two questions does not undo what it agrees on."""
    for status in (DIFFERS, STOPPED, AGREES):
        if any(one.startswith(status) for one in said):
            return status
    return UNMEASURED


def _plural(word: str, count: int) -> str:
    return {AGREES: "agree", DIFFERS: "differ"}.get(word, word) if count > 1 else word


def notes(told: dict[str, Any]) -> list[str]:
    """What a row has no room for: the counterexample, an undecided label's reason, what the base rate means."""
    name = f"{told['code']} {told['motif']}"
    found = []
    if told["counterexample"] is not None:
        found.append(f"{name}: without it, and accepted: {canonical(told['counterexample']).decode('utf-8')}")
    for later in told["survives"]:
        if later["survives"] is False:
            shown = canonical(later["counterexample"]).decode("utf-8")
            found.append(f"{name}: without it under a bound raised by {later['by']}: {shown}")
        elif later["survives"] is None:
            found.append(f"{name}: under a bound raised by {later['by']}: {later['reason']}")
    if told["reason"]:
        found.append(f"{name}: {told['reason']}")
    return found + warnings(told)


def warnings(told: dict[str, Any]) -> list[str]:
    """What a base rate means where it does not vary: a motif that always holds certifies nothing."""
    says = told["base_rate"]["says"]
    return [] if says == "varies" else [f"{told['code']} {told['motif']}: {SAYS[says]}"]
