"""Command why-not: submissions and requests of every kind, exit codes, certificates kept, and what is not believed."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cwr_audits import asking, whynot
from cwr_audits.cli import run
from cwr_audits.files import checkout
from cwr_audits.late import resolve
from cwr_audits.sessions import played
from cwr_audits.subject import subjects
from cwr_audits.wire import found
from cwr_audits.wire import run as engine
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import Undecided
from cwr_solvers.jsontext import canonical

Cli = Callable[..., SimpleNamespace]
SHOWCASES = {one.code: one for one in subjects(())}
# code -> a submission that is not accepted, and the rule that refuses it
WRONG = {
    "TW-001": ('{"actions":["rivet"]}', "R1"),
    "TP-001": ('{"steps":[{"op":"invert","args":["input"],"out":["v0"]}]}', "R4"),
    "BC-001": ('{"gates":[],"output":"a"}', "G"),
    "KL-001": ('{"actions":[{"op":"move","arg":"D-H"}]}', "R5"),
    "RS-001": ('{"starts":{"A":0,"B":0,"C":2,"D":4,"E":3}}', "R3"),
    "PS-001": ('{"actions":["stage"]}', "R1"),
    "PA-001": ('{"connections":[{"from":"S.p","to":"M.s1"}]}', "R2"),
    "FT-001": ('{"placements":[{"piece":"A","x":0,"y":1}]}', "R5"),
    "CO-001": ('{"cards":["A"]}', "G"),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


@pytest.fixture
def cwr(place: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run `cwr why-not` in this process, its workers too: exit code, output, errors."""
    monkeypatch.setenv("CWR_STORE", str(place))
    monkeypatch.setattr(asking, "ask", lambda name, asked: found(engine(resolve(name), asked)))

    def called(*arguments: str, stdin: str | bytes = b"") -> SimpleNamespace:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        code = run(["why-not", *arguments])
        out, err = capsysbinary.readouterr()
        return SimpleNamespace(code=code, out=out.decode(), err=err.decode(), json=lambda: json.loads(out))

    return called


def one_line(text: str) -> str:
    assert re.fullmatch(r"cwr: [^\n]+\n", text), text
    return text


def test_the_sessions_of_the_page_are_real() -> None:
    """To bring them up to date: python -m cwr_audits.sessions docs/why-not.md."""
    page = (checkout() / "docs" / "why-not.md").read_text("utf-8")
    assert page.count("cwr why-not ") >= 4
    assert played(page) == page


# --- submissions


@pytest.mark.parametrize("code", SHOWCASES)
def test_nothing_stands_against_what_is_accepted(cwr: Cli, code: str) -> None:
    shown = cwr(code, "-", stdin=canonical(SHOWCASES[code].witness))
    assert (shown.code, shown.err) == (0, "")
    assert "nothing stands against it" in shown.out
    assert "conflict" not in shown.out


@pytest.mark.parametrize("code", WRONG)
def test_what_is_wrong_is_explained(cwr: Cli, code: str) -> None:
    text, rule = WRONG[code]
    told = cwr(code, "-", "--json", "--limit", "2", stdin=text).json()
    assert told["verdict"] in ("illegal", "rejected")
    assert told["conflict"]["rules"] == [rule]
    assert told["nearest"]["complete"] is True
    nearest = told["nearest"]["submissions"]
    assert 1 <= len(nearest) <= 2
    assert nearest == sorted(nearest, key=lambda one: one["distance"])
    for one in told["conflict"]["without"]:
        assert one["verdict"] in ("illegal", "rejected")
        assert rule in {fault["rule"] for fault in one["faults"]}
    lines = cwr(code, "-", "--limit", "2", stdin=text).out
    assert f"rules in conflict: {rule}\n" in lines
    assert "distance" in lines
    assert "checked; --out DIR keeps it" in lines


def test_every_showcase_is_tried() -> None:
    assert set(WRONG) == set(SHOWCASES)


def test_a_beginning_that_can_go_on_is_shown_where_to(cwr: Cli) -> None:
    shown = cwr("TW-001", "-", stdin='{"actions":["smelt"]}')
    assert shown.code == 1
    assert 'with more moves it is a solution, cost 4: {"actions":["smelt",' in shown.out


def test_a_beginning_that_cannot_go_on_is_told_why(cwr: Cli) -> None:
    told = cwr("PA-001", "-", "--json", stdin='{"connections":[{"from":"S.p","to":"L.p"}]}').json()
    assert told["verdict"] == "rejected"
    assert told["solution"] is None
    assert told["conflict"]["rules"] == ["R2", "R3", "G"]


def test_what_is_no_word_is_said_to_be_none(cwr: Cli) -> None:
    shown = cwr("BC-001", "-", stdin='{"gates":[{"id":"g1","inputs":["a","b"],"op":"AND"}],"output":"a"}')
    assert shown.code == 1
    assert "illegal at step 1 (R1)" in shown.out
    assert "no word is like that, so no set of rules is looked for" in shown.out
    assert "nearest solutions" in shown.out


def test_unknown_neighbours_are_said_to_be_unknown(cwr: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> Any:
        raise Undecided("time", "the space was not listed in time")

    monkeypatch.setattr(whynot, "alternatives", late)
    shown = cwr("TW-001", "-", stdin=WRONG["TW-001"][0])
    assert "nearest solutions unknown" in shown.out
    assert "rules in conflict: R1" in shown.out
    told = cwr("TW-001", "-", "--json", stdin=WRONG["TW-001"][0]).json()
    assert told["nearest"] is None
    assert "not listed in time" in told["nearest_unknown"]


# --- requests


@pytest.mark.parametrize(
    ("code", "arguments", "rules"),
    [
        ("PS-001", ("--forbid", "acquire"), ["R1", "G"]),
        ("TW-001", ("--without", "main"), ["G"]),
        ("TW-001", ("--at-cost", "3"), ["G"]),
        ("KL-001", ("--forbid", '{"op":"pickup","arg":"k1"}'), ["R5", "G"]),
        ("RS-001", ("--at-cost", "4", "--require", '{"job":"B","start":1}'), ["R3"]),
        ("FT-001", ("--forbid", '{"piece":"A","x":0,"y":0}'), ["R5", "G"]),
        ("CO-001", ("--forbid", "C"), ["G"]),
        ("CO-001", ("--without", "main"), ["G"]),
    ],
)
def test_impossible_requests(cwr: Cli, tmp_path: Path, code: str, arguments: tuple[str, ...], rules: list[str]) -> None:
    out = tmp_path / "kept"
    shown = cwr(code, *arguments, "--out", str(out))
    assert (shown.code, shown.err) == (1, "")
    assert shown.out.startswith(f"{code}: no solution ")
    for rule in rules:
        assert f"without {rule} this would do: " in shown.out
    told = cwr(code, *arguments, "--json").json()
    assert told["conflict"]["rules"] == rules
    checker = [sys.executable, "-I", "-S", str(checkout() / "certificates"), str(out)]
    checked = subprocess.run(checker, capture_output=True, text=True, check=False, timeout=60)
    assert (checked.returncode, "VERIFIED" in checked.stdout) == (0, True)


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("BC-001", ("--without", "shape")),
        ("BC-001", ("--with", "typed")),
        ("RS-001", ("--at-cost", "5")),
        ("RS-001", ("--require", '{"job":"A","start":1}', "--forbid", '{"job":"B","start":1}')),
        ("PS-001", ()),
    ],
)
def test_possible_requests_are_answered_by_a_solution(cwr: Cli, code: str, arguments: tuple[str, ...]) -> None:
    told = cwr(code, *arguments, "--json")
    assert told.code == 0
    assert told.json()["conflict"] is None
    again = canonical(told.json()["solution"]["submission"])
    assert cwr(code, "-", stdin=again).code == 0
    shown = cwr(code, *arguments)
    assert shown.out.startswith(f"{code}: a solution")
    assert again.decode() in shown.out


def test_an_instance_without_solutions_says_why(cwr: Cli, tmp_path: Path) -> None:
    file = tmp_path / "none.json"
    source: Any = json.loads(canonical(SHOWCASES["PS-001"].source))
    source["code"], source["budget"]["actions"] = "PS-NONE", 5
    file.write_text(json.dumps(source))
    told = cwr(str(file), "--json")
    assert (told.code, told.json()["solution"]) == (1, None)
    assert told.json()["conflict"]["rules"] == ["R1", "G"]
    shown = cwr(str(file), "-", stdin='{"actions":[]}')
    assert "there is no solution at all" in shown.out


@pytest.mark.parametrize(
    "arguments", [("RS-001", "--with", "strict", "--without", "strict"), ("TW-001", "--at-cost", "6")]
)
def test_what_rules_cannot_explain_is_undecided(cwr: Cli, arguments: tuple[str, ...]) -> None:
    shown = cwr(*arguments)
    assert (shown.code, shown.out) == (3, "")
    assert "there is none, and the clauses cannot say" in one_line(shown.err)


# --- hostile input, and answers that are not believed


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (("TW-001", "-"), ""),
        (("TW-001", "-"), "[" * 100_000),
        (("TW-001", "-"), '{"actions":["anvil"]}'),
        (("TW-001", "-"), b"\xff\xfe"),
        (("TW-001", "-"), " " * 70_000),
        (("TW-001", "no such file"), ""),
        (("NO-001",), ""),
        (("TW-001", "-", "--forbid", "smelt"), "{}"),
        (("TW-001", "--forbid", "anvil"), ""),
        (("TW-001", "--forbid", "\udcff"), ""),
        (("TW-001", "--require", '{"a":'), ""),
        (("TW-001", "--without", "none"), ""),
        (("TW-001", "--with", "none"), ""),
        (("TW-001", "--at-cost", "-1"), ""),
        (("TW-001", "--at-cost", "9" * 30), ""),
        (("TW-001", "--limit", "0"), ""),
        (("TW-001", "--time-limit", "0"), ""),
        (("TW-001", "--time-limit", "nan"), ""),
        (("TW-001", "--at-cost", "3", "--out", "/dev/null/x"), ""),
    ],
)
def test_bad_input_is_one_line(cwr: Cli, arguments: tuple[str, ...], stdin: str | bytes) -> None:
    shown = cwr(*arguments, stdin=stdin)
    assert shown.code == 2
    one_line(shown.err)


def test_a_folder_with_something_in_it_is_not_written_over(cwr: Cli, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("keep me")
    shown = cwr("TW-001", "--at-cost", "3", "--out", str(tmp_path))
    assert shown.code == 2
    assert [one.name for one in tmp_path.iterdir()] == ["mine"]
    assert cwr("BC-001", "--without", "weak", "--time-limit", "1e-9", "--out", str(tmp_path)).code == 2  # said at once


def test_no_time_is_undecided(cwr: Cli) -> None:
    assert cwr("BC-001", "--without", "weak", "--time-limit", "1e-9").code == 3


ACCEPTED = {"actions": ["smelt", "smelt", "coat", "rivet"]}
LIES: list[tuple[tuple[str, ...], str, dict[str, Any]]] = [
    (("--forbid", "smelt"), "", {"word": ACCEPTED}),
    (("--require", "smelt"), "", {"word": {"actions": ["smelt"]}}),
    (("--at-cost", "3"), "", {"word": ACCEPTED}),
    (("--without", "main"), "", {"word": ACCEPTED}),
    (("-",), '{"actions":["rivet"]}', {"word": ACCEPTED}),
    (("--forbid", "smelt"), "", {"word": None, "rules": ["G"], "relaxed": [["G", ACCEPTED]]}),
]


@pytest.mark.parametrize(("arguments", "stdin", "lie"), LIES)
def test_a_worker_that_lies_is_a_disagreement(
    cwr: Cli, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], stdin: str, lie: dict[str, Any]
) -> None:
    told = {"word": None, "rules": [], "relaxed": [], "posted": [], "files": {}, **lie}
    real = asking.ask
    monkeypatch.setattr(asking, "ask", lambda name, asked: told if name == whynot.CONFLICT else real(name, asked))
    shown = cwr("TW-001", *arguments, stdin=stdin)
    assert shown.code == 4
    one_line(shown.err)


@pytest.mark.parametrize("family", WORLDS)
def test_random_instances_and_their_moves(cwr: Cli, tmp_path: Path, family: str) -> None:
    """Whether each move may be left out: by conflict or by solution; never anything else."""
    file, codes = tmp_path / "random.json", set()
    for number in range(4):
        source = WORLDS[family].generate(f"why-not/{number}")
        file.write_bytes(canonical(source))
        instance = WORLDS[family].read_instance(source)
        first = next(iter(WORLDS[family].normal_moves(instance, WORLDS[family].initial(instance))), None)
        if first is not None:
            move = canonical(WORLDS[family].write_move(instance, first)).decode()
            codes |= {cwr(str(file), "--forbid", move).code, cwr(str(file), "--require", move).code}
    assert codes <= {0, 1}
    assert codes
