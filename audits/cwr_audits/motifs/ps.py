"""Safety protocol: the motif `main`, read off the intervals in which the resource is free or held."""

from __future__ import annotations

from itertools import groupby, permutations
from typing import Any

from cwr_audits.motifs.replay import legal
from cwr_solvers.world import Submission, World
from cwr_solvers.worlds.ps.instance import Instance, Literal, Operation, Resource


def main(world: World, instance: Instance, submission: Submission[Any]) -> bool:
    """An action while the resource is held is the sole cause of one that needs it free again, beside another such."""
    states = legal(world, instance, submission).states
    resource = instance.resource
    if resource is None:
        return False
    operations = [instance.operation[action] for action in submission.moves]
    runs = _intervals(resource, states)
    wanted = [resource.free, resource.held, resource.free]
    return any(
        _handed_over(instance, resource, operations, runs[place + 1][1], runs[place + 2][1])
        for place in range(len(runs) - 2)
        if [value for value, _ in runs[place : place + 3]] == wanted
    )


def _intervals(resource: Resource, states: tuple[Any, ...]) -> list[tuple[int, list[int]]]:
    """The intervals in order: the value of the resource, and the actions that happen inside (not the last state's)."""
    numbers = range(len(states))
    runs = groupby(numbers, key=lambda number: int(states[number].values[resource.field]))
    return [(value, list(run)[:-1]) for value, run in runs]


def _handed_over(
    instance: Instance, resource: Resource, operations: list[Operation], held: list[int], free: list[int]
) -> bool:
    """Whether there are u in the held interval and p, q in the free interval after it."""
    users = [u for u in held if _asks(instance, resource, operations[u], resource.held)]
    takers = [p for p in free if _asks(instance, resource, operations[p], resource.free)]
    return any(
        any(field != resource.field for field, _ in operations[q].then)
        and any(_sole_cause(instance, resource, operations, u, p) for u in users)
        for p, q in permutations(takers, 2)
    )


def _asks(instance: Instance, resource: Resource, operation: Operation, value: int) -> bool:
    """Whether a precondition on the resource is true for this value and for no other."""
    values = range(len(instance.fields[resource.field].values))
    return any(
        [known for known in values if _true(literal, known)] == [value]
        for literal in operation.when
        if literal.field == resource.field
    )


def _true(literal: Literal, value: int) -> bool:
    return (value == literal.value) == literal.positive


def _sole_cause(instance: Instance, resource: Resource, operations: list[Operation], u: int, p: int) -> bool:
    """Whether u alone assigns what makes true some precondition of p that was false at first."""
    return any(
        [number for number, operation in enumerate(operations) if _makes_true(operation, literal)] == [u]
        for literal in operations[p].when
        if literal.field != resource.field and not _true(literal, instance.fields[literal.field].initial)
    )


def _makes_true(operation: Operation, literal: Literal) -> bool:
    return any(field == literal.field and _true(literal, value) for field, value in operation.then)
