"""The explorer for keyboards, screen readers and eyes: names, structure, focus, contrast, narrow screens, motion."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from browser.pages import BC, ROWS, RS, Open, hostile_page, shown_step
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.usefixtures("quiet")


def test_the_keyboard_is_enough(visit: Open) -> None:
    page = visit(BC, reduced_motion="reduce")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('tbody') !== null"):
            break
    expect(page.locator(f"{ROWS} a").nth(2)).to_be_focused()
    assert page.evaluate("getComputedStyle(document.activeElement.closest('tr')).outlineStyle") == "solid"
    for key, number in (
        ("ArrowDown", 4),
        ("ArrowDown", 5),
        ("ArrowUp", 4),
        ("End", 15),
        ("ArrowDown", 15),
        ("Home", 1),
    ):
        page.keyboard.press(key)
        expect(page.locator("#selected-title")).to_have_text(f"Class {number}")
        expect(page.locator(f"{ROWS} a[aria-current=true]")).to_be_focused()
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id === 'step'"):
            break
    page.keyboard.press("ArrowLeft")
    assert shown_step(page) == ("pictures/1-3.svg", "Step 3 of 4")


def test_every_focus_can_be_seen(visit: Open) -> None:
    page = visit(BC)
    seen = []
    for _ in range(45):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate(
                "(() => { const e = document.activeElement; const f = e.closest('#classes tbody tr') ?? e;"
                " const s = getComputedStyle(f); return [e.tagName, s.outlineStyle, parseFloat(s.outlineWidth)]; })()"
            )
        )
    assert [one for one in seen if one[0] != "BODY" and (one[1] == "none" or one[2] < 2)] == []
    assert len(seen) == 45


ROLES = {
    "button",
    "link",
    "textbox",
    "searchbox",
    "spinbutton",
    "combobox",
    "slider",
    "image",
    "table",
    "region",
}


def spoken(page: Page) -> list[tuple[str, str]]:
    """Role and name of everything that a screen reader is told of, as the browser works them out."""
    page.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    told = [node for node in nodes if not node["ignored"]]
    return [(node["role"]["value"], node.get("name", {}).get("value", "").strip()) for node in told]


def nameless(page: Page) -> list[str]:
    return [role for role, name in spoken(page) if role in ROLES and not name]


@pytest.mark.parametrize("path", ["index.html", BC, RS, "hostile"])
def test_everything_has_a_name_for_a_screen_reader(visit: Open, site: Path, path: str) -> None:
    page = visit(hostile_page(site) if path == "hostile" else path)
    found = spoken(page)
    assert len([role for role, _ in found if role in ROLES]) > 10
    assert nameless(page) == []
    assert {"banner", "main", "contentinfo", "navigation"} <= {role for role, _ in found}


def test_the_check_of_names_can_see_a_missing_one(visit: Open) -> None:
    page = visit(BC)
    page.evaluate("document.getElementById('back').removeAttribute('aria-label'); back.textContent = ''")
    page.evaluate(
        "document.querySelector('input[name=text]').closest('label').replaceWith(document.createElement('input'))"
    )
    assert sorted(nameless(page)) == ["button", "textbox"]


@pytest.mark.parametrize("path", ["index.html", BC])
def test_structure_is_sound(visit: Open, path: str) -> None:
    page = visit(path)
    levels = page.locator("h1, h2, h3, h4").evaluate_all("(all) => all.map((one) => Number(one.tagName[1]))")
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    ids = page.locator("[id]").evaluate_all("(all) => all.map((one) => one.id)")
    assert len(ids) == len(set(ids))
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.locator("img:not([alt])").count() == 0
    assert page.locator("table:not(:has(caption))").count() == 0
    assert page.locator("thead th:not([scope=col]), tbody th:not([scope=row])").count() == 0
    refs = page.locator("[aria-labelledby]").evaluate_all(
        "(all) => all.map((one) => one.getAttribute('aria-labelledby'))"
    )
    assert set(refs) <= set(ids)
    if path == BC:
        assert page.locator("[role=status]").count() == 2


CONTRAST = """() => {
  const rgba = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const linear = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = (c) => { const [r, g, b] = c.map(linear); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const back = (e) => { const layers = [];
    for (; e; e = e.parentElement) layers.push(rgba(getComputedStyle(e).backgroundColor));
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]); };
  const found = []; let seen = 0;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    const e = node.parentElement;
    if (!node.data.trim() || !e.checkVisibility() || e.closest(':disabled, noscript, script, option')) continue;
    const [a, b] = [light(rgba(getComputedStyle(e).color)), light(back(e))].sort((x, y) => y - x);
    seen += 1;
    if ((a + 0.05) / (b + 0.05) < 4.5) found.push([node.data.trim(), (a + 0.05) / (b + 0.05)]);
  }
  return [seen, found, getComputedStyle(document.body).backgroundColor];
}"""


@pytest.mark.parametrize("path", ["index.html", BC])
def test_light_and_dark_have_contrast(visit: Open, path: str) -> None:
    papers = set()
    for scheme in ("light", "dark"):
        page = visit(path, color_scheme=scheme)
        checked, faint, paper = page.evaluate(CONTRAST)
        assert faint == []
        assert checked > 30
        papers.add(paper)
    assert len(papers) == 2


def test_the_contrast_check_can_see_faint_text(visit: Open) -> None:
    page = visit("index.html", bypass_csp=True)
    page.add_style_tag(content="footer p { color: #999 }")
    assert page.evaluate(CONTRAST)[1] != []


def width(page: Page) -> int:
    page.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    return int(page.evaluate("document.documentElement.scrollWidth"))


@pytest.mark.parametrize("path", ["index.html", BC, RS, "hostile"])
def test_narrow_screens_scroll_in_one_direction(visit: Open, site: Path, path: str) -> None:
    page = visit(hostile_page(site) if path == "hostile" else path, viewport={"width": 320, "height": 640})
    assert width(page) <= 320
    page.evaluate("document.querySelector('h1').textContent = 'x'.repeat(200)")
    assert width(page) <= 320  # a long word is broken
    page.evaluate("document.querySelector('main').append(Object.assign(new Image(500, 5), {alt: ''}))")
    assert width(page) > 320  # and the measure can see what sticks out


def test_motion_is_for_those_who_want_it(visit: Open) -> None:
    still = visit("index.html", reduced_motion="reduce")
    moving = visit("index.html", reduced_motion="no-preference")
    durations = [
        page.locator(".card").first.evaluate("(e) => getComputedStyle(e).transitionDuration")
        for page in (still, moving)
    ]
    assert durations[0] == "0s"
    assert durations[1] != "0s"
