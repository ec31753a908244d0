"""Near misses of JSON values: one place changed at a time, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cwr_solvers.jsontext import Json

Place = tuple[str, ...]  # keys on the way down; "" stands for any place of an array


def leaves(value: Json, place: Place = ()) -> Iterator[tuple[Place, Json]]:
    """Every scalar with its place."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*place, key))
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item, (*place, ""))
    else:
        yield place, value


def vocabulary(values: Sequence[Json]) -> dict[Place, list[Json]]:
    """The scalars that occur at each place in some of the values, each once, in order of occurrence."""
    found: dict[Place, list[Json]] = {}
    for value in values:
        for place, leaf in leaves(value):
            known = found.setdefault(place, [])
            if leaf not in known:
                known.append(leaf)
    return found


def regrouped(value: Json, words: dict[Place, list[Json]], place: Place = ()) -> Iterator[Json]:
    """The value with one scalar replaced by another of its place, or one array shortened, lengthened or doubled in."""
    if isinstance(value, dict):
        for key, item in value.items():
            for changed in regrouped(item, words, (*place, key)):
                yield {**value, key: changed}
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield [*value[:index], *value[index + 1 :]]
            yield [*value, item]
            for changed in regrouped(item, words, (*place, "")):
                yield [*value[:index], changed, *value[index + 1 :]]
    else:
        yield from (word for word in words.get(place, []) if word != value)


def broken(value: Json) -> Iterator[Json]:
    """The value with one place made to be of another type, or one key left out, or one key too many."""
    strange: list[Json] = [None, True, -1, 2**53, "", "no such name", [], {}, [[]]]
    yield from strange
    if isinstance(value, dict):
        yield {**value, "no such key": 0}
        for key, item in value.items():
            yield {other: kept for other, kept in value.items() if other != key}
            for changed in broken(item):
                yield {**value, key: changed}
    elif isinstance(value, list):
        for index, item in enumerate(value):
            for changed in broken(item):
                yield [*value[:index], changed, *value[index + 1 :]]
