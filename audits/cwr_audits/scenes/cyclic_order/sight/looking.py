"""What is seen where a record claims something. Only boxes are taken from the claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cwr_audits.scenes.cyclic_order.claims import LOOPS, Claims
from cwr_audits.scenes.cyclic_order.contract import LABELS, Box
from cwr_audits.scenes.cyclic_order.sight.arrows import direction
from cwr_audits.scenes.cyclic_order.sight.borders import Side, sides
from cwr_audits.scenes.cyclic_order.sight.characters import Character, characters, numbers
from cwr_audits.scenes.cyclic_order.sight.pixels import DARK, Sheet, inflated
from cwr_audits.scenes.cyclic_order.sight.places import around, centre, gap
from cwr_audits.scenes.cyclic_order.sight.tokens import Sighted, difference, sighted

REFERENCE, BROKEN = LOOPS
WITHIN_CARD = 128  # this part of a picture's width: how far from a card's box its border may reach inwards
AROUND_NUMBER = 3  # pixels
AROUND_LOOP = 21  # this part of a picture's width: how far from its tokens a loop's numbers stand, at most


@dataclass(frozen=True, slots=True)
class Card:
    """What is seen in the box of a card. `mark`: how many pixels between its first two numbers have ink."""

    letters: tuple[str, ...]
    numbers: tuple[str, ...]
    sides: tuple[Side, ...]
    mark: int


@dataclass(frozen=True, slots=True)
class Sight:
    """What is seen where something is claimed, in the order of the claims.

    differences   of the tokens of the broken loop (rows) from those of the reference; None where a token is not seen
    strays        characters in and around the loops, outside the boxes of numbers
    """

    cards: tuple[Card, ...]
    numbers: tuple[tuple[Character, ...], ...]
    tokens: Mapping[str, tuple[Sighted | None, ...]]
    differences: tuple[tuple[float, ...], ...] | None
    arrows: Mapping[str, str | None]
    strays: Mapping[str, tuple[Character, ...]]


def look(claims: Claims, picture: Sheet) -> Sight:
    """What is seen at the claimed places."""
    boxes = [box for loop in LOOPS for box in claims.tokens[loop]]
    across = max(max(right - left, bottom - top) for left, top, right, bottom in boxes)
    tokens = {loop: tuple(sighted(picture, box, across) for box in claims.tokens[loop]) for loop in LOOPS}
    return Sight(
        cards=tuple(_card(picture, card.box) for card in claims.cards),
        numbers=tuple(numbers(characters(picture, inflated(box, AROUND_NUMBER))) for box in claims.numbers),
        tokens=tokens,
        differences=_differences(tokens[BROKEN], tokens[REFERENCE]),
        arrows={loop: _arrow(picture, claims.tokens[loop]) for loop in LOOPS},
        strays={loop: _strays(picture, claims.tokens[loop], claims.numbers) for loop in LOOPS},
    )


def _card(picture: Sheet, box: Box) -> Card:
    found = characters(picture, inflated(box, -max(3, picture.size[0] // WITHIN_CARD)))
    letters, read = tuple(one.text for one in found if one.text in LABELS), numbers(found)
    mark = _between(picture, read[0].box, read[1].box) if len(read) > 1 else 0
    return Card(letters, tuple(one.text for one in read), sides(picture, box), mark)


def _between(picture: Sheet, one: Box, other: Box) -> int:
    """How many pixels of ink there are in the least box around two, outside both."""

    def inked(box: Box) -> int:
        return int((picture.darkness[box[1] : box[3], box[0] : box[2]] >= DARK).sum())

    return inked(around((one, other))) - inked(one) - inked(other)


def _strays(picture: Sheet, boxes: tuple[Box, ...], places: tuple[Box, ...]) -> tuple[Character, ...]:
    found = characters(picture, inflated(around(boxes), picture.size[0] // AROUND_LOOP))
    return tuple(one for one in found if all(gap(one.box, place) for place in places))


def _differences(
    rows: tuple[Sighted | None, ...], columns: tuple[Sighted | None, ...]
) -> tuple[tuple[float, ...], ...] | None:
    whole = [[one for one in side if one is not None] for side in (rows, columns)]
    if len(whole[0]) != len(rows) or len(whole[1]) != len(columns):
        return None
    return tuple(tuple(difference(row, column) for column in whole[1]) for row in whole[0])


def _arrow(picture: Sheet, boxes: tuple[Box, ...]) -> str | None:
    return direction(picture, around(boxes), centre(boxes))
