"""Where the texts of an SVG stand, worked out from the document alone: monospaced, eight pixels a character."""

from __future__ import annotations

import re
from typing import NamedTuple
from unicodedata import category, east_asian_width
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
ABOVE, BELOW = 10, 3  # pixels of a text above and below its base line


class Box(NamedTuple):
    text: str
    left: int
    top: int
    right: int
    bottom: int


def columns(text: str) -> int:
    shown = [one for one in text if category(one) not in ("Mn", "Me", "Cf")]
    return sum(2 if east_asian_width(one) in "WF" else 1 for one in shown)


def texts(document: str) -> list[Box]:
    """The boxes of all texts, in the order of the document."""
    found: list[Box] = []
    _walk(ElementTree.fromstring(document), 0, 0, found)
    return found


def _walk(node: ElementTree.Element, x: int, y: int, found: list[Box]) -> None:
    moved = re.fullmatch(r"translate\((\d+) (\d+)\)", node.get("transform", "translate(0 0)"))
    assert moved is not None
    x, y = x + int(moved[1]), y + int(moved[2])
    if node.tag == f"{SVG}text":
        wide = 8 * columns(node.text or "")
        assert int(node.get("textLength", wide)) == wide
        left = (
            x + int(node.attrib["x"]) - {"start": 0, "middle": wide // 2, "end": wide}[node.get("text-anchor", "start")]
        )
        down = y + int(node.attrib["y"])
        found.append(Box(node.text or "", left, down - ABOVE, left + wide, down + BELOW))
    for child in node:
        _walk(child, x, y, found)


def overlaps(document: str) -> list[tuple[str, str]]:
    """Pairs of texts that lie on each other."""
    boxes = sorted(texts(document), key=lambda box: box.top)
    found = []
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            if other.top >= one.bottom:
                break
            if one.left < other.right and other.left < one.right:
                found.append((one.text, other.text))
    return found


def outside(document: str) -> list[str]:
    """Texts that reach beyond the picture."""
    root = ElementTree.fromstring(document)
    wide, high = int(root.attrib["width"]), int(root.attrib["height"])
    return [box.text for box in texts(document) if box.left < 0 or box.top < 0 or box.right > wide or box.bottom > high]
