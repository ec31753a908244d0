"""Mutants: which edits are made, that what only words faults is left alone, and that the original stays as it is."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from cwr_audits.attacks.graders import JUDGES, interpreter_of, mutant_world
from cwr_audits.attacks.mutants import copy_of, dropped, mutants, rule_functions
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.world import Broken, Fault

HEAD = "from __future__ import annotations\nfrom cwr_solvers.world import Fault\n"
Make = Callable[[str], ModuleType]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """A module of the text, imported as modules are."""

    def made(text: str) -> ModuleType:
        path = tmp_path / "planted.py"
        path.write_text(HEAD + text, "utf-8")
        spec = importlib.util.spec_from_file_location("planted", path)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules["planted"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    yield made
    sys.modules.pop("planted", None)


def edits(module: ModuleType, judge: str) -> set[tuple[str, str]]:
    return {(one.kind, one.said) for one in mutants(module, (judge,)) if one.kind != "dropped"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "a < b",
            {("off by one", "a < b → a <= b"), ("off by one", "a < b → a < b - 1"), ("flipped", "a < b → a >= b")},
        ),
        (
            "a >= b",
            {("off by one", "a >= b → a > b"), ("off by one", "a >= b → a >= b - 1"), ("flipped", "a >= b → a < b")},
        ),
        ("a == b", {("flipped", "a == b → a != b")}),
        ("a not in b", {("flipped", "a not in b → a in b")}),
        ("a and b", {("and/or", "a and b → a or b")}),
        ("not a", {("flipped", "not a → not not a")}),
        ("all(a)", {("and/or", "all(a) → any(a)")}),
        ("max(a, b)", {("and/or", "max(a, b) → min(a, b)")}),
        ("a + 2", {("arithmetic", "a + 2 → a - 2"), ("number", "2 → 3")}),
        ("a & b", {("arithmetic", "a & b → a | b")}),
        ("a.holds(b)", {("off by one", "a.holds(b) → a.holds(b + 1)"), ("off by one", "a.holds(b) → a.holds(b - 1)")}),
        ("b(a.most_steps)", {("off by one", "b(a.most_steps) → b(a.most_steps + 1)")}),
        (
            "b if a else 'x'",
            {("flipped", "b if a else 'x' → b if not a else 'x'"), ("always", "b if a else 'x' → b if True else 'x'")},
        ),
        (
            "[x for x in a if x]",
            {
                ("flipped", "for x in a if x → for x in a if not x"),
                ("always", "for x in a if x → for x in a if True"),
            },
        ),
        ("True", set()),
        ("'1 < 2'", set()),
    ],
)
def test_the_edits_of_an_expression(make: Make, text: str, expected: set[tuple[str, str]]) -> None:
    assert edits(make(f"def judge(a, b):\n    return {text}\n"), "judge") == expected


def test_edits_do_what_they_say(make: Make) -> None:
    module = make("def judge(a):\n    return a <= 3\n")
    results = {}
    for one in mutants(module, ("judge",)):
        changed = copy_of(module, {one.function: one.code})
        results[one.said] = [changed.judge(a) for a in (2, 3, 4, 5)]
    assert results == {
        "a <= 3 → a < 3": [True, False, False, False],
        "a <= 3 → a <= 3 + 1": [True, True, True, False],
        "a <= 3 → a > 3": [False, False, True, True],
        "3 → 4": [True, True, True, False],
    }
    assert [module.judge(a) for a in (2, 3, 4, 5)] == [True, True, False, False]


def test_words_for_people_are_left_alone(make: Make) -> None:
    module = make(
        "def r1_some(a):\n"
        "    found = [x + 1 for x in a if x > 2]\n"
        "    if a:\n"
        "        return None\n"
        "    return Fault('R1', f'{len(a) + 1}', ', '.join(str(x) for x in found if x < 9))\n"
    )
    assert edits(module, "r1_some") == {("flipped", "if a → if not a"), ("always", "if a → if True")}


def test_functions_are_followed_through_tables_and_each_other(make: Make) -> None:
    module = make(
        "def step(a):\n    return [rule(a) for rule in TABLE]\n"
        "def r1_one(a):\n    return helper(a)\n"
        "def helper(a):\n    local = a\n    return local == 1\n"
        "def beside(a):\n    return a == 2\n"
        "def local(a):\n    return a == 3\n"
        "TABLE = (r1_one,)\n"
    )
    assert {one.function for one in mutants(module, ("step",))} == {"r1_one", "helper"}
    changed = copy_of(module, {"helper": next(one.code for one in mutants(module, ("helper",)))})
    assert (changed.step(1), module.step(1)) == ([False], [True])


def test_a_dropped_rule_finds_nothing(make: Make) -> None:
    module = make(
        "def r1_one(a) -> Fault | None:\n    return Fault('R1', '', '')\n"
        "def g_goal(a) -> tuple[Fault, ...]:\n    return (Fault('G', '', ''),)\n"
    )
    found = [copy_of(module, {name: dropped(module, name).code}) for name in ("r1_one", "g_goal")]
    assert (found[0].r1_one(0), found[1].g_goal(0)) == (None, ())
    assert module.r1_one(0) is not None


def test_rule_functions_are_found_by_name_and_are_one_each(make: Make) -> None:
    assert set(
        rule_functions(make("def r1_one(): ...\ndef r10_ten(): ...\ndef g_goal(): ...\ndef row_x(): ...\n"))
    ) == {
        "R1",
        "R10",
        "G",
    }
    with pytest.raises(ValueError, match="two functions for R1"):
        rule_functions(make("def r1_one(): ...\ndef r1_two(): ...\n"))


@pytest.mark.parametrize("family", WORLDS)
def test_every_rule_of_every_interpreter_is_dropped_and_edited(family: str) -> None:
    world = WORLDS[family]
    found = list(mutants(interpreter_of(world), JUDGES))
    by_rule = {rule: [one.kind for one in found if re.match(f"{rule.lower()}_", one.function)] for rule in world.rules}
    assert all(kinds.count("dropped") == 1 for kinds in by_rule.values())
    assert len(found) > 3 * len(world.rules)
    assert not [one for one in found if "Fault(" in one.said.partition(" → ")[0] and one.kind == "number"]


def test_a_mutant_world_differs_in_its_rule_and_the_world_does_not() -> None:
    world = WORLDS["PS"]
    instance = world.read_instance(world.generate("attack/mutant"))
    state = world.initial(instance)._replace(steps=instance.most_actions)
    module = interpreter_of(world)
    changed = mutant_world(world, dropped(module, "r3_actions"))
    told = 0
    for move in world.moves(instance, state):
        before, after = world.step(instance, state, move), changed.step(instance, state, move)
        assert isinstance(before, Broken)
        if "R3" in before.rules:
            told += 1
            assert not isinstance(after, Broken) or "R3" not in after.rules
    assert told
    assert interpreter_of(world) is module
    assert isinstance(module.r3_actions(instance, state._replace(steps=instance.most_actions + 1)), Fault)
