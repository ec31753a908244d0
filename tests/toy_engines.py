"""Engines for tests of the workers: each does one thing that a route's worker may do."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from typing import Any

from cwr_solvers.errors import Disagreement, MalformedInput, Undecided

SEEN: list[int] = []


def echo(task: dict[str, Any]) -> Any:
    return task["instance"]


def remembers(task: dict[str, Any]) -> Any:
    SEEN.append(1)
    return len(SEEN)


def prints(task: dict[str, Any]) -> Any:
    sys.stdout.write("not a reply\n")
    sys.stdout.flush()
    os.write(1, b"nor this\n")
    return sys.stdin.read()


def sleeps(task: dict[str, Any]) -> Any:
    time.sleep(task["instance"])
    return "slept"


def hangs(task: dict[str, Any]) -> Any:
    time.sleep(600)


def grows(task: dict[str, Any]) -> Any:
    return len(bytearray(task["instance"] << 20))


def dies(task: dict[str, Any]) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def leaves(task: dict[str, Any]) -> Any:
    os._exit(0)


def raises(task: dict[str, Any]) -> Any:
    kinds: dict[str, Exception] = {
        "ZeroDivisionError": ZeroDivisionError("by zero"),
        "Undecided": Undecided("words", "more than 3 words"),
        "Disagreement": Disagreement("the least cost", {"one": "4", "other": "5"}),
        "MalformedInput": MalformedInput("float", "/a", "an integer", "1.0"),
        "SystemExit": SystemExit(0),
    }
    raise kinds[task["instance"]]


def big(task: dict[str, Any]) -> Any:
    return "x" * task["instance"]


def limit(task: dict[str, Any]) -> Any:
    return resource.getrlimit(resource.RLIMIT_AS)[0]
