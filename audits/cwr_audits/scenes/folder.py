"""The folder of a batch of items: what is in it, and how evaluators read it. Loads no drawing.

  model/items.jsonl        what models are given, with model/images/
  evaluator/records.jsonl  the records, with pictures as SVG and certificates; evaluator/log.jsonl: what befell
  manifest.json            {"schema","run","files"}: what the folder follows from, and the sha256 of every other file
Lines are sorted by id, so their order tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from cwr_audits.files import blaming, open_bytes, read_json
from cwr_audits.late import SCENE_JUDGES
from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json, parse
from cwr_solvers.reading import as_map, as_name, as_text, refuse

SCHEMA = "cwr-scene-batch/1"
MANIFEST, ITEMS = "manifest.json", "model/items.jsonl"
RECORDS, LOG = "evaluator/records.jsonl", "evaluator/log.jsonl"
PICTURES = "evaluator/pictures"
MANIFEST_BYTES, MANIFEST_DEPTH = 1 << 28, 16


def manifest_of(folder: Path) -> dict[str, Json]:
    """The manifest of a batch; raises UsageError where there is none, MalformedInput where it is no good one."""
    path = folder / MANIFEST
    if not path.is_file():
        raise UsageError(f"{folder} is no folder of items that cwr generate made: it has no {MANIFEST}")
    found = as_map(read_json(str(path), MANIFEST_BYTES, MANIFEST_DEPTH), "")
    if found.get("schema") != SCHEMA:
        refuse("unknown-name", "/schema", SCHEMA, str(found.get("schema")))
    as_map(found.get("run"), "/run")
    as_map(found.get("files"), "/files")
    return found


def scene_of(manifest: Mapping[str, Json]) -> str:
    """Which scene a batch is of."""
    return as_name(as_map(manifest["run"], "/run").get("scene"), "/run/scene", SCENE_JUDGES, "scene")


def records(folder: Path) -> Iterator[tuple[str, Json]]:
    """The records of a batch with their ids; raises UsageError where the file cannot be read, or a line is no record,
    and after the last one where the file is not the one that the manifest names: what is right must not be edited."""
    name, told = str(folder / RECORDS), sha256()
    with open_bytes(name) as stream:
        for number, line in enumerate(stream, 1):
            told.update(line)
            with blaming(f"{name}, line {number}"):
                found = parse(line, INSTANCE_BYTES, INSTANCE_DEPTH)
                yield as_text(as_map(found, "").get("id"), "/id"), found
    with blaming(str(folder / MANIFEST)):
        named = as_map(manifest_of(folder)["files"], "/files").get(RECORDS)
    if told.hexdigest() != named:
        raise UsageError(f"{name} is not as its manifest says")


def record(folder: Path, item: str) -> Json:
    """The record of one item, out of a file that was read to its end; raises UsageError where there is none."""
    wanted = [found for name, found in records(folder) if name == item]
    if not wanted:
        raise UsageError(f"{folder} has no item {item!r}")
    return wanted[0]
