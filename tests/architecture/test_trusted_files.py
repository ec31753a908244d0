"""What a reader of a certificate must trust is short, plain, and leans on nothing but the standard library."""

from __future__ import annotations

import ast
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest
from architecture.sources import (
    MAIN,
    MOST_CHECKER,
    MOST_STATEMENT,
    PACKAGES,
    ROOT,
    TRUSTED,
    closure,
    imports,
    name,
    tree,
    trusted_files,
)

FILES = trusted_files()

TEXT = ("cwr_solvers.errors", "cwr_solvers.jsontext", "cwr_solvers.reading")
JUDGING = ("cwr_solvers.grading", "cwr_solvers.symmetry", "cwr_solvers.world")
INSTANCE = "cwr_solvers.worlds.*.instance"


def checker(*names: str) -> tuple[str, ...]:
    return tuple(f"cwr_certificates.{one}" for one in names)


# Trusted file -> the modules of ours that it may import; the first pattern that matches counts. The standard library is
# free to all.
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "cwr_solvers/__init__.py": (),
    "cwr_solvers/errors.py": (),
    "cwr_solvers/jsontext.py": ("cwr_solvers.errors",),
    "cwr_solvers/reading.py": ("cwr_solvers.errors", "cwr_solvers.jsontext"),
    "cwr_solvers/world.py": TEXT,
    "cwr_solvers/grading.py": (*TEXT, "cwr_solvers.world"),
    "cwr_solvers/symmetry.py": (*TEXT, "cwr_solvers.world"),
    "cwr_solvers/worlds/__init__.py": (),
    "cwr_solvers/worlds/*/__init__.py": (),
    "cwr_solvers/worlds/*/instance.py": TEXT,
    "cwr_solvers/worlds/*/interpreter.py": (*TEXT, "cwr_solvers.world", INSTANCE),
    "certificates/cwr_certificates/__init__.py": (),
    "certificates/cwr_certificates/kernel.py": ("cwr_solvers.errors",),
    "certificates/cwr_certificates/cnf.py": ("cwr_solvers.errors",),
    "certificates/cwr_certificates/steps.py": (*TEXT, *checker("cnf")),
    "certificates/cwr_certificates/statements/*.py": (*TEXT, INSTANCE, *checker("cnf", "steps", "statements.*")),
    "certificates/cwr_certificates/catalogue.py": (*TEXT, *checker("cnf", "statements.*")),
    "certificates/cwr_certificates/replay.py": (*TEXT, *JUDGING, "cwr_solvers.worlds.*.interpreter", INSTANCE),
    "certificates/cwr_certificates/formulas.py": (*TEXT, *checker("catalogue", "cnf")),
    "certificates/cwr_certificates/desk.py": (
        *TEXT,
        "cwr_solvers.grading",
        *checker("cnf", "formulas", "kernel", "replay"),
    ),
    "certificates/cwr_certificates/conflicts.py": (*TEXT, *checker("cnf", "desk", "formulas")),
    "certificates/cwr_certificates/claims.py": (
        *TEXT,
        *checker("conflicts", "desk", "formulas", "kernel", "layers", "replay"),
    ),
    "certificates/cwr_certificates/layers.py": (*TEXT, *checker("cnf", "desk", "formulas", "replay")),
    "certificates/cwr_certificates/check.py": (
        *TEXT,
        *checker("claims", "desk", "formulas", "kernel", "layers", "replay"),
    ),
    "certificates/__main__.py": (*TEXT, *checker("check", "claims", "desk", "formulas", "kernel", "replay")),
}

CACHES = {"cache", "lru_cache", "cached_property", "singledispatch"}
# Names and modules through which code does what its text does not show.
ESCAPES = {"eval", "exec", "compile", "__import__", "globals", "vars", "setattr", "delattr"}
BEHIND = {"builtins", "ctypes", "gc", "importlib", "inspect", "marshal", "pickle", "runpy", "subprocess", "threading"}


def allowed(path: Path) -> tuple[str, ...]:
    return next(modules for pattern, modules in MAY_IMPORT.items() if fnmatch(name(path), pattern))


def misplaced(path: Path) -> list[str]:
    """The imports of a file that it may not have."""
    return [
        module
        for module in imports(path)
        if module.partition(".")[0] not in sys.stdlib_module_names
        and not any(fnmatch(module, pattern) for pattern in allowed(path))
    ]


def called(node: ast.expr) -> str:
    """The last name of what is called or used as a decorator."""
    if isinstance(node, ast.Call):
        return called(node.func)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def faults(path: Path) -> list[str]:
    """Constructs that trusted code does without, each with its line."""
    found = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Assert):
            found.append(f"{node.lineno}: assert, which -O removes")
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found += [f"{node.lineno}: @{called(d)}" for d in node.decorator_list if called(d) in CACHES]
        if isinstance(node, ast.Global | ast.Nonlocal):
            found.append(f"{node.lineno}: shared state ({', '.join(node.names)})")
        if isinstance(node, ast.Name) and node.id in ESCAPES:
            found.append(f"{node.lineno}: {node.id}")
    return found + [f"imports {module}" for module in imports(path) if module.partition(".")[0] in BEHIND]


def lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def test_the_list_of_trusted_files_is_complete() -> None:
    """What `python certificates` loads of ours is what a reader has to trust, no less and no more."""
    loaded = closure(MAIN)
    assert {name(path) for path in loaded} == {name(path) for path in FILES}
    assert len(loaded) > 20


@pytest.mark.parametrize("pattern", TRUSTED)
def test_every_pattern_names_a_file(pattern: str) -> None:
    assert list(ROOT.glob(pattern)), f"{pattern} matches no file: nothing was examined"


def test_every_trusted_file_has_a_list_of_imports() -> None:
    assert set(MAY_IMPORT) == set(TRUSTED)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_trusted_file_imports_what_it_may(path: Path) -> None:
    assert misplaced(path) == []


@pytest.mark.parametrize("path", FILES, ids=name)
def test_trusted_file_is_plain(path: Path) -> None:
    assert faults(path) == []


@pytest.mark.parametrize("path", [path for path, most in FILES.items() if most is not None], ids=name)
def test_trusted_file_keeps_its_budget_of_lines(path: Path) -> None:
    assert lines(path) <= (FILES[path] or 0)


def test_the_checker_as_a_whole_keeps_its_budget() -> None:
    files = [path for path, most in FILES.items() if most is not None and path.parent.name == "cwr_certificates"]
    assert len(files) > 5
    assert sum(map(lines, files)) <= MOST_CHECKER


@pytest.mark.parametrize("family", sorted(path.name for path in PACKAGES["cwr_solvers"].glob("worlds/[a-z]*/")))
def test_a_statement_with_all_its_parts_keeps_its_budget(family: str) -> None:
    folder = PACKAGES["cwr_certificates"] / "statements"
    parts = [folder / f"{family}.py", *folder.glob(f"{family}_*.py")]
    assert parts[0].is_file()
    assert sum(map(lines, parts)) <= MOST_STATEMENT


def test_every_statement_file_belongs_to_a_family() -> None:
    families = {path.name for path in PACKAGES["cwr_solvers"].glob("worlds/[a-z]*/")}
    files = {path.stem for path in (PACKAGES["cwr_certificates"] / "statements").glob("*.py")} - {"__init__"}
    assert {stem.partition("_")[0] for stem in files} == families


BAD_LINES = [
    "assert True",
    "import functools\n@functools.lru_cache\ndef f(): ...",
    "import functools\n@functools.cache\ndef f(): ...",
    "from functools import lru_cache\n@lru_cache(maxsize=9)\ndef f(): ...",
    "def f():\n    global x\n    x = 1",
    "eval('1')",
    "import builtins",
    "from importlib import import_module",
]


@pytest.mark.parametrize("text", BAD_LINES)
def test_a_planted_construct_is_found(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = ast.parse(text)
    for function in (faults, imports):
        monkeypatch.setitem(function.__globals__, "tree", lambda _: planted)
    assert len(faults(ROOT / "certificates" / "cwr_certificates" / "kernel.py")) == 1


BAD_IMPORTS = [
    ("cwr_solvers/jsontext.py", "import rfc8785"),
    ("cwr_solvers/worlds/tw/interpreter.py", "from cwr_solvers import grading"),
    ("cwr_solvers/worlds/tw/interpreter.py", "def f():\n    from cwr_solvers.worlds.tw import generator"),
    ("cwr_solvers/worlds/tw/instance.py", "from . import interpreter"),
    ("certificates/cwr_certificates/kernel.py", "from cwr_certificates import cnf"),
    ("certificates/cwr_certificates/statements/tw.py", "import cwr_certificates.replay"),
]


@pytest.mark.parametrize(("file", "text"), BAD_IMPORTS)
def test_a_planted_import_is_found(file: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = ast.parse(text)
    monkeypatch.setitem(imports.__globals__, "tree", lambda _: planted)
    assert len(misplaced(ROOT / file)) == 1
