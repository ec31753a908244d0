"""Command alternatives: each flag and form, exit codes, what is cut off or proved, and what must not be believed."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import duckdb
import pytest

from cwr_audits import asking, late, query, store
from cwr_audits.cli import run
from cwr_audits.files import checkout
from cwr_audits.sessions import played
from cwr_audits.subject import subject
from cwr_solvers.jsontext import canonical

Cli = Callable[..., SimpleNamespace]
WORSE = '{"actions":["smelt","smelt","coat"]}'
HOSTILE = (
    "true) UNION SELECT * FROM classes --",
    "true; DROP TABLE classes",
    "true; COPY classes TO '{}/stolen.csv'",
    "EXISTS (SELECT * FROM query('COPY classes TO ''{}/stolen.csv'''))",
    "COPY classes TO '{}/stolen.csv'",
    "ATTACH '{}/stolen.db'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "PRAGMA database_list",
    "SET lock_configuration = false",
    "EXISTS (SELECT * FROM read_csv('/etc/passwd'))",
    "EXISTS (SELECT * FROM read_text('/etc/passwd'))",
    "EXISTS (FROM '/etc/passwd')",
    "EXISTS (FROM glob('/etc/*'))",
    "getenv('PATH') <> ''",
    "EXISTS (FROM connection)",
    "EXISTS (FROM space)",
    "true FROM read_csv('/etc/passwd')",
    "class = ?",
    "count(*) > 1",
    "nope",
    "true, true",
    "/*",
    "",
    "\x00",
    "error('two\nlines')",
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One store for all tests, so that a space is listed once."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture
def cwr(place: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run `cwr alternatives` in this process: exit code, output, errors."""
    monkeypatch.setenv("CWR_STORE", str(place))

    def called(*arguments: str, stdin: bytes = b"") -> SimpleNamespace:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = run(["alternatives", *arguments])
        out, err = capsysbinary.readouterr()
        return SimpleNamespace(code=code, out=out.decode(), err=err.decode(), json=lambda: json.loads(out))

    return called


def one_line(text: str) -> str:
    """The text, which must be one line that names the tool and is no traceback."""
    assert re.fullmatch(r"cwr: [^\n]+\n", text), text
    return text


def classes(shown: SimpleNamespace) -> list[int]:
    return [one["class"] for one in shown.json()["alternatives"]]


def test_the_sessions_of_the_page_are_real() -> None:
    """To bring them up to date: python -m cwr_audits.sessions docs/alternatives.md."""
    page = (checkout() / "docs" / "alternatives.md").read_text("utf-8")
    assert page.count("\n$ cwr alternatives") == 4
    assert played(page) == page


# --- what is asked


def test_words_are_shown_and_what_is_cut_off_is_said(cwr: Cli) -> None:
    whole, some = cwr("BC-001", "--json", "--limit", "100"), cwr("BC-001", "--json")
    assert (whole.code, some.code) == (0, 0)
    told = whole.json()
    assert (told["matching"], told["shown"], told["cut"], told["complete"]) == (42, 42, False, True)
    assert sum(one["raw"] for one in told["alternatives"]) == 672
    told = some.json()
    assert (told["matching"], told["shown"], told["cut"], told["complete"]) == (42, 20, True, True)
    assert "20 of 42 matching words shown" in cwr("BC-001").out
    assert "cut off" in cwr("BC-001").out
    assert "cut off" not in cwr("BC-001", "--limit", "42").out


def test_classes(cwr: Cli) -> None:
    told = cwr("BC-001", "--classes", "--json").json()
    assert [one["class"] for one in told["alternatives"]] == list(range(1, 16))
    assert (told["of"], told["matching"], told["cut"]) == ("classes", 15, False)
    assert sum(one["raw"] for one in told["alternatives"]) == 672
    assert sum(one["words"] for one in told["alternatives"]) == 42


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--with", "typed"), 3),
        (("--without", "shape"), 3),
        (("--with", "shape", "--without", "typed"), 9),
        (("--where", "n_OR = 2 AND has_mid"), 6),
        (("--where", "n_OR = 2", "--where", "has_mid"), 6),
        (("--at-cost", "4"), 15),
        (("--at-cost", "3"), 0),
        (("--with", "shape", "--without", "shape"), 0),
    ],
)
def test_filters(cwr: Cli, arguments: tuple[str, ...], expected: int) -> None:
    shown = cwr("BC-001", "--classes", "--json", *arguments)
    assert shown.json()["matching"] == expected
    assert shown.code == (0 if expected else 1)


def test_none_is_proved(cwr: Cli) -> None:
    shown = cwr("TW-001", "--forbid", "coat")
    assert (shown.code, shown.err) == (1, "")
    assert "none: it is proved" in shown.out
    assert cwr("TW-001", "--forbid", "coat", "--json").json()["complete"]


@pytest.mark.parametrize(
    ("code", "step"),
    [
        ("TW-001", "smelt"),
        ("TW-001", '"smelt"'),
        ("PS-001", "acquire"),
        ("RS-001", '{"job":"A","start":0}'),
        ("BC-001", '{"inputs":["b","a"],"op":"AND","id":"g0"}'),
        ("KL-001", '{"op":"pickup","arg":"k1"}'),
        ("PA-001", '{"from":"J.p1","to":"L.p"}'),
        ("FT-001", '{"piece":"A","x":0,"y":0}'),
        ("CO-001", "C"),
        ("TP-001", '{"op":"decode","args":["input"],"out":["v0","v1"]}'),
    ],
)
def test_steps_part_the_words(cwr: Cli, code: str, step: str) -> None:
    counts = [
        cwr(code, "--json", "--limit", "100", *more).json()["matching"]
        for more in ((), ("--require", step), ("--forbid", step))
    ]
    assert counts[0] == counts[1] + counts[2]
    assert counts[1] > 0


@pytest.mark.parametrize("step", ["fly", '{"op":"fly"}', "{", "[]", "\udc80", ""])
def test_a_step_that_is_none_is_one_line(cwr: Cli, step: str) -> None:
    shown = cwr("TW-001", "--require", step)
    assert shown.code == 2
    assert "malformed" in one_line(shown.err)


def test_orders(cwr: Cli, tmp_path: Path) -> None:
    near, far = cwr("RS-001", "--nearest", "--json").json(), cwr("RS-001", "--json", "--farthest").json()
    distances = [one["distance"] for one in near["alternatives"]]
    assert distances == sorted(distances) == [0, 1, 2, 2, 3, 3, 4, 4, 5]
    assert [one["distance"] for one in far["alternatives"]] == distances[::-1]
    assert "insert, delete or replace" in near["distance"]
    file = tmp_path / "other.json"
    file.write_text(WORSE, "utf-8")
    from_file = cwr("TW-001", "--nearest", str(file), "--json").json()
    assert [one["distance"] for one in from_file["alternatives"]] == [1, 2]
    assert cwr("TW-001", "--nearest", "-", "--json", stdin=WORSE.encode()).json() == from_file
    assert "distance: moves" in cwr("TW-001", "--nearest").out


def test_orders_need_an_origin(cwr: Cli, tmp_path: Path) -> None:
    file = tmp_path / "instance.json"
    file.write_bytes(canonical(subject("TW-001").source))
    assert [one["distance"] for one in cwr(str(file), "--json").json()["alternatives"]] == [None, None]
    refused = cwr(str(file), "--farthest")
    assert refused.code == 2
    assert "witness" in one_line(refused.err)
    assert '"distance" not found' in one_line(cwr(str(file), "--where", "distance = 0").err)
    assert "exclude" in one_line(cwr("TW-001", "--nearest", "--farthest").err)
    assert cwr("TW-001", "--nearest", str(tmp_path / "missing")).code == 2


def test_diverse_states_its_distance(cwr: Cli) -> None:
    told = cwr("RS-001", "--diverse", "3", "--json").json()
    assert (told["shown"], told["matching"], told["cut"]) == (3, 9, True)
    assert [one["apart"] for one in told["alternatives"]] == [None, 5, 2]
    assert "least distance between those shown: 2" in cwr("RS-001", "--diverse", "3").out


def test_diverse_gives_up_where_it_would_take_too_long(cwr: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query, "MOST_PAIRS", 10)
    shown = cwr("RS-001", "--diverse", "3")
    assert shown.code == 3
    assert "undecided (size)" in one_line(shown.err)


# --- in which form


def test_csv_and_parquet_say_what_json_says(cwr: Cli, tmp_path: Path) -> None:
    told = cwr("BC-001", "--classes", "--json").json()["alternatives"]
    text = cwr("BC-001", "--classes", "--format", "csv")
    lines = list(csv.DictReader(io.StringIO(text.out)))
    assert "15 of 15 matching classes" in text.err
    file = tmp_path / "out.parquet"
    assert cwr("BC-001", "--classes", "--format", "parquet", "--out", str(file)).code == 0
    found = duckdb.execute("SELECT class, submission, raw, has_typed FROM read_parquet(?)", [str(file)]).fetchall()
    assert [(row[0], json.loads(row[1]), row[2], row[3]) for row in found] == [
        (one["class"], one["submission"], one["raw"], one["motifs"]["typed"]) for one in told
    ]
    assert [(int(line["class"]), json.loads(line["submission"]), int(line["raw"])) for line in lines] == [
        (one["class"], one["submission"], one["raw"]) for one in told
    ]
    assert {line["has_typed"] for line in lines} == {"true", "false"}
    assert [file.name for file in tmp_path.iterdir()] == ["out.parquet"]


def test_svg_is_one_sheet(cwr: Cli, tmp_path: Path) -> None:
    file = tmp_path / "out.svg"
    assert cwr("RS-001", "--limit", "3", "--format", "svg", "--out", str(file)).code == 0
    sheet = ElementTree.fromstring(file.read_text("utf-8"))
    assert len([one for one in sheet if one.tag.endswith("}svg")]) == 3
    assert cwr("RS-001", "--limit", "3", "--format", "svg").out == file.read_text("utf-8")


def test_forms_that_cannot_be_written(cwr: Cli, tmp_path: Path) -> None:
    assert "--out" in one_line(cwr("TW-001", "--format", "parquet").err)
    assert "--format" in one_line(cwr("TW-001", "--out", str(tmp_path / "x")).err)
    (tmp_path / "file").write_text("", "utf-8")
    for form in ("json", "csv", "svg", "parquet"):
        shown = cwr("TW-001", "--format", form, "--out", str(tmp_path / "file" / "x"))
        assert shown.code == 2
        assert "cannot write" in one_line(shown.err)


@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_same_bytes_whatever_the_hash_seed(seed: str, place: Path, tmp_path: Path) -> None:
    """Also where the space is listed anew."""
    out = []
    for folder in (place, tmp_path):
        command = [sys.executable, "-m", "cwr_audits.cli", "alternatives", "PA-001", "--diverse", "3", "--json"]
        environment = {**os.environ, "PYTHONHASHSEED": seed, "CWR_STORE": str(folder)}
        done = subprocess.run(command, env=environment, capture_output=True, check=True, timeout=120)
        out.append(done.stdout)
    assert out[0] == out[1]
    (one,), (other,) = place.glob(f"{store.key(subject('PA-001'))}/{store.CLASSES}"), tmp_path.glob("*/*classes*")
    assert one.read_bytes() == other.read_bytes()


# --- what is not believed


@pytest.mark.parametrize("condition", HOSTILE)
def test_a_hostile_condition_is_one_line_and_does_nothing(cwr: Cli, condition: str, tmp_path: Path) -> None:
    before = cwr("TW-001", "--json").json()
    shown = cwr("TW-001", "--where", condition.format(tmp_path))
    assert shown.code == 2
    assert "the columns are class, representative" in one_line(shown.err)
    assert list(tmp_path.iterdir()) == []
    assert cwr("TW-001", "--json").json() == before


FICKLE = {
    "random() > 0.5": "random may",
    "cost < 9 or Random() < 0": "random may",
    "now() is null": "now may",
    "current_date > date '2020-01-01'": "current_date may",
    "current_timestamp is null": "get_current_timestamp may",
    "localtime is null": "current_localtime may",
    "cost in (select cost from classes using sample 1)": "a sample may",
    "cost in (select cost from classes tablesample 10%)": "a sample may",
}


@pytest.mark.parametrize("condition", FICKLE)
def test_a_condition_that_may_change_its_mind_proves_nothing(cwr: Cli, condition: str) -> None:
    shown = cwr("TW-001", "--where", condition)
    assert (shown.code, shown.out) == (2, "")
    assert len(shown.err.splitlines()) == 1
    assert f"{FICKLE[condition]} say something else another time" in shown.err


@pytest.mark.parametrize(
    "condition", ["abs(cost) - 1 = 3 -- why", "cost = (select max(cost) from classes)", "has_main"]
)
def test_a_condition_that_always_says_the_same_is_asked(cwr: Cli, condition: str) -> None:
    assert cwr("TW-001", "--where", condition).code == 0


def test_a_condition_that_takes_too_long_is_undecided(cwr: Cli) -> None:
    endless = "(SELECT count(*) FROM range(1000000000000)) > 1"
    shown = cwr("TW-001", "--where", endless, "--time-limit", "0.2")
    assert shown.code == 3
    assert "undecided (time)" in one_line(shown.err)


@pytest.mark.parametrize("arguments", [("--with", "fine"), ("--without", "shape"), ("--time-limit", "0")])
def test_wrong_calls_are_one_line(cwr: Cli, arguments: tuple[str, ...]) -> None:
    shown = cwr("TW-001", *arguments)
    assert shown.code == 2
    one_line(shown.err)


def test_a_damaged_space_is_made_anew(cwr: Cli, tmp_path: Path) -> None:
    before = cwr("KL-001", "--store", str(tmp_path), "--json").json()
    (file,) = tmp_path.glob(f"*/{store.WORDS}")
    file.write_bytes(b"PAR1 not at all")
    assert cwr("KL-001", "--store", str(tmp_path), "--json").json() == before


def test_without_a_place_to_keep_a_space_it_is_answered_all_the_same(
    cwr: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    due = cwr("TW-001", "--json").json()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CWR_STORE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    shown = cwr("TW-001", "--json")
    assert (shown.code, shown.json()) == (0, due)
    assert "listed anew each time: cannot write into the folder" in one_line(shown.err)
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
    assert cwr("TW-001", "--store", str(tmp_path / "file"), "--json").code == 2
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", "nowhere")
    shown = cwr("TW-001", "--forbid", "coat", "--json")
    assert (shown.code, shown.json()["complete"]) == (1, True)
    assert "there is no home folder" in one_line(shown.err)


def test_a_place_that_cannot_be_written_is_read(cwr: Cli, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    due = cwr("TW-001", "--json").json()
    monkeypatch.setenv("CWR_STORE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    monkeypatch.setattr(store, "place", lambda _named: store.Place(place, named=False))
    monkeypatch.setattr(store, "keep", lambda *_: pytest.fail("nothing is written"))
    shown = cwr("TW-001", "--json")
    assert (shown.code, shown.json(), shown.err) == (0, due, "")


def test_a_forged_space_is_graded_before_it_is_shown(cwr: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "SPACE", "toy_alternatives:forged_rows")
    shown = cwr("TW-001", "--store", str(tmp_path))
    assert (shown.code, shown.out) == (4, "")
    assert "the interpreter says accepted, cost 4" in one_line(shown.err)


# --- where the space is too large to list


@pytest.fixture
def large(cwr: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The command where no space can be listed; `some` and `none` name the solvers' engines."""
    monkeypatch.setattr(asking, "SPACE", "toy_alternatives:too_large")

    def called(*arguments: str, some: str = late.SOME, none: str = late.NONE) -> SimpleNamespace:
        monkeypatch.setattr(asking, "SOME", some if ":" in some else f"toy_alternatives:{some}")
        monkeypatch.setattr(asking, "NONE", none if ":" in none else f"toy_alternatives:{none}")
        return cwr(*arguments, "--store", str(tmp_path))

    return called


def test_a_solver_gives_some_and_never_all(large: Cli) -> None:
    shown = large("RS-001", "--json", "--limit", "3")
    told = shown.json()
    assert shown.code == 3
    assert (told["basis"], told["complete"], told["cut"], told["shown"]) == ("solver", False, True, 3)
    assert "more than 3 words" in told["notes"][0]
    assert "some alternatives, not all" in told["notes"][1]
    assert {one["class"] for one in told["alternatives"]} == {None}
    assert large("RS-001", "--json", "--limit", "30").json()["complete"] is False


def test_a_solver_minds_distance_among_what_it_lists(large: Cli) -> None:
    told = large("RS-001", "--json", "--farthest", "--limit", "2").json()
    assert [one["distance"] for one in told["alternatives"]] == [5, 4]


def test_none_of_two_solvers_is_proved(large: Cli) -> None:
    shown = large("TW-001", "--at-cost", "3", "--json")
    assert shown.code == 1
    assert (shown.json()["complete"], shown.json()["matching"]) == (True, 0)
    assert "CP-SAT and Z3 both prove" in shown.json()["notes"][0]


def test_none_of_one_solver_is_a_disagreement(large: Cli) -> None:
    shown = large("TW-001", some="nothing", none="there_is_one")
    assert (shown.code, shown.out) == (4, "")
    assert "cpsat says none; smt says some" in one_line(shown.err)


def test_none_of_one_solver_alone_is_undecided(large: Cli) -> None:
    shown = large("TW-001", some="nothing", none="too_slow")
    assert (shown.code, shown.out) == (3, "")
    assert "undecided (time)" in one_line(shown.err)


def test_no_answer_of_the_solver_is_undecided(large: Cli) -> None:
    assert large("TW-001", some="too_slow").code == 3
    assert large("TW-001", some="crashed").code == 3


@pytest.mark.parametrize(("some", "said"), [("wrong_cost", "cost 3"), ("no_word", "malformed")])
def test_a_word_of_the_solver_is_graded(large: Cli, some: str, said: str) -> None:
    shown = large("TW-001", some=some)
    assert (shown.code, shown.out) == (4, "")
    assert said in one_line(shown.err)


@pytest.mark.parametrize("arguments", [("--without", "main"), ("--forbid", "coat"), ("--require", "coat")])
def test_a_request_that_the_solver_ignored_shows(large: Cli, arguments: tuple[str, str]) -> None:
    shown = large("TW-001", *arguments, some="ignores_the_claim")
    if arguments == ("--require", "coat"):
        assert shown.code == 3  # the word has the step
    else:
        assert (shown.code, shown.out) == (4, "")
        assert "the word itself says no" in one_line(shown.err)


def test_motifs_that_take_too_long_are_left_open(large: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "VERDICTS", "toy_alternatives:too_slow")
    shown = large("RS-001", "--with", "strict", "--json")
    told = shown.json()
    assert (shown.code, {one["motifs"] for one in told["alternatives"]}) == (3, {None})
    assert "the word of CP-SAT alone" in told["notes"][2]
    sought = large("TW-001", "--with", "main", some="unsupported_once")
    assert (sought.code, sought.out) == (3, "")


def test_motifs_are_held_against_the_request(large: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "VERDICTS", "toy_alternatives:other_verdicts")
    shown = large("RS-001", "--with", "strict")
    assert (shown.code, shown.out) == (4, "")
    assert "motif strict" in one_line(shown.err)


def test_what_a_solver_cannot_post_is_looked_for(large: Cli) -> None:
    shown = large(
        "RS-001", "--without", "strict", "--require", '{"job":"B","start":0}', "--json", some="unsupported_once"
    )
    told = shown.json()
    assert (shown.code, told["shown"]) == (3, 1)
    assert "cannot post the request" in told["notes"][1]
    assert {one["motifs"]["strict"] for one in told["alternatives"]} == {False}
    empty = large("TW-001", "--forbid", "coat", "--json", some="unsupported_once")
    assert (empty.code, empty.json()["complete"], empty.json()["matching"]) == (3, False, 0)


def test_a_bare_claim_without_words_is_proved_none(large: Cli) -> None:
    shown = large("TW-001", "--forbid", "coat", "--at-cost", "3", "--json", some="unsupported_once")
    assert (shown.code, shown.json()["complete"]) == (1, True)


@pytest.mark.parametrize("arguments", [("--classes",), ("--where", "cost = 4")])
def test_classes_and_conditions_need_the_whole_space(large: Cli, arguments: tuple[str, ...]) -> None:
    shown = large("TW-001", *arguments)
    assert shown.code == 3
    assert "need the whole space" in one_line(shown.err)


def test_that_a_space_is_too_large_is_remembered(large: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert large("TW-001", "--json").code == 3
    monkeypatch.setattr(asking, "SPACE", "toy_alternatives:crashed")
    assert large("TW-001", "--json").code == 3


def test_a_crash_is_not_taken_for_a_large_space(cwr: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "SPACE", "toy_alternatives:crashed")
    shown = cwr("TW-001", "--store", str(tmp_path))
    assert shown.code == 3
    assert "undecided (crashed)" in one_line(shown.err)
