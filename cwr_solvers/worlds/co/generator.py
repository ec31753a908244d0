"""Cyclic order: random small instances in which every rule can bite.

Three to six tokens and up to six cards. A rotated copy of the reference is spoilt by up to three swaps, mostly those of
cards, so that playing these cards in reverse repairs it; at times by swaps of any two positions, so that no sequence of
cards need do. Without a swap the loop is repaired from the start. One loop in ten is any arrangement, which may be the
mirror image of the reference. The budget lies close around the number of swaps and is at times one too small.
A token and a card may have the same name. Instances with too many words or states are rejected and drawn again (see
cwr_solvers.sampling.first_small).
"""

from __future__ import annotations

from itertools import combinations
from random import Random

from cwr_solvers.jsontext import Json
from cwr_solvers.sampling import between, chance, digest, first_small, pick, some
from cwr_solvers.worlds.co import interpreter
from cwr_solvers.worlds.co.instance import FAMILY, Instance, read_instance

TOKENS = ("amber", "jade", "coral", "slate", "pearl", "Opal", "B")
LABELS = ("A", "B", "C", "D", "E", "F")
MOST_BUDGET = 3

Swap = tuple[int, int]


def generate(seed: str) -> Json:
    """The JSON of the instance of a seed."""
    return first_small(seed, FAMILY, lambda draws: _draw(draws, digest(seed)[:8]), interpreter)


def _draw(draws: Random, code: str) -> tuple[Json, Instance]:
    reference = some(draws, TOKENS, pick(draws, (3, 4, 4, 5, 5, 6)))
    pairs = list(combinations(range(1, len(reference) + 1), 2))
    swaps = some(draws, pairs, pick(draws, (0, 1, 2, 3, 4, 5, 5, 6, 6)))
    wounds = some(draws, swaps if chance(draws, 80) else pairs, pick(draws, (0, 1, 2, 2, 3, 3)))
    labels = some(draws, LABELS, len(swaps))
    cards: list[Json] = [
        {"label": label, "swap": list(swap)} for label, swap in zip(labels, some(draws, swaps, len(swaps)), strict=True)
    ]
    made: dict[str, Json] = {
        "family": FAMILY,
        "code": f"CO-{code}",
        "reference": list(reference),
        "broken": list(_broken(draws, reference, wounds)),
        "cards": cards,
        "budget": {"cards": min(MOST_BUDGET, max(0, len(wounds) + pick(draws, (-1, 0, 0, 1, 1, 2))))},
    }
    return made, read_instance(made)


def _broken(draws: Random, reference: list[str], wounds: list[Swap]) -> list[str]:
    """A rotated copy of the reference, spoilt by some swaps; one in ten is any arrangement."""
    if chance(draws, 10):
        return some(draws, reference, len(reference))
    start = between(draws, 0, len(reference) - 1)
    loop = reference[start:] + reference[:start]
    for first, second in wounds:
        loop[first - 1], loop[second - 1] = loop[second - 1], loop[first - 1]
    return loop
