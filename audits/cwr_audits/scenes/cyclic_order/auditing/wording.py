"""The outcome of an audit of the scene, in words: for the command and for the report. Loads nothing."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

COLUMNS = ("what", "says")
BALANCE_COLUMNS = ("axis", "within", "counts", "chi-squared", "degrees of freedom", "p", "says")
BASELINE_COLUMNS = ("guess", "it sees", "within", "right", "share", "p", "says")
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


def baseline_row(one: Mapping[str, Any]) -> tuple[str, ...]:
    """A guess, in cells."""
    right = f"{one['right']} of {one['puzzles']}"
    return one["guess"], one["sees"], one["within"], right, one["share"] or "", one["p"] or "", one["says"]


def number_of_tests(told: Mapping[str, Any]) -> int:
    """How many tests share the level: of the axes, and of the guesses that see cards."""
    blind = [one for one in told["baselines"]["guesses"] if one["sees"] == "cards"]
    return len(told["balance"]["tests"]) + len(blind)


def meaning(told: Mapping[str, Any]) -> tuple[str, ...]:
    """What the tests mean."""
    tests, level, chance = number_of_tests(told), told["balance"]["level"], told["baselines"]["chance"]
    return (
        f"Balanced within sampling error: p is at least {level} / {tests} (Bonferroni). Were all values equally",
        f"likely, about one seed in {1 / Fraction(level)} at most would have an axis that is called unbalanced or a",
        "guess that is called a leak. That no unevenness shows does not prove that there is none.",
        f"A guess that sees cards and no token should earn {chance}; its p is how likely it earns as much or more",
        "where the answer is drawn evenly. A choice among several cards counts in equal parts. A guess that sees",
        "tokens, but not rotation or direction, earns more by the nature of the task; it is told for comparison.",
    )
