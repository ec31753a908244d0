"""What a reader of a certificate must trust: the files that the checker loads, found by following its imports.

The list is not written down but worked out, so that no file is left out of it; `CHECKED_BY` says of each what keeps it
honest. A file that the table does not know is printed as "not measured".
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

CHECKER = "certificates/__main__.py"
ROOTS = (".", "certificates")  # the folders that the checker puts on its path
NOT_MEASURED = "not measured"

# pattern of paths -> (what it decides, what checks it); the first pattern that fits holds
CHECKED_BY: tuple[tuple[str, str, str], ...] = (
    ("certificates/__main__.py", "reads files, prints outcomes, exit code", "test_certificates_*.py"),
    ("*/kernel.py", "whether a proof refutes a formula", "test_kernel.py: proofs with planted faults"),
    ("*/cnf.py", "clauses and counters", "test_cnf.py: all assignments of small formulas"),
    (
        "*/statements/*.py",
        "instance and claim as clauses",
        "test_statement_*.py, test_agreement.py, test_motifs.py",
    ),
    ("*/steps.py", "rows of steps and sums as clauses", "test_statement_*.py, test_agreement.py"),
    (
        "*/formulas.py",
        "which formula belongs to which claim",
        "test_certificates_*.py: tampered certificates",
    ),
    ("*/layers.py", "counts by layers of states", "test_layers.py: search, tampered layers"),
    ("*/claims.py", "what each kind of claim demands", "test_certificates_*.py: tampered and false claims"),
    ("*/conflicts.py", "what a conflict of rules demands", "test_conflicts.py: against exhaustive search; tampered"),
    ("*/desk.py", "models judged twice, proofs by name", "test_certificates_*.py"),
    ("*/check.py", "strict reading, seal, dispatch, outcome", "test_certificates_*.py"),
    ("*/replay.py", "which interpreter judges a submission", "test_certificates_*.py"),
    ("*/cwr_certificates/catalogue.py", "which statement speaks of a family", "test_agreement.py"),
    ("*/interpreter.py", "the rules of a world", "probes by hand, corpus, three other routes (test_agreement.py)"),
    ("*/worlds/*/instance.py", "reading of instances", "test_instance_*.py, fixtures/schema"),
    ("cwr_solvers/jsontext.py", "strict JSON, canonical JSON", "test_jsontext.py, against rfc8785"),
    ("cwr_solvers/reading.py", "typed reading", "test_reading.py"),
    ("cwr_solvers/grading.py", "verdicts from steps", "corpus, probes, test_worlds.py"),
    ("cwr_solvers/symmetry.py", "classes of solutions", "test_worlds.py: closure against partition"),
    ("cwr_solvers/world.py", "the record a world is", "mypy --strict"),
    ("cwr_solvers/errors.py", "kinds of errors", "mypy --strict"),
    ("*/worlds/*/__init__.py", "rule book, text only", "read by people"),
    ("*/__init__.py", "text only", "tests/architecture"),
)


@dataclass(frozen=True, slots=True)
class Trusted:
    """One trusted file: path in the repository, lines, what it decides and what checks it."""

    path: str
    lines: int
    decides: str
    checked_by: str


def trusted(root: Path) -> tuple[Trusted, ...]:
    """Every file of ours that the checker loads, sorted by path."""
    seen: dict[str, str] = {}
    frontier = [CHECKER]
    while frontier:
        path = frontier.pop()
        if path not in seen:
            seen[path] = (root / path).read_text(encoding="utf-8")
            frontier += [found for name in _imported(seen[path]) for found in _files(root, name)]
    return tuple(_row(path, source) for path, source in sorted(seen.items()))


def _row(path: str, source: str) -> Trusted:
    known = [(decides, by) for pattern, decides, by in CHECKED_BY if fnmatchcase(path, pattern)]
    decides, by = known[0] if known else (NOT_MEASURED, NOT_MEASURED)
    return Trusted(path, len(source.splitlines()), decides, by)


def _imported(source: str) -> Iterator[str]:
    """Dotted names that a source imports; of `from a import b` both a and a.b, which may be a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _files(root: Path, name: str) -> Iterator[str]:
    """The files of ours that importing a dotted name runs: the module, and the packages above it."""
    parts = name.split(".")
    for length in range(1, len(parts) + 1):
        stem = "/".join(parts[:length])
        for folder in ROOTS:
            for path in (f"{folder}/{stem}.py", f"{folder}/{stem}/__init__.py"):
                if (root / path).is_file():
                    yield path.removeprefix("./")
