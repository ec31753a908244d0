"""Prompts: what a model reads, from the templates beside this file.

  FAMILY.n.j2                    the setting in wording n: everything that a solver needs to know of the instance
  FAMILY.{answer,move,state}.j2  the grammars of a submission, a step and a state
  {P,R,E,S}.n.j2                 the question in wording n; S serves F and C alike, so that nothing tells the arm

A setting says nothing of what only evaluators know: motifs, roles, the declared resource, twins and alike components
are not in the fields that templates may use, and an undefined field is an error. Plain text, so nothing is escaped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from cwr_solvers.jsontext import Json, canonical

WORDINGS = (1, 2)
PARTS = ("answer", "move", "state")
HIDDEN = ("code", "family", "motif", "roles", "resource", "twins", "alike")


def setting(family: str, instance: Json, wording: int) -> str:
    """The setting of an instance (JSON in normal form)."""
    return _text(f"{family}.{wording}", i=_shown(instance))


def grammar(family: str, instance: Json, part: str) -> str:
    """How a submission ("answer"), a step ("move") or a state ("state") is written."""
    return _text(f"{family}.{part}", i=_shown(instance))


def question_p(family: str, instance: Json, wording: int, state: Json, move: Json) -> str:
    """The prompt of a P item: one step in one state."""
    return _text(f"P.{wording}", **_setting(family, instance, wording), state=state, move=move)


def question_r(family: str, instance: Json, wording: int, artifacts: Sequence[Mapping[str, Json]]) -> str:
    """The prompt of an R item: a handbook of {"artifact_id","submission"} in the order in which they are shown."""
    return _text(f"R.{wording}", **_setting(family, instance, wording), artifacts=artifacts)


def question_e(family: str, instance: Json, wording: int, candidate: Json, start: Json) -> str:
    """The prompt of an E item: a candidate, and the state at the start."""
    return _text(f"E.{wording}", **_setting(family, instance, wording), candidate=candidate, start=start)


def question_s(
    family: str, instance: Json, wording: int, source: Json, example: Json, demonstrations: Sequence[Mapping[str, Json]]
) -> str:
    """The prompt of an F or C item: a source with one solution and single steps {"state","move","answer"}, then the
    instance to be solved."""
    told = _setting(family, source, wording)
    shown = {f"example_{name.removeprefix('grammar_')}": text for name, text in told.items()}
    return _text(
        f"S.{wording}",
        **_setting(family, instance, wording),
        **shown,
        example_demonstrations=demonstrations,
        example=example,
    )


def _setting(family: str, instance: Json, wording: int) -> dict[str, str]:
    grammars = {f"grammar_{part}": grammar(family, instance, part) for part in PARTS}
    return {"world": setting(family, instance, wording), **grammars}


def _shown(instance: Json) -> Json:
    """The fields of an instance that a setting may speak of."""
    if not isinstance(instance, dict):
        raise TypeError("an instance is an object")
    return {key: value for key, value in instance.items() if key not in HIDDEN}


def _text(name: str, **fields: Any) -> str:
    return _templates().get_template(f"{name}.j2").render(**fields).strip()


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader("cwr_audits.packs"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    made.filters |= FILTERS
    return made


# --- how values read


def _json(value: Json) -> str:
    return canonical(value).decode("utf-8")


def _names(names: Sequence[str], last: str = "and") -> str:
    """One, or "a, b and c"."""
    listed = [str(name) for name in names]
    return f" {last} ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)


def _counts(counts: Mapping[str, int]) -> str:
    """ "2 ore and 1 flux"; "nothing" where nothing is counted."""
    return _names([f"{number} {name}" for name, number in counts.items() if number]) or "nothing"


def _bounds(bounds: Mapping[str, int]) -> str:
    """Of {"min","max"}, each of which may be missing."""
    low, high = bounds.get("min", 0), bounds.get("max")
    if high is None:
        return f"at least {low}" if low else "any number of"
    if low == high:
        return f"exactly {low}"
    return f"at least {low} and at most {high}" if low else f"at most {high}"


def _place(place: str) -> str:
    """Where an object is (KL)."""
    return place if place in ("held", "consumed") else f"at {place}"


def _literal(literal: Mapping[str, Json]) -> str:
    """A condition on a field (PS)."""
    field = literal["field"]
    return f"{field} is {_json(literal['is'])}" if "is" in literal else f"{field} is not {_json(literal['not'])}"


def _tuple(values: Sequence[Json]) -> str:
    """The values that go into or come out of an operation (TP)."""
    return " and ".join(map(_json, values)) or "nothing"


def _turning(piece: Mapping[str, Json]) -> str:
    """What may be done with a piece before it is laid (FT)."""
    turns, flips = piece.get("rotate") == "allowed", piece.get("reflect") == "allowed"
    if not turns and not flips:
        return " It is neither turned nor turned over."
    said = ['"turn" (0 to 3) counts quarter turns clockwise'] if turns else []
    said = [*(['"flip" 1 first exchanges left and right, 0 does not'] if flips else []), *said]
    return f" It may be transformed: {' and '.join(said)}; then it is moved so that its least offsets are 0."


def _turned(instance: Mapping[str, Any]) -> str:
    """The further fields of a placement, where some piece has them (FT)."""
    turns = any(piece.get("rotate") == "allowed" for piece in instance["pieces"])
    flips = any(piece.get("reflect") == "allowed" for piece in instance["pieces"])
    said = (', "turn": 0 to 3' if turns else "") + (', "flip": 0 or 1' if flips else "")
    return said + (" (just for pieces that may be transformed so)" if said else "")


FILTERS = {
    "bounds": _bounds,
    "counts": _counts,
    "either": lambda names: _names(names, "or"),
    "json": _json,
    "jsons": lambda values: _names([_json(value) for value in values], "or"),
    "literal": _literal,
    "names": _names,
    "place": _place,
    "tuple": _tuple,
    "turned": _turned,
    "turning": _turning,
    "types": lambda types: _names(types) if types else "nothing",
}
