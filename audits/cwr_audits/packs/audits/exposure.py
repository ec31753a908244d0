"""What a pack gives away beyond what it asks: evaluator material in what a model sees, and names that tell.

evaluator-material  the model's file has a code, a digest, the salt, the seed or a word that only evaluators use
key-in-prompt       the prompt of an item has the item's key in it
telling-id          an item or session has another id than the one that the salt makes of what it is
mixed-session       a session has items of two conditions
telling-file-name   a file has a name that a pack has no file of
no-canary           a file lacks the canary (certificates and proofs have a form of their own and are left out)
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from cwr_audits.packs.audits.certified import NAME, document
from cwr_audits.packs.audits.record import Why
from cwr_audits.packs.model import (
    ABOUT,
    ARMS,
    CANARY,
    CERTIFICATES,
    EVALUATOR,
    MODEL,
    REPLICAS,
    ROLES,
    SOURCES,
    EvaluatorRow,
    Pack,
    files,
    opaque,
)
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.jsontext import Json, canonical

SHORTEST_SEED = 8  # a shorter one may stand in a text by chance
WORDS = (*REPLICAS, ROLES[1], "motif", "witness-only", "evaluator", "certificate")
DIGITS = 12  # of a digest


def exposed(pack: Pack) -> tuple[int, list[Why]]:
    """How many rows were looked at, and what is given away."""
    prompts = {row.item: row.prompt for row in pack.model}
    reasons = [*_material(pack), *_ids(pack), *_sessions(pack), *_file_names(pack), *_canaries(pack)]
    reasons += [why for row in pack.evaluator for why in _key_shown(row, prompts.get(row.item, ""))]
    return len(pack.model), reasons


def _material(pack: Pack) -> Iterator[Why]:
    """Evaluator material anywhere in the bytes of the model's file."""
    text = files(pack)[MODEL].decode("utf-8").replace(CANARY, "")
    digests = {row.base[:DIGITS] for row in pack.evaluator}
    named = {*pack.worlds, *(name.removesuffix(".json") for name in pack.sources)}
    secret = [pack.salt, *([pack.seed] if len(pack.seed) >= SHORTEST_SEED else [])]
    for word in sorted({*digests, *named, *secret, *WORDS}):
        if re.search(rf"(?<![a-z0-9]){re.escape(word)}", text):
            yield Why("evaluator-material", MODEL, f"it has {word!r} in it")
    for family in WORLDS:
        if re.search(rf"\b{family}\b", text):
            yield Why("evaluator-material", MODEL, f"it names the family {family}")


def _key_shown(row: EvaluatorRow, prompt: str) -> Iterator[Why]:
    if row.key is not None and canonical(row.key).decode("utf-8") in prompt:
        yield Why("key-in-prompt", row.item, "its key stands in its prompt")


def _ids(pack: Pack) -> Iterator[Why]:
    known: dict[tuple[str, str, str], set[str]] = {}
    for row in pack.evaluator:
        for what, said in (("item", row.item), ("session", row.session)):
            about = (what, row.world, row.condition)
            if about not in known:
                known[about] = {opaque(pack.salt, *about, str(number)) for number in range(len(pack.evaluator))}
            if said not in known[about]:
                yield Why("telling-id", said, f"not the id that the salt makes of this {what}")


def _sessions(pack: Pack) -> Iterator[Why]:
    conditions: dict[str, set[str]] = {}
    for row in pack.evaluator:
        conditions.setdefault(row.session, set()).add(row.condition)
    for session, found in conditions.items():
        if len(found) > 1:
            yield Why("mixed-session", session, f"it has items of {' and '.join(sorted(found))}")


def _file_names(pack: Pack) -> Iterator[Why]:
    known = {ABOUT, MODEL, EVALUATOR, *(f"{SOURCES}/{code}-{arm}.json" for code in pack.worlds for arm in ARMS)}
    held = {code for world in pack.worlds for code in (world, *(f"{world}-{arm}" for arm in ARMS))}
    for code in held:
        known |= {f"{CERTIFICATES}/{code}/{name}" for name in (NAME, *_named_files(document(pack, code)))}
    yield from strangers(files(pack), known)


def strangers(names: Collection[str], known: Collection[str]) -> Iterator[Why]:
    """Files that are none of those that are known."""
    for name in sorted(set(names) - set(known)):
        yield Why("telling-file-name", name, "a pack has no such file")


def _named_files(value: Json) -> Iterator[str]:
    """The files that a certificate names."""
    if isinstance(value, list):
        for item in value:
            yield from _named_files(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in ("proof", "layers") and isinstance(item, str):
                yield item
            yield from _named_files(item)


def _canaries(pack: Pack) -> Iterator[Why]:
    for name, data in files(pack).items():
        if CANARY.encode("utf-8") not in data and not name.startswith(f"{CERTIFICATES}/"):
            yield Why("no-canary", name, "the canary is not in it")
