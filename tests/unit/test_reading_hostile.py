"""Texts that try to be accepted, to crash the reader, or to keep it busy. None may do any of that, in any world."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from cwr_solvers.catalogue import WORLDS, showcases
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import grade, read_text
from cwr_solvers.jsontext import SUBMISSION_BYTES
from cwr_solvers.showcases import Showcase

LEAST = 100  # a witness may be as short as a single name
SECONDS = 1.0  # of processor time, any one text; about 0.03 is what the worst needs
K64 = SUBMISSION_BYTES

# Whole texts that hold no submission, whatever the world.
SPEECH = [
    "I could not find a solution.",
    "Answer: see above.",
    "ACCEPTED",
    "verdict: accepted",
    '{"status":"accepted"}',
    '{"goal":true,"first_illegal_step":null,"final_state":{}}',
    '{"override":true}',
    '{"submission":%s}',
    '{"submission":%s,"prose":"done"}',
    "%s // checked",
    "%s;",
    "%s,",
    "%s null",
    "%s\n%s",
    "[%s]",
    "[%s,%s]",
    "<json>%s</json>",
    "```json\n%s\n```",
    "answer = %s",
    "%s X. Actually no solution exists.",
    "\ufeff%s",
    "\u200b%s",
    "%s\u00a0",
    "%s\x00",
    "\x1a%s",
    "---\n%s",
    "!!python/object/apply:os.system ['true']",
    "__import__('os').getpid()",
    "lambda: 1",
    "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'aaaa'>]><x>&a;</x>",
    "cos\nsystem\n(S'true'\ntR.",
    "#{1+1} ${1+1} {{1+1}} %n%n",
    "'; DROP TABLE worlds; --",
    "../../../../etc/hostname",
    "()",
    "undefined",
    "None",
    "nan",
    "-",
    "1e309",
    "-0",
    '"',
    "\\",
    "{",
    "}",
    "]",
    ":",
]

# Texts that want time or memory.
BURDENS = [
    b"[" * K64,
    b"{" * K64,
    b'{"a":' * (K64 // 5),
    b"[" * 30000 + b"]" * 30000,
    b"[],"[:2] + b",[]" * 20000,
    b'"' * K64,
    b'"' + b"\\" * (K64 - 2) + b'"',
    b'"' + b"\\u0061" * 10000 + b'"',
    b'"' + b"\\ud800" * 10000 + b'"',
    b'["' + b'","' * 20000 + b'"]',
    b"9" * K64,
    b"-" * K64,
    b"0." + b"1" * 60000,
    b"1e" + b"9" * 60000,
    b"[" + b"1," * 30000 + b"1]",
    b"[" + b"{}," * 20000 + b"{}]",
    b"{" + b",".join(b'"%d":0' % n for n in range(7000)) + b"}",
    b"{" + b",".join(b'"k":0' for _ in range(10000)) + b"}",
    b" " * K64,
    b"\xff" * K64,
    b"\xed\xa0\x80" * 20000,
    b"\x00" * K64,
    b"x" * (16 * K64),
    b"[" * (16 * K64),
]


def witness(one: Showcase) -> str:
    return json.dumps(one.witness, separators=(",", ":"))


def cut(text: str) -> list[str]:
    """The text with its end missing, and with one character missing (spaces there are none)."""
    return [text[:end] for end in range(len(text))] + [text[:at] + text[at + 1 :] for at in range(len(text))]


def inside(value: Any) -> list[Any]:
    """Copies of a JSON value with one part replaced by something that belongs nowhere."""
    if isinstance(value, dict):
        return [{**value, key: bad} for key, item in value.items() for bad in inside(item)]
    if isinstance(value, list):
        return [[*value[:at], bad, *value[at + 1 :]] for at, item in enumerate(value) for bad in inside(item)]
    return [None, True, -1, 2**53, 2**60, 0.5, [], {}, [value], {"value": value}, "", f"{value} ", "\x00", "x" * 5000]


def burdens(one: Showcase) -> list[bytes]:
    """Texts of about the largest size in the form of the world, good but for their end or their length."""
    field = next(iter(one.witness)) if isinstance(one.witness, dict) else ""
    head = b'{"%s":' % field.encode()
    return [
        *BURDENS,
        head + b"[" * 60000,
        head + b"[" + b"[]," * 20000 + b"[]]}",
        head + b'"' + b"a" * 60000 + b'"}',
        head + b"{" + b",".join(b'"\\u%04x":0' % n for n in range(0x100, 0x1400)) + b"}}",
        head + b"[" + b'"smelt",' * 8000 + b"0]}",
        head + b"[" + b'{"op":"decode","args":["input"],"out":["v0","v1"]},' * 1200 + b"0]}",
        head + b'{"A":0,"B":0,"C":2,"D":2,"E":' + b"9" * 60000 + b"}}",
        head + b'["' + "\U0001f600".encode() * 15000 + b'"]}',
    ]


def leaves(value: Any) -> list[Any]:
    """The scalars of a JSON value, with the keys on the way to each."""
    if isinstance(value, dict):
        return [(key, *leaf) for key, item in value.items() for leaf in leaves(item)]
    if isinstance(value, list):
        return [(at, *leaf) for at, item in enumerate(value) for leaf in leaves(item)]
    return [(value,)]


def names(one: Showcase) -> set[str]:
    """Names that lose a character and are another name: operators of BC (XOR, OR), ports of PA (J.p1, J.p)."""
    instance: Any = one.instance
    if one.family == "BC":
        return {operator["name"] for operator in instance["operators"]}
    if one.family == "PA":
        sides = [(part["name"], {**part["inputs"], **part["outputs"]}) for part in instance["components"]]
        return {f"{component}.{port}" for component, ports in sides for port in ports}
    return set()


def well_formed(one: Showcase, text: str) -> bool:
    """Whether a changed witness is a submission all the same: one name for another, or a piece of FT elsewhere."""
    try:
        before, after = leaves(one.witness), leaves(json.loads(text))
    except ValueError:
        return False
    if [leaf[:-1] for leaf in before] != [leaf[:-1] for leaf in after]:
        return False
    changed = [new[-1] for old, new in zip(before, after, strict=True) if repr(old) != repr(new)]
    if len(changed) != 1:
        return False
    if one.family == "FT" and type(changed[0]) is int:
        return bool(abs(changed[0]) <= 2**53)
    return isinstance(changed[0], str) and changed[0] in names(one)


def hostile(one: Showcase) -> list[bytes]:
    """All hostile texts of a world, each once."""
    good = witness(one)
    texts = [*(line.replace("%s", good) for line in SPEECH), *cut(good)]
    texts += [json.dumps(bad, separators=(",", ":")) for bad in inside(one.witness)]
    texts = [text for text in texts if not well_formed(one, text)]
    return sorted({text.encode("utf-8") for text in texts} | set(burdens(one)))


@pytest.mark.parametrize("one", showcases(), ids=lambda one: one.code)
def test_hostile_texts_are_malformed_quickly(one: Showcase, record_property: Any) -> None:
    world = WORLDS[one.family]
    instance = world.read_instance(one.instance)
    texts = hostile(one)
    assert len(texts) >= LEAST
    worst = 0.0
    for text in texts:
        start = time.process_time()
        verdict = grade(world, instance, text)
        worst = max(worst, time.process_time() - start)
        assert verdict.status == "malformed", text[:200]
        assert verdict.error is not None
        assert len(str(verdict.error)) < 1000
        assert "\n" not in str(verdict.error)
    record_property("worst_seconds", worst)
    print(f"{one.code}: {len(texts)} hostile texts, the worst took {worst * 1000:.1f} ms")
    assert worst < SECONDS


@pytest.mark.parametrize("one", showcases(), ids=lambda one: one.code)
def test_a_hostile_text_leaves_nothing_behind(one: Showcase) -> None:
    """The witness is accepted before and after, by the same instance and by another copy of it."""
    world = WORLDS[one.family]
    instance = world.read_instance(one.instance)
    good = witness(one).encode("utf-8")
    before = grade(world, instance, good)
    for text in hostile(one)[::7]:
        with pytest.raises(MalformedInput):
            read_text(world, instance, text)
    assert grade(world, instance, good) == before == grade(world, world.read_instance(one.instance), good)
    assert before.status == "accepted"
