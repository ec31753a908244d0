"""Walks do not end where legal steps are only rare among those that are tried."""

from __future__ import annotations

from random import Random

import pytest

from cwr_audits.packs.walks import vocabulary, walk
from cwr_audits.subject import subjects
from cwr_solvers.grading import run
from cwr_solvers.world import Broken, Submission


@pytest.mark.parametrize("code", ["TP-001", "FT-001"])
def test_the_interpreter_is_asked_where_no_step_that_was_tried_is_legal(code: str) -> None:
    (about,) = subjects((code,))
    world, instance = about.world, about.instance
    start = world.initial(instance)
    illegal = [move for move in vocabulary(world, instance) if isinstance(world.step(instance, start, move), Broken)]
    path = walk(world, instance, illegal[:1], Random(1), 2)
    assert len(path) == 2
    assert run(world, instance, Submission(path)).first_illegal_step is None


def test_a_walk_ends_where_nothing_is_legal() -> None:
    (about,) = subjects(("TP-001",))
    path = walk(about.world, about.instance, vocabulary(about.world, about.instance), Random(1), 9)
    assert 0 < len(path) <= 5
