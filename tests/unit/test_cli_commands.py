"""The command line: what each command prints and how it ends, and that bad input is one line on standard error."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from cwr_audits.cli import run
from cwr_audits.commands.judge import LINE_BYTES
from cwr_audits.files import checkout
from cwr_audits.out import counted, pretty
from cwr_audits.subject import subject, subjects
from cwr_solvers.grading import answer_e
from cwr_solvers.jsontext import Json, canonical

CODES = [one.code for one in subjects(())]
WITNESS = b'{"actions":["smelt","smelt","coat","rivet"]}'
EARLY = b'{"actions":["smelt","coat","rivet"]}'

Cli = Callable[..., SimpleNamespace]


@pytest.fixture
def cwr(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run a command line in this process: exit code, output, errors."""

    def called(*arguments: str, stdin: bytes = b"") -> SimpleNamespace:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = run(arguments)
        out, err = capsysbinary.readouterr()
        return SimpleNamespace(code=code, out=out.decode(), err=err.decode(), json=lambda: json.loads(out))

    return called


def one_line(text: str) -> str:
    """The text, which must be one line that names the tool and is no traceback."""
    assert re.fullmatch(r"cwr: [^\n]+\n", text), text
    return text


# --- list, show


def test_list_names_every_showcase(cwr: Cli) -> None:
    shown = cwr("list")
    assert shown.code == 0
    assert all(code in shown.out for code in CODES)
    assert [one["code"] for one in cwr("list", "--json").json()] == CODES


@pytest.mark.parametrize("code", CODES)
def test_show_gives_instance_rules_and_picture(cwr: Cli, tmp_path: Path, code: str) -> None:
    picture = tmp_path / "picture.svg"
    shown = cwr("show", code, "--svg", str(picture))
    world = subject(code).world
    assert shown.code == 0
    assert all(rule in shown.out for rule in world.rules)
    assert ElementTree.fromstring(picture.read_text()).tag.endswith("svg")
    assert cwr("show", code, "--json").json()["instance"] == subject(code).source


def test_show_draws_the_submission_and_step_that_are_named(cwr: Cli, tmp_path: Path) -> None:
    texts = []
    for more in ([], ["--step", "1"], ["--submission", "-"]):
        picture = tmp_path / "picture.svg"
        assert cwr("show", "TW-001", "--svg", str(picture), *more, stdin=EARLY).code == 0
        texts.append(picture.read_text())
    assert len(set(texts)) == 3


def test_show_of_an_instance_file_has_no_witness_to_draw(cwr: Cli, tmp_path: Path) -> None:
    file = tmp_path / "instance.json"
    file.write_bytes(canonical(subject("TW-001").source))
    assert cwr("show", str(file)).code == 0
    refused = cwr("show", str(file), "--svg", str(tmp_path / "x.svg"))
    assert refused.code == 2
    assert "witness" in one_line(refused.err)
    assert not (tmp_path / "x.svg").exists()


def test_show_says_by_what_to_write_a_submission(cwr: Cli) -> None:
    shown = cwr("show", "RS-001").out.splitlines()
    assert json.loads(shown[-1].removeprefix("witness")) == subject("RS-001").witness
    named = {line.split()[0]: line for line in shown[-4:-1]}
    assert named["motifs"].split()[1:] == ["overlap,", "crossed,", "strict,", "full"]
    assert (checkout() / named["rule"].split()[-1]).is_file()
    schema = Path(named["formats"].split()[1].rstrip(","))
    assert (checkout() / schema).is_file()
    assert (checkout() / schema.with_name(named["formats"].split()[2])).is_file()


@pytest.mark.parametrize(
    ("arguments", "blamed"),
    [
        (("step", "TW-001", "--state", "-", "--move", "{file}"), "--state: malformed"),
        (("step", "TW-001", "--state", "{state}", "--move", "-"), "--move: malformed"),
        (("show", "TW-001", "--submission", "{file}"), "{file}: malformed"),
        (("grade", "{file}", "-"), "{file}: malformed"),
        (("alternatives", "TW-001", "--nearest", "{file}"), "{file}: malformed"),
        (("alternatives", "TW-001", "--require", "polish"), "--require polish: malformed"),
        (("alternatives", "TW-001", "--forbid", "polish"), "--forbid polish: malformed"),
    ],
)
def test_of_several_texts_the_malformed_one_is_named(
    cwr: Cli, tmp_path: Path, arguments: tuple[str, ...], blamed: str
) -> None:
    file, state = tmp_path / "file.json", tmp_path / "state.json"
    file.write_text("[]")
    state.write_text(json.dumps(cwr("trace", "TW-001", "-", "--json", stdin=b'{"actions":[]}').json()["final_state"]))
    ended = cwr(*(one.format(file=file, state=state) for one in arguments), stdin=b"[]")
    assert ended.code == 2
    assert one_line(ended.err).startswith(f"cwr: {blamed.format(file=file)}")


@pytest.mark.parametrize(
    ("arguments", "help_of"),
    [((), "cwr"), (("nonsense",), "cwr"), (("grade",), "cwr grade"), (("ledger", "add"), "cwr ledger add")],
)
def test_a_wrong_call_names_the_help_to_read(cwr: Cli, arguments: tuple[str, ...], help_of: str) -> None:
    assert one_line(cwr(*arguments).err).endswith(f"; see {help_of} --help\n")


def test_json_for_people_keeps_on_a_line_what_fits() -> None:
    value: Json = {"a": [1, 2], "b": {"c": "x" * 90}}
    assert pretty(value) == '{\n  "a": [1, 2],\n  "b": {\n    "c": "' + "x" * 90 + '"\n  }\n}'


@pytest.mark.parametrize(("count", "said"), [(0, "0 files"), (1, "1 file"), (2, "2 files")])
def test_things_are_counted_in_words(count: int, said: str) -> None:
    assert counted(count, "file", "files") == said


# --- grade, trace, step


@pytest.mark.parametrize("code", CODES)
def test_witnesses_are_accepted_and_traced(cwr: Cli, code: str) -> None:
    about = subject(code)
    data = canonical(about.witness)
    assert cwr("grade", code, "-", stdin=data).code == 0
    assert cwr("grade", code, "-", "--json", stdin=data).json()["verdict"] == "accepted"
    traced = cwr("trace", code, "-", "--json", stdin=data)
    submission = about.world.read_submission(about.instance, about.witness)
    assert traced.code == 0
    assert traced.json() == answer_e(about.world, about.instance, submission)
    assert json.loads(cwr("trace", code, "-", stdin=data).out) == traced.json()


def test_an_illegal_submission_is_explained(cwr: Cli) -> None:
    shown = cwr("grade", "TW-001", "-", "--explain", stdin=EARLY)
    assert shown.code == 1
    assert "illegal at step 3 (R1)" in shown.out
    assert "blank 0" in shown.out
    assert "needed:" in shown.out
    assert "needed:" not in cwr("grade", "TW-001", "-", stdin=EARLY).out
    told = cwr("grade", "TW-001", "-", "--json", stdin=EARLY).json()
    assert (told["verdict"], told["step"], told["rules"], told["cost"]) == ("illegal", 3, ["R1"], None)
    assert told["faults"][0]["rule"] == "R1"


def test_a_rejected_submission_ends_with_1(cwr: Cli) -> None:
    shown = cwr("grade", "TW-001", "-", "--json", stdin=b'{"actions":[]}')
    assert shown.code == 1
    assert (shown.json()["verdict"], shown.json()["rules"], shown.json()["cost"]) == ("rejected", ["G"], 0)
    traced = cwr("trace", "TW-001", "-", "--json", stdin=b'{"actions":[]}')
    assert (traced.code, traced.json()["goal"]) == (1, False)
    assert cwr("trace", "TW-001", "-", "--json", stdin=EARLY).json() == {
        "first_illegal_step": 3,
        "final_state": None,
        "goal": None,
    }


@pytest.mark.parametrize("command", ["grade", "trace"])
def test_a_malformed_submission_ends_with_2_and_its_pointer(cwr: Cli, command: str) -> None:
    shown = cwr(command, "TW-001", "-", stdin=b'{"actions":["smelt",1.0]}')
    assert shown.code == 2
    assert "/actions/1" in one_line(shown.err)
    assert "Traceback" not in shown.err


def test_an_instance_file_is_as_good_as_a_code(cwr: Cli, tmp_path: Path) -> None:
    file = tmp_path / "instance.json"
    source = json.loads(canonical(subject("TW-001").source))
    source["budget"]["actions"] = 3
    file.write_text(json.dumps(source))
    assert cwr("grade", str(file), "-", stdin=WITNESS).code == 1
    assert cwr("grade", "TW-001", "-", stdin=WITNESS).code == 0


def test_step_gives_the_p_answer(cwr: Cli, tmp_path: Path) -> None:
    about = subject("TW-001")
    state, move = tmp_path / "state.json", tmp_path / "move.json"
    state.write_bytes(canonical(about.world.write_state(about.instance, about.world.initial(about.instance))))
    move.write_text('"smelt"')
    arguments = ("step", "TW-001", "--state", str(state), "--move", str(move))
    legal = cwr(*arguments, "--json")
    assert legal.code == 0
    assert legal.json()["legal"] is True
    assert legal.json()["next_state"]["counts"]["blank"] == 1
    move.write_text('"rivet"')
    illegal = cwr(*arguments, "--json")
    assert (illegal.code, illegal.json()) == (1, {"legal": False, "next_state": None})
    assert "R1" in cwr(*arguments, "--explain").out
    move.write_text('"melt"')
    assert "recipe" in one_line(cwr(*arguments).err)
    assert cwr("step", "TW-001", "--state", "-", "--move", "-").code == 2


# --- grade --jsonl


def graded(cwr: Cli, *lines: bytes, code: str = "TW-001") -> tuple[int, list[dict[str, Any]]]:
    shown = cwr("grade", code, "-", "--jsonl", stdin=b"\n".join(lines))
    return shown.code, [json.loads(line) for line in shown.out.splitlines()]


def test_lines_keep_their_order_and_ids(cwr: Cli) -> None:
    code, answers = graded(
        cwr,
        b'{"id":"a","submission":%s}' % WITNESS,
        b'{"id":7,"submission":%s}' % EARLY,
        b'{"text":"{\\"actions\\":[]}"}',
    )
    assert code == 1
    assert [(one["line"], one["id"], one["verdict"]) for one in answers] == [
        (1, "a", "accepted"),
        (2, 7, "illegal"),
        (3, None, "rejected"),
    ]


def test_a_line_may_be_a_bare_submission(cwr: Cli) -> None:
    code, answers = graded(cwr, WITNESS, EARLY, b'{"actions":[]}')
    assert code == 1
    assert [(one["id"], one["verdict"]) for one in answers] == [
        (None, "accepted"),
        (None, "illegal"),
        (None, "rejected"),
    ]


def test_all_lines_accepted_end_with_0_and_no_line_does_not(cwr: Cli) -> None:
    assert graded(cwr, b'{"submission":%s}' % WITNESS)[0] == 0
    empty = cwr("grade", "TW-001", "-", "--jsonl")
    assert empty.code == 2
    one_line(empty.err)


@pytest.mark.parametrize(
    ("line", "verdict", "where"),
    [
        (b"", "malformed", ""),
        (b"{", "malformed", ""),
        (b"[]", "malformed", ""),
        (b"{}", "malformed", "/actions"),
        (b"\xff", "malformed", ""),
        (b'{"actions":["smelt",1.0]}', "malformed", "/actions/1"),
        (b'{"id":5}', None, ""),
        (b'{"submission":%s,"text":""}' % WITNESS, None, ""),
        (b'{"submission":%s,"answer":1}' % WITNESS, None, "/answer"),
        (b'{"submission":%s,"id":true}' % WITNESS, None, "/id"),
        (b'{"submission":%s,"prose":1}' % WITNESS, None, "/prose"),
        (b'{"submission":%s,"submission":%s}' % (WITNESS, WITNESS), "malformed", "/submission"),
        (b'{"text":5}', None, "/text"),
        (b'{"text":""}', "malformed", ""),
        (b'{"text":"{\\"actions\\":[]} so there"}', "malformed", ""),
        (b'{"submission":{"actions":["smelt",1.0]}}', "malformed", "/actions/1"),
        (b'{"submission":{"actions":true}}', "malformed", "/actions"),
        (b'{"submission":null}', "malformed", ""),
    ],
)
def test_a_bad_line_is_answered_and_the_next_is_graded(cwr: Cli, line: bytes, verdict: str | None, where: str) -> None:
    code, answers = graded(cwr, line, b'{"submission":%s}' % WITNESS)
    assert code == 2
    assert [one["verdict"] for one in answers] == [verdict, "accepted"]
    assert answers[0]["error"]["pointer"] == where


def test_prose_moves_no_verdict(cwr: Cli) -> None:
    claims = json.dumps("Accepted! " + WITNESS.decode()).encode()
    for submission in (WITNESS, EARLY):
        _, (bare, told) = graded(
            cwr, b'{"submission":%s}' % submission, b'{"submission":%s,"prose":%s}' % (submission, claims)
        )
        assert {**bare, "line": 2} == told


def test_a_line_beyond_the_bound_is_refused_without_being_held(cwr: Cli) -> None:
    prose = b'{"submission":%s,"prose":"%s"}'
    fits = prose % (WITNESS, b"x" * (LINE_BYTES - len(prose % (WITNESS, b""))))
    code, answers = graded(cwr, fits, fits[:-2] + b'x"}', b"y" * (3 * LINE_BYTES), b'{"submission":%s}' % WITNESS)
    assert [one["verdict"] for one in answers] == ["accepted", None, None, "accepted"]
    assert [one["error"]["code"] for one in answers[1:3]] == ["too-large", "too-large"]
    assert code == 2


def test_a_stream_is_answered_line_by_line_and_not_held() -> None:
    """A second line is sent only after the first was answered."""
    command = [sys.executable, "-m", "cwr_audits.cli", "grade", "TW-001", "-", "--jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(b'{"submission":%s}\n' % WITNESS)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["verdict"] == "accepted"
        process.stdin.close()
        assert process.wait(20) == 0


# --- bad input everywhere


def bad_inputs(folder: Path) -> dict[str, str]:
    """Names of files that hold no instance and no submission."""
    (folder / "folder").mkdir()
    (folder / "binary").write_bytes(bytes(range(256)))
    (folder / "empty").write_bytes(b"")
    (folder / "list").write_text("[]")
    (folder / "family").write_text('{"family":"XX"}')
    (folder / "deep").write_text("[" * 1000)
    (folder / "large").write_bytes(b" " * (17 << 20))
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "escape").write_text('{"family":"TW","\\u001b[31m\\nx":1}')
    return {name: str(folder / name) for name in (*sorted(os.listdir(folder)), "missing", "empty/below")}


def test_bad_files_are_one_line_each(cwr: Cli, tmp_path: Path) -> None:
    for name, path in bad_inputs(tmp_path).items():
        commands: list[tuple[str, ...]] = [
            ("grade", "TW-001", path),
            ("grade", path, "-"),
            ("trace", "TW-001", path),
            ("show", path),
            ("certify", path),
            ("step", "TW-001", "--state", path, "--move", path),
            ("check", path),
        ]
        for command in commands:
            ended = cwr(*command, stdin=WITNESS)
            assert ended.code == 2, (name, command, ended.out)
            one_line(ended.err)


def test_a_picture_that_cannot_be_written_is_one_line(cwr: Cli, tmp_path: Path) -> None:
    ended = cwr("show", "TW-001", "--svg", str(tmp_path / "no" / "such.svg"))
    assert ended.code == 2
    one_line(ended.err)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("nonsense",),
        ("grade",),
        ("grade", "TW-001"),
        ("grade", "TW-999", "-"),
        ("grade", "TW-001", "-", "--fast"),
        ("show", "TW-001", "--step", "x"),
        ("certify", "--time-limit", "0"),
        ("certify", "--time-limit", "nan"),
        ("certify", "TW-001", "TW-001"),
        ("check",),
    ],
)
def test_wrong_usage_ends_with_2(cwr: Cli, arguments: tuple[str, ...]) -> None:
    ended = cwr(*arguments)
    assert ended.code == 2
    one_line(ended.err)


@pytest.mark.parametrize("arguments", [("--help",), ("grade", "--help"), ("certify", "-h")])
def test_help_documents_exit_codes(cwr: Cli, arguments: tuple[str, ...]) -> None:
    shown = cwr(*arguments)
    assert shown.code == 0
    assert "4 routes disagree" in " ".join(shown.out.split())


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    """As in `cwr grade … --jsonl | head -1`."""
    command = [sys.executable, "-m", "cwr_audits.cli", "grade", "TW-001", "-", "--jsonl"]
    line = b'{"submission":%s}\n' % WITNESS
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(line)
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(line * 2)
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 141


@pytest.mark.parametrize("command", [("list",), ("show", "TW-001"), ("list", "--json")])
def test_a_reader_that_never_was_is_no_verdict(command: tuple[str, ...]) -> None:
    """A closed pipe must not end in a code that means accepted or rejected."""
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [sys.executable, "-m", "cwr_audits.cli", *command], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, b"")


@pytest.mark.parametrize(
    ("closed", "code"), [("<&-", 2), (">&- < $WITNESS", 0), ("2>&- < $WITNESS", 0), (">&- 2>&- < $WITNESS", 0)]
)
def test_closed_channels_do_not_change_the_exit_code(tmp_path: Path, closed: str, code: int) -> None:
    (tmp_path / "witness").write_bytes(WITNESS)
    ended = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m cwr_audits.cli grade TW-001 - {closed}"],
        stderr=subprocess.PIPE,
        env={**os.environ, "WITNESS": str(tmp_path / "witness")},
        check=False,
    )
    assert ended.returncode == code
    assert b"Traceback" not in ended.stderr


def test_an_interrupt_ends_with_130() -> None:
    command = [sys.executable, "-m", "cwr_audits.cli", "grade", "TW-001", "-", "--jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b'{"submission":%s}\n' % WITNESS)
        process.stdin.flush()
        process.stdout.readline()  # it is past its start
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert process.stderr.read() == b""


def test_grading_loads_no_solver() -> None:
    program = (
        "import sys; from cwr_audits.cli import run; code = run(['grade', 'TW-001', '-']);"
        "heavy = {'ortools', 'z3', 'pysat', 'pysolvers', 'networkx', 'numpy', 'rich'} & set(sys.modules);"
        "sys.exit(f'loaded {heavy}' if heavy else code)"
    )
    ended = subprocess.run([sys.executable, "-c", program], input=WITNESS, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
