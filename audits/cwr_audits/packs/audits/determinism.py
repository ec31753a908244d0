"""Audit determinism: made again from the checkout, byte for byte, under other hash seeds and by other workers.

Items and sources are made again in one process, certificates in another, with hash seeds of their own and without the
workers that `cwr pack` has. What is compared is the SHA-256 of every file of the built pack.

differs      a file has other bytes when it is made again
missing      a file of the pack is not made again
added        a file is made that the pack has not
not-rebuilt  (undecided) a process ended without an answer
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from hashlib import sha256

from cwr_audits.packs.audits.record import Found, Why, concluded
from cwr_audits.packs.model import Pack, files
from cwr_audits.packs.verdicts import Audit
from cwr_solvers.jsontext import Json, canonical, parse
from cwr_solvers.reading import as_map

HASH_SEEDS: Mapping[str, str] = {"items": "1", "certificates": "4294967295"}
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
BYTES, DEPTH = 1 << 22, 3
MOST_TOLD = 200  # characters of what a process said last


def determinism(pack: Pack) -> Audit:
    """The audit of a pack."""
    return concluded("determinism", pack, _pack)


def _pack(pack: Pack) -> Found:
    if not pack.worlds:
        return Found(0, ())
    said: dict[str, Json] = {"seed": pack.seed, "worlds": list(pack.worlds)}
    made, reasons = dict[str, str](), list[Why]()
    for part, (data, told) in _answers(canonical(said)).items():
        if data:
            made |= {name: str(digest) for name, digest in as_map(parse(data, BYTES, DEPTH), "").items()}
        else:
            reasons.append(Why("not-rebuilt", part, f"no answer: {told}", "undecided"))
    held = {name: sha256(data).hexdigest() for name, data in files(pack).items()}
    if not reasons:
        reasons += _compared(held, made)
    evidence: dict[str, Json] = {"hash seeds": dict(HASH_SEEDS), "workers": "none, each part in one process"}
    return Found(len(held), tuple(reasons), evidence)


def _answers(asked: bytes) -> dict[str, tuple[bytes, str]]:
    """What each process answers (nothing where it failed) and what it said last; both run at once."""
    with ExitStack() as stack:
        started = {part: stack.enter_context(_start(part, seed, asked)) for part, seed in HASH_SEEDS.items()}
        for process in started.values():
            stack.callback(process.kill)
        return {part: _answer(process) for part, process in started.items()}


def _start(part: str, seed: str, asked: bytes) -> subprocess.Popen[bytes]:
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "cwr_audits.packs.audits.rebuild", part, asked.decode("utf-8")],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **ONE_THREAD, "PYTHONHASHSEED": seed, "PYTHONPATH": paths},
    )


def _answer(process: subprocess.Popen[bytes]) -> tuple[bytes, str]:
    data, told = process.communicate()
    last = told.decode("utf-8", "replace").strip().rpartition("\n")[2][:MOST_TOLD]
    return (data if process.returncode == 0 else b""), last


def _compared(held: Mapping[str, str], made: Mapping[str, str]) -> Iterator[Why]:
    for name in sorted({*held, *made}):
        if name not in made:
            yield Why("missing", name, "it is not made again")
        elif name not in held:
            yield Why("added", name, "it is made, and the pack has it not")
        elif held[name] != made[name]:
            yield Why("differs", name, "other bytes when it is made again")
