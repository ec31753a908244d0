"""The explorer in a real browser, opened from a folder: reading, filtering, sorting, choosing, copying, linking."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from browser.pages import BC, MANY, NONE, ROWS, RS, Open, classes, column, numbers, shown_step
from playwright.sync_api import expect

pytestmark = pytest.mark.usefixtures("quiet")


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


def test_a_class_without_a_picture_says_so_and_has_the_rest(visit: Open, site: Path) -> None:
    page = visit(MANY)
    expect(page.locator("#cut")).to_contain_text("have pictures")
    drawn = {int(path.name.partition("-")[0]) for path in (site / "worlds" / "RS-MANY" / "pictures").iterdir()}
    other = next(one["class"] for one in classes(site, "RS-MANY") if one["class"] not in drawn)
    page.evaluate("(number) => { location.hash = `#class=${number}`; }", other)
    expect(page.locator("#selected-title")).to_have_text(f"Class {other}")
    expect(page.locator("#undrawn")).to_be_visible()
    for hidden in ("#paper", "#alone", "#stepper"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator("#moves li.done")).to_have_count(5)
    page.locator(f"{ROWS} a").first.click()
    expect(page.locator("#undrawn")).to_be_hidden()
    expect(page.locator("#picture")).to_be_visible()


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
