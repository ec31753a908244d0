"""Mutants of encodings and statements: killed, hole, by construction, crashes and undecided are told apart."""

from __future__ import annotations

from types import FunctionType, ModuleType
from typing import Any

import pytest

from cwr_audits.attacks import by_cnf, by_cpsat
from cwr_audits.attacks.encodings import answers, attack, outcome, posts_nothing
from cwr_audits.attacks.mutants import copy_of, dropped, rule_functions
from cwr_audits.subject import subject
from cwr_solvers.answers import Answer, Limits
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import Disagreement, Undecided

TW, RS, BC = subject("TW-001"), subject("RS-001"), subject("BC-001")


def rows(family: str, module: ModuleType, instances: list[Any]) -> dict[str, tuple[str, str]]:
    found = attack("cnf", WORLDS[family], module, by_cnf.solved, instances)
    return {row.subject: (row.word, row.text) for row in found}


def random(family: str, number: int) -> Any:
    world = WORLDS[family]
    return world.read_instance(world.generate(f"attack/{number}"))


def test_a_rule_that_no_instance_asks_for_is_a_hole() -> None:
    # the showcase alone does not need R2: it never has two widgets; nor R6, as R5 says the same there
    found = rows("TW", by_cnf.module_of("TW"), [TW.instance])
    assert {rule for rule, (word, _) in found.items() if word == "hole"} >= {"R2", "R3", "R6"}
    assert found["G"][0] == "killed"
    assert found["R2"][1] == "the same words on 1 instances"


def test_a_limit_that_is_built_in_is_moved_instead_of_dropped() -> None:
    word, text = rows("TW", by_cnf.module_of("TW"), [random("TW", 5)])["R5"]
    assert word == "killed"
    assert "instance.most_actions + 1" in text


def test_a_missing_rule_function_is_a_hole() -> None:
    module = copy_of(by_cnf.module_of("TW"), {})
    del module.r6_cost  # type: ignore[attr-defined]
    word, text = rows("TW", module, [TW.instance])["R6"]
    assert word == "hole"
    assert "no function" in text


def test_by_construction_is_said_by_the_docstring_or_not_at_all() -> None:
    module = copy_of(by_cnf.module_of("RS"), {})
    assert rows("RS", by_cnf.module_of("RS"), [RS.instance])["R1"][0] == "by construction"
    module.r1_clock.__doc__ = "No start is before the clock."
    # functions are looked up in the module that they name, so that is where the planted one has to stand
    assert rows("RS", module, [RS.instance])["R1"][0] == "hole"


def test_what_counts_as_saying_so() -> None:
    def function() -> None: ...

    for text, expected in (
        ("No clause: words have it.", True),
        ("R2: Nothing to post, as there is one.", True),
        ("R2: by construction.", True),
        ("Posts a clause.", False),
        (None, False),
    ):
        function.__doc__ = text
        assert posts_nothing(function) is expected  # type: ignore[arg-type]


def test_a_part_that_crashes_without_its_rule_is_told_from_one_that_answers() -> None:
    assert rows("BC", by_cnf.module_of("BC"), [BC.instance])["R3"][0] == "crashes"


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        (Answer(4, {}), "killed"),
        (Answer(3, dict(answers(TW.world, [TW.instance])[0].words)), "killed"),
        (Answer(4, dict.fromkeys(answers(TW.world, [TW.instance])[0].words, 5)), "killed"),
        (Undecided("words", "more than 2 words"), "killed"),
        (Disagreement("words", {"a": "one", "b": "two"}), "killed"),
        (Undecided("time", "late"), "undecided"),
        (Undecided("size", "large"), "undecided"),
        (KeyError("planted"), "crashes"),
        (answers(TW.world, [TW.instance])[0], "hole"),
    ],
    ids=str,
)
def test_what_a_mutant_says_and_what_it_shows(answer: Answer | Exception, word: str) -> None:
    def solve(_module: Any, _instance: Any, _limits: Limits) -> Answer:
        if isinstance(answer, Exception):
            raise answer
        return answer

    said = outcome(by_cnf.module_of("TW"), solve, [TW.instance], answers(TW.world, [TW.instance]))
    assert said[0] == word


def test_no_instance_shows_nothing() -> None:
    assert outcome(by_cnf.module_of("TW"), by_cnf.solved, [], [])[0] == "crashes"
    found = attack("cnf", TW.world, by_cnf.module_of("TW"), by_cnf.solved, [])
    assert not {row.word for row in found} & {"killed", "by construction"}


def test_the_original_stays_as_it_is() -> None:
    module = by_cpsat.module_of("TW")
    before = {rule: function.__code__ for rule, function in rule_functions(module).items()}
    due = answers(TW.world, [TW.instance])[0]
    changed = copy_of(module, {"g_goal": dropped(module, "g_goal").code})
    with pytest.raises(Undecided, match="more than"):
        by_cpsat.solved(changed, TW.instance, Limits(20, len(due.words)))
    assert by_cpsat.solved(module, TW.instance, Limits(20, 10)) == due
    assert {rule: function.__code__ for rule, function in rule_functions(module).items()} == before
    assert isinstance(changed.g_goal, FunctionType)
