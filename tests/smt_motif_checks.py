"""What the tests of the motifs in the SMT encodings have in common: one family, its encoding and a predicate on words.

predicate   (instance, word as JSON) → {motif: whether the rule book says that it holds}, written by each test anew
label       the motifs that hold of a word in the encoding: the words of one run in which every motif is a decision too
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from random import Random
from types import ModuleType
from typing import Any

import pytest
import z3

from cwr_encodings.smt_catalogue import SMT
from cwr_solvers.answers import Claim, Limits
from cwr_solvers.backends.smt import Encoding, Model, solve
from cwr_solvers.catalogue import WORLDS, showcases

Predicate = Callable[[Any, Any], Mapping[str, bool]]
LIMITS = Limits(120, 20_000)


def showcase(family: str) -> Any:
    """A copy of the JSON of the family's showcase, to be changed."""
    return copy.deepcopy(next(one.instance for one in showcases() if one.family == family))


def changed(family: str, **fields: Any) -> Any:
    """The showcase with other fields."""
    return {**showcase(family), **fields}


def words(family: str, instance: Any, **asked: Any) -> dict[bytes, int]:
    """The words of a claim with their costs."""
    read = WORLDS[family].read_instance(instance)
    return dict(solve(lambda model: SMT[family](model, read, Claim(**asked)), LIMITS).words)


def moves_of(word: bytes) -> list[Any]:
    """The moves of a word as JSON, sorted by their text."""
    submission = json.loads(word)
    if "starts" in submission:
        return [{"job": job, "start": start} for job, start in sorted(submission["starts"].items())]
    listed = next(
        submission[key]
        for key in ("actions", "steps", "gates", "connections", "placements", "cards")
        if key in submission
    )
    return sorted(listed, key=json.dumps)


def labels(family: str, smt: ModuleType, instance: Any) -> dict[str, dict[str, bool]]:
    """{word: {motif: whether it holds}}; where a motif had two values for one word, the backend would disagree."""
    read = WORLDS[family].read_instance(instance)

    def build(model: Model) -> Encoding:
        kept: list[Callable[[str], z3.BoolRef]] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(smt, "post_requests", lambda _model, _claim, motif, _occurs: kept.append(motif))
            encoding = SMT[family](model, read, Claim())
        flags = {name: z3.Bool(f"motif {name}", model.context) for name in smt.MOTIFS}
        for name, flag in flags.items():
            model.post("motif", flag == kept[0](name))

        def decode(value_of: Any) -> Any:
            return [encoding.decode(value_of), {name: value_of(flag) for name, flag in flags.items()}]

        return Encoding((*encoding.decisions, *flags.values()), encoding.cost, decode, encoding.logic)

    pairs = [json.loads(text) for text in solve(build, LIMITS).words]
    found = {json.dumps(word): {name: bool(value) for name, value in motifs.items()} for word, motifs in pairs}
    assert len(found) == len(pairs)
    return found


def expected(family: str, instance: Any, predicate: Predicate) -> dict[str, dict[str, bool]]:
    """{word: {motif: whether it holds by the predicate}} for the words without any request."""
    read = WORLDS[family].read_instance(instance)
    found = [json.loads(word) for word in words(family, instance)]
    return {json.dumps(word): dict(predicate(read, word)) for word in found}


def check_labels(family: str, smt: ModuleType, instance: Any, predicate: Predicate) -> None:
    """Every word has the motifs that the predicate says."""
    read = WORLDS[family].read_instance(instance)
    found = labels(family, smt, instance)
    assert found == {word: dict(predicate(read, json.loads(word))) for word in found}


def check_partition(family: str, instance: Any, predicate: Predicate) -> None:
    """The words that have a motif are those of which the predicate says so, those that lack it are all others."""
    read = WORLDS[family].read_instance(instance)
    every = words(family, instance)
    judged = {word: predicate(read, json.loads(word)) for word in every}
    for name in {name for motifs in judged.values() for name in motifs}:
        having = {word: cost for word, cost in every.items() if judged[word][name]}
        lacking = {word: cost for word, cost in every.items() if not judged[word][name]}
        assert words(family, instance, having=(name,)) == having
        assert words(family, instance, lacking=(name,)) == lacking


def check_lacking(family: str, instance: Any, predicate: Predicate) -> None:
    """The words that lack a motif are those of which the predicate says so."""
    read = WORLDS[family].read_instance(instance)
    every = words(family, instance)
    for name in {name for word in every for name in predicate(read, json.loads(word))}:
        lacking = {word: cost for word, cost in every.items() if not predicate(read, json.loads(word))[name]}
        assert words(family, instance, lacking=(name,)) == lacking


def check_moves(family: str, instance: Any, seed: str) -> None:
    """Requests of moves leave the words that a filter leaves."""
    stream = Random(seed)
    every = words(family, instance)
    known = sorted({json.dumps(move) for word in every for move in moves_of(word)})
    one, two = (json.loads(stream.choice(known)) for _ in range(2))
    having = {word: cost for word, cost in every.items() if one in moves_of(word)}
    assert words(family, instance, required=(one,)) == having
    assert words(family, instance, forbidden=(one,)) == {word: every[word] for word in every if word not in having}
    both = {word: cost for word, cost in having.items() if two not in moves_of(word)}
    assert words(family, instance, required=(one,), forbidden=(two,)) == both


def check_mutants(family: str, smt: ModuleType, name: str, instance: Any, predicate: Predicate) -> None:
    """A motif that is dropped, one that never holds and one that is negated give other words."""
    right = expected(family, instance, predicate)
    motif = smt.MOTIFS[name]
    mutants: dict[str, Callable[..., z3.BoolRef]] = {
        "dropped": lambda model, *_: z3.BoolVal(True, model.context),
        "never": lambda model, *_: z3.BoolVal(False, model.context),
        "negated": lambda model, *terms: z3.Not(motif(model, *terms)),
    }
    assert labels(family, smt, instance) == right
    for mutant in mutants.values():
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(smt.MOTIFS, name, mutant)
            assert labels(family, smt, instance) != right
