"""Command report: write VERIFICATION.md, or tell whether it is current."""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice

from cwr_audits.files import checkout
from cwr_audits.out import ACCEPTED, REJECTED, say, say_error, say_json
from cwr_audits.report import verification
from cwr_audits.subject import subjects
from cwr_certificates.seal import write_file

NAME = "VERIFICATION.md"
SHOWN = 20  # lines of a difference


def report(check: bool, json_out: bool) -> int:
    """Write the report, or with `check` compare it; faults that it lists are told and end it with 1."""
    root = checkout()
    made = verification(subjects(()), root)
    path = root / NAME
    old = path.read_text(encoding="utf-8") if path.is_file() else ""
    current = old == made.text
    if not check and not current:
        write_file(path, made.text.encode("utf-8"))
    for fault in made.faults:
        say_error(fault)
    if json_out:
        say_json({"file": NAME, "current": current, "written": not check and not current, "faults": list(made.faults)})
    else:
        _tell(old, made.text, check)
    return ACCEPTED if not made.faults and (current or not check) else REJECTED


def _tell(old: str, new: str, check: bool) -> None:
    if old == new:
        say(f"{NAME} is current")
    elif not check:
        say(f"{NAME} written")
    else:
        say(f"{NAME} is not current:")
        differing = unified_diff(old.splitlines(), new.splitlines(), "on disk", "as it should be", lineterm="", n=0)
        for line in islice(differing, SHOWN):
            say(line)
