"""What is allowed wherever somebody names a time limit or a seed: on the command line, in Python, in a document.

time limit   a number of seconds above 0, of at most LONGEST
seed         1 to MOST_SEED printable characters, not all of them blanks: everything follows from a seed, so it must
             survive being written down. The same holds of other texts that stand in for one (a beacon, an anchor).
"""

from __future__ import annotations

from cwr_solvers.errors import MalformedInput, UsageError
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import as_text, describe, refuse

LONGEST = 86_400.0  # seconds
MOST_SEED = 1000  # characters


def time_limit(seconds: float, longest: float = LONGEST) -> float:
    """The time limit; raises UsageError where it is none (NaN is none, nor is a text or a boolean)."""
    if type(seconds) not in (int, float) or not 0 < seconds <= longest:
        raise UsageError(f"the time limit is more than 0 and at most {longest} seconds, not {seconds!r:.40}")
    return seconds


def as_seed(value: Json, at: str) -> str:
    """A seed; raises MalformedInput."""
    seed = as_text(value, at)
    if not 0 < len(seed) <= MOST_SEED or not seed.isprintable() or not seed.strip():
        refuse("domain", at, f"a text of 1 to {MOST_SEED} printable characters, not all blanks", describe(seed))
    return seed


def seed_word(option: str, text: str) -> str:
    """A seed as a word of the command line; raises UsageError, which names the option."""
    try:
        return as_seed(text, "")
    except MalformedInput as error:
        raise UsageError(f"{option} is {error.expected}, not {error.found}") from None
