"""Audit motif: the target's motif has a label with a scope, F has the motif, and C has not.

Labels stand in the certificates; here they are held against the motif's predicate on every accepted submission within
the bound, which knows nothing of the clauses. One motif of each family tells the arms apart (TELLING).

no-sources        the world has no F and C sources, so there is nothing to tell apart
no-label          the certificate of the target says nothing of the motif
not-necessary     said to be necessary, and an accepted submission lacks it
not-witness-only  said to be witness-only, and every accepted submission has it, or the witness lacks it
target-lacks      the target's witness lacks the telling motif
f-lacks           the shown solution of F, or some accepted one, lacks it
c-has             the shown solution of C has it
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cwr_audits.motifs import MOTIFS
from cwr_audits.packs.audits.cases import Case, case, solutions
from cwr_audits.packs.audits.certified import claims
from cwr_audits.packs.audits.record import Found, Why, concluded, per_world
from cwr_audits.packs.model import Pack
from cwr_audits.packs.verdicts import Audit
from cwr_solvers.jsontext import Json
from cwr_solvers.world import World

# In BC every circuit of four gates on four pins has the weak motif, so that no C could lack it; in RS both arms start
# with jobs that overlap.
TELLING: Mapping[str, str] = {"BC": "mid", "RS": "crossed"}
SCOPE = "all accepted submissions within the instance's own bound"


def motif(pack: Pack) -> Audit:
    """The audit of a pack."""
    return concluded("motif", pack, lambda _pack: per_world(pack, lambda code: _world(pack, case(pack, code))))


def telling(family: str) -> str:
    """The motif that tells F from C."""
    return TELLING.get(family, "main")


def holding(world: World, source: Json, name: str) -> tuple[int, int]:
    """How many accepted submissions there are, and how many of them have the motif. Raises Undecided."""
    instance, holds = world.read_instance(source), MOTIFS[world.family][name]
    found = [holds(world, instance, word) for word in solutions(world, source)]
    return len(found), found.count(True)


def _world(pack: Pack, one: Case) -> Found:
    labelled = [_label(pack, one, name) for name in MOTIFS[one.world.family]]
    reasons = [why for whys, _ in labelled for why in whys]
    arms, more = _arms(one)
    evidence: dict[str, Json] = {"arms": arms, "labels": [row for _, row in labelled], "scope": SCOPE}
    evidence["telling"] = telling(one.world.family)
    return Found(len(labelled), (*reasons, *more), evidence)


def _label(pack: Pack, one: Case, name: str) -> tuple[list[Why], Json]:
    code = one.about.code
    every, having = holding(one.world, one.about.source, name)
    said = [claim["label"] for claim in claims(pack, code, "motif") if claim["name"] == name]
    row: dict[str, Json] = {"having": having, "label": said[0] if said else None, "motif": name, "words": every}
    witness = _has(one.world, one.about.instance, one.about.witness, name)
    if not said:
        # a motif that not even the witness has is nobody's claim
        return ([Why("no-label", code, f"no claim about {name}")] if witness else []), row
    if said[0] == "necessary" and having != every:
        return [Why("not-necessary", code, f"{every - having} of {every} accepted submissions lack {name}")], row
    if said[0] == "witness-only" and (having == every or not witness):
        return [Why("not-witness-only", code, f"{having} of {every} accepted submissions have {name}")], row
    return [], row


def _has(world: World, instance: Any, submission: Json, name: str) -> bool:
    return MOTIFS[world.family][name](world, instance, world.read_submission(instance, submission))


def _arms(one: Case) -> tuple[Json, list[Why]]:
    code, name = one.about.code, telling(one.world.family)
    if not one.arms:
        return None, [Why("no-sources", code, "there are no F and C sources to tell apart")]
    reasons = list(_told_apart(one, name))
    if not _has(one.world, one.about.instance, one.about.witness, name):
        reasons.append(Why("target-lacks", code, f"the witness lacks {name}"))
    rows: dict[str, Json] = {}
    for arm, source in one.arms.items():
        every, having = holding(one.world, source.source, name)
        shown = _has(one.world, source.instance, source.shown, name)
        rows[arm] = {"having": having, "shown": shown, "words": every}
    return rows, reasons


def _told_apart(one: Case, name: str) -> Iterator[Why]:
    first, control = one.arms["F"], one.arms["C"]
    every, having = holding(one.world, first.source, name)
    if not _has(one.world, first.instance, first.shown, name):
        yield Why("f-lacks", first.code, f"the shown solution lacks {name}")
    if having != every:
        yield Why("f-lacks", first.code, f"{every - having} of {every} accepted submissions lack {name}")
    if _has(one.world, control.instance, control.shown, name):
        yield Why("c-has", control.code, f"the shown solution has {name}")
