"""The table of classes: sizes by a second count, numbers and motifs by hand, and what must make no table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from cwr_audits import table
from cwr_audits.motifs import MOTIFS
from cwr_audits.rows import MOTIF_NAMES
from cwr_audits.subject import Subject, from_json, subject
from cwr_audits.table import rows
from cwr_audits.tallies import NAMES, TALLIES, columns, tally
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.errors import Disagreement, Undecided


def test_every_family_has_numbers() -> None:
    assert set(NAMES) == set(TALLIES) == set(WORLDS)


def test_motifs_are_named_alike_without_their_predicates() -> None:
    assert {family: tuple(motifs) for family, motifs in MOTIFS.items()} == dict(MOTIF_NAMES)


def test_circuits_have_fifteen_classes() -> None:
    found = rows(subject("BC-001"))
    assert [one.number for one in found] == list(range(1, 16))
    assert sum(one.size for one in found) == 672
    assert sum(word.raw for one in found for word in one.words) == 672
    assert all(list(one.words) == sorted(one.words, key=lambda word: word.word) for one in found)
    assert [one.representative for one in found] == sorted(one.representative for one in found)
    assert [one.number for one in found if one.distance == 0] == [3]
    assert sum(one.motifs["typed"] for one in found) == 3  # one for each pin that the third gate may read


def test_an_instance_file_has_no_distances() -> None:
    found = rows(from_json(subject("KL-001").source))
    assert [(one.distance, [word.distance for word in one.words]) for one in found] == [(None, [None, None])]


def test_too_large_a_space_is_undecided() -> None:
    with pytest.raises(Undecided) as caught:
        rows(subject("BC-001"), most_words=41)
    assert caught.value.reason == "words"


def test_counts_that_differ_make_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    about = subject("TP-001")
    wrong = replace(about, world=replace(about.world, namings=lambda _instance, _word: 719))
    with pytest.raises(Disagreement, match="719 of cost 5"):
        rows(wrong)


def test_a_motif_of_two_minds_makes_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def first_only(_world: Any, _instance: Any, submission: Any) -> bool:
        return bool(submission.moves[0] == about.world.read_submission(about.instance, about.witness).moves[0])

    about: Subject = subject("KL-001")
    monkeypatch.setattr(table, "MOTIFS", {"KL": {"main": first_only}})
    with pytest.raises(Disagreement, match="motif main"):
        rows(about)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("TW-001", {"n_smelt": 2, "n_coat": 1, "n_rivet": 1}),
        ("TP-001", {"n_decode": 1, "n_invert": 1, "n_tag": 1, "n_pack": 1, "n_seal": 1}),
        ("RS-001", {"start_A": 0, "start_B": 0, "start_C": 2, "start_D": 2, "start_E": 3}),
        ("KL-001", {"n_move": 2, "n_pickup": 3, "n_drop": 1}),
        ("PA-001", {"n_S": 1, "n_J": 3, "n_L": 2, "n_U": 2, "n_M": 3, "n_K": 1, "n_Z": 0}),
        ("FT-001", {"n_A": 1, "n_B": 1, "n_C": 1}),
        ("CO-001", {"n_A": 0, "n_B": 0, "n_C": 1, "n_D": 0}),
    ],
)
def test_numbers_of_a_class(code: str, expected: Mapping[str, int]) -> None:
    assert dict(rows(subject(code))[0].tallies) == expected


def test_columns_need_no_quotes_and_have_a_bounded_length() -> None:
    source: Any = {"recipes": [{"name": "a b"}, {"name": "a-b"}, {"name": "é\u0000"}, {"name": "x" * 100}]}
    assert list(columns("TW", source).values()) == ["n_a_b", "n_a_b_2", "n_é_", "n_" + "x" * 58]


def test_names_that_differ_in_case_only_have_columns_of_their_own() -> None:
    source: Any = {"recipes": [{"name": "mix"}, {"name": "Mix"}, {"name": "mix_2"}]}
    named = columns("TW", source)
    assert named == {"mix": "n_mix", "Mix": "n_Mix_2", "mix_2": "n_mix_2_2"}
    assert tally("TW", named, ["Mix", "mix", "Mix"]) == {"n_mix": 1, "n_Mix_2": 2, "n_mix_2_2": 0}
