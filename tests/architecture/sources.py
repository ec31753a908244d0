"""What the architecture tests look at: the product's files, their syntax trees and their imports."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# import package -> its folder; each lies in a top-level folder beside what it has issued
PACKAGES = {
    "cwr_solvers": ROOT / "cwr_solvers",
    "cwr_encodings": ROOT / "encodings" / "cwr_encodings",
    "cwr_certificates": ROOT / "certificates" / "cwr_certificates",
    "cwr_audits": ROOT / "audits" / "cwr_audits",
    "cwr": ROOT / "audits" / "cwr",
}
MAIN = ROOT / "certificates" / "__main__.py"

# What a reader of a certificate has to trust, by pattern, each with the most lines it may have (None: no budget). The
# list is complete: test_trusted_files follows the imports from `python certificates`.
TRUSTED: dict[str, int | None] = {
    "cwr_solvers/__init__.py": None,
    "cwr_solvers/errors.py": None,
    "cwr_solvers/jsontext.py": None,
    "cwr_solvers/reading.py": None,
    "cwr_solvers/world.py": None,
    "cwr_solvers/grading.py": None,
    "cwr_solvers/symmetry.py": None,
    "cwr_solvers/worlds/__init__.py": None,
    "cwr_solvers/worlds/*/__init__.py": None,
    "cwr_solvers/worlds/*/instance.py": None,
    "cwr_solvers/worlds/*/interpreter.py": None,
    "certificates/cwr_certificates/__init__.py": None,
    "certificates/cwr_certificates/catalogue.py": 60,
    "certificates/cwr_certificates/kernel.py": 150,
    "certificates/cwr_certificates/cnf.py": 120,
    "certificates/cwr_certificates/steps.py": 120,
    "certificates/cwr_certificates/replay.py": 120,  # 100 and three lines a world but the first
    "certificates/cwr_certificates/check.py": 200,
    "certificates/cwr_certificates/claims.py": 160,
    "certificates/cwr_certificates/conflicts.py": 120,
    "certificates/cwr_certificates/desk.py": 160,
    "certificates/cwr_certificates/formulas.py": 120,
    "certificates/cwr_certificates/layers.py": 240,
    "certificates/cwr_certificates/statements/*.py": 120,
    "certificates/__main__.py": None,
}
# All files of the checker together, and all files of one statement together, so that splitting a file gains nothing.
MOST_CHECKER = 1420
MOST_STATEMENT = 400


def product_files() -> list[Path]:
    """Every Python file of the product, tests left out."""
    found = [path for folder in PACKAGES.values() for path in folder.rglob("*.py")]
    return sorted([*found, MAIN] if MAIN.exists() else found)


def trusted_files() -> dict[Path, int | None]:
    """Every trusted file with its line budget."""
    return {path: most for pattern, most in TRUSTED.items() for path in sorted(ROOT.glob(pattern))}


def name(path: Path) -> str:
    """How a file is called in test ids and messages."""
    return path.relative_to(ROOT).as_posix()


def module(path: Path) -> str:
    """The dotted name under which a product file is imported."""
    for package, folder in PACKAGES.items():
        if path.is_relative_to(folder):
            parts = [package, *path.relative_to(folder).with_suffix("").parts]
            return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return "__main__"


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"), str(path))


def imports(path: Path) -> Iterator[str]:
    """Every module a file names in an import statement, wherever the statement stands.

    `from a import b` gives both `a` and `a.b` where b is a module of the product. Relative imports are resolved.
    """
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _base(path, node)
            inside = {f"{base}.{alias.name}" for alias in node.names} & _modules()
            yield from inside or {base}


def closure(path: Path) -> set[Path]:
    """The product files that are loaded when a file is: what it imports, their packages, and so on."""
    files = {module(one): one for one in product_files()}
    found, frontier = {path}, [path]
    while frontier:
        for named in imports(frontier.pop()):
            parts = named.split(".")
            for end in range(1, len(parts) + 1):
                one = files.get(".".join(parts[:end]))
                if one is not None and one not in found:
                    found.add(one)
                    frontier.append(one)
    return found


def tracked_files() -> list[Path]:
    """The files that git tracks; where there is no git, every file outside hidden and built folders."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False, timeout=60)
    if listing.returncode == 0 and listing.stdout:
        return [path for part in listing.stdout.decode().split("\0") if part and (path := ROOT / part).is_file()]
    built = re.compile(r"(^|/)(\.[^/]+|__pycache__|build|dist|out|[^/]+\.egg-info)/")
    return [path for path in ROOT.rglob("*") if path.is_file() and not built.search(name(path))]


@cache
def _modules() -> frozenset[str]:
    return frozenset(module(path) for path in product_files())


def _base(path: Path, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = module(path).split(".")
    kept = package[: len(package) - node.level + (path.name == "__init__.py")]
    return ".".join([*kept, *([node.module] if node.module else [])])
