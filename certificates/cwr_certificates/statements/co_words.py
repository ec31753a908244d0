"""Words of cyclic order, their decisions and where they bring the tokens (co/1). Trusted; from the rule book of CO.

Only definitions stand here: they forbid no word, legal or not. Positions and tokens are numbered from 0, tokens as they
stand in the reference. Where a token is is pushed up only: each step carries it on to where it must be, and no clause
asks that it be somewhere else not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cwr_certificates.cnf import TRUE, Cnf, all_of, signed
from cwr_certificates.steps import Steps, taken
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import as_items, as_object
from cwr_solvers.worlds.co.instance import Instance, read_label

Loop = tuple[Mapping[int, int], ...]  # loop[p][x] is true if token x is on position p; it cannot be there if left out


@dataclass(frozen=True, slots=True)
class Model:
    """`steps.chosen[p][k]`: step p plays card k; these are the decisions. `loop`: the loop after the last step."""

    instance: Instance
    steps: Steps
    loop: Loop
    decisions: tuple[int, ...]


def model_of(cnf: Cnf, instance: Instance, steps: Steps) -> Model:
    """Follow the loop from the broken one on, through each step (or idle place, which changes nothing)."""
    loop: Loop = tuple({instance.reference.index(token): TRUE} for token in instance.broken)
    for kinds in steps.chosen:
        loop = loop_after(cnf, instance, kinds, loop)
    return Model(instance, steps, loop, tuple(variable for kinds in steps.chosen for variable in kinds))


def loop_after(cnf: Cnf, instance: Instance, kinds: tuple[int, ...], before: Loop) -> Loop:
    """The loop after a step: a played card on a position brings the token of its other one; else the token stays."""
    brought: list[list[tuple[int, int]]] = [[] for _ in before]  # to each position: (the card is played, from where)
    for card, played in zip(instance.cards, kinds, strict=True):
        brought[card.first - 1].append((played, card.second - 1))
        brought[card.second - 1].append((played, card.first - 1))
    return tuple(
        position_after(cnf, before, here, changes) if changes else before[here] for here, changes in enumerate(brought)
    )


def position_after(cnf: Cnf, before: Loop, here: int, changes: list[tuple[int, int]]) -> dict[int, int]:
    """The tokens on one position after a step, each pushed up in every case that brings it there or leaves it there."""
    cases = [(all_of(cnf, [-played for played, _ in changes]), here), *changes]
    after = {token: cnf.new() for token in sorted({token for _, source in cases for token in before[source]})}
    for case, source in cases:
        for token, there in before[source].items():
            cnf.add(-case, -there, after[token])
    return after


def literals(model: Model, word: Json) -> tuple[int, ...]:
    """The decisions of a word; raises MalformedInput."""
    place = {card.label: k for k, card in enumerate(model.instance.cards)}
    kinds = [place[label] for label in read_labels(model.instance, word)]
    return signed(model.decisions, taken(model.steps, kinds, "/cards"))


def occurs(_cnf: Cnf, model: Model, move: Json) -> list[int]:
    """Literals, one of which holds just when the move is in the word; raises MalformedInput."""
    place = model.instance.cards.index(model.instance.card[read_label(model.instance, move, "")])
    return [kinds[place] for kinds in model.steps.chosen]


def word(model: Model, true: set[int]) -> Json:
    """The word whose decisions are among the true variables."""
    rows = (zip(model.instance.cards, kinds, strict=True) for kinds in model.steps.chosen)
    return {"cards": [card.label for row in rows for card, played in row if played in true]}


def namings(instance: Instance, word: Json) -> int:
    """A word stands for itself; raises MalformedInput."""
    read_labels(instance, word)
    return 1


def read_labels(instance: Instance, word: Json) -> tuple[str, ...]:
    """The labels of a word {"cards":[…]}; raises MalformedInput."""
    cards = as_object(word, "", ("cards",))["cards"]
    return as_items(cards, "/cards", lambda item, at: read_label(instance, item, at))
