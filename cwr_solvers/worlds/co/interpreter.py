"""Cyclic order: what playing a card does and how it is judged. The rule book is the package docstring.

A move is the label of a card. In states, the loop follows the numbered positions. Standard library only.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cwr_solvers.jsontext import LARGEST, Json, pointer
from cwr_solvers.reading import as_int, as_items, as_list, as_object, distinct, refuse
from cwr_solvers.world import Broken, Choice, Edge, Fault, Submission, no_exchanges
from cwr_solvers.worlds.co.instance import Card, Instance, read_label, read_loop


class State(NamedTuple):
    """The tokens on the positions, the labels of the cards played so far, and their number, which is also the cost."""

    loop: tuple[str, ...]
    played: frozenset[str]
    steps: int
    cost: int


commutes = False
exchanges = no_exchanges


def initial(instance: Instance) -> State:
    """The state before any card."""
    return State(instance.broken, frozenset(), 0, 0)


def step(instance: Instance, state: State, label: str) -> State | Broken:
    """The state after one card is played, or the rule that this breaks."""
    fault = r1_once(instance, state, label)
    if fault is not None:
        return Broken((fault,))
    after = play(state, instance.card[label])
    fault = r2_budget(instance, after)
    return after if fault is None else Broken((fault,))


def play(state: State, card: Card) -> State:
    """The effect of a card: the tokens on its two positions change places."""
    loop = list(state.loop)
    first, second = card.first - 1, card.second - 1
    loop[first], loop[second] = loop[second], loop[first]
    return State(tuple(loop), state.played | {card.label}, state.steps + 1, state.cost + 1)


def r1_once(instance: Instance, state: State, label: str) -> Fault | None:
    """R1: the card has not been played before."""
    if label not in state.played:
        return None
    played = ", ".join(_played(instance, state))
    return Fault("R1", f"{label} among the cards played so far ({played})", f"{label} not played before")


def r2_budget(instance: Instance, after: State) -> Fault | None:
    """R2: the number of cards played is within its budget."""
    if len(after.played) <= instance.most_cards:
        return None
    return Fault("R2", f"card number {len(after.played)}", f"at most {instance.most_cards} cards")


def g_goal(instance: Instance, state: State) -> Fault | None:
    """G: the loop equals the reference up to rotation."""
    found = turned(state.loop, instance.reference[0])
    if found == instance.reference:
        return None
    needed = f"{' '.join(instance.reference)} in reading direction, from any position on"
    return Fault("G", f"{' '.join(found)} in reading direction", needed)


def turned(loop: tuple[str, ...], token: str) -> tuple[str, ...]:
    """The loop as it reads from one of its tokens on: no token comes twice, so equal loops read alike from there."""
    start = loop.index(token)
    return loop[start:] + loop[:start]


def terminal(_instance: Instance, state: State) -> State:
    """The state itself: nothing happens after the last card."""
    return state


def unmet(instance: Instance, state: State, _choice: Choice) -> tuple[Fault, ...]:
    """The fault of the goal, if any."""
    fault = g_goal(instance, state)
    return () if fault is None else (fault,)


def moves(instance: Instance, _state: State) -> Iterable[str]:
    """Every card."""
    return instance.card


def choices(_instance: Instance, _state: State) -> tuple[Choice, ...]:
    """A repair has no final choice."""
    return (None,)


def key(_instance: Instance, state: State) -> State:
    """The state itself: playing a card chooses no names."""
    return state


normal_moves = moves


def normal(_instance: Instance, submission: Submission[str]) -> Submission[str]:
    """The submission itself: playing a card chooses no names."""
    return submission


def namings(_instance: Instance, _submission: Submission[str]) -> int:
    """1: playing a card chooses no names."""
    return 1


def read_submission(instance: Instance, value: Json) -> Submission[str]:
    """The submission {"cards":[label,…]}; raises MalformedInput."""
    cards = as_list(as_object(value, "", ("cards",))["cards"], "/cards")
    known = instance.card
    labels = [
        item if isinstance(item, str) and item in known else read_label(instance, item, pointer("/cards", index))
        for index, item in enumerate(cards)
    ]
    return Submission(tuple(labels))


def write_submission(_instance: Instance, submission: Submission[str]) -> Json:
    """The JSON of a submission."""
    return {"cards": list(submission.moves)}


def read_move(instance: Instance, value: Json) -> str:
    """A move, written as the label of the card; raises MalformedInput."""
    return read_label(instance, value, "")


def write_move(_instance: Instance, label: str) -> Json:
    """The JSON of a move."""
    return label


def read_state(instance: Instance, value: Json) -> State:
    """The state {"loop":[token,…],"played":[label,…],"steps":n,"cost":n}; raises MalformedInput.

    The loop need not come from the played cards, which may stand in any order; `steps` and `cost` are their number.
    """
    fields = as_object(value, "", ("loop", "played", "steps", "cost"))
    loop = read_loop(instance, fields["loop"], "/loop")
    labels = as_items(fields["played"], "/played", lambda item, at: read_label(instance, item, at))
    played = frozenset(distinct(labels, "/played", "card"))
    for part in ("steps", "cost"):
        number = as_int(fields[part], pointer("", part), 0, LARGEST)
        if number != len(played):
            refuse("contradiction", pointer("", part), f"{len(played)}, the number of played cards", str(number))
    return State(loop, played, len(played), len(played))


def write_state(instance: Instance, state: State) -> Json:
    """The JSON of a state: the played cards stand in the order of the instance."""
    played: list[Json] = [*_played(instance, state)]
    return {"loop": list(state.loop), "played": played, "steps": state.steps, "cost": state.cost}


def _played(instance: Instance, state: State) -> list[str]:
    """The labels of the played cards in the order of the instance; a set has no order of its own."""
    return [label for label in instance.card if label in state.played]


def edges(instance: Instance, submission: Submission[str]) -> tuple[Edge, ...]:
    """Which cards put the tokens of each card's positions there, sorted.

    For both positions of the card `target` an edge, labelled with the number of the position, from the last card before
    it that changed the token on this position, or from -1 where none did. The rules are not looked at.
    """
    last: dict[int, int] = {}
    found: list[Edge] = []
    for number, label in enumerate(submission.moves):
        card = instance.card[label]
        for position in (card.first, card.second):
            found.append(Edge(last.get(position, -1), number, str(position)))
            last[position] = number
    return tuple(sorted(found))
