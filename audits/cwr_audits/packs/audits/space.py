"""Audit space: the solutions of every target and source are known, to the last one, and certified.

The certificate in the pack is checked from its bytes; what it claims of optimum, solutions and counts is held against
an exhaustive search by the interpreter; every replica of the target has the target's canonical form.

no-certificate   the pack has no certificate of the instance
other-instance   the certificate is of another instance
not-verified     the checker does not verify it (undecided where it came to no answer)
no-claim         the certificate does not claim optimum, all solutions or their number
count-differs    the search finds another optimum, other solutions or another number
other-base       an item's instance is said to be a renaming of the target and is none, or has another digest
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cwr_audits.canonical import base
from cwr_audits.packs.audits.cases import Case, case, counted, solutions
from cwr_audits.packs.audits.certified import checked, claims, document
from cwr_audits.packs.audits.record import Found, Why, concluded, per_world
from cwr_audits.packs.model import Pack
from cwr_audits.packs.verdicts import Audit
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.reading import as_items, as_list, as_map
from cwr_solvers.world import World

KINDS = ("optimum", "complete", "raw_count")


def space(pack: Pack) -> Audit:
    """The audit of a pack."""
    return concluded("space", pack, lambda _pack: per_world(pack, lambda code: _world(pack, case(pack, code))))


def _world(pack: Pack, one: Case) -> Found:
    spaces = {one.about.code: one.about.source} | {source.code: source.source for source in one.arms.values()}
    reasons = [why for code, source in spaces.items() for why in _instance(pack, one.world, code, source)]
    reasons += _replicas(one)
    evidence: dict[str, Json] = {code: _figures(one.world, source) for code, source in spaces.items()}
    return Found(len(spaces), tuple(reasons), evidence)


def _figures(world: World, source: Json) -> Json:
    found = counted(world, source)
    figures: dict[str, Json] = {"optimum": found.optimum, "raw": str(found.accepted_raw)}
    return figures | {"states": found.reachable_states, "words": len(solutions(world, source))}


def _instance(pack: Pack, world: World, code: str, source: Json) -> Iterator[Why]:
    found = document(pack, code)
    if found is None:
        yield Why("no-certificate", code, "the pack has no certificate of it")
        return
    if canonical(found["instance"]) != canonical(source):
        yield Why("other-instance", code, "its certificate is of another instance")
        return
    report = checked(pack, code)
    if report.outcome != "verified":
        failed = [one.text for one in (report.document, *report.findings) if one.outcome != "verified"]
        verdict: Any = "undecided" if report.outcome == "undecided" else "failed"
        yield Why("not-verified", code, f"the certificate is {report.outcome}: {'; '.join(failed)}", verdict)
    yield from _compared(pack, world, code, source)


def _compared(pack: Pack, world: World, code: str, source: Json) -> Iterator[Why]:
    said = {kind: claims(pack, code, kind) for kind in KINDS}
    for kind, found in said.items():
        if len(found) != 1:
            yield Why("no-claim", code, f"{len(found)} claims of kind {kind}, not one")
    if any(len(found) != 1 for found in said.values()):
        return
    ours = counted(world, source)
    instance = world.read_instance(source)
    accepted = {canonical(world.write_submission(instance, word)) for word in solutions(world, source)}
    if said["optimum"][0]["value"] != ours.optimum:
        yield Why("count-differs", code, f"the search finds {ours.optimum} as least cost")
    if {canonical(word) for word in _members(said["complete"][0])} != accepted:
        yield Why("count-differs", code, f"the search finds {len(accepted)} words, and not those of the certificate")
    if str(said["raw_count"][0]["value"]) != str(ours.accepted_raw):
        yield Why("count-differs", code, f"the search finds {ours.accepted_raw} raw submissions")


def _members(claim: dict[str, Json]) -> Iterator[Json]:
    for one in as_items(claim["classes"], "/classes", as_map):
        yield from as_list(one["members"], "/members")


def _replicas(one: Case) -> Iterator[Why]:
    wanted = base(one.world.family, one.about.source)
    for row in one.rows:
        found = base(row.family, row.instance)
        if found != row.base or (found == wanted) != (row.replica == "renaming"):
            yield Why("other-base", row.item, f"said to be a {row.replica}, has the canonical form {found[:16]}")
