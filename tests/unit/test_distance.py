"""Distances between submissions, against their definition on small cases and by brute force."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from cwr_audits.distance import differing, distance, edits, spelled
from cwr_audits.subject import Subject, subjects
from cwr_solvers.jsontext import Json

SHOWCASES = {one.code: one for one in subjects(())}


@cache
def recursive(one: tuple[bytes, ...], other: tuple[bytes, ...]) -> int:
    """Levenshtein's distance as it is defined."""
    if not one or not other:
        return len(one) + len(other)
    dropped, added = recursive(one[1:], other) + 1, recursive(one, other[1:]) + 1
    return min(dropped, added, recursive(one[1:], other[1:]) + (one[0] != other[0]))


def test_edits_are_levenshteins_on_all_short_sequences() -> None:
    words = [tuple(word) for length in range(4) for word in product((b"a", b"b"), repeat=length)]
    assert len(words) == 15
    for one, other in product(words, words):
        assert edits(one, other) == recursive(one, other)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((), (), 0),
        ((b"a",), (), 1),
        ((b"a", b"b"), (b"b", b"a"), 0),
        ((b"a", b"a"), (b"a",), 1),
        ((b"a", b"b", b"c"), (b"c", b"d"), 2),
    ],
)
def test_bags_differ_by_the_larger_difference(one: tuple[bytes, ...], other: tuple[bytes, ...], expected: int) -> None:
    assert differing(one, other) == differing(other, one) == expected


def away(about: Subject, one: Json, other: Json) -> int:
    both = [about.world.read_submission(about.instance, submission) for submission in (one, other)]
    return distance(*(spelled(about.world, about.instance, submission) for submission in both))


@pytest.mark.parametrize(
    ("code", "one", "other", "expected"),
    [
        ("TW-001", {"actions": ["smelt", "coat"]}, {"actions": ["coat", "smelt"]}, 2),
        ("CO-001", {"cards": ["A", "B"]}, {"cards": ["B", "A"]}, 2),
        ("RS-001", {"starts": dict.fromkeys("ABCDE", 0)}, {"starts": {**dict.fromkeys("ABCD", 0), "E": 4}}, 1),
        (
            "BC-001",
            {"gates": [{"id": "g0", "op": "AND", "inputs": ["a", "b"]}], "output": "g0"},
            {"gates": [{"id": "g0", "op": "AND", "inputs": ["b", "a"]}], "output": "a"},
            1,
        ),
        (
            "TP-001",
            {"steps": [{"op": "decode", "args": ["input"], "out": ["v4", "v2"]}]},
            {"steps": [{"op": "decode", "args": ["input"], "out": ["v0", "v1"]}]},
            0,
        ),
    ],
)
def test_distances_forget_what_normal_forms_forget(code: str, one: Json, other: Json, expected: int) -> None:
    assert away(SHOWCASES[code], one, other) == expected
