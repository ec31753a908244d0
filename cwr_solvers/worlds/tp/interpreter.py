"""Finite typed pipeline: what its steps do and how they are judged. The rule book is the package docstring.

A move is a `Step`. An out id that is an initial id is never fresh, also in a state that has not allocated it.
Standard library only.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, permutations, product
from math import perm, prod
from typing import NamedTuple

from cwr_solvers.jsontext import LARGEST, Json, pointer
from cwr_solvers.reading import as_int, as_items, as_map, as_name, as_object, describe, distinct, refuse
from cwr_solvers.world import Broken, Choice, Edge, Fault, Submission, no_exchanges
from cwr_solvers.worlds.tp.instance import (
    Instance,
    Operation,
    Step,
    Typed,
    Value,
    read_step,
    read_steps,
    read_typed,
    write_step,
    write_steps,
    write_typed,
)


class State(NamedTuple):
    """Live values as (id, typed value) and all allocated ids, both sorted by id; steps so far and their cost."""

    live: tuple[tuple[str, Typed], ...]
    allocated: tuple[str, ...]
    steps: int
    cost: int


class Key(NamedTuple):
    """A state modulo value names: the sorted live typed values and the number of allocated ids."""

    live: tuple[Typed, ...]
    allocated: int
    steps: int
    cost: int


commutes = True
exchanges = no_exchanges


def initial(instance: Instance) -> State:
    """The state before any step."""
    return State(tuple(sorted(instance.initial.items())), tuple(sorted(instance.initial)), 0, 0)


def step(instance: Instance, state: State, move: Step) -> State | Broken:
    """The state after one step, or all rules that it breaks."""
    live = dict(state.live)
    faults = [fault for rule in _BEFORE if (fault := rule(instance, state, live, move)) is not None]
    if not faults or {"R1", "R2", "R3", "R4"}.isdisjoint(fault.rule for fault in faults):
        table = r7_table(instance, live, move)
        faults += [] if table is None else [table]
    if faults:
        return Broken(tuple(sorted(faults)))
    after = apply(instance, state, move)
    faults = [fault for judge in _AFTER if (fault := judge(instance, after)) is not None]
    return Broken(tuple(sorted(faults))) if faults else after


def apply(instance: Instance, state: State, move: Step) -> State:
    """The effect of a step that keeps R1 to R7: its arguments are gone, its outputs are live."""
    live = dict(state.live)
    operation = instance.operation[move.op]
    made = operation.table[tuple(live.pop(name)[1] for name in move.args)]
    live.update(zip(move.out, zip(operation.outputs, made, strict=True), strict=True))
    allocated = tuple(sorted((*state.allocated, *move.out)))
    return State(tuple(sorted(live.items())), allocated, state.steps + 1, state.cost + 1)


_Live = dict[str, Typed]


def r1_arity(instance: Instance, _state: State, _live: _Live, move: Step) -> Fault | None:
    """R1: as many args as input types."""
    wanted = len(instance.operation[move.op].inputs)
    return None if len(move.args) == wanted else Fault("R1", f"{len(move.args)} args", f"{wanted} for {move.op}")


def r2_live(_instance: Instance, state: State, live: _Live, move: Step) -> Fault | None:
    """R2: every arg is live."""
    dead = sorted({name for name in move.args if name not in live})
    if not dead:
        return None
    found = ", ".join(f"{name} {'consumed' if _allocated(state, name) else 'not created'}" for name in dead)
    return Fault("R2", found, f"live args: {_names(live)}")


def r3_distinct(_instance: Instance, _state: State, _live: _Live, move: Step) -> Fault | None:
    """R3: no id is given twice as an arg."""
    if len(set(move.args)) == len(move.args):
        return None
    twice = [name for name, times in sorted(Counter(move.args).items()) if times > 1]
    return Fault("R3", f"{_names(twice)} given more than once", "different args")


def r4_types(instance: Instance, _state: State, live: _Live, move: Step) -> Fault | None:
    """R4: each live arg has the type of its position; judged only when R1 holds."""
    inputs = instance.operation[move.op].inputs
    if len(move.args) != len(inputs):
        return None
    pairs = zip(move.args, inputs, strict=True)
    wrong = [(name, wanted) for name, wanted in pairs if name in live and live[name][0] != wanted]
    if not wrong:
        return None
    return Fault(
        "R4",
        ", ".join(f"{name} of type {live[name][0]}" for name, _ in wrong),
        ", ".join(f"type {wanted} for {name}" for name, wanted in wrong),
    )


def r5_outputs(instance: Instance, _state: State, _live: _Live, move: Step) -> Fault | None:
    """R5: as many out ids as output types."""
    wanted = len(instance.operation[move.op].outputs)
    return None if len(move.out) == wanted else Fault("R5", f"{len(move.out)} out ids", f"{wanted} for {move.op}")


def r6_fresh(instance: Instance, state: State, _live: _Live, move: Step) -> Fault | None:
    """R6: every out id is new and given once."""
    old = [name for name in dict.fromkeys(move.out) if _allocated(state, name) or name in instance.initial]
    if not old and len(set(move.out)) == len(move.out):
        return None
    twice = [name for name, times in Counter(move.out).items() if times > 1]
    said = [f"{_names(old)} allocated before"] if old else []
    said += [f"{_names(twice)} given more than once"] if twice else []
    return Fault("R6", " and ".join(said), f"different ids out of {_names(fresh(instance, state))}")


def r7_table(instance: Instance, live: _Live, move: Step) -> Fault | None:
    """R7: the table has a row for the argument values; judged only when R1 to R4 hold."""
    given = tuple(live[name][1] for name in move.args)
    if given in instance.operation[move.op].table:
        return None
    return Fault("R7", f"{move.op} of {_values(given)}", f"a row of its table: {_rows(instance.operation[move.op])}")


_BEFORE = (r1_arity, r2_live, r3_distinct, r4_types, r5_outputs, r6_fresh)


def r8_limit(instance: Instance, after: State) -> Fault | None:
    """R8: the number of live values is within its limit."""
    if len(after.live) <= instance.most_live:
        return None
    return Fault("R8", f"{len(after.live)} live values", f"at most {instance.most_live}")


def r9_steps(instance: Instance, after: State) -> Fault | None:
    """R9: the number of steps is within its budget."""
    if after.steps <= instance.most_steps:
        return None
    return Fault("R9", f"step number {after.steps}", f"at most {instance.most_steps} steps")


def r10_cost(instance: Instance, after: State) -> Fault | None:
    """R10: the cost is within its budget."""
    if after.cost <= instance.most_cost:
        return None
    return Fault("R10", f"cost {after.cost}", f"cost of at most {instance.most_cost}")


_AFTER: tuple[Callable[[Instance, State], Fault | None], ...] = (r8_limit, r9_steps, r10_cost)


def g_goal(instance: Instance, state: State) -> Fault | None:
    """G: the live values are the goal, or contain it where leftovers are allowed."""
    found = sorted(typed for _, typed in state.live)
    if tuple(found) == instance.goal:
        return None
    live, goal = Counter(found), Counter(instance.goal)
    if instance.leftovers_allowed and goal <= live:
        return None
    wanted = "among others" if instance.leftovers_allowed else "and nothing else"
    return Fault("G", f"live: {_many(live)}", f"live: {_many(goal)} {wanted}")


def _names(names: Sequence[str] | _Live) -> str:
    return ", ".join(names) or "none"


def _values(values: Sequence[Value]) -> str:
    return "(" + ", ".join(str(list(value)) for value in values) + ")"


def _rows(operation: Operation) -> str:
    """The first rows of a table, enough to tell a person what would be right."""
    some = [_values(given) for given in islice(operation.table, 8)]
    return (", ".join(some) or "it has none") + (", …" if len(operation.table) > len(some) else "")


def _many(typed: Counter[Typed]) -> str:
    return ", ".join(f"{times} {name}{list(value)}" for (name, value), times in sorted(typed.items())) or "nothing"


def terminal(_instance: Instance, state: State) -> State:
    """The state itself: nothing happens after the last step."""
    return state


def unmet(instance: Instance, state: State, _choice: Choice) -> tuple[Fault, ...]:
    """The fault of the goal, if any."""
    fault = g_goal(instance, state)
    return () if fault is None else (fault,)


def choices(_instance: Instance, _state: State) -> tuple[Choice, ...]:
    """A pipeline has no final choice."""
    return (None,)


def fresh(instance: Instance, state: State) -> tuple[str, ...]:
    """The listed ids that are not allocated, in their order."""
    taken = set(state.allocated)
    return tuple(name for name in instance.ids if name not in taken)


def _allocated(state: State, name: str) -> bool:
    place = bisect_left(state.allocated, name)
    return state.allocated[place : place + 1] == (name,)


def moves(instance: Instance, state: State) -> Iterator[Step]:
    """Every step that keeps R1 to R7, with every choice of fresh ids."""
    free = fresh(instance, state)
    for operation, args in _applications(instance, state):
        for out in permutations(free, len(operation.outputs)):
            yield Step(operation.name, args, out)


def normal_moves(instance: Instance, state: State) -> Iterator[Step]:
    """Every step that keeps R1 to R7, with the first fresh ids only."""
    free = fresh(instance, state)
    for operation, args in _applications(instance, state):
        if len(operation.outputs) <= len(free):
            yield Step(operation.name, args, free[: len(operation.outputs)])


def _applications(instance: Instance, state: State) -> Iterator[tuple[Operation, tuple[str, ...]]]:
    """Every operation with different live args of its types for which its table has a row."""
    values = dict(state.live)
    for operation in instance.operations:
        fitting = [[name for name, (type_, _) in state.live if type_ == wanted] for wanted in operation.inputs]
        for args in product(*fitting):
            if len(set(args)) == len(args) and tuple(values[name][1] for name in args) in operation.table:
                yield operation, args


def expand(instance: Instance, state: State) -> dict[State, int]:
    """{next state: number of legal steps that lead to it or to one of its key}, found row by row of the tables.

    Live values of one type and value stand for each other, and so do fresh ids: n of them fill k positions in
    n·(n−1)·…·(n−k+1) ways.
    """
    holders: dict[Typed, list[str]] = {}
    for name, typed in state.live:
        holders.setdefault(typed, []).append(name)
    free = fresh(instance, state)
    found: dict[State, int] = {}
    for operation in instance.operations:
        for given in operation.table:
            wanted = list(zip(operation.inputs, given, strict=True))
            ways = perm(len(free), len(operation.outputs)) * prod(
                perm(len(holders.get(typed, ())), times) for typed, times in Counter(wanted).items()
            )
            if ways:
                args = tuple(holders[typed][wanted[:i].count(typed)] for i, typed in enumerate(wanted))
                after = apply(instance, state, Step(operation.name, args, free[: len(operation.outputs)]))
                if all(judge(instance, after) is None for judge in _AFTER):
                    found[after] = found.get(after, 0) + ways
    return found


def key(_instance: Instance, state: State) -> Key:
    """The state modulo value names, initial ones included."""
    return Key(tuple(sorted(typed for _, typed in state.live)), len(state.allocated), state.steps, state.cost)


def normal(instance: Instance, submission: Submission[Step]) -> Submission[Step]:
    """The submission with created values named by the listed ids in order of creation.

    Listed ids that are never an output follow in their order, so that this renames one to one also where a step is
    illegal.
    """
    listed = set(instance.ids)
    made = dict.fromkeys(name for move in submission.moves for name in move.out if name in listed)
    order = [*made, *(name for name in instance.ids if name not in made)]
    new = dict(zip(order, instance.ids, strict=True))
    return Submission(
        tuple(
            Step(
                move.op,
                tuple(new.get(name, name) for name in move.args),
                tuple(new.get(name, name) for name in move.out),
            )
            for move in submission.moves
        )
    )


def namings(instance: Instance, submission: Submission[Step]) -> int:
    """How many raw submissions a legal submission stands for: the ways to name its created values."""
    return perm(len(instance.ids), sum(len(move.out) for move in submission.moves))


def read_submission(instance: Instance, value: Json) -> Submission[Step]:
    """The submission {"steps":[…]}; raises MalformedInput."""
    return Submission(read_steps(instance, value))


def write_submission(_instance: Instance, submission: Submission[Step]) -> Json:
    """The JSON of a submission."""
    return write_steps(submission.moves)


def read_move(instance: Instance, value: Json) -> Step:
    """The step {"op":…,"args":[…],"out":[…]}; raises MalformedInput."""
    return read_step(instance, value, "")


def write_move(_instance: Instance, move: Step) -> Json:
    """The JSON of a step."""
    return write_step(move)


def read_state(instance: Instance, value: Json) -> State:
    """The state {"live":{id:{"type":…,"value":[…]}},"allocated":[id,…],"steps":n,"cost":n}; raises MalformedInput.

    `allocated` may come in any order, each id once.
    """
    fields = as_object(value, "", ("live", "allocated", "steps", "cost"))
    items = as_items(fields["allocated"], "/allocated", lambda item, at: as_name(item, at, instance.known, "value id"))
    allocated = distinct(items, "/allocated", "value id")
    live: _Live = {}
    for name, item in as_map(fields["live"], "/live").items():
        at = pointer("/live", name)
        as_name(name, at, instance.known, "value id")
        if name not in allocated:
            refuse("contradiction", at, "live ids that are listed in /allocated", describe(name))
        live[name] = read_typed(instance.types, item, at)
    return State(
        tuple(sorted(live.items())),
        tuple(sorted(allocated)),
        as_int(fields["steps"], "/steps", 0, LARGEST),
        as_int(fields["cost"], "/cost", 0, LARGEST),
    )


def write_state(_instance: Instance, state: State) -> Json:
    """The JSON of a state, `allocated` sorted."""
    live: dict[str, Json] = {name: write_typed(typed) for name, typed in state.live}
    return {"live": live, "allocated": list(state.allocated), "steps": state.steps, "cost": state.cost}


def edges(instance: Instance, submission: Submission[Step]) -> tuple[Edge, ...]:
    """How values ran in a legal submission: from the step that created a value to the step that consumed it.

    The label is "TYPE:OUT:ARG": the type, the value's position among its creator's outputs (of an initial value: among
    the initial ids, sorted) and its position among the consumer's args, from 0. Sorted by consumer, then by ARG.
    Raises KeyError where an arg was not created before.
    """
    made = {name: (-1, typed[0], place) for place, (name, typed) in enumerate(sorted(instance.initial.items()))}
    found = []
    for index, move in enumerate(submission.moves):
        for place, name in enumerate(move.args):
            source, type_, out = made[name]
            found.append(Edge(source, index, f"{type_}:{out}:{place}"))
        types = instance.operation[move.op].outputs
        made.update({name: (index, types[place], place) for place, name in enumerate(move.out)})
    return tuple(found)
