"""The import contracts of pyproject.toml hold, and each of them catches the breach that it is there for."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from architecture.sources import PACKAGES, ROOT, module, product_files

CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
NAMES = {contract["id"]: contract["name"] for contract in CONTRACTS}

CPSAT = "encodings/cwr_encodings/tw/cpsat.py"
SMT = "encodings/cwr_encodings/tp/smt.py"
STATEMENT = "certificates/cwr_certificates/statements/tw.py"
SCENE = "audits/cwr_audits/scenes/cyclic_order"

# contract, file that breaks it, the line that does
BREACHES = [
    ("layers", "cwr_solvers/grading.py", "import cwr_audits.cli"),
    ("layers", "audits/cwr_audits/alternatives.py", "import cwr.questions"),
    ("layers", STATEMENT, "import cwr_encodings.smt_catalogue"),
    ("layers", CPSAT, "from cwr_certificates import cnf"),
    ("encodings-know-data", CPSAT, "from cwr_solvers.worlds.tw import interpreter"),
    ("encodings-know-data", SMT, "import cwr_solvers.worlds.tp.generator"),
    ("encodings-know-data", SMT, "from cwr_solvers.catalogue import WORLDS"),
    ("encodings-know-data", "cwr_solvers/backends/smt.py", "from cwr_solvers.worlds.rs.world import WORLD"),
    ("encodings-know-data", "cwr_solvers/worlds/tw/instance.py", "import cwr_solvers.worlds.tw.interpreter"),
    ("certificates-know-data", STATEMENT, "from cwr_solvers.worlds.tw.interpreter import step"),
    ("certificates-know-data", "certificates/cwr_certificates/prover.py", "from cwr_solvers import catalogue"),
    ("certificates-know-data", "certificates/cwr_certificates/replay.py", "import cwr_solvers.worlds.tw.world"),
    ("encodings-apart", CPSAT, "import cwr_encodings.tw.smt"),
    ("encodings-apart", CPSAT, "import cwr_encodings.rs.cpsat"),
    ("smt-alone", SMT, "import ortools"),
    ("smt-alone", SMT, "from cwr_solvers.backends import cpsat"),
    ("smt-alone", "cwr_solvers/backends/smt.py", "import cwr_solvers.backends.cpsat"),
    ("cpsat-alone", CPSAT, "import z3"),
    ("cpsat-alone", "cwr_solvers/backends/cpsat.py", "from pysat.solvers import Solver"),
    ("worlds-apart", "cwr_solvers/worlds/rs/interpreter.py", "from cwr_solvers.worlds.tw import interpreter"),
    ("worlds-without-solvers", "cwr_solvers/worlds/tw/interpreter.py", "import networkx"),
    ("worlds-without-solvers", "cwr_solvers/search.py", "import numpy"),
    ("worlds-without-solvers", "cwr_solvers/worlds/tp/instance.py", "import cwr_solvers.backends.smt"),
    ("statements-apart", STATEMENT, "from cwr_certificates.statements import rs"),
    ("kernel-knows-nobody", "certificates/cwr_certificates/kernel.py", "import cwr_certificates.statements.tw"),
    ("kernel-knows-nobody", "certificates/cwr_certificates/cnf.py", "import cwr_solvers.worlds.tw.instance"),
    ("checker-without-prover", "certificates/cwr_certificates/check.py", "import cwr_certificates.prover"),
    ("checker-without-prover", "certificates/cwr_certificates/claims.py", "from cwr_certificates import lrat"),
    ("checker-without-prover", STATEMENT, "import pysat"),
    ("lean-start", "audits/cwr_audits/cli.py", "import cwr_solvers.backends.cpsat"),
    ("lean-start", "audits/cwr_audits/cli.py", "import networkx"),
    ("lean-start", "audits/cwr_audits/cli.py", "from cwr_audits.pictures import layers"),
    ("checker-without-prover", "certificates/cwr_certificates/replay.py", "import fast_sugiyama"),
    ("sight-apart", f"{SCENE}/sight/characters.py", "from cwr_audits.scenes.cyclic_order import glyphs"),
    ("sight-apart", f"{SCENE}/judging.py", "import cwr_audits.scenes.cyclic_order.layout"),
]


def lint(root: Path) -> tuple[int, dict[str, str]]:
    """Exit code of lint-imports over a tree and {contract name: KEPT or BROKEN}."""
    paths = [root, root / "encodings", root / "certificates", root / "audits"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), "NO_COLOR": "1", "COLUMNS": "200"}
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-logo", "--no-cache"]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=120, check=False)
    found = dict(re.findall(r"^(\S.*\S) (KEPT|BROKEN)\b", done.stdout, re.MULTILINE))
    assert found, done.stdout + done.stderr
    return done.returncode, found


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    shutil.copy(ROOT / "pyproject.toml", root)
    for folder in PACKAGES.values():
        shutil.copytree(folder, root / folder.relative_to(ROOT), ignore=shutil.ignore_patterns("__pycache__"))
    return root


def test_a_clean_copy_keeps_every_contract(copy: Path) -> None:
    code, found = lint(copy)
    assert found == dict.fromkeys(NAMES.values(), "KEPT")
    assert code == 0


@pytest.mark.parametrize(("contract", "file", "line"), BREACHES, ids=lambda text: str(text).replace("/", "."))
def test_a_breach_is_reported_by_its_contract(copy: Path, contract: str, file: str, line: str) -> None:
    path = copy / file
    clean = path.read_text("utf-8")
    path.write_text(f"{clean}\n{line}\n", "utf-8")
    try:
        code, found = lint(copy)
    finally:
        path.write_text(clean, "utf-8")
    assert found[NAMES[contract]] == "BROKEN"
    assert code == 1


def test_every_contract_has_a_planted_breach() -> None:
    assert {contract for contract, _, _ in BREACHES} == set(NAMES)


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract["id"])
def test_every_wildcard_matches_a_module(contract: dict[str, list[str]]) -> None:
    """An expression that matches nothing forbids nothing, and import-linter calls that kept."""
    modules = {module(path) for path in product_files()}
    ends = [end for line in contract.get("ignore_imports", []) for end in line.split(" -> ")]
    fields = ("source_modules", "forbidden_modules", "modules", "layers")
    named = [part for field in fields for line in contract.get(field, []) for part in line.split(" | ")]
    ours = [part for part in [*named, *ends] if part.startswith("cwr_")]
    assert ours
    for expression in ours:
        pattern = re.compile(re.escape(expression).replace(r"\*", "[^.]+"))
        assert any(pattern.fullmatch(one) for one in modules), f"{expression} matches no module"
