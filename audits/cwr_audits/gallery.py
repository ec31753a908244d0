"""The page of all pictures, docs/pictures.md: every showcase's witness whole and half-way, and one illegal submission.

`python -m cwr_audits.gallery docs` writes the page and the SVG files beside it; `files` is what they should be.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cwr_audits.pictures import picture
from cwr_audits.subject import Subject, subjects
from cwr_certificates.seal import write_file
from cwr_solvers.world import Submission

PAGE = "pictures.md"
FOLDER = "pictures"

HEAD = """# The pictures of the worlds

Written by `python -m cwr_audits.gallery docs` (a part of `make certify`); every picture follows the reader's light or
dark screen. `cwr show CODE --svg FILE` draws the witness of a world, with `--submission` any submission, with
`--step N` its first N steps.

All share one form: how the run ended stands on top, with every broken rule and its reason; how to read the drawing
stands below it. What the last step changed is bold on its own ground; what a rule forbids is dashed, marked ✗, and the
last thing drawn.
"""

# family -> what the picture is
KINDS: Mapping[str, str] = {
    "TW": "a path of states",
    "TP": "a string diagram",
    "BC": "a schematic of gates",
    "KL": "a map, and where everything is over time",
    "RS": "a Gantt chart with a profile of each resource",
    "PS": "a path of states",
    "PA": "a graph of ports",
    "FT": "a board of coloured tiles",
    "CO": "a ring of tokens, before and after each card",
}


def files() -> dict[str, bytes]:
    """The page and its pictures, by name from the folder of the page."""
    made: dict[str, bytes] = {}
    lines = [HEAD]
    for about in subjects(()):
        lines.append(f"## {about.code}: {about.world.title} as {KINDS[about.world.family]}\n")
        for name, words, submission, step in _shown(about):
            file = f"{FOLDER}/{about.code}-{name}.svg"
            made[file] = picture(about.world.family, about.instance, submission, step).encode("utf-8")
            lines.append(f"{words}:\n\n![{about.code}, {words.lower()}]({file})\n")
    return {PAGE: "\n".join(lines).encode("utf-8"), **made}


def _shown(about: Subject) -> list[tuple[str, str, Submission[Any], int | None]]:
    """What is drawn of a world: name of the file, what it is, submission and step."""
    read = about.world.read_submission
    witness = read(about.instance, about.witness)
    half = len(witness.moves) // 2
    shown: list[tuple[str, str, Submission[Any], int | None]] = [
        ("witness", "The witness", witness, None),
        ("half", f"The witness after step {half}", witness, half),
    ]
    illegal = [probe for probe in about.probes if isinstance(probe, dict) and probe.get("verdict") == "illegal"]
    latest = max(illegal, key=lambda probe: int(str(probe["step"])))
    words = f"An illegal submission, the probe {latest['name']}"
    return [*shown, ("illegal", words, read(about.instance, latest["submission"]), None)]


def main(folder: str) -> None:
    """Write the page and its pictures into a folder; pictures of worlds that are gone are removed."""
    out, made = Path(folder), files()
    (out / FOLDER).mkdir(parents=True, exist_ok=True)
    for name, content in made.items():
        write_file(out / name, content)
    for path in (out / FOLDER).glob("*.svg"):
        if f"{FOLDER}/{path.name}" not in made:
            path.unlink()


if __name__ == "__main__":
    main(sys.argv[1])
