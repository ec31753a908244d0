"""CO, motif `main`: some played card exchanges neighbours on the loop, whose ends are neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from cwr_audits.motifs import co
from cwr_audits.subject import from_json
from cwr_solvers.jsontext import Json


def judged(tokens: int, *swaps: tuple[int, int], played: Sequence[int] | None = None) -> bool:
    """The verdict on playing some of the cards with these swaps (None: all), in this order, on a loop of so many."""
    names: list[Json] = [f"t{number}" for number in range(tokens)]
    cards: list[Json] = [{"label": f"C{number}", "swap": [*swap]} for number, swap in enumerate(swaps)]
    source: Any = {"family": "CO", "code": "CO-T", "reference": names, "broken": names, "cards": cards}
    one = from_json({**source, "budget": {"cards": len(cards)}})
    labels: list[Json] = [f"C{number}" for number in (range(len(swaps)) if played is None else played)]
    return co.main(one.world, one.instance, one.world.read_submission(one.instance, {"cards": labels}))


@pytest.mark.parametrize("tokens", [3, 4, 5, 24])
def test_as_many_cards_have_it_as_there_are_positions(tokens: int) -> None:
    having = [swap for swap in combinations(range(1, tokens + 1), 2) if judged(tokens, swap)]
    assert having == sorted([*((at, at + 1) for at in range(1, tokens)), (1, tokens)])
    assert len(having) == tokens


def test_one_card_of_several_is_enough_wherever_it_is_played() -> None:
    far, near = (1, 3), (2, 3)
    assert judged(5, far, (2, 4)) is False
    assert judged(5, far, near) is judged(5, near, far) is True


def test_a_card_that_is_not_played_does_not_count() -> None:
    assert judged(5, (1, 3), (2, 3), played=[0]) is False
    assert judged(5, (2, 3), played=[]) is False


def test_tokens_that_were_neighbours_at_first_do_not_count() -> None:
    """t0 leaves position 1 for 4, from where the second card exchanges it with t1 on position 2."""
    assert judged(6, (1, 4), (2, 4)) is False


def test_an_illegal_submission_has_no_motif() -> None:
    with pytest.raises(ValueError, match="illegal"):
        judged(4, (1, 2), played=[0, 0])
