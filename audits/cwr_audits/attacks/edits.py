"""Every submission at most one edit away from a submission, as JSON.

kind        edit
none        the submission itself
delete      an item of a list is left out: a move, an argument, an output; or a key of an object of free keys
duplicate   an item of a list stands twice, one after the other, or once more at the end
swap        two items of a list, or the values of two free keys, change places
substitute  a name or number becomes another one of its vocabulary
insert      a move of the vocabulary stands at some place; where that makes more than MOST_INSERTED, every move of
            the submission itself at every place
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from cwr_audits.attacks.vocabulary import VOCABULARIES
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.world import World

KINDS = ("none", "delete", "duplicate", "swap", "substitute", "insert")
MOST_INSERTED = 4000

Edit = tuple[str, Json]  # kind, the submission after the edit


def neighbours(world: World, instance: Any, submissions: Sequence[Json]) -> dict[bytes, str]:
    """{canonical JSON: kind} of these submissions and all that are one edit away from one of them, each once."""
    found = {canonical(submission): "none" for submission in submissions}
    tokens = VOCABULARIES[world.family].tokens(instance)
    for submission in submissions:
        for kind, edited in (*_edits(submission, tokens, None), *_inserted(world, instance, submission)):
            found.setdefault(canonical(edited), kind)
    return found


def _edits(value: Json, tokens: Mapping[str, Sequence[Json]], field: str | None) -> Iterator[Edit]:
    """The edits inside a value that belongs to a field (None: to none yet)."""
    if isinstance(value, dict):
        free = field is not None and not any(key in tokens for key in value)
        if free:
            yield from _keys(value)
        for key, item in value.items():
            for kind, edited in _edits(item, tokens, key if key in tokens else field):
                yield kind, {**value, key: edited}
    elif isinstance(value, list):
        yield from _items(value)
        for place, item in enumerate(value):
            for kind, edited in _edits(item, tokens, field):
                yield kind, [*value[:place], edited, *value[place + 1 :]]
    elif field is not None:
        for token in tokens[field]:
            if token != value:
                yield "substitute", token


def _items(items: list[Json]) -> Iterator[Edit]:
    for place, item in enumerate(items):
        yield "delete", [*items[:place], *items[place + 1 :]]
        yield "duplicate", [*items[:place], item, *items[place:]]
        yield "duplicate", [*items, item]
    for one, other in combinations(range(len(items)), 2):
        swapped = list(items)
        swapped[one], swapped[other] = items[other], items[one]
        yield "swap", swapped


def _keys(value: dict[str, Json]) -> Iterator[Edit]:
    for key in value:
        yield "delete", {other: item for other, item in value.items() if other != key}
    for one, other in combinations(value, 2):
        yield "swap", {**value, one: value[other], other: value[one]}


def _inserted(world: World, instance: Any, submission: Json) -> Iterator[Edit]:
    """Insertions into the list of moves, where the submission has one."""
    if not isinstance(submission, dict):
        return
    for key, items in submission.items():
        if isinstance(items, list):
            moves = list(VOCABULARIES[world.family].moves(instance))
            if len(moves) * (len(items) + 1) > MOST_INSERTED:
                moves = items
            for place in range(len(items) + 1):
                for move in moves:
                    yield "insert", {**submission, key: [*items[:place], move, *items[place:]]}
