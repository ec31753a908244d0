"""Motifs said twice: as a predicate on the graph of a solution, and as clauses that deny it. They must never differ.

Compared on every word of the showcases, of random instances of every family, and, because motifs are rare there, of
random neighbours of the showcases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from motif_neighbours import neighbour
from pysat.solvers import Minisat22

from cwr_audits.engines.interpreter import search
from cwr_audits.motifs import MOTIFS
from cwr_audits.spaces import read_word
from cwr_audits.subject import Subject, from_json, subject, subjects
from cwr_certificates.catalogue import STATEMENTS
from cwr_certificates.formulas import base, lacking
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, parse
from cwr_solvers.symmetry import classes
from cwr_solvers.world import no_exchanges

RANDOM = 40
NEIGHBOURS = 50
FEWER = {"BC": 6}  # each neighbour's search takes a second there
MOST_WORDS = 60
LEAST_EACH = 10  # how often each motif must be found, and missed


def _instances(family: str) -> Iterator[Subject]:
    """Showcases, random instances, neighbours of the showcase."""
    yield from (one for one in subjects(()) if one.world.family == family)
    yield from (from_json(WORLDS[family].generate(f"motifs/{number}")) for number in range(RANDOM))
    yield from (neighbour(family, number) for number in range(FEWER.get(family, NEIGHBOURS)))


@cache
def instances(family: str) -> tuple[tuple[Subject, tuple[bytes, ...]], ...]:
    """Instances and words of each: all, or a sample where there are many."""
    return tuple((one, words(one)) for one in _instances(family))


def words(one: Subject) -> tuple[bytes, ...]:
    found = sorted(search(one.world, one.instance, 1_000_000).answer.words)
    return tuple(found if len(found) <= MOST_WORDS else sorted(Random(0).sample(found, MOST_WORDS)))


def said_twice(one: Subject, motif: str, listed: tuple[bytes, ...]) -> Iterator[tuple[bytes, bool, bool]]:
    """Each word with the graph's verdict and the statement's: F, the word and no motif are not satisfiable."""
    formula = base(one.world.family, one.instance)
    holds = MOTIFS[one.world.family][motif]
    with Minisat22(bootstrap_with=lacking(formula, motif).clauses) as solver:
        for word in listed:
            value = parse(word, SUBMISSION_BYTES, SUBMISSION_DEPTH)
            lacks = solver.solve(assumptions=list(formula.statement.literals(formula.model, value)))
            assert lacks in (True, False)
            yield word, holds(one.world, one.instance, read_word(one.world, one.instance, word)), not lacks


@pytest.mark.parametrize("family", WORLDS)
def test_graph_and_clauses_say_the_same_of_every_word(family: str) -> None:
    seen: Counter[tuple[str, bool]] = Counter()
    mixed: Counter[str] = Counter()
    for one, listed in instances(family):
        for motif in MOTIFS[family]:
            verdicts = set()
            for word, graph, clauses in said_twice(one, motif, listed):
                assert graph == clauses, (one.source, motif, word.decode(), graph, clauses)
                seen[motif, graph] += 1
                verdicts.add(graph)
            mixed[motif] += len(verdicts) == 2
    for motif in MOTIFS[family]:
        assert seen[motif, True] >= LEAST_EACH, (motif, seen)
        assert seen[motif, False] >= LEAST_EACH, (motif, seen)
        assert mixed[motif] >= 1, (motif, mixed)


# Motifs that one word of a class may have and another lack, found here and explained in docs/disagreements.md: none.
VARYING: set[tuple[str, str]] = set()


WITH_CLASSES = [name for name, world in WORLDS.items() if world.commutes or world.exchanges is not no_exchanges]


@pytest.mark.parametrize("family", WITH_CLASSES)
def test_a_motif_is_constant_on_classes(family: str) -> None:
    larger = 0
    varying = set()
    for one, listed in instances(family):
        submissions = [read_word(one.world, one.instance, word) for word in listed]
        for kind in classes(one.world, one.instance, submissions):
            larger += len(kind.members) > 1
            for motif, holds in MOTIFS[family].items():
                if len({holds(one.world, one.instance, member) for member in kind.members}) != 1:
                    varying.add((family, motif))
    assert larger > 0
    assert varying == {(name, motif) for name, motif in VARYING if name == family}


def test_every_motif_is_said_twice() -> None:
    assert set(MOTIFS) == set(STATEMENTS) == set(WORLDS)
    assert {family: tuple(names) for family, names in MOTIFS.items()} == {
        family: statement.MOTIFS for family, statement in STATEMENTS.items()
    }


def test_no_motif_speaks_of_an_illegal_submission() -> None:
    one = subject("TW-001")
    illegal = one.world.read_submission(one.instance, {"actions": ["rivet"]})
    with pytest.raises(ValueError, match="illegal"):
        MOTIFS["TW"]["main"](one.world, one.instance, illegal)
