"""Commands about items of scenes: show them, grade answers to them. Loads no solver, and no drawing but to show what no
folder holds.

A line of answers is an envelope as in `cwr grade CODE --jsonl` (see cwr_audits.envelope) whose id names the item. One
that names no item (because it is no JSON object, too), or an item that was answered before, is told as such and
judged as nothing (verdict null).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, TypeVar

from cwr_audits import allowed
from cwr_audits.commands.judge import EXIT_OF, LINE_BYTES, error_json, lines
from cwr_audits.envelope import Envelope, cut, name_of, open_line
from cwr_audits.files import blaming, open_bytes, read_bytes
from cwr_audits.late import SCENES, TABLE, resolve, scene_judge, scene_maker
from cwr_audits.out import ACCEPTED, MALFORMED, counted, say, say_error, say_json
from cwr_audits.scenes.folder import PICTURES, manifest_of, record, records, scene_of
from cwr_audits.scenes.parts import Export, Judge, Ruling
from cwr_audits.staging import put_file
from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, parse
from cwr_solvers.reading import as_map, describe, refuse

Told = TypeVar("Told")
SHOWN = Export(width=None, png=False, certify=False)


def show(about: str, item: str | None, seed: str | None, index: int, svg: str | None, json_out: bool) -> int:
    """Show the items of a folder, one of them, or the one that a seed gives."""
    if about in SCENES and not Path(about).is_dir():
        if seed is None or item is not None:
            raise UsageError(f"{about} is a scene: name a --seed (and an --index), or a folder and an --item")
        allowed.seed_word("--seed", seed)
        made = scene_maker(about).make(seed, index, scene_maker(about).read_config({}), SHOWN)
        picture = next(data for name, data in made.files.items() if name.startswith(PICTURES))
        return _show_one(scene_judge(about), made.record, picture, svg, json_out)
    folder = Path(about)
    if seed is not None:
        raise UsageError(f"{about} is a folder, which has its seed already")
    judge = _judge_of(folder)
    if item is None:
        return _show_all(judge, folder, svg, json_out)
    found = record(folder, item)
    picture = read_bytes(str(folder / PICTURES / f"{item}.svg"), 1 << 24) if svg is not None else b""
    return _show_one(judge, found, picture, svg, json_out)


def _judge_of(folder: Path) -> Judge:
    with blaming(str(folder)):
        return scene_judge(scene_of(manifest_of(folder)))


def _show_one(judge: Judge, found: Json, picture: bytes, svg: str | None, json_out: bool) -> int:
    if svg is not None:
        put_file(svg, lambda file: file.write_bytes(picture))
    if json_out:
        say_json(found)
    else:
        for line in _said(judge.show, found):
            say(line)
    return ACCEPTED


def _said(tell: Callable[[Json], Told], found: Json) -> Told:
    """What is told of a record, which is not read strictly for that; raises UsageError where something is missing."""
    try:
        return tell(found)
    except (LookupError, TypeError, ValueError, RuntimeError) as error:
        raise UsageError(f"a record lacks what is to be shown of it: {error}") from None


def _show_all(judge: Judge, folder: Path, svg: str | None, json_out: bool) -> int:
    if svg is not None:
        raise UsageError("--svg asks for one picture: name an --item")
    rows = [_said(judge.summary, found) for _, found in records(folder)]
    if json_out:
        say_json([dict(row) for row in rows])
    elif rows:
        resolve(TABLE)(tuple(rows[0]), [tuple(row.values()) for row in rows])
    return ACCEPTED


def grade_one(about: str, file: str, item: str | None, demanded: bool, explain: bool, json_out: bool) -> int:
    """Grade the answer to one item."""
    if item is None:
        raise UsageError(f"{about} is a folder of items: name an --item, or grade a stream with --jsonl")
    folder = Path(about)
    judge = _judge_of(folder)
    with blaming(f"the record of {item}"):
        found = record(folder, item)
        truth = judge.read_truth(found)
    data = read_bytes(file, SUBMISSION_BYTES)
    ruling = judge.grade(truth, data, demanded)
    reasons = judge.explain(found, data, demanded) if explain else []
    if json_out:
        say_json({"id": item, **ruling.told, **({"explained": list[Json](reasons)} if explain else {})})
    else:
        say(f"{item}: {ruling.status}")
        for line in (*ruling.lines, *reasons):
            say(f"  {line}")
    for error in ruling.errors:
        say_error(str(error))
    return EXIT_OF[ruling.status]


def grade_lines(about: str, file: str, demanded: bool, explain: bool) -> int:
    """Grade a stream of answers; holds what is right of every item, and one line at a time."""
    if explain:
        raise UsageError("--explain explains one answer: name an --item instead of --jsonl")
    folder = Path(about)
    judge = _judge_of(folder)
    truths = {}
    for name, found in records(folder):
        with blaming(f"the record of {name}"):
            truths[name] = judge.read_truth(found)
    with open_bytes(file) as stream:
        codes, left = _grade_stream(judge, truths, stream, demanded)
    if not codes:
        raise UsageError("no line to grade")
    if left:
        say_error(f"{counted(len(left), 'item has', 'items have')} no answer, {min(left)} for one")
    return max(codes)


def _grade_stream(
    judge: Judge, truths: Mapping[str, Any], stream: BinaryIO, demanded: bool
) -> tuple[set[int], set[str]]:
    """The exit codes of the lines, and the items that no line answers."""
    codes, left = set(), set(truths)
    for number, line in enumerate(lines(stream), 1):
        opened = _opened(line)
        told, code = _graded(opened, truths, left, lambda name, data: judge.grade(truths[name], data, demanded))
        say_json({"line": number, "id": opened.name, **told})
        sys.stdout.flush()
        codes.add(code)
    return codes, left


def _opened(line: bytes) -> Envelope:
    if len(line) > LINE_BYTES:
        return Envelope(name_of(line), broken=MalformedInput("too-large", "", f"at most {LINE_BYTES} bytes", "more"))
    return open_line(line)


def _graded(
    opened: Envelope, truths: Mapping[str, Any], left: set[str], grade: Callable[[str, bytes], Ruling]
) -> tuple[dict[str, Json], int]:
    """What is told of one line, and its exit code; the item is taken out of those that are left."""
    try:
        if opened.broken is not None:
            raise opened.broken
        if opened.name is None and opened.flaw is None:
            _refuse_nameless(opened.data)
        name = _item(opened.name, truths, left)
    except MalformedInput as error:
        return {"verdict": None, "error": error_json(error)}, MALFORMED
    left.discard(name)
    # a flaw of the envelope's text is the model's: such a text is judged as one that is no JSON
    data = opened.data if opened.flaw is None else b""
    ruling = grade(name, data)
    return {**ruling.told, "error": None if opened.flaw is None else error_json(opened.flaw)}, EXIT_OF[ruling.status]


def _refuse_nameless(line: bytes) -> NoReturn:
    """Say why a line has no id: because it is no JSON, no object, or an object without one."""
    if not cut(line)[1]:
        as_map(parse(line, LINE_BYTES, SUBMISSION_DEPTH), "")
    refuse("missing-key", "/id", "the id of an item", "nothing")


def _item(name: Json, truths: Mapping[str, Any], left: set[str]) -> str:
    """The item that an id names, which no line before has answered; raises MalformedInput."""
    if not isinstance(name, str) or name not in truths:
        refuse("unknown-name", "/id", "the id of an item of the folder", describe(name))
    if name not in left:
        refuse("contradiction", "/id", "one answer to an item", f"{name} twice")
    return name
