"""What an attack comes to: rows, each with one word. Yes, no and don't-know are different words.

part      what was attacked: answers, graders, vitality, or the encoding of one route
subject   the kind of edit and the route, the mutant, or the rule
word      one of GOOD, HOLE or OPEN
text      what shows it

GOOD  agrees            all routes accept and refuse the same neighbours
      killed            a mutant that was told from the original
      equal             a mutant that was not told, and that nothing can tell in what was exhausted
      by construction   a rule that its function says it need not post
      crashes           a mutant that gives no other words but no answer at all: it cannot go unseen
      alone             a rule that some submission breaks and no other with it
      move              a rule that no submission breaks alone, or none was found; a single move in some state does
      inert             a rule that no submission breaks alone, proved by exhaustion
HOLE  hole              something that passes and must not
OPEN  missing           a part of the project that is not there yet
      undecided         a limit came before the answer
      not found         a rule of which neither was shown
"""

from __future__ import annotations

from dataclasses import dataclass

from cwr_solvers.jsontext import Json

GOOD = ("agrees", "killed", "equal", "by construction", "crashes", "alone", "move", "inert")
HOLE = ("hole",)
OPEN = ("missing", "undecided", "not found")
WORDS = (*GOOD, *HOLE, *OPEN)


@dataclass(frozen=True, slots=True)
class Row:
    """One result. Raises ValueError for a word that is none."""

    part: str
    subject: str
    word: str
    text: str

    def __post_init__(self) -> None:
        if self.word not in WORDS:
            raise ValueError(f"{self.word!r} is no word of a row")


def row_json(row: Row) -> Json:
    """The JSON of a row."""
    return {"part": row.part, "subject": row.subject, "word": row.word, "text": row.text}
