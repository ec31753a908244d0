"""Commands that judge what a solver handed in: grade, trace (the E answer), step (the P answer). Loads no solver.

A line of `grade --jsonl` is one submission, or an envelope around one (see cwr_audits.envelope), and a line
that is no JSON is a malformed one. A fault inside the submission is the solver's (verdict malformed); a fault of the
envelope, or a line too long to be read, is that of who wrote the file (verdict null: no submission was judged).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

from cwr_audits.envelope import name_of, open_line
from cwr_audits.files import STDIN, blaming, open_bytes, read_bytes, read_json
from cwr_audits.out import ACCEPTED, MALFORMED, REJECTED, say, say_error, say_json, say_pretty
from cwr_audits.subject import Subject, subject
from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.grading import Verdict, answer_e, answer_p, grade, read_text
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json
from cwr_solvers.world import Broken, Fault

# room for a text of the largest size with every byte escaped, and as much prose again
LINE_BYTES = 1 << 20
CHUNK = 1 << 16

EXIT_OF = {"accepted": ACCEPTED, "rejected": REJECTED, "illegal": REJECTED, "malformed": MALFORMED}


def _about(code: str) -> Subject:
    """What is judged; a file that holds no instance is named, so that nobody looks for the fault in the submission."""
    with blaming(code):
        return subject(code)


def grade_one(code: str, file: str, explain: bool, json_out: bool) -> int:
    """Grade one submission."""
    about = _about(code)
    verdict = grade(about.world, about.instance, read_bytes(file, SUBMISSION_BYTES))
    if json_out:
        say_json({"code": about.code, **verdict_json(verdict)})
    else:
        say(f"{about.code}: {headline(verdict)}")
        _explain(verdict.faults, about, explain)
    if verdict.error is not None:
        say_error(str(verdict.error))
    return EXIT_OF[verdict.status]


def headline(verdict: Verdict) -> str:
    """The verdict in a few words."""
    if verdict.status == "illegal":
        return f"illegal at step {verdict.step} ({', '.join(verdict.codes)})"
    reasons = f" ({', '.join(verdict.codes)})" if verdict.codes else ""
    return verdict.status + reasons + ("" if verdict.cost is None else f", cost {verdict.cost}")


def verdict_json(verdict: Verdict) -> dict[str, Json]:
    """The JSON of a verdict; `step`, `cost` and `error` are null where there are none."""
    return {
        "verdict": verdict.status,
        "step": verdict.step,
        "rules": [] if verdict.error else list(verdict.codes),
        "cost": verdict.cost,
        "faults": [fault_json(fault) for fault in verdict.faults],
        "error": None if verdict.error is None else error_json(verdict.error),
    }


def fault_json(fault: Fault) -> Json:
    """The JSON of a fault."""
    return {"rule": fault.rule, "found": fault.found, "needed": fault.needed}


def error_json(error: MalformedInput) -> Json:
    """The JSON of a malformation."""
    return {"code": error.code, "pointer": error.pointer, "expected": error.expected, "found": error.found}


def _explain(faults: tuple[Fault, ...], about: Subject, explain: bool) -> None:
    for fault in faults if explain else ():
        say(f"  {fault.rule} ({about.world.rules[fault.rule]})")
        say(f"    found:  {fault.found}")
        say(f"    needed: {fault.needed}")


def grade_lines(code: str, file: str) -> int:
    """Grade a stream of JSON lines; holds one line at a time."""
    about = _about(code)
    with open_bytes(file) as stream:
        codes = _grade_stream(about, stream)
    if not codes:
        raise UsageError("no line to grade")
    return max(codes)


def _grade_stream(about: Subject, stream: BinaryIO) -> set[int]:
    codes = set()
    for number, line in enumerate(lines(stream), 1):
        answer, code = grade_line(about, line)
        say_json({"line": number, **answer})
        sys.stdout.flush()
        codes.add(code)
    return codes


def lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream, without their ends. Of a longer line than LINE_BYTES one byte more is kept, to tell."""
    while line := stream.readline(LINE_BYTES + 1):
        ended = line.endswith(b"\n") or len(line) <= LINE_BYTES
        while not ended:
            rest = stream.readline(CHUNK)
            ended = rest.endswith(b"\n") or not rest
        yield line.removesuffix(b"\n")


def grade_line(about: Subject, line: bytes) -> tuple[dict[str, Json], int]:
    """The answer to one line, and the exit code that it asks for."""
    if len(line) > LINE_BYTES:  # it may be prose that is too long, so nothing is said of a submission
        error = MalformedInput("too-large", "", f"at most {LINE_BYTES} bytes a line", "more")
        return _unjudged(name_of(line), error)
    opened = open_line(line)
    if opened.broken is not None:
        return _unjudged(opened.name, opened.broken)
    if opened.flaw is not None:
        return _answered(opened.name, Verdict("malformed", None, (), None, opened.flaw))
    return _answered(opened.name, grade(about.world, about.instance, opened.data))


def _unjudged(name: Json, error: MalformedInput) -> tuple[dict[str, Json], int]:
    return {"id": name, "verdict": None, "error": error_json(error)}, MALFORMED


def _answered(name: Json, verdict: Verdict) -> tuple[dict[str, Json], int]:
    return {"id": name, **verdict_json(verdict)}, EXIT_OF[verdict.status]


def trace(code: str, file: str, json_out: bool) -> int:
    """Print the E answer."""
    about = _about(code)
    submission = read_text(about.world, about.instance, read_bytes(file, SUBMISSION_BYTES))
    answer = answer_e(about.world, about.instance, submission)
    _say_answer(answer, json_out)
    return ACCEPTED if isinstance(answer, dict) and answer["goal"] is True else REJECTED


def step(code: str, state: str, move: str, explain: bool, json_out: bool) -> int:
    """Print the P answer."""
    about = _about(code)
    if state == move == STDIN:
        raise UsageError("state and move cannot both come from standard input")
    world, instance = about.world, about.instance
    with blaming("--state"):
        before = world.read_state(instance, read_json(state, SUBMISSION_BYTES, SUBMISSION_DEPTH))
    with blaming("--move"):
        made = world.read_move(instance, read_json(move, SUBMISSION_BYTES, SUBMISSION_DEPTH))
    _say_answer(answer_p(world, instance, before, made), json_out)
    after: Any = world.step(instance, before, made)
    if not isinstance(after, Broken):
        return ACCEPTED
    _explain(after.faults, about, explain and not json_out)
    return REJECTED


def _say_answer(answer: Json, json_out: bool) -> None:
    if json_out:
        say_json(answer)
    else:
        say_pretty(answer)
