"""The record a world is, and the small vocabulary that all worlds share.

move        one primitive (an action, a step, a gate, an event, a connection, a placement)
submission  what a solver hands in: a sequence of moves, and for some worlds one final choice (a circuit's output)
state       what a legal prefix leads to; immutable, hashable, with `steps` and `cost`
rule        R1, R2, …: one condition of the world's rule book, named alike in interpreter, encodings and statement
word        a submission in normal form: names that do not matter are chosen canonically
class       the submissions that the declared symmetries make equal (see cwr_solvers.symmetry)

A world is data: a frozen record of functions. `dataclasses.replace(WORLD, step=mutant)` is a mutant of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from cwr_solvers.jsontext import Json

M = TypeVar("M", bound=Hashable)

Choice: TypeAlias = "tuple[str, ...] | None"


def no_exchanges(_instance: Any, _submission: Submission[Any]) -> tuple[Submission[Any], ...]:
    """For worlds whose symmetries are names and commuting moves only."""
    return ()


class Fault(NamedTuple):
    """One broken rule: its stable name, what was found and what would have been right."""

    rule: str
    found: str
    needed: str


class Broken(NamedTuple):
    """The answer of `step` to an illegal move: every rule broken by it, sorted by rule, never empty."""

    faults: tuple[Fault, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(sorted({fault.rule for fault in self.faults}))


class Edge(NamedTuple):
    """What event `target` needed of event `source` (indices of moves; -1 is the initial state)."""

    source: int
    target: int
    label: str


class State(Protocol):
    """What generic code may know of a state."""

    @property
    def steps(self) -> int: ...

    @property
    def cost(self) -> int: ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Submission(Generic[M]):
    """A sequence of moves, in the order in which E judges them, and the final choice where the world has one."""

    moves: tuple[M, ...]
    choice: Choice = None


class Rules(Protocol):
    """The part of a world that judges submissions. An interpreter module has these names and is a Rules itself."""

    @property
    def read_submission(self) -> Callable[[Any, Json], Submission[Any]]: ...
    @property
    def write_submission(self) -> Callable[[Any, Submission[Any]], Json]: ...
    @property
    def initial(self) -> Callable[[Any], Any]: ...
    @property
    def step(self) -> Callable[[Any, Any, Any], Any]: ...
    @property
    def terminal(self) -> Callable[[Any, Any], Any]: ...
    @property
    def unmet(self) -> Callable[[Any, Any, Choice], tuple[Fault, ...]]: ...
    @property
    def normal(self) -> Callable[[Any, Submission[Any]], Submission[Any]]: ...
    @property
    def namings(self) -> Callable[[Any, Submission[Any]], int]: ...
    @property
    def commutes(self) -> bool: ...
    @property
    def exchanges(self) -> Callable[[Any, Submission[Any]], Iterable[Submission[Any]]]: ...


@dataclass(frozen=True)
class World:
    """The functions that make a family. I is its instance, M its move, S its state (any types of the world's own).

    step(I, S, M)            the next state, or Broken. Total on well-typed states and moves.
    terminal(I, S)           the state in which the goal is judged and which E reports (identity for most worlds)
    unmet(I, S, choice)      the faults of the goal in a terminal state; empty means: goal true
    moves(I, S)              every move that could be legal in S, each once (a superset of the legal ones)
    choices(I, S)            the final choices that a submission ending in S may name; (None,) where there are none
    key(I, S)                S with the names forgotten that a submission chooses freely (identity for most worlds)
    normal_moves(I, S)       of each set of moves that differ only in such names, the one that `normal` would keep
    normal(I, submission)    the submission with such names chosen canonically
    namings(I, submission)   how many raw submissions have this normal form
    commutes                 whether the order of adjacent moves that commute is a declared symmetry
    exchanges(I, submission) the words that a further declared symmetry generator makes of a word (none for most worlds)
    edges(I, submission)     what each move of a legal submission needed of earlier ones
    generate(seed)           the JSON of a random small instance, the same for the same seed on every machine
    expand(I, S)             optional: {next state: number of legal moves leading there}, an equal of moves × step
                             up to `key`, for worlds where listing moves is slow
    states(I, most)          optional: the number of distinct states after legal prefixes, for worlds whose `key` merges
                             states that are to be counted apart; raises Undecided("states") beyond `most` keys
    finish(I, S)             optional, for worlds whose last layer of states is large: None where a legal submission may
                             go two moves on from S, else {cost: number of accepted raw submissions that end in S or
                             one move after it}; the states one move after S are then not made; asks for `states`
    """

    family: str
    title: str
    rules: Mapping[str, str]
    read_instance: Callable[[Json], Any]
    write_instance: Callable[[Any], Json]
    read_submission: Callable[[Any, Json], Submission[Any]]
    write_submission: Callable[[Any, Submission[Any]], Json]
    read_move: Callable[[Any, Json], Any]
    write_move: Callable[[Any, Any], Json]
    read_state: Callable[[Any, Json], Any]
    write_state: Callable[[Any, Any], Json]
    initial: Callable[[Any], Any]
    step: Callable[[Any, Any, Any], Any]
    terminal: Callable[[Any, Any], Any]
    unmet: Callable[[Any, Any, Choice], tuple[Fault, ...]]
    moves: Callable[[Any, Any], Iterable[Any]]
    choices: Callable[[Any, Any], Sequence[Choice]]
    key: Callable[[Any, Any], Hashable]
    normal_moves: Callable[[Any, Any], Iterable[Any]]
    normal: Callable[[Any, Submission[Any]], Submission[Any]]
    namings: Callable[[Any, Submission[Any]], int]
    commutes: bool
    exchanges: Callable[[Any, Submission[Any]], Iterable[Submission[Any]]]
    edges: Callable[[Any, Submission[Any]], tuple[Edge, ...]]
    generate: Callable[[str], Json]
    expand: Callable[[Any, Any], Mapping[Any, int]] | None = None
    states: Callable[[Any, int], int] | None = None
    finish: Callable[[Any, Any], Mapping[int, int] | None] | None = None
