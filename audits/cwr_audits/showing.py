"""An answer to a request in the forms that people and programs read: JSON, CSV, Parquet, pictures, cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cwr_audits import pictures
from cwr_audits.distance import MEANING
from cwr_audits.out import number
from cwr_audits.pictures.svg import CHARACTER, LINE, MARGIN, text, width
from cwr_audits.request import Alternative, Answer, Request
from cwr_audits.rows import MOTIF_NAMES
from cwr_audits.store import exact_type, write_parquet
from cwr_audits.subject import Subject
from cwr_solvers.grading import read_text
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, decimal_text, parse

GAP = 8  # pixels
_SIZE = re.compile(r'^<svg ([^>]*?)width="(\d+)" height="(\d+)"([^>]*)>')


def as_json(about: Subject, request: Request, answer: Answer) -> dict[str, Json]:
    """The whole answer. `cut` says that there are, or may be, alternatives that are not shown."""
    return {
        "code": about.code,
        "instance_sha256": about.digest,
        "alternatives": [one_json(one) for one in answer.alternatives],
        "of": "classes" if request.classes else "words",
        "matching": answer.matching,
        "shown": len(answer.alternatives),
        "cut": answer.cut,
        "complete": answer.complete,
        "basis": answer.basis,
        "distance": MEANING,
        "notes": list(answer.notes),
    }


def one_json(one: Alternative) -> dict[str, Json]:
    """One alternative."""
    return {
        "class": one.number,
        "submission": parse(one.word, SUBMISSION_BYTES, SUBMISSION_DEPTH),
        "cost": one.cost,
        "raw": number(one.raw),
        "words": one.words,
        "distance": one.distance,
        "apart": one.apart,
        "motifs": None if one.motifs is None else dict(one.motifs),
    }


def columns(about: Subject) -> dict[str, str]:
    """{column: its type} of the flat forms; the exact type of raw counts is chosen by what there is."""
    motifs = {f"has_{name}": "BOOLEAN" for name in MOTIF_NAMES[about.world.family]}
    numbers = dict.fromkeys(("cost", "words", "distance", "apart"), "BIGINT")
    return {"class": "BIGINT", "submission": "VARCHAR", "raw": "VARCHAR", **numbers, **motifs}


def flat(one: Alternative) -> dict[str, Any]:
    """One alternative as one row; raw counts are decimal text."""
    return {
        "class": one.number,
        "submission": one.word.decode("utf-8"),
        "raw": decimal_text(one.raw),
        "cost": one.cost,
        "words": one.words,
        "distance": one.distance,
        "apart": one.apart,
        **{f"has_{name}": holds for name, holds in (one.motifs or {}).items()},
    }


def as_csv(about: Subject, answer: Answer) -> bytes:
    """One line a row, after a line of names (RFC 4180)."""
    stream = io.StringIO()
    lines = csv.DictWriter(stream, columns(about))
    lines.writeheader()
    for one in answer.alternatives:
        lines.writerow({name: _cell(value) for name, value in flat(one).items()})
    return stream.getvalue().encode("utf-8")


def _cell(value: Any) -> Any:
    """Truth as in JSON."""
    return str(value).lower() if isinstance(value, bool) else value


def parquet(file: Path, about: Subject, answer: Answer) -> None:
    """A Parquet file of the rows; raises OSError."""
    types = {**columns(about), "raw": exact_type(one.raw for one in answer.alternatives)}
    blank: Mapping[str, None] = dict.fromkeys(types)
    write_parquet(file, types, ({**blank, **flat(one)} for one in answer.alternatives))


def cells(one: Alternative) -> tuple[str, ...]:
    """The cells of a table for people, in the order of `headings`."""
    numbers = (one.number, one.cost, one.distance, one.apart)
    shown = ["-" if value is None else str(value) for value in numbers]
    motifs = "?" if one.motifs is None else ", ".join(name for name, holds in one.motifs.items() if holds) or "none"
    return (*shown, str(one.words), decimal_text(one.raw), motifs, one.word.decode("utf-8"))


HEADINGS = ("class", "cost", "distance", "apart", "words", "raw", "motifs", "submission")


def title(about: Subject, one: Alternative) -> str:
    """What stands above the picture of an alternative."""
    parts = [about.code, f"cost {one.cost}"]
    parts += [] if one.number is None else [f"class {one.number}"]
    parts += [] if one.distance is None else [f"distance {one.distance}"]
    return ", ".join(parts)


def picture(about: Subject, one: Alternative, step: int | None = None) -> str:
    """The picture of an alternative."""
    return pictures.picture(about.world.family, about.instance, read_text(about.world, about.instance, one.word), step)


def sheet(titled: Sequence[tuple[str, str]]) -> str:
    """One picture of several, below each other, each under its title."""
    parts, y, wide = [], MARGIN, 0
    for named, drawn in titled:
        found = _SIZE.match(drawn)
        if found is None:
            raise ValueError("a picture without width and height")
        parts.append(text(MARGIN, y + LINE, named))
        y += LINE + GAP
        parts.append(f'<svg x="0" y="{y}" {drawn.removeprefix("<svg ").rstrip()}')
        y += int(found[3]) + GAP
        wide = max(wide, int(found[2]), MARGIN + width(named) + CHARACTER)
    size = f'viewBox="0 0 {wide} {y}" width="{wide}" height="{y}"'
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="cwr" role="img" {size}>\n{body}\n</svg>\n'
