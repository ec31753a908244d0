"""The page of the report: the content of VERIFICATION.md, with pictures, links and tables that sort."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.conftest import PATIENCE, WATCH
from browser.pages import Seen
from playwright.sync_api import Browser, Page

from cwr_audits.cli import run
from cwr_audits.explorer.site import as_html
from cwr_audits.files import checkout
from cwr_audits.report import verification
from cwr_audits.subject import subjects


@pytest.fixture(scope="session")
def whole(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The explorer of all showcases; it asks for the browser, so that nothing is written where there is none."""
    assert browser.version
    folder = tmp_path_factory.mktemp("whole") / "site"
    assert run(["explore", "--out", str(folder)]) == 0
    return folder


@pytest.fixture
def page(browser: Browser, whole: Path) -> Iterator[Page]:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    made, seen = context.new_page(), Seen()
    seen.watch(made)
    made.add_init_script(WATCH)
    made.goto((whole / "index.html").as_uri())
    made.get_by_role("link", name="Verification").click()
    yield made
    assert (seen.console, seen.errors, made.evaluate("refused")) == ([], [], [])
    assert [url for url in seen.requests if not url.startswith(whole.as_uri() + "/")] == []
    context.close()


def lines(text: str) -> list[list[str]]:
    """The cells of all rows of all tables of the Markdown, headings included, without what only formats."""
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    return [[cell.strip().replace("`", "").replace("\\", "") for cell in row[1:-1].split(" | ")] for row in rows]


def test_it_says_what_the_report_says(page: Page) -> None:
    text = verification(subjects(()), checkout()).text
    shown = page.locator(".report tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent.trim()))"
    )
    written = lines(text)
    assert [len(row) for row in shown] == [len(row) for row in written]
    assert len(shown) > 300
    assert [row for row, due in zip(shown, written, strict=True) if row[0] != due[0]] == []
    titles = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert page.locator(".report h2").all_inner_texts() == titles


def test_tables_sort_up_down_and_not_at_all(page: Page) -> None:
    table = page.locator(".report table").nth(1)
    column = "rows => rows.map(row => row.cells[4].textContent)"
    written = table.locator("tbody tr").evaluate_all(column)
    button = table.get_by_role("button", name="accepted raw")
    button.press("Enter")
    rising = table.locator("tbody tr").evaluate_all(column)
    assert [int(one) for one in rising] == sorted(int(one) for one in written)
    button.press("Enter")
    assert table.locator("tbody tr").evaluate_all(column) == rising[::-1]
    button.press("Enter")
    assert table.locator("tbody tr").evaluate_all(column) == written
    assert sorted(written) != written


def test_worlds_and_certificates_are_linked_and_pictures_load(page: Page, whole: Path) -> None:
    links = page.locator(".cards a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert len(links) == 3 * len(subjects(()))
    assert [link for link in links if not (whole / link).is_file()] == []
    assert page.locator(".cards img").evaluate_all("images => images.every(one => one.loading === 'lazy')")
    assert page.locator(".cards a:not([aria-hidden])").first.is_visible()


def test_markup_in_a_report_is_text() -> None:
    made = as_html("# <script>x</script>\n\n| <b>a</b> | [l](javascript:x) |\n| --- | --- |\n| <img src=x> | `<i>` |\n")
    assert [tag for tag in ("<script", "<b>", "<img", "<i>", 'href="javascript') if tag in made] == []
    assert made.count("<table") == 1
