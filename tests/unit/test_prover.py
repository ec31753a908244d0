"""The prover: its private calls work, its fallback too, its words are the true ones, and it issues no falsehood."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from dataclasses import replace
from typing import Any

import pysolvers
import pytest
from unit.certificate_samples import CODES, LIMITS, every, judge, of_showcase, of_size, pigeons, space

from cwr_certificates import lrat, prover
from cwr_certificates.catalogue import STATEMENTS
from cwr_certificates.kernel import verify
from cwr_certificates.prover import enumerate_words, issue
from cwr_solvers.answers import Answer, Limits
from cwr_solvers.catalogue import WORLDS, showcase
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided, UsageError
from cwr_solvers.jsontext import Json, canonical

# (2 2) is taken for (2) under a new id, and (1 3) is satisfied already: CaDiCaL's ids are 1, 2 (then 3), 4, 5.
SHIFTED = [(1,), (-1, 2, 2), (1, 3), (-2, -1)]
SHIFTED_RAW = b"3 2 0 1 2 0\n3 d 2 4 0\n6 0 3 1 5 0\n"
UNSATISFIABLE = {
    "pigeons": pigeons(4),
    "shifted": SHIFTED,
    "a tautology first": [(1, -1), (2, 2), (-2,)],
    "units": [(1,), (-1,)],
    "square": [(1, 2), (1, -2), (-1, 2), (-1, -2)],
}


def test_canary_the_private_calls_of_python_sat_write_lrat() -> None:
    """When this fails, python-sat has changed: mend cwr_certificates.lrat.native; until then `hinted` does the work."""
    for name in ("new", "set", "tracepr", "add_cl", "cbudget", "solve_lim", "model", "del"):
        assert hasattr(pysolvers, f"cadical195_{name}")
    clauses = pigeons(3)
    model, steps = lrat.native(clauses, time.monotonic() + 60)
    assert model is None
    assert all(step.hints for step in steps)
    assert verify(clauses, lrat.trimmed(steps, len(clauses))).outcome == "verified"


def test_ids_that_simplification_has_shifted_are_realigned() -> None:
    steps = lrat.realigned(SHIFTED_RAW, len(SHIFTED))
    assert steps == [lrat.Step(5, (2,), (1, 2)), lrat.Step(6, (), (5, 1, 4))]
    assert verify(SHIFTED, lrat.trimmed(steps, len(SHIFTED))).outcome == "verified"
    assert verify(SHIFTED, SHIFTED_RAW).outcome == "rejected"


@pytest.mark.parametrize("name", UNSATISFIABLE)
@pytest.mark.parametrize("way", [lrat.native, lrat.hinted], ids=["native", "hinted"])
def test_both_ways_give_proofs_that_the_kernel_verifies(way: Any, name: str) -> None:
    clauses = UNSATISFIABLE[name]
    model, steps = way(clauses, time.monotonic() + 60)
    assert model is None
    assert verify(clauses, lrat.trimmed(steps, len(clauses))).outcome == "verified"


@pytest.mark.parametrize("way", [lrat.native, lrat.hinted], ids=["native", "hinted"])
def test_both_ways_give_models(way: Any) -> None:
    clauses = pigeons(4)[1:]
    model, _ = way(clauses, time.monotonic() + 60)
    assert all(set(model) & set(clause) for clause in clauses)


def test_deletions_are_written_and_right() -> None:
    clauses = pigeons(6)
    proof = lrat.solve(clauses, 60.0).proof or b""
    assert b" d " in proof
    assert verify(clauses, proof).outcome == "verified"


def test_an_empty_clause_is_refuted_at_once() -> None:
    clauses = [(1,), (), (2,)]
    assert verify(clauses, lrat.solve(clauses, 60.0).proof or b"").outcome == "verified"


def test_the_fallback_serves_when_the_native_way_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lrat, "native", lambda clauses, _: (None, [lrat.Step(len(clauses) + 1, (), (1,))]))
    clauses = pigeons(4)
    assert verify(clauses, lrat.solve(clauses, 60.0).proof or b"").outcome == "verified"


@pytest.mark.parametrize(
    "raw", [b"", b"a\x85\x01", b"5 1 2\n", b"5 0 77 0\n"], ids=["none", "binary", "no zero", "bad id"]
)
def test_the_fallback_serves_when_the_text_is_another(monkeypatch: pytest.MonkeyPatch, raw: bytes) -> None:
    monkeypatch.setattr(lrat, "traced", lambda *_: (None, raw))
    clauses = pigeons(4)
    assert verify(clauses, lrat.solve(clauses, 60.0).proof or b"").outcome == "verified"


def test_the_fallback_serves_when_a_private_call_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(pysolvers, "cadical195_set")
    clauses = pigeons(4)
    assert verify(clauses, lrat.solve(clauses, 60.0).proof or b"").outcome == "verified"


def test_a_refutation_that_nobody_can_show_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    for way in ("native", "hinted"):
        monkeypatch.setattr(lrat, way, lambda clauses, *_: (None, [lrat.Step(len(clauses) + 1, (), (1,))]))
    with pytest.raises(Disagreement, match="a refutation"):
        lrat.solve(pigeons(4), 60.0)


@pytest.mark.parametrize("way", [lrat.native, lrat.hinted], ids=["native", "hinted"])
def test_out_of_time_is_undecided(way: Any) -> None:
    with pytest.raises(Undecided, match="time"):
        way(pigeons(4), time.monotonic() - 1)


@pytest.mark.parametrize("code", CODES)
def test_words_and_optimum_of_showcases_are_those_of_exhaustive_search(code: str) -> None:
    one = showcase(code)
    _compare(one.family, one.instance)


@pytest.mark.parametrize("family", sorted(STATEMENTS))
def test_words_and_optimum_of_random_instances_are_those_of_exhaustive_search(family: str) -> None:
    feasible = [_compare(family, WORLDS[family].generate(f"prover-{number}")) for number in range(8)]
    assert any(feasible)


def _compare(family: str, value: Any) -> bool:
    known = space(family, value)
    answer = enumerate_words(STATEMENTS[family], known.instance, LIMITS)
    assert dict(answer.words) == dict(known.costs)
    assert answer.optimum == min(known.costs.values(), default=None)
    return bool(known.costs)


def test_the_optimum_is_minimised_and_not_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    known = space("RS", showcase("RS-001").instance)
    monkeypatch.setattr(prover, "_every_word", lambda *_: {})
    assert enumerate_words(STATEMENTS["RS"], known.instance, LIMITS).optimum == min(known.costs.values())


@pytest.mark.parametrize(
    ("limits", "reason"), [(Limits(60.0, 8), "words"), (Limits(-1.0, 100), "time")], ids=["words", "time"]
)
def test_limits_leave_the_words_undecided(limits: Limits, reason: str) -> None:
    with pytest.raises(Undecided) as caught:
        enumerate_words(STATEMENTS["RS"], space("RS", showcase("RS-001").instance).instance, limits)
    assert caught.value.reason == reason


def test_two_models_of_one_word_are_a_disagreement() -> None:
    """A statement whose words can be told apart by something that is no part of the word."""
    tw = STATEMENTS["TW"]

    class Loose:
        state, at_most, literals, word = tw.state, tw.at_most, tw.literals, staticmethod(lambda *_: {})

    with pytest.raises(Disagreement, match="words"):
        enumerate_words(Loose, space("TW", showcase("TW-001").instance).instance, LIMITS)  # type: ignore[arg-type]


KINDS = {"legal", "rejected", "optimum", "infeasible", "complete", "raw_count", "unique", "motif"}


def test_every_kind_and_label_is_issued() -> None:
    claims: list[Any] = [claim for one in every() for claim in one.document["claims"]]  # type: ignore[union-attr]
    assert {claim["kind"] for claim in claims} == KINDS
    motifs = [claim for claim in claims if claim["kind"] == "motif"]
    assert {claim["label"] for claim in motifs} == {"necessary", "witness-only"}
    assert any(claim.get("extra") for claim in motifs)
    assert any(claim["kind"] == "legal" and not claim["goal"] for claim in claims)


@pytest.mark.parametrize("code", CODES)
def test_a_showcase_has_every_claim_that_it_allows(code: str) -> None:
    one, issued = showcase(code), of_showcase(code)
    claims: Any = issued.document["claims"]
    found = [claim["submission"] for claim in claims if claim["kind"] == "legal"]
    assert found[: 1 + len(one.alternates)] == [one.witness, *one.alternates]
    probes = [probe for probe in one.probes if probe["kind"] == "sequence"]  # type: ignore[index, call-overload]
    assert len([claim for claim in claims if claim["kind"] in ("legal", "rejected")]) == 1 + len(one.alternates) + len(
        probes
    )
    assert [claim["kind"] for claim in claims if claim["kind"] not in ("legal", "rejected", "motif")] == [
        "optimum",
        "complete",
        "raw_count",
        "unique",
    ]
    named = {claim["name"] for claim in claims if claim["kind"] == "motif"} | set(issued.absent)
    assert named == set(STATEMENTS[one.family].MOTIFS)
    assert {name.replace(".lrat", ".cnf") for name in issued.files if name.endswith(".lrat")} == set(issued.formulas)


def test_a_motif_that_the_witness_lacks_is_no_claim() -> None:
    one = showcase("RS-001")
    issued = issue(one.family, one.code, one.instance, one.alternates[0], [], [], LIMITS)
    assert issued.absent == ("full",)
    named = [claim["name"] for claim in issued.document["claims"] if claim["kind"] == "motif"]  # type: ignore[union-attr]
    assert named == ["overlap", "crossed", "strict"]


@pytest.mark.parametrize("family", sorted(STATEMENTS))
def test_an_instance_without_solution_is_infeasible_and_nothing_else(family: str) -> None:
    claims: Any = of_size(family, "none").document["claims"]
    assert [claim["kind"] for claim in claims] == ["infeasible"]


def _issue(code: str = "TW-001", **more: Any) -> Any:
    one = showcase(code)
    given: dict[str, Any] = {"witness": one.witness, "alternates": (), "probes": (), "limits": LIMITS, **more}
    return issue(one.family, code, one.instance, **given)


@pytest.mark.parametrize("actions", [["smelt"], ["coat"]], ids=["goal unmet", "illegal"])
@pytest.mark.parametrize("role", ["witness", "alternates"])
def test_a_witness_or_alternate_that_is_not_accepted_is_a_usage_error(role: str, actions: list[str]) -> None:
    submission = {"actions": actions}
    with pytest.raises(UsageError):
        _issue(**{role: submission if role == "witness" else [submission]})


def test_a_malformed_probe_is_malformed() -> None:
    with pytest.raises(MalformedInput):
        _issue(probes=[{"actions": ["melt"]}])


def test_out_of_time_nothing_is_issued() -> None:
    with pytest.raises(Undecided):
        _issue(limits=Limits(0.0, 100))


def test_a_word_that_the_enumeration_missed_is_a_disagreement() -> None:
    answer = enumerate_words(STATEMENTS["TW"], space("TW", showcase("TW-001").instance).instance, LIMITS)
    word = min(answer.words)
    with pytest.raises(Disagreement, match="complete"):
        _issue(answer=replace(answer, words={word: answer.words[word]}))


def test_an_optimum_that_is_none_is_a_disagreement() -> None:
    answer = enumerate_words(STATEMENTS["RS"], space("RS", showcase("RS-001").instance).instance, LIMITS)
    late = {word: cost for word, cost in answer.words.items() if cost == 5}
    with pytest.raises(Disagreement, match="optimum"):
        _issue("RS-001", answer=replace(answer, optimum=5, words=late))


def test_a_statement_that_forgets_a_rule_is_caught_by_the_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without R3 the statement of RS has words that the interpreter refuses."""
    monkeypatch.setattr(STATEMENTS["RS"], "r3_predecessors", lambda *_: None)
    with pytest.raises(Disagreement):
        _issue("RS-001")


def test_a_statement_that_forbids_too_much_is_caught_by_the_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    rs: Any = STATEMENTS["RS"]
    rule = rs.r5_deadline

    def stricter(cnf: Any, model: Any) -> None:
        """R5, and not the witness."""
        rule(cnf, model)
        cnf.add(*(-literal for literal in rs.literals(model, showcase("RS-001").witness)))

    monkeypatch.setattr(rs, "r5_deadline", stricter)
    with pytest.raises(Disagreement, match="replay and statement differ"):
        _issue("RS-001")


DIGESTS = """
from hashlib import sha256
from unit.certificate_samples import of_showcase, of_weld
for one in (of_weld(), of_showcase("TP-001"), of_showcase("RS-001")):
    for files in (one.files, one.formulas):
        for name, data in files.items():
            print(name, sha256(data).hexdigest())
"""


def test_two_runs_under_different_hash_seeds_give_the_same_bytes() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", DIGESTS],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.path.dirname(os.path.dirname(__file__))},
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1]
    assert said[0].count(b"\n") > 20


def _workshop(recipes: list[Json], goal: Json, actions: int, initial: Json = None) -> Json:
    """A workshop of the places a and b."""
    return {
        "family": "TW",
        "code": "TW-EDGE",
        "places": ["a", "b"],
        "initial": {} if initial is None else initial,
        "recipes": recipes,
        "throughout": {},
        "goal": {"places": goal},
        "budget": {"actions": actions, "cost": actions},
    }


LONG = _workshop([{"name": "r" * 64, "produce": {"a": 1}}], {"a": {"min": 1000, "max": 1000}}, 1000)
LONG_WORD: Json = {"actions": ["r" * 64] * 1000}


def test_words_beyond_what_a_grader_reads_are_undecided_and_not_malformed() -> None:
    with pytest.raises(Undecided, match="size"):
        issue("TW", "TW-EDGE", LONG, LONG_WORD, [], [], LIMITS, Answer(1000, {canonical(LONG_WORD): 1000}))
    with pytest.raises(Undecided, match="size"):
        issue("TW", "TW-EDGE", LONG, None, [], [], LIMITS, Answer(1000, {canonical(LONG_WORD): 1000}))
    with pytest.raises(Undecided, match="size"):
        enumerate_words(STATEMENTS["TW"], WORLDS["TW"].read_instance(LONG), LIMITS)


def _kinds(issued: Any) -> list[str]:
    return [claim["kind"] for claim in issued.document["claims"]]


# With it some place may have fewer tokens than readers, so that the motif is not out of the question from the outset.
LOOK: Json = {"name": "look", "read": {"b": 1}}


def test_a_motif_too_large_to_deny_is_listed_and_the_rest_is_claimed() -> None:
    """The recipe that takes 2^30 tokens can fire once: to say which they are takes a variable each."""
    big: Json = {"name": "big", "consume": {"a": 2**30}, "produce": {"b": 1}}
    value = _workshop([big, LOOK], {"b": {"min": 1}}, 2, {"a": 2**30})
    issued = issue("TW", "TW-EDGE", value, {"actions": ["big"]}, [], [], LIMITS)
    assert _kinds(issued) == ["legal", "optimum", "complete", "raw_count", "unique"]
    assert list(issued.undecided) == ["main"]
    assert "size" in issued.undecided["main"]
    assert judge(issued.files).outcome == "verified"


def test_a_recipe_that_can_never_fire_makes_no_motif_too_large() -> None:
    one: Json = {"name": "one", "produce": {"b": 1}}
    big: Json = {"name": "big", "consume": {"a": 2**53}, "produce": {"a": 2**53}}
    after: Json = {"name": "after", "consume": {"b": 1, "a": 1}, "produce": {"b": 2}}
    value = _workshop([one, big, after, LOOK], {"b": {"min": 2}}, 2)
    issued = issue("TW", "TW-EDGE", value, {"actions": ["one"] * 2}, [], [], LIMITS)
    assert issued.undecided == {}
    assert "main" in (*issued.absent, *(claim.get("name") for claim in issued.document["claims"]))


def test_a_proof_that_could_not_be_written_is_undecided() -> None:
    """A full disk cuts CaDiCaL's text short without a word; that is no contradiction."""
    clauses, soft = pigeons(6), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (512, soft[1]))
    try:
        with pytest.raises(Undecided, match="storage"):
            lrat.solve(clauses, 60.0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, soft)
    assert verify(clauses, lrat.solve(clauses, 60.0).proof or b"").outcome == "verified"
