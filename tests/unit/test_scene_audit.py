"""cwr audit scene: what it says of a small run, and that each planted fault is told and decides the exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from inline_crew import inline

from cwr_audits.cli import run
from cwr_audits.commands import audit_scene as command
from cwr_audits.commands.audit_scene import audit_scene_by
from cwr_audits.files import checkout
from cwr_audits.judges import scene_name
from cwr_audits.late import SCENE_AUDITORS
from cwr_audits.out import ACCEPTED, DISAGREE, MALFORMED, REJECTED, UNDECIDED
from cwr_audits.scenes.cyclic_order import making
from cwr_audits.scenes.cyclic_order.auditing import audit as auditing
from cwr_audits.scenes.cyclic_order.auditing.again import WHOLE, again, digest_of
from cwr_audits.scenes.cyclic_order.auditing.audit import Plan, audit
from cwr_audits.scenes.cyclic_order.auditing.balance import BALANCED, TOO_FEW, UNBALANCED, balances
from cwr_audits.scenes.cyclic_order.auditing.baselines import NO_MORE, TOLD
from cwr_audits.scenes.cyclic_order.auditing.boxes import outside, overlaps
from cwr_audits.scenes.cyclic_order.contract import Option, Puzzle, Rendering, SceneConfig
from cwr_audits.scenes.cyclic_order.drawing import draw
from cwr_audits.scenes.cyclic_order.judging import accepted, all_swaps
from cwr_audits.scenes.cyclic_order.sampling import instance_seed, option_id, sample, write_config
from cwr_solvers.errors import Undecided

Printed = pytest.CaptureFixture[str]

SCENE = "cyclic_order"
TABLE = SCENE_AUDITORS[SCENE]
# one combination: what is seen of a picture takes its time
CONFIG = SceneConfig((4,), ("colored_shape_tokens",), ("ellipse",), ("necklace_board",), ("fair",))
PLAN = Plan("unit", 3, 1, 60.0, 1, 1, CONFIG)
SCHEMA = json.loads((checkout() / "fixtures" / "schema" / "scene-audit.schema.json").read_text("utf-8"))


@pytest.fixture
def no_second_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Items are made again, but in this process."""

    def here(seeds: list[str], config: Any, _hash_seed: int) -> list[str]:
        return [digest_of(making.made(seed, config, WHOLE)) for seed in seeds]

    monkeypatch.setattr(auditing, "again", here)


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch, no_second_process: None) -> None:
    monkeypatch.setattr(command, "crew", inline)


def audited(capfd: Printed, plan: Plan = PLAN, **workers: str) -> tuple[int, Any, str]:
    """The exit code, the outcome, standard error; `workers` replaces some, and the slow ones are left out."""
    table = {name: TABLE[name] for name in ("interpreter", "certificate", "pictures")}
    lies = {name: f"lying_scenes:{lie}" for name, lie in workers.items()}
    code = audit_scene_by({**table, **lies}, SCENE, plan, False, True)
    printed = capfd.readouterr()
    told = json.loads(printed.out)
    jsonschema.validate({"code_sha256": "0" * 64, **told}, SCHEMA)
    return code, told, printed.err


def words(told: Any) -> dict[str, int]:
    """The faults that are not about too few puzzles."""
    few = sum("too few puzzles" in one["text"] for one in told["told"])
    counted = {**told["faults"], "undecided": told["faults"].get("undecided", 0) - few}
    return {word: number for word, number in counted.items() if number}


# --- a run without faults


def test_a_whole_run_by_workers_is_kept_and_told(
    tmp_path: Path, capfd: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "checkout", lambda: tmp_path)
    plan = replace(PLAN, number=30, lanes=2, seen=2, again=2)
    assert audit_scene_by(TABLE, SCENE, plan, True, False) == ACCEPTED
    printed = capfd.readouterr()
    assert printed.err == ""
    assert "passed" in printed.out
    kept = json.loads((tmp_path / "audits" / "issued" / scene_name(SCENE)).read_bytes())
    jsonschema.validate(kept, SCHEMA)
    assert kept["routes"] == {"interpreter": 30, "cpsat": 30, "smt": 30, "certificate": 30}
    assert (kept["agreed"], kept["outcome"], kept["faults"]) == (30, "passed", {})
    assert sum(number for counts in kept["repairs"].values() for number in counts.values()) == 30
    pictures = kept["pictures"]
    assert (pictures["drawn"], pictures["seen"], pictures["combinations"]) == (31, 3, 1)
    assert (pictures["with_overlaps"], pictures["with_a_box_outside"], pictures["seen_otherwise"]) == (0, 0, 0)
    assert min(pictures["examined"].values()) > 0
    assert kept["again"] == {"items": 2, "processes": 3, "same": True}
    assert {one["says"] for one in kept["balance"]["tests"]} == {BALANCED}
    assert {one["says"] for one in kept["baselines"]["guesses"]} == {NO_MORE, TOLD}


def test_the_same_words_in_every_run(capfd: Printed, in_this_process: None) -> None:
    assert audited(capfd) == audited(capfd)


def test_every_combination_is_asked_for_once() -> None:
    asked = list(auditing._of_combinations(replace(PLAN, config=SceneConfig())))
    assert len(asked) == 200 == len({(one.config, one.seed) for one in asked})
    assert all(one.see for one in asked)


def test_open_siblings_that_are_the_same_but_for_names_are_asked_about_once() -> None:
    puzzles = [sample(instance_seed("arrangements", index), SceneConfig()) for index in range(200)]
    first = auditing._first(puzzles)
    instances = [auditing.instances_of(puzzle) for puzzle in puzzles]
    assert auditing._asked("interpreter", instances, first) == instances
    asked = auditing._asked("smt", instances, first)
    assert sum("open" in one for one in asked) == len(set(first)) < 100
    for index, one in enumerate(first):
        names = dict(zip(puzzles[index].reference, puzzles[one].reference, strict=True))
        renamed: Any = instances[one]["open"]
        assert [names[token] for token in puzzles[index].broken] == renamed["broken"]
        assert ("open" in asked[index]) == (index == one)


# --- planted faults


def test_a_route_that_leaves_a_repair_out(capfd: Printed, in_this_process: None) -> None:
    code, told, errors = audited(capfd, smt="drops_a_repair")
    assert code == DISAGREE
    assert told["outcome"] == "disagree"
    assert told["agreed"] == 0
    assert words(told)["disagree"] >= PLAN.number
    assert "cwr: disagree: puzzle 0: open instance: routes disagree on words (standing apart: smt)" in errors


def test_what_is_kept_of_a_disagreement_is_in_the_ledger(
    tmp_path: Path, capfd: Printed, monkeypatch: pytest.MonkeyPatch, in_this_process: None
) -> None:
    monkeypatch.setattr(command, "checkout", lambda: tmp_path)
    table = {**TABLE, "cpsat": "lying_scenes:drops_a_repair"}
    assert audit_scene_by(table, SCENE, PLAN, True, True) == DISAGREE
    assert json.loads((tmp_path / "audits" / "issued" / scene_name(SCENE)).read_bytes())["outcome"] == "disagree"
    lines = [json.loads(line) for line in (tmp_path / "audits" / "disagreements.jsonl").read_bytes().splitlines()]
    assert {line["kind"] for line in lines} == {"disagreement"}
    assert {line["entry"]["instance"]["code"][-5:] for line in lines} == {"-open"}
    capfd.readouterr()


def test_a_route_that_accepts_two_options(capfd: Printed, in_this_process: None) -> None:
    code, told, errors = audited(capfd, cpsat="accepts_another")
    assert code == DISAGREE
    assert told["routes"] == {"interpreter": 3, "certificate": 3, "cpsat": 0}
    assert "rejected: puzzle 2: not just the planted option" in errors


@pytest.mark.parametrize("lie", ["is_late", "is_late_with_all", "crashes"])
def test_no_answer_is_undecided(capfd: Printed, in_this_process: None, lie: str) -> None:
    code, told, errors = audited(capfd, smt=lie)
    assert code == UNDECIDED
    assert words(told) == {"undecided": 2 * PLAN.number}
    assert (told["agreed"], told["routes"]["smt"]) == (0, 0)
    assert told["repairs"] == {"4": {"unknown": 3}}
    assert "undecided: puzzle 1: visible instance, smt: undecided" in errors


def two_repairs(seed: str, config: SceneConfig) -> Puzzle:
    """A puzzle with a second option that repairs, where its loop has one."""
    puzzle = sample(seed, config)
    repairing = accepted(puzzle.reference, puzzle.broken, all_swaps(len(puzzle.broken)))
    shown = {(one.first, one.second) for one in puzzle.options}
    more = sorted(repairing - shown)
    place = next(index for index, one in enumerate(puzzle.options) if one.option_id != puzzle.answer)
    options = list(puzzle.options)
    if more:
        options[place] = Option(option_id(more[0]), options[place].label, *more[0])
    return replace(puzzle, options=tuple(options))


def test_two_options_that_repair(capfd: Printed, in_this_process: None) -> None:
    plan = replace(PLAN, number=12, sampler=two_repairs)
    doubled = sum(two_repairs(seed, CONFIG) != sample(seed, CONFIG) for seed in seeds(plan))
    assert 0 < doubled < 12
    code, told, errors = audited(capfd, plan)
    assert code == REJECTED
    assert told["routes"]["interpreter"] == 12 - doubled == told["agreed"]
    assert words(told) == {"rejected": doubled, "undecided": 2 * doubled}
    assert "just one option must repair a broken loop: of the options these do" in errors


def seeds(plan: Plan) -> list[str]:
    return [instance_seed(plan.seed, index) for index in range(plan.number)]


def redrawn(monkeypatch: pytest.MonkeyPatch, change: Callable[[Puzzle, Rendering], Rendering]) -> None:
    monkeypatch.setattr(making, "draw", lambda puzzle: change(puzzle, draw(puzzle)))


def test_a_picture_with_an_overlap(capfd: Printed, in_this_process: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(_puzzle: Puzzle, drawn: Rendering) -> Rendering:
        tokens = drawn.token_bboxes_px
        return replace(drawn, number_bboxes_px=(tokens["broken"][0], *drawn.number_bboxes_px[1:]))

    redrawn(monkeypatch, change)
    code, told, errors = audited(capfd)
    assert code == REJECTED
    assert told["pictures"]["with_overlaps"] == 4
    assert "the boxes of broken token 1 and number 1" in errors


def test_a_box_off_the_canvas(capfd: Printed, in_this_process: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(_puzzle: Puzzle, drawn: Rendering) -> Rendering:
        left, top, right, _ = drawn.number_bboxes_px[0]
        return replace(drawn, number_bboxes_px=((left, top, right, drawn.height + 1), *drawn.number_bboxes_px[1:]))

    redrawn(monkeypatch, change)
    code, told, errors = audited(capfd)
    assert code == REJECTED
    assert told["pictures"]["with_a_box_outside"] == 4
    assert "is not on the canvas of" in errors


def test_a_picture_of_another_puzzle(capfd: Printed, in_this_process: None, monkeypatch: pytest.MonkeyPatch) -> None:
    other = draw(sample(instance_seed("another", 1), CONFIG))
    redrawn(monkeypatch, lambda _puzzle, drawn: replace(drawn, svg=other.svg))
    code, told, errors = audited(capfd)
    assert code == REJECTED
    assert told["pictures"]["seen_otherwise"] == told["pictures"]["seen"] == 2
    assert "the picture of 4, colored_shape_tokens, ellipse, necklace_board: " in errors


def test_a_puzzle_that_is_drawn_and_wrong(
    capfd: Printed, in_this_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "sample", two_repairs)
    plan = replace(PLAN, seed="unit2", number=12)
    doubled = [two_repairs(seed, CONFIG) != sample(seed, CONFIG) for seed in seeds(plan)]
    assert any(doubled)
    assert not doubled[0]  # the one that is made again
    code, _, errors = audited(capfd, plan)
    assert code == DISAGREE
    assert "disagree: puzzle " in errors


def test_a_sampler_that_likes_one_value(capfd: Printed, in_this_process: None) -> None:
    config = replace(CONFIG, loop_paths=("ellipse", "wavy_loop"))
    plan = replace(PLAN, number=20, config=config, sampler=lambda seed, _config: sample(seed, CONFIG))
    code, told, errors = audited(capfd, plan)
    assert code == REJECTED
    assert words(told) == {"rejected": 1}
    assert "cwr: rejected: loop path, all: unbalanced: 20, 0" in errors


def test_other_bytes(capfd: Printed, in_this_process: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "again", lambda asked, _config, hash_seed: [str(hash_seed)] * len(asked))
    code, told, errors = audited(capfd)
    assert code == REJECTED
    assert told["again"]["same"] is False
    assert "other bytes under the hash seed 1" in errors


def test_a_second_process_that_fails(capfd: Printed, in_this_process: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_asked: object) -> list[str]:
        raise Undecided("crashed", "planted")

    monkeypatch.setattr(auditing, "again", fails)
    code, told, _ = audited(capfd)
    assert (code, told["again"]["same"]) == (UNDECIDED, False)


def test_where_nothing_was_examined_something_is_wrong(capfd: Printed, in_this_process: None) -> None:
    code, _, errors = audited(capfd, replace(PLAN, again=0))
    assert code == REJECTED
    assert "rejected: no item made again: nothing was examined" in errors
    with inline({"pictures 0": TABLE["pictures"]}) as workers:
        outcome = audit(workers, (), PLAN, lambda _text: None)
    assert outcome.code == REJECTED
    assert "no route: nothing was examined" in [str(fault) for fault in outcome.faults]


# --- parts


def test_another_process_makes_the_same_bytes_and_tells_others_apart() -> None:
    config = write_config(CONFIG)
    asked = seeds(PLAN)[:1]
    made = again(asked, config, 1)
    assert made == [digest_of(making.made(asked[0], config, WHOLE))]
    with pytest.raises(Undecided, match="ended with code 1"):
        again(["x"], {"token_counts": []}, 1)


def test_figures_of_the_chi_squared_test() -> None:
    puzzles = [sample(instance_seed("figures", index), SceneConfig()) for index in range(60)]
    (label, *_) = balances(puzzles, SceneConfig(), 0.001)
    expected = sum((count - 15) ** 2 / 15 for count in label.counts)
    assert label.statistic == pytest.approx(expected)
    assert (label.degrees, label.word) == (3, BALANCED)
    said = {one.word for one in balances(puzzles, SceneConfig(), 0.001)}
    assert said == {BALANCED, TOO_FEW}  # 30 puzzles or so, 10 pairs of five tokens
    stray = [replace(puzzles[0], axes=replace(puzzles[0].axes, palette="another")), *puzzles[1:]]
    assert {one.word for one in balances(stray, SceneConfig(), 0.001) if one.axis == "palette"} == {UNBALANCED}


def test_boxes_that_touch_do_not_overlap() -> None:
    assert list(overlaps({"a": [0, 0, 10, 10], "b": [10, 0, 20, 10], "c": [0, 10, 10, 20]})) == []
    assert len(list(overlaps({"a": [0, 0, 10, 10], "b": [9, 9, 20, 20]}))) == 1
    assert list(outside({"a": [0, 0, 10, 10]}, 10, 10)) == []
    for box in ([-1, 0, 5, 5], [0, -1, 5, 5], [0, 0, 11, 5], [0, 0, 5, 11], [5, 0, 5, 5], [0, 5, 5, 5]):
        assert len(list(outside({"a": box}, 10, 10))) == 1


@pytest.mark.parametrize("wrong", [("nowhere",), (SCENE, "--time-limit", "0"), (SCENE, "-n", "0")])
def test_wrong_usage(capfd: Printed, wrong: tuple[str, ...]) -> None:
    assert run(("audit", "scene", *wrong)) == MALFORMED
    assert capfd.readouterr().err.count("\n") == 1
