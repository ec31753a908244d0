"""Command conform: our own grader passes, every kind of liar is caught and named, and no grader can block the run."""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cwr_audits.cli import run
from cwr_audits.conform import MOST_FAULTS, Case, corpus, examine, request, write_answer
from cwr_audits.files import checkout
from cwr_audits.sessions import played
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import UsageError

CORPUS = checkout() / "tests" / "corpus"
OURS = f"{sys.executable} -m cwr_audits.cli conform --serve"
CASES = len(list((CORPUS / "tw").rglob("*.json")))

# A grader that knows the truth, but for what LIE does to it; it loads nothing of ours, so that it starts quickly.
GRADER = """
import json, os, signal, sys, time

def say(value):
    print(value if isinstance(value, str) else json.dumps(value), flush=True)

truth = json.load(open(sys.argv[1]))
kept = []
for n, line in enumerate(sys.stdin.buffer, 1):
    said = truth[json.loads(line)["id"]]
LIE
"""


class Told(NamedTuple):
    """What a run says: exit code, the JSON it prints, what it says on standard error."""

    code: int
    json: dict[str, Any]
    err: str

    @property
    def differing(self) -> set[str]:
        return {one["case"].split("/")[1] for one in self.json["differ"]}


Conform = Callable[..., Told]


@pytest.fixture
def conform(capfd: pytest.CaptureFixture[str]) -> Conform:
    """Examine a grader on the cases of TW."""

    def examined(command: str, *options: str) -> Told:
        code = run(["conform", "--command", command, "--world", "TW", "--json", *options])
        out, err = capfd.readouterr()
        return Told(code, json.loads(out) if out else {}, err)

    return examined


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the answer that is due to each case of TW, by id."""
    file = tmp_path_factory.mktemp("truth") / "truth.json"
    file.write_text(json.dumps({case.id: write_answer(case.id, case.due) for case in corpus(CORPUS, ["TW"])}))
    return file


@pytest.fixture
def liar(conform: Conform, truth: Path, tmp_path: Path) -> Conform:
    """Examine a grader whose loop ends with these lines instead of the truth; a line after # follows the loop."""

    def examined(lie: str, *options: str) -> Told:
        file = tmp_path / "grader.py"
        body = "\n".join(line if line.startswith("#") else f"    {line}" for line in lie.splitlines())
        file.write_text(GRADER.replace("LIE", body.replace("#", "")))
        return conform(f"{sys.executable} -I -S {file} {truth}", *options)

    return examined


def one_line(text: str) -> str:
    assert text.startswith("cwr: ")
    assert text.count("\n") == 1
    return text


# --- who tells the truth


def test_our_own_grader_agrees_on_every_case_of_every_world(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["conform", "--command", OURS, "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert told["agree"] == told["cases"] == len(list(CORPUS.rglob("*.json"))) > 40 * len(WORLDS)
    assert (told["differ"], told["undecided"], told["faults"]) == ([], [], [])


def test_people_see_a_row_for_each_world(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["conform", "--command", OURS, "--world", "tw", "--world", "RS"]) == 0
    rows = [line.split() for line in capfd.readouterr().out.splitlines() if line.startswith((" TW", " RS"))]
    assert [row[0] for row in rows] == ["RS", "TW"]
    assert [row[1:] for row in rows if row[0] == "TW"] == [[str(CASES), str(CASES), "0", "0"]]


@pytest.mark.parametrize(
    "lie",
    [
        "say(said)",
        "kept.append(said)\n#for said in reversed(kept): say(said)",
        "kept.append(json.dumps(said))\n#sys.stdout.write(chr(10).join(kept))",
        "said['codes'].reverse(); say(said)",
    ],
    ids=["at once", "at the end and backwards", "unflushed and without a last line break", "codes in another order"],
)
def test_order_and_flushing_do_not_matter(liar: Conform, lie: str) -> None:
    told = liar(lie)
    assert (told.code, told.json["agree"], told.json["cases"]) == (0, CASES, CASES)


# --- who lies


def test_a_grader_that_accepts_everything_in_another_language(conform: Conform) -> None:
    said = r'{"id":"\1","verdict":"accepted","step":null,"codes":[]}'
    told = conform(f"""sed -E 's/.*"id":"([0-9a-f]+)","instance".*/{said}/'""")
    assert told.code == 1
    assert told.differing == {"rejected", "illegal", "malformed"}
    accepted = len(list((CORPUS / "tw" / "accepted").iterdir()))
    assert (told.json["agree"], len(told.json["differ"])) == (accepted, CASES - accepted)
    first = told.json["differ"][0]
    assert first["said"] == {"verdict": "accepted", "step": None, "codes": []}
    assert first["due"]["verdict"] == first["case"].split("/")[1]


LIES = {
    "rejects everything": ("said.update(verdict='rejected', step=None, codes=['G']); say(said)", "accepted"),
    "off by one step": ("said['step'] = said['step'] and said['step'] + 1; say(said)", "illegal"),
    "codes swapped": ("said['codes'] = [{'R1': 'R2', 'R2': 'R1'}.get(c, c) for c in said['codes']]; say(said)", ""),
    "one code forgotten": ("said['codes'] = said['codes'][:1]; say(said)", "illegal"),
    "a code twice": ("said['codes'] += said['codes']; say(said)", "malformed"),
    "malformed is illegal": ("said['verdict'] = said['verdict'].replace('malformed', 'illegal'); say(said)", ""),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_liar_differs(liar: Conform, lie: str) -> None:
    told = liar(LIES[lie][0])
    assert told.code == 1
    assert told.differing >= {LIES[lie][1]} - {""}
    assert told.json["agree"] + len(told.json["differ"]) == CASES
    assert (told.json["undecided"], told.json["faults"]) == ([], [])


def test_without_codes_only_verdict_and_step_count(liar: Conform) -> None:
    for lie in (LIES["codes swapped"][0], "del said['codes']; say(said)"):
        assert liar(lie, "--no-codes").code == 0
    assert liar(LIES["off by one step"][0], "--no-codes").differing == {"illegal"}
    assert liar("del said['codes']; say(said)").code == 3


# --- who says nothing: undecided, never agreement


def test_a_crash_leaves_the_rest_undecided(liar: Conform) -> None:
    told = liar("say(said); 1 // (n - 30)")
    assert (told.code, told.json["agree"], len(told.json["undecided"])) == (3, 30, CASES - 30)
    (fault,) = told.json["faults"]
    assert fault.startswith("the grader: it ended with code 1 (ZeroDivisionError")
    assert fault.endswith(told.json["undecided"][0]["why"])


def test_a_kill_is_named(liar: Conform) -> None:
    told = liar("say(said); n == 30 and os.kill(os.getpid(), signal.SIGKILL)")
    assert (told.code, told.json["faults"]) == (3, ["the grader: it was ended by signal 9"])


def test_a_crash_in_the_middle_of_a_line_is_no_answer(liar: Conform) -> None:
    told = liar(
        "n < 30 and say(said)\nif n == 30: sys.stdout.write(json.dumps(said)[:-9]); sys.stdout.flush(); os._exit(0)"
    )
    assert (told.code, told.json["agree"]) == (3, 29)
    assert "line 30 of the grader: malformed (syntax)" in told.json["faults"][0]


def test_a_difference_outweighs_what_is_undecided(liar: Conform) -> None:
    told = liar(f"{LIES['rejects everything'][0]}; 1 // (n - 60)")
    assert told.code == 1
    assert len(told.json["undecided"]) == CASES - 60


@pytest.mark.parametrize(
    ("lie", "options", "agree", "why"),
    [
        ("n == 30 and time.sleep(60); say(said)", ("--case-limit", "2"), 29, "2 s without an answer"),
        ("say(said) if n < 30 else say('noise') if n < 40 else time.sleep(60)", ("--case-limit", "2"), 29, "without"),
        ("time.sleep(0.2); say(said)", ("--time-limit", "2", "--case-limit", "9"), None, "stopped after 2 s"),
        ("say(said)\n#time.sleep(60)", ("--case-limit", "2"), CASES, "did not end within 2 s after the last answer"),
        ("say(said)\n#os.close(1); time.sleep(60)", ("--case-limit", "2"), CASES, "closed its output and did not end"),
    ],
    ids=["hangs", "talks, says nothing", "slow", "does not end", "closes and does not end"],
)
def test_waiting_has_an_end(liar: Conform, lie: str, options: tuple[str, ...], agree: int | None, why: str) -> None:
    begun = time.monotonic()
    told = liar(lie, *options)
    assert time.monotonic() - begun < 20
    assert told.code == 3
    assert told.json["agree"] == agree or (agree is None and told.json["agree"] < CASES)
    assert why in told.json["faults"][-1]
    assert {one["said"] for one in told.json["undecided"]} <= {None}
    assert len(told.json["undecided"]) == CASES - told.json["agree"]


@pytest.mark.parametrize("command", ["sleep 60", "sh -c 'exec <&-; sleep 60'"])
def test_requests_that_nobody_reads_block_nothing(conform: Conform, command: str) -> None:
    told = conform(command, "--case-limit", "1")
    assert (told.code, told.json["agree"], len(told.json["undecided"])) == (3, 0, CASES)


def test_a_full_pipe_of_errors_blocks_nothing(liar: Conform) -> None:
    told = liar("n == 1 and sys.stderr.write('x' * (1 << 21)); say(said)")
    assert (told.code, told.json["agree"]) == (0, CASES)


def test_the_grader_and_its_children_are_ended(liar: Conform, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    lie = f"say(said)\n#import subprocess; open({str(pid)!r}, 'w').write(str(subprocess.Popen(['sleep', '60']).pid))"
    assert liar(lie, "--case-limit", "2").code == 3  # the child keeps the output open
    until = time.monotonic() + 10  # a kill takes effect some time after it was sent
    while alive(int(pid.read_text())):
        assert time.monotonic() < until
        time.sleep(0.01)


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead and not yet buried does not."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return shown.strip()[:1] not in ("", "Z", "X")


# --- who breaks the protocol


@pytest.mark.parametrize(
    ("lie", "agree", "fault"),
    [
        ("n == 7 and say('ready'); say(said)", CASES, "line 7 of the grader: malformed (syntax)"),
        ("n == 7 and say(''); say(said)", CASES, "line 7 of the grader: malformed (syntax)"),
        ("n == 7 and say('{}'); say(said)", CASES, "line 7 of the grader: malformed (missing-key) at /id"),
        ("n == 7 and say({**said, 'id': 'x'}); say(said)", CASES, "line 7 of the grader: an answer to no case: 'x'"),
        ("say(said); n == 7 and say(said)", CASES - 1, "line 8 of the grader: a second answer to "),
        ("say({**said, 'step': True} if n == 7 else said)", CASES - 1, "line 7 of the grader: malformed (wrong-type)"),
        ("say({**said, 'step': 0} if n == 7 else said)", CASES - 1, "line 7 of the grader: malformed (out-of-range)"),
        ("say({**said, 'verdict': 'yes'} if n == 7 else said)", CASES - 1, "malformed (unknown-name) at /verdict"),
        ("say({**said, 'note': ''} if n == 7 else said)", CASES - 1, "malformed (unknown-key) at /note"),
        ("say('x' * (1 << 20) if n == 7 else said)", CASES - 1, "line 7 of the grader: malformed (too-large)"),
        ("say(said)\n#sys.exit(9)", CASES, "the grader: it ended with code 9"),
    ],
)
def test_a_fault_is_named_and_is_no_agreement(liar: Conform, lie: str, agree: int, fault: str) -> None:
    told = liar(lie)
    assert (told.code, told.json["agree"], told.json["differ"]) == (3, agree, [])
    (found,) = told.json["faults"]
    assert fault in found
    assert len(told.json["undecided"]) == CASES - agree


def test_two_answers_that_are_equal_are_none(liar: Conform) -> None:
    told = liar("say(said); n == 7 and say(said)")
    assert [one["why"] for one in told.json["undecided"]] == ["it was answered twice"]


def test_a_grader_may_say_that_it_does_not_know(liar: Conform) -> None:
    told = liar("n == 7 and said.update(verdict='undecided', step=None, codes=[]); say(said)")
    assert (told.code, told.json["agree"], told.json["faults"]) == (3, CASES - 1, [])
    assert told.json["undecided"][0]["why"] == "the grader says so"


@pytest.mark.parametrize("command", ["yes", "cat"])
def test_noise_without_end_is_stopped(conform: Conform, command: str) -> None:
    told = conform(command)
    assert told.code == 3
    assert len(told.json["faults"]) == MOST_FAULTS + 1
    assert told.json["faults"][-1] == f"the grader: it was stopped after {MOST_FAULTS} faults"


def test_people_see_what_differs_and_why(
    liar: Conform, truth: Path, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    liar(f"{LIES['off by one step'][0]}; 1 // (n - 90)")
    assert run(["conform", "--command", f"{sys.executable} {tmp_path / 'grader.py'} {truth}", "--world", "TW"]) == 1
    out, err = capfd.readouterr()
    assert ", said illegal at step " in out
    assert "more (all with --json)" in out
    assert "ZeroDivisionError" in one_line(err)


# --- wrong usage


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name a grader"),
        (("--command", "  "), "name a grader"),
        (("--command", "it's"), "cannot be split"),
        (("--command", "no-such-grader --x"), "cannot run no-such-grader"),
        (("--command", "true", "--world", "XX"), "no family 'XX'"),
        (("--command", "true", "--corpus", "no-such-folder"), "no case of"),
        (("--command", "true", "--case-limit", "0"), "the time limit"),
        (("--command", "true", "--time-limit", "nan"), "the time limit"),
        (("--command", "true", "--time-limit", "inf"), "the time limit"),
    ],
)
def test_wrong_usage_is_one_line(capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str) -> None:
    assert run(["conform", *arguments]) == 2
    out, err = capfd.readouterr()
    assert (out, said in one_line(err)) == ("", True)


GOOD = {"description": "x", "code": "TW-001", "text": "{}", "step": None, "codes": ["missing-key"]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"code": "TW-999"}, "no showcase"),
        ({"base64": ""}, "text, base64"),
        ({"step": "1"}, "/step"),
        ({"codes": None}, "/codes"),
        ({"instance": {}}, "/family"),
    ],
)
def test_a_case_that_is_none_is_named(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    file = tmp_path / "tw" / "malformed" / "case.json"
    file.parent.mkdir(parents=True)
    for fields, code in ((GOOD, 0), ({**GOOD, **change}, 2)):
        file.write_text(json.dumps(fields))
        assert run(["conform", "--command", OURS, "--corpus", str(tmp_path), "--json"]) == code
    assert said in one_line(capfd.readouterr().err)


def test_no_case_is_no_agreement() -> None:
    with pytest.raises(UsageError):
        examine(["true"], [], None, True)  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        corpus(CORPUS, [])


def test_no_shell_runs_the_command(conform: Conform, tmp_path: Path) -> None:
    conform(f"true ; touch {tmp_path / 'made'} && $(touch {tmp_path / 'made'})")
    assert list(tmp_path.iterdir()) == []


# --- what a grader is told, and our own as one


def cases() -> dict[str, Case]:
    return {case.name: case for case in corpus(CORPUS, ["TW"])}


def test_a_request_tells_the_question_and_not_the_answer() -> None:
    for name, case in cases().items():
        asked = json.loads(request(case))
        assert set(asked) in ({"id", "instance", "text"}, {"id", "instance", "text_base64"})
        assert asked["instance"]["family"] == "TW"
        verdict, stem = name.split("/")[1:]
        assert verdict not in asked["id"]
        assert stem not in asked["id"]
    sent = [case.name for case in corpus(CORPUS, ["TW"])]
    assert sent != sorted(sent)


def test_bytes_that_are_not_utf8_come_as_base64() -> None:
    case = next(case for case in cases().values() if case.due.codes == ("not-utf8",))
    asked = json.loads(request(case))
    assert base64.b64decode(asked["text_base64"]) == case.data


def test_our_grader_answers_line_by_line() -> None:
    with subprocess.Popen(OURS.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for case in list(cases().values())[:3]:
            process.stdin.write(request(case))
            process.stdin.flush()
            codes = list(case.due.codes or ())
            due = {"id": case.id, "verdict": case.due.verdict, "step": case.due.step, "codes": codes}
            assert json.loads(process.stdout.readline()) == due
        process.stdin.close()
        assert process.wait(30) == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"", "no request"),
        (b"{}\n", "/id"),
        (b'{"id":"a","instance":{"family":"XX"},"text":""}\n', "/instance/family"),
        (b'{"id":"a","instance":{},"text":"","text_base64":""}\n', "both"),
        (b'{"id":"a","instance":{},"text_base64":"!"}\n', "/text_base64"),
    ],
)
def test_our_grader_refuses_what_is_no_request(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, line: bytes, said: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line)))
    assert run(["conform", "--serve"]) == 2
    out, err = capfd.readouterr()
    assert (out, said in one_line(err)) == ("", True)


def test_our_grader_starts_lean() -> None:
    code = "import sys; from cwr_audits.cli import run; run(['conform', '--serve']); print(*sorted(sys.modules))"
    case = next(iter(cases().values()))
    done = subprocess.run(
        [sys.executable, "-c", code], input=request(case), capture_output=True, timeout=60, check=True
    )
    loaded = {name.partition(".")[0] for name in done.stdout.decode().splitlines()[1].split()}
    assert "cwr_solvers" in loaded
    assert (
        loaded & {"cwr_encodings", "cwr_certificates", "jsonschema", "networkx", "ortools", "pysat", "rich", "z3"}
        == set()
    )


def test_the_document_shows_what_comes_out() -> None:
    """To bring it up to date: python -m cwr_audits.sessions docs/conformance.md."""
    text = (checkout() / "docs" / "conformance.md").read_text(encoding="utf-8")
    assert text.count("\n$ ") >= 1
    assert played(text) == text


def test_the_document_names_every_verdict_and_key() -> None:
    text = (checkout() / "docs" / "conformance.md").read_text(encoding="utf-8")
    for word in ("accepted", "rejected", "illegal", "malformed", "undecided", "text_base64", "--no-codes"):
        assert word in text
