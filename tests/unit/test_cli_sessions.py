"""What the README shows is what comes out."""

from __future__ import annotations

import re

import pytest

from cwr_audits.files import checkout
from cwr_audits.sessions import played, refreshed

README = (checkout() / "README.md").read_text(encoding="utf-8")


def test_the_sessions_of_the_readme_are_real() -> None:
    """To bring them up to date: python -m cwr_audits.sessions README.md."""
    assert README.count("\n$ cwr certify") == 1
    assert played(README) == README


def test_the_sessions_of_the_page_on_instances_are_real() -> None:
    shown = (checkout() / "docs/instances.md").read_text(encoding="utf-8")
    assert shown.count("\n$ cwr ") == 3
    assert played(shown) == shown


def test_the_readme_is_one_screen() -> None:
    assert len(README.splitlines()) <= 60


def commands(text: str) -> list[str]:
    """What a page tells people to type, from top to bottom."""
    return [line.removeprefix("$ ").strip() for line in text.splitlines() if re.match(r"(\$ |    )\S", line)]


@pytest.mark.parametrize("page", ["README.md", "docs/cyclic-order.md", "docs/scoring.md", "docs/packs.md"])
def test_a_page_can_be_typed_from_top_to_bottom_in_one_folder(page: str) -> None:
    """No folder is made twice; a file of lines that is read was made above, or its form is shown."""
    text = (checkout() / page).read_text(encoding="utf-8")
    typed = commands(text)
    made = [found[1] for line in typed if (found := re.search(r"cwr (?:generate|pack|freeze) .*--out (\S+)", line))]
    assert len(made) == len(set(made))
    for number, line in enumerate(typed):
        for name in re.findall(r"cwr (?:grade \S+|score) (\w+\.jsonl)", line):
            above = any(re.search(rf"> {name}$", one) for one in typed[:number])
            assert above or (name == "run.jsonl" and ("docs/scoring.md shows" in line or "see Runs below" in line))


@pytest.mark.parametrize("page", ["README.md", "docs/cyclic-order.md"])
def test_where_the_commands_are_is_said_first(page: str) -> None:
    typed = commands((checkout() / page).read_text(encoding="utf-8"))
    assert "source .venv/bin/activate" in next(line for line in typed if "make " not in line and "issued" not in line)


def test_outputs_are_replaced_and_other_text_is_kept() -> None:
    text = "a\n```console\n$ one\nold\n$ two\n```\n```\n$ three\nkept\n```\nb\n"
    made = "a\n```console\n$ one\nran one\nmore\n$ two\nran two\nmore\n```\n```\n$ three\nkept\n```\nb\n"
    assert refreshed(text, lambda command: f"ran {command}\nmore  \n") == made
    assert refreshed(made, lambda command: f"ran {command}\nmore\n") == made
