"""The outcome of an audit of the scene, in words: for the command and for the report. Loads nothing."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

COLUMNS = ("what", "says")
BALANCE_COLUMNS = ("axis", "within", "counts", "chi-squared", "degrees of freedom", "p", "says")
ROUTES = {"interpreter": "the interpreter", "cpsat": "CP-SAT", "smt": "Z3", "certificate": "checked certificates"}


def rows(told: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What was examined and what came of it; raises KeyError, TypeError or AttributeError where that is not told."""
    number, again = told["number"], told["again"]
    same = "the same bytes" if again["same"] else "not shown to be the same bytes"
    return [
        ("puzzles", f"{number} of the seed {told['seed']}"),
        *(
            (f"just the planted option repairs, by {ROUTES.get(route, route)}", f"{count} of {number}")
            for route, count in told["routes"].items()
        ),
        ("arrangements; of each, CP-SAT and Z3 are asked about one open sibling", str(told["arrangements"])),
        ("all routes agree on the puzzle and on its open sibling", f"{told['agreed']} of {number}"),
        *((f"swaps of all pairs that repair, {tokens} tokens", _swaps(of)) for tokens, of in told["repairs"].items()),
        *_pictures(told["pictures"]),
        (
            "items made by several processes, each under another hash seed",
            f"{again['items']} by {again['processes']}: {same}",
        ),
        ("outcome", told["outcome"]),
    ]


def _swaps(puzzles: Mapping[str, int]) -> str:
    return ", ".join(f"{swaps} in {count} puzzles" for swaps, count in puzzles.items())


def _pictures(told: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        ("pictures drawn", f"{told['drawn']}, with {told['boxes']} boxes"),
        ("pictures with a box outside the canvas", f"{told['with_a_box_outside']} of {told['drawn']}"),
        ("pictures with overlapping boxes", f"{told['with_overlaps']} of {told['drawn']}"),
        (
            "pictures read back from their pixels",
            f"{told['seen']}, with {sum(told['examined'].values())} things looked at",
        ),
        ("combinations of token count, style, path and variant among them", str(told["combinations"])),
        ("pictures that show something else than was meant", f"{told['seen_otherwise']} of {told['seen']}"),
    ]


def balance_row(one: Mapping[str, Any]) -> tuple[str, ...]:
    """An axis, in cells."""
    counts = " ".join(map(str, one["counts"]))
    return (
        one["axis"],
        one["within"],
        counts,
        one["statistic"] or "",
        str(one["degrees_of_freedom"]),
        one["p"] or "",
        one["says"],
    )


def meaning(told: Mapping[str, Any]) -> tuple[str, ...]:
    """What the tests mean."""
    tests, level = len(told["balance"]["tests"]), told["balance"]["level"]
    return (
        f"Balanced within sampling error: p is at least {level} / {tests} (Bonferroni). Were all values equally",
        f"likely, about one seed in {1 / Fraction(level)} at most would have an axis that is called unbalanced. That",
        "no unevenness shows does not prove that there is none.",
    )
