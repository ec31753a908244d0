"""Pictures of the cyclic-order scene, checked by looking at them: does the picture show what its record claims?

Everything is read from the pixels of the PNG and the text of the SVG; how they were drawn is not known here. A record
claims where things are; there, and only there, is looked. What is seen is then compared with what is claimed, and the
puzzle that was read from the picture alone (order of the reference, order of the broken loop, the swaps on the cards)
is solved by the interpreter of CO.

Checks, each of which has to examine something
  text        the text of the SVG is what the record digests, and says nothing beyond shapes and paint; the bytes of
              the PNG hold its pixels and nothing else
  size        the picture has as many pixels as claimed, none of them transparent
  canvas      every box is on the picture, and no ink at its edge
  apart       no two boxes of cards, tokens and numbers overlap
  borders     on each side of a card's box, along its whole straight part, the middle of a dark line is at most
              MOST_DEVIATION from the side. All cards have the same border: which is which, the letters tell
  letters     in a card's box stands its letter and no other
  swaps       in a card's box stand the two numbers that it swaps and no others
  marks       between the two numbers of a card there is a mark
  plain       all cards are painted alike: a colour that covers MUCH of one covers at least SOME of each
  strays      no letter or number stands in or around a loop but the numbers claimed; so no token looks like one
  numbers     in a number's box stands that number; its ink fills the box
  nearest     a number is nearer to its own token than to any other, by the factor LEAST_NEARER
  tokens      in a token's box is one token; its outline fills the box
  alike       every token of the broken loop looks like the one of its name in the reference, and like no other
  different   any two tokens of the reference look different
  direction   the arrow in each loop runs clockwise, and so do the claimed reading order and the position numbers
  colours     (styles with colours) the colours of any two tokens of a loop are at LEAST_DISTANCE (Lab) or more
  answer      of the puzzle that was read, the card of the answer and no other is a solution
  annotation  the box of the annotation is that in which the answer's letter was read
All but text, size, canvas, plain and colours are done twice: on the picture as it is, and made SMALL pixels wide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, combinations

from cwr_audits.scenes.cyclic_order.claims import LOOPS, Claims, narrowed, read_claims
from cwr_audits.scenes.cyclic_order.contract import STYLE_USES, Box
from cwr_audits.scenes.cyclic_order.judging import judge
from cwr_audits.scenes.cyclic_order.sight import pngbytes, svgtext
from cwr_audits.scenes.cyclic_order.sight.arrows import CLOCKWISE
from cwr_audits.scenes.cyclic_order.sight.looking import BROKEN, REFERENCE, Sight, look
from cwr_audits.scenes.cyclic_order.sight.pixels import DARK, Sheet, inflated, paints, sheet, shrunk
from cwr_audits.scenes.cyclic_order.sight.places import beside, clockwise, gap
from cwr_audits.scenes.cyclic_order.sight.puzzle import LEAST_DIFFERENT, match, read_puzzle
from cwr_audits.scenes.cyclic_order.sight.tokens import colour, difference, lab_distance
from cwr_solvers.jsontext import Json

SMALL = 512
CHECKS = (
    *("text", "size", "canvas", "apart", "borders", "letters", "swaps", "marks", "plain", "strays", "numbers"),
    *("nearest", "tokens", "alike", "different", "direction", "colours", "answer", "annotation"),
)
COLOURS = "colours"

MOST_DEVIATION = 1.0  # pixels, of a border
MOST_BESIDE = 2  # pixels, of the ink of a token or number from its box
LEAST_NEARER = 1.25
MUCH, SOME = 0.01, 0.004
AROUND_BORDER = 3  # pixels
LEAST_DISTANCE = 50.0


@dataclass(frozen=True, slots=True)
class Examined:
    """One thing that was looked at: by which check, where, what is wrong (None: nothing), and what was measured."""

    check: str
    where: str
    fault: str | None = None
    value: float | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of looking at a picture.

    findings   what is wrong, also that a check examined nothing        examined   how many things, by check
    measured   by check, the smallest and the largest value
    """

    findings: tuple[Examined, ...]
    examined: Mapping[str, int]
    measured: Mapping[str, tuple[float, float]]

    @property
    def verified(self) -> bool:
        """Nothing is wrong, and every check examined something."""
        return not self.findings


def seen(record: Json, png: bytes, svg: str) -> Seen:
    """What is seen of a record's picture; raises MalformedInput where the record makes no claims that can be checked,
    and OSError where the bytes are no picture."""
    claims, picture = read_claims(record), sheet(png)
    looked = list(chain(_text(claims, svg), _bytes(png), _size(claims, picture)))
    if picture.size == (claims.width, claims.height):
        looked += [*_canvas(claims, picture), *_plain(claims, picture), *_colours(claims, picture)]
        looked += _looked(claims, picture, "")
        if claims.width > SMALL:
            looked += _looked(narrowed(claims, SMALL), shrunk(picture, SMALL), f" at {SMALL} px")
    return _sum(looked, claims)


def _sum(looked: list[Examined], claims: Claims) -> Seen:
    counted = Counter(one.check for one in looked)
    due = [check for check in CHECKS if check != COLOURS or "colour" in STYLE_USES[claims.token_style]]
    nothing = [Examined(check, "the picture", "nothing was examined") for check in due if not counted[check]]
    values = {check: [one.value for one in looked if one.check == check and one.value is not None] for check in due}
    return Seen(
        findings=(*(one for one in looked if one.fault is not None), *nothing),
        examined={check: counted[check] for check in due},
        measured={check: (min(found), max(found)) for check, found in values.items() if found},
    )


def _looked(claims: Claims, picture: Sheet, at: str) -> Iterator[Examined]:
    """All that is checked at every size."""
    sight = look(claims, picture)
    found = chain(
        _apart(claims),
        _borders(claims, sight),
        _cards(claims, sight),
        _marks(claims, sight),
        _strays(sight),
        _numbers(claims, sight),
        _nearest(sight),
        _tokens(claims, sight),
        _alike(claims, sight),
        _different(claims, sight),
        _direction(claims, sight),
        _answer(claims, sight),
        _annotation(claims, sight),
    )
    return (Examined(one.check, one.where + at, one.fault, one.value) for one in found)


# --- the checks


def _text(claims: Claims, svg: str) -> Iterator[Examined]:
    same = sha256(svg.encode("utf-8")).hexdigest() == claims.svg_sha256
    yield Examined("text", "the SVG", None if same else "another text than the record digests")
    found = list(svgtext.faults(svg))
    yield from (Examined("text", "the SVG", fault) for fault in found)
    yield from (Examined("text", "an element") for _ in range(svgtext.elements(svg) if not found else 0))


def _bytes(png: bytes) -> Iterator[Examined]:
    found = list(pngbytes.faults(png))
    yield from (Examined("text", "the PNG", fault) for fault in found or (None,))


def _size(claims: Claims, picture: Sheet) -> Iterator[Examined]:
    claimed, found = f"{claims.width} × {claims.height}", "{} × {}".format(*picture.size)
    yield Examined("size", "the picture", None if found == claimed else f"{found}, and {claimed} are claimed")
    yield Examined("size", "the picture", None if picture.opaque else "some of its pixels are transparent")


def _canvas(claims: Claims, picture: Sheet) -> Iterator[Examined]:
    wide, high = picture.size
    for name, (left, top, right, bottom) in _named(claims):
        inside = left >= 0 and top >= 0 and right <= wide and bottom <= high
        yield Examined("canvas", name, None if inside else f"{left, top, right, bottom} reaches beyond {wide} × {high}")
    for index, edge in enumerate((picture.darkness[0], picture.darkness[-1], *picture.darkness.T[[0, -1]])):
        fault = "ink at the edge of the picture" if edge.max() >= DARK else None
        yield Examined("canvas", ("upper", "lower", "left", "right")[index] + " edge", fault)


def _apart(claims: Claims) -> Iterator[Examined]:
    for (name, one), (other_name, other) in combinations(_named(claims), 2):
        fault = "the boxes overlap" if gap(one, other) == 0 else None
        yield Examined("apart", f"{name} and {other_name}", fault)


def _borders(claims: Claims, sight: Sight) -> Iterator[Examined]:
    for claim, card in zip(claims.cards, sight.cards, strict=True):
        for side in card.sides:
            fault = None
            if side.deviation is None or not side.rows:
                fault = "no dark line all along"
            elif side.deviation > MOST_DEVIATION:
                fault = f"the line is {side.deviation:.2f} px from the box"
            yield Examined("borders", f"card {claim.label}, {side.name}", fault, side.deviation)


def _cards(claims: Claims, sight: Sight) -> Iterator[Examined]:
    for claim, card in zip(claims.cards, sight.cards, strict=True):
        where, swap = f"card {claim.label}", tuple(map(str, claim.swap))
        fault = None if card.letters == (claim.label,) else f"read {_listed(card.letters)} for its letter"
        yield Examined("letters", where, fault)
        read = tuple(sorted(card.numbers, key=int))
        yield Examined(
            "swaps", where, None if read == swap else f"read {_listed(read)}, and {_listed(swap)} is claimed"
        )


def _marks(claims: Claims, sight: Sight) -> Iterator[Examined]:
    for claim, card in zip(claims.cards, sight.cards, strict=True):
        yield Examined("marks", f"card {claim.label}", None if card.mark else "no mark between two numbers", card.mark)


def _plain(claims: Claims, picture: Sheet) -> Iterator[Examined]:
    painted = {card.label: paints(picture, inflated(card.box, AROUND_BORDER)) for card in claims.cards}
    common = {one for found in painted.values() for one, part in found.items() if part >= MUCH}
    for label, found in painted.items():
        missing = ["#{:02x}{:02x}{:02x}".format(*one) for one in sorted(common) if found.get(one, 0) < SOME]
        fault = f"lacks {_listed(tuple(missing))}, which other cards have" if missing else None
        yield Examined("plain", f"card {label}", fault)


def _strays(sight: Sight) -> Iterator[Examined]:
    for loop, strays in sight.strays.items():
        found = _listed(tuple(f"{one.text} at {one.box}" for one in strays))
        yield Examined("strays", f"around {loop}", f"read {found}" if strays else None)


def _numbers(claims: Claims, sight: Sight) -> Iterator[Examined]:
    for number, (box, read) in enumerate(zip(claims.numbers, sight.numbers, strict=True), 1):
        value = beside(read[0].box, box) if [one.text for one in read] == [str(number)] else None
        fault = f"read {_listed(tuple(one.text for one in read))}" if value is None else None
        if value is not None and value > MOST_BESIDE:
            fault = f"its ink is {value} px from its box"
        yield Examined("numbers", f"number {number}", fault, value)


def _nearest(sight: Sight) -> Iterator[Examined]:
    tokens = [one.box for one in sight.tokens[BROKEN] if one is not None]
    if len(tokens) != len(sight.numbers):
        return
    for number, read in enumerate(sight.numbers, 1):
        if len(read) == 1:
            own = max(gap(read[0].box, tokens[number - 1]), 1)
            other = min(gap(read[0].box, box) for index, box in enumerate(tokens, 1) if index != number)
            fault = (
                None if other >= LEAST_NEARER * own else f"{own:.0f} px from its own token, {other:.0f} from another"
            )
            yield Examined("nearest", f"number {number}", fault, other / own)


def _tokens(claims: Claims, sight: Sight) -> Iterator[Examined]:
    for loop in LOOPS:
        for position, (box, token) in enumerate(zip(claims.tokens[loop], sight.tokens[loop], strict=True), 1):
            value = None if token is None else beside(token.box, box)
            fault = "no token" if value is None else None
            if value is not None and value > MOST_BESIDE:
                fault = f"its outline is {value} px from its box"
            yield Examined("tokens", f"{loop} {position}", fault, value)


def _alike(claims: Claims, sight: Sight) -> Iterator[Examined]:
    for position, row in enumerate(sight.differences or (), 1):
        own = claims.sequences[REFERENCE].index(claims.sequences[BROKEN][position - 1])
        others = min(value for index, value in enumerate(row) if index != own)
        told = f"differs by {row[own]:.3f} from the token of its name, by {others:.3f} from another"
        yield Examined("alike", f"broken {position}", None if match(row) == own else told, row[own])


def _different(claims: Claims, sight: Sight) -> Iterator[Examined]:
    for loop in LOOPS:
        named = zip(claims.sequences[loop], sight.tokens[loop], strict=True)
        for (name, one), (other_name, other) in combinations(named, 2):
            if one is not None and other is not None:
                value = difference(one, other)
                fault = None if value >= LEAST_DIFFERENT else f"look alike: they differ by {value:.3f}"
                yield Examined("different", f"{loop}, {name} and {other_name}", fault, value)


def _direction(claims: Claims, sight: Sight) -> Iterator[Examined]:
    for loop in LOOPS:
        arrow = sight.arrows[loop]
        yield Examined("direction", f"arrow of {loop}", None if arrow == CLOCKWISE else f"seen: {arrow or 'no arrow'}")
        boxes = claims.tokens[loop]
        fault = None if clockwise(boxes) == list(range(len(boxes))) else "the claimed order does not run clockwise"
        yield Examined("direction", f"order of {loop}", fault)


def _colours(claims: Claims, picture: Sheet) -> Iterator[Examined]:
    if "colour" not in STYLE_USES[claims.token_style]:
        return
    for loop in LOOPS:
        found = [colour(picture, box) for box in claims.tokens[loop]]
        for (position, one), (other_position, other) in combinations(enumerate(found, 1), 2):
            value = lab_distance(one, other) if one is not None and other is not None else None
            fault = None if value is not None and value >= LEAST_DISTANCE else f"{one} and {other} are too near"
            yield Examined(COLOURS, f"{loop} {position} and {other_position}", fault, value)


def _answer(claims: Claims, sight: Sight) -> Iterator[Examined]:
    puzzle = read_puzzle(sight)
    if puzzle is None:
        yield Examined("answer", "the puzzle", "it cannot be read from the picture")
        return
    reference, broken, cards = puzzle
    judged = judge(reference, broken, cards)
    solutions = tuple(sorted(label for label, one in judged.items() if one.accepted))
    fault = None if solutions == (claims.answer,) else f"solved by {_listed(solutions)}, and {claims.answer} is claimed"
    yield Examined("answer", "the puzzle", fault)


def _annotation(claims: Claims, sight: Sight) -> Iterator[Examined]:
    boxes = [
        claim.box for claim, card in zip(claims.cards, sight.cards, strict=True) if card.letters == (claims.answer,)
    ]
    fault = None if boxes == [claims.marked] else f"{claims.marked}, and the letter {claims.answer} is in {boxes}"
    yield Examined("annotation", "the box", fault)


def _named(claims: Claims) -> list[tuple[str, Box]]:
    """All boxes, with names for messages."""
    return [
        *((f"card {card.label}", card.box) for card in claims.cards),
        *((f"{loop} {place}", box) for loop in LOOPS for place, box in enumerate(claims.tokens[loop], 1)),
        *((f"number {place}", box) for place, box in enumerate(claims.numbers, 1)),
    ]


def _listed(texts: tuple[str, ...]) -> str:
    return " and ".join(texts) or "nothing"
