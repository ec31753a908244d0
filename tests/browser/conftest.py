"""A real browser for the tests of pages: Debian's chromium, found by name or named by CWR_CHROMIUM.

Where there is none the tests are skipped and say so; CWR_REQUIRE_BROWSER=1 makes that a failure.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.pages import Open, Seen
from explorer_samples import empty, hostile, many
from playwright.sync_api import Browser, Page, expect, sync_playwright

from cwr_audits.cli import run
from cwr_audits.explorer import world

REQUIRED = "CWR_REQUIRE_BROWSER"
PATIENCE = 30_000.0  # milliseconds until a page that never comes is a failure
MOST_PICTURES = 100  # of one world: all of BC-001
WATCH = """window.refused = [];
document.addEventListener("securitypolicyviolation", (event) => refused.push(event.violatedDirective));"""


def executable() -> str | None:
    """The browser's program; None where there is none."""
    return os.environ.get("CWR_CHROMIUM") or shutil.which("chromium")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = executable()
    if program is None:
        if os.environ.get(REQUIRED) == "1":
            pytest.fail(f"{REQUIRED} is set and there is no chromium")
        pytest.skip("no chromium here: install Debian's, or name one with CWR_CHROMIUM")
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    offline = ["--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking"]
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=[*root, *offline])
        yield started
        started.close()


@pytest.fixture(scope="session")
def site(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The explorer of two showcases, of hostile names, of many classes (of which the first have pictures), and of none.

    It asks for the browser, so that nothing is written where there is none.
    """
    folder = tmp_path_factory.mktemp("explorer")
    files = [str(make(folder)) for make in (hostile, many, empty)]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(world, "MOST_PICTURES", MOST_PICTURES)
        assert run(["explore", "BC-001", "RS-001", *files, "--out", str(folder / "site")]) == 0
    return folder / "site"


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def visit(browser: Browser, site: Path, seen: Seen) -> Iterator[Open]:
    """Open a page of the site in a context of its own: `visit("worlds/BC-001/index.html", hash, **options)`."""
    contexts = []

    def opened(path: str, hash: str = "", **options: Any) -> Page:
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        seen.watch(page)
        if options.get("java_script_enabled", True):
            page.add_init_script(WATCH)
        page.goto(f"{(site / path).as_uri()}{hash}")
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def quiet(seen: Seen, site: Path) -> Iterator[None]:
    """Whatever a test does: no message, no error, and nothing asked for outside the folder."""
    yield
    assert (seen.console, seen.errors) == ([], [])
    outside = [url for url in seen.requests if not url.startswith(site.as_uri() + "/")]
    assert outside == []
    assert seen.requests
