"""Commands ledger add, show, verify."""

from __future__ import annotations

from pathlib import Path

from cwr_audits.files import blaming, read_json
from cwr_audits.ledger import LINE_BYTES, LINE_DEPTH, TOO_LARGE, Ledger, append, read
from cwr_audits.out import ACCEPTED, REJECTED, counted, say, say_error, say_json
from cwr_solvers.errors import MalformedInput
from cwr_solvers.jsontext import canonical

SHORT = 16  # digits of a digest for people
ROOM = 1024  # bytes of a line that are not its entry
DEEPER = 1  # an entry stands inside a line


def add(ledger: str, file: str, kind: str, json_out: bool) -> int:
    """Append one entry."""
    with blaming(file):
        entry = read_json(file, LINE_BYTES - ROOM, LINE_DEPTH - DEEPER)
    with blaming(ledger):
        head = append(Path(ledger), kind, [entry])
    if json_out:
        say_json({"head": head})
    else:
        say(f"{ledger}: head {head}")
    return ACCEPTED


def show(ledger: str, json_out: bool) -> int:
    """Print the entries, one a line."""
    with blaming(ledger):
        found = read(Path(ledger))
    for one in found.entries:
        if json_out:
            say_json({"entry": one.entry, "kind": one.kind, "number": one.number})
        else:
            say(f"{one.number} {one.kind} {canonical(one.entry).decode('utf-8')}")
    _tell_torn(ledger, found)
    return ACCEPTED


def verify(ledger: str, head: str | None, json_out: bool) -> int:
    """Verify the chain, and that it goes on from a head that was kept elsewhere."""
    try:
        found = read(Path(ledger))
    except MalformedInput as error:
        if error.code == TOO_LARGE:
            raise  # which says nothing of the chain
        say_error(f"{ledger}: the chain is broken: {error}")
        return REJECTED
    anchored = head is None or head in found.heads
    if json_out:
        said = None if head is None else anchored
        say_json({"entries": len(found.entries), "from_head": said, "head": found.head, "torn": list(found.torn)})
    else:
        say(f"{ledger}: {counted(len(found.entries), 'entry', 'entries')}, head {found.head}")
    _tell_torn(ledger, found)
    if not anchored:
        say_error(f"{ledger}: no beginning of it has the head {str(head)[:SHORT]}…: it was cut short or is another")
    return ACCEPTED if anchored else REJECTED


def _tell_torn(ledger: str, found: Ledger) -> None:
    for number in found.torn:
        say_error(f"{ledger}: line {number} was not written to its end")
