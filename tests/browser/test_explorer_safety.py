"""The explorer against hostile names, and its content security policy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser.pages import BC, Open, Seen, hostile_page
from explorer_samples import HOSTILE, HOSTILE_CODE
from playwright.sync_api import expect

pytestmark = pytest.mark.usefixtures("quiet")


def test_hostile_names_are_text(visit: Open, site: Path) -> None:
    index = visit("index.html")
    page = visit(hostile_page(site))
    for one in (index, page):
        assert one.evaluate("window.ran") is None
        assert one.locator("body").is_visible()
        assert one.locator("script").count() == (0 if one is index else 2)
    expect(page.locator("h1 bdi")).to_have_text(HOSTILE_CODE)
    assert page.locator("#moves li").all_inner_texts()[-1] == HOSTILE["rivet"]
    assert page.locator("main img").count() == 1
    assert "49" not in page.locator("#moves").inner_text()
    page.get_by_role("button", name="One step back").click()
    data = json.loads(page.locator("#data").text_content() or "")
    assert data["code"] == HOSTILE_CODE
    assert page.evaluate("window.ran") is None
    assert page.evaluate("refused") == []


def test_pages_keep_their_policy(visit: Open, site: Path) -> None:
    for path in ("index.html", BC, hostile_page(site)):
        page = visit(path)
        assert page.evaluate("refused") == []


@pytest.mark.parametrize(
    ("act", "directive"),
    [
        (
            "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = 1'}))",
            "script-src-elem",
        ),
        ("document.body.setAttribute('style', 'color: red')", "style-src-attr"),
        ("document.body.append(Object.assign(new Image(), {src: 'https://example.org/x.png'}))", "img-src"),
        ("fetch('https://example.org/').catch(() => {})", "connect-src"),
    ],
)
def test_the_policy_refuses_what_pages_never_do(visit: Open, seen: Seen, act: str, directive: str) -> None:
    page = visit(BC)
    page.evaluate(act)
    page.wait_for_function("refused.length > 0")
    assert directive in page.evaluate("refused")
    assert page.evaluate("window.ran") is None
    assert any("Content Security Policy" in message for message in seen.console)
    # the browser tells of what it refused, as it should; what it refused to load was asked for and not sent
    seen.console.clear()
    seen.requests = [url for url in seen.requests if not url.startswith("https://example.org/")]
