"""What can be written down in each family: the tokens of a field, and every single move. One entry a family.

tokens   of an instance: {field: every value that may stand there}; a value in a submission belongs to the nearest
         field above it that has an entry
moves    of an instance: the JSON of every well-typed move, legal or not; lists have the right length, or one too few
said     what `moves` runs through, in words
sight    of an instance and a state: all that the step rules look at, where that is less than the world's key; two
         states of one sight break and keep the same rules at the same moves, and so do the states after these
whole    of an instance: every submission there is, where there are finitely many
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from cwr_solvers.jsontext import Json

MOST_WHOLE = 40_000  # submissions of an instance that are run through one by one


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """See above."""

    tokens: Callable[[Any], Mapping[str, Sequence[Json]]]
    moves: Callable[[Any], Iterator[Json]]
    said: str
    sight: Callable[[Any, Any], Hashable] | None = None
    whole: Callable[[Any], Iterator[Json] | None] | None = None


def _named(key: str) -> Callable[[Any], Mapping[str, Sequence[Json]]]:
    """The tokens of worlds whose moves are names, listed in the instance's mapping `key`."""
    return lambda instance: {"actions": list(getattr(instance, key))}


def _names(key: str) -> Callable[[Any], Iterator[Json]]:
    return lambda instance: iter(getattr(instance, key))


def _tp_tokens(instance: Any) -> Mapping[str, Sequence[Json]]:
    known = sorted(instance.known)
    return {"op": list(instance.operation), "args": known, "out": known}


def _tp_moves(instance: Any) -> Iterator[Json]:
    known = sorted(instance.known)
    for operation in instance.operations:
        for few_args, few_out in ((0, 0), (1, 0), (0, 1)):
            args = product(known, repeat=max(0, len(operation.inputs) - few_args))
            for given in args if len(operation.inputs) >= few_args else ():
                for out in product(known, repeat=max(0, len(operation.outputs) - few_out)):
                    yield {"op": operation.name, "args": list(given), "out": list(out)}


def _bc_tokens(instance: Any) -> Mapping[str, Sequence[Json]]:
    signals = [*instance.pins, *instance.ids]
    operators = [operator.name for operator in instance.operators]
    return {"id": list(instance.ids), "op": operators, "inputs": signals, "output": signals, "outputs": signals}


def _bc_moves(instance: Any) -> Iterator[Json]:
    signals = [*instance.pins, *instance.ids]
    for name, operator, first, second in product(instance.ids, instance.operators, signals, signals):
        yield {"id": name, "op": operator.name, "inputs": [first, second]}


def _bc_sight(_instance: Any, state: Any) -> Hashable:
    """R1, R2 and R3 look at the number of signals and of gates, R4 at the cost; no step rule looks at a vector."""
    return len(state.vectors), state.steps, state.cost


def _kl_tokens(instance: Any) -> Mapping[str, Sequence[Json]]:
    return {"op": ["pickup", "drop", "move"], "arg": [*instance.initial, *(edge.name for edge in instance.edges)]}


def _kl_moves(instance: Any) -> Iterator[Json]:
    return ({"op": action.op, "arg": action.arg} for action in instance.action.values())


def _rs_tokens(instance: Any) -> Mapping[str, Sequence[Json]]:
    return {"starts": range(instance.deadline + 1)}


def _rs_moves(instance: Any) -> Iterator[Json]:
    for job, start in product(instance.job, range(instance.deadline + 1)):
        yield {"job": job, "start": start}


def _rs_whole(instance: Any) -> Iterator[Json] | None:
    times = range(instance.deadline + 1)
    if prod([len(times)] * len(instance.job)) > MOST_WHOLE:
        return None
    return (
        {"starts": dict(zip(instance.job, starts, strict=True))} for starts in product(times, repeat=len(instance.job))
    )


def _pa_tokens(instance: Any) -> Mapping[str, Sequence[Json]]:
    return {"from": list(instance.port), "to": list(instance.port)}


def _pa_moves(instance: Any) -> Iterator[Json]:
    return ({"from": source, "to": target} for source, target in product(instance.port, instance.port))


def _ft_tokens(instance: Any) -> Mapping[str, Sequence[Json]]:
    across, down = range(-1, instance.width + 1), range(-1, instance.height + 1)
    return {"piece": list(instance.piece), "x": across, "y": down, "turn": range(4), "flip": range(2)}


def _ft_moves(instance: Any) -> Iterator[Json]:
    for piece in instance.pieces:
        for (flip, turn), shape in piece.variants.items():
            across = [x for (x, _), _ in shape.cells]
            down = [y for (_, y), _ in shape.cells]
            for x in range(-max(across) - 1, instance.width - min(across) + 1):
                for y in range(-max(down) - 1, instance.height - min(down) + 1):
                    varied = {"turn": turn} if piece.rotates else {}
                    varied |= {"flip": flip} if piece.reflects else {}
                    yield {"piece": piece.name, "x": x, "y": y, **varied}


def _co_tokens(instance: Any) -> Mapping[str, Sequence[Json]]:
    return {"cards": list(instance.card)}


VOCABULARIES: Mapping[str, Vocabulary] = {
    "TW": Vocabulary(_named("recipe"), _names("recipe"), "every recipe"),
    "TP": Vocabulary(
        _tp_tokens, _tp_moves, "every operation, args and outs out of all known ids, as many as due or one too few"
    ),
    "BC": Vocabulary(_bc_tokens, _bc_moves, "every id, operator and pair of signals", sight=_bc_sight),
    "KL": Vocabulary(_kl_tokens, _kl_moves, "every pickup, drop and move"),
    "RS": Vocabulary(_rs_tokens, _rs_moves, "every job at every start", whole=_rs_whole),
    "PS": Vocabulary(_named("operation"), _names("operation"), "every operation"),
    "PA": Vocabulary(_pa_tokens, _pa_moves, "every ordered pair of ports"),
    "FT": Vocabulary(_ft_tokens, _ft_moves, "every placement of which a cell lies on the board or near it"),
    "CO": Vocabulary(_co_tokens, _names("card"), "every card"),
}
