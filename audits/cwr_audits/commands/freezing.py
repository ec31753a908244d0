"""Commands freeze and verify: a built pack becomes a frozen one, and anybody sees whether it still is what it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from cwr_audits import allowed
from cwr_audits.files import blaming, checkout, read_bytes
from cwr_audits.judges import pack_digest, pack_name
from cwr_audits.out import ACCEPTED, say, say_error, say_json, worst
from cwr_audits.packs.auditing import Start, by_workers
from cwr_audits.packs.freezing import (
    MANIFEST,
    Examined,
    Refusal,
    digest_of,
    examine,
    frozen,
    read_waivers,
    refusals,
)
from cwr_audits.packs.model import FILE_BYTES
from cwr_audits.packs.tree import read_tree
from cwr_audits.packs.verifying import byte_faults
from cwr_audits.packs.verifying import verify as verify_again
from cwr_audits.staging import put_new_folder, ready, refuse_taken
from cwr_audits.telling import telling
from cwr_certificates.seal import write_file
from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.jsontext import Json, canonical


def freeze(folder: str, out: str, waivers: str | None, time_limit: float, keep: bool, json_out: bool) -> int:
    """Freeze a built pack into a new folder, or say every reason against it. With `keep` the outcome goes to the
    checkout's results, where `cwr report` reads it."""
    with by_workers() as start:
        return freeze_by(start, folder, out, waivers, time_limit, json_out, checkout() if keep else None)


def freeze_by(
    start: Start,
    folder: str,
    out: str,
    waivers: str | None,
    time_limit: float,
    json_out: bool,
    keep: Path | None = None,
) -> int:
    """As `freeze`, with the audits of the given table, and the checkout in which the outcome is kept."""
    allowed.time_limit(time_limit)
    target = Path(out)
    refuse_taken(target)
    waived = {} if waivers is None else _waivers(waivers)
    tree = read_tree(Path(folder))
    if MANIFEST in tree.files:
        raise UsageError(f"{folder} is frozen already")
    if tree.flaws:
        raise MalformedInput("domain", folder, "the files of a built pack and nothing else", "; ".join(tree.flaws))
    ready(target.parent)
    with telling() as tell:
        known = examine(tree.files, waived, start, time_limit, tell)
        against = refusals(known)
        made = frozen(known)
        if not against:
            tell(f"writing {out}")
            put_new_folder(target, made)
    if keep is not None:
        _keep(keep, known, against, None if against else digest_of(made))
    _print(out, known, against, None if against else made, json_out)
    return _code(against)


def _waivers(name: str) -> dict[str, str]:
    with blaming(name):
        return read_waivers(read_bytes(name, FILE_BYTES))


def _keep(root: Path, known: Examined, against: Sequence[Refusal], digest: str | None) -> None:
    """How freezing went, with the digest of what the pack was made of and judged by."""
    told: dict[str, Json] = {"digest": digest, "made_of_sha256": pack_digest(root), **_examined_json(known)}
    refused: list[Json] = [{"text": one.text, "what": one.what} for one in against]
    write_file(root / "audits" / "issued" / pack_name(), canonical({**told, "refused": refused}) + b"\n")


def verify(folder: str, digest: str | None, time_limit: float, json_out: bool) -> int:
    """Verify a frozen pack from its bytes."""
    with by_workers() as start:
        return verify_by(start, folder, digest, time_limit, json_out)


def verify_by(start: Start, folder: str, digest: str | None, time_limit: float, json_out: bool) -> int:
    """As `verify`, with audits that are started so."""
    allowed.time_limit(time_limit)
    with telling() as tell:
        tell(f"reading {folder}")
        tree = read_tree(Path(folder))
        known, against = None, byte_faults(tree, digest)
        if not against:
            known, against = verify_again(tree.files, start, time_limit, tell)
    _print(folder, known, against, tree.files if MANIFEST in tree.files else None, json_out)
    return _code(against)


def _code(against: Sequence[Refusal]) -> int:
    return worst([ACCEPTED, *(one.code for one in against)])


def _print(
    name: str, known: Examined | None, against: Sequence[Refusal], found: Mapping[str, bytes] | None, json_out: bool
) -> None:
    """What was found; `known` is None when the bytes were refused before anything was judged."""
    for one in against:
        say_error(f"{name}: {one.what}: {one.text}")
    digest = None if found is None else digest_of(found)
    if json_out:
        refused: list[Json] = [{"exit": one.code, "text": one.text, "what": one.what} for one in against]
        said: dict[str, Json] = {"digest": digest, "pack": name, "refused": refused}
        say_json(said | _examined_json(known))
        return
    if known is not None:
        _say_examined(known)
    if digest is not None and not against:
        say(f"{name}: {len(found or ())} files; its manifest has the sha256 {digest}")


def _examined_json(known: Examined | None) -> dict[str, Json]:
    if known is None:
        return {"audits": None, "certificates": None, "waived": None}
    return {
        "audits": {one.audit: one.verdict for one in known.audits},
        "certificates": {one.folder: one.outcome for one in known.certificates},
        "waived": dict(known.waivers),
    }


def _say_examined(known: Examined) -> None:
    outcomes = Counter[str](one.outcome for one in known.certificates)
    verdicts = Counter[str](one.verdict for one in known.audits)
    say(f"certificates: {_counted(outcomes)}; audits: {_counted(verdicts)}")
    for audit, reason in known.waivers.items():
        say(f"waived: {audit}: {reason}")


def _counted(words: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {word}" for word, number in sorted(words.items())) or "none"
