"""Grading of answers to the items of a pack: P, R and E by their exact keys, F and C by the interpreter.

Grammars, exact keys, strict JSON (cwr_solvers.jsontext):
  P  {"legal":true,"next_state":STATE} or {"legal":false,"next_state":null}
  R  {"artifact_id":"…"}
  E  {"first_illegal_step":null,"final_state":STATE,"goal":true or false}
     or {"first_illegal_step":n,"final_state":null,"goal":null}, n being 1 or more
A STATE is read as the world reads it, so orders that mean nothing do not matter. An answer that says two things at
once (legal without a state, illegal with one) is malformed. The rule code of a wrong answer is K: it is not the key.
"""

from __future__ import annotations

from typing import Any

from cwr_audits.packs.model import Condition
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import Verdict, grade
from cwr_solvers.jsontext import LARGEST, SUBMISSION_BYTES, Json, canonical, parse
from cwr_solvers.reading import as_bool, as_int, as_object, as_text, refuse
from cwr_solvers.world import Fault, World

KEY = "K"
DEPTH = 12  # a state, one level further in


def grade_answer(condition: Condition, world: World, instance: Any, key: Json, data: bytes) -> Verdict:
    """The verdict on the bytes of an answer: accepted, rejected, illegal (F and C only) or malformed; never raises for
    anything in them. Raises MalformedInput where the key itself is none: that is the pack's fault."""
    if condition in ("F", "C"):
        return grade(world, instance, data)
    wanted = read_answer(condition, world, instance, key)
    try:
        found = read_answer(condition, world, instance, parse(data, SUBMISSION_BYTES, DEPTH))
    except MalformedInput as error:
        return Verdict("malformed", None, (), None, error)
    if found == wanted:
        return Verdict("accepted", None, (), None, None)
    said = canonical(parse(data, SUBMISSION_BYTES, DEPTH)).decode("utf-8")
    fault = Fault(KEY, said, canonical(key).decode("utf-8"))
    return Verdict("rejected", None, (fault,), None, None)


def read_answer(condition: Condition, world: World, instance: Any, value: Json) -> tuple[Any, ...]:
    """What an answer to a P, R or E item says, comparable with ==; raises MalformedInput."""
    if condition == "P":
        return _read_p(world, instance, value)
    if condition == "R":
        return (as_text(as_object(value, "", ("artifact_id",))["artifact_id"], "/artifact_id"),)
    return _read_e(world, instance, value)


def _read_p(world: World, instance: Any, value: Json) -> tuple[Any, ...]:
    fields = as_object(value, "", ("legal", "next_state"))
    legal = as_bool(fields["legal"], "/legal")
    return legal, _state(world, instance, fields["next_state"], "/next_state", wanted=legal)


def _read_e(world: World, instance: Any, value: Json) -> tuple[Any, ...]:
    fields = as_object(value, "", ("first_illegal_step", "final_state", "goal"))
    step = fields["first_illegal_step"]
    legal = step is None
    number = None if legal else as_int(step, "/first_illegal_step", 1, LARGEST)
    state = _state(world, instance, fields["final_state"], "/final_state", wanted=legal)
    if legal:
        return number, state, as_bool(fields["goal"], "/goal")
    if fields["goal"] is not None:
        refuse("contradiction", "/goal", "null, as a step is illegal", "another value")
    return number, None, None


def _state(world: World, instance: Any, value: Json, at: str, *, wanted: bool) -> Any:
    """The state where one must stand, None where null must stand."""
    if not wanted:
        if value is not None:
            refuse("contradiction", at, "null, as something is illegal", "another value")
        return None
    if value is None:
        refuse("contradiction", at, "a state, as all is legal", "null")
    try:
        return world.read_state(instance, value)
    except MalformedInput as error:
        raise MalformedInput(error.code, at + error.pointer, error.expected, error.found) from None
