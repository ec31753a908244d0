"""The items of F and C of one target: a source with a solution and single steps, then the target to be solved.

Both arms are made by one function from one template: what differs is the source. Every item has fresh replicas of
source and target. The single steps are one legal and one illegal step of every kind that the source has, drawn from
walks that are not the shown solution's; F and C show equally many where their sources have equally many kinds.
"""

from __future__ import annotations

from cwr_audits.packs.diagnostics import pairs_of
from cwr_audits.packs.drafts import Draft, Target
from cwr_audits.packs.model import Condition
from cwr_audits.packs.prompts import WORDINGS, question_s
from cwr_audits.packs.replicas import Replica
from cwr_audits.packs.sources import Source
from cwr_solvers.grading import answer_p
from cwr_solvers.jsontext import Json

COPIES = 2  # items of an arm and a wording


def s_drafts(target: Target, source: Source, arm: Condition) -> list[Draft]:
    """The items of one arm."""
    return [_s_draft(target, source, arm, wording, copy) for wording in WORDINGS for copy in range(COPIES)]


def _s_draft(target: Target, source: Source, arm: Condition, wording: int, copy: int) -> Draft:
    words = (arm, str(wording), str(copy))
    shown, asked = (
        target.replica(source.source, *words, "source"),
        target.replica(target.about.source, *words, "target"),
    )
    example = shown.carried("submission", source.shown)
    demonstrations = _demonstrations(target, shown, words)
    prompt = question_s(target.family, asked.source, wording, shown.source, example, demonstrations)
    made: dict[str, Json] = {
        "demonstrations": [*demonstrations],
        "example": {"instance": shown.source, "submission": example},
        "source": source.code,
    }
    return Draft(arm, "renaming", asked, wording, prompt, None, made, ())


def _demonstrations(target: Target, shown: Replica, words: tuple[str, ...]) -> list[dict[str, Json]]:
    world, instance, found = shown.world, shown.instance, list[dict[str, Json]]()
    for pair in pairs_of(target, shown, target.draws(*words, "demonstrations")):
        for one in pair:
            state, move = world.write_state(instance, one.state), world.write_move(instance, one.move)
            found.append({"state": state, "move": move, "answer": answer_p(world, instance, one.state, one.move)})
    return found
