"""Is this text an LRAT refutation of these clauses? The one place where an "unsatisfiable" is believed.

A literal is a variable (a positive integer) or its negation (minus that). The clauses have the ids 1, 2, 3, … in their
order. A proof is ASCII text, one step a line, each line ended by a newline:
  ID LITERAL … 0 HINT … 0    adds a clause. ID exceeds every earlier id; the hints are ids of live clauses. Suppose
                             every literal of the added clause false: in the clause of each hint but the last exactly
                             one literal is not known false, so it must be true; in that of the last all are false.
  ID d ID … 0                deletes live clauses. The leading ID is no less than any earlier one and says nothing else.
The last line, and no other, adds the empty clause. Each added clause holds wherever the clauses before it hold (reverse
unit propagation), so a proof that ends in the empty clause shows that they hold nowhere. Negative hints (RAT) are
refused. Format and method: Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp: Efficient Certified RAT Verification
(CADE 2017).

Standard library only. `verify` never raises. What it cannot afford is undecided, which is neither yes nor no.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Literal, NamedTuple

_ALPHABET = b"0123456789- d\n"


class Limits(NamedTuple):
    """What a proof may cost: bytes, lines, words on one line, literals of the clauses that are live at one time."""

    proof_bytes: int = 256 * 2**20
    steps: int = 5_000_000
    words: int = 200_000
    literals: int = 10_000_000


DEFAULT = Limits()


class Verdict(NamedTuple):
    """`outcome` is the answer, `reason` says why in one line, `steps` counts the lines examined and found right."""

    outcome: Literal["verified", "rejected", "undecided"]
    reason: str
    steps: int


class _Wrong(Exception):
    """The step is not right; the argument says why."""


class _TooMuch(Exception):
    """A limit was met; the argument says which."""


def verify(clauses: Iterable[Sequence[int]], proof: bytes, limits: Limits = DEFAULT) -> Verdict:
    """Whether `proof` refutes `clauses` (sequences of nonzero integers)."""
    if len(proof) > limits.proof_bytes:
        return Verdict("undecided", f"more than {limits.proof_bytes} bytes of proof", 0)
    if not proof.endswith(b"\n") or proof.translate(None, _ALPHABET):
        return Verdict("rejected", "not lines of numbers", 0)
    done, last = 0, proof.count(b"\n")
    try:
        live = {number: frozenset(clause) for number, clause in enumerate(clauses, 1)}
        latest, held = len(live), 0
        for line in BytesIO(proof):
            if done >= limits.steps:
                raise _TooMuch(f"more than {limits.steps} lines")
            latest, more = _step(live, latest, line, done + 1 == last, limits)
            held += more
            if held > limits.literals:
                raise _TooMuch(f"more than {limits.literals} literals at one time")
            done += 1
    except _Wrong as wrong:
        return Verdict("rejected", f"line {done + 1}: {wrong}", done)
    except _TooMuch as limit:
        return Verdict("undecided", f"line {done + 1}: {limit}", done)
    except MemoryError:
        return Verdict("undecided", f"line {done + 1}: out of memory", done)
    return Verdict("verified", f"{done} lines, each right", done)


def _step(live: dict[int, frozenset[int]], latest: int, line: bytes, final: bool, limits: Limits) -> tuple[int, int]:
    """Check one line, add or delete its clauses, and return its id and how many literals more are held (or less)."""
    words = line.split()
    if len(words) > limits.words:
        raise _TooMuch(f"more than {limits.words} words")
    deletes = words[1:2] == [b"d"]
    if deletes:
        del words[1]
    try:
        numbers = list(map(int, words))
        end = numbers.index(0)
    except ValueError:
        raise _Wrong("not the numbers of a step") from None
    new = numbers[0]
    if new < latest or (new == latest and not deletes):
        raise _Wrong(f"id {new} after id {latest}")
    if final and (deletes or end > 1):
        raise _Wrong("the proof ends without the empty clause")
    if deletes:
        return new, -_delete(live, numbers[1:])
    literals, hints = numbers[1:end], numbers[end + 1 :]
    if not literals and not final:
        raise _Wrong("the proof goes on after the empty clause")
    _imply(live, literals, hints)
    live[new] = clause = frozenset(literals)
    return new, len(clause)


def _delete(live: dict[int, frozenset[int]], ids: list[int]) -> int:
    freed = 0
    if ids.pop() != 0:
        raise _Wrong("a deletion without its 0 at the end")
    for number in ids:
        clause = live.pop(number, None)
        if clause is None:
            raise _Wrong(f"deletes {number}, which is not live")
        freed += len(clause)
    return freed


def _imply(live: dict[int, frozenset[int]], literals: list[int], hints: list[int]) -> None:
    """Refuse unless the hints, ended by 0, lead from "all `literals` are false" to a clause with no literal left."""
    if len(hints) < 2 or hints.pop() != 0:
        raise _Wrong("no hints, or no 0 after them")
    last = hints.pop()
    false = set(literals)
    try:
        for hint in hints:
            (unit,) = live[hint] - false
            false.add(-unit)
        if live[last] <= false:
            return
    except KeyError as missing:
        raise _Wrong(f"the hint {missing} is no live clause") from None
    except ValueError:
        raise _Wrong(f"the clause of hint {hint} is not down to one literal") from None
    raise _Wrong(f"the clause of the last hint {last} is not false")
