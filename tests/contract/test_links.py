"""Links in documents lead to files that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cwr_audits.files import checkout

ROOT = checkout()
DOCUMENTS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")))
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)")


def broken(folder: Path, text: str) -> list[str]:
    """The relative links of a text that lead nowhere from the folder in which it stands."""
    return [link for link in LINK.findall(text) if not (folder / link).exists()]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_relative_links_lead_to_files(name: str) -> None:
    document = ROOT / name
    assert broken(document.parent, document.read_text(encoding="utf-8")) == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, left = set[Path](), [ROOT / "README.md"]
    while left:
        page = left.pop().resolve()
        if page.suffix == ".md" and page.is_file() and page not in reached:
            reached.add(page)
            left += [page.parent / link for link in LINK.findall(page.read_text(encoding="utf-8"))]
    assert {(ROOT / name).resolve() for name in DOCUMENTS} - reached == set()


def test_a_link_to_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "here.md").touch()
    text = "[a](here.md) [b](here.md#part) [c](nowhere.md) [d](https://example.org/x) ![e](pictures/none.svg)"
    assert broken(tmp_path, text) == ["nowhere.md", "pictures/none.svg"]
