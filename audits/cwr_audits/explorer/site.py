"""The site as a table of files: {path: bytes}. Pages are Jinja templates, escaped throughout; paths are relative.

index.html                       all worlds
verification.html                the report, where the site is of all showcases: the content of VERIFICATION.md
assets/                          the style sheet, the script, the icon
worlds/FOLDER/index.html         one world
worlds/FOLDER/instance.json      its instance, canonical: the file's digest is the instance's
worlds/FOLDER/classes.json       its classes with all their words
worlds/FOLDER/pictures/N-S.svg   class N after step S
worlds/FOLDER/certificate/       the certificate and its proofs, as they were checked

Pages from a folder may not fetch their data, so each holds its own, as JSON in a script element that no browser runs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from cwr_audits.explorer.world import Draw, Found, facts, listing, pictures
from cwr_audits.subject import Subject
from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import canonical

HERE = Path(__file__).resolve().parent
ASSETS = ("explorer.css", "explorer.js", "tables.js", "icon.svg")
REPORT = "verification"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "object-src 'none'; frame-src 'none'; connect-src 'none'"
)

# what would end or change a script element, or a line of JavaScript, is written as an escape of JSON
_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&'\u2028\u2029"}


def folders(subjects: Sequence[Subject]) -> tuple[str, ...]:
    """The folder of each world: its code, or where that can name none, part of its digest. Raises UsageError."""
    names = [one.code if NAME.fullmatch(one.code) else f"world-{one.digest[:16]}" for one in subjects]
    folded = [name.casefold() for name in names]
    for one, name in zip(subjects, folded, strict=True):
        if folded.count(name) > 1:
            raise UsageError(f"two worlds would share a folder: {one.code!r} is given twice")
    return tuple(names)


def site(
    worlds: Sequence[Found], draw: Draw, tell: Callable[[str], None], report: str | None = None
) -> dict[str, bytes]:
    """Every file of the site; `tell` is told what is being made. `report` is the Markdown of the report, if any."""
    pages = _environment()
    files = {f"assets/{name}": (HERE / "assets" / name).read_bytes() for name in ASSETS}
    told = []
    for one in worlds:
        tell(f"{one.about.code}: pictures")
        drawn = {} if one.table is None else pictures(one.about, one.table, draw)
        told.append(facts(one, drawn))
        files.update({f"worlds/{one.folder}/{name}": data for name, data in _beside(one, drawn).items()})
    reported = report is not None
    files["index.html"] = _page(pages, "index.html", root="", here="", worlds=told, reported=reported)
    if report is not None:
        body = as_html(report)
        page = _page(pages, "verification.html", root="", here=REPORT, worlds=told, reported=True, body=body)
        files["verification.html"] = page
    for said in told:
        here = said["folder"]
        page = _page(pages, "world.html", root="../../", here=here, worlds=told, reported=reported, world=said)
        files[f"worlds/{here}/index.html"] = page
    return files


def _beside(one: Found, drawn: Mapping[str, str]) -> dict[str, bytes]:
    """The files beside the page of a world."""
    files = {"instance.json": canonical(one.about.source)}
    files.update({name: svg.encode("utf-8") for name, svg in drawn.items()})
    if one.table is not None:
        files["classes.json"] = listing(one.about, one.table)
    if one.chain is not None:
        files.update({f"certificate/{name}": data for name, data in one.chain.files.items()})
    return files


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["data"] = as_data
    return made


def _page(pages: Environment, name: str, **values: Any) -> bytes:
    return pages.get_template(name).render(policy=POLICY, **values).encode("utf-8")


def as_html(text: str) -> Markup:
    """The HTML of Markdown: raw HTML in it is shown as text, its tables can be reached by the keyboard and scrolled."""
    made = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    table = '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table class="sortable">'
    return Markup(made.replace("<table>", table).replace("</table>", "</table></div>"))


def as_data(value: Any) -> Markup:
    """JSON that stands in a script element and cannot leave it."""
    return Markup(json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES))
