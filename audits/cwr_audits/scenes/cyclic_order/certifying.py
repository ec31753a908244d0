"""Certificates of a puzzle: exactly one of the four options repairs, and just these swaps of the loop would.

  visible   the instance as it is seen: four cards, a budget of one. Its certificate says that the option which repairs
            meets the goal, that the other three are legal and miss it, that nothing costs less, that nothing else is
            accepted, and that the answer is unique
  open      its sibling with a card for every pair of positions, labelled "i-j". Its certificate lists and counts the
            swaps that repair

Both are certificates as docs/certificates.md has them, made in this process and then read by the trusted checker: what
a `Certified` says is taken from claims that the checker has verified, of these very instances. It is meant for
thousands of puzzles; nothing is asked of the other routes here, which the audit of the scene compares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any

from cwr_audits.scenes.cyclic_order.contract import LABELS
from cwr_audits.staging import put_folder
from cwr_certificates.catalogue import STATEMENTS
from cwr_certificates.check import MOST_BYTES, MOST_DEPTH, check
from cwr_certificates.desk import Rejected
from cwr_certificates.prover import enumerate_words, issue
from cwr_certificates.seal import DOCUMENT
from cwr_solvers.answers import Answer, Limits
from cwr_solvers.errors import Disagreement, Undecided, UsageError
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, canonical, parse
from cwr_solvers.reading import as_map
from cwr_solvers.worlds.co.instance import FAMILY, Instance, read_instance, write_instance

VISIBLE, OPEN = "visible", "open"
# What each must claim at least: a certificate may be true and say less than is wanted.
CLAIMED: Mapping[str, tuple[str, ...]] = {
    VISIBLE: ("legal", "optimum", "complete", "unique"),
    OPEN: ("legal", "optimum", "complete", "raw_count"),
}
LIMITS = Limits(seconds=60.0, words=1000)


@dataclass(frozen=True, slots=True)
class Certified:
    """A puzzle of which the checker has verified both certificates.

    answer    the label of the card that repairs, the only one
    repairs   the swaps that repair, as the open sibling labels them ("i-j"); that of the answer is among them
    files     {"visible/certificate.json": bytes, …}: both certificates with their proofs
    steps     how many steps their refutations have
    """

    answer: str
    repairs: tuple[str, ...]
    files: Mapping[str, bytes]
    steps: int

    @property
    def digests(self) -> dict[str, str]:
        """sha256 of certificate.json, of "visible" and of "open"."""
        return {name: sha256(self.files[f"{name}/{DOCUMENT}"]).hexdigest() for name in CLAIMED}


def certified(instance: Json, folder: Path | None = None, limits: Limits = LIMITS) -> Certified:
    """Make both certificates of a puzzle, have them checked and, where a folder is named, put them there.

    The folder then holds the folders `visible` and `open`, whole or not at all. Raises MalformedInput for what is no
    instance of CO; UsageError for what is no puzzle, or one of which not exactly one option repairs; Disagreement where
    the checker refuses what was made; Undecided; OSError.
    """
    asked = read_puzzle(instance)
    told = enumerate_words(STATEMENTS[FAMILY], asked, limits)
    answer = _only_option(asked, told)
    wide = opened(asked)
    swap = asked.card[answer]
    files = {
        **_issued(VISIBLE, asked, [answer, *(label for label in asked.card if label != answer)], limits, told),
        **_issued(OPEN, wide, [f"{swap.first}-{swap.second}"], limits),
    }
    found = judged(instance, files)
    if folder is not None:
        put_folder(folder, files)
    return found


def read_puzzle(instance: Json) -> Instance:
    """The instance of CO that a puzzle is; raises MalformedInput, and UsageError where it is another one of CO."""
    found = read_instance(instance)
    if len(found.cards) != len(LABELS) or found.most_cards != 1:
        raise UsageError(f"{found.code} is no puzzle: {len(found.cards)} cards, a budget of {found.most_cards}")
    return found


def opened(asked: Instance) -> Instance:
    """The open sibling of a puzzle, its code with "-open" added. Raises MalformedInput where that is too long."""
    pairs = combinations(range(1, len(asked.broken) + 1), 2)
    cards: list[Json] = [{"label": f"{first}-{second}", "swap": [first, second]} for first, second in pairs]
    same = as_map(write_instance(asked), "")
    return read_instance({**same, "code": f"{asked.code}-{OPEN}", "cards": cards})


def judged(instance: Json, files: Mapping[str, bytes]) -> Certified:
    """What the trusted checker says of the certificates of a puzzle, `files` by their names as in `Certified`.

    Raises Disagreement where it does not verify both, or where they are of other instances, claim less than they should
    or contradict each other; Undecided where it comes to a limit; MalformedInput and UsageError for what is no puzzle.
    """
    asked = read_puzzle(instance)
    seen, steps = _verified(VISIBLE, asked, files)
    wide, more = _verified(OPEN, opened(asked), files)
    (answer, *others), repairs = _accepted(seen), _accepted(wide)
    drawn = [card.label for card in asked.cards if f"{card.first}-{card.second}" in repairs]
    goals = {
        label: claim["goal"] for claim in seen if claim["kind"] == "legal" for label in _cards(claim["submission"])
    }
    if goals != {label: label == answer for label in asked.card} or others or drawn != [answer]:
        raise _refused(asked.code, f"verified, but they do not say of each option alike whether it repairs: {goals}")
    return Certified(answer, repairs, files, steps + more)


def _only_option(asked: Instance, told: Answer) -> str:
    """The label of the card that repairs; raises UsageError unless there is just one, and nothing else is accepted."""
    words = [_cards(parse(word, SUBMISSION_BYTES, SUBMISSION_DEPTH)) for word in told.words]
    if len(words) == 1 and words[0]:
        return words[0][0]
    labels = ", ".join(label for word in words for label in word) or "none"
    shown = "the loop is whole as it is" if [] in words else f"of the options these do: {labels}"
    raise UsageError(f"{asked.code} is refused, because just one option must repair a broken loop: {shown}")


def _issued(
    name: str, asked: Instance, labels: list[str], limits: Limits, told: Answer | None = None
) -> dict[str, bytes]:
    """The files of a certificate with a claim on each of these cards, of which the first repairs."""
    words: list[Json] = [{"cards": [label]} for label in labels]
    first, *rest = words
    made = issue(FAMILY, asked.code, write_instance(asked), first, [], rest, limits, told)
    return {f"{name}/{file}": data for file, data in made.files.items()}


def _verified(name: str, asked: Instance, files: Mapping[str, bytes]) -> tuple[list[Any], int]:
    """The claims of a certificate, and its number of steps, once the checker has verified it as one of the instance."""
    data = files.get(f"{name}/{DOCUMENT}", b"")
    report = check(data, _proofs(name, files))
    said = "; ".join(
        f"{one.kind}: {one.outcome}, {one.text}"
        for one in (report.document, *report.findings)
        if one.outcome != "verified"
    )
    if report.outcome == "undecided":
        raise Undecided("unknown", f"{asked.code}: {said}")
    if report.desk is None or report.outcome != "verified":
        raise _refused(asked.code, said)
    if canonical(report.desk.case.json) != canonical(write_instance(asked)):
        raise _refused(asked.code, f"verified, but the one called {name} is of another instance")
    missing = [kind for kind in CLAIMED[name] if kind not in {one.kind for one in report.findings}]
    if missing:
        raise _refused(asked.code, f"verified, but the one called {name} makes no claim {', '.join(missing)}")
    document: Any = parse(data, MOST_BYTES, MOST_DEPTH)
    return document["claims"], report.desk.steps


def _proofs(name: str, files: Mapping[str, bytes]) -> Callable[[str], bytes]:
    """The reader of the proofs of a certificate."""

    def read(proof: str) -> bytes:
        if f"{name}/{proof}" not in files:
            raise Rejected(f"the proof {proof} is missing")
        return files[f"{name}/{proof}"]

    return read


def _accepted(claims: list[Any]) -> tuple[str, ...]:
    """The labels of the cards that a certificate lists as the accepted submissions, in the order of its classes."""
    lists = [claim["classes"] for claim in claims if claim["kind"] == "complete"]
    return tuple(label for classes in lists for one in classes for word in one["members"] for label in _cards(word))


def _cards(word: Any) -> list[str]:
    return [str(label) for label in word["cards"]]


def _refused(code: str, said: str) -> Disagreement:
    return Disagreement(f"the certificates of {code}", {"issuer": "verified", "checker": said})
