"""Workers: every end of a question is an answer or a reason for none; never an empty answer, never a hang."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cwr_audits.late import COMMANDS, PROVER, ROUTES, resolve
from cwr_audits.wire import found, task
from cwr_audits.workers import Crew, crew
from cwr_solvers.answers import Limits
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided


def ask(engine: str, value: Any, seconds: float = 20, megabytes: int = 1024) -> Any:
    with crew({"toy": f"toy_engines:{engine}"}) as toys:
        return found(toys.ask("toy", task("XX", value, Limits(seconds, 10), megabytes)).result())


def test_an_answer_comes_back_whole() -> None:
    assert ask("echo", {"a": [1, "é\n", None]}) == {"a": [1, "é\n", None]}
    assert len(ask("big", 3_000_000)) == 3_000_000


def test_many_questions_are_answered_in_order_and_big_ones_do_not_block() -> None:
    with crew({"one": "toy_engines:echo", "other": "toy_engines:echo"}) as toys:
        asked = [(name, f"{i}" + "x" * 100_000) for i in range(20) for name in ("one", "other")]
        futures = [toys.ask(name, task("XX", text, Limits(20, 10), 1024)) for name, text in asked]
        assert [found(future.result()) for future in futures] == [text for _, text in asked]


def test_nothing_is_carried_from_one_question_to_the_next() -> None:
    with crew({"toy": "toy_engines:remembers"}) as toys:
        answers = [found(toys.ask("toy", task("XX", None, Limits(20, 10), 1024)).result()) for _ in range(3)]
    assert answers == [1, 1, 1]


def test_what_an_engine_prints_is_no_reply_and_it_cannot_read_the_tasks() -> None:
    assert ask("prints", None) == ""


def test_over_time_is_undecided_and_the_next_question_is_answered() -> None:
    with crew({"toy": "toy_engines:sleeps"}) as toys:
        before = time.monotonic()
        late = toys.ask("toy", task("XX", 60, Limits(0.2, 10), 1024))
        prompt = toys.ask("toy", task("XX", 0, Limits(20, 10), 1024))
        with pytest.raises(Undecided) as caught:
            found(late.result())
        assert caught.value.reason == "time"
        assert found(prompt.result()) == "slept"
        assert time.monotonic() - before < 15


def test_an_answer_after_its_time_is_none() -> None:
    with pytest.raises(Undecided) as caught:
        ask("echo", 1, seconds=0.000001)
    assert caught.value.reason == "time"


def test_over_memory_is_undecided() -> None:
    assert ask("grows", 100, megabytes=1024) == 100 << 20
    with pytest.raises(Undecided) as caught:
        ask("grows", 900, megabytes=512)
    assert caught.value.reason == "memory"


@pytest.mark.parametrize(
    ("engine", "value", "reason", "says"),
    [
        ("dies", None, "killed", "signal 9"),
        ("leaves", None, "crashed", "without an answer"),
        ("raises", "ZeroDivisionError", "crashed", "ZeroDivisionError: by zero"),
        ("raises", "SystemExit", "crashed", "code 1 and without"),
        ("raises", "Undecided", "words", "more than 3 words"),
    ],
)
def test_no_answer_is_undecided_with_its_reason(engine: str, value: Any, reason: str, says: str) -> None:
    with pytest.raises(Undecided) as caught:
        ask(engine, value)
    assert caught.value.reason == reason
    assert says in caught.value.detail


def test_errors_cross_over_as_themselves() -> None:
    with pytest.raises(Disagreement) as other:
        ask("raises", "Disagreement")
    assert other.value.sides == {"one": "4", "other": "5"}
    with pytest.raises(MalformedInput) as bad:
        ask("raises", "MalformedInput")
    assert (bad.value.code, bad.value.pointer) == ("float", "/a")


def test_an_engine_that_cannot_be_loaded_is_undecided_for_every_question() -> None:
    with crew({"toy": "toy_engines:no_such"}) as toys:
        for _ in range(2):
            with pytest.raises(Undecided) as caught:
                found(toys.ask("toy", task("XX", 1, Limits(20, 10), 1024)).result())
            assert caught.value.reason == "killed"
            assert "no_such" in caught.value.detail


def running(group: int) -> list[str]:
    """The processes of a process group, zombies aside."""
    alive = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] != "Z":
                alive.append(entry.name)
    return alive


def forked(group: int) -> None:
    """Wait until the worker of that group has a fork."""
    until = time.monotonic() + 20
    while len(running(group)) < 2:
        assert time.monotonic() < until
        time.sleep(0.02)


def ended(group: int, seconds: float = 20.0) -> bool:
    until = time.monotonic() + seconds
    while running(group) and time.monotonic() < until:
        time.sleep(0.02)
    return running(group) == []


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc to see processes")
def test_closing_a_crew_ends_workers_and_what_they_run() -> None:
    toys: Crew
    with crew({"toy": "toy_engines:sleeps"}) as toys:
        toys.ask("toy", task("XX", 60, Limits(60, 10), 1024))
        group = toys.workers["toy"].process.pid
        forked(group)
    assert ended(group)  # all are killed by now, but the kernel may still be taking the fork apart


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc to see processes")
def test_a_worker_whose_asker_is_gone_ends() -> None:
    with crew({"toy": "toy_engines:sleeps"}) as toys:
        worker = toys.workers["toy"]
        group = worker.process.pid
        toys.ask("toy", task("XX", 60, Limits(60, 10), 1024))
        forked(group)
        assert worker.process.stdin is not None
        worker.process.stdin.close()  # as the death of the asking process would
        assert ended(group)


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc to see processes")
def test_a_fork_does_not_survive_its_worker() -> None:
    with crew({"toy": "toy_engines:sleeps"}) as toys:
        group = toys.workers["toy"].process.pid
        asked = toys.ask("toy", task("XX", 60, Limits(60, 10), 1024))
        forked(group)
        os.kill(group, signal.SIGKILL)
        with pytest.raises(Undecided):
            found(asked.result(20))
        assert ended(group)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's word on a closed pipe")
@pytest.mark.parametrize("engine", ["toy_engines:sleeps", "toy_slow_start:echo"])
def test_no_worker_outlives_an_asker_that_is_killed(engine: str) -> None:
    """Neither one that is at work nor one that is still loading."""
    program = (
        "import sys, time; from cwr_audits.workers import crew; from cwr_audits.wire import task;"
        "from cwr_solvers.answers import Limits; held = crew({'toy': sys.argv[1]}); toys = held.__enter__();"
        "toys.ask('toy', task('XX', 60, Limits(60, 10), 1024));"
        "print(toys.workers['toy'].process.pid, flush=True); time.sleep(60)"
    )
    paths = os.pathsep.join(path for path in sys.path if path)
    with subprocess.Popen(
        [sys.executable, "-c", program, engine], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": paths}
    ) as asker:
        assert asker.stdout is not None
        group = int(asker.stdout.readline())
        if engine == "toy_engines:sleeps":
            forked(group)
        assert running(group) != []
        asker.kill()
    assert ended(group)


def test_a_limit_that_is_set_from_outside_stays() -> None:
    """Raising it is refused to most; root, who could, must not do it either."""
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30));"
        "from cwr_audits.workers import crew; from cwr_audits.wire import task;"
        "from cwr_solvers.answers import Limits\n"
        "with crew({'toy': 'toy_engines:limit'}) as toys:\n"
        "    told = [toys.ask('toy', task('XX', 0, Limits(20, 10), most)).result() for most in (4096, 2048)]\n"
        "print([one.get('found') for one in told])"
    )
    paths = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, capture_output=True, check=True, env={**os.environ, "PYTHONPATH": paths}, timeout=60)
    assert ran.stdout.decode() == f"{[3 << 30, 2 << 30]}\n"


def test_every_name_that_is_resolved_late_is_there() -> None:
    for name in (*COMMANDS.values(), *ROUTES.values(), PROVER):
        assert callable(resolve(name)), name
