"""The claim `conflict`: what the checker verifies and refuses of it, and how the smallest set of rules is found.

That the sets are right is seen in tests/contract/test_conflicts.py; here is what becomes of wrong ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from unit.certificate_samples import judge
from unit.test_certificates_tampering import SHAPE, get, nodes, others_for, sealed_mutants

from cwr_certificates.catalogue import STATEMENTS
from cwr_certificates.conflicts import asked
from cwr_certificates.desk import digest
from cwr_certificates.explain import Explained, explain
from cwr_certificates.formulas import among, base, dimacs
from cwr_certificates.lrat import solve
from cwr_certificates.prover import Issued
from cwr_certificates.seal import DOCUMENT, sealed
from cwr_certificates.statements import ps
from cwr_solvers.answers import Limits
from cwr_solvers.catalogue import WORLDS, showcase
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided
from cwr_solvers.grading import grade
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.world import Submission

LIMITS = Limits(60.0, 1000)
NOTHING: Mapping[str, Json] = {
    "forbid": [],
    "most_cost": None,
    "part": None,
    "require": [],
    "without": [],
    "word": None,
}
# code -> a request that no solution meets, and the rules that say so
IMPOSSIBLE: Mapping[str, tuple[dict[str, Json], tuple[str, ...]]] = {
    "TW-001": ({"without": ["main"]}, ("G",)),
    "TP-001": ({"without": ["main"]}, ("R4", "G")),
    "RS-001": ({"without": ["overlap"]}, ("R3", "R5")),
    "BC-001": ({"most_cost": 3}, ("G",)),
    "KL-001": ({"without": ["main"]}, ("R1", "R3", "R5", "G")),
    "PS-001": ({"forbid": ["acquire"]}, ("R1", "G")),
    "PA-001": ({"forbid": [{"from": "M.s", "to": "K.s"}]}, ("R2", "R4", "G")),
    "FT-001": ({"without": ["main"]}, ("R1", "G")),
    "CO-001": ({"forbid": ["C"]}, ("G",)),
}


@cache
def explained(code: str) -> Explained:
    return of(code, **IMPOSSIBLE[code][0])


def of(code: str, **request: Json) -> Explained:
    one = showcase(code)
    return explain(one.family, code, one.instance, {**NOTHING, **request}, LIMITS)


def issued(code: str) -> Issued:
    found = explained(code).issued
    assert found is not None
    return found


def changed(change: Callable[[Any], None], code: str = "PS-001") -> Any:
    """The report on a certificate whose claim was changed, and all that it can say of itself made good."""
    document = json.loads(issued(code).files[DOCUMENT])
    change(document["claims"][0])
    return judge({**issued(code).files, DOCUMENT: sealed(document)})


@pytest.mark.parametrize("code", IMPOSSIBLE)
def test_impossible_requests_are_explained_and_certified(code: str) -> None:
    found, rules = explained(code), IMPOSSIBLE[code][1]
    assert found.word is None
    assert found.rules == rules
    world = WORLDS[showcase(code).family]
    instance = world.read_instance(showcase(code).instance)
    for rule, word in found.relaxed.items():
        verdict = grade(world, instance, canonical(word))
        assert verdict.status in ("illegal", "rejected")
        assert verdict.codes == (rule,) or code in ("PA-001", "FT-001")  # see tests/contract/test_conflicts.py
    report = judge(issued(code).files)
    assert report.outcome == "verified"
    assert [(one.kind, one.outcome) for one in report.findings] == [("conflict", "verified")]
    assert f"by {', '.join(rules)} and what words are" in report.findings[0].text
    assert report.desk is not None
    assert report.desk.refutations == 1
    Draft202012Validator(SHAPE).validate(json.loads(issued(code).files[DOCUMENT]))


def test_certificates_are_the_same_bytes_every_time() -> None:
    again = of("KL-001", **IMPOSSIBLE["KL-001"][0]).issued
    assert again is not None
    assert again.files == issued("KL-001").files


def test_what_some_solution_meets_has_no_conflict() -> None:
    found = of("BC-001", without=["shape"])
    assert found.word is not None
    assert (found.rules, dict(found.relaxed), found.issued) == ((), {}, None)


def test_what_no_word_is_needs_no_rule() -> None:
    found = of("RS-001", require=[{"job": "A", "start": 0}, {"job": "A", "start": 1}])
    assert (found.word, found.rules, dict(found.relaxed)) == (None, (), {})
    assert found.issued is not None
    assert "by no rule and what words are" in judge(found.issued.files).findings[0].text


def test_an_earlier_claim_says_what_becomes_of_the_candidate() -> None:
    one, word = showcase("PS-001"), {"actions": ["stage"]}
    found = explain("PS", "PS-001", one.instance, {**NOTHING, "word": word}, LIMITS, ("R1",), word)
    assert found.rules == ("R1",)
    assert found.issued is not None
    assert [claim["kind"] for claim in json.loads(found.issued.files[DOCUMENT])["claims"]] == ["rejected", "conflict"]


def test_rules_named_first_are_preferred_among_sets_of_one_size() -> None:
    one, word = showcase("PS-001"), {"actions": ["stage"]}
    for rule in ("G", "R1"):
        found = explain("PS", "PS-001", one.instance, {**NOTHING, "word": word}, LIMITS, (rule,))
        assert found.rules == (rule,)


# ---- false certificates


def test_a_rule_too_few_is_refused() -> None:
    def fewer(claim: Any) -> None:
        claim["rules"], claim["relaxed"] = claim["rules"][1:], claim["relaxed"][1:]

    assert changed(fewer).outcome == "rejected"


def test_a_rule_too_few_is_refused_with_its_own_formula_named() -> None:
    """The digest of the formula that the checker writes is no secret; but there is no proof for it."""

    def fewer(claim: Any) -> None:
        claim["rules"], claim["relaxed"] = claim["rules"][1:], claim["relaxed"][1:]
        cnf = formula("PS-001", claim["request"], claim["rules"])
        claim["refutation"] |= {"clauses": len(cnf.clauses), "formula_sha256": digest(dimacs(cnf))}

    report = changed(fewer)
    assert report.outcome == "rejected"
    assert "conflict.lrat: line" in report.findings[0].text


def test_a_rule_that_is_not_needed_is_refused() -> None:
    """A true conflict with one rule more: it has a proof, but no word breaks only the rule that was added."""
    document = json.loads(issued("PS-001").files[DOCUMENT])
    claim = document["claims"][0]
    for word in (claim["relaxed"][0], {"word": {"actions": []}, "extra": []}, {"word": None, "extra": []}):
        claim["rules"] = ["R1", "R2", "G"]
        claim["relaxed"] = [claim["relaxed"][0], word, claim["relaxed"][-1]]
        cnf = formula("PS-001", claim["request"], claim["rules"])
        proof = solve(cnf.clauses, 60.0).proof or b""
        claim["refutation"] |= {"clauses": len(cnf.clauses), "formula_sha256": digest(dimacs(cnf))}
        claim["refutation"]["proof_sha256"] = digest(proof)
        report = judge({**issued("PS-001").files, DOCUMENT: sealed(document), "conflict.lrat": proof})
        assert report.outcome == "rejected"
        assert report.findings[0].text == "R2 is not shown to be needed"


def formula(code: str, request: Any, rules: Any) -> Any:
    one = showcase(code)
    whole = base(one.family, WORLDS[one.family].read_instance(one.instance))
    return among(asked(whole, request, ""), rules)


FALSE: Mapping[str, tuple[Callable[[Any], object], str, str]] = {
    "words of each other's rule": (
        lambda claim: claim["relaxed"].reverse(),
        "rejected",
        "R1 is not shown to be needed",
    ),
    "one word missing": (lambda claim: claim["relaxed"].pop(), "rejected", "the number of rules shown to be needed"),
    "a rule that is none": (lambda claim: claim["rules"].append("R9"), "malformed", "/claims/0/rules/2"),
    "a rule that posts nothing": (lambda claim: claim["rules"].append("R3"), "malformed", "/claims/0/rules/2"),
    "the rule of words": (lambda claim: claim["rules"].append(""), "malformed", "/claims/0/rules/2"),
    "a rule twice": (lambda claim: claim["rules"].append("G"), "malformed", "/claims/0/rules"),
    "another step": (lambda claim: claim["request"].update(forbid=["stage"]), "rejected", "the formula"),
    "no request": (lambda claim: claim["request"].update(forbid=[]), "rejected", "the number of clauses"),
    "a step that is none": (lambda claim: claim["request"].update(forbid=["x"]), "malformed", "/request/forbid/0"),
    "a motif that is none": (lambda claim: claim["request"].update(without=["x"]), "malformed", "/request/without/0"),
    "a cost that is none": (lambda claim: claim["request"].update(most_cost=-1), "malformed", "/request/most_cost"),
    "a word that is none": (lambda claim: claim["request"].update(word=7), "malformed", "/request/word"),
    "a part too long": (
        lambda claim: claim["request"].update(part={"actions": ["stage"] * 7}),
        "malformed",
        "/request/part/actions",
    ),
    "a key too many": (lambda claim: claim["request"].update(some=1), "malformed", "/request"),
    "a key too few": (lambda claim: claim["request"].pop("part"), "malformed", "/request"),
    "a literal too large": (lambda claim: claim["relaxed"][0]["extra"].append(10**9), "malformed", "/relaxed/0/extra"),
    "contrary literals": (lambda claim: claim["relaxed"][0]["extra"].extend([2, -2]), "rejected", "R1 is not shown"),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_claims_are_refused(name: str) -> None:
    change, outcome, text = FALSE[name]
    report = changed(change)
    assert report.outcome == outcome
    assert text in report.findings[0].text


def test_tampered_certificates_are_refused() -> None:
    """Changed after sealing: never verified."""
    draws, tried = Random(1), 0
    for files in sealed_mutants(issued("PS-001"), draws):
        if files != issued("PS-001").files:
            assert judge(files).outcome in ("rejected", "malformed")
            tried += 1
    assert tried > 200


def test_resealed_certificates_are_refused_or_say_the_same() -> None:
    """Any one value of the claim changed, and sealed anew. What passes is shown by other literals, or bounds the cost
    where words have no more moves anyway."""
    draws, tried = Random(2), 0
    document = json.loads(issued("PS-001").files[DOCUMENT])
    for path in nodes(document["claims"][0]):
        for _ in range(8):
            other = json.loads(issued("PS-001").files[DOCUMENT])
            claim = other["claims"][0]
            get(claim, path[:-1])[path[-1]] = others_for(draws, get(claim, path))
            tried += other != document
            if other != document and judge({**issued("PS-001").files, DOCUMENT: sealed(other)}).outcome == "verified":
                assert path[0] == "relaxed" or claim["request"]["most_cost"] == 7
    assert tried > 100


# ---- where the parts disagree, or come to no end


def test_clauses_with_the_wrong_rule_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The statement of PS with R1 and R2 interchanged names R2, and the word it shows breaks R1: the verdict tells."""
    names = {"R1": "R2", "R2": "R1", "R4": "R4", "G": "G"}
    kept = ps.post

    def interchanged(cnf: Any, model: Any, *rules: Any) -> None:
        kept(cnf, model, *((names[name], function) for name, function in rules))

    monkeypatch.setattr(ps, "post", interchanged)
    found = of("PS-001", forbid=["acquire"])
    assert found.rules == ("R2", "G")
    instance = WORLDS["PS"].read_instance(showcase("PS-001").instance)
    assert grade(WORLDS["PS"], instance, canonical(found.relaxed["R2"])).codes == ("R1",)


def test_no_time_is_undecided() -> None:
    one = showcase("PS-001")
    with pytest.raises(Undecided, match="time"):
        explain("PS", "PS-001", one.instance, {**NOTHING, "forbid": ["acquire"]}, Limits(0.0, 1))


def test_a_request_that_is_none_is_malformed() -> None:
    with pytest.raises(MalformedInput, match="/request/forbid/0"):
        of("PS-001", forbid=["no such step"])


def test_a_solver_that_contradicts_itself_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof that is asked for what has a model: the set of rules is one too small."""
    monkeypatch.setattr("cwr_certificates.explain.among", lambda cnf, _rules: among(cnf, ()))
    with pytest.raises(Disagreement, match="the rules in conflict"):
        of("PS-001", forbid=["acquire"])


# ---- moves as literals


@pytest.mark.parametrize("code", IMPOSSIBLE)
def test_a_move_occurs_just_in_the_words_that_have_it(code: str) -> None:
    """With a move of the word required there is a model, with it forbidden none; of one that it lacks the reverse."""
    one = showcase(code)
    world = WORLDS[one.family]
    instance = world.read_instance(one.instance)
    word = world.normal(instance, world.read_submission(instance, one.witness))
    whole, value = base(one.family, instance), world.write_submission(instance, word)
    cases = [(value, world.write_move(instance, move), True) for move in word.moves]
    lacking = next((move for move in moves_of(world, instance) if move not in word.moves), None)
    if lacking is not None:
        cases.append((value, world.write_move(instance, lacking), False))
    else:  # the witness has all moves, and a part of it lacks one
        part = world.write_submission(instance, Submission(word.moves[:1]))
        cases.append((part, world.write_move(instance, word.moves[-1]), False))
    for told, move, has in cases:
        for key, due in (("require", has), ("forbid", not has)):
            cnf = among(asked(whole, {**NOTHING, key: [move], "word": told}, ""), ())
            assert (solve(cnf.clauses, 60.0).model is not None) is due


def moves_of(world: Any, instance: Any) -> Any:
    """Moves of solutions' beginnings, in normal form."""
    state = world.initial(instance)
    while True:
        found = list(world.normal_moves(instance, state))
        yield from found
        after = [new for new in (world.step(instance, state, move) for move in found) if hasattr(new, "cost")]
        if not after:
            return
        state = after[-1]


STRANGE: Mapping[str, list[Json]] = {
    "TW-001": [None, 7, "anvil", ["smelt"], {"smelt": 1}],
    "PS-001": [None, 7, "anvil", ["acquire"]],
    "KL-001": [None, "k1", {"op": "pickup"}, {"op": "pickup", "arg": "D-H"}, {"op": "fly", "arg": "k1"}],
    "RS-001": [None, {"job": "A"}, {"job": "A", "start": -1}, {"job": "Z", "start": 0}, {"job": "A", "start": 99}],
    "PA-001": [None, {"from": "S.p"}, {"from": "S.p", "to": "no"}],
    "FT-001": [None, {"piece": "A"}, {"piece": "A", "x": 2**60, "y": 0}, {"piece": "A", "x": 0, "y": 0, "turn": 9}],
    "BC-001": [None, {"id": "g0", "op": "AND", "inputs": ["b", "a"]}, {"id": "g9", "op": "AND", "inputs": ["a", "b"]}],
    "TP-001": [None, {"op": "decode"}, {"op": "x", "args": [], "out": []}],
    "CO-001": [None, 7, "E", ["A"], {"label": "A"}],
}


@pytest.mark.parametrize("code", STRANGE)
def test_what_is_no_move_is_malformed(code: str) -> None:
    one = showcase(code)
    whole = base(one.family, WORLDS[one.family].read_instance(one.instance))
    for move in STRANGE[code]:
        with pytest.raises(MalformedInput, match="/request/require/0"):
            asked(whole, {**NOTHING, "require": [move]}, "/request")


def test_every_family_is_tried() -> None:
    assert {showcase(code).family for code in IMPOSSIBLE} == set(STATEMENTS) == {showcase(c).family for c in STRANGE}
