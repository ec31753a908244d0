"""Audit withholding: who has not read the handbooks has not seen the composition, nor any solution of the target.

Of C two things are asked and stated apart: that what is shown lacks the telling motif, and that all accepted
submissions of it do. Candidates of E are asked where they are legal, whether or not they meet the goal. A solution of
the target counts as seen where its text, in the item's own names, stands in the prompt.

no-sources      the world has no F and C sources
c-shown         the example of a C item, or the shown solution of C, has the motif
c-accepted      some accepted submission of C has it
candidate       a legal candidate of E has it
solution-shown  a prompt outside R has a solution of the item's own instance in it
r-session       a session with an R item has other items
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cwr_audits.motifs import MOTIFS
from cwr_audits.packs.audits.cases import Case, case, read, solutions, status
from cwr_audits.packs.audits.motif import holding, telling
from cwr_audits.packs.audits.record import Found, Why, concluded, per_world
from cwr_audits.packs.model import EvaluatorRow, Pack
from cwr_audits.packs.verdicts import Audit
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.reading import as_map
from cwr_solvers.world import World


def withholding(pack: Pack) -> Audit:
    """The audit of a pack."""
    return concluded("withholding", pack, lambda _pack: per_world(pack, lambda code: _world(case(pack, code))))


def _world(one: Case) -> Found:
    code, name = one.about.code, telling(one.world.family)
    reasons = [*_shown(one), *_sessions(one)]
    evidence: dict[str, Json] = {"motif": name, "candidates": len(one.of("E")), "prompts": len(one.rows)}
    if one.arms:
        control = one.arms["C"]
        every, having = holding(control.world, control.source, name)
        evidence["all accepted of C"] = {"having": having, "words": every}
        if having:
            reasons.append(Why("c-accepted", control.code, f"{having} of {every} accepted submissions have {name}"))
    else:
        reasons.append(Why("no-sources", code, "there are no F and C sources to look into"))
    reasons += [
        Why(which, about, f"it has the motif {name}")
        for which, about, source, submission in _submissions(one)
        if has(one.world, source, submission, name)
    ]
    return Found(len(one.rows), tuple(reasons), evidence)


def _submissions(one: Case) -> Iterator[tuple[str, str, Json, Json]]:
    """What is shown outside R: the reason that it would be, what it is, its instance, the submission."""
    for source in (one.arms["C"],) if one.arms else ():
        yield "c-shown", source.code, source.source, source.shown
    for row in one.of("C"):
        example = as_map(row.made["example"], "/made/example")
        yield "c-shown", row.item, example["instance"], example["submission"]
    for row in one.of("E"):
        yield "candidate", row.item, row.instance, row.made["submission"]


def has(world: World, source: Json, submission: Json, name: str) -> bool:
    """Whether a legal submission has a motif; one that is not legal has none."""
    if status(world, source, submission) not in ("accepted", "rejected"):
        return False
    instance: Any = read(world, source)
    return MOTIFS[world.family][name](world, instance, world.read_submission(instance, submission))


def _shown(one: Case) -> Iterator[Why]:
    for row in one.of("P", "E", "F", "C"):
        if row.replica == "renaming" and any(text in one.prompts[row.item] for text in _texts(one.world, row)):
            yield Why("solution-shown", row.item, f"a {row.condition} prompt has a solution of its instance in it")


def _texts(world: World, row: EvaluatorRow) -> Iterator[str]:
    instance = read(world, row.instance)
    for word in solutions(world, row.instance):
        yield canonical(world.write_submission(instance, word)).decode("utf-8")


def _sessions(one: Case) -> Iterator[Why]:
    handbooks = {row.session for row in one.of("R")}
    for row in one.rows:
        if row.condition != "R" and row.session in handbooks:
            yield Why("r-session", row.session, f"it has an item of {row.condition} as well")
