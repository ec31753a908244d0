"""What a record claims of its picture, read strictly out of the record's JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cwr_audits.scenes.cyclic_order.contract import FEWEST_TOKENS, LABELS, MOST_TOKENS, TOKEN_STYLES, Box
from cwr_solvers.jsontext import Json, pointer
from cwr_solvers.reading import as_int, as_items, as_list, as_map, as_name, as_text, distinct, refuse

FARTHEST = 1 << 20  # pixels
LOOPS = ("reference", "broken")


@dataclass(frozen=True, slots=True)
class CardClaim:
    """A card: its letter, the positions that it swaps (the smaller first), and its box."""

    label: str
    swap: tuple[int, int]
    box: Box


@dataclass(frozen=True, slots=True)
class Claims:
    """What a record says of its picture, boxes in pixels of the exported picture.

    tokens   by loop, the boxes in reading order           sequences   by loop, the names of the tokens in that order
    numbers  the boxes of the position numbers, in order   marked      the box of the annotation
    """

    width: int
    height: int
    token_style: str
    cards: tuple[CardClaim, ...]
    tokens: dict[str, tuple[Box, ...]]
    sequences: dict[str, tuple[str, ...]]
    numbers: tuple[Box, ...]
    answer: str
    marked: Box
    svg_sha256: str


def read_claims(record: Json) -> Claims:
    """The claims of a record; raises MalformedInput where the record does not say all of them, once each."""
    where = _at(record, "/render_map")
    tokens, length = _tokens(record)
    return Claims(
        width=as_int(where.get("width"), "/render_map/width", 1, FARTHEST),
        height=as_int(where.get("height"), "/render_map/height", 1, FARTHEST),
        token_style=as_name(_at(record, "/axes").get("token_style"), "/axes/token_style", TOKEN_STYLES, "token style"),
        cards=_cards(record, length),
        tokens=tokens,
        sequences={loop: _sequence(record, loop, length) for loop in LOOPS},
        numbers=_boxes(where.get("number_bboxes_px"), "/render_map/number_bboxes_px", length),
        answer=as_name(_at(record, "/answer_gt").get("value"), "/answer_gt/value", LABELS, "card"),
        marked=_box(_at(record, "/annotation_gt").get("value"), "/annotation_gt/value"),
        svg_sha256=as_text(where.get("svg_sha256"), "/render_map/svg_sha256"),
    )


def narrowed(claims: Claims, width: int) -> Claims:
    """The same claims of the picture made so many pixels wide; halves are rounded up."""

    def scaled(edges: Iterable[int]) -> Box:
        left, top, right, bottom = ((2 * edge * width + claims.width) // (2 * claims.width) for edge in edges)
        return left, top, right, bottom

    return replace(
        claims,
        width=width,
        height=round(claims.height * width / claims.width),
        cards=tuple(replace(card, box=scaled(card.box)) for card in claims.cards),
        tokens={loop: tuple(scaled(box) for box in boxes) for loop, boxes in claims.tokens.items()},
        numbers=tuple(scaled(box) for box in claims.numbers),
        marked=scaled(claims.marked),
    )


def _at(record: Json, at: str) -> dict[str, Json]:
    """The object at a place of the record."""
    found, here = as_map(record, ""), ""
    for key in at.split("/")[1:]:
        here = pointer(here, key)
        found = as_map(found.get(key), here)
    return found


def _tokens(record: Json) -> tuple[dict[str, tuple[Box, ...]], int]:
    at = "/render_map/token_bboxes_px"
    stated = _at(record, at)
    length = len(as_list(stated.get(LOOPS[0]), pointer(at, LOOPS[0])))
    if not FEWEST_TOKENS <= length <= MOST_TOKENS:
        refuse("out-of-range", pointer(at, LOOPS[0]), f"{FEWEST_TOKENS} to {MOST_TOKENS} boxes", str(length))
    return {loop: _boxes(stated.get(loop), pointer(at, loop), length) for loop in LOOPS}, length


def _sequence(record: Json, loop: str, length: int) -> tuple[str, ...]:
    at = f"/execution_trace/{loop}_sequence"
    names = as_items(_at(record, "/execution_trace").get(f"{loop}_sequence"), at, as_text)
    _as_many(len(names), length, at)
    distinct(names, at, "token")
    return names


def _cards(record: Json, length: int) -> tuple[CardClaim, ...]:
    at, boxes_at = "/execution_trace/option_specs", "/render_map/option_choice_bboxes_px"
    boxes = _at(record, boxes_at)

    def card(value: Json, where: str) -> CardClaim:
        spec = as_map(value, where)
        name = as_name(spec.get("option_choice_id"), pointer(where, "option_choice_id"), boxes, "card with a box")
        swap = as_items(spec.get("swap"), pointer(where, "swap"), lambda item, here: as_int(item, here, 1, length))
        _as_many(len(swap), 2, pointer(where, "swap"))
        label = as_name(spec.get("label"), pointer(where, "label"), LABELS, "card")
        return CardClaim(
            label, (min(swap), max(swap)), _box(boxes[name], f"/render_map/option_choice_bboxes_px/{name}")
        )

    cards = as_items(_at(record, "/execution_trace").get("option_specs"), at, card)
    _as_many(len(cards), len(LABELS), at)
    distinct((one.label for one in cards), at, "label")
    return cards


def _boxes(value: Json, at: str, length: int) -> tuple[Box, ...]:
    boxes = as_items(value, at, _box)
    _as_many(len(boxes), length, at)
    return boxes


def _box(value: Json, at: str) -> Box:
    edges = as_items(value, at, lambda item, where: as_int(item, where, -FARTHEST, FARTHEST))
    _as_many(len(edges), 4, at)
    left, top, right, bottom = edges
    if left >= right or top >= bottom:
        refuse("contradiction", at, "left < right and top < bottom", str(list(edges)))
    return left, top, right, bottom


def _as_many(found: int, wanted: int, at: str) -> None:
    if found != wanted:
        refuse("out-of-range", at, f"{wanted} items", str(found))
