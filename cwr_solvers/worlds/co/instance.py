"""Cyclic order: its data and their strict reading. No rules live here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from cwr_solvers.jsontext import Json, pointer
from cwr_solvers.reading import as_int, as_items, as_list, as_name, as_new_name, as_object, as_text, distinct, refuse

FAMILY = "CO"
FEWEST_TOKENS = 3
MOST_TOKENS = 24
MOST_CARDS = MOST_TOKENS * (MOST_TOKENS - 1) // 2


class Card(NamedTuple):
    """What may be done once: exchanging the tokens on two positions, counted from 1, first < second."""

    label: str
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Instance:
    """A repair task. `reference` and `broken` hold the same tokens, each once; `card` finds a card by its label."""

    code: str
    reference: tuple[str, ...]
    broken: tuple[str, ...]
    cards: tuple[Card, ...]
    most_cards: int
    card: Mapping[str, Card]


def read_instance(value: Json) -> Instance:
    """The instance that a JSON value is; raises MalformedInput.

    {"family":"CO","code":…,"reference":[token],"broken":[token],"cards":[{"label":…,"swap":[i,j]}],"budget":{"cards":n}}
    """
    fields = as_object(value, "", ("family", "code", "reference", "broken", "cards", "budget"))
    as_name(fields["family"], "/family", (FAMILY,), "family")
    reference = _tokens(fields["reference"], "/reference")
    broken = _same_tokens(fields["broken"], "/broken", reference)
    cards = as_items(fields["cards"], "/cards", lambda item, at: _card(item, at, len(reference)))
    distinct((card.label for card in cards), "/cards", "label")
    distinct((f"{card.first} and {card.second}" for card in cards), "/cards", "swap")
    budget = as_object(fields["budget"], "/budget", ("cards",))
    return Instance(
        code=as_new_name(as_text(fields["code"], "/code"), "/code"),
        reference=reference,
        broken=broken,
        cards=cards,
        most_cards=as_int(budget["cards"], "/budget/cards", 0, MOST_CARDS),
        card={card.label: card for card in cards},
    )


def write_instance(instance: Instance) -> Json:
    """The JSON that reads as this instance."""
    return {
        "family": FAMILY,
        "code": instance.code,
        "reference": list(instance.reference),
        "broken": list(instance.broken),
        "cards": [{"label": card.label, "swap": [card.first, card.second]} for card in instance.cards],
        "budget": {"cards": instance.most_cards},
    }


def read_label(instance: Instance, value: Json, at: str) -> str:
    """The label of a card of the instance; raises MalformedInput."""
    return as_name(value, at, instance.card, "card")


def read_loop(instance: Instance, value: Json, at: str) -> tuple[str, ...]:
    """An arrangement of the instance's tokens; raises MalformedInput."""
    return _same_tokens(value, at, instance.reference)


def _tokens(value: Json, at: str) -> tuple[str, ...]:
    tokens = as_items(value, at, lambda item, where: as_new_name(as_text(item, where), where))
    if not FEWEST_TOKENS <= len(tokens) <= MOST_TOKENS:
        refuse("out-of-range", at, f"{FEWEST_TOKENS} to {MOST_TOKENS} tokens", str(len(tokens)))
    distinct(tokens, at, "token")
    return tokens


def _same_tokens(value: Json, at: str, tokens: tuple[str, ...]) -> tuple[str, ...]:
    """All of these tokens, each once, in any order."""
    found = as_items(value, at, lambda item, where: as_name(item, where, tokens, "token"))
    if len(found) != len(tokens):
        refuse("contradiction", at, f"each of the {len(tokens)} tokens once", f"{len(found)} tokens")
    distinct(found, at, "token")
    return found


def _card(value: Json, at: str, length: int) -> Card:
    fields = as_object(value, at, ("label", "swap"))
    where = pointer(at, "swap")
    swap = as_list(fields["swap"], where)
    if len(swap) != 2:
        refuse("out-of-range", where, "two positions", str(len(swap)))
    first, second = (as_int(one, pointer(where, index), 1, length) for index, one in enumerate(swap))
    if first >= second:
        refuse("contradiction", where, "the smaller position first, and two different ones", f"{first} and {second}")
    label = pointer(at, "label")
    return Card(as_new_name(as_text(fields["label"], label), label), first, second)
