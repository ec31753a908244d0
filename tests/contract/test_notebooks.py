"""The notebooks of the documentation run from top to bottom, in this very environment, and are kept without output."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from architecture.sources import ROOT

NOTEBOOKS = sorted((ROOT / "docs").glob("*.ipynb"))


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def executed(path: Path, folder: Path) -> Any:
    """Run a notebook in a folder of its own; raises CalledProcessError where a cell fails."""
    folder.mkdir(exist_ok=True)
    environment = {**os.environ, "JUPYTER_PLATFORM_DIRS": "1", "JUPYTER_RUNTIME_DIR": str(folder / "runtime")}
    command = [sys.executable, str(ROOT / "tests" / "run_notebook.py"), str(path), str(folder)]
    subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=600)
    return read(folder / "done.ipynb")


def shown(notebook: Any) -> dict[str, list[str]]:
    """{source of a cell: the kinds of what it shows}, for cells that show something."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.outputs]
    return {cell.source: [kind for one in cell.outputs for kind in one.get("data", {})] for cell in cells}


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_kept_without_output(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert [cell for cell in code if cell.outputs or cell.execution_count is not None] == []
    assert nbformat.writes(notebook) + "\n" == path.read_text("utf-8")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path: Path, tmp_path: Path) -> None:
    done = executed(path, tmp_path)
    kinds = {kind for found in shown(done).values() for kind in found}
    assert kinds >= {"text/html", "image/svg+xml", "text/plain"}
    texts = [one["data"]["text/plain"] for cell in done.cells for one in cell.get("outputs", ()) if "data" in one]
    assert "(42, 15, 672)" in texts


def test_a_failing_cell_is_seen(tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("import cwr; cwr.world('BC-002')")])
    nbformat.write(notebook, tmp_path / "failing.ipynb")
    with pytest.raises(subprocess.CalledProcessError) as caught:
        executed(tmp_path / "failing.ipynb", tmp_path / "run")
    assert "no world and no file is called 'BC-002'" in caught.value.stderr
