"""The items of F and C of one target: a source with a solution and single steps, then the target to be solved.

Both arms are made by one function from one template: what differs is the source. Every item has fresh replicas of
source and target. The single steps are one legal and one illegal step of every kind that the source has, drawn from
walks that are not the shown solution's; F and C show equally many where their sources have equally many kinds. Steps
from late states are longer to tell than those from early ones, so several choices are drawn for each arm, and the two
whose lengths are nearest are shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TypeAlias

from cwr_audits.packs.diagnostics import pairs_of
from cwr_audits.packs.drafts import Draft, Target
from cwr_audits.packs.model import ARMS, Condition
from cwr_audits.packs.prompts import WORDINGS, question_s
from cwr_audits.packs.replicas import Replica
from cwr_audits.packs.sources import Source
from cwr_solvers.grading import answer_p
from cwr_solvers.jsontext import Json, canonical

COPIES = 2  # items of an arm and a wording
CHOICES = 8  # of single steps, for each item

Steps: TypeAlias = list[dict[str, Json]]


def s_drafts(target: Target, own: Mapping[str, Source]) -> list[Draft]:
    """The items of both arms, each with a fellow in the other arm."""
    items = [(wording, copy) for wording in WORDINGS for copy in range(COPIES)]
    fellows = [_fellows(target, own, wording, str(copy)) for wording, copy in items]
    return [both[number] for number in range(len(ARMS)) for both in fellows]


def _fellows(target: Target, own: Mapping[str, Source], wording: int, copy: str) -> list[Draft]:
    words = {arm: (arm, str(wording), copy) for arm in ARMS}
    shown = {arm: target.replica(own[arm].source, *words[arm], "source") for arm in ARMS}
    choices = [_choices(target, shown[arm], words[arm]) for arm in ARMS]
    steps = dict(zip(ARMS, nearest(*choices), strict=True))
    return [_s_draft(target, own[arm], arm, words[arm], wording, shown[arm], steps[arm]) for arm in ARMS]


def nearest(ours: Sequence[Steps], theirs: Sequence[Steps]) -> tuple[Steps, Steps]:
    """The first of the choices on either side that are as many steps and whose lengths differ least."""

    def differ(both: tuple[Steps, Steps]) -> tuple[int, int]:
        one, other = both
        return abs(len(one) - len(other)), abs(len(canonical([*one])) - len(canonical([*other])))

    return min(product(ours, theirs), key=differ)


def _s_draft(
    target: Target,
    source: Source,
    arm: Condition,
    words: tuple[str, ...],
    wording: int,
    shown: Replica,
    demonstrations: Steps,
) -> Draft:
    asked = target.replica(target.about.source, *words, "target")
    example = shown.carried("submission", source.shown)
    prompt = question_s(target.family, asked.source, wording, shown.source, example, demonstrations)
    made: dict[str, Json] = {
        "demonstrations": [*demonstrations],
        "example": {"instance": shown.source, "submission": example},
        "source": source.code,
    }
    return Draft(arm, "renaming", asked, wording, prompt, None, made, ())


def _choices(target: Target, shown: Replica, words: tuple[str, ...]) -> list[Steps]:
    world, instance, found = shown.world, shown.instance, list[Steps]()
    for pairs in pairs_of(target, shown, target.draws(*words, "demonstrations"), CHOICES):
        steps: Steps = []
        for one in (one for pair in pairs for one in pair):
            state, move = world.write_state(instance, one.state), world.write_move(instance, one.move)
            steps.append({"state": state, "move": move, "answer": answer_p(world, instance, one.state, one.move)})
        found.append(steps)
    return found
