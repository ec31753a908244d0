"""What travels between the audits and a route's worker: one JSON object a line, nothing pickled.

task    {"family", "instance", "seconds", "words", "megabytes", …}: the question and its limits. With "space": "any" a
        route that counts may answer though it lists no more words than the limit; with "space": "large" the optimum
        alone is asked, because there are too many words to list
reply   exactly one of
          {"found": …}                         the answer, in the form of the function that was asked
          {"undecided": [reason, detail]}      a limit, a crash or a kill; never an empty answer
          {"disagreement": [subject, sides]}   the engine contradicted itself
          {"malformed": [code, pointer, expected, found]}
A finding lists its words as pairs, not as an object, so that a word said twice is seen. Raw counts travel as
hexadecimal text ("0x5"): they may have more digits than Python turns into a decimal number.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from cwr_solvers.answers import Answer, Claim, Limits
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided
from cwr_solvers.jsontext import SUBMISSION_BYTES, Json

ANY, LARGE = "any", "large"

Task: TypeAlias = dict[str, Any]
Reply: TypeAlias = dict[str, Any]
Engine: TypeAlias = Callable[[Task], Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one route found on one instance.

    raw               {cost: accepted raw submissions of that cost}; None where the route knows words only
    reachable_states  None where the route does not visit states
    listed            false where the words are too many: the answer then has the optimum and no words
    """

    answer: Answer
    raw: Mapping[int, int] | None = None
    reachable_states: int | None = None
    listed: bool = True


def task(family: str, instance: Json, limits: Limits, megabytes: int, **more: Json) -> Task:
    """The question about one instance: wall seconds, most words to list, most memory of the worker."""
    asked = {"family": family, "instance": instance, "seconds": limits.seconds, "words": limits.words}
    return {**asked, "megabytes": megabytes, **more}


def limits_of(task: Task) -> Limits:
    """The limits that a task states."""
    return Limits(seconds=task["seconds"], words=task["words"])


def only_optimum(task: Task) -> bool:
    """Whether a task asks for the optimum alone."""
    return task.get("space") == LARGE


def claim_of(task: Task) -> Claim:
    """The claim that a task states; its motifs and moves are lists of JSON."""
    asked = task["claim"]
    lists = {name: tuple(asked[name]) for name in ("having", "lacking", "required", "forbidden")}
    return Claim(most_cost=asked["most_cost"], **lists)


def write_finding(finding: Finding) -> Reply:
    """The JSON of a finding."""
    raw = None if finding.raw is None else [[cost, hex(number)] for cost, number in finding.raw.items()]
    words = [[word.decode("utf-8"), cost] for word, cost in finding.answer.words.items()]
    return {
        "optimum": finding.answer.optimum,
        "words": words,
        "raw": raw,
        "reachable_states": finding.reachable_states,
        "listed": finding.listed,
    }


def read_finding(route: str, found: Reply) -> Finding:
    """The finding that a route replied; raises Disagreement when it says one word twice.

    Raises Undecided when a word is longer than a submission may be, so that no grader would read it.
    """
    words: dict[bytes, int] = {}
    for text, cost in found["words"]:
        word = text.encode("utf-8")
        if word in words:
            raise Disagreement("words", {route: f"the word {text} twice", "every route": "each word once"})
        if len(word) > SUBMISSION_BYTES:
            raise Undecided("size", f"a word of {len(word)} bytes, where a submission has at most {SUBMISSION_BYTES}")
        words[word] = cost
    raw = None if found["raw"] is None else {cost: int(number, 16) for cost, number in found["raw"]}
    return Finding(Answer(found["optimum"], words), raw, found["reachable_states"], found["listed"])


def run(engine: Engine, asked: Task) -> Reply:
    """The reply of an engine to a task; what is no CwrError is left to end the worker."""
    try:
        return {"found": engine(asked)}
    except Undecided as error:
        return {"undecided": [error.reason, error.detail]}
    except MemoryError:
        return {"undecided": ["memory", f"more than {asked['megabytes']} MB"]}
    except Disagreement as error:
        return {"disagreement": [error.subject, error.sides]}
    except MalformedInput as error:
        return {"malformed": [error.code, error.pointer, error.expected, error.found]}


def found(reply: Reply) -> Any:
    """What a reply found; raises what the worker raised."""
    if "undecided" in reply:
        raise Undecided(*reply["undecided"])
    if "disagreement" in reply:
        raise Disagreement(*reply["disagreement"])
    if "malformed" in reply:
        raise MalformedInput(*reply["malformed"])
    return reply["found"]


def pack(value: Any) -> bytes:
    """One line."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"


def unpack(line: bytes) -> Any:
    """The value of one line; raises ValueError when it is none."""
    return json.loads(line)
