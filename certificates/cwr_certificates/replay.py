"""What the interpreter of a family says: the one file of the checker that knows interpreters, by an explicit table."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple

from cwr_solvers.grading import Verdict, grade
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.reading import as_name, refuse
from cwr_solvers.symmetry import classes
from cwr_solvers.world import Broken, Rules, Submission
from cwr_solvers.worlds.bc import instance as bc_data
from cwr_solvers.worlds.bc import interpreter as bc
from cwr_solvers.worlds.co import instance as co_data
from cwr_solvers.worlds.co import interpreter as co
from cwr_solvers.worlds.ft import instance as ft_data
from cwr_solvers.worlds.ft import interpreter as ft
from cwr_solvers.worlds.kl import instance as kl_data
from cwr_solvers.worlds.kl import interpreter as kl
from cwr_solvers.worlds.pa import instance as pa_data
from cwr_solvers.worlds.pa import interpreter as pa
from cwr_solvers.worlds.ps import instance as ps_data
from cwr_solvers.worlds.ps import interpreter as ps
from cwr_solvers.worlds.rs import instance as rs_data
from cwr_solvers.worlds.rs import interpreter as rs
from cwr_solvers.worlds.tp import instance as tp_data
from cwr_solvers.worlds.tp import interpreter as tp
from cwr_solvers.worlds.tw import instance as tw_data
from cwr_solvers.worlds.tw import interpreter as tw

WORLDS: dict[str, tuple[Rules, Any]] = {
    "BC": (bc, bc_data),
    "CO": (co, co_data),
    "FT": (ft, ft_data),
    "KL": (kl, kl_data),
    "PA": (pa, pa_data),
    "PS": (ps, ps_data),
    "RS": (rs, rs_data),
    "TP": (tp, tp_data),
    "TW": (tw, tw_data),
}


class Case(NamedTuple):
    """An instance with the rules that judge it; `json` is its normal form."""

    family: str
    rules: Rules
    instance: Any
    json: Json


def case(family: Json, value: Json) -> Case:
    """The instance that a JSON value is; raises MalformedInput, also for a family that the table lacks."""
    name = as_name(family, "/family", WORLDS, "family")
    rules, data = WORLDS[name]
    instance = data.read_instance(value)
    return Case(name, rules, instance, data.write_instance(instance))


def replay(case: Case, value: Json) -> Verdict:
    """The verdict on a submission: accepted, rejected, illegal (at which step, by which rules) or malformed."""
    return grade(case.rules, case.instance, canonical(value))


def normal(case: Case, value: Json) -> Json:
    """The word that a legal submission stands for."""
    return _write(case, case.rules.normal(case.instance, case.rules.read_submission(case.instance, value)))


def partition(case: Case, words: Iterable[Json]) -> list[tuple[list[Json], int]]:
    """The classes of a set of words: the words of each, the least first, and its size in raw submissions."""
    read = case.rules.read_submission
    found = classes(case.rules, case.instance, [read(case.instance, word) for word in words])
    return [([_write(case, member) for member in one.members], one.size) for one in found]


def one_move(case: Case, word: Json) -> Any:
    """The move of a word of one move."""
    moves = case.rules.read_submission(case.instance, word).moves
    if len(moves) != 1:
        refuse("domain", "", "a word of one move", f"{len(moves)} moves")
    return moves[0]


def begin(case: Case) -> Any:
    """The state before any move."""
    return case.rules.initial(case.instance)


def after(case: Case, state: Any, move: Any) -> Any:
    """The state after a move; None where it is illegal."""
    found = case.rules.step(case.instance, state, move)
    return None if isinstance(found, Broken) else found


def ended(case: Case, state: Any) -> tuple[bool, int, int]:
    """Of a submission that ends in a state: whether the goal is met, its cost, the number of its moves."""
    end = case.rules.terminal(case.instance, state)
    return not case.rules.unmet(case.instance, end, None), end.cost, state.steps


def remainder(case: Case, ahead: Iterable[Any]) -> Callable[[Any], Hashable]:
    """What of a state the moves ahead and the goal depend on: all of it, but where the family says less."""
    return pa.pending(case.instance, ahead) if case.rules is pa else _whole


def _whole(state: Hashable) -> Hashable:
    return state


def _write(case: Case, submission: Submission[Any]) -> Json:
    return case.rules.write_submission(case.instance, submission)
