"""What the world CO says of swaps: the scene asks it and has no rule of its own.

A question is an instance of CO with a budget of one card; the cards are named as the caller likes. Whether a loop is a
mirror image of the reference is asked as well: of the same instance with the reference read backwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from cwr_solvers.grading import run
from cwr_solvers.jsontext import Json
from cwr_solvers.world import Submission
from cwr_solvers.worlds.co.world import WORLD

Swap = tuple[int, int]
Loop = tuple[str, ...]

PLACEHOLDER = "CO-asked"  # the code of an instance that is asked about and not kept


@dataclass(frozen=True, slots=True)
class Judged:
    """What playing one card comes to: the loop after it, whether that is the wanted one, and what stands against it."""

    loop: Loop
    accepted: bool
    unmet: tuple[tuple[str, str, str], ...]  # (rule, found, needed)


def all_swaps(length: int) -> tuple[Swap, ...]:
    """Every pair of positions of a loop, the smaller first."""
    return tuple(combinations(range(1, length + 1), 2))


def instance_json(code: str, reference: Loop, broken: Loop, cards: Mapping[str, Swap]) -> dict[str, Json]:
    """The instance of CO in which one of these cards, by label, may be played."""
    return {
        "family": WORLD.family,
        "code": code,
        "reference": list(reference),
        "broken": list(broken),
        "cards": [{"label": label, "swap": list(swap)} for label, swap in cards.items()],
        "budget": {"cards": 1},
    }


def judge(reference: Loop, broken: Loop, cards: Mapping[str, Swap]) -> dict[str, Judged]:
    """What each card, played alone, comes to by the interpreter of CO."""
    instance = WORLD.read_instance(instance_json(PLACEHOLDER, reference, broken, cards))
    found = {}
    for label in cards:
        trace = run(WORLD, instance, Submission((label,)))
        unmet = tuple((fault.rule, fault.found, fault.needed) for fault in trace.faults)
        found[label] = Judged(trace.states[-1].loop, trace.status == "accepted", unmet)
    return found


def accepted(reference: Loop, broken: Loop, swaps: tuple[Swap, ...]) -> frozenset[Swap]:
    """Those of the swaps that repair the loop."""
    cards = {str(number): swap for number, swap in enumerate(swaps)}
    found = judge(reference, broken, cards)
    return frozenset(swap for label, swap in cards.items() if found[label].accepted)


def mirrored(reference: Loop, broken: Loop, swaps: tuple[Swap, ...]) -> frozenset[Swap]:
    """Those of the swaps that lead to a mirror image of the reference."""
    return accepted(reference[::-1], broken, swaps)
