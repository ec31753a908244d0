"""The puzzle, read from what is seen alone."""

from __future__ import annotations

from cwr_audits.scenes.cyclic_order.contract import LABELS
from cwr_audits.scenes.cyclic_order.sight.looking import BROKEN, REFERENCE, Sight
from cwr_audits.scenes.cyclic_order.sight.places import clockwise, gap

MOST_ALIKE = 0.07  # difference of a token from itself
LEAST_DIFFERENT = 0.05  # of a token from another
LEAST_TIMES = 1.25  # as different from another as from itself

Loop = tuple[str, ...]


def read_puzzle(sight: Sight) -> tuple[Loop, Loop, dict[str, tuple[int, int]]] | None:
    """Reference, broken loop and cards as they are seen, tokens named by their places in the reference; None where
    something is not seen, or could be two things. Loops are read clockwise; the broken one by its numbers."""
    order, matched, cards = _positions(sight), _matched(sight), _swaps(sight)
    reference = [one.box for one in sight.tokens[REFERENCE] if one is not None]
    if order is None or matched is None or cards is None:
        return None
    highest = max(second for _, second in cards.values())
    if highest > len(order):
        return None
    return tuple(map(str, clockwise(reference))), tuple(str(matched[index]) for index in order), cards


def match(row: tuple[float, ...]) -> int | None:
    """Which of several tokens one looks like, by how different it is from each; None where it could be two, or none."""
    nearest, second = sorted(range(len(row)), key=row.__getitem__)[:2]
    clear = row[nearest] <= MOST_ALIKE and row[second] >= max(LEAST_DIFFERENT, LEAST_TIMES * row[nearest])
    return nearest if clear else None


def _positions(sight: Sight) -> list[int] | None:
    """Which token of the broken loop (by its place in the claims) is nearest to the number 1, 2, …; None unless these
    are all tokens, clockwise."""
    tokens = [one.box for one in sight.tokens[BROKEN] if one is not None]
    read = [one for found in sight.numbers for one in found]
    places = {one.text: one.box for one in read}
    wanted = [str(number) for number in range(1, len(tokens) + 1)]
    if len(tokens) != len(sight.tokens[BROKEN]) or sorted(one.text for one in read) != sorted(wanted):
        return None
    order = [min(range(len(tokens)), key=lambda index: gap(places[number], tokens[index])) for number in wanted]
    if len(set(order)) != len(order):
        return None
    turned = clockwise([tokens[index] for index in order])
    start = turned.index(0)
    return order if turned[start:] + turned[:start] == list(range(len(tokens))) else None


def _matched(sight: Sight) -> list[int] | None:
    """The token of the reference that each token of the broken loop looks like."""
    if sight.differences is None:
        return None
    matched = [found for row in sight.differences if (found := match(row)) is not None]
    return matched if len(set(matched)) == len(sight.differences) else None


def _swaps(sight: Sight) -> dict[str, tuple[int, int]] | None:
    """The positions on the card of each letter."""
    cards = {}
    for card in sight.cards:
        if len(card.letters) != 1 or len(card.numbers) != 2:
            return None
        first, second = sorted(map(int, card.numbers))
        if not 1 <= first < second:
            return None
        cards[card.letters[0]] = (first, second)
    return cards if len(cards) == len(LABELS) == len(set(cards.values())) else None
