"""The showcases that come with cwr: the shape of their file, and how one of them is judged to be of its family.

They stand in `fixtures/showcase-index.json` of the repository; an installed package carries a copy of that file beside
this one. No world is known here, so that who asks about one of them need not load the others.

{"schema":"cwr-showcase/1","worlds":[{"code":…,"family":…,"instance":…,"witness":SUBMISSION,"alternates":[SUBMISSION,…],
 "probes":[PROBE,…]},…]}, where a PROBE has a name of its own and is one of
{"name":…,"kind":"sequence","submission":…,"verdict":…,"step":n or null,"rules":[…]}
{"name":…,"kind":"step","state":…,"move":…,"legal":true or false,"rules":[…],"next_state":… or null}
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json, parse, pointer
from cwr_solvers.reading import as_items, as_list, as_map, as_name, as_object, as_text, distinct, refuse
from cwr_solvers.world import World

SCHEMA = "cwr-showcase/1"
NAME = "showcase-index.json"
PROBES = {
    "sequence": ("name", "kind", "submission", "verdict", "step", "rules"),
    "step": ("name", "kind", "state", "move", "legal", "rules", "next_state"),
}


@dataclass(frozen=True, slots=True)
class Showcase:
    """One published instance: its JSON, and submissions and probes as they stand in the file, at the pointer `at`."""

    code: str
    family: str
    instance: Json
    witness: Json
    alternates: tuple[Json, ...]
    probes: tuple[Json, ...]
    at: str


def index_path() -> Path:
    """Where the showcases stand: beside this file when installed, else in the repository; raises UsageError."""
    here = Path(__file__).resolve().parent
    for path in (here / NAME, here.parent / "fixtures" / NAME):
        if path.is_file():
            return path
    raise UsageError(f"{NAME} is neither beside the package cwr_solvers nor in the folder fixtures next to it")


def listed(data: bytes, families: Collection[str]) -> tuple[Showcase, ...]:
    """The showcases that a text lists, of these families. Raises MalformedInput.

    What stands in instances, submissions and probes is not read here.
    """
    fields = as_object(parse(data, INSTANCE_BYTES, INSTANCE_DEPTH), "", ("schema", "worlds"))
    as_name(fields["schema"], "/schema", (SCHEMA,), "schema")
    found = as_items(fields["worlds"], "/worlds", partial(_showcase, families))
    distinct((one.code for one in found), "/worlds", "code")
    return found


def judged(world: World, one: Showcase) -> Any:
    """The instance of a showcase. Raises MalformedInput where it, the witness or an alternate is not of its family."""
    instance = world.read_instance(one.instance)
    if instance.code != one.code:
        refuse("contradiction", pointer(one.at, "instance") + "/code", f"the code {one.code}", instance.code)
    for submission in (one.witness, *one.alternates):
        world.read_submission(instance, submission)
    return instance


def _showcase(families: Collection[str], value: Json, at: str) -> Showcase:
    fields = as_object(value, at, ("code", "family", "instance", "witness", "alternates", "probes"))
    family = as_name(fields["family"], pointer(at, "family"), families, "family")
    code = as_text(fields["code"], pointer(at, "code"))
    alternates = tuple(as_list(fields["alternates"], pointer(at, "alternates")))
    probes = as_items(fields["probes"], pointer(at, "probes"), _probe)
    distinct((str(probe["name"]) for probe in probes), pointer(at, "probes"), "probe name")
    return Showcase(code, family, fields["instance"], fields["witness"], alternates, tuple(probes), at)


def _probe(value: Json, at: str) -> dict[str, Json]:
    """A probe with the fields of its kind; what stands in them is read by who plays it."""
    kind = as_name(as_map(value, at).get("kind"), pointer(at, "kind"), PROBES, "kind")
    fields = as_object(value, at, PROBES[kind])
    as_text(fields["name"], pointer(at, "name"))
    return fields
