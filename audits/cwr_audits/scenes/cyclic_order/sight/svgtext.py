"""What may stand in the text of a picture: shapes, where they are and how they are painted, and nothing that says more.

Only the elements and attributes listed here, and values that are numbers, path data, colours and a few words of
painting: so there is no text, no script, no address, no name, no comment, and nothing that is there and not shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

NAMESPACE = "{http://www.w3.org/2000/svg}"
XMLNS = 'xmlns="http://www.w3.org/2000/svg"'
ELEMENTS = ("svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon")
NUMERIC = (
    *("width", "height", "viewBox", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "points"),
    *("stroke-width", "stroke-dasharray", "stroke-dashoffset", "stroke-miterlimit"),
)
WORDS = {
    "stroke-linecap": ("butt", "round", "square"),
    "stroke-linejoin": ("miter", "round", "bevel"),
    "fill-rule": ("nonzero", "evenodd"),
}
PAINTS = ("fill", "stroke")
OPACITIES = ("opacity", "fill-opacity", "stroke-opacity")
NUMBERS = re.compile(r"[-0-9., ]+")
PATH = re.compile(r"[-MmLlHhVvCcSsQqTtAaZz0-9., ]+")
PAINT = re.compile(r"none|#[0-9a-f]{3}|#[0-9a-f]{6}")
TRANSFORM = re.compile(r"(?:(?:translate|rotate|scale)\([-0-9., ]+\) ?)+")
OPACITY = re.compile(r"1|0?\.[0-9]*[1-9][0-9]*")
FORBIDDEN = ("<!", "<?", "&")


def elements(svg: str) -> int:
    """How many elements a picture has; 0 where it is not well formed."""
    try:
        return sum(1 for _ in ElementTree.fromstring(svg).iter())
    except ElementTree.ParseError:
        return 0


def faults(svg: str) -> Iterator[str]:
    """What should not stand in the text of a picture."""
    for mark in FORBIDDEN:
        if mark in svg:
            yield f"{mark} occurs, which is for comments, declarations, entities"
            return
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        yield f"not well formed: {error}"
        return
    if root.tag != f"{NAMESPACE}svg" or svg.count("xmlns") != 1 or XMLNS not in svg:
        yield "the outermost element is no svg of the one namespace"
    for element in root.iter():
        yield from _element(element)


def _element(element: ElementTree.Element) -> Iterator[str]:
    name = element.tag.removeprefix(NAMESPACE)
    if name not in ELEMENTS:
        yield f"an element {name!r}"
    if (element.text or "").strip() or (element.tail or "").strip():
        yield f"text in or after {name!r}"
    for attribute, value in element.attrib.items():
        if not _permitted(attribute, value):
            yield f"{attribute}={value[:40]!r} on {name!r}"


def _permitted(attribute: str, value: str) -> bool:
    if attribute in WORDS:
        return value in WORDS[attribute]
    patterns = {
        "d": PATH,
        "transform": TRANSFORM,
        **dict.fromkeys(NUMERIC, NUMBERS),
        **dict.fromkeys(PAINTS, PAINT),
        **dict.fromkeys(OPACITIES, OPACITY),
    }
    return attribute in patterns and patterns[attribute].fullmatch(value) is not None
