"""Conformance: does another grader say of every case of the corpus what the corpus says? (See docs/conformance.md.)

case        one file of tests/corpus: an instance, the bytes of a submission, and what a grader must say of them
request     a line to the grader: {"id", "instance", and "text" or, where the bytes are not UTF-8, "text_base64"}
answer      a line from the grader: {"id", "verdict", "step", "codes"}
fault       what breaks the protocol: a line that is no answer, an answer to no case, a second one, an unclean ending
outcome     of a case, one of three that never merge:
  agree       answered once, and as the corpus says
  differ      answered once, and otherwise
  undecided   not answered (too late, crashed), answered twice, or answered with the verdict undecided

All requests are written without waiting for answers, by one loop that reads at the same time: neither side can block
the other, and answers may come in any order, also all at the end.
"""

from __future__ import annotations

import base64
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO

from cwr_solvers.catalogue import WORLDS, showcase
from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.jsontext import INSTANCE_BYTES, Json, canonical, parse, pointer
from cwr_solvers.reading import as_int, as_items, as_map, as_name, as_object, as_text, describe, distinct, refuse

FOLDERS = ("accepted", "rejected", "illegal", "malformed")
VERDICTS = (*FOLDERS, "undecided")
CASE_DEPTH = 64
REQUEST_BYTES = 2 * INSTANCE_BYTES
ANSWER_BYTES = 64 * 1024
ANSWER_DEPTH = 8
MOST_STEP = 1 << 53
MOST_FAULTS = 20
CHUNK = 1 << 16
TAIL = 4096


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of a case; `codes` are sorted, and None where they were not asked for."""

    verdict: str
    step: int | None
    codes: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Case:
    """One case. `id` tells nothing of what is due; `data` are the bytes that are graded."""

    name: str
    id: str
    family: str
    instance: Json
    data: bytes
    due: Answer


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case: agree, differ or undecided; `said` is the one answer, `why` the reason where undecided."""

    case: Case
    word: str
    said: Answer | None
    why: str


@dataclass(frozen=True, slots=True)
class Conformance:
    """The outcome of every case, and what broke the protocol."""

    outcomes: tuple[Outcome, ...]
    faults: tuple[str, ...]

    def of(self, word: str) -> tuple[Outcome, ...]:
        """The cases with this outcome."""
        return tuple(one for one in self.outcomes if one.word == word)


@dataclass(frozen=True, slots=True)
class Patience:
    """Wall seconds for the whole run, and for the wait until the next answer."""

    whole: float
    answer: float


def corpus(folder: Path, families: Sequence[str]) -> tuple[Case, ...]:
    """The cases of these families, sorted by id; a file stands at <family>/<verdict>/<name>.json.

    Raises UsageError where there is none, or a file is none of its format.
    """
    paths = [path for family in sorted(set(families)) for path in sorted(folder.glob(f"{family.lower()}/*/*.json"))]
    if not paths:
        raise UsageError(f"no case of {', '.join(families) or 'no family'} in {folder}")
    cases = []
    for path in paths:
        try:
            cases.append(_case(path))
        except MalformedInput as error:
            raise UsageError(f"{path}: {error}") from None
    distinct((case.id for case in cases), "", "case id")
    return tuple(sorted(cases, key=lambda case: case.id))


def _case(path: Path) -> Case:
    verdict = as_name(path.parent.name, "", FOLDERS, "verdict")
    family = as_name(path.parent.parent.name.upper(), "", WORLDS, "family")
    fields = as_map(parse(path.read_bytes(), INSTANCE_BYTES, CASE_DEPTH), "")
    name = f"{path.parent.parent.name}/{verdict}/{path.stem}"
    instance = fields["instance"] if "instance" in fields else _published(fields)
    WORLDS[family].read_instance(instance)  # a case of no instance of its family could not be failed by any grader
    due = Answer(verdict, _step(fields), _codes(fields))
    return Case(name, sha256(name.encode("utf-8")).hexdigest()[:16], family, instance, _data(fields), due)


def _published(fields: Mapping[str, Json]) -> Json:
    return showcase(as_text(fields.get("code"), "/code")).instance


def _data(fields: Mapping[str, Json]) -> bytes:
    """The bytes that are graded; raises MalformedInput where they are not said in exactly one way."""
    given = [key for key in ("submission", "text", "base64") if key in fields]
    if len(given) != 1:
        refuse("contradiction", "", "one of submission, text and base64", ", ".join(given) or "none")
    if given == ["submission"]:
        return canonical(fields["submission"])
    text = as_text(fields[given[0]], pointer("", given[0]))
    return _bytes(text, "/base64") if given == ["base64"] else text.encode("utf-8")


def _bytes(text: str, at: str) -> bytes:
    """The bytes of a base64 text; raises MalformedInput."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        refuse("domain", at, "base64", describe(text))


def _step(fields: Mapping[str, Json]) -> int | None:
    if "step" not in fields:
        refuse("missing-key", "/step", "the key step", "nothing")
    return None if fields["step"] is None else as_int(fields["step"], "/step", 1, MOST_STEP)


def _codes(fields: Mapping[str, Json]) -> tuple[str, ...]:
    if "codes" not in fields:
        refuse("missing-key", "/codes", "the key codes", "nothing")
    return tuple(sorted(as_items(fields["codes"], "/codes", as_text)))


def request(case: Case) -> bytes:
    """The line that asks for a case."""
    asked: dict[str, Json] = {"id": case.id, "instance": case.instance}
    try:
        asked["text"] = case.data.decode("utf-8")
    except UnicodeDecodeError:
        asked["text_base64"] = base64.b64encode(case.data).decode("ascii")
    return canonical(asked) + b"\n"


def read_request(line: bytes) -> tuple[str, Json, bytes]:
    """The id, the instance and the bytes of a request; raises MalformedInput."""
    fields = as_object(parse(line, REQUEST_BYTES, CASE_DEPTH), "", ("id", "instance"), ("text", "text_base64"))
    if ("text" in fields) == ("text_base64" in fields):
        refuse("contradiction", "", "either text or text_base64", "both" if "text" in fields else "neither")
    name = as_text(fields["id"], "/id")
    if "text" in fields:
        return name, fields["instance"], as_text(fields["text"], "/text").encode("utf-8")
    return name, fields["instance"], _bytes(as_text(fields["text_base64"], "/text_base64"), "/text_base64")


def write_answer(name: str, answer: Answer) -> Json:
    """The JSON of an answer."""
    return {"id": name, **answer_json(answer)}


def answer_json(answer: Answer) -> dict[str, Json]:
    """The JSON of what is said of a case, without its id."""
    fields: dict[str, Json] = {"verdict": answer.verdict, "step": answer.step}
    return fields if answer.codes is None else {**fields, "codes": list(answer.codes)}


def read_answer(line: bytes, codes: bool) -> tuple[str, Answer]:
    """The id and the answer of a line; raises MalformedInput. Without `codes` they may be left out and are not read."""
    required = ("id", "verdict", "step", "codes") if codes else ("id", "verdict", "step")
    fields = as_object(parse(line, ANSWER_BYTES, ANSWER_DEPTH), "", required, ("codes",))
    verdict = as_name(fields["verdict"], "/verdict", VERDICTS, "verdict")
    return as_text(fields["id"], "/id"), Answer(verdict, _step(fields), _codes(fields) if codes else None)


@dataclass(slots=True)
class _Desk:
    """Takes the lines of a grader: answers by id, ids answered twice, and faults."""

    due: frozenset[str]
    codes: bool
    answers: dict[str, Answer] = field(default_factory=dict)
    twice: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    lines: int = 0

    def take(self, line: bytes) -> bool:
        """Take a line; true when it is the first answer to a case."""
        self.lines += 1
        try:
            name, answer = read_answer(line, self.codes)
        except MalformedInput as error:
            return self._fault(str(error))
        if name not in self.due:
            return self._fault(f"an answer to no case: {describe(name)}")
        if name in self.answers:
            self.twice.add(name)
            return self._fault(f"a second answer to {name}")
        self.answers[name] = answer
        return True

    def _fault(self, what: str) -> bool:
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(f"line {self.lines} of the grader: {what}")
        return False


def examine(command: Sequence[str], cases: Sequence[Case], patience: Patience, codes: bool) -> Conformance:
    """Ask a grader about the cases. Raises UsageError when it cannot be started, or there is no case."""
    if not cases:
        raise UsageError("no case to examine")
    desk = _Desk(frozenset(case.id for case in cases), codes)
    ending = _converse(command, b"".join(map(request, cases)), desk, patience)
    why = ending or "it ended without an answer"
    outcomes = tuple(sorted((_judge(case, desk, why) for case in cases), key=lambda one: one.case.name))
    return Conformance(outcomes, (*desk.faults, *([f"the grader: {ending}"] if ending else ())))


def _judge(case: Case, desk: _Desk, why: str) -> Outcome:
    said = desk.answers.get(case.id)
    if case.id in desk.twice:
        return Outcome(case, "undecided", None, "it was answered twice")
    if said is None:
        return Outcome(case, "undecided", None, why)
    if said.verdict == "undecided":
        return Outcome(case, "undecided", said, "the grader says so")
    due = case.due if desk.codes else Answer(case.due.verdict, case.due.step, None)
    return Outcome(case, "agree" if said == due else "differ", said, "")


@contextmanager
def _started(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """The grader in a process group of its own, which is ended at the end, whatever happens."""
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot run {command[0]}: {error}") from None
    try:
        yield process
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in _streams(process):
            stream.close()


def _streams(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise UsageError("the grader has no pipes")
    return process.stdin, process.stdout, process.stderr


def _converse(command: Sequence[str], requests: bytes, desk: _Desk, patience: Patience) -> str:
    """Write the requests and hand every line that comes back to the desk; how the grader ended, "" for cleanly."""
    until = time.monotonic() + patience.whole
    with _started(command) as process:
        said: list[bytes] = []
        stopped = _exchange(process, requests, desk, patience, until, said)
        if stopped:
            return stopped + _last_words(said)
        try:
            code = process.wait(max(min(patience.answer, until - time.monotonic()), 0))
        except subprocess.TimeoutExpired:
            return "it closed its output and did not end"
        return _ending(code, _last_words(said))


def _exchange(
    process: subprocess.Popen[bytes],
    requests: bytes,
    desk: _Desk,
    patience: Patience,
    until: float,
    said: list[bytes],
) -> str:
    """Serve the three pipes until the grader closes its output; the reason when it must be stopped before, else ""."""
    sending, answering, telling = _streams(process)
    left = memoryview(requests)
    lines = _Lines(desk.take)
    with selectors.DefaultSelector() as ready:
        os.set_blocking(sending.fileno(), False)
        ready.register(sending, selectors.EVENT_WRITE)
        ready.register(answering, selectors.EVENT_READ)
        ready.register(telling, selectors.EVENT_READ)
        late = time.monotonic() + patience.answer
        while answering in ready.get_map():
            now = time.monotonic()
            if now >= min(late, until) or len(desk.faults) >= MOST_FAULTS:
                return _stopped(desk, patience, now >= until)
            for key, _ in ready.select(min(late, until) - now):
                if key.fileobj is sending:
                    left = _send(ready, sending, left)
                elif key.fileobj is telling:
                    said[:] = [b"".join([*said, _receive(ready, telling)])[-TAIL:]]
                elif lines.take(_receive(ready, answering)):
                    late = time.monotonic() + patience.answer
    return ""


def _send(ready: selectors.BaseSelector, stream: IO[bytes], left: memoryview) -> memoryview:
    """Write what the pipe takes; close it at the end, and when nobody reads it any more."""
    try:
        left = left[os.write(stream.fileno(), left[:CHUNK]) :]
    except BrokenPipeError:
        left = left[:0]
    if not left:
        ready.unregister(stream)
        stream.close()
    return left


def _receive(ready: selectors.BaseSelector, stream: IO[bytes]) -> bytes:
    """What has come; nothing, and no more from here, at the end."""
    data = os.read(stream.fileno(), CHUNK)
    if not data:
        ready.unregister(stream)
    return data


@dataclass(slots=True)
class _Lines:
    """Cuts what comes into lines. Of a line that is too long only as much is kept as tells that it is."""

    hand_on: Callable[[bytes], bool]
    rest: bytes = b""

    def take(self, data: bytes) -> bool:
        """Hand on the lines that this completes (no data: the end); true when one of them was a first answer."""
        *complete, self.rest = (self.rest + data).split(b"\n") if data else [*([self.rest] if self.rest else []), b""]
        self.rest = self.rest[: ANSWER_BYTES + 1]
        answered = [self.hand_on(line) for line in complete]
        return any(answered)


def _stopped(desk: _Desk, patience: Patience, out_of_time: bool) -> str:
    if len(desk.faults) >= MOST_FAULTS:
        return f"it was stopped after {MOST_FAULTS} faults"
    if out_of_time:
        return f"it was stopped after {patience.whole:g} s"
    if len(desk.answers) == len(desk.due):
        return f"it did not end within {patience.answer:g} s after the last answer"
    return f"it was stopped after {patience.answer:g} s without an answer"


def _ending(code: int, last_words: str) -> str:
    if not code:
        return ""
    return (f"it was ended by signal {-code}" if code < 0 else f"it ended with code {code}") + last_words


def _last_words(said: Sequence[bytes]) -> str:
    """The last line on its standard error, for a message."""
    lines = b"".join(said).decode("utf-8", "replace").split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return f" ({last})" if last else ""
