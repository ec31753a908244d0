"""What is seen where a record claims something. Only boxes are taken from the claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cwr_audits.scenes.cyclic_order.claims import LOOPS, Claims
from cwr_audits.scenes.cyclic_order.contract import LABELS, Box
from cwr_audits.scenes.cyclic_order.sight.arrows import direction
from cwr_audits.scenes.cyclic_order.sight.borders import Side, sides
from cwr_audits.scenes.cyclic_order.sight.characters import Character, characters, numbers
from cwr_audits.scenes.cyclic_order.sight.pixels import Sheet, inflated
from cwr_audits.scenes.cyclic_order.sight.places import centre
from cwr_audits.scenes.cyclic_order.sight.tokens import Sighted, difference, sighted

REFERENCE, BROKEN = LOOPS
WITHIN_CARD = 128  # this part of a picture's width: how far from a card's box its border may reach inwards
AROUND_NUMBER = 3  # pixels


@dataclass(frozen=True, slots=True)
class Card:
    """What is seen in the box of a card."""

    letters: tuple[str, ...]
    numbers: tuple[str, ...]
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Sight:
    """What is seen where something is claimed, in the order of the claims. `differences`: of the tokens of the broken
    loop (rows) from those of the reference; None where a token is not seen."""

    cards: tuple[Card, ...]
    numbers: tuple[tuple[Character, ...], ...]
    tokens: Mapping[str, tuple[Sighted | None, ...]]
    differences: tuple[tuple[float, ...], ...] | None
    arrows: Mapping[str, str | None]


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
    )


def _card(picture: Sheet, box: Box) -> Card:
    found = characters(picture, inflated(box, -max(3, picture.size[0] // WITHIN_CARD)))
    letters = tuple(one.text for one in found if one.text in LABELS)
    return Card(letters, tuple(one.text for one in numbers(found)), sides(picture, box))


def _differences(
    rows: tuple[Sighted | None, ...], columns: tuple[Sighted | None, ...]
) -> tuple[tuple[float, ...], ...] | None:
    whole = [[one for one in side if one is not None] for side in (rows, columns)]
    if len(whole[0]) != len(rows) or len(whole[1]) != len(columns):
        return None
    return tuple(tuple(difference(row, column) for column in whole[1]) for row in whole[0])


def _arrow(picture: Sheet, boxes: tuple[Box, ...]) -> str | None:
    around = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
    return direction(picture, around, centre(boxes))
