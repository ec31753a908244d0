"""Audits of packs: a good pack passes, and every planted fault is caught by the audit that it is for."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from made_packs import pack_of

from cwr_audits.packs import audits
from cwr_audits.packs.audits import AUDITS
from cwr_audits.packs.audits.likeness import Likeness
from cwr_audits.packs.audits.record import Why, worst
from cwr_audits.packs.model import EvaluatorRow, Pack
from cwr_audits.packs.replicas import renaming
from cwr_audits.packs.verdicts import Audit, audit_bytes
from cwr_audits.subject import subjects
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.jsontext import canonical, parse
from cwr_solvers.search import words

# the table's functions have the names of their modules
determinism, keys, leakage, vitality, witness = (
    sys.modules[f"cwr_audits.packs.audits.{name}"] for name in ("determinism", "keys", "leakage", "vitality", "witness")
)

CODE = "TW-001"
ROOT = Path(__file__).parents[2]
Plant = Callable[[Pack], Pack]


def audited(name: str, pack: Pack) -> Audit:
    found = AUDITS[name](pack)
    assert found.audit == name
    assert found.evidence or found.reasons
    return found


def codes(found: Audit) -> set[str]:
    return {why.code for why in found.reasons}


def rows_changed(pack: Pack, condition: str, change: Callable[[EvaluatorRow], EvaluatorRow]) -> Pack:
    """The pack with its first row of a condition changed."""
    rows = list(pack.evaluator)
    place = next(number for number, row in enumerate(rows) if row.condition == condition)
    rows[place] = change(rows[place])
    return replace(pack, evaluator=tuple(rows))


def source_changed(pack: Pack, name: str, change: Callable[[Any], Any]) -> Pack:
    found: Any = pack.sources[name]
    return replace(pack, sources={**pack.sources, name: change(json.loads(json.dumps(found)))})


def certificate_changed(pack: Pack, code: str, change: Callable[[Any], Any]) -> Pack:
    name = f"{code}/certificate.json"
    document: Any = parse(pack.certificates[name], 1 << 26, 24)
    return replace(pack, certificates={**pack.certificates, name: canonical(change(document))})


QUICK = [name for name in AUDITS if name != "determinism"]


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("code", ["TW-001", "RS-001", "KL-001", "PS-001"])
def test_a_good_pack_passes(name: str, code: str) -> None:
    found = audited(name, pack_of(code))
    assert [(why.code, why.text) for why in found.reasons] == []
    assert found.verdict == "passed"
    assert json.loads(audit_bytes(found))["audit"] == name
    assert isinstance(found.evidence, dict)
    assert found.evidence["examined"]


@pytest.mark.parametrize("name", AUDITS)
def test_an_audit_of_nothing_has_failed(name: str) -> None:
    nothing = Pack("seed", "00", (), (), (), (), {}, {})
    found = audited(name, nothing)
    assert found.verdict == "failed"


# --- plants: the audits that catch each


def key_turned(pack: Pack) -> Pack:
    def change(row: EvaluatorRow) -> EvaluatorRow:
        key: Any = row.key
        return replace(row, key={"legal": not key["legal"], "next_state": None})

    return rows_changed(pack, "P", change)


def r_id_changed(pack: Pack) -> Pack:
    def change(row: EvaluatorRow) -> EvaluatorRow:
        made: Any = json.loads(json.dumps(row.made))
        first, second = made["artifacts"][:2]
        first["artifact_id"], second["artifact_id"] = second["artifact_id"], first["artifact_id"]
        valid = next(one["artifact_id"] for one in made["artifacts"] if one["role"] == "valid")
        return replace(row, made=made, key={"artifact_id": valid})

    return rows_changed(pack, "R", change)


def without_certificate(pack: Pack) -> Pack:
    kept = {name: data for name, data in pack.certificates.items() if not name.startswith("TW-001-F/")}
    return replace(pack, certificates=kept)


def without_proof(pack: Pack) -> Pack:
    return replace(pack, certificates={k: v for k, v in pack.certificates.items() if not k.endswith("complete.lrat")})


def claimed(document: Any, kind: str) -> Any:
    return next(one for one in document["claims"] if one["kind"] == kind)


def optimum_changed(pack: Pack) -> Pack:
    def change(document: Any) -> Any:
        claimed(document, "optimum")["value"] = 3
        return document

    return certificate_changed(pack, CODE, change)


def swapped_arms(pack: Pack) -> Pack:
    """F is C's source and C is F's."""
    one, other = (json.loads(json.dumps(pack.sources[f"{CODE}-{arm}.json"])) for arm in "FC")
    for source, arm in ((one, "C"), (other, "F")):
        source["arm"] = arm
        source["instance"]["code"] = f"{CODE}-{arm}"
    return replace(pack, sources={f"{CODE}-C.json": one, f"{CODE}-F.json": other})


def labelled(pack: Pack) -> Pack:
    """The certificate of another world, whose motifs are not all necessary, says that they are."""

    def change(document: Any) -> Any:
        for one in document["claims"]:
            if one["kind"] == "motif":
                one["label"] = "necessary"
        return document

    return certificate_changed(pack, "RS-001", change)


def shown_unsolved(pack: Pack) -> Pack:
    return source_changed(pack, f"{CODE}-F.json", lambda one: {**one, "shown": {"actions": ["draw"]}})


def seen_in_c(pack: Pack) -> Pack:
    """The first C item shows a solution of the target, in the item's own names."""
    row = next(one for one in pack.evaluator if one.condition == "C")
    world = WORLDS[row.family]
    instance = world.read_instance(row.instance)
    solved = world.write_submission(instance, next(iter(words(world, instance))))
    made = {**row.made, "example": {"instance": row.instance, "submission": solved}}
    shown = canonical(solved).decode()
    model = [replace(one, prompt=one.prompt + shown) if one.item == row.item else one for one in pack.model]
    return rows_changed(replace(pack, model=tuple(model)), "C", lambda one: replace(one, made=made))


def target_renamed(pack: Pack) -> Pack:
    (about,) = subjects((CODE,))
    replica = renaming("TW", about.source, (), "plant")
    instance: Any = replica.source
    shown = replica.carried("submission", about.witness)
    renamed = {"instance": {**instance, "code": f"{CODE}-F"}, "shown": shown}
    return source_changed(pack, f"{CODE}-F.json", lambda one: {**one, **renamed})


def key_in_a_file_name(pack: Pack) -> Pack:
    return replace(pack, certificates={**pack.certificates, "TW-001/H2-is-valid.json": b"{}"})


def one_more_demonstration(pack: Pack) -> Pack:
    def change(row: EvaluatorRow) -> EvaluatorRow:
        listed: Any = row.made["demonstrations"]
        return replace(row, made={**row.made, "demonstrations": [*listed, listed[0]]})

    return rows_changed(pack, "F", change)


def slower(pack: Pack) -> Pack:
    """F's last job takes longer."""

    def change(one: Any) -> Any:
        one["instance"]["jobs"][-1]["duration"] += 1
        one["instance"]["deadline"] += 1
        return one

    return source_changed(pack, "RS-001-F.json", change)


def prompt_changed(pack: Pack, condition: str, more: Callable[[EvaluatorRow], str]) -> Pack:
    row = next(one for one in pack.evaluator if one.condition == condition)
    model = [replace(one, prompt=one.prompt + more(row)) if one.item == row.item else one for one in pack.model]
    return replace(pack, model=tuple(model))


def key_in_a_prompt(pack: Pack) -> Pack:
    return prompt_changed(pack, "E", lambda row: canonical(row.key).decode())


def code_in_a_prompt(pack: Pack) -> Pack:
    return prompt_changed(pack, "P", lambda row: f" ({row.world})")


def telling_id(pack: Pack) -> Pack:
    old = next(one.item for one in pack.evaluator if one.condition == "F")
    model = [replace(one, item="F-item") if one.item == old else one for one in pack.model]
    return rows_changed(replace(pack, model=tuple(model)), "F", lambda row: replace(row, item="F-item"))


def unasked(pack: Pack) -> Pack:
    return rows_changed(pack, "F", lambda row: replace(row, item="F-item"))


def one_session(pack: Pack) -> Pack:
    """A P item in the session of an R item."""
    session = next(one.session for one in pack.evaluator if one.condition == "R")
    return rows_changed(pack, "P", lambda row: replace(row, session=session))


def without_canary(pack: Pack) -> Pack:
    return source_changed(pack, f"{CODE}-C.json", lambda one: {**one, "canary": "another"})


def one_answer(pack: Pack) -> Pack:
    """Every R item has the same key."""
    rows = [replace(one, key={"artifact_id": "H0"}) if one.condition == "R" else one for one in pack.evaluator]
    return replace(pack, evaluator=tuple(rows))


def sibling_said_to_be_renamed(pack: Pack) -> Pack:
    rows = [replace(one, replica="renaming") for one in pack.evaluator]
    return replace(pack, evaluator=tuple(rows))


# what is planted, where, and the audits that catch it, no other: with codes among those that they give
PLANTS: dict[str, tuple[str, Plant, dict[str, set[str]]]] = {
    "the key of a P item": (
        CODE,
        key_turned,
        {"balance": {"p-labels"}, "keys": {"key-differs", "clauses-differ"}, "policies": {"constant"}},
    ),
    "unbalanced R ids": (CODE, r_id_changed, {"balance": {"r-ids"}, "policies": {"constant"}}),
    "no certificate of F": (
        CODE,
        without_certificate,
        {"space": {"no-certificate"}, "witness": {"not-in-certificate"}, "matching": {"unmatched"}},
    ),
    "no proof": (CODE, without_proof, {"space": {"not-verified"}}),
    "another optimum": (CODE, optimum_changed, {"space": {"count-differs", "not-verified"}}),
    "a motif claimed necessary that is not": (
        "RS-001",
        labelled,
        {"space": {"not-verified"}, "motif": {"not-necessary"}},
    ),
    "the witness in a C example": (
        CODE,
        seen_in_c,
        {"withholding": {"c-shown", "solution-shown"}, "witness": {"example-not-of-source"}, "policies": {"copied"}},
    ),
    "F is the target renamed": (
        CODE,
        target_renamed,
        {
            "leakage": {"leak"},
            "policies": {"copied"},
            "matching": {"unmatched"},
            "space": {"other-instance"},
            "witness": {"example-not-of-source"},
        },
    ),
    "a key in a file name": (CODE, key_in_a_file_name, {"leakage": {"telling-file-name"}}),
    "one more demonstration in F": (CODE, one_more_demonstration, {"matching": {"unmatched"}}),
    "an unmatched optimum": (
        "RS-001",
        slower,
        {
            "matching": {"unmatched"},
            "space": {"other-instance"},
            "witness": {"example-not-of-source"},
        },
    ),
    "a key in a prompt": (CODE, key_in_a_prompt, {"leakage": {"key-in-prompt"}}),
    "a code in a prompt": (CODE, code_in_a_prompt, {"leakage": {"evaluator-material"}}),
    "an id that tells": (CODE, telling_id, {"leakage": {"telling-id"}}),
    "a P item in an R session": (
        CODE,
        one_session,
        {"leakage": {"mixed-session", "telling-id"}, "withholding": {"r-session"}},
    ),
    "a source without canary": (CODE, without_canary, {"leakage": {"no-canary"}}),
    "one answer to all R items": (
        CODE,
        one_answer,
        {"policies": {"constant"}, "balance": {"r-ids"}, "keys": {"key-differs"}},
    ),
    "a sibling said to be renamed": (
        CODE,
        sibling_said_to_be_renamed,
        {"space": {"other-base"}, "withholding": {"solution-shown"}},
    ),
}
SLOW = ("determinism", "vitality")  # these look at nothing that is planted here, but at the checkout and at instances


@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_fault_is_caught_by_whom_it_is_for(plant: str) -> None:
    code, make, catching = PLANTS[plant]
    pack = make(pack_of(code))
    found = {name: audited(name, pack) for name in AUDITS if name not in SLOW}
    assert {name: one.verdict for name, one in found.items() if one.verdict != "passed"} == dict.fromkeys(
        catching, "failed"
    )
    for name, wanted in catching.items():
        assert codes(found[name]) >= wanted


def test_an_unmatched_optimum_is_named() -> None:
    said = [why.text for why in audited("matching", slower(pack_of("RS-001"))).reasons]
    assert [one for one in said if "optimum" in one] == ["RS-001: optimum: F 7, C 6, tolerance 0 percent"]


@pytest.mark.parametrize("name", QUICK)
def test_an_item_that_no_model_sees_is_malformed(name: str) -> None:
    assert codes(audited(name, unasked(pack_of(CODE)))) == {"malformed"}


def test_the_arms_exchanged() -> None:
    found = audited("motif", swapped_arms(pack_of(CODE)))
    assert codes(found) == {"f-lacks", "c-has"}
    assert {"c-shown", "c-accepted"} == codes(audited("withholding", swapped_arms(pack_of(CODE))))


def test_a_search_that_was_cut_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leakage, "Likeness", partial(Likeness, most=3))
    found = audited("leakage", pack_of(CODE))
    assert (found.verdict, codes(found)) == ("undecided", {"search-cut"})
    monkeypatch.setattr(vitality, "MOST_TRIED", 3)
    found = audited("vitality", pack_of("PS-001"))
    assert found.verdict == "undecided"
    assert "not-shown" in codes(found)


def test_clauses_that_say_otherwise_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "judge", lambda _world, _instance: lambda _submission: "accepted")
    assert codes(audited("keys", pack_of(CODE))) == {"clauses-differ"}
    monkeypatch.setattr(witness, "judge", lambda _world, _instance: lambda _submission: "illegal")
    assert codes(audited("witness", pack_of(CODE))) == {"clauses-differ"}


def test_a_pack_is_made_again_byte_for_byte() -> None:
    good = pack_of(CODE)
    assert audited("determinism", good).verdict == "passed"
    changed = key_in_a_file_name(code_in_a_prompt(good))
    found = audited("determinism", replace(changed, sources={}))
    assert codes(found) == {"differs", "missing", "added"}


def test_a_process_that_fails_leaves_it_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(determinism.sys, "executable", "false")
    found = audited("determinism", pack_of(CODE))
    assert (found.verdict, codes(found)) == ("undecided", {"not-rebuilt"})


def test_the_worst_verdict_decides() -> None:
    assert worst([]) == "passed"
    assert worst(["passed", "undecided"]) == "undecided"
    assert worst(["undecided", "failed", "passed"]) == "failed"
    assert Why("x", "y", "z").verdict == "failed"


def given(path: Path) -> set[str]:
    """The codes that a module gives as reasons."""
    calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    named = [node for node in calls if isinstance(node.func, ast.Name) and node.func.id == "Why"]
    first = [node.args[0] for node in named if node.args]
    return {one.value for one in first if isinstance(one, ast.Constant) and isinstance(one.value, str)}


def test_every_code_is_explained_where_it_is_given_and_in_the_document() -> None:
    text = (ROOT / "docs" / "audits.md").read_text("utf-8")
    found = {path: given(path) for path in sorted(Path(audits.__file__).parent.glob("*.py"))}
    assert sum(map(len, found.values())) > 40
    for path, known in found.items():
        assert [code for code in known if f"`{code}`" not in text] == []
        docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        assert [code for code in known if code not in docstring] == []
    assert [name for name in AUDITS if f"\n## {name}\n" not in text] == []
