"""Command explore: write the explorer, a folder of pages.

The site is written also when a certificate in it is refused or a table was not finished: the page says so, and the exit
code is that of the worst world. When a search and a certificate differ, nothing is written.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cwr_audits import allowed
from cwr_audits.checking import EXITS
from cwr_audits.explorer.chain import agree, chain, readings, routes
from cwr_audits.explorer.classes import Table, table
from cwr_audits.explorer.folder import refuse_foreign, write_site
from cwr_audits.explorer.site import NAME, folders, site
from cwr_audits.explorer.world import Found
from cwr_audits.files import checkout
from cwr_audits.out import ACCEPTED, UNDECIDED, counted, say, say_error, say_json, worst
from cwr_audits.pictures import picture
from cwr_audits.report import verification
from cwr_audits.subject import Subject, subjects, to_certify
from cwr_audits.telling import telling
from cwr_solvers.errors import Undecided
from cwr_solvers.jsontext import Json
from cwr_solvers.world import Submission


def explore(codes: tuple[str, ...], out: str, certificates: str | None, most: int, seconds: float, json: bool) -> int:
    """Write the explorer of these worlds (all showcases when none is named) into the folder `out`."""
    allowed.time_limit(seconds)
    about = tuple(to_certify(code) for code in codes) or subjects(())
    names, folder = folders(about), Path(out)
    issued = checkout() / "certificates" / "issued" if certificates is None else Path(certificates)
    refuse_foreign(folder)
    with telling() as tell:
        worlds = list[Found]()
        for one, name in zip(about, names, strict=True):
            tell(f"{one.code}: classes and certificate ({len(worlds) + 1} of {len(about)})")
            worlds.append(_found(one, name, issued, most, seconds))
        whole = not codes and certificates is None
        files = site(worlds, drawn, tell, verification(about, checkout()).text if whole else None)
        tell(f"writing {len(files)} files")
        write_site(folder, files)
    _tell(worlds, folder, len(files), json)
    return worst(_code(one) for one in worlds)


def drawn(about: Subject, submission: Submission[Any], step: int | None) -> str:
    """The picture of a submission after a step (None: the whole)."""
    return picture(about.world.family, about.instance, submission, step)


def _found(about: Subject, name: str, issued: Path, most: int, seconds: float) -> Found:
    rows: Table | None = None
    undecided = ""
    try:
        rows = table(about, most, seconds)
    except Undecided as error:
        undecided = error.detail
    proved = chain(about, issued / about.code, seconds) if NAME.fullmatch(about.code) else None
    if proved is None:
        return Found(about, name, rows, undecided, None, None, {}, {})
    agreed = None if rows is None else agree(about, rows, proved)
    audits = checkout() / "audits" / "issued"
    told = routes(audits, about, proved), readings(audits, about, proved)
    return Found(about, name, rows, undecided, proved, agreed, *told)


def _code(one: Found) -> int:
    certificate = ACCEPTED if one.chain is None else EXITS[one.chain.outcome]
    return worst([certificate, UNDECIDED if one.table is None else ACCEPTED])


def _tell(worlds: list[Found], folder: Path, files: int, json: bool) -> None:
    for one in worlds:
        if one.chain is not None and one.chain.outcome != "verified":
            say_error(f"{one.about.code}: the certificate is {one.chain.outcome}: {one.chain.said}")
        if one.table is None:
            say_error(f"{one.about.code}: undecided: {one.undecided}")
    if json:
        told: list[Json] = [_json(one) for one in worlds]
        say_json({"folder": str(folder), "files": files, "worlds": told})
    else:
        say(f"{folder / 'index.html'}: {counted(len(worlds), 'world', 'worlds')} in {counted(files, 'file', 'files')}")


def _json(one: Found) -> Json:
    rows = one.table
    return {
        "code": one.about.code,
        "folder": one.folder,
        "classes": None if rows is None else len(rows.every),
        "shown": None if rows is None else len(rows.shown),
        "certificate": None if one.chain is None else one.chain.outcome,
    }
