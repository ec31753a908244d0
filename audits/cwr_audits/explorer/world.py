"""What the page of one world says, as plain values for the template, and the files that lie beside the page.

Numbers that people read have their digits in threes; numbers in the page's JSON are decimal strings, of any size.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any

from cwr_audits.distance import MEANING
from cwr_audits.explorer.chain import Chain, Link
from cwr_audits.explorer.classes import Table, representative
from cwr_audits.explorer.wording import WORDINGS
from cwr_audits.out import pretty
from cwr_audits.readings.cells import share, survived
from cwr_audits.rows import ClassRow
from cwr_audits.subject import Subject
from cwr_certificates.desk import digest
from cwr_certificates.seal import DOCUMENT
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, canonical, decimal_text, parse
from cwr_solvers.world import Submission
from cwr_solvers.worlds import bc, co, ft, kl, pa, ps, rs, tp, tw

MOST_PICTURES = 2_000  # of one world
MOST_STEPS = 100  # of a submission whose every step is drawn
MOST_MEMBERS = 100  # words of one class in the page; the file has all

BOOKS: Mapping[str, str | None] = {
    "BC": bc.__doc__,
    "CO": co.__doc__,
    "FT": ft.__doc__,
    "KL": kl.__doc__,
    "PA": pa.__doc__,
    "PS": ps.__doc__,
    "RS": rs.__doc__,
    "TP": tp.__doc__,
    "TW": tw.__doc__,
}

Draw = Callable[[Subject, Submission[Any], int | None], str]


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of one world: its table or why there is none, its chain, and whether the two agree.

    routes and readings are what audits of this certificate found: by route, and by motif.
    """

    about: Subject
    folder: str
    table: Table | None
    undecided: str
    chain: Chain | None
    agreed: bool | None
    routes: Mapping[str, Mapping[str, Json]]
    readings: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Motif:
    """One reading: its label, and over the table how many classes and raw submissions have it, and a class without.

    audited: whether the label survives a bound raised by one and by two, and the base rate; empty without an audit.
    """

    name: str
    label: str
    text: str
    classes: str
    raw: str
    without: int | None
    audited: tuple[str, ...]


def shown(number: int) -> str:
    """A number for people: digits in threes, narrow spaces between them."""
    digits = decimal_text(abs(number))
    first = len(digits) % 3 or 3
    threes = [digits[:first], *(digits[at : at + 3] for at in range(first, len(digits), 3))]
    return ("−" if number < 0 else "") + "\u202f".join(threes)


def facts(one: Found, pictures: Mapping[str, str]) -> dict[str, Any]:
    """The values that the templates name; `pictures` are the drawn files by name."""
    told: dict[str, Any] = {
        "code": one.about.code,
        "folder": one.folder,
        "title": one.about.world.title,
        "digest": one.about.digest,
        "rules": one.about.world.rules,
        "book": (BOOKS[one.about.world.family] or "").strip(),
        "definitions": _definitions(BOOKS[one.about.world.family] or ""),
        "instance": pretty(one.about.source),
        "table": one.table,
        "undecided": one.undecided,
        "chain": one.chain,
        "proofs": _proofs(one.chain),
        "commands": _commands(one.folder),
        "agreed": one.agreed,
        "routes": one.routes,
        "motifs": _motifs(one),
        "audited": bool(one.readings),
        "picture": None,
        "rows": [],
        "start": None,
    }
    return told if one.table is None else {**told, **_table_facts(one.about, one.table, pictures)}


def _table_facts(about: Subject, table: Table, pictures: Mapping[str, str]) -> dict[str, Any]:
    rows = [_row_facts(about, table, row, pictures) for row in table.shown]
    wording = WORDINGS[about.world.family]
    start = next((row for row in rows if row["witness"]), rows[0] if rows else None)
    return {
        "optimum": "none" if not rows else rows[0]["cost"],
        "classes": shown(len(table.every)),
        "words": shown(table.words),
        "raw": shown(table.raw),
        "shown": shown(len(rows)),
        "rows": rows,
        "costs": _span([row.cost for row in table.shown]),
        "distances": _span([row.distance for row in table.shown if row.distance is not None]),
        "far": any(row.distance is not None for row in table.shown),
        "meaning": MEANING,
        "column": wording.column,
        "number": wording.number,
        "ranges": _ranges(table),
        "cut": _cut(rows, len(table.every)),
        "start": start,
        "picture": start and start["picture"],
        "data": {"code": about.code, "start": start and start["number"], "classes": [_row_data(row) for row in rows]},
    }


def _span(numbers: list[int]) -> tuple[int, int] | None:
    """The least and the greatest of numbers that are not all one: what there is to filter by."""
    return (min(numbers), max(numbers)) if len(set(numbers)) > 1 else None


def _ranges(table: Table) -> list[tuple[str, str, int, int]]:
    """Column, name, least and greatest number of each tally that is not the same for all classes."""
    spans = [
        (column, name, _span([row.tallies[column] for row in table.shown])) for column, name in table.named.items()
    ]
    return [(column, name, *span) for column, name, span in spans if span is not None]


def _row_facts(about: Subject, table: Table, row: ClassRow, pictures: Mapping[str, str]) -> dict[str, Any]:
    submission, said = representative(about, row), WORDINGS[about.world.family].said
    moves = [said(about.world.write_move(about.instance, move)) for move in submission.moves]
    last = picture_name(row.number, len(moves))
    size, words, witness = shown(row.size), shown(len(row.words)), row.distance == 0
    tallies = [(table.named[column], number) for column, number in row.tallies.items()]
    return {
        "number": row.number,
        "witness": witness,
        "cost": shown(row.cost),
        "size": size,
        "words": words,
        "distance": row.distance,
        "motifs": row.motifs,
        "tallies": tallies if about.world.family == "RS" else [one for one in tallies if one[1]],
        "moves": moves,
        "picture": last if last in pictures else None,
        "stepped": picture_name(row.number, 0) in pictures,
        "alt": f"{about.code}, class {row.number}, after step {len(moves)} of {len(moves)}",
        "told": description(pictures.get(last, "")),
        "summary": f"Cost {shown(row.cost)}; {size} raw, {words} {'word' if words == '1' else 'words'}"
        + ("; the class of the witness" if witness else ""),
        "representative": row.representative.decode("utf-8"),
        "members": [one.word.decode("utf-8") for one in row.words[:MOST_MEMBERS]],
        "more": "" if len(row.words) <= MOST_MEMBERS else f"The first {MOST_MEMBERS} of {words}: classes.json has all.",
        "exact": row,
    }


def _row_data(row: Mapping[str, Any]) -> dict[str, Any]:
    """What the script needs of a row."""
    plain = ("number", "moves", "told", "summary", "representative", "members", "more", "stepped", "motifs", "distance")
    exact: ClassRow = row["exact"]
    return {
        **{name: row[name] for name in plain},
        "drawn": row["picture"] is not None,
        "tallies": exact.tallies,
        "cost": decimal_text(exact.cost),
        "size": decimal_text(exact.size),
        "words": decimal_text(len(exact.words)),
    }


def _cut(rows: list[dict[str, Any]], classes: int) -> str:
    """What a limit left out of the page."""
    drawn = sum(row["picture"] is not None for row in rows)
    said = [] if len(rows) == classes else [f"The first {shown(len(rows))} of {shown(classes)} classes, by cost."]
    said += [] if drawn == len(rows) else [f"The first {shown(drawn)} of these have pictures."]
    return " ".join(said)


def picture_name(number: int, step: int) -> str:
    """The file of a class's picture after a step, from the folder of its world."""
    return f"pictures/{number}-{step}.svg"


def pictures(about: Subject, table: Table, draw: Draw) -> dict[str, str]:
    """The pictures of the first rows, at most MOST_PICTURES; of long submissions the last step alone."""
    made: dict[str, str] = {}
    for row in table.shown:
        submission = representative(about, row)
        last = len(submission.moves)
        steps = range(last if last <= MOST_STEPS else 0)
        if len(made) + len(steps) >= MOST_PICTURES:
            break
        for step in steps:
            made[picture_name(row.number, step)] = draw(about, submission, step)
        made[picture_name(row.number, last)] = draw(about, submission, None)
    return made


def description(svg: str) -> str:
    """The words that a picture carries for those who do not see it; empty where it has none."""
    found = re.search(r"<desc>([^<]*)</desc>", svg)
    return "" if found is None else unescape(found.group(1))


def _definitions(book: str) -> str:
    """The part of a rule book that defines the motifs."""
    found = re.search(r"^Motif", book, re.MULTILINE)
    return "" if found is None else book[found.start() :].strip()


def _proofs(chain: Chain | None) -> list[tuple[str, str]]:
    files = {} if chain is None else chain.files
    return [(name, digest(data)) for name, data in sorted(files.items()) if name != DOCUMENT]


def _commands(folder: str) -> str:
    at = f"explorer/worlds/{folder}"
    return (
        f"python3 -I -S certificates --instance {at}/instance.json {at}/certificate\n"
        f"sha256sum {at}/instance.json {at}/certificate/*"
    )


def _motifs(one: Found) -> list[Motif]:
    """Every reading of the family's motif, with what the certificate says of it."""
    labels = {} if one.chain is None else one.chain.labels
    names = [*(one.table.motifs if one.table else ()), *labels]
    return [_motif(one, name, labels.get(name)) for name in dict.fromkeys(names)]


def _motif(one: Found, name: str, link: Link | None) -> Motif:
    label, text = _label(link)
    audited = _audited(one.readings.get(name))
    if one.table is None:
        return Motif(name, label, text, "not counted", "not counted", None, audited)
    having = [row for row in one.table.every if row.motifs[name]]
    without = next((row.number for row in one.table.shown if not row.motifs[name]), None)
    classes = f"{shown(len(having))} of {shown(len(one.table.every))}"
    raw = f"{shown(sum(row.size for row in having))} of {shown(one.table.raw)}"
    return Motif(name, label, text, classes, raw, without, audited)


def _label(link: Link | None) -> tuple[str, str]:
    """The label of a motif and what the certificate says of it."""
    if link is None:
        return "no label", "no claim: the witness lacks it, a limit came first, or there is no certificate"
    return (link.label if link.outcome == "verified" else f"claim {link.outcome}"), link.text


def _audited(told: Mapping[str, Any] | None) -> tuple[str, ...]:
    if told is None:
        return ()
    survives = {found["by"]: found for found in told["survives"]}
    rate = told["base_rate"]
    found = f"{share(rate['classes_with'], rate['classes'])} {rate['says']}"
    return (survived(survives.get(1)), survived(survives.get(2)), found)


def listing(about: Subject, table: Table) -> bytes:
    """classes.json: the rows with all their words, as canonical JSON."""
    rows = [_listed(row) for row in table.shown]
    head: dict[str, Json] = {"code": about.code, "instance_sha256": about.digest, "all": len(table.every)}
    return canonical({**head, "distance": MEANING, "classes": rows}) + b"\n"


def _listed(row: ClassRow) -> Json:
    members = [parse(one.word, SUBMISSION_BYTES, SUBMISSION_DEPTH) for one in row.words]
    motifs: dict[str, Any] = dict(row.motifs)
    return {
        "class": row.number,
        "cost": row.cost,
        "size": decimal_text(row.size),
        "distance": row.distance,
        "motifs": motifs,
        "tallies": dict(row.tallies),
        "representative": members[0],
        "members": members,
    }
