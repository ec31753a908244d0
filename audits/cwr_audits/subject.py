"""What a command is about: a showcase named by its code, or an instance that a file holds. Loads its world only."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from cwr_audits.files import read_json
from cwr_audits.late import WORLDS, world
from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json, canonical
from cwr_solvers.reading import as_map, as_name, refuse
from cwr_solvers.showcases import Showcase, index_path, judged, listed
from cwr_solvers.world import World


@dataclass(frozen=True, slots=True)
class Subject:
    """An instance of a world. `source` is its JSON in normal form; an instance file has no witness, no alternates."""

    code: str
    world: World
    source: Json
    instance: Any
    witness: Json | None
    alternates: tuple[Json, ...]
    probes: tuple[Json, ...]

    @property
    def digest(self) -> str:
        """sha256 of the canonical JSON of the instance in normal form, as in certificates."""
        return sha256(canonical(self.source)).hexdigest()


@cache
def _index(path: Path) -> tuple[Showcase, ...]:
    return listed(path.read_bytes(), WORLDS)


def subject(name: str) -> Subject:
    """The showcase of that code, else the instance in the file of that name.

    Raises UsageError when there is neither, MalformedInput when the file holds no instance.
    """
    for one in _index(index_path()):
        if one.code == name:
            return _showcase(one)
    if not os.path.exists(name):
        raise UsageError(f"no world and no file is called {name!r}; the worlds are {', '.join(showcase_codes())}")
    return from_json(read_json(name, INSTANCE_BYTES, INSTANCE_DEPTH))


def subjects(names: tuple[str, ...]) -> tuple[Subject, ...]:
    """The subjects of these names, all showcases when there are none. Raises as `subject` does."""
    return tuple(subject(name) for name in names) or tuple(_showcase(one) for one in _index(index_path()))


def to_certify(name: str) -> Subject:
    """As `subject`, but a file that holds a showcase's instance is that showcase, with witness, alternates and probes.

    Raises MalformedInput when a file gives another instance the code of a showcase: no checker would believe it.
    """
    about = subject(name)
    for one in _index(index_path()):
        if one.code == about.code:
            known = _showcase(one)
            if known.digest != about.digest:
                raise MalformedInput("contradiction", "/code", "a code of its own", f"that of showcase {one.code}")
            return known
    return about


def showcase_codes() -> tuple[str, ...]:
    """The codes of all showcases."""
    return tuple(one.code for one in _index(index_path()))


def from_json(source: Json) -> Subject:
    """The subject that an instance's JSON is; raises MalformedInput."""
    fields = as_map(source, "")
    if "family" not in fields:
        refuse("missing-key", "/family", "the key family", "nothing")
    of = world(as_name(fields["family"], "/family", WORLDS, "family"))
    instance = of.read_instance(source)
    return Subject(instance.code, of, of.write_instance(instance), instance, None, (), ())


def _showcase(one: Showcase) -> Subject:
    of = world(one.family)
    instance = judged(of, one)
    return Subject(one.code, of, of.write_instance(instance), instance, one.witness, one.alternates, one.probes)
