"""The boxes of a record: on the canvas, and apart from each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any


def boxes(render_map: Mapping[str, Any]) -> dict[str, list[int]]:
    """The boxes of all tokens, numbers and cards, by what they are of."""
    cards = {f"card {name}": box for name, box in render_map["option_choice_bboxes_px"].items()}
    tokens = {
        f"{loop} token {place}": box
        for loop, row in render_map["token_bboxes_px"].items()
        for place, box in enumerate(row, 1)
    }
    numbers = {f"number {place}": box for place, box in enumerate(render_map["number_bboxes_px"], 1)}
    return {**cards, **tokens, **numbers}


def outside(found: Mapping[str, list[int]], width: int, height: int) -> Iterator[str]:
    """Boxes that are empty or not wholly on the canvas."""
    for name, (left, top, right, bottom) in found.items():
        if not (0 <= left < right <= width and 0 <= top < bottom <= height):
            yield f"the box of {name}, {[left, top, right, bottom]}, is not on the canvas of {width} by {height}"


def overlaps(found: Mapping[str, list[int]]) -> Iterator[str]:
    """Boxes that have pixels in common."""
    for (one, a), (other, b) in combinations(found.items(), 2):
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
            yield f"the boxes of {one} and {other}, {a} and {b}, overlap"
