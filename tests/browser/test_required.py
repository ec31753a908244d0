"""Where there is no browser: the tests of pages are skipped and say so, or fail where one is required."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from architecture.sources import ROOT

ONE = "tests/browser/test_explorer.py::test_the_index_leads_to_every_world"


@pytest.mark.parametrize(("required", "code", "said"), [("", 0, "no chromium here"), ("1", 1, "there is no chromium")])
def test_a_missing_browser_is_told(tmp_path: Path, required: str, code: int, said: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CWR_", "PYTEST_"))}
    environment = {**kept, "PATH": str(tmp_path), "CWR_REQUIRE_BROWSER": required}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", ONE]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == code, ended.stdout
    assert said in ended.stdout
