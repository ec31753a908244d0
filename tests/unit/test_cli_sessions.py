"""What the README shows is what comes out."""

from __future__ import annotations

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


def test_outputs_are_replaced_and_other_text_is_kept() -> None:
    text = "a\n```console\n$ one\nold\n$ two\n```\n```\n$ three\nkept\n```\nb\n"
    made = "a\n```console\n$ one\nran one\nmore\n$ two\nran two\nmore\n```\n```\n$ three\nkept\n```\nb\n"
    assert refreshed(text, lambda command: f"ran {command}\nmore  \n") == made
    assert refreshed(made, lambda command: f"ran {command}\nmore\n") == made
