"""Readers with a way for what has no fault say the same as item by item: on the corpus, on near misses, on any JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from json_mutants import broken

from cwr_audits.conform import corpus
from cwr_audits.files import checkout
from cwr_solvers.catalogue import WORLDS, showcase
from cwr_solvers.errors import MalformedInput
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, parse
from cwr_solvers.reading import as_items, as_object
from cwr_solvers.worlds.bc import instance as bc
from cwr_solvers.worlds.tp import instance as tp

Read = Callable[[Any, Json], Any]


def gates(instance: Any, value: Json) -> Any:
    """The gates of a circuit, whatever its outputs are."""
    return bc._read_gates(instance, value["gates"] if isinstance(value, dict) and "gates" in value else value)


def slow_gates(instance: Any, value: Json) -> Any:
    items = value["gates"] if isinstance(value, dict) and "gates" in value else value
    return as_items(items, "/gates", partial(bc.read_gate, instance))


def slow_steps(instance: Any, value: Json) -> Any:
    items = as_object(value, "", ("steps",))["steps"]
    return as_items(items, "/steps", partial(tp.read_step, instance))


READERS: dict[str, tuple[Read, Read]] = {"TP": (tp.read_steps, slow_steps), "BC": (gates, slow_gates)}
each_family = pytest.mark.parametrize("family", READERS)


def said(read: Read, instance: Any, value: Json) -> Any:
    try:
        return read(instance, value)
    except MalformedInput as error:
        return error.code, error.pointer, error.expected, error.found


def cases(family: str) -> Iterator[tuple[Any, Json]]:
    """What can be parsed of the corpus, and near misses of the witness."""
    for case in corpus(checkout() / "tests" / "corpus", (family,)):
        try:
            value = parse(case.data, SUBMISSION_BYTES, SUBMISSION_DEPTH)
        except MalformedInput:
            continue
        yield WORLDS[family].read_instance(case.instance), value
    one = showcase(f"{family}-001")
    yield from ((WORLDS[family].read_instance(one.instance), value) for value in broken(one.witness))


@each_family
def test_both_ways_agree_on_corpus_and_near_misses(family: str) -> None:
    fast, slow = READERS[family]
    answers = [(said(fast, *case), said(slow, *case)) for case in cases(family)]
    assert [one for one in answers if one[0] != one[1]] == []
    assert len({repr(one) for one, _ in answers}) > 50


@each_family
def test_a_careless_fast_way_is_told(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = {"TP": tp, "BC": bc}[family]
    careful = module._faultless  # type: ignore[attr-defined]

    def careless(instance: Any, value: Any) -> Any:
        """Does not see a key too many."""
        if isinstance(value, dict):
            value = {key: item for key, item in value.items() if key != "no such key"}
        return careful(instance, value)

    monkeypatch.setattr(module, "_faultless", careless)
    fast, slow = READERS[family]
    assert any(said(fast, *case) != said(slow, *case) for case in cases(family))


NAMES = {
    "TP": ["input", "v0", "v1", "v9", "decode", "tag", "pack", "none", ""],
    "BC": ["a", "b", "g0", "g1", "g9", "AND", "XOR", "none", ""],
}
KEYS = {"TP": ["op", "args", "out", "in"], "BC": ["id", "op", "inputs", "output"]}
LISTS = {"TP": "steps", "BC": "gates"}


def submissions(family: str) -> some.SearchStrategy[Any]:
    """Something like a submission: every place has mostly, but not always, the right type."""
    scalar = some.one_of(some.sampled_from(NAMES[family]), some.none(), some.booleans(), some.integers(-2, 2))
    item = some.one_of(scalar, some.lists(scalar, max_size=3), some.just([[]]), some.just({}))
    move = some.one_of(
        some.fixed_dictionaries(dict.fromkeys(KEYS[family][:3], item)),
        some.dictionaries(some.sampled_from(KEYS[family]), item, max_size=4),
        scalar,
    )
    return some.fixed_dictionaries({LISTS[family]: some.one_of(some.lists(move, max_size=3), scalar)})


@each_family
def test_both_ways_agree_on_anything(family: str) -> None:
    fast, slow = READERS[family]
    instance = WORLDS[family].read_instance(showcase(f"{family}-001").instance)

    @given(submissions(family))
    def agree(value: Any) -> None:
        assert said(fast, instance, value) == said(slow, instance, value)

    agree()
