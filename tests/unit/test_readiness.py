"""What is ready rests on evidence of this very instance and code; without it nothing is ready."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cwr_audits import readiness
from cwr_audits.checking import check_file
from cwr_audits.cli import run
from cwr_audits.commands import attack as attack_command
from cwr_audits.evidence import Evidence
from cwr_audits.files import checkout
from cwr_audits.judges import attack_name, code_digest, pack_digest, pack_name
from cwr_audits.readiness import DEMANDS, Item, items, ranked
from cwr_audits.report import verification
from cwr_audits.subject import subjects
from cwr_audits.trust import NOT_MEASURED

MUTANTS = "mutants of answers, graders and encodings"


@pytest.fixture
def evidence() -> Evidence:
    root = checkout()
    (about,) = subjects(("KL-001",))
    audit = json.loads((root / "audits" / "issued" / "KL-001.json").read_bytes())
    report = check_file(str(root / "certificates" / "issued" / "KL-001" / "certificate.json"))
    motifs = [{"motif": "main", "label": "necessary"}]
    return Evidence(about, audit, "a" * 64, report, "b" * 64, (), motifs, "c" * 64)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with a corpus and a kept attack, both to be spoilt."""
    real = checkout()
    for name in ("cwr_solvers", "encodings", "certificates", "audits/cwr_audits"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).symlink_to(real / name)
    shutil.copytree(real / "tests" / "corpus" / "kl", tmp_path / "tests" / "corpus" / "kl")
    (tmp_path / "fixtures").symlink_to(real / "fixtures")
    (tmp_path / "audits" / "issued").mkdir()
    keep(tmp_path)
    keep_pack(tmp_path)
    return tmp_path


def keep(root: Path, **changed: Any) -> None:
    (about,) = subjects(("KL-001",))
    told = {"code": "KL-001", "instance_sha256": about.digest, "code_sha256": code_digest("KL", root)}
    told |= {"outcome": "no hole", "counts": {"graders": {"killed": 3}}, **changed}
    (root / "audits" / "issued" / attack_name("KL-001")).write_text(json.dumps(told))


def keep_pack(root: Path, **changed: Any) -> None:
    certificates = {f"KL-001{arm}": "verified" for arm in ("", "-F", "-C")}
    kept = {"digest": "d" * 64, "made_of_sha256": pack_digest(root), "audits": {"leakage": "passed"}, "refused": []}
    kept |= {"certificates": certificates, "waived": {}, **changed}
    (root / "audits" / "issued" / pack_name()).write_text(json.dumps(kept))


def told(evidence: Evidence, root: Path) -> dict[str, Item]:
    return {item.demand: item for item in items(evidence, root)}


def test_with_all_evidence_all_is_ready(evidence: Evidence, root: Path) -> None:
    found = told(evidence, root)
    assert {item.state for item in found.values()} == {"ready"}
    assert len(found) == len(DEMANDS)
    assert all(len(item.rests_on) == 64 for item in found.values())


def test_without_evidence_nothing_is_measured(evidence: Evidence, tmp_path: Path) -> None:
    bare = replace(evidence, audit=None, report=None, motifs=None)
    found = told(bare, tmp_path)
    assert found.pop("renaming and order of rules").state == "ready"  # worked out on the spot
    assert {item.state for item in found.values()} == {"not measured"}
    assert {item.rests_on for item in found.values()} == {NOT_MEASURED}


def test_a_corpus_that_fails_or_is_small_is_not_ready(evidence: Evidence, root: Path) -> None:
    cases = sorted((root / "tests" / "corpus" / "kl" / "accepted").glob("*.json"))
    shutil.move(cases[0], root / "tests" / "corpus" / "kl" / "illegal" / cases[0].name)
    assert told(evidence, root)["strict interpreter and grader"].state == "not ready"
    for path in sorted((root / "tests" / "corpus" / "kl").glob("*/*.json"))[readiness.FEWEST_CASES - 1 :]:
        path.unlink()
    for path in (root / "tests" / "corpus" / "kl" / "illegal").glob(cases[0].name):
        path.unlink()
    assert told(evidence, root)["strict interpreter and grader"].state == "not ready"


@pytest.mark.parametrize(
    ("changed", "state"),
    [
        ({"outcome": "holes"}, "not ready"),
        ({"outcome": "open"}, "not ready"),
        ({"counts": {"graders": {"equal": 9}}}, "not ready"),
        ({"instance_sha256": "0" * 64}, "not measured"),
        ({"code_sha256": "0" * 64}, "not measured"),
        ({"counts": 7}, "not measured"),
    ],
)
def test_an_attack_counts_when_it_is_whole_and_of_this_code(
    evidence: Evidence, root: Path, changed: dict[str, Any], state: str
) -> None:
    keep(root, **changed)
    assert told(evidence, root)[MUTANTS].state == state


@pytest.mark.parametrize(
    ("changed", "state"),
    [
        ({"refused": [{"what": "audit leakage", "text": "failed"}]}, "not ready"),
        ({"digest": None}, "not ready"),
        ({"audits": {}}, "not ready"),
        ({"certificates": {"KL-001": "verified", "KL-001-F": "verified"}}, "not ready"),
        ({"made_of_sha256": "0" * 64}, "not measured"),
        ({"refused": 7}, "not measured"),
    ],
)
def test_a_pack_counts_when_it_was_frozen_from_these_sources(
    evidence: Evidence, root: Path, changed: dict[str, Any], state: str
) -> None:
    keep_pack(root, **changed)
    assert told(evidence, root)["frozen packs P, R, E, F, C"].state == state


def test_a_change_of_the_corpus_makes_an_attack_old(evidence: Evidence, root: Path) -> None:
    path = next(iter(sorted((root / "tests" / "corpus" / "kl" / "accepted").glob("*.json"))))
    path.write_bytes(path.read_bytes() + b"\n")
    assert told(evidence, root)[MUTANTS].state == "not measured"


def test_routes_and_claims_that_fail_are_not_ready(evidence: Evidence, root: Path) -> None:
    assert evidence.audit is not None
    few = {**evidence.audit, "routes": {"interpreter": {}}}
    assert told(replace(evidence, audit=few), root)["separate solvers"].state == "not ready"
    apart = {**evidence.audit, "agreed": False}
    assert told(replace(evidence, audit=apart), root)["separate solvers"].state == "not ready"
    assert evidence.report is not None
    findings = [one._replace(outcome="rejected") if one.kind == "optimum" else one for one in evidence.report.findings]
    refused = replace(evidence, report=evidence.report._replace(findings=findings))
    assert told(refused, root)["optimum and exhaustive check"].state == "not ready"
    unlabelled = replace(evidence, motifs=[{"motif": "main", "label": "undecided"}])
    assert told(unlabelled, root)["motifs over the whole solution space"].state == "not ready"


def test_a_change_of_names_that_changes_something_is_not_ready(
    evidence: Evidence, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(family: str, name: str, instance: Any, scheme: str, draws: Any) -> Any:
        made = real(family, name, instance, scheme, draws)
        return replace(made, instance={**made.instance, "capacity": 1}) if name == "lists" else made

    real = readiness.change
    monkeypatch.setattr(readiness, "change", other)
    item = told(evidence, root)["renaming and order of rules"]
    assert (item.state, "lists" in item.says) == ("not ready", True)


def test_families_are_ranked_by_what_is_ready_and_then_as_proposed() -> None:
    def rows(*states: Any) -> tuple[Item, ...]:
        return tuple(Item("", state, "", "", "") for state in states)

    found = {code: rows("ready", "ready") for code in ("CO-001", "FT-001", "RS-001")}
    found["TW-001"] = rows("ready", "not ready")
    families = {code: code[:2] for code in found}
    assert ranked(found, families) == [("RS-001", 2), ("FT-001", 2), ("TW-001", 1)]


def test_a_family_that_packs_are_not_made_of_owes_none_and_is_not_ranked(root: Path) -> None:
    (about,) = subjects(("CO-001",))
    bare = Evidence(about, None, NOT_MEASURED, None, NOT_MEASURED, (), None, NOT_MEASURED)
    asked = [item.demand for item in items(bare, root)]
    assert len(asked) == len(DEMANDS) - 1
    assert not any("packs" in demand for demand in asked)
    page = verification(subjects(("KL-001", "CO-001")), root).text
    assert "\nPacks P, R, E, F, C are not made of CO-001, so it is not ranked.\n" in page
    assert "looked at: KL-001 (" in page
    assert "CO-001 (" not in page
    assert "is not ranked" not in verification(subjects(("KL-001",)), root).text


def test_open_disagreements_stand_on_top(root: Path) -> None:
    (root / "docs").mkdir()
    causes = root / "docs" / "disagreements.md"
    causes.write_text("# D\n\n### 1. settled\n\n*State.* Mended.\n\n### 2. still there\n\n*State.* Open.\n")
    page = verification(subjects(("KL-001",)), root).text
    assert "- 2. still there\n" in page
    assert "settled" not in page
    assert page.index("## Open disagreements") < page.index("## Readiness") < page.index("## Worlds")


def test_the_command_keeps_what_it_found(root: Path, monkeypatch: pytest.MonkeyPatch, evidence: Evidence) -> None:
    path = root / "audits" / "issued" / attack_name("KL-001")
    path.unlink()
    monkeypatch.setattr(attack_command, "checkout", lambda: root)
    assert run(["attack", "KL-001", "--keep", "--corpus", str(root)]) == 2
    assert not path.exists()
    assert run(["attack", "KL-001", "--keep", "--json"]) == 0
    assert told(evidence, root)[MUTANTS].state == "ready"
