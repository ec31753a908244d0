"""Certificates of puzzles: what they say is so by a count of its own, and nothing else passes for one."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from cwr_audits.scenes.cyclic_order import certifying
from cwr_audits.scenes.cyclic_order.certifying import Certified, certified, judged, opened, read_puzzle
from cwr_certificates.kernel import Limits as Bounds
from cwr_certificates.seal import sealed
from cwr_solvers.answers import Answer, Limits
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided, UsageError
from cwr_solvers.jsontext import Json, parse

ROOT = Path(__file__).parents[2]
Swap = tuple[int, int]


def puzzle(reference: str, broken: str, swaps: list[Swap], most: int = 1, code: str = "CO-t") -> dict[str, Json]:
    cards: list[Json] = [{"label": label, "swap": [*swap]} for label, swap in zip("ABCDEF", swaps, strict=False)]
    return {
        "family": "CO",
        "code": code,
        "reference": [*reference],
        "broken": [*broken],
        "cards": cards,
        "budget": {"cards": most},
    }


def swapped(loop: str, swap: Swap) -> str:
    first, second = (position - 1 for position in swap)
    return "".join(loop[{first: second, second: first}.get(place, place)] for place in range(len(loop)))


def repairing(reference: str, broken: str) -> list[Swap]:
    """The swaps that repair, by looking for the loop in the reference written twice."""
    pairs = combinations(range(1, len(broken) + 1), 2)
    return [pair for pair in pairs if swapped(broken, pair) in reference + reference]


def drawn(seed: int) -> tuple[dict[str, Json], str, list[Swap]]:
    """A puzzle with one option that repairs, that option, and all swaps that repair."""
    draw = random.Random(f"certifying {seed}")
    reference = "".join(draw.sample("abcdefghij", draw.choice([4, 4, 5, 5, 6, 8, 10])))
    turn = draw.randrange(len(reference))
    pairs = [*combinations(range(1, len(reference) + 1), 2)]
    planted = draw.choice(pairs)
    broken = swapped(reference[turn:] + reference[:turn], planted)
    good = repairing(reference, broken)
    options = [planted, *draw.sample([pair for pair in pairs if pair not in good], 3)]
    draw.shuffle(options)
    return puzzle(reference, broken, options), "ABCD"[options.index(planted)], good


PUZZLE = puzzle("abcde", "cedab", [(1, 4), (3, 5), (2, 3), (2, 4)])
OPPOSITE = puzzle("abcd", "cbad", [(1, 3), (1, 2), (2, 3), (3, 4)])


@pytest.fixture(scope="module")
def found() -> Certified:
    return certified(PUZZLE)


@pytest.mark.parametrize("seed", range(40))
def test_answer_and_repairs_are_those_of_a_count_of_their_own(seed: int) -> None:
    instance, answer, good = drawn(seed)
    found = certified(instance)
    assert found.answer == answer
    assert sorted(found.repairs) == sorted(f"{first}-{second}" for first, second in good)
    assert judged(instance, found.files) == found
    assert found.steps > 0


def test_four_tokens_and_opposite_positions_have_a_second_repair_that_no_option_shows() -> None:
    found = certified(OPPOSITE)
    assert (found.answer, found.repairs) == ("A", ("1-3", "2-4"))


def test_the_certificates_claim_what_they_should(found: Certified) -> None:
    seen, wide = (claims(found.files, name) for name in ("visible", "open"))
    told = {claim["submission"]["cards"][0]: claim["goal"] for claim in seen if claim["kind"] == "legal"}
    assert told == {"A": False, "B": False, "C": True, "D": False}
    assert {"optimum", "complete", "unique"} < {claim["kind"] for claim in seen}
    four = next(claim for claim in seen if claim["kind"] == "unique")
    assert all(four[key] for key in ("raw_optimum", "raw_bound", "class_optimum", "class_bound"))
    assert next(claim for claim in wide if claim["kind"] == "raw_count")["value"] == 1
    assert next(claim for claim in wide if claim["kind"] == "legal")["submission"] == {"cards": ["2-3"]}


def claims(files: Mapping[str, bytes], name: str) -> list[dict[str, Any]]:
    document: Any = parse(files[f"{name}/certificate.json"], 10**6, 24)
    return [*document["claims"]]


def test_the_same_puzzle_gives_the_same_bytes(found: Certified) -> None:
    assert certified(PUZZLE) == found
    assert set(found.digests) == {"visible", "open"}
    assert found.digests["visible"] != found.digests["open"]


def test_the_open_sibling_has_a_card_for_every_pair() -> None:
    wide = opened(read_puzzle(PUZZLE))
    pairs = [*combinations(range(1, 6), 2)]
    assert [(card.label, card.first, card.second) for card in wide.cards] == [(f"{i}-{j}", i, j) for i, j in pairs]
    assert (wide.code, wide.most_cards, wide.broken) == ("CO-t-open", 1, tuple("cedab"))


def test_the_folder_is_checked_by_a_bare_python(tmp_path: Path) -> None:
    found = certified(PUZZLE, tmp_path / "one")
    assert {path.name for path in (tmp_path / "one").iterdir()} == {"visible", "open"}
    for name, data in found.files.items():
        assert (tmp_path / "one" / name).read_bytes() == data
    command = [sys.executable, "-I", "-S", "certificates", str(tmp_path / "one/visible"), str(tmp_path / "one/open")]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False, timeout=60).returncode == 0


REFUSED = {
    "a second option repairs": (puzzle("abcd", "cbad", [(1, 3), (2, 4), (2, 3), (3, 4)]), "these do: A, B"),
    "no option repairs": (puzzle("abcde", "cedab", [(1, 4), (3, 5), (1, 2), (2, 4)]), "these do: none"),
    "the loop is whole": (puzzle("abcde", "cdeab", [(1, 4), (3, 5), (1, 2), (2, 4)]), "whole as it is"),
    "three options": (puzzle("abcde", "cedab", [(1, 4), (3, 5), (2, 3)]), "3 cards, a budget of 1"),
    "five options": (puzzle("abcde", "cedab", [(1, 4), (3, 5), (2, 3), (2, 4), (1, 2)]), "5 cards, a budget of 1"),
    "two swaps": (puzzle("abcde", "cedab", [(1, 4), (3, 5), (2, 3), (2, 4)], 2), "4 cards, a budget of 2"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_puzzle_with_one_answer_is_refused_and_nothing_written(name: str, tmp_path: Path) -> None:
    instance, told = REFUSED[name]
    with pytest.raises(UsageError, match=told):
        certified(instance, tmp_path / "one")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"family": "KL"}, "/family"),
        ({"broken": ["a", "b"]}, "/broken"),
        ({"code": "x" * 61}, "/code"),  # of the sibling, which has a longer one
    ],
)
def test_what_is_no_instance_is_malformed(change: dict[str, Json], pointer: str) -> None:
    with pytest.raises(MalformedInput) as error:
        certified({**PUZZLE, **change})
    assert error.value.pointer == pointer


def test_out_of_time_is_undecided_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(Undecided, match="time"):
        certified(PUZZLE, tmp_path / "one", Limits(-1.0, 1000))
    assert [*tmp_path.iterdir()] == []


def test_a_limit_of_the_checker_is_undecided(found: Certified, monkeypatch: pytest.MonkeyPatch) -> None:
    real = certifying.check
    bounds = Bounds(*[0 for _ in Bounds._fields])
    monkeypatch.setattr(certifying, "check", lambda data, proofs: real(data, proofs, None, bounds))
    with pytest.raises(Undecided):
        judged(PUZZLE, found.files)


PROOFS = ("visible/optimum.lrat", "visible/complete.lrat", "open/optimum.lrat", "open/complete.lrat")


@pytest.mark.parametrize("name", PROOFS)
def test_a_proof_cut_changed_or_missing_is_rejected(name: str, found: Certified) -> None:
    proof = found.files[name]
    for spoilt in (b"", proof[:-2], proof.replace(b"1", b"2", 1), b"1 0 1 0\n" + proof):
        with pytest.raises(Disagreement, match="rejected"):
            judged(PUZZLE, {**found.files, name: spoilt})
    with pytest.raises(Disagreement, match="is missing"):
        judged(PUZZLE, {key: data for key, data in found.files.items() if key != name})


@pytest.mark.parametrize("name", PROOFS)
def test_a_spoilt_proof_with_its_digest_made_good_is_rejected(name: str, found: Certified) -> None:
    """The first line of the proof goes; the document names what is left."""
    folder, kind = name.split("/")[0], name.split("/")[1].partition(".")[0]
    left = b"".join(found.files[name].splitlines(keepends=True)[1:])
    listed = claims(found.files, folder)
    for claim in listed:
        if claim["kind"] == kind:
            claim["refutation"]["proof_sha256"] = certifying.sha256(left).hexdigest()
    with pytest.raises(Disagreement, match="rejected"):
        judged(PUZZLE, {**resealed(found.files, folder, listed), name: left})


def resealed(files: Mapping[str, bytes], name: str, listed: list[dict[str, Any]]) -> dict[str, bytes]:
    """The files with other claims in one of the certificates, and its seal made good."""
    document: Any = parse(files[f"{name}/certificate.json"], 10**6, 24)
    return {**files, f"{name}/certificate.json": sealed({**document, "claims": listed})}


def test_a_false_answer_is_rejected(found: Certified) -> None:
    listed = claims(found.files, "visible")
    listed[0]["submission"], listed[1]["submission"] = listed[1]["submission"], listed[0]["submission"]
    with pytest.raises(Disagreement, match="rejected"):
        judged(PUZZLE, resealed(found.files, "visible", listed))


def test_a_false_number_of_repairs_is_rejected(found: Certified) -> None:
    listed = claims(found.files, "open")
    next(claim for claim in listed if claim["kind"] == "raw_count")["value"] = 2
    with pytest.raises(Disagreement, match="rejected"):
        judged(PUZZLE, resealed(found.files, "open", listed))


@pytest.mark.parametrize(("name", "kind"), [("visible", "unique"), ("open", "raw_count")])
def test_a_true_certificate_that_says_less_is_refused(name: str, kind: str, found: Certified) -> None:
    listed = [claim for claim in claims(found.files, name) if claim["kind"] != kind]
    with pytest.raises(Disagreement, match=f"makes no claim {kind}"):
        judged(PUZZLE, resealed(found.files, name, listed))


def test_a_true_certificate_that_is_silent_on_an_option_is_refused(found: Certified) -> None:
    listed = claims(found.files, "visible")
    listed[3] = listed[2]
    with pytest.raises(Disagreement, match="of each option alike"):
        judged(PUZZLE, resealed(found.files, "visible", listed))


def test_true_certificates_of_another_puzzle_are_refused(found: Certified) -> None:
    """The same loops with two cards exchanged: another letter is right."""
    other = puzzle("abcde", "cedab", [(1, 4), (2, 3), (3, 5), (2, 4)])
    with pytest.raises(Disagreement, match="visible is of another instance"):
        judged(other, found.files)
    mixed = {name: data for name, data in certified(OPPOSITE).files.items() if name.startswith("open")}
    with pytest.raises(Disagreement, match="open is of another instance"):
        judged(PUZZLE, {**found.files, **mixed})


def test_a_sibling_that_contradicts_the_puzzle_is_refused(found: Certified, monkeypatch: pytest.MonkeyPatch) -> None:
    other = puzzle("abcde", "bacde", [(1, 2), (3, 5), (2, 3), (2, 4)])
    wide = opened(read_puzzle(other))
    mixed = {name: data for name, data in certified(other).files.items() if name.startswith("open")}
    monkeypatch.setattr(certifying, "opened", lambda _: wide)
    with pytest.raises(Disagreement, match="of each option alike"):
        judged(PUZZLE, {**found.files, **mixed})


def test_a_route_that_hides_a_repair_issues_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the solver lists is not believed: the refutation of all else cannot be had."""
    instance, _ = REFUSED["a second option repairs"]
    monkeypatch.setattr(certifying, "enumerate_words", lambda *_: Answer(1, {b'{"cards":["A"]}': 1}))
    with pytest.raises(Disagreement):
        certified(instance, tmp_path / "one")
    assert [*tmp_path.iterdir()] == []


def test_without_a_certificate_nothing_is_said() -> None:
    with pytest.raises(Disagreement, match="malformed"):
        judged(PUZZLE, {})
