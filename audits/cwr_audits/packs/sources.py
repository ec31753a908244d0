"""The sources of F and C items: certified instances, each with one solution that is shown (fixtures/sources.json).

{"schema":"cwr-sources/1","sources":[{"code","arm","instance","shown","design"},…]}, sorted by code and arm
  code     the target's showcase
  arm      F or C
  instance an instance of the target's family, whose own code is CODE-ARM
  shown    the accepted submission that an item shows
  design   in a sentence or two, why the source is what it is
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cwr_audits.files import checkout, read_json
from cwr_solvers.catalogue import WORLDS, showcase
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import run
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json
from cwr_solvers.reading import as_items, as_name, as_object, as_text, refuse
from cwr_solvers.world import Submission, World

SCHEMA = "cwr-sources/1"
ARMS = ("F", "C")


@dataclass(frozen=True, slots=True)
class Source:
    """One source. `source` and `shown` are JSON, `instance` and `submission` what they read as."""

    target: str
    arm: str
    world: World
    source: Json
    instance: Any
    shown: Json
    submission: Submission[Any]
    design: str

    @property
    def code(self) -> str:
        """The code of its instance."""
        return f"{self.target}-{self.arm}"


def sources(path: Path | None = None) -> tuple[Source, ...]:
    """All sources of a file (None: of the checkout). Raises UsageError and MalformedInput."""
    found = checkout() / "fixtures" / "sources.json" if path is None else path
    return read_sources(read_json(str(found), INSTANCE_BYTES, INSTANCE_DEPTH + 3))


def read_sources(value: Json) -> tuple[Source, ...]:
    """The sources that a document lists; each shown submission must be accepted. Raises MalformedInput."""
    fields = as_object(value, "", ("schema", "sources"))
    as_name(fields["schema"], "/schema", (SCHEMA,), "schema")
    found = as_items(fields["sources"], "/sources", _source)
    order = [(one.target, one.arm) for one in found]
    if order != sorted(set(order)):
        refuse("contradiction", "/sources", "each code and arm once, in order", str([one.code for one in found]))
    return found


def _source(value: Json, at: str) -> Source:
    fields = as_object(value, at, ("code", "arm", "instance", "shown", "design"))
    arm = as_name(fields["arm"], f"{at}/arm", ARMS, "arm")
    target = showcase(as_text(fields["code"], f"{at}/code"))
    world = WORLDS[target.family]
    instance = world.read_instance(fields["instance"])
    if instance.code != f"{target.code}-{arm}":
        refuse("contradiction", f"{at}/instance/code", f"{target.code}-{arm}", instance.code)
    submission = world.read_submission(instance, fields["shown"])
    status = run(world, instance, submission).status
    if status != "accepted":
        raise MalformedInput("contradiction", f"{at}/shown", "an accepted submission", f"one that is {status}")
    design = as_text(fields["design"], f"{at}/design")
    source = world.write_instance(instance)
    return Source(target.code, arm, world, source, instance, fields["shown"], submission, design)
