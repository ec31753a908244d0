"""What can be asked of a solution space, and in what words it is answered.

alternative  an accepted word, or, where classes are asked for, a class shown by one of its words
matching     how many alternatives there are, of which a limit may show fewer
complete     whether `matching` is all there is; where not, what else there is remains unknown
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from cwr_audits.distance import Spelled, spelled
from cwr_audits.rows import MOTIF_NAMES
from cwr_audits.subject import Subject
from cwr_solvers.errors import Disagreement, MalformedInput, UsageError
from cwr_solvers.grading import grade, read_text
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, canonical, parse
from cwr_solvers.world import Submission

Order = Literal["least", "nearest", "farthest"]
LIMIT = 20
# families whose moves name what earlier moves made, so that one move alone has no normal form
NAMING = frozenset({"TP"})


@dataclass(frozen=True, slots=True)
class Request:
    """One question.

    where       conditions in SQL over the table of classes, all to be met
    having      motifs that hold                        lacking    motifs that do not
    required    moves, canonical JSON, all in the word  forbidden  moves of which none is
    cost        exactly this cost
    order       by cost; or by distance from `origin` (the witness where that is None)
    diverse     so many, each as far from those before it as can be
    classes     alternatives are classes, not words
    limit       show at most so many; None: all
    """

    where: tuple[str, ...] = ()
    having: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    required: tuple[bytes, ...] = ()
    forbidden: tuple[bytes, ...] = ()
    cost: int | None = None
    order: Order = "least"
    origin: Spelled | None = None
    diverse: int | None = None
    classes: bool = False
    limit: int | None = LIMIT


@dataclass(frozen=True, slots=True)
class Alternative:
    """One alternative, graded.

    number     its class, as in the table of classes; None where the space was not listed
    word       the word shown
    raw        raw submissions that it stands for: of the word, or of all matching words of the class
    words      how many words it stands for: 1, or the words of the class that match
    distance   from the origin of the request; of a class, that of its nearest matching word; None without origin
    apart      with `diverse`: the least distance from those before it; None for the first
    motifs     {motif: whether it has it}; None where nobody worked it out
    """

    number: int | None
    word: bytes
    cost: int
    raw: int
    words: int
    distance: int | None
    apart: int | None
    motifs: Mapping[str, bool] | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found. `basis` says by which means; `notes` say what a reader must know of it, one line each; `unkept`
    why its space was not kept for the next question (empty: it was, or there is none)."""

    alternatives: tuple[Alternative, ...]
    matching: int
    complete: bool
    basis: Literal["space", "solver"]
    notes: tuple[str, ...] = ()
    unkept: str = ""

    @property
    def cut(self) -> bool:
        """Whether there are alternatives that are not shown, or may be."""
        return not self.complete or self.matching > len(self.alternatives)


def motif(about: Subject, name: str) -> str:
    """The name of a motif of the family; raises UsageError."""
    known = MOTIF_NAMES[about.world.family]
    if name not in known:
        raise UsageError(f"{about.world.family} has no motif {name!r}; it has {', '.join(known)}")
    return name


def move(about: Subject, text: str) -> bytes:
    """A move as it stands in words: from its JSON, or from its plain name where a move is a name.

    Raises MalformedInput where it is no move of the instance.
    """
    data = text.encode("utf-8", "surrogateescape")
    try:
        value = parse(data, SUBMISSION_BYTES, SUBMISSION_DEPTH)
        made = about.world.read_move(about.instance, value)
    except MalformedInput:
        if text.lstrip()[:1] in ("{", "[", '"'):
            raise
        made = about.world.read_move(about.instance, text)
    if about.world.family not in NAMING:
        (made,) = about.world.normal(about.instance, Submission((made,))).moves
    return canonical(about.world.write_move(about.instance, made))


def origin(about: Subject, data: bytes) -> Spelled:
    """The submission to measure from, which need not be accepted; raises MalformedInput."""
    return spelled(about.world, about.instance, read_text(about.world, about.instance, data))


def witness(about: Subject) -> Spelled | None:
    """The witness as an origin; None where there is none."""
    if about.witness is None:
        return None
    return spelled(about.world, about.instance, about.world.read_submission(about.instance, about.witness))


def measured(about: Subject, request: Request) -> Spelled | None:
    """What distances are from; raises UsageError where an order needs an origin and there is none."""
    found = request.origin or witness(about)
    if found is None and request.order != "least":
        raise UsageError(f"{about.code} has no witness to measure from: name a submission")
    return found


def moves(about: Subject, word: bytes) -> frozenset[bytes]:
    """The moves of a word."""
    submission: Any = read_text(about.world, about.instance, word)
    return frozenset(canonical(about.world.write_move(about.instance, one)) for one in submission.moves)


def accepted(about: Subject, word: bytes, cost: int, source: str) -> None:
    """Grade a word that `source` gave; raises Disagreement where it is not accepted at that cost."""
    verdict = grade(about.world, about.instance, word)
    if verdict.status != "accepted" or verdict.cost != cost:
        told = f"{verdict.status}, cost {verdict.cost}"
        sides = {source: f"accepted, cost {cost}", "the interpreter": told}
        raise Disagreement(f"the word {word.decode('utf-8', 'replace')}", sides)
