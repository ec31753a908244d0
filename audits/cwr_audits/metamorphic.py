"""Metamorphic checks: what a world, or a route, says must follow names and orders that mean nothing, and nothing else.

change    a rewriting of an instance after which everything is known from before, by carrying it over:
  names     every vocabulary gets other names, consistently
  lists     arrays whose order means nothing are shuffled
  keys      the keys of all JSON objects are shuffled
  ids       TP: the listed fresh ids are shuffled; a word, which takes them in their order, is named anew
  pins      BC: the pins are shuffled, and the rows of the wanted vectors with them; inputs are sorted by pins
  turn      CO: the reference, which is a loop, is written from another token on
  all       all of these at once
carried   a submission, state or move with the new names in it, read in the changed instance; a word is put into normal
          form there. Where a change is exact the normal form changes nothing (see UP_TO_NORMAL_FORM).
equal     optimum, words and their costs, raw counts, reachable states and classes after the change are those before it,
          carried over; of a submission: verdict, step, codes, cost and final state
RS numbers events of one start by job name, so that there the first illegal event, and what it breaks, may change with
the names; verdict and cost may not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from cwr_audits.agreement import Difference, compare
from cwr_audits.renaming import (
    LISTS,
    Spelling,
    keys_shuffled,
    pins_shuffled,
    reference_turned,
    rename,
    respelt,
    rows_moved,
    shuffled,
)
from cwr_audits.spaces import Space
from cwr_audits.wire import Finding
from cwr_solvers.answers import Answer
from cwr_solvers.errors import UsageError
from cwr_solvers.grading import Verdict, answer_e, answer_p, grade
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, canonical, parse
from cwr_solvers.symmetry import text
from cwr_solvers.world import World

COMMON = ("names", "lists", "keys")
OWN: Mapping[str, tuple[str, ...]] = {"TP": ("ids",), "BC": ("pins",), "CO": ("turn",)}

# Changes after which a carried word may not be in normal form: PA and FT sort a word by names, TP takes fresh ids in
# the order in which they are listed, BC sorts inputs by the order of the pins. All others are exact.
UP_TO_NORMAL_FORM = frozenset({("PA", "names"), ("FT", "names"), ("TP", "ids"), ("BC", "pins")})

# Families that number the steps of a submission by names; there a step is compared where no two events tie.
NUMBERED_BY_NAMES = frozenset({"RS"})


@dataclass(frozen=True, slots=True)
class Changed:
    """A changed instance as JSON, the new names by kind (none where names stay), and the new order of rows (BC)."""

    family: str
    instance: Json
    names: Mapping[str, Spelling]
    rows: tuple[int, ...] = ()


def changes(family: str) -> tuple[str, ...]:
    """The changes that there are for a family, `all` left out."""
    return (*COMMON, *OWN.get(family, ()))


def change(family: str, name: str, instance: Json, scheme: str, draws: Random) -> Changed:
    """The instance (JSON in normal form) after a change; `scheme` is one of SCHEMES. Raises UsageError."""
    if name == "all":
        return _all(family, instance, scheme, draws)
    if name == "names":
        names = respelt(family, instance, scheme, draws)
        return Changed(family, rename(family, "instance", names, instance), names)
    if name == "lists":
        return Changed(family, shuffled(instance, LISTS[family], draws), {})
    if name == "keys":
        return Changed(family, keys_shuffled(instance, draws), {})
    if (family, name) == ("TP", "ids"):
        return Changed(family, shuffled(instance, ("/ids",), draws), {})
    if (family, name) == ("BC", "pins"):
        made, rows = pins_shuffled(instance, draws)
        return Changed(family, made, {}, rows)
    if (family, name) == ("CO", "turn"):
        return Changed(family, reference_turned(instance, draws), {})
    raise UsageError(f"{family} has no change {name!r}")


def _all(family: str, instance: Json, scheme: str, draws: Random) -> Changed:
    whole = Changed(family, instance, {})
    for name in changes(family):
        made = change(family, name, whole.instance, scheme, draws)
        whole = Changed(family, made.instance, made.names or whole.names, made.rows or whole.rows)
    return whole


# --- what must be equal


def exact(world: World, after: Any, changed: Changed, word: bytes) -> bool:
    """Whether a carried word is in normal form as it is."""
    made = _carried(changed, "submission", word)
    return text(world, after, world.normal(after, world.read_submission(after, made))) == canonical(made)


def differences(
    world: World, before: Any, after: Any, changed: Changed, said: Finding, known: Space, says: Finding
) -> tuple[Difference, ...]:
    """What is not equal between the finding on an instance and that on the changed one.

    `before` and `after` are the two instances; `said` is of a route that counts, `known` the space of its words. Raises
    MalformedInput when a word cannot be carried over.
    """
    carried = {word: carry_word(world, after, changed, word) for word in said.answer.words}
    costs = {carried[word]: cost for word, cost in said.answer.words.items()}
    expected = Finding(Answer(said.answer.optimum, costs), said.raw)
    agreement = compare(world, after, {"carried over": expected, "found": says})
    found = list(agreement.differences)
    if len(costs) != len(carried):
        found.append(_difference("number of words", len(carried), len(costs)))
    if None not in (said.reachable_states, says.reachable_states) and said.reachable_states != says.reachable_states:
        found.append(_difference("reachable states", said.reachable_states, says.reachable_states))
    spelt = agreement.sides["found"].space
    if not found and spelt is not None:
        old = _members(world, before, known, carried)
        new = _members(world, after, spelt, {word: word for word in says.answer.words})
        found += [_difference("classes", len(old - new), len(new - old))] if old != new else []
    return tuple(found)


def _members(
    world: World, instance: Any, one: Space, carried: Mapping[bytes, bytes]
) -> set[tuple[frozenset[bytes], int]]:
    """Every class as the set of its words, carried over, with its size."""
    return {
        (frozenset(carried[text(world, instance, word)] for word in found.members), found.size) for found in one.classes
    }


def _difference(subject: str, carried: object, found: object) -> Difference:
    return Difference(subject, ("found",), {"carried over": str(carried), "found": str(found)})


def _carried(changed: Changed, part: str, word: bytes) -> Json:
    return rename(changed.family, part, changed.names, parse(word, SUBMISSION_BYTES, SUBMISSION_DEPTH))


def carry_word(world: World, after: Any, changed: Changed, word: bytes) -> bytes:
    """A word after the change, in normal form; raises MalformedInput when it is no submission there."""
    made = world.read_submission(after, _carried(changed, "submission", word))
    return text(world, after, world.normal(after, made))


def graded_apart(world: World, before: Any, after: Any, changed: Changed, submission: Json) -> tuple[Difference, ...]:
    """What is not equal between the gradings of a submission (JSON of any shape) before and after the change."""
    carried = rename(changed.family, "submission", changed.names, submission)
    old, new = grade(world, before, canonical(submission)), grade(world, after, canonical(carried))
    subjects = ["status", "cost"]
    if not (changed.family in NUMBERED_BY_NAMES and ties(submission)):
        subjects += ["step", "codes"]
    found = [
        _difference(subject, getattr(old, subject), getattr(new, subject))
        for subject in subjects
        if getattr(old, subject) != getattr(new, subject)
    ]
    return tuple(found) or _ends(world, (before, submission, old), (after, carried, new), changed)


def ties(submission: Json) -> bool:
    """Whether two events of a schedule have one start."""
    starts = submission.get("starts") if isinstance(submission, dict) else None
    times = list(starts.values()) if isinstance(starts, dict) else []
    return any(times.count(time) > 1 for time in times)


def _ends(
    world: World, old: tuple[Any, Json, Verdict], new: tuple[Any, Json, Verdict], changed: Changed
) -> tuple[Difference, ...]:
    """The difference between the final states of a submission that is legal before and after."""
    if old[2].cost is None or new[2].cost is None:
        return ()
    states = [
        answer_e(world, instance, world.read_submission(instance, value))["final_state"]  # type: ignore[index,call-overload]
        for instance, value, _ in (old, new)
    ]
    return _states(world, new[0], changed, states[0], states[1])


def carry_state(changed: Changed, state: Json) -> Json:
    """A state (JSON) after the change."""
    carried = rename(changed.family, "state", changed.names, state)
    if changed.rows and isinstance(carried, dict):
        return {**carried, "signals": rows_moved(carried["signals"], changed.rows)}
    return carried


def _states(world: World, after: Any, changed: Changed, old: Json, new: Json) -> tuple[Difference, ...]:
    states = (carry_state(changed, old), new)
    written = [canonical(world.write_state(after, world.read_state(after, state))) for state in states]
    return () if written[0] == written[1] else (_difference("state", written[0], written[1]),)


def stepped_apart(
    world: World, before: Any, after: Any, changed: Changed, state: Json, move: Json
) -> tuple[Difference, ...]:
    """What is not equal between the P answers to one move in one state before and after the change."""
    carried = carry_state(changed, state), rename(changed.family, "move", changed.names, move)
    old, new = (
        answer_p(world, instance, world.read_state(instance, at), world.read_move(instance, made))
        for instance, at, made in ((before, state, move), (after, *carried))
    )
    if not isinstance(old, dict) or not isinstance(new, dict) or old["legal"] != new["legal"]:
        return (_difference("legal", old, new),)
    return _states(world, after, changed, old["next_state"], new["next_state"]) if old["legal"] else ()
