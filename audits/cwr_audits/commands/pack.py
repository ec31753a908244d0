"""Command pack: certify targets and sources, make the items, write the folder."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from cwr_audits import allowed
from cwr_audits.certify import PROVING, Result, certify
from cwr_audits.late import PROVER, ROUTES, TABLE, resolve
from cwr_audits.out import ACCEPTED, say, say_error, say_json, worst
from cwr_audits.packs.build import build
from cwr_audits.packs.families import targets
from cwr_audits.packs.model import CONDITIONS, Pack, files
from cwr_audits.packs.sources import Source, sources
from cwr_audits.routes import limits
from cwr_audits.staging import put_new_folder, refuse_taken
from cwr_audits.subject import Subject, from_json
from cwr_audits.telling import telling
from cwr_audits.workers import crew
from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import Json


def pack(codes: tuple[str, ...], out: str, seed: str, time_limit: float, json_out: bool) -> int:
    """Build the pack of these showcases (all that packs are made of when none is named)."""
    allowed.time_limit(time_limit)
    allowed.seed_word("--seed", seed)
    folder = Path(out)
    refuse_taken(folder)
    about = targets(tuple(dict.fromkeys(codes)))
    if any(one.witness is None for one in about):
        raise UsageError("packs are made of showcases that have a witness")
    known = [one for one in sources() if one.target in {one.code for one in about}]
    with telling() as tell:
        code, certificates = _certified([*about, *map(_subject, known)], time_limit, tell)
        if code != ACCEPTED:
            return code
        made = build(about, known, certificates, seed, tell)
        put_new_folder(folder, files(made))
    _print(out, made, json_out)
    return ACCEPTED


def _subject(source: Source) -> Subject:
    """A source as something to certify, its shown solution as witness."""
    return replace(from_json(source.source), witness=source.shown)


def _certified(about: list[Subject], seconds: float, tell: Callable[[str], None]) -> tuple[int, Mapping[str, bytes]]:
    """The exit code, and the files of all certificates where it is 0."""
    with tempfile.TemporaryDirectory() as made, crew({**ROUTES, PROVING: PROVER}) as workers:
        results = list(certify(workers, tuple(ROUTES), tuple(about), limits(seconds), Path(made), tell))
        for one in results:
            if one.code != ACCEPTED:
                say_error(f"{_name(one)}: not certified, so there is no pack; cwr certify says why")
        found = {
            path.relative_to(made).as_posix(): path.read_bytes()
            for path in sorted(Path(made).rglob("*"))
            if path.is_file()
        }
        return worst(one.code for one in results), found


def _name(one: object) -> str:
    return one.about.code if isinstance(one, Result) else str(getattr(one, "name", one))


def _print(out: str, made: Pack, json_out: bool) -> None:
    counted = Counter((row.world, row.condition) for row in made.evaluator)
    if json_out:
        items: dict[str, Json] = {world: {one: counted[world, one] for one in CONDITIONS} for world in made.worlds}
        say_json({"items": items, "out": out, "unsourced": list(made.unsourced)})
        return
    rows = [(world, *(str(counted[world, one]) for one in CONDITIONS)) for world in made.worlds]
    resolve(TABLE)(("world", *CONDITIONS), rows)
    say(f"{len(made.model)} items in {out}; not frozen: cwr freeze {out} --out FROZEN")
    for world in made.unsourced:
        say_error(f"{world}: has no F and C sources, so there are no F and C items")
