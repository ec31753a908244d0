"""What really gets loaded: import statements tell what a file names, a running process tells what came with it."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from architecture.sources import ROOT

from cwr_certificates.prover import issue
from cwr_certificates.seal import DOCUMENT, sealed
from cwr_solvers.answers import Limits
from cwr_solvers.jsontext import canonical

HEAVY = {
    "PIL",
    "coloraide",
    "duckdb",
    "fast_sugiyama",
    "fontTools",
    "jinja2",
    "jsonschema",
    "networkx",
    "numpy",
    "ortools",
    "pandas",
    "pysat",
    "pysolvers",
    "pyvips",
    "scipy",
    "z3",
}
SHOWCASES = json.loads((ROOT / "fixtures" / "showcase-index.json").read_text("utf-8"))["worlds"]

LOAD_ALL = """
import importlib, json, pkgutil, sys, {package}
names = [found.name for found in pkgutil.walk_packages({package}.__path__, "{package}.")]
for name in names:
    importlib.import_module(name)
print(json.dumps([names, sorted(sys.modules)]))
"""

COMMAND = """
import json, sys
from cwr_audits.cli import main
report = sys.argv.pop(1)
try:
    main()
except SystemExit as end:
    code = end.code
else:
    code = 0
open(report, "w").write(json.dumps([code, sorted(sys.modules)]))
"""


def python(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


def loaded_by(package: str) -> tuple[list[str], list[str]]:
    """The modules of a package, and everything that is loaded once all of them are."""
    done = python("-c", LOAD_ALL.format(package=package))
    assert done.returncode == 0, done.stderr
    names, loaded = json.loads(done.stdout)
    return names, loaded


def rules(loaded: list[str]) -> list[str]:
    """The modules among `loaded` that hold rules of a world."""
    ends = ("interpreter", "generator", "picture", "world")
    return [one for one in loaded if one.startswith("cwr_solvers.worlds.") and one.split(".")[-1] in ends]


def test_encodings_load_no_rules() -> None:
    names, loaded = loaded_by("cwr_encodings")
    families = [world["family"].lower() for world in SHOWCASES]
    assert {f"cwr_encodings.{family}.{kind}" for family in families for kind in ("cpsat", "smt")} <= set(names)
    assert rules(loaded) == []
    assert "cwr_solvers.catalogue" not in loaded


def test_statements_load_no_rules_and_no_third_party() -> None:
    names, loaded = loaded_by("cwr_certificates.statements")
    assert {f"cwr_certificates.statements.{world['family'].lower()}" for world in SHOWCASES} <= set(names)
    assert rules(loaded) == []
    assert HEAVY & set(loaded) == set()


def test_interpreters_load_no_solver() -> None:
    names, loaded = loaded_by("cwr_solvers.worlds")
    assert len(rules(names)) >= len(SHOWCASES)
    assert HEAVY & set(loaded) == set()


def test_the_check_can_see_rules_and_solvers() -> None:
    done = python(
        "-c", "import json, sys, networkx, cwr_solvers.worlds.tw.interpreter; print(json.dumps(sorted(sys.modules)))"
    )
    loaded = json.loads(done.stdout)
    assert rules(loaded) == ["cwr_solvers.worlds.tw.interpreter"]
    assert "networkx" in HEAVY & set(loaded)


def test_grading_loads_no_solver(tmp_path: Path) -> None:
    world = SHOWCASES[0]
    submission, report = tmp_path / "submission.json", tmp_path / "report.json"
    submission.write_text(json.dumps(world["witness"]), "utf-8")
    done = python("-c", COMMAND, str(report), "grade", world["code"], str(submission))
    assert "accepted" in done.stdout, done.stderr
    code, loaded = json.loads(report.read_text("utf-8"))
    assert code == 0
    assert HEAVY & set(loaded) == set()
    assert [one for one in loaded if one.startswith(("cwr_encodings", "cwr_solvers.backends"))] == []
    assert {one.split(".")[2] for one in rules(loaded)} == {"tw"}  # the other worlds are not waited for


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of TW-001 and its proofs in a folder of their own."""
    world = SHOWCASES[0]
    issued = issue("TW", world["code"], world["instance"], world["witness"], [], [], Limits(seconds=60.0, words=100))
    folder = tmp_path_factory.mktemp("certificate")
    for file, data in issued.files.items():
        (folder / file).write_bytes(data)
    return folder / DOCUMENT


def optimum_raised(document: dict[str, Any]) -> None:
    claim = next(claim for claim in document["claims"] if claim["kind"] == "optimum")
    claim["value"] += 1


def claims_dropped(document: dict[str, Any]) -> None:
    document["claims"] = []


def instance_changed(document: dict[str, Any]) -> None:
    document["instance"]["budget"]["actions"] += 1
    document["instance_sha256"] = hashlib.sha256(canonical(document["instance"])).hexdigest()


FLAGS = [("-I", "-S"), ("-O",), ("-I", "-S", "-OO")]


@pytest.mark.parametrize("flags", FLAGS, ids="".join)
def test_the_checker_starts_from_a_bare_checkout(flags: tuple[str, ...], certificate: Path, tmp_path: Path) -> None:
    """Nothing installed, nothing on the path, asserts removed: a sound certificate passes and three spoilt ones fail.

    The spoilt ones are sealed anew, so that it is not the seal that gives them away.
    """
    main = str(ROOT / "certificates")
    sound = python(*flags, main, str(certificate), cwd=tmp_path)
    assert sound.returncode == 0, sound.stdout + sound.stderr
    for spoil in (optimum_raised, claims_dropped, instance_changed):
        document = json.loads(certificate.read_bytes())
        spoil(document)
        (certificate.parent / "spoilt.json").write_bytes(sealed(document))
        refused = python(*flags, main, str(certificate.parent / "spoilt.json"), cwd=tmp_path)
        assert (spoil.__name__, refused.returncode) == (spoil.__name__, 1), refused.stdout
        assert refused.stderr == ""


@pytest.mark.parametrize("flags", [(), ("-O",), ("-I", "-S")], ids=lambda flags: "".join(flags) or "plain")
def test_the_checker_passes_nothing_when_given_nothing(flags: tuple[str, ...], tmp_path: Path) -> None:
    done = python(*flags, str(ROOT / "certificates"), cwd=tmp_path)
    assert done.returncode not in (0, None)
    assert "Traceback" not in done.stderr
