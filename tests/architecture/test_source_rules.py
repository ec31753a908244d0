"""Rules about source text that neither ruff nor import-linter can see, over the whole product."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest
from architecture.sources import PACKAGES, ROOT, imports, module, name, product_files, tracked_files, tree

FILES = product_files()
MOST_LINES = 40
# The one file in which a name may become a module while running.
LATE = "audits/cwr_audits/late.py"
DYNAMIC = {"importlib", "runpy", "pkgutil", "__import__"}
# Put together here, so that this file passes its own test.
MACHINE_PATHS = re.compile("(?<![A-Za-z0-9_.-])/(" + "|".join(["work", "root", "home"]) + ")/[A-Za-z0-9_.-]")
HOSTS = re.compile(
    r"(?i)\b(" + "|".join(["py" + r"pi\.org", r"python" + r"hosted\.", "npm" + r"js\.", "deb" + r"ian\.org"]) + ")"
)
SKELETON = {"__init__", "cpsat", "smt"}


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def long_functions(path: Path) -> list[str]:
    sized = [(node.name, (node.end_lineno or node.lineno) - node.lineno + 1) for node in functions(path)]
    return [f"{called} has {lines} lines" for called, lines in sized if lines > MOST_LINES]


def late_imports(path: Path) -> list[str]:
    """Imports inside functions, and imports that a string decides."""
    found = []
    for function in functions(path):
        inner = [node for node in ast.walk(function) if isinstance(node, ast.Import | ast.ImportFrom)]
        found += [f"{node.lineno}: import inside {function.name}" for node in inner]
    if name(path) != LATE:
        found += [f"imports {one}" for one in imports(path) if one.partition(".")[0] in DYNAMIC]
        used = [node for node in ast.walk(tree(path)) if isinstance(node, ast.Name) and node.id in DYNAMIC]
        found += [f"{node.lineno}: {node.id}" for node in used]
    return found


def telltales(text: str) -> list[str]:
    """Paths of somebody's machine and hosts of package registries in a text."""
    return [match.group() for pattern in (MACHINE_PATHS, HOSTS) for match in pattern.finditer(text)]


def test_there_is_a_product() -> None:
    assert len(FILES) > 10
    assert {module(path).partition(".")[0] for path in FILES} >= set(PACKAGES)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_functions_are_short(path: Path) -> None:
    assert long_functions(path) == []


@pytest.mark.parametrize("path", FILES, ids=name)
def test_imports_stand_at_the_top(path: Path) -> None:
    assert late_imports(path) == []


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_file_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(tree(path))


@pytest.mark.parametrize("folder", ["encodings", "certificates", "audits"])
def test_a_top_level_folder_is_no_package(folder: str) -> None:
    """`encodings` with an __init__ would replace the standard library's, and the interpreter would not start."""
    assert (ROOT / folder).is_dir()
    assert not (ROOT / folder / "__init__.py").exists()


@pytest.mark.parametrize("path", sorted((PACKAGES["cwr_encodings"]).glob("*/")), ids=name)
def test_a_world_has_two_encodings_that_share_no_file(path: Path) -> None:
    if path.name != "__pycache__":
        assert {file.stem for file in path.glob("*.py")} == SKELETON


def strangers(path: Path) -> list[str]:
    """What an encoding or a backend imports beyond data, plain text handling, its own backend and its own solver."""
    kind = path.stem
    allowed = {f"cwr_solvers.{one}" for one in ("answers", "errors", "jsontext", "reading")}
    if path.is_relative_to(PACKAGES["cwr_encodings"]):
        allowed |= {f"cwr_solvers.worlds.{path.parent.name}.instance", f"cwr_solvers.backends.{kind}"}
    own = {"cpsat": "ortools", "smt": "z3"}.get(kind)
    roots = {*sys.stdlib_module_names, own}
    return [one for one in imports(path) if one not in allowed and one.partition(".")[0] not in roots]


ENCODINGS = [*PACKAGES["cwr_encodings"].glob("*/*.py"), *PACKAGES["cwr_solvers"].glob("backends/*.py")]


@pytest.mark.parametrize("path", sorted(ENCODINGS), ids=name)
def test_an_encoding_knows_data_and_its_solver(path: Path) -> None:
    """Stricter than the contract, which can only forbid what it names: a new module with rules in it is caught too."""
    assert strangers(path) == []


@pytest.mark.parametrize(
    "text",
    [
        "from cwr_solvers.worlds.tw import rules",
        "import cwr_solvers.worlds.tp.instance",
        "from cwr_solvers import search",
        "import cwr_encodings.tw.smt",
        "from ..rs import cpsat",
        "import z3",
        "import networkx",
    ],
)
def test_a_planted_stranger_is_found(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = ast.parse(text)
    monkeypatch.setitem(imports.__globals__, "tree", lambda _: planted)
    assert len(strangers(PACKAGES["cwr_encodings"] / "tw" / "cpsat.py")) == 1


def test_tracked_files_name_no_machine_and_no_registry() -> None:
    files = tracked_files()
    assert len(files) > 20
    found = {name(path): telltales(path.read_bytes().decode("utf-8", "replace")) for path in files}
    assert {file: words for file, words in found.items() if words} == {}


def test_the_lock_pins_by_hash_and_names_no_address() -> None:
    lines = [line for line in (ROOT / "requirements.lock").read_text("utf-8").splitlines() if not line.startswith("#")]
    pins = [line for line in lines if not line.startswith(" ")]
    assert len(pins) > 20
    assert [line for line in pins if not re.fullmatch(r"[a-z0-9-]+==\S+ \\", line)] == []
    assert [
        line
        for line in lines
        if line.startswith(" ") and not re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line)
    ] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see /" + "work/x", 1),
        ("at /" + "root/x and /" + "home/x", 2),
        ("https://py" + "pi.org/simple", 1),
        ("FILES.Python" + "Hosted.org", 1),
        ("a framework/x, network/y, ./work/x and https://example.org/work/x", 0),
    ],
)
def test_planted_telltales_are_found(text: str, found: int) -> None:
    assert len(telltales(text)) == found


def test_a_planted_long_function_is_found(tmp_path: Path) -> None:
    path = tmp_path / "long.py"
    path.write_text("def f():\n" + "    x = 1\n" * MOST_LINES, "utf-8")
    assert long_functions(path) == [f"f has {MOST_LINES + 1} lines"]


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n    import json",
        "async def f():\n    from json import loads",
        "import importlib",
        "__import__('json')",
    ],
)
def test_a_planted_late_import_is_found(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = ast.parse(text)
    for function in (functions, late_imports, imports):
        monkeypatch.setitem(function.__globals__, "tree", lambda _: planted)
    assert len(late_imports(ROOT / "cwr_solvers" / "errors.py")) == 1
