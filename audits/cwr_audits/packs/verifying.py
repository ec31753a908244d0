"""Verifying a frozen pack from its bytes alone, wherever it lies: it is frozen again in memory, and compared.

First what needs no judgement: plain files only, a manifest that reads, every file that it names and no other, each with
its digest. Only when that holds, certificates are checked and audits run again, and each byte of what freezing adds
(audits, waivers, manifest) must be what freezing would write now. An audit that comes to no verdict this time, or that
is not known here, leaves the pack undecided; every other difference refuses it.

A pack that somebody changed and froze anew is a pack, too: only the digest of its manifest, which was told at another
place, can say that it is the one that was meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256

from cwr_audits.out import REJECTED, UNDECIDED
from cwr_audits.packs.auditing import Start
from cwr_audits.packs.freezing import (
    MANIFEST,
    PREDICATE,
    STATEMENT,
    WAIVERS,
    Examined,
    Refusal,
    digest_of,
    examine,
    frozen,
    read_waivers,
    refusals,
)
from cwr_audits.packs.model import DEPTH, FILE_BYTES, in_file
from cwr_audits.packs.tree import Tree
from cwr_audits.packs.verdicts import FOLDER, Audit, read_audit
from cwr_solvers.jsontext import Json, canonical, parse
from cwr_solvers.reading import as_items, as_list, as_name, as_object, as_text, distinct, refuse

FREEZING = (MANIFEST, WAIVERS)  # and the folder of audits: what freezing adds to a built pack


def built_part(found: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of a frozen pack that were there before it was frozen."""
    return {name: data for name, data in found.items() if name not in FREEZING and not name.startswith(f"{FOLDER}/")}


def read_subject(data: bytes) -> dict[str, str]:
    """The digests {name: sha256} of a manifest; raises MalformedInput."""
    fields = as_object(parse(data, FILE_BYTES, DEPTH), "", ("_type", "predicate", "predicateType", "subject"))
    as_name(fields["_type"], "/_type", (STATEMENT,), "type of statement")
    as_name(fields["predicateType"], "/predicateType", (PREDICATE,), "type of predicate")
    if canonical(fields) + b"\n" != data:
        refuse("syntax", "", "canonical JSON (RFC 8785) and a line feed", "another spelling")
    rows = as_items(as_list(fields["subject"], "/subject"), "/subject", _digest)
    distinct((name for name, _ in rows), "/subject", "file")
    return dict(rows)


def _digest(value: Json, at: str) -> tuple[str, str]:
    fields = as_object(value, at, ("digest", "name"))
    digest = as_object(fields["digest"], f"{at}/digest", ("sha256",))
    return as_text(fields["name"], f"{at}/name"), as_text(digest["sha256"], f"{at}/digest/sha256")


def byte_faults(tree: Tree, wanted: str | None) -> list[Refusal]:
    """What is wrong before anything is judged; `wanted` is the digest that the manifest must have. Raises
    MalformedInput where the manifest is none."""
    return [Refusal("bytes", text, REJECTED) for text in _byte_faults(tree, wanted)]


def _byte_faults(tree: Tree, wanted: str | None) -> Iterator[str]:
    yield from tree.flaws
    if MANIFEST not in tree.files:
        yield f"{MANIFEST}: is missing, so this is no frozen pack"
        return
    if wanted is not None and digest_of(tree.files) != wanted:
        yield f"{MANIFEST}: its digest is {digest_of(tree.files)}, not the one that is demanded"
    told = in_file(tree.files, MANIFEST, read_subject)
    for name in sorted({*told, *tree.files} - {MANIFEST}):
        if name not in tree.files:
            yield f"{name}: is missing"
        elif name not in told:
            yield f"{name}: was added"
        elif sha256(tree.files[name]).hexdigest() != told[name]:
            yield f"{name}: was changed"


def verify(
    found: Mapping[str, bytes], start: Start, seconds: float, tell: Callable[[str], None]
) -> tuple[Examined, list[Refusal]]:
    """Freeze again what `byte_faults` found no fault with, and say what differs. Raises as `examine` does."""
    waivers = in_file(found, WAIVERS, read_waivers) if WAIVERS in found else {}
    known = examine(built_part(found), waivers, start, seconds, tell)
    recorded = [in_file(found, name, read_audit) for name in sorted(found) if name.startswith(f"{FOLDER}/")]
    unclear = {one.audit: one for one in recorded if _unclear(one, known) is not None}
    settled = replace(known, audits=(*(one for one in known.audits if one.audit not in unclear), *unclear.values()))
    again = frozen(settled)
    changed = [Refusal("freezing again", text, REJECTED) for text in _changes(found, again)]
    open_ = [Refusal(f"audit {name}", str(_unclear(one, known)), UNDECIDED) for name, one in unclear.items()]
    return known, [*refusals(settled), *open_, *changed]


def _changes(found: Mapping[str, bytes], again: Mapping[str, bytes]) -> Iterator[str]:
    for name in sorted({*found, *again}):
        if name not in found:
            yield f"{name}: comes out now, and is not there"
        elif name not in again:
            yield f"{name}: is there, and does not come out now"
        elif found[name] != again[name]:
            yield f"{name}: is not what comes out now"


def _unclear(recorded: Audit, known: Examined) -> str | None:
    """Why a recorded verdict cannot be held against one of now; None where it can.

    A limit came first then or now, which says nothing of the pack; an audit that fails now has been held against it.
    """
    now = {one.audit: one.verdict for one in known.audits}.get(recorded.audit)
    if now is None:
        return "is recorded, and is not known here, so it was not run again"
    if now != recorded.verdict and "undecided" in (now, recorded.verdict) and now != "failed":
        return f"is recorded as {recorded.verdict}, and {now} this time"
    return None
