"""Engines for tests of `cwr alternatives`: workers that lie, or that find nothing in one way or another."""

from __future__ import annotations

from typing import Any

from cwr_audits.engines import some, space, verdicts
from cwr_solvers.errors import Undecided

GOOD = '{"actions":["smelt","smelt","coat","rivet"]}'


def too_large(task: dict[str, Any]) -> Any:
    raise Undecided("words", "more than 3 words")


def too_slow(task: dict[str, Any]) -> Any:
    raise Undecided("time", "more than 1 s")


def crashed(task: dict[str, Any]) -> Any:
    raise Undecided("crashed", "the worker ended")


def unsupported_once(task: dict[str, Any]) -> Any:
    """Posts a bare claim only."""
    claim = task["claim"]
    if any(claim[name] for name in ("having", "lacking", "required", "forbidden")):
        raise Undecided("unsupported", "no constraints for that")
    return some.answer(task)


def other_verdicts(task: dict[str, Any]) -> Any:
    return [{name: not holds for name, holds in one.items()} for one in verdicts.answer(task)]


def wrong_cost(task: dict[str, Any]) -> Any:
    return {"words": [[GOOD, 3]], "complete": False}


def no_word(task: dict[str, Any]) -> Any:
    return {"words": [['{"actions":["fly"]}', 4]], "complete": False}


def ignores_the_claim(task: dict[str, Any]) -> Any:
    return {"words": [[GOOD, 4]], "complete": False}


def nothing(task: dict[str, Any]) -> Any:
    return {"words": [], "complete": True}


def there_is_none(task: dict[str, Any]) -> Any:
    return {"none": True}


def there_is_one(task: dict[str, Any]) -> Any:
    return {"none": False}


def forged_rows(task: dict[str, Any]) -> Any:
    """A space in which a word is said to be cheaper than it is."""
    return [{**row, "cost": row["cost"] - 1} for row in space.answer(task)]
