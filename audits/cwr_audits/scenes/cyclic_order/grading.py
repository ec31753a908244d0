"""Grading of what a model answered to a picture of the cyclic-order scene.

A submission is the text {"answer":"B"} or {"answer":"B","annotation":[left,top,right,bottom]}. It is judged in stages;
the first three are about form (codes as in cwr_solvers.jsontext and cwr_solvers.reading):
  text         the bytes are no JSON, or the object has a key twice               both parts are malformed
  form         no object, or with other keys                                      both parts are malformed
               the key is missing that is always asked for, or demanded           this part is malformed
  answer, annotation   the value is no letter of a card, or no box: four numbers, integers or decimals of up to nine
               places (no exponents), within the canvas, left < right, top < bottom       this part is malformed
  comparison   the letter is that of another card ("other-option"); the box overlaps the card's too little
               ("low-overlap")                                                    this part is rejected
The two parts are judged apart, and neither verdict touches the other: accepted, rejected, malformed, or (an annotation
that was neither given nor demanded) absent. The verdict on the whole is the worse of the two, absent counting for
nothing: malformed, then rejected, then accepted.

Overlap is intersection over union of the boxes, exact; LEAST_OVERLAP or more is accepted. Nothing is repaired: lower
case, lists, spaces around a letter are malformed. Standard library only, and no drawing is loaded.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from cwr_audits.envelope import cut
from cwr_audits.scenes.cyclic_order.contract import LABELS, Box
from cwr_audits.scoring.numbers import decimal_of
from cwr_solvers.errors import MalformedInput
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, parse, pointer
from cwr_solvers.reading import as_int, as_list, as_map, as_name, as_object, describe, refuse

LEAST_OVERLAP = Fraction(1, 2)
OTHER_OPTION, LOW_OVERLAP = "other-option", "low-overlap"
MOST_PIXELS = 1 << 20
PLACES = 6
DECIMAL_PLACES = 9  # of a decimal in a box

# flaws that lie in one value of an object, whose other values may be good; any other is one of the whole text
NUMBER_FLAWS = ("float", "integer-range", "minus-zero", "not-a-number")
VALUE_FLAWS = (*NUMBER_FLAWS, "duplicate-key", "surrogate")
NUMERAL = "an integer, or a decimal of up to nine digits on each side of the point, without exponent"
# the strict reader would have an integer; code -> what is expected here
EXPECTED = {"float": NUMERAL, "not-a-number": NUMERAL, "integer-range": "a number of magnitude up to 2^53"}

Status = Literal["accepted", "rejected", "malformed", "absent"]
Stage = Literal["text", "form", "answer", "annotation", "comparison"]
Edges = tuple[Fraction, Fraction, Fraction, Fraction]

_WORST: tuple[Status, ...] = ("malformed", "rejected", "accepted", "absent")
_STRING_OR_DECIMAL = re.compile(
    rb'(?P<string>"(?:[^"\\]+|\\.)*+")|(?<![0-9.eE+-])-?(?:0|[1-9][0-9]{0,8})\.[0-9]{1,9}(?![0-9.eE+-])', re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Truth:
    """What is right: the letter, the box of its card in pixels, and the size of the picture."""

    answer: str
    box: Box
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Part:
    """The verdict on one part: in which stage it fell, and why. `error` is known of malformed parts."""

    status: Status
    stage: Stage | None = None
    code: str | None = None
    error: MalformedInput | None = None


@dataclass(frozen=True, slots=True)
class Graded:
    """The verdicts on a submission; `box` and `overlap` are None where there is no box to compare."""

    answer: Part
    annotation: Part
    found: str | None = None
    box: Edges | None = None
    overlap: Fraction | None = None

    @property
    def status(self) -> Status:
        """The worse of the two verdicts; never absent, because an answer is always there or malformed."""
        return min(self.answer.status, self.annotation.status, key=_WORST.index)


def read_truth(record: Json) -> Truth:
    """What is right, out of a record (see records.py); raises MalformedInput."""
    fields = as_map(record, "")
    for key in ("answer_gt", "annotation_gt", "render_map"):
        if key not in fields:
            refuse("missing-key", pointer("", key), f"the key {key}", "nothing")
    size = as_map(fields["render_map"], "/render_map")
    width, height = (
        as_int(size.get(side), pointer("/render_map", side), 1, MOST_PIXELS) for side in ("width", "height")
    )
    value = as_map(fields["answer_gt"], "/answer_gt").get("value")
    answer = as_name(value, "/answer_gt/value", LABELS, "card")
    at = "/annotation_gt/value"
    edges = _edges(as_map(fields["annotation_gt"], "/annotation_gt").get("value"), at, width, height)
    left, top, right, bottom = (as_int(int(edge), at, 0, MOST_PIXELS) for edge in edges)
    return Truth(answer, (left, top, right, bottom), width, height)


def grade(truth: Truth, data: bytes, *, demanded: bool = False) -> Graded:
    """The verdicts on the bytes of a submission; never raises for anything in the bytes. `demanded`: the annotation."""
    stage: Stage = "text"
    try:
        value = read_values(data)
        stage = "form"
        fields = as_object(_no_decimal(value, "", "an object"), "", (), ("answer", "annotation"))
    except MalformedInput as error:
        part = _malformed(stage, error)
        return Graded(part, part)
    answer, found = _answer(truth, fields["answer"]) if "answer" in fields else (_missing("answer"), None)
    if "annotation" not in fields:
        return Graded(answer, _missing("annotation") if demanded else Part("absent"), found)
    annotation, box = _annotation(truth, fields["annotation"])
    return Graded(answer, annotation, found, box, None if box is None else overlap(box, truth.box))


def read_values(data: bytes) -> Json:
    """The JSON of a submission, as `read_json` gives it; of an object with flawed values, each of these is the
    MalformedInput that says why. Raises MalformedInput where the flaw is one of the whole text."""
    try:
        return read_json(data)
    except MalformedInput as error:
        members, whole = cut(data)
        values = {_printable(key): _value(value, pointer("", _printable(key))) for key, value in members}
        if error.code not in VALUE_FLAWS or not whole or len(values) < len(members):
            raise
        return values


def _value(data: bytes, at: str) -> Any:
    """A value of an object, or what is wrong with it; told by its place in the object."""
    try:
        return read_json(data)
    except MalformedInput as error:
        return MalformedInput(error.code, at + error.pointer, error.expected, error.found)


def read_json(data: bytes) -> Json:
    """The JSON of a submission, where numbers may be decimals; those become Fractions. Raises MalformedInput.

    The strict reader knows integers only. It is shown the text with every decimal replaced by a 0 and spaces, so that
    it judges all else, and places stay where they are; what it passes is decoded once more with the decimals in it.
    """
    try:
        judged = parse(_STRING_OR_DECIMAL.sub(_without_decimal, data), SUBMISSION_BYTES, SUBMISSION_DEPTH)
    except MalformedInput as error:
        expected = EXPECTED.get(error.code, error.expected)
        raise MalformedInput(error.code, error.pointer, expected, error.found) from None
    decimal = any(not found["string"] for found in _STRING_OR_DECIMAL.finditer(data))
    return json.loads(data.decode("utf-8"), parse_float=Fraction) if decimal else judged


def overlap(one: Edges | Box, other: Edges | Box) -> Fraction:
    """Intersection over union of two boxes, neither of which is empty."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    both = Fraction(max(width, 0) * max(height, 0))
    return both / (_area(one) + _area(other) - both)


def decimal_text(value: Fraction) -> str:
    """The value with PLACES places, rounded down: what is below the threshold never looks as if it were on it."""
    whole = value * 10**PLACES // 1
    return f"{whole // 10**PLACES}.{whole % 10**PLACES:0{PLACES}d}"


def graded_json(graded: Graded) -> dict[str, Json]:
    """The JSON of the verdicts."""
    found = graded.overlap
    return {
        "verdict": graded.status,
        "answer": {**part_json(graded.answer), "found": graded.found},
        "annotation": {
            **part_json(graded.annotation),
            "iou": None if found is None else str(found),
            "iou_decimal": None if found is None else decimal_text(found),
            "threshold": str(LEAST_OVERLAP),
        },
    }


def part_json(part: Part) -> dict[str, Json]:
    """The JSON of the verdict on one part."""
    error = part.error
    told: Json = None
    if error is not None:
        told = {"code": error.code, "pointer": error.pointer, "expected": error.expected, "found": error.found}
    return {"verdict": part.status, "stage": part.stage, "code": part.code, "error": told}


def told(graded: Graded) -> list[str]:
    """The verdicts in words, a line each."""
    answer, annotation = graded.answer, graded.annotation
    shown = "" if graded.found is None else f" ({graded.found})"
    lines = [f"answer{shown}: {_words(answer)}"]
    share = "" if graded.overlap is None else f", IoU {decimal_text(graded.overlap)}, wanted {LEAST_OVERLAP} or more"
    return [*lines, f"annotation: {_words(annotation)}{share}"]


def _words(part: Part) -> str:
    return part.status + ("" if part.code is None else f" ({part.code}, stage {part.stage})")


def _malformed(stage: Stage, error: MalformedInput) -> Part:
    return Part("malformed", stage, error.code, error)


def _missing(key: str) -> Part:
    return _malformed("form", MalformedInput("missing-key", pointer("", key), f"the key {key}", "nothing"))


def _answer(truth: Truth, value: Any) -> tuple[Part, str | None]:
    try:
        if isinstance(value, MalformedInput):
            raise _no_letter(value)
        found = as_name(_no_decimal(value, "/answer", "the name of a card"), "/answer", LABELS, "card")
    except MalformedInput as error:
        return _malformed("answer", error), None
    if found == truth.answer:
        return Part("accepted"), found
    return Part("rejected", "comparison", OTHER_OPTION), found


def _no_letter(error: MalformedInput) -> MalformedInput:
    """The flaw of an answer; of a number it is told that it is one, as no number is a letter."""
    if error.code not in NUMBER_FLAWS or error.pointer != "/answer":
        return error
    return MalformedInput("wrong-type", "/answer", "the name of a card", "a number")


def _annotation(truth: Truth, value: Any) -> tuple[Part, Edges | None]:
    try:
        if isinstance(value, MalformedInput):
            raise value
        edges = _edges(value, "/annotation", truth.width, truth.height)
    except MalformedInput as error:
        return _malformed("annotation", error), None
    if overlap(edges, truth.box) >= LEAST_OVERLAP:
        return Part("accepted"), edges
    return Part("rejected", "comparison", LOW_OVERLAP), edges


def _edges(value: Json, at: str, width: int, height: int) -> Edges:
    """A box within a canvas; raises MalformedInput."""
    edges = as_list(_no_decimal(value, at, "an array"), at)
    if len(edges) != len(("left", "top", "right", "bottom")):
        refuse("out-of-range", at, "four numbers: left, top, right, bottom", str(len(edges)))
    most = (width, height, width, height)
    left, top, right, bottom = (_edge(edge, pointer(at, place), most[place]) for place, edge in enumerate(edges))
    if left >= right or top >= bottom:
        refuse("contradiction", at, "left before right and top before bottom", "an empty box")
    return left, top, right, bottom


def _edge(value: object, at: str, most: int) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        refuse("wrong-type", at, "a number", describe(value))
    if not 0 <= value <= most:
        found = str(value) if isinstance(value, int) else decimal_of(value, PLACES)
        refuse("out-of-range", at, f"a number from 0 to {most}", found)
    return Fraction(value)


def _no_decimal(value: Json, at: str, wanted: str) -> Json:
    """The value, refused where it is a decimal, of which the typed readers know nothing."""
    if isinstance(value, Fraction):
        refuse("wrong-type", at, wanted, "a decimal")
    return value


def _area(box: Edges | Box) -> Fraction:
    return Fraction((box[2] - box[0]) * (box[3] - box[1]))


def _without_decimal(found: re.Match[bytes]) -> bytes:
    text = found.group()
    return text if found["string"] else b"0".ljust(len(text))


def _printable(key: str) -> str:
    return key.encode("utf-8", "replace").decode("utf-8")
