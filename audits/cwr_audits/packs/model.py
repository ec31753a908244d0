"""A pack as data, and as the files that hold it (docs/packs.md). Nothing here judges; reading is strict.

model row       what a model sees of an item: nothing in it tells world, condition or key
evaluator row   all that there is to know of the item
`made` says how an item was made, by condition (JSON of the replica's family):
  P  {"state","move","pair","path"}, the path being the moves that lead to the state, or null where none is known
  R  {"goal","artifacts":[{"artifact_id","role","submission"}…]}, a role being one of ROLES
  E  {"submission"}
  F  and C {"source","example":{"instance","submission"},"demonstrations":[{"state","move","answer"}…]}
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar, cast

from cwr_audits.allowed import as_seed
from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.jsontext import LARGEST, Json, canonical, parse
from cwr_solvers.reading import (
    as_int,
    as_items,
    as_list,
    as_map,
    as_name,
    as_object,
    as_text,
    describe,
    distinct,
    refuse,
)

T = TypeVar("T")

Condition: TypeAlias = Literal["P", "R", "E", "F", "C"]

SCHEMA = "cwr-pack/1"
CONDITIONS: tuple[Condition, ...] = ("P", "R", "E", "F", "C")
ARMS: tuple[Condition, ...] = ("F", "C")
REPLICAS = ("renaming", "sibling")
ROLES = ("valid", "changed-goal", "illegal")
CANARY = "cwr-canary 5d7f0f3e-64b1-4c83-9b0f-1f6a53a2c7d9: benchmark material, not to be in any training corpus"

ABOUT, MODEL, EVALUATOR = "evaluator/pack.json", "model/items.jsonl", "evaluator/items.jsonl"
SOURCES, CERTIFICATES = "evaluator/sources", "evaluator/certificates"
FILE_BYTES = 256 * 1024 * 1024
DEPTH = 40
ID_DIGITS, SALT_DIGITS = 16, 32
SALT = re.compile(f"[0-9a-f]{{{SALT_DIGITS}}}")


@dataclass(frozen=True, slots=True)
class ModelRow:
    """What a model sees of an item."""

    item: str
    session: str
    prompt: str


@dataclass(frozen=True, slots=True)
class EvaluatorRow:
    """What the evaluator knows of an item.

    world      the showcase's code; `family` is the family of the replica
    base       digest of the canonical form of the replica's instance (see cwr_audits.packs.replicas)
    replica    one of REPLICAS
    wording    the number of the template
    instance   the replica's instance, JSON in normal form
    key        the exact answer (P, R, E), None for F and C
    made       how the item was made, see the top of this file
    """

    item: str
    session: str
    world: str
    family: str
    condition: Condition
    base: str
    replica: str
    wording: int
    instance: Json
    key: Json
    made: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack. `unsourced` are the worlds that have no F and C items; `sources` {"TW-001-F.json": its JSON};
    `certificates` {"TW-001/certificate.json": bytes, …}, targets and sources."""

    seed: str
    salt: str
    worlds: tuple[str, ...]
    unsourced: tuple[str, ...]
    model: tuple[ModelRow, ...]
    evaluator: tuple[EvaluatorRow, ...]
    sources: Mapping[str, Json]
    certificates: Mapping[str, bytes]


def opaque(salt: str, *words: str) -> str:
    """The id of what the words say: nobody without the salt can tell what it names."""
    said = canonical(list(words))
    return hmac.new(bytes.fromhex(salt), said, sha256).hexdigest()[:ID_DIGITS]


# --- writing


def files(pack: Pack) -> dict[str, bytes]:
    """The files of a pack by their paths in it: the same pack gives the same bytes."""
    about: dict[str, Json] = {"canary": CANARY, "salt": pack.salt, "schema": SCHEMA, "seed": pack.seed}
    about |= {"unsourced": list(pack.unsourced), "worlds": list(pack.worlds)}
    found = {
        ABOUT: canonical(about) + b"\n",
        MODEL: _lines([_model_json(row) for row in sorted(pack.model, key=lambda row: row.item)]),
        EVALUATOR: _lines([_evaluator_json(row) for row in sorted(pack.evaluator, key=lambda row: row.item)]),
    }
    found |= {f"{SOURCES}/{name}": canonical(value) + b"\n" for name, value in sorted(pack.sources.items())}
    return found | {f"{CERTIFICATES}/{name}": data for name, data in sorted(pack.certificates.items())}


def _lines(rows: list[dict[str, Json]]) -> bytes:
    return b"".join(canonical(row) + b"\n" for row in rows)


def _model_json(row: ModelRow) -> dict[str, Json]:
    return {"canary": CANARY, "item": row.item, "prompt": row.prompt, "session": row.session}


def _evaluator_json(row: EvaluatorRow) -> dict[str, Json]:
    return {
        "base": row.base,
        "canary": CANARY,
        "condition": row.condition,
        "family": row.family,
        "instance": row.instance,
        "item": row.item,
        "key": row.key,
        "made": dict(row.made),
        "replica": row.replica,
        "session": row.session,
        "wording": row.wording,
        "world": row.world,
    }


# --- reading


def read_pack(folder: Path) -> Pack:
    """The pack in a folder. Files beyond those of a built pack (manifest, audits, waivers) are not looked at.

    Raises UsageError for what cannot be read, MalformedInput for what is not as it should be.
    """
    paths = [folder / ABOUT, folder / MODEL, folder / EVALUATOR, *sorted((folder / SOURCES).glob("*.json"))]
    paths += sorted(path for path in (folder / CERTIFICATES).rglob("*") if path.is_file())
    return from_files({path.relative_to(folder).as_posix(): _bytes(path) for path in paths})


def from_files(found: Mapping[str, bytes]) -> Pack:
    """The pack that these files are, by their paths in it; others are not looked at. Raises as `read_pack`."""
    for name in (ABOUT, MODEL, EVALUATOR):
        if name not in found:
            raise UsageError(f"a pack has a file {name}, and there is none")
    about = in_file(found, ABOUT, _about)
    model, evaluator = in_file(found, MODEL, read_model), in_file(found, EVALUATOR, read_evaluator)
    if {(row.item, row.session) for row in model} != {(row.item, row.session) for row in evaluator}:
        refuse("contradiction", "", f"the items of {MODEL} and their sessions in {EVALUATOR}", "others")
    return Pack(
        *about,
        model,
        evaluator,
        {name: in_file(found, f"{SOURCES}/{name}", _json) for name in _inside(found, SOURCES)},
        {name: found[f"{CERTIFICATES}/{name}"] for name in _inside(found, CERTIFICATES)},
    )


def read_model(data: bytes) -> tuple[ModelRow, ...]:
    """The rows of model/items.jsonl; raises MalformedInput."""
    rows = tuple(_model(value, at) for value, at in _rows(data))
    distinct((row.item for row in rows), "", "item")
    return rows


def read_evaluator(data: bytes) -> tuple[EvaluatorRow, ...]:
    """The rows of evaluator/items.jsonl; raises MalformedInput."""
    rows = tuple(_evaluator(value, at) for value, at in _rows(data))
    distinct((row.item for row in rows), "", "item")
    return rows


def _rows(data: bytes) -> list[tuple[Json, str]]:
    lines = data.split(b"\n")
    if lines.pop() != b"":
        refuse("syntax", "", "lines that end with a line feed", "a last line without")
    return [(_row(line, f"/{number}"), f"/{number}") for number, line in enumerate(lines, 1)]


def _row(line: bytes, at: str) -> Json:
    try:
        return _json(line)
    except MalformedInput as error:
        raise MalformedInput(error.code, at + error.pointer, error.expected, error.found) from None


def _model(value: Json, at: str) -> ModelRow:
    fields = as_object(value, at, ("canary", "item", "prompt", "session"))
    _canary(fields["canary"], f"{at}/canary")
    return ModelRow(*(as_text(fields[name], f"{at}/{name}") for name in ("item", "session", "prompt")))


def _evaluator(value: Json, at: str) -> EvaluatorRow:
    texts = ("item", "session", "world", "family")
    fields = as_object(
        value, at, (*texts, "canary", "condition", "base", "replica", "wording", "instance", "key", "made")
    )
    _canary(fields["canary"], f"{at}/canary")
    item, session, world, family = (as_text(fields[name], f"{at}/{name}") for name in texts)
    return EvaluatorRow(
        item=item,
        session=session,
        world=world,
        family=family,
        condition=cast(Condition, as_name(fields["condition"], f"{at}/condition", CONDITIONS, "condition")),
        base=as_text(fields["base"], f"{at}/base"),
        replica=as_name(fields["replica"], f"{at}/replica", REPLICAS, "kind of replica"),
        wording=as_int(fields["wording"], f"{at}/wording", 0, LARGEST),
        instance=fields["instance"],
        key=fields["key"],
        made=as_map(fields["made"], f"{at}/made"),
    )


def _canary(value: Json, at: str) -> None:
    if value != CANARY:
        refuse("contradiction", at, "the canary", "another text")


def _names(value: Json, at: str) -> tuple[str, ...]:
    return distinct(as_items(as_list(value, at), at, as_text), at, "world")


def _inside(found: Mapping[str, bytes], folder: str) -> list[str]:
    """The paths, within a folder, of the files that it has."""
    return sorted(name.removeprefix(f"{folder}/") for name in found if name.startswith(f"{folder}/"))


def in_file(found: Mapping[str, bytes], name: str, read: Callable[[bytes], T]) -> T:
    """What a file reads as; where it does not, the error names it."""
    try:
        return read(found[name])
    except MalformedInput as error:
        raise MalformedInput(error.code, f"{name}#{error.pointer}", error.expected, error.found) from None


def _about(data: bytes) -> tuple[str, str, tuple[str, ...], tuple[str, ...]]:
    """Seed, salt, worlds, and those without sources."""
    fields = as_object(_json(data), "", ("canary", "salt", "schema", "seed", "unsourced", "worlds"))
    as_name(fields["schema"], "/schema", (SCHEMA,), "schema")
    _canary(fields["canary"], "/canary")
    seed, salt = as_seed(fields["seed"], "/seed"), as_text(fields["salt"], "/salt")
    if SALT.fullmatch(salt) is None:
        refuse("domain", "/salt", f"{SALT_DIGITS} lower-case hex digits", describe(salt))
    return seed, salt, _names(fields["worlds"], "/worlds"), _names(fields["unsourced"], "/unsourced")


def _json(data: bytes) -> Json:
    return parse(data, FILE_BYTES, DEPTH)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
