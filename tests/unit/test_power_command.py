"""cwr power: the same bytes whoever runs it and however often it was interrupted; what is refused; what it fixes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from score_samples import lines, write_pack, write_run

from cwr_audits.cli import run as command
from cwr_audits.scoring import experiments
from cwr_audits.scoring.designs import read_asked
from cwr_audits.scoring.experiments import JOURNAL, Point, asking, journal_of, results

SMALL = ["--simulations", "110", "--most-bases", "16", "--replica-ladder", "1,2"]
FILES = ["power.svg", "preregistration.json"]


def quiet(_text: str) -> None:
    """Progress that nobody sees."""


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an uninterrupted run in one process writes."""
    folder = tmp_path_factory.mktemp("power") / "out"
    assert command(["power", *SMALL, "--out", str(folder)]) == 0
    assert sorted(files(folder)) == FILES
    return folder


def test_workers_change_nothing(plain: Path, tmp_path: Path) -> None:
    """They are processes of their own, with hash seeds of their own."""
    assert command(["power", *SMALL, "--workers", "2", "--out", str(tmp_path / "out")]) == 0
    assert files(tmp_path / "out") == files(plain)


def test_an_interrupted_run_goes_on(plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, done, whole = tmp_path / "out", list[int](), experiments.answer

    def stops(most: int) -> Callable[..., Any]:
        def answer(task: Any) -> Any:
            if len(done) == most:
                raise KeyboardInterrupt
            done.append(task["first"])
            return whole(task)

        return answer

    with monkeypatch.context() as patched:
        patched.setattr(experiments, "answer", stops(5))
        assert command(["power", *SMALL, "--out", str(out)]) == 130
        assert list(files(out)) == [JOURNAL]
        with open(out / JOURNAL, "ab") as journal:
            journal.write(b'{"key":"')  # as if it had been killed while writing
        patched.setattr(experiments, "answer", stops(1000))
        assert command(["power", *SMALL, "--out", str(out)]) == 0
    assert len(done) == 5 * 3  # five points of three chunks, none of them twice
    assert files(out) == files(plain)


def test_a_journal_of_another_design_or_code_is_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (read_asked({"schema": "cwr-power/1", "simulations": 2, "seed": seed}) for seed in "12")
    point, computed = Point(8, 4, False), list[int]()
    monkeypatch.setattr(experiments, "answer", lambda task, kept=experiments.answer: computed.append(1) or kept(task))
    with asking(1) as ask:
        for asked, code, count in ((one, "a", 1), (one, "a", 1), (other, "a", 2), (one, "b", 3), (one, "a", 3)):
            monkeypatch.setattr(experiments, "code_digest", lambda code=code: code)
            with journal_of(tmp_path) as journal:
                results(asked, point, ask, journal, quiet)
            assert len(computed) == count


def test_what_it_says(plain: Path, capfd: pytest.CaptureFixture[str]) -> None:
    document = json.loads((plain / "preregistration.json").read_bytes())
    found = document["results"]
    assert document["design"]["simulations"] == 110
    assert document["analysis"] == {"alpha": "0.05", "families": "fixed", "missing": "drop", "test": "sign-flip"}
    assert found["smallest_p"] == "1/128"
    for name in ("power", "coverage", "width", "bias"):
        assert set(found["effect"][name]) == {"value", "error"}
    assert found["null"]["sign"] is None
    assert [one["number"] for one in found["replica_plateau"]["tried"]] == [1, 2]
    assert command(["power", *SMALL, "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == document
    assert command(["power", *SMALL]) == 0
    assert "smallest p that the design can attain: 1/128" in capfd.readouterr().out


def test_a_score_is_held_to_it(plain: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    digest = write_pack(tmp_path / "pack")
    run, plan = write_run(tmp_path / "run", lines(digest)), str(plain / "preregistration.json")
    call = ["score", run, "--pack", str(tmp_path / "pack"), "--preregistration", plan]
    assert command(call) == 0
    assert "preregistered in" in capfd.readouterr().out
    assert command([*call, "--test", "t"]) == 2


def test_a_preregistration_is_never_written_over(plain: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = files(plain)
    assert command(["power", *SMALL, "--seed", "other", "--out", str(plain)]) == 2
    assert "never written over" in capfd.readouterr().err
    assert files(plain) == before


def test_words_and_documents_say_the_same(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    document: dict[str, Any] = {"schema": "cwr-power/1", "simulations": 3, "most_bases": 8, "replica_ladder": [1, 2]}
    document |= {"undecided": {"F": "0.1", "C": "0.2"}, "effect_spread": {"base": "0.3", "family": "0.3"}, "test": "t"}
    path = tmp_path / "config.json"
    path.write_text(json.dumps(document), "utf-8")
    words = ["--simulations", "3", "--most-bases", "8", "--replica-ladder", "1,2", "--test", "t"]
    assert command(["power", str(path), "--json"]) == 0
    one = capfd.readouterr().out
    assert command(["power", *words, "--undecided", "0.1,0.2", "--effect-spread", "0.3", "--json"]) == 0
    assert capfd.readouterr().out == one
    assert command(["power", str(path), "--test", "sign-flip", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["design"]["test"] == "sign-flip"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"effect": 0}, "at /effect"),
        ({"effect": "1e3"}, "at /effect"),
        ({"effect": "2"}, "at /effect"),
        ({"scale": "log"}, "at /scale"),
        ({"scale": "logit", "baseline": "0"}, "at /baseline"),
        ({"baseline_spread": {"base": "0"}}, "at /baseline_spread"),
        ({"effect_spread": {"base": "-1", "family": "0"}}, "at /effect_spread/base"),
        ({"replica_correlation": "0.5"}, "at /trial_correlation"),
        ({"trial_correlation": "1.1"}, "at /trial_correlation"),
        ({"undecided": {"F": "0", "C": "2"}}, "at /undecided/C"),
        ({"bases": 7}, "at /bases"),
        ({"bases": True}, "at /bases"),
        ({"families": 0}, "at /families"),
        ({"replicas": 1024, "most_bases": 4096}, "rows in an experiment"),
        ({"simulations": 1}, "at /simulations"),
        ({"alpha": "0"}, "at /alpha"),
        ({"test": "z"}, "at /test"),
        ({"families_are": "some"}, "at /families_are"),
        ({"missing": "guess"}, "at /missing"),
        ({"target": "1"}, "at /target"),
        ({"replica_ladder": [2, 1]}, "at /replica_ladder"),
        ({"replica_ladder": [4]}, "at /replica_ladder"),
        ({"seed": 1}, "at /seed"),
        ({"bootstrap": "yes"}, "at /bootstrap"),
        ({"schema": "cwr-power/2"}, "at /schema"),
    ],
)
def test_a_document_is_refused(
    fields: dict[str, Any], said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"schema": "cwr-power/1", **fields}), "utf-8")
    assert command(["power", str(path), "--out", str(tmp_path / "out")]) == 2
    told = capfd.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert said in told.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "words", [("--undecided", "1,2,3"), ("--undecided", "x"), ("--bases", "-1"), ("--replica-ladder", "1,a")]
)
def test_words_are_refused(words: tuple[str, str], capfd: pytest.CaptureFixture[str]) -> None:
    assert command(["power", *words]) == 2
    assert f"at /{words[0][2:].replace('-', '_')}" in capfd.readouterr().err
