"""Names and orders that mean nothing: where they stand in each family's JSON, as data, and other ones in their place.

A document is an instance, a submission, a move or a state, as JSON. What is renamed or shuffled here is the same again
up to names and order; what must follow from that is said in `cwr_audits.metamorphic`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import count, product
from random import Random
from typing import Any

from cwr_solvers.jsontext import LARGEST, Json, canonical
from cwr_solvers.sampling import pick, some

Spelling = Mapping[bytes, Json]  # canonical JSON of an old name -> the new name


@dataclass(frozen=True, slots=True)
class Names:
    """Where the names of one vocabulary stand, as paths; those of the instance that declare a name come first.

    A path is a list of steps: a key; `*`, every item of an array or value of an object; `{kind}`, every value of an
    object whose key is a name of that kind; and as last step `~`, the keys of an object. `` is the document itself.

    never   a regular expression for what the rule book excludes as a name here
    joined  the kinds of which these names are made, with a dot between; such names are declared by their parts
    """

    declared: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    submission: tuple[str, ...] = ()
    move: tuple[str, ...] = ()
    state: tuple[str, ...] = ()
    never: str = ""
    joined: tuple[str, ...] = ()


NAMES: Mapping[str, Mapping[str, Names]] = {
    "TW": {
        "place": Names(
            declared=("/places/*",),
            used=(
                "/initial/~",
                "/recipes/*/consume/~",
                "/recipes/*/read/~",
                "/recipes/*/produce/~",
                "/throughout/places/~",
                "/goal/places/~",
            ),
            state=("/counts/~",),
        ),
        "recipe": Names(declared=("/recipes/*/name",), submission=("/actions/*",), move=("",)),
    },
    "TP": {
        "type": Names(
            declared=("/types/~",),
            used=("/operations/*/inputs/*", "/operations/*/outputs/*", "/initial/*/type", "/goal/values/*/type"),
            state=("/live/*/type",),
        ),
        "value": Names(
            declared=("/types/*/*",),
            used=(
                "/operations/*/table/*/in/*",
                "/operations/*/table/*/out/*",
                "/initial/*/value",
                "/goal/values/*/value",
            ),
            state=("/live/*/value",),
        ),
        "operation": Names(declared=("/operations/*/name",), submission=("/steps/*/op",), move=("/op",)),
        "id": Names(
            declared=("/initial/~", "/ids/*"),
            submission=("/steps/*/args/*", "/steps/*/out/*"),
            move=("/args/*", "/out/*"),
            state=("/live/~", "/allocated/*"),
        ),
    },
    "RS": {
        "resource": Names(declared=("/resources/~",), used=("/jobs/*/demand/~",), state=("/free/~",)),
        "job": Names(
            declared=("/jobs/*/name",),
            used=("/jobs/*/after/*",),
            submission=("/starts/~",),
            move=("/job",),
            state=("/jobs/~",),
        ),
    },
    "BC": {
        "pin": Names(
            declared=("/pins/*",),
            submission=("/gates/*/inputs/*", "/output", "/outputs/*"),
            move=("/inputs/*",),
            state=("/signals/~",),
            never="g[0-9]+",
        ),
        "operator": Names(
            declared=("/operators/*/name",), used=("/motif/*",), submission=("/gates/*/op",), move=("/op",)
        ),
        "output": Names(declared=("/goal/outputs/~",), submission=("/outputs/~",)),
    },
    "KL": {
        "node": Names(
            declared=("/nodes/*",),
            used=("/carrier", "/objects/*/at", "/edges/*/from", "/edges/*/to", "/goal/carrier", "/goal/locations/*"),
            state=("/carrier", "/locations/*"),
            never="held|consumed",
        ),
        "object or edge": Names(
            declared=("/objects/*/name", "/edges/*/name"),
            used=("/edges/*/key", "/goal/locations/~"),
            submission=("/actions/*/arg",),
            move=("/arg",),
            state=("/locations/~",),
        ),
    },
    "PS": {
        "field": Names(
            declared=("/fields/*/name",),
            used=(
                "/operations/*/when/*/field",
                "/operations/*/then/~",
                "/invariants/*/*/field",
                "/goal/*/field",
                "/resource/field",
            ),
            state=("/~",),
            never="steps|cost",
        ),
        "value": Names(
            declared=("/fields/*/values/*",),
            used=(
                "/fields/*/initial",
                "/operations/*/when/*/is",
                "/operations/*/when/*/not",
                "/operations/*/then/*",
                "/invariants/*/*/is",
                "/invariants/*/*/not",
                "/goal/*/is",
                "/goal/*/not",
                "/resource/free",
                "/resource/held",
            ),
            state=("/{field}",),
        ),
        "operation": Names(declared=("/operations/*/name",), submission=("/actions/*",), move=("",)),
    },
    "PA": {
        "component": Names(
            declared=("/components/*/name",),
            used=(
                "/forbidden/*",
                "/alike/*/*",
                "/goal/paths/*/from",
                "/goal/paths/*/to",
                "/roles/splitters/*",
                "/roles/sink",
                "/roles/spares/*",
            ),
            never=r".*\..*",
        ),
        "port": Names(declared=("/components/*/inputs/~", "/components/*/outputs/~")),
        "type": Names(declared=("/components/*/inputs/*", "/components/*/outputs/*")),
        "kind": Names(declared=("/components/*/kind",)),
        "component.port": Names(
            used=("/twins/*/*", "/goal/connected/*"),
            submission=("/connections/*/from", "/connections/*/to"),
            move=("/from", "/to"),
            state=("/connections/*/from", "/connections/*/to"),
            joined=("component", "port"),
        ),
    },
    "FT": {
        "piece": Names(
            declared=("/pieces/*/name",),
            submission=("/placements/*/piece",),
            move=("/piece",),
            state=("/placements/*/piece",),
        ),
        "colour": Names(
            declared=(
                "/board/border",
                "/pieces/*/cells/*/top",
                "/pieces/*/cells/*/right",
                "/pieces/*/cells/*/bottom",
                "/pieces/*/cells/*/left",
            )
        ),
    },
    "CO": {
        "token": Names(declared=("/reference/*",), used=("/broken/*",), state=("/loop/*",)),
        "card": Names(declared=("/cards/*/label",), submission=("/cards/*",), move=("",), state=("/played/*",)),
    },
}
CODE = Names(declared=("/code",))

# arrays whose order means nothing, not even to the normal form of a word
LISTS: Mapping[str, tuple[str, ...]] = {
    "TW": ("/places", "/recipes"),
    "TP": ("/types/*", "/operations", "/operations/*/table", "/goal/values"),
    "RS": ("/jobs", "/jobs/*/after"),
    "BC": ("/operators",),
    "KL": ("/nodes", "/objects", "/edges"),
    "PS": (
        "/fields",
        "/fields/*/values",
        "/operations",
        "/operations/*/when",
        "/invariants",
        "/invariants/*",
        "/goal",
    ),
    "PA": (
        "/components",
        "/forbidden",
        "/twins",
        "/twins/*",
        "/alike",
        "/alike/*",
        "/goal/connected",
        "/goal/paths",
        "/roles/splitters",
        "/roles/spares",
    ),
    "FT": ("/board/holes", "/pieces", "/pieces/*/cells", "/motif/contacts"),
    "CO": ("/cards",),
}


# --- names


def vocabulary(family: str, instance: Json) -> dict[str, tuple[Json, ...]]:
    """The declared names of each kind, each once, sorted by canonical JSON."""
    found: dict[str, dict[bytes, Json]] = {}
    for kind, about in _kinds(family).items():
        known = found.setdefault(kind, {})
        for path in about.declared:
            known.update((canonical(name), name) for name in _at(instance, _steps(path)))
    return {kind: tuple(known[key] for key in sorted(known)) for kind, known in found.items()}


def respelt(family: str, instance: Json, scheme: str, draws: Random) -> dict[str, Spelling]:
    """New names for the whole vocabulary of an instance, by a scheme."""
    found: dict[str, Spelling] = {}
    for kind, old in vocabulary(family, instance).items():
        new = SCHEMES[scheme](old, partial(excluded, _kinds(family)[kind].never), draws)
        found[kind] = {canonical(name): spelt for name, spelt in zip(old, new, strict=True)}
    return found


def rename(family: str, part: str, names: Mapping[str, Spelling], document: Json) -> Json:
    """A document with new names; `part` is instance, submission, move or state. Other words stay as they are."""
    return _renamed(document, places(family, part), names) if names else document


Where = Sequence[tuple[tuple[str, ...], str, tuple[str, ...]]]  # steps of a path, the kind of name there, its parts


@cache
def places(family: str, part: str) -> Where:
    """The paths of a document at which names stand."""
    found = []
    for kind, about in _kinds(family).items():
        paths = (*about.declared, *about.used) if part == "instance" else getattr(about, part)
        found += [(_steps(path), kind, about.joined) for path in paths]
    return found


def _kinds(family: str) -> dict[str, Names]:
    return {**NAMES[family], "code": CODE}


def _steps(path: str) -> tuple[str, ...]:
    return tuple(path.split("/")[1:])


def _spelt(names: Mapping[str, Spelling], kind: str, joined: tuple[str, ...], name: Json) -> Json:
    """The new spelling of a name; what is no name of the kind stays, or it would become one when it is a new name."""
    if not joined:
        spelling = names.get(kind, {})
        return spelling[canonical(name)] if canonical(name) in spelling else _stranger(spelling, name)
    parts = name.split(".", len(joined) - 1) if isinstance(name, str) else []
    if len(parts) != len(joined):
        return name
    return ".".join(str(_spelt(names, own, (), part)) for own, part in zip(joined, parts, strict=True))


def _stranger(spelling: Spelling, name: Json) -> Json:
    """A word that is no name, spelt so that it is none among the new names either."""
    while isinstance(name, str) and name in spelling.values():
        name += "≠"
    return name


def _renamed(value: Json, where: Where, names: Mapping[str, Spelling]) -> Json:
    for steps, kind, joined in where:
        if not steps:
            return _spelt(names, kind, joined, value)
    if isinstance(value, list):
        below = [(steps[1:], kind, joined) for steps, kind, joined in where if steps[0] == "*"]
        return [_renamed(item, below, names) for item in value] if below else value
    if isinstance(value, dict) and where:
        return {_key(key, where, names): _below(key, item, where, names) for key, item in value.items()}
    return value


def _key(key: str, where: Where, names: Mapping[str, Spelling]) -> str:
    for steps, kind, joined in where:
        if steps == ("~",):
            return str(_spelt(names, kind, joined, key))
    return key


def _below(key: str, item: Json, where: Where, names: Mapping[str, Spelling]) -> Json:
    below = [(steps[1:], kind, joined) for steps, kind, joined in where if _fits(steps[0], key, names)]
    return _renamed(item, below, names) if below else item


def _fits(step: str, key: str, names: Mapping[str, Spelling]) -> bool:
    """Whether a step of a path leads through a key of an object; names that look like steps are no keys of a path."""
    if step in ("*", "~"):
        return step == "*"
    return canonical(key) in names.get(step[1:-1], {}) if step.startswith("{") else step == key


def _at(value: Json, steps: tuple[str, ...]) -> Iterator[Json]:
    """What stands at a path: values, or for `~` keys."""
    if not steps:
        yield value
    elif isinstance(value, list):
        for item in value if steps[0] == "*" else ():
            yield from _at(item, steps[1:])
    elif isinstance(value, dict):
        if steps == ("~",):
            yield from value
        for key, item in value.items():
            if _fits(steps[0], key, {}):
                yield from _at(item, steps[1:])


# --- schemes: new names for old ones


Scheme = Callable[[Sequence[Json], Callable[[str], bool], Random], list[Json]]


def excluded(pattern: str, name: str) -> bool:
    return bool(pattern) and re.fullmatch(pattern, name) is not None


def _pool(pieces: Sequence[str], excluded: Callable[[str], bool], number: int) -> list[str]:
    """So many names made of the pieces, the shortest first, each once."""
    found: dict[str, None] = {}
    for length in count(1):
        for parts in product(pieces, repeat=length):
            if len(found) == number:
                return list(found)
            name = "".join(parts)
            if not excluded(name):
                found[name] = None
    raise AssertionError("count() has no end")


def _spelling(pieces: Sequence[str], values: Callable[[int], list[int]]) -> Scheme:
    """The scheme that spells names with the pieces; `values` gives the n-th value where a name is a list (TP)."""

    def spell(old: Sequence[Json], excluded: Callable[[str], bool], draws: Random) -> list[Json]:
        if any(isinstance(name, list) for name in old):
            lists: list[Json] = [[*values(number)] for number in range(len(old))]
            return some(draws, lists, len(lists))
        made: list[Json] = list(_pool(pieces, excluded, len(old)))
        return some(draws, made, len(made))

    return spell


def _permuted(old: Sequence[Json], _excluded: Callable[[str], bool], draws: Random) -> list[Json]:
    """The names that there are, among each other."""
    return some(draws, old, len(old))


def _reversed(old: Sequence[Json], _excluded: Callable[[str], bool], _draws: Random) -> list[Json]:
    """Plain names in the opposite order."""
    last = len(old) - 1
    if any(isinstance(name, list) for name in old):
        return [[last - number] for number in range(len(old))]
    return [f"n{last - number:03d}" for number in range(len(old))]


def _mixed(old: Sequence[Json], excluded: Callable[[str], bool], draws: Random) -> list[Json]:
    """Words that mean something elsewhere; where a name may be an integer (PS), 0, "0", 1, "1", … in turn."""
    if any(isinstance(name, int) for name in old):
        return [number // 2 if number % 2 else str(number // 2) for number in range(len(old))]
    return _spelling(WORDS, lambda number: [number - LARGEST])(old, excluded, draws)


WORDS = (
    *("g0", "g1", "held", "consumed", "steps", "cost", "output", "0", "1", "-1", "null", "true", "None", "idle"),
    *("free", "start", "name", "at", "at0", "pickup", "move", "forbidden", "allowed", "action", "action0", "x", "y"),
)
ESCAPED = ('"', "\\", "/", "~", "~0", "~1", "%", "'", "<", "&", "{", "}", "[", "]", "\\n", "\\u0041", "é", "e\u0301")
# code points above U+FFFF are written with surrogates, which sort below U+E000 to U+FFFF in UTF-16
ASTRAL = ("\uff21", "\U0001f600", "\ufb01", "\U00010400", "z", "\uffe5")
GLUED = ("a", "_", "1", "-", ".", ":", "!", "|")

SCHEMES: Mapping[str, Scheme] = {
    "permuted": _permuted,
    "reversed": _reversed,
    "escaped": _spelling(ESCAPED, lambda number: [1] * number),
    "astral": _spelling(ASTRAL, lambda number: [number, -number]),
    "glued": _spelling(GLUED, lambda number: [1] * number),
    "mixed": _mixed,
    "long": _spelling([f"{'x' * 60}{number:04d}" for number in range(1000)], lambda number: [7] * 40 + [number]),
}


# --- orders


def shuffled(document: Json, paths: Sequence[str], draws: Random) -> Json:
    """The document with the arrays at these paths shuffled."""
    return _shuffled(document, [_steps(path) for path in paths], draws)


def _shuffled(value: Json, active: list[tuple[str, ...]], draws: Random) -> Json:
    if isinstance(value, list):
        below = [steps[1:] for steps in active if steps and steps[0] == "*"]
        made = [_shuffled(item, below, draws) for item in value]
        return some(draws, made, len(made)) if () in active else made
    if isinstance(value, dict):
        return {
            key: _shuffled(item, [steps[1:] for steps in active if steps and _fits(steps[0], key, {})], draws)
            for key, item in value.items()
        }
    return value


def keys_shuffled(value: Json, draws: Random) -> Json:
    """The document with the keys of every object shuffled."""
    if isinstance(value, list):
        return [keys_shuffled(item, draws) for item in value]
    if isinstance(value, dict):
        return {key: keys_shuffled(value[key], draws) for key in some(draws, list(value), len(value))}
    return value


def pins_shuffled(instance: Json, draws: Random) -> tuple[Json, tuple[int, ...]]:
    """As `pins_ordered`, in an order that is drawn."""
    fields: dict[str, Any] = dict(instance) if isinstance(instance, dict) else {}
    number = len(fields["pins"])
    return pins_ordered(instance, some(draws, range(number), number))


def pins_ordered(instance: Json, order: Sequence[int]) -> tuple[Json, tuple[int, ...]]:
    """The circuit task with its pins in another order, and for every row of a vector the row from which it comes.

    The new pin at place i is the old one at place order[i].
    """
    fields: dict[str, Any] = dict(instance) if isinstance(instance, dict) else {}
    number = len(order)
    rows = tuple(
        sum((row >> (number - 1 - new) & 1) << (number - 1 - old) for new, old in enumerate(order))
        for row in range(1 << number)
    )
    goal = fields["goal"]
    wanted = {"outputs": rows_moved(goal["outputs"], rows)} if "outputs" in goal else rows_moved(goal, rows)
    return {**fields, "pins": [fields["pins"][old] for old in order], "goal": wanted}, rows


def rows_moved(vectors: Json, rows: Sequence[int]) -> Json:
    """An object of vectors with their rows in the order of `rows`; a vector of another length stays."""
    if not isinstance(vectors, dict):
        return vectors
    return {
        name: [vector[row] for row in rows] if isinstance(vector, list) and len(vector) == len(rows) else vector
        for name, vector in vectors.items()
    }


def reference_turned(instance: Json, draws: Random) -> Json:
    """As one of `references_turned` but for the instance itself, drawn."""
    return pick(draws, list(references_turned(instance))[1:])


def references_turned(instance: Json) -> Iterator[Json]:
    """The repair task (CO) with its reference from each of its tokens on; the instance itself comes first."""
    fields: dict[str, Any] = dict(instance) if isinstance(instance, dict) else {}
    reference = fields["reference"]
    for start in range(len(reference)):
        yield {**fields, "reference": reference[start:] + reference[:start]}
