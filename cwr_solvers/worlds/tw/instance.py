"""Token workshop: its data and their strict reading. No rules live here beyond "the initial state keeps
`throughout`"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cwr_solvers.jsontext import LARGEST, Json, pointer
from cwr_solvers.reading import (
    as_counts,
    as_int,
    as_items,
    as_list,
    as_map,
    as_name,
    as_new_name,
    as_object,
    as_text,
    distinct,
    refuse,
)

FAMILY = "TW"
MOST_STEPS = 10_000


@dataclass(frozen=True, slots=True)
class Range:
    """`least` ≤ value, and value ≤ `most` unless `most` is None."""

    least: int
    most: int | None

    def holds(self, value: int) -> bool:
        return self.least <= value and (self.most is None or value <= self.most)


FREE = Range(0, None)
LIMIT = Range(0, LARGEST)  # where nothing else is said of a place, in every state


@dataclass(frozen=True, slots=True)
class Bounds:
    """A range for each place, in the order of the instance's places, and one for the total.

    The same once more for quick reading: `floors` are (index of a place, least) where least is above 0, `caps` are
    (index of a place, most) where there is a most.
    """

    places: tuple[Range, ...]
    total: Range
    floors: tuple[tuple[int, int], ...]
    caps: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Recipe:
    """One recipe: three vectors of weights in the order of the instance's places.

    The same once more for quick reading: `wants` are (index of a place, consumed, read) where either is above 0,
    `makes` are (index of a place, produced) where that is above 0.
    """

    name: str
    consume: tuple[int, ...]
    read: tuple[int, ...]
    produce: tuple[int, ...]
    wants: tuple[tuple[int, int, int], ...]
    makes: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Instance:
    """A workshop; vectors follow `places`. `recipe` finds a recipe by name."""

    code: str
    places: tuple[str, ...]
    initial: tuple[int, ...]
    recipes: tuple[Recipe, ...]
    throughout: Bounds
    goal: Bounds
    most_actions: int
    most_cost: int
    recipe: Mapping[str, Recipe]


def read_instance(value: Json) -> Instance:
    """The instance that a JSON value is; raises MalformedInput.

    {"family":"TW","code":…,"places":[…],"initial":{place:count},"recipes":[{"name":…,"consume":{place:weight},
     "read":{…},"produce":{…}}],"throughout":BOUNDS,"goal":BOUNDS,"budget":{"actions":n,"cost":n}}
    with BOUNDS = {"places":{place:{"min":n,"max":n}},"total":{"min":n,"max":n}}. Places left out of `initial` hold 0,
    of BOUNDS are free, except that no place ever holds more than 2^53; `consume`, `read`, `produce`, `places`, `total`,
    `min` and `max` may be left out.
    """
    fields = as_object(value, "", ("family", "code", "places", "initial", "recipes", "throughout", "goal", "budget"))
    as_name(fields["family"], "/family", (FAMILY,), "family")
    names = as_items(fields["places"], "/places", lambda item, at: as_new_name(as_text(item, at), at))
    places = distinct(names, "/places", "place")
    initial = _vector(fields["initial"], "/initial", places, 0)
    recipes = as_items(fields["recipes"], "/recipes", lambda item, at: _recipe(item, at, places))
    distinct((recipe.name for recipe in recipes), "/recipes", "recipe name")
    throughout = _bounds(fields["throughout"], "/throughout", places, LIMIT)
    _refuse_bad_start(initial, throughout, places)
    budget = as_object(fields["budget"], "/budget", ("actions", "cost"))
    return Instance(
        code=as_new_name(as_text(fields["code"], "/code"), "/code"),
        places=places,
        initial=initial,
        recipes=recipes,
        throughout=throughout,
        goal=_bounds(fields["goal"], "/goal", places, FREE),
        most_actions=as_int(budget["actions"], "/budget/actions", 0, MOST_STEPS),
        most_cost=as_int(budget["cost"], "/budget/cost", 0, MOST_STEPS),
        recipe={recipe.name: recipe for recipe in recipes},
    )


def write_instance(instance: Instance) -> Json:
    """The JSON of an instance, with nothing left out that the reader has as a default other than zeros."""
    return {
        "family": FAMILY,
        "code": instance.code,
        "places": list(instance.places),
        "initial": _sparse(instance.places, instance.initial),
        "recipes": [_write_recipe(instance.places, recipe) for recipe in instance.recipes],
        "throughout": _write_bounds(instance.places, instance.throughout, LIMIT),
        "goal": _write_bounds(instance.places, instance.goal, FREE),
        "budget": {"actions": instance.most_actions, "cost": instance.most_cost},
    }


def read_actions(instance: Instance, value: Json) -> tuple[str, ...]:
    """The recipe names of a submission {"actions":[…]}; raises MalformedInput."""
    actions = as_list(as_object(value, "", ("actions",))["actions"], "/actions")
    known = instance.recipe
    for index, action in enumerate(actions):
        if not isinstance(action, str) or action not in known:
            as_name(action, pointer("/actions", index), known, "recipe")
    return tuple(actions)  # type: ignore[arg-type]


def write_actions(actions: tuple[str, ...]) -> Json:
    """The JSON of a submission."""
    return {"actions": list(actions)}


def _vector(value: Json, at: str, places: tuple[str, ...], low: int) -> tuple[int, ...]:
    counts = as_counts(value, at, places, "place", low, LARGEST)
    return tuple(counts.get(place, 0) for place in places)


def _recipe(value: Json, at: str, places: tuple[str, ...]) -> Recipe:
    fields = as_object(value, at, ("name",), ("consume", "read", "produce"))
    where = pointer(at, "name")
    name = as_new_name(as_text(fields["name"], where), where)
    parts = (_vector(fields.get(part, {}), pointer(at, part), places, 1) for part in ("consume", "read", "produce"))
    consume, read, produce = parts
    pairs = enumerate(zip(consume, read, strict=True))
    wants = tuple((index, used, kept) for index, (used, kept) in pairs if used or kept)
    makes = tuple((index, made) for index, made in enumerate(produce) if made)
    return Recipe(name, consume, read, produce, wants, makes)


def _range(value: Json, at: str, free: Range) -> Range:
    fields = as_object(value, at, (), ("min", "max"))
    least = as_int(fields.get("min", 0), pointer(at, "min"), 0, LARGEST)
    most = as_int(fields["max"], pointer(at, "max"), least, LARGEST) if "max" in fields else free.most
    return Range(least, most)


def _bounds(value: Json, at: str, places: tuple[str, ...], free: Range) -> Bounds:
    fields = as_object(value, at, (), ("places", "total"))
    where = pointer(at, "places")
    ranges: dict[str, Range] = {}
    known = frozenset(places)
    for place, item in as_map(fields.get("places", {}), where).items():
        as_name(place, pointer(where, place), known, "place")
        ranges[place] = _range(item, pointer(where, place), free)
    total = _range(fields.get("total", {}), pointer(at, "total"), FREE)
    ordered = tuple(ranges.get(place, free) for place in places)
    floors = tuple((index, found.least) for index, found in enumerate(ordered) if found.least > 0)
    caps = tuple((index, found.most) for index, found in enumerate(ordered) if found.most is not None)
    return Bounds(ordered, total, floors, caps)


def _refuse_bad_start(initial: tuple[int, ...], bounds: Bounds, places: tuple[str, ...]) -> None:
    for place, amount, allowed in zip(places, initial, bounds.places, strict=True):
        if not allowed.holds(amount):
            refuse("contradiction", pointer("/initial", place), "a count within /throughout", str(amount))
    if not bounds.total.holds(sum(initial)):
        refuse("contradiction", "/initial", "a total within /throughout/total", str(sum(initial)))


def _sparse(places: tuple[str, ...], vector: tuple[int, ...]) -> Json:
    return {place: amount for place, amount in zip(places, vector, strict=True) if amount}


def _write_recipe(places: tuple[str, ...], recipe: Recipe) -> Json:
    vectors = {"consume": recipe.consume, "read": recipe.read, "produce": recipe.produce}
    return {"name": recipe.name, **{part: _sparse(places, vector) for part, vector in vectors.items()}}


def _write_range(allowed: Range, free: Range) -> Json:
    return {"min": allowed.least} if allowed.most == free.most else {"min": allowed.least, "max": allowed.most}


def _write_bounds(places: tuple[str, ...], bounds: Bounds, free: Range) -> Json:
    pairs = zip(places, bounds.places, strict=True)
    ranges: dict[str, Json] = {place: _write_range(allowed, free) for place, allowed in pairs if allowed != free}
    return {"places": ranges, "total": _write_range(bounds.total, FREE)}
