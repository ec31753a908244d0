"""The checker on named cases: what it verifies, what it refuses and why, and what its exit codes and lines say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from math import perm
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from unit.certificate_samples import CODES, LIMITS, every, judge, of_showcase, of_size, of_weld, proofs

from cwr_audits.staging import put_folder
from cwr_certificates import bundle, desk, formulas
from cwr_certificates.catalogue import STATEMENTS
from cwr_certificates.check import beside, check, read_bounded
from cwr_certificates.desk import digest, number
from cwr_certificates.kernel import DEFAULT, Limits
from cwr_certificates.lrat import solve
from cwr_certificates.prover import Issued, issue
from cwr_certificates.replay import case
from cwr_certificates.seal import DOCUMENT, sealed
from cwr_solvers.catalogue import showcase
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, canonical, decimal_text, parse
from cwr_solvers.showcases import index_path

CERTIFICATES = Path(bundle.ROOT, "certificates")
FIXTURES = parse(index_path().read_bytes(), INSTANCE_BYTES, INSTANCE_DEPTH)
SCHEMA = json.loads((CERTIFICATES / "schema" / "certificate.schema.json").read_text("utf-8"))


def document_of(issued: Issued) -> Any:
    return json.loads(issued.files[DOCUMENT])


def resealed(issued: Issued, document: Any, files: Mapping[str, bytes] | None = None) -> dict[str, bytes]:
    """The files with another document, its seal made anew."""
    return {**issued.files, **(files or {}), DOCUMENT: sealed(document)}


def claim_of(document: Any, kind: str, place: int = 0) -> Any:
    return [claim for claim in document["claims"] if claim["kind"] == kind][place]


def with_proof(document: Any, kind: str, proof: bytes) -> dict[str, bytes]:
    """The proof of the first claim of a kind replaced, its digest made anew."""
    refutation = claim_of(document, kind)["refutation"]
    refutation["proof_sha256"] = digest(proof)
    return {refutation["proof"]: proof}


def test_every_sample_is_verified_and_of_the_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    for issued in every():
        report = judge(issued.files)
        assert report.outcome == "verified", report
        assert len(report.findings) == len(document_of(issued)["claims"])
        Draft202012Validator(SCHEMA).validate(document_of(issued))


@pytest.mark.parametrize("code", CODES)
def test_what_was_examined_is_counted(code: str) -> None:
    issued = of_showcase(code)
    report = check(issued.files[DOCUMENT], proofs(issued.files), FIXTURES)
    assert report.desk is not None
    claims = document_of(issued)["claims"]
    members = sum(len(one["members"]) for one in claim_of(document_of(issued), "complete")["classes"])
    counter = len([claim for claim in claims if "counterexample" in claim])
    legal = len([claim for claim in claims if claim["kind"] in ("legal", "rejected")])
    assert report.desk.models == legal + 1 + members + counter
    assert report.desk.refutations == len(issued.formulas) == len(issued.files) - 1
    lines = sum(data.count(b"\n") for name, data in issued.files.items() if name != DOCUMENT)
    assert report.desk.steps == lines
    assert report.document.text == f"the instance is that of showcase {code}"


def test_each_claim_says_what_it_rests_on() -> None:
    report = judge(of_showcase("TP-001").files)
    rests = {finding.kind: finding.shown.rests_on for finding in report.findings if finding.shown}
    assert rests["rejected"] == "replay alone"
    assert rests["legal"] == "replay and statement"
    assert rests["optimum"] == "replay and statement, kernel"
    assert rests["motif"] == "statement and kernel"
    assert rests["raw_count"].endswith("formula for namings")


# name -> (sample, edit of the document, outcome, part of a finding's text); the edited document is sealed anew
Edit = Callable[[Any], Any]
TW, TP, RS = "TW-001", "TP-001", "RS-001"


def _set(kind: str, /, **fields: Any) -> Edit:
    return lambda document: claim_of(document, kind).update(fields)


def _drop(kind: str, field: str) -> Edit:
    return lambda document: claim_of(document, kind).pop(field)


def _at(document: Any, kind: str) -> int:
    return int(document["claims"].index(claim_of(document, kind)))


REFUSED: dict[str, tuple[str, Edit, str, str]] = {
    "no claims": (TW, lambda d: d.update(claims=[]), "rejected", "nothing was examined"),
    "claims that are no list": (TW, lambda d: d.update(claims={}), "malformed", "an array"),
    "an unknown kind": (TW, _set("unique", kind="best"), "malformed", "a kind of claim out of"),
    "no kind": (TW, _drop("unique", "kind"), "malformed", "/kind"),
    "a claim that is no object": (TW, lambda d: d["claims"].append(7), "malformed", "an object"),
    "an unknown field of the document": (TW, lambda d: d.update(note="x"), "malformed", "unknown-key"),
    "a missing field of the document": (TW, lambda d: d.pop("code"), "malformed", "missing-key"),
    "an unknown field of a claim": (TW, _set("legal", cost=4), "malformed", "unknown-key"),
    "a missing field of a claim": (TW, _drop("legal", "goal"), "malformed", "missing-key"),
    "another schema": (TW, lambda d: d.update(schema="cwr-certificate/2"), "malformed", "a schema out of"),
    "another statement": (TW, lambda d: d.update(statement="tw/0"), "rejected", "the statement is not"),
    "an unknown family": (TW, lambda d: d.update(family="XX"), "malformed", "a family out of"),
    "another family": (TW, lambda d: d.update(family="RS"), "malformed", "malformed"),
    "another code": (TW, lambda d: d.update(code="TW-002"), "rejected", "the code of the instance"),
    "another digest of the instance": (TW, lambda d: d.update(instance_sha256="0" * 64), "rejected", "digest of the"),
    "an instance out of normal form": (TW, lambda d: d["instance"].pop("code"), "malformed", "missing-key"),
    "a default spelled out": (
        TW,
        lambda d: d["instance"]["initial"].update(blank=0),
        "rejected",
        "the normal form of the instance",
    ),
    "goal as a number": (TW, _set("legal", goal=1), "malformed", "true or false"),
    "goal the other way": (TW, _set("legal", goal=False), "rejected", "the replay says accepted"),
    "an illegal submission called legal": (
        TW,
        _set("legal", submission={"actions": ["coat"]}),
        "rejected",
        "the replay says illegal (R1)",
    ),
    "a submission that is none": (
        TW,
        _set("legal", submission={"actions": ["x"]}),
        "malformed",
        "/submission/actions/0",
    ),
    "a legal submission called rejected": (
        TW,
        _set("rejected", submission={"actions": []}),
        "rejected",
        "the replay says rejected, not illegal",
    ),
    "another step": (TW, _set("rejected", step=2), "rejected", "the first illegal step"),
    "another rule": (TW, _set("rejected", rules=["R2"]), "rejected", "the list of broken rules"),
    "a rule more": (TW, _set("rejected", rules=["R1", "R2"]), "rejected", "the list of broken rules"),
    "no rules": (TW, _set("rejected", rules=[]), "rejected", "the list of broken rules"),
    "an optimum less": (TW, _set("optimum", value=3), "rejected", "the cost of the model"),
    "an optimum more": (RS, _set("optimum", value=5), "rejected", "the cost of the model"),
    "a model of another cost": (
        RS,
        _set("optimum", value=5, model={"starts": {"A": 0, "B": 0, "C": 2, "D": 3, "E": 4}}),
        "rejected",
        "formula is not as worked out",
    ),
    "a model that is not accepted": (
        TW,
        _set("optimum", model={"actions": []}),
        "rejected",
        "the replay says rejected",
    ),
    "the other meaning of members": (TP, _set("complete", means="members"), "rejected", "what a member means"),
    "an unknown meaning": (TP, _set("complete", means="all"), "rejected", "what a member means"),
    "the other evidence": (TP, _set("raw_count", evidence="listed"), "rejected", "the evidence"),
    "a count as text": (TP, _set("raw_count", value="720"), "rejected", "the number of raw submissions"),
    "a count less": (TP, _set("raw_count", value=719), "rejected", "the number of raw submissions"),
    "one for true": (TW, _set("unique", class_bound=1), "rejected", "class_bound"),
    "uniqueness the other way": (TW, _set("unique", raw_bound=True), "rejected", "raw_bound"),
    "rests on itself": (
        TW,
        lambda d: claim_of(d, "unique").update(rests_on=_at(d, "unique")),
        "rejected",
        "not an earlier",
    ),
    "rests on what follows": (
        TW,
        lambda d: d["claims"].insert(0, d["claims"].pop(_at(d, "raw_count"))),
        "rejected",
        "which is not an earlier one",
    ),
    "rests on another kind": (TW, _set("unique", rests_on=0), "rejected", "of kind legal, not complete"),
    "rests on nothing": (TW, _set("unique", rests_on=-1), "malformed", "out-of-range"),
    "rests on true": (TW, _set("unique", rests_on=True), "malformed", "an integer"),
    "rests on what is rejected": (TW, _set("complete", means="quotient"), "rejected", "which is rejected"),
    "a size by name only": (
        TP,
        lambda d: claim_of(d, "complete")["classes"][0].update(size=1),
        "rejected",
        "the list of classes",
    ),
    "another representative": (
        TW,
        lambda d: claim_of(d, "complete")["classes"][0].update(representative={"actions": []}),
        "rejected",
        "the list of classes",
    ),
    "a class split": (
        TW,
        lambda d: claim_of(d, "complete").update(
            classes=[
                {"representative": word, "size": 1, "members": [word]}
                for word in claim_of(d, "complete")["classes"][0]["members"]
            ]
        ),
        "rejected",
        "a size, by the statement,",
    ),
    "classes merged": (
        RS,
        lambda d: claim_of(d, "complete").update(
            classes=[
                {
                    "representative": claim_of(d, "complete")["classes"][0]["representative"],
                    "size": 9,
                    "members": [one["members"][0] for one in claim_of(d, "complete")["classes"]],
                }
            ]
        ),
        "rejected",
        "a size, by the statement,",
    ),
    "classes in another order": (
        RS,
        lambda d: claim_of(d, "complete")["classes"].reverse(),
        "rejected",
        "the list of classes",
    ),
    "a class twice": (
        RS,
        lambda d: claim_of(d, "complete")["classes"].append(claim_of(d, "complete")["classes"][0]),
        "rejected",
        "a size, by the statement,",
    ),
    "a class left out": (
        RS,
        lambda d: claim_of(d, "complete")["classes"].pop(),
        "rejected",
        "formula is not as worked out",
    ),
    "a member that is not accepted": (
        RS,
        lambda d: claim_of(d, "complete")["classes"][0]["members"][0]["starts"].update(E=0),
        "rejected",
        "the replay says illegal",
    ),
    "a motif that the world has not": (RS, _set("motif", name="main"), "malformed", "a motif out of"),
    "another motif": (RS, _set("motif", name="strict"), "rejected", "formula is not as worked out"),
    "an unknown label": (RS, _set("motif", label="likely"), "malformed", "a label out of"),
    "a motif on a submission that misses the goal": (
        TW,
        lambda d: claim_of(d, "motif").update(rests_on=[c.get("goal") for c in d["claims"]].index(False)),
        "rejected",
        "misses the goal",
    ),
    "a counterexample that has the motif": (
        RS,
        lambda d: claim_of(d, "motif", 2).update(counterexample=d["claims"][0]["submission"]),
        "rejected",
        "not shown to lack",
    ),
    "necessity of what is witness-only": (
        RS,
        lambda d: (
            claim_of(d, "motif", 2).update(label="necessary"),
            claim_of(d, "motif", 2).pop("counterexample"),
            claim_of(d, "motif", 2).pop("extra"),
        ),
        "rejected",
        "formula is not as worked out",
    ),
    "witness-only of what is necessary": (
        RS,
        lambda d: claim_of(d, "motif").update(
            label="witness-only", counterexample=d["claims"][1]["submission"], extra=[]
        ),
        "rejected",
        "not shown to lack",
    ),
    "infeasible of what is feasible": (
        RS,
        lambda d: d["claims"].append({"kind": "infeasible", "refutation": claim_of(d, "optimum")["refutation"]}),
        "rejected",
        "formula is not as worked out",
    ),
    "another formula digest": (
        TW,
        lambda d: claim_of(d, "optimum")["refutation"].update(formula_sha256="0" * 64),
        "rejected",
        "the formula is not as worked out",
    ),
    "another number of clauses": (
        TW,
        lambda d: claim_of(d, "optimum")["refutation"].update(clauses=1),
        "rejected",
        "formula is not as worked out",
    ),
    "another proof digest": (
        TW,
        lambda d: claim_of(d, "optimum")["refutation"].update(proof_sha256="0" * 64),
        "rejected",
        "the proof optimum.lrat is not",
    ),
    "the proof of another claim": (
        TW,
        lambda d: claim_of(d, "optimum").update(
            refutation={
                **claim_of(d, "optimum")["refutation"],
                "proof": "complete.lrat",
                "proof_sha256": claim_of(d, "complete")["refutation"]["proof_sha256"],
            }
        ),
        "rejected",
        "complete.lrat: line",
    ),
}
PATHS = (
    "../optimum.lrat",
    "a/optimum.lrat",
    "/optimum.lrat",
    "..",
    "",
    "optimum",
    "Optimum.lrat",
    "optimum.lrat\n",
    "é.lrat",
)
for path in PATHS:
    REFUSED[f"a proof called {path!r}"] = (
        TW,
        lambda d, path=path: claim_of(d, "optimum")["refutation"].update(proof=path),
        "malformed",
        "a bare file name",
    )
REFUSED["a proof that is not there"] = (
    TW,
    lambda d: claim_of(d, "optimum")["refutation"].update(proof="other.lrat"),
    "rejected",
    "other.lrat is missing",
)


@pytest.mark.parametrize("name", REFUSED)
def test_a_false_document_is_refused_for_its_fault(name: str) -> None:
    code, edit, outcome, reason = REFUSED[name]
    issued = of_showcase(code)
    document = document_of(issued)
    edit(document)
    report = judge(resealed(issued, document))
    assert report.outcome == outcome, report
    assert [one for one in (report.document, *report.findings) if one.outcome == outcome and reason in one.text], report


def test_a_document_changed_after_sealing_is_rejected() -> None:
    issued = of_showcase(TW)
    document = document_of(issued)
    document["claims"].pop()
    report = judge({**issued.files, DOCUMENT: canonical(document)})
    assert (report.outcome, report.document.text) == ("rejected", "the seal is not as worked out")


SPELLINGS = {
    "a space": lambda text: text.replace(b":", b": ", 1),
    "a newline at the end": lambda text: text + b"\n",
    "another order of keys": lambda text: json.dumps(
        dict(reversed(json.loads(text).items())), separators=(",", ":")
    ).encode(),
    "an escape": lambda text: text.replace(b"TW-001", b"TW\\u002d001", 1),
    "a key twice": lambda text: text.replace(b'{"claims":', b'{"code":"TW-001","claims":', 1),
    "a byte-order mark": lambda text: b"\xef\xbb\xbf" + text,
    "a fraction": lambda text: text.replace(b'"value":4', b'"value":4.0', 1),
    "half of it": lambda text: text[: len(text) // 2],
    "nothing": lambda _: b"",
    "a list": lambda _: b"[]",
    "depth": lambda _: b"[" * 100_000,
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_other_spellings_are_malformed(name: str) -> None:
    issued = of_showcase(TW)
    spelled = SPELLINGS[name](issued.files[DOCUMENT])
    assert spelled != issued.files[DOCUMENT]
    assert judge({**issued.files, DOCUMENT: spelled}).outcome == "malformed"


PROOFS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda _: b"", "not lines of numbers"),
    "cut short by a line": (lambda proof: proof[: proof.rstrip(b"\n").rindex(b"\n") + 1], "without the empty clause"),
    "cut short within a line": (lambda proof: proof[:-3], "not lines of numbers"),
    "with shifted ids": (
        lambda proof: b"".join(
            b"%d %s\n" % (int(line.split(b" ", 1)[0]) - 1, line.split(b" ", 1)[1]) for line in proof.splitlines()
        ),
        "id ",
    ),
    "without its first line": (lambda proof: proof.split(b"\n", 1)[1], "is no live clause"),
    "only claiming the empty clause": (lambda _: b"100000 0 1 0\n", "is not false"),
}


@pytest.mark.parametrize("name", PROOFS)
def test_a_wrong_proof_is_rejected_even_under_its_own_digest(name: str) -> None:
    spoil, reason = PROOFS[name]
    issued = of_showcase(TW)
    document = document_of(issued)
    files = with_proof(document, "complete", spoil(issued.files["complete.lrat"]))
    report = judge(resealed(issued, document, files))
    assert report.outcome == "rejected"
    assert [one.text for one in report.findings if one.kind == "complete" and reason in one.text], report


@pytest.mark.parametrize("honest", [False, True], ids=["its own digest", "the digest that is due"])
def test_a_right_proof_of_another_formula_is_rejected(honest: bool) -> None:
    """A word is left out of `complete`; the proof is right for the formula that blocks all words."""
    issued = of_showcase(RS)
    document = document_of(issued)
    claim = claim_of(document, "complete")
    dropped = claim["classes"].pop()
    base = formulas.base(RS[:2], case(RS[:2], document["instance"]).instance)
    kept = [member for one in claim["classes"] for member in one["members"]]
    right = formulas.others(base, [*kept, *dropped["members"]])
    due = formulas.others(base, kept)
    proof = solve(right.clauses, 60.0).proof or b""
    assert proof
    stated = due if honest else right
    claim["refutation"].update(clauses=len(stated.clauses), formula_sha256=digest(formulas.dimacs(stated)))
    report = judge(resealed(issued, document, with_proof(document, "complete", proof)))
    finding = next(one for one in report.findings if one.kind == "complete")
    assert report.outcome == finding.outcome == "rejected"
    assert ("complete.lrat: line" if honest else "formula is not as worked out") in finding.text


def test_a_right_proof_of_a_weaker_formula_of_the_motif_is_rejected() -> None:
    """`strict` is not necessary; with the witness fixed its denial is refuted, which shows less."""
    issued = of_showcase(RS)
    document = document_of(issued)
    claim = claim_of(document, "motif", 2)
    assert claim["label"] == "witness-only"
    claim["label"] = "necessary"
    del claim["counterexample"], claim["extra"]
    base = formulas.base("RS", case("RS", document["instance"]).instance)
    due = formulas.lacking(base, claim["name"])
    claim["refutation"].update(clauses=len(due.clauses), formula_sha256=digest(formulas.dimacs(due)))
    report = judge(resealed(issued, document))
    assert report.outcome == "rejected"
    assert [one for one in report.findings if f"{claim['refutation']['proof']}: line" in one.text]


def test_free_choices_are_needed_and_must_fit() -> None:
    issued = of_weld()
    document = document_of(issued)
    claim = claim_of(document, "motif")
    assert claim["extra"]
    for extra in ([], [*claim["extra"], -claim["extra"][0]], [1, -1]):
        claim["extra"] = extra
        assert judge(resealed(issued, document)).outcome == "rejected"
    claim["extra"] = [10**6]
    assert judge(resealed(issued, document)).outcome == "malformed"


def test_a_statement_that_differs_from_the_replay_is_said_to_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    issued = of_showcase(TW)
    monkeypatch.setattr(STATEMENTS["TW"], "g_goal", lambda *_: None)
    report = judge(issued.files)
    assert report.outcome == "rejected"
    legal = [one.text for one in report.findings if one.kind == "legal" and "replay and statement differ" in one.text]
    assert legal == ["replay and statement differ: rejected by the one, the opposite by tw/3"] * len(legal) != []


def test_members_that_are_no_words_are_rejected() -> None:
    """TP's one word under other names: accepted, yet not the word."""
    issued = of_showcase(TP)
    document = document_of(issued)
    claim = claim_of(document, "complete")
    renamed = json.loads(json.dumps(claim).replace('"v0"', '"x"').replace('"v1"', '"v0"').replace('"x"', '"v1"'))
    claim.update(renamed)
    report = judge(resealed(issued, document))
    assert report.outcome == "rejected"
    assert [one for one in report.findings if one.text == "the normal form of a member is not as worked out"]


def test_a_limit_leaves_the_claim_and_what_rests_on_it_undecided() -> None:
    issued = of_showcase(TW)
    report = check(issued.files[DOCUMENT], proofs(issued.files), None, Limits(steps=20))
    found = {one.kind: one.outcome for one in report.findings}
    assert (found["complete"], found["raw_count"], found["unique"]) == ("undecided",) * 3
    assert found["optimum"] == "verified"
    assert report.outcome == "undecided"


@pytest.mark.parametrize("error", [MemoryError, RecursionError])
def test_out_of_memory_or_stack_is_undecided(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    def exhausted(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(desk, "satisfied", exhausted)
    report = judge(of_showcase(TW).files)
    assert report.outcome == "undecided"
    assert {one.outcome for one in report.findings if one.kind == "rejected"} == {"verified"}


def test_the_worst_outcome_is_that_of_the_document() -> None:
    issued = of_showcase(TW)
    document = document_of(issued)
    document["claims"].append({"kind": "best"})
    malformed = resealed(issued, document)
    assert check(malformed[DOCUMENT], proofs(malformed), None, Limits(steps=20)).outcome == "malformed"
    claim_of(document, "legal")["goal"] = False
    assert judge(resealed(issued, document)).outcome == "rejected"


def test_an_instance_too_large_for_a_formula_is_undecided() -> None:
    issued = of_showcase(RS)
    document = document_of(issued)
    document["instance"]["deadline"] = 1_000_000
    document["instance_sha256"] = digest(canonical(document["instance"]))
    report = judge(resealed(issued, document))
    assert (report.outcome, report.document.outcome) == ("undecided", "undecided")


def test_the_instance_of_a_known_code_must_be_that_of_the_showcase() -> None:
    issued = of_size("TW", "few")
    document = document_of(issued)
    known = check(issued.files[DOCUMENT], proofs(issued.files), FIXTURES)
    assert known.outcome == "verified"
    assert f"no showcase here has the code {document['code']}" in known.document.text
    document["code"] = document["instance"]["code"] = TW
    document["instance_sha256"] = digest(canonical(document["instance"]))
    files = resealed(issued, document)
    assert judge(files).outcome == "verified"
    report = check(files[DOCUMENT], proofs(files), FIXTURES)
    assert (report.outcome, report.document.outcome) == ("rejected", "rejected")
    assert f"the instance of showcase {TW}" in report.document.text


def test_counts_beyond_the_integers_of_json_are_decimal_strings() -> None:
    assert [number(2**53), number(2**53 + 1)] == [2**53, "9007199254740993"]
    assert number(10**5000) == "1" + 5000 * "0"


def wide(created: int) -> Any:
    """A pipeline whose one accepted word creates so many values, with as many and 500 more names to choose from."""
    values: list[Any] = [{"type": "T", "value": [0]}] * created
    boom = {"name": "boom", "inputs": [], "outputs": ["T"] * created, "table": [{"in": [], "out": [[0]] * created}]}
    return {
        "family": "TP",
        "code": "WIDE",
        "types": {"T": [[0]]},
        "operations": [boom],
        "initial": {},
        "ids": [f"v{number}" for number in range(created + 500)],
        "goal": {"values": values, "leftovers": "forbidden"},
        "budget": {"live": created, "steps": 1, "cost": 1},
    }


def test_a_count_of_thousands_of_digits_is_certified_and_checked() -> None:
    issued = issue("TP", "WIDE", wide(1400), None, [], [], LIMITS)
    report = judge(issued.files)
    total = claim_of(document_of(issued), "raw_count")["value"]
    assert report.outcome == "verified"
    assert total == decimal_text(perm(1900, 1400))
    text = next(finding.text for finding in report.findings if finding.kind == "raw_count")
    assert f"{total[:60]}… ({len(total)} digits)" in text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    put_folder(tmp_path / TW, of_showcase(TW).files)
    return tmp_path / TW


def _checked(folder: Path, limits: Limits = DEFAULT) -> Any:
    return check((folder / DOCUMENT).read_bytes(), beside(folder / DOCUMENT, limits), None)


def test_proofs_are_read_beside_the_certificate(folder: Path) -> None:
    assert _checked(folder).outcome == "verified"


def test_a_missing_proof_is_rejected(folder: Path) -> None:
    (folder / "optimum.lrat").unlink()
    assert _checked(folder).outcome == "rejected"


def test_a_folder_for_a_proof_is_rejected(folder: Path) -> None:
    (folder / "optimum.lrat").unlink()
    (folder / "optimum.lrat").mkdir()
    assert _checked(folder).outcome == "rejected"


def test_a_link_for_a_proof_is_rejected(folder: Path) -> None:
    (folder / "optimum.lrat").rename(folder / "elsewhere")
    (folder / "optimum.lrat").symlink_to(folder / "elsewhere")
    report = _checked(folder)
    assert report.outcome == "rejected"
    assert [one for one in report.findings if "is no plain file" in one.text]


def test_a_proof_too_large_to_read_is_undecided(folder: Path) -> None:
    assert _checked(folder, Limits(proof_bytes=300)).outcome == "undecided"


def test_a_folder_is_replaced_as_a_whole(folder: Path) -> None:
    (folder / "stale.lrat").write_bytes(b"")
    put_folder(folder, of_showcase(TW).files)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == dict(of_showcase(TW).files)
    assert [path.name for path in folder.parent.iterdir()] == [TW]


def test_a_failed_write_leaves_the_folder_as_it_was(folder: Path) -> None:
    with pytest.raises(OSError, match="zzz"):
        put_folder(folder, {**of_showcase(TW).files, "zzz": b"", "zzz/below": b""})
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == dict(of_showcase(TW).files)
    assert [path.name for path in folder.parent.iterdir()] == [TW]


def run(*arguments: str | Path, flags: tuple[str, ...] = ("-I", "-S"), main: Path = CERTIFICATES) -> Any:
    """The checker as a stranger runs it: away from the checkout, with nothing of ours on the path."""
    return subprocess.run(
        [sys.executable, *flags, str(main), *map(str, arguments)],
        cwd="/",
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders called after the outcome of what is in them."""
    root = tmp_path_factory.mktemp("ends")
    issued = of_showcase(TW)
    put_folder(root / "verified", issued.files)
    put_folder(root / "rejected", {**issued.files, "optimum.lrat": b"9 0 1 0\n"})
    put_folder(root / "malformed", {**issued.files, DOCUMENT: b"{}"})
    put_folder(root / "undecided", issued.files)
    with (root / "undecided" / "optimum.lrat").open("wb") as file:
        file.truncate(DEFAULT.proof_bytes + 1)
    return root


EXITS = {
    ("verified",): 0,
    ("rejected",): 1,
    ("malformed",): 2,
    ("undecided",): 3,
    ("nowhere",): 2,
    ("verified", "verified"): 0,
    ("verified", "undecided"): 3,
    ("undecided", "malformed"): 2,
    ("malformed", "rejected", "verified"): 1,
}


@pytest.mark.parametrize("names", EXITS, ids=" ".join)
def test_exit_codes_are_of_the_worst_outcome(ends: Path, names: tuple[str, ...]) -> None:
    done = run(*(ends / name for name in names))
    assert done.returncode == EXITS[names], done.stdout
    assert done.stderr == ""
    for name in {*names} - {"nowhere"}:
        assert f"  {name.upper()}\n" in done.stdout


@pytest.mark.parametrize("flags", [(), ("-O",), ("-I", "-S", "-OO")], ids=["plain", "-O", "-I -S -OO"])
def test_flags_of_python_change_nothing(ends: Path, flags: tuple[str, ...]) -> None:
    assert run(ends / "verified" / DOCUMENT, flags=flags).returncode == 0
    assert run(ends / "rejected" / DOCUMENT, flags=flags).returncode == 1


def test_a_line_for_each_claim_totals_and_the_digest(ends: Path) -> None:
    said = run(ends / "verified").stdout
    document = document_of(of_showcase(TW))
    assert document["instance_sha256"] in said
    assert said.count(" verified  ") == len(document["claims"])
    assert "[replay alone]" in said
    assert f"{len(document['claims'])} claims: 0 rejected, 0 malformed, 0 undecided" in said
    assert "of no claim: infeasible" in said
    assert " 3 refutations, " in said


def test_the_instance_given_must_be_that_of_the_certificate(ends: Path, tmp_path: Path) -> None:
    for code, exit_code in ((TW, 0), (RS, 1)):
        path = tmp_path / f"{code}.json"
        path.write_text(json.dumps(showcase(code).instance, indent=1), "utf-8")
        assert run("--instance", path, ends / "verified").returncode == exit_code
    (tmp_path / "bad.json").write_text("{}", "utf-8")
    assert run("--instance", tmp_path / "bad.json", ends / "verified").returncode == 2
    assert run("--instance", tmp_path / "none.json", ends / "verified").returncode == 2


def test_the_report_as_json(ends: Path) -> None:
    lines = run("--json", ends / "verified", ends / "malformed").stdout.splitlines()
    verified, malformed = map(json.loads, lines)
    assert verified["outcome"] == "verified"
    assert {claim["outcome"] for claim in verified["claims"]} == {"verified"}
    assert verified["examined"]["refutations"] == 3
    assert (malformed["outcome"], malformed["claims"], malformed["examined"]) == ("malformed", [], None)


def test_limits_of_steps_and_time_are_undecided(ends: Path, tmp_path: Path) -> None:
    assert run("--steps", "20", ends / "verified").returncode == 3
    os.mkfifo(tmp_path / DOCUMENT)  # nobody ever writes into it
    done = run("--seconds", "1", tmp_path)
    assert done.returncode == 3
    assert "not checked in 1 seconds" in done.stdout


@pytest.mark.parametrize(
    "given", [("--seconds", "0"), ("--steps", "-1"), ("--seconds", "x"), ("--what",), ()], ids=" ".join
)
def test_a_wrong_call_is_no_verdict(given: tuple[str, ...], ends: Path) -> None:
    done = run(*given, *([ends / "verified"] if given else []))
    assert done.returncode == 2
    assert "usage:" in done.stderr
    assert "Traceback" not in done.stderr


def test_formulas_that_cannot_be_written_are_no_verdict(ends: Path) -> None:
    done = run("--formulas", ends / "verified" / DOCUMENT, ends / "verified")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_formulas_are_written_for_other_checkers(ends: Path, tmp_path: Path) -> None:
    assert run("--formulas", tmp_path, ends / "verified").returncode == 0
    written = {path.name: path.read_bytes() for path in tmp_path.glob("*/*.cnf")}
    assert written == dict(of_showcase(TW).formulas)


def test_the_one_file_checker_says_the_same(ends: Path, tmp_path: Path) -> None:
    archive = tmp_path / "check.pyz"
    archive.write_bytes(bundle.build())
    assert archive.read_bytes() == bundle.build()
    for name, exit_code in (("verified", 0), ("rejected", 1)):
        done = run(ends / name, main=archive)
        assert done.returncode == exit_code, done.stdout + done.stderr
        assert done.stdout == run(ends / name).stdout


def test_the_one_file_checker_holds_no_prover_and_no_third_party() -> None:
    names = [name for name, _ in bundle.members()]
    assert "cwr_certificates/kernel.py" in names
    assert not [name for name in names for word in ("prover", "lrat", "backends", "/world.py") if word in name[15:]]


def test_reports_are_printed_before_later_certificates_are_checked(ends: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / DOCUMENT)
    started = subprocess.Popen(
        [sys.executable, str(CERTIFICATES), str(ends / "verified"), str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert started.stdout is not None
    assert started.stdout.readline() == f"{ends / 'verified'}\n"  # while the other is still waited for
    assert started.poll() is None
    started.kill()
    started.communicate(timeout=20)


@pytest.mark.parametrize("where", ["certificate", "instance"])
def test_files_without_end_are_read_to_their_limit(ends: Path, where: str) -> None:
    given = ["/dev/zero"] if where == "certificate" else ["--instance", "/dev/zero", str(ends / "verified")]
    limited = f"ulimit -v 1500000; exec '{sys.executable}' '{CERTIFICATES}' \"$@\""
    done = subprocess.run(["sh", "-c", limited, "sh", *given], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2, done.stderr
    assert "too-large" in done.stdout + done.stderr


def test_a_proof_that_grows_while_it_is_read_is_read_to_its_limit(folder: Path) -> None:
    assert read_bounded(folder / DOCUMENT, 10) == (folder / DOCUMENT).read_bytes()[:11]


def test_an_instance_that_nobody_writes_ends_in_time(ends: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "instance.json")
    done = run("--seconds", "1", "--instance", tmp_path / "instance.json", ends / "verified")
    assert done.returncode == 3
    assert "was not read in 1 seconds" in done.stderr


HUGE = "9" * 20


@pytest.mark.parametrize(
    "given",
    [[""], ["x" * 5000], [b"bad\xff"], ["--json", b"bad\xff"], ["--seconds", HUGE, "x"], ["--steps", HUGE, "x"]],
    ids=["empty", "long", "bytes", "bytes as JSON", "many seconds", "many steps"],
)
def test_strange_names_and_numbers_are_malformed(given: list[Any]) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(CERTIFICATES), *given], capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"MALFORMED" in done.stdout or b'"malformed"' in done.stdout or b"usage:" in done.stderr


def test_an_empty_name_is_not_the_folder_one_is_in(ends: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(CERTIFICATES), ""], cwd=ends / "verified", capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 2


def test_output_that_cannot_be_written_is_no_verdict(ends: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, str(CERTIFICATES), str(ends / "verified")],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"certificates: the output cannot be written")
    assert done.stderr.count(b"\n") == 1


BROKEN = """
import runpy, sys
from cwr_certificates import check
def broken(*_):
    raise KeyError("a fault of ours")
check.check = broken
sys.argv = ["certificates", *sys.argv[1:]]
runpy.run_path({main!r}, run_name="__main__")
"""


def test_a_fault_of_the_checker_is_neither_rejected_nor_malformed(ends: Path) -> None:
    program = BROKEN.format(main=str(CERTIFICATES / "__main__.py"))
    done = subprocess.run(
        [sys.executable, "-c", program, str(ends / "verified")], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 70
    assert done.stderr.startswith("certificates: internal error: KeyError")
    assert done.stderr.count("\n") == 1
