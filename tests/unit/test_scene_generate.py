"""cwr generate, and cwr show and cwr grade of what it made: whole or not at all, the same bytes, nothing that leaks."""

from __future__ import annotations

import fcntl
import io
import json
import os
import re
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest

from cwr_audits.cli import run
from cwr_audits.files import checkout
from cwr_audits.late import SCENE_JUDGES, SCENE_WORKERS, SCENES, resolve, scene_judge, scene_maker
from cwr_audits.scenes import batches
from cwr_audits.scenes.batches import CHUNK, JOURNAL, MADE, RUN, UNFINISHED
from cwr_audits.scenes.cyclic_order import making
from cwr_audits.scenes.cyclic_order.prompts import ANSWER_FORMS, bundle
from cwr_audits.scenes.cyclic_order.sampling import sample
from cwr_audits.sessions import played
from cwr_solvers.jsontext import canonical

SCHEMA = json.loads((checkout() / "fixtures" / "schema" / "cyclic-order-record.schema.json").read_text("utf-8"))
NUMBER = 2 * CHUNK + 5
QUICK = ["generate", "cyclic_order", "--seed", "tests", "-n", str(NUMBER), "--no-png"]
DRAWN = ["generate", "cyclic_order", "--seed", "tests", "-n", "3"]
NEVER = {"PIL", "coloraide", "fontTools", "jinja2", "networkx", "numpy", "ortools", "pysat", "pyvips", "scipy", "z3"}

LOADED = """
import json, sys
from cwr_audits.cli import main
report = sys.argv.pop(1)
try:
    main()
except SystemExit:
    pass
open(report, "w").write(json.dumps(sorted(sys.modules)))
"""

Cli = Callable[..., SimpleNamespace]


@pytest.fixture
def cwr(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run a command line in this process: exit code, output, errors."""

    def called(*arguments: str, stdin: bytes = b"") -> SimpleNamespace:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = run(arguments)
        out, err = capsysbinary.readouterr()
        return SimpleNamespace(code=code, out=out.decode(), err=err.decode())

    return called


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by its path in it."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def rows(folder: Path, name: str) -> list[Any]:
    return [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]


def command(*arguments: str, hash_seed: str = "random") -> subprocess.Popen[bytes]:
    """The command line in a process of its own."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    call = [sys.executable, "-m", "cwr_audits.cli", *arguments]
    return subprocess.Popen(call, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def one_line(text: str) -> str:
    assert re.fullmatch(r"cwr: [^\n]+\n", text), text
    return text


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an uninterrupted run in one process makes, without images."""
    folder = tmp_path_factory.mktemp("quick") / "out"
    assert run([*QUICK, "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some items with images and certificates."""
    folder = tmp_path_factory.mktemp("drawn") / "out"
    assert run([*DRAWN, "--certify", "--out", str(folder)]) == 0
    return folder


# --- what is made


def test_the_folder_has_what_it_should(drawn: Path) -> None:
    there = files(drawn)
    manifest = json.loads(there["manifest.json"])
    assert manifest["schema"] == "cwr-scene-batch/1"
    assert manifest["files"] == {
        name: sha256(data).hexdigest() for name, data in there.items() if name != "manifest.json"
    }
    ids = [one["id"] for one in rows(drawn, "model/items.jsonl")]
    assert ids == sorted(ids)
    assert ids == [one["id"] for one in rows(drawn, "evaluator/records.jsonl")]
    assert {name for name in there if name.startswith("model/")} == {
        "model/items.jsonl",
        *(f"model/images/{name}.png" for name in ids),
    }
    assert {f"evaluator/pictures/{name}.svg" for name in ids} <= set(there)
    assert not drawn.with_name(drawn.name + UNFINISHED).exists()


def test_items_and_records_fit_each_other(drawn: Path) -> None:
    for item, record in zip(rows(drawn, "model/items.jsonl"), rows(drawn, "evaluator/records.jsonl"), strict=True):
        jsonschema.validate(record, SCHEMA)
        image = (drawn / "model" / item["image"]).read_bytes()
        assert struct.unpack(">II", image[16:24]) == (item["width"], item["height"])
        assert (record["render_map"]["width"], record["render_map"]["height"]) == (item["width"], item["height"])
        svg = (drawn / "evaluator" / "pictures" / f"{item['id']}.svg").read_bytes()
        assert record["render_map"]["svg_sha256"] == sha256(svg).hexdigest()
        assert set(item["prompts"]) == set(ANSWER_FORMS)


def test_the_log_has_every_redraw_and_near_miss(plain: Path) -> None:
    events = sorted((one["id"], one["event"], one["swap"]) for one in rows(plain, "evaluator/log.jsonl"))
    expected = []
    for record in rows(plain, "evaluator/records.jsonl"):
        trace = record["execution_trace"]
        swaps = {one["option_choice_id"]: one["swap"] for one in trace["option_specs"]}
        expected += [(record["id"], "redraw", one["swap"]) for one in trace["redraws"]]
        expected += [(record["id"], "near miss", swaps[name]) for name in trace["near_misses"]]
    assert events == sorted(expected)
    assert {event for _, event, _ in events} == {"redraw", "near miss"}


def test_certificates_are_there_and_check(drawn: Path) -> None:
    checked = 0
    for record in rows(drawn, "evaluator/records.jsonl"):
        assert record["execution_trace"]["solver_trace"]["routes"] == ["interpreter", "certificate"]
        for name in ("visible", "open"):
            assert run(["check", str(drawn / "evaluator" / "certificates" / record["id"] / name)]) == 0
            checked += 1
    assert checked == 6


def test_a_smaller_picture_has_smaller_boxes(drawn: Path, tmp_path: Path) -> None:
    assert run([*DRAWN, "--size", "512", "--out", str(tmp_path / "out")]) == 0
    whole = {
        one["execution_trace"]["instance_seed"]: one["projected_annotation"]["bbox"]
        for one in rows(drawn, "evaluator/records.jsonl")
    }
    items = rows(tmp_path / "out", "model/items.jsonl")
    for record, item in zip(rows(tmp_path / "out", "evaluator/records.jsonl"), items, strict=True):
        jsonschema.validate(record, SCHEMA)
        assert item["width"] == 512
        bbox = record["projected_annotation"]["bbox"]
        assert bbox == whole[record["execution_trace"]["instance_seed"]]
        share = 512 / record["render_map"]["svg_width"]
        for edge, pixel in zip(bbox, record["annotation_gt"]["value"], strict=True):
            assert abs(edge * share - pixel) <= 0.5
        assert f"512 pixels wide and {item['height']} pixels high" in item["prompts"][ANSWER_FORMS[1]]


def test_token_counts_can_be_asked_for(tmp_path: Path) -> None:
    for number, (asked, counts) in enumerate((("6-7", {6, 7}), ("9,4", {4, 9}), ("10", {10}))):
        out = tmp_path / str(number)
        assert run([*QUICK, "--tokens", asked, "--out", str(out)]) == 0
        assert {one["axes"]["token_count"] for one in rows(out, "evaluator/records.jsonl")} == counts


def test_a_configuration_is_kept_in_normal_form(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('{"loop_paths":["wavy_loop","ellipse"],"token_counts":[9],"zero_rotation":"allowed"}', "utf-8")
    assert run([*QUICK, "--config", str(path), "--tokens", "4", "--out", str(tmp_path / "out")]) == 0
    config = json.loads((tmp_path / "out" / "manifest.json").read_bytes())["run"]["config"]
    assert (config["loop_paths"], config["token_counts"]) == (["ellipse", "wavy_loop"], [4])
    found = rows(tmp_path / "out", "evaluator/records.jsonl")
    assert {one["axes"]["loop_path"] for one in found} == {"ellipse", "wavy_loop"}
    assert 0 in {one["axes"]["rotation"] for one in found}


# --- nothing that leaks


def test_models_are_told_nothing_of_the_answer(drawn: Path, plain: Path) -> None:
    texts = set()
    for item in rows(plain, "model/items.jsonl"):
        assert set(item) == {"id", "image", "width", "height", "prompts"}
        assert item["image"] is None
        texts.add(item["prompts"]["answer_only"])
    assert len(texts) == len(bundle().wordings)  # the wording is all in which prompts of one form differ
    for item, record in zip(rows(drawn, "model/items.jsonl"), rows(drawn, "evaluator/records.jsonl"), strict=True):
        said = canonical(item).decode()
        for name in ("swap_", record["axes"]["token_style"], record["axes"]["loop_path"], record["axes"]["palette"]):
            assert name not in said
        assert record["execution_trace"]["instance_seed"] not in said


def test_images_carry_pixels_and_nothing_else(drawn: Path) -> None:
    for path in sorted((drawn / "model" / "images").iterdir()):
        data, at, kinds = path.read_bytes(), 8, []
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at : at + 8])
            kinds.append(kind)
            at += 12 + length
        assert set(kinds) <= {b"IHDR", b"IDAT", b"IEND", b"sRGB", b"gAMA", b"pHYs"}


def test_pictures_name_no_option_and_no_token(plain: Path) -> None:
    seen = 0
    for record in rows(plain, "evaluator/records.jsonl"):
        svg = (plain / "evaluator" / "pictures" / f"{record['id']}.svg").read_text("utf-8")
        words = set(re.findall(r"[a-z_]+", svg))
        assert not re.search(r"<(title|desc|text|metadata|!--)|\bclass=", svg)
        tokens = {part for look in record["execution_trace"]["looks"] for part in look["name"].split("-")}
        assert not words & {"swap", "answer", "option", "valid", "reference", "broken", *tokens}
        seen += 1
    assert seen == NUMBER


def test_ids_follow_from_what_was_asked_for(drawn: Path, plain: Path, tmp_path: Path) -> None:
    """So they tell nothing of answers, and answers to one batch are no answers to another."""
    for name, more in (("tokens", ["--tokens", "8"]), ("size", ["--size", "512"]), ("seed", ["--seed", "other"])):
        assert run([*QUICK, *more, "--out", str(tmp_path / name)]) == 0
    batches_ids = [
        {record["id"] for record in rows(folder, "evaluator/records.jsonl")}
        for folder in (plain, *(tmp_path / name for name in ("tokens", "size", "seed")))
    ]
    assert len(set.union(*batches_ids)) == 4 * NUMBER
    assert {record["id"] for record in rows(drawn, "evaluator/records.jsonl")} < batches_ids[0]  # with images or not
    one, other = (rows(folder, "evaluator/records.jsonl") for folder in (plain, tmp_path / "tokens"))
    labels = [{one["execution_trace"]["instance_seed"]: one["answer_gt"] for one in made} for made in (one, other)]
    assert labels[0] == labels[1]  # what is drawn for the label is not moved by token counts


# --- the same bytes, whoever makes them


@pytest.mark.parametrize(("workers", "hash_seed"), [("1", "0"), ("2", "1"), ("3", "20261201")])
def test_workers_and_hash_seeds_change_nothing(plain: Path, tmp_path: Path, workers: str, hash_seed: str) -> None:
    out = tmp_path / "out"
    process = command(*QUICK, "--out", str(out), "--workers", workers, hash_seed=hash_seed)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    assert files(out) == files(plain)


def test_images_are_the_same_bytes_again(drawn: Path, tmp_path: Path) -> None:
    process = command(*DRAWN, "--certify", "--out", str(tmp_path / "out"), "--workers", "2", hash_seed="7")
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    assert files(tmp_path / "out") == files(drawn)


# --- interrupted, killed, refused


def test_an_interrupted_run_goes_on(plain: Path, tmp_path: Path, cwr: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    out, done, whole = tmp_path / "out", list[int](), batches.answer
    unfinished = out.with_name("out" + UNFINISHED)

    def stops(most: int) -> Callable[[Any], Any]:
        def answer(task: Any) -> Any:
            if len(done) == most:
                raise KeyboardInterrupt
            done.append(task["first"])
            return whole(task)

        return answer

    with monkeypatch.context() as patched:
        patched.setattr(batches, "answer", stops(2))
        begun = cwr(*QUICK, "--out", str(out))
        assert (begun.code, "resumed" in begun.err) == (130, False)
        assert not out.exists()
        with open(unfinished / JOURNAL, "ab") as journal:
            journal.write(b'{"first":40,"made":[{"id"')  # as if it had been killed while writing
        patched.setattr(batches, "answer", stops(1000))
        gone_on = cwr(*QUICK, "--out", str(out))
    assert (gone_on.code, gone_on.err) == (0, f"cwr: resumed: {2 * CHUNK} of {NUMBER} items were there\n")
    assert done == [0, CHUNK, 2 * CHUNK]  # none of them twice
    assert files(out) == files(plain)
    assert not unfinished.exists()


def test_a_terminal_is_told_how_far_a_run_is(tmp_path: Path, cwr: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr("cwr_audits.commands.generate.telling", lambda: nullcontext(told.append))
    assert cwr(*QUICK, "--out", str(tmp_path / "out")).code == 0
    assert told == [f"{first} of {NUMBER} items" for first in range(0, NUMBER, CHUNK)]


@pytest.mark.parametrize("spoil", ["removed", "changed"])
def test_a_chunk_whose_files_are_not_as_they_were_is_made_again(
    plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: str
) -> None:
    out, unfinished, done = tmp_path / "out", tmp_path / f"out{UNFINISHED}", list[int]()

    def counted(task: Any, whole: Callable[[Any], Any] = batches.answer) -> Any:
        done.append(task["first"])
        return whole(task)

    with monkeypatch.context() as patched:
        patched.setattr(batches, "_finish", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        assert run([*QUICK, "--out", str(out)]) == 130
    picture = sorted((unfinished / "made" / "evaluator" / "pictures").iterdir())[0]
    if spoil == "removed":
        picture.unlink()
    else:
        picture.write_bytes(picture.read_bytes()[:-1])
    monkeypatch.setattr(batches, "answer", counted)
    assert run([*QUICK, "--out", str(out)]) == 0
    assert 1 <= len(done) <= 3
    assert files(out) == files(plain)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_run_goes_on(plain: Path, tmp_path: Path, number: signal.Signals) -> None:
    out, journal = tmp_path / "out", tmp_path / f"out{UNFINISHED}" / JOURNAL
    process = command(*QUICK, "--out", str(out), "--workers", "2")
    until = time.monotonic() + 60
    while process.poll() is None and not (journal.exists() and journal.stat().st_size):
        assert time.monotonic() < until
        time.sleep(0.005)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert out.exists() == (process.returncode == 0)  # it may have been quicker
    assert run([*QUICK, "--out", str(out)]) == 0
    assert files(out) == files(plain)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_a_folder_with_the_same_content_is_left(plain: Path, cwr: Cli) -> None:
    before = {path: path.stat().st_mtime_ns for path in plain.rglob("*")}
    (plain.with_name(plain.name + UNFINISHED)).mkdir()  # as a run leaves it that was killed after its last step
    assert cwr(*QUICK, "--out", str(plain)).code == 0
    assert {path: path.stat().st_mtime_ns for path in plain.rglob("*")} == before
    assert [path.name for path in plain.parent.iterdir()] == [plain.name]


def test_a_folder_with_other_content_is_refused(plain: Path, tmp_path: Path, cwr: Cli) -> None:
    before = files(plain)
    for other in (["--tokens", "4"], ["--size", "512"], ["--seed", "other"], ["-n", "2"]):
        said = cwr(*QUICK, *other, "--out", str(plain))
        assert said.code == 2
        assert "is there already with other content" in one_line(said.err)
    assert files(plain) == before
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    assert "has no manifest.json" in one_line(cwr(*QUICK, "--out", str(tmp_path)).err)
    assert cwr(*QUICK, "--out", str(tmp_path / "notes.txt")).code == 2
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    assert cwr(*QUICK, "--out", str(tmp_path / "link")).code == 2
    assert (tmp_path / "notes.txt").read_text("utf-8") == "mine"


@pytest.mark.parametrize("spoil", ["changed", "removed", "added", "manifest"])
def test_a_spoilt_folder_is_told(tmp_path: Path, cwr: Cli, spoil: str) -> None:
    call = ["generate", "cyclic_order", "--seed", "x", "-n", "1", "--no-png", "--out", str(tmp_path / "out")]
    assert cwr(*call).code == 0
    items = tmp_path / "out" / "model" / "items.jsonl"
    if spoil == "changed":
        items.write_bytes(items.read_bytes() + b"\n")
    elif spoil == "removed":
        items.unlink()
    elif spoil == "added":
        items.with_name("more.txt").touch()
    else:
        (tmp_path / "out" / "manifest.json").write_text('{"schema":"other"}', "utf-8")
    said = cwr(*call)
    assert said.code == 2
    assert re.search("items.jsonl is not as|more.txt is not as|malformed", one_line(said.err))


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """The lock of a folder, as a run at work holds it."""
    folder.mkdir()
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def test_two_runs_do_not_share_a_folder(tmp_path: Path, cwr: Cli) -> None:
    with held(tmp_path / f"out{UNFINISHED}"):
        said = cwr(*QUICK, "--out", str(tmp_path / "out"))
        assert said.code == 2
        assert "another run is at work" in one_line(said.err)


def test_the_rest_of_another_run_is_refused(tmp_path: Path, cwr: Cli) -> None:
    unfinished = tmp_path / f"out{UNFINISHED}"
    unfinished.mkdir()
    (unfinished / RUN).write_text("{}", "utf-8")
    said = cwr(*QUICK, "--out", str(tmp_path / "out"))
    assert said.code == 2
    assert "asked for something else" in one_line(said.err)
    assert (unfinished / RUN).read_text("utf-8") == "{}"


def test_what_no_run_has_left_is_neither_filled_nor_removed(plain: Path, tmp_path: Path, cwr: Cli) -> None:
    mine, linked = tmp_path / f"out{UNFINISHED}", tmp_path / f"other{UNFINISHED}"
    mine.mkdir()
    (mine / "notes.txt").write_text("mine", "utf-8")
    (tmp_path / "empty").mkdir()
    linked.symlink_to(tmp_path / "empty")
    for out in ("out", "other"):
        said = cwr(*QUICK, "--out", str(tmp_path / out))
        assert said.code == 2
        assert "no run has left it" in one_line(said.err)
    beside = plain.with_name(plain.name + UNFINISHED)
    mine.rename(beside)
    assert cwr(*QUICK, "--out", str(plain)).code == 0
    assert files(beside) == {"notes.txt": b"mine"}
    (beside / "notes.txt").unlink()
    beside.rmdir()
    assert list((tmp_path / "empty").iterdir()) == []


def test_half_a_file_of_a_killed_run_is_not_handed_out(plain: Path, tmp_path: Path, cwr: Cli) -> None:
    unfinished = tmp_path / f"out{UNFINISHED}"
    (unfinished).mkdir()
    (unfinished / f".{RUN}.half").touch()  # killed before the folder said what it is of
    assert cwr(*QUICK, "--out", str(tmp_path / "out")).code == 0
    (unfinished / MADE / "model").mkdir(parents=True)
    (unfinished / RUN).write_bytes(canonical(json.loads((plain / "manifest.json").read_text("utf-8"))["run"]))
    (unfinished / MADE / "model" / ".items.jsonl.half").touch()  # killed while it wrote the lists
    (tmp_path / "out").rename(tmp_path / "whole")
    assert cwr(*QUICK, "--out", str(tmp_path / "out")).code == 0
    assert files(tmp_path / "out") == files(tmp_path / "whole") == files(plain)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--tokens", "3-5"], "/token_counts/0"),
        (["--tokens", "4-11"], "/token_counts/7"),
        (["--tokens", "5-4"], "the low end 5 is above the high end 4"),
        (["--tokens", "4,4"], "/token_counts"),
        (["--tokens", "four"], "a range as 4-5"),
        (["--tokens", ""], "a range as 4-5"),
        (["--tokens", "٤"], "a range as 4-5"),
        (["--size", "10"], "--size"),
        (["--workers", "0"], "--workers"),
        (["-n", "0"], "-n"),
        (["--config", "no such file"], "cannot read"),
        (["--out", ""], "has no manifest.json"),
        (["--out", "/"], "has no manifest.json"),
        (["--out", "x" * 300], "too long"),
        (["--out", os.devnull + "/out"], "ot a directory"),
    ],
)
def test_bad_words_are_one_line(tmp_path: Path, cwr: Cli, arguments: list[str], says: str) -> None:
    said = cwr(*QUICK, "--out", str(tmp_path / "out"), *arguments)
    assert said.code == 2
    assert says in one_line(said.err)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "syntax"),
        (b"[]", "wrong-type"),
        (b'{"token_styles":["beads"]}', "at /token_styles/0"),
        (b'{"palettes":[]}', "at /palettes"),
        (b'{"rotation":1}', "unknown-key"),
        (b'{"token_counts":[4],"token_counts":[5]}', "duplicate-key"),
        (b'{"token_counts":[4.0]}', "float"),
        (b"\xff", "not-utf8"),
        (b"[" * 100, "too-deep"),
    ],
)
def test_bad_configurations_are_one_line(tmp_path: Path, cwr: Cli, text: bytes, says: str) -> None:
    said = cwr(*QUICK, "--config", "-", "--out", str(tmp_path / "out"), stdin=text)
    assert said.code == 2
    assert says in one_line(said.err)
    assert list(tmp_path.iterdir()) == []


def test_each_error_names_what_is_at_fault(tmp_path: Path, cwr: Cli) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text('{"palettes":["fair"]}', "utf-8")
    bad.write_text('{"palettes":["none"]}', "utf-8")
    for path, tokens, blamed in (
        (good, "3", "--tokens: "),
        (good, "5-4", "--tokens: "),
        (good, "four", "--tokens "),
        (bad, "4", f"--config {bad}: "),
        (bad, "3", f"--config {bad}: "),
    ):
        said = cwr(*QUICK, "--config", str(path), "--tokens", tokens, "--out", str(tmp_path / "out"))
        assert said.code == 2
        assert one_line(said.err).startswith(f"cwr: {blamed}")


def test_a_puzzle_that_the_world_judges_otherwise_ends_the_run(
    tmp_path: Path, cwr: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def planted(*asked: Any) -> Any:
        puzzle = sample(*asked)
        return replace(puzzle, answer=next(one.option_id for one in puzzle.options if one.option_id != puzzle.answer))

    monkeypatch.setattr(making, "sample", planted)
    said = cwr(*QUICK, "--out", str(tmp_path / "out"))
    assert said.code == 4
    assert "routes disagree on the valid option" in one_line(said.err)
    assert not (tmp_path / "out").exists()


def test_a_certificate_that_says_otherwise_ends_the_run(
    tmp_path: Path, cwr: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "certified", lambda _found: SimpleNamespace(answer="A", repairs=("9-9",), files={}))
    said = cwr(*QUICK, "--certify", "--out", str(tmp_path / "out"))
    assert said.code == 4
    assert "certificate says A of 9-9" in one_line(said.err)


def test_a_scene_must_be_known(tmp_path: Path, cwr: Cli) -> None:
    said = cwr("generate", "acyclic_order", "--seed", "S", "-n", "1", "--out", str(tmp_path / "out"))
    assert said.code == 2
    assert "cyclic_order" in one_line(said.err)


# --- show


def test_an_item_is_shown_with_its_reasons(drawn: Path, tmp_path: Path, cwr: Cli) -> None:
    for record in rows(drawn, "evaluator/records.jsonl"):
        shown = cwr("show", str(drawn), "--item", record["id"], "--svg", str(tmp_path / "picture.svg"))
        assert shown.code == 0
        assert f"answer      {record['answer_gt']['value']}" in shown.out
        assert str(record["annotation_gt"]["value"]) in shown.out
        lines = [line for line in shown.out.splitlines() if re.match("[A-D]  ", line)]
        assert [line[0] for line in lines if "repairs: reads like the reference" in line] == [
            record["answer_gt"]["value"]
        ]
        assert len(lines) == 4
        assert "interpreter, certificate" in shown.out
        assert sha256((tmp_path / "picture.svg").read_bytes()).hexdigest() == record["render_map"]["svg_sha256"]
        assert json.loads(cwr("show", str(drawn), "--item", record["id"], "--json").out) == record


def test_the_items_of_a_folder_are_listed(drawn: Path, cwr: Cli) -> None:
    ids = [one["id"] for one in rows(drawn, "model/items.jsonl")]
    shown = cwr("show", str(drawn)).out
    assert all(name in shown for name in ids)
    assert [one["id"] for one in json.loads(cwr("show", str(drawn), "--json").out)] == ids


def test_the_item_of_a_seed_is_shown(plain: Path, cwr: Cli) -> None:
    shown = json.loads(cwr("show", "cyclic_order", "--seed", "tests", "--index", "3", "--json").out)
    assert shown in rows(plain, "evaluator/records.jsonl")
    assert cwr("show", "cyclic_order", "--seed", "tests").code == 0


def test_what_cannot_be_shown(drawn: Path, tmp_path: Path, cwr: Cli) -> None:
    for call in (
        ["cyclic_order"],
        ["cyclic_order", "--seed", "S", "--item", "x"],
        [str(drawn), "--item", "nothing"],
        [str(drawn), "--seed", "S"],
        [str(drawn), "--svg", str(tmp_path / "x.svg")],
        [str(tmp_path)],
    ):
        said = cwr("show", *call)
        assert said.code == 2
        one_line(said.err)


# --- grade


def right(record: Any) -> dict[str, Any]:
    return {"answer": record["answer_gt"]["value"], "annotation": record["annotation_gt"]["value"]}


def test_an_answer_to_one_item_is_graded(drawn: Path, cwr: Cli) -> None:
    record = rows(drawn, "evaluator/records.jsonl")[0]
    wrong = "A" if record["answer_gt"]["value"] != "A" else "B"
    call = ["grade", str(drawn), "-", "--item", record["id"]]
    for answer, more, code, word in (
        (right(record), ["--annotated"], 0, "accepted"),
        ({"answer": right(record)["answer"]}, [], 0, "accepted"),
        ({"answer": right(record)["answer"]}, ["--annotated"], 2, "malformed"),
        ({"annotation": right(record)["annotation"]}, [], 2, "malformed"),
        ({"answer": wrong}, [], 1, "rejected"),
        ({**right(record), "answer": wrong}, [], 1, "rejected"),
        ({**right(record), "annotation": [0, 0, 9, 9]}, [], 1, "rejected"),
        ({"answer": wrong.lower()}, [], 2, "malformed"),
        ([wrong], [], 2, "malformed"),
    ):
        graded = cwr(*call, *more, stdin=json.dumps(answer).encode())
        assert graded.code == code
        assert f"{record['id']}: {word}" in graded.out
        assert (graded.err == "") == (code != 2)
        told = json.loads(cwr(*call, *more, "--json", stdin=json.dumps(answer).encode()).out)
        assert (told["id"], told["verdict"]) == (record["id"], word)


def test_a_verdict_is_explained(drawn: Path, cwr: Cli) -> None:
    record = rows(drawn, "evaluator/records.jsonl")[0]
    answer, box = right(record).values()
    call = ["grade", str(drawn), "-", "--item", record["id"]]
    for one in record["execution_trace"]["solver_trace"]["options"]:
        given = {"answer": one["label"], "annotation": [0, 0, 9, 9]}
        brief = cwr(*call, stdin=canonical(given)).out
        told = cwr(*call, "--explain", stdin=canonical(given)).out
        assert told.startswith(brief)
        lines = [line.strip() for line in told.removeprefix(brief).splitlines()]
        assert lines[0].startswith(f"card {one['label']} ")
        assert " ".join(f"{place}:{token}" for place, token in enumerate(one["loop"], 1)) in lines[0]
        fault = [f"{word}:".ljust(8) + one["unmet"][0][word] for word in ("found", "needed") if one["unmet"]]
        overlap = ["box given: [0, 0, 9, 9]", f"box of card {answer}: {box}"]
        assert lines[1:-1] == [*fault, *overlap]
        assert lines[-1] == "intersection over union: exactly 0, wanted 1/2 or more"
        assert bool(fault) == (one["label"] != answer)
        as_data = json.loads(cwr(*call, "--explain", "--json", stdin=canonical(given)).out)
        assert [line.strip() for line in as_data["explained"]] == lines


def test_what_there_is_to_explain(drawn: Path, cwr: Cli) -> None:
    record = rows(drawn, "evaluator/records.jsonl")[0]
    call = ["grade", str(drawn), "-", "--explain"]
    for text, lines in ((b'{"answer":"b"}', 0), (b"{", 0), (b'{"answer":"b","annotation":[0.50,0,9,9]}', 3)):
        explained = json.loads(cwr(*call, "--item", record["id"], "--json", stdin=text).out)["explained"]
        assert len(explained) == lines
    assert explained[0] == "box given: [0.5, 0, 9, 9]"
    refused = cwr(*call, "--jsonl", stdin=b"")
    assert refused.code == 2
    assert "--explain explains one answer" in one_line(refused.err)


def test_a_stream_is_graded_by_its_ids(drawn: Path, cwr: Cli) -> None:
    first, second, third = rows(drawn, "evaluator/records.jsonl")
    stream = [
        canonical({"id": first["id"], "submission": right(first), "prose": "because"}),
        canonical({"id": second["id"], "text": '{"answer":"b"}'}),
        canonical({"id": first["id"], "submission": right(first)}),
        canonical({"id": "nothing", "submission": right(first)}),
        canonical({"submission": right(first)}),
        b'{"answer":"B"}',
        b"not json",
        b'"B"',
        b'{"answer":"B"',
        b'{"id":"' + third["id"].encode() + b'","submission":{"answer":"A"},"answer":1}',
        b'{"id":"' + third["id"].encode() + b'","text":"\\ud800"}',
        b"",
        b'{"id":"' + third["id"].encode() + b'","prose":"' + b"x" * (1 << 20) + b'"}',
    ]
    graded = cwr("grade", str(drawn), "-", "--jsonl", stdin=b"\n".join(stream) + b"\n")
    told = [json.loads(line) for line in graded.out.splitlines()]
    assert [one["line"] for one in told] == list(range(1, 14))
    unjudged = [None] * 8
    assert [one["verdict"] for one in told] == ["accepted", "malformed", *unjudged, "malformed", None, None]
    codes = ["contradiction", "unknown-name", "missing-key", "missing-key", "syntax", "wrong-type", "syntax"]
    codes += ["unknown-key", "surrogate", "syntax"]
    assert [one["error"] and one["error"]["code"] for one in told] == [None, None, *codes, "too-large"]
    assert told[-1]["id"] == third["id"]
    assert told[0]["annotation"]["iou"] == "1"
    assert graded.code == 2
    assert graded.err == ""


def test_a_malformed_answer_outweighs_a_rejected_one(drawn: Path, cwr: Cli) -> None:
    """As where the answers are submissions to a world, and as README and help say."""
    first, second, third = (one["id"] for one in rows(drawn, "evaluator/records.jsonl"))
    (answer,) = (right(one) for one in rows(drawn, "evaluator/records.jsonl") if one["id"] == first)
    rejected = {"id": first, "submission": {**answer, "annotation": [0, 0, 9, 9]}}
    malformed = {"id": second, "submission": {"answer": "b"}}
    taken = {"id": third, "submission": right(rows(drawn, "evaluator/records.jsonl")[2])}
    for lines, code in (([rejected, taken], 1), ([malformed, rejected, taken], 2), ([taken], 0)):
        assert cwr("grade", str(drawn), "-", "--jsonl", stdin=b"\n".join(map(canonical, lines))).code == code
    moves = ({"actions": ["smelt", "coat", "rivet"]}, {"actions": 1})
    for worlds, code in ((moves[:1], 1), (moves, 2)):
        assert cwr("grade", "TW-001", "-", "--jsonl", stdin=b"\n".join(map(canonical, worlds))).code == code
    assert "(`grade --jsonl`: 2, 1, 0)" in (checkout() / "README.md").read_text("utf-8")
    assert "2 when a line or a submission is malformed" in " ".join(cwr("grade", "--help").out.split())


def test_items_without_an_answer_are_told(drawn: Path, cwr: Cli) -> None:
    first, *_ = rows(drawn, "evaluator/records.jsonl")
    graded = cwr("grade", str(drawn), "-", "--jsonl", stdin=canonical({"id": first["id"], "submission": right(first)}))
    assert graded.code == 0
    assert "2 items have no answer" in one_line(graded.err)
    assert cwr("grade", str(drawn), "-", "--jsonl").code == 2


def test_what_cannot_be_graded(drawn: Path, tmp_path: Path, cwr: Cli) -> None:
    for call in ([str(drawn), "-"], [str(drawn), "-", "--item", "nothing"], [str(tmp_path), "-", "--item", "x"]):
        said = cwr("grade", *call, stdin=b'{"answer":"B"}')
        assert said.code == 2
        one_line(said.err)


def test_a_spoilt_record_is_blamed_on_the_folder(tmp_path: Path, cwr: Cli) -> None:
    out = tmp_path / "out"
    assert cwr("generate", "cyclic_order", "--seed", "x", "-n", "1", "--no-png", "--out", str(out)).code == 0
    path = out / "evaluator" / "records.jsonl"
    (record,) = rows(out, "evaluator/records.jsonl")
    other = {**record["answer_gt"], "value": "ABCDA"["ABCD".index(record["answer_gt"]["value"]) + 1]}
    for text, says in (
        (canonical({**record, "answer_gt": other}), "records.jsonl is not as its manifest says"),
        ((path.read_bytes() * 2).rstrip(), "records.jsonl is not as its manifest says"),
        (
            canonical({**record, "answer_gt": {"value": "E"}}),
            f"the record of {record['id']}|is not as its manifest says",
        ),
        (b"{", "records.jsonl, line 1"),
        (b'{"id":1}', "records.jsonl, line 1"),
    ):
        path.write_bytes(text + b"\n")
        for call in (["--item", record["id"]], ["--jsonl"]):
            said = cwr("grade", str(out), "-", *call, stdin=b'{"answer":"B"}')
            assert said.code == 2
            assert re.search(says, one_line(said.err))
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    for spoilt in ({**record, "axes": None}, {**record, "axes": 5, "execution_trace": {}}):
        path.write_bytes(canonical(spoilt) + b"\n")
        manifest["files"]["evaluator/records.jsonl"] = sha256(path.read_bytes()).hexdigest()
        (out / "manifest.json").write_bytes(canonical(manifest))
        for call in ([], ["--item", record["id"]]):
            said = cwr("show", str(out), *call)
            assert said.code == 2
            assert "lacks what is to be shown" in one_line(said.err)


def test_grading_and_showing_load_no_drawing_and_no_solver(drawn: Path, tmp_path: Path) -> None:
    record = rows(drawn, "evaluator/records.jsonl")[0]
    (tmp_path / "answer.json").write_text(json.dumps(right(record)), "utf-8")
    for call in (
        ["grade", str(drawn), str(tmp_path / "answer.json"), "--item", record["id"]],
        ["show", str(drawn), "--item", record["id"]],
    ):
        report = tmp_path / "report.json"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        subprocess.run([sys.executable, "-c", LOADED, str(report), *call], env=environment, check=True, timeout=60)
        loaded = set(json.loads(report.read_text("utf-8")))
        assert not NEVER & loaded
        assert not [one for one in loaded if one.endswith((".drawing", ".raster", ".prover", ".making"))]


def test_the_sessions_of_the_page_are_real() -> None:
    """To bring them up to date: python -m cwr_audits.sessions docs/cyclic-order.md."""
    text = (checkout() / "docs" / "cyclic-order.md").read_text("utf-8")
    assert played(text) == text


# --- the table of scenes


def test_every_scene_has_a_maker_and_a_judge() -> None:
    assert set(SCENES) == set(SCENE_JUDGES) == set(SCENE_WORKERS)
    for scene in SCENES:
        assert scene_maker(scene).read_config({})
        assert scene_judge(scene).show
        assert resolve(SCENE_WORKERS[scene])
