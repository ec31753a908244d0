"""CO by tokens and time: where each token is before each step; who stands on a position is never asked.

place      a position counted from 0, as a bit-vector of `width` bits
time       one of the places of the run where a card may be played; there is one more than the budget allows, so that
           the rules bind and not the size of the table, but never more than there are cards: R1 lets none be played
swap       what is done at a time, a bit-vector: the card's first place in the high bits, its second in the low ones.
           No two cards swap the same places, so the swap names the card
rest       the swap of place 0 with itself, which no card is: nothing is played
A token goes to the other place of a swap when it is on one of the two. Where the tokens are is no variable: it follows
from the swaps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import z3

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.smt import Encoding, Model, ValueOf, any_of, post_requests
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.co.instance import Card, Instance, read_label

Bits: TypeAlias = z3.BitVecRef
REST = 0


@dataclass(frozen=True, slots=True)
class Run:
    """The terms of one question.

    asked    the instance
    width    how many bits a place has
    swaps    the swap at each time
    labels   {the value of a card's swap: the card's label}
    at_end   the place of each token after all times
    """

    asked: Instance
    width: int
    swaps: tuple[Bits, ...]
    labels: Mapping[int, str]
    at_end: Mapping[str, Bits]

    def rests(self, time: int) -> z3.BoolRef:
        return self.swaps[time] == REST

    def rests_from(self, time: int) -> tuple[z3.BoolRef, ...]:
        """That nothing is played at this time and at any after it."""
        return tuple(swap == REST for swap in self.swaps[max(0, time) :])

    def plays(self, time: int, label: str) -> z3.BoolRef:
        return self.swaps[time] == _value(self.asked.card[label], self.width)


def build(model: Model, instance: Instance, claim: Claim) -> Encoding:
    """Post the accepted submissions of `instance` within the claim's bound."""
    refuse_unsupported(claim, MOTIFS, MOTIFS, moves=True)
    run = _run(model, instance, claim)
    word_shape(model, run)
    for rule in RULES.values():
        rule(model, run)
    claim_bound(model, claim, run)
    claim_requests(model, claim, run)

    def decode(value_of: ValueOf) -> Json:
        values = [value_of(swap) for swap in run.swaps]
        return {"cards": [run.labels[value] for value in values if value != REST]}

    # Backwards, because what follows the last card is alike for all words of one length.
    return Encoding(run.swaps[::-1], _played(model, run), decode, "QF_BV")


def word_shape(model: Model, run: Run) -> None:
    """A swap is that of a card, or rest; after rest all is rest."""
    for time, swap in enumerate(run.swaps):
        model.post("word", any_of(model, (swap == value for value in (REST, *run.labels))))
        if time:
            model.post("word", z3.Implies(run.rests(time - 1), run.rests(time)))


def r1_once(model: Model, run: Run) -> None:
    """R1: no card is played at two times."""
    for earlier, later in combinations(run.swaps, 2):
        model.post("R1", z3.Or(later == REST, earlier != later))


def r2_budget(model: Model, run: Run) -> None:
    """R2: at most as many cards as the budget."""
    model.post("R2", *run.rests_from(run.asked.most_cards))


def g_goal(model: Model, run: Run) -> None:
    """G: at the end every token is one place before the token that the reference has after it; the last place is one
    before the first."""
    reference = run.asked.reference
    last = len(reference) - 1
    for token, successor in zip(reference, (*reference[1:], reference[0]), strict=True):
        place = run.at_end[token]
        following = z3.If(place == last, z3.BitVecVal(0, run.width, model.context), place + 1)
        model.post("G", run.at_end[successor] == following)


RULES: dict[str, Callable[[Model, Run], None]] = {"R1": r1_once, "R2": r2_budget, "G": g_goal}


def claim_bound(model: Model, claim: Claim, run: Run) -> None:
    """The claim's own bound of the cost."""
    if claim.most_cost is not None:
        model.post("claim", claim.most_cost >= 0, *run.rests_from(claim.most_cost))


def claim_requests(model: Model, claim: Claim, run: Run) -> None:
    """The motifs and moves that the claim wants to be there, or not."""
    post_requests(model, claim, lambda name: MOTIFS[name](model, run), lambda move: _occurs(model, run, move))


def motif_main(model: Model, run: Run) -> z3.BoolRef:
    """main: at some time the two places swapped follow each other, or are the first and the last."""
    return any_of(model, (_swaps_neighbours(run, swap) for swap in run.swaps))


MOTIFS: dict[str, Callable[[Model, Run], z3.BoolRef]] = {"main": motif_main}


def _swaps_neighbours(run: Run, swap: Bits) -> z3.BoolRef:
    """Whether a swap is one of neighbours; rest is none, its two places are one."""
    first, second = _places(swap, run.width)
    around = z3.And(first == 0, second == len(run.asked.reference) - 1)
    return z3.Or(second == first + 1, around)


def _occurs(model: Model, run: Run, move: Json) -> z3.BoolRef:
    """Whether a card is played at some time; raises MalformedInput for what is no label."""
    label = read_label(run.asked, move, "")
    return any_of(model, (run.plays(time, label) for time in range(len(run.swaps))))


def _run(model: Model, instance: Instance, claim: Claim) -> Run:
    bound = instance.most_cards if claim.most_cost is None else min(instance.most_cards, max(0, claim.most_cost))
    width = (len(instance.broken) - 1).bit_length()
    times = min(bound + 1, len(instance.cards))
    swaps = tuple(z3.BitVec(f"swap {time}", 2 * width, model.context) for time in range(times))
    at = {token: z3.BitVecVal(place, width, model.context) for place, token in enumerate(instance.broken)}
    for swap in swaps:
        model.look_at_clock()
        at = {token: _moved(place, swap, width) for token, place in at.items()}
    return Run(instance, width, swaps, {_value(card, width): card.label for card in instance.cards}, at)


def _moved(place: Bits, swap: Bits, width: int) -> Bits:
    """Where a token is after a swap."""
    first, second = _places(swap, width)
    return z3.If(place == first, second, z3.If(place == second, first, place))


def _places(swap: Bits, width: int) -> tuple[Bits, Bits]:
    return z3.Extract(2 * width - 1, width, swap), z3.Extract(width - 1, 0, swap)


def _value(card: Card, width: int) -> int:
    """The value of the swap that a card is."""
    return (card.first - 1 << width) + card.second - 1


def _played(model: Model, run: Run) -> Bits:
    """How many cards are played."""
    size = max(1, len(run.swaps).bit_length())
    none, one = (z3.BitVecVal(number, size, model.context) for number in (0, 1))
    total = none
    for swap in run.swaps:
        total = total + z3.If(swap == REST, none, one)
    return total
