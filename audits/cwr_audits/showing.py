"""An answer to a request in the forms that people and programs read: JSON, CSV, Parquet, pictures, cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cwr_audits.distance import MEANING
from cwr_audits.out import number
from cwr_audits.pictures import STYLE, inline, picture, svg
from cwr_audits.pictures.svg import LINE, MARGIN
from cwr_audits.request import Alternative, Answer, Request
from cwr_audits.rows import MOTIF_NAMES
from cwr_audits.store import exact_type, write_parquet
from cwr_audits.subject import Subject
from cwr_solvers.grading import read_text
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, decimal_text, parse

GAP = 8  # pixels


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


def drawn(about: Subject, one: Alternative, step: int | None = None) -> str:
    """The picture of an alternative, a file of its own."""
    return picture(about.world.family, about.instance, read_text(about.world, about.instance, one.word), step)


def sheet(about: Subject, shown: Sequence[Alternative]) -> str:
    """One picture of all alternatives, below each other, each under its title."""
    parts, y, wide = [], MARGIN, MARGIN
    for one in shown:
        words = title(about, one)
        part = inline(about.world.family, about.instance, read_text(about.world, about.instance, one.word))
        across, down = map(int, re.findall(r'(?:width|height)="(\d+)"', part.partition(">")[0]))
        parts += [svg.text(MARGIN, y, words, "new"), f'<svg x="0" y="{y + GAP}" {part.removeprefix("<svg ").rstrip()}']
        y += GAP + down + LINE + GAP
        wide = max(wide, across, svg.width(words) + 2 * MARGIN)
    size = f'viewBox="0 0 {wide} {y}" width="{wide}" height="{y}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="cwr" role="img" {size}>'
    ground = f'<rect class="cwr-ground" x="0" y="0" width="{wide}" height="{y}"/>'
    return "\n".join([head, f"<style>{STYLE}</style>", ground, *parts, "</svg>\n"])
