"""The explorer in a real browser, opened from a folder: what people see and do, and what pages must never do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from browser.conftest import Open, Seen
from explorer_samples import HOSTILE, HOSTILE_CODE
from playwright.sync_api import Page, expect

BC = "worlds/BC-001/index.html"
RS = "worlds/RS-001/index.html"
MANY = "worlds/RS-MANY/index.html"
NONE = "worlds/TW-NONE/index.html"
ROWS = "#classes tbody tr"


@pytest.fixture(autouse=True)
def quiet(seen: Seen, site: Path) -> Iterator[None]:
    """Whatever a test does: no message, no error, and nothing asked for outside the folder."""
    yield
    assert (seen.console, seen.errors) == ([], [])
    outside = [url for url in seen.requests if not url.startswith(site.as_uri() + "/")]
    assert outside == []
    assert seen.requests


def hostile_page(site: Path) -> str:
    (folder,) = site.glob("worlds/world-*")
    return f"worlds/{folder.name}/index.html"


def numbers(page: Page) -> list[int]:
    """The classes in the table, from top to bottom."""
    return [int(text) for text in page.locator(f"{ROWS} th a").all_inner_texts()]


def column(page: Page, key: str) -> list[str]:
    place = page.locator("#classes thead th").evaluate_all(
        "(heads, key) => heads.findIndex(h => h.dataset.key === key)", key
    )
    return page.locator(f"{ROWS} > :nth-child({place + 1})").all_inner_texts()


def shown_step(page: Page) -> tuple[str | None, str]:
    return page.locator("#picture").get_attribute("src"), page.locator("#step-label").inner_text()


def classes(site: Path, code: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((site / "worlds" / code / "classes.json").read_text("utf-8"))["classes"]
    return found


# --- reading


def test_the_index_leads_to_every_world(visit: Open) -> None:
    page = visit("index.html")
    expect(page.locator(".card")).to_have_count(5)
    page.get_by_role("main").get_by_role("link", name="BC-001").click()
    expect(page).to_have_title(re.compile("BC-001"))
    expect(page.get_by_role("navigation", name="Worlds").get_by_role("link", name="BC-001")).to_have_attribute(
        "aria-current", "page"
    )


def test_every_picture_that_is_shown_loads(visit: Open) -> None:
    for path in ("index.html", BC):
        page = visit(path)
        page.wait_for_load_state("load")
        widths = page.locator("img").evaluate_all(
            "async (all) => { for (const one of all) { one.loading = 'eager'; await one.decode(); }"
            " return all.map((one) => one.naturalWidth); }"
        )
        assert widths
        assert all(width > 0 for width in widths)


def test_without_javascript_the_page_can_be_read(visit: Open) -> None:
    page = visit(BC, java_script_enabled=False)
    expect(page.locator(ROWS)).to_have_count(15)
    expect(page.locator("#picture")).to_be_visible()
    expect(page.locator("noscript")).to_be_visible()
    for hidden in ("#filters", "#stepper", "#tools"):
        expect(page.locator(hidden)).to_be_hidden()
    page.locator(f"{ROWS} th a").nth(6).click()
    assert page.url.endswith("/pictures/7-4.svg")


def test_a_world_without_solutions_says_so(visit: Open) -> None:
    page = visit(NONE)
    expect(page.get_by_text("No submission is accepted.")).to_be_visible()
    expect(page.locator("#classes")).to_have_count(0)


# --- filters and sorting


def test_motif_filters_leave_the_classes_that_have_or_lack_it(visit: Open, site: Path) -> None:
    page = visit(BC)
    for word in ("with", "without"):
        page.get_by_label("Motif shape").select_option(word)
        wanted = [one for one in classes(site, "BC-001") if one["motifs"]["shape"] is (word == "with")]
        assert numbers(page) == [one["class"] for one in wanted]
        assert 0 < len(wanted) < 15
        raw = sum(int(one["size"]) for one in wanted)
        expect(page.locator("#count")).to_have_text(f"{len(wanted)} of 15 classes, {raw} of 672 raw solutions")
    page.get_by_role("button", name="Clear filters").click()
    expect(page.locator("#count")).to_have_text("15 classes, 672 raw solutions")


def test_number_filters_are_bounds_on_moves_cost_and_distance(visit: Open, site: Path) -> None:
    page = visit(BC)
    page.locator("#kinds summary").click()
    page.get_by_label("Least gates of XOR").fill("1")
    page.get_by_label("Greatest gates of XOR").fill("1")
    wanted = [one["class"] for one in classes(site, "BC-001") if one["tallies"]["n_XOR"] == 1]
    assert numbers(page) == wanted
    page.get_by_label("Greatest distance from the witness").fill("2")
    near = [one["class"] for one in classes(site, "BC-001") if one["distance"] <= 2 and one["class"] in wanted]
    assert numbers(page) == near
    assert 0 < len(near) < len(wanted) < 15
    page = visit(RS)
    page.get_by_label("Greatest cost").fill("4")
    assert numbers(page) == [one["class"] for one in classes(site, "RS-001") if one["cost"] == 4]


def test_text_is_searched_in_moves_without_regard_to_case(visit: Open, site: Path) -> None:
    page = visit(BC)
    page.get_by_label("Text").fill("G1 = xor")
    wanted = [
        one["class"]
        for one in classes(site, "BC-001")
        if any((gate["id"], gate["op"]) == ("g1", "XOR") for gate in one["representative"]["gates"])
    ]
    assert numbers(page) == wanted
    assert 0 < len(wanted) < 15
    page.get_by_label("Text").fill("no such thing")
    expect(page.locator(ROWS)).to_have_count(0)
    expect(page.locator("#count")).to_have_text("0 of 15 classes, 0 of 672 raw solutions")
    expect(page.locator("#picture")).to_be_visible()


def test_columns_sort_up_down_and_not_at_all(visit: Open, site: Path) -> None:
    page = visit(RS)
    plain = numbers(page)
    head = page.locator("#classes thead th[data-key=distance]")
    for said, order in (("ascending", 1), ("descending", -1)):
        head.get_by_role("button").click()
        expect(head).to_have_attribute("aria-sort", said)
        far = {one["class"]: one["distance"] for one in classes(site, "RS-001")}
        assert numbers(page) == sorted(plain, key=lambda number: order * far[number])
        assert [int(text) for text in column(page, "distance")] == [far[number] for number in numbers(page)]
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "none")
    assert numbers(page) == plain


def test_long_tables_have_pages(visit: Open, site: Path) -> None:
    page = visit(MANY)
    every = [one["class"] for one in classes(site, "RS-MANY")]
    assert len(every) == 125
    found = []
    for label in ("rows 1 to 50 of 125", "rows 51 to 100 of 125", "rows 101 to 125 of 125"):
        expect(page.locator("#page")).to_have_text(label)
        found += numbers(page)
        if label != "rows 101 to 125 of 125":
            page.get_by_role("button", name="Next rows").click()
    assert found == every
    expect(page.get_by_role("button", name="Next rows")).to_be_disabled()
    page.get_by_label("Greatest cost").fill("5")
    expect(page.locator("#pages")).to_be_hidden()


# --- the chosen class


def test_a_row_shows_its_class_and_the_slider_its_steps(visit: Open, site: Path) -> None:
    page = visit(BC)
    page.locator(ROWS).nth(4).locator("td").first.click()
    expect(page.locator("#selected-title")).to_have_text("Class 5")
    assert shown_step(page) == ("pictures/5-4.svg", "Step 4 of 4")
    one = next(one for one in classes(site, "BC-001") if one["class"] == 5)
    assert json.loads(page.locator("#representative").inner_text()) == one["representative"]
    page.get_by_label("Step", exact=False).and_(page.locator("input")).fill("1")
    assert shown_step(page) == ("pictures/5-1.svg", "Step 1 of 4")
    expect(page.locator("#moves li[aria-current=step]")).to_have_count(1)
    page.get_by_role("button", name="One step back").click()
    assert shown_step(page) == ("pictures/5-0.svg", "Step 0 of 4")
    expect(page.get_by_role("button", name="One step back")).to_be_disabled()
    page.get_by_role("button", name="One step on").click()
    assert shown_step(page) == ("pictures/5-1.svg", "Step 1 of 4")
    expect(page.locator("#picture")).to_have_attribute("alt", "BC-001, class 5, after step 1 of 4")


def test_json_is_copied_as_it_was_graded(visit: Open, site: Path) -> None:
    page = visit(BC, "#class=7", permissions=["clipboard-read", "clipboard-write"])
    one = next(one for one in classes(site, "BC-001") if one["class"] == 7)
    read = "navigator.clipboard.readText()"
    page.get_by_role("button", name="Copy the representative").click()
    expect(page.locator("#said")).to_have_text("Representative copied.")
    assert json.loads(page.evaluate(read)) == one["representative"]
    page.get_by_role("button", name="Copy all words").click()
    expect(page.locator("#said")).to_have_text("3 words copied.")
    assert [json.loads(line) for line in page.evaluate(read).splitlines()] == one["members"]
    page.get_by_role("link", name="Link to this class").click()
    expect(page.locator("#said")).to_have_text("Link copied.")
    assert page.evaluate(read).endswith(f"{BC}#class=7")


def test_copying_that_is_refused_is_done_by_hand(visit: Open) -> None:
    page = visit(BC)
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    page.get_by_role("button", name="Copy the representative").click()
    expect(page.locator("#said")).to_have_text("Representative copied.")
    page.evaluate("() => { document.execCommand = () => false; }")
    page.get_by_role("button", name="Copy the representative").click()
    expect(page.locator("#said")).to_contain_text("mark the text")


def test_a_link_brings_back_class_step_filters_and_order(visit: Open) -> None:
    page = visit(BC)
    page.get_by_label("Motif typed").select_option("without")
    page.locator("#classes thead th[data-key=size] button").click()
    page.locator(ROWS).nth(2).locator("td").first.click()
    page.get_by_role("button", name="One step back").click()
    before = (numbers(page), shown_step(page), page.locator("#selected-title").inner_text())
    link = page.locator("#permalink").get_attribute("href")
    assert link is not None
    page.wait_for_function("(link) => location.hash === link", arg=link)
    other = visit(BC, link)
    expect(other.get_by_label("Motif typed")).to_have_value("without")
    assert (numbers(other), shown_step(other), other.locator("#selected-title").inner_text()) == before


def test_addresses_that_name_nothing_do_no_harm(visit: Open) -> None:
    page = visit(BC, "#class=99&step=-4&sort=__proto__&min.cost=x&motif.shape=%3Cb%3E&motif.none=with&page=1e9")
    expect(page.locator("#said")).to_have_text("This page has no class 99.")
    expect(page.locator("#selected-title")).to_have_text("Class 3")
    expect(page.locator(ROWS)).to_have_count(15)
    page.evaluate("location.hash = '#class=2&step=1'")
    expect(page.locator("#selected-title")).to_have_text("Class 2")
    assert shown_step(page) == ("pictures/2-1.svg", "Step 1 of 4")
    page.evaluate("location.hash = '#motifs'")
    expect(page.locator("#selected-title")).to_have_text("Class 2")


def test_a_motif_leads_to_a_class_without_it(visit: Open, site: Path) -> None:
    page = visit(BC)
    page.locator("#motifs tbody tr").first.get_by_role("link").click()
    lacking = next(one["class"] for one in classes(site, "BC-001") if not one["motifs"]["shape"])
    expect(page.locator("#selected-title")).to_have_text(f"Class {lacking}")


# --- keyboard, screen reader, eyes


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
    "group",
}


@pytest.mark.parametrize("path", ["index.html", BC, RS, "hostile"])
def test_everything_has_a_name_for_a_screen_reader(visit: Open, site: Path, path: str) -> None:
    page = visit(hostile_page(site) if path == "hostile" else path)
    page.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    named = [
        (node["role"]["value"], node.get("name", {}).get("value", "").strip()) for node in nodes if not node["ignored"]
    ]
    watched = [one for one in named if one[0] in ROLES]
    assert len(watched) > 10
    assert [role for role, name in watched if not name and role != "group"] == []
    assert {"banner", "main", "contentinfo", "navigation"} <= {role for role, _ in named}


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


@pytest.mark.parametrize("path", ["index.html", BC, RS, "hostile"])
def test_narrow_screens_scroll_in_one_direction(visit: Open, site: Path, path: str) -> None:
    page = visit(hostile_page(site) if path == "hostile" else path, viewport={"width": 320, "height": 640})
    page.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_motion_is_for_those_who_want_it(visit: Open) -> None:
    still = visit("index.html", reduced_motion="reduce")
    moving = visit("index.html", reduced_motion="no-preference")
    durations = [
        page.locator(".card").first.evaluate("(e) => getComputedStyle(e).transitionDuration")
        for page in (still, moving)
    ]
    assert durations[0] == "0s"
    assert durations[1] != "0s"


# --- hostile names, and the policy


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
