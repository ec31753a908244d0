"""The families that cwr knows, and the showcases that come with it.

Importing this loads no solver. A showcase stands in `fixtures/showcase-index.json` of the repository; an installed
package carries a copy of that file beside this one.

{"schema":"cwr-showcase/1","worlds":[{"code":…,"family":…,"instance":…,"witness":SUBMISSION,"alternates":[SUBMISSION,…],
 "probes":[PROBE,…]},…]}, where a PROBE has a name of its own and is one of
{"name":…,"kind":"sequence","submission":…,"verdict":…,"step":n or null,"rules":[…]}
{"name":…,"kind":"step","state":…,"move":…,"legal":true or false,"rules":[…],"next_state":… or null}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json, parse, pointer
from cwr_solvers.reading import as_items, as_list, as_map, as_name, as_object, as_text, distinct, refuse
from cwr_solvers.world import World
from cwr_solvers.worlds.bc.world import WORLD as BC
from cwr_solvers.worlds.ft.world import WORLD as FT
from cwr_solvers.worlds.kl.world import WORLD as KL
from cwr_solvers.worlds.pa.world import WORLD as PA
from cwr_solvers.worlds.ps.world import WORLD as PS
from cwr_solvers.worlds.rs.world import WORLD as RS
from cwr_solvers.worlds.tp.world import WORLD as TP
from cwr_solvers.worlds.tw.world import WORLD as TW

WORLDS: Mapping[str, World] = {world.family: world for world in (TW, TP, BC, KL, RS, PS, PA, FT)}

SCHEMA = "cwr-showcase/1"
NAME = "showcase-index.json"
PROBES = {
    "sequence": ("name", "kind", "submission", "verdict", "step", "rules"),
    "step": ("name", "kind", "state", "move", "legal", "rules", "next_state"),
}


@dataclass(frozen=True, slots=True)
class Showcase:
    """One published instance: its JSON, and submissions and probes as they stand in the file."""

    code: str
    family: str
    instance: Json
    witness: Json
    alternates: tuple[Json, ...]
    probes: tuple[Json, ...]


def world(family: str) -> World:
    """The world of a family; raises UsageError for a family that is not in WORLDS."""
    if family not in WORLDS:
        raise UsageError(f"there is no family {family!r}; there are {', '.join(WORLDS)}")
    return WORLDS[family]


def showcases() -> tuple[Showcase, ...]:
    """All showcases in their order; raises MalformedInput, or UsageError where the file is missing."""
    return _showcases(index_path())


def showcase(code: str) -> Showcase:
    """The showcase of a code; raises UsageError for a code that is not there."""
    known = {one.code: one for one in showcases()}
    if code not in known:
        raise UsageError(f"there is no showcase {code!r}; there are {', '.join(known)}")
    return known[code]


def index_path() -> Path:
    """Where the showcases stand: beside this file when installed, else in the repository; raises UsageError."""
    here = Path(__file__).resolve().parent
    for path in (here / NAME, here.parent / "fixtures" / NAME):
        if path.is_file():
            return path
    raise UsageError(f"{NAME} is neither beside the package cwr_solvers nor in the folder fixtures next to it")


@cache
def _showcases(path: Path) -> tuple[Showcase, ...]:
    return read_showcases(path.read_bytes())


def read_showcases(data: bytes) -> tuple[Showcase, ...]:
    """The showcases that a text lists, each judged to be of its family; raises MalformedInput.

    Instances, witnesses and alternates are read by their worlds here, so that a fault in the file shows at once.
    """
    fields = as_object(parse(data, INSTANCE_BYTES, INSTANCE_DEPTH), "", ("schema", "worlds"))
    as_name(fields["schema"], "/schema", (SCHEMA,), "schema")
    found = as_items(fields["worlds"], "/worlds", _showcase)
    distinct((one.code for one in found), "/worlds", "code")
    return found


def _showcase(value: Json, at: str) -> Showcase:
    fields = as_object(value, at, ("code", "family", "instance", "witness", "alternates", "probes"))
    family = as_name(fields["family"], pointer(at, "family"), WORLDS, "family")
    code = as_text(fields["code"], pointer(at, "code"))
    found = WORLDS[family]
    instance = found.read_instance(fields["instance"])
    if instance.code != code:
        refuse("contradiction", pointer(at, "instance") + "/code", f"the code {code}", instance.code)
    alternates = tuple(as_list(fields["alternates"], pointer(at, "alternates")))
    for submission in (fields["witness"], *alternates):
        found.read_submission(instance, submission)
    probes = as_items(fields["probes"], pointer(at, "probes"), _probe)
    distinct((str(probe["name"]) for probe in probes), pointer(at, "probes"), "probe name")
    return Showcase(code, family, fields["instance"], fields["witness"], alternates, tuple(probes))


def _probe(value: Json, at: str) -> dict[str, Json]:
    """A probe with the fields of its kind; what stands in them is read by who plays it."""
    kind = as_name(as_map(value, at).get("kind"), pointer(at, "kind"), PROBES, "kind")
    fields = as_object(value, at, PROBES[kind])
    as_text(fields["name"], pointer(at, "name"))
    return fields
