"""The LRAT kernel: right proofs pass, every kind of wrong step is named, limits are no answer, nothing raises."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from random import Random

import pytest
from unit.certificate_samples import pigeons, satisfiable

from cwr_certificates.kernel import Limits, verify
from cwr_certificates.lrat import solve

# x1, x1 -> x2, x2 -> x3, not x3
CHAIN = [(1,), (-1, 2), (-2, 3), (-3,)]
SQUARE = [(1, 2), (1, -2), (-1, 2), (-1, -2)]

RIGHT = {
    "one step": (CHAIN, b"5 0 1 2 3 4 0\n"),
    "a lemma": (CHAIN, b"5 -2 0 3 4 0\n6 0 1 2 5 0\n"),
    "a gap in the ids": (CHAIN, b"9 -2 0 3 4 0\n20 0 1 2 9 0\n"),
    "a deletion of what is done": (SQUARE, b"5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n"),
    "a deletion under an id of its own": (SQUARE, b"5 1 0 1 2 0\n6 d 1 2 0\n7 0 5 3 4 0\n"),
    "a lemma of both signs, which says nothing": (CHAIN, b"5 1 -1 0 1 0\n6 0 1 2 3 4 0\n"),
    "an empty clause among the given": ([(1,), ()], b"3 0 2 0\n"),
    "a hint whose literal is known already": (CHAIN, b"5 0 1 1 2 3 4 0\n"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_proofs_are_verified(name: str) -> None:
    clauses, proof = RIGHT[name]
    verdict = verify(clauses, proof)
    assert (verdict.outcome, verdict.steps) == ("verified", proof.count(b"\n")), verdict


WRONG = {
    "nothing at all": (CHAIN, b"", "not lines of numbers", 0),
    "no end of line": (CHAIN, b"5 0 1 2 3 4 0", "not lines of numbers", 0),
    "a letter": (CHAIN, b"5 0 1 2 3 4 x 0\n", "not lines of numbers", 0),
    "a digit that is not ASCII": (CHAIN, "5 0 1 2 ３ 4 0\n".encode(), "not lines of numbers", 0),
    "bytes": (CHAIN, b"\x00\xff\n", "not lines of numbers", 0),
    "an underscore": (CHAIN, b"5 0 1_0 2 3 4 0\n", "not lines of numbers", 0),
    "two minus signs": (CHAIN, b"5 --2 0 3 4 0\n6 0 1 2 5 0\n", "not the numbers of a step", 0),
    "a number too long to read": (CHAIN, b"5 " + b"1" * 5000 + b" 0 3 4 0\n", "not the numbers of a step", 0),
    "an empty line": (CHAIN, b"5 -2 0 3 4 0\n\n6 0 1 2 5 0\n", "not the numbers of a step", 1),
    "a deletion sign in the clause": (CHAIN, b"5 -2 d 0 3 4 0\n6 0 1 2 5 0\n", "not the numbers of a step", 0),
    "an id of a given clause": (CHAIN, b"4 0 1 2 3 4 0\n", "id 4 after id 4", 0),
    "an id twice": (CHAIN, b"5 -2 0 3 4 0\n5 0 1 2 5 0\n", "id 5 after id 5", 1),
    "an id below": (CHAIN, b"7 -2 0 3 4 0\n6 0 1 2 7 0\n", "id 6 after id 7", 1),
    "a deletion under an id below": (SQUARE, b"5 1 0 1 2 0\n4 d 1 2 0\n7 0 5 3 4 0\n", "id 4 after id 5", 1),
    "a negative id": (CHAIN, b"-5 0 1 2 3 4 0\n", "id -5 after id 4", 0),
    "a hint of no clause": (CHAIN, b"5 0 1 2 3 9 0\n", "the hint 9 is no live clause", 0),
    "a hint of itself": (CHAIN, b"5 0 5 0\n", "the hint 5 is no live clause", 0),
    "a hint further on": (CHAIN, b"5 -2 0 6 4 0\n6 0 1 2 5 0\n", "the hint 6 is no live clause", 0),
    "a hint of a deleted clause": (CHAIN, b"4 d 2 0\n5 0 1 2 3 4 0\n", "the hint 2 is no live clause", 1),
    "a negative hint": (CHAIN, b"5 -2 0 -3 4 0\n6 0 1 2 5 0\n", "the hint -3 is no live clause", 0),
    "a hint with two literals open": (CHAIN, b"5 0 2 1 3 4 0\n", "the clause of hint 2 is not down", 0),
    "a hint after the conflict": (CHAIN, b"5 0 1 2 3 4 1 0\n", "the clause of hint 4 is not down", 0),
    "a last hint that is not false": (CHAIN, b"5 0 1 2 3 0\n", "the clause of the last hint 3 is not false", 0),
    "no hints": (CHAIN, b"5 0 0\n", "no hints", 0),
    "no hints and no end": (CHAIN, b"5 0\n", "no hints", 0),
    "no 0 after the hints": (CHAIN, b"5 0 1 2 3 4\n", "no 0 after them", 0),
    "no 0 after the literals": (CHAIN, b"5 1 2 3 4\n", "not the numbers of a step", 0),
    "no 0 after a deletion": (CHAIN, b"4 d 0 1\n5 0 1 2 3 4 0\n", "a deletion without its 0", 0),
    "a deletion of nothing live": (CHAIN, b"4 d 9 0\n5 0 1 2 3 4 0\n", "deletes 9, which is not live", 0),
    "a deletion twice": (CHAIN, b"4 d 1 1 0\n5 0 1 2 3 4 0\n", "deletes 1, which is not live", 0),
    "no empty clause": (CHAIN, b"5 -2 0 3 4 0\n", "ends without the empty clause", 0),
    "a deletion at the end": (SQUARE, b"5 1 0 1 2 0\n6 d 1 0\n", "ends without the empty clause", 1),
    "a deletion of nothing at the end": (SQUARE, b"5 1 0 1 2 0\n6 d 0\n", "ends without the empty clause", 1),
    "more after the empty clause": (CHAIN, b"5 0 1 2 3 4 0\n6 -2 0 3 4 0\n", "goes on after the empty clause", 0),
    "a proof cut short": (SQUARE, b"5 1 0 1 2 0\n6 0 5 3\n", "no 0 after them", 1),
    "a proof of other clauses": ([(1,), (-1, 2), (-2, 3), (-4,)], b"5 0 1 2 3 4 0\n", "last hint 4 is not false", 0),
    "a proof of more clauses": (CHAIN[:3], b"5 0 1 2 3 4 0\n", "the hint 4 is no live clause", 0),
    "no clauses": ([], b"1 0 1 0\n", "the hint 1 is no live clause", 0),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_steps_are_rejected_and_named(name: str) -> None:
    clauses, proof, reason, good = WRONG[name]
    verdict = verify(clauses, proof)
    assert verdict.outcome == "rejected"
    assert reason in verdict.reason
    assert verdict.steps == good


LIMITS = {
    "bytes": (Limits(proof_bytes=13), "more than 13 bytes"),
    "lines": (Limits(steps=1), "line 2: more than 1 lines"),
    "words": (Limits(words=5), "line 1: more than 5 words"),
    "literals": (Limits(literals=0), "line 1: more than 0 literals at one time"),
}


@pytest.mark.parametrize("name", LIMITS)
def test_limits_are_neither_yes_nor_no(name: str) -> None:
    limits, reason = LIMITS[name]
    verdict = verify(CHAIN, b"5 -2 0 3 4 0\n6 0 1 2 5 0\n", limits)
    assert verdict.outcome == "undecided"
    assert reason in verdict.reason


def test_out_of_memory_is_neither_yes_nor_no() -> None:
    def endless() -> Iterator[tuple[int, ...]]:
        yield from CHAIN
        raise MemoryError

    assert verify(endless(), b"5 0 1 2 3 4 0\n").outcome == "undecided"


def test_literals_that_are_deleted_again_are_no_longer_held() -> None:
    proof = b"5 -2 0 3 4 0\n5 d 5 0\n6 -2 0 3 4 0\n7 0 1 2 6 0\n"
    assert verify(CHAIN, proof, Limits(literals=1)).outcome == "verified"


def test_lines_are_read_one_at_a_time() -> None:
    """A list of all lines would take some ten times the memory of the proof."""
    proof = b"4 d 0\n" * 100_000 + b"5 0 1 2 3 4 0\n"
    tracemalloc.start()
    verdict = verify(CHAIN, proof)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert verdict.outcome == "verified"
    assert peak < 2 * len(proof)


def test_a_wrong_step_before_a_limit_is_rejected() -> None:
    assert verify(CHAIN, b"4 0 1 2 3 4 0\n5 0 1 0\n", Limits(steps=1)).outcome == "rejected"


def test_no_spoilt_proof_of_a_satisfiable_formula_passes() -> None:
    """Proofs of pigeons, spoilt or not, against pigeons with a clause gone or a literal more: never verified."""
    clauses = pigeons(2)
    proof = solve(clauses, 60.0).proof or b""
    assert verify(clauses, proof).outcome == "verified"
    draws = Random(7)
    tried = 0
    for index, clause in enumerate(clauses):
        for other in (
            [*clauses[:index], *clauses[index + 1 :]],
            [*clauses[:index], (*clause, 7), *clauses[index + 1 :]],
        ):
            if satisfiable(other):
                for spoilt in (proof, *(_spoil(draws, proof) for _ in range(60))):
                    assert verify(other, spoilt).outcome == "rejected"
                    tried += 1
    assert tried > 500


def _spoil(draws: Random, proof: bytes) -> bytes:
    """The proof with one to three words changed, dropped or repeated."""
    words = proof.split(b" ")
    for _ in range(draws.randint(1, 3)):
        at = draws.randrange(len(words))
        words[at : at + 1] = draws.choice([[], [words[at]] * 2, [b"%d" % draws.randint(-8, 20)], [draws.choice(words)]])
    return b" ".join(words)


def test_no_text_of_the_alphabet_raises_or_passes_for_satisfiable_clauses() -> None:
    draws = Random(11)
    for _ in range(3000):
        words = [
            draws.choice(("0", "1", "2", "-1", "3", "4", "d", "\n", "--", "9" * 30))
            for _ in range(draws.randint(1, 30))
        ]
        verdict = verify([(1, 2), (-1, 2)], (" ".join(words) + "\n").encode())
        assert verdict.outcome == "rejected"
        assert verdict.reason
