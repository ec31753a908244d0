"""What really gets loaded: import statements tell what a file names, a running process tells what came with it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from architecture.sources import ROOT

HEAVY = {"jsonschema", "networkx", "numpy", "ortools", "pandas", "pysat", "pysolvers", "z3"}
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
try:
    main(sys.argv[2:])
except SystemExit as end:
    code = end.code
else:
    code = 0
open(sys.argv[1], "w").write(json.dumps([code, sorted(sys.modules)]))
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


@pytest.mark.parametrize("flags", [("-I", "-S"), ("-O",), ("-I", "-S", "-OO")], ids="".join)
def test_the_checker_starts_from_a_bare_checkout(flags: tuple[str, ...], tmp_path: Path) -> None:
    """Nothing installed, nothing on the path, asserts removed: a sound certificate passes, a spoilt one fails."""
    certificate = ROOT / "certificates" / "issued" / "TW-001" / "certificate.json"
    main = str(ROOT / "certificates")
    sound = python(*flags, main, str(certificate), cwd=tmp_path)
    assert sound.returncode == 0, sound.stdout + sound.stderr
    assert "Traceback" not in sound.stderr
    for path in certificate.parent.iterdir():
        if path.is_file():
            (tmp_path / path.name).write_bytes(path.read_bytes())
    spoilt = tmp_path / certificate.name
    text = certificate.read_text("utf-8")
    optimum = '"kind":"optimum","model":'
    assert optimum in text
    spoilt.write_text(text.replace('"seal":"', '"seal":"0', 1).replace("0", "0", 1), "utf-8")
    refused = python(*flags, main, str(spoilt), cwd=tmp_path)
    assert refused.returncode in (1, 2), refused.stdout + refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("flags", [(), ("-O",), ("-I", "-S")], ids=lambda flags: "".join(flags) or "plain")
def test_the_checker_passes_nothing_when_given_nothing(flags: tuple[str, ...], tmp_path: Path) -> None:
    done = python(*flags, str(ROOT / "certificates"), cwd=tmp_path)
    assert done.returncode not in (0, None)
    assert "Traceback" not in done.stderr
