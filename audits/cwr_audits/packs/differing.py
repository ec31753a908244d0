"""What differs between two frozen packs, and whether results on one can be set beside results on the other.

cell      the items of one world and one condition
level     how two cells stand to each other, the best first:
  same      every item has the same prompt, session, instance and key: results compare item by item
  replicas  other names, orders or draws of the same questions: results compare base by base, not item by item
  rekeyed   the same prompts, but keys or instances differ: answers that were kept must be graded anew to compare
  other     something else is asked: results do not compare
A world is as its worst cell, so that a difference of arms never compares when one of the arms does not. An audit that
passed for one pack and not for the other leaves nothing comparable: what it guards may be what moved the results.

Two questions are the same up to names when they agree in `asked`. Siblings are drawn by the seed, so of their instances
only the family counts. Sources are no replicas: they are the same only word for word.

Records are taken as they stand: `cwr verify` is what says that they are true.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from cwr_audits.packs.freezing import WAIVERS, digest_of, read_waivers
from cwr_audits.packs.model import (
    CERTIFICATES,
    CONDITIONS,
    Condition,
    EvaluatorRow,
    ModelRow,
    Pack,
    from_files,
    in_file,
)
from cwr_audits.packs.verdicts import FOLDER, read_audit
from cwr_audits.packs.verifying import built_part
from cwr_certificates.check import MOST_BYTES, MOST_DEPTH
from cwr_certificates.seal import DOCUMENT
from cwr_solvers.jsontext import Json, canonical, parse
from cwr_solvers.reading import as_map, as_text

Level: TypeAlias = Literal["same", "replicas", "rekeyed", "other"]

LEVELS: tuple[Level, ...] = ("same", "replicas", "rekeyed", "other")
COMPARABLE: tuple[Level, ...] = ("same", "replicas")
PASSED = "passed"


@dataclass(frozen=True, slots=True)
class Side:
    """A frozen pack as far as it is compared. `instances` {code: digest}, of targets and sources."""

    digest: str
    pack: Pack
    instances: Mapping[str, str]
    audits: Mapping[str, str]
    waivers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Cell:
    """How the items of a world and a condition changed: numbers of items, and the level."""

    world: str
    condition: Condition
    old: int
    new: int
    kept: int
    rekeyed: int
    level: Level


@dataclass(frozen=True, slots=True)
class Difference:
    """All that differs. `instances`, `audits` and `waivers` {name: (old, new)} have what changed only, None: absent."""

    cells: tuple[Cell, ...]
    worlds: Mapping[str, Level]
    instances: Mapping[str, tuple[str | None, str | None]]
    audits: Mapping[str, tuple[str | None, str | None]]
    waivers: Mapping[str, tuple[str | None, str | None]]

    @property
    def unguarded(self) -> tuple[str, ...]:
        """The audits that passed for one of the packs only."""
        return tuple(name for name, (old, new) in self.audits.items() if (old == PASSED) != (new == PASSED))

    @property
    def comparable(self) -> bool:
        """Whether all results on the one can be set beside those on the other, be it by base."""
        return not self.unguarded and bool(self.worlds) and set(self.worlds.values()) <= set(COMPARABLE)


def read_side(found: Mapping[str, bytes]) -> Side:
    """A frozen pack, from files whose digests were checked; raises MalformedInput and UsageError."""
    pack = from_files(built_part(found))
    audits = [in_file(found, name, read_audit) for name in found if name.startswith(f"{FOLDER}/")]
    waivers = in_file(found, WAIVERS, read_waivers) if WAIVERS in found else {}
    verdicts: dict[str, str] = {one.audit: one.verdict for one in audits}
    return Side(digest_of(found), pack, _instances(found), verdicts, waivers)


def _instances(found: Mapping[str, bytes]) -> dict[str, str]:
    digests = {}
    for name, data in found.items():
        if name.startswith(f"{CERTIFICATES}/") and name.endswith(f"/{DOCUMENT}"):
            document = as_map(parse(data, MOST_BYTES, MOST_DEPTH), "")
            digests[name.split("/")[-2]] = as_text(document.get("instance_sha256"), "/instance_sha256")
    return digests


def differ(old: Side, new: Side) -> Difference:
    """What differs between two packs."""
    worlds = tuple(dict.fromkeys((*old.pack.worlds, *new.pack.worlds)))
    cells = [cell for world in worlds for one in CONDITIONS if (cell := _cell(old.pack, new.pack, world, one))]
    worst = {world: _worst(one.level for one in cells if one.world == world) for world in worlds}
    return Difference(
        tuple(cells),
        worst,
        _changed(old.instances, new.instances),
        _changed(old.audits, new.audits),
        _changed(old.waivers, new.waivers),
    )


def _worst(levels: Iterable[Level]) -> Level:
    """The worst level; of a world without items there is nothing that compares."""
    return max(levels, key=LEVELS.index, default="other")


def _changed(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, tuple[str | None, str | None]]:
    names = sorted({*old, *new})
    return {name: (old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)}


def _cell(old: Pack, new: Pack, world: str, condition: Condition) -> Cell | None:
    """How a cell changed; None where neither pack has items of it."""
    before, after = _items(old, world, condition), _items(new, world, condition)
    if not before and not after:
        return None
    both = [item for item in before if item in after and before[item].shown == after[item].shown]
    kept = sum(before[item].judged == after[item].judged for item in both)
    whole = len(both) == len(before) == len(after)
    alike = Counter(item.asked for item in before.values()) == Counter(item.asked for item in after.values())
    level: Level = "other"
    if whole:
        level = "same" if kept == len(both) else "rekeyed"
    elif alike:
        level = "replicas"
    return Cell(world, condition, len(before), len(after), kept, len(both) - kept, level)


@dataclass(frozen=True, slots=True)
class _Item:
    """An item in three parts: what a model sees, what answers are judged by, what is asked up to names."""

    shown: ModelRow
    judged: bytes
    asked: bytes


def _items(pack: Pack, world: str, condition: Condition) -> dict[str, _Item]:
    shown = {row.item: row for row in pack.model}
    rows = [row for row in pack.evaluator if (row.world, row.condition) == (world, condition)]
    return {row.item: _Item(shown[row.item], canonical([row.instance, row.key]), _asked(pack, row)) for row in rows}


def _asked(pack: Pack, row: EvaluatorRow) -> bytes:
    latent = row.base if row.replica == "renaming" else row.family
    source = pack.sources.get(f"{row.made.get('source')}.json")
    return canonical([row.replica, latent, row.wording, _stratum(row), source])


def _stratum(row: EvaluatorRow) -> Json:
    """What of a key is the same in every replica."""
    if row.condition not in ("P", "E"):
        return []
    key = as_map(row.key, f"/{row.item}/key")
    return [key.get("legal"), key.get("first_illegal_step"), key.get("goal")]
