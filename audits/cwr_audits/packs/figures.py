"""The tables of docs/sources.md: `python -m cwr_audits.packs.figures docs/sources.md` writes them anew.

A table stands between `<!-- figures CODE -->` and `<!-- end -->`. Its figures are those of the coverage vector
(cwr_audits.packs.audits.coverage) that need no pack, of the target's witness and of what F and C show; then how many
accepted submissions have the motif that tells the arms apart, and how far what is shown is from the nearest solution of
the target under the best typed map. The last column says by how much F and C may differ, and whether they do.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from cwr_audits.packs.audits.cases import solutions
from cwr_audits.packs.audits.coverage import Figure, of_source
from cwr_audits.packs.audits.leakage import nearest
from cwr_audits.packs.audits.likeness import Likeness, Side, program
from cwr_audits.packs.audits.matching import UNMATCHABLE, near, tolerance
from cwr_audits.packs.audits.motif import holding, telling
from cwr_audits.packs.families import targets
from cwr_audits.packs.sources import ARMS, Source, sources
from cwr_audits.subject import Subject
from cwr_certificates.seal import write_file
from cwr_solvers.errors import UsageError

TABLE = re.compile(r"<!-- figures ([A-Z]{2}-[0-9]{3}) -->\n.*?<!-- end -->", re.DOTALL)
HEAD = "\n| figure | target | F | C | F and C |\n| --- | --- | --- | --- | --- |\n"


def refreshed(text: str) -> str:
    """The page with every table made anew. Raises UsageError where it has a table of no target."""
    known = {one.code: one for one in targets(())}
    unknown = [match[1] for match in TABLE.finditer(text) if match[1] not in known]
    if unknown:
        raise UsageError(f"no target is called {unknown[0]}")
    return TABLE.sub(lambda match: f"<!-- figures {match[1]} -->\n{table(known[match[1]])}<!-- end -->", text)


def table(target: Subject) -> str:
    """The table of a target."""
    arms = {one.arm: one for one in sources() if one.target == target.code}
    columns = {"target": of_source(_witness(target)), **{arm: of_source(arms[arm]) for arm in ARMS}}
    rows = [_row(target.code, name, columns) for name in columns["F"] if any(one.get(name) for one in columns.values())]
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in (*rows, *_compared(target, arms))) + "\n"


def _witness(target: Subject) -> Source:
    """The target as if it were a source that shows its witness."""
    submission = target.world.read_submission(target.instance, target.witness)
    return Source(
        target.code, "target", target.world, target.source, target.instance, target.witness, submission, "the witness"
    )


def _row(code: str, name: str, columns: Mapping[str, Mapping[str, Figure]]) -> tuple[str, ...]:
    first, control = (columns[arm].get(name) for arm in ARMS)
    percent = tolerance(name)
    if (code, name) in UNMATCHABLE:
        said = f"**cannot be matched**: {UNMATCHABLE[code, name]}"
    elif near(first, control, percent):
        said = "equal" if first == control else f"within {percent} %"
    else:
        said = f"**more than {percent} %**"
    return name, *(_said(one.get(name)) for one in columns.values()), said


def _said(figure: Figure) -> str:
    if figure is None:
        return "–"
    return ", ".join(map(str, figure)) if isinstance(figure, list) else str(figure)


def _compared(target: Subject, arms: Mapping[str, Source]) -> Iterator[tuple[str, ...]]:
    """What sets the arms apart, and how near each is to the target."""
    name = telling(target.world.family)
    held = [holding(target.world, one, name) for one in (target.source, *(arms[arm].source for arm in ARMS))]
    yield f"motif `{name}`: words that have it", *(f"{having} of {words}" for words, having in held), "apart"
    edits = [str(_edits(target, arms[arm])) for arm in ARMS]
    yield "edits to the target", "0", *edits, "told, not matched"


def _edits(target: Subject, source: Source) -> int | None:
    there = Side(target.world, target.source, target.instance)
    here = Side(source.world, source.source, source.instance)
    shown = program(here, source.world.normal(source.instance, source.submission))
    return nearest(
        Likeness(here, there), shown, [program(there, word) for word in solutions(target.world, target.source)]
    )


def main(name: str) -> None:
    """Write the tables of a page anew."""
    path = Path(name)
    write_file(path, refreshed(path.read_text(encoding="utf-8")).encode("utf-8"))


if __name__ == "__main__":
    main(sys.argv[1])
