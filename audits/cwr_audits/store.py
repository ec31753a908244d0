"""Stored spaces: the table of classes of an instance as Parquet, kept under a key that names all it depends on.

STORE/KEY/   classes.parquet   one row a class
             words.parquet     one row a word
             manifest.json     {"schema", "key", "files": {name: sha256}}, or, where the space was found too large to
                               list, {"schema", "key", "undecided": [reason, detail]} and no files

KEY is a digest of the instance, the witness (distances are from it), and the source files that the rows come from. So a
space that other code made is never found, and needs no date to be stale. A space whose files are not those of its
manifest is none: it is made anew and replaced. That guards against accidents; who can write to the store can put
anything into it, manifest included. It is a cache, no certificate: what comes out of it is graded before it is shown.

Columns. class, representative, size, cost, words (how many), distance (where there is a witness), has_<motif>, and the
columns of cwr_audits.tallies; for words: class, word, raw, cost, distance. No column is ever NULL. Sizes are exact:
BIGINT, or DECIMAL(38,0) where one is beyond 64 bits, or decimal text where one is beyond 38 digits (comparing that with
a number is an error, not an answer).

A space is written beside its place and renamed into it, so it is there whole or not at all.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

import duckdb

import cwr_audits
import cwr_solvers
from cwr_audits.rows import MOTIF_NAMES, ClassRow
from cwr_audits.staging import ready, staging
from cwr_audits.subject import Subject
from cwr_audits.tallies import columns
from cwr_audits.wire import pack
from cwr_solvers.errors import MalformedInput, Undecided, UsageError
from cwr_solvers.jsontext import Json, canonical, decimal_text, parse

SCHEMA = "cwr-space/1"
VARIABLE = "CWR_STORE"
MANIFEST = "manifest.json"
CLASSES = "classes.parquet"
WORDS = "words.parquet"
MOST_BYTES = 64 * 1024  # of a manifest
CHUNK = 1 << 20
MOST_LINE = 1 << 28  # bytes of a row; a word has at most 64 KiB, an exact size some more
TRIES = 5
DEFINITE = ("words", "states", "size")  # limits that come first on every machine

# what rows come from, beside the rules of their family
SOURCES = ("table", "rows", "routes", "tallies", "distance", "spaces", "store", "engines/interpreter")


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of stored spaces (None: there is none), and whether somebody named it."""

    folder: Path | None
    named: bool


def place(named: str | None) -> Place:
    """The named folder, else that of CWR_STORE, else the user's cache folder (XDG), where there is a home."""
    given = named if named is not None else os.environ.get(VARIABLE)
    if given:
        return Place(Path(given), named=True)
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(cache):
        return Place(Path(cache) / "cwr" / "spaces", named=False)
    home = os.path.expanduser("~")
    return Place(Path(home) / ".cache" / "cwr" / "spaces" if os.path.isabs(home) else None, named=False)


def kept_in(place: Place, keep: Callable[[Path], object]) -> str:
    """Keep something there. Where that cannot be, says why; raises UsageError where somebody named the folder, as the
    cache folder is a convenience that an answer does not depend on."""
    if place.folder is None:
        return f"there is no home folder to keep spaces in: name one with --store or {VARIABLE}"
    try:
        keep(place.folder)
    except UsageError as error:
        if place.named:
            raise
        return f"{error}: name another folder with --store or {VARIABLE}"
    return ""


def key(about: Subject) -> str:
    """The digest of all that the rows of an instance depend on."""
    parts: Json = {
        "schema": SCHEMA,
        "instance": about.digest,
        "witness": about.witness,
        "code": _code(about.world.family),
    }
    return sha256(canonical(parts)).hexdigest()


def stored(store: Path, about: Subject) -> Path | None:
    """The folder of an instance's space; None where there is none, or one that is not as it was written.

    Raises Undecided where the space is known to be too large to list.
    """
    named = key(about)
    folder = store / named
    try:
        manifest = parse((folder / MANIFEST).read_bytes(), MOST_BYTES, 4)
        if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA or manifest.get("key") != named:
            return None
        match manifest:
            case {"undecided": [str(reason), str(detail)]} if reason in DEFINITE:
                raise Undecided(reason, detail)
            case {"files": dict(files)}:
                return folder if files == _digests(folder) else None
    except (OSError, MalformedInput):
        return None
    return None


def keep(store: Path, about: Subject, rows: Sequence[ClassRow]) -> Path:
    """Write an instance's space, and replace what stands in its place; raises UsageError where that cannot be."""

    def fill(folder: Path) -> Json:
        _write(folder, about, rows)
        return {"files": dict(_digests(folder))}

    return _put(store, about, fill)


def keep_undecided(store: Path, about: Subject, error: Undecided) -> None:
    """Remember that a space is too large to list, where that is so on every machine; raises UsageError as `keep`."""
    if error.reason in DEFINITE:
        _put(store, about, lambda _folder: {"undecided": [error.reason, error.detail]})


def _put(store: Path, about: Subject, fill: Any) -> Path:
    """Fill a folder beside its place, then rename it there; of two at once the last one stays."""
    named = key(about)
    ready(store)
    try:
        with staging(store) as work:
            made = work / "new"
            made.mkdir()
            told: dict[str, Json] = {"schema": SCHEMA, "key": named, **fill(made)}
            (made / MANIFEST).write_bytes(canonical(told))
            _swap(made, store / named, work)
    except OSError as error:
        raise UsageError(f"cannot keep a space in {store}: {error.strerror or error}") from None
    return store / named


def _swap(made: Path, target: Path, work: Path) -> None:
    """Rename a folder to where another may stand, which goes away; raises OSError where others are always faster."""
    for number in range(TRIES):
        with suppress(FileNotFoundError):
            target.rename(work / f"old{number}")
        try:
            made.rename(target)
        except OSError:  # meanwhile another process put its own there
            if number == TRIES - 1:
                raise
        else:
            return


def _code(family: str) -> str:
    """The digest of the source files that rows of a family come from."""
    solvers, audits = Path(str(cwr_solvers.__file__)).parent, Path(str(cwr_audits.__file__)).parent
    files = [
        *sorted(solvers.glob("*.py")),
        *sorted((solvers / "worlds" / family.lower()).glob("*.py")),
        *sorted((audits / "motifs").glob("*.py")),
        *(audits / f"{name}.py" for name in SOURCES),
    ]
    told = sha256()
    for file in files:
        told.update(f"{file.parent.name}/{file.name}\n{_digest(file)}\n".encode())
    return told.hexdigest()


def _digests(folder: Path) -> dict[str, Json]:
    return {name: _digest(folder / name) for name in (CLASSES, WORDS)}


def _digest(file: Path) -> str:
    told = sha256()
    with file.open("rb") as stream:
        while part := stream.read(CHUNK):
            told.update(part)
    return told.hexdigest()


def _write(folder: Path, about: Subject, rows: Sequence[ClassRow]) -> None:
    """Both tables."""
    exact = exact_type(chain((one.size for one in rows), (word.raw for one in rows for word in one.words)))
    away = {} if about.witness is None else {"distance": "BIGINT"}
    tallies = dict.fromkeys(columns(about.world.family, about.source).values(), "BIGINT")
    motifs = {f"has_{name}": "BOOLEAN" for name in MOTIF_NAMES[about.world.family]}
    write_parquet(
        folder / CLASSES,
        {"class": "BIGINT", "representative": "VARCHAR", "size": exact, "cost": "BIGINT", "words": "BIGINT"}
        | away
        | motifs
        | tallies,
        (_class(one) for one in rows),
    )
    write_parquet(
        folder / WORDS,
        {"class": "BIGINT", "word": "VARCHAR", "raw": exact, "cost": "BIGINT"} | away,
        (word for one in rows for word in _words(one)),
    )


def _class(one: ClassRow) -> dict[str, Any]:
    return {
        "class": one.number,
        "representative": one.representative.decode("utf-8"),
        "size": decimal_text(one.size),
        "cost": one.cost,
        "words": len(one.words),
        "distance": one.distance,
        **{f"has_{name}": holds for name, holds in one.motifs.items()},
        **one.tallies,
    }


def _words(one: ClassRow) -> Iterable[dict[str, Any]]:
    for word in one.words:
        yield {
            "class": one.number,
            "word": word.word.decode("utf-8"),
            "raw": decimal_text(word.raw),
            "cost": one.cost,
            "distance": word.distance,
        }


def exact_type(sizes: Iterable[int]) -> str:
    """The narrowest type that holds all sizes exactly."""
    most = max(sizes, default=0)
    if most < 2**63:
        return "BIGINT"
    return "DECIMAL(38,0)" if most < 10**38 else "VARCHAR"


def write_parquet(file: Path, types: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> None:
    """A Parquet file of rows, of which the keys in `types` are kept; raises OSError.

    They go by way of JSON lines, so that nothing but DuckDB is needed.
    """
    lines = file.with_name(f"{file.name}.ndjson")
    with lines.open("wb") as stream:
        for row in rows:
            stream.write(pack({name: row[name] for name in types}))
    told = ", ".join(f"{_literal(name)}: {_literal(kind)}" for name, kind in types.items())
    form = f"format='newline_delimited', columns={{{told}}}, maximum_object_size={MOST_LINE}"
    source = f"SELECT * FROM read_json({_literal(str(lines))}, {form})"
    try:
        with duckdb.connect(":memory:", config={"threads": 1}) as connection:
            connection.execute(f"COPY ({source}) TO {_literal(str(file))} (FORMAT parquet)")
    except duckdb.IOException as error:
        raise OSError(str(error).splitlines()[0]) from None
    finally:
        lines.unlink()


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
