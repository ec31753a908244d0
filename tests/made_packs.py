"""Packs with certificates for tests of what examines packs, made in this process and once a process."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from inline_crew import inline

from cwr_audits.certify import PROVING, Result, certify
from cwr_audits.late import PROVER, ROUTES
from cwr_audits.packs.build import build
from cwr_audits.packs.model import Pack
from cwr_audits.packs.sources import Source, sources
from cwr_audits.subject import Subject, from_json, subjects
from cwr_solvers.answers import Limits

COUNTING = "interpreter"  # the one route that certificates of these packs are made with


def quiet(_text: str) -> None:
    """Progress that nobody sees."""


@cache
def pack_of(*codes: str, seed: str = "audits") -> Pack:
    """The pack of these showcases and their sources, certified."""
    return packed(codes, tuple(one for one in sources() if one.target in codes), seed)


def packed(codes: tuple[str, ...], known: tuple[Source, ...], seed: str = "audits") -> Pack:
    """The pack of these showcases with other sources."""
    targets = subjects(codes)
    return build(targets, known, certificates((*targets, *map(subject, known))), seed, quiet)


def subject(source: Source) -> Subject:
    return replace(from_json(source.source), witness=source.shown)


def certificates(about: tuple[Subject, ...]) -> dict[str, bytes]:
    """The files of the certificates, by their names in a pack."""
    engines: dict[str, Any] = {COUNTING: ROUTES[COUNTING], PROVING: PROVER}
    with tempfile.TemporaryDirectory() as folder, inline(engines) as crew:
        made: Any = crew
        for one in certify(made, (COUNTING,), about, Limits(600.0, 100_000), Path(folder), quiet):
            assert isinstance(one, Result), str(one)
        found = sorted(path for path in Path(folder).rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}
