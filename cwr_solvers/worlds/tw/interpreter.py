"""Token workshop: what its actions do and how they are judged. The rule book is the package docstring.

A move is a recipe name. In states and recipes, vectors follow the instance's places. Standard library only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cwr_solvers.jsontext import LARGEST, Json, pointer
from cwr_solvers.reading import as_int, as_name, as_object
from cwr_solvers.world import Broken, Choice, Edge, Fault, Submission, no_exchanges
from cwr_solvers.worlds.tw.instance import Bounds, Instance, Range, Recipe, read_actions, write_actions


class State(NamedTuple):
    """Tokens by place, how many actions led here, and what they cost."""

    counts: tuple[int, ...]
    steps: int
    cost: int


commutes = True
exchanges = no_exchanges


def initial(instance: Instance) -> State:
    """The state before any action."""
    return State(instance.initial, 0, 0)


def step(instance: Instance, state: State, action: str) -> State | Broken:
    """The state after one action, or all rules that it breaks."""
    recipe = instance.recipe[action]
    fault = r1_tokens(instance, state, recipe)
    if fault is not None:
        return Broken((fault,))
    after = apply(state, recipe)
    faults = [fault for rule in _AFTER if (fault := rule(instance, after)) is not None]
    return Broken(tuple(faults)) if faults else after


def apply(state: State, recipe: Recipe) -> State:
    """The effect of a recipe whose tokens are there: consumed ones leave, then produced ones come."""
    counts = list(state.counts)
    for index, used, _ in recipe.wants:
        counts[index] -= used
    for index, made in recipe.makes:
        counts[index] += made
    return State(tuple(counts), state.steps + 1, state.cost + 1)


def r1_tokens(instance: Instance, state: State, recipe: Recipe) -> Fault | None:
    """R1: every place holds at least consumed + read tokens."""
    counts = state.counts
    short = [want for want in recipe.wants if counts[want[0]] < want[1] + want[2]]
    if not short:
        return None
    found = ", ".join(f"{instance.places[i]} {counts[i]}" for i, _, _ in short)
    needed = ", ".join(f"{instance.places[i]} at least {used} consumed + {read} read" for i, used, read in short)
    return Fault("R1", found, f"{needed} by {recipe.name}")


def r2_maximum(instance: Instance, after: State) -> Fault | None:
    """R2: no place is above its maximum."""
    counts = after.counts
    over = [index for index, most in instance.throughout.caps if counts[index] > most]
    return _outside("R2", instance, after, instance.throughout, over) if over else None


def r3_minimum(instance: Instance, after: State) -> Fault | None:
    """R3: no place is below its minimum."""
    counts = after.counts
    under = [index for index, least in instance.throughout.floors if counts[index] < least]
    return _outside("R3", instance, after, instance.throughout, under) if under else None


def r4_total(instance: Instance, after: State) -> Fault | None:
    """R4: the total of all tokens is within its bounds."""
    total = sum(after.counts)
    allowed = instance.throughout.total
    return None if allowed.holds(total) else Fault("R4", f"total {total}", f"total {_range(allowed)}")


def r5_actions(instance: Instance, after: State) -> Fault | None:
    """R5: the number of actions is within its budget."""
    if after.steps <= instance.most_actions:
        return None
    return Fault("R5", f"action number {after.steps}", f"at most {instance.most_actions} actions")


def r6_cost(instance: Instance, after: State) -> Fault | None:
    """R6: the cost is within its budget."""
    if after.cost <= instance.most_cost:
        return None
    return Fault("R6", f"cost {after.cost}", f"cost of at most {instance.most_cost}")


_AFTER = (r2_maximum, r3_minimum, r4_total, r5_actions, r6_cost)


def g_goal(instance: Instance, state: State) -> Fault | None:
    """G: every place and the total are within the goal's bounds."""
    goal, counts = instance.goal, state.counts
    wrong = [index for index, least in goal.floors if counts[index] < least]
    wrong += [index for index, most in goal.caps if counts[index] > most]
    total = sum(counts)
    if goal.total.holds(total):
        return _outside("G", instance, state, goal, sorted(wrong)) if wrong else None
    if not wrong:
        return Fault("G", f"total {total}", f"total {_range(goal.total)}")
    fault = _outside("G", instance, state, goal, sorted(wrong))
    return Fault("G", f"{fault.found}, total {total}", f"{fault.needed}, total {_range(goal.total)}")


def _outside(rule: str, instance: Instance, state: State, bounds: Bounds, which: Sequence[int]) -> Fault:
    found = ", ".join(f"{instance.places[i]} {state.counts[i]}" for i in which)
    needed = ", ".join(f"{instance.places[i]} {_range(bounds.places[i])}" for i in which)
    return Fault(rule, found, needed)


def _range(allowed: Range) -> str:
    if allowed.most is None:
        return f"at least {allowed.least}"
    return f"exactly {allowed.least}" if allowed.least == allowed.most else f"from {allowed.least} to {allowed.most}"


def terminal(_instance: Instance, state: State) -> State:
    """The state itself: nothing happens after the last action."""
    return state


def unmet(instance: Instance, state: State, _choice: Choice) -> tuple[Fault, ...]:
    """The fault of the goal, if any."""
    fault = g_goal(instance, state)
    return () if fault is None else (fault,)


def moves(instance: Instance, _state: State) -> tuple[str, ...]:
    """Every recipe."""
    return tuple(instance.recipe)


def choices(_instance: Instance, _state: State) -> tuple[Choice, ...]:
    """A workshop has no final choice."""
    return (None,)


def key(_instance: Instance, state: State) -> State:
    """The state itself: an action chooses no names."""
    return state


normal_moves = moves


def normal(_instance: Instance, submission: Submission[str]) -> Submission[str]:
    """The submission itself: an action chooses no names."""
    return submission


def namings(_instance: Instance, _submission: Submission[str]) -> int:
    """1: an action chooses no names."""
    return 1


def read_submission(instance: Instance, value: Json) -> Submission[str]:
    """The submission {"actions":[…]}; raises MalformedInput."""
    return Submission(read_actions(instance, value))


def write_submission(_instance: Instance, submission: Submission[str]) -> Json:
    """The JSON of a submission."""
    return write_actions(submission.moves)


def read_move(instance: Instance, value: Json) -> str:
    """An action, written as the recipe's name; raises MalformedInput."""
    return as_name(value, "", instance.recipe, "recipe")


def write_move(_instance: Instance, action: str) -> Json:
    """The JSON of an action."""
    return action


def read_state(instance: Instance, value: Json) -> State:
    """The state {"counts":{place:n},"steps":n,"cost":n} with every place; raises MalformedInput."""
    fields = as_object(value, "", ("counts", "steps", "cost"))
    counts = as_object(fields["counts"], "/counts", instance.places)
    return State(
        tuple(as_int(counts[place], pointer("/counts", place), 0, LARGEST) for place in instance.places),
        as_int(fields["steps"], "/steps", 0, LARGEST),
        as_int(fields["cost"], "/cost", 0, LARGEST),
    )


def write_state(instance: Instance, state: State) -> Json:
    """The JSON of a state."""
    counts: dict[str, Json] = dict(zip(instance.places, state.counts, strict=True))
    return {"counts": counts, "steps": state.steps, "cost": state.cost}


def edges(instance: Instance, submission: Submission[str]) -> tuple[Edge, ...]:
    """One way the tokens of a legal submission may have flowed: oldest token first.

    An action consumes the oldest tokens of a place, then reads the oldest that are left there; initial tokens are the
    oldest. An edge says that `target` consumed ("consume:PLACE") or read ("read:PLACE") at least one token that
    `source` produced. Edges are sorted. Raises ValueError where a token is missing.
    """
    queues = [[(-1, held)] if held else [] for held in instance.initial]
    found: set[Edge] = set()
    for index, action in enumerate(submission.moves):
        recipe = instance.recipe[action]
        for place, queue, used, read in zip(instance.places, queues, recipe.consume, recipe.read, strict=True):
            taken, left = _take(queue, used)
            looked, _ = _take(left, read)
            found.update(Edge(source, index, f"consume:{place}") for source, _ in taken)
            found.update(Edge(source, index, f"read:{place}") for source, _ in looked)
            queue[:] = left
        for queue, made in zip(queues, recipe.produce, strict=True):
            if made:
                queue.append((index, made))
    return tuple(sorted(found))


def _take(queue: Sequence[tuple[int, int]], amount: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Split (producer, number) pairs into the first `amount` tokens and the rest."""
    taken: list[tuple[int, int]] = []
    left: list[tuple[int, int]] = []
    for source, held in queue:
        part = min(held, amount)
        amount -= part
        if part:
            taken.append((source, part))
        if held > part:
            left.append((source, held - part))
    if amount:
        raise ValueError("the submission is not legal: a token is missing")
    return taken, left
