"""clingo, given programs written from the rule books alone, lists the interpreter's words."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest
from bench import asp_peer

from cwr_audits.subject import Subject, subject
from cwr_solvers.catalogue import WORLDS, showcases
from cwr_solvers.search import count, words
from cwr_solvers.symmetry import text

CODES = tuple(one.code for one in showcases())


@pytest.fixture(scope="module")
def clingo() -> Any:
    # By its version: a folder named clingo on the path would be imported as an empty package.
    if importlib.util.find_spec("clingo") is None:
        pytest.skip("clingo is not installed; it is in the dev extra")
    return pytest.importorskip("clingo", minversion="5.5")


def listed(one: Subject) -> frozenset[bytes]:
    return frozenset(text(one.world, one.instance, word) for word in words(one.world, one.instance))


def test_every_world_has_a_program_and_a_showcase() -> None:
    families = sorted(WORLDS)
    assert sorted(subject(code).world.family for code in CODES) == families
    assert sorted(asp_peer.FACTS) == sorted(asp_peer.DECODE) == families
    assert sorted(path.stem.upper() for path in asp_peer.PROGRAMS.glob("*.lp")) == families


@pytest.mark.parametrize("code", CODES)
def test_clingo_lists_the_words_of_the_interpreter(clingo: Any, code: str) -> None:
    one = subject(code)
    wanted = listed(one)
    assert wanted
    assert asp_peer.words(clingo, one.world.family, one.instance) == wanted


@pytest.mark.parametrize("code", CODES)
def test_clingo_lists_as_many_raw_submissions_as_are_counted(clingo: Any, code: str) -> None:
    one = subject(code)
    assert asp_peer.raw(clingo, one.world.family, one.instance) == count(one.world, one.instance).accepted_raw


@pytest.mark.parametrize(("code", "rule"), [("TW-001", "R1"), ("RS-001", "R3"), ("RS-001", "R5"), ("CO-001", "G")])
def test_a_program_without_one_of_its_rules_is_noticed(
    clingo: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, code: str, rule: str
) -> None:
    one = subject(code)
    name = f"{one.world.family.lower()}.lp"
    lines = (asp_peer.PROGRAMS / name).read_text().splitlines()
    kept = [line for line in lines if not line.endswith(f"% {rule}")]
    assert len(kept) == len(lines) - 1
    (tmp_path / name).write_text("\n".join(kept))
    monkeypatch.setattr(asp_peer, "PROGRAMS", tmp_path)
    assert asp_peer.words(clingo, one.world.family, one.instance) > listed(one)


# The showcases leave some rules idle: most programs list the same words of them with a rule taken out.
@pytest.mark.parametrize("family", sorted(WORLDS))
def test_clingo_lists_the_words_of_random_instances(clingo: Any, family: str) -> None:
    world = WORLDS[family]
    found = 0
    for number in range(8):
        instance = world.read_instance(world.generate(f"{family}-{number}"))
        wanted = frozenset(text(world, instance, word) for word in words(world, instance))
        assert asp_peer.words(clingo, family, instance) == wanted, number
        found += len(wanted)
    assert found


def test_a_word_that_is_listed_twice_is_refused(clingo: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rs.lp").write_text((asp_peer.PROGRAMS / "rs.lp").read_text() + "\n{ needless }.\n")
    monkeypatch.setattr(asp_peer, "PROGRAMS", tmp_path)
    with pytest.raises(RuntimeError, match="RS: clingo listed a word twice"):
        asp_peer.words(clingo, "RS", subject("RS-001").instance)


@pytest.mark.parametrize(
    ("term", "text_"), [('a"\\', '"a\\"\\\\"'), (("x", -1), '("x",-1)'), (asp_peer.Bare("goal"), "goal"), (7, "7")]
)
def test_terms_are_written_in_clingos_syntax(term: Any, text_: str) -> None:
    assert asp_peer._text(term) == text_


def test_an_integer_beyond_32_bits_is_refused() -> None:
    with pytest.raises(OverflowError, match="2147483648 is beyond clingo's integers"):
        asp_peer._text(2**31)
